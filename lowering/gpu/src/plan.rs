//! `sconce-gpu-plan`: what the host function launches, in which order and with which buffers, becomes the plan of one `gpu.module`: numbers, which the runtime reads
//! without a compiler.

use crate::Error;
use sconce_exec::{Launch, Place, Plan, PlanArgument};
use sconce_ir::builtin_type::{Layout, Shaped};
use sconce_ir::prelude::*;
use sconce_pass::{Failure, Pass, PassOption, PassResult, PassRun};

/// The attribute that holds a plan: its keys and values as a Program keeps them.
const PLAN: &str = "sconce.plan";

/// The host function as a plan.
pub struct GpuPlan;

impl Pass for GpuPlan {
    const NAME: &'static str = "sconce-gpu-plan";
    const DESCRIPTION: &'static str = "Put the launches of the one function into the plan of one gpu.module";
    const OPTIONS: &'static [PassOption] =
        &[PassOption::int("inputs", "how many of the function's arguments are inputs; the others are results", 0)];
    const DIALECTS: &'static [&'static str] = &["gpu"];

    fn run(root: OperationRef<'_, '_>, run: &PassRun<'_>) -> PassResult {
        let host = root.find_all("func.func").first().copied().ok_or_else(|| Failure::new("no function"))?;
        let inputs = usize::try_from(run.int("inputs")).map_err(|_| Failure::new("inputs: a number of arguments"))?;
        plan(root, host, inputs).map_err(|e| Failure::new(e.to_string()))
    }
}

fn to_attribute<'c>(context: &'c Context, plan: &Plan) -> Attribute<'c> {
    let pair = |(key, value): &(String, String)| {
        attr::array(context, &[attr::string(context, key), attr::string(context, value)])
    };
    attr::array(context, &plan.to_metadata().iter().map(pair).collect::<Vec<_>>())
}

/// The plan that the pass left in a module.
pub(crate) fn plan_of(root: OperationRef<'_, '_>) -> Result<Plan, Error> {
    let wrong = || Error::Unsupported("the launches have no plan".into());
    let holders = root.find_all("gpu.module").into_iter().chain([root]);
    let attribute = holders.into_iter().find_map(|op| op.attr(PLAN)).ok_or_else(wrong)?;
    let pair = |pair: Attribute<'_>| match attr::strings_value(pair)?[..] {
        [key, value] => Some((key.to_owned(), value.to_owned())),
        _ => None,
    };
    let rows: Option<Vec<_>> = attr::array_value(attribute).and_then(|rows| rows.into_iter().map(pair).collect());
    rows.and_then(|rows| Plan::from_metadata(&rows)).ok_or_else(wrong)
}

