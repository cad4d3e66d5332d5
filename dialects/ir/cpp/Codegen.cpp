// LLVM code: modules in the LLVM dialect to LLVM IR, assembly and objects.
#include "sconce/codegen.h"

#include "mlir/CAPI/IR.h"
#include "mlir/CAPI/Support.h"
#include "mlir/ExecutionEngine/OptUtils.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/Target/LLVMIR/Export.h"
#include "llvm/Bitcode/BitcodeWriter.h"
#include "llvm/IR/AssemblyAnnotationWriter.h"
#include "llvm/IR/DebugInfo.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/IntrinsicsX86.h"
#include "llvm/IR/LegacyPassManager.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/PatternMatch.h"
#include "llvm/MC/MCSubtargetInfo.h"
#include "llvm/MC/TargetRegistry.h"
#include "llvm/Passes/PassBuilder.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/FormattedStream.h"
#include "llvm/Support/SmallVectorMemoryBuffer.h"
#include "llvm/Support/TargetSelect.h"
#include "llvm/Target/TargetMachine.h"
#include "llvm/TargetParser/Host.h"
#include "llvm/TargetParser/SubtargetFeature.h"
#include "llvm/Transforms/Instrumentation/AddressSanitizer.h"
#include "llvm/Transforms/Utils/Local.h"
#include <mutex>

using namespace mlir;

