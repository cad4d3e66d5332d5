//! Archives of 2019: a tree of modules in `model.json`, each with a file of bare methods; every module gets a class of its own.

use super::names::Names;
use super::{Error, Loaded, no_data, nowhere, places, upgrade};
use crate::emit::types::Annotations;
use crate::emit::{Compiler, Declaration, Receiver};
use crate::graph::{Loc, SourceText};
use crate::unit::{Attribute, AttributeKind, Class, ClassKind, Unit};
use crate::values::{Storages, Values};
use sconce_archive::PtArchive;
use sconce_archive::model_json::{JsonModule, ModelJson};
use sconce_archive::pickle::Pickle;
use sconce_schema::Type;
use sconce_syntax::script::tree::{Expr, StmtKind};
use sconce_tensor::{IValue, Object};
use std::rc::Rc;
use std::sync::Arc;

/// The version of operators in these archives.
const VERSION: u32 = 1;

pub(super) fn load(archive: &PtArchive, model: &ModelJson, storages: &mut dyn Storages) -> Result<Loaded, Error> {
    let mut modules = Vec::new();
    collect(&model.main, &mut modules, None);
    let methods: Vec<String> = modules.iter().filter_map(|m| m.tree.code.clone()).collect();
    let names = Names::new(archive, &methods)?;
    let mut compiler = Compiler::new(Unit::default());
    compiler.operator_version = Some(VERSION);
    let empty = Pickle::builder();
    let nothing = {
        let mut builder = empty;
        let root = builder.tuple(Vec::new());
        builder.finish(root)
    };
    let mut values = Values::new("attributes.pkl", archive.data().unwrap_or(&nothing), storages);
    values.table = model.tensors.clone();
    for tensor in &model.tensors {
        let constant = IValue::Tensor(values.tensor(&compiler.unit, tensor)?);
        names.constants.borrow_mut().push(Some(constant));
    }
    let mut loader = Loader { archive, names: &names, compiler: &mut compiler };
    for index in 0..modules.len() {
        loader.define(&modules, index)?;
    }
    // Modules come before what they hold, and their methods call those of what they hold.
    for module in modules.iter().rev() {
        names.compile_class(loader.compiler, &module.class, &nowhere());
    }
    names.compile_rest(&mut compiler);
    let mut unit = std::mem::take(&mut compiler.unit);
    upgrade::run(&mut unit)?;
    places::run(archive, &mut unit)?;
    let mut objects: Vec<Arc<Object>> = Vec::with_capacity(modules.len());
    let mut states = Vec::new();
    for module in modules.iter().rev() {
        let object = instance(&unit, module, model, &mut values)?;
        for (child, slot) in modules.iter().rev().zip(&objects).filter(|(c, _)| c.parent_class() == Some(&module.class))
        {
            if let Some(index) = object.slot_of(&child.tree.name) {
                object.set(index, IValue::Object(slot.clone()));
            }
        }
        if let Some(id) = module.tree.state.and_then(|s| usize::try_from(s).ok()) {
            let state = attribute(&unit, &mut values, id, None)?;
            states.push((object.clone(), state));
        }
        objects.push(object);
    }
    let module = objects.pop().ok_or_else(|| no_data("model.json", "there is no module"))?;
    let mut all = std::mem::take(&mut values.states);
    all.extend(states);
    let root = modules.first().map(|m| m.class.clone()).unwrap_or_default();
    Ok(Loaded { root, unit, module: IValue::Object(module), states: all })
}

/// A module of the tree, and the name of the class that it gets.
struct Module<'j> {
    tree: &'j JsonModule,
    class: Arc<str>,
    parent: Option<Arc<str>>,
}

impl Module<'_> {
    fn parent_class(&self) -> Option<&Arc<str>> {
        self.parent.as_ref()
    }
}

/// Parents before children.
fn collect<'j>(tree: &'j JsonModule, out: &mut Vec<Module<'j>>, parent: Option<Arc<str>>) {
    let base = match &parent {
        None => format!("__torch__.{}", identifier(&tree.name)),
        Some(parent) => format!("{parent}_{}", identifier(&tree.name)),
    };
    let mut class = base.clone();
    let mut number = 0;
    while out.iter().any(|m| *m.class == *class) {
        class = format!("{base}_{number}");
        number += 1;
    }
    let class: Arc<str> = class.into();
    out.push(Module { tree, class: class.clone(), parent });
    for child in &tree.submodules {
        collect(child, out, Some(class.clone()));
    }
}

