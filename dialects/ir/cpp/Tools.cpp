// mlir-opt, mlir-translate and the language server as functions.
#include "sconce/tools.h"
#include "sconce/ir.h"

#include "mlir/CAPI/IR.h"
#include "mlir/CAPI/Support.h"
#include "mlir/Debug/Counter.h"
#include "mlir/IR/AsmState.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/Verifier.h"
#include "mlir/InitAllTranslations.h"
#include "mlir/Parser/Parser.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Support/FileUtilities.h"
#include "mlir/Support/Timing.h"
#include "mlir/Tools/mlir-lsp-server/MlirLspServerMain.h"
#include "mlir/Tools/mlir-opt/MlirOptMain.h"
#include "mlir/Tools/mlir-translate/MlirTranslateMain.h"
#include "mlir/Tools/mlir-translate/Translation.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/FileUtilities.h"
#include "llvm/Support/InitLLVM.h"
#include "llvm/Support/Process.h"
#include "llvm/Support/SourceMgr.h"
#include "llvm/Support/TargetSelect.h"
#include "llvm/Support/ToolOutputFile.h"

#include <utility>

using namespace mlir;

namespace {

void appendTo(MlirStringRef text, void *user) { static_cast<std::string *>(user)->append(text.data, text.length); }

void setVersion(MlirStringRef version) {
  llvm::cl::SetVersionPrinter([text = unwrap(version).str()](raw_ostream &os) { os << text << '\n'; });
}

// What is registered before a tool says its own options are a thousand of LLVM's and Polly's: `--help-hidden` lists them, `--help` does not.
void hideOptionsOfLibraries() {
  static bool done = false;
  if (std::exchange(done, true))
    return;
  for (auto &entry : llvm::cl::getRegisteredOptions())
    entry.second->setHiddenFlag(llvm::cl::Hidden);
}

// Says so on stderr when MLIR's parser would not survive the text.
bool checkNesting(const llvm::MemoryBuffer &buffer) {
  intptr_t offset = sconceTooDeep(wrap(buffer.getBuffer()));
  if (offset < 0)
    return true;
  // Without the line itself: text like this has no lines.
  llvm::SourceMgr sources;
  llvm::SMLoc place = llvm::SMLoc::getFromPointer(buffer.getBufferStart() + offset);
  unsigned id =
      sources.AddNewSourceBuffer(llvm::MemoryBuffer::getMemBuffer(buffer.getMemBufferRef(), false), llvm::SMLoc());
  auto [line, column] = sources.getLineAndColumn(place, id);
  llvm::errs() << buffer.getBufferIdentifier() << ':' << line << ':' << column << ": error: nested too deeply\n";
  return false;
}

// The text of MLIR in a translator's input: `dense_resource` blobs and all, with locations, so that it can be read again.
void printWithLocations(Operation *op, raw_ostream &os) {
  OpPrintingFlags flags;
  flags.enableDebugInfo(/*enable=*/true, /*prettyForm=*/false);
  op->print(os, flags);
  os << '\n';
}

} // namespace

