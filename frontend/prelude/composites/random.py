# Random numbers in tensors made for them.


# aten::rrelu_with_noise_backward
def rrelu_with_noise_backward(grad_output, self, noise, lower, upper, training, self_is_result):
    """g times the slopes that were drawn; without training the one in the middle."""
    low, high = float(lower), float(upper)
    if training and high - low > 1e-6:
        return noise * grad_output
    return torch.leaky_relu_backward(grad_output, self, (low + high) / 2.0, self_is_result)
