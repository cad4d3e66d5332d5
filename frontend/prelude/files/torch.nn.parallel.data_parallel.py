"""A module for several devices; there is one."""
import torch
from torch.nn.modules.module import Module


class DataParallel(Module):
    def __init__(self, module, device_ids=None, output_device=None, dim=0):
        super().__init__()
        self.module = module
        self.device_ids = []

    def forward(self, *inputs, **kwargs):
        return self.module(*inputs, **kwargs)

    def replicate(self, module, device_ids):
        return [module for _ in device_ids]

    def scatter(self, inputs, kwargs, device_ids):
        return [inputs], [kwargs or {}]

    def parallel_apply(self, replicas, inputs, kwargs):
        return [replica(*args, **named) for replica, args, named in zip(replicas, inputs, kwargs)]

    def gather(self, outputs, output_device):
        return outputs[0] if len(outputs) == 1 else torch.cat(list(outputs))
