//! TorchScript's types and the dialect's: one to one, but for what only graph text knows of tensors (strides, devices, gradients).

use sconce_ir::{Context, Type as MlirType};
use sconce_schema::types::{Dim, NamedTuple, TensorType};
use sconce_schema::{DType, Type};
use std::fmt::Write;
use std::sync::Arc;

/// Element types as MLIR spells them; the others are unknown to the dialect.
const DTYPES: &[(DType, &str)] = &[
    (DType::Bool, "i1"),
    (DType::U8, "ui8"),
    (DType::I8, "si8"),
    (DType::I16, "si16"),
    (DType::I32, "si32"),
    (DType::I64, "si64"),
    (DType::U16, "ui16"),
    (DType::U32, "ui32"),
    (DType::U64, "ui64"),
    (DType::F16, "f16"),
    (DType::BF16, "bf16"),
    (DType::F32, "f32"),
    (DType::F64, "f64"),
    (DType::C32, "complex<f16>"),
    (DType::C64, "complex<f32>"),
    (DType::C128, "complex<f64>"),
    (DType::F8E5M2, "f8E5M2"),
    (DType::F8E4M3FN, "f8E4M3FN"),
    (DType::F8E5M2FNUZ, "f8E5M2FNUZ"),
    (DType::F8E4M3FNUZ, "f8E4M3FNUZ"),
    (DType::QI8, "!torch.qint8"),
    (DType::QU8, "!torch.quint8"),
    (DType::QI32, "!torch.qint32"),
];

/// Types that are one word, in the dialect's.
const WORDS: &[(Type, &str)] = &[
    (Type::Any, "any"),
    (Type::Int, "int"),
    (Type::Float, "float"),
    (Type::Complex, "complex"),
    (Type::Bool, "bool"),
    (Type::Str, "str"),
    (Type::None, "none"),
    (Type::Number, "number"),
    (Type::Device, "Device"),
    (Type::Generator, "Generator"),
    (Type::Stream, "stream"),
    (Type::Storage, "storage"),
    (Type::QScheme, "qscheme"),
    (Type::Layout, "layout"),
    (Type::MemoryFormat, "memory_format"),
    (Type::ScalarType, "scalar_type"),
    (Type::SymInt, "sym_int"),
    (Type::SymFloat, "sym_float"),
    (Type::SymBool, "sym_bool"),
    (Type::Capsule, "capsule"),
    (Type::PyObject, "py_object"),
    (Type::Function, "function"),
    (Type::AnyList, "any_list"),
    (Type::AnyTuple, "any_tuple"),
    (Type::AnyClass, "any_class"),
    (Type::AnyEnum, "any_enum"),
];

/// The dialect's type, tensors as `!torch.tensor`; `None` if the dialect refuses it (a size beyond its limits, say).
pub fn to_mlir<'c>(context: &'c Context, ty: &Type) -> Option<MlirType<'c>> {
    MlirType::parse(context, &text(ty, Tensors::NonValue))
}

/// The same with tensors as `!torch.vtensor`.
pub fn to_mlir_value<'c>(context: &'c Context, ty: &Type) -> Option<MlirType<'c>> {
    MlirType::parse(context, &text(ty, Tensors::Value))
}

#[derive(Clone, Copy)]
enum Tensors {
    Value,
    NonValue,
}

fn text(ty: &Type, tensors: Tensors) -> String {
    let mut text = "!torch.".to_owned();
    inner(ty, tensors, &mut text);
    text
}

fn inner(ty: &Type, tensors: Tensors, out: &mut String) {
    let wrap = |word: &str, types: &[&Type], out: &mut String| {
        out.push_str(word);
        out.push('<');
        for (i, ty) in types.iter().enumerate() {
            if i > 0 {
                out.push_str(", ");
            }
            inner(ty, tensors, out);
        }
        out.push('>');
    };
    match ty {
        Type::Tensor(tensor) => tensor_text(tensor, tensors, out),
        Type::List(t) => wrap("list", &[t], out),
        Type::Optional(t) => wrap("optional", &[t], out),
        Type::Future(t) => wrap("future", &[t], out),
        Type::Await(t) => wrap("await", &[t], out),
        Type::RRef(t) => wrap("rref", &[t], out),
        Type::Dict(k, v) => wrap("dict", &[k, v], out),
        Type::Tuple(ts) => wrap("tuple", &ts.iter().collect::<Vec<_>>(), out),
        Type::Union(ts) => wrap("union", &ts.iter().collect::<Vec<_>>(), out),
        Type::Enum(name) => named("enum", name, out),
        Type::Class(name) => named("nn.Module", name, out),
        // Annotations and older graphs call `Scalar` so.
        Type::Var(name) if &**name == "number" => out.push_str("number"),
        Type::Var(name) => named("var", name, out),
        Type::NamedTuple(tuple) => {
            out.push_str("named_tuple<");
            quote(&tuple.name, out);
            for (name, ty) in &tuple.fields {
                out.push_str(", ");
                quote(name, out);
                out.push_str(": ");
                inner(ty, tensors, out);
            }
            out.push('>');
        }
        plain => out.push_str(WORDS.iter().find(|(t, _)| t == plain).map_or("any", |(_, word)| word)),
    }
}

