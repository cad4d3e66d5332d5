//! Programs kept by operator and kinds of arguments: a call like one before it asks no rule and compiles nothing.
//!
//! What a kind is decides everything that the rule decides but sizes (dtypes, refusals, choices by None and by string), so a call whose plan is there and
//! whose operands broadcast is one that the rule would have let pass.

use super::settled::is_unsettled;
use super::{Ready, StridesOf, compute_dtype, prepare, strides_of};
use crate::engine::derived::meta_of;
use crate::engine::elementwise;
use crate::{Call, Destinations, Error};
use sconce_schema::OpEntry;
use sconce_schema::scalar::{Binary, Node, ScalarExpr};
use sconce_schema::shape::Meta;
use sconce_tensor::{DType, IValue, Sizes, Tensor};
use smallvec::SmallVec;
use std::borrow::Borrow;
use std::ptr;
use std::sync::LazyLock;
use std::sync::atomic::{AtomicPtr, Ordering};

/// The kinds of up to eight arguments, a byte each.
type Key = u64;

/// The plans of one operator, never freed: there are as many as kinds of calls that a program makes.
pub struct Plans {
    entry: &'static OpEntry,
    expr: &'static ScalarExpr,
    first: AtomicPtr<Plan>,
}

struct Plan {
    key: Key,
    dtype: DType,
    ready: Ready,
    strides: StridesOf,
    next: *const Plan,
}

fn tensor_kind(t: &Tensor) -> u8 {
    // As promotion sees it: with dimensions, without, and a number in a tensor.
    let class = if t.is_wrapped_number() { 2 } else { u8::from(t.dim() == 0) };
    0x80 | class << 5 | t.dtype() as u8
}

/// The kind of an argument, `None` where there are too many to tell apart.
fn kind(v: &IValue, expr: &ScalarExpr) -> Option<u8> {
    Some(match v {
        IValue::Tensor(t) => tensor_kind(t),
        IValue::None => 1,
        IValue::Bool(_) => 2,
        // 1 and 2 leave out an operation; which integers fit decides the type that integers are computed in.
        IValue::Int(1) => 3,
        IValue::Int(2) => 4,
        IValue::Int(0) => 5,
        IValue::Int(3..=127) => 6,
        IValue::Int(128..=255) => 13,
        IValue::Int(-128..=-1) => 14,
        IValue::Int(-32768..=32767) => 15,
        IValue::Int(n) if i32::try_from(*n).is_ok() => 7,
        IValue::Int(_) => 8,
        IValue::Double(d) if *d == 1.0 => 9,
        IValue::Double(d) if *d == 2.0 => 10,
        // Powers that are roots.
        IValue::Double(d) if *d == 0.5 => 18,
        IValue::Double(d) if *d == -0.5 => 19,
        // Which floats fit.
        IValue::Double(d) if d.is_finite() && d.abs() > f64::from(f32::MAX) => 17,
        IValue::Double(d) if d.is_finite() && d.abs() > 65504.0 => 16,
        IValue::Double(_) => 11,
        IValue::Complex(_) => 12,
        IValue::Str(s) => {
            let texts =
                expr.nodes.iter().filter_map(|n| if let Node::Match(_, cases) = n { Some(*cases) } else { None });
            let at = texts.flatten().position(|(key, _)| *key == Some(s.as_str()))?;
            u8::try_from(at).ok().filter(|at| *at < 0x40)? | 0x40
        }
        _ => return None,
    })
}

fn key(args: &[impl Borrow<IValue>], expr: &ScalarExpr) -> Option<Key> {
    if args.len() > 8 {
        return None;
    }
    args.iter().try_fold(0, |key: Key, v| Some(key << 8 | Key::from(kind(v.borrow(), expr)?)))
}

/// Programs of operators that have rules or kernels of their own, by the operator's number.
static OTHERS: LazyLock<Vec<AtomicPtr<Plan>>> =
    LazyLock::new(|| sconce_schema::table().iter().map(|_| AtomicPtr::default()).collect());

/// The program of a call that its rule has let pass, with a result of a dtype; `None` where such calls are not kept, or it is an error.
pub(super) fn kept(entry: &OpEntry, expr: &ScalarExpr, args: &[IValue], dtype: DType) -> Option<&'static Ready> {
    let plans = OTHERS.get(entry.id as usize)?;
    let key = key(args, expr)?;
    let found = find(plans.load(Ordering::Acquire), |p| p.key == key && p.dtype == dtype);
    let plan = match found {
        Some(plan) => plan,
        None => publish(
            plans,
            Plan {
                key,
                dtype,
                ready: prepare(entry.name, expr, args, dtype).ok()?,
                strides: elementwise::result_strides,
                next: ptr::null(),
            },
        ),
    };
    Some(&plan.ready)
}

/// Programs of one operation on two tensors, in the type that both promote to.
static PAIRS: AtomicPtr<Plan> = AtomicPtr::new(ptr::null_mut());

/// The program of such an operation, made once for each kind of operands.
pub(super) fn pair(
    op: Binary,
    [a, b]: &[IValue; 2],
    dtype: DType,
    make: impl FnOnce() -> Result<Ready, Error>,
) -> Result<&'static Ready, Error> {
    let of = |v: &IValue| v.as_tensor().map(tensor_kind).unwrap_or_default();
    let key = (op as Key) << 16 | Key::from(of(a)) << 8 | Key::from(of(b));
    match find(PAIRS.load(Ordering::Acquire), |p| p.key == key && p.dtype == dtype) {
        Some(plan) => Ok(&plan.ready),
        None => Ok(&publish(
            &PAIRS,
            Plan { key, dtype, ready: make()?, strides: elementwise::result_strides, next: ptr::null() },
        )
        .ready),
    }
}

