//! A pickle's values print as Python would write them, tensors by what they are; a long text is cut, and says so.

use super::disassemble::bytes_repr;
use super::{Pickle, TensorRef, Value, ValueId};
use sconce_schema::text::{python_float, python_str};
use std::fmt::{self, Write};

/// What is shared is written out, so the text of a small pickle may be long.
const TEXT_LIMIT: usize = 1 << 20;
const DEPTH_LIMIT: usize = 200;

impl fmt::Display for Pickle {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        let mut text = String::new();
        show(self, self.root_id(), 0, &mut text);
        f.write_str(&text)
    }
}

fn show(pickle: &Pickle, id: ValueId, depth: usize, out: &mut String) {
    if out.len() > TEXT_LIMIT || depth > DEPTH_LIMIT {
        if !out.ends_with('…') {
            out.push('…');
        }
        return;
    }
    let inner = depth + 1;
    match &pickle[id] {
        Value::None => out.push_str("None"),
        Value::Bool(b) => out.push_str(if *b { "True" } else { "False" }),
        Value::Int(n) => out.push_str(&n.to_string()),
        Value::BigInt(digits) => out.push_str(digits),
        Value::Float(x) => out.push_str(&python_float(*x)),
        Value::Complex(c) => {
            let _ = write!(out, "complex({}, {})", python_float(c[0]), python_float(c[1]));
        }
        Value::Str(text) => out.push_str(&python_str(&String::from_utf8_lossy(text))),
        Value::Bytes(bytes) => out.push_str(&bytes_repr(bytes)),
        Value::List(list) => items(pickle, &list.items, ["[", "]"], inner, out),
        Value::Tuple(parts) => items(pickle, parts, ["(", if parts.len() == 1 { ",)" } else { ")" }], inner, out),
        Value::Dict(dict) => {
            out.push('{');
            for (i, (key, value)) in dict.entries.iter().enumerate() {
                out.push_str(if i == 0 { "" } else { ", " });
                show(pickle, *key, inner, out);
                out.push_str(": ");
                show(pickle, *value, inner, out);
            }
            out.push('}');
        }
        Value::Object(object) => {
            out.push_str(&object.class);
            items(pickle, &[object.state], ["(", ")"], inner, out);
        }
        Value::Enum(member) => {
            out.push_str(&member.class);
            items(pickle, &[member.value], ["(", ")"], inner, out);
        }
        Value::Tensor(tensor) => show_tensor(tensor, out),
        Value::Sparse(sparse) => {
            let _ = write!(out, "{}{:?}", sparse.layout.torch_name(), sparse.sizes);
            items(pickle, &sparse.parts, ["(", ")"], inner, out);
        }
        Value::TensorId(n) => {
            let _ = write!(out, "tensor #{n}");
        }
        Value::Storage(storage) => {
            let _ = write!(out, "storage '{}' of {} on {}", storage.key, storage.numel, storage.device);
        }
        Value::Device(device) => {
            let _ = write!(out, "device({})", python_str(device));
        }
        Value::DType(dtype) => {
            let _ = write!(out, "torch.{}", dtype.torch_name());
        }
        Value::Layout(layout) => {
            let _ = write!(out, "torch.{}", layout.torch_name());
        }
        Value::QScheme(scheme) => {
            let _ = write!(out, "torch.{}", scheme.name());
        }
        Value::Global(global) => {
            let _ = write!(out, "{global}");
        }
    }
}

fn items(pickle: &Pickle, ids: &[ValueId], brackets: [&str; 2], depth: usize, out: &mut String) {
    out.push_str(brackets[0]);
    for (i, id) in ids.iter().enumerate() {
        out.push_str(if i == 0 { "" } else { ", " });
        show(pickle, *id, depth, out);
    }
    out.push_str(brackets[1]);
}

fn show_tensor(tensor: &TensorRef, out: &mut String) {
    let _ = write!(out, "tensor({} {:?} in storage '{}'", tensor.dtype, tensor.sizes, tensor.storage.key);
    if tensor.offset != 0 {
        let _ = write!(out, " from {}", tensor.offset);
    }
    let contiguous = tensor.sizes.iter().zip(&tensor.strides).rev().try_fold(1i64, |expected, (size, stride)| {
        (*size == 1 || *stride == expected).then(|| expected.saturating_mul((*size).max(1)))
    });
    if contiguous.is_none() {
        let _ = write!(out, " strides {:?}", tensor.strides);
    }
    out.push(')');
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Limits;
    use crate::pickle::{Dict, Enum, Object, StorageRef};
    use sconce_schema::DType;

    #[test]
    fn attributes_print_with_the_numbers_of_tensors() {
        let mut bytes = b"\x80\x02(G".to_vec();
        bytes.extend(2.3f64.to_be_bytes());
        bytes.extend(b"(K\x01K\x02K\x03K\x04tq\0ctorch.jit._pickle\nbuild_tensor_from_id\nq\x01(K\0tR");
        bytes.extend(b"ctorch.jit._pickle\nbuild_intlist\nq\x02(](K\x01K\x02K\x03K\x04etRq\x03t.");
        let pickle = Pickle::read("attributes.pkl", &bytes, &Limits::default()).unwrap();
        assert_eq!(pickle.to_string(), "(2.3, (1, 2, 3, 4), tensor #0, [1, 2, 3, 4])");
    }

    #[test]
    fn objects_print_with_their_attributes() {
        let mut b = Pickle::builder();
        let storage = StorageRef { key: "0".into(), dtype: Some(DType::F32), device: "cpu".into(), numel: 8 };
        let tensor = TensorRef {
            storage,
            dtype: DType::F32,
            offset: 1,
            sizes: vec![2, 3],
            strides: vec![1, 2],
            requires_grad: true,
            parameter: false,
            quantizer: None,
        };
        let one = b.int(1);
        let values =
            [Value::Tensor(Box::new(tensor)), Value::Enum(Box::new(Enum { class: "__torch__.E".into(), value: one }))];
        let [tensor, member] = values.map(|v| b.add(v));
        let single = b.tuple(vec![one]);
        let names = ["w", "it's", "t"].map(|n| b.str(n));
        let entries = names.into_iter().zip([tensor, member, single]).collect();
        let state = b.add(Value::Dict(Box::new(Dict { entries, ..Dict::default() })));
        let root = b.add(Value::Object(Box::new(Object { class: "__torch__.M".into(), state })));
        assert_eq!(
            b.finish(root).to_string(),
            "__torch__.M({'w': tensor(f32 [2, 3] in storage '0' from 1 strides [1, 2]), \"it's\": __torch__.E(1), 't': (1,)})"
        );
    }

    #[test]
    fn what_is_shared_too_often_is_cut() {
        let mut b = Pickle::builder();
        let mut id = b.str("a long text");
        for _ in 0..40 {
            id = b.list(vec![id, id]);
        }
        let text = b.finish(id).to_string();
        assert!(text.len() < 2 * TEXT_LIMIT && text.contains('…'));
    }
}
