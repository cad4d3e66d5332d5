"""A block of GPT-2: one layer for queries, keys and values, causal scores, gelu by tanh written out."""
# inputs: 1x64x768xf32 1x1x64x64xf32
import torch
from torch import nn, Tensor


class M(nn.Module):
    def __init__(self):
        super().__init__()
        self.n1 = nn.LayerNorm(768)
        self.w_attn = nn.Parameter(torch.randn(768, 2304) * 0.02)
        self.b_attn = nn.Parameter(torch.zeros(2304))
        self.w_proj = nn.Parameter(torch.randn(768, 768) * 0.02)
        self.b_proj = nn.Parameter(torch.zeros(768))
        self.n2 = nn.LayerNorm(768)
        self.w_fc = nn.Parameter(torch.randn(768, 3072) * 0.02)
        self.b_fc = nn.Parameter(torch.zeros(3072))
        self.w_out = nn.Parameter(torch.randn(3072, 768) * 0.02)
        self.b_out = nn.Parameter(torch.zeros(768))

    def conv1d(self, x: Tensor, w: Tensor, b: Tensor) -> Tensor:
        return torch.addmm(b, x.view(-1, x.size(-1)), w).view(x.size(0), x.size(1), w.size(1))

    def heads(self, x: Tensor) -> Tensor:
        return x.view(x.size(0), x.size(1), 12, 64).permute(0, 2, 1, 3)

    def forward(self, x: Tensor, causal: Tensor) -> Tensor:
        q, k, v = self.conv1d(self.n1(x), self.w_attn, self.b_attn).split(768, 2)
        w = torch.matmul(self.heads(q), self.heads(k).transpose(-1, -2)) / 8.0 + causal
        y = torch.matmul(torch.softmax(w, -1), self.heads(v)).permute(0, 2, 1, 3).contiguous().view(x.size(0), x.size(1), 768)
        x = x + self.conv1d(y, self.w_proj, self.b_proj)
        h = self.conv1d(self.n2(x), self.w_fc, self.b_fc)
        h = 0.5 * h * (1.0 + torch.tanh(0.7978845608028654 * (h + 0.044715 * torch.pow(h, 3.0))))
        return x + self.conv1d(h, self.w_out, self.b_out)
