//! A choice under search: what is needed, by whom, and what all of it costs, kept up as terms are exchanged.

use super::{Candidate, FIXED_SHARE, Problem};
use smallvec::SmallVec;

/// A choice. Classes that are not needed have a candidate, too, for when they will be.
pub(super) struct State<'p> {
    problem: &'p Problem,
    picks: Vec<Option<u32>>,
    /// Who needs a class, as often as it does; a class that nobody needs is not computed.
    users: Vec<SmallVec<[u32; 4]>>,
    is_root: Vec<bool>,
    total: i128,
    /// Classes whose cost may have changed, with what it was.
    touched: Vec<u32>,
    is_touched: Vec<bool>,
}

impl<'p> State<'p> {
    /// A choice as a state; `None` if it is circular or incomplete.
    pub fn new(problem: &'p Problem, picks: Vec<Option<u32>>) -> Option<State<'p>> {
        let count = problem.ids.len();
        let mut state = State {
            problem,
            picks,
            users: vec![SmallVec::new(); count],
            is_root: vec![false; count],
            total: 0,
            touched: Vec::new(),
            is_touched: vec![false; count],
        };
        if !state.is_whole(&problem.roots) {
            return None;
        }
        for root in &problem.roots {
            state.need(*root, None);
        }
        state.settle();
        Some(state)
    }

    pub fn total(&self) -> u64 {
        u64::try_from(self.total).unwrap_or(if self.total < 0 { 0 } else { u64::MAX })
    }

    pub fn picks(&self) -> Vec<Option<u32>> {
        self.picks.clone()
    }

    fn picked(&self, class: u32) -> Option<&'p Candidate> {
        let pick = self.picks[class as usize]?;
        self.problem.candidates[class as usize].get(pick as usize)
    }

    fn is_needed(&self, class: u32) -> bool {
        self.is_root[class as usize] || !self.users[class as usize].is_empty()
    }

    /// Is everything below there, and nothing below itself?
    fn is_whole(&self, from: &[u32]) -> bool {
        // 1: above what is looked at; 2: done.
        let mut marks = vec![0u8; self.picks.len()];
        let mut stack: Vec<(u32, bool)> = from.iter().map(|class| (*class, false)).collect();
        while let Some((class, is_left)) = stack.pop() {
            let mark = marks[class as usize];
            if is_left {
                marks[class as usize] = 2;
                continue;
            }
            match mark {
                1 => return false,
                2 => continue,
                _ => marks[class as usize] = 1,
            }
            let Some(candidate) = self.picked(class) else { return false };
            stack.push((class, true));
            for child in &candidate.children {
                match marks[*child as usize] {
                    1 => return false,
                    2 => {}
                    _ => stack.push((*child, false)),
                }
            }
        }
        true
    }

    /// What a class costs as things stand.
    fn cost(&self, class: u32) -> i128 {
        let Some(candidate) = self.picked(class).filter(|_| self.is_needed(class)) else { return 0 };
        let price = candidate.price;
        let (users, is_root) = (&self.users[class as usize], self.is_root[class as usize]);
        let is_fixed = |class: u32| self.picked(class).is_some_and(|c| c.is_fixed);
        if candidate.is_fixed && (!price.is_view || (!is_root && users.iter().all(|user| is_fixed(*user)))) {
            return i128::from(price.cost / FIXED_SHARE);
        }
        let alone = users.first().filter(|first| !is_root && users.iter().all(|user| user == *first));
        let fuses = alone.and_then(|user| self.picked(*user)).is_some_and(|user| user.price.absorbs);
        let saved = price.fused.filter(|_| fuses).unwrap_or(0);
        i128::from(price.cost) - i128::from(saved)
    }

    /// Takes a class's cost out of the total until [`State::settle`].
    fn touch(&mut self, class: u32) {
        if !self.is_touched[class as usize] {
            self.total -= self.cost(class);
            self.is_touched[class as usize] = true;
            self.touched.push(class);
        }
    }

    fn settle(&mut self) {
        for class in std::mem::take(&mut self.touched) {
            self.is_touched[class as usize] = false;
            self.total += self.cost(class);
        }
    }

