//! Expressions: the right-hand side of a node, as source.

use super::{Body, Scope};
use crate::printer::class::is_identifier;
use crate::printer::literal::is_inferable;
use crate::printer::scan::is_closure;
use crate::printer::text::Text;
use crate::printer::{Dependency, Error};
use sconce_graph::graph::{Attr, Graph, NodeId, ValueId};
use sconce_schema::op::{Argument, DefaultValue};
use sconce_schema::text::quote_literal;
use sconce_schema::{Type, overload};
use sconce_script::torch_names;
use sconce_tensor::IValue;
use std::sync::Arc;

/// Writes an expression.
struct Pen<'s, 'g> {
    text: Text,
    place: u32,
    scope: &'s Scope<'g>,
}

impl Pen<'_, '_> {
    fn put(&mut self, text: &str) {
        self.text.put(text, self.place);
    }
    fn value(&mut self, value: ValueId) {
        self.scope.write(value, &mut self.text, self.place);
    }
    fn list(&mut self, begin: &str, values: &[ValueId], end: &str) {
        self.put(begin);
        for (index, value) in values.iter().enumerate() {
            if index > 0 {
                self.put(", ");
            }
            self.value(*value);
        }
        self.put(end);
    }
    /// `f(a, b, )`
    fn call(&mut self, arguments: &[ValueId]) {
        self.put("(");
        for value in arguments {
            self.value(*value);
            self.put(", ");
        }
        self.put(")");
    }
    fn pairs(&mut self, values: &[ValueId]) {
        self.put("{");
        for (index, pair) in values.chunks(2).enumerate() {
            if index > 0 {
                self.put(", ");
            }
            self.value(pair[0]);
            self.put(": ");
            if let Some(value) = pair.get(1) {
                self.value(*value);
            }
        }
        self.put("}");
    }
}