namespace {

void initialiseTargets() {
  static std::once_flag once;
  std::call_once(once, [] {
    llvm::InitializeAllTargetInfos();
    llvm::InitializeAllTargets();
    llvm::InitializeAllTargetMCs();
    llvm::InitializeAllAsmPrinters();
    llvm::InitializeAllAsmParsers();
  });
}

// This machine. Asking the CPU takes a while; it does not change.
struct Host {
  std::string triple = llvm::sys::getProcessTriple();
  std::string cpu = llvm::sys::getHostCPUName().str();
  std::string features;
  Host() {
    llvm::SubtargetFeatures list;
    for (auto &[name, has] : llvm::sys::getHostCPUFeatures())
      list.AddFeature(name, has);
    features = list.getString();
  }
};

const Host &host() {
  static const Host h;
  return h;
}

llvm::CodeGenOptLevel codegenLevel(uint32_t level) {
  return level == 0   ? llvm::CodeGenOptLevel::None
         : level == 1 ? llvm::CodeGenOptLevel::Less
         : level == 2 ? llvm::CodeGenOptLevel::Default
                      : llvm::CodeGenOptLevel::Aggressive;
}

std::unique_ptr<llvm::TargetMachine> makeMachine(const SconceTarget &target, std::string &error) {
  initialiseTargets();
  llvm::Triple triple(target.triple.length ? unwrap(target.triple).str() : host().triple);
  bool isHost = !target.triple.length && !target.cpu.length;
  std::string cpu = isHost ? host().cpu : unwrap(target.cpu).str();
  std::string features = isHost && !target.features.length ? host().features : unwrap(target.features).str();
  const llvm::Target *found = llvm::TargetRegistry::lookupTarget(triple, error);
  if (!found)
    return nullptr;
  llvm::TargetOptions options;
  if (target.contract)
    options.AllowFPOpFusion = llvm::FPOpFusion::Fast;
  // The runtime places sections near each other, and functions of others behind jumps.
  std::unique_ptr<llvm::TargetMachine> machine(found->createTargetMachine(
      triple, cpu, features, options, llvm::Reloc::PIC_, llvm::CodeModel::Small, codegenLevel(target.codegenLevel)));
  if (!machine)
    error = "the target has no code generator";
  else if (!cpu.empty() && !machine->getMCSubtargetInfo()->isCPUStringValid(cpu))
    error = "there is no processor " + cpu + " for " + triple.str();
  return error.empty() ? std::move(machine) : nullptr;
}

// AddressSanitizer's pass makes each access call a function, and needs nothing of its runtime: shadow memory, stacks and globals are left alone, which only
// LLVM's own options can say.
void checkAccesses(llvm::Module &module, llvm::TargetMachine &machine) {
  static std::once_flag once;
  std::call_once(once, [] {
    auto &options = llvm::cl::getRegisteredOptions();
    for (const char *name : {"asan-stack", "asan-globals"})
      if (auto found = options.find(name); found != options.end())
        found->second->addOccurrence(0, name, "false");
  });
  for (llvm::Function &f : module)
    if (!f.isDeclaration())
      f.addFnAttr(llvm::Attribute::SanitizeAddress);
  llvm::LoopAnalysisManager loops;
  llvm::FunctionAnalysisManager functions;
  llvm::CGSCCAnalysisManager calls;
  llvm::ModuleAnalysisManager modules;
  llvm::PassBuilder builder(&machine);
  builder.registerModuleAnalyses(modules);
  builder.registerCGSCCAnalyses(calls);
  builder.registerFunctionAnalyses(functions);
  builder.registerLoopAnalyses(loops);
  builder.crossRegisterProxies(loops, functions, calls, modules);
  llvm::AddressSanitizerOptions options;
  options.Recover = true;
  options.UseAfterReturn = llvm::AsanDetectStackUseAfterReturnMode::Never;
  options.InstrumentationWithCallsThreshold = 0;
  options.InsertVersionCheck = false;
  llvm::ModulePassManager passes;
  passes.addPass(llvm::AddressSanitizerPass(options, /*UseGlobalGC=*/false, /*UseOdrIndicator=*/false,
                                            llvm::AsanDtorKind::None, llvm::AsanCtorKind::None));
  passes.run(module, modules);
}

// LLVM 22 selects a masked vpternlog with an operand in memory with its truth table for the operands in another order (llvm-project issue 157929, mended after
// 22.1): select(c, (x & 1) | (y & ~1), x) takes bits of the wrong one. A choice between vectors of bits and what logic made is kept from becoming one instruction.
void keepMaskedLogicApart(llvm::Module &module, llvm::TargetMachine &machine) {
  if (!machine.getTargetTriple().isX86() || !machine.getMCSubtargetInfo()->checkFeatures("+avx512f"))
    return;
  for (llvm::Function &f : module)
    for (llvm::Instruction &i : llvm::instructions(f)) {
      auto *type = dyn_cast<llvm::FixedVectorType>(i.getType());
      unsigned bits = type ? type->getScalarSizeInBits() : 0;
      if (!isa<llvm::SelectInst>(i) || (bits != 32 && bits != 64))
        continue;
      llvm::IRBuilder<> builder(&i);
      auto *element = bits == 32 ? builder.getFloatTy() : builder.getDoubleTy();
      auto *numbers = llvm::FixedVectorType::get(element, type->getNumElements());
      for (unsigned arm : {1, 2}) {
        llvm::Value *value = i.getOperand(arm);
        auto *logic = dyn_cast<llvm::BinaryOperator>(value);
        if (auto *cast = dyn_cast<llvm::BitCastInst>(value))
          logic = dyn_cast<llvm::BinaryOperator>(cast->getOperand(0));
        if (!logic || !logic->isBitwiseLogicOp())
          continue;
        llvm::Value *kept = builder.CreateArithmeticFence(builder.CreateBitCast(value, numbers), numbers);
        i.setOperand(arm, builder.CreateBitCast(kept, type));
      }
    }
}

// p * 2^n as formulas have it: n is taken from the last bits of a sum with 1.5 * 2^23, and multiplied with in two steps, so that what is below the normal numbers is
// rounded once. AVX-512 has one instruction for both, which gives the same bits.
void scaleAtOnce(llvm::Module &module, llvm::TargetMachine &machine) {
  using namespace llvm::PatternMatch;
  if (!machine.getTargetTriple().isX86() || !machine.getMCSubtargetInfo()->checkFeatures("+avx512f,+avx512vl"))
    return;
  const float shift = 12582912.0f;
  const uint32_t lessShift = 0u - llvm::bit_cast<uint32_t>(shift);
  // Bits of 2^exponent.
  auto power = [](auto exponent) {
    return m_BitCast(m_Add(m_Shl(exponent, m_SpecificInt(uint64_t(23))), m_SpecificInt(uint64_t(127) << 23)));
  };
  for (llvm::Function &f : module)
    for (llvm::Instruction &i : llvm::make_early_inc_range(llvm::instructions(f))) {
      auto *type = dyn_cast<llvm::FixedVectorType>(i.getType());
      unsigned lanes = type && type->getElementType()->isFloatTy() ? type->getNumElements() : 0;
      llvm::Value *p, *bits, *half, *sum;
      auto halved = m_AShr(m_Add(m_Value(bits), m_SpecificInt(uint64_t(lessShift))), m_SpecificInt(uint64_t(1)));
      auto first = m_FMul(m_Value(p), power(m_CombineAnd(m_Value(half), halved)));
      auto second = power(m_Sub(m_Deferred(bits), m_Deferred(half)));
      if ((lanes != 8 && lanes != 16) || !match(&i, m_FMul(first, second)) || !match(bits, m_BitCast(m_Value(sum))) ||
          sum->getType() != type)
        continue;
      llvm::IRBuilder<> builder(&i);
      llvm::Value *n = builder.CreateFSub(sum, llvm::ConstantFP::get(type, shift));
      llvm::Value *scaled =
          lanes == 16
              ? builder.CreateIntrinsic(llvm::Intrinsic::x86_avx512_mask_scalef_ps_512, {},
                                        {p, n, p, builder.getInt16(-1), builder.getInt32(4)})
              : builder.CreateIntrinsic(llvm::Intrinsic::x86_avx512_mask_scalef_ps_256, {}, {p, n, p, builder.getInt8(-1)});
      i.replaceAllUsesWith(scaled);
      llvm::RecursivelyDeleteTriviallyDeadInstructions(&i);
    }
}

// What a module becomes before it is written: optimised for its machine. Null, with a diagnostic, when it cannot.
struct Optimised {
  llvm::LLVMContext context;
  std::unique_ptr<llvm::TargetMachine> machine;
  std::unique_ptr<llvm::Module> module;
};

bool optimise(ModuleOp op, const SconceTarget &target, Optimised &out) {
  auto fail = [&](const Twine &message) {
    op.emitError(message);
    return false;
  };
  std::string error;
  out.machine = makeMachine(target, error);
  if (!out.machine)
    return fail("no code generator for the target: " + error);
  out.module = translateModuleToLLVMIR(op, out.context, op.getName().value_or("sconce"));
  if (!out.module)
    return fail("not translatable to LLVM IR");
  llvm::Module &module = *out.module;
  llvm::TargetMachine &machine = *out.machine;
  module.setDataLayout(machine.createDataLayout());
  module.setTargetTriple(machine.getTargetTriple());
  // Frames of JIT-compiled kernels appear in no unwind table; without it they need no .eh_frame either.
  for (llvm::Function &f : module)
    if (!f.isDeclaration()) {
      f.addFnAttr("target-cpu", machine.getTargetCPU());
      f.addFnAttr("target-features", machine.getTargetFeatureString());
      f.setDoesNotThrow();
    }
  if (target.optLevel > 0)
    if (auto problem = makeOptimizingTransformer(target.optLevel, /*sizeLevel=*/0, &machine)(&module))
      return fail("LLVM's optimiser: " + llvm::toString(std::move(problem)));
  keepMaskedLogicApart(module, machine);
  scaleAtOnce(module, machine);
  if (target.checked)
    checkAccesses(module, machine);
  return true;
}

// Tells on which line each instruction of a module is printed.
class InstructionLines : public llvm::AssemblyAnnotationWriter {
public:
  InstructionLines(ArrayRef<unsigned> sources, SconceInstruction line, void *user)
      : sources(sources), line(line), user(user) {}
  void emitInstructionAnnot(const llvm::Instruction *, llvm::formatted_raw_ostream &os) override {
    if (next < sources.size())
      line(os.getLine(), sources[next++], user);
  }

private:
  ArrayRef<unsigned> sources;
  SconceInstruction line;
  void *user;
  size_t next = 0;
};

} // namespace

