//! What a text without quotes means is decided by the operator's schema, where one is known, and otherwise by what the text looks like.

use super::read;
use crate::python::{Form, literal};
use crate::{Argument, Graph, Node, NodeId, Op, OperatorName};
use rustc_hash::FxHashMap;
use sconce_schema::types::Device;
use sconce_schema::{FunctionSchema, Type};
use sconce_source::Span;

/// An argument as the grammar reads it, and where it stands.
pub(super) struct Item {
    pub argument: Argument,
    pub span: Span,
}

/// What is wrong, and where.
type Fault = (Span, String);

/// Kinds of devices that a text is taken for where no schema says what it is.
const DEVICES: &[&str] = &["cpu", "cuda", "meta", "mps", "xpu", "xla", "hpu", "mtia", "ipu", "vulkan", "privateuseone"];

/// Gives a node its arguments.
pub(super) fn resolve(node: &mut Node, args: Vec<Item>, kwargs: Vec<(&str, Item)>, text: &str) -> Result<(), Fault> {
    let operator = node.operator();
    let schema = operator.as_ref().and_then(|o| sconce_schema::lookup(&o.schema_name())).map(|entry| entry.schema());
    let args = match schema {
        Some(schema) => joined(args, schema),
        None => args,
    };
    // Higher-order operators have no schema; what they take of devices are kinds, as strings.
    let by_look = operator.is_none_or(|o| o.namespace != "higher_order");
    let meant = |item: Item, wanted: Option<&sconce_schema::Argument>| match wanted {
        Some(wanted) => by_type(item, &wanted.ty, &wanted.name, text),
        None => Ok(looks_like(item.argument, by_look)),
    };
    for (i, item) in args.into_iter().enumerate() {
        let argument = meant(item, schema.and_then(|s| s.arguments.get(i)))?;
        node.args.push(argument);
    }
    for (keyword, item) in kwargs {
        let argument = meant(item, schema.and_then(|s| s.arguments.iter().find(|a| *a.name == *keyword)))?;
        node.kwargs.push((keyword.to_owned(), argument));
    }
    Ok(())
}

/// Where there are more arguments than the operator takes, and it takes one string, the string has commas.
fn joined(mut args: Vec<Item>, schema: &FunctionSchema) -> Vec<Item> {
    let positional = schema.arguments.iter().filter(|a| !a.kwarg_only).count();
    let surplus = args.len().saturating_sub(positional);
    let mut strings = schema.arguments.iter().take(positional).enumerate().filter(|(_, a)| is_text(&a.ty));
    let (Some((at, _)), None, 1..) = (strings.next(), strings.next(), surplus) else { return args };
    let Some(last) = args.get(at + surplus).map(|item| item.span.end) else { return args };
    if let Some(first) = args.get_mut(at) {
        first.span.end = last;
        args.drain(at + 1..=at + surplus);
    }
    args
}

fn is_text(ty: &Type) -> bool {
    match ty {
        Type::Str => true,
        Type::Optional(inner) => is_text(inner),
        _ => false,
    }
}

fn by_type(item: Item, ty: &Type, name: &str, text: &str) -> Result<Argument, Fault> {
    let (is_optional, inner) = match ty {
        Type::Optional(inner) => (true, &**inner),
        ty => (false, ty),
    };
    let source = || text.get(item.span.start as usize..item.span.end as usize).unwrap_or_default();
    match (inner, &item.argument) {
        (Type::Str, Argument::None) if is_optional && source() == "None" => Ok(Argument::None),
        (Type::Str, _) => Ok(Argument::Str(source().to_owned())),
        (Type::Device, Argument::Str(said)) => {
            said.parse().map(Argument::Device).map_err(|_| (item.span, format!("`{name}` is a device, found `{said}`")))
        }
        (
            Type::Tensor(_)
            | Type::Int
            | Type::SymInt
            | Type::Float
            | Type::SymFloat
            | Type::Bool
            | Type::SymBool
            | Type::Number
            | Type::Complex,
            Argument::Str(said),
        ) => Err((
            item.span,
            format!(
                "`{name}` is of type {inner}, found `{said}`; if a string of this call has a comma, it cannot be told from that of the text"
            ),
        )),
        _ => Ok(looks_like(item.argument, true)),
    }
}

