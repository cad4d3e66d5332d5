//! Classes of `code/`: bodies that list attributes and constants, then methods.

use super::literal;
use super::names::Names;
use crate::emit::types::Annotations;
use crate::emit::{self, Compiler, Declaration, Receiver};
use crate::graph::{Loc, SourceText};
use crate::unit::{Attribute, AttributeKind, Class, ClassKind};
use sconce_schema::Type;
use sconce_schema::types::NamedTuple;
use sconce_syntax::script::tree::{ClassDef, Expr, ExprKind, Index, Stmt, StmtKind};
use sconce_tensor::IValue;
use std::rc::Rc;
use std::sync::Arc;

/// A class body, as far as it is not methods.
#[derive(Default)]
struct Lists {
    parameters: Vec<String>,
    buffers: Vec<String>,
    forward_hooks: Vec<Arc<str>>,
    forward_pre_hooks: Vec<Arc<str>>,
}

/// `name : Type`, `__annotations__["name"] = Type`, `name : Final[Type] = value`
struct Entry<'t> {
    name: String,
    annotation: &'t Expr,
    value: Option<&'t Expr>,
}

impl Names {
    /// Enters a class into the unit; its methods are declared.
    pub(super) fn define(
        &self,
        compiler: &mut Compiler,
        name: &str,
        tree: &ClassDef,
        source: &Arc<SourceText>,
    ) -> emit::Result<()> {
        let base = tree.bases.first().map(|b| match &b.kind {
            ExprKind::Var(name) => name.name.as_str(),
            _ => "",
        });
        match base {
            None => self.define_class(compiler, name, tree, source, ClassKind::Script),
            Some("Module") => self.define_class(compiler, name, tree, source, ClassKind::Module),
            Some("NamedTuple") => self.define_tuple(compiler, name, tree, source),
            Some("Enum") => self.define_members(compiler, name, tree, source),
            Some(base @ ("Interface" | "ModuleInterface")) => {
                compiler.define_interface(name, tree, source, self.resolver(), base == "ModuleInterface")
            }
            Some(_) => {
                Err(compiler.error(&Loc::new(source, tree.span), "Torchscript does not support class inheritance."))
            }
        }
    }

    fn annotation(&self, compiler: &mut Compiler, source: &Arc<SourceText>, e: &Expr) -> emit::Result<Type> {
        Annotations { compiler, resolver: self.resolver(), source: source.clone(), receiver: None }.read(e)
    }

    fn define_class(
        &self,
        compiler: &mut Compiler,
        name: &str,
        tree: &ClassDef,
        source: &Arc<SourceText>,
        kind: ClassKind,
    ) -> emit::Result<()> {
        let name: Arc<str> = name.into();
        let lists = lists(tree);
        // The class is known before its attributes are: a list node has a list node.
        let mut class = Class::new(name.clone(), kind);
        class.forward_hooks.clone_from(&lists.forward_hooks);
        class.forward_pre_hooks.clone_from(&lists.forward_pre_hooks);
        compiler.unit.classes.insert(name.clone(), class);
        let entries: Vec<Entry> = tree.body.iter().filter_map(entry).collect();
        for entry in entries.iter().filter(|e| e.value.is_none()) {
            let ty = self.annotation(compiler, source, entry.annotation)?;
            let kind = if lists.parameters.contains(&entry.name) {
                AttributeKind::Parameter
            } else if lists.buffers.contains(&entry.name) {
                AttributeKind::Buffer
            } else {
                AttributeKind::Plain
            };
            let attribute = Attribute { name: entry.name.as_str().into(), ty, kind };
            if let Some(class) = compiler.unit.classes.get_mut(&name) {
                class.attributes.push(attribute);
            }
        }
        for entry in &entries {
            let Some(value) = entry.value else { continue };
            let ty = self.annotation(compiler, source, entry.annotation)?;
            let value = literal::evaluate(self, compiler, source, value, &ty)?;
            if let Some(class) = compiler.unit.classes.get_mut(&name) {
                class.constants.push((entry.name.as_str().into(), ty, value));
            }
        }
        self.declare_methods(compiler, &name, tree, source, &lists);
        Ok(())
    }

