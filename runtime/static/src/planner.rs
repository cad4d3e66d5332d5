//! Memory of one instance: results that the plan manages lie in one slab, at the place of their storage group, and a place is given away only while
//! nobody holds a tensor over it. A part of what is concatenated has its place inside of the whole's.
//!
//! The plan says which results may share a place; whether one is free is asked when it is wanted, of the handles themselves. A mistake of the plan's
//! therefore costs an allocation, never a result.

use crate::concat_in_place::Joined;
use crate::plan::{Home, Plan};
use sconce_schema::DType;
use sconce_tensor::{IValue, Memory, Sizes, Storage, Tensor, TensorMetadata, contiguous_strides, numel};
use std::ops::Range;
use std::sync::PoisonError;
use std::sync::atomic::{AtomicUsize, Ordering, fence};

/// Places begin on a cache line, unless they are inside of others.
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
    /// The place that it lies inside of, if any.
    around: Option<usize>,
    /// Itself and the places inside of it, in the order of the planner's nests.
    nest: Range<usize>,
    /// Inside of another place: what it was last asked for lies here, and the place around it has not been asked for since.
    is_taken: bool,
    /// The bytes it had in the last run, and the tensor over them, whose handles are used again.
    last: Option<(Storage, Tensor)>,
}

impl Place {
    fn new(most: usize) -> Place {
        Place { most, start: 0, room: 0, group: usize::MAX, around: None, nest: 0..0, is_taken: false, last: None }
    }

    /// Whether a result fits. Inside of another place it has to be as it was when that was laid out.
    fn fits(&self, bytes: usize, sizes: &[i64], strides: &[i64]) -> bool {
        match self.around {
            None => bytes <= self.room,
            Some(_) => bytes == self.room && *strides == *contiguous_strides(sizes),
        }
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
    /// Who had it last: a place that is in no other.
    last: usize,
}

/// Where a result lies, for who reads a plan.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Lies {
    InGroup(usize),
    /// So many bytes behind the beginning of another result.
    Inside(usize, usize),
}

/// What a planner has laid out.
#[derive(Clone, Copy, Default, PartialEq, Eq, Debug)]
pub struct Layout {
    /// Results in the slab.
    pub managed: usize,
    /// Of these, the ones that lie inside of what they are concatenated to.
    pub placed: usize,
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
    /// Places that are in no other, each followed by those inside of it.
    nests: Vec<usize>,
    /// By concatenation, what it joined when places were laid out.
    joined: Vec<Joined>,
    slab: Option<Storage>,
    arena: Option<Storage>,
    layout: Layout,
    /// Something was larger than its place, or of other parts.
    grew: bool,
}

