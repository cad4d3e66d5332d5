"""Tensors of PyTorch's, where it is installed: no copy either way, and programs that it saved give what it gives."""

import io

import numpy as np
import pytest

import sconce

torch = pytest.importorskip("torch")


@pytest.mark.parametrize("dtype", [torch.float32, torch.bfloat16, torch.float16, torch.int64, torch.bool, torch.complex64, torch.uint8])
def test_memory_is_shared(dtype):
    t = torch.tensor([[0, 1, 1], [1, 0, 1]]).to(dtype)
    ours = sconce.asarray(t.t())
    assert ours.dtype == str(dtype).removeprefix("torch.") and ours.shape == (3, 2)
    assert ours.__array_interface__["data"][0] == t.data_ptr() if dtype is not torch.bfloat16 else True
    back = torch.from_dlpack(ours)
    assert back.data_ptr() == t.data_ptr() and back.stride() == (1, 3)
    t[0, 0] = 1
    assert back[0, 0] == 1 and bool(ours.tolist()[0][0])


def test_programs_write_to_tensors(function):
    t = torch.arange(4.0)
    y = function("def f(x): return x.mul_(2)")(t)
    assert t.tolist() == [0, 2, 4, 6] and torch.from_dlpack(y).data_ptr() == t.data_ptr()
    del t
    assert y.tolist() == [0, 2, 4, 6]


def test_gradients_are_refused(function):
    with pytest.raises(Exception, match="gradient|grad"):
        function("def f(x): return x")(torch.ones(2, requires_grad=True))


def test_a_saved_module_gives_the_same():
    net = torch.nn.Sequential(torch.nn.Conv2d(3, 4, 3), torch.nn.ReLU(), torch.nn.Flatten(), torch.nn.Linear(4 * 36, 5)).eval()
    file = io.BytesIO()
    torch.jit.save(torch.jit.script(net), file)
    model = sconce.load(file.getvalue())
    x = torch.randn(2, 3, 8, 8)
    np.testing.assert_allclose(np.asarray(model(x)), net(x).detach().numpy(), 1e-4, 1e-5)
    assert {k: list(v.shape) for k, v in model.state_dict().items()} == {k: list(v.shape) for k, v in net.state_dict().items()}
    # What is written here PyTorch reads.
    again = torch.jit.load(io.BytesIO(model.to_bytes()))
    np.testing.assert_allclose(again(x).detach().numpy(), net(x).detach().numpy(), 1e-6, 1e-6)


def test_an_exported_program_gives_the_same():
    class Net(torch.nn.Module):
        def forward(self, x, *, scale):
            return {"y": (x * scale).relu()}

    batch = torch.export.Dim("batch", min=1, max=16)
    program = torch.export.export(Net(), (torch.ones(2, 3),), {"scale": torch.ones(3)}, dynamic_shapes={"x": {0: batch}, "scale": None})
    file = io.BytesIO()
    torch.export.save(program, file)
    model = sconce.load(file.getvalue())
    x, scale = torch.randn(5, 3), torch.randn(3)
    np.testing.assert_array_equal(np.asarray(model(x, scale=scale)["y"]), Net()(x, scale=scale)["y"].numpy())
    with pytest.raises(sconce.ArgumentError, match="x"):
        model(torch.ones(2, 4), scale=scale)
