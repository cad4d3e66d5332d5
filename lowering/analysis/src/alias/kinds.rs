//! What types say of objects: whether they can change, what they may hold, and which of them one wildcard stands for.

use rustc_hash::FxHashMap;
use sconce_ir::Type;
use sconce_ir::TypeLike;
use sconce_ir::torch_type::Parts;
use smallvec::SmallVec;

/// Types that share a wildcard.
pub(super) type Kind = usize;

/// Objects of unknown type.
pub(super) const ANY: Kind = 0;

/// Types of objects that can change, whatever they hold; what they hold is unknown where the dialect does not say it.
const CHANGE: &[&str] = &[
    "tensor",
    "list",
    "dict",
    "nn.Module",
    "any",
    "var",
    "future",
    "await",
    "rref",
    "py_object",
    "capsule",
    "any_list",
    "any_tuple",
    "any_class",
    "stream",
    "Generator",
];
/// Types that can change as far as their parts can.
const AS_PARTS: &[&str] = &["optional", "tuple", "union", "named_tuple"];
/// Types of which nothing but the unknown is known.
const UNKNOWN: &[&str] = &["union", "var", "any", "any_list", "any_tuple", "any_class", "py_object"];
/// Objects that hold no other object.
const HOLD_NOTHING: &[&str] = &["tensor", "vtensor", "stream", "Generator"];
/// Objects that hold what their type names.
const HOLD_PARTS: &[&str] = &["list", "dict", "future", "await", "rref", "tuple", "named_tuple"];

/// Facts about types, each found out once.
pub(super) struct Kinds<'c> {
    /// By the type's address, whatever it says of sizes and dtypes.
    kinds: FxHashMap<usize, Kind>,
    mutable: FxHashMap<usize, bool>,
    /// The type of each kind, without sizes and dtypes; none for [`ANY`].
    types: Vec<Option<Type<'c>>>,
}

fn address(ty: Type<'_>) -> usize {
    ty.to_raw().ptr as usize
}

impl<'c> Kinds<'c> {
    pub fn new() -> Self {
        Kinds { kinds: FxHashMap::default(), mutable: FxHashMap::default(), types: vec![None] }
    }

    pub fn count(&self) -> usize {
        self.types.len()
    }

    /// Can a value of the type change?
    pub fn is_mutable(&mut self, ty: Type<'c>) -> bool {
        if let Some(known) = self.mutable.get(&address(ty)) {
            return *known;
        }
        let mutable = Parts::of(ty).is_some_and(|parts| {
            CHANGE.contains(&parts.word)
                || AS_PARTS.contains(&parts.word) && parts.types.iter().any(|t| self.is_mutable(*t))
        });
        self.mutable.insert(address(ty), mutable);
        mutable
    }

    /// The kind of a type; an optional is what it may be.
    pub fn of(&mut self, ty: Type<'c>) -> Kind {
        if let Some(known) = self.kinds.get(&address(ty)) {
            return *known;
        }
        let kind = match Parts::of(ty) {
            Some(parts) if parts.word == "optional" => parts.types.first().map_or(ANY, |inner| self.of(*inner)),
            Some(parts) if !UNKNOWN.contains(&parts.word) => self.of_plain(unshaped(ty)),
            _ => ANY,
        };
        self.kinds.insert(address(ty), kind);
        kind
    }

    fn of_plain(&mut self, ty: Type<'c>) -> Kind {
        let next = self.types.len();
        let kind = *self.kinds.entry(address(ty)).or_insert(next);
        if kind == next {
            self.types.push(Some(ty));
        }
        kind
    }

    /// The kinds of what an object may hold, as far as it can change.
    pub fn held(&mut self, kind: Kind) -> SmallVec<[Kind; 2]> {
        let Some(parts) = self.types[kind].and_then(Parts::of) else { return SmallVec::from_slice(&[ANY]) };
        if HOLD_NOTHING.contains(&parts.word) {
            return SmallVec::new();
        }
        if !HOLD_PARTS.contains(&parts.word) {
            return SmallVec::from_slice(&[ANY]);
        }
        let mut held = SmallVec::new();
        for ty in parts.types {
            if self.is_mutable(ty) {
                held.push(self.of(ty));
            }
        }
        held
    }

    /// The members that can change of a type that is one of several; else the type itself.
    pub fn members(&mut self, ty: Type<'c>) -> SmallVec<[Kind; 2]> {
        match Parts::of(ty) {
            Some(parts) if parts.word == "union" => {
                let members: SmallVec<[Type<'c>; 2]> =
                    parts.types.into_iter().filter(|t| self.is_mutable(*t)).collect();
                members.into_iter().map(|t| self.of(t)).collect()
            }
            _ => SmallVec::from_slice(&[self.of(ty)]),
        }
    }
}

/// The type without what it says of sizes and dtypes of tensors.
fn unshaped(ty: Type<'_>) -> Type<'_> {
    let context = sconce_ir::op::type_context(ty);
    let Some(parts) = Parts::of(ty) else { return ty };
    let plain = if matches!(parts.word, "tensor" | "vtensor") {
        Parts::word(parts.word)
    } else if parts.types.is_empty() {
        return ty;
    } else {
        let types = parts.types.iter().map(|t| unshaped(*t)).collect();
        Parts { types, ..parts }
    };
    plain.to_type(context).unwrap_or(ty)
}
