func.func @f(%x: !torch.vtensor<[2,3],f32>, %y: !torch.vtensor<[2,3],f32>, %b: !torch.bool) -> !torch.vtensor<[2,3],f32> {
  %one = torch.constant.int 1
  %0 = torch.aten.add.Tensor %x, %y, %one : !torch.vtensor<[2,3],f32>, !torch.vtensor<[2,3],f32>, !torch.int -> !torch.vtensor<[2,3],f32>
  %1 = torch.aten.exp %0 : !torch.vtensor<[2,3],f32> -> !torch.vtensor<[2,3],f32>
  %2 = torch.aten.mul.Tensor %1, %x : !torch.vtensor<[2,3],f32>, !torch.vtensor<[2,3],f32> -> !torch.vtensor<[2,3],f32>
  %3 = torch.aten.sin %2 : !torch.vtensor<[2,3],f32> -> !torch.vtensor<[2,3],f32>
  %4 = torch.aten.add.Tensor %3, %y, %one : !torch.vtensor<[2,3],f32>, !torch.vtensor<[2,3],f32>, !torch.int -> !torch.vtensor<[2,3],f32>
  %5 = torch.aten.sin %4 : !torch.vtensor<[2,3],f32> -> !torch.vtensor<[2,3],f32>
  return %5 : !torch.vtensor<[2,3],f32>
}
