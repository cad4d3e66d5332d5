//! Trees of TorchScript and of the Python around it: every node has its range, and a node's kind decides what it holds.
//!
//! One set of trees serves an archive's `code/`, a source file that a person wrote, and Sconce's prelude. It holds more of Python than TorchScript
//! accepts (imports, lambdas, star arguments), because classes' `__init__` and module-level code are Python; the compiler refuses
//! the rest where it meets it, with the place.
//!
//! The types are the views: what a node holds is what its variant holds, so that no access can be of the wrong kind. PyTorch's 48
//! `_jit_tree_views` are these:
//!
//! | PyTorch | here |
//! |---|---|
//! | `TreeView`, `Expr`, `Stmt` | [`Expr`], [`Stmt`] |
//! | `Ident`, `Var`, `Const`, `StringLiteral` | [`Ident`], [`ExprKind::Var`], [`ExprKind::Number`], [`ExprKind::Str`] |
//! | `TrueLiteral`, `FalseLiteral`, `NoneLiteral`, `Dots` | [`ExprKind::True`], [`ExprKind::False`], [`ExprKind::None`], [`ExprKind::Ellipsis`] |
//! | `BinOp` | [`ExprKind::Binary`], [`ExprKind::And`], [`ExprKind::Or`], [`ExprKind::Compare`] |
//! | `UnaryOp`, `TernaryIf`, `Starred` | [`ExprKind::Unary`], [`ExprKind::IfExp`], [`ExprKind::Starred`] |
//! | `Select`, `Apply`, `Attribute` | [`ExprKind::Select`], [`Apply`], [`Keyword`] |
//! | `Subscript`, `SliceExpr` | [`ExprKind::Subscript`], [`Index::Slice`] |
//! | `ListLiteral`, `TupleLiteral`, `DictLiteral` | [`ExprKind::List`], [`ExprKind::Tuple`], [`ExprKind::Dict`] |
//! | `ListComp`, `DictComp` | [`ExprKind::ListComp`] and [`ExprKind::GeneratorExp`], [`ExprKind::DictComp`] |
//! | `ExprStmt`, `Assign`, `AugAssign` | [`StmtKind::Expr`], [`StmtKind::Assign`] and [`StmtKind::AnnAssign`], [`StmtKind::AugAssign`] |
//! | `If`, `While`, `For`, `With`, `WithItem` | [`StmtKind::If`], [`StmtKind::While`], [`StmtKind::For`], [`StmtKind::With`], [`WithItem`] |
//! | `Return`, `Raise`, `Assert`, `Delete` | [`StmtKind::Return`], [`StmtKind::Raise`], [`StmtKind::Assert`], [`StmtKind::Delete`] |
//! | `Break`, `Continue`, `Pass` | [`StmtKind::Break`], [`StmtKind::Continue`], [`StmtKind::Pass`] |
//! | `Def`, `Decl`, `Param`, `EmptyTypeAnnotation` | [`Def`] with its `params` and `returns`, [`Param`], no `annotation` |
//! | `ClassDef`, `Property` | [`ClassDef`], a [`Def`] that is decorated with `property` |
//! | `SourceRange`, `SourceRangeFactory` | [`Loc`](sconce_source::Loc), [`SourceText`](sconce_source::SourceText) |

use crate::Span;

/// A name and where it stands.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Ident {
    pub name: String,
    /// What PyTorch's reports underline for it: of the name of a function the word `def`.
    pub span: Span,
    /// The name itself in the text.
    pub token: Span,
}

impl Ident {
    /// A name that stands where PyTorch says that it does.
    pub fn new(name: impl Into<String>, span: Span) -> Ident {
        Ident { name: name.into(), span, token: span }
    }
}

/// An expression and its range: the one PyTorch's frontend gives (an operator's range spans its operands, a call's its callee and arguments).
#[derive(Clone, PartialEq, Debug)]
pub struct Expr {
    pub kind: ExprKind,
    pub span: Span,
}

