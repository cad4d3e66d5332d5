//! An operator found once: what a call site keeps, so that a call costs no search.

use crate::container::direct::Arguments;
use crate::dispatch::fast_path::{self, Shortcut};
use crate::engine::{derived, grad, rule_cache};
use crate::quantized::move_integers;
use crate::{Call, Destinations, Error, Kernel, Outputs, lookup, table};
use sconce_schema::shape::{Meta, TensorMeta};
use sconce_schema::{OpEntry, Trait, Type};
use sconce_tensor::{IValue, Tensor};
use smallvec::smallvec;
use std::collections::BTreeMap;
use std::rc::Rc;
use std::sync::{LazyLock, OnceLock, PoisonError, RwLock};

/// What is found out once about an operator.
struct Site {
    kernel: Kernel,
    /// Arguments of the schema.
    arity: usize,
    shortcut: Option<Shortcut>,
    has_rule: bool,
    /// It computes with tensors in lists; others keep, count and hand them on.
    takes_lists: bool,
    /// For calls with quantized tensors, where it is another kernel.
    quantized: Option<Kernel>,
}

/// By the operator's number. Most are never asked for.
static SITES: LazyLock<Vec<OnceLock<Option<Box<Site>>>>> =
    LazyLock::new(|| sconce_schema::table().iter().map(|_| OnceLock::new()).collect());

/// Of an operator that a program declared: found once it has a kernel.
fn declared_site(id: u32, find: impl FnOnce() -> Option<Box<Site>>) -> Option<&'static Site> {
    static DECLARED: RwLock<BTreeMap<u32, &'static Site>> = RwLock::new(BTreeMap::new());
    let known = DECLARED.read().unwrap_or_else(PoisonError::into_inner).get(&id).copied();
    // Looked for without the lock: what is found asks for other operators.
    known.or_else(|| {
        let found: &'static Site = Box::leak(find()?);
        Some(*DECLARED.write().unwrap_or_else(PoisonError::into_inner).entry(id).or_insert(found))
    })
}

/// An operator with its kernel. Shared by all threads.
///
/// ```
/// use sconce_tensor::{IValue, Tensor};
/// let add = sconce_kernels::Bound::new(sconce_schema::lookup("aten::add.Tensor").unwrap()).unwrap();
/// let t = IValue::Tensor(Tensor::scalar(2f32));
/// let sum = add.call(&mut [t.clone(), t, IValue::Int(1)]).unwrap();
/// assert_eq!(sum[0].as_tensor().unwrap().item::<f32>(), Some(4.0));
/// ```
#[derive(Clone, Copy)]
pub struct Bound {
    entry: &'static OpEntry,
    site: &'static Site,
}

