/* Whose memory it is: a program writes to what is lent to it; a tensor goes to another library by DLPack and comes back; each owner is told once. */
#include <sconce.h>
#include <stdio.h>
#include <stdlib.h>

/* As DLPack's dlpack.h has it. */
typedef struct DLTensor {
    void *data;
    int32_t device_type, device_id, ndim;
    uint8_t code, bits;
    uint16_t lanes;
    int64_t *shape, *strides;
    uint64_t byte_offset;
} DLTensor;

struct DLManagedTensorVersioned {
    uint32_t major, minor;
    void *manager_ctx;
    void (*deleter)(struct DLManagedTensorVersioned *self);
    uint64_t flags;
    DLTensor dl_tensor;
};

static int told = 0;
static void tell(void *context) {
    ++*(int *)context;
}

static void check(SconceStatus status, SconceError *error) {
    if (status != SCONCE_STATUS_OK) {
        fprintf(stderr, "error: %s\n", sconce_error_text(error));
        sconce_error_free(error);
        exit(EXIT_FAILURE);
    }
}

int main(void) {
    static const char source[] = "def f(x):\n    return x.t().add_(1)\n";
    SconceError *error = NULL;
    SconceModel *model = NULL;
    SconceMethod *method = NULL;
    check(sconce_model_load_bytes("f.py", source, sizeof source - 1, NULL, &model, &error), error);
    check(sconce_model_method(model, NULL, &method, &error), error);

    double data[] = {1, 2, 3, 4, 5, 6};
    const int64_t sizes[] = {2, 3};
    SconceElements elements = {.dtype = SCONCE_DTYPE_F64, .rank = 2, .sizes = sizes, .data = data, .bytes = sizeof data};
    SconceTensor *x = NULL, *y = NULL, *back = NULL;
    SconceValue *value = NULL, *result = NULL;
    check(sconce_tensor_borrow(&elements, tell, &told, &x, &error), error);
    check(sconce_value_from_tensor(x, &value, &error), error);
    const SconceValue *const positional[] = {value};
    const SconceArguments arguments = {.positional = positional, .positional_count = 1};
    check(sconce_method_call(method, &arguments, &result, &error), error);
    check(sconce_value_as_tensor(result, &y, &error), error);
    printf("written in place: %g %g; the same memory: %d\n", data[0], data[5], sconce_tensor_data(y) == (void *)data);

    /* The result is a view with the columns first; DLPack carries its strides. */
    struct DLManagedTensorVersioned *managed = NULL;
    check(sconce_tensor_to_dlpack(y, &managed, &error), error);
    printf("by DLPack %u.%u: sizes %d %d, strides %d %d\n", (unsigned)managed->major, (unsigned)managed->minor,
           (int)managed->dl_tensor.shape[0], (int)managed->dl_tensor.shape[1], (int)managed->dl_tensor.strides[0],
           (int)managed->dl_tensor.strides[1]);
    check(sconce_tensor_from_dlpack(managed, &back, &error), error);
    struct DLManagedTensor *old = NULL;
    check(sconce_tensor_to_dlpack_unversioned(back, &old, &error), error);
    SconceTensor *again = NULL;
    check(sconce_tensor_from_dlpack_unversioned(old, &again, &error), error);
    printf("and back twice: the same memory: %d\n", sconce_tensor_data(again) == (void *)data);

    sconce_value_free(result);
    sconce_value_free(value);
    sconce_tensor_free(x);
    sconce_tensor_free(y);
    sconce_tensor_free(back);
    printf("told while a tensor is left: %d\n", told);
    sconce_tensor_free(again);
    printf("told when the last one went: %d\n", told);

    /* What fails tells, too. */
    elements.bytes = 8;
    if (sconce_tensor_borrow(&elements, tell, &told, &x, &error) != SCONCE_STATUS_MISUSE) {
        return EXIT_FAILURE;
    }
    printf("%s; told: %d\n", sconce_error_text(error), told);
    sconce_error_free(error);
    elements.bytes = sizeof data;
    elements.data = (const char *)data + 1;
    if (sconce_tensor_borrow(&elements, tell, &told, &x, &error) != SCONCE_STATUS_MISUSE) {
        return EXIT_FAILURE;
    }
    printf("%s; told: %d\n", sconce_error_text(error), told);
    sconce_error_free(error);
    sconce_method_free(method);
    sconce_model_free(model);
    return EXIT_SUCCESS;
}
