//! The names of an archive's code: `__torch__.…`, `torch`, `ops`, `CONSTANTS`, and the forms that PyTorch's printer writes.

use super::{Error, foreign};
use crate::emit::{self, Compiler, Declaration, Emitter, Form, Named, Resolver, Sugared, SugaredValue};
use crate::graph::{Attr, Loc, SourceText, ValueId};
use crate::unit::ClassKind;
use indexmap::IndexMap;
use sconce_archive::{CodeFile, PtArchive};
use sconce_schema::Type;
use sconce_syntax::script::tree::{ClassDef, Def, StmtKind};
use sconce_tensor::IValue;
use std::cell::{Cell, RefCell};
use std::collections::VecDeque;
use std::rc::{Rc, Weak};
use std::sync::Arc;

/// How deep classes may be nested in each other's attributes.
const MAX_NESTING: usize = 200;

/// A definition that nobody has needed yet.
#[derive(Clone)]
enum Definition {
    Function(Rc<Def>),
    Class(Rc<ClassDef>),
}

/// See the module's page.
pub(super) struct Names {
    this: Weak<Names>,
    /// `None` once it was needed.
    definitions: RefCell<IndexMap<String, Option<(Definition, Arc<SourceText>)>>>,
    /// Classes whose attributes are known and whose methods are still to be compiled.
    uncompiled: RefCell<VecDeque<Arc<str>>>,
    nesting: Cell<usize>,
    /// `None` while a constant is not read yet.
    pub constants: RefCell<Vec<Option<IValue>>>,
}

impl Names {
    /// The definitions of all code files but those in `methods`, which hold the methods of one module each.
    pub fn new(archive: &PtArchive, methods: &[String]) -> Result<Rc<Names>, Error> {
        Names::of_files(archive.code_files().iter().filter(|f| !methods.contains(&f.path)))
    }

