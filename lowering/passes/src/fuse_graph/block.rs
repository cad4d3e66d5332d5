//! The operations of a block while groups are made in it: where they stand, and which are gone though not yet erased.

use super::group::Group;
use super::{concatenated, is_pointwise};
use crate::graph::{Rewriter, block_ops, erase_all, is_steady, standing_in};
use rustc_hash::{FxHashMap, FxHashSet};
use sconce_analysis::Aliases;
use sconce_analysis::alias::id;
use sconce_analysis::alias::movement::Side;
use sconce_ir::prelude::*;
use sconce_pass::PassResult;

/// Where an operation stands: those that are made or moved stand behind one that was there.
pub(super) type Place = (usize, usize);

/// See the module's page.
pub(super) struct Scene<'s, 'c, 'a> {
    pub aliases: &'s Aliases<'c>,
    block: BlockRef<'c, 'a>,
    places: FxHashMap<usize, Place>,
    /// Those that write or act.
    unsteady: Vec<(Place, OperationRef<'c, 'a>)>,
    /// Operations that are in a group now, or nowhere.
    gone: FxHashSet<usize>,
    made: usize,
}

/// Makes the groups of a block; `groups` counts those of the function.
pub(super) fn fuse<'c: 'a, 'a>(
    rewriter: &mut Rewriter<'c>,
    aliases: &Aliases<'c>,
    function: OperationRef<'c, 'a>,
    block: BlockRef<'c, 'a>,
    groups: &mut usize,
) -> PassResult {
    let ops = block_ops(block);
    let places = ops.iter().enumerate().map(|(at, op)| (id(*op), (at, 0))).collect();
    let unsteady = ops.iter().enumerate().filter(|(_, op)| !is_steady(aliases, **op));
    let unsteady = unsteady.map(|(at, op)| ((at, 0), *op)).collect();
    let mut scene = Scene { aliases, block, places, unsteady, gone: FxHashSet::default(), made: 0 };
    for op in ops.into_iter().rev() {
        if scene.is_gone(op) || !(is_pointwise(op) || concatenated(op).is_some()) {
            continue;
        }
        let mut group = Group::new(op);
        group.grow(rewriter, &mut scene)?;
        if group.members.len() > 1 {
            group.put(rewriter, &mut scene, function, *groups)?;
            *groups += 1;
        }
    }
    // All of them are in the block still, users behind what they use.
    erase_all(&block_ops(block).into_iter().filter(|op| scene.is_gone(*op)).collect::<Vec<_>>())
}

impl<'c: 'a, 'a> Scene<'_, 'c, 'a> {
    pub fn is_gone(&self, op: OperationRef<'c, 'a>) -> bool {
        self.gone.contains(&id(op))
    }

    /// The operation goes when the block is done; until then nobody looks at it.
    pub fn remove(&mut self, op: OperationRef<'c, 'a>) {
        self.gone.insert(id(op));
    }

    /// The place of an operation of this block that is still there.
    pub fn place(&self, op: OperationRef<'c, 'a>) -> Option<Place> {
        self.places.get(&id(op)).copied().filter(|_| !self.is_gone(op))
    }

    /// Says that an operation stands behind a place now, and behind whatever was put there before.
    pub fn put_behind(&mut self, op: OperationRef<'c, 'a>, place: Place) {
        self.made += 1;
        self.places.insert(id(op), (place.0, self.made));
    }

    /// What stands at the place of one operation is another.
    pub fn put_at(&mut self, op: OperationRef<'c, 'a>, place: Place) {
        self.places.insert(id(op), place);
    }

    /// The operations of the block that use a value, themselves or by what is in them, but those that are gone; the end of the block is none.
    pub fn users(&self, value: Value<'c, 'a>) -> Vec<OperationRef<'c, 'a>> {
        let users = value.uses().into_iter().filter(|usage| !self.gone.contains(&id(usage.owner)));
        let mut users: Vec<_> = users.filter_map(|usage| standing_in(usage.owner, self.block)).collect();
        users.retain(|op| !op.is_terminator());
        users
    }

    /// How often a value is used by what is not gone.
    pub fn uses_left(&self, value: Value<'c, 'a>) -> usize {
        value.uses().into_iter().filter(|usage| !self.gone.contains(&id(usage.owner))).count()
    }

    /// May an operation compute as late as another, as far as writes and effects go? Of what was `made` here the aliases know nothing.
    pub fn may_wait(&self, op: OperationRef<'c, 'a>, until: Place, made: bool) -> bool {
        let Some(from) = self.place(op) else { return false };
        let mut between = self.unsteady.iter().filter(|(at, _)| *at > from && *at < until);
        between.all(|(_, other)| !made && self.aliases.hazard(op, *other).is_none())
    }

    /// Does nothing between the two places write or act?
    pub fn is_quiet(&self, from: Place, until: Place) -> bool {
        !self.unsteady.iter().any(|(at, _)| *at > from && *at < until)
    }

    /// Moves an operation, and what needs it, behind another; false if that cannot be.
    pub fn delay(&mut self, op: OperationRef<'c, 'a>, behind: OperationRef<'c, 'a>) -> bool {
        let (Ok(moving), Some(place)) = (self.aliases.movement(op, Side::After, behind), self.place(behind)) else {
            return false;
        };
        if !moving.beyond.is_empty() {
            return false;
        }
        let mut last = behind;
        for moved in moving.beside {
            moved.move_behind(last);
            last = moved;
            self.put_behind(moved, place);
            for (at, op) in &mut self.unsteady {
                if *op == moved {
                    *at = (place.0, self.made);
                }
            }
        }
        true
    }
}
