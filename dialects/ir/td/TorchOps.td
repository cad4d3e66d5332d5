// Structural operations of the torch dialect: what operators cannot be, because it has regions, symbols, attributes or a form of its own.
#ifndef SCONCE_TORCH_OPS
#define SCONCE_TORCH_OPS

include "TorchTypes.td"
include "mlir/IR/BuiltinAttributes.td"
include "mlir/IR/OpAsmInterface.td"
include "mlir/IR/RegionKindInterface.td"
include "mlir/IR/SymbolInterfaces.td"
include "mlir/Interfaces/CastInterfaces.td"
include "mlir/Interfaces/ControlFlowInterfaces.td"
include "mlir/Interfaces/InferTypeOpInterface.td"
include "mlir/Interfaces/SideEffectInterfaces.td"

//===-- Kinds: the words are those of torch-mlir's verifier -------------------------------------------------------------------------===//

class Kind<string predicate, string words> : Type<CPred<predicate>, words>;
class TheKind<string torchType, string words> : Type<CPred<"::llvm::isa<::sconce::torch::" # torchType # ">($_self)">, words>,
    BuildableType<"::sconce::torch::" # torchType # "::get($_builder.getContext())">;

def AnyKind : Kind<"::sconce::torch::isKernelType($_self)", "Any type that is legal to pass to a Torch kernel">;
def TensorKind : Kind<"::sconce::torch::isTensor($_self)", "Any Torch tensor type">;
def ValueTensorKind : Kind<"::llvm::isa<::sconce::torch::ValueTensorType>($_self)", "Multi-dimensional array modeling Torch's Tensor type">;
def NonValueTensorKind : Kind<"::llvm::isa<::sconce::torch::NonValueTensorType>($_self)", "Multi-dimensional array modeling Torch's Tensor type">;
def IntKind : TheKind<"IntType", "Torch IntType">;
def FloatKind : TheKind<"FloatType", "Torch FloatType">;
def NumberKind : TheKind<"NumberType", "Torch NumberType">;
def BoolKind : TheKind<"BoolType", "Torch BoolType">;
def StringKind : TheKind<"StringType", "Torch StringType">;
def NoneKind : TheKind<"NoneType", "Torch NoneType">;
def DeviceKind : TheKind<"DeviceType", "Torch device">;
def LinearParamsKind : TheKind<"LinearParamsType", "Torch packed linear params type">;
def ListKind : Kind<"::llvm::isa<::sconce::torch::ListType>($_self)", "Any Torch list Type of any non-token type values">;
def IntListKind : Kind<"::sconce::torch::isListOf<::sconce::torch::IntType>($_self)", "Int list type (int[]) of Torch IntType values">;
def OptionalIntListKind : Kind<"::sconce::torch::isListOf<::sconce::torch::IntType, ::sconce::torch::OptionalType, ::sconce::torch::NoneType>($_self)",
                               "List of optional ints type (int?[]) of Optional torch int type values">;
def OptionalFloatKind : Kind<"::llvm::isa<::sconce::torch::FloatType, ::sconce::torch::NoneType, ::sconce::torch::OptionalType>($_self)",
                             "Optional torch float type">;
def OptionalStringKind : Kind<"::llvm::isa<::sconce::torch::StringType, ::sconce::torch::NoneType, ::sconce::torch::OptionalType>($_self)",
                              "Optional torch Str type">;
def OptionalTensorKind : Kind<"::sconce::torch::isTensor($_self) || ::llvm::isa<::sconce::torch::NoneType, ::sconce::torch::OptionalType>($_self)",
                              "Optional torch tensor type">;
def TupleKind : Kind<"::llvm::isa<::sconce::torch::TupleType, ::sconce::torch::NamedTupleType>($_self)", "!torch.tuple<T1, T2, T3>">;
def DictKind : Kind<"::llvm::isa<::sconce::torch::DictType>($_self)", "!torch.dict[KT, VT] ">;
def ObjectKind : Kind<"::llvm::isa<::sconce::torch::NnModuleType>($_self)", "torch.nn.Module">;

