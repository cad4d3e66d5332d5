//! Elements copied from one strided view to another: in rows where both lie so, in tiles where one is the other transposed.

use smallvec::SmallVec;

/// Edge of a tile: its lines of both sides stay in the first cache, also where they lie a power of two apart.
const TILE: usize = 8;

/// `to[c * to_stride + r] = from[r * from_stride + c]` for `r` below `rows` and `c` below `columns`; strides count elements of `bytes` bytes.
///
/// # Safety
/// All these elements lie in memory that may be read or written, `to` apart from `from`, and `bytes` is a size of elements (1, 2, 4, 8 or 16).
pub unsafe fn transpose(
    bytes: usize,
    from: *const u8,
    from_stride: usize,
    to: *mut u8,
    to_stride: usize,
    rows: usize,
    columns: usize,
) {
    // SAFETY: the caller's promise, passed on.
    unsafe {
        match bytes {
            1 => tiles::<1>(from.cast(), from_stride, to.cast(), to_stride, rows, columns),
            2 => tiles::<2>(from.cast(), from_stride, to.cast(), to_stride, rows, columns),
            4 => tiles::<4>(from.cast(), from_stride, to.cast(), to_stride, rows, columns),
            8 => tiles::<8>(from.cast(), from_stride, to.cast(), to_stride, rows, columns),
            _ => tiles::<16>(from.cast(), from_stride, to.cast(), to_stride, rows, columns),
        }
    }
}

/// # Safety
/// As for [`transpose`].
unsafe fn tiles<const N: usize>(
    from: *const [u8; N],
    from_stride: usize,
    to: *mut [u8; N],
    to_stride: usize,
    rows: usize,
    columns: usize,
) {
    for c in (0..columns).step_by(TILE) {
        let width = TILE.min(columns - c);
        for r in (0..rows).step_by(TILE) {
            let height = TILE.min(rows - r);
            // SAFETY: within the rows and columns that the caller promises; byte arrays have no alignment.
            unsafe {
                let (from, to) = (from.add(r * from_stride + c), to.add(c * to_stride + r));
                if (width, height) == (TILE, TILE) {
                    for x in 0..TILE {
                        for y in 0..TILE {
                            *to.add(x * to_stride + y) = *from.add(y * from_stride + x);
                        }
                    }
                } else {
                    for x in 0..width {
                        for y in 0..height {
                            *to.add(x * to_stride + y) = *from.add(y * from_stride + x);
                        }
                    }
                }
            }
        }
    }
}

/// A loop over one dimension of both views.
#[derive(Clone, Copy)]
struct Loop {
    size: usize,
    to: usize,
    from: usize,
}

/// Copies the elements of one view to those of another of the same sizes. Strides count elements of `bytes` bytes.
///
/// # Safety
/// Every element of both views lies in memory that may be read or written, and the memory of one is apart from that of the other.
pub(crate) unsafe fn copy(bytes: usize, sizes: &[i64], to: (*mut u8, &[i64]), from: (*const u8, &[i64])) {
    if sizes.contains(&0) {
        return;
    }
    let mut loops: SmallVec<[Loop; 6]> = SmallVec::new();
    for (d, size) in sizes.iter().enumerate().filter(|(_, size)| **size != 1) {
        let new = Loop { size: *size as usize, to: to.1[d] as usize, from: from.1[d] as usize };
        // The outermost first: in the order of the view that is written. Equal strides stay in the order of the dimensions.
        let at = loops.iter().rposition(|l| (l.to, l.from) >= (new.to, new.from)).map_or(0, |i| i + 1);
        loops.insert(at, new);
    }
    let mut merged: SmallVec<[Loop; 6]> = SmallVec::new();
    for l in loops {
        match merged.last_mut() {
            Some(outer) if outer.to == l.to * l.size && outer.from == l.from * l.size => {
                *outer = Loop { size: outer.size * l.size, ..l };
            }
            _ => merged.push(l),
        }
    }
    // SAFETY: the caller's promise; the loops run over exactly the elements of the views.
    unsafe {
        match bytes {
            1 => nest::<1>(&mut merged, to.0.cast(), from.0.cast()),
            2 => nest::<2>(&mut merged, to.0.cast(), from.0.cast()),
            4 => nest::<4>(&mut merged, to.0.cast(), from.0.cast()),
            8 => nest::<8>(&mut merged, to.0.cast(), from.0.cast()),
            _ => nest::<16>(&mut merged, to.0.cast(), from.0.cast()),
        }
    }
}

/// # Safety
/// As for [`copy`], for the elements that the loops run over.
unsafe fn nest<const N: usize>(loops: &mut SmallVec<[Loop; 6]>, to: *mut [u8; N], from: *const [u8; N]) {
    let Some(inner) = loops.pop() else {
        // SAFETY: one element each.
        unsafe { *to = *from };
        return;
    };
    // A dimension along which the source lies, where it is not the one along which the target does.
    let turned = if inner.to == 1 && inner.from > 1 { loops.iter().rposition(|l| l.from == 1) } else { None };
    let across = turned.map(|d| loops.remove(d));
    let rows: usize = loops.iter().map(|l| l.size).product();
    let mut index: SmallVec<[usize; 6]> = SmallVec::from_elem(0, loops.len());
    let (mut t, mut f) = (0usize, 0usize);
    for _ in 0..rows {
        // SAFETY: the loops stay inside both views.
        unsafe {
            let (to, from) = (to.add(t), from.add(f));
            match (across, inner) {
                (Some(across), inner) => tiles::<N>(from, inner.from, to, across.to, inner.size, across.size),
                (None, Loop { size, to: 1, from: 1 }) => std::ptr::copy_nonoverlapping(from, to, size),
                (None, Loop { size, to: 1, from: 0 }) => std::slice::from_raw_parts_mut(to, size).fill(*from),
                (None, inner) => {
                    for i in 0..inner.size {
                        *to.add(i * inner.to) = *from.add(i * inner.from);
                    }
                }
            }
        }
        for d in (0..loops.len()).rev() {
            index[d] += 1;
            t += loops[d].to;
            f += loops[d].from;
            if index[d] < loops[d].size {
                break;
            }
            t -= loops[d].to * loops[d].size;
            f -= loops[d].from * loops[d].size;
            index[d] = 0;
        }
    }
}
