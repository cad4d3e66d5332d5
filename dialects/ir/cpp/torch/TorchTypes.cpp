// Text, verification and subtyping of the torch dialect's types.
#include "Torch.h"
#include "sconce/torch.h"

#include "mlir/CAPI/IR.h"
#include "mlir/CAPI/Support.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/DialectImplementation.h"
#include "mlir/IR/TensorEncoding.h"
#include "llvm/ADT/ScopeExit.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace sconce::torch;

// Named one by one where a bare name would be ambiguous with builtin types.
#define GET_TYPEDEF_CLASSES
#include "TorchTypes.cpp.inc"

//===-- Text ----------------------------------------------------------------------------------------------------------------------===//

// Types nest without bound in hostile text, and reading them recurses. The deepest type in any real program is far below this.
static constexpr unsigned kMaxTypeDepth = 64;
static thread_local unsigned typeDepth = 0;

Type sconce::torch::parseInnerType(AsmParser &parser) {
  llvm::scope_exit leave([] { --typeDepth; });
  if (++typeDepth > kMaxTypeDepth) {
    parser.emitError(parser.getCurrentLocation(), "type is nested more than ") << kMaxTypeDepth << " deep";
    return {};
  }
  SMLoc loc = parser.getCurrentLocation();
  StringRef mnemonic;
  Type type;
  auto result = generatedTypeParser(parser, &mnemonic, type);
  if (result.has_value())
    return succeeded(*result) ? type : Type();
  parser.emitError(loc, "unknown type `") << mnemonic << "` in dialect `torch`";
  return {};
}

void sconce::torch::printInnerType(AsmPrinter &printer, Type type) {
  if (failed(generatedTypePrinter(type, printer)))
    printer.printType(type); // Not ours: only a tensor's element type can be, and that is printed elsewhere.
}

Type TorchDialect::parseType(DialectAsmParser &parser) const { return parseInnerType(parser); }
void TorchDialect::printType(Type type, DialectAsmPrinter &printer) const { printInnerType(printer, type); }

void TorchDialect::registerTypes() {
  addTypes<
#define GET_TYPEDEF_LIST
#include "TorchTypes.cpp.inc"
      >();
}

template <typename T> static Type parseContainer(AsmParser &parser) {
  Type inner;
  if (parser.parseLess() || !(inner = parseInnerType(parser)) || parser.parseGreater())
    return {};
  return T::get(parser.getContext(), inner);
}
template <typename T> static void printContainer(AsmPrinter &printer, T type) {
  printer << "<";
  printInnerType(printer, type.getContainedType());
  printer << ">";
}

template <typename T> static Type parseSequence(AsmParser &parser) {
  SmallVector<Type> inner;
  if (parser.parseLess())
    return {};
  if (failed(parser.parseOptionalGreater())) {
    do {
      inner.push_back(parseInnerType(parser));
      if (!inner.back())
        return {};
    } while (succeeded(parser.parseOptionalComma()));
    if (parser.parseGreater())
      return {};
  }
  return T::get(parser.getContext(), inner);
}
template <typename T> static void printSequence(AsmPrinter &printer, T type) {
  printer << "<";
  llvm::interleaveComma(type.getContainedTypes(), printer, [&](Type t) { printInnerType(printer, t); });
  printer << ">";
}

template <typename T> static Type parseNamed(AsmParser &parser) {
  std::string name;
  if (parser.parseLess() || parser.parseString(&name) || parser.parseGreater())
    return {};
  return T::get(parser.getContext(), name);
}
template <typename T> static void printNamed(AsmPrinter &printer, T type) {
  printer << "<";
  printer.printString(type.getName());
  printer << ">";
}

