//===- pad.td - The op table: padding -*- tablegen -*-===//
//
// What a record may say stands in SconceOps.td. After a change run `cargo xtask codegen`.
//
//===----------------------------------------------------------------------===//

include "SconceOps.td"

def : Op<"aten::constant_pad_nd(Tensor self, SymInt[] pad, Scalar value=0) -> Tensor", [TorchMlir]> { let shape = "pad::constant"; let kernel = "pad::constant"; let quantized = "over_numbers::keep"; }
def : Op<"aten::constant_pad_nd.out(Tensor self, SymInt[] pad, Scalar value=0, *, Tensor(a!) out) -> Tensor(a!)", [OwnDType]>;

def : Op<"aten::pad(Tensor self, SymInt[] pad, str mode=\"constant\", float? value=None) -> Tensor", [TorchMlir]> { let shape = "pad::pad"; let kernel = "pad::pad"; let quantized = "over_numbers::keep"; }

def : Op<"aten::reflection_pad1d(Tensor self, SymInt[2] padding) -> Tensor", [TorchMlir]> { let shape = "pad::reflection1d"; let kernel = "pad::reflection"; let quantized = "over_numbers::keep"; }
def : Op<"aten::reflection_pad1d.out(Tensor self, SymInt[2] padding, *, Tensor(a!) out) -> Tensor(a!)">;

def : Op<"aten::reflection_pad2d(Tensor self, SymInt[4] padding) -> Tensor", [TorchMlir]> { let shape = "pad::reflection2d"; let kernel = "pad::reflection"; let quantized = "over_numbers::keep"; }
def : Op<"aten::reflection_pad2d.out(Tensor self, SymInt[4] padding, *, Tensor(a!) out) -> Tensor(a!)", [Relaid]>;

def : Op<"aten::reflection_pad3d(Tensor self, SymInt[6] padding) -> Tensor", [TorchMlir]> { let shape = "pad::reflection3d"; let kernel = "pad::reflection"; }
def : Op<"aten::reflection_pad3d.out(Tensor self, SymInt[6] padding, *, Tensor(a!) out) -> Tensor(a!)", [Relaid]>;

def : Op<"aten::replication_pad1d(Tensor self, SymInt[2] padding) -> Tensor", [TorchMlir]> { let shape = "pad::replication1d"; let kernel = "pad::replication"; }
def : Op<"aten::replication_pad1d.out(Tensor self, SymInt[2] padding, *, Tensor(a!) out) -> Tensor(a!)">;

def : Op<"aten::replication_pad2d(Tensor self, SymInt[4] padding) -> Tensor", [TorchMlir]> { let shape = "pad::replication2d"; let kernel = "pad::replication"; }
def : Op<"aten::replication_pad2d.out(Tensor self, SymInt[4] padding, *, Tensor(a!) out) -> Tensor(a!)", [Relaid]>;

def : Op<"aten::replication_pad3d(Tensor self, SymInt[6] padding) -> Tensor", [TorchMlir]> { let shape = "pad::replication3d"; let kernel = "pad::replication"; }
def : Op<"aten::replication_pad3d.out(Tensor self, SymInt[6] padding, *, Tensor(a!) out) -> Tensor(a!)", [Relaid]>;

def : Op<"aten::_pad_circular(Tensor self, SymInt[] pad) -> Tensor"> { let shape = "pad::circular"; let numerics = Close; let kernel = "pad::circular"; }

def : Op<"aten::_pad_enum(Tensor self, SymInt[] pad, int mode, float? value=None) -> Tensor"> { let shape = "pad::pad"; let numerics = Close; let kernel = "pad::pad"; }

def : Op<"aten::reflection_pad1d_backward(Tensor grad_output, Tensor self, SymInt[2] padding) -> Tensor"> { let numerics = Close; let shape = "pad::reflection1d_backward"; let kernel = "window_gradients::reflection_backward"; }
def : Op<"aten::reflection_pad1d_backward.grad_input(Tensor grad_output, Tensor self, SymInt[2] padding, *, Tensor(a!) grad_input) -> Tensor(a!)">;

def : Op<"aten::reflection_pad2d_backward(Tensor grad_output, Tensor self, SymInt[4] padding) -> Tensor"> { let numerics = Close; let shape = "pad::reflection2d_backward"; let kernel = "window_gradients::reflection_backward"; }
def : Op<"aten::reflection_pad2d_backward.grad_input(Tensor grad_output, Tensor self, SymInt[4] padding, *, Tensor(a!) grad_input) -> Tensor(a!)", [Relaid]>;

def : Op<"aten::reflection_pad3d_backward(Tensor grad_output, Tensor self, SymInt[6] padding) -> Tensor"> { let numerics = Close; let shape = "pad::reflection3d_backward"; let kernel = "window_gradients::reflection_backward"; }
def : Op<"aten::reflection_pad3d_backward.grad_input(Tensor grad_output, Tensor self, SymInt[6] padding, *, Tensor(a!) grad_input) -> Tensor(a!)", [Relaid]>;

def : Op<"aten::replication_pad1d_backward(Tensor grad_output, Tensor self, SymInt[2] padding) -> Tensor"> { let numerics = Close; let shape = "pad::replication1d_backward"; let kernel = "window_gradients::replication_backward"; }
def : Op<"aten::replication_pad1d_backward.grad_input(Tensor grad_output, Tensor self, SymInt[2] padding, *, Tensor(a!) grad_input) -> Tensor(a!)">;

def : Op<"aten::replication_pad2d_backward(Tensor grad_output, Tensor self, SymInt[4] padding) -> Tensor"> { let numerics = Close; let shape = "pad::replication2d_backward"; let kernel = "window_gradients::replication_backward"; }
def : Op<"aten::replication_pad2d_backward.grad_input(Tensor grad_output, Tensor self, SymInt[4] padding, *, Tensor(a!) grad_input) -> Tensor(a!)", [Relaid]>;

def : Op<"aten::replication_pad3d_backward(Tensor grad_output, Tensor self, SymInt[6] padding) -> Tensor"> { let numerics = Close; let shape = "pad::replication3d_backward"; let kernel = "window_gradients::replication_backward"; }
def : Op<"aten::replication_pad3d_backward.grad_input(Tensor grad_output, Tensor self, SymInt[6] padding, *, Tensor(a!) grad_input) -> Tensor(a!)", [Relaid]>;
