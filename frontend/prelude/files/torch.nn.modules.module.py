"""The base class of all layers: registration of state, walks through it, loading, saving and printing."""
import collections
import warnings
from typing import Any, Callable, Dict, Optional, Set

import torch
from torch import Tensor
from torch.nn.parameter import Parameter


class _IncompatibleKeys:
    """What loading a state_dict gives: a pair of lists with names."""

    def __init__(self, missing_keys, unexpected_keys):
        self.missing_keys = missing_keys
        self.unexpected_keys = unexpected_keys

    def __getitem__(self, index):
        return (self.missing_keys, self.unexpected_keys)[index]

    def __len__(self):
        return 2

    def __iter__(self):
        return iter([self.missing_keys, self.unexpected_keys])

    def __repr__(self):
        if self.missing_keys or self.unexpected_keys:
            return f"_IncompatibleKeys(missing_keys={self.missing_keys}, unexpected_keys={self.unexpected_keys})"
        return "<All keys matched successfully>"


class RemovableHandle:
    """What registering a hook gives: takes the hook out again."""

    issued = 0

    def __init__(self, *tables):
        self.tables = tables
        self.id = RemovableHandle.issued
        RemovableHandle.issued += 1

    def remove(self):
        for table in self.tables:
            table.pop(self.id, None)

    def __enter__(self):
        return self

    def __exit__(self, kind, value, trace):
        self.remove()


def _hooks(owner, name):
    """The hooks of one kind; the rarer tables exist once something is in them."""
    return list(getattr(owner, name, {}).values())


def _hang(owner, name, hook, first=False, **flags):
    """Enters hook in the table called name, and its number in the table of each flag that is set."""
    entries = [(name, hook)] + [(f"{name}_{flag}", True) for flag, wanted in flags.items() if wanted]
    tables = []
    for key, _ in entries:
        if not hasattr(owner, key):
            setattr(owner, key, {})
        tables.append(getattr(owner, key))
    handle = RemovableHandle(*tables)
    for each, (_, entry) in zip(tables, entries):
        later = list(each.items()) if first else []
        if first:
            each.clear()
        each[handle.id] = entry
        each.update(later)
    return handle


def _hang_backward(owner, hook, full, first):
    if owner._is_full_backward_hook is (not full):
        raise RuntimeError("Cannot use both regular backward hooks and full backward hooks on a single Module. "
                           "Please use only one of them.")
    owner._is_full_backward_hook = full
    return _hang(owner, "_backward_hooks", hook, first)


def _join(prefix, name):
    """A dotted path; with the name "" the prefix of what lies below."""
    return prefix + "." + name if prefix else name


def _descend(root, prefix, seen):
    """(path, module) of root and of all below it, parents first; with a set seen each module once."""
    found, waiting = [], [(prefix, root)]
    while waiting:
        path, here = waiting.pop()
        if here is None or (seen is not None and here in seen):
            continue
        if seen is not None:
            seen.add(here)
        found.append((path, here))
        below = [(_join(path, name), child) for name, child in here._modules.items()]
        waiting.extend(below[::-1])
    return found


def _first_of_each(rows):
    """The rows (name, thing) without further names of the same thing."""
    first = {}
    for row in rows:
        first.setdefault(id(row[1]), row)
    return list(first.values())


def _present(registry, without=()):
    """What a registry holds, less the empty places and the names in without."""
    return {name: value for name, value in registry.items() if not (value is None or name in without)}


def _members(root, registry, prefix="", recurse=True, once=True):
    """(path, tensor) of one registry in the whole tree."""
    owners = _descend(root, prefix, set() if once else None) if recurse else [(prefix, root)]
    rows = [(_join(path, name), value) for path, owner in owners
            for name, value in _present(getattr(owner, registry)).items()]
    if not once:
        return rows
    return _first_of_each(rows)


