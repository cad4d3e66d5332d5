//! A function for the types it is called with: types are refined, regions outlined and compiled, and what remains becomes bytecode around them.

use crate::checked::{Stopped, Watched, fuelled, steps};
use crate::choice::{Chosen, Failed, place};
use sconce_analysis::refine::{Shape, specialize};
use sconce_analysis::types::Tensor as TensorShape;
use sconce_bytecode::RegionArtifact;
use sconce_cpu::{CodeOptions, RegionResult};
use sconce_exec::{cpu_code, ptx_code};
use sconce_interpreter::program::RegionCode;
use sconce_ir::codegen::Target;
use sconce_ir::diagnostics::{Diagnostic, Severity};
use sconce_ir::prelude::*;
use sconce_pass::{Pass, refusals};
use sconce_passes::{Functionalize, FuseConvPointwise};
use sconce_regions::{Options as OutlineOptions, Report, Taken, Target as _, outline};
use sconce_request::{ArgumentSignature, Compiled, CompiledRegion, Job, Refusal, Rewrites, Validation, Writes};
use sconce_schema::Type;
use sconce_schema::types::{Dim, TensorType};
use sconce_source::SourceMap;
use sconce_torch::OFFERED;
use sconce_validate::{Given, copy_of, pass_of};
use std::collections::BTreeMap;

fn text(e: impl std::fmt::Display) -> String {
    e.to_string()
}

fn shape(argument: &ArgumentSignature) -> Shape {
    match argument {
        ArgumentSignature::Any => Shape::Any,
        ArgumentSignature::Tensor(dtype, sizes) => Shape::Tensor(TensorShape {
            value: false,
            sizes: Some(sizes.iter().copied().collect()),
            dtype: Some(*dtype),
        }),
        ArgumentSignature::Tuple(items) => Shape::Tuple(items.iter().map(shape).collect()),
    }
}

/// The same as a type of TorchScript.
fn ty(argument: &ArgumentSignature) -> Option<Type> {
    let size = |n: &Option<i64>| n.map_or(Dim::Unknown, Dim::Known);
    match argument {
        ArgumentSignature::Any => None,
        ArgumentSignature::Tensor(dtype, sizes) => {
            let sizes = Some(sizes.iter().map(size).collect());
            Some(Type::Tensor(TensorType { dtype: Some(*dtype), sizes, ..TensorType::default() }.into()))
        }
        ArgumentSignature::Tuple(items) => items.iter().map(ty).collect::<Option<_>>().map(Type::Tuple),
    }
}

/// What became of a module on its way to regions.
#[derive(Default)]
pub(crate) struct Outcome {
    pub report: Report,
    pub writes: Writes,
    pub validation: Validation,
    /// What passes said, a sentence each.
    pub said: Vec<String>,
}

/// Calls in a function of operators that write.
fn writes(function: Option<OperationRef<'_, '_>>) -> u32 {
    let mut count = 0;
    if let Some(function) = function {
        function.walk_pre(&mut |op| {
            count += u32::from(sconce_torch::entry(op).is_some_and(|entry| !entry.effect().writes.is_empty()));
            Walk::Advance
        });
    }
    count
}

/// The pipeline that comes when types are known, with values rewritten in this way.
pub(crate) fn typed(strict: bool, rewrites: Rewrites) -> Result<String, Stopped> {
    let steps = steps(sconce_passes::typed(strict))?;
    let rewritten = |step: String| match (pass_of(&step), rewrites) {
        ("egraph", Rewrites::Off) => None,
        ("egraph", Rewrites::Greedy) => Some(step.replacen('{', "{strategy=greedy ", 1)),
        ("egraph", Rewrites::Approximate) => Some(step.replacen("class=reassociates", "class=approximates", 1)),
        _ => Some(step),
    };
    Ok(steps.into_iter().filter_map(rewritten).collect::<Vec<_>>().join(","))
}

/// A part of the way to a module whose regions can be outlined.
#[derive(Clone, Debug)]
pub(crate) enum Stage {
    Passes(String),
    /// Types are those of the job's signature.
    Specialize,
}