    /// The definitions of some files.
    pub fn of_files<'f>(files: impl Iterator<Item = &'f CodeFile>) -> Result<Rc<Names>, Error> {
        let mut definitions = IndexMap::new();
        for file in files {
            let tree = sconce_syntax::script::parse_archive(&file.path, &file.text)?;
            let source = SourceText::file(file.path.as_str(), file.text.clone());
            let module = file.module();
            for statement in tree.body {
                let (name, definition) = match statement.kind {
                    StmtKind::Def(def) => (def.name.name.clone(), Definition::Function(Rc::from(def))),
                    StmtKind::Class(class) => (class.name.name.clone(), Definition::Class(Rc::from(class))),
                    // Imports and `op_version_set` of older archives say nothing that names do not.
                    _ => continue,
                };
                definitions.insert(format!("{module}.{name}"), Some((definition, source.clone())));
            }
        }
        Ok(Rc::new_cyclic(|this| Names {
            this: this.clone(),
            definitions: RefCell::new(definitions),
            uncompiled: RefCell::default(),
            nesting: Cell::new(0),
            constants: RefCell::new(Vec::new()),
        }))
    }

    pub fn resolver(&self) -> Rc<dyn Resolver> {
        match self.this.upgrade() {
            Some(this) => this,
            None => Rc::new(emit::NoNames),
        }
    }

    fn take(&self, name: &str, is_wanted: impl Fn(&Definition) -> bool) -> Option<(Definition, Arc<SourceText>)> {
        let mut definitions = self.definitions.borrow_mut();
        let definition = definitions.get_mut(name)?;
        definition.take_if(|(d, _)| is_wanted(d))
    }

    /// Defines a class if the archive has it; says whether it is a class.
    pub fn find_class(&self, compiler: &mut Compiler, name: &str, place: &Loc) -> emit::Result<bool> {
        if compiler.unit.classes.contains_key(name) {
            return Ok(true);
        }
        // Classes that PyTorch binds in C++ are classes, whether they are known here or not.
        let bound = name.starts_with(foreign::PREFIX);
        let found = match bound {
            true => foreign::definition(name),
            false => match self.take(name, |d| matches!(d, Definition::Class(_))) {
                Some((Definition::Class(tree), source)) => Some((tree, source)),
                _ => None,
            },
        };
        let Some((tree, source)) = found else { return Ok(bound) };
        let nesting = self.nesting.get();
        if nesting >= MAX_NESTING {
            return Err(compiler.error(place, format!("classes are nested more than {MAX_NESTING} levels deep")));
        }
        self.nesting.set(nesting + 1);
        let defined = self.define(compiler, name, &tree, &source);
        self.nesting.set(nesting);
        self.uncompiled.borrow_mut().push_back(name.into());
        defined?;
        // A function that names the class first calls what it needs of it; the methods of others may call that function.
        if nesting == 0 && !compiler.is_compiling() {
            self.compile_methods(compiler, place);
        }
        Ok(true)
    }

    /// Methods are compiled when the attributes of all classes that they can reach are known.
    fn compile_methods(&self, compiler: &mut Compiler, place: &Loc) {
        loop {
            let next = self.uncompiled.borrow_mut().pop_front();
            let Some(class) = next else { return };
            self.compile_class(compiler, &class, place);
        }
    }

    /// Compiles all methods and hooks of a class; what is refused is none of its methods.
    pub fn compile_class(&self, compiler: &mut Compiler, class: &str, place: &Loc) {
        let Some(known) = compiler.unit.classes.get(class) else { return };
        let hooks: Vec<Arc<str>> = known.forward_hooks.iter().chain(&known.forward_pre_hooks).cloned().collect();
        let mut at = 0;
        while let Some(method) = compiler.unit.classes.get(class).and_then(|c| c.methods.get(at)).cloned() {
            at += 1;
            self.compile(compiler, &format!("{class}.{method}"), place);
        }
        // Hooks are compiled as methods are, and are none.
        for hook in &hooks {
            self.compile(compiler, &format!("{class}.{hook}"), place);
        }
        let is_defined = |c: &Compiler, m: &str| c.unit.method(class, m).is_some();
        let listed = compiler.unit.classes.get(class).map(|c| c.methods.clone()).unwrap_or_default();
        let methods = listed.into_iter().filter(|m| !hooks.contains(m) && is_defined(compiler, m)).collect();
        if let Some(known) = compiler.unit.classes.get_mut(class) {
            known.methods = methods;
        }
    }

    fn compile(&self, compiler: &mut Compiler, function: &str, place: &Loc) {
        if let Err(error) = compiler.ensure_defined(function, place) {
            compiler.unit.refused.insert(function.into(), error);
        }
    }

    /// A class that must be there.
    pub fn need_class(&self, compiler: &mut Compiler, name: &str, place: &Loc) -> emit::Result<()> {
        match self.find_class(compiler, name, place)? {
            true => Ok(()),
            false => Err(compiler.error(place, format!("Unknown type name '{name}'"))),
        }
    }

    /// Declares a function if the archive has it; says whether it is one.
    pub fn find_function(&self, compiler: &mut Compiler, name: &str) -> bool {
        if let Some((Definition::Function(def), source)) = self.take(name, |d| matches!(d, Definition::Function(_))) {
            let declaration =
                Declaration { def, source, resolver: self.resolver(), receiver: None, defaults: Vec::new() };
            compiler.declare_function(name, declaration);
        }
        compiler.is_declared(name)
    }

    /// Compiles what nothing has needed.
    pub fn compile_rest(&self, compiler: &mut Compiler) {
        let place = super::nowhere();
        for at in 0.. {
            self.compile_methods(compiler, &place);
            let name = match self.definitions.borrow().get_index(at) {
                Some((name, Some(_))) => name.clone(),
                Some((_, None)) => continue,
                None => return,
            };
            match self.find_class(compiler, &name, &place) {
                Ok(false) => {
                    self.find_function(compiler, &name);
                    self.compile(compiler, &name, &place);
                }
                Ok(true) => {}
                Err(error) => {
                    compiler.unit.refused.insert(name.as_str().into(), error);
                }
            }
        }
    }

    /// What a dotted name below `__torch__` stands for; `None` when it can only be the beginning of a longer one.
    fn qualified(&self, compiler: &mut Compiler, name: &str, place: &Loc) -> emit::Result<Option<Sugared>> {
        if self.find_class(compiler, name, place)? {
            return Ok(Some(class_value(compiler, name)));
        }
        Ok(self.find_function(compiler, name).then(|| Sugared::function(name)))
    }
}

fn class_value(compiler: &Compiler, name: &str) -> Sugared {
    match (compiler.unit.classes.get(name).map(|c| &c.kind), compiler.unit.class_type(name)) {
        (Some(ClassKind::NamedTuple), Type::NamedTuple(tuple)) => Sugared::NamedTuple(tuple),
        (Some(ClassKind::Enum { .. }), _) => Sugared::Enum(name.into()),
        _ => Sugared::Class(name.into()),
    }
}

impl Resolver for Names {
    fn resolve(&self, _: &mut Compiler, name: &str, _: &Loc) -> emit::Result<Option<Sugared>> {
        let float = |x| Sugared::Constant(Type::Float, IValue::Double(x));
        let imaginary = |x| Sugared::Constant(Type::Complex, IValue::complex(0.0, x));
        Ok(Some(match name {
            "torch" => Sugared::Custom(Rc::new(Operators("aten".into()))),
            "ops" => Sugared::Custom(Rc::new(Ops)),
            "CONSTANTS" => Sugared::Custom(Rc::new(Constants(self.this.clone()))),
            "fork" => Sugared::Form(Form::Fork),
            "annotate" => Sugared::Form(Form::Annotate),
            "unchecked_cast" => Sugared::Form(Form::UncheckedCast),
            "uninitialized" => Sugared::Form(Form::Uninitialized),
            "inf" => float(f64::INFINITY),
            "nan" => float(f64::NAN),
            "infj" => imaginary(f64::INFINITY),
            "nanj" => imaginary(f64::NAN),
            "__torch__" => Sugared::Custom(Rc::new(Path { names: self.this.clone(), name: name.to_owned() })),
            _ => return Ok(None),
        }))
    }