impl Body<'_, '_, '_> {
    /// The right-hand side of a node.
    pub(super) fn expression(&mut self, s: &Scope, node: NodeId) -> Result<Text, Error> {
        let g = s.graph;
        let inputs = g.inputs(node);
        let mut pen = Pen { text: Text::default(), place: self.place, scope: s };
        let ty = g.output(node).map(|v| s.ty(v).clone()).unwrap_or(Type::None);
        let annotation = ty.annotation_str();
        let first = |b: &Self| inputs.first().copied().ok_or_else(|| b.inexpressible(s, node, "it has no operand"));
        match &**g.kind(node) {
            "prim::Constant" => {
                let text = self.constant_node(s, node);
                pen.put(&text);
            }
            "prim::Uninitialized" => pen.put(&format!("uninitialized({annotation})")),
            "aten::ScalarImplicit" | "aten::FloatImplicit" | "aten::IntImplicit" => {
                pen.list(&format!("annotate({annotation}, "), inputs, ")");
            }
            "aten::Int" => pen.list("int(", inputs, ")"),
            "aten::Float" => pen.list("float(", inputs, ")"),
            "aten::Bool" => pen.list("bool(", inputs, ")"),
            "aten::str" => pen.list("str(", inputs, ")"),
            "aten::sorted" => pen.list("sorted(", inputs, ")"),
            "prim::Print" => pen.list("print(", inputs, ")"),
            "aten::__getitem__" => {
                let (container, index) = self.two(s, node)?;
                // Origins of the parts of a name are of no interest.
                let text = s.text(container);
                if is_identifier(&text) {
                    pen.put(&text);
                } else {
                    pen.put(&format!("({text})"));
                }
                pen.list("[", &[index], "]");
            }
            "prim::TupleConstruct" => {
                if let Type::NamedTuple(tuple) = &ty
                    && !tuple.name.is_empty()
                {
                    pen.put(&annotation);
                }
                pen.list("(", inputs, if inputs.len() == 1 { ",)" } else { ")" });
            }
            "prim::TupleIndex" => {
                let (tuple, index) = self.two(s, node)?;
                pen.list("(", &[tuple], ")[");
                pen.list("", &[index], "]");
            }
            "prim::TupleSlice" => {
                pen.list("(", &[first(self)?], ")");
                let int = |name| match g.attr(node, name) {
                    Some(Attr::Int(n)) => n.to_string(),
                    _ => String::new(),
                };
                pen.put(&format!("[{}:{}]", int("beg"), int("end")));
            }
            "prim::ListConstruct" => {
                let inferable = matches!(&ty, Type::List(e) if is_inferable(self.shared.unit, e));
                match (inputs.is_empty(), inferable) {
                    (false, true) => pen.list("[", inputs, "]"),
                    _ => pen.list(&format!("annotate({annotation}, ["), inputs, "])"),
                }
            }
            "prim::DictConstruct" => {
                let inferable = matches!(&ty, Type::Dict(k, v)
                    if is_inferable(self.shared.unit, k) && is_inferable(self.shared.unit, v));
                if inputs.is_empty() || !inferable {
                    pen.put(&format!("annotate({annotation}, "));
                    pen.pairs(inputs);
                    pen.put(")");
                } else {
                    pen.pairs(inputs);
                }
            }
            "prim::CreateObject" => pen.put(&format!("{annotation}.__new__({annotation})")),
            "prim::GetAttr" => {
                let name = self.name_attr(s, node)?;
                if is_identifier(&name) {
                    pen.value(first(self)?);
                    pen.put(&format!(".{name}"));
                } else {
                    pen.list("getattr(", &[first(self)?], ", ");
                    pen.put(&format!("{})", quote_literal(name.as_bytes())));
                }
            }
            "prim::CallFunction" => {
                pen.value(first(self)?);
                pen.call(&inputs[1..]);
            }
            "prim::CallMethod" => {
                let name = self.name_attr(s, node)?;
                pen.list("(", &[first(self)?], ")");
                pen.put(&format!(".{name}"));
                pen.call(&inputs[1..]);
            }
            "aten::_unwrap_optional" => {
                let value = first(self)?;
                pen.put("torch._unwrap_optional(");
                if matches!(s.ty(value), Type::None) {
                    pen.list(&format!("annotate({}, ", Type::optional(ty).annotation_str()), &[value], ")");
                } else {
                    pen.value(value);
                }
                pen.put(")");
            }
            "prim::unchecked_unwrap_optional" | "prim::unchecked_cast" => {
                pen.list(&format!("unchecked_cast({annotation}, "), &[first(self)?], ")");
            }
            "prim::isinstance" => {
                let types = match g.attr(node, "types") {
                    Some(Attr::Types(types)) => types.iter().map(Type::annotation_str).collect::<Vec<_>>(),
                    _ => Vec::new(),
                };
                pen.list("isinstance(", &[first(self)?], ", ");
                pen.put(&match types.as_slice() {
                    [one] => format!("{one})"),
                    _ => format!("({}))", types.join(", ")),
                });
            }
            "prim::tolist" => pen.list(&format!("annotate({annotation}, "), &[first(self)?], ".tolist())"),
            // Their result's type depends on the enum, so they are not calls of operators.
            "prim::EnumValue" => pen.list("(", &[first(self)?], ").value"),
            "prim::EnumName" => pen.list("(", &[first(self)?], ").name"),
            kind if is_closure(g, node) => {
                return Err(self.inexpressible(s, node, format!("{kind} has no Python form")));
            }
            kind => self.operator(s, node, kind, &mut pen),
        }
        Ok(pen.text)
    }

    fn constant_node(&mut self, s: &Scope, node: NodeId) -> String {
        match s.graph.attr(node, "value") {
            Some(Attr::Value(value)) => self.shared.constant(value),
            Some(Attr::Function(name)) => self.function_name(name),
            _ => match s.graph.attr(node, "name") {
                Some(Attr::Function(name)) => self.function_name(name),
                _ => "None".to_owned(),
            },
        }
    }

    fn function_name(&mut self, name: &Arc<str>) -> String {
        self.shared.depend(Dependency::Function(name.clone()));
        name.to_string()
    }

    /// `torch.add(x, y, alpha=2)`: trailing arguments that equal the schema's defaults are left out.
    fn operator(&mut self, s: &Scope, node: NodeId, kind: &str, pen: &mut Pen) {
        let g = s.graph;
        let inputs = g.inputs(node);
        pen.put(&torch_names::printed(kind));
        let types: Vec<Type> = inputs.iter().map(|v| s.ty(*v).clone()).collect();
        let Ok(entry) = overload::of_node(kind, &types) else {
            return unknown_operator(g, node, pen);
        };
        self.shared.needs_version(entry.name);
        let formals = &entry.schema().arguments;
        let (needed, out) = necessary_arguments(formals, s.graph, inputs, true);
        pen.put("(");
        let keyword = |pen: &mut Pen, formal: Option<&Argument>| {
            if let Some(formal) = formal.filter(|f| f.kwarg_only) {
                pen.put(&format!("{}=", formal.name));
            }
        };
        if !formals.is_empty() {
            for (index, value) in inputs.iter().take(needed).enumerate() {
                if index > 0 {
                    pen.put(", ");
                }
                keyword(pen, formals.get(index));
                pen.value(*value);
            }
            for (formal, value) in formals.iter().zip(inputs).skip(formals.len() - out) {
                pen.put(&format!(", {}=", formal.name));
                pen.value(*value);
            }
        }
        pen.put(")");
    }
}

