//! Trees print as the s-expressions of PyTorch's tree views: `(- (apply (. (variable (ident z)) (ident sigmoid)) (list) (list)) …)`.

use super::range::printed_number;
use super::tree::*;

/// Columns a node may end in without being broken up.
const WIDTH: usize = 40;

/// An expression as PyTorch prints it.
pub fn expression(value: &Expr) -> String {
    print(&expr(value))
}

/// A statement as PyTorch prints it. What TorchScript does not have prints alike, under Python's word.
pub fn statement(value: &Stmt) -> String {
    print(&stmt(value))
}

/// A function as PyTorch prints it; of a method, `class` is the type of a `self` without one.
pub fn function(value: &Def, class: Option<&str>) -> String {
    print(&def(value, class))
}

enum Sexp {
    Atom(String),
    Node {
        kind: &'static str,
        parts: Vec<Sexp>,
        /// The length of its text on one line.
        length: usize,
    },
}

impl Sexp {
    fn length(&self) -> usize {
        match self {
            Sexp::Atom(text) => text.len(),
            Sexp::Node { length, .. } => *length,
        }
    }
}

fn print(tree: &Sexp) -> String {
    let mut out = String::new();
    write(tree, Some(0), &mut out);
    out
}

/// Writes a node, broken up where it is too long; without an indentation, on one line.
fn write(tree: &Sexp, indent: Option<usize>, out: &mut String) {
    let (kind, parts) = match tree {
        Sexp::Atom(text) => return out.push_str(text),
        Sexp::Node { kind, parts, .. } => (kind, parts),
    };
    let indent = indent.filter(|indent| indent + tree.length() >= WIDTH).map(|indent| indent + 2);
    out.push('(');
    out.push_str(kind);
    for part in parts {
        match indent {
            Some(indent) => {
                out.push('\n');
                out.extend(std::iter::repeat_n(' ', indent));
            }
            None => out.push(' '),
        }
        write(part, indent, out);
    }
    out.push(')');
}

fn node(kind: &'static str, parts: Vec<Sexp>) -> Sexp {
    let length = 2 + kind.len() + parts.iter().map(|part| 1 + part.length()).sum::<usize>();
    Sexp::Node { kind, parts, length }
}

fn list<T>(items: &[T], print: impl Fn(&T) -> Sexp) -> Sexp {
    node("list", items.iter().map(print).collect())
}

fn option<T>(item: Option<&T>, print: impl Fn(&T) -> Sexp) -> Sexp {
    node("option", item.map(print).into_iter().collect())
}

fn ident(name: &str) -> Sexp {
    node("ident", vec![Sexp::Atom(name.to_owned())])
}

fn variable(name: &str) -> Sexp {
    node("variable", vec![ident(name)])
}

fn string(bytes: &[u8]) -> Sexp {
    node("string_literal", vec![Sexp::Atom(String::from_utf8_lossy(bytes).into_owned())])
}

fn def(value: &Def, class: Option<&str>) -> Sexp {
    let params = list(&value.params, |param| {
        let own = match class {
            Some(class) if param.name.name == "self" && param.annotation.is_none() => Some(variable(class)),
            _ => param.annotation.as_ref().map(expr),
        };
        let keyword_only = if param.kind == ParamKind::KeywordOnly { "True" } else { "False" };
        let ty = node("option", own.into_iter().collect());
        node(
            "param",
            vec![ident(&param.name.name), ty, option(param.default.as_ref(), expr), node(keyword_only, vec![])],
        )
    });
    let docstring = value.docstring.iter().map(|text| node("expression statement", vec![string(text)]));
    let body = node("list", docstring.chain(value.body.iter().map(stmt)).collect());
    let decl = node("decl", vec![params, option(value.returns.as_ref(), expr)]);
    node("def", vec![ident(&value.name.name), decl, body])
}

fn block(body: &[Stmt]) -> Sexp {
    list(body, stmt)
}

