//! Types as text: graph spelling (`Display`), schema spelling (`c10::Type::str`) and Python spelling (`annotation_str`).

use super::{Device, Dim, NamedTuple, TensorType, Type};
use std::fmt::{self, Display, Write as _};

fn join<T>(out: &mut String, items: impl IntoIterator<Item = T>, mut each: impl FnMut(&mut String, T)) {
    for (i, item) in items.into_iter().enumerate() {
        if i > 0 {
            out.push_str(", ");
        }
        each(out, item);
    }
}

impl Display for Device {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.index {
            Some(i) => write!(f, "{}:{i}", self.kind),
            None => f.write_str(&self.kind),
        }
    }
}

impl Display for Dim {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Dim::Known(n) => write!(f, "{n}"),
            Dim::Unknown => f.write_str("*"),
            Dim::Symbol(n) => write!(f, "SS({n})"),
        }
    }
}

impl Display for TensorType {
    /// `Tensor`, `FloatTensor`, `Float(2, 3, strides=[3, 1], requires_grad=0, device=cpu)`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.dtype {
            Some(d) => f.write_str(d.graph_name())?,
            None => f.write_str("Tensor")?,
        }
        if self.dtype.is_some() && self.sizes.is_none() {
            f.write_str("Tensor")?;
        }
        let mut parts: Vec<String> = Vec::new();
        if let Some(sizes) = &self.sizes {
            parts.extend(sizes.iter().map(Dim::to_string));
            // A partial list of strides says nothing: it is not printed.
            if let Some(strides) = &self.strides
                && !strides.is_empty()
                && strides.len() == sizes.len()
                && strides.iter().all(|d| matches!(d, Dim::Known(_)))
            {
                let strides: Vec<String> = strides.iter().map(Dim::to_string).collect();
                parts.push(format!("strides=[{}]", strides.join(", ")));
            }
        }
        if let Some(grad) = self.requires_grad {
            parts.push(format!("requires_grad={}", i32::from(grad)));
        }
        if let Some(device) = &self.device {
            parts.push(format!("device={device}"));
        }
        if self.sizes.is_some() || !parts.is_empty() {
            write!(f, "({})", parts.join(", "))?;
        }
        if self.undefined == Some(true) {
            f.write_str("[Undefined]")?;
        }
        Ok(())
    }
}

impl NamedTuple {
    fn write_fields(&self, out: &mut String) {
        join(out, self.fields.iter().enumerate(), |out, (i, (name, ty))| {
            let _ = write!(out, "{name} : {ty}");
            if let Some(Some(default)) = self.defaults.get(i) {
                let _ = write!(out, " = {default}");
            }
        });
    }
}

impl Display for Type {
    /// Graph spelling: `Float(2, 3)[]`, `Future[Tensor]`, `NamedTuple(x : Tensor)`. Below `Dict`, `Union` and `Await`
    /// PyTorch changes to the schema spelling, which says less of tensors.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Type::Tensor(t) => t.fmt(f),
            Type::List(t) => write!(f, "{t}[]"),
            Type::Optional(t) => write!(f, "{t}?"),
            Type::Future(t) => write!(f, "Future[{t}]"),
            Type::RRef(t) => write!(f, "RRef[{t}]"),
            Type::Tuple(ts) => {
                f.write_char('(')?;
                for (i, t) in ts.iter().enumerate() {
                    write!(f, "{}{t}", if i > 0 { ", " } else { "" })?;
                }
                f.write_char(')')
            }
            Type::NamedTuple(t) => {
                let mut out = String::from("NamedTuple(");
                t.write_fields(&mut out);
                write!(f, "{out})")
            }
            // Types of their own inside; PyTorch's graphs know only the number.
            Type::Layout | Type::MemoryFormat | Type::ScalarType | Type::SymInt => f.write_str("int"),
            other => f.write_str(&other.schema_str()),
        }
    }
}

impl Type {
    /// The spelling of schemas, PyTorch's `Type::str()`: `Tensor`, `int[]`, `Dict(str, t)`, `Future(t)`.
    pub fn schema_str(&self) -> String {
        let mut out = String::new();
        self.write_schema(&mut out);
        out
    }

