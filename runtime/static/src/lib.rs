//! Plans of functions, made before they run: which kernel computes what, in which of three ways, and where its result lies. A run then finds every place
//! ready, and its results are those of the interpreter whatever the plan says.
//!
//! | here | PyTorch |
//! |---|---|
//! | [`StaticModule`] | `StaticModule`: the plan, shared by all threads |
//! | [`StaticRuntime`] | `StaticRuntime`: one instance, one thread at a time |
//! | [`StaticModule::run`] | a pool of instances behind a function that any thread may call |
//! | [`Options`] | `StaticModuleOptions` |
//! | [`Launcher`] | `TaskLauncher` |
//!
//! A node's mode is the first of three that it can have: *out*, the kernel puts its result where it is told to; *native*, the kernel or the instruction runs
//! here but makes its own result (views, numbers, containers); *interpreter*, everything else. Whether a kernel takes the place it is offered shows in the
//! first run.
//!
//! A run like the last one asks the system for no memory. Results lie in the slab or the arena; what kernels need besides (temporaries, results whose place is
//! still held, handles of views, lists and strings) is what the thread's earlier runs gave up: [`sconce_tensor::reserve`], [`sconce_kernels::scratch`].
//!
//! One planner serves a whole function with its branches and loops: results of two branches may share memory, and results that leave a block are managed like
//! others. Functions that are called or forked have plans and planners of their own.
//!
//! ```
//! use sconce_interpreter::program::{Function, Op, Operand, Parameter, Program};
//! use sconce_schema::Type;
//! use sconce_static::{Options, StaticModule};
//! use sconce_tensor::{IValue, Tensor};
//!
//! let mut program = Program::default();
//! let relu = program.operator_id("aten::relu");
//! let mut f = Function { name: "twice".into(), registers: 3, ..Function::default() };
//! f.parameters = vec![Parameter::new("x", Type::tensor())];
//! f.results = vec![Type::tensor()];
//! f.push(Op::Load, [0], [], None);
//! f.push(Op::Call(relu), [1], [Operand::moved(0)], None);
//! f.push(Op::Call(relu), [2], [Operand::moved(1)], None);
//! f.push(Op::Store, [], [Operand::moved(2)], None);
//! program.functions.push(f);
//!
//! let module = StaticModule::new(&program, 0, &Default::default(), Options::default())?;
//! let mut runtime = module.runtime();
//! let x = IValue::Tensor(Tensor::from_vec(vec![-1f32, 2.0], &[2]));
//! for _ in 0..3 {
//!     let y = runtime.run(std::slice::from_ref(&x))?;
//!     assert_eq!(y[0].as_tensor()?.to_vec::<f32>(), [0.0, 2.0]);
//! }
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
#![forbid(unsafe_code)]

mod blocks;
mod concat_in_place;
mod instance;
mod listing;
mod live;
mod loops;
mod module;
mod options;
mod plan;
mod planner;
mod pool;
mod tasks;

pub use blocks::Block;
pub use module::{LoadError, StaticModule, StaticRuntime};
pub use options::Options;
pub use planner::Layout;
pub use tasks::Launcher;
