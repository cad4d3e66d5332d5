//! `propagate-device`: results are where the tensors are that they are computed of, or where the call says.

use super::{Knowledge, as_tensor, propagate};
use crate::graph::{constant, each_function, inputs, made_by, script_type};
use sconce_ir::prelude::*;
use sconce_pass::{Pass, PassResult, PassRun};
use sconce_schema::types::{Device, TensorType};
use sconce_tensor::IValue;

/// The pass `propagate-device`.
pub struct PropagateDevice;

impl Pass for PropagateDevice {
    const NAME: &'static str = "propagate-device";
    const DESCRIPTION: &'static str = "Say in types on which device results are";
    const PYTORCH: &'static str = "`DeviceTypePropagation`, which forgets the device of what it has no rule for";
    const ANCHOR: Option<&'static str> = None;
    const DIALECTS: &'static [&'static str] = &["torch"];

    fn run(root: OperationRef<'_, '_>, _: &PassRun<'_>) -> PassResult {
        each_function(root, |function| propagate(function, &Devices))
    }
}

struct Devices;

impl Knowledge for Devices {
    fn results(&self, op: OperationRef<'_, '_>, types: &mut [Option<TensorType>]) {
        let device = asked_for(op).or_else(|| of_operands(op));
        for ty in types.iter_mut().flatten() {
            ty.device = ty.device.take().or_else(|| device.clone());
        }
    }

    fn either(&self, to: &mut TensorType, a: &TensorType, b: &TensorType) {
        if to.device.is_none() && a.device == b.device {
            to.device.clone_from(&a.device);
        }
    }
}

/// The device that the call names.
fn asked_for(op: OperationRef<'_, '_>) -> Option<Device> {
    inputs(op).into_iter().find_map(|v| match constant(v) {
        Some(IValue::Device(device)) => Some(Device::clone(&device)),
        _ => None,
    })
}

/// The one device of all tensors that an operator is given, themselves or in a list.
fn of_operands(op: OperationRef<'_, '_>) -> Option<Device> {
    let listed = |v| made_by(v, "prim.ListConstruct").map_or_else(|| vec![v], inputs);
    let tensors = inputs(op).into_iter().flat_map(listed).filter_map(|v| as_tensor(&script_type(v)));
    let mut devices = tensors.map(|t| t.device);
    let first = devices.next()??;
    devices.all(|other| other.as_ref() == Some(&first)).then_some(first)
}
