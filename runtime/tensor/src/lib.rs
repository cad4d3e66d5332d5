//! Tensors and values as TorchScript programs hold them.