fn identifier(name: &str) -> String {
    let text: String = name.chars().map(|c| if c.is_ascii_alphanumeric() { c } else { '_' }).collect();
    if text.is_empty() { "Module".to_owned() } else { text }
}

struct Loader<'a> {
    archive: &'a PtArchive,
    names: &'a Rc<Names>,
    compiler: &'a mut Compiler,
}

impl Loader<'_> {
    /// The class of a module: submodules, parameters, attributes in this order, and its methods declared.
    fn define(&mut self, modules: &[Module], index: usize) -> Result<(), Error> {
        let module = &modules[index];
        let mut class = Class::new(module.class.clone(), ClassKind::Module);
        let mut add = |name: &str, ty: Type, kind| class.attributes.push(Attribute { name: name.into(), ty, kind });
        for child in modules.iter().filter(|m| m.parent.as_ref() == Some(&module.class)) {
            add(&child.tree.name, Type::Class(child.class.clone()), AttributeKind::Plain);
        }
        for parameter in &module.tree.parameters {
            let kind = if parameter.is_buffer { AttributeKind::Buffer } else { AttributeKind::Parameter };
            add(&parameter.name, Type::tensor(), kind);
        }
        for attribute in &module.tree.attributes {
            add(&attribute.name, self.type_of(&attribute.type_name)?, AttributeKind::Plain);
        }
        self.compiler.unit.classes.insert(module.class.clone(), class);
        match &module.tree.code {
            Some(path) => self.declare(module, path),
            None => Ok(()),
        }
    }

    fn type_of(&mut self, text: &str) -> Result<Type, Error> {
        let tree: Expr = sconce_syntax::script::parse_expression("model.json", text)?;
        let source = SourceText::file("model.json", text.to_owned());
        let resolver = self.names.resolver();
        Ok(Annotations { compiler: self.compiler, resolver, source, receiver: None }.read(&tree)?)
    }

    fn declare(&mut self, module: &Module, path: &str) -> Result<(), Error> {
        let file = self.archive.code_files().iter().find(|f| f.path == path);
        let file = file.ok_or_else(|| no_data("model.json", format!("the archive has no {path}")))?;
        let tree = sconce_syntax::script::parse_archive(&file.path, &file.text)?;
        let source = SourceText::file(file.path.as_str(), file.text.clone());
        for statement in tree.body {
            match statement.kind {
                StmtKind::Def(def) => {
                    let declaration = Declaration {
                        def: Rc::from(def),
                        source: source.clone(),
                        resolver: self.names.resolver(),
                        receiver: Some(Receiver::Class(module.class.clone())),
                        defaults: Vec::new(),
                    };
                    self.compiler.declare_method(&module.class, declaration, true);
                }
                // `op_version_set = 1` and imports
                StmtKind::Assign { .. } | StmtKind::Import(_) => {}
                _ => {
                    let place = Loc::new(&source, statement.span);
                    return Err(self.compiler.error(&place, "a module's code has methods only").into());
                }
            }
        }
        Ok(())
    }
}

/// A module's object with its parameters and attributes; submodules are set by who has them.
fn instance(unit: &Unit, module: &Module, model: &ModelJson, values: &mut Values) -> Result<Arc<Object>, Error> {
    let attributes = unit.classes.get(&module.class).map(|c| &*c.attributes).unwrap_or_default();
    let object = Object::new(module.class.clone(), attributes.iter().map(|a| a.name.clone()).collect());
    let set = |name: &str, value: IValue| {
        if let Some(slot) = object.slot_of(name) {
            object.set(slot, value);
        }
    };
    for parameter in &module.tree.parameters {
        if let Some(tensor) = model.tensors.get(parameter.tensor) {
            set(&parameter.name, IValue::Tensor(values.tensor(unit, tensor)?));
        }
    }
    for json in &module.tree.attributes {
        let ty = attributes.iter().find(|a| *a.name == *json.name).map(|a| &a.ty);
        if let Some(id) = json.id {
            set(&json.name, attribute(unit, values, id, ty)?);
        }
    }
    Ok(object)
}

/// An entry of the pickle of attributes.
fn attribute(unit: &Unit, values: &mut Values, id: usize, ty: Option<&Type>) -> Result<IValue, Error> {
    let pickle = values.pickle();
    let item = pickle.root().as_items().and_then(|items| items.get(id)).copied();
    let item = item.ok_or_else(|| no_data("attributes.pkl", format!("there is no attribute {id}")))?;
    Ok(values.value(unit, item, ty)?)
}
