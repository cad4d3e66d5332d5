# Sums and what is computed of sums.


@core("aten::sum")
def sum_all(self, dtype):
    return aten.sum.dim_IntList(self, [], False, dtype=dtype)


@composite("aten::var.dim")
def var_dim(self, dim, unbiased, keepdim):
    return aten.var.correction(self, dim, correction=1 if unbiased else 0, keepdim=keepdim)


@composite("aten::var")
def var(self, unbiased):
    return aten.var.correction(self, None, correction=None if unbiased else 0)


@composite("aten::std.dim")
def std_dim(self, dim, unbiased, keepdim):
    return aten.std.correction(self, dim, correction=1 if unbiased else 0, keepdim=keepdim)


@composite("aten::std")
def std(self, unbiased):
    return aten.std.correction(self, None, correction=None if unbiased else 0)


@core("aten::std.correction")
def std_correction(self, dim, correction, keepdim):
    correction = 1.0 if correction is None else float(correction)
    return aten.sqrt.default(aten.var.correction(self, dim, correction=correction, keepdim=keepdim))


@composite("aten::var_mean.dim")
def var_mean_dim(self, dim, unbiased, keepdim):
    return aten.var_mean.correction(self, dim, correction=1 if unbiased else 0, keepdim=keepdim)


@composite("aten::var_mean")
def var_mean(self, unbiased):
    return aten.var_mean.correction(self, None, correction=None if unbiased else 0)


@composite("aten::std_mean.dim")
def std_mean_dim(self, dim, unbiased, keepdim):
    return aten.std_mean.correction(self, dim, correction=1 if unbiased else 0, keepdim=keepdim)


@core("aten::std_mean.correction")
def std_mean(self, dim, correction, keepdim):
    correction = 1.0 if correction is None else float(correction)
    variance, mean = aten.var_mean.correction(self, dim, correction=correction, keepdim=keepdim)
    return aten.sqrt.default(variance), mean


@core("aten::all")
def all_elements(self):
    return aten.logical_not.default(aten.any.dims(aten.logical_not.default(self), None))


@core("aten::all.dim")
def all_dim(self, dim, keepdim):
    return aten.logical_not.default(aten.any.dim(aten.logical_not.default(self), dim, keepdim))


@core("aten::aminmax")
def aminmax(self, dim, keepdim):
    dims = [] if dim is None else [dim]
    return aten.amin.default(self, dims, keepdim), aten.amax.default(self, dims, keepdim)


@composite("aten::max.other")
def max_other(self, other):
    return aten.maximum.default(self, other)


@composite("aten::min.other")
def min_other(self, other):
    return aten.minimum.default(self, other)


@composite("aten::argsort")
def argsort(self, dim, descending):
    return aten.sort.default(self, dim, descending)[1]


@composite("aten::argsort.stable")
def argsort_stable(self, stable, dim, descending):
    return aten.sort.stable(self, stable=stable, dim=dim, descending=descending)[1]


@core("aten::logsumexp")
def logsumexp(self, dim, keepdim):
    largest = aten.amax.default(self, dim, True)
    endless = aten.eq.Scalar(aten.abs.default(largest), inf)
    largest = aten.where.self(endless, scalar(0.0, largest), largest)
    kept = largest if keepdim else aten.squeeze.dims(largest, dim)
    sums = aten.sum.dim_IntList(aten.exp.default(aten.sub.Tensor(self, largest)), dim, keepdim)
    return aten.add.Tensor(aten.log.default(sums), kept)


@core("aten::count_nonzero", "aten::count_nonzero.dim_IntList")
def count_nonzero(self, dim=None):
    dims = [dim] if is_number(dim) else dim
    return aten.sum.dim_IntList(aten.ne.Scalar(self, 0), dims)


@core("aten::all.dims")
def all_dims(self, dim, keepdim):
    return aten.logical_not.default(aten.any.dims(aten.logical_not.default(self), dim, keepdim))


@core("aten::nansum")
def nansum(self, dim, keepdim, dtype):
    x = aten.where.self(aten.isnan.default(self), scalar(0, self), self)
    return aten.sum.dim_IntList(x, dim, keepdim, dtype=dtype)


@composite("aten::nanmean")
def nanmean(self, dim, keepdim, dtype):
    x = aten.detach.default(self)
    counts = aten.sum.dim_IntList(aten.logical_not.default(aten.ne.Tensor(x, x)), dim, keepdim)
    return aten.div.Tensor(aten.nansum.default(self, dim, keepdim, dtype=dtype), counts)
