/* Loads a library of operators, and calls one of them in a program: use LIBRARY */
#include <sconce.h>
#include <stdio.h>
#include <string.h>

static const char SOURCE[] = "import torch\n"
                             "def tripled(x):\n"
                             "    return torch.ops.mine.scale(x, by=3.0)\n";

static int failed(const char *what, SconceError *error) {
    fprintf(stderr, "%s: %s\n", what, sconce_error_text(error));
    sconce_error_free(error);
    return 1;
}

int main(int count, char **arguments) {
    if (count != 2) {
        fprintf(stderr, "usage: %s LIBRARY\n", arguments[0]);
        return 2;
    }
    SconceError *error = NULL;
    SconceModel *model = NULL;
    SconceMethod *method = NULL;
    /* Nobody knows the operator yet. */
    SconceStatus status = sconce_model_load_bytes("tripled.py", SOURCE, strlen(SOURCE), NULL, &model, NULL);
    printf("without the library: status %d\n", (int)status);
    status = sconce_load_operators("/nowhere/libmine.so", &error);
    printf("no library: status %d, %s\n", (int)status, sconce_error_text(error));
    sconce_error_free(error);

    if (sconce_load_operators(arguments[1], &error) || sconce_load_operators(arguments[1], &error)) {
        return failed("the library", error);
    }
    if (sconce_model_load_bytes("tripled.py", SOURCE, strlen(SOURCE), NULL, &model, &error) ||
        sconce_model_method(model, "tripled", &method, &error)) {
        return failed("the program", error);
    }
    const float data[3] = {1, 2, 3};
    const int64_t sizes[] = {3};
    const SconceElements elements = {
        .dtype = SCONCE_DTYPE_F32, .rank = 1, .sizes = sizes, .data = data, .bytes = sizeof data};
    SconceTensor *x = NULL;
    SconceValue *value = NULL, *result = NULL;
    SconceText *text = NULL;
    if (sconce_tensor_copy(&elements, &x, &error) || sconce_value_from_tensor(x, &value, &error)) {
        return failed("the argument", error);
    }
    const SconceValue *const values[] = {value};
    const SconceArguments call = {.positional = values, .positional_count = 1};
    if (sconce_method_call(method, &call, &result, &error) || sconce_value_to_text(result, &text, &error)) {
        return failed("the call", error);
    }
    printf("with it: %s\n", sconce_text_data(text));

    sconce_text_free(text);
    sconce_value_free(result);
    sconce_value_free(value);
    sconce_tensor_free(x);
    sconce_method_free(method);
    sconce_model_free(model);
    return 0;
}
