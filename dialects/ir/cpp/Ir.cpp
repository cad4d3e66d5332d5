// Registration of everything, text, attributes and IR surgery that MLIR's C API lacks.
#include "sconce/ir.h"
#include "sconce/torch.h"

#include "mlir/Analysis/TopologicalSortUtils.h"
#include "mlir/CAPI/IR.h"
#include "mlir/CAPI/Support.h"
#include "mlir/CAPI/Utils.h"
#include "mlir/Conversion/ArithCommon/AttrToLLVMConverter.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/AsmState.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/DialectResourceBlobManager.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/Matchers.h"
#include "mlir/InitAllDialects.h"
#include "mlir/InitAllExtensions.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "mlir/Parser/Parser.h"
#include "mlir/Target/LLVMIR/Dialect/All.h"

using namespace mlir;

void sconceRegisterEverything(MlirDialectRegistry registry) {
  DialectRegistry &r = *unwrap(registry);
  registerAllDialects(r);
  registerAllExtensions(r);
  registerAllToLLVMIRTranslations(r);
  registerAllFromLLVMIRTranslations(r);
  sconceRegisterDialects(registry);
}

// With 2 MiB of stack, the least that threads have here, MLIR's parser stands 400 levels of anything, and not 1000.
static constexpr size_t maxNesting = 256;

intptr_t sconceTooDeep(MlirStringRef raw) {
  StringRef text = unwrap(raw);
  if (text.starts_with("ML\xefR"))
    return -1;
  // Unclosed brackets; bad text may hold any. `<` may be no bracket, so `)` also closes those inside its pair.
  SmallVector<char> open;
  size_t signs = 0;
  auto close = [&](char opening) {
    size_t depth = open.size();
    while (depth > 0 && open[depth - 1] != opening && (opening == '{' || open[depth - 1] == '<'))
      --depth;
    if (depth > 0 && open[depth - 1] == opening)
      open.truncate(depth - 1);
  };
  for (size_t i = 0; i < text.size(); ++i) {
    char c = text[i];
    if (c == '-' && !text.substr(i + 1).starts_with(">")) {
      if (++signs > maxNesting)
        return i;
      continue;
    }
    if (!isspace(static_cast<unsigned char>(c)))
      signs = 0;
    switch (c) {
    case '"':
      for (++i; i < text.size() && text[i] != '"' && text[i] != '\n'; ++i)
        if (text[i] == '\\')
          ++i;
      break;
    case '/':
      if (text.substr(i).starts_with("//")) {
        // Parts of a split file are read one by one.
        if (text.substr(i).starts_with("// -----"))
          open.clear();
        i = std::min(text.find('\n', i), text.size());
      }
      break;
    case '(':
    case '[':
    case '{':
    case '<':
      open.push_back(c);
      if (open.size() > maxNesting)
        return i;
      break;
    case ')':
      close('(');
      break;
    case ']':
      close('[');
      break;
    case '}':
      close('{');
      break;
    case '>':
      if (i > 0 && text[i - 1] != '-' && !open.empty() && open.back() == '<')
        open.pop_back();
      break;
    default:
      break;
    }
  }
  return -1;
}

MlirModule sconceCreateModuleFromText(MlirContext context, MlirStringRef text, MlirStringRef name, bool verify) {
  if (intptr_t offset = sconceTooDeep(text); offset >= 0) {
    StringRef before = unwrap(text).take_front(offset);
    size_t line = before.count('\n') + 1;
    size_t column = before.size() - (before.rfind('\n') == StringRef::npos ? 0 : before.rfind('\n') + 1) + 1;
    emitError(FileLineColLoc::get(unwrap(context), unwrap(name), line, column)) << "nested too deeply";
    return {nullptr};
  }
  ParserConfig config(unwrap(context), verify);
  OwningOpRef<ModuleOp> module = parseSourceString<ModuleOp>(unwrap(text), config, unwrap(name));
  return wrap(module.release());
}