def _lasting(owner):
    """The state of one module that a state_dict holds."""
    return {**_present(owner._parameters), **_present(owner._buffers, owner._non_persistent_buffers_set)}


def _has_extra(owner, method):
    return getattr(type(owner), method) is not getattr(Module, method)


_ELEMENTS = {"float32": "Float", "float64": "Double", "float16": "Half", "bfloat16": "BFloat16", "uint8": "Byte",
             "int8": "Char", "int16": "Short", "int32": "Int", "int64": "Long", "bool": "Bool",
             "complex64": "ComplexFloat", "complex128": "ComplexDouble"}


def _kind(value):
    """How messages name the type of a value."""
    if isinstance(value, Tensor):
        return f"torch.{_ELEMENTS[str(value.dtype).split('.')[-1]]}Tensor"
    return type(value).__name__


def _check_name(owner, what, name):
    """A name under which something may be registered in owner."""
    if not hasattr(owner, "_parameters"):
        raise AttributeError(f"cannot assign {what} before Module.__init__() call")
    if not isinstance(name, str):
        raise TypeError(f"{what} name should be a string. Got {_kind(name)}")
    if "." in name:
        raise KeyError(f'{what} name can\'t contain "."' + (f", got: {name}" if what == "module" else ""))
    if not name:
        raise KeyError(f'{what} name can\'t be empty string ""')


def _check_free(owner, name, table):
    if name not in table and hasattr(owner, name):
        raise KeyError(f"attribute '{name}' already exists")


def _rewrite(root, change, recurse=True):
    """Puts change(tensor) in the place of all parameters and buffers; shared ones stay shared."""
    for _, owner in _descend(root, "", set()) if recurse else [("", root)]:
        for parameter in _present(owner._parameters).values():
            parameter.data = change(parameter.data)
        owner._buffers.update({name: change(held) for name, held in _present(owner._buffers).items()})
    return root


def _cast(root, dtype):
    return _rewrite(root, lambda t: t.to(dtype) if t.is_floating_point() else t)


def _unknown(owner, name):
    return f"{type(owner).__name__} has no attribute `{name}`"


def _step(here, name):
    """The attribute of a module called name, which has to be a module."""
    child = getattr(here, name, None)
    if isinstance(child, Module):
        return child
    raise AttributeError(f"`{name}` is not an nn.Module" if hasattr(here, name) else _unknown(here, name))


def _leaf(root, target, table, what):
    """The entry of a registry (parameters, buffers) that a dotted path names."""
    path, _, name = target.rpartition(".")
    owner = root.get_submodule(path)
    entries = getattr(owner, table)
    if name in entries:
        return entries[name]
    problem = f"`{name}` is not {what}" if hasattr(owner, name) else _unknown(owner, name)
    raise AttributeError(problem)


def _fill(owner, name, own, given, path, assign):
    """Copies one entry of a state_dict; what is wrong with it, if anything."""
    if not isinstance(given, Tensor):
        return (f'While copying the parameter named "{path}", expected torch.Tensor or Tensor-like object '
                f"from checkpoint but received {type(given)}")
    if own.dim() == 0 and tuple(given.shape) == (1,):
        given = given[0]
    if tuple(given.shape) != tuple(own.shape):
        return (f"size mismatch for {path}: copying a param with shape torch.Size({list(given.shape)}) "
                "from checkpoint, "
                f"the shape in current model is torch.Size({list(own.shape)}).")
    if not assign:
        with torch.no_grad():
            own.copy_(given)
    elif name in owner._buffers:
        owner._buffers[name] = given
    elif isinstance(given, Parameter):
        owner._parameters[name] = given
    else:
        owner._parameters[name] = Parameter(given, requires_grad=own.requires_grad)
    return None


def _quoted(keys):
    return ", ".join([f'"{key}"' for key in keys])


def _indented(text):
    return text.replace("\n", "\n  ")