/// An operator that nobody knows: everything it was given, the last ones by the names that the reader noted.
fn unknown_operator(g: &Graph, node: NodeId, pen: &mut Pen) {
    let inputs = g.inputs(node);
    let keywords: Vec<&str> = g.str_attr(node, "keywords").map_or(Vec::new(), |k| k.split(',').collect());
    let positional = inputs.len().saturating_sub(keywords.len());
    pen.put("(");
    for (index, value) in inputs.iter().enumerate() {
        if index > 0 {
            pen.put(", ");
        }
        if let Some(name) = index.checked_sub(positional).and_then(|i| keywords.get(i)) {
            pen.put(&format!("{name}="));
        }
        pen.value(*value);
    }
    pen.put(")");
}

/// How many leading arguments must be written, and how many `out=` arguments come last.
pub(crate) fn necessary_arguments(
    formals: &[Argument],
    graph: &Graph,
    inputs: &[ValueId],
    out_apart: bool,
) -> (usize, usize) {
    let out = if out_apart { formals.iter().rev().take_while(|f| f.is_out()).count() } else { 0 };
    if formals.len() < inputs.len() {
        return (inputs.len(), out);
    }
    let optional = formals[..formals.len() - out].iter().zip(inputs).rev().take_while(|(formal, value)| {
        match (&formal.default, graph.constant(**value)) {
            (Some(default), Some(value)) => equals_default(default, value),
            (Some(DefaultValue::None), None) => is_none_constant(graph, **value),
            _ => false,
        }
    });
    (formals.len() - out - optional.count(), out)
}

fn is_none_constant(graph: &Graph, value: ValueId) -> bool {
    graph.defining(value).is_some_and(|n| graph.is(n, "prim::Constant")) && *graph.ty(value) == Type::None
}

fn equals_default(default: &DefaultValue, value: &IValue) -> bool {
    match (default, value) {
        (DefaultValue::None, IValue::None) => true,
        (DefaultValue::Bool(a), IValue::Bool(b)) => a == b,
        (DefaultValue::Int(a), IValue::Int(b)) => a == b,
        (DefaultValue::Float(a), IValue::Double(b)) => a == b,
        (DefaultValue::Complex(re, im), IValue::Complex(c)) => *re == c.re && *im == c.im,
        (DefaultValue::Str(a), IValue::Str(b)) => **a == ***b,
        (DefaultValue::List(a), IValue::List(b)) => {
            let b = b.read();
            a.len() == b.len() && a.iter().zip(b.iter()).all(|(x, y)| equals_default(x, y))
        }
        _ => false,
    }
}
