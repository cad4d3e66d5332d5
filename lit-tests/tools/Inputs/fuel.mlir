func.func @f(%x: !torch.vtensor) -> (!torch.vtensor, !torch.vtensor, !torch.vtensor) {
  %two = torch.constant.int 2
  %0 = torch.aten.mul.Scalar %x, %two : !torch.vtensor, !torch.int -> !torch.vtensor
  %1 = torch.aten.mul.Scalar %x, %two : !torch.vtensor, !torch.int -> !torch.vtensor
  %2 = torch.aten.mul.Scalar %x, %two : !torch.vtensor, !torch.int -> !torch.vtensor
  return %0, %1, %2 : !torch.vtensor, !torch.vtensor, !torch.vtensor
}
