//! The op table at run time: entries in table order, found by name, overloads in the order in which PyTorch tries them; and operators
//! that a program registers besides.

use crate::FunctionSchema;
use crate::op::{Numerics, OpEntry, OpRecord, Traits};
use crate::table::FAMILIES;
use crate::text::SyntaxError;
use rustc_hash::FxHashMap;
use std::collections::hash_map::Entry as Slot;
use std::num::NonZeroU32;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{LazyLock, OnceLock, PoisonError, RwLock, RwLockReadGuard};

static TABLE: LazyLock<Vec<OpEntry>> = LazyLock::new(|| {
    let records = FAMILIES.iter().flat_map(|(family, rows)| rows.iter().map(move |record| (family, record)));
    let mut table = Vec::with_capacity(FAMILIES.iter().map(|(_, rows)| rows.len()).sum());
    table.extend((0..).zip(records).map(|(id, (family, record))| OpEntry::new(id, family, record)));
    table
});

static BY_NAME: LazyLock<FxHashMap<&'static str, &'static OpEntry>> =
    LazyLock::new(|| table().iter().map(|e| (e.name, e)).collect());

/// The overloads of one operator: as the table has them, and, once asked for, in the order of trial.
struct Overloads {
    /// The last of them in the table; each knows the one before it.
    last: u32,
    ordered: OnceLock<Box<[&'static OpEntry]>>,
}

#[derive(Default)]
struct ByBase {
    overloads: FxHashMap<&'static str, Overloads>,
    /// Of each row, the row before it with its base name.
    before: Vec<Option<NonZeroU32>>,
}

static BY_BASE: LazyLock<ByBase> = LazyLock::new(|| {
    let mut by_base = ByBase { before: Vec::with_capacity(table().len()), ..ByBase::default() };
    for entry in table() {
        match by_base.overloads.entry(entry.base_name()) {
            Slot::Occupied(mut known) => {
                by_base.before.push(NonZeroU32::new(known.get().last + 1));
                known.get_mut().last = entry.id;
            }
            Slot::Vacant(new) => {
                by_base.before.push(None);
                new.insert(Overloads { last: entry.id, ordered: OnceLock::new() });
            }
        }
    }
    by_base
});

impl ByBase {
    /// The overloads of an operator as the table has them.
    fn listed(&self, overloads: &Overloads) -> Vec<&'static OpEntry> {
        let row = |id: u32| id as usize;
        let before = |id: &u32| self.before[row(*id)].map(|next| next.get() - 1);
        let mut listed: Vec<_> =
            std::iter::successors(Some(overloads.last), before).map(|id| &table()[row(id)]).collect();
        listed.reverse();
        listed
    }
}

/// Every row of the op table; an entry's `id` is its position. Operators registered at run time come after these.
pub fn table() -> &'static [OpEntry] {
    &TABLE
}

/// The entry of a full name: `aten::add.Tensor`.
pub fn lookup(name: &str) -> Option<&'static OpEntry> {
    BY_NAME.get(name).copied().or_else(|| custom().and_then(|c| c.by_name.get(name).copied()))
}

/// The overloads of an operator (`aten::add`) in the order in which PyTorch tries them; empty if there is none.
pub fn overloads(base: &str) -> &'static [&'static OpEntry] {
    if let Some(overloads) = custom().and_then(|c| c.by_base.get(base).copied()) {
        return overloads;
    }
    let Some(overloads) = BY_BASE.overloads.get(base) else { return &[] };
    overloads.ordered.get_or_init(|| {
        let mut ordered = BY_BASE.listed(overloads);
        crate::overload::order(&mut ordered);
        ordered.into()
    })
}

/// The entry with this id, of the table or registered.
pub fn entry(id: u32) -> Option<&'static OpEntry> {
    let id = id as usize;
    table().get(id).or_else(|| custom().and_then(|c| c.entries.get(id - table().len()).copied()))
}

/// Operators registered at run time, which live as long as the process.
#[derive(Default)]
struct Custom {
    entries: Vec<&'static OpEntry>,
    by_name: FxHashMap<&'static str, &'static OpEntry>,
    /// Replaces the table's list where the name has overloads there.
    by_base: FxHashMap<&'static str, &'static [&'static OpEntry]>,
    /// Lists that were replaced and that others may still read: no memory is lost sight of.
    replaced: Vec<&'static [&'static OpEntry]>,
}

static CUSTOM: RwLock<Option<Custom>> = RwLock::new(None);
static ANY_CUSTOM: AtomicBool = AtomicBool::new(false);

