//! Memory of one instance: results that the plan manages lie in one slab, at the place of their storage group, and a place is given away only while
//! nobody holds a tensor over it.
//!
//! The plan says which results may share a place; whether one is free is asked when it is wanted, of the handles themselves. A mistake of the plan's
//! therefore costs an allocation, never a result.

use crate::plan::{Home, Plan};
use sconce_schema::DType;
use sconce_tensor::{Memory, Sizes, Storage, Tensor, TensorMetadata, numel};
use std::sync::atomic::{AtomicUsize, Ordering, fence};

/// Places begin on a cache line.
const LINE: usize = 64;

/// The most bytes that each candidate of a function has needed, in any instance; 0 while it has never asked.
pub(crate) type Learned = Vec<AtomicUsize>;

/// A result's place.
struct Place {
    /// Bytes asked for so far, at most.
    most: usize,
    /// Where it lies, and how much there is; no bytes while it has no place.
    start: usize,
    room: usize,
    group: usize,
    /// The bytes it had in the last run, and the tensor over them, whose handles are used again.
    last: Option<(Storage, Tensor)>,
}

impl Place {
    fn new(most: usize) -> Place {
        Place { most, start: 0, room: 0, group: usize::MAX, last: None }
    }

    /// Nobody holds the tensor of the last run or looks at its bytes. The program may have given the very tensor another storage.
    fn is_free(&self) -> bool {
        let free = |(storage, tensor): &(Storage, Tensor)| {
            tensor.use_count() == 1 && storage.use_count() == 1 + usize::from(tensor.is_over(storage))
        };
        self.last.as_ref().is_none_or(free)
    }
}

/// Results that share bytes of the slab.
struct Group {
    bytes: usize,
    /// Who had it last.
    last: usize,
}

/// What a planner has laid out.
#[derive(Clone, Copy, Default, PartialEq, Eq, Debug)]
pub struct Layout {
    /// Results in the slab.
    pub managed: usize,
    /// Storage groups that they share.
    pub groups: usize,
    /// The sum over groups of the largest result of each: the slab's bytes.
    pub bytes: usize,
    /// What the same results need when none shares.
    pub unshared_bytes: usize,
    /// Results that leave the function and lie in the arena.
    pub outputs: usize,
    pub output_bytes: usize,
}

pub(crate) struct Planner {
    places: Vec<Place>,
    groups: Vec<Group>,
    slab: Option<Storage>,
    arena: Option<Storage>,
    layout: Layout,
    /// Something was larger than its place.
    grew: bool,
}

impl Planner {
    pub fn new(plan: &Plan) -> Planner {
        let mut planner = Planner {
            places: plan.candidates.iter().map(|_| Place::new(0)).collect(),
            groups: Vec::new(),
            slab: None,
            arena: None,
            layout: Layout::default(),
            grew: false,
        };
        planner.grew = plan.learned.iter().any(|most| most.load(Ordering::Relaxed) > 0);
        planner.settle(plan);
        planner
    }

    pub fn layout(&self) -> Layout {
        self.layout
    }

    /// The storage group of a candidate, if it has a place in the slab, and the bytes it has.
    pub fn place_of(&self, candidate: usize) -> Option<(usize, usize)> {
        let place = self.places.get(candidate)?;
        (place.group != usize::MAX && place.room > 0).then_some((place.group, place.most))
    }

    /// Before a run: an arena that somebody still holds a tensor of is left to them.
    pub fn begin(&mut self, plan: &Plan) {
        if self.layout.outputs == 0 {
            return;
        }
        if plan.outputs.iter().any(|&c| !self.places[c].is_free()) {
            for &c in &plan.outputs {
                self.places[c].last = None;
            }
            self.arena = None;
        }
        if self.arena.is_none() {
            self.arena = Storage::apart(self.layout.output_bytes);
        }
    }

