//! A tree is walked once, from top to bottom as Python runs it, and every name is entered with its scope and its block.

use super::names::{Block, Definition, Member, Names, Occurrence, Role, Scope, ScopeKind};
use sconce_source::Span;
use sconce_syntax::script::tree::*;

/// The names of a file, in no order yet.
pub(super) fn names(tree: &Module) -> Names {
    let mut walk = Walk::default();
    let file = walk.scope(ScopeKind::File, None);
    let block = walk.block(None, None);
    walk.at = At { scope: file, block, definition: None };
    walk.statements(&tree.body);
    walk.names
}

/// Where the walk is.
#[derive(Clone, Copy, Default)]
struct At {
    scope: usize,
    block: usize,
    definition: Option<usize>,
}

#[derive(Default)]
struct Walk {
    names: Names,
    at: At,
    /// The methods that are being walked: the scope, the name of the first parameter, the class.
    methods: Vec<(usize, String, usize)>,
}

impl Walk {
    fn scope(&mut self, kind: ScopeKind, parent: Option<usize>) -> usize {
        self.names.scopes.push(Scope { kind, parent, outer: Vec::new() });
        self.names.scopes.len() - 1
    }

    fn block(&mut self, parent: Option<usize>, branch_of: Option<u32>) -> usize {
        self.names.blocks.push(Block { parent, branch_of });
        self.names.blocks.len() - 1
    }

    fn name(&mut self, name: &Ident, place: Span, role: Role) {
        let At { scope, block, .. } = self.at;
        self.names.occurrences.push(Occurrence {
            name: name.name.clone(),
            token: name.token,
            place,
            scope,
            block,
            role,
        });
    }

    /// A class body's names are members of its instances.
    fn bind(&mut self, name: &Ident, role: Role) {
        self.name(name, name.span, role);
        if let Some(class) = self.at.definition
            && self.names.scopes[self.at.scope].kind == ScopeKind::Class
        {
            self.names.definitions[class].members.push((name.name.clone(), name.token));
        }
    }

    // -- statements

    fn statements(&mut self, body: &[Stmt]) {
        body.iter().for_each(|s| self.statement(s));
    }

    /// Statements that run only sometimes, or more than once.
    fn inner(&mut self, body: &[Stmt], branch_of: Option<u32>) {
        let outer = self.at.block;
        self.at.block = self.block(Some(outer), branch_of);
        self.statements(body);
        self.at.block = outer;
    }

    fn statement(&mut self, s: &Stmt) {
        match &s.kind {
            StmtKind::Expr(e) => self.expression(e),
            StmtKind::Assign { targets, value, type_comment } => {
                self.expression(value);
                self.expressions(type_comment);
                targets.iter().for_each(|t| self.target(t));
            }
            StmtKind::AnnAssign { target, annotation, value } => {
                self.expression(annotation);
                self.expressions(value);
                self.target(target);
            }
            StmtKind::AugAssign { target, value, .. } => {
                self.expression(value);
                self.target(target);
            }
            StmtKind::If { condition, then, otherwise } => {
                self.expression(condition);
                self.inner(then, Some(s.span.start));
                self.inner(otherwise, Some(s.span.start));
            }
            StmtKind::While { condition, body, otherwise } => {
                self.expression(condition);
                self.inner(body, None);
                self.inner(otherwise, None);
            }
            StmtKind::For { target, iter, body, otherwise } => {
                self.expression(iter);
                self.target(target);
                self.inner(body, None);
                self.inner(otherwise, None);
            }
            StmtKind::With { items, body } => {
                for item in items {
                    self.expression(&item.context);
                    item.target.iter().for_each(|t| self.target(t));
                }
                self.statements(body);
            }
            StmtKind::Return(value) => self.expressions(value),
            StmtKind::Raise { exception, cause } => self.expressions(exception.iter().chain(cause)),
            StmtKind::Assert { test, message } => self.expressions(std::iter::once(test).chain(message)),
            StmtKind::Delete(targets) => self.expressions(targets),
            StmtKind::Def(def) => self.function(def),
            StmtKind::Class(class) => self.class(class),
            StmtKind::Import(aliases) => aliases.iter().for_each(|alias| self.import("", alias)),
            StmtKind::ImportFrom { module, names, .. } => {
                let dotted = dotted(module);
                names.iter().for_each(|alias| self.import(&dotted, alias));
            }
            StmtKind::Global(names) | StmtKind::Nonlocal(names) => {
                self.names.scopes[self.at.scope].outer.extend(names.iter().map(|n| n.name.clone()));
            }
            StmtKind::Try { body, handlers, otherwise, finally } => {
                self.inner(body, None);
                for handler in handlers {
                    self.expressions(&handler.class);
                    handler.name.iter().for_each(|n| self.bind(n, Role::Assigned));
                    self.inner(&handler.body, None);
                }
                self.inner(otherwise, None);
                self.statements(finally);
            }
            StmtKind::Break | StmtKind::Continue | StmtKind::Pass => {}
        }
    }

