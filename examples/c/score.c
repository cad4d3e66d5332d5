/* Loads a model, looks at its method, calls it with a tensor by position and a number by name, and prints what it gives. */
#include <sconce.h>
#include <stdio.h>
#include <stdlib.h>

/* Ends the program with what an error says, where there is one. */
static void check(SconceStatus status, SconceError *error) {
    if (status != SCONCE_STATUS_OK) {
        fprintf(stderr, "error: %s\n", sconce_error_text(error));
        sconce_error_free(error);
        exit(EXIT_FAILURE);
    }
}

int main(int count, char **arguments) {
    if (count != 2) {
        fprintf(stderr, "usage: %s MODEL\n", arguments[0]);
        return 2;
    }
    SconceError *error = NULL;
    SconceModel *model = NULL;
    check(sconce_model_load(arguments[1], NULL, &model, &error), error);
    SconceMethod *forward = NULL;
    check(sconce_model_method(model, "forward", &forward, &error), error);
    /* The method keeps the program. */
    sconce_model_free(model);

    for (size_t i = 0; i < sconce_method_parameter_count(forward); i++) {
        printf("parameter %s: %s%s\n", sconce_method_parameter_name(forward, i), sconce_method_parameter_type(forward, i),
               sconce_method_parameter_has_default(forward, i) ? " (may be left out)" : "");
    }
    printf("%zu result: %s\n", sconce_method_result_count(forward), sconce_method_result_type(forward, 0));

    const float data[2][3] = {{1, 2, 3}, {3, 2, 1}};
    const int64_t sizes[] = {2, 3};
    const SconceElements elements = {
        .dtype = SCONCE_DTYPE_F32, .rank = 2, .sizes = sizes, .data = data, .bytes = sizeof data};
    SconceTensor *x = NULL;
    SconceValue *x_value = NULL, *scale = NULL, *result = NULL;
    check(sconce_tensor_copy(&elements, &x, &error), error);
    check(sconce_value_from_tensor(x, &x_value, &error), error);
    check(sconce_value_from_double(2, &scale, &error), error);

    const SconceValue *const positional[] = {x_value}, *const named[] = {scale};
    const char *const names[] = {"scale"};
    const SconceArguments call = {
        .positional = positional, .positional_count = 1, .names = names, .named = named, .named_count = 1};
    check(sconce_method_call(forward, &call, &result, &error), error);

    SconceTensor *y = NULL;
    check(sconce_value_as_tensor(result, &y, &error), error);
    printf("%s of %zu dimensions:", sconce_dtype_name(sconce_tensor_dtype(y)), sconce_tensor_rank(y));
    const float *first = sconce_tensor_data(y);
    const int64_t *size = sconce_tensor_sizes(y), *stride = sconce_tensor_strides(y);
    for (int64_t i = 0; i < size[0]; i++) {
        for (int64_t j = 0; j < size[1]; j++) {
            printf(" %g", first[i * stride[0] + j * stride[1]]);
        }
    }
    printf("\n");

    sconce_tensor_free(y);
    sconce_value_free(result);
    sconce_value_free(scale);
    sconce_value_free(x_value);
    sconce_tensor_free(x);
    sconce_method_free(forward);
    return EXIT_SUCCESS;
}
