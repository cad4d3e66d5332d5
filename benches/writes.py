"""Seconds of `functionalize` on programs of N writes, and what doubling N multiplies them by: 2 is linear, 4 quadratic.

    python benches/writes.py --sconce-opt target/release/sconce-opt [--writes 10000] [--only append]

A program appends to one list, changes one tensor, writes rows of one tensor, sets keys of one dictionary, changes N tensors once each, or appends in N branches. What
reading and printing it takes is taken off; seconds are a processor's.
"""
import argparse
import os
import resource
import subprocess
import tempfile

T = "!torch.tensor<[2,2],f32>"
HEAD = f"func.func @f(%x: {T}, %c: !torch.bool, %n: !torch.int) -> (RESULT) {{\n  %one = torch.constant.int 1\n  %zero = torch.constant.int 0\n"
LIST = "!torch.list<int>"
DICT = "!torch.dict<int, int>"
APPEND = f"torch.aten.append.t %l, %n : {LIST}, !torch.int -> {LIST}\n"


def program(kind, n):
    head = HEAD
    if kind in ("append", "branches"):
        head, end = head.replace("RESULT", LIST) + f"  %l = torch.prim.ListConstruct : () -> {LIST}\n", f"  return %l : {LIST}\n"
        if kind == "append":
            body = (f"  %a{i} = {APPEND}" for i in range(n))
        else:
            body = (f"  torch.prim.If %c -> () {{\n    %a{i} = {APPEND}    torch.prim.If.yield\n  }} else {{\n    torch.prim.If.yield\n  }}\n"
                    for i in range(n))
    elif kind == "keys":
        head, end = head.replace("RESULT", DICT) + f"  %d = torch.prim.DictConstruct keys() values() -> {DICT}\n", f"  return %d : {DICT}\n"
        body = (f'  torch.operator "aten._set_item.int"(%d, %n, %n) : ({DICT}, !torch.int, !torch.int) -> ()\n' for i in range(n))
    else:
        head, end = head.replace("RESULT", T) + f"  %t = torch.aten.neg %x : {T} -> {T}\n", f"  return %t : {T}\n"
        if kind == "tensor":
            body = (f"  %a{i} = torch.aten.relu_ %t : {T} -> {T}\n" for i in range(n))
        elif kind == "tensors":
            body = (f"  %b{i} = torch.aten.neg %x : {T} -> {T}\n  %a{i} = torch.aten.relu_ %b{i} : {T} -> {T}\n" for i in range(n))
        else:
            row = "!torch.tensor<[2],f32>"
            body = (f"  %b{i} = torch.aten.select.int %t, %zero, %one : {T}, !torch.int, !torch.int -> {row}\n"
                    f"  %a{i} = torch.aten.relu_ %b{i} : {row} -> {row}\n" for i in range(n))
    return head + "".join(body) + end + "}\n"


def seconds(tool, path, passes):
    start = resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime
    done = subprocess.run([tool, path, *passes, "-o", os.devnull], capture_output=True, text=True)
    if done.returncode:
        raise SystemExit(done.stderr[-2000:])
    return resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime - start


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--sconce-opt", required=True)
    parser.add_argument("--writes", type=int, default=10000)
    parser.add_argument("--only", default="")
    args = parser.parse_args()
    for kind in ("append", "tensor", "rows", "keys", "tensors", "branches"):
        if args.only not in kind:
            continue
        times = []
        for n in (args.writes // 4, args.writes // 2, args.writes):
            with tempfile.NamedTemporaryFile("w", suffix=".mlir") as file:
                file.write(program(kind, n))
                file.flush()
                both = [seconds(args.sconce_opt, file.name, passes) for passes in ([], ["--functionalize"])]
            times.append(max(both[1] - both[0], 1e-3))
        ratios = ", ".join(f"x{b / a:.1f}" for a, b in zip(times, times[1:]))
        print(f"{kind}: {args.writes} writes {times[-1]:.2f} s; doubling {ratios}")


if __name__ == "__main__":
    main()