MlirLogicalResult sconceEmitPlacedLlvm(MlirModule raw, const SconceTarget *target, SconceBytes emit,
                                       SconceInstruction line, void *user) {
  Optimised made;
  if (!optimise(unwrap(raw), *target, made))
    return wrap(failure());
  SmallVector<unsigned, 0> sources;
  for (llvm::Function &f : *made.module)
    for (llvm::Instruction &i : llvm::instructions(f))
      sources.push_back(i.getDebugLoc() ? i.getDebugLoc().getLine() : 0);
  llvm::StripDebugInfo(*made.module);
  InstructionLines lines(sources, line, user);
  SmallVector<char, 0> bytes;
  llvm::raw_svector_ostream os(bytes);
  made.module->print(os, &lines);
  emit(wrap(StringRef(bytes.data(), bytes.size())), user);
  return wrap(success());
}

MlirLogicalResult sconceEmitCode(MlirModule raw, const SconceTarget *target, int what, SconceBytes emit, void *user) {
  ModuleOp op = unwrap(raw);
  auto fail = [&](const Twine &message) {
    op.emitError(message);
    return wrap(failure());
  };
  Optimised made;
  if (!optimise(op, *target, made))
    return wrap(failure());
  llvm::Module *module = made.module.get();
  llvm::TargetMachine *machine = made.machine.get();

  SmallVector<char, 0> bytes;
  llvm::raw_svector_ostream os(bytes);
  switch (what) {
  case SCONCE_EMIT_LLVM:
    module->print(os, nullptr);
    break;
  case SCONCE_EMIT_BITCODE:
    llvm::WriteBitcodeToFile(*module, os);
    break;
  case SCONCE_EMIT_ASM:
  case SCONCE_EMIT_OBJECT: {
    llvm::legacy::PassManager passes;
    auto type = what == SCONCE_EMIT_ASM ? llvm::CodeGenFileType::AssemblyFile : llvm::CodeGenFileType::ObjectFile;
    if (machine->addPassesToEmitFile(passes, os, nullptr, type))
      return fail("the target cannot emit this kind of file");
    passes.run(*module);
    break;
  }
  default:
    return fail("unknown kind of output");
  }
  emit(wrap(StringRef(bytes.data(), bytes.size())), user);
  return wrap(success());
}

void sconceHost(SconceBytes triple, SconceBytes cpu, SconceBytes features, void *user) {
  triple(wrap(StringRef(host().triple)), user);
  cpu(wrap(StringRef(host().cpu)), user);
  features(wrap(StringRef(host().features)), user);
}

void sconceFeatures(const SconceTarget *target, SconceBytes features, SconceBytes error, void *user) {
  std::string why;
  auto machine = makeMachine(*target, why);
  if (!machine)
    return error(wrap(StringRef(why)), user);
  llvm::SubtargetFeatures list;
  for (const auto &feature : machine->getMCSubtargetInfo()->getEnabledProcessorFeatures())
    list.AddFeature(feature.Key);
  features(wrap(StringRef(list.getString())), user);
}
