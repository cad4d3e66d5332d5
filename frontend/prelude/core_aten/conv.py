# Convolutions, pools and resampling.


def each(values, count):
    return values * count if len(values) == 1 else values


def convolved(input, weight, bias, stride, padding, dilation, transposed, output_padding, groups):
    rank = weight.ndim - 2
    batched = input.ndim == rank + 2
    if not batched:
        input = aten.unsqueeze.default(input, 0)
    result = aten.convolution.default(input, weight, bias, stride, padding, dilation, transposed, output_padding, groups)
    return result if batched else aten.squeeze.dim(result, 0)


@composite("aten::conv1d", "aten::conv2d", "aten::conv3d")
def conv(input, weight, bias, stride, padding, dilation, groups):
    rank = weight.ndim - 2
    return convolved(input, weight, bias, each(stride, rank), each(padding, rank), each(dilation, rank), False, [0] * rank, groups)


@composite("aten::conv1d.padding", "aten::conv2d.padding", "aten::conv3d.padding")
def conv_padding(input, weight, bias, stride, padding, dilation, groups):
    rank = weight.ndim - 2
    stride = each(stride, rank)
    dilation = each(dilation, rank)
    if padding == "valid":
        return convolved(input, weight, bias, stride, [0], dilation, False, [0], groups)
    whole = [dilation[d] * (weight.size(d + 2) - 1) for d in range(rank)]
    left = [n // 2 for n in whole]
    if all([whole[d] == 2 * left[d] for d in range(rank)]):
        return convolved(input, weight, bias, stride, left, dilation, False, [0] * rank, groups)
    # More on the right, where the two sides are not the same.
    extra = []
    for d in reversed(range(rank)):
        extra = extra + [0, whole[d] - 2 * left[d]]
    batched = input.ndim == rank + 2
    if not batched:
        input = aten.unsqueeze.default(input, 0)
    padded = aten.constant_pad_nd.default(input, extra)
    result = aten.convolution.default(padded, weight, bias, stride, left, dilation, False, [0] * rank, groups)
    return result if batched else aten.squeeze.dim(result, 0)


@composite("aten::conv_transpose1d", "aten::conv_transpose2d.input", "aten::conv_transpose3d.input")
def conv_transpose(input, weight, bias, stride, padding, output_padding, groups, dilation):
    rank = weight.ndim - 2
    return convolved(
        input, weight, bias, each(stride, rank), each(padding, rank), each(dilation, rank), True, each(output_padding, rank), groups
    )


@composite("aten::max_pool2d")
def max_pool2d(self, kernel_size, stride, padding, dilation, ceil_mode):
    return aten.max_pool2d_with_indices.default(self, kernel_size, stride, padding, dilation, ceil_mode)[0]


@composite("aten::max_pool3d")
def max_pool3d(self, kernel_size, stride, padding, dilation, ceil_mode):
    return aten.max_pool3d_with_indices.default(self, kernel_size, stride, padding, dilation, ceil_mode)[0]


@composite("aten::max_pool1d_with_indices")
def max_pool1d_with_indices(self, kernel_size, stride, padding, dilation, ceil_mode):
    stride = stride if len(stride) > 0 else kernel_size
    x = aten.unsqueeze.default(self, -2)
    values, places = aten.max_pool2d_with_indices.default(x, [1] + kernel_size, [1] + stride, [0] + padding, [1] + dilation, ceil_mode)
    return aten.squeeze.dim(values, -2), aten.squeeze.dim(places, -2)


@composite("aten::max_pool1d")
def max_pool1d(self, kernel_size, stride, padding, dilation, ceil_mode):
    return aten.max_pool1d_with_indices.default(self, kernel_size, stride, padding, dilation, ceil_mode)[0]


@composite("aten::avg_pool1d")
def avg_pool1d(self, kernel_size, stride, padding, ceil_mode, count_include_pad):
    stride = stride if len(stride) > 0 else kernel_size
    x = aten.unsqueeze.default(self, -2)
    x = aten.avg_pool2d.default(x, [1] + kernel_size, [1] + stride, [0] + padding, ceil_mode, count_include_pad)
    return aten.squeeze.dim(x, -2)


@composite("aten::adaptive_avg_pool2d")
def adaptive_avg_pool2d(self, output_size):
    if output_size == [1, 1]:
        return aten.mean.dim(self, [-1, -2], True)
    return aten._adaptive_avg_pool2d.default(self, output_size)


@composite("aten::adaptive_avg_pool3d")
def adaptive_avg_pool3d(self, output_size):
    if output_size == [1, 1, 1]:
        return aten.mean.dim(self, [-1, -2, -3], True)
    return aten._adaptive_avg_pool3d.default(self, output_size)


@composite("aten::adaptive_avg_pool1d")
def adaptive_avg_pool1d(self, output_size):
    x = aten.adaptive_avg_pool2d.default(aten.unsqueeze.default(self, -2), [1] + output_size)
    return aten.squeeze.dim(x, -2)


@composite("aten::adaptive_max_pool1d")
def adaptive_max_pool1d(self, output_size):
    values, places = aten.adaptive_max_pool2d.default(aten.unsqueeze.default(self, -2), [1] + output_size)
    places = aten.squeeze.dim(places, -2)
    return aten.squeeze.dim(values, -2), places


@composite("aten::pad")
def pad(self, pad, mode, value):
    if mode == "constant":
        return aten.constant_pad_nd.default(self, pad, 0.0 if value is None else value)
    if mode == "reflect" and len(pad) == 2:
        return aten.reflection_pad1d.default(self, pad)
    if mode == "reflect" and len(pad) == 4:
        return aten.reflection_pad2d.default(self, pad)
    if mode == "reflect" and len(pad) == 6:
        return aten.reflection_pad3d.default(self, pad)
    if mode == "replicate" and len(pad) == 2:
        return aten.replication_pad1d.default(self, pad)
    if mode == "replicate" and len(pad) == 4:
        return aten.replication_pad2d.default(self, pad)
    if mode == "replicate" and len(pad) == 6:
        return aten.replication_pad3d.default(self, pad)
    return aten._pad_circular.default(self, pad)


@composite("aten::_pad_circular")
def pad_circular(self, pad):
    """The middle, and then in each dimension its ends from the other side."""
    rank = len(pad) // 2
    shape = list(self.shape)
    for i in range(rank):
        shape[-1 - i] = shape[-1 - i] + pad[2 * i] + pad[2 * i + 1]
    out = aten.empty.memory_format(shape, dtype=self.dtype, layout=self.layout, device=self.device, pin_memory=False)
    inside = self
    middle = out
    for i in range(rank):
        d = self.ndim - 1 - i
        before = pad[2 * i]
        after = pad[2 * i + 1]
        middle = aten.slice.Tensor(middle, d, max(before, 0), shape[d] - max(after, 0))
        inside = aten.slice.Tensor(inside, d, max(-before, 0), self.size(d) - max(-after, 0))
    aten.copy_.default(middle, inside)
    for i in range(rank):
        d = self.ndim - 1 - i
        before = pad[2 * i]
        after = pad[2 * i + 1]
        if before > 0:
            to = aten.slice.Tensor(out, d, 0, before)
            source = aten.slice.Tensor(out, d, shape[d] - before - max(after, 0), shape[d] - max(after, 0))
            aten.copy_.default(to, source)
        if after > 0:
            to = aten.slice.Tensor(out, d, shape[d] - after, shape[d])
            source = aten.slice.Tensor(out, d, max(before, 0), max(before, 0) + after)
            aten.copy_.default(to, source)
    return out


def padded(x, pad, places):
    rank = len(pad) // 2
    for i in range(rank):
        d = x.ndim - rank + i
        before = pad[2 * (rank - 1 - i)]
        after = pad[2 * (rank - 1 - i) + 1]
        index = [None] * x.ndim
        at = counted(-before, x.size(d) + after, None, x.device)
        index[d] = reflected(at, x.size(d)) if places == "reflect" else aten.clamp.default(at, 0, x.size(d) - 1)
        x = aten.index.Tensor(x, index)
    return x


def reflected(at, size):
    last = size - 1
    inside = aten.abs.default(aten.sub.Tensor(last, aten.abs.default(at)))
    return aten.sub.Tensor(last, inside)


@core("aten::reflection_pad1d", "aten::reflection_pad2d", "aten::reflection_pad3d")
def reflection_pad(self, padding):
    return padded(self, padding, "reflect")


@core("aten::replication_pad1d", "aten::replication_pad2d", "aten::replication_pad3d")
def replication_pad(self, padding):
    return padded(self, padding, "replicate")


@core("aten::pixel_shuffle")
def pixel_shuffle(self, upscale_factor):
    f = upscale_factor
    outer = self.shape[:-3]
    c, h, w = self.shape[-3:]
    n = len(outer)
    x = aten.view.default(self, outer + [c // (f * f), f, f, h, w])
    x = aten.permute.default(x, list(range(n)) + [n, n + 3, n + 1, n + 4, n + 2])
    x = aten.reshape.default(x, outer + [c // (f * f), h * f, w * f])
    return aten.clone.default(x, memory_format=torch.contiguous_format)


@core("aten::pixel_unshuffle")
def pixel_unshuffle(self, downscale_factor):
    f = downscale_factor
    outer = self.shape[:-3]
    c, h, w = self.shape[-3:]
    n = len(outer)
    x = aten.view.default(self, outer + [c, h // f, f, w // f, f])
    x = aten.permute.default(x, list(range(n)) + [n, n + 2, n + 4, n + 1, n + 3])
    x = aten.reshape.default(x, outer + [c * f * f, h // f, w // f])
    return aten.clone.default(x, memory_format=torch.contiguous_format)


@core("aten::channel_shuffle", "aten::native_channel_shuffle")
def channel_shuffle(self, groups):
    n, c = self.shape[:2]
    rest = self.shape[2:]
    x = aten.view.default(self, [n, groups, c // groups] + rest)
    x = aten.permute.default(x, [0, 2, 1] + list(range(3, x.ndim)))
    return aten.reshape.default(x, [n, c] + rest)


def nearest(size, count, scale, exact, device):
    """Which element each new one is."""
    factor = 1.0 / scale if scale is not None else float(size) / float(count)
    at = counted(0, count, torch.float32, device)
    at = aten.mul.Tensor(aten.add.Tensor(at, 0.5 if exact else 0.0), factor)
    return aten._to_copy.default(at, dtype=torch.int64)


def nearest_of(x, output_size, scales, exact):
    rank = len(output_size)
    index = [None, None]
    for d in range(rank):
        at = nearest(x.size(d + 2), output_size[d], scales[d], exact, x.device)
        for _ in range(rank - 1 - d):
            at = aten.unsqueeze.default(at, -1)
        index.append(at)
    return aten.index.Tensor(x, index)


def resized(x, output_size, scale_factors):
    if output_size is not None:
        return output_size
    return [int(float(x.size(d + 2)) * scale_factors[d]) for d in range(len(scale_factors))]


@core("aten::upsample_nearest1d.vec", "aten::upsample_nearest3d.vec")
def upsample_nearest(input, output_size, scale_factors):
    sizes = resized(input, output_size, scale_factors)
    scales = scale_factors if scale_factors is not None else [None] * len(sizes)
    return nearest_of(input, sizes, scales, False)


@core("aten::_upsample_nearest_exact1d.vec", "aten::_upsample_nearest_exact2d.vec", "aten::_upsample_nearest_exact3d.vec")
def upsample_nearest_exact(input, output_size, scale_factors):
    sizes = resized(input, output_size, scale_factors)
    scales = scale_factors if scale_factors is not None else [None] * len(sizes)
    return nearest_of(input, sizes, scales, True)


@core("aten::upsample_linear1d.vec", "aten::upsample_trilinear3d.vec")
def upsample_linear(input, output_size, align_corners, scale_factors):
    sizes = resized(input, output_size, scale_factors)
    scales = scale_factors if scale_factors is not None else [None] * len(sizes)
    rank = len(sizes)
    places = []
    for d in range(rank):
        size = input.size(d + 2)
        if align_corners:
            factor = float(size - 1) / float(sizes[d] - 1) if sizes[d] > 1 else 0.0
        else:
            factor = 1.0 / scales[d] if scales[d] is not None else float(size) / float(sizes[d])
        at = aten._to_copy.default(indices(sizes[d], input.device), dtype=torch.float32)
        if align_corners:
            x = aten.mul.Tensor(at, factor)
        else:
            x = aten.sub.Tensor(aten.mul.Tensor(aten.add.Tensor(at, 0.5), factor), 0.5)
        x = aten.clamp.default(x, 0.0)
        x = aten.reshape.default(x, [sizes[d]] + [1] * (rank - 1 - d))
        low = aten._to_copy.default(x, dtype=torch.int64)
        high = aten.clamp.default(aten.add.Tensor(low, 1), None, size - 1)
        places.append([x, low, high])
    corners = []
    for corner in range(2**rank):
        index = [None, None] + [places[d][1 + (corner // 2 ** (rank - 1 - d)) % 2] for d in range(rank)]
        corners.append(aten.index.Tensor(input, index))
    for d in reversed(range(rank)):
        share = aten.clamp.default(aten.sub.Tensor(places[d][0], places[d][1]), 0.0, 1.0)
        corners = [
            aten.add.Tensor(corners[2 * i], aten.mul.Tensor(aten.sub.Tensor(corners[2 * i + 1], corners[2 * i]), share))
            for i in range(len(corners) // 2)
        ]
    return corners[0]


@composite("aten::grid_sampler")
def grid_sampler(input, grid, interpolation_mode, padding_mode, align_corners):
    if input.ndim == 4:
        return aten.grid_sampler_2d.default(input, grid, interpolation_mode, padding_mode, align_corners)
    return aten.grid_sampler_3d.default(input, grid, interpolation_mode, padding_mode, align_corners)


@core("aten::_upsample_bilinear2d_aa.vec")
def upsample_bilinear2d_aa(input, output_size, align_corners, scale_factors):
    sizes = resized(input, output_size, scale_factors)
    scales = [None, None] if scale_factors is None else scale_factors
    return aten._upsample_bilinear2d_aa.default(input, sizes, align_corners, scales[0], scales[1])


@core("aten::_upsample_bicubic2d_aa.vec")
def upsample_bicubic2d_aa(input, output_size, align_corners, scale_factors):
    sizes = resized(input, output_size, scale_factors)
    scales = [None, None] if scale_factors is None else scale_factors
    return aten._upsample_bicubic2d_aa.default(input, sizes, align_corners, scales[0], scales[1])


def spread(count, align_corners, dtype, device):
    """Places from -1 to 1: of elements' middles, or up to the ends."""
    end = 1.0 if align_corners else float(count - 1) / float(count)
    return aten.linspace.default(-end, end, count, dtype=dtype, device=device)


@core("aten::affine_grid_generator")
def affine_grid_generator(theta, size, align_corners):
    if len(size) != 4:
        return NotImplemented
    n, c, h, w = size
    x = aten.view.default(spread(w, align_corners, theta.dtype, theta.device), [1, w, 1])
    y = aten.view.default(spread(h, align_corners, theta.dtype, theta.device), [h, 1, 1])
    one = filled([1, 1, 1], 1, theta.dtype, torch.strided, theta.device)
    x = aten.constant_pad_nd.default(x, [0, 2], 0.0)
    y = aten.constant_pad_nd.default(y, [1, 1], 0.0)
    one = aten.constant_pad_nd.default(one, [2, 0], 0.0)
    grid = aten.add.Tensor(aten.add.Tensor(x, y), one)
    grid = aten.view.default(grid, [-1, 3, 1])
    turned = aten.unsqueeze.default(aten.transpose.int(theta, 1, 2), 1)
    places = aten.sum.dim_IntList(aten.mul.Tensor(grid, turned), [-2])
    return aten.view.default(places, [n, h, w, 2])
