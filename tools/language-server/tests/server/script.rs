//! Questions about TorchScript source: the cursor is `$0` in a text, answers are in words.

use crate::ask::{completions, definitions, findings, hover, references, rename, symbols};
use expect_test::expect;

const M: &str = "m.py";

#[test]
fn each_function_has_its_first_error_with_the_calls_that_led_there() {
    let text = "\
import torch

def outer(x):
    return inner(x)

def inner(x):
    return x + nothing

def variants(x):
    return torch.add(x, 'a')

def branches(flag: bool):
    if flag:
        y = 1
    return y

def results(x) -> str:
    return x
";
    findings(
        M,
        text,
        &expect![[r#"
            error 6:15-6:22 nothing
                undefined value nothing
              related 3:11-3:19 inner(x)
                'inner' is called here, in 'outer'
            error 9:11-9:20 torch.add
                Arguments for call are not valid.
                The following variants are available:
      
                  aten::add.Tensor(Tensor self, Tensor other, *, Scalar alpha=1) -> Tensor:
                  Expected a value of type 'Tensor' for argument 'other' but instead found type 'str'.
      
                  aten::add.Scalar(Tensor self, Scalar other, Scalar alpha=1) -> Tensor:
                  Expected a value of type 'number' for argument 'other' but instead found type 'str'.
      
                  aten::add.out(Tensor self, Tensor other, *, Scalar alpha=1, Tensor(a!) out) -> Tensor(a!):
                  Expected a value of type 'Tensor' for argument 'other' but instead found type 'str'.
      
                  aten::add.Scalar_out(Tensor self, Scalar other, Scalar alpha=1, *, Tensor(a!) out) -> Tensor(a!):
                  Expected a value of type 'number' for argument 'other' but instead found type 'str'.
      
                  aten::add.t(t[] a, t[] b) -> t[]:
                  Could not match type Tensor (inferred) to List[t] in argument 'a': Cannot match List[t] to Tensor (inferred).
      
                  aten::add.str(str a, str b) -> str:
                  Expected a value of type 'str' for argument 'a' but instead found type 'Tensor (inferred)'.
                  Inferred the value for argument 'a' to be of type 'Tensor' because it was not annotated with an explicit type.
      
                  aten::add.int(int a, int b) -> int:
                  Expected a value of type 'int' for argument 'b' but instead found type 'str'.
      
                  aten::add.complex(complex a, complex b) -> complex:
                  Expected a value of type 'complex' for argument 'b' but instead found type 'str'.
      
                  aten::add.float(float a, float b) -> float:
                  Expected a value of type 'float' for argument 'b' but instead found type 'str'.
      
                  aten::add.int_complex(int a, complex b) -> complex:
                  Expected a value of type 'complex' for argument 'b' but instead found type 'str'.
      
                  aten::add.complex_int(complex a, int b) -> complex:
                  Expected a value of type 'int' for argument 'b' but instead found type 'str'.
      
                  aten::add.float_complex(float a, complex b) -> complex:
                  Expected a value of type 'complex' for argument 'b' but instead found type 'str'.
      
                  aten::add.complex_float(complex a, float b) -> complex:
                  Expected a value of type 'float' for argument 'b' but instead found type 'str'.
      
                  aten::add.int_float(int a, float b) -> float:
                  Expected a value of type 'float' for argument 'b' but instead found type 'str'.
      
                  aten::add.float_int(float a, int b) -> float:
                  Expected a value of type 'int' for argument 'b' but instead found type 'str'.
      
                  aten::add(Scalar a, Scalar b) -> Scalar:
                  Expected a value of type 'number' for argument 'b' but instead found type 'str'.
      
                  add(float a, Tensor b) -> Tensor:
                  Expected a value of type 'Tensor' for argument 'b' but instead found type 'str'.
      
                  add(int a, Tensor b) -> Tensor:
                  Expected a value of type 'Tensor' for argument 'b' but instead found type 'str'.
      
                  add(complex a, Tensor b) -> Tensor:
                  Expected a value of type 'Tensor' for argument 'b' but instead found type 'str'.
            error 14:11-14:12 y
                y is not defined in the false branch and was used here
              related 12:4-13:13 if flag:
                y is not defined in the false branch
            error 17:4-17:12 return x
                Return value was annotated as having type str but is actually of type Tensor (inferred)
        "#]],
    );
}

#[test]
fn an_error_of_syntax_is_the_only_one() {
    findings(
        M,
        "def f(x):\n    größe = (x\n",
        &expect![[r#"
        error 1:12-1:13 (
            `(` was never closed
    "#]],
    );
    findings(
        M,
        "def f(x):\n    return 'ü' + 'größer' +\n",
        &expect![[r#"
            error 1:26-1:27 +
                expected an expression, found the end of the line
        "#]],
    );
}

#[test]
fn errors_behind_letters_of_several_bytes_are_where_the_editor_counts_them() {
    findings(
        M,
        "def f(x: str):\n    return '😀ü' + x + missing\n",
        &expect![[r#"
        error 1:23-1:30 missing
            undefined value missing
    "#]],
    );
    findings(
        M,
        "def f(x: int):\n    return größe + x\n",
        &expect![[r#"
        error 1:11-1:16 größe
            undefined value größe
    "#]],
    );
}

#[test]
fn what_evaluation_refuses_has_its_place() {
    findings(
        M,
        "x = 1\ny = x / 0\n",
        &expect![[r#"
        error 1:4-1:9 x / 0
            ZeroDivisionError: division by zero
    "#]],
    );
    findings(
        M,
        "while True:\n    pass\n",
        &expect![[r#"
        error 0:0-1:8 while True:
            evaluation takes more than 5000000 steps: no more of the file is analysed
    "#]],
    );
    findings(
        M,
        "import torch\nx = torch.zeros(100000, 100000)\n",
        &expect![[r#"
            error 1:4-1:31 torch.zeros(100000, 100000)
                tensors of more than 268435456 bytes are made: no more of the file is analysed
        "#]],
    );
    findings(
        M,
        "import torch\nclass M(torch.nn.Module):\n    def __init__(self):\n        raise ValueError('no')\n",
        &expect![[r#"
            error 3:8-3:30 raise ValueError('no')
                ValueError: no
        "#]],
    );
}

#[test]
fn errors_in_the_library_are_told_where_it_is_called() {
    let text = "import torch\ndef f(x):\n    return torch.nn.functional.one_hot(x, classes=3)\n";
    findings(
        M,
        text,
        &expect![[r#"
        error 2:11-2:38 torch.nn.functional.one_hot
            aten::one_hot(Tensor self, int num_classes=-1) -> Tensor:
            Keyword argument classes unknown.
    "#]],
    );
}

#[test]
fn warnings_and_hints() {
    let text = "\
import torch

class Part(torch.nn.Module):
    def __init__(self, n: int):
        super().__init__()

    def forward(self, x):
        return x

class Whole(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.part = Part(2)

    def forward(self, x):
        return self.part(x)

class Unmade(torch.nn.Module):
    def __init__(self, n: int):
        super().__init__()

def f(a: int):
    return '{0}'.format(a)
";
    findings(
        M,
        text,
        &expect![[r#"
            hint 17:6-17:12 Unmade
                the methods of Unmade are not analysed: its `__init__` takes arguments, and no variable of the file holds one
            warning 22:11-22:23 '{0}'.format
                `{0}` stays as it is, only `{}` is filled in (TorchScript is not Python here)
        "#]],
    );
}

#[test]
fn only_what_is_marked_is_compiled_where_something_is() {
    let text = "\
import torch

def python(x):
    return undefined(x)

@torch.jit.script
def f(x):
    return wrong
";
    findings(
        M,
        text,
        &expect![[r#"
        error 7:11-7:16 wrong
            undefined value wrong
    "#]],
    );
}

#[test]
fn values_have_types_and_modules_sizes() {
    let class = |line: &str| {
        format!(
            "import torch\nclass M(torch.nn.Module):\n    \"\"\"It scales.\"\"\"\n    def __init__(self):\n        super().__init__()\n        self.scale = torch.nn.Linear(3, 4)\n    def forward(self, x, n: int = 2):\n        \"\"\"Scales n times.\"\"\"\n        y = [x]\n        {line}\n"
        )
    };
    hover(
        M,
        &class("return $0y"),
        &expect![[r#"
        9:15-9:16 y
        ```python
        y: List[Tensor]
        ```
    "#]],
    );
    hover(
        M,
        &class("return self.sc$0ale(x)"),
        &expect![[r#"
        9:20-9:25 scale
        ```python
        scale: torch.nn.modules.linear.Linear
        ```
    "#]],
    );
    hover(
        M,
        &class("return self.scale.wei$0ght"),
        &expect![[r#"
        9:26-9:32 weight
        ```python
        weight: Tensor  # torch.float32 [4, 3]
        ```
    "#]],
    );
    hover(
        M,
        &class("return self.forw$0ard(x)"),
        &expect![[r#"
        9:20-9:27 forward
        `m.M.forward` is not compiled
    "#]],
    );
    hover(
        M,
        &class("return torch.ca$0t(y)"),
        &expect![[r#"
        9:21-9:24 cat
        ```text
        aten::cat(Tensor[] tensors, int dim=0) -> Tensor
        ```

        Other overloads:

        ```text
        aten::cat.out(Tensor[] tensors, int dim=0, *, Tensor(a!) out) -> Tensor(a!)
        ```

        Operator of the family `rearrange`
    "#]],
    );
    hover(
        M,
        &class("return torch.nn.functional.softm$0ax(x, 0)"),
        &expect![[r#"
        9:35-9:42 softmax
        ```text
        softmax(Tensor input, int? dim=None, int _stacklevel=3, int? dtype=None) -> Tensor
        ```
    "#]],
    );
    hover(
        M,
        &class("return y[0] $0* 2"),
        &expect![[r#"
        9:15-9:23 y[0] * 2
        ```python
        y[0] * 2: Tensor
        ```

        ```text
        aten::mul.Scalar(Tensor self, Scalar other) -> Tensor
        ```

        Other overloads:

        ```text
        aten::mul.Tensor(Tensor self, Tensor other) -> Tensor
        aten::mul.out(Tensor self, Tensor other, *, Tensor(a!) out) -> Tensor(a!)
        aten::mul.Scalar_out(Tensor self, Scalar other, *, Tensor(a!) out) -> Tensor(a!)
        aten::mul.left_t(t[] l, int n) -> t[]
        aten::mul.right_(int n, t[] l) -> t[]
        aten::mul.int(int a, int b) -> int
        aten::mul.complex(complex a, complex b) -> complex
        aten::mul.float(float a, float b) -> float
        aten::mul.int_complex(int a, complex b) -> complex
        aten::mul.complex_int(complex a, int b) -> complex
        aten::mul.float_complex(float a, complex b) -> complex
        aten::mul.complex_float(complex a, float b) -> complex
        ```

        3 overloads more

        Operator of the family `pointwise`
    "#]],
    );
    hover(
        M,
        &class("return to$0rch.relu(x)"),
        &expect![[r#"
        9:15-9:20 torch
        ```python
        import torch
        ```
    "#]],
    );
    hover(
        M,
        &class("return x").replace("class M", "class $0M"),
        &expect![[r#"
        1:6-1:7 M
        ```python
        class M:
            training: bool
            _is_full_backward_hook: Optional[bool]
            scale: torch.nn.modules.linear.Linear
        ```

        It scales.
    "#]],
    );
    hover(
        M,
        &class("return x").replace("def forward", "def for$0ward"),
        &expect![[r#"
        6:8-6:15 forward
        ```text
        forward(__torch__.m.M self, Tensor x, int n=2) -> Tensor
        ```

        Scales n times.
    "#]],
    );
    hover(
        M,
        &class("return x").replace("return x", "retu$0rn x"),
        &expect![[r#"
        nothing
    "#]],
    );
}

#[test]
fn a_loop_over_modules_has_the_types_of_all() {
    let text = "\
import torch
class M(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.layers = torch.nn.ModuleList([torch.nn.ReLU(), torch.nn.Sigmoid()])
    def forward(self, x):
        for layer in self.layers:
            x = lay$0er(x)
        return x
";
    hover(
        M,
        text,
        &expect![[r#"
        7:16-7:21 layer
        ```python
        layer: torch.nn.modules.activation.ReLU | torch.nn.modules.activation.Sigmoid
        ```
    "#]],
    );
}

#[test]
fn definitions_are_the_assignments_that_reach() {
    let text = "\
def f(x, c: bool):
    y = x
    y = x + 1
    if c:
        y = x + 2
        z = y
    else:
        z = $0y
    return z
";
    definitions(
        M,
        text,
        &expect![[r#"
        2:4-2:5 y
    "#]],
    );
    definitions(
        M,
        &text.replace("$0", "").replace("return z", "return $0z"),
        &expect![[r#"
        5:8-5:9 z
        7:8-7:9 z
    "#]],
    );
    let text = "\
import torch
from typing import List
class Pair:
    def __init__(self, a: int):
        self.a = a
    def both(self) -> int:
        return self.a + self.a
class M(torch.nn.Module):
    def helper(self, x):
        return x
    def forward(self, x):
        pair = Pair(1)
        return self.helper(x) + pair.both() + pair.a
";
    definitions(
        M,
        &text.replace("self.helper", "self.hel$0per"),
        &expect![[r#"
        8:8-8:14 helper
    "#]],
    );
    definitions(
        M,
        &text.replace("pair.both", "pair.bo$0th"),
        &expect![[r#"
        5:8-5:12 both
    "#]],
    );
    definitions(
        M,
        &text.replace("pair.a", "pair.a$0"),
        &expect![[r#"
        4:13-4:14 a
    "#]],
    );
    definitions(
        M,
        &text.replace("= Pair", "= Pa$0ir"),
        &expect![[r#"
        2:6-2:10 Pair
    "#]],
    );
    definitions(
        M,
        &text.replace("torch.nn", "tor$0ch.nn"),
        &expect![[r#"
        0:7-0:12 torch
    "#]],
    );
    references(
        M,
        &text.replace("pair.a", "pair.a$0"),
        &expect![[r#"
        4:13-4:14 a
        6:20-6:21 a
        6:29-6:30 a
        12:51-12:52 a
    "#]],
    );
    references(
        M,
        &text.replace("= Pair", "= Pa$0ir"),
        &expect![[r#"
        2:6-2:10 Pair
        11:15-11:19 Pair
    "#]],
    );
}

#[test]
fn local_variables_are_renamed_and_others_are_not() {
    let text =
        "def f(x):\n    größe = x\n    other = $0größe + größe\n    return other\ndef g(größe):\n    return größe\n";
    rename(
        M,
        text,
        "size",
        &expect![[r#"
        1:4-1:9 größe -> size
        2:12-2:17 größe -> size
        2:20-2:25 größe -> size
    "#]],
    );
    rename(
        M,
        text,
        "other",
        &expect![[r#"
        refused: other is the name of something else already
    "#]],
    );
    rename(
        M,
        text,
        "f",
        &expect![[r#"
        refused: f is the name of something else already
    "#]],
    );
    rename(
        M,
        text,
        "1x",
        &expect![[r#"
        refused: 1x is no name of a variable
    "#]],
    );
    rename(
        M,
        "def f(x):\n    return $0x\n",
        "y",
        &expect![[r#"
        refused: other files may use x: only local variables that are no parameters can be renamed
    "#]],
    );
    rename(
        M,
        "def f(x):\n    return x.$0relu()\n",
        "y",
        &expect![[r#"
        refused: only local variables of functions can be renamed
    "#]],
    );
}

#[test]
fn the_outline_has_definitions_and_attributes() {
    let text = "\
import torch
class M(torch.nn.Module):
    n: int
    def __init__(self):
        super().__init__()
        self.a = self.b = 1
    class Inner:
        pass
def f(x):
    def g(y):
        return y
    return g(x)
";
    symbols(
        M,
        text,
        &expect![[r#"
        5 M: 1:6-1:7 M, to 7:12
          8 n: 2:4-2:5 n, to 2:5
          6 __init__: 3:8-3:16 __init__, to 5:27
          8 a: 5:13-5:14 a, to 5:14
          8 b: 5:22-5:23 b, to 5:23
          5 Inner: 6:10-6:15 Inner, to 7:12
        12 f: 8:4-8:5 f, to 11:14
          12 g: 9:8-9:9 g, to 10:16
    "#]],
    );
}

#[test]
fn completions_are_members_of_what_stands_before_the_dot() {
    completions(
        M,
        "import torch\ndef f(x):\n    return torch.linalg.ei$0\n",
        &expect![[r#"
        eig: aten::linalg_eig(Tensor self) -> (Tensor eigenvalues, Tensor eigenvectors)
        eigh: aten::linalg_eigh(Tensor self, str UPLO="L") -> (Tensor eigenvalues, Tensor eigenvectors)
        eigvals: aten::linalg_eigvals(Tensor self) -> Tensor
        eigvalsh: aten::linalg_eigvalsh(Tensor self, str UPLO="L") -> Tensor
    "#]],
    );
    completions(
        M,
        "import torch.nn.functional as F\ndef f(x):\n    return F.max_pool$0\n",
        &expect![[r#"
        max_pool1d
        max_pool1d_with_indices
        max_pool2d
        max_pool2d_with_indices
        max_pool2d_with_indices_backward: aten::max_pool2d_with_indices_backward(Tensor grad_output, Tensor self, int[2] kernel_size, int[2] stride, int[2] padding, int[2] dilation, bool ceil_mode, Tensor indices) -> Tensor
        max_pool3d
        max_pool3d_with_indices
        max_pool3d_with_indices_backward: aten::max_pool3d_with_indices_backward(Tensor grad_output, Tensor self, int[3] kernel_size, int[3] stride, int[3] padding, int[3] dilation, bool ceil_mode, Tensor indices) -> Tensor
    "#]],
    );
    completions(
        M,
        "from torch import nn\ndef f(x):\n    return nn.Lin$0\n",
        &expect![[r#"
        Linear
        LinearCrossEntropyLoss
    "#]],
    );
    completions(
        M,
        "import torch\ndef f(x):\n    return torch.ops.aten._weight$0\n",
        &expect![[r#"
        _weight_norm: aten::_weight_norm(Tensor v, Tensor g, int dim=0) -> Tensor
        _weight_norm_interface: aten::_weight_norm_interface(Tensor v, Tensor g, int dim=0) -> (Tensor, Tensor)
        _weight_norm_interface_backward: aten::_weight_norm_interface_backward(Tensor grad_w, Tensor saved_v, Tensor saved_g, Tensor saved_norms, int dim) -> (Tensor, Tensor)
    "#]],
    );
    completions(
        M,
        "import torch\nx = torch.n$0\n",
        &expect![[r#"
        nan_to_num: aten::nan_to_num(Tensor self, float? nan=None, float? posinf=None, float? neginf=None) -> Tensor
        nan_to_num_: aten::nan_to_num_(Tensor(a!) self, float? nan=None, float? posinf=None, float? neginf=None) -> Tensor(a!)
        nanmean: aten::nanmean(Tensor self, int[1]? dim=None, bool keepdim=False, *, ScalarType? dtype=None) -> Tensor
        nanmedian: aten::nanmedian(Tensor self) -> Tensor
        nanquantile: aten::nanquantile(Tensor self, Tensor q, int? dim=None, bool keepdim=False, *, str interpolation="linear") -> Tensor
        nansum: aten::nansum(Tensor self, int[1]? dim=None, bool keepdim=False, *, ScalarType? dtype=None) -> Tensor
        narrow: aten::narrow(Tensor(a) self, int dim, SymInt start, SymInt length) -> Tensor(a)
        narrow_copy: aten::narrow_copy(Tensor self, int dim, SymInt start, SymInt length) -> Tensor
        native_batch_norm: aten::native_batch_norm(Tensor input, Tensor? weight, Tensor? bias, Tensor? running_mean, Tensor? running_var, bool training, float momentum, float eps) -> (Tensor, Tensor, Tensor)
        native_batch_norm_backward: aten::native_batch_norm_backward(Tensor grad_out, Tensor input, Tensor? weight, Tensor? running_mean, Tensor? running_var, Tensor? save_mean, Tensor? save_invstd, bool train, float eps, bool[3] output_mask) -> (Tensor, Tensor, Tensor)
        native_channel_shuffle: aten::native_channel_shuffle(Tensor self, SymInt groups) -> Tensor
        native_dropout: aten::native_dropout(Tensor input, float p, bool? train) -> (Tensor, Tensor)
        native_dropout_backward: aten::native_dropout_backward(Tensor grad_output, Tensor mask, float scale) -> Tensor
        native_group_norm: aten::native_group_norm(Tensor input, Tensor? weight, Tensor? bias, SymInt N, SymInt C, SymInt HxW, int group, float eps) -> (Tensor, Tensor, Tensor)
        native_group_norm_backward: aten::native_group_norm_backward(Tensor grad_out, Tensor input, Tensor mean, Tensor rstd, Tensor? weight, SymInt N, SymInt C, SymInt HxW, int group, bool[3] output_mask) -> (Tensor, Tensor, Tensor)
        native_layer_norm: aten::native_layer_norm(Tensor input, SymInt[] normalized_shape, Tensor? weight, Tensor? bias, float eps) -> (Tensor, Tensor, Tensor)
        native_layer_norm_backward: aten::native_layer_norm_backward(Tensor grad_out, Tensor input, SymInt[] normalized_shape, Tensor mean, Tensor rstd, Tensor? weight, Tensor? bias, bool[3] output_mask) -> (Tensor, Tensor, Tensor)
        ne: aten::ne.Tensor(Tensor self, Tensor other) -> Tensor
        ne_: aten::ne_.Scalar(Tensor(a!) self, Scalar other) -> Tensor(a!)
        neg: aten::neg(Tensor self) -> Tensor
        neg_: aten::neg_(Tensor(a!) self) -> Tensor(a!)
        negative: aten::negative(Tensor self) -> Tensor
        negative_: aten::negative_(Tensor(a!) self) -> Tensor(a!)
        new_empty: aten::new_empty(Tensor self, SymInt[] size, *, ScalarType? dtype=None, Layout? layout=None, Device? device=None, bool? pin_memory=None) -> Tensor
        new_empty_strided: aten::new_empty_strided(Tensor self, SymInt[] size, SymInt[] stride, *, ScalarType? dtype=None, Layout? layout=None, Device? device=None, bool? pin_memory=None) -> Tensor
        new_full: aten::new_full(Tensor self, SymInt[] size, Scalar fill_value, *, ScalarType? dtype=None, Layout? layout=None, Device? device=None, bool? pin_memory=None) -> Tensor
        new_ones: aten::new_ones(Tensor self, SymInt[] size, *, ScalarType? dtype=None, Layout? layout=None, Device? device=None, bool? pin_memory=None) -> Tensor
        new_zeros: aten::new_zeros(Tensor self, SymInt[] size, *, ScalarType? dtype=None, Layout? layout=None, Device? device=None, bool? pin_memory=None) -> Tensor
        nextafter: aten::nextafter(Tensor self, Tensor other) -> Tensor
        nextafter_: aten::nextafter_(Tensor(a!) self, Tensor other) -> Tensor(a!)
        nll_loss: aten::nll_loss(Tensor self, Tensor target, Tensor? weight=None, int reduction=1, SymInt ignore_index=-100) -> Tensor
        nll_loss2d_backward: aten::nll_loss2d_backward(Tensor grad_output, Tensor self, Tensor target, Tensor? weight, int reduction, SymInt ignore_index, Tensor total_weight) -> Tensor
        nll_loss2d_forward: aten::nll_loss2d_forward(Tensor self, Tensor target, Tensor? weight, int reduction, SymInt ignore_index) -> (Tensor output, Tensor total_weight)
        nll_loss_backward: aten::nll_loss_backward(Tensor grad_output, Tensor self, Tensor target, Tensor? weight, int reduction, SymInt ignore_index, Tensor total_weight) -> Tensor
        nll_loss_forward: aten::nll_loss_forward(Tensor self, Tensor target, Tensor? weight, int reduction, SymInt ignore_index) -> (Tensor output, Tensor total_weight)
        nll_loss_nd: aten::nll_loss_nd(Tensor self, Tensor target, Tensor? weight=None, int reduction=1, SymInt ignore_index=-100) -> Tensor
        nn
        nonzero: aten::nonzero(Tensor self) -> Tensor
        nonzero_numpy: aten::nonzero_numpy(Tensor self) -> Tensor[]
        nonzero_static: aten::nonzero_static(Tensor self, *, SymInt size, int fill_value=-1) -> Tensor
        norm
        norm_except_dim: aten::norm_except_dim(Tensor v, int pow=2, int dim=0) -> Tensor
        normal: aten::normal.Tensor_float(Tensor mean, float std=1., *, Generator? generator=None) -> Tensor
        normal_: aten::normal_(Tensor(a!) self, float mean=0., float std=1., *, Generator? generator=None) -> Tensor(a!)
        normal_functional: aten::normal_functional(Tensor self, float mean=0., float std=1., *, Generator? generator=None) -> Tensor
        not_equal: aten::not_equal.Tensor(Tensor self, Tensor other) -> Tensor
        not_equal_: aten::not_equal_.Scalar(Tensor(a!) self, Scalar other) -> Tensor(a!)
        nuclear_norm: aten::nuclear_norm(Tensor self, bool keepdim=False) -> Tensor
        numel: aten::numel(Tensor self) -> int
        numpy_T: aten::numpy_T(Tensor(a) self) -> Tensor(a)
    "#]],
    );
    completions(
        M,
        "def f(x):\n    y = x\n    return y.unsq$0\n",
        &expect![[r#"
        unsqueeze: aten::unsqueeze(Tensor(a) self, int dim) -> Tensor(a)
        unsqueeze_: aten::unsqueeze_(Tensor(a!) self, int dim) -> Tensor(a!)
        unsqueeze_copy: aten::unsqueeze_copy(Tensor self, int dim) -> Tensor
    "#]],
    );
    completions(M, "nothing.$0\n", &expect![[""]]);
}

#[test]
fn what_was_known_before_an_error_of_syntax_names_members_still() {
    let text = "import torch\nclass M(torch.nn.Module):\n    def __init__(self):\n        super().__init__()\n        self.weight = 1\n    def forward(self, x):\n        return self\n";
    let broken = text.replace("return self\n", "return (self.$0\n");
    crate::ask::completions_after(
        M,
        text,
        &broken,
        &expect![[r#"
        _is_full_backward_hook: Optional[bool]
        forward
        training: bool
        weight: int
    "#]],
    );
}

#[test]
fn hostile_texts_are_told_and_not_followed() {
    let deep = format!("def f(x):\n    return {}x{}\n", "(".repeat(5000), ")".repeat(5000));
    findings(
        M,
        &deep,
        &expect![[r#"
        error 1:211-1:212 (
            brackets nest deeper than 200
    "#]],
    );
    let chain = format!("def f(x):\n    return x{}\n", ".relu()".repeat(300));
    findings(
        M,
        &chain,
        &expect![[r#"
        error 1:11-1:1012 x.relu().relu().relu().relu().relu().relu().relu().relu().re
            the expression is deeper than 400 operations
    "#]],
    );
    let nested: String = (0..150).map(|i| format!("{}if c:\n", "    ".repeat(i + 1))).collect();
    findings(
        M,
        &format!("def f(x, c: bool):\n{nested}{}pass\n", "    ".repeat(151)),
        &expect![[r#"
        error 101:0-101:404 
            blocks nest deeper than 100
    "#]],
    );
    findings(
        M,
        &"# long\n".repeat(200_000),
        &expect![[r#"
        information 0:0-0:1 #
            the text has 1400000 bytes; at most 1048576 are analysed
    "#]],
    );
}
