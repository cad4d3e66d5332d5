"""The base of all modules: registries of parameters, buffers and submodules, and what changes them."""

import collections
import torch
from typing import Any, Callable, Dict, Optional, Set


class Module:
    dump_patches: bool = False
    _version: int = 1
    training: bool
    _parameters: Dict[str, Any]
    _buffers: Dict[str, Any]
    _non_persistent_buffers_set: Set[str]
    _backward_pre_hooks: Dict[int, Callable]
    _backward_hooks: Dict[int, Callable]
    _is_full_backward_hook: Optional[bool]
    _forward_hooks: Dict[int, Callable]
    _forward_pre_hooks: Dict[int, Callable]
    _modules: Dict[str, Any]
    call_super_init: bool = False

    def __init__(self, *args, **kwargs):
        torch._C._initialise_module(self)

    def register_buffer(self, name, tensor, persistent=True):
        if "." in name:
            raise KeyError('buffer name can\'t contain "."')
        if name == "":
            raise KeyError('buffer name can\'t be empty string ""')
        if hasattr(self, name) and name not in self._buffers:
            raise KeyError(f"attribute '{name}' already exists")
        self._buffers[name] = tensor
        if not persistent:
            self._non_persistent_buffers_set.add(name)

    def register_parameter(self, name, param):
        if "." in name:
            raise KeyError('parameter name can\'t contain "."')
        if name == "":
            raise KeyError('parameter name can\'t be empty string ""')
        if hasattr(self, name) and name not in self._parameters:
            raise KeyError(f"attribute '{name}' already exists")
        self._parameters[name] = param

    def add_module(self, name, module):
        if module is not None and not isinstance(module, Module):
            raise TypeError(f"{torch.typename(module)} is not a Module subclass")
        if hasattr(self, name) and name not in self._modules:
            raise KeyError(f"attribute '{name}' already exists")
        if "." in name:
            raise KeyError(f'module name can\'t contain ".", got: {name}')
        if name == "":
            raise KeyError('module name can\'t be empty string ""')
        self._modules[name] = module

    def register_module(self, name, module):
        self.add_module(name, module)

    def get_submodule(self, target):
        at = self
        if target != "":
            for part in target.split("."):
                if not hasattr(at, part):
                    raise AttributeError(f"{type(at).__name__} has no attribute `{part}`")
                at = getattr(at, part)
        return at

    def get_parameter(self, target):
        path, _, name = target.rpartition(".")
        return getattr(self.get_submodule(path), name)

    def get_buffer(self, target):
        path, _, name = target.rpartition(".")
        return getattr(self.get_submodule(path), name)

    def register_forward_hook(self, hook, *, prepend=False, with_kwargs=False, always_call=False):
        self._forward_hooks[len(self._forward_hooks)] = hook

    def register_forward_pre_hook(self, hook, *, prepend=False, with_kwargs=False):
        self._forward_pre_hooks[len(self._forward_pre_hooks)] = hook

    def register_full_backward_hook(self, hook, prepend=False):
        self._is_full_backward_hook = True
        self._backward_hooks[len(self._backward_hooks)] = hook

    def named_modules(self, memo=None, prefix="", remove_duplicate=True):
        if memo is None:
            memo = set()
        found = []
        if self not in memo:
            if remove_duplicate:
                memo.add(self)
            found.append((prefix, self))
            for name, module in self._modules.items():
                if module is not None:
                    inner = prefix + ("." if prefix else "") + name
                    found.extend(module.named_modules(memo, inner, remove_duplicate))
        return found

    def modules(self):
        return [module for _, module in self.named_modules()]

    def named_children(self):
        memo = set()
        found = []
        for name, module in self._modules.items():
            if module is not None and module not in memo:
                memo.add(module)
                found.append((name, module))
        return found

    def children(self):
        return [module for _, module in self.named_children()]

    def _named_members(self, registry, prefix, recurse):
        memo = set()
        found = []
        modules = self.named_modules(prefix=prefix) if recurse else [(prefix, self)]
        for path, module in modules:
            for name, value in getattr(module, registry).items():
                if value is None or value in memo:
                    continue
                memo.add(value)
                found.append((path + ("." if path else "") + name, value))
        return found

    def named_parameters(self, prefix="", recurse=True, remove_duplicate=True):
        return self._named_members("_parameters", prefix, recurse)

    def parameters(self, recurse=True):
        return [p for _, p in self.named_parameters(recurse=recurse)]

    def named_buffers(self, prefix="", recurse=True, remove_duplicate=True):
        return self._named_members("_buffers", prefix, recurse)

    def buffers(self, recurse=True):
        return [b for _, b in self.named_buffers(recurse=recurse)]

    def apply(self, fn):
        for module in self.children():
            module.apply(fn)
        fn(self)
        return self

    def _apply(self, fn):
        for module in self.children():
            module._apply(fn)
        for name, p in self._parameters.items():
            if p is not None:
                p.data = fn(p.data)
        for name, b in self._buffers.items():
            if b is not None:
                self._buffers[name] = fn(b)
        return self

    def train(self, mode=True):
        self.training = mode
        for module in self.children():
            module.train(mode)
        return self

    def eval(self):
        return self.train(False)

    def requires_grad_(self, requires_grad=True):
        for p in self.parameters():
            p.requires_grad_(requires_grad)
        return self

    def zero_grad(self, set_to_none=True):
        pass

    def float(self):
        return self._apply(lambda t: t.float() if t.is_floating_point() else t)

    def double(self):
        return self._apply(lambda t: t.double() if t.is_floating_point() else t)

    def half(self):
        return self._apply(lambda t: t.half() if t.is_floating_point() else t)

    def bfloat16(self):
        return self._apply(lambda t: t.bfloat16() if t.is_floating_point() else t)

    def type(self, dst_type):
        return self._apply(lambda t: t.to(dst_type))

    def cpu(self):
        return self

    def to(self, *args, **kwargs):
        dtype = kwargs.get("dtype")
        for a in args:
            if isinstance(a, torch.dtype):
                dtype = a
            elif isinstance(a, torch.Tensor):
                dtype = a.dtype
        if dtype is None:
            return self._apply(lambda t: t.to(*args, **kwargs))
        return self._apply(lambda t: t.to(dtype) if t.is_floating_point() else t)

    def state_dict(self, prefix=""):
        found = collections.OrderedDict()
        for name, p in self.named_parameters():
            found[prefix + name] = p.data
        for path, module in self.named_modules():
            for name, b in module._buffers.items():
                if b is not None and name not in module._non_persistent_buffers_set:
                    found[prefix + path + ("." if path else "") + name] = b
        return found

    def load_state_dict(self, state_dict, strict=True, assign=False):
        own = self.state_dict()
        for name, value in state_dict.items():
            if name in own:
                own[name].copy_(value)
            elif strict:
                raise RuntimeError(f'Error(s) in loading state_dict for {type(self).__name__}: Unexpected key "{name}"')
        if strict:
            for name in own:
                if name not in state_dict:
                    raise RuntimeError(f'Error(s) in loading state_dict for {type(self).__name__}: Missing key "{name}"')

    def extra_repr(self):
        return ""

    def _get_name(self):
        return type(self).__name__

    def share_memory(self):
        return self


class ScriptModule(Module):
    pass
