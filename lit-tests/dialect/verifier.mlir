// What is wrong is said where it is wrong, in torch-mlir's words.
// RUN: sconce-opt %s --split-input-file --verify-diagnostics

// expected-error @+1 {{'Ghost' does not reference a valid class type}}
%o = torch.nn_module {
} : !torch.nn.Module<"Ghost">

// -----

torch.class_type @Net {
  // expected-note @+1 {{see torch.attr at corresponding index}}
  torch.attr "scale" : !torch.float
}
%k = torch.constant.int 1
%o = torch.nn_module {
  // expected-error @+1 {{is expected to match type and name of '"torch.attr"() <{name = "scale", type = !torch.float}> : () -> ()'}}
  torch.slot "scale", %k : !torch.int
} : !torch.nn.Module<"Net">

// -----

// expected-error @+1 {{has duplicate attr/method with name 'x'}}
torch.class_type @Net {
  torch.attr "x" : !torch.int
  torch.attr "x" : !torch.int
}

// -----

torch.class_type @Net {
  // expected-error @+1 {{the referenced function 'go' must have a first argument of type '!torch.nn.Module<"Net">'}}
  torch.method "go", @go
}
func.func private @go() { return }

// -----

torch.global_slot @a : !torch.int
torch.global_slot @b : !torch.int
torch.global_slot.module_initializer {
  %0 = torch.constant.int 1
  // expected-error @+1 {{must have one initializer for each global slot in the module}}
  torch.initialize.global_slots [
    @a(%0 : !torch.int)
  ]
}

// -----

func.func @narrow(%x: !torch.union<int, str>) {
  // expected-error @+1 {{are cast incompatible}}
  %0 = torch.derefine %x : !torch.union<int, str> to !torch.optional<int>
  return
}

// -----

func.func @pack(%x: !torch.str) {
  // expected-error @+1 {{contained types correspond to operand types}}
  %0 = torch.prim.TupleConstruct %x : !torch.str -> !torch.tuple<str, int>
  return
}

// -----

func.func @list(%x: !torch.tensor) {
  // expected-error @+1 {{operand types should have the same type as the list contained type}}
  %0 = torch.prim.ListConstruct %x : (!torch.tensor) -> !torch.list<vtensor>
  return
}

// -----

func.func @copy(%x: !torch.vtensor<[2],f32>) {
  // expected-error @+1 {{operand is corresponding !torch.vtensor}}
  %0 = "torch.copy.to_tensor"(%x) : (!torch.vtensor<[2],f32>) -> !torch.tensor<[2],f64>
  return
}

// -----

func.func @carried(%n: !torch.int, %c: !torch.bool, %x: !torch.int) {
  // expected-error @+2 {{should match successor input type #0 '!torch.float'}}
  // expected-note @+1 {{region branch point}}
  %0 = torch.prim.Loop %n, %c, init(%x) {
  ^bb0(%i: !torch.int, %a: !torch.float):
    torch.prim.Loop.condition %c, iter(%a : !torch.float)
  } : (!torch.int, !torch.bool, !torch.int) -> !torch.float
  return
}

// -----

func.func @sizes(%x: !torch.vtensor<[?],f32>, %n: !torch.int) {
  // expected-error @+1 {{shape symbol must be produced by a SymbolicIntOp}}
  torch.bind_symbolic_shape %x, [%n], affine_map<()[s0] -> (s0)> : !torch.vtensor<[?],f32>
  return
}

// -----

func.func @kinds(%x: !torch.int) {
  // expected-error @+1 {{operand #0 must be Any Torch tensor type, but got '!torch.int'}}
  %0 = torch.aten.relu %x : !torch.int -> !torch.vtensor
  return
}

// -----

func.func @write(%x: !torch.vtensor) {
  // expected-error @+1 {{operand #0 must be Multi-dimensional array modeling Torch's Tensor type, but got '!torch.vtensor'}}
  %0 = torch.aten.relu_ %x : !torch.vtensor -> !torch.tensor
  return
}

// -----

func.func @count(%x: !torch.vtensor) {
  // expected-error @+1 {{expected 2 operands, but found 1}}
  %0 = torch.aten.mm %x : !torch.vtensor -> !torch.vtensor
  return
}

// -----

func.func @unknown(%x: !torch.vtensor) {
  // expected-error @+1 {{custom op 'torch.aten.no_such_thing' is unknown}}
  %0 = torch.aten.no_such_thing %x : !torch.vtensor -> !torch.vtensor
  return
}
