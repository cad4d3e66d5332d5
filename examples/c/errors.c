/* What fails, and what an error says: a file that is not there, arguments that do not fit, an exception of the program's, a limit, rules of the interface. */
#include <sconce.h>
#include <stdio.h>
#include <string.h>

/* Prints and frees the error of a call that must fail in one way; counts the calls that did something else. */
static int surprises = 0;
static void failed(const char *what, SconceStatus expected, SconceStatus status, SconceError *error) {
    if (status != expected || sconce_error_status(error) != expected) {
        fprintf(stderr, "%s: status %d in place of %d: %s\n", what, (int)status, (int)expected, sconce_error_text(error));
        surprises++;
    }
    printf("%s: %s%s%s\n", what, sconce_error_class(error), *sconce_error_class(error) ? ": " : "",
           sconce_error_message(error));
    for (size_t i = 0; i < sconce_error_frame_count(error); i++) {
        const char *file = sconce_error_frame_file(error, i);
        const char *name = file && strrchr(file, '/') ? strrchr(file, '/') + 1 : file;
        printf("  in %s (%s:%u)\n", sconce_error_frame_function(error, i), name ? name : "?",
               (unsigned)sconce_error_frame_line(error, i));
    }
    sconce_error_free(error);
}

/* Calls a method with some values. */
static SconceStatus call(SconceModel *model, const char *name, const SconceValue *const *values, size_t count,
                         SconceError **error) {
    SconceMethod *method = NULL;
    SconceStatus status = sconce_model_method(model, name, &method, error);
    if (status == SCONCE_STATUS_OK) {
        SconceValue *result = NULL;
        const SconceArguments arguments = {.positional = values, .positional_count = count};
        status = sconce_method_call(method, &arguments, &result, error);
        sconce_value_free(result);
    }
    sconce_method_free(method);
    return status;
}

int main(int count, char **arguments) {
    if (count != 2) {
        fprintf(stderr, "usage: %s MODEL\n", arguments[0]);
        return 2;
    }
    SconceError *error = NULL;
    SconceModel *model = NULL;
    SconceOptions *options = NULL;
    SconceStatus status = sconce_model_load("/nowhere/model.pt", NULL, &model, &error);
    failed("no file", SCONCE_STATUS_IO, status, error);
    status = sconce_model_load_bytes("model.bin", "nonsense", 8, NULL, &model, &error);
    failed("no program", SCONCE_STATUS_LOAD, status, error);
    status = sconce_model_load_bytes("model.py", "def f(x: int): return y", 23, NULL, &model, &error);
    failed("wrong source", SCONCE_STATUS_SOURCE, status, error);

    if (sconce_options_new(&options, NULL) != SCONCE_STATUS_OK ||
        sconce_options_set_fuel(options, 100000, NULL) != SCONCE_STATUS_OK ||
        sconce_model_load(arguments[1], options, &model, &error) != SCONCE_STATUS_OK) {
        fprintf(stderr, "error: %s\n", sconce_error_text(error));
        return 1;
    }
    sconce_options_free(options);

    status = call(model, "score", NULL, 0, &error);
    failed("no such method", SCONCE_STATUS_NOT_FOUND, status, error);
    status = call(model, "forward", NULL, 0, &error);
    failed("no argument", SCONCE_STATUS_ARGUMENT, status, error);
    status = call(model, "forever", NULL, 0, &error);
    failed("no end", SCONCE_STATUS_LIMIT, status, error);

    const float data[3] = {1, 2, 3};
    const int64_t sizes[] = {1, 3}, wide[] = {1, 4};
    SconceElements elements = {.dtype = SCONCE_DTYPE_F32, .rank = 2, .sizes = sizes, .data = data, .bytes = sizeof data};
    SconceTensor *x = NULL;
    SconceValue *values[2] = {NULL, NULL}, *name = NULL;
    if (sconce_tensor_copy(&elements, &x, NULL) || sconce_value_from_tensor(x, &values[1], NULL) ||
        sconce_value_from_string("only", 4, &name, NULL) ||
        sconce_value_from_list((const SconceValue *const *)&name, 1, &values[0], NULL)) {
        return 1;
    }
    status = call(model, "best", (const SconceValue *const *)values, 2, &error);
    failed("an exception", SCONCE_STATUS_RAISED, status, error);
    status = call(model, "best", (const SconceValue *const *)values, 1, NULL);
    printf("without asking why: status %d\n", (int)status);

    SconceTensor *y = NULL;
    elements.sizes = wide;
    status = sconce_tensor_copy(&elements, &y, &error);
    failed("too few elements", SCONCE_STATUS_MISUSE, status, error);
    elements.dtype = 99;
    status = sconce_tensor_copy(&elements, &y, &error);
    failed("no dtype", SCONCE_STATUS_MISUSE, status, error);
    int64_t number = 0;
    status = sconce_value_as_int(name, &number, &error);
    failed("another kind", SCONCE_STATUS_MISUSE, status, error);
    SconceValue *bad = NULL;
    status = sconce_value_from_string("\xff", 1, &bad, &error);
    failed("no UTF-8", SCONCE_STATUS_MISUSE, status, error);
    status = sconce_method_call(NULL, NULL, NULL, &error);
    failed("no method", SCONCE_STATUS_MISUSE, status, error);
    const SconceValue *const nothing[] = {NULL};
    status = call(model, "forward", nothing, 1, &error);
    failed("no value", SCONCE_STATUS_MISUSE, status, error);

    sconce_value_free(name);
    sconce_value_free(values[0]);
    sconce_value_free(values[1]);
    sconce_tensor_free(x);
    sconce_model_free(model);
    sconce_error_free(NULL);
    return surprises ? 1 : 0;
}
