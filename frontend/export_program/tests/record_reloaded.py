"""Writes reloaded.txt: what PyTorch prints of programs of testdata/export after it has loaded them.

    python record_reloaded.py FOLDER autocast no_grad > reloaded.txt

These two had names before they were saved that are not in their archives, so that nothing that reads them can print what was printed then.
"""
import pathlib
import sys
import torch

for name in sys.argv[2:]:
    program = torch.export.load(pathlib.Path(sys.argv[1]) / name / "program.pt2")
    print(f"== {name} graph\n{program.graph}")
    print(f"== {name} readable\n{program.graph_module.print_readable(print_output=False).rstrip()}")
