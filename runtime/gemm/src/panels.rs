//! A factor that many products share is packed once, and gives the bits that it gives where it is packed in each.

use crate::tiles::panel;
use crate::{Factor, View, depth};
use sconce_parallel::simd::{Job, Real, Wide, run};
use sconce_parallel::{self as parallel, Sendable};
use std::ops::Range;

/// A second factor in panels, as tiles read it: for each piece of its depth the panels of that piece, one behind the other.
#[derive(Clone, Copy)]
pub struct Panels<E> {
    data: *const E,
    /// Columns of a panel.
    panel: usize,
    k: usize,
    n: usize,
}

// SAFETY: a pointer to numbers that are only read.
unsafe impl<E: Send> Send for Panels<E> {}
// SAFETY: as above.
unsafe impl<E: Sync> Sync for Panels<E> {}

/// Columns of the broadest panel.
const BROADEST: usize = 32;

impl<E: Real> Panels<E> {
    /// Elements that a factor of `k` rows and `n` columns takes packed; none when they cannot be counted.
    pub fn elements(k: usize, n: usize) -> Option<usize> {
        // A row is written too much.
        k.checked_mul(n.checked_next_multiple_of(BROADEST)?)?.checked_add(BROADEST)
    }

    /// Packs a matrix of `k` rows and `n` columns.
    ///
    /// # Safety
    /// `b` has the rows and columns, and `to` has room for [`Panels::elements`], which stay where they are.
    pub unsafe fn pack(b: View<E>, k: usize, n: usize, to: *mut E) -> Panels<E> {
        let panel = run(Broad(std::marker::PhantomData::<E>));
        let (packed, to) = (Panels { data: to, panel, k, n }, Sendable(to));
        let panels = n.div_ceil(panel);
        parallel::split(panels, (1usize << 15).div_ceil(k.max(1)), |panels| {
            let to = &to;
            // SAFETY: the caller's promise; each panel has its own places.
            run(Pack { b, packed, panels, to: to.0 });
        });
        packed
    }

    /// Columns of a panel.
    pub(crate) fn columns(&self) -> usize {
        self.panel
    }

    /// Where the panel of a column begins in a piece of the depth, which is one of those that [`depth`] makes.
    pub(crate) fn at(&self, k: Range<usize>, column: usize) -> *const E {
        let panels = self.n.div_ceil(self.panel);
        self.data.wrapping_add(k.start * panels * self.panel + column / self.panel * self.panel * k.len())
    }
}

/// How broad a panel is.
struct Broad<E>(std::marker::PhantomData<E>);

impl<E: Real> Job<E> for Broad<E> {
    type Output = usize;
    #[inline(always)]
    unsafe fn run<W: Wide<E = E>>(self) -> usize {
        panel::<W>()
    }
}

struct Pack<E> {
    b: View<E>,
    packed: Panels<E>,
    panels: Range<usize>,
    to: *mut E,
}

impl<E: Real> Job<E> for Pack<E> {
    type Output = ();
    #[inline(always)]
    unsafe fn run<W: Wide<E = E>>(self) {
        let Panels { panel, k, n, data } = self.packed;
        let depth = depth(k).max(1);
        for q in self.panels {
            for first in (0..k).step_by(depth) {
                let k = first..k.min(first + depth);
                let at = self.packed.at(k.clone(), q * panel).addr() - data.addr();
                // SAFETY: the promise of whoever packs.
                unsafe { self.b.pack::<W>(k, q * panel, (n - q * panel).min(panel), panel, self.to.byte_add(at)) };
            }
        }
    }
}

/// A matrix in memory, and its panels where somebody has packed it.
#[derive(Clone, Copy)]
pub struct Packed<E> {
    pub view: View<E>,
    pub panels: Option<Panels<E>>,
    /// Whether few rows are multiplied in tiles, too: by whoever multiplies by it again and again.
    pub in_tiles: bool,
}

// SAFETY: the view writes what it says.
unsafe impl<E: Real> Factor<E> for Packed<E> {
    #[inline(always)]
    unsafe fn pack<W: Wide<E = E>>(&self, k: Range<usize>, j: usize, width: usize, panel: usize, to: *mut E) {
        // SAFETY: the caller's promise.
        unsafe { self.view.pack::<W>(k, j, width, panel, to) }
    }
    fn view(&self) -> Option<View<E>> {
        Some(self.view)
    }
    fn panels(&self) -> Option<Panels<E>> {
        self.panels
    }
    fn in_tiles(&self) -> bool {
        self.in_tiles
    }
}
