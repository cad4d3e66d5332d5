//! The names of a Python file, each with its scope: which of them are one variable, and where members of its classes are defined. Read off the tree alone,
//! so that it is known also of what does not compile.

use super::walk;
use sconce_source::Span;
use sconce_syntax::script::tree::Module;
use std::collections::BTreeMap;

/// What a name does where it stands.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Role {
    Use,
    Assigned,
    Parameter,
    /// The name of a definition of [`Names::definitions`].
    Defined(usize),
    Imported,
}

/// A variable's name.
#[derive(Debug)]
pub(super) struct Occurrence {
    pub name: String,
    /// The name itself.
    pub token: Span,
    /// What the compiler notes its meaning of.
    pub place: Span,
    pub scope: usize,
    pub block: usize,
    pub role: Role,
}

/// `object.name`
#[derive(Debug)]
pub(super) struct Member {
    pub name: String,
    pub token: Span,
    /// All of it.
    pub place: Span,
    pub object: Span,
    /// The class whose method has the object as its first parameter.
    pub of_self: Option<usize>,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum ScopeKind {
    File,
    Class,
    Function,
}

#[derive(Debug)]
pub(super) struct Scope {
    pub kind: ScopeKind,
    pub parent: Option<usize>,
    /// Names that `global` and `nonlocal` take from outside.
    pub outer: Vec<String>,
}

/// Statements that run one after the other.
#[derive(Debug)]
pub(super) struct Block {
    pub parent: Option<usize>,
    /// The `if` of which it is a branch.
    pub branch_of: Option<u32>,
}

/// A function, method or class.
#[derive(Debug)]
pub(super) struct Definition {
    /// `M.forward`
    pub path: String,
    pub token: Span,
    pub span: Span,
    pub docstring: Option<String>,
    /// The definition that it stands in, and whether that is a class.
    pub inside: Option<usize>,
    pub is_class: bool,
    /// Names of a class's bases.
    pub bases: Vec<String>,
    /// A class's own members, each where it is defined.
    pub members: Vec<(String, Span)>,
}

/// See the module's page.
#[derive(Debug, Default)]
pub(super) struct Names {
    pub occurrences: Vec<Occurrence>,
    pub members: Vec<Member>,
    pub scopes: Vec<Scope>,
    pub blocks: Vec<Block>,
    pub definitions: Vec<Definition>,
    /// What imports of the file bind: `F` is `torch.nn.functional`.
    pub imports: BTreeMap<String, String>,
    /// Ranges of calls and members, and where these end in the text.
    pub ends: Vec<(Span, u32)>,
    bindings: BTreeMap<(usize, String), Vec<usize>>,
}

impl Names {
    pub fn of(tree: &Module) -> Names {
        let mut names = walk::names(tree);
        names.occurrences.sort_by_key(|o| o.token.start);
        for (at, o) in names.occurrences.iter().enumerate().filter(|(_, o)| o.role != Role::Use) {
            names.bindings.entry((o.scope, o.name.clone())).or_default().push(at);
        }
        names
    }

    pub fn occurrence_at(&self, offset: u32) -> Option<&Occurrence> {
        self.occurrences.iter().find(|o| o.token.start <= offset && offset <= o.token.end)
    }

    pub fn member_at(&self, offset: u32) -> Option<&Member> {
        self.members.iter().find(|m| m.token.start <= offset && offset <= m.token.end)
    }

    /// A range with all of what it ends with: PyTorch's, which the compiler has, leave out closing brackets and, behind these, letters of members.
    pub fn whole(&self, span: Span) -> Span {
        let is_last = |(place, _): &&(Span, u32)| place.end == span.end && place.start >= span.start;
        let ends = self.ends.iter().filter(is_last).map(|(_, end)| *end);
        Span { start: span.start, end: ends.fold(span.end, u32::max) }
    }

    /// The scope whose variable a name is, as Python looks for it.
    pub fn scope_of(&self, occurrence: &Occurrence) -> Option<usize> {
        let mut at = Some(occurrence.scope);
        while let Some(number) = at {
            let scope = &self.scopes[number];
            let is_seen = scope.kind != ScopeKind::Class || number == occurrence.scope;
            let is_own = !scope.outer.contains(&occurrence.name);
            if is_seen && is_own && self.bindings.contains_key(&(number, occurrence.name.clone())) {
                return at;
            }
            at = scope.parent;
        }
        None
    }

    /// Every place of the variable that a name is.
    pub fn same_variable<'n>(&'n self, occurrence: &'n Occurrence) -> Vec<&'n Occurrence> {
        let scope = self.scope_of(occurrence);
        let same = |o: &&Occurrence| o.name == occurrence.name && self.scope_of(o) == scope;
        self.occurrences.iter().filter(same).filter(|_| scope.is_some()).collect()
    }

    /// The assignments that a variable may have its value from: of those of one function the last that every way passes, and the later ones in branches.
    pub fn reaching(&self, occurrence: &Occurrence) -> Vec<Span> {
        if occurrence.role != Role::Use {
            return vec![occurrence.token];
        }
        let Some(scope) = self.scope_of(occurrence) else { return Vec::new() };
        let all: Vec<&Occurrence> =
            self.bindings[&(scope, occurrence.name.clone())].iter().map(|at| &self.occurrences[*at]).collect();
        let is_local = scope == occurrence.scope && self.scopes[scope].kind == ScopeKind::Function;
        let before: Vec<&&Occurrence> = all
            .iter()
            .filter(|o| is_local && o.token.start < occurrence.token.start && !self.excludes(o.block, occurrence.block))
            .collect();
        let first = before.iter().rposition(|o| self.is_around(o.block, occurrence.block)).unwrap_or(0);
        match before.get(first..).unwrap_or_default() {
            // From outside, or from the last round of a loop.
            [] => all.iter().map(|o| o.token).collect(),
            reaching => reaching.iter().map(|o| o.token).collect(),
        }
    }

    fn around(&self, block: usize) -> impl Iterator<Item = usize> {
        std::iter::successors(Some(block), |b| self.blocks[*b].parent)
    }

    fn is_around(&self, outer: usize, inner: usize) -> bool {
        self.around(inner).any(|b| b == outer)
    }

    /// Are the two in different branches of one `if`?
    fn excludes(&self, one: usize, other: usize) -> bool {
        self.around(one).any(|a| {
            let branch = self.blocks[a].branch_of;
            branch.is_some() && self.around(other).any(|b| a != b && self.blocks[b].branch_of == branch)
        })
    }

    /// The first class of this simple name.
    pub fn class(&self, name: &str) -> Option<usize> {
        self.definitions.iter().position(|d| d.is_class && d.path.rsplit('.').next() == Some(name))
    }

    /// Where a member of a class, or of its bases in the file, is defined: methods and class variables, and assignments to `self`.
    pub fn member_of(&self, class: usize, name: &str) -> Vec<Span> {
        let mut classes = vec![class];
        let mut next = 0;
        while let Some(definition) = classes.get(next).map(|c| &self.definitions[*c]) {
            let own: Vec<Span> = definition.members.iter().filter(|(n, _)| n == name).map(|(_, span)| *span).collect();
            if !own.is_empty() {
                return own;
            }
            let bases = definition.bases.iter().filter_map(|b| self.class(b));
            let new: Vec<usize> = bases.filter(|b| !classes.contains(b)).collect();
            classes.extend(new);
            next += 1;
        }
        Vec::new()
    }
}
