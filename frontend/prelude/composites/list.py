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
