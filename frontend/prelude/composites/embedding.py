# Rows of tables.


# aten::_no_grad_embedding_renorm_
def no_grad_embedding_renorm(weight, input, max_norm, norm_type):
    """Rows are cut in the tensor itself, which is the result."""
    return torch.embedding_renorm_(weight, input, max_norm, norm_type)
