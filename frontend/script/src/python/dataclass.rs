//! `@dataclass`: the methods that Python would write for a class of annotated fields, as Python.

use super::value::*;
use super::{Evaluator, Fallible, Fault};
use crate::graph::SourceFile;
use sconce_syntax::script::tree::{ClassDef, Def, Expr, ExprKind, Index, Stmt, StmtKind};
use std::fmt::Write as _;
use std::rc::Rc;
use std::sync::Arc;

/// A field: name, annotation and default.
struct Field<'a> {
    name: &'a str,
    annotation: &'a Expr,
    default: Option<&'a Expr>,
}

fn fields<'a>(def: &'a ClassDef) -> Vec<Field<'a>> {
    let field = |stmt: &'a Stmt| match &stmt.kind {
        StmtKind::AnnAssign { target, annotation, value } => match &target.kind {
            ExprKind::Var(name) => Some(Field { name: &name.name, annotation, default: value.as_ref() }),
            _ => None,
        },
        _ => None,
    };
    def.body.iter().filter_map(field).collect()
}

/// May it be None?
fn is_optional(annotation: &Expr) -> bool {
    match &annotation.kind {
        ExprKind::Var(name) => name.name == "Optional",
        ExprKind::Select(_, name) => name.name == "Optional",
        ExprKind::None => true,
        ExprKind::Binary(_, a, b) => is_optional(a) || is_optional(b),
        ExprKind::Subscript(of, items) => {
            let none = |i: &Index| matches!(i, Index::At(e) if matches!(e.kind, ExprKind::None));
            is_optional(of) || items.iter().any(none)
        }
        _ => false,
    }
}

/// The parameters of `__init__` are the fields, with what was written for them.
fn with_fields(def: &mut Def, fields: &[Field<'_>]) {
    for (p, f) in def.params.iter_mut().skip(1).zip(fields) {
        p.annotation = Some(f.annotation.clone());
        p.default = f.default.cloned();
    }
}

/// `__init__`, `__repr__` and the comparisons, as text.
fn methods(class: &str, fields: &[Field<'_>], order: bool) -> Vec<(&'static str, String)> {
    let mut init = "def __init__(self".to_owned();
    for f in fields {
        let _ = write!(init, ", {}", f.name);
    }
    init.push_str("):\n");
    for f in fields {
        let _ = writeln!(init, "  self.{0} = {0}", f.name);
    }
    if fields.is_empty() {
        init.push_str("  pass\n");
    }
    let shown: Vec<String> = fields.iter().map(|f| format!("{0}=self.{0}", f.name)).collect();
    let repr = format!("def __repr__(self) -> str:\n  return '{class}({})'\n", shown.join(", "));
    let mut out = vec![
        ("__eq__", comparison(class, fields, "__eq__", &["if val1 != val2: return False"], true, "return False")),
        ("__init__", init),
        ("__repr__", repr),
    ];
    if order {
        let raise = format!("raise TypeError('Cannot compare {class} with None')");
        let less = ["if val1 < val2: return True", "elif val2 < val1: return False"];
        let more = ["if val1 > val2: return True", "elif val2 > val1: return False"];
        out.push(("__ge__", comparison(class, fields, "__ge__", &more, true, &raise)));
        out.push(("__gt__", comparison(class, fields, "__gt__", &more, false, &raise)));
        out.push(("__le__", comparison(class, fields, "__le__", &less, true, &raise)));
        out.push(("__lt__", comparison(class, fields, "__lt__", &less, false, &raise)));
    }
    out
}

fn comparison(class: &str, fields: &[Field<'_>], name: &str, inner: &[&str], equal: bool, none: &str) -> String {
    let mut out = format!("def {name}(self, other: {class}) -> bool:\n");
    for f in fields {
        let _ = writeln!(out, "  val1 = self.{0}\n  val2 = other.{0}", f.name);
        let indent = if is_optional(f.annotation) { "    " } else { "  " };
        if is_optional(f.annotation) {
            out.push_str("  if val1 is not None and val2 is not None:\n");
        }
        for line in inner {
            let _ = writeln!(out, "{indent}{line}");
        }
        if is_optional(f.annotation) {
            let _ = writeln!(out, "  elif (val1 is None) != (val2 is None):\n    {none}");
        }
    }
    let _ = writeln!(out, "  return {}", if equal { "True" } else { "False" });
    out
}

impl Evaluator {
    /// Adds to a class the methods that `@dataclass` writes; those that the class has stay.
    pub(super) fn make_dataclass(&self, class: &Rc<Class>, order: bool) -> Fallible<()> {
        let Some(def) = class.def.borrow().clone() else {
            return Err(Fault::refused("a dataclass without source"));
        };
        let source = class.closure.file.source.clone();
        let mut extended = (*def).clone();
        let fields = fields(&def);
        for (name, text) in methods(&class.name, &fields, order) {
            if class.attributes.borrow().contains_key(name) {
                continue;
            }
            let made = Arc::new(SourceFile { name: source.name.clone(), text, first_line: 1 });
            let mut tree = self.parse(&made)?;
            if let ("__init__", Some(Stmt { kind: StmtKind::Def(init), .. })) = (name, tree.body.first_mut()) {
                with_fields(init, &fields);
            }
            let scope = Scope::inner(&class.closure, ScopeKind::Class, format!("{}.", class.qualified).into());
            self.block(&tree.body, &scope)?;
            let method = scope.names.borrow().get(name).cloned();
            class.attributes.borrow_mut().extend(method.map(|m| (Rc::from(name), m)));
            // What a text that was made says of places means nothing in the file.
            extended.body.extend(tree.body);
        }
        *class.def.borrow_mut() = Some(Rc::new(extended));
        Ok(())
    }
}
