//! Deep copies: other tensors, containers and objects with the same values, which share with each other what the originals share.

use crate::{DType, Dict, Error, IValue, List, Object, Storage, Tensor, TensorMetadata, Tuple};
use std::collections::HashMap;
use std::sync::Arc;

/// How deep values may lie in each other; an archive's reader allows less.
const MAX_DEPTH: usize = 1000;

/// The same values in tensors, containers and objects of their own; what was shared inside is shared in the copies.
pub fn deep_copies(values: &[IValue]) -> Result<Vec<IValue>, Error> {
    deep_copies_but(values, &[])
}

/// The same with these tensors themselves wherever they are met.
pub fn deep_copies_but(values: &[IValue], shared: &[Tensor]) -> Result<Vec<IValue>, Error> {
    let mut copies = Copies::default();
    copies.done.extend(shared.iter().map(|tensor| (tensor.address(), IValue::Tensor(tensor.clone()))));
    values.iter().map(|v| copies.value(v, 0)).collect()
}

/// Deep copies by identity.
#[derive(Default)]
struct Copies {
    done: HashMap<usize, IValue>,
    storages: HashMap<usize, Storage>,
}

impl Copies {
    fn value(&mut self, value: &IValue, depth: usize) -> Result<IValue, Error> {
        let id = match value {
            IValue::Tensor(t) => t.address(),
            IValue::List(l) => l.address() as usize,
            IValue::Dict(d) => d.address() as usize,
            IValue::Tuple(t) => t.address() as usize,
            IValue::Object(o) => Arc::as_ptr(o) as usize,
            _ => return Ok(value.clone()),
        };
        if let Some(done) = self.done.get(&id) {
            return Ok(done.clone());
        }
        if depth > MAX_DEPTH {
            return Err(Error::Kind { expected: "values nested less deeply", got: value.kind() });
        }
        let copy = match value {
            IValue::Tensor(t) => IValue::Tensor(self.tensor(t)?),
            IValue::List(l) => {
                let items = l.to_vec().iter().map(|v| self.value(v, depth + 1)).collect::<Result<Vec<_>, _>>()?;
                IValue::List(List::new(l.element.clone(), items))
            }
            IValue::Tuple(t) => {
                let items = t.items.iter().map(|v| self.value(v, depth + 1)).collect::<Result<Vec<_>, _>>()?;
                IValue::Tuple(Tuple::new(items, t.names.clone()))
            }
            IValue::Dict(d) => {
                let copy = Dict::new(d.key.clone(), d.value.clone());
                let items: Vec<_> = d.read().iter().map(|(k, v)| (k.clone(), v.clone())).collect();
                for (k, v) in items {
                    let v = self.value(&v, depth + 1)?;
                    copy.write().insert(k, v);
                }
                IValue::Dict(copy)
            }
            IValue::Object(o) => {
                let copy = Object::new(o.class.clone(), o.names.clone());
                // Before its slots: an object may hold itself.
                self.done.insert(id, IValue::Object(copy.clone()));
                for slot in 0..o.names.len() {
                    let inner = o.get(slot).unwrap_or_default();
                    copy.set(slot, self.value(&inner, depth + 1)?);
                }
                IValue::Object(copy)
            }
            other => other.clone(),
        };
        self.done.insert(id, copy.clone());
        Ok(copy)
    }

    fn tensor(&mut self, t: &Tensor) -> Result<Tensor, Error> {
        let key = t.storage_ptr() as usize;
        let storage = match self.storages.get(&key) {
            Some(s) => s.clone(),
            None => {
                let copy = whole(&t.storage())?.copy()?;
                self.storages.insert(key, copy.storage());
                copy.storage()
            }
        };
        let copy = Tensor::new(TensorMetadata { storage, ..t.metadata() })?;
        copy.set_requires_grad(t.requires_grad());
        Ok(copy)
    }
}

/// A storage's bytes as a tensor.
fn whole(storage: &Storage) -> Result<Tensor, Error> {
    Tensor::new(TensorMetadata {
        storage: storage.clone(),
        dtype: DType::U8,
        sizes: [storage.bytes() as i64].into_iter().collect(),
        strides: [1].into_iter().collect(),
        offset: 0,
        quantizer: None,
    })
}