/// The whole way.
pub(crate) fn stages(job: &Job) -> Result<Vec<Stage>, Stopped> {
    let typed = typed(job.strict, job.rewrites)?;
    let fixed = [Stage::Passes(sconce_passes::DEFAULT.into()), Stage::Specialize, Stage::Passes(typed)];
    Ok(fixed.into_iter().chain(job.passes.clone().map(Stage::Passes)).collect())
}

/// Tells the function which attributes may be constants.
pub(crate) fn offer(module: &Module<'_>, job: &Job) -> Result<(), String> {
    let called = SymbolTable::of(module.as_operation()).get(&job.function);
    let called = called.ok_or_else(|| format!("there is no function {}", job.function))?;
    if !job.attributes.is_empty() {
        let context = called.context_ref();
        let offered: Vec<_> =
            job.attributes.iter().map(|a| (a.path.as_str(), attr::i64(context, a.storage.into()))).collect();
        called.set_attr(OFFERED, attr::dict(context, &offered));
    }
    Ok(())
}

/// Gives the function the types of the job's signature; others are refined by what they declare.
pub(crate) fn specialize_all(module: &Module<'_>, job: &Job) -> Result<(), String> {
    let shapes: Vec<Shape> = job.signature.0.iter().map(shape).collect();
    for f in module.as_operation().find_all("func.func") {
        let is_called = f.symbol_name() == Some(&job.function);
        specialize(f, if is_called { &shapes } else { &[] }).map_err(text)?;
    }
    Ok(())
}

/// The module with types as the signature has them, and its regions outlined.
pub(crate) fn outlined(module: &Module<'_>, job: &Job) -> Result<Outcome, Stopped> {
    let mut outcome = typed_module(module, job)?;
    outcome.report = regions_of(module, job, &Chosen::of(job))?;
    Ok(outcome)
}

/// The same without its regions.
fn typed_module(module: &Module<'_>, job: &Job) -> Result<Outcome, Stopped> {
    let (outcome, fuel) = fuelled(job.checks, || prepared(module, job));
    let mut outcome = outcome?;
    outcome.said.extend(fuel);
    Ok(outcome)
}

fn regions_of(module: &Module<'_>, job: &Job, chosen: &Chosen<'_>) -> Result<Report, Stopped> {
    let (views, unseen_layouts) = (job.alone.is_some(), !job.strict);
    let options = OutlineOptions { views, unseen_layouts, ..OutlineOptions::default() };
    let report = outline(module.as_operation(), chosen, &options)?;
    verify(module.as_operation())?;
    Ok(report)
}

/// Regions and their code. What is around a branch or a loop of which no code could be made is compiled without it, in a copy of the module, which is given then: the
/// whole would be interpreted otherwise.
fn with_code<'c>(
    module: &Module<'c>,
    job: &Job,
    code: &CodeOptions,
) -> Result<(Outcome, Vec<RegionResult>, Option<Module<'c>>), Stopped> {
    let mut outcome = typed_module(module, job)?;
    let root = module.as_operation();
    let copy = (!root.find_all("torch.prim.Loop").is_empty()).then(|| copy_of(module)).transpose()?;
    let (report, refused) = refusals::collect(|| regions_of(module, job, &Chosen::of(job)));
    let results = sconce_cpu::compile_regions(root, code);
    let failed = failed_flow(root, &results);
    let Some(copy) = copy.filter(|_| !failed.is_empty()) else {
        refused.into_iter().for_each(refusals::refuse);
        outcome.report = report?;
        return Ok((outcome, results, None));
    };
    outcome.report = regions_of(&copy, job, &Chosen::without(job, &failed))?;
    let results = sconce_cpu::compile_regions(copy.as_operation(), code);
    Ok((outcome, results, Some(copy)))
}