/// Reads the launches of the host function, of whose arguments so many are inputs, and puts all kernels into one `gpu.module`, which gets the plan. The function has
/// then said everything, and goes.
fn plan<'c>(root: OperationRef<'c, 'c>, host: OperationRef<'c, 'c>, inputs: usize) -> Result<(), Error> {
    let body = host.body(0).ok_or_else(|| Error::Unsupported("no body".into()))?;
    let arguments = body.args();
    let mut plan = Plan::default();
    let mut temporaries: Vec<usize> = Vec::new();
    let mut modules = root.find_all("gpu.module").into_iter();
    let home = modules.next();
    for op in body.ops() {
        if op.is("memref.alloc") {
            let v = op.result_value(0).ok_or_else(|| Error::Unsupported("an allocation without result".into()))?;
            temporaries.push(v.id());
            plan.temporaries.push(bytes_of(v.r#type())?);
        }
        if !op.is("gpu.launch_func") {
            continue;
        }
        let symbol = op
            .attr("kernel")
            .and_then(attr::symbol_value)
            .ok_or_else(|| Error::Unsupported("a launch without kernel".into()))?;
        let name = format!("k{}", plan.launches.len());
        let kernel = root
            .find_all("gpu.module")
            .into_iter()
            .find(|m| m.symbol_name() == symbol.first().map(String::as_str))
            .and_then(|m| m.find_all("gpu.func").first().copied())
            .ok_or_else(|| Error::Unsupported("a kernel is missing".into()))?;
        kernel.set_attr("sym_name", attr::string(root.context_ref(), &name));
        let operands = op.operand_values();
        let size = |i: usize| -> Result<u32, Error> {
            operands
                .get(i)
                .and_then(|v| v.defining_op())
                .and_then(|d| d.int_attr("value"))
                .and_then(|n| u32::try_from(n).ok())
                .ok_or_else(|| Error::Unsupported("a launch size that is not known".into()))
        };
        let mut launch = Launch { kernel: name, grid: size(0)?, block: size(3)?, arguments: Vec::new() };
        for v in operands.iter().skip(6) {
            launch.arguments.push(argument(*v, &arguments, &temporaries, inputs)?);
        }
        plan.launches.push(launch);
    }
    // The plan names kernels by their own names from here on.
    host.erase()?;
    // What launches nothing, of empty tensors say, has a plan as well.
    let Some(home) = home else {
        root.set_attr(PLAN, to_attribute(root.context_ref(), &plan));
        return Ok(());
    };
    home.set_attr(PLAN, to_attribute(root.context_ref(), &plan));
    let kernels = home.body(0).ok_or_else(|| Error::Unsupported("a module without body".into()))?;
    for module in modules {
        for kernel in module.find_all("gpu.func") {
            kernels.append_operation(kernel.detach());
        }
        module.erase()?;
    }
    Ok(())
}

fn bytes_of(t: Type<'_>) -> Result<u64, Error> {
    let buffer = Shaped::buffer(t).ok_or_else(|| Error::Unsupported("a temporary that is no buffer".into()))?;
    let element = attr::element_bytes(buffer.element)
        .ok_or_else(|| Error::Unsupported("a temporary whose elements have no whole number of bytes".into()))?;
    let size = |s: Option<i64>| s.and_then(|n| u64::try_from(n).ok());
    buffer
        .sizes
        .into_iter()
        .try_fold(element as u64, |n, s| n.checked_mul(size(s)?))
        .ok_or_else(|| Error::Unsupported("a buffer of unknown size".into()))
}

/// What a kernel argument is in terms of inputs, results and temporaries.
fn argument<'c>(
    v: Value<'c, 'c>,
    arguments: &[Value<'c, 'c>],
    temporaries: &[usize],
    inputs: usize,
) -> Result<PlanArgument, Error> {
    let (Some(buffer), Some(layout)) = (Shaped::buffer(v.r#type()), Layout::of(v.r#type())) else {
        if let Some(n) = v.defining_op().and_then(|d| d.int_attr("value")) {
            return Ok(PlanArgument::Int(n));
        }
        return match arguments.iter().position(|a| a.id() == v.id()) {
            Some(i) => Ok(PlanArgument::Number(i as u16)),
            None => Err(Error::Unsupported(
                "a kernel argument that is no buffer, no constant and no number that the call gives".into(),
            )),
        };
    };
    let mut root = v;
    while let Some(op) = root.defining_op().filter(|op| !op.is("memref.alloc")) {
        root = op.operand_value(0).ok_or_else(|| Error::Unsupported("a buffer from nowhere".into()))?;
    }
    let place = if let Some(i) = arguments.iter().position(|a| a.id() == root.id()) {
        match i.checked_sub(inputs) {
            Some(o) => Place::Output(o as u16),
            None => Place::Input(i as u16),
        }
    } else if let Some(i) = temporaries.iter().position(|id| *id == root.id()) {
        Place::Temporary(i as u16)
    } else {
        return Err(Error::Unsupported("a buffer from nowhere".into()));
    };
    let sizes = buffer.sizes.into_iter().collect::<Option<Vec<_>>>();
    let strides = layout.strides.into_iter().collect::<Option<Vec<_>>>();
    let (Some(sizes), Some(strides), Some(offset)) = (sizes, strides, layout.offset) else {
        return Err(Error::Unsupported("a view whose place is known only at run time".into()));
    };
    Ok(PlanArgument::View { place, offset, sizes, strides })
}
