//! Values as Python text that reads back as the same value.

use super::Shared;
use sconce_graph::unit::{ClassKind, Unit};
use sconce_schema::Type;
use sconce_schema::text::{format_double, quote_literal};
use sconce_tensor::{DictKey, IValue, Tensor};

/// A float: `1.`, `-0.`, `0.10000000000000001`, `1e+20`, `inf`; always read back as a float.
pub fn float_text(x: f64) -> String {
    let mut text = format_double(x);
    // `%.17g` writes integral values from 1e10 to 1e17 as integers.
    if text.bytes().all(|b| b.is_ascii_digit() || b == b'-') {
        text.push('.');
    }
    text
}

/// A complex number, the sign of the imaginary part between the parts: `1.+2.j`. As that is a sum, negative zeros need a call.
fn complex_text(re: f64, im: f64) -> String {
    let negative_zero = |x: f64| x == 0.0 && x.is_sign_negative();
    if negative_zero(re) || negative_zero(im) {
        return format!("complex({}, {})", float_text(re), float_text(im));
    }
    format!("{}{}{}j", float_text(re), if im >= 0.0 { '+' } else { '-' }, float_text(im.abs()))
}

/// Can a container's literal tell its element type by itself?
pub(super) fn is_inferable(unit: &Unit, element: &Type) -> bool {
    match element {
        Type::Union(_) | Type::Optional(_) | Type::Number | Type::Any => false,
        Type::Class(name) => {
            !unit.classes.get(name).is_some_and(|c| matches!(c.kind, ClassKind::Interface | ClassKind::ModuleInterface))
        }
        _ => true,
    }
}

/// A constant's text without a table for tensors: `None` where one would be needed.
pub fn constant_text(unit: &Unit, value: &IValue) -> Option<String> {
    let mut shared = Shared::new(unit);
    let text = shared.constant(value);
    shared.constants.is_empty().then_some(text)
}

/// Does a string in the value, at any depth, hold more than ASCII?
fn holds_unicode(value: &IValue) -> bool {
    match value {
        IValue::Str(s) => !s.is_ascii(),
        IValue::List(list) => list.read().iter().any(holds_unicode),
        IValue::Tuple(tuple) => tuple.items.iter().any(holds_unicode),
        IValue::Dict(dict) => dict.read().iter().any(|(k, v)| holds_unicode(&k.to_value()) || holds_unicode(v)),
        _ => false,
    }
}

impl Shared<'_> {
    /// A constant's text; tensors, objects and strings beyond ASCII go to the table.
    pub(super) fn constant(&mut self, value: &IValue) -> String {
        if holds_unicode(value) {
            return format!("CONSTANTS.c{}", self.table_index(value));
        }
        match value {
            IValue::None | IValue::Uninitialized => "None".to_owned(),
            IValue::Bool(true) => "True".to_owned(),
            IValue::Bool(false) => "False".to_owned(),
            IValue::Int(n) => n.to_string(),
            IValue::Double(x) => float_text(*x),
            IValue::Complex(c) => complex_text(c.re, c.im),
            IValue::Str(s) => quote_literal(s.as_bytes()),
            IValue::Device(d) => {
                let index = d.index.map(|i| format!(":{i}")).unwrap_or_default();
                format!("torch.device({})", quote_literal(format!("{}{index}", d.kind).as_bytes()))
            }
            IValue::Enum(member) => format!("{}.{}", member.class, member.name),
            IValue::Tuple(tuple) => {
                let name = tuple.names.as_ref().map_or("", |n| &*n.name);
                let items = self.constants_joined(&tuple.items);
                format!("{name}({items}{}", if tuple.items.len() == 1 { ",)" } else { ")" })
            }
            IValue::List(list) => {
                let items = list.to_vec();
                let text = format!("[{}]", self.constants_joined(&items));
                if items.is_empty() || !is_inferable(self.unit, &list.element) {
                    return format!("annotate({}, {text})", Type::list(list.element.clone()).annotation_str());
                }
                text
            }
            IValue::Dict(dict) => {
                let items: Vec<(DictKey, IValue)> = dict.read().iter().map(|(k, v)| (k.clone(), v.clone())).collect();
                let texts: Vec<String> = items
                    .iter()
                    .map(|(k, v)| format!("{}: {}", self.constant(&k.to_value()), self.constant(v)))
                    .collect();
                let text = format!("{{{}}}", texts.join(", "));
                if items.is_empty() || !is_inferable(self.unit, &dict.value) {
                    let ty = Type::dict(dict.key.clone(), dict.value.clone());
                    return format!("annotate({}, {text})", ty.annotation_str());
                }
                text
            }
            // The last two are never constants of a graph; who writes the table refuses them.
            IValue::Tensor(_) | IValue::Object(_) | IValue::Future(_) | IValue::Generator(_) => {
                format!("CONSTANTS.c{}", self.table_index(value))
            }
        }
    }

    fn constants_joined(&mut self, values: &[IValue]) -> String {
        values.iter().map(|v| self.constant(v)).collect::<Vec<_>>().join(", ")
    }

    /// The number of a value in the constants table; equal tensors share one.
    fn table_index(&mut self, value: &IValue) -> usize {
        if let IValue::Tensor(tensor) = value {
            let known = self.constants.iter().position(|c| matches!(c, IValue::Tensor(t) if same_tensor(t, tensor)));
            if let Some(index) = known {
                return index;
            }
        }
        self.constants.push(value.clone());
        self.constants.len() - 1
    }
}

fn same_tensor(a: &Tensor, b: &Tensor) -> bool {
    a.is(b)
        || (a.dtype() == b.dtype()
            && a.sizes() == b.sizes()
            && a.device() == b.device()
            && a.requires_grad() == b.requires_grad()
            && a.read_bytes() == b.read_bytes())
}
