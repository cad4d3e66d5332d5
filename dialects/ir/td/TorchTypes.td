// The torch dialect and its types, spelled as torch-mlir spells them; the last section holds what TorchScript needs and torch-mlir lacks.
#ifndef SCONCE_TORCH_TYPES
#define SCONCE_TORCH_TYPES

include "mlir/IR/AttrTypeBase.td"
include "mlir/IR/OpBase.td"

def Torch_Dialect : Dialect {
  let name = "torch";
  let summary = "TorchScript programs";
  let description = [{
    Types and structural operations are defined here; operators come from the op table (`dialects/td/ops`), see TableOp.cpp.
  }];
  let cppNamespace = "::sconce::torch";
  let hasConstantMaterializer = 1;
  let useDefaultTypePrinterParser = 0;
  let extraClassDeclaration = [{
    ::mlir::Type parseType(::mlir::DialectAsmParser &parser) const override;
    void printType(::mlir::Type type, ::mlir::DialectAsmPrinter &printer) const override;
    /// Adds one operator of the table; see TableOp.cpp.
    void addTableOp(const OpEntry &entry);
    void registerTypes();
  }];
}

class TorchType<string cppName, string keyword, string what> : TypeDef<Torch_Dialect, cppName, []> {
  let mnemonic = keyword;
  let summary = what;
}
// A type with parameters: its text is written by hand because inner types go without the `!torch.` prefix.
class TorchParamType<string cppName, string keyword, string what> : TorchType<cppName, keyword, what> {
  let hasCustomAssemblyFormat = 1;
}

//===-- Tensors ------------------------------------------------------------------------------------------------------------------===//

class TensorTypeBase<string cppName, string keyword, string what> : TorchParamType<cppName, keyword, what> {
  let description = [{
    Absent sizes: unknown rank. A size of kUnknownSize is `?`. A null dtype is unknown.
  }];
  let parameters = (ins
    "bool":$hasSizes,
    ArrayRefParameter<"int64_t", "known and unknown sizes">:$sizes,
    "::mlir::Type":$dtype,
    "::mlir::Attribute":$encoding
  );
  let genVerifyDecl = 1;
  let skipDefaultBuilders = 1;
  let builders = [TypeBuilder<(ins "std::optional<::llvm::ArrayRef<int64_t>>":$sizes, CArg<"::mlir::Type", "{}">:$dtype,
                                   CArg<"::mlir::Attribute", "{}">:$encoding), [{
    return $_get($_ctxt, sizes.has_value(), sizes.value_or(::llvm::ArrayRef<int64_t>()), dtype, encoding);
  }]>];
  let extraClassDeclaration = [{
    std::optional<::llvm::ArrayRef<int64_t>> getOptionalSizes() const {
      return getHasSizes() ? std::optional<::llvm::ArrayRef<int64_t>>(getSizes()) : std::nullopt;
    }
  }];
}
def Torch_ValueTensorType : TensorTypeBase<"ValueTensor", "vtensor", "tensor that nothing can write to">;
def Torch_NonValueTensorType : TensorTypeBase<"NonValueTensor", "tensor", "tensor that may be written to and share storage">;

//===-- Scalars and opaque things -------------------------------------------------------------------------------------------------===//

def Torch_IntType : TorchType<"Int", "int", "Python int of 64 bits">;
def Torch_FloatType : TorchType<"Float", "float", "Python float">;
def Torch_NumberType : TorchType<"Number", "number", "int, float or (ours) complex: `Scalar` in schemas">;
def Torch_BoolType : TorchType<"Bool", "bool", "Python bool">;
def Torch_StringType : TorchType<"String", "str", "Python str">;
def Torch_NoneType : TorchType<"None", "none", "None">;
def Torch_AnyType : TorchType<"Any", "any", "any TorchScript value">;
def Torch_DeviceType : TorchType<"Device", "Device", "torch.device">;
def Torch_GeneratorType : TorchType<"Generator", "Generator", "torch.Generator">;
def Torch_LinearParamsType : TorchType<"LinearParams", "LinearParams", "packed weights of a quantised linear layer">;
def Torch_QInt8Type : TorchType<"QInt8", "qint8", "element type">;
def Torch_QUInt8Type : TorchType<"QUInt8", "quint8", "element type">;
def Torch_QInt16Type : TorchType<"QInt16", "qint16", "element type">;
def Torch_QInt32Type : TorchType<"QInt32", "qint32", "element type">;

