/* mlir-opt, mlir-translate and the language server as functions. Mirrored in dialects/ir/src/ffi.rs. */
#ifndef SCONCE_TOOLS_H
#define SCONCE_TOOLS_H

#include "mlir-c/IR.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef void (*SconceOutput)(MlirStringRef text, void *user);

/* Turns an input file that is no MLIR into MLIR text, or MLIR into a foreign text. 0: leave it alone. 1: `emit` got the text. 2: not readable, and stderr says
   why. */
typedef int (*SconceImportFn)(MlirStringRef fileName, MlirStringRef contents, SconceOutput emit, void *user);

/* The whole of mlir-opt with the registered dialects and passes; returns the exit status: 0, 1 (bad input), 2 (bad usage). `exportGraph` gets bytecode, for
   --graph-text. */
int sconceOptMain(int argc, char **argv, MlirStringRef version, SconceImportFn import, SconceImportFn exportGraph);

/* Reads `contents`, returns an operation (null: failed, and diagnostics say why) that the caller owns. */
typedef MlirOperation (*SconceReadFn)(MlirContext context, MlirStringRef contents, MlirStringRef fileName);
/* Writes the module as text; false: failed, and diagnostics say why. `option` is the value of the registered option. */
typedef bool (*SconceWriteFn)(MlirModule module, MlirStringRef option, SconceOutput emit, void *user);

/* `--name` reads a foreign text and prints MLIR with locations. */
void sconceRegisterReader(MlirStringRef name, MlirStringRef description, SconceReadFn read);
/* `--name` reads MLIR and prints a foreign text; `--option=x` chooses how (empty option name: none). */
void sconceRegisterWriter(MlirStringRef name, MlirStringRef description, MlirStringRef option, MlirStringRef optionHelp,
                          MlirStringRef optionDefault, SconceWriteFn write);

/* The whole of mlir-translate. */
int sconceTranslateMain(int argc, char **argv, MlirStringRef version);

int sconceLspMain(int argc, char **argv);

#ifdef __cplusplus
}
#endif
#endif
