//! Graph text as a tree that says exactly what the text said: printing a listing that PyTorch printed gives its bytes back.
//!
//! [`read`] takes both spellings (colons, and the braces of older documents), mixed if need be, and checks that every value
//! is defined where it is used. [`Listing::print`] writes either spelling; the one with colons is PyTorch's, byte for byte.

mod check;
mod literals;
mod print;
mod read;
mod subgraphs;
mod tensor_text;
mod types;

pub use literals::float_text;
pub(crate) use literals::signed_digits;
pub use read::{Named, lint, read, read_attribute_value, read_each, read_methods, read_type, read_with_warnings};
pub use subgraphs::{Resolved, SubgraphTree};
pub use tensor_text::PrintedTensor;

use crate::Span;
use sconce_schema::Type;

/// Which punctuation a listing is written in.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Spelling {
    /// `graph(…):`, PyTorch's.
    #[default]
    Colons,
    /// `graph(…) {` … `}`, with `return (%8);`: that of older documents.
    Braces,
}

/// A graph and the graphs that follow it after `with`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Listing {
    pub graph: Graph,
    /// In the order of the text. [`Listing::resolve`] tells which node means which.
    pub subgraphs: Vec<Subgraph>,
}

/// `with prim::FusionGroup_0 = graph(…): …`
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Subgraph {
    /// The kind of the node that holds it, with its number: `prim::FusionGroup_0`.
    pub name: String,
    pub graph: Graph,
    pub span: Span,
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Graph {
    pub inputs: Vec<Value>,
    pub nodes: Vec<Node>,
    pub outputs: Vec<Use>,
    /// The header.
    pub span: Span,
}

/// A value where it is defined: `%x.1 : Tensor`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Value {
    /// Without the `%`: a number or a name.
    pub name: String,
    /// `Tensor` where the text leaves it out.
    pub ty: Type,
    pub span: Span,
}

/// A value where it is used: `%x.1`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Use {
    pub name: String,
    pub span: Span,
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Node {
    pub outputs: Vec<Value>,
    /// `aten::add`; with its number where a `with` graph belongs to it: `prim::fork_0`. A function of Python's that a trace calls
    /// stands with its constant arguments: `^Square(2)`.
    pub kind: String,
    pub attributes: Vec<Attribute>,
    pub inputs: Vec<Use>,
    /// `, scope: __module.fc`
    pub scope: Option<String>,
    /// What stands after ` # `: `file.py:3:12`, or any text.
    pub comment: Option<String>,
    pub blocks: Vec<Block>,
    /// The first line, without scope and comment.
    pub span: Span,
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Block {
    pub inputs: Vec<Value>,
    pub nodes: Vec<Node>,
    pub outputs: Vec<Use>,
    /// The header.
    pub span: Span,
}

/// `name=value` between a node's brackets.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Attribute {
    pub name: String,
    pub value: AttributeValue,
    pub span: Span,
}

/// The value of an attribute, as far as its text tells it.
///
/// Bools of constants are printed as `1` and `0`, floats from 1e10 to 1e16 like integers, and members of enums like
/// classes: the type of the node's output says which is meant.
#[derive(Clone, Debug)]
pub enum AttributeValue {
    None,
    /// `True`, as inside tuples.
    Bool(bool),
    Int(i64),
    Float(f64),
    /// `0.+1.j`
    Complex(f64, f64),
    Str(Text),
    /// `[1, 2]`, `["x"]`, `[int, Tensor]`, `[]`
    List(Vec<AttributeValue>),
    /// `(1, 2.)`
    Tuple(Vec<AttributeValue>),
    /// `{"a": 1}`
    Dict(Vec<(AttributeValue, AttributeValue)>),
    /// `annotate(List[int], [])`
    Annotated(Type, Box<AttributeValue>),
    /// `int`, `Float(2, 3)`
    Type(Type),
    /// `__torch__.m.Color.GREEN`, `__torch__.m.C`: an enum's member or a class, see [`AttributeValue::as_type`].
    Name(String),
    /// A tensor's printed text: `{0.5}`, ` 1  2 [ CPULongType{2} ]`.
    Tensor(String),
    /// What PyTorch prints when it does not print the contents, with its brackets: `<Tensor>`, `[<Tensors>]`, `<Graph>`,
    /// `torch.device("cpu")`.
    Opaque(String),
}

/// A string literal's bytes.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Text {
    pub bytes: Vec<u8>,
    /// PyTorch prints a byte above 127 as three wrong digits (`\0)+` for 0xC3). A text that was read so is printed so.
    pub signed_octal: bool,
}

impl AttributeValue {
    /// The value as a type, also where it is a name.
    pub fn as_type(&self) -> Option<Type> {
        match self {
            AttributeValue::Type(ty) => Some(ty.clone()),
            AttributeValue::Name(name) => Some(Type::Class(name.as_str().into())),
            _ => None,
        }
    }

    /// A string with correct escapes.
    pub fn str(text: &str) -> AttributeValue {
        AttributeValue::Str(Text { bytes: text.as_bytes().to_vec(), signed_octal: false })
    }
}

/// Floats are equal if their bits are, so that NaN equals itself and zeros keep their signs.
impl PartialEq for AttributeValue {
    fn eq(&self, other: &Self) -> bool {
        use AttributeValue::*;
        match (self, other) {
            (None, None) => true,
            (Bool(a), Bool(b)) => a == b,
            (Int(a), Int(b)) => a == b,
            (Float(a), Float(b)) => a.to_bits() == b.to_bits(),
            (Complex(a, b), Complex(c, d)) => a.to_bits() == c.to_bits() && b.to_bits() == d.to_bits(),
            (Str(a), Str(b)) => a == b,
            (List(a), List(b)) | (Tuple(a), Tuple(b)) => a == b,
            (Dict(a), Dict(b)) => a == b,
            (Annotated(a, b), Annotated(c, d)) => a == c && b == d,
            (Type(a), Type(b)) => a == b,
            (Name(a), Name(b)) | (Tensor(a), Tensor(b)) | (Opaque(a), Opaque(b)) => a == b,
            _ => false,
        }
    }
}

impl Eq for AttributeValue {}

impl Node {
    /// The attribute called `name`.
    pub fn attribute(&self, name: &str) -> Option<&AttributeValue> {
        self.attributes.iter().find(|a| a.name == name).map(|a| &a.value)
    }
}

/// `file:line:column` of a comment; the file's name may hold colons itself.
pub fn source_location(comment: &str) -> Option<(&str, u32, u32)> {
    let (rest, column) = comment.rsplit_once(':')?;
    let (file, line) = rest.rsplit_once(':')?;
    let number = |s: &str| -> Option<u32> {
        let n: u32 = s.parse().ok()?;
        // `007` and `+7` would not print back.
        (n.to_string() == s).then_some(n)
    };
    Some((file, number(line)?, number(column)?))
}
