//! What expressions and variables of a text stood for while its functions were compiled, by their ranges: what an editor shows where they stand.

use super::function::Emitter;
use super::sugared::Sugared;
use crate::graph::{Loc, SourceText};
use sconce_schema::Type;
use sconce_syntax::Span;
use std::collections::BTreeMap;
use std::ops::Range;
use std::sync::Arc;

/// What an expression, or a variable where it is assigned, stands for.
#[derive(Clone, Debug, PartialEq)]
pub enum Meaning {
    /// A value, by its type.
    Value(Type),
    /// Functions of the unit by qualified name; several are overloads.
    Functions(Vec<Arc<str>>),
    /// Methods of the objects of a class, by their simple names.
    Methods { class: Arc<str>, names: Vec<Arc<str>> },
    /// An operator without its overload: `aten::relu`.
    Operator(Arc<str>),
    /// The schema that the arguments of a call fitted: `aten::relu(Tensor self) -> Tensor`.
    Schema(String),
    /// A class, named tuple or enumeration by qualified name.
    Class(Arc<str>),
    /// A module of Python or PyTorch: `torch.nn`.
    Namespace(Arc<str>),
    /// Anything else, in the words of messages.
    Other(String),
}

/// Different meanings that are kept of one range: a loop over submodules is compiled once for each of them.
const MAX_MEANINGS: usize = 4;

/// The meanings of one text; see the module's page.
#[derive(Clone, Debug)]
pub struct Meanings {
    source: Arc<SourceText>,
    by_range: BTreeMap<(u32, u32), Vec<Meaning>>,
}

impl Meanings {
    /// Nothing yet, of this text.
    pub fn new(source: Arc<SourceText>) -> Meanings {
        Meanings { source, by_range: BTreeMap::new() }
    }

    /// The ranges of the text, in bytes, each with what it stood for: in the order of the text, in that of compilation.
    pub fn ranges(&self) -> impl Iterator<Item = (Range<u32>, &[Meaning])> {
        self.by_range.iter().map(|((start, end), meanings)| (*start..*end, meanings.as_slice()))
    }

    /// What exactly this range stands for.
    pub fn of(&self, span: Span) -> &[Meaning] {
        self.by_range.get(&(span.start, span.end)).map_or(&[], Vec::as_slice)
    }

    /// The innermost range that holds an offset, and what it stands for.
    pub fn at(&self, offset: u32) -> Option<(Range<u32>, &[Meaning])> {
        let before = self.by_range.range(..=(offset, u32::MAX));
        let holding = before.filter(|((_, end), _)| offset <= *end);
        let ((start, end), meanings) = holding.min_by_key(|((start, end), _)| (end - start, u32::MAX - start))?;
        Some((*start..*end, meanings))
    }

    fn add(&mut self, place: &Loc, meaning: Meaning) {
        if !Arc::ptr_eq(&place.source, &self.source) {
            return;
        }
        let known = self.by_range.entry((place.span.start, place.span.end)).or_default();
        if known.len() < MAX_MEANINGS && !known.contains(&meaning) {
            known.push(meaning);
        }
    }
}

impl Emitter<'_> {
    /// Notes what stands at a place, where somebody asked for it.
    pub(super) fn note_meaning(&mut self, place: &Loc, sugared: &Sugared) {
        if self.compiler.meanings.is_some() {
            let meaning = self.meaning(sugared);
            self.note(place, meaning);
        }
    }

    /// Notes what a variable is where it is assigned. What the compiler assigns besides, its name does not stand there.
    pub(super) fn note_variable(&mut self, place: &Loc, name: &str, meaning: Meaning) {
        if self.compiler.meanings.is_some() && place.quoted() == name {
            self.note(place, meaning);
        }
    }

    /// Notes the schema of the operator that a call at a place is.
    pub(super) fn note_schema(&mut self, place: Option<&Loc>, schema: &impl std::fmt::Display) {
        if let (Some(place), true) = (place, self.compiler.meanings.is_some()) {
            self.note(place, Meaning::Schema(schema.to_string()));
        }
    }

    fn note(&mut self, place: &Loc, meaning: Meaning) {
        if let Some(meanings) = &mut self.compiler.meanings {
            meanings.add(place, meaning);
        }
    }

    pub(super) fn meaning(&self, sugared: &Sugared) -> Meaning {
        match sugared {
            Sugared::Value(value) => Meaning::Value(self.ty(*value).clone()),
            Sugared::Constant(ty, _) => Meaning::Value(ty.clone()),
            Sugared::Module(module, _) => Meaning::Value(Type::Class(module.class.clone())),
            Sugared::Namespace(path) => Meaning::Namespace(path.clone()),
            Sugared::Builtin { name, .. } => Meaning::Operator(name.clone()),
            Sugared::Function(names) => Meaning::Functions(names.to_vec()),
            Sugared::BooleanDispatch { if_true, if_false, .. } => match (self.meaning(if_false), self.meaning(if_true))
            {
                (Meaning::Functions(mut names), Meaning::Functions(more)) => {
                    names.extend(more);
                    Meaning::Functions(names)
                }
                (other, _) => other,
            },
            Sugared::Class(name) | Sugared::Enum(name) => Meaning::Class(name.clone()),
            Sugared::NamedTuple(ty) => Meaning::Class(ty.name.clone()),
            Sugared::Method { object, names } => match self.ty(*object) {
                Type::Class(class) => Meaning::Methods { class: class.clone(), names: names.to_vec() },
                _ => Meaning::Other(sugared.kind()),
            },
            Sugared::Magic(_, base) => self.meaning(base),
            other => Meaning::Other(other.kind()),
        }
    }
}
