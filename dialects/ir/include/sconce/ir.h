/* Text, attributes and IR surgery that MLIR's C API lacks. Mirrored in dialects/ir/src/ffi.rs; the rules are those of sconce/torch.h. */
#ifndef SCONCE_IR_H
#define SCONCE_IR_H

#include "mlir-c/IR.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Every upstream dialect and extension, the LLVM translations, and ours. */
void sconceRegisterEverything(MlirDialectRegistry registry);

/* Registers the upstream passes and the ones the shim adds; once per process, further calls do nothing. */
void sconceRegisterUpstreamPasses(void);

/* MLIR's parser recurses: text nested deeper than it can stand ends the process. Offset of the bracket (or sign) that goes too deep, or -1.
 * Bytecode is never too deep. */
intptr_t sconceTooDeep(MlirStringRef text);

/* Parses text or bytecode; `name` is the file name in locations. Null after errors, which are diagnostics. Ownership goes to the caller. */
MlirModule sconceCreateModuleFromText(MlirContext context, MlirStringRef text, MlirStringRef name, bool verify);

typedef void (*SconceStrSink)(MlirStringRef text, void *user);

/* Prints an operation, and says of each operation in it on which line of the text it begins, from 0. */
typedef void (*SconceLine)(MlirOperation op, unsigned line, void *user);
void sconcePrintPlaced(MlirOperation op, MlirOpPrintingFlags flags, SconceStrSink text, SconceLine line, void *user);

/* Emits a diagnostic: 0 error, 1 warning, 3 remark (MLIR's own numbers). */
void sconceEmitDiagnostic(MlirLocation location, int severity, MlirStringRef message);

/* A dense_resource attribute that holds a copy of `length` bytes under a name made unique from `name`. Null when the length does not fit `type`. */
MlirAttribute sconceCreateDenseResource(MlirType type, MlirStringRef name, const void *data, size_t length, size_t alignment);

/* The bytes of a dense_resource (false: not one, or its blob is missing). They live as long as the context. */
bool sconceDenseResourceData(MlirAttribute attribute, MlirStringRef *name, const void **data, size_t *length);

/* Nested symbol reference @root::@a::@b as text without the signs, one callback per part. False when it is no symbol reference. */
bool sconceSymbolRefParts(MlirAttribute attribute, SconceStrSink sink, void *user);

/* Bits of an IntegerAttr wider than 64 are cut; `isUnsigned` tells an explicitly unsigned type. False when it is no integer attribute. */
bool sconceIntegerValue(MlirAttribute attribute, int64_t *value, bool *isUnsigned);

/* The chip of an NVVM target attribute, which lives as long as the context. False when it is another attribute. */
bool sconceGpuTargetChip(MlirAttribute target, MlirStringRef *chip);

/* Attributes that MLIR's C API does not make: what arithmetic may do to the order of operations, how a loop of linalg runs, and the sum of a vector. */
MlirAttribute sconceFastMath(MlirContext context, bool reassociates, bool contracts, bool numbers);
MlirAttribute sconceIteratorType(MlirContext context, bool reduces);
MlirAttribute sconceVectorSum(MlirContext context);

/* The flags of an operation of arith as those of one of LLVM; null for what are no such flags. */
MlirAttribute sconceLlvmFastMath(MlirAttribute flags);

/* Splits `block` before `op`; the second half, with `op` first, is a new block after it. */
MlirBlock sconceSplitBlockBefore(MlirOperation op);

/* Moves all operations of `source` in front of `before`, or to the end of `target` when `before` is null. Block arguments stay. */
void sconceSpliceBlock(MlirBlock source, MlirBlock target, MlirOperation before);

/* Copies `op` with its regions; operands found in `from` become the entry of `to` at the same place, also inside regions. The pairs
 * results[i] -> copy's results[i] are not added for the caller. */
MlirOperation sconceCloneWithMapping(MlirOperation op, intptr_t count, const MlirValue *from, const MlirValue *to);

/* Topological order of the operations of a graph-like block; false when there is a cycle. */
bool sconceSortTopologically(MlirBlock block);

/* Is every use of the operation's results gone? */
bool sconceIsUnused(MlirOperation op);

/* Can the operation be removed when nothing uses its results (no effects, or only allocation of what it returns)? */
bool sconceIsTriviallyDead(MlirOperation op);

/* No memory effect, of itself and of the operations in its regions. */
bool sconceIsMemoryEffectFree(MlirOperation op);

bool sconceIsTerminator(MlirOperation op);
bool sconceIsConstantLike(MlirOperation op);

/* Folds one operation: 0 no fold; 1 the results became attributes; 2 values. `attributes` and `values` have room for its results.
 * The null entries of both are the results that did not fold. */
int sconceFoldOperation(MlirOperation op, MlirAttribute *attributes, MlirValue *values);

#ifdef __cplusplus
}
#endif
#endif
