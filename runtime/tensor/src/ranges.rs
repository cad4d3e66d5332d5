//! A set of numbers, by ranges that neither meet nor touch.

use std::ops::Range;

/// Start and end of each, in order.
#[derive(Default)]
pub(crate) struct Ranges(Vec<(usize, usize)>);

impl Ranges {
    /// Whether some number is in both; none is in an empty range.
    pub fn meets(&self, range: &Range<usize>) -> bool {
        let at = self.0.partition_point(|(_, end)| *end <= range.start);
        !range.is_empty() && self.0.get(at).is_some_and(|(start, _)| *start < range.end)
    }

    /// Whether every number of the range is there.
    pub fn holds(&self, range: &Range<usize>) -> bool {
        let at = self.0.partition_point(|(_, end)| *end < range.end);
        range.is_empty() || self.0.get(at).is_some_and(|(start, _)| *start <= range.start)
    }

    pub fn insert(&mut self, range: Range<usize>) {
        if range.is_empty() {
            return;
        }
        // Those that it meets or touches become one with it.
        let first = self.0.partition_point(|(_, end)| *end < range.start);
        let after = self.0.partition_point(|(start, _)| *start <= range.end);
        if first == after {
            return self.0.insert(first, (range.start, range.end));
        }
        let (start, end) = (self.0[first].0.min(range.start), self.0[after - 1].1.max(range.end));
        self.0[first] = (start, end);
        self.0.drain(first + 1..after);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranges_that_meet_or_touch_become_one() {
        let mut ranges = Ranges::default();
        [10..20, 30..40, 5..5, 20..25, 50..60, 24..31].into_iter().for_each(|r| ranges.insert(r));
        assert_eq!(ranges.0, [(10, 40), (50, 60)]);
        let meets = [(0..10, false), (0..11, true), (39..50, true), (40..50, false), (59..70, true), (15..15, false)];
        meets.into_iter().for_each(|(r, yes)| assert_eq!(ranges.meets(&r), yes, "{r:?}"));
        let holds = [(10..40, true), (9..12, false), (39..51, false), (50..60, true), (45..45, true), (59..61, false)];
        holds.into_iter().for_each(|(r, yes)| assert_eq!(ranges.holds(&r), yes, "{r:?}"));
        ranges.insert(0..100);
        assert_eq!(ranges.0, [(0, 100)]);
    }
}
