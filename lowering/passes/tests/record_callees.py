#!/usr/bin/env python3
"""usage: record_callees.py LISTINGS > callees.txt     (PyTorch 2.15)
The graphs of the functions and methods that the programs of LISTINGS/passes/before.call.txt call, and those call in turn, each under `== NAME`: what
`torch-inline` needs to know of them. Source comments are left out."""
import os, re, sys, types, warnings
warnings.filterwarnings('ignore')
import torch
path = os.path.join(sys.argv[1], 'programs.py')
sys.modules['programs'] = programs = types.ModuleType('programs')
programs.__file__ = path
exec(compile(open(path).read(), path, 'exec'), programs.__dict__)
HOMES = [programs, programs.Acc_, torch.nn.functional, torch.nn._reduction]
FUNCTION, METHOD = r'prim::Constant\[name="(\w+)"\]', r'CallMethod\[name="(\w+)"\]\(%([\w.]+)'
unit = torch.jit._state._python_cu
done = {}

def record(name, graph):
    done[name] = said = re.sub(r' # [^\n]*?:\d+:\d+$', '', str(graph), flags=re.M)
    callees(said)

def callees(said):
    for name in re.findall(FUNCTION, said):
        function = next((getattr(home, name) for home in HOMES if hasattr(home, name)), None)
        if name not in done and function is not None: record(name, torch.jit.script(function).graph)
    for method, value in re.findall(METHOD, said):
        for owner in re.findall(rf'%{re.escape(value)} : (__torch__[\w.]+)', said):
            name = f'{owner}.{method}'
            function = unit.find_function(name)
            if name not in done and function is not None: record(name, function.graph)

# As make_passes.py has them: warnings are numbered in the order in which their functions are compiled.
for name, value in list(vars(programs).items()):
    if callable(value) and getattr(value, '__module__', '') == 'programs' and not name.endswith('_') and not isinstance(value, type):
        try: torch.jit.script(value)
        except Exception: pass
for program in open(os.path.join(sys.argv[1], 'passes', 'before.call.txt')).read().split('## ')[1:]:
    callees(program)
for name, graph in done.items(): print(f'== {name}\n{graph}', end='')
