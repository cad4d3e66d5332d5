"""BERT base as a program: 12 layers of hidden size 768 with 12 heads and a padding mask. Weights are as large as the model's, and random: what counts is operations.

    sconce save benches/bert12.py --entry "Bert()" -o bert12.pt
"""
import math

import torch
from torch import Tensor, nn


class SelfAttention(nn.Module):
    def __init__(self, hidden: int, heads: int):
        super().__init__()
        self.heads = heads
        self.size = hidden // heads
        self.query = nn.Linear(hidden, hidden)
        self.key = nn.Linear(hidden, hidden)
        self.value = nn.Linear(hidden, hidden)
        self.dropout = nn.Dropout(0.1)

    def split(self, x: Tensor) -> Tensor:
        return x.view(x.size(0), x.size(1), self.heads, self.size).permute(0, 2, 1, 3)

    def forward(self, x: Tensor, bias: Tensor) -> Tensor:
        q, k, v = self.split(self.query(x)), self.split(self.key(x)), self.split(self.value(x))
        scores = torch.matmul(q, k.transpose(-1, -2)) / math.sqrt(self.size)
        probs = self.dropout(torch.softmax(scores + bias, dim=-1))
        y = torch.matmul(probs, v).permute(0, 2, 1, 3).contiguous()
        return y.view(x.size(0), x.size(1), self.heads * self.size)


class Output(nn.Module):
    def __init__(self, size: int, hidden: int):
        super().__init__()
        self.dense = nn.Linear(size, hidden)
        self.norm = nn.LayerNorm(hidden, eps=1e-12)
        self.dropout = nn.Dropout(0.1)

    def forward(self, x: Tensor, before: Tensor) -> Tensor:
        return self.norm(self.dropout(self.dense(x)) + before)


class Layer(nn.Module):
    def __init__(self, hidden: int, heads: int, inner: int):
        super().__init__()
        self.attention = SelfAttention(hidden, heads)
        self.attended = Output(hidden, hidden)
        self.intermediate = nn.Linear(hidden, inner)
        self.output = Output(inner, hidden)

    def forward(self, x: Tensor, bias: Tensor) -> Tensor:
        x = self.attended(self.attention(x, bias), x)
        return self.output(nn.functional.gelu(self.intermediate(x)), x)


class Embeddings(nn.Module):
    def __init__(self, vocabulary: int, hidden: int):
        super().__init__()
        self.word = nn.Embedding(vocabulary, hidden, padding_idx=0)
        self.position = nn.Embedding(512, hidden)
        self.kind = nn.Embedding(2, hidden)
        self.norm = nn.LayerNorm(hidden, eps=1e-12)
        self.dropout = nn.Dropout(0.1)

    def forward(self, ids: Tensor, kinds: Tensor) -> Tensor:
        positions = torch.arange(ids.size(1), device=ids.device)
        return self.dropout(self.norm(self.word(ids) + self.position(positions) + self.kind(kinds)))


class Bert(nn.Module):
    def __init__(self, layers: int = 12, hidden: int = 768, heads: int = 12, vocabulary: int = 30522):
        super().__init__()
        self.embeddings = Embeddings(vocabulary, hidden)
        self.layers = nn.ModuleList([Layer(hidden, heads, 4 * hidden) for _ in range(layers)])
        self.pool = nn.Linear(hidden, hidden)

    def forward(self, ids: Tensor, mask: Tensor, kinds: Tensor) -> Tensor:
        x = self.embeddings(ids, kinds)
        bias = (1.0 - mask.to(x.dtype)).unsqueeze(1).unsqueeze(2) * -10000.0
        for layer in self.layers:
            x = layer(x, bias)
        return torch.tanh(self.pool(x[:, 0]))


def build():
    return Bert()