fn named(word: &str, name: &str, out: &mut String) {
    out.push_str(word);
    out.push('<');
    quote(name, out);
    out.push('>');
}

/// A string as MLIR writes it.
fn quote(text: &str, out: &mut String) {
    out.push('"');
    for byte in text.bytes() {
        match byte {
            b'\\' => out.push_str("\\\\"),
            0x20..=0x7e if byte != b'"' => out.push(char::from(byte)),
            _ => {
                let _ = write!(out, "\\{byte:02X}");
            }
        }
    }
    out.push('"');
}

fn tensor_text(tensor: &TensorType, tensors: Tensors, out: &mut String) {
    out.push_str(match tensors {
        Tensors::Value => "vtensor",
        Tensors::NonValue => "tensor",
    });
    let dtype = tensor.dtype.and_then(|d| DTYPES.iter().find(|(t, _)| *t == d)).map(|(_, text)| *text);
    if tensor.sizes.is_none() && dtype.is_none() {
        return;
    }
    match &tensor.sizes {
        None => out.push_str("<*"),
        Some(sizes) => {
            let sizes: Vec<String> =
                sizes.iter().map(|d| if let Dim::Known(n) = d { n.to_string() } else { "?".to_owned() }).collect();
            let _ = write!(out, "<[{}]", sizes.join(","));
        }
    }
    let _ = write!(out, ",{}>", dtype.unwrap_or("unk"));
}

/// The dtype of an element type in MLIR's spelling; `i64` and `i8` without a sign are read as signed.
pub fn dtype_from_mlir(text: &str) -> Option<DType> {
    let signed = match text {
        "i8" => "si8",
        "i16" => "si16",
        "i32" => "si32",
        "i64" => "si64",
        other => other,
    };
    DTYPES.iter().find(|(_, t)| *t == signed).map(|(d, _)| *d)
}

/// The element type of builtin tensors that hold this dtype, as `torch.tensor.literal` wants it.
pub fn element_text(dtype: DType) -> Option<&'static str> {
    DTYPES.iter().find(|(d, _)| *d == dtype).map(|(_, text)| *text)
}

/// The TorchScript type of one of the dialect's; value tensors and others alike are `Tensor`. `None` for types of other dialects.
pub fn from_mlir(ty: MlirType<'_>) -> Option<Type> {
    let text = ty.to_string();
    let mut reader = Reader { rest: text.strip_prefix("!torch.")? };
    let ty = reader.inner()?;
    reader.rest.is_empty().then_some(ty)
}

/// Reads what MLIR printed, so it is well-formed and as deep as MLIR took it.
struct Reader<'t> {
    rest: &'t str,
}

impl<'t> Reader<'t> {
    fn eat(&mut self, text: &str) -> bool {
        match self.rest.strip_prefix(text) {
            Some(rest) => {
                self.rest = rest;
                true
            }
            None => false,
        }
    }

