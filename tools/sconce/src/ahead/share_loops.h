#ifdef __cplusplus
extern "C" {
#endif

#ifndef SCONCE_SHARE_LOOPS
#define SCONCE_SHARE_LOOPS
/* Does the iterations from one to another of a loop. */
typedef void (*sconce_part)(void *loop, uint64_t from, uint64_t to);
/* Has all iterations of a loop done, in any order and on any threads, before it returns; so many of them take about 20 microseconds. */
typedef void (*sconce_parallel)(sconce_part part, void *loop, uint64_t iterations, uint64_t grain);
/* Says who shares loops among threads; until then, and with a null pointer, the calling thread does all of a loop. */
void sconce_share_loops(sconce_parallel by);
#endif

