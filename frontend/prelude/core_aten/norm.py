# Normalisations.


@composite("aten::layer_norm")
def layer_norm(input, normalized_shape, weight, bias, eps):
    return aten.native_layer_norm.default(input, normalized_shape, weight, bias, eps)[0]


@composite("aten::group_norm")
def group_norm(input, num_groups, weight, bias, eps):
    area = prod(input.shape[2:])
    return aten.native_group_norm.default(input, weight, bias, input.size(0), input.size(1), area, num_groups, eps)[0]


@composite("aten::batch_norm")
def batch_norm(input, weight, bias, running_mean, running_var, training, momentum, eps):
    asked("eq", input.numel(), 0)
    # A second result of PyTorch's, which takes a name.
    aten.empty.memory_format([0], dtype=torch.uint8, layout=torch.strided, device=input.device)
    if not training:
        return aten._native_batch_norm_legit_no_training.default(input, weight, bias, running_mean, running_var, momentum, eps)[0]
    if running_mean is None:
        return aten._native_batch_norm_legit.no_stats(input, weight, bias, True, momentum, eps)[0]
    parts = aten._native_batch_norm_legit_functional.default(input, weight, bias, running_mean, running_var, True, momentum, eps)
    write(running_mean, parts[3])
    write(running_var, parts[4])
    return parts[0]


@composite("aten::instance_norm")
def instance_norm(input, weight, bias, running_mean, running_var, use_input_stats, momentum, eps):
    n = input.size(0)
    c = input.size(1)
    repeated = [None if x is None else aten.repeat.default(x, [n]) for x in [weight, bias, running_mean, running_var]]
    flat = aten.view.default(aten.contiguous.default(input), [1, n * c] + input.shape[2:])
    if use_input_stats and running_mean is not None:
        return NotImplemented
    result = aten.batch_norm.default(flat, repeated[0], repeated[1], repeated[2], repeated[3], use_input_stats, momentum, eps, False)
    return aten.view.default(result, input.shape)


@core("aten::linalg_vector_norm")
def vector_norm(self, ord, dim, keepdim, dtype):
    x = in_float(self)
    if dtype is not None:
        x = in_dtype(self, dtype)
    if dim is not None:
        dim = [wrap(d, self.ndim) for d in dim]
    if ord == 2:
        result = aten.pow.Tensor_Scalar(aten.sum.dim_IntList(aten.pow.Tensor_Scalar(x, ord), dim, keepdim), 0.5)
    elif ord == inf:
        result = aten.amax.default(aten.abs.default(x), dim if dim is not None else [], keepdim)
    elif ord == -inf:
        result = aten.amin.default(aten.abs.default(x), dim if dim is not None else [], keepdim)
    elif ord == 0:
        return NotImplemented
    else:
        powers = aten.pow.Tensor_Scalar(aten.abs.default(x), ord)
        result = aten.pow.Tensor_Scalar(aten.sum.dim_IntList(powers, dim, keepdim), 1.0 / ord)
    return back(result, self) if dtype is None else result


@composite("aten::rms_norm")
def rms_norm(input, normalized_shape, weight, eps):
    x = in_float(input)
    dims = [input.ndim - len(normalized_shape) + d for d in range(len(normalized_shape))]
    if eps is None:
        eps = epsilon(x.dtype)
    squares = aten.mean.dim(aten.pow.Tensor_Scalar(x, 2), dims, True)
    scaled = aten.mul.Tensor(x, aten.rsqrt.default(aten.add.Scalar(squares, eps)))
    if weight is not None:
        scaled = aten.mul.Tensor(scaled, weight)
    return converted(scaled, input.dtype)


@composite("aten::norm.ScalarOpt_dim")
def norm_dim(self, p, dim, keepdim):
    return aten.linalg_vector_norm.default(self, 2 if p is None else p, dim if len(dim) > 0 else None, keepdim)


@composite("aten::norm.Scalar")
def norm(self, p):
    return aten.linalg_vector_norm.default(self, p, None)


@composite("aten::linalg_norm")
def linalg_norm(self, ord, dim, keepdim, dtype):
    if ord is None:
        return aten.linalg_vector_norm.default(self, 2.0, dim, keepdim, dtype=dtype)
    if (dim is not None and len(dim) == 1) or (dim is None and self.ndim == 1):
        return aten.linalg_vector_norm.default(self, ord, dim, keepdim, dtype=dtype)
    return NotImplemented


@composite("aten::cosine_similarity")
def cosine_similarity(x1, x2, dim, eps):
    shape = broadcast(x1.shape, x2.shape)
    if x1.shape != shape:
        x1 = aten.expand.default(x1, shape)
    if x2.shape != shape:
        x2 = aten.expand.default(x2, shape)
    norm1 = aten.clone.default(aten.linalg_vector_norm.default(x1, 2, [dim], True))
    norm2 = aten.clone.default(aten.linalg_vector_norm.default(x2, 2, [dim], True))
    least = aten.scalar_tensor.default(eps, dtype=norm1.dtype, device=norm1.device)
    norm1 = aten.clamp.Tensor(norm1, least)
    norm2 = aten.clamp.Tensor(norm2, least)
    second = aten.div.Tensor(x2, norm2)
    first = aten.div.Tensor(x1, norm1)
    return aten.sum.dim_IntList(aten.mul.Tensor(first, second), [dim])


@composite("aten::cdist")
def cdist(x1, x2, p, compute_mode):
    return aten._cdist_forward.default(x1, x2, p, compute_mode)
