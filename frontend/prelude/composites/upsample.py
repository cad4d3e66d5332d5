# Grids to sample at, and what older programs resample with.


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


def needed_rank(mode: str, rank: int) -> int:
    """The rank that a mode asks for; the others take any."""
    if mode == "linear":
        return 3
    if mode == "bilinear":
        return 4
    if mode == "trilinear":
        return 5
    return rank


def resampled(x, size: Optional[List[int]], factors: Optional[List[float]], mode: str, align_corners: Optional[bool], by_factors: bool):
    """The operator of the family that mode and rank choose. A size wins over factors; positions follow from it, or from the factors themselves."""
    rank = x.dim()
    plain = mode == "nearest" or mode == "area"
    linear = mode == "linear" or mode == "bilinear" or mode == "trilinear"
    if plain and align_corners is not None:
        raise RuntimeError("align_corners option can only be set with the interpolating modes: linear | bilinear | bicubic | trilinear")
    known = plain or linear or (mode == "bicubic" and rank == 4)
    if not known or rank < 3 or rank > 5:
        raise RuntimeError("Input Error: Only 3D, 4D and 5D input Tensors supported (got {}D) for the modes: nearest | linear | bilinear | trilinear (got {}) ".format(rank, mode))
    wanted = needed_rank(mode, rank)
    if wanted != rank:
        raise RuntimeError("Got {}D input, but {} mode needs {}D input".format(rank, mode, wanted))
    sizes: List[int] = []
    scales: List[Optional[float]] = [None, None, None]
    if size is not None:
        sizes = size
    elif factors is not None:
        for d in range(min(len(factors), rank - 2)):
            sizes.append(math.floor(x.size(d + 2) * factors[d]))
            if by_factors:
                scales[d] = factors[d]
    else:
        raise RuntimeError("either size or scale_factor should be defined")
    align = False
    if align_corners is not None:
        align = align_corners
    if mode == "area":
        if rank == 3:
            return torch.ops.aten.adaptive_avg_pool1d(x, sizes)
        if rank == 4:
            return torch.ops.aten.adaptive_avg_pool2d(x, sizes)
        return torch.ops.aten.adaptive_avg_pool3d(x, sizes)
    if mode == "bicubic":
        return torch.ops.aten.upsample_bicubic2d(x, sizes, align, scales[0], scales[1])
    if mode == "nearest":
        if rank == 3:
            return torch.ops.aten.upsample_nearest1d(x, sizes, scales[0])
        if rank == 4:
            return torch.ops.aten.upsample_nearest2d(x, sizes, scales[0], scales[1])
        return torch.ops.aten.upsample_nearest3d(x, sizes, scales[0], scales[1], scales[2])
    if rank == 3:
        return torch.ops.aten.upsample_linear1d(x, sizes, align, scales[0])
    if rank == 4:
        return torch.ops.aten.upsample_bilinear2d(x, sizes, align, scales[0], scales[1])
    return torch.ops.aten.upsample_trilinear3d(x, sizes, align, scales[0], scales[1], scales[2])


def whole_numbers(n: Optional[int], count: int) -> Optional[List[int]]:
    """A number for each dimension."""
    if n is None:
        return None
    return [n] * max(count, 0)


def numbers(f: Optional[float], count: int) -> Optional[List[float]]:
    if f is None:
        return None
    return [f] * max(count, 0)


def floats(n: Optional[int], count: int) -> Optional[List[float]]:
    if n is None:
        return None
    return [float(n)] * max(count, 0)


def all_floats(n: Optional[List[int]]) -> Optional[List[float]]:
    if n is None:
        return None
    return [float(i) for i in n]


def refuse_antialias(antialias: bool):
    if antialias:
        raise RuntimeError("Antialias is not yet supported")


# aten::__interpolate
def interpolate(input, size, scale_factor, mode, align_corners, recompute_scale_factor, antialias):
    refuse_antialias(antialias)
    return resampled(input, whole_numbers(size, input.dim() - 2), numbers(scale_factor, input.dim() - 2), mode, align_corners, recompute_scale_factor is not None and not recompute_scale_factor)


# aten::__interpolate.scale_list
def interpolate_scale_list(input, size, scale_factor, mode, align_corners, recompute_scale_factor, antialias):
    refuse_antialias(antialias)
    return resampled(input, whole_numbers(size, input.dim() - 2), scale_factor, mode, align_corners, recompute_scale_factor is not None and not recompute_scale_factor)


# aten::__interpolate.size_list
def interpolate_size_list(input, size, scale_factor, mode, align_corners, recompute_scale_factor, antialias):
    refuse_antialias(antialias)
    return resampled(input, size, numbers(scale_factor, input.dim() - 2), mode, align_corners, recompute_scale_factor is not None and not recompute_scale_factor)


# aten::__interpolate.size_list_scale_list
def interpolate_size_list_scale_list(input, size, scale_factor, mode, align_corners, recompute_scale_factor, antialias):
    refuse_antialias(antialias)
    return resampled(input, size, scale_factor, mode, align_corners, recompute_scale_factor is not None and not recompute_scale_factor)


# aten::__upsample
def upsample(input, size, scale_factor, mode, align_corners):
    return resampled(input, whole_numbers(size, input.dim() - 2), floats(scale_factor, input.dim() - 2), mode, align_corners, False)


# aten::__upsample.size_list
def upsample_size_list(input, size, scale_factor, mode, align_corners):
    return resampled(input, size, floats(scale_factor, input.dim() - 2), mode, align_corners, False)


# aten::__upsample_bilinear
def upsample_bilinear(input, size, scale_factor):
    return resampled(input, whole_numbers(size, input.dim() - 2), floats(scale_factor, input.dim() - 2), "bilinear", True, False)


# aten::__upsample_bilinear.scale_list
def upsample_bilinear_scale_list(input, size, scale_factor):
    return resampled(input, whole_numbers(size, input.dim() - 2), all_floats(scale_factor), "bilinear", True, False)


# aten::__upsample_bilinear.size_list
def upsample_bilinear_size_list(input, size, scale_factor):
    return resampled(input, size, floats(scale_factor, input.dim() - 2), "bilinear", True, False)


# aten::__upsample_bilinear.size_list_scale_list
def upsample_bilinear_size_list_scale_list(input, size, scale_factor):
    return resampled(input, size, all_floats(scale_factor), "bilinear", True, False)


# aten::__upsample_nearest
def upsample_nearest(input, size, scale_factor):
    return resampled(input, whole_numbers(size, input.dim() - 2), floats(scale_factor, input.dim() - 2), "nearest", None, False)


# aten::__upsample_nearest.size_list
def upsample_nearest_size_list(input, size, scale_factor):
    return resampled(input, size, floats(scale_factor, input.dim() - 2), "nearest", None, False)
