//! `clip-approximate-gelu`: GELU becomes quick GELU, for those who want its speed for its bits.

use sconce_ir::prelude::*;
use sconce_ir::torch_type::Parts;
use sconce_pass::{Failure, Pass, PassOption, PassResult, PassRun};

/// The pass. Results change by up to 0.02, so that no pipeline has it unless somebody names it.
pub struct ApproximateGelu;

impl Pass for ApproximateGelu {
    const NAME: &'static str = "clip-approximate-gelu";
    const DESCRIPTION: &'static str = "Replace GELU by x * sigmoid(alpha * x), which is close to it";
    const ANCHOR: Option<&'static str> = None;
    const OPTIONS: &'static [PassOption] = &[PassOption::str("alpha", "the factor in the logistic function", "1.702")];
    const DIALECTS: &'static [&'static str] = &["torch"];

    fn run(root: OperationRef<'_, '_>, run: &PassRun<'_>) -> PassResult {
        let alpha = run.str("alpha");
        let alpha: f64 = alpha.parse().map_err(|_| Failure::new(format!("alpha: expected a number, not `{alpha}`")))?;
        root.find_all("torch.aten.gelu").into_iter().try_for_each(|gelu| replace(gelu, alpha))
    }
}

fn replace(gelu: OperationRef<'_, '_>, alpha: f64) -> PassResult {
    let (context, location) = (gelu.context_ref(), gelu.location());
    let Some(x) = gelu.operand_value(0) else { return Ok(()) };
    let at = Builder::before(gelu);
    let float = Parts::word("float").to_type(context).ok_or_else(|| Failure::new("the torch dialect is not loaded"))?;
    let alpha = at.op("torch.constant.float", location).attr("value", attr::f64(context, alpha)).results(&[float]);
    let alpha = alpha.build_value()?;
    let quick = at.op("torch.clip.quick_gelu", location).operands(&[x, alpha]).results(&gelu.result_types());
    gelu.replace_with(&[quick.build_value()?])?;
    Ok(())
}
