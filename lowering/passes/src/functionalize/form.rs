//! Writes to tensors, lists and dictionaries, and the operators that give what they would leave: found in the op table, by no name.

use sconce_analysis::Tensor;
use sconce_ir::prelude::*;
use sconce_pass::Failure;
use sconce_schema::OpEntry;

/// What a write writes to and gives back, and which operator gives what it leaves.
#[derive(Clone, Copy)]
pub struct Write {
    /// The operand that is written to.
    pub written: usize,
    /// The result that is that operand.
    pub given_back: Option<usize>,
    /// The operator that gives what the write leaves, first of its results.
    pub form: Option<&'static OpEntry>,
    /// What is written to is a list or a dictionary; else a tensor.
    pub is_container: bool,
    /// All of it is written, whatever it was.
    pub replaces: bool,
}

/// Does the operation write to something that its operands hold or are?
pub fn may_write(op: OperationRef<'_, '_>) -> bool {
    sconce_torch::entry(op).is_some_and(|entry| !entry.effect().writes.is_empty())
}

/// The operation as a write to one operand.
pub fn write_of(op: OperationRef<'_, '_>) -> Option<Write> {
    let entry = sconce_torch::entry(op)?;
    let schema = entry.schema();
    if op.operand_values().len() != schema.arguments.len() || op.result_values().len() != schema.returns.len() {
        return None;
    }
    if let Some(form) = entry.container_form() {
        let container = &schema.arguments[0].ty;
        let given_back = schema.returns.iter().position(|result| result.ty == *container);
        return Some(Write { written: 0, given_back, form: Some(form), is_container: true, replaces: false });
    }
    let [write] = entry.effect().writes[..] else { return None };
    let is_tensor = Tensor::of(op.operand_value(write.argument)?.r#type()).is_some();
    if write.elements || !is_tensor || schema.returns.len() != 1 {
        return None;
    }
    let form = entry.functional_entry().filter(|form| form.schema().is_functional());
    if schema.is_in_place() && write.argument == 0 {
        return Some(Write { written: 0, given_back: Some(0), form, is_container: false, replaces: false });
    }
    let inputs = schema.arguments.iter().filter(|a| !a.is_out());
    let is_same = |form: &&OpEntry| form.schema().arguments.iter().map(|a| &a.name).eq(inputs.clone().map(|a| &a.name));
    let form = form.filter(is_same);
    let written = write.argument;
    schema.is_out().then_some(Write { written, given_back: Some(0), form, is_container: false, replaces: true })
}

impl Write {
    /// The value that the write gives back, of this operation.
    pub fn given<'c: 'a, 'a>(&self, op: OperationRef<'c, 'a>) -> Option<Value<'c, 'a>> {
        op.result_value(self.given_back?)
    }

    /// The operands of the form, where the write has these.
    pub fn operands<'c: 'a, 'a>(&self, of_write: &[Value<'c, 'a>]) -> Vec<Value<'c, 'a>> {
        let is_read = |at: usize| !self.replaces || at != self.written;
        of_write.iter().enumerate().filter(|(at, _)| is_read(*at)).map(|(_, v)| *v).collect()
    }

    /// The results that the write gives besides what it writes to.
    pub fn besides<'c: 'a, 'a>(&self, op: OperationRef<'c, 'a>) -> Vec<Value<'c, 'a>> {
        let all = op.result_values().into_iter().enumerate();
        all.filter(|(at, _)| Some(*at) != self.given_back).map(|(_, v)| v).collect()
    }
}

/// A call of a table's operator.
pub fn call<'c: 'a, 'a>(
    at: &Builder<'c, 'a>,
    entry: &OpEntry,
    location: Location<'c>,
    operands: &[Value<'c, 'a>],
    results: &[Type<'c>],
) -> Result<OperationRef<'c, 'a>, Failure> {
    let build = if entry.in_torch_mlir {
        at.op(&entry.dialect_name(), location)
    } else {
        let name = attr::string(at.context(), &entry.name.replacen("::", ".", 1));
        at.op("torch.operator", location).attr("name", name)
    };
    build.operands(operands).results(results).build().map_err(Failure::from)
}

/// Is the value made by its operation, and can nothing else be it or hold it yet?
pub fn is_made<'c: 'a, 'a>(value: Value<'c, 'a>) -> bool {
    let (Some(op), Some(result)) = (value.defining_op(), value.result_index()) else { return false };
    if matches!(op.op_name(), "torch.prim.ListConstruct" | "torch.prim.DictConstruct") {
        return true;
    }
    let Some(entry) =
        sconce_torch::entry(op).filter(|e| e.name.starts_with("aten::") || e.container_writer().is_some())
    else {
        return false;
    };
    let effect = entry.effect();
    let shares = effect.takes.iter().any(|t| t.result == result)
        || effect.may_return.iter().any(|r| r.result == result && !r.as_elements);
    result < entry.schema().returns.len() && !shares && !effect.other
}
