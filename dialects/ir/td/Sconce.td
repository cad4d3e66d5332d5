// The `sconce` dialect: what the compiler says about torch programs that torch itself has no words for.
include "TorchTypes.td"
include "mlir/Interfaces/ControlFlowInterfaces.td"
include "mlir/Interfaces/SideEffectInterfaces.td"

def Sconce_Dialect : Dialect {
  let name = "sconce";
  let summary = "compiled regions";
  let cppNamespace = "::sconce::region";
  let dependentDialects = ["::sconce::torch::TorchDialect"];
}

def RegionValue : Type<CPred<"::sconce::region::isRegionValue($_self)">, "a value tensor, a scalar or a device">;
def TorchValue : Type<CPred<"::sconce::torch::isKernelType($_self)">, "Any type that is legal to pass to a Torch kernel">;

def RegionOp : Op<Sconce_Dialect, "region", [IsolatedFromAbove, SingleBlock, RecursiveMemoryEffects]> {
  let summary = "a piece of program that a target compiles";
  let description = [{
    Straight-line or structured code on value tensors and scalars. The operands become the block's arguments, what is yielded the results:

    ```
    %r:2 = sconce.region "name"(%a, %b) : (!torch.vtensor, !torch.int) -> (!torch.vtensor, !torch.vtensor) {
    ^bb0(%x: !torch.vtensor, %y: !torch.int):
      …
      sconce.yield %p, %q : !torch.vtensor, !torch.vtensor
    } {attrs}
    ```
  }];
  let arguments = (ins StrAttr:$name, Variadic<RegionValue>:$inputs);
  let results = (outs Variadic<RegionValue>:$outputs);
  let regions = (region SizedRegion<1>:$body);
  let assemblyFormat = "$name `(` $inputs `)` `:` functional-type($inputs, $outputs) $body attr-dict";
  let hasRegionVerifier = 1;
}
def YieldOp : Op<Sconce_Dialect, "yield", [Terminator, Pure, ReturnLike, HasParent<"RegionOp">]> {
  let summary = "ends a region and gives its results";
  let arguments = (ins Variadic<RegionValue>:$values);
  let assemblyFormat = "attr-dict ($values^ `:` type($values))?";
}
def CallKernelOp : Op<Sconce_Dialect, "call_kernel"> {
  let summary = "calls a compiled region by its name in the Program, or what stands in for it when its guard fails";
  let description = [{ `%r = sconce.call_kernel "name"(%a, %b) {attrs} : (!torch.vtensor, !torch.int) -> !torch.vtensor` }];
  let arguments = (ins StrAttr:$name, Variadic<TorchValue>:$inputs);
  let results = (outs Variadic<TorchValue>:$outputs);
  let assemblyFormat = "$name `(` $inputs `)` attr-dict `:` functional-type($inputs, $outputs)";
}