fn stmt(statement: &Stmt) -> Sexp {
    match &statement.kind {
        StmtKind::Expr(value) => node("expression statement", vec![expr(value)]),
        StmtKind::Assign { targets, value, type_comment } => {
            let value = node("option", vec![expr(value)]);
            node("assign", vec![list(targets, expr), value, option(type_comment.as_ref(), expr)])
        }
        StmtKind::AnnAssign { target, annotation, value } => {
            let target = node("list", vec![expr(target)]);
            node("assign", vec![target, option(value.as_ref(), expr), node("option", vec![expr(annotation)])])
        }
        StmtKind::AugAssign { target, op, value } => {
            node("aug_assign", vec![expr(target), node(binary(*op), vec![]), expr(value)])
        }
        StmtKind::If { condition, then, otherwise } => node("if", vec![expr(condition), block(then), block(otherwise)]),
        StmtKind::While { condition, body, otherwise } => {
            with_else("while", vec![expr(condition), block(body)], otherwise)
        }
        StmtKind::For { target, iter, body, otherwise } => {
            let (target, iter) = (node("list", vec![expr(target)]), node("list", vec![expr(iter)]));
            with_else("for", vec![target, iter, block(body)], otherwise)
        }
        StmtKind::With { items, body } => {
            let items =
                list(items, |item| node("withitem", vec![expr(&item.context), option(item.target.as_ref(), expr)]));
            node("with", vec![items, block(body)])
        }
        StmtKind::Return(Some(value)) => node("return", vec![expr(value)]),
        StmtKind::Return(None) => node("return", vec![node("None", vec![])]),
        StmtKind::Raise { exception, .. } => node("raise", exception.iter().map(expr).collect()),
        StmtKind::Assert { test, message } => node("assert", vec![expr(test), option(message.as_ref(), expr)]),
        StmtKind::Break => node("break", vec![]),
        StmtKind::Continue => node("continue", vec![]),
        StmtKind::Pass => node("pass", vec![]),
        StmtKind::Delete(targets) => node("del", vec![list(targets, expr)]),
        StmtKind::Def(value) => def(value, None),
        StmtKind::Class(class) => {
            node("class", vec![ident(&class.name.name), list(&class.bases, expr), block(&class.body)])
        }
        StmtKind::Import(names) => node("import", names.iter().map(alias).collect()),
        StmtKind::ImportFrom { level, module, names } => {
            let module = format!("{}{}", ".".repeat(*level as usize), path(module));
            node("from", std::iter::once(Sexp::Atom(module)).chain(names.iter().map(alias)).collect())
        }
        StmtKind::Global(names) => node("global", vec![list(names, |name| ident(&name.name))]),
        StmtKind::Nonlocal(names) => node("nonlocal", vec![list(names, |name| ident(&name.name))]),
        StmtKind::Try { body, handlers, otherwise, finally } => {
            let handlers = list(handlers, |handler| {
                let name = option(handler.name.as_ref(), |name| ident(&name.name));
                node("except", vec![option(handler.class.as_ref(), expr), name, block(&handler.body)])
            });
            node("try", vec![block(body), handlers, block(otherwise), block(finally)])
        }
    }
}

/// PyTorch's loops have no `else`; one that is there is shown.
fn with_else(kind: &'static str, mut parts: Vec<Sexp>, otherwise: &[Stmt]) -> Sexp {
    if !otherwise.is_empty() {
        parts.push(block(otherwise));
    }
    node(kind, parts)
}

fn path(names: &[Ident]) -> String {
    names.iter().map(|name| name.name.as_str()).collect::<Vec<_>>().join(".")
}

fn alias(alias: &Alias) -> Sexp {
    let name = alias.name.iter().map(|name| ident(&name.name));
    node("as", std::iter::once(Sexp::Atom(path(&alias.path))).chain(name).collect())
}

fn binary(op: BinaryOp) -> &'static str {
    match op {
        BinaryOp::Add => "+",
        BinaryOp::Sub => "-",
        BinaryOp::Mul => "*",
        BinaryOp::Div => "/",
        BinaryOp::FloorDiv => "floordiv",
        BinaryOp::Mod => "%",
        BinaryOp::Pow => "pow operator",
        BinaryOp::MatMul => "@",
        BinaryOp::LShift => "<<",
        BinaryOp::RShift => ">>",
        BinaryOp::BitAnd => "&",
        BinaryOp::BitOr => "|",
        BinaryOp::BitXor => "^",
    }
}

fn compare(left: &Expr, op: CompareOp, right: &Expr) -> Sexp {
    let kind = match op {
        CompareOp::Eq => "eq",
        CompareOp::Ne => "ne",
        CompareOp::Lt => "<",
        CompareOp::Le => "le",
        CompareOp::Gt => ">",
        CompareOp::Ge => "ge",
        CompareOp::Is => "is",
        CompareOp::IsNot => "is not",
        CompareOp::In | CompareOp::NotIn => "in",
    };
    let comparison = node(kind, vec![expr(left), expr(right)]);
    if op == CompareOp::NotIn { node("not", vec![comparison]) } else { comparison }
}

