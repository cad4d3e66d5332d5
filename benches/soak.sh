#!/bin/sh
# A million calls over ten models: resident memory must stay flat. benches/soak.sh MODELS [SCONCE] [MORE OPTIONS]
set -eu
models=$1
sconce=${2:-target/release/sconce}
[ $# -gt 1 ] && shift 2 || shift 1
cases=
for c in pointwise/gelu_erf.1k pointwise/gelu_tanh.1k pointwise/swish.1k pointwise/arith.1k pointwise/select.1k matmul/linear.1x512x512 \
    dlrm/b64 mlp/b1 lstm_cell/b1 loop_data/n64; do
    cases="$cases --case $c"
done
# shellcheck disable=SC2086 # one word a case
exec "$sconce" bench "$models" --soak 1000000 --no-compile --threads 1 $cases "$@"
