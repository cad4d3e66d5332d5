//! The objects of a module, and which of them values of a function are: found along reads of attributes from `self`.

use crate::graph::{inputs, nodes, root_block};
use rustc_hash::FxHashMap;
use sconce_analysis::alias::is_mutable;
use sconce_analysis::operators::source;
use sconce_ir::prelude::*;
use sconce_ir::torch_type::Parts;
use sconce_pass::Failure;

/// An attribute of an object.
pub(super) struct Slot<'c, 'a> {
    pub name: &'c str,
    pub value: Value<'c, 'a>,
    /// What is equal here shares memory: tensors of one number; where there is none, one value in several slots.
    pub storage: Option<(bool, usize)>,
}

struct Object<'c, 'a> {
    op: OperationRef<'c, 'a>,
    class: &'c str,
    slots: Vec<Slot<'c, 'a>>,
}

/// The objects that a module says, by number.
pub(super) struct Objects<'c, 'a> {
    all: Vec<Object<'c, 'a>>,
    by_value: FxHashMap<usize, usize>,
    root: usize,
}

impl<'c: 'a, 'a> Objects<'c, 'a> {
    /// # Errors
    /// No object, or several, that no other holds.
    pub fn of(module: OperationRef<'c, 'a>) -> Result<Self, Failure> {
        let ops = module.body(0).map(|block| block.ops()).unwrap_or_default();
        let mut objects = Objects { all: Vec::new(), by_value: FxHashMap::default(), root: 0 };
        let mut roots = Vec::new();
        for op in ops.into_iter().filter(|op| op.is("torch.nn_module")) {
            let Some(value) = op.result_value(0) else { continue };
            let class = Parts::of(value.r#type()).and_then(|parts| parts.names.first().copied()).unwrap_or_default();
            let slots = op.body(0).map(|block| block.ops()).unwrap_or_default();
            let slots = slots.into_iter().filter(|op| op.is("torch.slot")).filter_map(slot).collect();
            if op.is_unused() {
                roots.push(objects.all.len());
            }
            objects.by_value.insert(value.id(), objects.all.len());
            objects.all.push(Object { op, class, slots });
        }
        match roots[..] {
            [root] => Ok(Objects { root, ..objects }),
            _ => Err(Failure::new(format!(
                "freezing takes the one object (torch.nn_module) that no other holds; there are {}",
                roots.len()
            ))),
        }
    }

    /// The object that no other holds.
    pub fn root(&self) -> usize {
        self.root
    }

    pub fn count(&self) -> usize {
        self.all.len()
    }

    pub fn operation(&self, object: usize) -> OperationRef<'c, 'a> {
        self.all[object].op
    }

    pub fn class(&self, object: usize) -> &'c str {
        self.all[object].class
    }

    pub fn slots(&self, object: usize) -> &[Slot<'c, 'a>] {
        &self.all[object].slots
    }

    pub fn slot(&self, object: usize, name: &str) -> Option<&Slot<'c, 'a>> {
        self.all[object].slots.iter().find(|slot| slot.name == name)
    }

    /// The object that a slot holds.
    pub fn held(&self, slot: &Slot<'c, 'a>) -> Option<usize> {
        self.by_value.get(&source(slot.value).id()).copied()
    }
}

fn slot<'c: 'a, 'a>(op: OperationRef<'c, 'a>) -> Option<Slot<'c, 'a>> {
    let (name, value) = (op.str_attr("name")?, op.operand_value(0)?);
    let number = op.int_attr(sconce_torch::STORAGE).and_then(|n| usize::try_from(n).ok());
    let storage = number.map_or((false, source(value).id()), |number| (true, number));
    let storage = Some(storage).filter(|_| is_mutable(source(value).r#type()));
    Some(Slot { name, value, storage })
}

/// Which objects values of a method are, by [`ValueExt::id`].
pub(super) fn known_objects<'c: 'a, 'a>(
    objects: &Objects<'c, 'a>,
    function: OperationRef<'c, 'a>,
) -> FxHashMap<usize, usize> {
    let mut known = FxHashMap::default();
    if let Some(this) = root_block(function).and_then(|block| block.args().first().copied()) {
        known.insert(this.id(), objects.root());
    }
    for op in nodes(function) {
        if let Some(Access { object, name, is_read: true }) = Access::of(op, &known)
            && let Some(inner) = objects.slot(object, name).and_then(|slot| objects.held(slot))
            && let Some(result) = op.result_value(0)
        {
            known.insert(result.id(), inner);
        }
    }
    known
}

/// A read or a change of an attribute of a known object.
pub(super) struct Access<'c> {
    pub object: usize,
    pub name: &'c str,
    pub is_read: bool,
}

impl<'c> Access<'c> {
    pub fn of<'a>(op: OperationRef<'c, 'a>, known: &FxHashMap<usize, usize>) -> Option<Access<'c>>
    where
        'c: 'a,
    {
        let is_read = op.is("torch.prim.GetAttr");
        if !is_read && !op.is("torch.prim.SetAttr") {
            return None;
        }
        let object = *known.get(&inputs(op).first()?.id())?;
        Some(Access { object, name: op.str_attr("name")?, is_read })
    }
}