fn expr(value: &Expr) -> Sexp {
    match &value.kind {
        ExprKind::Var(name) => variable(&name.name),
        ExprKind::Number(number) => node("const", vec![Sexp::Atom(printed_number(&number.text, number.kind))]),
        ExprKind::Str(text) => string(text),
        ExprKind::FString(parts) => format(parts),
        ExprKind::True => node("True", vec![]),
        ExprKind::False => node("False", vec![]),
        ExprKind::None => node("None", vec![]),
        ExprKind::Ellipsis => node("dots", vec![]),
        ExprKind::Unary(op, operand) => {
            let kind = match op {
                UnaryOp::Not => "not",
                UnaryOp::Neg => "unary minus",
                UnaryOp::Pos => "unary plus",
                UnaryOp::Invert => "~",
            };
            node(kind, vec![expr(operand)])
        }
        ExprKind::Binary(op, left, right) => node(binary(*op), vec![expr(left), expr(right)]),
        ExprKind::And(left, right) => node("and", vec![expr(left), expr(right)]),
        ExprKind::Or(left, right) => node("or", vec![expr(left), expr(right)]),
        ExprKind::Compare(first, rest) => chain(first, rest),
        ExprKind::IfExp { condition, then, otherwise } => {
            node("if", vec![expr(condition), expr(then), expr(otherwise)])
        }
        ExprKind::Select(object, name) => node(".", vec![expr(object), ident(&name.name)]),
        ExprKind::Apply(apply) => {
            let keywords = list(&apply.kwargs, |keyword| match &keyword.name {
                Some(name) => node("attribute", vec![ident(&name.name), expr(&keyword.value)]),
                None => node("**", vec![expr(&keyword.value)]),
            });
            node("apply", vec![expr(&apply.callee), list(&apply.args, expr), keywords])
        }
        ExprKind::Subscript(object, items) => node("subscript", vec![expr(object), list(items, index)]),
        ExprKind::List(items) => node("list-literal", vec![list(items, expr)]),
        ExprKind::Tuple(items) => node("tuple-literal", vec![list(items, expr)]),
        ExprKind::Set(items) => node("set-literal", vec![list(items, expr)]),
        ExprKind::Dict(items) => {
            let keys = list(items, |(key, _)| key.as_ref().map_or_else(|| node("**", vec![]), expr));
            node("dict-literal", vec![keys, list(items, |(_, value)| expr(value))])
        }
        ExprKind::ListComp(c) | ExprKind::GeneratorExp(c) => comprehension("list comprehension", vec![], c),
        ExprKind::SetComp(c) => comprehension("set comprehension", vec![], c),
        ExprKind::DictComp(key, c) => comprehension("dict comprehension", vec![expr(key)], c),
        ExprKind::Starred(value) => node("starred", vec![expr(value)]),
        ExprKind::Lambda(lambda) => {
            node("lambda", vec![list(&lambda.params, |param| ident(&param.name.name)), expr(&lambda.body)])
        }
        ExprKind::Named(name, value) => node("named", vec![ident(&name.name), expr(value)]),
        ExprKind::Unsupported(word, values) => node(word, values.iter().map(expr).collect()),
    }
}

/// `a < b < c` is `(and (< a b) (< b c))`.
fn chain(first: &Expr, rest: &[(CompareOp, Expr)]) -> Sexp {
    let mut left = first;
    let mut out: Option<Sexp> = None;
    for (op, right) in rest {
        let comparison = compare(left, *op, right);
        out = Some(match out {
            Some(before) => node("and", vec![before, comparison]),
            None => comparison,
        });
        left = right;
    }
    out.unwrap_or_else(|| expr(first))
}

fn index(item: &Index) -> Sexp {
    match item {
        Index::At(value) => expr(value),
        Index::Slice { start, stop, step, .. } => {
            node("slice expr", [start, stop, step].map(|bound| option(bound.as_ref(), expr)).into())
        }
    }
}

fn comprehension(kind: &'static str, mut parts: Vec<Sexp>, value: &Comprehension) -> Sexp {
    parts.push(expr(&value.element));
    for clause in &value.clauses {
        parts.extend([expr(&clause.target), expr(&clause.iter)]);
        parts.extend(clause.conditions.iter().map(|condition| node("if", vec![expr(condition)])));
    }
    node(kind, parts)
}

/// `f"{x}a"` is `"{}a".format(x)`.
fn format(parts: &[FPart]) -> Sexp {
    let (mut text, mut args) = (Vec::new(), Vec::new());
    for part in parts {
        match part {
            FPart::Text(bytes) => text.extend(bytes),
            FPart::Field { value, .. } => {
                text.extend(b"{}");
                args.push(expr(value));
            }
        }
    }
    let callee = node(".", vec![string(&text), ident("format")]);
    node("apply", vec![callee, node("list", args), node("list", vec![])])
}
