//! FX text, byte for byte as PyTorch's `print(graph)` writes it.
//!
//! Strings stand in arguments without quotes, so that not every text can be read back; [`read`](super::read) says which.

use crate::python::{Form, bracketed, literal, name, tuple};
use crate::{Argument, Graph, Node, NodeId, Op};
use std::fmt;

impl fmt::Display for Graph {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("graph():")?;
        for (id, node) in self.nodes() {
            f.write_str("\n    ")?;
            f.write_str(&self.node_text(id, node))?;
        }
        Ok(())
    }
}

impl Graph {
    /// A node's line without its indentation (`Node.format_node`); empty for a node that the graph does not have.
    pub fn line(&self, id: NodeId) -> String {
        self.get(id).map(|node| self.node_text(id, node)).unwrap_or_default()
    }

    fn node_text(&self, id: NodeId, node: &Node) -> String {
        if node.op == Op::Output {
            // The value's `str`: that of a string is the string.
            return match node.args.first() {
                Some(Argument::Str(text)) => format!("return {text}"),
                Some(value) => format!("return {}", literal(self, value, Form::Repr)),
                None => "return".to_owned(),
            };
        }
        let mut out = format!("%{} : ", node.name);
        if let Some(ty) = &node.ty {
            out.extend([ty.as_str(), " "]);
        }
        out.push_str(&format!("[num_users={}] = {}[target={}]", self.num_users(id), node.op, node.target));
        match node.op {
            Op::GetAttr => {}
            Op::Placeholder => {
                if let Some(default) = node.args.first() {
                    out.push_str("(default=");
                    self.bare(&mut out, default);
                    out.push(')');
                }
            }
            _ => {
                out.push_str("(args = ");
                tuple(&mut out, &node.args, |out, a| self.bare(out, a));
                out.push_str(", kwargs = ");
                bracketed(&mut out, ("{", "}"), &node.kwargs, |out, (keyword, a)| {
                    out.extend([keyword.as_str(), ": "]);
                    self.bare(out, a);
                });
                out.push(')');
            }
        }
        out
    }

    /// An argument whose strings have no quotes, and whose nodes have a `%`; inside of a slice it is the other way round.
    fn bare(&self, out: &mut String, argument: &Argument) {
        match argument {
            Argument::Node(node) => out.extend(["%", name(self, *node)]),
            Argument::Str(text) => out.push_str(text),
            Argument::Device(device) => out.push_str(&device.to_string()),
            Argument::Operator(operator) => out.push_str(&operator.to_string()),
            Argument::List(items) => bracketed(out, ("[", "]"), items, |out, a| self.bare(out, a)),
            Argument::Tuple(items) => tuple(out, items, |out, a| self.bare(out, a)),
            Argument::Dict(entries) => bracketed(out, ("{", "}"), entries, |out, (key, value)| {
                self.bare(out, key);
                out.push_str(": ");
                self.bare(out, value);
            }),
            other => out.push_str(&literal(self, other, Form::Repr)),
        }
    }
}
