op_version_set = 1
class M(Module):
  __parameters__ = ["weight", ]
  __annotations__["0"] = __torch__.a.B
  k : Final[int] = 2
  def forward(self: __torch__.M,
    x: Tensor,
    from: Optional[int]=None) -> Tuple[()]:
    def __forked_function():
      return ops.prim.X(x, CONSTANTS.c0)
    a, b, = torch.mul(x, 1e-05), annotate(List[int], [])
    _0 = (getattr(self, "0")).forward(a, b, )
    torch.add_(x.y, -1, alpha="\303\251\r\0)+")
    return ()
