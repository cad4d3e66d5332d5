//! Arguments as Python writes them: as values print (`repr`), and as code names them.

use crate::{Argument, Graph, NodeId};
use sconce_schema::text::{python_complex, python_float, python_str};
use sconce_schema::types::Device;
use std::fmt::Write;

/// For whom a value is written.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Form {
    /// `repr`: complex numbers in parentheses, operators between angle brackets.
    Repr,
    /// Code that gives the value again.
    Code,
}

/// The name of a node; a place holder where the graph has lost it.
pub(crate) fn name(graph: &Graph, node: NodeId) -> &str {
    graph.get(node).map_or("<erased>", |node| node.name.as_str())
}

/// An argument with its strings quoted, and nodes by their names alone.
pub(crate) fn literal(graph: &Graph, argument: &Argument, form: Form) -> String {
    let mut out = String::new();
    write(&mut out, graph, argument, form);
    out
}

fn write(out: &mut String, graph: &Graph, argument: &Argument, form: Form) {
    match argument {
        Argument::Node(node) => out.push_str(name(graph, *node)),
        Argument::None => out.push_str("None"),
        Argument::Bool(b) => out.push_str(if *b { "True" } else { "False" }),
        Argument::Int(n) => {
            let _ = write!(out, "{n}");
        }
        Argument::Float(x) => out.push_str(&python_float(*x)),
        Argument::Complex(re, im) => match form {
            // Code says with a constructor what arithmetic would not give back.
            Form::Code if [re, im].iter().any(|x| **x == 0.0 || !x.is_finite()) => {
                let _ = write!(out, "complex({}, {})", python_float(*re), python_float(*im));
            }
            _ => out.push_str(&python_complex(*re, *im)),
        },
        Argument::Str(text) => out.push_str(&python_str(text)),
        Argument::DType(dtype) => {
            let _ = write!(out, "torch.{}", dtype.torch_name());
        }
        Argument::Device(device) => out.push_str(&device_repr(device)),
        Argument::Layout(layout) => {
            let _ = write!(out, "{layout}");
        }
        Argument::MemoryFormat(format) => {
            let _ = write!(out, "{format}");
        }
        Argument::Operator(operator) => {
            let _ = match form {
                Form::Code => write!(out, "torch.ops.{operator}"),
                Form::Repr if operator.overload.is_empty() => {
                    write!(out, "<OpOverloadPacket(op='{}.{}')>", operator.namespace, operator.name)
                }
                Form::Repr => write!(
                    out,
                    "<OpOverload(op='{}.{}', overload='{}')>",
                    operator.namespace, operator.name, operator.overload
                ),
            };
        }
        Argument::List(items) => bracketed(out, ("[", "]"), items, |out, a| write(out, graph, a, form)),
        Argument::Tuple(items) => tuple(out, items, |out, a| write(out, graph, a, form)),
        Argument::Dict(entries) => bracketed(out, ("{", "}"), entries, |out, (key, value)| {
            write(out, graph, key, form);
            out.push_str(": ");
            write(out, graph, value, form);
        }),
        Argument::Slice(parts) => bracketed(out, ("slice(", ")"), &parts[..], |out, a| write(out, graph, a, form)),
        Argument::Ellipsis => out.push_str("Ellipsis"),
    }
}

/// Items with commas between them.
pub(crate) fn bracketed<T>(
    out: &mut String,
    (open, close): (&str, &str),
    items: &[T],
    mut each: impl FnMut(&mut String, &T),
) {
    out.push_str(open);
    for (i, item) in items.iter().enumerate() {
        if i > 0 {
            out.push_str(", ");
        }
        each(out, item);
    }
    out.push_str(close);
}

/// A tuple; one item alone has a comma behind it.
pub(crate) fn tuple<T>(out: &mut String, items: &[T], each: impl FnMut(&mut String, &T)) {
    let close = if items.len() == 1 { ",)" } else { ")" };
    bracketed(out, ("(", close), items, each);
}

/// `device(type='cuda', index=1)`
fn device_repr(device: &Device) -> String {
    match device.index {
        Some(index) => format!("device(type='{}', index={index})", device.kind),
        None => format!("device(type='{}')", device.kind),
    }
}