impl Planner {
    pub fn new(plan: &Plan) -> Planner {
        let mut planner = Planner {
            places: plan.candidates.iter().map(|_| Place::new(0)).collect(),
            groups: Vec::new(),
            nests: Vec::new(),
            joined: vec![Joined::default(); plan.concats.len()],
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

    /// Where a candidate lies, if it has a place in the slab, and the bytes it has.
    pub fn place_of(&self, candidate: usize) -> Option<(Lies, usize)> {
        let place = self.places.get(candidate).filter(|p| p.group != usize::MAX && p.room > 0)?;
        Some(match place.around {
            Some(around) => (Lies::Inside(around, place.start - self.places[around].start), place.room),
            None => (Lies::InGroup(place.group), place.most),
        })
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
        let mut held = false;
        for (place, most) in self.places.iter_mut().zip(&plan.learned) {
            if place.most > largest || !Memory::has_room(place.most) {
                place.most = 0;
            }
            place.most = place.most.max(most.load(Ordering::Relaxed));
            most.fetch_max(place.most, Ordering::Relaxed);
        }
        for place in &mut self.places {
            // A slab of which somebody still holds a part stays theirs.
            held |= !place.is_free();
            *place = Place::new(place.most);
        }
        let managed = |c: &usize| matches!(plan.candidates[*c].home, Home::Slab) && self.places[*c].most > 0;
        let managed: Vec<usize> = (0..self.places.len()).filter(managed).collect();
        self.nest(plan, &managed);
        let start = self.lay_out(plan, &managed);
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
            placed: managed.iter().filter(|&&c| self.places[c].around.is_some()).count(),
            groups: self.groups.len(),
            bytes: self.groups.iter().map(|g| g.bytes).sum(),
            unshared_bytes: managed.iter().map(|&c| rounded(self.places[c].most)).sum(),
            outputs: plan.outputs.iter().filter(|&&c| self.places[c].most > 0).count(),
            output_bytes: end,
        };
    }

    /// Puts places inside of those that they are parts of, as runs have shown these, and finds the order of the nests.
    fn nest(&mut self, plan: &Plan, managed: &[usize]) {
        let mut parts: Vec<Vec<usize>> = vec![Vec::new(); self.places.len()];
        // What is around comes first: if it has other room for a whole, this one's parts stay outside.
        for (joined, concat) in self.joined.iter_mut().zip(&plan.concats).rev() {
            joined.clone_from(&concat.seen.lock().unwrap_or_else(PoisonError::into_inner));
            let whole = concat.whole as usize;
            let known: usize = joined.bytes.iter().sum();
            let place = &self.places[whole];
            if known == 0 || known > place.most || place.around.is_some() && known != place.room {
                continue;
            }
            for part in &concat.parts {
                let bytes = |tensors| joined.bytes.get(tensors).map_or(0, |b: &[usize]| b.iter().sum());
                let (start, room) = (bytes(0..part.tensors.start), bytes(part.tensors.clone()));
                let place = &mut self.places[part.candidate as usize];
                if room > 0 && room <= place.most {
                    (place.around, place.start, place.room) = (Some(whole), start, room);
                    parts[whole].push(part.candidate as usize);
                }
            }
        }
        self.nests.clear();
        let outermost = managed.iter().filter(|&&c| self.places[c].around.is_none());
        let mut next: Vec<(usize, bool)> = outermost.rev().map(|&c| (c, false)).collect();
        while let Some((place, is_over)) = next.pop() {
            if is_over {
                self.places[place].nest.end = self.nests.len();
                continue;
            }
            self.places[place].nest.start = self.nests.len();
            self.nests.push(place);
            next.push((place, true));
            next.extend(parts[place].iter().rev().map(|&part| (part, false)));
        }
    }

    /// Gives each nest a group, and each place its bytes of the slab; how many these are together.
    fn lay_out(&mut self, plan: &Plan, managed: &[usize]) -> usize {
        let inside = |c: usize| &self.nests[self.places[c].nest.clone()];
        let mut outermost: Vec<usize> = managed.iter().copied().filter(|&c| self.places[c].around.is_none()).collect();
        // The largest first: smaller ones fit beside them in time without making a group larger.
        outermost.sort_unstable_by_key(|&c| (std::cmp::Reverse(self.places[c].most), c));
        let mut groups: Vec<Vec<usize>> = Vec::new();
        for &c in &outermost {
            let meet = |other: usize| inside(c).iter().any(|&a| inside(other).iter().any(|&b| plan.meet(a, b)));
            let free = |g: &&mut Vec<usize>| plan.shares && g.iter().all(|&other| !meet(other));
            match groups.iter_mut().find(free) {
                Some(group) => group.push(c),
                None => groups.push(vec![c]),
            }
        }
        let mut start = 0;
        self.groups.clear();
        for (number, group) in groups.iter().enumerate() {
            let bytes = rounded(self.places[group[0]].most);
            for &outermost in group {
                (self.places[outermost].start, self.places[outermost].room) = (start, bytes);
                for &c in &self.nests[self.places[outermost].nest.clone()] {
                    self.places[c].group = number;
                    if let Some(around) = self.places[c].around {
                        self.places[c].start += self.places[around].start;
                    }
                }
            }
            self.groups.push(Group { bytes, last: group[0] });
            start += bytes;
        }
        start
    }

    /// Before tensors are joined: how they lie in the whole is what their places were laid out for, or will be.
    pub fn joins(&mut self, plan: &Plan, concat: u32, args: &[IValue]) {
        let (joined, concat) = (&self.joined[concat as usize], &plan.concats[concat as usize]);
        if !joined.is_of(concat, args) {
            let mut seen = concat.seen.lock().unwrap_or_else(PoisonError::into_inner);
            if !seen.is_of(concat, args) {
                seen.learn(concat, args);
            }
            self.grew = true;
        }
    }

    /// Whether nobody holds a tensor over a place or over one that it shares bytes with, but over those parts of it that were made for it.
    fn is_vacant(&self, candidate: usize) -> bool {
        let place = &self.places[candidate];
        let Some(group) = self.groups.get(place.group) else { return place.is_free() };
        let mut outermost = candidate;
        while let Some(around) = self.places[outermost].around {
            outermost = around;
            if !self.places[outermost].is_free() {
                return false;
            }
        }
        let all_free = |c: usize| self.nests[self.places[c].nest.clone()].iter().all(|&c| self.places[c].is_free());
        if group.last != outermost {
            return all_free(group.last) && all_free(outermost);
        }
        let mut next = place.nest.start + 1;
        while next < place.nest.end {
            let part = &self.places[self.nests[next]];
            if part.is_taken {
                next = part.nest.end;
            } else if part.is_free() {
                next += 1;
            } else {
                return false;
            }
        }
        place.is_free()
    }

    /// What a place's parts were made for is there.
    fn take(&mut self, candidate: usize) {
        let Range { start, end } = self.places[candidate].nest;
        let mut next = start + 1;
        while next < end {
            let part = &mut self.places[self.nests[next]];
            part.is_taken = false;
            next = part.nest.end;
        }
        self.places[candidate].is_taken = self.places[candidate].around.is_some();
        let mut outermost = candidate;
        while let Some(around) = self.places[outermost].around {
            outermost = around;
        }
        if let Some(group) = self.groups.get_mut(self.places[candidate].group) {
            group.last = outermost;
        }
    }

    /// A tensor for a candidate, if its place is free and large enough.
    pub fn place(&mut self, candidate: usize, sizes: &[i64], strides: &[i64], dtype: DType) -> Option<Tensor> {
        let bytes = numel(sizes)?.checked_mul(dtype.size())?;
        let place = &mut self.places[candidate];
        place.is_taken = false;
        if bytes > place.most {
            place.most = bytes;
            self.grew = true;
        }
        if bytes == 0 || !place.fits(bytes, sizes, strides) {
            return None;
        }
        let whole = if place.group == usize::MAX { self.arena.as_ref()? } else { self.slab.as_ref()? };
        if !self.is_vacant(candidate) {
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
        let tensor = place.last.as_ref().map(|(_, tensor)| tensor.clone());
        self.take(candidate);
        tensor
    }
}

/// Bytes up to the next cache line.
fn rounded(bytes: usize) -> usize {
    bytes.next_multiple_of(LINE)
}