impl Bound {
    /// # Errors
    /// The operator has no kernel.
    pub fn new(entry: &'static OpEntry) -> Result<Bound, Error> {
        let find = || {
            let kernel = lookup(entry)?;
            let arity = entry.schema().arguments.len();
            let (shortcut, has_rule) = (Shortcut::of(entry), fast_path::has_rule(entry));
            let takes_lists = entry.schema().arguments.iter().any(|a| !a.ty.is_tensor() && computes(&a.ty));
            let quantized = quantized_kernel(entry);
            Some(Box::new(Site { kernel, arity, shortcut, has_rule, takes_lists, quantized }))
        };
        let site: Option<&'static Site> = match SITES.get(entry.id as usize) {
            Some(site) => site.get_or_init(find).as_deref(),
            None => declared_site(entry.id, find),
        };
        let site = site.ok_or_else(|| Error::Missing { op: entry.name.to_string(), needs: entry.limits.needs })?;
        Ok(Bound { entry, site })
    }

    pub fn entry(&self) -> &'static OpEntry {
        self.entry
    }

    /// Calls the operator: its rule, then its kernel. Arguments are in schema order with every default filled in; they may be taken.
    pub fn call(&self, args: &mut [IValue]) -> Result<Outputs, Error> {
        self.call_into(args, None)
    }

    /// The same with places for its results.
    pub fn call_into(&self, args: &mut [IValue], destinations: Option<&dyn Destinations>) -> Result<Outputs, Error> {
        let expected = self.site.arity;
        if args.len() < expected {
            let message = format!("{}: expected {expected} arguments, got {}", self.entry.name, args.len());
            return Err(Error::runtime(message));
        }
        let history = grad::History::of(args, self.site.takes_lists);
        if history.special
            && let Some(kernel) = self.special_kernel(args)?
        {
            let mut outputs = kernel(&Call { entry: self.entry, metas: &[], destinations, read: None }, args)?;
            history.mark(self.entry, &mut outputs);
            return Ok(outputs);
        }
        let shortcut = self.site.shortcut.as_ref().filter(|_| args.len() == expected);
        let short = shortcut.map_or(Ok(false), |s| s.call(&mut Arguments::in_order(args), destinations));
        let mut outputs = match short? {
            true => smallvec![std::mem::take(&mut args[0])],
            false => self.call_by_rule(args, destinations)?,
        };
        history.mark(self.entry, &mut outputs);
        Ok(outputs)
    }

    /// Whether [`Bound::call_direct`] may have an answer.
    pub fn has_shortcut(&self) -> bool {
        self.site.shortcut.is_some()
    }

    /// Whether it only reads the lists among its arguments, which are of integers.
    pub fn reads_lists(&self) -> bool {
        matches!(self.site.shortcut, Some(Shortcut::View(_)))
    }

    /// Calls the operator with operands where they lie; false, with nothing changed, where [`Bound::call`] is to be asked.
    #[inline]
    pub fn call_direct(&self, a: &mut Arguments<'_>) -> Result<bool, Error> {
        let plain = |t: &Tensor| t.is_plain() && !t.requires_grad();
        match &self.site.shortcut {
            // Of others more is to be said: who may write, and what results are.
            Some(shortcut) if (0..self.site.arity).all(|i| a.tensor(i).is_none_or(plain)) => shortcut.call(a, None),
            _ => Ok(false),
        }
    }

    /// The kernel for a call with nested or quantized tensors, if it is another one; an error in PyTorch's words where the operator does not take them.
    #[cold]
    fn special_kernel(&self, args: &[IValue]) -> Result<Option<Kernel>, Error> {
        let entry = self.entry;
        // What `prim` has asks a tensor for nothing but what it is.
        if !entry.schema().arguments.iter().any(|a| computes(&a.ty)) || entry.name.starts_with("prim::") {
            return Ok(None);
        }
        let refused = |backend: &str| {
            let message = format!("Could not run '{}' with arguments from the '{backend}' backend.", entry.name);
            Err(Error::Raised { class: "NotImplementedError", message })
        };
        let any = |what: fn(&Tensor) -> bool| args.iter().any(|a| grad::has(a, what));
        if any(|t| t.lengths().is_some()) && !entry.has(Trait::Nested) {
            return refused("NestedTensorCPU");
        }
        if !any(Tensor::is_quantized) {
            return Ok(None);
        }
        let by_channel = || any(|t| t.quantizer().is_some_and(|q| q.axis().is_some()));
        let takes = |entry: &OpEntry| entry.has(Trait::Quantized);
        match self.site.quantized {
            Some(kernel) => Ok(Some(kernel)),
            None if takes(entry) && entry.has(Trait::View) && by_channel() => Ok(Some(move_integers::view_by_channel)),
            None if takes(entry) || entry.functional_entry().is_some_and(takes) => Ok(None),
            None => refused("QuantizedCPU"),
        }
    }

    /// The general way, which knows every message: the rule, then the kernel.
    pub(crate) fn call_by_rule(
        &self,
        args: &mut [IValue],
        destinations: Option<&dyn Destinations>,
    ) -> Result<Outputs, Error> {
        if !self.site.has_rule {
            return (self.site.kernel)(&Call { entry: self.entry, metas: &[], destinations, read: None }, args);
        }
        let results = self.rule(args)?;
        if ![Trait::View, Trait::MayView, Trait::Writes].iter().any(|t| self.entry.has(*t)) {
            results.metas.iter().try_for_each(fits)?;
        }
        let call = Call { entry: self.entry, metas: &results.metas, destinations, read: Some(&results.read) };
        (self.site.kernel)(&call, args)
    }

    /// What the rule says of these arguments.
    fn rule(&self, args: &[IValue]) -> Result<Rc<rule_cache::Results>, Error> {
        rule_cache::said(self.entry.id as usize, args, |metas| {
            let metas = sconce_schema::shape::infer(self.entry, metas).transpose()?.unwrap_or_default();
            Ok(rule_cache::Results { metas, ..Default::default() })
        })
    }
}

/// Whether an argument of the type is a tensor, or may hold some.
fn computes(ty: &Type) -> bool {
    match ty {
        Type::Tensor(_) => true,
        Type::Optional(inner) | Type::List(inner) => computes(inner),
        _ => false,
    }
}

/// The kernel for quantized tensors that an operator's record names, or that follows from its functional form's.
fn quantized_kernel(entry: &OpEntry) -> Option<Kernel> {
    let named = |name: &str| {
        let found = table::QUANTIZED.binary_search_by(|(other, _)| (*other).cmp(name)).ok()?;
        Some(table::QUANTIZED[found].1)
    };
    named(entry.name).or_else(|| {
        let functional = entry.functional_entry()?;
        named(functional.name).map(|_| derived::write_back as Kernel)
    })
}

/// A result that memory cannot hold is refused before its kernel makes anything as large.
fn fits(result: &Meta) -> Result<(), Error> {
    let Meta::Tensor(TensorMeta { sizes: Some(sizes), dtype: Some(dtype), .. }) = result else { return Ok(()) };
    let bytes =
        sizes.iter().try_fold(dtype.size(), |bytes, size| bytes.checked_mul(usize::try_from(size.known()?).ok()?));
    let empty = || sizes.iter().any(|s| s.known().is_none_or(|s| s <= 0));
    if bytes.is_some_and(sconce_tensor::Memory::has_room) || empty() {
        return Ok(());
    }
    let sizes = sizes.iter().filter_map(|s| s.known()).collect();
    Err(sconce_tensor::Error::TooLarge { sizes, bytes_per_element: dtype.size() }.into())
}
