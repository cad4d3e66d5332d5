//! Which slots are alive where: backwards over the nodes to a fixed point.

/// A set of small numbers.
#[derive(Clone, PartialEq, Eq, Default)]
pub(crate) struct Set(Vec<u64>);

impl Set {
    pub fn new(size: usize) -> Set {
        Set(vec![0; size.div_ceil(64)])
    }
    pub fn insert(&mut self, i: u32) {
        self.0[i as usize / 64] |= 1 << (i % 64);
    }
    pub fn remove(&mut self, i: u32) {
        self.0[i as usize / 64] &= !(1 << (i % 64));
    }
    pub fn contains(&self, i: u32) -> bool {
        self.0[i as usize / 64] & (1 << (i % 64)) != 0
    }
    pub fn add(&mut self, other: &Set) {
        self.0.iter_mut().zip(&other.0).for_each(|(a, b)| *a |= b);
    }
    pub fn iter(&self) -> impl Iterator<Item = u32> + '_ {
        self.0.iter().enumerate().flat_map(|(i, &word)| {
            (0..64).filter(move |bit| word & (1 << bit) != 0).map(move |bit| (i * 64 + bit) as u32)
        })
    }
}

/// What liveness needs to know of a node.
pub(crate) struct Flow {
    pub reads: Vec<u32>,
    pub writes: Vec<u32>,
    /// Where control goes besides to the next node.
    pub target: Option<u32>,
    pub falls_through: bool,
}

impl Flow {
    /// A step that does nothing.
    pub fn nothing() -> Flow {
        Flow { reads: Vec::new(), writes: Vec::new(), target: None, falls_through: true }
    }
}

/// Slots that are alive before and behind each node.
pub(crate) struct Liveness {
    pub before: Vec<Set>,
    pub behind: Vec<Set>,
}

pub(crate) fn liveness(nodes: &[Flow], slots: usize) -> Liveness {
    let mut before = vec![Set::new(slots); nodes.len()];
    let mut behind = vec![Set::new(slots); nodes.len()];
    loop {
        let mut changed = false;
        for at in (0..nodes.len()).rev() {
            let node = &nodes[at];
            let next = node.falls_through.then_some(at + 1);
            let mut live = Set::new(slots);
            for successor in node.target.map(|t| t as usize).into_iter().chain(next) {
                if let Some(set) = before.get(successor) {
                    live.add(set);
                }
            }
            if behind[at] != live {
                behind[at] = live.clone();
                changed = true;
            }
            node.writes.iter().for_each(|&w| live.remove(w));
            node.reads.iter().for_each(|&r| live.insert(r));
            if before[at] != live {
                before[at] = live;
                changed = true;
            }
        }
        if !changed {
            return Liveness { before, behind };
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_loop_carries_is_alive_all_through_it() {
        let node = |reads: &[u32], writes: &[u32], target| Flow {
            reads: reads.to_vec(),
            writes: writes.to_vec(),
            target,
            falls_through: true,
        };
        // 0: write 0; 1: leave to 4 unless 1; 2: write 2 from 0; 3: back to 1; 4: read 0.
        let mut nodes = vec![
            node(&[], &[0, 1], None),
            node(&[1], &[], Some(4)),
            node(&[0], &[2], None),
            node(&[], &[], Some(1)),
            node(&[0], &[], None),
        ];
        nodes[3].falls_through = false;
        nodes[4].falls_through = false;
        let live = liveness(&nodes, 3);
        assert!((1..5).all(|n| live.before[n].contains(0)));
        assert!(live.behind[2].contains(1) && !live.behind[2].contains(2));
        assert_eq!(live.before[0].iter().count(), 0);
        assert_eq!(live.before[4].iter().collect::<Vec<_>>(), [0]);
    }
}