class Module:
    dump_patches: bool = False
    _version: int = 1
    training: bool
    _parameters: Dict[str, Optional[Parameter]]
    _buffers: Dict[str, Optional[Tensor]]
    _non_persistent_buffers_set: Set[str]
    _is_full_backward_hook: Optional[bool]
    _modules: Dict[str, Optional["Module"]]
    call_super_init: bool = False
    _compiled_call_impl: Optional[Callable] = None
    _may_be_absent = ()  # names of state that an older state_dict may lack

    def __init__(self, *args, **kwargs):
        torch._C._initialise_module(self)
        if self.call_super_init or not (args or kwargs):
            return
        who = f"{type(self).__name__}.__init__()"
        if kwargs:
            raise TypeError(f"{who} got an unexpected keyword argument '{next(iter(kwargs))}'")
        raise TypeError(f"{who} takes 1 positional argument but {len(args) + 1} were given")

    def forward(self, *input: Any):
        raise NotImplementedError(f'Module [{type(self).__name__}] is missing the required "forward" function')

    # Registration

    def register_buffer(self, name, tensor, persistent=True):
        if persistent is False and isinstance(self, ScriptModule):
            raise RuntimeError("ScriptModule does not support non-persistent buffers")
        _check_name(self, "buffer", name)
        _check_free(self, name, self._buffers)
        if not (tensor is None or isinstance(tensor, Tensor)):
            raise TypeError(f"cannot assign '{_kind(tensor)}' object to buffer '{name}' "
                            "(torch Tensor or None required)")
        self._buffers[name] = tensor
        if persistent:
            self._non_persistent_buffers_set.discard(name)
        else:
            self._non_persistent_buffers_set.add(name)

    def register_parameter(self, name, param):
        _check_name(self, "parameter", name)
        _check_free(self, name, self._parameters)
        if not (param is None or isinstance(param, Parameter)):
            raise TypeError(f"cannot assign '{_kind(param)}' object to parameter '{name}' "
                            "(torch.nn.Parameter or None required)")
        self._parameters[name] = param

    def add_module(self, name, module):
        if not (module is None or isinstance(module, Module)):
            raise TypeError(f"{_kind(module)} is not a Module subclass")
        _check_name(self, "module", name)
        _check_free(self, name, self._modules)
        self._modules[name] = module

    def register_module(self, name, module):
        self.add_module(name, module)

    # Access by a dotted path

    def get_submodule(self, target):
        here = self
        for name in target.split(".") if target else []:
            here = _step(here, name)
        return here

    def set_submodule(self, target, module, strict=False):
        if not target:
            raise ValueError("Cannot set the submodule without a target name!")
        if not isinstance(module, Module):
            raise ValueError(f"`module` is not an nn.Module, found {type(module)}")
        path, _, name = target.rpartition(".")
        owner = self.get_submodule(path)
        if strict or hasattr(owner, name):
            _step(owner, name)
        setattr(owner, name, module)

    def get_parameter(self, target):
        return _leaf(self, target, "_parameters", "an nn.Parameter")

    def get_buffer(self, target):
        return _leaf(self, target, "_buffers", "a buffer")

    def get_extra_state(self):
        raise RuntimeError("Reached a code path in Module.get_extra_state() that should never be called.")

    def set_extra_state(self, state):
        raise RuntimeError("Reached a code path in Module.set_extra_state() that should never be called.")

    # Walks

    def named_parameters(self, prefix="", recurse=True, remove_duplicate=True):
        return iter(_members(self, "_parameters", prefix, recurse, remove_duplicate))

    def named_buffers(self, prefix="", recurse=True, remove_duplicate=True):
        return iter(_members(self, "_buffers", prefix, recurse, remove_duplicate))

    def named_modules(self, memo=None, prefix="", remove_duplicate=True):
        if remove_duplicate and memo is None:
            memo = set()
        return iter(_descend(self, prefix, memo if remove_duplicate else None))

    def named_children(self):
        return iter(_first_of_each(_present(self._modules).items()))

    def parameters(self, recurse=True):
        return iter([value for _, value in self.named_parameters(recurse=recurse)])

    def buffers(self, recurse=True):
        return iter([value for _, value in self.named_buffers(recurse=recurse)])

    def modules(self, remove_duplicate=True):
        return iter([value for _, value in self.named_modules(remove_duplicate=remove_duplicate)])

    def children(self):
        return iter([value for _, value in self.named_children()])

    # Changes of the whole tree

    def apply(self, fn):
        for child in self.children():
            child.apply(fn)
        fn(self)
        return self

    def train(self, mode=True):
        if not isinstance(mode, bool):
            raise ValueError("training mode is expected to be boolean")
        self.training = mode
        for child in self.children():
            child.train(mode)
        return self

    def eval(self):
        return self.train(False)

    def requires_grad_(self, requires_grad=True):
        for value in self.parameters():
            value.requires_grad_(requires_grad)
        return self

    def zero_grad(self, set_to_none=True):
        """There is no autograd, hence nothing to forget."""

    def share_memory(self):
        return self

    def compile(self, *args, **kwargs):
        """Modules run as they are."""

    def to(self, *args, **kwargs):
        wishes = dict(kwargs)
        like = [wishes.pop("tensor")] if "tensor" in wishes else []
        for value in list(args) + like:
            if isinstance(value, Tensor):
                wishes["dtype"], wishes["device"] = value.dtype, value.device
            elif isinstance(value, torch.dtype):
                wishes["dtype"] = value
            elif isinstance(value, bool):
                wishes["non_blocking"] = value
            elif value is not None:
                wishes["device"] = value
        target = wishes.get("dtype")
        if target is not None and not (target.is_floating_point or target.is_complex):
            raise TypeError("nn.Module.to only accepts floating point or complex dtypes, "
                            f"but got desired dtype={target}")
        device = wishes.get("device")

        def moved(tensor):
            if device is not None:
                tensor = tensor.to(device)
            if target is not None and (tensor.is_floating_point() or tensor.is_complex()):
                tensor = tensor.to(target)
            return tensor

        return _rewrite(self, moved)

    def to_empty(self, *, device, recurse=True):
        return _rewrite(self, lambda tensor: torch.empty_like(tensor, device=device), recurse)

    def type(self, dst_type):
        return _rewrite(self, lambda tensor: tensor.type(dst_type))

    def float(self):
        return _cast(self, torch.float32)

    def double(self):
        return _cast(self, torch.float64)

    def half(self):
        return _cast(self, torch.float16)

    def bfloat16(self):
        return _cast(self, torch.bfloat16)

    def cpu(self):
        return self.to("cpu")

    def cuda(self, device=None):
        return self.to("cuda" if device is None else device)

    def ipu(self, device=None):
        return self.to("ipu" if device is None else device)

    def mtia(self, device=None):
        return self.to("mtia" if device is None else device)

    def xpu(self, device=None):
        return self.to("xpu" if device is None else device)

    # State as a dictionary

    def state_dict(self, *args, destination=None, prefix="", keep_vars=False):
        if args:
            warnings.warn("Positional args are being deprecated, use kwargs instead. Refer to "
                          "https://pytorch.org/docs/main/generated/torch.nn.Module.html#torch.nn.Module.state_dict"
                          " for details.", FutureWarning)
        settings = [destination, prefix, keep_vars]
        settings[:len(args)] = args
        state, start, bare = settings
        state = collections.OrderedDict() if state is None else state
        places = [(start + _join(path, ""), owner) for path, owner in _descend(self, "", None)]
        for place, owner in places:
            for hook in _hooks(owner, "_state_dict_pre_hooks"):
                hook(owner, place, bare)
            state.update({place + name: value if bare else value.detach() for name, value in _lasting(owner).items()})
            if _has_extra(owner, "get_extra_state"):
                state[place + "_extra_state"] = owner.get_extra_state()
        for place, owner in places[::-1]:
            for hook in _hooks(owner, "_state_dict_hooks"):
                state = hook(owner, state, place, {"version": owner._version}) or state
        return state

    def load_state_dict(self, state_dict, strict=True, assign=False):
        if not isinstance(state_dict, collections.abc.Mapping):
            raise TypeError(f"Expected state_dict to be dict-like, got {type(state_dict)}.")
        given = dict(state_dict)
        missing, unexpected, wrong = [], [], []
        known, tree = set(), _descend(self, "", None)
        for path, owner in tree:
            prefix = _join(path, "")
            for hook in _hooks(owner, "_load_state_dict_pre_hooks"):
                hook(given, prefix, {"version": owner._version}, strict, missing, unexpected, wrong)
            for name, value in _lasting(owner).items():
                key = prefix + name
                known.add(key)
                if key in given:
                    problem = _fill(owner, name, value, given[key], key, assign)
                    wrong.extend([] if problem is None else [problem])
                elif name not in owner._may_be_absent:
                    missing.append(key)
            if _has_extra(owner, "set_extra_state"):
                known.add(prefix + "_extra_state")
                if prefix + "_extra_state" in given:
                    owner.set_extra_state(given[prefix + "_extra_state"])
                else:
                    missing.append(prefix + "_extra_state")
        unexpected.extend([key for key in given if key not in known])
        outcome = _IncompatibleKeys(missing, unexpected)
        for path, owner in tree[::-1]:
            for hook in _hooks(owner, "_load_state_dict_post_hooks"):
                hook(owner, outcome)
        if strict:
            for keys, what in ((unexpected, "Unexpected"), (missing, "Missing")):
                if keys:
                    wrong.insert(0, f"{what} key(s) in state_dict: {_quoted(keys)}. ")
        if wrong:
            raise RuntimeError("Error(s) in loading state_dict for {}:\n\t{}".format(
                type(self).__name__, "\n\t".join(wrong)))
        return outcome

    # Hooks

    def register_forward_pre_hook(self, hook, *, prepend=False, with_kwargs=False):
        return _hang(self, "_forward_pre_hooks", hook, prepend, with_kwargs=with_kwargs)

    def register_forward_hook(self, hook, *, prepend=False, with_kwargs=False, always_call=False):
        return _hang(self, "_forward_hooks", hook, prepend, with_kwargs=with_kwargs, always_called=always_call)

    def register_full_backward_pre_hook(self, hook, prepend=False):
        return _hang(self, "_backward_pre_hooks", hook, prepend)

    def register_full_backward_hook(self, hook, prepend=False):
        return _hang_backward(self, hook, True, prepend)

    def register_backward_hook(self, hook):
        return _hang_backward(self, hook, False, False)

    def register_state_dict_pre_hook(self, hook):
        return _hang(self, "_state_dict_pre_hooks", hook)

    def register_state_dict_post_hook(self, hook):
        return _hang(self, "_state_dict_hooks", hook)

    def register_load_state_dict_pre_hook(self, hook):
        return _hang(self, "_load_state_dict_pre_hooks", lambda *given: hook(self, *given))

    def register_load_state_dict_post_hook(self, hook):
        return _hang(self, "_load_state_dict_post_hooks", hook)

    # Printing

    def extra_repr(self):
        return ""

    def __repr__(self):
        said = self.extra_repr()
        lines = said.split("\n") if said else []
        if self._modules or len(lines) > 1:
            lines = lines + [f"({name}): " + _indented(repr(child)) for name, child in self._modules.items()]
            said = "".join(["\n  " + line for line in lines]) + "\n"
        return f"{type(self).__name__}({said})"


class ScriptModule(Module):
    """Written as source it is a module like any other."""