    fn word(&mut self) -> &'t str {
        let end =
            self.rest.find(|c: char| !(c.is_ascii_alphanumeric() || c == '_' || c == '.')).unwrap_or(self.rest.len());
        let (word, rest) = self.rest.split_at(end);
        self.rest = rest;
        word
    }

    fn string(&mut self) -> Option<String> {
        let rest = self.rest.strip_prefix('"')?;
        let mut bytes = Vec::new();
        let source = rest.as_bytes();
        let mut i = 0;
        loop {
            match *source.get(i)? {
                b'"' => break,
                b'\\' if source.get(i + 1) == Some(&b'\\') => {
                    bytes.push(b'\\');
                    i += 2;
                }
                b'\\' => {
                    let hex = std::str::from_utf8(source.get(i + 1..i + 3)?).ok()?;
                    bytes.push(u8::from_str_radix(hex, 16).ok()?);
                    i += 3;
                }
                byte => {
                    bytes.push(byte);
                    i += 1;
                }
            }
        }
        self.rest = &rest[i + 1..];
        String::from_utf8(bytes).ok()
    }

    fn list(&mut self) -> Option<Vec<Type>> {
        let mut types = Vec::new();
        if !self.eat("<") {
            return None;
        }
        while !self.eat(">") {
            if !types.is_empty() && !self.eat(", ") {
                return None;
            }
            types.push(self.inner()?);
        }
        Some(types)
    }

    fn one(&mut self) -> Option<Arc<Type>> {
        let mut types = self.list()?;
        let ty = types.pop()?;
        types.is_empty().then(|| Arc::new(ty))
    }

    fn name(&mut self) -> Option<Arc<str>> {
        let name = if self.eat("<") { self.string()? } else { return None };
        self.eat(">").then(|| name.into())
    }

    fn inner(&mut self) -> Option<Type> {
        Some(match self.word() {
            "tensor" | "vtensor" => Type::Tensor(Arc::new(self.tensor()?)),
            "list" => Type::List(self.one()?),
            "optional" => Type::Optional(self.one()?),
            "future" => Type::Future(self.one()?),
            "await" => Type::Await(self.one()?),
            "rref" => Type::RRef(self.one()?),
            "dict" => {
                let mut types = self.list()?.into_iter();
                Type::dict(types.next()?, types.next()?)
            }
            "tuple" => Type::Tuple(self.list()?.into()),
            "union" => Type::Union(self.list()?.into()),
            "enum" => Type::Enum(self.name()?),
            "nn.Module" => Type::Class(self.name()?),
            "var" => Type::Var(self.name()?),
            "named_tuple" => {
                let name = if self.eat("<") { self.string()?.into() } else { return None };
                let mut fields = Vec::new();
                while self.eat(", ") {
                    let field: Arc<str> = self.string()?.into();
                    if !self.eat(": ") {
                        return None;
                    }
                    fields.push((field, self.inner()?));
                }
                if !self.eat(">") {
                    return None;
                }
                Type::NamedTuple(Arc::new(NamedTuple { name, fields, defaults: Vec::new() }))
            }
            word => WORDS.iter().find(|(_, w)| *w == word).map(|(t, _)| t.clone())?,
        })
    }

    fn tensor(&mut self) -> Option<TensorType> {
        let mut tensor = TensorType::default();
        if !self.eat("<") {
            return Some(tensor);
        }
        if self.eat("[") {
            let (sizes, rest) = self.rest.split_once(']')?;
            self.rest = rest;
            let parse = |s: &str| if s == "?" { Some(Dim::Unknown) } else { s.parse().ok().map(Dim::Known) };
            tensor.sizes =
                Some(if sizes.is_empty() { Vec::new() } else { sizes.split(',').map(parse).collect::<Option<_>>()? });
        } else if !self.eat("*") {
            return None;
        }
        if !self.eat(",") {
            return None;
        }
        // The dtype ends where the brackets do, or before an encoding.
        let mut depth = 0usize;
        let end = self.rest.find(|c| {
            match c {
                '<' => depth += 1,
                '>' if depth > 0 => depth -= 1,
                '>' | ',' if depth == 0 => return true,
                _ => {}
            }
            false
        })?;
        tensor.dtype = dtype_from_mlir(&self.rest[..end]);
        self.rest = &self.rest[end..];
        if self.eat(",") {
            self.rest = &self.rest[self.rest.find('>')?..];
        }
        self.eat(">").then_some(tensor)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_type_travels_there_and_back() {
        let context = sconce_ir::context::new(false);
        let tensor = Type::Tensor(Arc::new(TensorType {
            dtype: Some(DType::C64),
            sizes: Some(vec![Dim::Known(2), Dim::Unknown]),
            ..TensorType::default()
        }));
        let pair = NamedTuple {
            name: "__torch__.Pair".into(),
            fields: vec![("a\"\\é".into(), Type::Int), ("b".into(), tensor.clone())],
            defaults: Vec::new(),
        };
        let mut types: Vec<Type> = WORDS.iter().map(|(ty, _)| ty.clone()).collect();
        types.extend([
            Type::tensor(),
            tensor.clone(),
            Type::list(Type::optional(tensor.clone())),
            Type::dict(Type::Str, Type::Tuple([Type::Int, tensor].into())),
            Type::Tuple([].into()),
            Type::Union([Type::Int, Type::None].into()),
            Type::NamedTuple(Arc::new(pair)),
            Type::Future(Arc::new(Type::Await(Arc::new(Type::RRef(Arc::new(Type::Int)))))),
            Type::Enum("__torch__.m.Color".into()),
            Type::Class("__torch__.a b\n".into()),
            Type::Var("t".into()),
        ]);
        for ty in types {
            for mlir in [to_mlir(&context, &ty), to_mlir_value(&context, &ty)] {
                let mlir = mlir.unwrap_or_else(|| panic!("{ty:?} is no type of the dialect"));
                assert_eq!(from_mlir(mlir).as_ref(), Some(&ty), "{mlir}");
            }
        }
        assert_eq!(to_mlir_value(&context, &Type::tensor()).map(|t| t.to_string()).as_deref(), Some("!torch.vtensor"));
        assert_eq!(from_mlir(MlirType::parse(&context, "tensor<2xf32>").expect("a type")), None);
    }
}
