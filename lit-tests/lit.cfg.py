# How the files below this folder become tests. `cargo xtask lit` starts it with the two folders; by hand:
#   lit --param tools=target/debug --param llvm=/usr/lib/llvm-22/bin lit-tests
import os
import sys

import lit.formats
import lit.llvm  # noqa: F401  (finds out early that this lit is too old)

config.name = "sconce"
config.test_format = lit.formats.ShTest(execute_external=False)
config.suffixes = [".mlir", ".txt", ".py", ".test"]
config.excludes = ["lit.cfg.py", "Inputs", "README.md"]
config.test_source_root = os.path.dirname(__file__)
root = os.path.dirname(config.test_source_root)

tools = os.path.abspath(lit_config.params.get("tools", os.path.join(root, "target", "debug")))
llvm = os.path.abspath(lit_config.params.get("llvm", "/usr/lib/llvm-22/bin"))
config.test_exec_root = os.path.join(os.path.dirname(tools), "lit")

# The tools' own words are tested; colours and the reader's language would change them.
config.environment["PATH"] = os.pathsep.join([tools, llvm, os.environ.get("PATH", "")])
config.environment["NO_COLOR"] = "1"
config.environment["LC_ALL"] = "C.UTF-8"

config.substitutions.append(("%root", root))
config.substitutions.append(("%python", sys.executable))

# A test says `REQUIRES: sconce-translate` when it needs a tool that a build of one crate alone may lack.
for tool in ["sconce", "sconce-opt", "sconce-rt", "sconce-translate", "sconce-lsp"]:
    if os.access(os.path.join(tools, tool), os.X_OK):
        config.available_features.add(tool)


def is_there(tool):
    return any(os.access(os.path.join(d, tool), os.X_OK) for d in config.environment["PATH"].split(os.pathsep) if d)


for feature, needed in {
    "ptxas": ["ptxas"],
    "node": ["node"],
    "cc": ["cc", "rustc"],
    "aarch64": ["cc", "aarch64-linux-gnu-gcc", "qemu-aarch64"],
}.items():
    if all(is_there(tool) for tool in needed):
        config.available_features.add(feature)
