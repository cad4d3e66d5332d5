//! Types from text: one reader for graph, schema and Python spelling. Depth and counts are bounded; errors name the column.

use super::{Device, Dim, NamedTuple, TensorType, Type};
use crate::DType;
use crate::text::{Cursor, SyntaxError};
use std::sync::Arc;

pub use crate::text::SyntaxError as TypeError;

/// Nesting a hostile text may ask for.
const MAX_DEPTH: u32 = 200;

/// Reads a whole text as one type, in graph spelling (`Float(2, *)[]`, `Future[Tensor]`), schema spelling (`Dict(str, t)`,
/// `Tensor?[]`) or Python spelling (`List[Optional[int]]`).
pub fn parse(text: &str) -> Result<Type, TypeError> {
    let mut cursor = Cursor::new(text);
    let ty = read_type(&mut cursor, Spelling::Graph, 0)?;
    cursor.skip_blanks();
    if cursor.at_end() { Ok(ty) } else { Err(cursor.error("end of the type")) }
}

/// Reads one type at the start of `text`; also returns the number of bytes it took.
pub fn parse_prefix(text: &str) -> Result<(Type, usize), TypeError> {
    let mut cursor = Cursor::new(text);
    let ty = read_type(&mut cursor, Spelling::Graph, 0)?;
    Ok((ty, cursor.position()))
}

/// What a parenthesis after a tensor's name means: sizes in graphs, an alias annotation in schemas.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Spelling {
    Graph,
    Schema,
}

/// A type with its suffixes `[]` and `?`.
pub(crate) fn read_type(c: &mut Cursor<'_>, s: Spelling, depth: u32) -> Result<Type, SyntaxError> {
    let mut ty = read_base(c, s, depth)?;
    loop {
        if c.rest().starts_with("[]") {
            c.expect("[]")?;
            ty = Type::list(ty);
        } else if c.rest().starts_with('?') {
            c.expect("?")?;
            ty = Type::optional(ty);
        } else {
            return Ok(ty);
        }
    }
}

fn read_list(c: &mut Cursor<'_>, s: Spelling, depth: u32, close: &str) -> Result<Vec<Type>, SyntaxError> {
    let mut items = Vec::new();
    if c.eat(close) {
        return Ok(items);
    }
    loop {
        items.push(read_type(c, s, depth)?);
        if c.eat(close) {
            return Ok(items);
        }
        c.expect(",")?;
    }
}

/// A type without suffixes.
pub(crate) fn read_base(c: &mut Cursor<'_>, s: Spelling, depth: u32) -> Result<Type, SyntaxError> {
    if depth > MAX_DEPTH {
        return Err(c.error("a type nested less deeply"));
    }
    let depth = depth + 1;
    c.skip_blanks();
    if c.eat("(") {
        return Ok(Type::Tuple(read_list(c, s, depth, ")")?.into()));
    }
    let start = c.position();
    let Some(name) = c.dotted_name() else { return Err(c.error("a type")) };
    if let Some(ty) = plain(name) {
        return Ok(ty);
    }
    // `Dict(K, V)` of graphs and schemas, `Dict[K, V]` of Python.
    let brackets = if c.rest().starts_with('(') {
        Some(("(", ")"))
    } else if c.rest().starts_with('[') && !c.rest().starts_with("[]") {
        Some(("[", "]"))
    } else {
        None
    };
    if let Some((open, close)) = brackets {
        let container = matches!(name, "Dict" | "Future" | "RRef" | "Await" | "Union" | "Optional" | "List" | "Tuple");
        if container {
            c.expect(open)?;
            if name == "Tuple" && c.eat("()") {
                c.expect(close)?;
                return Ok(Type::Tuple([].into()));
            }
            let items = read_list(c, s, depth, close)?;
            return build(name, items).ok_or_else(|| c.error_at(start, "the right number of types inside"));
        }
        if name == "NamedTuple" && open == "(" {
            c.expect("(")?;
            return read_named_tuple(c, s, depth);
        }
    }
    if name == "Enum" && c.eat("<") {
        let inner = c.dotted_name().ok_or_else(|| c.error("the enum's qualified name"))?;
        c.expect(">")?;
        return Ok(Type::Enum(inner.into()));
    }
    if name == "Tensor" || name == "Dynamic" {
        return read_tensor(c, s, None, false);
    }
    if s == Spelling::Graph {
        if let Some(dtype) = name.strip_suffix("Tensor").and_then(DType::from_graph_name) {
            return read_tensor(c, s, Some(dtype), false);
        }
        if c.rest().starts_with('(')
            && let Some(dtype) = DType::from_graph_name(name)
        {
            return read_tensor(c, s, Some(dtype), true);
        }
    }
    if name.contains('.') || name.starts_with("__torch__") {
        return Ok(Type::Class(name.into()));
    }
    // As PyTorch's reader of schemas: what begins in lower case and names no type is a variable.
    if name.starts_with(|ch: char| ch.is_ascii_lowercase()) {
        return Ok(Type::Var(name.into()));
    }
    Err(c.error_at(start, "a type"))
}

