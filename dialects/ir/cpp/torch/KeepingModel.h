// Registration of structural operations that loses no attribute.
//
// `"torch.operator"(%a) <{name = "foo"}> {name = "bar"}` is valid text, but MLIR has one place for both and forgets "bar" in silence. Here it
// becomes part of the attribute `torch.shadowed`, which every form prints and every tool reads.
#pragma once

#include "mlir/IR/Dialect.h"
#include "mlir/IR/OpDefinition.h"
#include "mlir/IR/OperationSupport.h"

namespace sconce::torch {

/// An inherent attribute that stood in the attribute dictionary of the operation created last on this thread. The properties that were
/// written beside it are set next, if there are any.
struct Shadow {
  mlir::Operation *op = nullptr;
  void *properties = nullptr;
  llvm::SmallVector<mlir::NamedAttribute, 1> attributes;
  static Shadow &last();
  /// Moves what the properties have replaced to `torch.shadowed`.
  void keep(mlir::Attribute written);
};

/// RegisteredOperationName::Model with the two hooks above; all else is passed on.
template <typename Op> class KeepingModel final : public mlir::OperationName::Impl {
  mlir::RegisteredOperationName::Model<Op> model;
  using Name = mlir::OperationName;
  using Properties = mlir::OpaqueProperties;
  using EmitError = llvm::function_ref<mlir::InFlightDiagnostic()>;

public:
  explicit KeepingModel(mlir::Dialect *dialect)
      : Impl(Op::getOperationName(), dialect, mlir::TypeID::get<Op>(),
             std::move(mlir::RegisteredOperationName::Model<Op>(dialect).getInterfaceMap())),
        model(dialect) {}

  void initProperties(Name name, Properties storage, Properties init) override {
    Shadow::last() = Shadow();
    model.initProperties(name, storage, init);
  }
  void setInherentAttr(mlir::Operation *op, mlir::StringAttr name, mlir::Attribute value) override {
    Shadow &last = Shadow::last();
    if (!op->getBlock()) {
      last.op = op;
      last.properties = op->getPropertiesStorage().template as<void *>();
      last.attributes.emplace_back(name, value);
    }
    model.setInherentAttr(op, name, value);
  }
  llvm::LogicalResult setPropertiesFromAttr(Name name, Properties storage, mlir::Attribute value, EmitError emitError) override {
    if (failed(model.setPropertiesFromAttr(name, storage, value, emitError)))
      return mlir::failure();
    if (Shadow::last().op && Shadow::last().properties == storage.template as<void *>())
      Shadow::last().keep(value);
    return mlir::success();
  }

  llvm::LogicalResult foldHook(mlir::Operation *op, llvm::ArrayRef<mlir::Attribute> in,
                               llvm::SmallVectorImpl<mlir::OpFoldResult> &out) override {
    return model.foldHook(op, in, out);
  }
  void getCanonicalizationPatterns(mlir::RewritePatternSet &set, mlir::MLIRContext *context) override {
    model.getCanonicalizationPatterns(set, context);
  }
  bool hasTrait(mlir::TypeID id) override { return model.hasTrait(id); }
  Name::ParseAssemblyFn getParseAssemblyFn() override { return model.getParseAssemblyFn(); }
  void populateDefaultAttrs(const Name &name, mlir::NamedAttrList &attrs) override { model.populateDefaultAttrs(name, attrs); }
  void printAssembly(mlir::Operation *op, mlir::OpAsmPrinter &p, llvm::StringRef name) override { model.printAssembly(op, p, name); }
  llvm::LogicalResult verifyInvariants(mlir::Operation *op) override { return model.verifyInvariants(op); }
  llvm::LogicalResult verifyRegionInvariants(mlir::Operation *op) override { return model.verifyRegionInvariants(op); }
  std::optional<mlir::Attribute> getInherentAttr(mlir::Operation *op, llvm::StringRef name) override {
    return model.getInherentAttr(op, name);
  }
  void populateInherentAttrs(mlir::Operation *op, mlir::NamedAttrList &attrs) override { model.populateInherentAttrs(op, attrs); }
  llvm::LogicalResult verifyInherentAttrs(Name name, mlir::NamedAttrList &attrs, EmitError emitError) override {
    return model.verifyInherentAttrs(name, attrs, emitError);
  }
  int getOpPropertyByteSize() override { return model.getOpPropertyByteSize(); }
  void deleteProperties(Properties properties) override { model.deleteProperties(properties); }
  void populateDefaultProperties(Name name, Properties properties) override { model.populateDefaultProperties(name, properties); }
  mlir::Attribute getPropertiesAsAttr(mlir::Operation *op) override { return model.getPropertiesAsAttr(op); }
  void copyProperties(Properties to, Properties from) override { model.copyProperties(to, from); }
  bool compareProperties(Properties a, Properties b) override { return model.compareProperties(a, b); }
  llvm::hash_code hashProperties(Properties properties) override { return model.hashProperties(properties); }
};

template <typename... Ops> void addKeepingOperations(mlir::Dialect *dialect) {
  (mlir::RegisteredOperationName::insert(std::make_unique<KeepingModel<Ops>>(dialect), Ops::getAttributeNames()), ...);
}

} // namespace sconce::torch
