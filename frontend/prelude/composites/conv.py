# Convolutions by the names of their algorithms.


# aten::thnn_conv2d
def thnn_conv2d(self, weight, kernel_size, bias, stride, padding):
    return torch.conv2d(self, weight, bias, stride, padding)


# aten::slow_conv3d
def slow_conv3d(self, weight, kernel_size, bias, stride, padding):
    return torch.conv3d(self, weight, bias, stride, padding)


# aten::slow_conv_dilated2d
def slow_conv_dilated2d(self, weight, kernel_size, bias, stride, padding, dilation):
    return torch.conv2d(self, weight, bias, stride, padding, dilation)


# aten::slow_conv_dilated3d
def slow_conv_dilated3d(self, weight, kernel_size, bias, stride, padding, dilation):
    return torch.conv3d(self, weight, bias, stride, padding, dilation)


# aten::slow_conv_transpose2d
def slow_conv_transpose2d(self, weight, kernel_size, bias, stride, padding, output_padding, dilation):
    return torch.conv_transpose2d(self, weight, bias, stride, padding, output_padding, 1, dilation)


# aten::conv_tbc
def conv_tbc(self, weight, bias, pad):
    """Time first: [time, batch, in] with [width, in, out]."""
    x = torch.conv1d(self.permute(1, 2, 0), weight.permute(2, 1, 0), bias, [1], [pad])
    return x.permute(2, 0, 1).contiguous()