void sconcePrintPlaced(MlirOperation raw, MlirOpPrintingFlags flags, SconceStrSink text, SconceLine line, void *user) {
  Operation *op = unwrap(raw);
  AsmState::LocationMap lines;
  AsmState state(op, *unwrap(flags), &lines);
  mlir::detail::CallbackOstream stream(text, user);
  op->print(stream, state);
  stream.flush();
  // Counted from 1 there.
  op->walk([&](Operation *inner) {
    if (auto found = lines.find(inner); found != lines.end())
      line(wrap(inner), found->second.first - 1, user);
  });
}

void sconceEmitDiagnostic(MlirLocation location, int severity, MlirStringRef message) {
  Location loc = unwrap(location);
  auto kind = severity == 1   ? DiagnosticSeverity::Warning
              : severity == 3 ? DiagnosticSeverity::Remark
                              : DiagnosticSeverity::Error;
  loc->getContext()->getDiagEngine().emit(loc, kind) << unwrap(message);
}

MlirAttribute sconceCreateDenseResource(MlirType type, MlirStringRef name, const void *data, size_t length,
                                        size_t alignment) {
  auto shaped = dyn_cast<ShapedType>(unwrap(type));
  if (!shaped || !shaped.hasStaticShape())
    return {nullptr};
  Type element = shaped.getElementType();
  if (element.isIntOrFloat()) {
    // One byte per bool, as the printer and the readers of these blobs have it.
    uint64_t width = llvm::divideCeil(element.getIntOrFloatBitWidth(), 8);
    if (uint64_t(shaped.getNumElements()) * width != length)
      return {nullptr};
  }
  AsmResourceBlob blob = HeapAsmResourceBlob::allocateAndCopyWithAlign(
      ArrayRef<char>(static_cast<const char *>(data), length), std::max<size_t>(alignment, 1));
  return wrap(DenseResourceElementsAttr::get(shaped, unwrap(name), std::move(blob)));
}

bool sconceDenseResourceData(MlirAttribute attribute, MlirStringRef *name, const void **data, size_t *length) {
  auto resource = dyn_cast<DenseResourceElementsAttr>(unwrap(attribute));
  if (!resource)
    return false;
  DenseResourceElementsHandle handle = resource.getRawHandle();
  *name = wrap(handle.getKey());
  AsmResourceBlob *blob = handle.getBlob();
  if (!blob)
    return false;
  *data = blob->getData().data();
  *length = blob->getData().size();
  return true;
}

bool sconceSymbolRefParts(MlirAttribute attribute, SconceStrSink sink, void *user) {
  auto ref = dyn_cast<SymbolRefAttr>(unwrap(attribute));
  if (!ref)
    return false;
  sink(wrap(ref.getRootReference().getValue()), user);
  for (FlatSymbolRefAttr nested : ref.getNestedReferences())
    sink(wrap(nested.getValue()), user);
  return true;
}

bool sconceIntegerValue(MlirAttribute attribute, int64_t *value, bool *isUnsigned) {
  auto integer = dyn_cast<IntegerAttr>(unwrap(attribute));
  if (!integer)
    return false;
  *isUnsigned = integer.getType().isUnsignedInteger() || integer.getType().isSignlessInteger(1);
  APInt bits = integer.getValue();
  *value = static_cast<int64_t>((*isUnsigned ? bits.zextOrTrunc(64) : bits.sextOrTrunc(64)).getZExtValue());
  return true;
}

bool sconceGpuTargetChip(MlirAttribute target, MlirStringRef *chip) {
  auto nvvm = dyn_cast<NVVM::NVVMTargetAttr>(unwrap(target));
  if (nvvm)
    *chip = wrap(nvvm.getChip());
  return bool(nvvm);
}

