// LLVM code: modules in the LLVM dialect to LLVM IR, assembly and objects, and objects into the process.
#include "sconce/jit.h"

#include "mlir/CAPI/IR.h"
#include "mlir/CAPI/Support.h"
#include "mlir/ExecutionEngine/OptUtils.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/Target/LLVMIR/Export.h"
#include "llvm/Bitcode/BitcodeWriter.h"
#include "llvm/ExecutionEngine/Orc/AbsoluteSymbols.h"
#include "llvm/ExecutionEngine/Orc/ExecutionUtils.h"
#include "llvm/ExecutionEngine/Orc/JITTargetMachineBuilder.h"
#include "llvm/ExecutionEngine/Orc/LLJIT.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/LegacyPassManager.h"
#include "llvm/IR/Module.h"
#include "llvm/MC/TargetRegistry.h"
#include "llvm/Support/SmallVectorMemoryBuffer.h"
#include "llvm/Support/TargetSelect.h"
#include "llvm/Target/TargetMachine.h"
#include "llvm/TargetParser/Host.h"
#include <mutex>

using namespace mlir;
namespace orc = llvm::orc;

namespace {

void initialiseTargets() {
  static std::once_flag once;
  std::call_once(once, [] {
    llvm::InitializeNativeTarget();
    llvm::InitializeNativeTargetAsmPrinter();
    llvm::InitializeNativeTargetAsmParser();
  });
}

// Asking the CPU takes a while; it does not change.
const orc::JITTargetMachineBuilder *host(std::string &error) {
  struct Host {
    std::optional<orc::JITTargetMachineBuilder> builder;
    std::string error;
    Host() {
      initialiseTargets();
      auto detected = orc::JITTargetMachineBuilder::detectHost();
      if (detected)
        builder = std::move(*detected);
      else
        error = llvm::toString(detected.takeError());
    }
  };
  static const Host h;
  error = h.error;
  return h.builder ? &*h.builder : nullptr;
}

llvm::CodeGenOptLevel codegenLevel(uint32_t level) {
  return level == 0   ? llvm::CodeGenOptLevel::None
         : level == 1 ? llvm::CodeGenOptLevel::Less
         : level == 2 ? llvm::CodeGenOptLevel::Default
                      : llvm::CodeGenOptLevel::Aggressive;
}

std::unique_ptr<llvm::TargetMachine> makeMachine(const SconceTarget &target, std::string &error) {
  const orc::JITTargetMachineBuilder *detected = host(error);
  if (!detected)
    return nullptr;
  orc::JITTargetMachineBuilder builder = *detected;
  if (target.triple.length)
    builder = orc::JITTargetMachineBuilder(llvm::Triple(unwrap(target.triple)));
  if (target.cpu.length)
    builder.setCPU(unwrap(target.cpu).str());
  if (target.cpu.length || target.features.length)
    builder.getFeatures() = llvm::SubtargetFeatures(unwrap(target.features));
  builder.setCodeGenOptLevel(codegenLevel(target.codegenLevel));
  if (target.pic) {
    builder.setRelocationModel(llvm::Reloc::PIC_);
    builder.setCodeModel(llvm::CodeModel::Small);
  }
  if (target.contract)
    builder.getOptions().AllowFPOpFusion = llvm::FPOpFusion::Fast;
  auto machine = builder.createTargetMachine();
  if (!machine) {
    error = llvm::toString(machine.takeError());
    return nullptr;
  }
  return std::move(*machine);
}

bool report(llvm::Error problem, SconceBytes error, void *user) {
  if (!problem)
    return true;
  std::string text = llvm::toString(std::move(problem));
  error(wrap(StringRef(text)), user);
  return false;
}

} // namespace