/// The first plan of a list that is wanted.
fn find(first: *const Plan, wanted: impl Fn(&Plan) -> bool) -> Option<&'static Plan> {
    let mut at = first;
    // SAFETY: plans are never freed, and complete when they are published.
    while let Some(plan) = unsafe { at.as_ref() } {
        if wanted(plan) {
            return Some(plan);
        }
        at = plan.next;
    }
    None
}

/// Puts a plan in front of a list.
#[cold]
fn publish(list: &AtomicPtr<Plan>, plan: Plan) -> &'static Plan {
    let plan = Box::leak(Box::new(plan));
    let mut first = list.load(Ordering::Acquire);
    loop {
        plan.next = first;
        match list.compare_exchange(first, plan, Ordering::AcqRel, Ordering::Acquire) {
            Ok(_) => return plan,
            // Another thread was first, perhaps with the same plan; both are right.
            Err(now) => first = now,
        }
    }
}

/// The tensors among a call's arguments.
type Operands<'a> = SmallVec<[&'a Tensor; 4]>;

/// The sizes that operands broadcast to; `None` where they do not.
fn broadcast(operands: &[&Tensor]) -> Option<Sizes> {
    let (first, rest) = operands.split_first()?;
    rest.iter().try_fold(first.sizes().into(), |sizes: Sizes, t| sconce_tensor::broadcast_sizes(&sizes, t.sizes()).ok())
}

fn have_sizes_of(first: &Tensor, operands: &[&Tensor]) -> bool {
    operands.iter().all(|t| t.has_sizes(first.sizes()))
}

impl Plans {
    /// Of an operator whose rule follows from its scalar expression; the caller has seen that it has no kernel of its own.
    pub fn new(entry: &'static OpEntry) -> Option<Plans> {
        let plain = entry.shape.is_none() && entry.functional.is_none();
        let expr = entry.scalar.filter(|_| plain)?;
        Some(Plans { entry, expr, first: AtomicPtr::new(ptr::null_mut()) })
    }

    /// The plan of such a call, whose tensors are put in their place; `None` when the call is one that the rule refuses, or of a kind that is not kept.
    fn plan<'a>(&self, args: &[&'a IValue], operands: &mut Operands<'a>) -> Option<&'static Plan> {
        let key = key(args, self.expr)?;
        for arg in args {
            if let IValue::Tensor(t) = arg {
                operands.push(t);
            }
        }
        let found = find(self.first.load(Ordering::Acquire), |p| p.key == key);
        found.or_else(|| self.make(key, &args.iter().map(|v| (*v).clone()).collect::<Vec<_>>()))
    }

    #[cold]
    fn make(&self, key: Key, args: &[IValue]) -> Option<&'static Plan> {
        let metas: SmallVec<[Meta; 8]> = args.iter().map(meta_of).collect();
        let results = sconce_schema::shape::infer(self.entry, &metas)?.ok()?;
        let Some(Meta::Tensor(meta)) = results.first() else { return None };
        let dtype = meta.dtype?;
        if is_unsettled(self.entry, self.expr, args, compute_dtype(self.expr, args).ok()?) {
            return None;
        }
        let ready = prepare(self.entry.name, self.expr, args, dtype).ok()?;
        let strides = strides_of(self.entry, args, dtype);
        Some(publish(&self.first, Plan { key, dtype, ready, strides, next: ptr::null() }))
    }

    // Neither gives an `Option` of a `Result`: to wrap one copies the room of an error, of which only the kind was just written.

    /// Computes a call as its result 0; `None` where it is to go the general way.
    pub fn fresh(&self, args: &[&IValue], destinations: Option<&dyn Destinations>) -> Result<Option<Tensor>, Error> {
        let mut operands = Operands::new();
        let Some(plan) = self.plan(args, &mut operands) else { return Ok(None) };
        let common;
        let sizes = match &operands[..] {
            [first, rest @ ..] if have_sizes_of(first, rest) => first.sizes(),
            operands => match broadcast(operands) {
                Some(sizes) => {
                    common = sizes;
                    &common
                }
                None => return Ok(None),
            },
        };
        let call = Call { entry: self.entry, metas: &[], destinations, read: None };
        let out = call.output(0, sizes, &(plan.strides)(sizes, &operands), plan.dtype)?;
        plan.ready.run(self.entry.name, args, &operands, &out, false)?;
        Ok(Some(out))
    }

    /// Computes a call into a tensor that an in-place or `out=` form writes; false, with nothing changed, where it is to go the general way.
    pub fn write(&self, args: &[&IValue], target: &Tensor) -> Result<bool, Error> {
        let mut operands = Operands::new();
        let Some(plan) = self.plan(args, &mut operands) else { return Ok(false) };
        let fits =
            || have_sizes_of(target, &operands) || broadcast(&operands).is_some_and(|sizes| *target.sizes() == *sizes);
        // What fails leaves its target as it was.
        if operands.is_empty()
            || plan.ready.may_fail()
            || target.dtype() != plan.dtype
            || !fits()
            || !elementwise::is_apart(target)
        {
            return Ok(false);
        }
        let mut in_place = false;
        for t in &operands {
            match elementwise::overlap(target, t) {
                elementwise::Overlap::None => {}
                elementwise::Overlap::Same => in_place = true,
                elementwise::Overlap::Some => return Ok(false),
            }
        }
        plan.ready.run(self.entry.name, args, &operands, target, in_place)?;
        Ok(true)
    }
}

// SAFETY: plans are not changed once they are published.
unsafe impl Send for Plans {}
// SAFETY: as above.
unsafe impl Sync for Plans {}
