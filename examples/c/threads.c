/* Four threads call one method at once, each with memory of its own that the tensors borrow; every answer is compared with one thread's. */
#include <pthread.h>
#include <sconce.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { THREADS = 4, CALLS = 50, ROWS = 8 };

static SconceMethod *forward;
static atomic_int released, wrong;

/* Called when the last tensor over a thread's memory goes. */
static void release(void *context) {
    free(context);
    atomic_fetch_add(&released, 1);
}

/* One call over memory that is lent to the tensor; the result's elements go to `out`. */
static int call(int seed, float out[ROWS * 2]) {
    float *data = malloc(ROWS * 3 * sizeof *data);
    for (int i = 0; i < ROWS * 3; i++) {
        data[i] = (float)((i * 7 + seed) % 11) / 4 - 1;
    }
    const int64_t sizes[] = {ROWS, 3};
    const SconceElements elements = {
        .dtype = SCONCE_DTYPE_F32, .rank = 2, .sizes = sizes, .data = data, .bytes = ROWS * 3 * sizeof *data};
    SconceTensor *x = NULL, *y = NULL, *rows = NULL;
    SconceValue *value = NULL, *result = NULL;
    SconceError *error = NULL;
    /* The memory is the tensor's from here on, whatever comes. */
    SconceStatus status = sconce_tensor_borrow(&elements, release, data, &x, &error);
    if (!status && !(status = sconce_value_from_tensor(x, &value, &error))) {
        const SconceValue *const positional[] = {value};
        const SconceArguments arguments = {.positional = positional, .positional_count = 1};
        status = sconce_method_call(forward, &arguments, &result, &error);
    }
    if (!status && !(status = sconce_value_as_tensor(result, &y, &error)) &&
        !(status = sconce_tensor_contiguous(y, &rows, &error))) {
        memcpy(out, sconce_tensor_data(rows), ROWS * 2 * sizeof *out);
    }
    if (status) {
        fprintf(stderr, "error: %s\n", sconce_error_text(error));
        sconce_error_free(error);
    }
    sconce_tensor_free(rows);
    sconce_tensor_free(y);
    sconce_value_free(result);
    sconce_value_free(value);
    sconce_tensor_free(x);
    return status;
}

static void *work(void *first) {
    for (int i = 0; i < CALLS; i++) {
        float expected[ROWS * 2], found[ROWS * 2];
        const int seed = *(int *)first + i % 5;
        if (call(seed, expected) || call(seed, found) || memcmp(expected, found, sizeof found)) {
            atomic_fetch_add(&wrong, 1);
        }
    }
    return NULL;
}

int main(int count, char **arguments) {
    if (count != 2) {
        fprintf(stderr, "usage: %s MODEL\n", arguments[0]);
        return 2;
    }
    SconceError *error = NULL;
    SconceModel *model = NULL;
    if (sconce_model_load(arguments[1], NULL, &model, &error) || sconce_model_method(model, NULL, &forward, &error)) {
        fprintf(stderr, "error: %s\n", sconce_error_text(error));
        return 1;
    }
    sconce_model_free(model);
    pthread_t threads[THREADS];
    int first[THREADS];
    for (int i = 0; i < THREADS; i++) {
        first[i] = i;
        if (pthread_create(&threads[i], NULL, work, &first[i])) {
            return 1;
        }
    }
    for (int i = 0; i < THREADS; i++) {
        pthread_join(threads[i], NULL);
    }
    sconce_method_free(forward);
    printf("%d calls by %d threads, %d wrong; memory given back %d times\n", THREADS * CALLS * 2, THREADS, (int)wrong,
           (int)released);
    return wrong ? 1 : 0;
}
