/* Passes and pipelines written in Rust, as real MLIR passes with real options. Mirrored in dialects/ir/src/ffi.rs. */
#ifndef SCONCE_PASS_H
#define SCONCE_PASS_H

#include "mlir-c/IR.h"

#ifdef __cplusplus
extern "C" {
#endif

enum { SCONCE_OPTION_BOOL = 0, SCONCE_OPTION_INT = 1, SCONCE_OPTION_STRING = 2 };

typedef struct SconcePassOption {
  MlirStringRef name;
  MlirStringRef description;
  int32_t kind;
  /* Default of a bool or int. */
  int64_t number;
  /* Default of a string. */
  MlirStringRef string;
} SconcePassOption;

typedef struct SconcePassRow {
  MlirStringRef argument;
  MlirStringRef description;
  /* Operation the pass is anchored on, such as "func.func"; empty: any. */
  MlirStringRef anchor;
  const SconcePassOption *options;
  size_t numOptions;
  const MlirStringRef *dependentDialects;
  size_t numDependentDialects;
  uint32_t id;
} SconcePassRow;

/* The pass that is running; valid during the callback. */
typedef struct SconcePassRun SconcePassRun;

/* False: the pass failed, and a diagnostic says why. Called on several threads at once. Must not unwind. */
typedef bool (*SconcePassFn)(uint32_t id, MlirOperation op, SconcePassRun *run);

/* Adds a pass to MLIR's registry. The row is copied. The argument must not be taken. */
void sconceRegisterPass(const SconcePassRow *row, SconcePassFn run);

/* Adds a named pipeline, given as text. False when the text does not parse; `errors` gets the reason. */
typedef void (*SconceTextSink)(MlirStringRef text, void *user);
bool sconceRegisterPipeline(MlirStringRef argument, MlirStringRef description, MlirStringRef pipeline, SconceTextSink errors,
                            void *user);

/* Options by index in the row. */
int64_t sconcePassOptionNumber(SconcePassRun *run, size_t index);
MlirStringRef sconcePassOptionString(SconcePassRun *run, size_t index);

/* Runs passes on the current operation or one nested in it, within the current pass manager. */
MlirLogicalResult sconcePassRunPipeline(SconcePassRun *run, MlirStringRef pipeline, MlirOperation op);

/* Is there a pass or a pipeline of this name? */
bool sconcePassExists(MlirStringRef argument);

#ifdef __cplusplus
}
#endif
#endif
