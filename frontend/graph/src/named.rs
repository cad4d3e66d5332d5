//! A list whose members have names: it keeps their order, and a member is found by its name without a look at the others.

use rustc_hash::FxHashMap;
use std::ops::Deref;
use std::sync::Arc;

pub trait HasName {
    fn name(&self) -> &Arc<str>;
}

impl HasName for Arc<str> {
    fn name(&self) -> &Arc<str> {
        self
    }
}

/// See the module's page. Of members with one name the first is found.
#[derive(Clone, Debug)]
pub struct NamedList<T> {
    members: Vec<T>,
    places: FxHashMap<Arc<str>, usize>,
}

impl<T> Default for NamedList<T> {
    fn default() -> Self {
        NamedList { members: Vec::new(), places: FxHashMap::default() }
    }
}

impl<T: HasName> NamedList<T> {
    pub fn push(&mut self, member: T) {
        self.places.entry(member.name().clone()).or_insert(self.members.len());
        self.members.push(member);
    }

    pub fn named(&self, name: &str) -> Option<&T> {
        self.places.get(name).map(|at| &self.members[*at])
    }

    pub fn retain(&mut self, keep: impl FnMut(&T) -> bool) {
        let mut members = std::mem::take(&mut self.members);
        members.retain(keep);
        *self = members.into();
    }
}

impl<T: HasName> From<Vec<T>> for NamedList<T> {
    fn from(members: Vec<T>) -> Self {
        members.into_iter().collect()
    }
}

impl<T: HasName> FromIterator<T> for NamedList<T> {
    fn from_iter<I: IntoIterator<Item = T>>(members: I) -> Self {
        let mut list = NamedList::default();
        members.into_iter().for_each(|m| list.push(m));
        list
    }
}

impl<T> Deref for NamedList<T> {
    type Target = [T];
    fn deref(&self) -> &[T] {
        &self.members
    }
}

impl<'a, T> IntoIterator for &'a NamedList<T> {
    type Item = &'a T;
    type IntoIter = std::slice::Iter<'a, T>;
    fn into_iter(self) -> Self::IntoIter {
        self.members.iter()
    }
}

impl<T> IntoIterator for NamedList<T> {
    type Item = T;
    type IntoIter = std::vec::IntoIter<T>;
    fn into_iter(self) -> Self::IntoIter {
        self.members.into_iter()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_of_a_name_is_found_also_after_members_went() {
        let mut list: NamedList<Arc<str>> = ["a", "b", "a", "c"].into_iter().map(Arc::from).collect();
        assert!(list.named("c").is_some() && list.named("d").is_none());
        assert!(std::ptr::eq(list.named("a").expect("it is there"), &list[0]));
        list.retain(|name| **name != *"b");
        assert_eq!((&*list[1], list.named("c").is_some(), list.named("b").is_some()), ("a", true, false));
    }
}