/// A string that is written as a device or an operator is one.
fn looks_like(argument: Argument, devices: bool) -> Argument {
    match argument {
        Argument::Str(said) => {
            let kind = said.split_once(':').map_or(said.as_str(), |(kind, _)| kind);
            let device = (devices && DEVICES.contains(&kind)).then(|| said.parse::<Device>().ok()).flatten();
            match device {
                Some(device) => Argument::Device(device),
                None => operator(&said).map_or(Argument::Str(said), Argument::Operator),
            }
        }
        Argument::List(items) => Argument::List(items.into_iter().map(|a| looks_like(a, devices)).collect()),
        Argument::Tuple(items) => Argument::Tuple(items.into_iter().map(|a| looks_like(a, devices)).collect()),
        Argument::Dict(entries) => {
            Argument::Dict(entries.into_iter().map(|(key, a)| (key, looks_like(a, devices))).collect())
        }
        other => other,
    }
}

/// `aten.add.Tensor`, if there is such an operator.
fn operator(said: &str) -> Option<OperatorName> {
    let name = OperatorName::of_target(&format!("torch.ops.{said}")).filter(|n| !n.overload.is_empty())?;
    sconce_schema::lookup(&name.schema_name()).map(|_| name)
}

/// Why a graph's text does not read back as the graph.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("FX text does not say what `{node}` is: {why}")]
pub struct Unreadable {
    pub node: String,
    /// What the text reads as, or the reader's refusal.
    pub why: String,
}

/// The first node, in order, that [`read`](super::read) would not read back from the graph's text; nothing where the text says all but metadata.
///
/// FX text writes strings without quotes: `3` may be a number or a string, and a comma one of the string's or of the list's.
pub fn unreadable(graph: &Graph) -> Option<Unreadable> {
    let back = match read("<graph>", &graph.to_string()) {
        Ok(back) => back,
        Err(error) => {
            // The header is the first line, and each node has one: unless a string breaks a line.
            let at = (error.line as usize).saturating_sub(2);
            let node = graph.nodes().nth(at).map_or("the graph", |(_, node)| &node.name);
            return Some(Unreadable { node: node.to_owned(), why: error.message });
        }
    };
    // Both have their nodes in one order.
    let theirs: FxHashMap<NodeId, NodeId> = graph.nodes().zip(back.nodes()).map(|((a, _), (b, _))| (a, b)).collect();
    let mut to = |id: NodeId| theirs.get(&id).copied().map_or(Argument::None, Argument::Node);
    for ((_, mine), (_, theirs)) in graph.nodes().zip(back.nodes()) {
        let mut node = mine.clone();
        node.args = node.args.iter().map(|a| a.map_nodes(&mut to)).collect();
        node.kwargs = node.kwargs.iter().map(|(k, a)| (k.clone(), a.map_nodes(&mut to))).collect();
        node.meta = theirs.meta.clone();
        // A placeholder with two default values, or an output with two values, prints as one with one.
        let same =
            if node.op == Op::Output { node.args == theirs.args && node.kwargs.is_empty() } else { node == *theirs };
        if !same {
            return Some(Unreadable { node: mine.name.clone(), why: difference(&node, theirs, &back) });
        }
    }
    (graph.len() != back.len())
        .then(|| Unreadable { node: "the graph".to_owned(), why: "a string breaks a line".to_owned() })
}

/// In what a node and what its text reads as differ. Both have their handles in the graph that was read.
fn difference(node: &Node, back: &Node, graph: &Graph) -> String {
    let said = |argument: Option<&Argument>| argument.map_or("nothing".to_owned(), |a| literal(graph, a, Form::Repr));
    for i in 0..node.args.len().max(back.args.len()) {
        let (a, b) = (node.args.get(i), back.args.get(i));
        if a != b {
            return format!("its argument {i} is {}, and reads as {}", said(a), said(b));
        }
    }
    for i in 0..node.kwargs.len().max(back.kwargs.len()) {
        let (a, b) = (node.kwargs.get(i), back.kwargs.get(i));
        if let Some((keyword, _)) = a.or(b).filter(|_| a != b) {
            return format!(
                "its argument `{keyword}` is {}, and reads as {}",
                said(a.map(|a| &a.1)),
                said(b.map(|b| &b.1))
            );
        }
    }
    "its name, target or type reads as another".to_owned()
}
