//! `@dataclass`: the methods that Python would write for a class of annotated fields, as Python.

use super::value::*;
use super::{Evaluator, Fallible, Fault};
use sconce_graph::graph::SourceText;
use sconce_syntax::script::tree::{ClassDef, Def, Expr, ExprKind, Index, Stmt, StmtKind};
use std::rc::Rc;

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

/// How a method compares a `self` with an `other`: by the first field in which they differ.
struct Comparison {
    method: &'static str,
    /// What is asked of that field's values; without one there is nothing to ask: they differ.
    operator: Option<&'static str>,
    /// The result when no field differs.
    same: bool,
}

const EQUALITY: Comparison = Comparison { method: "__eq__", operator: None, same: true };

const ORDERS: [Comparison; 4] = [
    Comparison { method: "__ge__", operator: Some(">="), same: true },
    Comparison { method: "__gt__", operator: Some(">"), same: false },
    Comparison { method: "__le__", operator: Some("<="), same: true },
    Comparison { method: "__lt__", operator: Some("<"), same: false },
];

impl Comparison {
    fn text(&self, class: &str, fields: &[Field<'_>]) -> String {
        let fields: String = fields.iter().map(|f| self.field(class, f)).collect();
        let same = if self.same { "True" } else { "False" };
        format!("def {}(self, other: {class}) -> bool:\n{fields}  return {same}\n", self.method)
    }

    /// The statements for a field, which return where it decides. Only local variables are known not to be None where that was asked.
    fn field(&self, class: &str, field: &Field<'_>) -> String {
        let name = field.name;
        if !is_optional(field.annotation) {
            let (own, its) = (format!("self.{name}"), format!("other.{name}"));
            return format!("  if {own} != {its}:\n    return {}\n", self.differing(&own, &its));
        }
        let (own, its) = (format!("own_{name}"), format!("its_{name}"));
        let one_is_none = match self.operator {
            None => "return False".to_owned(),
            Some(_) => format!("raise TypeError('Cannot compare {class} with None')"),
        };
        format!(
            "  {own} = self.{name}\n  {its} = other.{name}\n  if {own} is None or {its} is None:\n    \
             if {own} is not None or {its} is not None:\n      {one_is_none}\n  \
             elif {own} != {its}:\n    return {}\n",
            self.differing(&own, &its)
        )
    }

    /// The result for two values that differ.
    fn differing(&self, own: &str, its: &str) -> String {
        self.operator.map_or("False".to_owned(), |operator| format!("{own} {operator} {its}"))
    }
}

/// The methods by name: their texts.
fn methods(class: &str, fields: &[Field<'_>], order: bool) -> Vec<(&'static str, String)> {
    let each = |write: fn(&str) -> String| fields.iter().map(move |f| write(f.name));
    let parameters: String = each(|name| format!(", {name}")).collect();
    let mut init = format!("def __init__(self{parameters}):\n");
    init.extend(each(|name| format!("  self.{name} = {name}\n")));
    if fields.is_empty() {
        init.push_str("  pass\n");
    }
    // As PyTorch has it: the values are not looked at.
    let values: Vec<String> = each(|name| format!("{name}=self.{name}")).collect();
    let repr = format!("def __repr__(self) -> str:\n  return '{class}({})'\n", values.join(", "));
    let mut methods = vec![(EQUALITY.method, EQUALITY.text(class, fields)), ("__init__", init), ("__repr__", repr)];
    if order {
        methods.extend(ORDERS.iter().map(|o| (o.method, o.text(class, fields))));
    }
    methods
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
            let made = SourceText::file(source.name(), text);
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