// Prints in its own form only where that form reads back; see printsReadably in TorchOps.cpp.
class TorchOp<string mnemonic, list<Trait> traits = []> : Op<Torch_Dialect, mnemonic, traits> {
  let extraClassDeclaration = [{
    static ::mlir::OperationName::PrintAssemblyFn getPrintAssemblyFn() {
      return [](::mlir::Operation *op, ::mlir::OpAsmPrinter &p, ::llvm::StringRef defaultDialect) {
        if (!::sconce::torch::printsReadably(op))
          return p.printGenericOp(op);
        printOpName(op, p, defaultDialect);
        ::llvm::cast<ConcreteOpType>(op).print(p);
      };
    }
  }];
}

//===-- Constants -----------------------------------------------------------------------------------------------------------------===//

class ConstantOp<string kind, string what, dag args, Type result, list<Trait> traits = [DeclareOpInterfaceMethods<OpAsmOpInterface, ["getAsmResultNames"]>]>
    : TorchOp<"constant." # kind, !listconcat([ConstantLike, Pure], traits)> {
  let summary = what;
  let arguments = args;
  let results = (outs result:$result);
  let assemblyFormat = "$value attr-dict";
  let hasFolder = 1;
}
def ConstantIntOp : ConstantOp<"int", "an int", (ins I64Attr:$value), IntKind>;
def ConstantFloatOp : ConstantOp<"float", "a float", (ins F64Attr:$value), FloatKind>;
def ConstantBoolOp : ConstantOp<"bool", "a bool", (ins BoolAttr:$value), BoolKind>;
def ConstantStrOp : ConstantOp<"str", "a string: any bytes", (ins StrAttr:$value), StringKind>;
def ConstantDeviceOp : ConstantOp<"device", "a device", (ins StrAttr:$value), DeviceKind>;
def ConstantNoneOp : ConstantOp<"none", "None", (ins), NoneKind> { let assemblyFormat = "attr-dict"; }
// Generic form only, as in torch-mlir.
def ConstantNumberOp : Op<Torch_Dialect, "constant.number", [ConstantLike, Pure]> {
  let summary = "an int or a float of type number";
  let arguments = (ins AnyAttrOf<[F64Attr, I64Attr]>:$value);
  let results = (outs NumberKind:$result);
  let hasFolder = 1;
}
def ValueTensorLiteralOp : TorchOp<"vtensor.literal", [ConstantLike, Pure]> {
  let summary = "a constant value tensor";
  let arguments = (ins ElementsAttr:$value);
  let results = (outs ValueTensorKind:$result);
  let assemblyFormat = "`(` $value `)` attr-dict `:` type($result)";
  let hasFolder = 1;
  let hasVerifier = 1;
}
def NonValueTensorLiteralOp : TorchOp<"tensor.literal"> {
  let summary = "a new tensor with constant contents";
  let arguments = (ins ElementsAttr:$value);
  let results = (outs Res<NonValueTensorKind, "", [MemAlloc]>:$result);
  let assemblyFormat = "`(` $value `)` attr-dict `:` type($result)";
  let hasVerifier = 1;
}

//===-- Classes and objects -------------------------------------------------------------------------------------------------------===//