/// The branches and loops of regions that have no code.
fn failed_flow(root: OperationRef<'_, '_>, results: &[RegionResult]) -> Failed {
    let mut failed = Failed::new();
    for region in root.find_all("sconce.region") {
        let result = results.iter().find(|result| region.str_attr("name") == Some(&result.name));
        let Some(Err(why)) = result.map(|result| &result.outcome) else { continue };
        let why = why.lines().next().unwrap_or_default();
        let flow = ["torch.prim.Loop", "torch.prim.If"].into_iter().flat_map(|name| region.find_all(name));
        failed.extend(flow.map(|op| (place(op), why.to_owned())));
    }
    failed
}

/// The module with types, and what was done to it.
fn prepared(module: &Module<'_>, job: &Job) -> Result<Outcome, Stopped> {
    offer(module, job)?;
    let called = || SymbolTable::of(module.as_operation()).get(&job.function);
    // It is right for arguments of these types, whatever the program declares.
    let given = Given { types: job.signature.0.iter().map(ty).collect(), ..Given::default() };
    let mut watched = Watched::new(module, job.checks, BTreeMap::from([(job.function.clone(), given)]))?;
    let mut outcome = Outcome::default();
    for stage in stages(job)? {
        match stage {
            Stage::Passes(pipeline) => outcome.said.extend(watched.run(&pipeline)?.into_iter().filter_map(sentence)),
            Stage::Specialize => {
                specialize_all(module, job)?;
                watched.look("specialize-inputs")?;
                outcome.writes.before = writes(called());
            }
        }
    }
    // What stays with the runtime's kernel takes along what is done to its results.
    let stays = |op: OperationRef<'_, '_>| !matches!(Chosen::of(job).takes(op), Ok(Taken::Code));
    sconce_passes::fuse_conv_pointwise(module.as_operation(), stays).map_err(text)?;
    watched.look(FuseConvPointwise::NAME)?;
    let stay = called().map(sconce_passes::writes_that_stay).unwrap_or_default();
    outcome.writes.stay = stay.into_iter().map(refusal).collect();
    outcome.validation = watched.finish();
    Ok(outcome)
}

/// A refusal as others are told of it.
fn refusal(refused: refusals::Refusal) -> Refusal {
    let refusals::Refusal { pass, operator, place, code, why, .. } = refused;
    let place = place.map(|place| place.to_string()).unwrap_or_default();
    Refusal { pass: pass.into(), operator, place, code: code.into(), why }
}

/// What a pass remarked upon, with its place.
fn sentence(remark: Diagnostic) -> Option<String> {
    let text = match remark.place {
        Some(place) => format!("{place}: {}", remark.message),
        None => remark.message,
    };
    (remark.severity == Severity::Remark).then_some(text)
}

/// PTX of every region that has some; a note says why one has none.
fn gpu_codes(module: &Module<'_>, notes: &mut Vec<String>) -> BTreeMap<String, Vec<RegionCode>> {
    let mut codes = BTreeMap::new();
    for (name, outcome) in sconce_gpu::compile_regions(module.as_operation()) {
        match outcome {
            Ok((spec, compiled)) => {
                let code = |(chip, text): &(String, String)| ptx_code(&spec, &compiled.plan, chip, text);
                codes.insert(name, compiled.ptx.iter().map(code).collect());
            }
            Err(why) => notes.push(format!("region {name} has no GPU code: {why}")),
        }
    }
    codes
}

/// What the program keeps of each region's code: the object for the processor, and PTX beside it.
fn artifacts(
    results: &[RegionResult],
    ptx: &BTreeMap<String, Vec<RegionCode>>,
    target: &Target,
) -> Result<BTreeMap<String, RegionArtifact>, String> {
    let (cpu, features) = target.processor().map_err(text)?;
    let artifact = |r: &RegionResult| {
        let object = r.outcome.as_ref().ok().map(|o| cpu_code(&o.spec, &o.object, &cpu, &features));
        let ptx = ptx.get(&r.name).cloned().unwrap_or_default();
        // The code's own specification says more than the Program's guards can; loading it checks that.
        (r.name.clone(), RegionArtifact { guards: Vec::new(), codes: object.into_iter().chain(ptx).collect() })
    };
    Ok(results.iter().map(artifact).collect())
}

