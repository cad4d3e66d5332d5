//! Programs of register bytecode, and the interpreter that runs them: no program, and no file that claims to be one, ends the process.
//!
//! | here | PyTorch |
//! |---|---|
//! | [`Program`], [`Function`] | `Code`: instructions with input registers, move flags and output registers |
//! | [`Executable`] | `Code` with its operators found; shared by all runs and threads |
//! | [`Executable::run`], [`Executable::run_async`] | `InterpreterState::run`, `runAsync` |
//! | [`Execution`] | `InterpreterState`: frames and registers, suspended at `wait` and resumed on any thread |
//! | [`CompiledRegion`] | a fusion group's kernel |
//!
//! ```
//! use sconce_interpreter::program::{Function, Op, Operand, Parameter, Program};
//! use sconce_interpreter::{Executable, Options};
//! use sconce_schema::Type;
//! use sconce_tensor::IValue;
//!
//! let parameter = |name: &str| Parameter::new(name, Type::Int);
//! let mut f = Function { name: "pair".into(), registers: 3, ..Function::default() };
//! f.parameters = vec![parameter("a"), parameter("b")];
//! f.results = vec![Type::Tuple([Type::Int, Type::Int].into())];
//! f.push(Op::Load, [0, 1], [], None);
//! f.push(Op::TupleConstruct, [2], [Operand::moved(1), Operand::moved(0)], None);
//! f.push(Op::Store, [], [Operand::moved(2)], None);
//! let program = Program { functions: vec![f], ..Program::default() };
//! assert_eq!(program.listing(0), "0, 1 = Load\n2 = TupleConstruct move(1), move(0)\n = Store move(2)\n");
//!
//! let executable = Executable::new(program.into())?;
//! let out = executable.run(0, vec![IValue::Int(1), IValue::Int(2)], &Options::default())?;
//! assert_eq!(format!("{:?}", out[0]), "(2, 1)");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
#![forbid(unsafe_code)]

mod arguments;
mod bind;
mod coalesce;
pub mod cost;
mod error;
mod executable;
pub mod format;
mod fuel;
mod infer;
mod listing;
pub mod liveness;
mod machine;
mod observer;
pub mod outcome;
mod prepare;
mod prepared;
mod profile;
pub mod program;
mod region;
mod steps;
mod structural;
mod tasks;
mod tuples;

pub use bind::{BindError, bind};
pub use error::{Cause, RunError, TraceEntry};
pub use executable::{
    CustomKernel, CustomOperators, Executable, LoadError, MissingOperators, Options, Output, register_types,
};
pub use format::{FormatError, MAGIC};
pub use fuel::{Fuel, Stopped};
pub use observer::Observer;
pub use profile::{Event, Profile, Row, Times};
pub use program::{Function, Program};
pub use region::{CompiledRegion, RegionCounts};
pub use structural::{apply, is_true};
pub use tasks::{Execution, Progress};
