//! A set of numbers, by ranges that neither meet nor touch.

use std::collections::BTreeMap;
use std::ops::Range;

/// Numbers from each key to before its value.
#[derive(Default)]
pub(crate) struct Ranges(BTreeMap<usize, usize>);

impl Ranges {
    /// Whether some number is in both; none is in an empty range.
    pub fn meets(&self, range: &Range<usize>) -> bool {
        !range.is_empty() && self.0.range(..range.end).next_back().is_some_and(|(_, end)| *end > range.start)
    }

    /// Whether every number of the range is there.
    pub fn holds(&self, range: &Range<usize>) -> bool {
        range.is_empty() || self.0.range(..=range.start).next_back().is_some_and(|(_, end)| *end >= range.end)
    }

    pub fn insert(&mut self, range: Range<usize>) {
        if range.is_empty() {
            return;
        }
        let Range { mut start, mut end } = range;
        while let Some((from, to)) =
            self.0.range(..=end).next_back().map(|(from, to)| (*from, *to)).filter(|r| r.1 >= start)
        {
            (start, end) = (start.min(from), end.max(to));
            self.0.remove(&from);
        }
        self.0.insert(start, end);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranges_that_meet_or_touch_become_one() {
        let mut ranges = Ranges::default();
        [10..20, 30..40, 5..5, 20..25, 50..60, 24..31].into_iter().for_each(|r| ranges.insert(r));
        assert_eq!(ranges.0.iter().collect::<Vec<_>>(), [(&10, &40), (&50, &60)]);
        let meets = [(0..10, false), (0..11, true), (39..50, true), (40..50, false), (59..70, true), (15..15, false)];
        meets.into_iter().for_each(|(r, yes)| assert_eq!(ranges.meets(&r), yes, "{r:?}"));
        let holds = [(10..40, true), (9..12, false), (39..51, false), (50..60, true), (45..45, true), (59..61, false)];
        holds.into_iter().for_each(|(r, yes)| assert_eq!(ranges.holds(&r), yes, "{r:?}"));
    }
}
