// A Rust pass as an MLIR pass: one instance of RustPass per row, with real options, found by name in pipelines.
#include "sconce/pass.h"
#include "sconce/ir.h"

#include "mlir/CAPI/IR.h"
#include "mlir/CAPI/Support.h"
#include "mlir/Dialect/Math/Transforms/Passes.h"
#include "mlir/IR/PatternMatch.h"
#include "mlir/InitAllPasses.h"
#include "mlir/Pass/Pass.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Pass/PassRegistry.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"
#include "llvm/ADT/StringSet.h"
#include <mutex>

using namespace mlir;

namespace {

struct OptionRow {
  std::string name, description, string;
  int32_t kind;
  int64_t number;
};

// A copy of the C row that is never freed: its address is the pass's TypeID.
struct alignas(16) PassRow {
  std::string argument, description, anchor;
  std::vector<OptionRow> options;
  std::vector<std::string> dialects;
  uint32_t id;
  SconcePassFn run;
};

// Adds the dialect called `name`, if there is one. A registry wants the dialect's TypeID, which only a loaded dialect knows.
void insertByName(DialectRegistry &registry, StringRef name) {
  struct All {
    DialectRegistry registry;
    std::unique_ptr<MLIRContext> context;
    All() {
      sconceRegisterEverything(MlirDialectRegistry{&registry});
      context = std::make_unique<MLIRContext>(registry, MLIRContext::Threading::DISABLED);
    }
  };
  static std::mutex mutex;
  std::lock_guard<std::mutex> lock(mutex);
  static All *all = new All();
  if (Dialect *dialect = all->context->getOrLoadDialect(name))
    registry.insert(dialect->getTypeID(), dialect->getNamespace(), all->registry.getDialectAllocator(name));
}

class RustPass final : public Pass {
public:
  explicit RustPass(const PassRow &row)
      : Pass(TypeID::getFromOpaquePointer(&row),
             row.anchor.empty() ? std::nullopt : std::optional<StringRef>(row.anchor)),
        row(row) {
    for (const OptionRow &o : row.options) {
      Slot slot;
      switch (o.kind) {
      case SCONCE_OPTION_BOOL:
        slot.flag = std::make_unique<Option<bool>>(*this, o.name, llvm::cl::desc(o.description),
                                                   llvm::cl::init(o.number != 0));
        break;
      case SCONCE_OPTION_INT:
        slot.number = std::make_unique<Option<int64_t>>(*this, o.name, llvm::cl::desc(o.description),
                                                        llvm::cl::init(o.number));
        break;
      default:
        slot.string = std::make_unique<Option<std::string>>(*this, o.name, llvm::cl::desc(o.description),
                                                            llvm::cl::init(o.string));
      }
      slots.push_back(std::move(slot));
    }
  }

  StringRef getName() const override { return row.argument; }
  StringRef getArgument() const override { return row.argument; }
  StringRef getDescription() const override { return row.description; }

  bool canScheduleOn(RegisteredOperationName name) const override {
    return row.anchor.empty() || name.getStringRef() == row.anchor;
  }

  void getDependentDialects(DialectRegistry &registry) const override {
    for (const std::string &name : row.dialects)
      insertByName(registry, name);
  }

  // Pass::clone copies the option values afterwards.
  std::unique_ptr<Pass> clonePass() const override { return std::make_unique<RustPass>(row); }

  void runOnOperation() override {
    if (!row.run(row.id, wrap(getOperation()), reinterpret_cast<SconcePassRun *>(this)))
      signalPassFailure();
  }

  int64_t number(size_t index) const {
    if (index >= slots.size())
      return 0;
    const Slot &slot = slots[index];
    return slot.flag ? slot.flag->getValue() : slot.number ? slot.number->getValue() : 0;
  }

  StringRef string(size_t index) const {
    return index < slots.size() && slots[index].string ? StringRef(slots[index].string->getValue()) : StringRef();
  }

  using Pass::runPipeline;

private:
  struct Slot {
    std::unique_ptr<Option<bool>> flag;
    std::unique_ptr<Option<int64_t>> number;
    std::unique_ptr<Option<std::string>> string;
  };
  const PassRow &row;
  std::vector<Slot> slots;
};

// Upstream has these patterns, but no pass of its own for them.
struct MathPolynomialApproximation final : PassWrapper<MathPolynomialApproximation, OperationPass<>> {
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(MathPolynomialApproximation)
  MathPolynomialApproximation() = default;
  MathPolynomialApproximation(const MathPolynomialApproximation &other) : PassWrapper(other) {}

