//! Sorting, and finding the first few, with equal elements in the order that PyTorch leaves them in.
//!
//! PyTorch's sorts that are not stable still are deterministic, and recorded results depend on the indices they give:
//! of 124 ones the one at 85 comes first. So what is done here is an introspective sort (D. Musser, "Introspective
//! sorting and selection algorithms", Software: Practice and Experience 27, 1997) whose every exchange is fixed by
//! recorded results: which of equal elements is the median, that both walks of a cut stop at elements equal to the
//! pivot, which of equal children rises in a heap.

/// Ranges up to this length are sorted by insertion, which keeps the order of equal elements.
const SHORT: usize = 16;

/// The length at which a selection stops cutting.
const FEW: usize = 3;

/// Sorts.
pub fn sort<E: Copy>(v: &mut [E], less: impl Fn(&E, &E) -> bool) {
    sort_range(v, most_cuts(v.len()), &less);
}

/// Puts the `k` first in order to the front. What comes after them is in no order.
pub fn sort_first<E: Copy>(v: &mut [E], k: usize, less: impl Fn(&E, &E) -> bool) {
    let k = k.min(v.len());
    gather(v, k, &less);
    unwind(&mut v[..k], &less);
}

/// Puts the element that a sort would put at `k` there, and none that goes after it before it.
pub fn place<E: Copy>(v: &mut [E], k: usize, less: impl Fn(&E, &E) -> bool) {
    if k >= v.len() {
        return;
    }
    let (mut start, mut end) = (0, v.len());
    for _ in 0..most_cuts(v.len()) {
        if end - start <= FEW {
            break;
        }
        let middle = start + cut(&mut v[start..end], &less);
        if middle <= k { start = middle } else { end = middle }
    }
    if end - start <= FEW {
        insert(&mut v[start..end], &less);
    } else {
        gather(&mut v[start..end], k - start + 1, &less);
        v.swap(start, k);
    }
}

/// How often a range may be cut before a heap takes over: twice as often as if all cuts were in the middle.
fn most_cuts(n: usize) -> u32 {
    2 * n.checked_ilog2().unwrap_or(0)
}

fn sort_range<E: Copy>(v: &mut [E], cuts_left: u32, less: &impl Fn(&E, &E) -> bool) {
    if v.len() <= SHORT {
        insert(v, less);
    } else if cuts_left == 0 {
        gather(v, v.len(), less);
        unwind(v, less);
    } else {
        let middle = cut(v, less);
        let (head, tail) = v.split_at_mut(middle);
        sort_range(head, cuts_left - 1, less);
        sort_range(tail, cuts_left - 1, less);
    }
}

/// Sorts by taking each element back over those that go after it.
fn insert<E: Copy>(v: &mut [E], less: &impl Fn(&E, &E) -> bool) {
    for i in 1..v.len() {
        let (element, mut at) = (v[i], i);
        while at > 0 && less(&element, &v[at - 1]) {
            v[at] = v[at - 1];
            at -= 1;
        }
        v[at] = element;
    }
}

/// Exchanges elements until none from the result on goes before one that is left of it. Wants four elements.
fn cut<E: Copy>(v: &mut [E], less: &impl Fn(&E, &E) -> bool) -> usize {
    v.swap(0, median(v, [1, v.len() / 2, v.len() - 1], less));
    let pivot = v[0];
    let (mut left, mut right) = (1, v.len());
    loop {
        // The other two of the three that the median was taken of end the first walks, exchanged elements the later
        // ones.
        left += v[left..].iter().position(|x| !less(x, &pivot)).unwrap_or(0);
        right = v[..right].iter().rposition(|x| !less(&pivot, x)).unwrap_or(0);
        if left >= right {
            return left;
        }
        v.swap(left, right);
        left += 1;
    }
}

/// Which of three positions holds the median; between equal elements the order of the comparisons decides.
fn median<E>(v: &[E], [a, b, c]: [usize; 3], less: &impl Fn(&E, &E) -> bool) -> usize {
    let (low, high) = if less(&v[a], &v[b]) { (a, b) } else { (b, a) };
    if less(&v[high], &v[c]) {
        high
    } else if less(&v[low], &v[c]) {
        c
    } else {
        low
    }
}

/// Puts the `k` first of all into `v[..k]`, as a heap with the last of them on top.
fn gather<E: Copy>(v: &mut [E], k: usize, less: &impl Fn(&E, &E) -> bool) {
    let (heap, others) = v.split_at_mut(k);
    for top in (0..k / 2).rev() {
        settle(heap, top, heap[top], less);
    }
    for x in others {
        if heap.first().is_some_and(|last| less(x, last)) {
            let entering = std::mem::replace(x, heap[0]);
            settle(heap, 0, entering, less);
        }
    }
}