#[derive(Clone, PartialEq, Debug)]
pub enum ExprKind {
    Var(Ident),
    /// Digits are kept as written until they are used.
    Number(Number),
    /// Adjacent literals joined, escapes resolved. Bytes: TorchScript's strings are byte strings.
    Str(Vec<u8>),
    /// `f"…"`: literal parts and fields in order.
    FString(Vec<FPart>),
    True,
    False,
    None,
    /// `...`
    Ellipsis,
    Unary(UnaryOp, Box<Expr>),
    Binary(BinaryOp, Box<Expr>, Box<Expr>),
    And(Box<Expr>, Box<Expr>),
    Or(Box<Expr>, Box<Expr>),
    /// `a < b < c` is a chain of two.
    Compare(Box<Expr>, Vec<(CompareOp, Expr)>),
    /// `then if condition else otherwise`
    IfExp {
        condition: Box<Expr>,
        then: Box<Expr>,
        otherwise: Box<Expr>,
    },
    /// `value.name`
    Select(Box<Expr>, Ident),
    Apply(Box<Apply>),
    /// `value[…]`; the items between commas, a lone tuple index as its items.
    Subscript(Box<Expr>, Vec<Index>),
    List(Vec<Expr>),
    Tuple(Vec<Expr>),
    /// `{k: v}`; a key of `None` is `**other`.
    Dict(Vec<(Option<Expr>, Expr)>),
    Set(Vec<Expr>),
    ListComp(Box<Comprehension>),
    GeneratorExp(Box<Comprehension>),
    SetComp(Box<Comprehension>),
    /// Key and value, then the clauses.
    DictComp(Box<Expr>, Box<Comprehension>),
    /// `*value` in a call, a list, or on the left of an assignment.
    Starred(Box<Expr>),
    Lambda(Box<Lambda>),
    /// `(name := value)`
    Named(Ident, Box<Expr>),
    /// `yield`, `await`, `bytes`, a `match` statement: the word and what follows, kept so that the refusal has a place.
    Unsupported(&'static str, Vec<Expr>),
}

/// A numeric literal's text, and which kind it is. In archives a sign before it is part of it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Number {
    pub text: String,
    pub kind: NumberKind,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum NumberKind {
    Int,
    Float,
    /// `2j`
    Imaginary,
}

#[derive(Clone, PartialEq, Debug)]
pub enum FPart {
    Text(Vec<u8>),
    /// `{value!r:spec}`; TorchScript takes neither conversion nor format.
    Field {
        value: Expr,
        conversion: Option<char>,
        format: Option<String>,
    },
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum UnaryOp {
    Not,
    /// `-`
    Neg,
    /// `+`
    Pos,
    /// `~`
    Invert,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum BinaryOp {
    Add,
    Sub,
    Mul,
    Div,
    FloorDiv,
    Mod,
    Pow,
    MatMul,
    LShift,
    RShift,
    BitAnd,
    BitOr,
    BitXor,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum CompareOp {
    Eq,
    Ne,
    Lt,
    Le,
    Gt,
    Ge,
    Is,
    IsNot,
    In,
    NotIn,
}

/// `callee(args, name=value, *rest, **more)`
#[derive(Clone, PartialEq, Debug)]
pub struct Apply {
    pub callee: Expr,
    /// Positional; `*rest` is [`ExprKind::Starred`].
    pub args: Vec<Expr>,
    pub kwargs: Vec<Keyword>,
    /// The closing bracket, which the expression's range leaves out.
    pub close: Span,
}

#[derive(Clone, PartialEq, Debug)]
pub struct Keyword {
    /// `None` for `**value`.
    pub name: Option<Ident>,
    pub value: Expr,
    pub span: Span,
}

#[derive(Clone, PartialEq, Debug)]
pub enum Index {
    At(Expr),
    Slice { start: Option<Expr>, stop: Option<Expr>, step: Option<Expr>, span: Span },
}

#[derive(Clone, PartialEq, Debug)]
pub struct Comprehension {
    pub element: Expr,
    pub clauses: Vec<Clause>,
}

/// `for target in iter if condition if condition`
#[derive(Clone, PartialEq, Debug)]
pub struct Clause {
    pub target: Expr,
    pub iter: Expr,
    pub conditions: Vec<Expr>,
}

#[derive(Clone, PartialEq, Debug)]
pub struct Lambda {
    pub params: Vec<Param>,
    pub body: Expr,
}

#[derive(Clone, PartialEq, Debug)]
pub struct Stmt {
    pub kind: StmtKind,
    pub span: Span,
}

#[derive(Clone, PartialEq, Debug)]
pub enum StmtKind {
    Expr(Expr),
    /// `a = b = value`, with a `# type:` comment's type if there is one. Targets: names, attributes, subscripts, tuples, starred names.
    Assign {
        targets: Vec<Expr>,
        value: Expr,
        type_comment: Option<Expr>,
    },
    /// `target: annotation = value`; without a value it only declares.
    AnnAssign {
        target: Expr,
        annotation: Expr,
        value: Option<Expr>,
    },
    AugAssign {
        target: Expr,
        op: BinaryOp,
        value: Expr,
    },
    If {
        condition: Expr,
        then: Vec<Stmt>,
        otherwise: Vec<Stmt>,
    },
    While {
        condition: Expr,
        body: Vec<Stmt>,
        otherwise: Vec<Stmt>,
    },
    For {
        target: Expr,
        iter: Expr,
        body: Vec<Stmt>,
        otherwise: Vec<Stmt>,
    },
    With {
        items: Vec<WithItem>,
        body: Vec<Stmt>,
    },
    Return(Option<Expr>),
    Raise {
        exception: Option<Expr>,
        cause: Option<Expr>,
    },
    Assert {
        test: Expr,
        message: Option<Expr>,
    },
    Break,
    Continue,
    Pass,
    Delete(Vec<Expr>),
    Def(Box<Def>),
    Class(Box<ClassDef>),
    /// `import a.b as c`
    Import(Vec<Alias>),
    /// `from ..a import b as c`; `*` is the name `*`.
    ImportFrom {
        level: u32,
        module: Vec<Ident>,
        names: Vec<Alias>,
    },
    Global(Vec<Ident>),
    Nonlocal(Vec<Ident>),
    Try {
        body: Vec<Stmt>,
        handlers: Vec<Handler>,
        otherwise: Vec<Stmt>,
        finally: Vec<Stmt>,
    },
}

#[derive(Clone, PartialEq, Debug)]
pub struct WithItem {
    pub context: Expr,
    pub target: Option<Expr>,
    pub span: Span,
}

#[derive(Clone, PartialEq, Debug)]
pub struct Handler {
    pub class: Option<Expr>,
    pub name: Option<Ident>,
    pub body: Vec<Stmt>,
}

#[derive(Clone, PartialEq, Debug)]
pub struct Alias {
    /// `a.b`
    pub path: Vec<Ident>,
    pub name: Option<Ident>,
}

/// A function or method.
#[derive(Clone, PartialEq, Debug)]
pub struct Def {
    pub name: Ident,
    pub decorators: Vec<Expr>,
    pub params: Vec<Param>,
    /// `-> type`, or the part of a `# type: (…) -> type` comment after the arrow.
    pub returns: Option<Expr>,
    pub body: Vec<Stmt>,
    /// Did the types come from a `# type: (…) -> …` comment?
    pub type_comment: bool,
    /// What is wrong with that comment. Only who compiles the function need know.
    pub type_comment_problem: Option<TypeCommentProblem>,
    pub is_async: bool,
    /// The docstring, which is not in `body`.
    pub docstring: Option<Vec<u8>>,
    /// From `def` to the end of the body.
    pub span: Span,
    /// Whole lines, decorators and closing comments included: the text PyTorch shows around an error in this function.
    pub source: Span,
}

/// Why a `# type: (…) -> …` comment gives no types.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum TypeCommentProblem {
    /// It is no signature: what PyTorch says, and where in the comment's line, `line`.
    Syntax { message: String, line: String, place: Span },
    /// It has `given` types for `expected` parameters.
    Count { given: usize, expected: usize, is_method: bool },
}

#[derive(Clone, PartialEq, Debug)]
pub struct Param {
    pub name: Ident,
    pub annotation: Option<Expr>,
    pub default: Option<Expr>,
    pub kind: ParamKind,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ParamKind {
    Plain,
    /// After a `*`.
    KeywordOnly,
    /// Before a `/`.
    PositionalOnly,
    /// `*args`
    Rest,
    /// `**kwargs`
    Keywords,
}

#[derive(Clone, PartialEq, Debug)]
pub struct ClassDef {
    pub name: Ident,
    pub decorators: Vec<Expr>,
    pub bases: Vec<Expr>,
    pub keywords: Vec<Keyword>,
    /// Methods are [`StmtKind::Def`]; attributes are assignments with or without a value.
    pub body: Vec<Stmt>,
    pub docstring: Option<Vec<u8>>,
    pub span: Span,
    /// Whole lines, decorators and closing comments included.
    pub source: Span,
}

/// A whole file.
#[derive(Clone, PartialEq, Debug)]
pub struct Module {
    pub body: Vec<Stmt>,
    pub span: Span,
}
