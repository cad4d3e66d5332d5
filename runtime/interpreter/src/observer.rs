//! Whoever watches a run is told of every operator that the program calls, before and after, in the order of the calls.

use crate::program::{Op, Pc, Place};
use sconce_source::SourceText;
use sconce_tensor::IValue;
use std::sync::Arc;

/// Watches runs ([`crate::Options::observer`]): what a tracer or a profiler needs.
///
/// Told are the operators that the program itself calls, with all arguments of the schema, defaults included; not what an operator calls
/// inside; of a compiled region that it ran, not what it computes. An instruction that stands for an operator is told as that operator. Tasks that run in
/// several threads tell as they go.
///
/// ```
/// use sconce_interpreter::program::{Function, Op, Operand, Parameter, Program};
/// use sconce_interpreter::{Executable, Observer, Options};
/// use sconce_schema::Type;
/// use sconce_tensor::IValue;
/// use std::sync::{Arc, Mutex};
///
/// #[derive(Default)]
/// struct Names(Mutex<Vec<String>>);
/// impl Observer for Names {
///     fn before(&self, operator: &str, arguments: &[IValue]) {
///         self.0.lock().expect("no panic").push(format!("{operator}{arguments:?}"));
///     }
/// }
///
/// let mut f = Function { name: "twice".into(), registers: 2, ..Function::default() };
/// f.parameters = vec![Parameter::new("a", Type::Int)];
/// f.results = vec![Type::Int];
/// f.push(Op::Load, [0], [], None);
/// f.push(Op::Call(0), [1], [Operand::copy(0), Operand::moved(0)], None);
/// f.push(Op::Store, [], [Operand::moved(1)], None);
/// let program = Program { functions: vec![f], operators: vec!["aten::add.int".into()], ..Program::default() };
///
/// let names = Arc::new(Names::default());
/// let options = Options { observer: Some(names.clone()), ..Options::default() };
/// Executable::new(program.into())?.run(0, vec![IValue::Int(21)], &options)?;
/// assert_eq!(*names.0.lock().expect("no panic"), ["aten::add.int[21, 21]"]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub trait Observer: Send + Sync {
    /// The next operator is called by this instruction of a function; where its source is known, from this place of it.
    fn at(&self, function: &str, pc: Pc, place: Option<(&Arc<SourceText>, Place)>) {
        let _ = (function, pc, place);
    }

    /// An operator, named with its overload (`aten::add.Tensor`), is about to run with these arguments.
    fn before(&self, operator: &str, arguments: &[IValue]);

    /// It has run: its results, or its error's message.
    fn after(&self, operator: &str, results: Result<&[IValue], &str>) {
        let _ = (operator, results);
    }

    /// The compiled region that an instruction calls has run.
    fn region(&self, function: &str, pc: Pc, arguments: &[IValue], results: &[IValue]) {
        let _ = (function, pc, arguments, results);
    }
}

/// The operator that an instruction stands for, and its arguments.
pub(crate) fn operator_of(op: Op, inputs: &[IValue]) -> Option<(&'static str, Vec<IValue>)> {
    match op {
        Op::ConstantChunk { chunks, dim } => {
            let numbers = [IValue::Int(chunks.into()), IValue::Int(dim.into())];
            Some(("aten::chunk", inputs.iter().cloned().chain(numbers).collect()))
        }
        _ => None,
    }
}
