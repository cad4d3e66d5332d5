//! Kernels of family `pad`. Made by `cargo xtask codegen` from dialects/td/ops/pad.td; do not edit.

#[rustfmt::skip]
pub(super) static ROWS: &[(&str, crate::Kernel)] = &[
    ("aten::constant_pad_nd", crate::pad::constant),
    ("aten::pad", crate::pad::pad),
    ("aten::reflection_pad1d", crate::pad::reflection),
    ("aten::reflection_pad2d", crate::pad::reflection),
    ("aten::reflection_pad3d", crate::pad::reflection),
    ("aten::replication_pad1d", crate::pad::replication),
    ("aten::replication_pad2d", crate::pad::replication),
    ("aten::replication_pad3d", crate::pad::replication),
    ("aten::_pad_circular", crate::pad::circular),
    ("aten::_pad_enum", crate::pad::pad_enum),
    ("aten::reflection_pad1d_backward", crate::pad::reflection_backward),
    ("aten::reflection_pad2d_backward", crate::pad::reflection_backward),
    ("aten::reflection_pad3d_backward", crate::pad::reflection_backward),
    ("aten::replication_pad1d_backward", crate::pad::replication_backward),
    ("aten::replication_pad2d_backward", crate::pad::replication_backward),
    ("aten::replication_pad3d_backward", crate::pad::replication_backward),
];