    /// A class is needed by one more, and what it needs if it was not.
    fn need(&mut self, class: u32, user: Option<u32>) {
        let mut stack = vec![(class, user)];
        while let Some((class, user)) = stack.pop() {
            let was_needed = self.is_needed(class);
            self.touch(class);
            match user {
                Some(user) => self.users[class as usize].push(user),
                None => self.is_root[class as usize] = true,
            }
            if !was_needed && let Some(candidate) = self.picked(class) {
                stack.extend(candidate.children.iter().map(|child| (*child, Some(class))));
            }
        }
    }

    /// A class is needed by one less, and what it needs if nobody does any more.
    fn release(&mut self, class: u32, user: u32) {
        let mut stack = vec![(class, user)];
        while let Some((class, user)) = stack.pop() {
            self.touch(class);
            let users = &mut self.users[class as usize];
            if let Some(at) = users.iter().position(|u| *u == user) {
                users.swap_remove(at);
            }
            if !self.is_needed(class)
                && let Some(candidate) = self.picked(class)
            {
                stack.extend(candidate.children.iter().map(|child| (*child, class)));
            }
        }
    }

    /// Takes another candidate for a class.
    fn exchange(&mut self, class: u32, pick: u32) {
        let is_needed = self.is_needed(class);
        let old = self.picked(class).filter(|_| is_needed);
        // Whether what it is made of fuses with it depends on what it is.
        old.into_iter().flat_map(|c| &c.children).for_each(|child| self.touch(*child));
        self.touch(class);
        let Some(new) = self.problem.candidates[class as usize].get(pick as usize) else { return };
        if is_needed {
            // First what is new, so that what both need stays.
            new.children.iter().for_each(|child| self.touch(*child));
            self.picks[class as usize] = Some(pick);
            new.children.iter().for_each(|child| self.need(*child, Some(class)));
            old.into_iter().flat_map(|c| &c.children).for_each(|child| self.release(*child, class));
        } else {
            self.picks[class as usize] = Some(pick);
        }
    }

    /// Exchanges, and takes it back if the whole does not get cheaper by it. Whether it stays.
    fn attempt(&mut self, exchanges: &[(u32, u32)]) -> bool {
        let before = self.total;
        let old: Vec<(u32, Option<u32>)> =
            exchanges.iter().map(|(class, _)| (*class, self.picks[*class as usize])).collect();
        let classes: Vec<u32> = exchanges.iter().map(|(class, _)| *class).collect();
        exchanges.iter().for_each(|(class, pick)| self.exchange(*class, *pick));
        self.settle();
        if self.total < before && self.is_whole(&classes) {
            return true;
        }
        for (class, pick) in old.into_iter().rev() {
            match pick {
                Some(pick) => self.exchange(class, pick),
                None => self.picks[class as usize] = None,
            }
        }
        self.settle();
        debug_assert_eq!(self.total, before, "what is taken back costs what it did");
        false
    }

    /// Exchanges terms until nothing gets cheaper, in so many rounds at most.
    pub fn improve(&mut self, rounds: usize) {
        for _ in 0..rounds {
            let mut changed = false;
            for class in 0..self.picks.len() as u32 {
                changed |= self.improve_class(class) | self.improve_parts(class);
            }
            if !changed {
                return;
            }
        }
    }

    fn improve_class(&mut self, class: u32) -> bool {
        let mut changed = false;
        for pick in 0..self.problem.candidates[class as usize].len() as u32 {
            if self.is_needed(class) && self.picks[class as usize] != Some(pick) {
                changed |= self.attempt(&[(class, pick)]);
            }
        }
        changed
    }

    /// Takes all parts of one whole together: by itself each costs more.
    fn improve_parts(&mut self, whole: u32) -> bool {
        let parts = &self.problem.parts[whole as usize];
        let needed = parts
            .iter()
            .copied()
            .filter(|(class, pick)| self.is_needed(*class) && self.picks[*class as usize] != Some(*pick));
        let exchanges: Vec<(u32, u32)> = needed.collect();
        exchanges.len() > 1 && self.picks[whole as usize].is_some() && self.attempt(&exchanges)
    }
}