    fn write_schema(&self, out: &mut String) {
        let wrap = |out: &mut String, name: &str, items: &[&Type]| {
            out.push_str(name);
            out.push('(');
            join(out, items, |out, t| t.write_schema(out));
            out.push(')');
        };
        match self {
            Type::Tensor(_) => out.push_str("Tensor"),
            Type::List(t) => {
                t.write_schema(out);
                out.push_str("[]");
            }
            Type::Optional(t) => {
                t.write_schema(out);
                out.push('?');
            }
            Type::Dict(k, v) => wrap(out, "Dict", &[k, v]),
            Type::Future(t) => wrap(out, "Future", &[t]),
            Type::Await(t) => wrap(out, "Await", &[t]),
            Type::RRef(t) => wrap(out, "RRef", &[t]),
            Type::Union(ts) => wrap(out, "Union", &ts.iter().collect::<Vec<_>>()),
            Type::Tuple(ts) => wrap(out, "", &ts.iter().collect::<Vec<_>>()),
            Type::NamedTuple(t) if t.name.is_empty() => {
                out.push_str("NamedTuple(");
                t.write_fields(out);
                out.push(')');
            }
            Type::NamedTuple(t) => out.push_str(&t.name),
            Type::Enum(name) => {
                let _ = write!(out, "Enum<{name}>");
            }
            Type::Class(name) | Type::Var(name) => out.push_str(name),
            Type::Any => out.push_str("Any"),
            Type::Int => out.push_str("int"),
            Type::Float => out.push_str("float"),
            Type::Complex => out.push_str("complex"),
            Type::Bool => out.push_str("bool"),
            Type::Str => out.push_str("str"),
            Type::None => out.push_str("NoneType"),
            Type::Number => out.push_str("Scalar"),
            Type::Device => out.push_str("Device"),
            Type::Generator => out.push_str("Generator"),
            Type::Stream => out.push_str("Stream"),
            Type::Storage => out.push_str("Storage"),
            Type::QScheme => out.push_str("QScheme"),
            Type::Layout => out.push_str("Layout"),
            Type::MemoryFormat => out.push_str("MemoryFormat"),
            Type::ScalarType => out.push_str("ScalarType"),
            Type::SymInt => out.push_str("SymInt"),
            Type::SymFloat => out.push_str("SymFloat"),
            Type::SymBool => out.push_str("SymBool"),
            Type::Capsule => out.push_str("Capsule"),
            Type::PyObject => out.push_str("PyObject"),
            Type::Function => out.push_str("Function"),
            Type::AnyList => out.push_str("list"),
            Type::AnyTuple => out.push_str("tuple"),
            Type::AnyClass => out.push_str("AnyClassType"),
            Type::AnyEnum => out.push_str("AnyEnumType"),
        }
    }

    /// The spelling of Python annotations, PyTorch's `annotation_str`: `List[int]`, `Optional[Tensor]`, `number`.
    pub fn annotation_str(&self) -> String {
        let mut out = String::new();
        self.write_annotation(&mut out);
        out
    }

    fn write_annotation(&self, out: &mut String) {
        let wrap = |out: &mut String, name: &str, items: &[&Type]| {
            out.push_str(name);
            out.push('[');
            join(out, items, |out, t| t.write_annotation(out));
            out.push(']');
        };
        match self {
            Type::List(t) => wrap(out, "List", &[t]),
            Type::Optional(t) => wrap(out, "Optional", &[t]),
            Type::Dict(k, v) => wrap(out, "Dict", &[k, v]),
            Type::Future(t) => wrap(out, "Future", &[t]),
            Type::Await(t) => wrap(out, "Await", &[t]),
            Type::RRef(t) => wrap(out, "RRef", &[t]),
            Type::Union(ts) => wrap(out, "Union", &ts.iter().collect::<Vec<_>>()),
            // An empty subscript is no Python: the empty tuple has a spelling of its own.
            Type::Tuple(ts) if ts.is_empty() => out.push_str("Tuple[()]"),
            Type::Tuple(ts) => wrap(out, "Tuple", &ts.iter().collect::<Vec<_>>()),
            Type::NamedTuple(t) if t.name.is_empty() => {
                wrap(out, "Tuple", &t.fields.iter().map(|(_, ty)| ty).collect::<Vec<_>>());
            }
            Type::Enum(name) => out.push_str(name),
            Type::Number => out.push_str("number"),
            Type::Layout | Type::MemoryFormat | Type::ScalarType | Type::SymInt => out.push_str("int"),
            Type::SymFloat => out.push_str("float"),
            Type::SymBool => out.push_str("bool"),
            other => other.write_schema(out),
        }
    }
}
