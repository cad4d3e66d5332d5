#!/bin/sh
# A million calls over ten models: resident memory must stay flat. benches/soak.sh MODELS [SCONCE] [MORE OPTIONS]
set -eu
models=$1
sconce=${2:-target/release/sconce}
[ $# -gt 1 ] && shift 2 || shift 1
cases=
for c in pointwise/gelu_erf.1k matmul/linear.1x512x512 conv_zoo/c5x5_16_32_28.b1 reductions/row_sum.1024 \
    dlrm/b64 mlp/b1 lstm_cell/b1 loop_data/n64 autoencoder/b1 tokenizer/words; do
    cases="$cases --case $c"
done
# shellcheck disable=SC2086 # one word a case
exec "$sconce" bench "$models" --soak 1000000 --no-compile --threads 1 $cases "$@"
