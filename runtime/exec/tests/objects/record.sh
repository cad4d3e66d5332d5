#!/bin/sh
# Objects as LLVM makes them for the tests of loading: FOLDER/objects/*.o. region.ll is `sconce show region.py -i 3x4xf64 -i 3x4xf64 --llvm` of
#     def f(x: Tensor, y: Tensor):
#         return torch.softmax(torch.erf(x) + torch.pow(y, x), 1)
# without what it says of the machine.
set -e
[ $# -eq 1 ] || { echo "usage: $0 FOLDER" >&2; exit 2; }
here=$(dirname "$0")
out=$1/objects
mkdir -p "$out"
llc="${LLVM:-/usr/lib/llvm-22}/bin/llc -O2 -filetype=obj"
mc="${LLVM:-/usr/lib/llvm-22}/bin/llvm-mc -filetype=obj"
$llc -mtriple=x86_64-pc-linux-gnu -relocation-model=pic -code-model=small "$here/region.ll" -o "$out/region.x86_64.o"
$llc -mtriple=x86_64-pc-linux-gnu -relocation-model=static -code-model=large "$here/region.ll" -o "$out/region.large.x86_64.o"
$llc -mtriple=aarch64-unknown-linux-gnu -relocation-model=pic "$here/region.ll" -o "$out/region.aarch64.o"
for machine in x86_64 aarch64; do
    $mc -triple=$machine-unknown-linux-gnu "$here/relocations.$machine.s" -o "$out/relocations.$machine.o"
done