/// Sorts a heap.
fn unwind<E: Copy>(heap: &mut [E], less: &impl Fn(&E, &E) -> bool) {
    for end in (1..heap.len()).rev() {
        let leaf = heap[end];
        heap[end] = heap[0];
        settle(&mut heap[..end], 0, leaf, less);
    }
}

/// Puts an element into the heap below `top`, whose own element is given up: the place is passed down to a leaf, always
/// to the child that goes last and of equal ones to the second, and the element rises from there.
fn settle<E: Copy>(heap: &mut [E], top: usize, element: E, less: &impl Fn(&E, &E) -> bool) {
    let mut at = top;
    while 2 * at + 1 < heap.len() {
        let (first, second) = (2 * at + 1, 2 * at + 2);
        let child = if second < heap.len() && !less(&heap[second], &heap[first]) { second } else { first };
        heap[at] = heap[child];
        at = child;
    }
    while at > top && less(&heap[(at - 1) / 2], &element) {
        heap[at] = heap[(at - 1) / 2];
        at = (at - 1) / 2;
    }
    heap[at] = element;
}

#[cfg(test)]
mod tests {
    use super::*;

    type Pair = (u32, usize);

    fn less(a: &Pair, b: &Pair) -> bool {
        a.0 < b.0
    }

    fn positions(v: &[Pair]) -> Vec<usize> {
        v.iter().map(|p| p.1).collect()
    }

    fn numbered(keys: impl IntoIterator<Item = u32>) -> Vec<Pair> {
        keys.into_iter().zip(0..).collect()
    }

    #[test]
    fn equal_elements_as_recorded() {
        let mut v = numbered((0..125).map(|i| u32::from(i != 115)));
        sort(&mut v, less);
        let first = [115, 85, 78, 79, 80, 81, 82, 83, 84, 77, 86, 87, 88, 89, 90, 91, 92, 94, 76, 75, 74, 73, 72, 71];
        assert_eq!(positions(&v[..24]), first);
        // The three largest of 2, −4, 3, 2.
        let mut v = numbered([6, 0, 7, 6]);
        place(&mut v, 2, |a, b| a.0 > b.0);
        sort(&mut v[..2], |a, b| a.0 > b.0);
        assert_eq!(positions(&v[..3]), [2, 3, 0]);
    }

    /// Keys of many lengths, with few and with many ties, some already in order.
    fn samples() -> impl Iterator<Item = Vec<Pair>> {
        let mut state = 1u32;
        let mut next = move |n: u32| {
            state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            (state >> 8) % n
        };
        (0..600).map(move |n| {
            let kinds = [1, 2, 7, 40, 100_000][n % 5];
            let mut keys: Vec<u32> = (0..n).map(|_| next(kinds)).collect();
            match n % 7 {
                0 => keys.sort(),
                1 => keys.sort_by(|a, b| b.cmp(a)),
                _ => {}
            }
            numbered(keys)
        })
    }

    #[test]
    fn whatever_is_asked_for_is_in_order() {
        for sample in samples() {
            let n = sample.len();
            let mut stable = sample.clone();
            stable.sort();
            let keys: Vec<u32> = stable.iter().map(|p| p.0).collect();
            for cuts in [0, 1, 3, most_cuts(n)] {
                let mut v = sample.clone();
                sort_range(&mut v, cuts, &less);
                assert!(v.iter().map(|p| p.0).eq(keys.iter().copied()));
                v.sort();
                assert_eq!(v, stable);
            }
            for k in [0, n.min(1), n / 3, n] {
                let mut v = sample.clone();
                sort_first(&mut v, k, less);
                assert!(v[..k].iter().map(|p| p.0).eq(keys[..k].iter().copied()));
                let mut v = sample.clone();
                place(&mut v, k, less);
                if k < n {
                    assert_eq!(v[k].0, keys[k]);
                    assert!(v[..k].iter().all(|p| p.0 <= keys[k]) && v[k..].iter().all(|p| p.0 >= keys[k]));
                }
            }
        }
    }

    #[test]
    fn hostile_keys_do_not_take_long() {
        // Musser's sequence: each cut takes off two elements, until a heap takes over. Cutting on would take 1271
        // comparisons an element.
        let n = 20_000u32;
        let half = n / 2;
        let keys = (0..n).map(|i| match i {
            _ if i >= half => 2 * (i + 1 - half),
            _ if i % 2 == 0 => i + 1,
            _ => half + i,
        });
        let comparisons = std::cell::Cell::new(0u32);
        let counted = |a: &Pair, b: &Pair| {
            comparisons.set(comparisons.get() + 1);
            less(a, b)
        };
        let mut v = numbered(keys);
        sort(&mut v, counted);
        assert!(v.is_sorted_by_key(|p| p.0));
        assert!(comparisons.get() < n * 60, "{}", comparisons.get());
    }
}
