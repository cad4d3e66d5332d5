//! How the interpreter's tensor lies in memory: a view that it refuses for that is none in compiled code either.

use crate::Error;
use crate::lower::{Item, Lower, Sizes, TensorValue};
use sconce_exec::Dim;
use sconce_schema::geometry::view_strides;

/// A tensor of which it is not known before the code runs, or before it is whole, that it lies row by row.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Whose {
    /// The caller's; it is asked for one that does.
    Input(u16),
    /// What a loop's turns are given.
    Carried(u32),
}

/// The strides of a tensor, in elements, where they are known.
#[derive(Clone, Debug)]
pub struct Strides {
    of: Vec<Dim>,
    /// They are these where these tensors lie row by row.
    given: Vec<Whose>,
}

impl Strides {
    /// Row by row, without gaps.
    pub(crate) fn rows(sizes: &[Dim]) -> Self {
        let mut of = vec![Dim::Known(1); sizes.len()];
        for d in (1..sizes.len()).rev() {
            of[d - 1] = of[d].times(sizes[d]);
        }
        Strides { of, given: Vec::new() }
    }

    /// Row by row, if this tensor does.
    pub(crate) fn of(tensor: Whose, sizes: &[Dim]) -> Self {
        Strides { given: vec![tensor], ..Strides::rows(sizes) }
    }

    pub(crate) fn unknown(rank: usize) -> Self {
        Strides { of: vec![Dim::Unknown; rank], given: Vec::new() }
    }

    /// Of what is computed of tensors that lie row by row, with gaps or without: it lies so without. Of others it may lie in any way.
    pub(crate) fn computed(of_rows: bool, sizes: &[Dim]) -> Self {
        if of_rows { Strides::rows(sizes) } else { Strides::unknown(sizes.len()) }
    }

    /// Dimension `i` is dimension `order[i]` here.
    pub(crate) fn permuted(&self, order: &[usize]) -> Self {
        Strides { of: order.iter().map(|d| self.of[*d]).collect(), given: self.given.clone() }
    }

    /// Of every `step`-th element of a dimension.
    pub(crate) fn stepped(&self, d: usize, step: i64) -> Self {
        let mut made = self.clone();
        made.of[d] = made.of[d].times(step);
        made
    }

    /// Of a diagonal of two dimensions, which comes behind the others.
    pub(crate) fn diagonal(&self, others: &[usize], [a, b]: [usize; 2]) -> Self {
        let mut made = self.permuted(others);
        made.of.push(self.of[a].plus(self.of[b]));
        made
    }

    /// Of a tensor of sizes `from` that is expanded to sizes `to`, which may have dimensions in front.
    pub(crate) fn expanded(&self, from: &[Dim], to: &[Dim]) -> Self {
        let mut of = vec![Dim::Known(0); to.len()];
        let skip = to.len() - from.len();
        for (d, size) in from.iter().enumerate().filter(|(d, size)| size.same(to[skip + d])) {
            of[skip + d] = if *size == Dim::Known(1) { Dim::Known(1) } else { self.of[d] };
        }
        Strides { of, given: self.given.clone() }
    }

    /// Of the same elements, as many of them, under other sizes, if they are known to need no copy.
    pub(crate) fn viewed(&self, from: &[Dim], to: &[Dim]) -> Option<Self> {
        if from.contains(&Dim::Known(0)) {
            return Some(Strides::rows(to));
        }
        let of = view_strides(from, &self.of, to).map(|of| of.to_vec()).or_else(|| between(from, &self.of, to))?;
        Some(Strides { of, given: self.given.clone() })
    }

    /// Of the same elements under other sizes, copied where there is no other way.
    pub(crate) fn reshaped(&self, from: &[Dim], to: &[Dim]) -> Self {
        self.viewed(from, to).unwrap_or_else(|| match self.of.contains(&Dim::Unknown) {
            true => Strides::unknown(to.len()),
            false => Strides { given: self.given.clone(), ..Strides::rows(to) },
        })
    }

    /// Whether several places of a tensor of these sizes are one element.
    pub(crate) fn share_elements(&self, sizes: &[Dim]) -> bool {
        self.of.iter().zip(sizes).any(|(stride, size)| *stride == Dim::Known(0) && *size != Dim::Known(1))
    }

    fn also_given(&mut self, others: &[Whose]) {
        for tensor in others {
            if !self.given.contains(tensor) {
                self.given.push(*tensor);
            }
        }
    }

    fn are_rows(&self, sizes: &[Dim]) -> bool {
        let rows = Strides::rows(sizes).of;
        (0..sizes.len()).all(|d| sizes[d] == Dim::Known(1) || self.of[d].same(rows[d]))
    }

    /// Of a tensor that is one of these: what they have in common.
    pub(crate) fn common<'s>(all: impl Iterator<Item = &'s Strides>, sizes: &[Dim]) -> Self {
        let mut made = Strides::rows(sizes);
        for one in all {
            if !one.are_rows(sizes) {
                return Strides::unknown(sizes.len());
            }
            made.also_given(&one.given);
        }
        made
    }
}

