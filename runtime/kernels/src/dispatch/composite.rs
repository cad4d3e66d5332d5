//! A composite operator computes what its definition says: calls of other operators, with branches and loops between them.
//!
//! The definitions are TorchScript (`frontend/prelude/composites`); `cargo xtask codegen` compiles them to the listings of `table/composites`.

mod listing;

use crate::{Bound, Call, Error, Outputs};
use sconce_packed::Texts;
use sconce_schema::Type;
use sconce_tensor::IValue;
use smallvec::SmallVec;
use std::collections::HashMap;
use std::ops::Range;
use std::sync::{LazyLock, OnceLock};

/// What a definition says, read. Values are numbered: the operator's arguments, then the results of each step.
#[derive(Debug)]
pub struct Definition {
    /// Of all values, those of blocks too.
    pub types: Vec<Type>,
    pub constants: Vec<IValue>,
    pub body: Block,
}

/// Steps, and what is left of them.
#[derive(Debug)]
pub struct Block {
    /// Of a loop's body: the number of the turn, then what the turn before left.
    pub inputs: Range<u32>,
    pub steps: Vec<Step>,
    pub results: Vec<Operand>,
}

#[derive(Debug)]
pub struct Step {
    pub what: What,
    pub operands: Vec<Operand>,
    pub results: Range<u32>,
}

/// What a step does with its operands.
#[derive(Debug)]
pub enum What {
    Call(Callee),
    /// A list of the operands.
    List(Type),
    Tuple,
    /// The items of a list or tuple, one a result.
    Unpack,
    /// The first block where the operand is true, else the second.
    If(Box<[Block; 2]>),
    /// As `prim::Loop`: at most so many turns, as long as a condition holds; what turns leave is the condition and what they carry.
    Loop(Box<Block>),
    /// A message, and the class that it is raised as.
    Raise,
}

/// An operator, found when it is first called: its definition may be this one's neighbour.
pub struct Callee {
    pub entry: &'static sconce_schema::OpEntry,
    bound: OnceLock<Bound>,
}

impl std::fmt::Debug for Callee {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.entry.name)
    }
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Operand {
    Value(u32),
    /// A value that nothing reads afterwards.
    Last(u32),
    Constant(u32),
}

/// What composite operators compute: the listings of all definitions, a family each.
static LISTINGS: Texts = include!(concat!(env!("OUT_DIR"), "/listings.rs"));

/// A listing, read when it is first asked for.
struct Known {
    text: &'static str,
    definition: OnceLock<Result<Definition, listing::Malformed>>,
}

/// By the operator's name.
static KNOWN: LazyLock<HashMap<&'static str, Known>> = LazyLock::new(|| {
    static FAMILIES: LazyLock<Vec<(&str, String)>> = LazyLock::new(|| LISTINGS.unpack());
    let listed = FAMILIES.iter().flat_map(|(_, family)| listing::split(family));
    listed.map(|(name, text)| (name, Known { text, definition: OnceLock::new() })).collect()
});

/// The operators that have a definition.
pub fn names() -> impl Iterator<Item = &'static str> {
    KNOWN.keys().copied()
}

/// The definition of an operator; `None` where it has none.
///
/// # Errors
/// Its listing cannot be read.
pub fn definition(name: &str) -> Result<Option<&'static Definition>, Error> {
    let Some(known) = KNOWN.get(name) else { return Ok(None) };
    let read = known.definition.get_or_init(|| listing::read(known.text));
    read.as_ref().map(Some).map_err(|e| Error::runtime(format!("{name}: {e}")))
}

/// The kernel of every composite operator.
pub fn evaluate(call: &Call<'_>, args: &mut [IValue]) -> Result<Outputs, Error> {
    let name = call.entry.name;
    let definition = definition(name)?.ok_or_else(|| Error::Missing { op: name.to_string(), needs: None })?;
    let mut values: Values = SmallVec::new();
    values.extend(args.iter_mut().map(std::mem::take));
    values.resize(definition.types.len(), IValue::None);
    Frame { constants: &definition.constants, values }.block(&definition.body)
}

type Values = SmallVec<[IValue; 24]>;

/// One evaluation: what the values are so far.
struct Frame<'d> {
    constants: &'d [IValue],
    values: Values,
}

