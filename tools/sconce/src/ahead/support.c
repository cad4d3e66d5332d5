#include <math.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/* What models have in common: each defines it, and a program has it once. */

typedef void (*sconce_part)(void *loop, uint64_t from, uint64_t to);
typedef void (*sconce_parallel)(sconce_part part, void *loop, uint64_t iterations, uint64_t grain);

WEAK _Thread_local int sconce_refused;
WEAK _Atomic(sconce_parallel) sconce_sharing;

/* What code calls when an index is out of range. */
WEAK void sconce_refuse(void) {
    sconce_refused = 1;
}

WEAK __attribute__((visibility("default"))) void sconce_share_loops(sconce_parallel by) {
    atomic_store(&sconce_sharing, by);
}

struct sconce_loop {
    void (*part)(const uint64_t *words, uint64_t from, uint64_t to);
    const uint64_t *words;
    atomic_int refused;
};

static void run_part(void *loop, uint64_t from, uint64_t to) {
    struct sconce_loop *l = loop;
    int before = sconce_refused;
    sconce_refused = 0;
    l->part(l->words, from, to);
    if (sconce_refused)
        atomic_store(&l->refused, 1);
    sconce_refused = before;
}

/* What code calls for a loop whose iterations may run at once. */
WEAK void sconce_parallel_for(uint64_t count, uint64_t grain, void (*part)(const uint64_t *, uint64_t, uint64_t),
                              const uint64_t *words) {
    sconce_parallel by = atomic_load(&sconce_sharing);
    struct sconce_loop loop = {part, words, 0};
    if (!by || count < 2 * grain) {
        part(words, 0, count);
        return;
    }
    by(run_part, &loop, count, grain);
    if (atomic_load(&loop.refused))
        sconce_refused = 1;
}

static inline uint64_t bits_of(double x) {
    uint64_t bits;
    memcpy(&bits, &x, 8);
    return bits;
}