    /// `import a.b as c` and a name of `from a import b as c`.
    fn import(&mut self, module: &str, alias: &Alias) {
        let path = dotted(&alias.path);
        let (Some(first), is_whole) = (alias.path.first(), module.is_empty() && alias.name.is_none()) else { return };
        let bound = alias.name.as_ref().unwrap_or(first);
        self.bind(bound, Role::Imported);
        let meant = match (is_whole, module) {
            // `import a.b` binds `a`.
            (true, _) => first.name.clone(),
            (false, "") => path,
            (false, module) => format!("{module}.{path}"),
        };
        if self.at.scope == 0 {
            self.names.imports.insert(bound.name.clone(), meant);
        }
    }

    // -- definitions

    fn define(&mut self, name: &Ident, span: Span, docstring: Option<&Vec<u8>>, is_class: bool) -> usize {
        let number = self.names.definitions.len();
        self.bind(name, Role::Defined(number));
        let inside = self.at.definition;
        let path = match inside.map(|d| &self.names.definitions[d]) {
            Some(outer) => format!("{}.{}", outer.path, name.name),
            None => name.name.clone(),
        };
        let docstring = docstring.map(|text| String::from_utf8_lossy(text).trim().to_owned());
        let (bases, members) = Default::default();
        self.names.definitions.push(Definition {
            path,
            token: name.token,
            span,
            docstring,
            inside,
            is_class,
            bases,
            members,
        });
        number
    }

    fn function(&mut self, def: &Def) {
        self.expressions(&def.decorators);
        let annotations = def.params.iter().flat_map(|p| p.annotation.iter().chain(&p.default));
        self.expressions(annotations.chain(&def.returns));
        let class = self.at.definition.filter(|_| self.names.scopes[self.at.scope].kind == ScopeKind::Class);
        let number = self.define(&def.name, def.span, def.docstring.as_ref(), false);
        let outer = self.at;
        let scope = self.scope(ScopeKind::Function, Some(outer.scope));
        let block = self.block(Some(outer.block), None);
        self.at = At { scope, block, definition: Some(number) };
        if let (Some(class), Some(first)) = (class, def.params.first()) {
            self.methods.push((scope, first.name.name.clone(), class));
        }
        def.params.iter().for_each(|p| self.bind(&p.name, Role::Parameter));
        self.statements(&def.body);
        self.methods.retain(|(method, ..)| *method != scope);
        self.at = outer;
    }

    fn class(&mut self, class: &ClassDef) {
        self.expressions(class.decorators.iter().chain(&class.bases).chain(class.keywords.iter().map(|k| &k.value)));
        let number = self.define(&class.name, class.span, class.docstring.as_ref(), true);
        let base = |e: &Expr| if let ExprKind::Var(name) = &e.kind { Some(name.name.clone()) } else { None };
        self.names.definitions[number].bases = class.bases.iter().filter_map(base).collect();
        let outer = self.at;
        let scope = self.scope(ScopeKind::Class, Some(outer.scope));
        self.at = At { scope, block: outer.block, definition: Some(number) };
        self.statements(&class.body);
        self.at = outer;
    }

    // -- expressions