    fn declare_methods(
        &self,
        compiler: &mut Compiler,
        name: &Arc<str>,
        tree: &ClassDef,
        source: &Arc<SourceText>,
        lists: &Lists,
    ) {
        for statement in &tree.body {
            let StmtKind::Def(def) = &statement.kind else { continue };
            let method: Arc<str> = def.name.name.as_str().into();
            let is_hook = lists.forward_hooks.contains(&method) || lists.forward_pre_hooks.contains(&method);
            let declaration = Declaration {
                def: Rc::new((**def).clone()),
                source: source.clone(),
                resolver: self.resolver(),
                receiver: Some(Receiver::Class(name.clone())),
                defaults: Vec::new(),
            };
            compiler.declare_method(name, declaration, !is_hook);
        }
    }

    fn define_tuple(
        &self,
        compiler: &mut Compiler,
        name: &str,
        tree: &ClassDef,
        source: &Arc<SourceText>,
    ) -> emit::Result<()> {
        let mut fields = Vec::new();
        let mut defaults = Vec::new();
        for entry in tree.body.iter().filter_map(entry) {
            let ty = self.annotation(compiler, source, entry.annotation)?;
            let field: Arc<str> = entry.name.as_str().into();
            if let Some(value) = entry.value {
                defaults.push((field.clone(), literal::evaluate(self, compiler, source, value, &ty)?));
            }
            fields.push((field, ty));
        }
        let tuple = NamedTuple { name: name.into(), fields, defaults: Vec::new() };
        compiler.define_named_tuple(&tuple, defaults);
        Ok(())
    }

    fn define_members(
        &self,
        compiler: &mut Compiler,
        name: &str,
        tree: &ClassDef,
        source: &Arc<SourceText>,
    ) -> emit::Result<()> {
        let mut members: Vec<(Arc<str>, IValue)> = Vec::new();
        let mut ty = None;
        for statement in &tree.body {
            let place = Loc::new(source, statement.span);
            let StmtKind::Assign { targets, value, .. } = &statement.kind else { continue };
            let [Expr { kind: ExprKind::Var(member), .. }] = targets.as_slice() else {
                return Err(compiler.error(&place, "only names can be members of an enum"));
            };
            let value = literal::evaluate(self, compiler, source, value, &Type::Any)?;
            let value_type = emit::types::of_value(&value);
            if ty.get_or_insert(value_type.clone()) != &value_type {
                return Err(compiler.error(&place, "Enum class with varying value types are not supported."));
            }
            members.push((member.name.as_str().into(), value));
        }
        match ty {
            Some(ty) => {
                compiler.define_enum(name, ty, members);
                Ok(())
            }
            None => Err(compiler.error(&Loc::new(source, tree.span), format!("No enum values defined for {name}"))),
        }
    }
}

fn entry(statement: &Stmt) -> Option<Entry<'_>> {
    match &statement.kind {
        StmtKind::AnnAssign { target: Expr { kind: ExprKind::Var(name), .. }, annotation, value } => {
            Some(Entry { name: name.name.clone(), annotation, value: value.as_ref() })
        }
        // What is no identifier stands in the dictionary of annotations.
        StmtKind::Assign { targets, value, .. } => match targets.as_slice() {
            [Expr { kind: ExprKind::Subscript(_, items), .. }] => match items.as_slice() {
                [Index::At(Expr { kind: ExprKind::Str(name), .. })] => {
                    let name = String::from_utf8_lossy(name).into_owned();
                    Some(Entry { name, annotation: value, value: None })
                }
                _ => None,
            },
            _ => None,
        },
        _ => None,
    }
}

fn lists(tree: &ClassDef) -> Lists {
    let mut lists = Lists::default();
    for statement in &tree.body {
        let StmtKind::Assign { targets, value, .. } = &statement.kind else { continue };
        let [Expr { kind: ExprKind::Var(name), .. }] = targets.as_slice() else { continue };
        let ExprKind::List(items) = &value.kind else { continue };
        let texts = items.iter().filter_map(|i| match &i.kind {
            ExprKind::Str(text) => Some(String::from_utf8_lossy(text).into_owned()),
            _ => None,
        });
        match name.name.as_str() {
            "__parameters__" => lists.parameters.extend(texts),
            "__buffers__" => lists.buffers.extend(texts),
            "__forward_hooks__" => lists.forward_hooks.extend(texts.map(Arc::from)),
            "__forward_pre_hooks__" => lists.forward_pre_hooks.extend(texts.map(Arc::from)),
            _ => {}
        }
    }
    lists
}