    /// After a run: if something has outgrown its place, the places are laid out anew.
    pub fn settle(&mut self, plan: &Plan) {
        if !std::mem::take(&mut self.grew) {
            return;
        }
        // A tensor that no memory holds was asked for by a call that failed; their sums do not overflow either.
        let largest = isize::MAX as usize / (2 * self.places.len().max(1));
        for (place, most) in self.places.iter_mut().zip(&plan.learned) {
            if place.most > largest || !Memory::has_room(place.most) {
                place.most = 0;
            }
            place.most = place.most.max(most.load(Ordering::Relaxed));
            most.fetch_max(place.most, Ordering::Relaxed);
        }
        let mut managed: Vec<usize> = (0..self.places.len())
            .filter(|&c| matches!(plan.candidates[c].home, Home::Slab) && self.places[c].most > 0)
            .collect();
        // The largest first: smaller ones fit beside them in time without making a group larger.
        managed.sort_by_key(|&c| (std::cmp::Reverse(self.places[c].most), c));
        let mut groups: Vec<Vec<usize>> = Vec::new();
        for &c in &managed {
            let free = |g: &&mut Vec<usize>| plan.shares && g.iter().all(|&other| !plan.meet(c, other));
            match groups.iter_mut().find(free) {
                Some(group) => group.push(c),
                None => groups.push(vec![c]),
            }
        }
        // A slab of which somebody still holds a part stays theirs.
        let held = self.places.iter().any(|p| !p.is_free());
        let rounded = |bytes: usize| bytes.next_multiple_of(LINE);
        let mut start = 0;
        self.groups.clear();
        for place in &mut self.places {
            *place = Place::new(place.most);
        }
        for group in &groups {
            let bytes = rounded(self.places[group[0]].most);
            for &c in group {
                let place = &mut self.places[c];
                (place.start, place.room, place.group) = (start, bytes, self.groups.len());
            }
            self.groups.push(Group { bytes, last: group[0] });
            start += bytes;
        }
        if held || self.slab.as_ref().is_none_or(|s| s.bytes() < start) {
            self.slab = if start == 0 { None } else { Storage::apart(start) };
        }
        let mut end = 0;
        for &c in &plan.outputs {
            let place = &mut self.places[c];
            (place.start, place.room) = (end, rounded(place.most));
            end += place.room;
        }
        self.arena = None;
        self.layout = Layout {
            managed: managed.len(),
            groups: groups.len(),
            bytes: self.groups.iter().map(|g| g.bytes).sum(),
            unshared_bytes: managed.iter().map(|&c| rounded(self.places[c].most)).sum(),
            outputs: plan.outputs.iter().filter(|&&c| self.places[c].most > 0).count(),
            output_bytes: end,
        };
    }

    /// A tensor for a candidate, if its place is free and large enough.
    pub fn place(&mut self, candidate: usize, sizes: &[i64], strides: &[i64], dtype: DType) -> Option<Tensor> {
        let bytes = numel(sizes)?.checked_mul(dtype.size())?;
        let place = &mut self.places[candidate];
        if bytes > place.most {
            place.most = bytes;
            self.grew = true;
        }
        if bytes == 0 || bytes > place.room {
            return None;
        }
        let whole = if place.group == usize::MAX { self.arena.as_ref()? } else { self.slab.as_ref()? };
        let before = self.groups.get(place.group).map(|g| g.last);
        if !place.is_free() || before.is_some_and(|b| b != candidate && !self.places[b].is_free()) {
            return None;
        }
        // Whoever let go of them last may have been another thread.
        fence(Ordering::Acquire);
        let place = &mut self.places[candidate];
        if let Some((storage, tensor)) = &mut place.last
            && !tensor.renew(storage, bytes, sizes, strides, dtype)
        {
            place.last = None;
        }
        if place.last.is_none() {
            let storage = whole.part(place.start, bytes, place.room)?;
            let (sizes, strides) = (Sizes::from(sizes), Sizes::from(strides));
            let metadata =
                TensorMetadata { storage: storage.clone(), dtype, sizes, strides, offset: 0, quantizer: None };
            place.last = Some((storage, Tensor::new(metadata).ok()?));
        }
        if let Some(group) = self.groups.get_mut(place.group) {
            group.last = candidate;
        }
        place.last.as_ref().map(|(_, tensor)| tensor.clone())
    }
}
