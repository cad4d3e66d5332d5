//! The variables of a function, one frame for each block: what is a value lives in the graph as stores and loads, what is none lives here.

use super::function::{Assumed, Emitter};
use super::matching::EMPTY_LISTS;
use super::meaning::Meaning;
use super::sugared::{PythonValue, Sugared};
use super::{Error, Result};
use crate::graph::{Attr, BlockId, Def, Loc, ValueId};
use sconce_schema::Type;
use std::collections::BTreeMap;
use std::rc::Rc;
use std::sync::Arc;

/// The variables a block assigns.
pub(super) struct Frame {
    pub block: BlockId,
    /// The declared (widest) type of each variable that is a value.
    pub types: BTreeMap<Rc<str>, Type>,
    pub sugared: BTreeMap<Rc<str>, Sugared>,
    /// Variables that are tensors although nothing says so.
    pub assumed: BTreeMap<Rc<str>, Assumed>,
}

impl Frame {
    pub fn new(block: BlockId) -> Frame {
        Frame { block, types: BTreeMap::new(), sugared: BTreeMap::new(), assumed: BTreeMap::new() }
    }
    fn knows(&self, name: &str) -> bool {
        self.types.contains_key(name) || self.sugared.contains_key(name)
    }
}

/// PyTorch's `meaningfulName`: `_1`, `$tmp` and the like name no value.
pub(super) fn is_meaningful(name: &str) -> bool {
    match name.as_bytes() {
        [] | [b'$', ..] => false,
        [b'_', rest @ ..] => rest.iter().any(|b| !b.is_ascii_digit()),
        _ => true,
    }
}