impl Frame<'_> {
    fn read(&mut self, operand: Operand) -> Result<IValue, Error> {
        let missing = || Error::runtime("a definition reads what it has not computed");
        match operand {
            Operand::Value(i) => self.values.get(i as usize).cloned(),
            Operand::Last(i) => self.values.get_mut(i as usize).map(std::mem::take),
            Operand::Constant(i) => self.constants.get(i as usize).cloned(),
        }
        .ok_or_else(missing)
    }

    fn write(&mut self, range: &Range<u32>, results: impl IntoIterator<Item = IValue>) -> Result<(), Error> {
        let mut results = results.into_iter();
        for i in range.clone() {
            let value = results.next().ok_or_else(|| Error::runtime("a step gives fewer values than it is to"))?;
            self.values[i as usize] = value;
        }
        Ok(())
    }

    fn block(&mut self, block: &Block) -> Result<Outputs, Error> {
        block.steps.iter().try_for_each(|step| self.step(step))?;
        block.results.iter().map(|r| self.read(*r)).collect()
    }

    fn step(&mut self, step: &Step) -> Result<(), Error> {
        let mut operands: SmallVec<[IValue; 8]> =
            step.operands.iter().map(|o| self.read(*o)).collect::<Result<_, _>>()?;
        match &step.what {
            What::Call(callee) => {
                let bound = match callee.bound.get() {
                    Some(bound) => *bound,
                    None => *callee.bound.get_or_init({
                        let bound = Bound::new(callee.entry)?;
                        move || bound
                    }),
                };
                let results = bound.call(&mut operands)?;
                self.write(&step.results, results)
            }
            What::List(element) => self.write(&step.results, [IValue::list(element.clone(), operands)]),
            What::Tuple => self.write(&step.results, [IValue::tuple(operands)]),
            What::Unpack => {
                let items = match operands.first() {
                    Some(IValue::List(list)) => list.to_vec(),
                    Some(other) => other.as_tuple()?.items.to_vec(),
                    None => Vec::new(),
                };
                if items.len() != step.results.len() {
                    let message =
                        format!("Expected {} elements in a list but found {}", step.results.len(), items.len());
                    return Err(Error::runtime(message));
                }
                self.write(&step.results, items)
            }
            What::If(blocks) => {
                let holds = operands.first().map_or(Ok(false), IValue::as_bool)?;
                let results = self.block(&blocks[usize::from(!holds)])?;
                self.write(&step.results, results)
            }
            What::Loop(body) => self.turns(body, operands, &step.results),
            What::Raise => {
                let text = |i: usize| operands.get(i).and_then(|v| v.as_str().ok()).unwrap_or_default();
                Err(Error::Raised { class: class_of(text(1)), message: text(0).to_owned() })
            }
        }
    }

    fn turns(&mut self, body: &Block, mut operands: SmallVec<[IValue; 8]>, results: &Range<u32>) -> Result<(), Error> {
        let mut carried: Outputs = operands.drain(2.min(operands.len())..).collect();
        let [most, holds] = &operands[..] else { return Err(Error::runtime("a loop without a condition")) };
        let (most, mut holds) = (most.as_int()?, holds.as_bool()?);
        let mut turn = 0;
        while holds && turn < most {
            self.write(&body.inputs, std::iter::once(IValue::Int(turn)).chain(carried))?;
            let mut left = self.block(body)?;
            if left.is_empty() {
                return Err(Error::runtime("a turn of a loop gives no condition"));
            }
            holds = left.remove(0).as_bool()?;
            carried = left;
            turn += 1;
        }
        self.write(results, carried)
    }
}

/// The Python class of an exception by its qualified name.
fn class_of(qualified: &str) -> &'static str {
    const CLASSES: [&str; 6] =
        ["_LinAlgError", "ValueError", "IndexError", "NotImplementedError", "TypeError", "AssertionError"];
    let short = qualified.rsplit('.').next().unwrap_or(qualified);
    CLASSES.iter().find(|c| **c == short).copied().unwrap_or("RuntimeError")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_listing_is_read_and_its_operators_have_kernels() {
        let mut calls = 0;
        fn all(block: &Block, name: &str, calls: &mut usize) {
            for step in &block.steps {
                match &step.what {
                    What::Call(callee) => {
                        *calls += 1;
                        assert!(Bound::new(callee.entry).is_ok(), "{name}: {callee:?} has no kernel");
                    }
                    What::If(blocks) => blocks.iter().for_each(|b| all(b, name, calls)),
                    What::Loop(body) => all(body, name, calls),
                    _ => {}
                }
            }
        }
        for name in names() {
            let definition = definition(name).unwrap().unwrap();
            all(&definition.body, name, &mut calls);
        }
        assert!(calls > 0);
    }

    #[test]
    fn branches_loops_and_lists() {
        // Fibonacci numbers while they are below a bound, the last pair.
        let text = "%0:int\n\
            %1:int, %2:int = loop 100 True 0 1\n\
            | %3:int, %4:int, %5:int\n\
            %6:int = aten::add.int %4 %5\n\
            %7:bool = aten::lt.int %6 %0\n\
            yield %7 %5 %6\n\
            %8:int[] = list[int] %1 %2\n\
            %9:int, %10:int = unpack %8\n\
            %11:bool = aten::gt.int %10 50\n\
            %12:int = if %11\n\
            yield %9\n\
            else\n\
            raise \"too \\\"small\\\"\" \"builtins.ValueError\"\n\
            yield %10\n\
            return %12\n";
        let definition = listing::read(text).unwrap();
        let run = |bound: i64| {
            let mut values: Values = SmallVec::new();
            values.push(IValue::Int(bound));
            values.resize(definition.types.len(), IValue::None);
            Frame { constants: &definition.constants, values }.block(&definition.body)
        };
        assert_eq!(run(90).unwrap()[0].as_int().unwrap(), 89);
        let error = Error::Raised { class: "ValueError", message: "too \"small\"".into() };
        assert_eq!(run(5).unwrap_err(), error);
        for bad in ["", "%0:int\nreturn %7\n", "%0:int\n%1 = aten::nothing %0\nreturn %1\n", "%0:int\nif %0\nyield\n"] {
            assert!(listing::read(bad).is_err(), "{bad}");
        }
    }
}