MlirLogicalResult sconceEmitCode(MlirModule raw, const SconceTarget *target, int what, SconceBytes emit, void *user) {
  ModuleOp op = unwrap(raw);
  auto fail = [&](const Twine &message) {
    op.emitError(message);
    return wrap(failure());
  };
  std::string error;
  std::unique_ptr<llvm::TargetMachine> machine = makeMachine(*target, error);
  if (!machine)
    return fail("no code generator for the target: " + error);
  llvm::LLVMContext context;
  std::unique_ptr<llvm::Module> module = translateModuleToLLVMIR(op, context, op.getName().value_or("sconce"));
  if (!module)
    return fail("not translatable to LLVM IR");
  module->setDataLayout(machine->createDataLayout());
  module->setTargetTriple(machine->getTargetTriple());
  // Frames of JIT-compiled kernels appear in no unwind table; without it they need no .eh_frame either.
  for (llvm::Function &f : *module)
    if (!f.isDeclaration()) {
      f.addFnAttr("target-cpu", machine->getTargetCPU());
      f.addFnAttr("target-features", machine->getTargetFeatureString());
      f.setDoesNotThrow();
    }
  if (target->optLevel > 0)
    if (auto problem = makeOptimizingTransformer(target->optLevel, /*sizeLevel=*/0, machine.get())(module.get()))
      return fail("LLVM's optimiser: " + llvm::toString(std::move(problem)));

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
  std::string error;
  if (const orc::JITTargetMachineBuilder *h = host(error)) {
    triple(wrap(StringRef(h->getTargetTriple().str())), user);
    cpu(wrap(StringRef(h->getCPU())), user);
    features(wrap(StringRef(h->getFeatures().getString())), user);
  }
}

struct SconceJit {
  std::unique_ptr<orc::LLJIT> jit;
  orc::JITDylib *shared;
  std::mutex naming;
};

SconceJit *sconceJitCreate(SconceBytes error, void *user) {
  std::string text;
  const orc::JITTargetMachineBuilder *h = host(text);
  if (!h) {
    error(wrap(StringRef(text)), user);
    return nullptr;
  }
  auto jit = orc::LLJITBuilder().setJITTargetMachineBuilder(*h).create();
  if (!jit) {
    report(jit.takeError(), error, user);
    return nullptr;
  }
  // What the kernels call in the process: libm, libc and the symbols that Rust defines.
  auto shared = (*jit)->createJITDylib("sconce.shared");
  if (!shared) {
    report(shared.takeError(), error, user);
    return nullptr;
  }
  auto process = orc::DynamicLibrarySearchGenerator::GetForCurrentProcess((*jit)->getDataLayout().getGlobalPrefix());
  if (!process) {
    report(process.takeError(), error, user);
    return nullptr;
  }
  shared->addGenerator(std::move(*process));
  return new SconceJit{std::move(*jit), &*shared, {}};
}

void sconceJitDestroy(SconceJit *jit) { delete jit; }

bool sconceJitDefine(SconceJit *jit, MlirStringRef name, void *address, SconceBytes error, void *user) {
  orc::SymbolMap symbols;
  symbols[jit->jit->mangleAndIntern(unwrap(name))] = {orc::ExecutorAddr::fromPtr(address),
                                                      llvm::JITSymbolFlags::Exported};
  return report(jit->shared->define(orc::absoluteSymbols(std::move(symbols))), error, user);
}

bool sconceJitAdd(SconceJit *jit, MlirStringRef object, MlirStringRef unit, SconceBytes error, void *user) {
  // Only an assertion in ORC keeps names apart.
  std::lock_guard<std::mutex> lock(jit->naming);
  if (jit->jit->getJITDylibByName(unwrap(unit))) {
    error(wrap(StringRef("there is an object of this name already")), user);
    return false;
  }
  auto dylib = jit->jit->createJITDylib(unwrap(unit).str());
  if (!dylib)
    return report(dylib.takeError(), error, user);
  dylib->addToLinkOrder(*jit->shared);
  return report(jit->jit->addObjectFile(*dylib, llvm::MemoryBuffer::getMemBufferCopy(unwrap(object), unwrap(unit))),
                error, user);
}

void *sconceJitLookup(SconceJit *jit, MlirStringRef unit, MlirStringRef name, SconceBytes error, void *user) {
  orc::JITDylib *dylib = jit->jit->getJITDylibByName(unwrap(unit));
  if (!dylib) {
    error(wrap(StringRef("no such object")), user);
    return nullptr;
  }
  auto address = jit->jit->lookup(*dylib, unwrap(name));
  if (!address) {
    report(address.takeError(), error, user);
    return nullptr;
  }
  return address->toPtr<void *>();
}

bool sconceJitRemove(SconceJit *jit, MlirStringRef unit, SconceBytes error, void *user) {
  orc::JITDylib *dylib = jit->jit->getJITDylibByName(unwrap(unit));
  if (!dylib) {
    error(wrap(StringRef("no such object")), user);
    return false;
  }
  return report(jit->jit->getExecutionSession().removeJITDylib(*dylib), error, user);
}