/// Compiles a function. A region that cannot be compiled is interpreted, and the answer says why.
pub(crate) fn compile(
    module: &Module<'_>,
    job: &Job,
    sources: &mut SourceMap,
    code: &CodeOptions,
) -> Result<Compiled, Stopped> {
    let (made, refused) = refusals::collect(|| with_code(module, job, code));
    let (Outcome { report: outlined, writes, validation, said: mut notes }, results, copy) = made?;
    let module = copy.as_ref().unwrap_or(module);
    // Writes that were refused may be gone: those that stay are asked for in the end.
    let refused = refused.into_iter().filter(|r| r.function == job.function && r.pass != Functionalize::NAME);
    let refusals = refused.map(refusal).collect();
    let ptx = match (job.gpu, job.strict) {
        (true, false) => gpu_codes(module, &mut notes),
        // PTX contracts products and sums.
        (true, true) => {
            notes.push(
                "strict numerics: a GPU does not give the interpreter's bits, so there is no code for one".into(),
            );
            BTreeMap::new()
        }
        (false, _) => BTreeMap::new(),
    };
    let unit = crate::unit(module, sources)?;
    let program = sconce_bytecode::lower(&unit, &artifacts(&results, &ptx, &code.target)?)?;
    let operators = |name: &str| {
        let region = outlined.regions.iter().find(|r| r.name == name);
        region.map(|r| r.operators.clone()).unwrap_or_default()
    };
    let regions = results.into_iter().map(|r| CompiledRegion {
        operators: operators(&r.name),
        bytes: r.outcome.as_ref().map_or(0, |object| object.object.len()),
        failure: r.outcome.err(),
        name: r.name,
    });
    Ok(Compiled {
        program: program.to_bytes()?.into(),
        regions: regions.collect(),
        refusals,
        writes,
        validation,
        notes,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::time::Duration;

    const LOOP: &str = "func.func @f(%n: !torch.int, %x: !torch.tensor<[4],f32>) -> !torch.tensor<[4],f32> {
  %true = torch.constant.bool true
  %one = torch.constant.int 1
  %r = torch.prim.Loop %n, %true, init(%x) {
  ^bb0(%i: !torch.int, %a: !torch.tensor<[4],f32>):
    %b = torch.aten.add.Tensor %a, %x, %one : !torch.tensor<[4],f32>, !torch.tensor<[4],f32>, !torch.int -> !torch.tensor<[4],f32>
    torch.prim.Loop.condition %true, iter(%b : !torch.tensor<[4],f32>)
  } : (!torch.int, !torch.bool, !torch.tensor<[4],f32>) -> !torch.tensor<[4],f32>
  return %r : !torch.tensor<[4],f32>
}
";

    #[test]
    fn a_loop_that_no_code_can_be_made_for_is_interpreted_around_code() {
        let context = sconce_torch::context(false).unwrap();
        let module = parse_module(&context, LOOP.as_bytes(), "loop.mlir").unwrap();
        let copy = copy_of(&module).unwrap();
        let job = Job { function: "f".into(), ..Job::default() };
        let report = |module, chosen: &Chosen<'_>| regions_of(module, &job, chosen).ok().expect("it outlines");
        let whole = report(&module, &Chosen::of(&job));
        let around = |root: OperationRef<'_, '_>| root.find_all("sconce.region")[0].find_all("torch.prim.Loop").len();
        assert_eq!((whole.regions.len(), around(module.as_operation())), (1, 1), "the loop is code");
        let result = RegionResult {
            name: whole.regions[0].name.clone(),
            outcome: Err("it does not fit\nin detail".into()),
            time: Duration::ZERO,
        };
        let failed = failed_flow(module.as_operation(), &[result]);
        let parts = report(&copy, &Chosen::without(&job, &failed));
        assert_eq!((parts.regions.len(), around(copy.as_operation())), (1, 0), "what is in it is code");
        let told = parts.not_taken.iter().find(|refusal| refusal.code == "no-code").expect("somebody is told");
        assert_eq!((&*told.operator, &*told.why), ("prim::Loop", "it does not fit"));
    }
}
