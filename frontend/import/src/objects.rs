//! Objects as `torch.nn_module`: a slot for each attribute, whose value is a constant, a name, another object, or nothing that is known.

use crate::Error;
use crate::constants::{Constants, named_constant};
use crate::text::node::{Described, Nodes};
use sconce_graph::instances::{Held, Instances, Slot, members};
use sconce_graph::unit::Unit;
use sconce_ir::prelude::*;
use sconce_ir::torch_type::Parts;
use sconce_schema::Type as TorchType;
use sconce_torch::STORAGE;

/// Puts objects into a module.
pub(crate) struct Objects<'c, 'a, 'b> {
    top: &'b Builder<'c, 'a>,
    nodes: &'b mut Nodes<'c>,
    constants: &'b mut Constants,
    unit: &'b Unit,
    /// By number.
    made: Vec<Value<'c, 'a>>,
}

impl<'c: 'a, 'a, 'b> Objects<'c, 'a, 'b> {
    pub fn new(
        top: &'b Builder<'c, 'a>,
        nodes: &'b mut Nodes<'c>,
        constants: &'b mut Constants,
        unit: &'b Unit,
    ) -> Self {
        Objects { top, nodes, constants, unit, made: Vec::new() }
    }

    pub fn put(mut self, objects: &Instances) -> Result<(), Error> {
        let context = self.top.context();
        let unknown = Location::unknown(context);
        for object in &objects.0 {
            let undefined = || Error::Undefined { function: "an object".to_owned(), what: format!("{}", object.class) };
            let class = self.unit.classes.get(&object.class).ok_or_else(undefined)?;
            let mut slots = Vec::new();
            for (slot, (_, declared)) in object.slots.iter().zip(members(class)) {
                slots.push((slot, self.value(slot, declared)?));
            }
            let ty = self.mlir_type(&TorchType::Class(object.class.clone()))?;
            let op = self.top.op("torch.nn_module", unknown).results(&[ty]).block_region(&[]).build()?;
            let Some(body) = op.body(0) else { continue };
            let at = Builder::at_end(context, body);
            for (slot, value) in slots {
                let name = attr::string(context, &slot.name);
                let op = at.op("torch.slot", unknown).attr("name", name).operands(&[value]).build()?;
                if let Some(storage) = slot.storage {
                    op.set_attr(STORAGE, attr::i64(context, storage.into()));
                }
            }
            at.op("torch.nn_module_terminator", unknown).build()?;
            self.made.extend(op.result_value(0));
        }
        Ok(())
    }

    fn mlir_type(&mut self, ty: &TorchType) -> Result<Type<'c>, Error> {
        let none = || Error::NoType { function: "an object".to_owned(), ty: ty.clone() };
        self.nodes.mlir_type(ty).ok_or_else(none)
    }

    /// The value of a slot as one of the attribute's type.
    fn value(&mut self, slot: &Slot, declared: &TorchType) -> Result<Value<'c, 'a>, Error> {
        let ty = self.mlir_type(declared)?;
        let known = match &slot.held {
            Held::Object(number) => self.made.get(*number as usize).copied(),
            Held::Value(value) => {
                let unknown = Location::unknown(self.top.context());
                let op = self.constants.build(self.nodes, self.top, unknown, value, &slot.ty)?;
                op.and_then(|op| self.typed(op, &slot.ty))
            }
            Held::Named(name) => {
                let ty = self.mlir_type(&slot.ty)?;
                let op = named_constant(self.top, Location::unknown(self.top.context()), name, ty)?;
                self.typed(op, &slot.ty)
            }
            Held::Unknown => None,
        };
        let passed_on = match known {
            Some(value) => self.nodes.pass_on(self.top, value, ty)?,
            None => None,
        };
        if let Some(value) = passed_on {
            return Ok(value);
        }
        let op = self.described(declared)?.named(self.top, "torch.prim.Uninitialized", &[])?;
        self.typed(op, declared).ok_or_else(|| Error::NoType { function: "an object".to_owned(), ty: declared.clone() })
    }

    fn described<'e>(&mut self, ty: &TorchType) -> Result<Described<'c, 'a, 'e>, Error> {
        let mlir = self.mlir_type(ty)?;
        Ok(Described::new(Location::unknown(self.top.context()), Vec::new(), vec![mlir]))
    }

    /// The only result, with what its type says beyond the dialect's.
    fn typed(&self, op: OperationRef<'c, 'a>, ty: &TorchType) -> Option<Value<'c, 'a>> {
        if let Some(kept) = self.nodes.kept([ty], &op.result_types()) {
            op.set_attr("torch.types", kept);
        }
        op.result_value(0)
    }
}

/// The class of the one object of a module that no other holds.
pub fn root_class(module: &Module<'_>) -> Option<String> {
    let ops = module.as_operation().body(0).map(|b| b.ops()).unwrap_or_default();
    let roots: Vec<OperationRef<'_, '_>> =
        ops.into_iter().filter(|op| op.is("torch.nn_module") && op.is_unused()).collect();
    match roots[..] {
        [root] => Parts::of(*root.result_types().first()?)?.names.first().map(|name| name.to_string()),
        _ => None,
    }
}
