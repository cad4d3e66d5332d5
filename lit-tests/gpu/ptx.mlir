// A pointwise region is one kernel, its exp a polynomial; both architectures; where there is ptxas, it takes the text.
// RUN: sconce-opt %s --print-region-ptx=chip=sm_80 -o /dev/null 2>&1 | FileCheck %s --check-prefixes=PTX,SM80
// RUN: sconce-opt %s --print-region-ptx=chip=sm_90 -o /dev/null 2>&1 | FileCheck %s --check-prefixes=PTX,SM90
// RUN: not sconce-opt %s --print-region-ptx=chip=sm_10 -o /dev/null 2>&1 | FileCheck %s --check-prefix=BAD
// BAD: `sm_10` is not one of sm_80, sm_90

// PTX: // region f.r0
// PTX: // launch: k0 4 256 i0+0[10,100](100,1) i1+0[100](1) o0+0[10,100](100,1)
// SM80: .target sm_80
// SM90: .target sm_90
// PTX: .visible .entry k0(
// PTX-NOT: .extern
// PTX: fma.rn.f32
// PTX: st.global
func.func @f(%a: !torch.vtensor<[10,100],f32>, %b: !torch.vtensor<[100],f32>) -> !torch.vtensor<[10,100],f32> {
  %r = sconce.region "f.r0"(%a, %b) : (!torch.vtensor<[10,100],f32>, !torch.vtensor<[100],f32>) -> (!torch.vtensor<[10,100],f32>) {
  ^bb0(%x: !torch.vtensor<[10,100],f32>, %y: !torch.vtensor<[100],f32>):
    %one = torch.constant.int 1
    %0 = torch.aten.add.Tensor %x, %y, %one : !torch.vtensor<[10,100],f32>, !torch.vtensor<[100],f32>, !torch.int -> !torch.vtensor<[10,100],f32>
    %1 = torch.aten.sigmoid %0 : !torch.vtensor<[10,100],f32> -> !torch.vtensor<[10,100],f32>
    sconce.yield %1 : !torch.vtensor<[10,100],f32>
  }
  return %r : !torch.vtensor<[10,100],f32>
}