def ClassTypeOp : TorchOp<"class_type", [Symbol, IsolatedFromAbove, NoRegionArguments, SingleBlockImplicitTerminator<"ClassTypeTerminatorOp">]> {
  let summary = "a class: its attributes and methods";
  let arguments = (ins SymbolNameAttr:$sym_name);
  let regions = (region SizedRegion<1>:$body);
  let assemblyFormat = "$sym_name custom<ClassBody>($body) attr-dict";
  let hasVerifier = 1;
}
def ClassTypeTerminatorOp : TorchOp<"class_type_terminator", [Terminator, HasParent<"ClassTypeOp">]> {
  let assemblyFormat = "attr-dict";
}
def AttrOp : TorchOp<"attr", [HasParent<"ClassTypeOp">]> {
  let summary = "an attribute of a class";
  let arguments = (ins StrAttr:$name, TypeAttr:$type, UnitAttr:$isPrivate);
  let assemblyFormat = "(`private` $isPrivate^)? $name `:` $type attr-dict";
}
def MethodOp : TorchOp<"method", [HasParent<"ClassTypeOp">, DeclareOpInterfaceMethods<SymbolUserOpInterface>]> {
  let summary = "a method of a class: a private function whose first argument is the object";
  let arguments = (ins StrAttr:$name, FlatSymbolRefAttr:$function, UnitAttr:$isPrivate);
  let assemblyFormat = "(`private` $isPrivate^)? $name `,` $function attr-dict";
}
def NnModuleOp : TorchOp<"nn_module", [NoRegionArguments, DeclareOpInterfaceMethods<SymbolUserOpInterface>,
                                       SingleBlockImplicitTerminator<"NnModuleTerminatorOp">]> {
  let summary = "an object of a class, with a slot for each of the class's attributes";
  let regions = (region SizedRegion<1>:$region);
  let results = (outs ObjectKind:$result);
  let assemblyFormat = "custom<ObjectBody>($region) attr-dict `:` type($result)";
  let hasVerifier = 1;
}
def NnModuleTerminatorOp : TorchOp<"nn_module_terminator", [Terminator, HasParent<"NnModuleOp">]> {
  let assemblyFormat = "attr-dict";
}
def SlotOp : TorchOp<"slot", [HasParent<"NnModuleOp">]> {
  let summary = "the value of an attribute of an object";
  let arguments = (ins StrAttr:$name, AnyKind:$value);
  let assemblyFormat = "$name `,` $value attr-dict `:` type($value)";
}

def GlobalSlotOp : TorchOp<"global_slot", [Symbol]> {
  let summary = "a global variable";
  let arguments = (ins SymbolNameAttr:$sym_name, TypeAttr:$typeBound, OptionalAttr<StrAttr>:$sym_visibility);
  let assemblyFormat = "($sym_visibility^)? $sym_name attr-dict `:` $typeBound";
}
def GlobalSlotModuleInitializerOp : TorchOp<"global_slot.module_initializer", [IsolatedFromAbove, SingleBlock, NoRegionArguments]> {
  let summary = "computes the first values of all global slots";
  let regions = (region SizedRegion<1>:$initializer);
  let assemblyFormat = "$initializer attr-dict";
  let hasVerifier = 1;
}
def InitializeGlobalSlotsOp : TorchOp<"initialize.global_slots", [Terminator, HasParent<"GlobalSlotModuleInitializerOp">,
                                                                  DeclareOpInterfaceMethods<SymbolUserOpInterface>]> {
  let arguments = (ins TypedArrayAttrBase<FlatSymbolRefAttr, "symbols of slots">:$slotSymNames, Variadic<AnyKind>:$initialValues);
  let assemblyFormat = "attr-dict ` ` `[` custom<SlotInitializers>($slotSymNames, $initialValues, type($initialValues)) `]`";
  let hasVerifier = 1;
}
// torch-mlir registers it although no valid module contains it: its parent has no region.
def GlobalSlotInitOp : TorchOp<"global_slot.init", [Terminator, HasParent<"GlobalSlotOp">]> {
  let arguments = (ins AnyKind:$initialValue);
  let assemblyFormat = "$initialValue attr-dict `:` type($initialValue)";
}
def GlobalSlotGetOp : TorchOp<"global_slot.get"> {
  let arguments = (ins FlatSymbolRefAttr:$slot);
  let results = (outs AnyKind:$result);
  let assemblyFormat = "$slot attr-dict `:` type($result)";
}
def GlobalSlotSetOp : TorchOp<"global_slot.set"> {
  let arguments = (ins FlatSymbolRefAttr:$slot, AnyKind:$value);
  let assemblyFormat = "$slot `=` $value attr-dict `:` type($value)";
}

