# Rows of tables.


# aten::_no_grad_embedding_renorm_
def no_grad_embedding_renorm(weight, input, max_norm, norm_type):
    """Rows are cut in the tensor itself, which is the result."""
    return torch.embedding_renorm_(weight, input, max_norm, norm_type)


# aten::one_hot
def one_hot(self, num_classes):
    """1 at the class that an element names; without a number of classes as many as the largest one asks for."""
    classes = num_classes
    if self.numel() == 0:
        if num_classes <= 0:
            raise RuntimeError("Can not infer total number of classes from empty tensor.")
    else:
        if bool((self < 0).any()):
            raise RuntimeError("Class values must be non-negative.")
        largest = int(self.max())
        if num_classes == -1:
            classes = largest + 1
        if classes < 1:
            raise RuntimeError("num_classes should be positive")
        if largest >= classes:
            raise RuntimeError("Class values must be smaller than num_classes.")
    return torch.zeros(self.shape + [classes], dtype=torch.int64).scatter(-1, self.unsqueeze(-1), 1)
