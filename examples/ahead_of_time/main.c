/* The classifier from C, its loops shared by the threads of OpenMP where the compiler has it. */
#include "classifier.h"
#include <stdio.h>

static void share(sconce_part part, void *loop, uint64_t iterations, uint64_t grain) {
    int64_t pieces = (int64_t)(iterations / (grain ? grain : 1)) + 1;
#pragma omp parallel for
    for (int64_t i = 0; i < pieces; i++)
        part(loop, iterations * i / pieces, iterations * (i + 1) / pieces);
}

int main(void) {
    static float image[3 * 16 * 16];
    float classes[4];
    for (int i = 0; i < 3 * 16 * 16; i++)
        image[i] = 0.5f;
    sconce_share_loops(share);
    if (classifier_run(image, classes) != 0)
        return 1;
    printf("[[%.4f, %.4f, %.4f, %.4f]]\n", classes[0], classes[1], classes[2], classes[3]);
    return 0;
}