def PrimGetAttrOp : TorchOp<"prim.GetAttr", [MemoryEffects<[MemRead]>]> {
  let arguments = (ins ObjectKind:$receiver, StrAttr:$name);
  let results = (outs AnyKind:$result);
  let assemblyFormat = "$receiver `[` $name `]` attr-dict `:` type($receiver) `->` type($result)";
}
def PrimSetAttrOp : TorchOp<"prim.SetAttr"> {
  let arguments = (ins ObjectKind:$receiver, StrAttr:$name, AnyKind:$value);
  let assemblyFormat = "$receiver `[` $name `]` `=` $value attr-dict `:` type($receiver) `,` type($value)";
}
def PrimCallMethodOp : TorchOp<"prim.CallMethod"> {
  let arguments = (ins ObjectKind:$receiver, StrAttr:$name, Variadic<AnyKind>:$args);
  let results = (outs AnyKind:$result);
  let assemblyFormat = [{
    $receiver `[` $name `]` ` ` `(` $args `)` attr-dict `:` type($receiver) `,` functional-type($args, $result)
  }];
}
def PrimCreateObjectOp : TorchOp<"prim.CreateObject"> {
  let summary = "a new object whose attributes are not set yet";
  let results = (outs ObjectKind:$result);
  let assemblyFormat = "attr-dict type($result)";
}

//===-- Control flow --------------------------------------------------------------------------------------------------------------===//

def PrimIfOp : TorchOp<"prim.If", [RecursiveMemoryEffects, SingleBlock, NoRegionArguments,
                                   DeclareOpInterfaceMethods<RegionBranchOpInterface>]> {
  let arguments = (ins BoolKind:$condition);
  let results = (outs Variadic<AnyKind>:$results);
  let regions = (region SizedRegion<1>:$thenRegion, SizedRegion<1>:$elseRegion);
  let hasCustomAssemblyFormat = 1;
}
def PrimIfYieldOp : TorchOp<"prim.If.yield", [Terminator, Pure, ReturnLike, HasParent<"PrimIfOp">]> {
  let arguments = (ins Variadic<AnyKind>:$results);
  let assemblyFormat = "attr-dict ($results^ `:` type($results))?";
}
def PrimLoopOp : TorchOp<"prim.Loop", [RecursiveMemoryEffects, SingleBlock,
                                       DeclareOpInterfaceMethods<RegionBranchOpInterface, ["getEntrySuccessorOperands"]>]> {
  let summary = "runs its region at most `maxTripCount` times and while the condition holds";
  let description = [{
    The region's first argument is the number of the trip; the others, the results and `iterArgsInit` agree one by one.
  }];
  let arguments = (ins IntKind:$maxTripCount, BoolKind:$initialCondition, Variadic<AnyKind>:$iterArgsInit);
  let results = (outs Variadic<AnyKind>:$results);
  let regions = (region SizedRegion<1>:$region);
  let hasCustomAssemblyFormat = 1;
  let hasRegionVerifier = 1;
}
def PrimLoopConditionOp : TorchOp<"prim.Loop.condition", [Terminator, Pure, HasParent<"PrimLoopOp">,
                                                          DeclareOpInterfaceMethods<RegionBranchTerminatorOpInterface>]> {
  let arguments = (ins BoolKind:$shouldContinue, Variadic<AnyKind>:$iterArgs);
  let assemblyFormat = "$shouldContinue `,` `iter` `(` ($iterArgs^ `:` type($iterArgs))? `)` attr-dict";
}
def PrimRaiseExceptionOp : TorchOp<"prim.RaiseException"> {
  let arguments = (ins StringKind:$msg, OptionalStringKind:$cls);
  let assemblyFormat = "$msg `,` $cls attr-dict `:` qualified(type($msg)) `,` type($cls)";
}