MlirAttribute sconceFastMath(MlirContext context, bool reassociates, bool contracts, bool numbers) {
  MLIRContext *c = unwrap(context);
  c->getOrLoadDialect<arith::ArithDialect>();
  auto flags = arith::FastMathFlags::none;
  if (reassociates)
    flags = flags | arith::FastMathFlags::reassoc;
  if (contracts)
    flags = flags | arith::FastMathFlags::contract;
  if (numbers)
    flags = flags | arith::FastMathFlags::nnan | arith::FastMathFlags::nsz;
  return wrap(arith::FastMathFlagsAttr::get(c, flags));
}

MlirAttribute sconceLlvmFastMath(MlirAttribute flags) {
  auto given = dyn_cast_or_null<arith::FastMathFlagsAttr>(unwrap(flags));
  return given ? wrap(Attribute(arith::convertArithFastMathAttrToLLVM(given))) : MlirAttribute{nullptr};
}

MlirAttribute sconceIteratorType(MlirContext context, bool reduces) {
  MLIRContext *c = unwrap(context);
  c->getOrLoadDialect<linalg::LinalgDialect>();
  return wrap(linalg::IteratorTypeAttr::get(c, reduces ? utils::IteratorType::reduction : utils::IteratorType::parallel));
}

MlirAttribute sconceVectorSum(MlirContext context) {
  MLIRContext *c = unwrap(context);
  c->getOrLoadDialect<vector::VectorDialect>();
  return wrap(vector::CombiningKindAttr::get(c, vector::CombiningKind::ADD));
}

MlirBlock sconceSplitBlockBefore(MlirOperation op) {
  Operation *o = unwrap(op);
  return wrap(o->getBlock()->splitBlock(o));
}

void sconceSpliceBlock(MlirBlock source, MlirBlock target, MlirOperation before) {
  Block *to = before.ptr ? unwrap(before)->getBlock() : unwrap(target);
  Block::iterator at = before.ptr ? unwrap(before)->getIterator() : to->end();
  to->getOperations().splice(at, unwrap(source)->getOperations());
}

MlirOperation sconceCloneWithMapping(MlirOperation op, intptr_t count, const MlirValue *from, const MlirValue *to) {
  IRMapping map;
  for (intptr_t i = 0; i < count; ++i)
    map.map(unwrap(from[i]), unwrap(to[i]));
  return wrap(unwrap(op)->clone(map));
}

bool sconceSortTopologically(MlirBlock block) { return sortTopologically(unwrap(block)); }

bool sconceIsUnused(MlirOperation op) { return unwrap(op)->use_empty(); }

bool sconceIsTriviallyDead(MlirOperation op) { return isOpTriviallyDead(unwrap(op)); }

bool sconceIsMemoryEffectFree(MlirOperation op) { return isMemoryEffectFree(unwrap(op)); }

bool sconceIsTerminator(MlirOperation op) { return unwrap(op)->hasTrait<OpTrait::IsTerminator>(); }

bool sconceIsConstantLike(MlirOperation op) { return unwrap(op)->hasTrait<OpTrait::ConstantLike>(); }

int sconceFoldOperation(MlirOperation op, MlirAttribute *attributes, MlirValue *values) {
  Operation *o = unwrap(op);
  SmallVector<Attribute> constants(o->getNumOperands());
  for (auto [i, operand] : llvm::enumerate(o->getOperands()))
    matchPattern(operand, m_Constant(&constants[i]));
  SmallVector<OpFoldResult> results;
  if (failed(o->fold(constants, results)) || results.size() != o->getNumResults())
    return 0;
  int kind = 1;
  for (auto [i, result] : llvm::enumerate(results)) {
    attributes[i] = {nullptr};
    values[i] = {nullptr};
    if (auto value = dyn_cast<Value>(result)) {
      values[i] = wrap(value);
      kind = 2;
    } else {
      attributes[i] = wrap(cast<Attribute>(result));
    }
  }
  return kind;
}
