//! What is computed of bytes that somebody relies on stays with their storage until they are written to: weights in the order that a product reads them.

use crate::metadata::Sizes;
use crate::{DType, Tensor};
use std::any::{Any, TypeId};
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

/// More is not kept of one storage: all weights of a file may be views of it.
const MOST: usize = 1024;

/// What was computed of which elements.
#[derive(PartialEq)]
struct What {
    /// The type of the value says how it was computed.
    computed: TypeId,
    dtype: DType,
    offset: i64,
    sizes: Sizes,
    strides: Sizes,
}

struct Kept {
    what: What,
    /// Writes to the storage before it was computed.
    version: u64,
    value: Arc<dyn Any + Send + Sync>,
}

/// All that is kept of a storage.
#[derive(Default)]
pub(crate) struct Derived(OnceLock<Box<Mutex<Vec<Kept>>>>);

impl Tensor {
    /// What `compute` makes of the elements; computed once where somebody relies on them ([`Storage::watch`](crate::Storage::watch)) and kept with the storage
    /// until they are written to. None where nobody does, or `compute` could not: the caller goes without. A type of value is computed in one way only.
    pub fn derived<T: Any + Send + Sync>(&self, compute: impl FnOnce(&Tensor) -> Option<T>) -> Option<Arc<T>> {
        let storage = self.storage();
        if !storage.is_watched() {
            return None;
        }
        let version = storage.version();
        let what = What {
            computed: TypeId::of::<T>(),
            dtype: self.dtype(),
            offset: self.storage_offset(),
            sizes: self.sizes().into(),
            strides: self.strides().into(),
        };
        let all = storage.derived().0.get_or_init(Box::default);
        // Nothing panics while it is held, and what is in it is whole.
        let lock = || all.lock().unwrap_or_else(PoisonError::into_inner);
        {
            let mut all = lock();
            all.retain(|k| k.version == version);
            if let Some(known) = all.iter().find(|k| k.what == what) {
                return known.value.clone().downcast().ok();
            }
            if all.len() >= MOST {
                return None;
            }
        }
        // Without the lock: it may take all threads. Two that come at once compute it twice.
        let value = Arc::new(compute(self)?);
        let mut all = lock();
        all.retain(|k| k.what != what);
        all.push(Kept { what, version, value: value.clone() });
        Some(value)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    struct Total(f32);

    fn total(t: &Tensor, count: &mut u32) -> Option<f32> {
        let compute = |t: &Tensor| {
            *count += 1;
            Some(Total(t.to_vec::<f32>().iter().sum()))
        };
        t.derived(compute).map(|total| total.0)
    }

    #[test]
    fn it_is_computed_once_until_somebody_writes() {
        let t = Tensor::from_vec(vec![1f32, 2.0, 4.0], &[3]);
        let mut count = 0;
        assert_eq!(total(&t, &mut count), None, "nobody relies on it");
        t.storage().watch();
        assert_eq!((total(&t, &mut count), total(&t, &mut count), count), (Some(7.0), Some(7.0), 1));
        let part = t.as_strided(&[2], &[1], 1).expect("a view");
        assert_eq!((total(&part, &mut count), total(&t, &mut count), count), (Some(6.0), Some(7.0), 2));
        t.storage().bump_version();
        assert_eq!((total(&t, &mut count), count), (Some(7.0), 3));
    }
}