//===-- Containers ----------------------------------------------------------------------------------------------------------------===//

def PrimListConstructOp : TorchOp<"prim.ListConstruct"> {
  let arguments = (ins Variadic<AnyKind>:$elements);
  let results = (outs Res<ListKind, "", [MemAlloc]>:$result);
  let assemblyFormat = "$elements attr-dict `:` functional-type(operands, results)";
  let hasVerifier = 1;
}
def PrimListUnpackOp : TorchOp<"prim.ListUnpack", [MemoryEffects<[MemRead]>]> {
  let arguments = (ins ListKind:$operand);
  let results = (outs Variadic<AnyKind>:$results);
  let assemblyFormat = "$operand attr-dict `:` type($operand) `->` type($results)";
}
def PrimTupleConstructOp : TorchOp<"prim.TupleConstruct", [Pure]> {
  let arguments = (ins Variadic<AnyKind>:$elements);
  let results = (outs TupleKind:$result);
  let assemblyFormat = "$elements attr-dict `:` type($elements) `->` type($result)";
  let hasVerifier = 1;
}
def PrimTupleUnpackOp : TorchOp<"prim.TupleUnpack", [Pure]> {
  let arguments = (ins AnyKind:$tup);
  let results = (outs Variadic<AnyKind>:$results);
  let assemblyFormat = "$tup attr-dict `:` type($tup) `->` type($results)";
  let hasFolder = 1;
}
// Raises when the index is out of range, so it must stay where it is when that is not known.
def PrimTupleIndexOp : TorchOp<"prim.TupleIndex", [NoMemoryEffect]> {
  let arguments = (ins AnyKind:$tup, IntKind:$i);
  let results = (outs AnyKind:$result);
  let assemblyFormat = "$tup `,` $i attr-dict `:` type($tup) `,` qualified(type($i)) `->` type($result)";
  let hasFolder = 1;
}
def PrimDictConstructOp : TorchOp<"prim.DictConstruct"> {
  let summary = "a new dict; the operands are all keys, then all values";
  let arguments = (ins Variadic<AnyKind>:$elements);
  let results = (outs Res<DictKind, "", [MemAlloc]>:$result);
  let hasCustomAssemblyFormat = 1;
  let hasVerifier = 1;
}

//===-- Other prim ----------------------------------------------------------------------------------------------------------------===//

def PrimLoadOp : TorchOp<"prim.Load", [MemoryEffects<[MemRead]>]> {
  let arguments = (ins StrAttr:$name);
  let results = (outs AnyKind:$result);
  let assemblyFormat = "$name attr-dict `:` type($result)";
}
def PrimStoreOp : TorchOp<"prim.Store"> {
  let arguments = (ins StrAttr:$name, AnyKind:$value);
  let assemblyFormat = "$name `,` $value attr-dict `:` type($value)";
}
def PrimUninitializedOp : TorchOp<"prim.Uninitialized", [Pure]> {
  let results = (outs AnyKind:$result);
  let assemblyFormat = "attr-dict `:` type($result)";
}
def PrimUncheckedCastOp : TorchOp<"prim.unchecked_cast", [Pure]> {
  let arguments = (ins AnyKind:$x);
  let results = (outs AnyKind:$result);
  let assemblyFormat = "$x attr-dict `:` type($x) `->` type($result)";
  let hasFolder = 1;
}
def PrimPrintOp : TorchOp<"prim.Print"> {
  let arguments = (ins Variadic<AnyKind>:$args);
  let assemblyFormat = "`(` $args `)` attr-dict `:` type($args)";
}
def PrimEnterOp : TorchOp<"prim.Enter"> {
  let arguments = (ins AnyKind:$operand);
  let results = (outs NoneKind:$result);
  let assemblyFormat = "$operand attr-dict `:` type($operand)";
}

//===-- Casts and copies ------------------------------------------------------------------------------------------------------------===//

