//! Sorting whose order of equal elements is that of libstdc++, which decides the indices that PyTorch's unstable sorts give.
//!
//! Introspective sort: median of three as pivot, exchanges from both ends, a heap when that goes too deep, insertion for what is short.

/// Below this length insertion is used.
const SHORT: usize = 16;

/// How many bad partitions are borne.
fn depth(n: usize) -> u32 {
    2 * n.checked_ilog2().unwrap_or(0)
}

/// Orders by `less`; equal elements of more than 16 may change places.
pub fn sort<E: Copy>(v: &mut [E], less: impl Fn(&E, &E) -> bool) {
    introsort(v, depth(v.len()), &less);
    let (head, n) = (v.len().min(SHORT), v.len());
    insertion(&mut v[..head], &less);
    for i in head..n {
        sink(v, i, &less);
    }
}

/// Puts the `k` least first, in order.
pub fn partial_sort<E: Copy>(v: &mut [E], k: usize, less: impl Fn(&E, &E) -> bool) {
    select_by_heap(v, k, &less);
    sort_heap(&mut v[..k], &less);
}

/// Puts the element that belongs at `k` there, none greater before it and none less after it.
pub fn select<E: Copy>(v: &mut [E], k: usize, less: impl Fn(&E, &E) -> bool) {
    if k >= v.len() {
        return;
    }
    let (mut first, mut last, mut left) = (0, v.len(), depth(v.len()));
    while last - first > 3 {
        if left == 0 {
            select_by_heap(&mut v[first..last], k + 1 - first, &less);
            v.swap(first, k);
            return;
        }
        left -= 1;
        let cut = first + partition(&mut v[first..last], &less);
        if cut <= k {
            first = cut;
        } else {
            last = cut;
        }
    }
    insertion(&mut v[first..last], &less);
}

fn introsort<E: Copy>(v: &mut [E], mut left: u32, less: &impl Fn(&E, &E) -> bool) {
    let mut last = v.len();
    while last > SHORT {
        if left == 0 {
            select_by_heap(&mut v[..last], last, less);
            sort_heap(&mut v[..last], less);
            return;
        }
        left -= 1;
        let cut = partition(&mut v[..last], less);
        introsort(&mut v[cut..last], left, less);
        last = cut;
    }
}

/// Splits around the median of the second, the middle and the last; returns where the second part begins. Four elements at least.
fn partition<E: Copy>(v: &mut [E], less: &impl Fn(&E, &E) -> bool) -> usize {
    let (a, b, c) = (1, v.len() / 2, v.len() - 1);
    let median = if less(&v[a], &v[b]) {
        if less(&v[b], &v[c]) {
            b
        } else if less(&v[a], &v[c]) {
            c
        } else {
            a
        }
    } else if less(&v[a], &v[c]) {
        a
    } else if less(&v[b], &v[c]) {
        c
    } else {
        b
    };
    v.swap(0, median);
    let pivot = v[0];
    let (mut i, mut j) = (1, v.len());
    loop {
        // An order that contradicts itself must not lead out of the slice.
        while i + 1 < v.len() && less(&v[i], &pivot) {
            i += 1;
        }
        j -= 1;
        while j > 0 && less(&pivot, &v[j]) {
            j -= 1;
        }
        if i >= j {
            return i;
        }
        v.swap(i, j);
        i += 1;
    }
}

fn insertion<E: Copy>(v: &mut [E], less: &impl Fn(&E, &E) -> bool) {
    for i in 1..v.len() {
        if less(&v[i], &v[0]) {
            v[..=i].rotate_right(1);
        } else {
            sink(v, i, less);
        }
    }
}

/// Moves element `i` left to its place.
fn sink<E: Copy>(v: &mut [E], mut i: usize, less: &impl Fn(&E, &E) -> bool) {
    let moved = v[i];
    while i > 0 && less(&moved, &v[i - 1]) {
        v[i] = v[i - 1];
        i -= 1;
    }
    v[i] = moved;
}

/// Makes a heap, greatest first, of the `k` least.
fn select_by_heap<E: Copy>(v: &mut [E], k: usize, less: &impl Fn(&E, &E) -> bool) {
    let k = k.min(v.len());
    for parent in (0..k / 2).rev() {
        let value = v[parent];
        sift(&mut v[..k], parent, value, less);
    }
    for i in k..v.len() {
        if k > 0 && less(&v[i], &v[0]) {
            let value = v[i];
            v[i] = v[0];
            sift(&mut v[..k], 0, value, less);
        }
    }
}

fn sort_heap<E: Copy>(v: &mut [E], less: &impl Fn(&E, &E) -> bool) {
    for last in (1..v.len()).rev() {
        let value = v[last];
        v[last] = v[0];
        sift(&mut v[..last], 0, value, less);
    }
}

/// Lets a hole sink to a leaf, then `value` rise from there.
fn sift<E: Copy>(v: &mut [E], top: usize, value: E, less: &impl Fn(&E, &E) -> bool) {
    let n = v.len();
    let (mut hole, mut child) = (top, top);
    while child < n.saturating_sub(1) / 2 {
        child = 2 * (child + 1);
        if less(&v[child], &v[child - 1]) {
            child -= 1;
        }
        v[hole] = v[child];
        hole = child;
    }
    if n > 1 && n.is_multiple_of(2) && child == (n - 2) / 2 {
        child = 2 * child + 1;
        v[hole] = v[child];
        hole = child;
    }
    while hole > top {
        let parent = (hole - 1) / 2;
        if !less(&v[parent], &value) {
            break;
        }
        v[hole] = v[parent];
        hole = parent;
    }
    v[hole] = value;
}

#[cfg(test)]
mod tests {
    /// What PyTorch's argsort gives for one false among 124 trues begins so.
    #[test]
    fn equal_elements_change_places_as_recorded() {
        let mut v: Vec<(bool, usize)> = (0..125).map(|i| (i != 115, i)).collect();
        super::sort(&mut v, |a, b| !a.0 & b.0);
        let order: Vec<usize> = v.iter().map(|e| e.1).collect();
        assert_eq!(order[..12], [115, 85, 78, 79, 80, 81, 82, 83, 84, 77, 86, 87]);
    }

    #[test]
    fn sorts_and_selects() {
        let mut state = 1u32;
        for n in 0..200 {
            let items: Vec<u32> = (0..n)
                .map(|_| {
                    state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
                    state >> 28
                })
                .collect();
            let mut want = items.clone();
            want.sort_unstable();
            let mut v = items.clone();
            super::sort(&mut v, |a, b| a < b);
            assert_eq!(v, want);
            let k = n as usize / 3;
            let mut v = items.clone();
            super::partial_sort(&mut v, k, |a, b| a < b);
            assert_eq!(v[..k], want[..k]);
            let mut v = items;
            super::select(&mut v, k, |a, b| a < b);
            assert_eq!(v.get(k), want.get(k));
        }
    }
}