/// Read access to the registered operators, if there are any: most programs never pay for the lock.
fn custom() -> Option<impl std::ops::Deref<Target = Custom>> {
    if !ANY_CUSTOM.load(Ordering::Acquire) {
        return None;
    }
    struct Guard(RwLockReadGuard<'static, Option<Custom>>);
    impl std::ops::Deref for Guard {
        type Target = Custom;
        fn deref(&self) -> &Custom {
            self.0.as_ref().expect("ANY_CUSTOM is set after the first registration")
        }
    }
    // A panic while registering leaves the maps as they were before or after one insertion, both fit to be read.
    Some(Guard(CUSTOM.read().unwrap_or_else(PoisonError::into_inner)))
}

/// Why an operator cannot be registered.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum RegisterError {
    #[error("schema `{schema}`: {error}")]
    Schema { schema: String, error: SyntaxError },
    #[error("{name} is registered already, as `{schema}`")]
    Taken { name: String, schema: String },
    #[error("{name}: an operator's name begins with its namespace, `my::{name}`")]
    Namespace { name: String },
}

/// Adds an operator from its schema: `my::op(Tensor x, int n=2) -> Tensor`. Its traits follow from the schema; a kernel is bound elsewhere.
///
/// The same schema may be registered again, which changes nothing; another schema under a name in use is an error.
pub fn register(schema: &str) -> Result<&'static OpEntry, RegisterError> {
    add(CUSTOM_FAMILY, schema, OpRecord { numerics: Numerics::Close, ..OpRecord::DEFAULT })
}

/// Adds an operator by a record as those of the table are: beside the schema it says traits that do not follow from it, the shape rule, a scalar expression,
/// dtypes that are refused, and how results are compared. Passes, the dialect and tests believe it as they believe the table; its kernel is bound elsewhere
/// (`sconce_kernels::register`) unless it has a scalar expression.
///
/// ```
/// use sconce_schema::shape::{Meta, RuleResult};
/// use sconce_schema::{Numerics, OpRecord, Trait, declare};
///
/// /// The result is as the argument.
/// fn like(args: &[Meta]) -> RuleResult {
///     Ok(args.iter().take(1).cloned().collect())
/// }
///
/// let schema_text = "doc::softclip(Tensor x, float limit=1.0) -> Tensor";
/// let entry = declare(OpRecord { schema_text, shape: Some(like), numerics: Numerics::Close, ..OpRecord::DEFAULT })?;
/// assert!(entry.has(Trait::Pure));
/// assert_eq!(entry.dialect_name(), "torch.doc.softclip");
/// # Ok::<(), sconce_schema::RegisterError>(())
/// ```
///
/// # Errors
/// As [`register`]; a name that was registered by its schema alone is in use.
pub fn declare(record: OpRecord) -> Result<&'static OpEntry, RegisterError> {
    add(DECLARED_FAMILY, record.schema_text, record)
}

/// The family of operators of which nothing but the schema is known.
pub const CUSTOM_FAMILY: &str = "custom";
/// The family of operators that came with a record.
const DECLARED_FAMILY: &str = "declared";

fn add(family: &'static str, schema: &str, record: OpRecord) -> Result<&'static OpEntry, RegisterError> {
    let parsed: FunctionSchema =
        schema.parse().map_err(|error| RegisterError::Schema { schema: schema.to_owned(), error })?;
    let name = parsed.full_name();
    if !parsed.name.contains("::") {
        return Err(RegisterError::Namespace { name });
    }
    let text = parsed.to_string();
    // What a record says more than its schema is code, which nothing compares.
    let known = |entry: &'static OpEntry| {
        let says_enough = family == CUSTOM_FAMILY || entry.family == family;
        if entry.schema().to_string() == text && says_enough {
            Ok(entry)
        } else {
            Err(RegisterError::Taken { name: name.clone(), schema: entry.schema_text.to_owned() })
        }
    };
    if let Some(entry) = BY_NAME.get(name.as_str()) {
        return known(entry);
    }
    let mut guard = CUSTOM.write().unwrap_or_else(PoisonError::into_inner);
    let custom = guard.get_or_insert_default();
    if let Some(entry) = custom.by_name.get(name.as_str()) {
        return known(entry);
    }
    // Leaked: entries are `'static` everywhere, and there are as many as a program has operators of its own.
    let record: &'static OpRecord = Box::leak(Box::new(OpRecord {
        traits: Traits::of(&parsed.traits(&record.traits.list())),
        schema_text: Box::leak(text.clone().into_boxed_str()),
        ..record
    }));
    let id = u32::try_from(table().len() + custom.entries.len()).expect("fewer than 2^32 operators");
    let entry: &'static OpEntry = Box::leak(Box::new(OpEntry::new(id, family, record)));
    let base = entry.base_name();
    let mut overloads = match custom.by_base.get(base) {
        Some(overloads) => overloads.to_vec(),
        None => BY_BASE.overloads.get(base).map_or(Vec::new(), |o| BY_BASE.listed(o)),
    };
    overloads.push(entry);
    crate::overload::order(&mut overloads);
    custom.entries.push(entry);
    custom.by_name.insert(entry.name, entry);
    custom.replaced.extend(custom.by_base.insert(base, Box::leak(overloads.into_boxed_slice())));
    ANY_CUSTOM.store(true, Ordering::Release);
    Ok(entry)
}