int sconceOptMain(int argc, char **argv, MlirStringRef version, SconceImportFn import, SconceImportFn exportGraph) {
  hideOptionsOfLibraries();
  llvm::InitLLVM init(argc, argv);
  setVersion(version);
  sconceRegisterUpstreamPasses();
  DialectRegistry registry;
  sconceRegisterEverything(MlirDialectRegistry{&registry});

  static llvm::cl::opt<std::string> input(llvm::cl::Positional, llvm::cl::desc("<input file>"), llvm::cl::init("-"));
  static llvm::cl::opt<std::string> output("o", llvm::cl::desc("Output filename"), llvm::cl::value_desc("filename"),
                                           llvm::cl::init("-"));
  static llvm::cl::opt<bool> graphText(
      "graph-text", llvm::cl::desc("Print TorchScript graph text, as PyTorch prints graphs, instead of MLIR"));
  MlirOptMainConfig::registerCLOptions(registry);
  registerAsmPrinterCLOptions();
  registerMLIRContextCLOptions();
  registerPassManagerCLOptions();
  registerDefaultTimingManagerCLOptions();
  tracing::DebugCounter::registerCLOptions();

  std::string overview = "Sconce's pass driver: every MLIR dialect and pass, and Sconce's.\n"
                         "Reads .mlir, MLIR bytecode, TorchScript archives (.pt), source (.py) and graph text.\n\nAvailable dialects: ";
  llvm::raw_string_ostream os(overview);
  llvm::interleave(registry.getDialectNames(), os, ", ");
  // With a stream for errors the parser returns instead of leaving the process with 1, which is for bad input.
  if (!llvm::cl::ParseCommandLineOptions(argc, argv, overview, &llvm::errs()))
    return 2;

  MlirOptMainConfig config = MlirOptMainConfig::createFromCLOptions();
  if (config.shouldShowDialects()) {
    llvm::outs() << "Registered dialects: ";
    llvm::interleave(registry.getDialectNames(), llvm::outs(), ", ");
    llvm::outs() << '\n';
    return 0;
  }
  if (config.shouldListPasses()) {
    printRegisteredPasses();
    return 0;
  }

  if (input == "-" && llvm::sys::Process::FileDescriptorIsDisplayed(fileno(stdin)))
    llvm::errs() << "(reading from standard input; end it with Ctrl-D, or stop with Ctrl-C)\n";
  std::string message;
  std::unique_ptr<llvm::MemoryBuffer> buffer = openInputFile(input, &message);
  if (!buffer) {
    llvm::errs() << "error: " << message << '\n';
    return 1;
  }
  if (import) {
    std::string text;
    StringRef name = input == "-" ? StringRef("<stdin>") : StringRef(input);
    switch (import(wrap(name), wrap(buffer->getBuffer()), appendTo, &text)) {
    case 0:
      break;
    case 1:
      buffer = llvm::MemoryBuffer::getMemBufferCopy(text, name);
      break;
    default:
      return 1;
    }
  }
  if (!checkNesting(*buffer))
    return 1;
  std::unique_ptr<llvm::ToolOutputFile> file = openOutputFile(output, &message);
  if (!file) {
    llvm::errs() << "error: " << message << '\n';
    return 1;
  }
  if (!graphText) {
    if (failed(MlirOptMain(file->os(), std::move(buffer), registry, config)))
      return 1;
    file->keep();
    return 0;
  }
  if (!config.inputSplitMarker().empty()) {
    llvm::errs() << "error: --graph-text prints one module, and --split-input-file makes several\n";
    return 2;
  }
  // Bytecode has the locations, on which names and places of graph text ride.
  config.emitBytecode(true);
  std::string made, text;
  llvm::raw_string_ostream bytes(made);
  if (failed(MlirOptMain(bytes, std::move(buffer), registry, config)))
    return 1;
  if (exportGraph(wrap(StringRef(input)), wrap(StringRef(made)), appendTo, &text) != 1)
    return 1;
  file->os() << text;
  file->keep();
  return 0;
}

void sconceRegisterReader(MlirStringRef name, MlirStringRef description, SconceReadFn read) {
  hideOptionsOfLibraries();
  TranslateRegistration(
      unwrap(name), unwrap(description),
      [read](const std::shared_ptr<llvm::SourceMgr> &sources, raw_ostream &output, MLIRContext *context) {
        DialectRegistry registry;
        sconceRegisterEverything(MlirDialectRegistry{&registry});
        context->appendDialectRegistry(registry);
        const llvm::MemoryBuffer *buffer = sources->getMemoryBuffer(sources->getMainFileID());
        MlirOperation raw = read(wrap(context), wrap(buffer->getBuffer()), wrap(buffer->getBufferIdentifier()));
        if (!raw.ptr)
          return failure();
        OwningOpRef<Operation *> op(unwrap(raw));
        if (failed(verify(*op)))
          return failure();
        printWithLocations(*op, output);
        return success();
      });
}

void sconceRegisterWriter(MlirStringRef name, MlirStringRef description, MlirStringRef option,
                          MlirStringRef optionHelp, MlirStringRef optionDefault, SconceWriteFn write) {
  hideOptionsOfLibraries();
  llvm::cl::opt<std::string> *choice = nullptr;
  if (option.length)
    // Lives as long as the command line's tables, that is, as long as the process. They keep the strings' addresses.
    choice = new llvm::cl::opt<std::string>(*new StringRef(*new std::string(unwrap(option))),
                                            llvm::cl::desc(*new std::string(unwrap(optionHelp))),
                                            llvm::cl::init(unwrap(optionDefault).str()));
  TranslateRegistration(
      unwrap(name), unwrap(description),
      [write, choice](const std::shared_ptr<llvm::SourceMgr> &sources, raw_ostream &output, MLIRContext *context) {
        DialectRegistry registry;
        sconceRegisterEverything(MlirDialectRegistry{&registry});
        context->appendDialectRegistry(registry);
        if (!checkNesting(*sources->getMemoryBuffer(sources->getMainFileID())))
          return failure();
        OwningOpRef<ModuleOp> module = parseSourceFile<ModuleOp>(sources, ParserConfig(context));
        if (!module)
          return failure();
        std::string text;
        StringRef chosen = choice ? StringRef(choice->getValue()) : StringRef();
        if (!write(wrap(*module), wrap(chosen), appendTo, &text))
          return failure();
        output << text;
        return success();
      });
}

int sconceTranslateMain(int argc, char **argv, MlirStringRef version) {
  hideOptionsOfLibraries();
  setVersion(version);
  registerAllTranslations();
  return failed(mlirTranslateMain(argc, argv, "Sconce's translator between MLIR and other formats")) ? 1 : 0;
}

int sconceLspMain(int argc, char **argv) {
  hideOptionsOfLibraries();
  DialectRegistry registry;
  sconceRegisterEverything(MlirDialectRegistry{&registry});
  return failed(MlirLspServerMain(argc, argv, registry)) ? 1 : 0;
}