impl Emitter<'_> {
    /// The block whose statements are being emitted.
    pub(super) fn block(&self) -> BlockId {
        self.frames.last().map_or(self.graph.root(), |f| f.block)
    }

    fn load(&mut self, name: &str, ty: Type, assumed: Option<Assumed>) -> Sugared {
        let value = self.value("prim::Load", &[], ty, None);
        if let Some(node) = self.graph.defining(value) {
            self.graph.set_attr(node, "name", Attr::Str(Arc::from(name)));
        }
        if is_meaningful(name) {
            self.graph.set_name(value, Some(name));
        }
        if let Some(why) = assumed {
            self.assumed.insert(value, why);
        }
        Sugared::Value(value)
    }

    pub(super) fn store(&mut self, name: &str, place: &Loc, value: ValueId, ty: Type) {
        self.store_node(name, value, Some(place));
        let assumed = self.assumed.get(&value).copied();
        if let Some(frame) = self.frames.last_mut() {
            let key: Rc<str> = Rc::from(name);
            frame.sugared.remove(&key);
            match assumed {
                Some(why) => frame.assumed.insert(key.clone(), why),
                None => frame.assumed.remove(&key),
            };
            frame.types.insert(key, ty);
        }
    }
    pub(super) fn store_node(&mut self, name: &str, value: ValueId, place: Option<&Loc>) {
        let node = self.node("prim::Store", &[value], place);
        self.graph.set_attr(node, "name", Attr::Str(Arc::from(name)));
    }

    /// What a frame says of a variable, as a load where it is a value.
    pub(super) fn in_frame(&mut self, frame: &Frame, name: &str) -> Option<Sugared> {
        if let Some(s) = frame.sugared.get(name) {
            return Some(s.clone());
        }
        let ty = frame.types.get(name)?.clone();
        Some(self.load(name, ty, frame.assumed.get(name).copied()))
    }

    /// The innermost of the first `depth` frames that knows a variable.
    fn find_within(&mut self, depth: usize, name: &str) -> Option<Sugared> {
        let at = self.frames.iter().take(depth).rposition(|f| f.knows(name))?;
        let frame = &self.frames[at];
        if let Some(s) = frame.sugared.get(name) {
            return Some(s.clone());
        }
        let (ty, assumed) = (frame.types.get(name)?.clone(), frame.assumed.get(name).copied());
        Some(self.load(name, ty, assumed))
    }

    /// A local variable.
    pub(super) fn find_variable(&mut self, name: &str) -> Option<Sugared> {
        self.find_within(self.frames.len(), name)
    }
    /// A variable of the blocks around the current one.
    pub(super) fn find_in_parents(&mut self, name: &str) -> Option<Sugared> {
        self.find_within(self.frames.len().saturating_sub(1), name)
    }
    pub(super) fn is_known(&self, name: &str) -> bool {
        self.frames.iter().any(|f| f.knows(name))
    }

    /// Assigns a variable in the current block.
    pub(super) fn set_variable(
        &mut self,
        place: &Loc,
        name: &str,
        sugared: Sugared,
        annotated: Option<Type>,
    ) -> Result<()> {
        let mut simple = match sugared {
            Sugared::Value(v) => Some(v),
            _ => None,
        };
        if let Some(v) = simple {
            self.name_value(v, name);
        }
        if let Some(parent) = self.find_in_parents(name) {
            simple = Some(self.reassigned(place, name, &sugared, parent, annotated.is_some())?);
        }
        let Some(value) = simple else {
            let meaning = self.meaning(&sugared);
            self.note_variable(place, name, meaning);
            if let Some(frame) = self.frames.last_mut() {
                frame.types.remove(name);
                frame.sugared.insert(Rc::from(name), sugared);
            }
            return Ok(());
        };
        let actual = self.ty(value).clone();
        if let Some(wanted) = &annotated
            && !self.compiler.is_subtype(&actual, wanted)
        {
            let why = self.compiler.why_no_subtype(&actual, wanted);
            let why = if why.is_empty() { why } else { format!("\n{why}") };
            return Err(self.error(
                place,
                format!(
                    "Variable '{name}' is annotated with type {} but is being assigned to a value of type {}{why}",
                    wanted.annotation_str(),
                    self.repr(value)
                ),
            ));
        }
        let ty = annotated.unwrap_or(actual);
        self.note_variable(place, name, Meaning::Value(ty.clone()));
        self.store(name, place, value, ty);
        Ok(())
    }

    /// The first variable a value of this block is assigned to names it.
    fn name_value(&mut self, value: ValueId, name: &str) {
        let here = match self.graph.def(value) {
            Def::Output(node, _) => self.graph.owner(node) == Some(self.block()),
            Def::Input(block, _) => block == self.block(),
            Def::Gone => false,
        };
        if here && is_meaningful(name) && self.graph.name(value).is_none() {
            self.graph.set_name(value, Some(name));
        }
    }

    /// The value for a variable that an outer block assigns, whose type it must keep.
    fn reassigned(
        &mut self,
        place: &Loc,
        name: &str,
        new: &Sugared,
        parent: Sugared,
        annotated: bool,
    ) -> Result<ValueId> {
        if annotated {
            return Err(self.error(
                place,
                format!("Attempting to declare and annotate the type of variable '{name}' but it is already defined in an outer block"),
            ));
        }
        let not_first_class = "is not a first-class value.  Only reassignments to first-class values are allowed";
        let Sugared::Value(value) = *new else {
            return Err(self.error(
                place,
                format!(
                    "Cannot re-assign '{name}' to a value of type {} because {name} {not_first_class}",
                    self.kind(new)
                ),
            ));
        };
        let Sugared::Value(parent) = parent else {
            return Err(self.error(
                place,
                format!(
                    "Cannot re-assign '{name}' because it has type {} and {name} {not_first_class}",
                    self.kind(new)
                ),
            ));
        };
        let wanted = self.ty(parent).unshaped();
        let value = self.convert(Some(place), &wanted, value, true)?;
        let actual = self.ty(value).clone();
        if self.compiler.is_subtype(&actual, &wanted) {
            return Ok(value);
        }
        let mut message = format!(
            "Variable '{name}' previously had type {} but is now being assigned to a value of type {}",
            self.repr(parent),
            self.repr(value)
        );
        if matches!((&wanted, &actual), (Type::List(_), Type::List(_))) {
            message.push('\n');
            message.push_str(EMPTY_LISTS.trim_end());
        }
        message.push('\n');
        message.push_str(&self.compiler.why_no_subtype(&actual, &wanted));
        Err(self.error(place, message))
    }

    /// Forgets a variable (`del x`).
    pub(super) fn remove_variable(&mut self, place: &Loc, name: &str) -> Result<()> {
        let known = self.is_known(name);
        for frame in &mut self.frames {
            frame.types.remove(name);
            frame.sugared.remove(name);
        }
        if known { Ok(()) } else { Err(self.undefined(place, name)) }
    }

    /// A name that nothing gives a meaning; a branch may have assigned it in a way that cannot be used.
    pub(super) fn undefined(&self, place: &Loc, name: &str) -> Error {
        match self.spoiled.get(name) {
            Some(why) => {
                let mut error = self.error(place, "and was used here");
                error.about = Some(Box::new(why.clone()));
                error
            }
            None => self.error(place, format!("undefined value {name}")),
        }
    }

    /// What a name stands for: a local variable, a builtin of Python, or what the resolver says.
    pub fn resolve(&mut self, name: &str, place: &Loc) -> Result<Sugared> {
        if let Some(s) = self.find_variable(name) {
            return Ok(s);
        }
        if let Some(s) = super::builtins::global(name) {
            return Ok(s);
        }
        let resolver = self.resolver.clone();
        let outer = self.compiler.resolving.replace(place.clone());
        let found = resolver.resolve(self.compiler, name, place);
        self.compiler.resolving = outer;
        if let Some(s) = found? {
            return Ok(self.materialized(s, place));
        }
        if let Some(t) = resolver.resolve_type(self.compiler, name, place)? {
            match t {
                Type::NamedTuple(t) => return Ok(Sugared::NamedTuple(t)),
                Type::Class(name) => return Ok(Sugared::Class(name)),
                Type::Enum(name) => return Ok(Sugared::Enum(name)),
                _ => {}
            }
        }
        if resolver.is_python() && !self.spoiled.contains_key(name) {
            if super::builtins::PYTHON_CLASSES.contains(&name) {
                return Ok(Sugared::Python(Rc::new(PythonValue::opaque("type", name))));
            }
            if super::builtins::PYTHON_FUNCTIONS.contains(&name) {
                return Err(self.error(
                    place,
                    format!("Python builtin <built-in function {name}> is currently not supported in Torchscript"),
                ));
            }
        }
        Err(self.undefined(place, name))
    }

    /// A constant becomes a node where it is met.
    pub(super) fn materialized(&mut self, sugared: Sugared, place: &Loc) -> Sugared {
        match sugared {
            Sugared::Constant(ty, value) => Sugared::Value(self.constant_tree(ty, value, place)),
            other => other,
        }
    }

    /// Tuples as `prim::TupleConstruct` of their members, all else as a constant.
    pub(super) fn constant_tree(&mut self, ty: Type, value: sconce_tensor::IValue, place: &Loc) -> ValueId {
        if let sconce_tensor::IValue::Tuple(t) = &value
            && t.names.is_none()
        {
            let members: Vec<ValueId> = t
                .items
                .iter()
                .map(|item| self.constant_tree(super::types::of_value(item), item.clone(), place))
                .collect();
            return self.tuple(&members);
        }
        self.typed_constant(value, ty, Some(place))
    }

    /// What messages call something.
    pub(super) fn kind(&self, sugared: &Sugared) -> String {
        match sugared {
            Sugared::Value(v) => format!("value of type '{}'", self.ty(*v).annotation_str()),
            other => other.kind(),
        }
    }
}