    fn resolve_type(&self, compiler: &mut Compiler, name: &str, place: &Loc) -> emit::Result<Option<Type>> {
        if !name.starts_with("__torch__.") || !self.find_class(compiler, name, place)? {
            return Ok(None);
        }
        Ok(Some(compiler.unit.class_type(name)))
    }
}

/// `__torch__.a.b`, not yet a class or function.
struct Path {
    names: Weak<Names>,
    name: String,
}

impl SugaredValue for Path {
    fn kind(&self) -> String {
        "Class Namespace".to_owned()
    }
    fn attr(&self, emitter: &mut Emitter<'_>, place: &Loc, name: &str) -> emit::Result<Sugared> {
        let name = format!("{}.{name}", self.name);
        if let Some(names) = self.names.upgrade()
            && let Some(found) = names.qualified(emitter.compiler, &name, place)?
        {
            return Ok(found);
        }
        Ok(Sugared::Custom(Rc::new(Path { names: self.names.clone(), name })))
    }
}

/// `ops`
struct Ops;

impl SugaredValue for Ops {
    fn kind(&self) -> String {
        "ops".to_owned()
    }
    fn attr(&self, _: &mut Emitter<'_>, _: &Loc, name: &str) -> emit::Result<Sugared> {
        Ok(Sugared::Custom(Rc::new(Operators(name.to_owned()))))
    }
}

/// A constant of this kind is written without its value.
const LOST_WEIGHTS: &str = "the weights of this module are not in the archive: torch.jit.optimize_for_inference packs them for oneDNN, and saving leaves \
     such weights out. PyTorch cannot load this file either. Save the module before optimize_for_inference, or after torch.jit.freeze";

/// `torch` (`aten`) and `ops.prim`: the operators of a namespace.
struct Operators(String);

impl SugaredValue for Operators {
    fn kind(&self) -> String {
        "module".to_owned()
    }
    fn attr(&self, emitter: &mut Emitter<'_>, place: &Loc, name: &str) -> emit::Result<Sugared> {
        if self.0 == "prim" && name == "ConstantMKLDNNTensor" {
            return Err(emitter.error(place, LOST_WEIGHTS));
        }
        if self.0 == "aten" && name == "autograd" {
            return Ok(Sugared::Custom(Rc::new(Operators("aten".into()))));
        }
        let operator = format!("{}::{name}", self.0);
        let version = emitter.compiler.operator_version.unwrap_or(crate::upgraders::CURRENT);
        let is_known = !sconce_schema::overloads(&operator).is_empty()
            || crate::upgraders::historic(&operator, version).next().is_some();
        Ok(if is_known { Sugared::builtin(&operator) } else { Sugared::Custom(Rc::new(Unknown(operator))) })
    }
}

/// An operator that nobody knows: it costs only itself, when it is reached.
struct Unknown(String);

impl SugaredValue for Unknown {
    fn kind(&self) -> String {
        "builtin".to_owned()
    }
    fn call(&self, emitter: &mut Emitter<'_>, place: &Loc, args: &[Named], kwargs: &[Named]) -> emit::Result<Sugared> {
        let inputs: Vec<ValueId> = args.iter().chain(kwargs).map(|a| a.value).collect();
        let node = emitter.node(&self.0, &inputs, Some(place));
        let keywords: Vec<&str> = kwargs.iter().filter_map(|k| k.name.as_deref()).collect();
        if !keywords.is_empty() {
            // Nothing else knows the names when it is printed again.
            emitter.graph.set_attr(node, "keywords", Attr::Str(keywords.join(",").into()));
        }
        Ok(Sugared::Value(emitter.unknown_output(node)))
    }
}

/// `CONSTANTS`
struct Constants(Weak<Names>);

impl SugaredValue for Constants {
    fn kind(&self) -> String {
        "CONSTANTS".to_owned()
    }
    fn attr(&self, emitter: &mut Emitter<'_>, place: &Loc, name: &str) -> emit::Result<Sugared> {
        let index = name.get(1..).and_then(|digits| digits.parse::<usize>().ok());
        let Some(index) = index else {
            return Err(emitter.error(place, format!("invalid constant specifier: {name}")));
        };
        let names = self.0.upgrade();
        let table = names.as_ref().map(|n| n.constants.borrow());
        let count = table.as_ref().map_or(0, |t| t.len());
        match table.as_ref().and_then(|t| t.get(index)) {
            Some(Some(value)) => Ok(Sugared::Constant(emit::types::of_value(value), value.clone())),
            Some(None) => Err(emitter.error(place, format!("constant {name} is needed by the class of a constant"))),
            None => Err(emitter
                .error(place, format!("constant index {index} is out of bounds (constant table has {count} entries)"))),
        }
    }
}
