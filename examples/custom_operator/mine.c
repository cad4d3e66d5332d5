/* Operators of one's own, as a shared library: cc -shared -fPIC mine.c -o libmine.so
 *
 * It links with nothing: what it needs of Sconce it is handed with each call. */
#include <sconce.h>

#include <string.h>

/* The element of a tensor of floats that is the `at`th row by row. */
static float *element(const SconceOperatorTensor *x, int64_t at) {
    float *found = x->data;
    for (size_t d = x->rank; d-- > 0;) {
        found += at % x->sizes[d] * x->strides[d];
        at /= x->sizes[d];
    }
    return found;
}

static int64_t element_count(const SconceOperatorTensor *x) {
    int64_t count = 1;
    for (size_t d = 0; d < x->rank; d++) {
        count *= x->sizes[d];
    }
    return count;
}

/* mine::scale(Tensor x, float by=1.0) -> Tensor */
static int32_t scale(SconceOperatorCall *call) {
    const SconceOperatorTensor *x = call->arguments[0].data.tensor;
    const float by = (float)call->arguments[1].data.number;
    if (x->dtype != SCONCE_DTYPE_F32) {
        return call->fail(call->host, "x must be a tensor of float32");
    }
    const SconceOperatorTensor *y = call->new_tensor(call->host, x->dtype, x->rank, x->sizes);
    if (!y) {
        return -1; /* The reason is known. */
    }
    float *to = y->data; /* Row by row. */
    const int64_t count = element_count(x);
    for (int64_t i = 0; i < count; i++) {
        to[i] = by * *element(x, i);
    }
    call->results[0].kind = SCONCE_KIND_TENSOR;
    call->results[0].data.tensor = y;
    return 0;
}

/* mine::clip_(Tensor(a!) x, *, float? least=None, float? most=None) -> Tensor(a!) */
static int32_t clip_(SconceOperatorCall *call) {
    const SconceOperatorTensor *x = call->arguments[0].data.tensor;
    const SconceOperatorValue *least = &call->arguments[1], *most = &call->arguments[2];
    if (x->dtype != SCONCE_DTYPE_F32) {
        return call->fail(call->host, "x must be a tensor of float32");
    }
    const int64_t count = element_count(x);
    for (int64_t i = 0; i < count; i++) {
        float *e = element(x, i);
        if (least->kind != SCONCE_KIND_NONE && *e < least->data.number) {
            *e = (float)least->data.number;
        }
        if (most->kind != SCONCE_KIND_NONE && *e > most->data.number) {
            *e = (float)most->data.number;
        }
    }
    call->results[0] = call->arguments[0];
    return 0;
}

/* mine::counts(Tensor[] xs) -> (int[] counts, str unit) */
static int32_t counts(SconceOperatorCall *call) {
    static const char unit[] = "elements";
    const SconceOperatorValue xs = call->arguments[0];
    const SconceOperatorValue *x = xs.data.items;
    SconceOperatorValue *found = call->allocate(call->host, xs.count * sizeof *found);
    char *text = call->allocate(call->host, strlen(unit));
    if (!found || !text) {
        return -1;
    }
    for (size_t i = 0; i < xs.count; i++) {
        found[i].kind = SCONCE_KIND_INT;
        found[i].data.integer = element_count(x[i].data.tensor);
    }
    memcpy(text, unit, strlen(unit));
    call->results[0].kind = SCONCE_KIND_LIST;
    call->results[0].count = xs.count;
    call->results[0].data.items = found;
    call->results[1].kind = SCONCE_KIND_STRING;
    call->results[1].count = strlen(unit);
    call->results[1].data.text = text;
    return 0;
}

static const SconceOperator OPERATORS[] = {
    {SCONCE_OPERATORS_VERSION, "mine::scale(Tensor x, float by=1.0) -> Tensor", scale, NULL},
    {SCONCE_OPERATORS_VERSION, "mine::clip_(Tensor(a!) x, *, float? least=None, float? most=None) -> Tensor(a!)", clip_,
     NULL},
    {SCONCE_OPERATORS_VERSION, "mine::counts(Tensor[] xs) -> (int[] counts, str unit)", counts, NULL},
};

/* The one function that others see. */
int32_t sconce_register_operators(const SconceOperatorRegistry *registry);

int32_t sconce_register_operators(const SconceOperatorRegistry *registry) {
    for (size_t i = 0; i < sizeof OPERATORS / sizeof *OPERATORS; i++) {
        if (registry->add(registry->host, &OPERATORS[i]) != 0) {
            return -1;
        }
    }
    return 0;
}