class CastOp<string mnemonic, Type kind> : TorchOp<mnemonic, [Pure, DeclareOpInterfaceMethods<CastOpInterface>]> {
  let arguments = (ins kind:$operand);
  let results = (outs kind:$result);
  let assemblyFormat = "$operand attr-dict `:` type($operand) `to` type($result)";
  let hasFolder = 1;
}
def DerefineOp : CastOp<"derefine", AnyKind> { let summary = "a value as one of a supertype"; }
def TensorStaticInfoCastOp : CastOp<"tensor_static_info_cast", TensorKind> { let summary = "the same tensor, with more or less known of it"; }

def CopyToNonValueTensorOp : TorchOp<"copy.to_tensor", [
    TypesMatchWith<"operand is corresponding !torch.vtensor", "result", "operand", "::sconce::torch::toValueTensor($_self)">]> {
  let summary = "a new tensor with the contents of a value tensor";
  let arguments = (ins ValueTensorKind:$operand);
  let results = (outs Res<NonValueTensorKind, "", [MemAlloc]>:$result);
  let assemblyFormat = "$operand attr-dict `:` type($result)";
}
def CopyToValueTensorOp : TorchOp<"copy.to_vtensor", [MemoryEffects<[MemRead]>,
    TypesMatchWith<"operand is corresponding !torch.tensor", "result", "operand", "::sconce::torch::toNonValueTensor($_self)">]> {
  let summary = "the contents of a tensor as they are now";
  let arguments = (ins NonValueTensorKind:$operand);
  let results = (outs ValueTensorKind:$result);
  let assemblyFormat = "$operand attr-dict `:` type($result)";
}
def OverwriteTensorContentsOp : TorchOp<"overwrite.tensor.contents", [
    TypesMatchWith<"overwritten tensor type is corresponding !torch.tensor of value tensor type", "value", "overwritten",
                   "::sconce::torch::toNonValueTensor($_self)">]> {
  let arguments = (ins ValueTensorKind:$value, Arg<NonValueTensorKind, "", [MemWrite]>:$overwritten);
  let assemblyFormat = "$value `overwrites` $overwritten attr-dict `:` type($value) `,` type($overwritten)";
}

//===-- Shapes, dtypes, checks -----------------------------------------------------------------------------------------------------===//

def RuntimeAssertOp : TorchOp<"runtime.assert"> {
  let arguments = (ins BoolKind:$condition, StrAttr:$message);
  let assemblyFormat = "$condition `,` $message attr-dict";
}
def SymbolicIntOp : TorchOp<"symbolic_int"> {
  let summary = "an unknown size and its bounds";
  let arguments = (ins StrAttr:$symbol_name, I64Attr:$min_val, I64Attr:$max_val);
  let results = (outs IntKind:$result);
  let assemblyFormat = [{
    $symbol_name ` ` `{` `min_val` `=` $min_val `,` `max_val` `=` $max_val `}` attr-dict `:` qualified(type($result))
  }];
}
def BindSymbolicShapeOp : TorchOp<"bind_symbolic_shape"> {
  let summary = "the sizes of a tensor as expressions of symbolic sizes";
  let arguments = (ins TensorKind:$operand, Variadic<IntKind>:$shape_symbols, AffineMapAttr:$shape_expressions);
  let assemblyFormat = "$operand `,` `[` $shape_symbols `]` `,` custom<AffineMap>($shape_expressions) attr-dict `:` type($operand)";
  let hasVerifier = 1;
}
class CalculateOp<string what> : TorchOp<what # ".calculate", [SingleBlock, NoRegionArguments]> {
  let summary = "values, and a computation of their " # what # "s that refinement folds away";
  let regions = (region SizedRegion<1>:$body, SizedRegion<1>:$calculation);
  let results = (outs Variadic<AnyKind>:$results);
  let assemblyFormat = "$body `" # what # "s` $calculation attr-dict `:` type($results)";
}
class CalculateYieldOp<string mnemonic, string parent> : TorchOp<mnemonic, [Terminator, Pure, ReturnLike, HasParent<parent>]> {
  let arguments = (ins Variadic<AnyKind>:$results);
  let assemblyFormat = "attr-dict ($results^ `:` type($results))?";
}
def ShapeCalculateOp : CalculateOp<"shape">;
def ShapeCalculateYieldOp : CalculateYieldOp<"shape.calculate.yield", "ShapeCalculateOp">;
def ShapeCalculateYieldShapesOp : CalculateYieldOp<"shape.calculate.yield.shapes", "ShapeCalculateOp">;
def DtypeCalculateOp : CalculateOp<"dtype">;
def DtypeCalculateYieldOp : CalculateYieldOp<"dtype.calculate.yield", "DtypeCalculateOp">;
def DtypeCalculateYieldDtypesOp : CalculateYieldOp<"dtype.calculate.yield.dtypes", "DtypeCalculateOp">;