    fn expressions<'e>(&mut self, all: impl IntoIterator<Item = &'e Expr>) {
        all.into_iter().for_each(|e| self.expression(e));
    }

    fn expression(&mut self, e: &Expr) {
        match &e.kind {
            ExprKind::Var(name) => self.name(name, e.span, Role::Use),
            ExprKind::Select(object, name) => self.member(e, object, name, false),
            ExprKind::Unary(_, a) | ExprKind::Starred(a) => self.expression(a),
            ExprKind::Binary(_, a, b) | ExprKind::And(a, b) | ExprKind::Or(a, b) => {
                self.expression(a);
                self.expression(b);
            }
            ExprKind::Compare(first, rest) => {
                self.expression(first);
                self.expressions(rest.iter().map(|(_, e)| e));
            }
            ExprKind::IfExp { condition, then, otherwise } => {
                [condition, then, otherwise].into_iter().for_each(|e| self.expression(e));
            }
            ExprKind::Apply(apply) => {
                self.names.ends.push((e.span, apply.close.end));
                self.expression(&apply.callee);
                self.expressions(apply.args.iter().chain(apply.kwargs.iter().map(|k| &k.value)));
            }
            ExprKind::Subscript(value, items) => {
                self.expression(value);
                items.iter().for_each(|item| self.index(item));
            }
            ExprKind::List(items) | ExprKind::Tuple(items) | ExprKind::Set(items) | ExprKind::Unsupported(_, items) => {
                self.expressions(items);
            }
            ExprKind::Dict(items) => {
                self.expressions(items.iter().flat_map(|(key, value)| key.iter().chain(std::iter::once(value))));
            }
            ExprKind::ListComp(c) | ExprKind::GeneratorExp(c) | ExprKind::SetComp(c) => self.comprehension(c, None),
            ExprKind::DictComp(key, c) => self.comprehension(c, Some(key)),
            ExprKind::FString(parts) => {
                self.expressions(parts.iter().filter_map(|p| match p {
                    FPart::Field { value, .. } => Some(value),
                    FPart::Text(_) => None,
                }));
            }
            ExprKind::Lambda(lambda) => {
                let outer = self.at;
                self.at.scope = self.scope(ScopeKind::Function, Some(outer.scope));
                lambda.params.iter().for_each(|p| self.bind(&p.name, Role::Parameter));
                self.expression(&lambda.body);
                self.at = outer;
            }
            ExprKind::Named(name, value) => {
                self.expression(value);
                self.bind(name, Role::Assigned);
            }
            ExprKind::Number(_)
            | ExprKind::Str(_)
            | ExprKind::True
            | ExprKind::False
            | ExprKind::None
            | ExprKind::Ellipsis => {}
        }
    }

    fn index(&mut self, item: &Index) {
        match item {
            Index::At(e) => self.expression(e),
            Index::Slice { start, stop, step, .. } => self.expressions(start.iter().chain(stop).chain(step)),
        }
    }

    /// Its variables are its own.
    fn comprehension(&mut self, c: &Comprehension, key: Option<&Expr>) {
        let outer = self.at;
        self.at.scope = self.scope(ScopeKind::Function, Some(outer.scope));
        for clause in &c.clauses {
            self.expression(&clause.iter);
            self.target(&clause.target);
            self.expressions(&clause.conditions);
        }
        self.expressions(key);
        self.expression(&c.element);
        self.at = outer;
    }

    fn target(&mut self, e: &Expr) {
        match &e.kind {
            ExprKind::Var(name) => self.bind(name, Role::Assigned),
            ExprKind::Tuple(items) | ExprKind::List(items) => items.iter().for_each(|t| self.target(t)),
            ExprKind::Starred(inner) => self.target(inner),
            ExprKind::Select(object, name) => self.member(e, object, name, true),
            _ => self.expression(e),
        }
    }

    fn member(&mut self, e: &Expr, object: &Expr, name: &Ident, is_assigned: bool) {
        self.expression(object);
        let method = self.methods.last();
        let of_self = match (&object.kind, method) {
            (ExprKind::Var(of), Some((_, first, class))) if of.name == *first => Some(*class),
            _ => None,
        };
        if let (Some(class), true) = (of_self, is_assigned) {
            self.names.definitions[class].members.push((name.name.clone(), name.token));
        }
        self.names.ends.push((e.span, name.token.end));
        let (name, token) = (name.name.clone(), name.token);
        self.names.members.push(Member { name, token, place: e.span, object: object.span, of_self });
    }
}

fn dotted(path: &[Ident]) -> String {
    path.iter().map(|part| part.name.as_str()).collect::<Vec<_>>().join(".")
}