/// Strides of a view whose first and last sizes are the tensor's, so that those between must have as many elements, though their sizes do not say so.
fn between(from: &[Dim], strides: &[Dim], to: &[Dim]) -> Option<Vec<Dim>> {
    let same = |(a, b): &(&Dim, &Dim)| a.same(**b);
    let front = from.iter().zip(to).take_while(same).count();
    let back = from[front..].iter().rev().zip(to[front..].iter().rev()).take_while(same).count();
    let (old, new) = (front..from.len() - back, front..to.len() - back);
    if !old.clone().skip(1).all(|d| strides[d - 1].same(strides[d].times(from[d]))) {
        return None;
    }
    let mut of = strides[..front].to_vec();
    let mut step = old.last().map_or(Dim::Known(1), |last| strides[last]);
    let mut steps = Vec::new();
    for d in new.rev() {
        steps.push(step);
        step = step.times(to[d]);
    }
    of.extend(steps.into_iter().rev());
    of.extend_from_slice(&strides[from.len() - back..]);
    Some(of)
}

impl Lower<'_> {
    /// Refuses to show a tensor under other sizes where the interpreter may refuse it, since its elements would have to be copied.
    pub(crate) fn takes_no_copy(&mut self, t: &TensorValue<'_>, to: &[Dim]) -> Result<(), Error> {
        if t.strides.viewed(&t.sizes, to).is_none() {
            return Error::unsupported("a view that the interpreter may refuse for how its tensor lies in memory");
        }
        // Some need not know how the tensor lies: those that add dimensions, or split them.
        if Strides::unknown(t.rank()).viewed(&t.sizes, to).is_none() {
            self.taken_for_rows.extend(&t.strides.given);
        }
        Ok(())
    }
}

/// What a loop carries, while its turns are lowered: of each the tensor that is taken to lie row by row in every turn, as it does before the first.
pub(crate) struct Turns(Vec<Option<Whose>>);

impl Turns {
    pub(crate) fn begin<'c>(l: &mut Lower<'c>, start: &[Item<'c>]) -> Self {
        let tensors = start.iter().map(|item| match item {
            Item::Tensor(t) if t.strides.are_rows(&t.sizes) => {
                l.carried += 1;
                Some(Whose::Carried(l.carried))
            }
            _ => None,
        });
        Turns(tensors.collect())
    }

    /// Of what a turn is given.
    pub(crate) fn mark(&self, items: &mut [Item<'_>]) {
        for (item, tensor) in items.iter_mut().zip(&self.0) {
            if let Item::Tensor(t) = item {
                t.strides = tensor.map_or_else(|| Strides::unknown(t.rank()), |tensor| Strides::of(tensor, &t.sizes));
            }
        }
    }

    /// Of what the loop gives, by what it began with and what a turn passes on.
    pub(crate) fn end<'c>(
        self,
        l: &mut Lower<'c>,
        ways: &[Vec<Item<'c>>],
        items: &mut [Item<'c>],
    ) -> Result<(), Error> {
        let strides = |way: usize, i: usize| match ways.get(way).and_then(|items| items.get(i)) {
            Some(Item::Tensor(t)) => Some((&t.strides, &t.sizes)),
            _ => None,
        };
        let mut kept = self.0.clone();
        let is_kept = |kept: &[Option<Whose>], t: &Whose| !self.0.contains(&Some(*t)) || kept.contains(&Some(*t));
        while let Some(i) = (0..kept.len()).find(|i| {
            let stays = |(strides, sizes): (&Strides, &Sizes)| {
                strides.are_rows(sizes) && strides.given.iter().all(|t| is_kept(&kept, t))
            };
            kept[*i].is_some() && !strides(1, *i).is_some_and(stays)
        }) {
            kept[i] = None;
        }
        if l.taken_for_rows.iter().any(|t| !is_kept(&kept, t)) {
            return Error::unsupported("a view of what a loop carries, which a later turn may find lying otherwise");
        }
        // What lies row by row in one turn does by what the loop began with, and by what else its turns take for granted.
        let mut outside = Vec::new();
        for i in (0..kept.len()).filter(|i| kept[*i].is_some()) {
            let all = [strides(0, i), strides(1, i)].into_iter().flatten().flat_map(|(strides, _)| &strides.given);
            outside.extend(all.filter(|t| !self.0.contains(&Some(**t))).copied());
        }
        if l.taken_for_rows.iter().any(|t| self.0.contains(&Some(*t))) {
            l.taken_for_rows.extend(&outside);
        }
        for (item, kept) in items.iter_mut().zip(&kept) {
            if let Item::Tensor(t) = item {
                t.strides = Strides::computed(kept.is_some(), &t.sizes);
                if kept.is_some() {
                    t.strides.also_given(&outside);
                }
            }
        }
        Ok(())
    }
}
