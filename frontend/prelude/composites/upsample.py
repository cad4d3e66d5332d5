# Grids to sample at.


def base(n: int, align: bool):
    """n coordinates in [-1, 1], of corners or of middles."""
    i = torch.arange(n, dtype=torch.float64)
    if n <= 1:
        return i * 0.0
    if align:
        return 2.0 * i / (n - 1) - 1.0
    return (2.0 * i + 1.0) / n - 1.0


# aten::affine_grid_generator
def affine_grid_generator(theta, size, align_corners):
    """theta (x, y, …, 1) at every point."""
    axes: List[Tensor] = [base(s, align_corners) for s in size[2:]]
    points = torch.meshgrid(axes)
    # x first: the last spatial dimension.
    columns: List[Tensor] = []
    for d in range(len(points)):
        columns.append(points[len(points) - 1 - d].reshape([-1]))
    columns.append(torch.ones([columns[0].numel()], dtype=torch.float64))
    found = torch.matmul(torch.stack(columns, 1), theta.to(torch.float64).mT)
    return found.reshape([size[0]] + size[2:] + [len(points)]).to(theta.dtype)