/// A type that is one word.
fn plain(name: &str) -> Option<Type> {
    Some(match name {
        "Any" => Type::Any,
        "int" => Type::Int,
        "float" => Type::Float,
        "complex" => Type::Complex,
        "bool" => Type::Bool,
        "str" => Type::Str,
        "NoneType" | "None" => Type::None,
        "Scalar" | "number" => Type::Number,
        "Device" => Type::Device,
        "Generator" => Type::Generator,
        "Stream" => Type::Stream,
        "Storage" => Type::Storage,
        "QScheme" => Type::QScheme,
        "Layout" => Type::Layout,
        "MemoryFormat" => Type::MemoryFormat,
        "ScalarType" => Type::ScalarType,
        "SymInt" => Type::SymInt,
        "SymFloat" => Type::SymFloat,
        "SymBool" => Type::SymBool,
        "Capsule" => Type::Capsule,
        "PyObject" => Type::PyObject,
        "Function" => Type::Function,
        "list" => Type::AnyList,
        "tuple" => Type::AnyTuple,
        "AnyListType" => Type::AnyList,
        "AnyTupleType" => Type::AnyTuple,
        "AnyClassType" => Type::AnyClass,
        "AnyEnumType" => Type::AnyEnum,
        _ => return None,
    })
}

fn build(name: &str, mut items: Vec<Type>) -> Option<Type> {
    match name {
        "Union" => return Some(Type::Union(items.into())),
        "Tuple" => return Some(Type::Tuple(items.into())),
        _ => {}
    }
    let last = items.pop()?;
    if name == "Dict" {
        let key = items.pop()?;
        return items.is_empty().then(|| Type::dict(key, last));
    }
    if !items.is_empty() {
        return None;
    }
    let inner = Arc::new(last);
    Some(match name {
        "Future" => Type::Future(inner),
        "RRef" => Type::RRef(inner),
        "Await" => Type::Await(inner),
        "Optional" => Type::Optional(inner),
        "List" => Type::List(inner),
        _ => return None,
    })
}

/// After `NamedTuple(`: `x : Tensor, size : int = 4)`.
fn read_named_tuple(c: &mut Cursor<'_>, s: Spelling, depth: u32) -> Result<Type, SyntaxError> {
    let (mut fields, mut defaults): (Vec<(Arc<str>, Type)>, Vec<Option<Arc<str>>>) = (Vec::new(), Vec::new());
    if !c.eat(")") {
        loop {
            let name = c.name().ok_or_else(|| c.error("a field's name"))?;
            c.expect(":")?;
            let ty = read_type(c, s, depth)?;
            let default = if c.eat("=") { Some(c.balanced_until(&[',', ')'])?.trim().into()) } else { None };
            fields.push((name.into(), ty));
            defaults.push(default);
            if c.eat(")") {
                break;
            }
            c.expect(",")?;
        }
    }
    if defaults.iter().all(Option::is_none) {
        defaults.clear();
    }
    Ok(Type::NamedTuple(Arc::new(NamedTuple { name: "".into(), fields, defaults })))
}

/// After a tensor's name: `(2, *, strides=[3, 1], requires_grad=0, device=cuda:0)` or nothing.
///
/// After a dtype alone (`Float`, not `FloatTensor`) the rank is known even if no size is written.
fn read_tensor(c: &mut Cursor<'_>, s: Spelling, dtype: Option<DType>, ranked: bool) -> Result<Type, SyntaxError> {
    let mut t = TensorType { dtype, ..TensorType::default() };
    if s == Spelling::Graph && c.rest().starts_with('(') {
        c.expect("(")?;
        let mut sizes = Vec::new();
        let mut named = false;
        if !c.eat(")") {
            loop {
                if c.eat("strides") {
                    c.expect("=")?;
                    c.expect("[")?;
                    let mut strides = Vec::new();
                    if !c.eat("]") {
                        loop {
                            strides.push(read_dim(c)?);
                            if c.eat("]") {
                                break;
                            }
                            c.expect(",")?;
                        }
                    }
                    t.strides = Some(strides);
                    named = true;
                } else if c.eat("requires_grad") {
                    c.expect("=")?;
                    t.requires_grad = Some(match c.integer() {
                        Some(0) => false,
                        Some(1) => true,
                        _ => return Err(c.error("0 or 1")),
                    });
                    named = true;
                } else if c.eat("device") {
                    c.expect("=")?;
                    t.device = Some(read_device(c)?);
                    named = true;
                } else if named {
                    return Err(c.error("`strides`, `requires_grad` or `device`"));
                } else {
                    sizes.push(read_dim(c)?);
                }
                if c.eat(")") {
                    break;
                }
                c.expect(",")?;
            }
        }
        if ranked || !sizes.is_empty() || !named {
            t.sizes = Some(sizes);
        }
    }
    if s == Spelling::Graph && c.eat("[Undefined]") {
        t.undefined = Some(true);
    }
    Ok(Type::Tensor(Arc::new(t)))
}

fn read_dim(c: &mut Cursor<'_>) -> Result<Dim, SyntaxError> {
    if c.eat("*") {
        return Ok(Dim::Unknown);
    }
    if c.eat("SS(") {
        let n = c.integer().ok_or_else(|| c.error("a symbol's number"))?;
        c.expect(")")?;
        return Ok(Dim::Symbol(n));
    }
    c.integer().map(Dim::Known).ok_or_else(|| c.error("a size, `*` or `SS(n)`"))
}

fn read_device(c: &mut Cursor<'_>) -> Result<Device, SyntaxError> {
    let kind = c.name().ok_or_else(|| c.error("a device"))?;
    let mut device = Device { kind: kind.into(), index: None };
    if c.rest().starts_with(':') {
        c.expect(":")?;
        let index = c.integer().and_then(|n| i32::try_from(n).ok()).filter(|n| *n >= 0);
        device.index = Some(index.ok_or_else(|| c.error("a device's index"))?);
    }
    Ok(device)
}

/// `cpu`, `cuda:1`
impl std::str::FromStr for Device {
    type Err = TypeError;

    fn from_str(text: &str) -> Result<Device, TypeError> {
        let mut cursor = Cursor::new(text);
        let device = read_device(&mut cursor)?;
        if cursor.at_end() { Ok(device) } else { Err(cursor.error("end of the device")) }
    }
}
