//! Text becomes trees with spans here, and nothing else: no MLIR, no tensors, every byte hostile.
#![forbid(unsafe_code)]
