//! An operator found once: what a call site keeps, so that a call costs no search.

use crate::{Call, Destinations, Error, Kernel, Outputs, derived, grad, lookup};
use sconce_schema::OpEntry;
use sconce_schema::shape::Meta;
use sconce_tensor::IValue;
use smallvec::SmallVec;

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
    kernel: Kernel,
}

impl Bound {
    /// # Errors
    /// The operator has no kernel.
    pub fn new(entry: &'static OpEntry) -> Result<Bound, Error> {
        let kernel = lookup(entry).ok_or_else(|| Error::Missing { op: entry.name.to_string(), needs: entry.needs })?;
        Ok(Bound { entry, kernel })
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
        let metas: SmallVec<[Meta; 8]> = args.iter().map(derived::meta_of).collect();
        let results = sconce_schema::shape::infer(self.entry, &metas).transpose()?.unwrap_or_default();
        let history = grad::History::of(args);
        let mut outputs = (self.kernel)(&Call { entry: self.entry, metas: &results, destinations }, args)?;
        history.mark(self.entry, &mut outputs);
        Ok(outputs)
    }
}