  StringRef getArgument() const override { return "sconce-math-polynomial-approximation"; }
  StringRef getDescription() const override {
    return "Replace exp, log, tanh, erf, sin, cos … by polynomials, which vectorise; f16 and bf16 are computed in f32";
  }
  void getDependentDialects(DialectRegistry &registry) const override {
    for (const char *name : {"arith", "math", "vector"})
      insertByName(registry, name);
  }
  void runOnOperation() override {
    llvm::StringSet<> chosen;
    for (const std::string &name : only)
      chosen.insert(name);
    auto wanted = [&](StringRef name) {
      name.consume_front("math.");
      return chosen.empty() || chosen.contains(name);
    };
    RewritePatternSet patterns(&getContext());
    populateMathF32ExpansionPatterns(patterns, wanted);
    populateMathPolynomialApproximationPatterns(patterns, wanted);
    if (failed(applyPatternsGreedily(getOperation(), std::move(patterns))))
      signalPassFailure();
  }

  ListOption<std::string> only{*this, "only", llvm::cl::desc("Only these functions, such as exp,tanh (default: all)")};
};

RustPass *running(SconcePassRun *run) { return reinterpret_cast<RustPass *>(run); }

LogicalResult parsePipeline(StringRef text, OpPassManager &manager, Location loc) {
  std::string message;
  llvm::raw_string_ostream os(message);
  if (succeeded(parsePassPipeline(text, manager, os)))
    return success();
  return emitError(loc) << StringRef(message).rtrim();
}

} // namespace

void sconceRegisterUpstreamPasses(void) {
  static std::once_flag once;
  std::call_once(once, [] {
    registerAllPasses();
    PassRegistration<MathPolynomialApproximation>();
  });
}

void sconceRegisterPass(const SconcePassRow *row, SconcePassFn run) {
  auto *copy = new PassRow();
  auto str = [](MlirStringRef s) { return unwrap(s).str(); };
  copy->argument = str(row->argument);
  copy->description = str(row->description);
  copy->anchor = str(row->anchor);
  for (size_t i = 0; i < row->numOptions; ++i) {
    const SconcePassOption &o = row->options[i];
    copy->options.push_back({str(o.name), str(o.description), str(o.string), o.kind, o.number});
  }
  for (size_t i = 0; i < row->numDependentDialects; ++i)
    copy->dialects.push_back(str(row->dependentDialects[i]));
  copy->id = row->id;
  copy->run = run;
  registerPass([copy] { return std::make_unique<RustPass>(*copy); });
}

bool sconceRegisterPipeline(MlirStringRef argument, MlirStringRef description, MlirStringRef pipeline,
                            SconceTextSink errors, void *user) {
  std::string text = unwrap(pipeline).str();
  std::string message;
  {
    llvm::raw_string_ostream os(message);
    OpPassManager manager;
    if (failed(parsePassPipeline(text, manager, os))) {
      errors(wrap(StringRef(message).rtrim()), user);
      return false;
    }
  }
  registerPassPipeline(
      unwrap(argument), unwrap(description),
      [text](OpPassManager &manager, StringRef options, function_ref<LogicalResult(const Twine &)> error) {
        if (!options.empty())
          return error("this pipeline takes no options");
        std::string message;
        llvm::raw_string_ostream os(message);
        return failed(parsePassPipeline(text, manager, os)) ? error(message) : success();
      },
      [](function_ref<void(const detail::PassOptions &)>) {});
  return true;
}

bool sconcePassExists(MlirStringRef argument) {
  return PassInfo::lookup(unwrap(argument)) || PassPipelineInfo::lookup(unwrap(argument));
}

int64_t sconcePassOptionNumber(SconcePassRun *run, size_t index) { return running(run)->number(index); }

MlirStringRef sconcePassOptionString(SconcePassRun *run, size_t index) { return wrap(running(run)->string(index)); }

MlirLogicalResult sconcePassRunPipeline(SconcePassRun *run, MlirStringRef pipeline, MlirOperation op) {
  Operation *o = unwrap(op);
  OpPassManager manager(o->getName().getStringRef());
  if (failed(parsePipeline(unwrap(pipeline), manager, o->getLoc())))
    return wrap(failure());
  return wrap(running(run)->runPipeline(manager, o));
}
