//! Listings as text, in either spelling.

use super::{AttributeValue, Block, Graph, Listing, Node, Spelling, Use, Value};
use super::{literals, source_location};
use std::fmt::{self, Display, Formatter};

impl Listing {
    /// The text of the listing; with colons it is what PyTorch prints.
    pub fn print(&self, spelling: Spelling) -> String {
        self.print_placed(spelling).0
    }

    /// The text, and where in it each node's line begins, in the order of the lines.
    pub fn print_placed(&self, spelling: Spelling) -> (String, Vec<usize>) {
        let mut printer = Printer { out: String::new(), nodes: Vec::new(), spelling };
        printer.graph(&self.graph);
        for subgraph in &self.subgraphs {
            printer.out.push_str("with ");
            printer.out.push_str(&subgraph.name);
            printer.out.push_str(" = ");
            printer.graph(&subgraph.graph);
        }
        (printer.out, printer.nodes)
    }
}

/// Prints in the spelling with colons.
impl Display for Listing {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        f.write_str(&self.print(Spelling::Colons))
    }
}

struct Printer {
    out: String,
    /// Where each node begins.
    nodes: Vec<usize>,
    spelling: Spelling,
}

impl Printer {
    fn graph(&mut self, graph: &Graph) {
        self.out.push_str("graph(");
        self.values(&graph.inputs, ",\n      ");
        self.out.push(')');
        self.open();
        for node in &graph.nodes {
            self.node(node, 1);
        }
        self.out.push_str("  return (");
        self.uses(&graph.outputs);
        self.out.push_str(match self.spelling {
            Spelling::Colons => ")\n",
            Spelling::Braces => ");\n}\n",
        });
    }

    fn node(&mut self, node: &Node, level: usize) {
        self.nodes.push(self.out.len());
        self.indent(level);
        self.values(&node.outputs, ", ");
        self.out.push_str(" = ");
        self.out.push_str(&node.kind);
        for (i, attribute) in node.attributes.iter().enumerate() {
            self.out.push_str(if i == 0 { "[" } else { ", " });
            self.out.push_str(&attribute.name);
            self.out.push('=');
            self.out.push_str(&attribute.value.to_string());
        }
        if !node.attributes.is_empty() {
            self.out.push(']');
        }
        self.out.push('(');
        self.uses(&node.inputs);
        self.out.push(')');
        if let Some(scope) = &node.scope {
            self.out.push_str(", scope: ");
            self.out.push_str(scope);
        }
        if let Some(comment) = &node.comment {
            self.out.push_str(" # ");
            self.out.push_str(comment);
        }
        self.out.push('\n');
        for (i, block) in node.blocks.iter().enumerate() {
            self.block(block, i, level + 1);
        }
    }

    fn block(&mut self, block: &Block, number: usize, level: usize) {
        self.indent(level);
        self.out.push_str("block");
        self.out.push_str(&number.to_string());
        self.out.push('(');
        self.values(&block.inputs, ", ");
        self.out.push(')');
        self.open();
        for node in &block.nodes {
            self.node(node, level + 1);
        }
        self.indent(level + 1);
        self.out.push_str("-> (");
        self.uses(&block.outputs);
        self.out.push_str(")\n");
        if self.spelling == Spelling::Braces {
            self.indent(level);
            self.out.push_str("}\n");
        }
    }

    fn open(&mut self) {
        self.out.push_str(match self.spelling {
            Spelling::Colons => ":\n",
            Spelling::Braces => " {\n",
        });
    }

    fn indent(&mut self, level: usize) {
        self.out.extend(std::iter::repeat_n(' ', 2 * level));
    }

    fn values(&mut self, values: &[Value], separator: &str) {
        for (i, value) in values.iter().enumerate() {
            if i > 0 {
                self.out.push_str(separator);
            }
            self.out.push('%');
            self.out.push_str(&value.name);
            self.out.push_str(" : ");
            self.out.push_str(&value.ty.to_string());
        }
    }

    fn uses(&mut self, uses: &[Use]) {
        for (i, value) in uses.iter().enumerate() {
            if i > 0 {
                self.out.push_str(", ");
            }
            self.out.push('%');
            self.out.push_str(&value.name);
        }
    }
}

impl Display for AttributeValue {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let join = |items: &[AttributeValue]| items.iter().map(|v| v.to_string()).collect::<Vec<_>>().join(", ");
        match self {
            AttributeValue::None => f.write_str("None"),
            AttributeValue::Bool(value) => f.write_str(if *value { "True" } else { "False" }),
            AttributeValue::Int(value) => write!(f, "{value}"),
            AttributeValue::Float(value) => f.write_str(&literals::float_text(*value)),
            AttributeValue::Complex(re, im) => f.write_str(&literals::complex_text(*re, *im)),
            AttributeValue::Str(text) => f.write_str(&literals::quoted(text)),
            AttributeValue::List(items) => write!(f, "[{}]", join(items)),
            AttributeValue::Tuple(items) if items.len() == 1 => write!(f, "({},)", items[0]),
            AttributeValue::Tuple(items) => write!(f, "({})", join(items)),
            AttributeValue::Dict(entries) => {
                let entries: Vec<_> = entries.iter().map(|(k, v)| format!("{k}: {v}")).collect();
                write!(f, "{{{}}}", entries.join(", "))
            }
            AttributeValue::Annotated(ty, value) => write!(f, "annotate({}, {value})", ty.annotation_str()),
            AttributeValue::Type(ty) => write!(f, "{ty}"),
            AttributeValue::Name(text) | AttributeValue::Tensor(text) | AttributeValue::Opaque(text) => {
                f.write_str(text)
            }
        }
    }
}

impl Node {
    /// File, line and column of the comment, if it is a place.
    pub fn location(&self) -> Option<(&str, u32, u32)> {
        self.comment.as_deref().and_then(source_location)
    }
}
