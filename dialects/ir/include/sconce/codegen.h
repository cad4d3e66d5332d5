/* LLVM code: modules in the LLVM dialect to LLVM IR, assembly and objects. Mirrored in dialects/ir/src/ffi.rs. */
#ifndef SCONCE_CODEGEN_H
#define SCONCE_CODEGEN_H

#include "mlir-c/IR.h"

#ifdef __cplusplus
extern "C" {
#endif

enum { SCONCE_EMIT_LLVM = 0, SCONCE_EMIT_BITCODE = 1, SCONCE_EMIT_ASM = 2, SCONCE_EMIT_OBJECT = 3 };

typedef struct SconceTarget {
  /* Empty: the host's. */
  MlirStringRef triple;
  MlirStringRef cpu;
  MlirStringRef features;
  /* 0 to 3: the middle end, and code generation. */
  uint32_t optLevel;
  uint32_t codegenLevel;
  /* Assume that nobody looks at floating-point exceptions and rounding; allow fused multiply-add. */
  bool contract;
  /* Before each access to memory, call the function that checks it: __asan_load4_noabort and its kin. */
  bool checked;
} SconceTarget;

typedef void (*SconceBytes)(MlirStringRef bytes, void *user);

/* Compiles a module of the LLVM dialect. Errors are diagnostics on the module. */
MlirLogicalResult sconceEmitCode(MlirModule module, const SconceTarget *target, int what, SconceBytes emit, void *user);

/* The LLVM IR of sconceEmitCode without what it says of places: `line` is told of each instruction on which line of the text it stands, from 0, and which line of
 * its source it is of. Debug scopes are on the functions before. */
typedef void (*SconceInstruction)(unsigned line, unsigned source, void *user);
MlirLogicalResult sconceEmitPlacedLlvm(MlirModule module, const SconceTarget *target, SconceBytes emit,
                                       SconceInstruction line, void *user);

/* Triple, CPU name and feature string of this machine. */
void sconceHost(SconceBytes triple, SconceBytes cpu, SconceBytes features, void *user);

/* The features that a target has, as a feature string; an error text in `error` when there is no such target. */
void sconceFeatures(const SconceTarget *target, SconceBytes features, SconceBytes error, void *user);

#ifdef __cplusplus
}
#endif
#endif