def PromoteDtypesOp : TorchOp<"promote_dtypes", [Pure]> {
  let arguments = (ins OptionalIntListKind:$ranks, IntListKind:$dtypes);
  let results = (outs IntKind:$result);
  let assemblyFormat = "$ranks `,` $dtypes attr-dict `:` functional-type(operands, results)";
}

//===-- Quantised ------------------------------------------------------------------------------------------------------------------===//

def LinearParamsCreateOp : TorchOp<"linear_params.create"> {
  let arguments = (ins TensorKind:$weight, Optional<TensorKind>:$bias);
  let results = (outs LinearParamsKind:$result);
  let assemblyFormat = "$weight (`,` $bias^)? attr-dict `:` type($weight) (`,` type($bias)^)?";
}
def PerTensorAffineCreateOp : TorchOp<"per_tensor_affine.create"> {
  let arguments = (ins TensorKind:$int_repr, FloatKind:$scale, IntKind:$offset);
  let results = (outs TensorKind:$result);
  let assemblyFormat = [{
    $int_repr `,` $scale `,` $offset attr-dict `:` type($int_repr) `,` qualified(type($scale)) `,` qualified(type($offset)) `->` type($result)
  }];
}
def HigherOrderFlexAttentionOp : TorchOp<"hop_flex_attention", [DeclareOpInterfaceMethods<OpAsmOpInterface, ["getAsmResultNames"]>]> {
  let arguments = (ins TensorKind:$query, TensorKind:$key, TensorKind:$value, OptionalFloatKind:$scale, BoolKind:$return_lse,
                       BoolKind:$return_max_scores, OptionalAttr<FlatSymbolRefAttr>:$score_mod_fn, OptionalAttr<FlatSymbolRefAttr>:$mask_mod_fn);
  let results = (outs TensorKind:$output, OptionalTensorKind:$logsumexp, OptionalTensorKind:$max_scores);
  let assemblyFormat = "operands attr-dict `:` qualified(type(operands)) `->` qualified(type(results))";
}

//===-- Any other operator ----------------------------------------------------------------------------------------------------------===//

def OperatorOp : TorchOp<"operator"> {
  let summary = "an operator that is not registered";
  let description = [{
    Read without regions under a name that the op table holds as SCONCE_OP_AS_OPERATOR, and with operands that fit, it becomes that operator.
  }];
  let arguments = (ins StrAttr:$name, Variadic<AnyKind>:$args);
  let results = (outs Variadic<AnyKind>:$results);
  let regions = (region VariadicRegion<AnyRegion>:$regions);
  let hasCustomAssemblyFormat = 1;
}
def OperatorTerminatorOp : TorchOp<"operator_terminator", [Terminator, Pure, ReturnLike, HasParent<"OperatorOp">]> {
  let arguments = (ins Variadic<AnyKind>:$args);
  let assemblyFormat = "$args attr-dict `:` type($args)";
}

#endif // SCONCE_TORCH_OPS
