//! Objects in a file: each is written once, with its tensors in the storages that they share, and is one object again when it is read.

use super::{FormatError, MAX_DEPTH, Read, Reader, Writer};
use crate::program::{Invalid, Program};
use rustc_hash::FxHashMap;
use sconce_schema::DType;
use sconce_tensor::{IValue, Object, Tensor, TensorMetadata};
use std::sync::Arc;

/// Objects and storages that were met so far, numbered in that order.
#[derive(Default)]
pub(super) struct Met {
    pub(super) objects: Vec<Arc<Object>>,
    /// All elements of a storage as bytes.
    storages: Vec<Tensor>,
    /// Where a writer finds an object by its address, and a storage by its number: both are held above, so neither is another's later.
    objects_at: FxHashMap<usize, usize>,
    storages_at: FxHashMap<usize, usize>,
    /// How many objects the value at hand is in.
    pub(super) inside: u32,
}

fn every_byte(t: &Tensor) -> Option<Tensor> {
    let length = i64::try_from(t.storage_bytes()).ok()?;
    let metadata = TensorMetadata {
        storage: t.storage(),
        dtype: DType::U8,
        sizes: [length].as_slice().into(),
        strides: [1].as_slice().into(),
        offset: 0,
        quantizer: None,
    };
    Tensor::new(metadata).ok()
}

impl Writer {
    pub(super) fn object(&mut self, o: &Arc<Object>, depth: u32) -> Result<(), FormatError> {
        if depth > MAX_DEPTH {
            return Err(FormatError::Unwritable("objects nested more than 100 deep"));
        }
        let next = self.met.objects.len();
        let number = *self.met.objects_at.entry(Arc::as_ptr(o) as usize).or_insert(next);
        self.count(number)?;
        if number != next {
            return Ok(());
        }
        self.met.objects.push(o.clone());
        self.text(&o.class)?;
        self.list(&o.names, |w, n| w.text(n))?;
        self.met.inside += 1;
        let slots = (0..o.names.len()).map(|slot| o.get(slot).unwrap_or_default());
        let written = slots.into_iter().try_for_each(|v| self.value(&v, depth + 1));
        self.met.inside -= 1;
        written
    }

    /// A tensor that an object holds: where it lies in a storage, which others may share.
    pub(super) fn shared_tensor(&mut self, t: &Tensor) -> Result<(), FormatError> {
        let next = self.met.storages.len();
        let number = *self.met.storages_at.entry(t.storage().id()).or_insert(next);
        self.count(number)?;
        if number == next {
            let bytes = every_byte(t).ok_or(FormatError::Unwritable("a tensor outside its storage"))?;
            self.bytes(&bytes.to_vec::<u8>())?;
            self.met.storages.push(bytes);
        }
        self.u8(t.dtype().number() as u8);
        for numbers in [t.sizes(), t.strides(), &[t.storage_offset()]] {
            self.list(numbers, |w, n| {
                w.i64(*n);
                Ok(())
            })?;
        }
        self.u8(u8::from(t.requires_grad()));
        Ok(())
    }
}

impl Reader<'_> {
    pub(super) fn object(&mut self, depth: u32) -> Read<Arc<Object>> {
        if depth > MAX_DEPTH {
            return Err(self.damaged("objects nested more than 100 deep"));
        }
        let number = self.u32()? as usize;
        if let Some(known) = self.met.objects.get(number) {
            return Ok(known.clone());
        }
        if number != self.met.objects.len() {
            return Err(self.damaged(format!("object {number} before object {}", self.met.objects.len())));
        }
        let class = self.text()?.into();
        let names: Vec<Arc<str>> = self.list(|r| Ok(r.text()?.into()))?;
        let object = Object::new(class, names.into());
        self.met.objects.push(object.clone());
        for slot in 0..object.names.len() {
            object.set(slot, self.value(depth + 1)?);
        }
        Ok(object)
    }

    pub(super) fn shared_tensor(&mut self) -> Read<Tensor> {
        let number = self.count_of_storages()?;
        let storage = self.met.storages[number].storage();
        let dtype = self.dtype()?;
        let (sizes, strides) = (self.list(Reader::i64)?, self.list(Reader::i64)?);
        let [offset] = self.list(Reader::i64)?[..] else { return Err(self.damaged("one offset expected")) };
        let metadata = TensorMetadata {
            storage,
            dtype,
            sizes: sizes.as_slice().into(),
            strides: strides.as_slice().into(),
            offset,
            quantizer: None,
        };
        let t = Tensor::new(metadata).map_err(|e| self.damaged(e.to_string()))?;
        t.set_requires_grad(self.flag()?);
        Ok(t)
    }

    /// The number of a storage that is known, or was read just now.
    fn count_of_storages(&mut self) -> Read<usize> {
        let number = self.u32()? as usize;
        let known = self.met.storages.len();
        if number > known {
            return Err(self.damaged(format!("storage {number} before storage {known}")));
        }
        if number == known {
            let n = self.count()?;
            let bytes = self.take(n)?;
            self.met.storages.push(Tensor::from_vec(bytes.to_vec(), &[n as i64]));
        }
        Ok(number)
    }
}

/// Every object is one of its class, and its attributes have the types that the class declares.
pub(super) fn verify(program: &Program, objects: &[Arc<Object>]) -> Result<(), Invalid> {
    let invalid = |what: String| Err(Invalid { function: 0, name: "".into(), pc: 0, what });
    for o in objects {
        let Some((_, class)) = program.class(&o.class) else {
            return invalid(format!("an object of class {}, which is not in the program", o.class));
        };
        if class.names != o.names {
            return invalid(format!("an object of {} with other attributes", o.class));
        }
        for (slot, attribute) in class.attributes.iter().enumerate() {
            let value = o.get(slot).unwrap_or_default();
            if !matches!(value, IValue::Uninitialized) && !program.is_instance(&value, &attribute.ty) {
                return invalid(format!("attribute {} of {} is no {}", attribute.name, o.class, attribute.ty));
            }
        }
    }
    Ok(())
}