#define SCONCE_TYPE_TEXT(TYPE, FORM)                                                                                                 \
  Type TYPE::parse(AsmParser &parser) { return parse##FORM<TYPE>(parser); }                                                          \
  void TYPE::print(AsmPrinter &printer) const { print##FORM(printer, *this); }
SCONCE_TYPE_TEXT(ListType, Container)
SCONCE_TYPE_TEXT(OptionalType, Container)
SCONCE_TYPE_TEXT(FutureType, Container)
SCONCE_TYPE_TEXT(AwaitType, Container)
SCONCE_TYPE_TEXT(RRefType, Container)
SCONCE_TYPE_TEXT(sconce::torch::TupleType, Sequence)
SCONCE_TYPE_TEXT(UnionType, Sequence)
SCONCE_TYPE_TEXT(NnModuleType, Named)
SCONCE_TYPE_TEXT(EnumType, Named)
SCONCE_TYPE_TEXT(VarType, Named)
#undef SCONCE_TYPE_TEXT

Type DictType::parse(AsmParser &parser) {
  Type key, value;
  if (parser.parseLess() || !(key = parseInnerType(parser)) || parser.parseComma() || !(value = parseInnerType(parser)) ||
      parser.parseGreater())
    return {};
  return get(parser.getContext(), key, value);
}
void DictType::print(AsmPrinter &printer) const {
  printer << "<";
  printInnerType(printer, getKeyType());
  printer << ", ";
  printInnerType(printer, getValueType());
  printer << ">";
}

Type NamedTupleType::parse(AsmParser &parser) {
  std::string name;
  SmallVector<StringAttr> fields;
  SmallVector<Type> types;
  if (parser.parseLess() || parser.parseString(&name))
    return {};
  while (succeeded(parser.parseOptionalComma())) {
    std::string field;
    if (parser.parseString(&field) || parser.parseColon())
      return {};
    fields.push_back(StringAttr::get(parser.getContext(), field));
    types.push_back(parseInnerType(parser));
    if (!types.back())
      return {};
  }
  if (parser.parseGreater())
    return {};
  return get(parser.getContext(), name, fields, types);
}
void NamedTupleType::print(AsmPrinter &printer) const {
  printer << "<";
  printer.printString(getName());
  for (auto [field, type] : llvm::zip_equal(getFieldNames(), getFieldTypes())) {
    printer << ", ";
    printer.printString(field.getValue());
    printer << ": ";
    printInnerType(printer, type);
  }
  printer << ">";
}

//===-- Tensors --------------------------------------------------------------------------------------------------------------------===//

template <typename T> static Type parseTensor(AsmParser &parser) {
  SMLoc loc = parser.getCurrentLocation();
  auto checked = [&](std::optional<ArrayRef<int64_t>> sizes, Type dtype, Attribute encoding) {
    return T::getChecked([&] { return parser.emitError(loc); }, parser.getContext(), sizes.has_value(),
                         sizes.value_or(ArrayRef<int64_t>()), dtype, encoding);
  };
  if (failed(parser.parseOptionalLess()))
    return checked(std::nullopt, {}, {});
  std::optional<SmallVector<int64_t>> sizes;
  if (failed(parser.parseOptionalStar())) {
    sizes.emplace();
    auto size = [&]() -> ParseResult {
      if (succeeded(parser.parseOptionalQuestion())) {
        sizes->push_back(kUnknownSize);
        return success();
      }
      SMLoc at = parser.getCurrentLocation();
      if (parser.parseInteger(sizes->emplace_back()))
        return failure();
      if (sizes->back() < kUnknownSize)
        return parser.emitError(at, "invalid size ") << sizes->back() << " for !torch.tensor type";
      return success();
    };
    if (parser.parseCommaSeparatedList(AsmParser::Delimiter::Square, size))
      return {};
  }
  Type dtype;
  Attribute encoding;
  if (parser.parseComma())
    return {};
  if (failed(parser.parseOptionalKeyword("unk")) && parser.parseType(dtype))
    return {};
  if (succeeded(parser.parseOptionalComma()) && parser.parseAttribute(encoding))
    return {};
  if (parser.parseGreater())
    return {};
  return checked(sizes ? std::optional<ArrayRef<int64_t>>(*sizes) : std::nullopt, dtype, encoding);
}

template <typename T> static void printTensor(AsmPrinter &printer, T type) {
  if (!type.getHasSizes() && !type.getDtype() && !type.getEncoding())
    return;
  printer << "<";
  if (type.getHasSizes()) {
    printer << "[";
    llvm::interleave(
        type.getSizes(), printer,
        [&](int64_t size) {
          if (size == kUnknownSize)
            printer << "?";
          else
            printer << size;
        },
        ",");
    printer << "]";
  } else {
    printer << "*";
  }
  printer << ",";
  if (type.getDtype())
    printer.printType(type.getDtype());
  else
    printer << "unk";
  if (type.getEncoding()) {
    printer << ",";
    printer.printAttribute(type.getEncoding());
  }
  printer << ">";
}

static bool isElementType(Type type) {
  if (auto complex = dyn_cast<mlir::ComplexType>(type))
    return isElementType(complex.getElementType());
  if (auto integer = dyn_cast<IntegerType>(type))
    return integer.isSignless() ? integer.getWidth() == 1 : llvm::is_contained({4u, 8u, 16u, 32u, 64u}, integer.getWidth());
  return isa<Float16Type, BFloat16Type, Float32Type, Float64Type, Float8E5M2Type, Float8E4M3FNType, Float8E5M2FNUZType,
             Float8E4M3FNUZType, Float8E4M3B11FNUZType, Float8E8M0FNUType, Float4E2M1FNType, QInt8Type, QUInt8Type, QInt16Type,
             QInt32Type, StringType>(type);
}

static LogicalResult verifyTensor(function_ref<InFlightDiagnostic()> emitError, bool hasSizes, ArrayRef<int64_t> sizes, Type dtype,
                                  Attribute encoding) {
  if (dtype && !isElementType(dtype))
    return emitError() << "invalid dtype " << dtype << " for !torch.tensor type";
  for (int64_t size : sizes)
    if (size < kUnknownSize)
      return emitError() << "invalid size " << size << " for !torch.tensor type";
  if (!encoding)
    return success();
  auto verifiable = dyn_cast<VerifiableTensorEncoding>(encoding);
  if (!verifiable)
    return emitError() << "invalid sparsity encoding attribute";
  if (!hasSizes)
    return success();
  SmallVector<int64_t> shape(sizes);
  for (int64_t &size : shape)
    if (size == kUnknownSize)
      size = ShapedType::kDynamic;
  return verifiable.verifyEncoding(shape, dtype, emitError);
}

#define SCONCE_TENSOR(TYPE)                                                                                                          \
  Type TYPE::parse(AsmParser &parser) { return parseTensor<TYPE>(parser); }                                                          \
  void TYPE::print(AsmPrinter &printer) const { printTensor(printer, *this); }                                                       \
  LogicalResult TYPE::verify(function_ref<InFlightDiagnostic()> emitError, bool hasSizes, ArrayRef<int64_t> sizes, Type dtype,       \
                             Attribute encoding) {                                                                                   \
    return verifyTensor(emitError, hasSizes, sizes, dtype, encoding);                                                                \
  }
SCONCE_TENSOR(ValueTensorType)
SCONCE_TENSOR(NonValueTensorType)
#undef SCONCE_TENSOR

//===-- Relations -----------------------------------------------------------------------------------------------------------------===//

bool sconce::torch::isTensor(Type type) { return isa<ValueTensorType, NonValueTensorType>(type); }

bool sconce::torch::isKernelType(Type type) {
  return isa<TorchDialect>(type.getDialect()) && !isa<QInt8Type, QUInt8Type, QInt16Type, QInt32Type>(type);
}

bool sconce::torch::isMutable(Type type) {
  return TypeSwitch<Type, bool>(type)
      .Case<ValueTensorType, IntType, FloatType, NumberType, BoolType, StringType, sconce::torch::NoneType, DeviceType,
            sconce::torch::ComplexType, QSchemeType, LayoutType, MemoryFormatType, ScalarTypeType, SymIntType, SymFloatType,
            SymBoolType, EnumType, AnyEnumType, sconce::torch::FunctionType, LinearParamsType>([](Type) { return false; })
      .Case<OptionalType>([](auto t) { return isMutable(t.getContainedType()); })
      .Case<sconce::torch::TupleType, UnionType>([](auto t) { return llvm::any_of(t.getContainedTypes(), isMutable); })
      .Case<NamedTupleType>([](auto t) { return llvm::any_of(t.getFieldTypes(), isMutable); })
      .Default([](Type) { return true; });
}

template <typename T> static bool isTensorSubtype(T sub, T super) {
  auto within = [](int64_t a, int64_t b) { return a == b || b == kUnknownSize; };
  if (super.getHasSizes() && (!sub.getHasSizes() || !llvm::equal(sub.getSizes(), super.getSizes(), within)))
    return false;
  return (!super.getDtype() || sub.getDtype() == super.getDtype()) && (!super.getEncoding() || sub.getEncoding() == super.getEncoding());
}

bool sconce::torch::isSubtype(Type sub, Type super) {
  if (sub == super || isa<AnyType>(super))
    return true;
  if (auto u = dyn_cast<UnionType>(sub))
    return llvm::all_of(u.getContainedTypes(), [&](Type t) { return isSubtype(t, super); });
  if (auto o = dyn_cast<OptionalType>(sub))
    return isSubtype(sconce::torch::NoneType::get(sub.getContext()), super) && isSubtype(o.getContainedType(), super);
  if (isa<NumberType>(super))
    return isa<IntType, FloatType, sconce::torch::ComplexType>(sub);
  if (auto o = dyn_cast<OptionalType>(super))
    return isa<sconce::torch::NoneType>(sub) || isSubtype(sub, o.getContainedType());
  if (auto u = dyn_cast<UnionType>(super))
    return llvm::any_of(u.getContainedTypes(), [&](Type t) { return isSubtype(sub, t); });
  if (auto a = dyn_cast<sconce::torch::TupleType>(sub))
    if (auto b = dyn_cast<sconce::torch::TupleType>(super))
      return a.getContainedTypes().size() == b.getContainedTypes().size() &&
             llvm::all_of(llvm::zip(a.getContainedTypes(), b.getContainedTypes()),
                          [](auto pair) { return isSubtype(std::get<0>(pair), std::get<1>(pair)); });
  // Where a tuple goes, one with names goes; with other names it does not.
  if (auto a = dyn_cast<NamedTupleType>(sub)) {
    auto all = [&](ArrayRef<Type> types) {
      return a.getFieldTypes().size() == types.size() &&
             llvm::all_of(llvm::zip(a.getFieldTypes(), types),
                          [](auto pair) { return isSubtype(std::get<0>(pair), std::get<1>(pair)); });
    };
    if (auto b = dyn_cast<sconce::torch::TupleType>(super))
      return all(b.getContainedTypes());
    if (auto b = dyn_cast<NamedTupleType>(super))
      return a.getFieldNames() == b.getFieldNames() && all(b.getFieldTypes());
  }
  if (auto a = dyn_cast<ValueTensorType>(sub))
    if (auto b = dyn_cast<ValueTensorType>(super))
      return isTensorSubtype(a, b);
  if (auto a = dyn_cast<NonValueTensorType>(sub))
    if (auto b = dyn_cast<NonValueTensorType>(super))
      return isTensorSubtype(a, b);
  if (isa<AnyListType>(super))
    return isa<ListType>(sub);
  if (isa<AnyTupleType>(super))
    return isa<sconce::torch::TupleType, NamedTupleType>(sub);
  if (isa<AnyClassType>(super))
    return isa<NnModuleType>(sub);
  if (isa<AnyEnumType>(super))
    return isa<EnumType>(sub);
  return false;
}

Type sconce::torch::toValueTensor(Type type) {
  auto t = dyn_cast<NonValueTensorType>(type);
  return t ? ValueTensorType::get(t.getContext(), t.getOptionalSizes(), t.getDtype(), t.getEncoding()) : type;
}
Type sconce::torch::toNonValueTensor(Type type) {
  auto t = dyn_cast<ValueTensorType>(type);
  return t ? NonValueTensorType::get(t.getContext(), t.getOptionalSizes(), t.getDtype(), t.getEncoding()) : type;
}

Type sconce::torch::literalType(ElementsAttr value) {
  ShapedType shaped = value.getShapedType();
  Type element = shaped.getElementType();
  if (auto integer = dyn_cast<IntegerType>(element); integer && integer.isSignless() && integer.getWidth() != 1)
    element = IntegerType::get(value.getContext(), integer.getWidth(), IntegerType::Signed);
  if (!isElementType(element) || !shaped.hasStaticShape())
    return {};
  return ValueTensorType::get(value.getContext(), std::optional<ArrayRef<int64_t>>(shaped.getShape()), element);
}

//===-- Taken apart and put together ----------------------------------------------------------------------------------------------===//

static SmallVector<Type> heldTypes(Type type) {
  SmallVector<Type> types;
  type.walkImmediateSubElements([](Attribute) {}, [&](Type held) { types.push_back(held); });
  return types;
}

static SmallVector<StringRef> namesIn(Type type) {
  return TypeSwitch<Type, SmallVector<StringRef>>(type)
      .Case<NnModuleType, EnumType, VarType>([](auto t) { return SmallVector<StringRef>{t.getName()}; })
      .Case<NamedTupleType>([](auto t) {
        SmallVector<StringRef> names{t.getName()};
        for (StringAttr field : t.getFieldNames())
          names.push_back(field.getValue());
        return names;
      })
      .Default([](Type) { return SmallVector<StringRef>(); });
}

bool sconceTypeParts(MlirType raw, SconceTypeParts *parts) {
  Type type = unwrap(raw);
  if (!isa<TorchDialect>(type.getDialect()))
    return false;
  *parts = {};
  StringRef name = type.getAbstractType().getName();
  parts->word = wrap(name.drop_front(TorchDialect::getDialectNamespace().size() + 1));
  parts->numTypes = heldTypes(type).size();
  parts->numNames = namesIn(type).size();
  TypeSwitch<Type>(type).Case<ValueTensorType, NonValueTensorType>([&](auto t) {
    parts->hasSizes = t.getHasSizes();
    parts->sizes = t.getSizes().data();
    parts->numSizes = t.getSizes().size();
    parts->hasEncoding = !!t.getEncoding();
  });
  return true;
}
void sconceTypeHolds(MlirType type, MlirType *types) {
  for (Type held : heldTypes(unwrap(type)))
    *types++ = wrap(held);
}
void sconceTypeNames(MlirType type, MlirStringRef *names) {
  for (StringRef name : namesIn(unwrap(type)))
    *names++ = wrap(name);
}

namespace {
/// What a type is put together from.
struct Wanted {
  MLIRContext *context;
  StringRef word;
  SmallVector<Type> types;
  SmallVector<StringRef> names;
  std::optional<ArrayRef<int64_t>> sizes;

  bool holds(size_t numTypes, size_t numNames) const { return types.size() == numTypes && names.size() == numNames; }
};

template <typename T> Type getTensor(const Wanted &w) {
  if (w.types.size() > 1 || !w.names.empty())
    return {};
  // A wrong dtype or size is an answer here, no message.
  ScopedDiagnosticHandler quiet(w.context, [](Diagnostic &) { return success(); });
  return T::getChecked(mlir::detail::getDefaultDiagnosticEmitFn(w.context), w.context, w.sizes.has_value(), w.sizes.value_or(ArrayRef<int64_t>()),
                       w.types.empty() ? Type() : w.types.front(), Attribute());
}
template <typename T> Type getContainer(const Wanted &w) { return w.holds(1, 0) ? T::get(w.context, w.types[0]) : Type(); }
template <typename T> Type getSequence(const Wanted &w) { return w.names.empty() ? T::get(w.context, w.types) : Type(); }
template <typename T> Type getNamed(const Wanted &w) { return w.holds(0, 1) ? T::get(w.context, w.names[0]) : Type(); }

Type getNamedTuple(const Wanted &w) {
  if (w.names.size() != w.types.size() + 1)
    return {};
  SmallVector<StringAttr> fields;
  for (StringRef name : ArrayRef(w.names).drop_front())
    fields.push_back(StringAttr::get(w.context, name));
  return NamedTupleType::get(w.context, w.names[0], fields, w.types);
}

/// A type that is its word alone, whichever of `T` that is.
template <typename... T> Type getWord(const Wanted &w) {
  Type type;
  auto look = [&](auto *none) {
    using Candidate = std::remove_pointer_t<decltype(none)>;
    if constexpr (std::is_same_v<typename Candidate::ImplType, TypeStorage>)
      if (w.word == Candidate::getMnemonic())
        type = Candidate::get(w.context);
  };
  (look(static_cast<T *>(nullptr)), ...);
  return w.holds(0, 0) ? type : Type();
}

Type get(const Wanted &w) {
  using Get = Type (*)(const Wanted &);
  return llvm::StringSwitch<Get>(w.word)
      .Case(ValueTensorType::getMnemonic(), getTensor<ValueTensorType>)
      .Case(NonValueTensorType::getMnemonic(), getTensor<NonValueTensorType>)
      .Case(ListType::getMnemonic(), getContainer<ListType>)
      .Case(OptionalType::getMnemonic(), getContainer<OptionalType>)
      .Case(FutureType::getMnemonic(), getContainer<FutureType>)
      .Case(AwaitType::getMnemonic(), getContainer<AwaitType>)
      .Case(RRefType::getMnemonic(), getContainer<RRefType>)
      .Case(sconce::torch::TupleType::getMnemonic(), getSequence<sconce::torch::TupleType>)
      .Case(UnionType::getMnemonic(), getSequence<UnionType>)
      .Case(NnModuleType::getMnemonic(), getNamed<NnModuleType>)
      .Case(EnumType::getMnemonic(), getNamed<EnumType>)
      .Case(VarType::getMnemonic(), getNamed<VarType>)
      .Case(DictType::getMnemonic(), [](const Wanted &w) -> Type {
        return w.holds(2, 0) ? DictType::get(w.context, w.types[0], w.types[1]) : Type();
      })
      .Case(NamedTupleType::getMnemonic(), getNamedTuple)
      .Default(getWord<
#define GET_TYPEDEF_LIST
#include "TorchTypes.cpp.inc"
          >)(w);
}
} // namespace

MlirType sconceTypeGet(MlirContext context, const SconceTypeParts *parts, const MlirType *types, const MlirStringRef *names) {
  Wanted wanted{unwrap(context), unwrap(parts->word), {}, {}, std::nullopt};
  // Text loads a dialect when it names one; so does this.
  if (!wanted.context->getOrLoadDialect<TorchDialect>())
    return wrap(Type());
  for (size_t i = 0; i < parts->numTypes; ++i)
    wanted.types.push_back(unwrap(types[i]));
  for (size_t i = 0; i < parts->numNames; ++i)
    wanted.names.push_back(unwrap(names[i]));
  if (parts->hasSizes)
    wanted.sizes = ArrayRef(parts->sizes, parts->numSizes);
  return wrap(get(wanted));
}

//===-- Relations, for Rust -------------------------------------------------------------------------------------------------------===//

bool sconceIsSubtype(MlirType sub, MlirType super) { return isSubtype(unwrap(sub), unwrap(super)); }
bool sconceIsMutable(MlirType type) { return isMutable(unwrap(type)); }
