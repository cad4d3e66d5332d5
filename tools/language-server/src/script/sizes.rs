//! The sizes of the tensors that modules of a file hold, by class and attribute: of a class whose instances differ, none.

use sconce_tensor::{IValue, Object};
use std::collections::BTreeMap;
use std::sync::Arc;

/// Objects that are looked into.
const MAX_OBJECTS: usize = 10_000;

/// See the module's page.
#[derive(Default)]
pub(super) struct Sizes(BTreeMap<(Arc<str>, Arc<str>), Option<String>>);

impl Sizes {
    /// Adds the tensors of an object and of all that it holds.
    pub fn add(&mut self, object: &IValue) {
        let mut waiting: Vec<Arc<Object>> = Vec::new();
        let mut seen: Vec<*const Object> = Vec::new();
        let mut next = Some(object.clone());
        while let Some(value) = next.take().or_else(|| waiting.pop().map(IValue::Object)) {
            let IValue::Object(object) = value else { continue };
            if seen.len() >= MAX_OBJECTS || seen.contains(&Arc::as_ptr(&object)) {
                continue;
            }
            seen.push(Arc::as_ptr(&object));
            for (slot, name) in object.names.iter().enumerate() {
                match object.get(slot) {
                    Some(IValue::Object(inner)) => waiting.push(inner),
                    Some(IValue::Tensor(t)) => {
                        let text = format!("torch.{} {:?}", t.dtype().torch_name(), t.sizes());
                        let known = self.0.entry((object.class.clone(), name.clone()));
                        let known = known.or_insert_with(|| Some(text.clone()));
                        if known.as_ref() != Some(&text) {
                            *known = None;
                        }
                    }
                    _ => {}
                }
            }
        }
    }

    /// `torch.float32 [4, 512]`
    pub fn of(&self, class: &str, attribute: &str) -> Option<&str> {
        self.0.get(&(Arc::from(class), Arc::from(attribute)))?.as_deref()
    }
}