//===-- Containers ---------------------------------------------------------------------------------------------------------------===//

class TorchContainerType<string cppName, string keyword, string what> : TorchParamType<cppName, keyword, what> {
  let parameters = (ins "::mlir::Type":$containedType);
}
class TorchSequenceType<string cppName, string keyword, string what> : TorchParamType<cppName, keyword, what> {
  let parameters = (ins ArrayRefParameter<"::mlir::Type", "contained types">:$containedTypes);
}
class TorchNamedType<string cppName, string keyword, string what> : TorchParamType<cppName, keyword, what> {
  let parameters = (ins StringRefParameter<"qualified name">:$name);
}
def Torch_ListType : TorchContainerType<"List", "list", "list of one type">;
def Torch_OptionalType : TorchContainerType<"Optional", "optional", "a value or None">;
def Torch_DictType : TorchParamType<"Dict", "dict", "dict of one key and one value type"> {
  let parameters = (ins "::mlir::Type":$keyType, "::mlir::Type":$valueType);
}
def Torch_TupleType : TorchSequenceType<"Tuple", "tuple", "tuple">;
def Torch_UnionType : TorchSequenceType<"Union", "union", "one of several types; neither flattened nor sorted">;
def Torch_NnModuleType : TorchNamedType<"NnModule", "nn.Module", "object of a class: module, script class or interface">;

//===-- Not in torch-mlir -----------------------------------------------------------------------------------------------------------===//

def Torch_ComplexType : TorchType<"Complex", "complex", "Python complex">;
def Torch_StreamType : TorchType<"Stream", "stream", "torch.Stream">;
def Torch_StorageType : TorchType<"Storage", "storage", "torch.Storage">;
def Torch_QSchemeType : TorchType<"QScheme", "qscheme", "torch.qscheme">;
def Torch_LayoutType : TorchType<"Layout", "layout", "torch.layout; `int` where PyTorch prints so">;
def Torch_MemoryFormatType : TorchType<"MemoryFormat", "memory_format", "torch.memory_format">;
def Torch_ScalarTypeType : TorchType<"ScalarType", "scalar_type", "torch.dtype">;
def Torch_SymIntType : TorchType<"SymInt", "sym_int", "symbolic int">;
def Torch_SymFloatType : TorchType<"SymFloat", "sym_float", "symbolic float">;
def Torch_SymBoolType : TorchType<"SymBool", "sym_bool", "symbolic bool">;
def Torch_CapsuleType : TorchType<"Capsule", "capsule", "opaque C++ value">;
def Torch_PyObjectType : TorchType<"PyObject", "py_object", "opaque Python value">;
def Torch_FunctionType : TorchType<"Function", "function", "a function as a value">;
def Torch_AnyListType : TorchType<"AnyList", "any_list", "list of unknown element type">;
def Torch_AnyTupleType : TorchType<"AnyTuple", "any_tuple", "tuple of unknown element types">;
def Torch_AnyClassType : TorchType<"AnyClass", "any_class", "object of unknown class">;
def Torch_AnyEnumType : TorchType<"AnyEnum", "any_enum", "member of an unknown enum">;
def Torch_FutureType : TorchContainerType<"Future", "future", "torch.jit.Future">;
def Torch_AwaitType : TorchContainerType<"Await", "await", "torch.jit Await">;
def Torch_RRefType : TorchContainerType<"RRef", "rref", "remote reference">;
def Torch_EnumType : TorchNamedType<"Enum", "enum", "member of a named enum">;
def Torch_VarType : TorchNamedType<"Var", "var", "type variable of a schema">;
def Torch_NamedTupleType : TorchParamType<"NamedTuple", "named_tuple", "tuple with a name and named fields"> {
  let description = [{ `!torch.named_tuple<"__torch__.P", "x": int, "y": list<tensor>>` }];
  let parameters = (ins
    StringRefParameter<"qualified name, may be empty">:$name,
    ArrayRefParameter<"::mlir::StringAttr", "field names">:$fieldNames,
    ArrayRefParameter<"::mlir::Type", "field types, as many">:$fieldTypes
  );
}

#endif // SCONCE_TORCH_TYPES
