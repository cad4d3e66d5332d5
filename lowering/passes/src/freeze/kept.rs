//! Attributes that stay: asked for, set, written to, or sharing memory with such; and objects that are used for more than their attributes.

use super::objects::{Access, Objects, known_objects};
use crate::graph::{inner_blocks, inputs, nodes, passed, root_block};
use rustc_hash::FxHashSet;
use sconce_analysis::Aliases;
use sconce_analysis::alias::{id, is_mutable};
use sconce_analysis::operators::source;
use sconce_ir::prelude::*;

/// See the module's page.
#[derive(Default)]
pub(super) struct Kept {
    names: FxHashSet<(usize, String)>,
    /// Objects that are used for more than their attributes.
    whole: FxHashSet<usize>,
}

impl Kept {
    /// What is asked for of the root.
    pub fn of_names(objects: &Objects<'_, '_>, names: &[&str]) -> Kept {
        let names = names.iter().map(|name| (objects.root(), (*name).to_owned())).collect();
        Kept { names, whole: FxHashSet::default() }
    }

    pub fn has(&self, object: usize, name: &str) -> bool {
        self.whole.contains(&object) || self.names.contains(&(object, name.to_owned()))
    }

    /// What a method sets or writes to.
    pub fn changes<'c: 'a, 'a>(&mut self, objects: &Objects<'c, 'a>, function: OperationRef<'c, 'a>) {
        let known = known_objects(objects, function);
        let ops = nodes(function);
        let own = ops.iter().filter(|op| Access::of(**op, &known).is_some_and(|access| access.is_read));
        let aliases = Aliases::with_own(function, own.map(|op| id(*op)).collect());
        for op in &ops {
            let Some(access) = Access::of(*op, &known) else {
                self.whole.extend(inputs(*op).iter().filter_map(|v| known.get(&v.id())));
                for block in inner_blocks(*op) {
                    self.whole.extend(passed(block).into_iter().filter_map(|v| known.get(&source(v).id())));
                }
                continue;
            };
            let results = op.result_values();
            let written = !access.is_read || results.iter().any(|v| is_mutable(v.r#type()) && aliases.has_writers(*v));
            if written && !results.iter().any(|v| known.contains_key(&v.id())) {
                self.names.insert((access.object, access.name.to_owned()));
            }
            if !access.is_read {
                self.whole.extend(inputs(*op).iter().skip(1).filter_map(|v| known.get(&v.id())));
            }
        }
        let results = root_block(function).map(passed).unwrap_or_default();
        self.whole.extend(results.into_iter().filter_map(|v| known.get(&source(v).id())));
    }

    /// What shares storage with something that is written is written.
    pub fn aliases(&mut self, objects: &Objects<'_, '_>) {
        let all =
            || (0..objects.count()).flat_map(|object| objects.slots(object).iter().map(move |slot| (object, slot)));
        let written: FxHashSet<(bool, usize)> =
            all().filter(|(object, slot)| self.has(*object, slot.name)).filter_map(|(_, slot)| slot.storage).collect();
        for (object, slot) in all() {
            if slot.storage.is_some_and(|storage| written.contains(&storage)) {
                self.names.insert((object, slot.name.to_owned()));
            }
        }
    }
}
