/* The C ABI of the dialects and the operator table; mirrored by hand on the Rust side.
 *
 * Rules for all of include/sconce: whoever allocates frees. Only MLIR C API handles (borrowed for the call unless a name says take or create), plain structs,
 * pointer + length strings (copied by the callee when it keeps them) and function pointers with a u32 id cross this line. Tables are
 * handed over before the first context is made and live for ever. Errors are MLIR diagnostics. A callback must not unwind. */
#ifndef SCONCE_TORCH_H
#define SCONCE_TORCH_H

#include "mlir-c/IR.h"
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

enum {
  /* A function of its inputs that writes none of them. On value types it has no effect at all; on mutable ones it reads. */
  SCONCE_OP_PURE = 1 << 0,
  SCONCE_OP_READS = 1 << 1,
  SCONCE_OP_WRITES = 1 << 2,
  /* A result shares storage with an argument. */
  SCONCE_OP_VIEW = 1 << 3,
  SCONCE_OP_COMMUTATIVE = 1 << 4,
  /* Cannot fail, so it may be computed where the program would not have reached it. */
  SCONCE_OP_SPECULATABLE = 1 << 5,
  /* The fold callback knows it. */
  SCONCE_OP_FOLDS = 1 << 6,
  /* torch-mlir does not register it: its text is `torch.operator "aten.foo.ov"(…)`. */
  SCONCE_OP_AS_OPERATOR = 1 << 7,
  /* Operands are written in parentheses, as torch-mlir does for schemas with `...`. */
  SCONCE_OP_PARENTHESES = 1 << 8
};

/* One operator. `name` is the dialect's: "torch.aten.add.Tensor".
 *
 * Type codes, prefix notation:
 *   T any tensor, V value tensor, N non-value tensor; i int, f float, b bool, s str, n number (int, float or number), d Device,
 *   g Generator, P LinearParams, z none, . anything; lX list, ?X optional (X, none, or optional), {KV dict, (X…) tuple,
 *   <mnemonic> a type of that name whatever it holds; *X (last only) any number of X. */
typedef struct SconceOpRow {
  MlirStringRef name;
  const MlirStringRef *operands;
  size_t numOperands;
  const MlirStringRef *results;
  size_t numResults;
  /* As many as results, or none: names for printing when there are several results; an empty one prints `resultN`. */
  const MlirStringRef *resultNames;
  size_t numResultNames;
  uint32_t flags;
  /* Passed to the fold callback. */
  uint32_t id;
} SconceOpRow;

/* Adds operators for every context in which the torch dialect is loaded later. A name that is known already keeps its first row.
 * Returns the number of rows refused because of a malformed name or type code. Not for concurrent use with context creation. */
size_t sconceRegisterOps(const SconceOpRow *rows, size_t count);

/* Adds one operator to a context that already holds the torch dialect, and to later ones. False when the row is malformed. */
bool sconceRegisterOpIn(MlirContext context, const SconceOpRow *row);

/* Returns 0: no fold; 1: `out` holds one attribute per result; 2: `outValues` holds one existing value per result.
 * `operands[i]` is null when operand i is no constant. Called on several threads at once. */
typedef int (*SconceFoldFn)(uint32_t id, MlirOperation op, intptr_t count, const MlirAttribute *operands, MlirAttribute *out,
                            MlirValue *outValues);
void sconceSetFold(SconceFoldFn fold);

/* torch, torch_c and sconce. */
void sconceRegisterDialects(MlirDialectRegistry registry);

/* The row's id and flags when `op` comes from the table; false otherwise. */
bool sconceOpInfo(MlirOperation op, uint32_t *id, uint32_t *flags);

/* Relations of torch types: whether a value of `sub` is one of `super` unchanged (what derefine does); whether a value may be written to. */
bool sconceIsSubtype(MlirType sub, MlirType super);
bool sconceIsMutable(MlirType type);

/* A type of the torch dialect taken apart; strings and arrays live as long as its context. */
typedef struct SconceTypeParts {
  /* As in text, without `!torch.`: "list", "vtensor", "int". */
  MlirStringRef word;
  /* What it holds: an element, key and value, members, fields; a tensor's dtype where it is known. */
  size_t numTypes;
  /* A class's, enum's or variable's name; a named tuple's, then its fields'. */
  size_t numNames;
  /* Of a tensor whose rank is known; -1 is a size that is not. */
  bool hasSizes;
  const int64_t *sizes;
  size_t numSizes;
  /* A tensor that says how it is encoded (sparsity). */
  bool hasEncoding;
} SconceTypeParts;

/* False for types of other dialects. */
bool sconceTypeParts(MlirType type, SconceTypeParts *parts);
/* Write as many as the parts say. */
void sconceTypeHolds(MlirType type, MlirType *types);
void sconceTypeNames(MlirType type, MlirStringRef *names);
/* The type with these parts (an encoding cannot be asked for). Null when there is none such; nothing is emitted. */
MlirType sconceTypeGet(MlirContext context, const SconceTypeParts *parts, const MlirType *types, const MlirStringRef *names);

#ifdef __cplusplus
}
#endif

#endif /* SCONCE_TORCH_H */
