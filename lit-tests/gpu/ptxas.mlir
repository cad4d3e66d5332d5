// REQUIRES: ptxas
// RUN: sconce-opt %s --print-region-ptx=chip=sm_80 -o /dev/null 2>&1 | sed -e 's,^.*remark: ,,' > %t.80.ptx && ptxas -arch=sm_80 %t.80.ptx -o %t.80.cubin
// RUN: sconce-opt %s --print-region-ptx=chip=sm_90 -o /dev/null 2>&1 | sed -e 's,^.*remark: ,,' > %t.90.ptx && ptxas -arch=sm_90 %t.90.ptx -o %t.90.cubin

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
