/* LLVM code: modules in the LLVM dialect to LLVM IR, assembly and objects, and objects into the process. Mirrored in dialects/ir/src/ffi.rs. */
#ifndef SCONCE_JIT_H
#define SCONCE_JIT_H

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
  /* Position independent, small code model: for shared objects, and for loaders that place code themselves. Otherwise as ORC wants it. */
  bool pic;
  /* Assume that nobody looks at floating-point exceptions and rounding; allow fused multiply-add. */
  bool contract;
} SconceTarget;

typedef void (*SconceBytes)(MlirStringRef bytes, void *user);

/* Compiles a module of the LLVM dialect. Errors are diagnostics on the module. */
MlirLogicalResult sconceEmitCode(MlirModule module, const SconceTarget *target, int what, SconceBytes emit, void *user);

/* Triple, CPU name and feature string of this machine. */
void sconceHost(SconceBytes triple, SconceBytes cpu, SconceBytes features, void *user);

typedef struct SconceJit SconceJit;

/* A linker for objects in this process. Null: `error` got the reason. */
SconceJit *sconceJitCreate(SconceBytes error, void *user);
void sconceJitDestroy(SconceJit *jit);
/* Makes `address` known as `name` to objects added later. */
bool sconceJitDefine(SconceJit *jit, MlirStringRef name, void *address, SconceBytes error, void *user);
/* Links an object, which is copied. Each object has a name space of its own that sees the defined symbols; `unit` names it in lookups. */
bool sconceJitAdd(SconceJit *jit, MlirStringRef object, MlirStringRef unit, SconceBytes error, void *user);
/* Address of a symbol of that object; null: `error` got the reason. */
void *sconceJitLookup(SconceJit *jit, MlirStringRef unit, MlirStringRef name, SconceBytes error, void *user);
/* Unloads an object; pointers into it die. */
bool sconceJitRemove(SconceJit *jit, MlirStringRef unit, SconceBytes error, void *user);

#ifdef __cplusplus
}
#endif
#endif
