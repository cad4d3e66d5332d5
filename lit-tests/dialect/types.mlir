// Every spelling of a type reads and prints back; inner types go without the prefix; what torch-mlir lacks is spelled in the same style.
// RUN: sconce-opt %s | FileCheck %s
// RUN: sconce-opt %s | sconce-opt | FileCheck %s
// RUN: sconce-opt %s --mlir-print-op-generic | sconce-opt | FileCheck %s

// CHECK-LABEL: @tensors(!torch.vtensor, !torch.tensor<*,f32>, !torch.vtensor<[2,?],unk>, !torch.tensor<[],si64>, !torch.vtensor<[1],!torch.qint8>, !torch.vtensor<[16,?],complex<f32>>)
func.func private @tensors(!torch.vtensor<*,unk>, !torch.tensor<*,f32>, !torch.vtensor<[2,-1],unk>, !torch.tensor<[],si64>,
                           !torch.vtensor<[1],!torch.qint8>, !torch.vtensor<[0x10,?],complex<f32>>)
// CHECK-LABEL: @scalars(!torch.int, !torch.float, !torch.complex, !torch.number, !torch.bool, !torch.str, !torch.none, !torch.any, !torch.Device, !torch.Generator)
func.func private @scalars(!torch.int, !torch.float, !torch.complex, !torch.number, !torch<bool>, !torch.str, !torch.none, !torch.any, !torch.Device, !torch.Generator)
// CHECK-LABEL: @containers(!torch.list<optional<list<vtensor<[2],f32>>>>, !torch.dict<str, tuple<int, union<float, none>>>, !torch.tuple<>, !torch.union<>)
func.func private @containers(!torch.list<optional<list<vtensor<[2],f32>>>>, !torch.dict<str,tuple<int,union<float,none>>>, !torch.tuple<>, !torch.union<>)
// CHECK-LABEL: @classes(!torch.nn.Module<"__torch__.M">, !torch.optional<nn.Module<"a\22b\\c\C3\A9">>)
func.func private @classes(!torch.nn.Module<"__torch__.M">, !torch.optional<nn.Module<"a\"b\\cé">>)
// CHECK-LABEL: @ours(!torch.future<list<int>>, !torch.await<tensor>, !torch.rref<any>, !torch.enum<"__torch__.m.Color">, !torch.var<"t">, !torch.named_tuple<"__torch__.P", "x": int, "y": list<tensor>>)
func.func private @ours(!torch.future<list<int>>, !torch.await<tensor>, !torch.rref<any>, !torch.enum<"__torch__.m.Color">, !torch.var<"t">, !torch.named_tuple<"__torch__.P", "x": int, "y": list<tensor>>)
// CHECK-LABEL: @opaque(!torch.stream, !torch.storage, !torch.qscheme, !torch.layout, !torch.memory_format, !torch.scalar_type, !torch.sym_int, !torch.capsule, !torch.py_object, !torch.function, !torch.any_list, !torch.any_tuple, !torch.any_class, !torch.any_enum)
func.func private @opaque(!torch.stream, !torch.storage, !torch.qscheme, !torch.layout, !torch.memory_format, !torch.scalar_type, !torch.sym_int, !torch.capsule, !torch.py_object, !torch.function, !torch.any_list, !torch.any_tuple, !torch.any_class, !torch.any_enum)
