//! An operator found once: what a call site keeps, so that a call costs no search.

use crate::shortcut::{self, Shortcut};
use crate::{Call, Destinations, Error, Kernel, Outputs, grad, lookup, nested, rules};
use sconce_schema::shape::{Meta, TensorMeta};
use sconce_schema::{OpEntry, Trait};
use sconce_tensor::IValue;
use std::rc::Rc;
use std::sync::{LazyLock, OnceLock};

/// What is found out once about an operator.
struct Site {
    kernel: Kernel,
    /// Arguments of the schema.
    arity: usize,
    shortcut: Option<Shortcut>,
    has_rule: bool,
}

/// By the operator's number.
static SITES: LazyLock<Vec<OnceLock<Option<Site>>>> =
    LazyLock::new(|| sconce_schema::table().iter().map(|_| OnceLock::new()).collect());

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
            Some(Site { kernel, arity, shortcut: Shortcut::of(entry), has_rule: shortcut::has_rule(entry) })
        };
        let site = SITES.get(entry.id as usize).and_then(|site| site.get_or_init(find).as_ref());
        let site = site.ok_or_else(|| Error::Missing { op: entry.name.to_string(), needs: entry.needs })?;
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
        let history = grad::History::of(args);
        if history.nested {
            nested::check(self.entry)?;
        }
        let shortcut = self.site.shortcut.as_ref().and_then(|d| d.call(args, destinations));
        let mut outputs = match shortcut {
            Some(outputs) => outputs?,
            None => self.call_by_rule(args, destinations)?,
        };
        history.mark(self.entry, &mut outputs);
        Ok(outputs)
    }

    /// The general way, which knows every message: the rule, then the kernel.
    pub(crate) fn call_by_rule(
        &self,
        args: &mut [IValue],
        destinations: Option<&dyn Destinations>,
    ) -> Result<Outputs, Error> {
        if !self.site.has_rule {
            return (self.site.kernel)(&Call { entry: self.entry, metas: &[], destinations }, args);
        }
        let results = self.rule(args)?;
        if ![Trait::View, Trait::MayView, Trait::Writes].iter().any(|t| self.entry.has(*t)) {
            results.iter().try_for_each(fits)?;
        }
        (self.site.kernel)(&Call { entry: self.entry, metas: &results, destinations }, args)
    }

    /// What the rule says of these arguments.
    fn rule(&self, args: &[IValue]) -> Result<Rc<rules::Results>, Error> {
        rules::said(self.entry.id as usize, args, |metas| {
            Ok(sconce_schema::shape::infer(self.entry, metas).transpose()?.unwrap_or_default())
        })
    }
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
