//! Executors of functions: which plan runs a call. A plan replaces interpreting, never its result, and a plan that cannot be had costs a line in a report.
//!
//! | here | PyTorch |
//! |---|---|
//! | [`Executor`] | `GraphExecutor` |
//! | [`ExecutorMode`] | `_jit_set_profiling_executor`, `_jit_set_graph_executor_optimize` |
//! | [`Settings::profiled_runs`], [`FusionStrategy`] | `_jit_set_num_profiled_runs`, `_jit_set_fusion_strategy`, bailout depth |
//! | [`ExecutionPlan`], [`Executor::plan_for`] | `ExecutionPlan`, `getPlanFor` |
//! | [`ArgumentSpec`] | `ArgumentSpec` |
//! | [`ProfileRecord`] | `ProfilingRecord` and its `prim::profile` nodes |
//! | [`Executor::debug_state`] | `get_debug_state` |
//! | [`last_executed`] | `last_executed_optimized_graph` |
//!
//! A *profiling* executor watches the first runs ([`ProfileRecord`]) and then asks its [`Compiler`] for a plan for the types that it saw, later for types that
//! no plan lets through, as often as the [`FusionStrategy`] says: `STATIC` plans know every size, `DYNAMIC` ones which sizes are equal. A *traditional* executor has one plan for each
//! [`ArgumentSpec`]. Until a plan is there, and where no guard holds, the function is interpreted, or run by a static plan.
//!
//! Texts of graphs are made by whoever has the graph: a plan says of which [kind](ExecutionPlan::kind) it is, for which
//! [types](ExecutionPlan::argument_types), what it [falls back](ExecutionPlan::fallback) to, and what was [seen](ProfileRecord::seen) at each input of each instruction.
//!
//! ```
//! use sconce_executor::{CompileMode, CompileRequest, Executor, PlanKind, Settings, Setup};
//! use sconce_interpreter::program::{Function, Op, Operand, Parameter, Program};
//! use sconce_interpreter::{Executable, Options};
//! use sconce_schema::Type;
//! use sconce_tensor::{IValue, Tensor};
//! use std::sync::Arc;
//!
//! let mut program = Program::default();
//! let sin = program.operator_id("aten::sin");
//! let mut f = Function { name: "f".into(), registers: 2, ..Function::default() };
//! f.parameters = vec![Parameter::new("x", Type::tensor())];
//! f.results = vec![Type::tensor()];
//! f.push(Op::Load, [0], [], None);
//! f.push(Op::Call(sin), [1], [Operand::moved(0)], None);
//! f.push(Op::Store, [], [Operand::moved(1)], None);
//! program.functions.push(f);
//!
//! // A compiler that has nothing better than the bytecode.
//! let compiler = |request: &CompileRequest| Ok::<_, String>(Program::clone(&request.program));
//! let settings = Settings { compile: CompileMode::Now, ..Settings::current() };
//! let setup = Setup { settings, compiler: Some(Arc::new(compiler)), ..Setup::default() };
//! let executor = Executor::with(Arc::new(Executable::new(program.into())?), 0, setup);
//!
//! let x = vec![IValue::Tensor(Tensor::from_vec(vec![0f32, 1.0], &[2]))];
//! assert_eq!(executor.debug_state().to_string(), "profiling, 1 runs left");
//! executor.run(x.clone(), &Options::default())?;
//! executor.run(x.clone(), &Options::default())?;
//! let plan = executor.plan_for(&x);
//! assert!(matches!(plan.kind(), PlanKind::Compiled(_)));
//! assert_eq!(plan.argument_types().unwrap()[0].to_string(), "Float(2, strides=[1], requires_grad=0, device=cpu)");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
#![forbid(unsafe_code)]

mod argument_spec;
mod background;
mod cache;
mod compiler;
mod debug_state;
mod executor;
mod plan;
mod plan_cache;
mod profile;
mod settings;
mod specialized;
mod strategy;
mod trial;
mod types;

pub use argument_spec::ArgumentSpec;
pub use background::stop_compiling;
pub use cache::{Cache, CacheError, CacheOptions, CachePlace, CachedCompiler, Key, KeyBuilder, Store};
pub use compiler::{BindRegions, CompileRequest, Compiler, Constant};
pub use debug_state::{Counters, DebugState, PlanRow};
pub use executor::{Executor, Report, Setup, last_executed};
pub use plan::{ExecutionPlan, PlanKind};
pub use profile::{ProfileRecord, Profiled, Site, WATCH, Watch, Watched};
pub use settings::{CompileMode, ExecutorMode, NumericsMode, Scope, Settings, UnknownWord};
pub use strategy::{FusionStrategy, Specialization, StrategyError};
pub use types::{TypeGuard, complete, listed};
