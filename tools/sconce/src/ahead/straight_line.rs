//! A function without branches whose work is all machine code: which region takes what, and what the results are made of.

use sconce_exec::RegionSpec;
use sconce_exec::object::{Names, names};
use sconce_interpreter::Program;
use sconce_interpreter::program::{Function, Op, Target};
use sconce_tensor::{IValue, Tensor};
use std::collections::HashMap;

/// Where a value comes from.
#[derive(Clone, Debug)]
pub enum Source {
    /// An argument of the function.
    Argument(usize),
    /// A value that is known.
    Constant(IValue),
    /// A result of a step.
    Made {
        /// The place of the step among [`StraightLine::steps`].
        step: usize,
        /// Which of the step's results.
        result: usize,
    },
    /// A tuple or a list.
    Several(Vec<Source>),
}

/// The call of a region's code.
#[derive(Debug)]
pub struct Step {
    pub spec: RegionSpec,
    pub object: Box<[u8]>,
    pub names: Names,
    pub inputs: Vec<Source>,
    /// The sizes of its results.
    pub results: Vec<Vec<i64>>,
}

/// A function as steps one after the other.
#[derive(Debug)]
pub struct StraightLine {
    /// In the order in which they run.
    pub steps: Vec<Step>,
    /// What it gives, tuples and lists taken apart.
    pub results: Vec<Source>,
}

impl StraightLine {
    /// The entry of a program that is called with arguments like these.
    ///
    /// # Errors
    /// The first thing in it that only a runtime does, or that is not known before it runs.
    pub fn of(program: &Program, arguments: &[IValue]) -> Result<StraightLine, String> {
        let entry = program.entry.and_then(|f| program.functions.get(f as usize));
        let function = entry.ok_or("the program has no entry")?;
        let mut line = StraightLine { steps: Vec::new(), results: Vec::new() };
        let mut registers: HashMap<u32, Source> = HashMap::new();
        for (at, i) in function.code.iter().enumerate() {
            let input = |k: usize| {
                let register = function.inputs(i).get(k).map(|operand| operand.register());
                register.and_then(|r| registers.get(&r).cloned()).ok_or_else(|| undone(program, function, at))
            };
            let inputs = || (0..function.inputs(i).len()).map(input).collect::<Result<Vec<_>, _>>();
            let made: Vec<Source> = match i.op {
                // A module that is asked in each call is no value here: whoever asks it is what cannot be done.
                Op::Load => {
                    let own = usize::from(program.object.is_some()).min(function.outputs(i).len());
                    let arguments = function.outputs(i)[own..].iter().copied();
                    registers.extend(arguments.zip((0..).map(Source::Argument)));
                    continue;
                }
                Op::Store => {
                    for source in inputs()? {
                        source.flatten(&mut line.results);
                    }
                    return Ok(line);
                }
                Op::Constant(k) => vec![Source::Constant(program.constants[k as usize].clone())],
                Op::Move => inputs()?,
                Op::Drop => Vec::new(),
                Op::TupleConstruct | Op::NamedTupleConstruct(_) | Op::ListConstruct(_) => {
                    vec![Source::Several(inputs()?)]
                }
                Op::TupleUnpack | Op::ListUnpack => match input(0)? {
                    Source::Several(items) => items,
                    _ => return Err(undone(program, function, at)),
                },
                Op::Region(r) => {
                    let (step, inputs) = (line.steps.len(), inputs()?);
                    let made = line.step(program, r, inputs, arguments)?;
                    (0..made).map(|result| Source::Made { step, result }).collect()
                }
                _ => return Err(undone(program, function, at)),
            };
            registers.extend(function.outputs(i).iter().copied().zip(made));
        }
        Err("the function does not return".into())
    }

    /// Adds the call of a region, and says how many results it has.
    fn step(
        &mut self,
        program: &Program,
        region: u32,
        inputs: Vec<Source>,
        arguments: &[IValue],
    ) -> Result<usize, String> {
        let region = &program.regions[region as usize];
        let code = region.codes.iter().find(|code| code.target == Target::Cpu);
        let code = code.ok_or_else(|| format!("region {} has no code", region.name))?;
        let spec = RegionSpec::from_metadata(&code.metadata).map_err(|e| e.to_string())?;
        if spec.outputs.iter().any(|output| output.number) {
            return Err(format!("region {} gives a number, which the runtime takes from it", region.name));
        }
        let values = inputs.iter().map(|source| self.like(source, arguments)).collect::<Result<Vec<_>, _>>()?;
        let needs = spec
            .check(&values)
            .ok_or_else(|| format!("region {} was compiled for other values than it is given here", region.name))?;
        let results: Vec<Vec<i64>> = needs.results.iter().map(|sizes| sizes.to_vec()).collect();
        let count = results.len();
        let names = names(&code.bytes).map_err(|e| e.to_string())?;
        self.steps.push(Step { spec, object: code.bytes.to_vec().into(), names, inputs, results });
        Ok(count)
    }

    /// A value of the type and the sizes that a source has.
    fn like(&self, source: &Source, arguments: &[IValue]) -> Result<IValue, String> {
        match source {
            Source::Argument(i) => arguments.get(*i).cloned().ok_or_else(|| format!("there is no argument {i}")),
            Source::Constant(value) => Ok(value.clone()),
            Source::Made { step, result } => {
                let step = &self.steps[*step];
                let (sizes, dtype) = (&step.results[*result], step.spec.outputs[*result].dtype);
                Tensor::zeros(sizes, dtype).map(IValue::Tensor).map_err(|e| e.to_string())
            }
            Source::Several(_) => Err("a region takes no lists".into()),
        }
    }
}

impl Source {
    fn flatten(self, all: &mut Vec<Source>) {
        match self {
            Source::Several(items) => items.into_iter().for_each(|item| item.flatten(all)),
            one => all.push(one),
        }
    }
}

/// What an instruction is that is no machine code.
fn undone(program: &Program, function: &Function, at: usize) -> String {
    let what = match function.code[at].op {
        Op::Call(operator) => format!("{} stays with the runtime", program.operators[operator as usize]),
        Op::Jump(_) | Op::JumpUnless(_) | Op::LoopUnless(_) | Op::Next => {
            "a branch or loop stays with the runtime".into()
        }
        Op::GetAttr(name) => format!("the attribute '{}' is read in each call", program.names[name as usize]),
        other => format!("{other:?} stays with the runtime"),
    };
    let place = function.places.get(at).copied().flatten().map(|place| {
        let source = &program.sources[place.source as usize];
        format!("{}:{}:{}: ", source.name(), place.line, place.column + 1)
    });
    place.unwrap_or_default() + &what
}
