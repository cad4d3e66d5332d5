# Lists of sizes.


# prim::ReductionSizes
def reduction_sizes(size, red_axes, keepdim):
    """Sizes without the reduced ones, or with ones in their place."""
    kept: List[int] = []
    for d in range(len(size)):
        if d not in red_axes and d - len(size) not in red_axes:
            kept.append(size[d])
        elif keepdim:
            kept.append(1)
    return kept


# aten::empty_permuted
def empty_permuted(size, physical_layout, dtype, layout, device, pin_memory):
    """The dimension that varies slowest is named first."""
    rank = len(size)
    places = [-1] * rank
    for i, d in enumerate(physical_layout):
        if d < 0 or d >= rank:
            raise RuntimeError(f"Dimension out of range (expected to be between 0 and {rank - 1}, but got {d} at index 0).  NB: negative dims not currently supported; file an issue if you want it.")
        if places[d] >= 0:
            raise RuntimeError("Duplicate dim not allowed")
        places[d] = i
    if len(physical_layout) != rank:
        raise RuntimeError(f"Number of dimensions in size does not match the length of the physical_layout; i.e. len(size) = {rank} is not equal to len(physical_layout) = {len(physical_layout)}")
    return torch.empty([size[d] for d in physical_layout], dtype=dtype).permute(places)
