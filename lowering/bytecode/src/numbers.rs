//! What a Program lists once has the same number wherever it is named, found without a look at the list.

use rustc_hash::FxHashMap;
use sconce_interpreter::Program;
use sconce_interpreter::program::{Class, NameId, Source, TypeId};
use sconce_schema::Type;
use std::sync::Arc;

/// The numbers of names, types, operators, nameless texts and classes in the lists of a Program.
#[derive(Default)]
pub(crate) struct Numbers {
    names: FxHashMap<Arc<str>, NameId>,
    types: FxHashMap<Type, TypeId>,
    operators: FxHashMap<Arc<str>, u32>,
    files: FxHashMap<Arc<str>, u32>,
    classes: FxHashMap<Arc<str>, u32>,
}

fn put<T>(list: &mut Vec<T>, item: T) -> u32 {
    list.push(item);
    (list.len() - 1) as u32
}

impl Numbers {
    pub fn name(&mut self, program: &mut Program, name: &str) -> NameId {
        if let Some(known) = self.names.get(name) {
            return *known;
        }
        let name: Arc<str> = name.into();
        *self.names.entry(name.clone()).or_insert(put(&mut program.names, name))
    }

    pub fn ty(&mut self, program: &mut Program, ty: &Type) -> TypeId {
        if let Some(known) = self.types.get(ty) {
            return *known;
        }
        *self.types.entry(ty.clone()).or_insert(put(&mut program.types, ty.clone()))
    }

    pub fn operator(&mut self, program: &mut Program, name: &str) -> u32 {
        if let Some(known) = self.operators.get(name) {
            return *known;
        }
        let name: Arc<str> = name.into();
        *self.operators.entry(name.clone()).or_insert(put(&mut program.operators, name))
    }

    /// A file whose text is not there.
    pub fn file(&mut self, program: &mut Program, file: &str) -> u32 {
        if let Some(known) = self.files.get(file) {
            return *known;
        }
        let file: Arc<str> = file.into();
        let source = Source { file: file.clone(), text: None, first_line: 1 };
        *self.files.entry(file).or_insert(put(&mut program.sources, source))
    }

    /// Of classes of one name the first is known.
    pub fn put_class(&mut self, program: &mut Program, class: Class) -> u32 {
        let name = class.name.clone();
        let number = put(&mut program.classes, class);
        *self.classes.entry(name).or_insert(number)
    }

    pub fn class(&self, name: &str) -> Option<u32> {
        self.classes.get(name).copied()
    }
}
