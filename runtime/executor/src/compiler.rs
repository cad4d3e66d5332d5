//! The compiler as executors see it: one request in, the bytes of a Program out, or a line that says why not.

use crate::profile::ProfileRecord;
use crate::strategy::Specialization;
use sconce_interpreter::program::{FunctionId, Program};
use sconce_interpreter::{CustomOperators, Executable};
use sconce_schema::Type;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;

/// What does not change from call to call: an attribute that the compiler may take for granted.
#[derive(Clone, PartialEq, Debug)]
pub struct Constant {
    /// As the function reaches it: `self.fc1.weight`.
    pub name: Arc<str>,
    /// With its sizes, if it is a tensor.
    pub ty: Type,
}

/// A function to be compiled for some arguments.
#[derive(Clone)]
pub struct CompileRequest {
    pub program: Arc<Program>,
    pub function: FunctionId,
    /// Qualified.
    pub name: Arc<str>,
    /// What is known of each argument; a size that is not known is `Unknown`, or a symbol where equal ones are equal. Code for them runs only on arguments
    /// that are of these types.
    pub arguments: Vec<Type>,
    /// None for the traditional executor, whose plans fit all sizes.
    pub specialization: Option<Specialization>,
    pub profile: Option<Arc<ProfileRecord>>,
    pub constants: Arc<[Constant]>,
    /// Names and values, as the command has them.
    pub options: Arc<[(String, String)]>,
    /// The machine, as the compiler names it.
    pub target: Arc<str>,
}

/// Makes Programs for arguments. Called from any thread, several at once.
pub trait Compiler: Send + Sync {
    /// A Program whose first function takes the same arguments and does the same, with the values of its constants.
    ///
    /// # Errors
    /// Why there is none, in a line.
    fn compile(&self, request: &CompileRequest) -> Result<Program, String>;
}

impl<F: Fn(&CompileRequest) -> Result<Program, String> + Send + Sync> Compiler for F {
    fn compile(&self, request: &CompileRequest) -> Result<Program, String> {
        self(request)
    }
}

/// Attaches machine code to the regions of a Program that was compiled; what it leaves out is interpreted.
pub type BindRegions = Arc<dyn Fn(&Executable) -> Result<(), String> + Send + Sync>;

/// What a request came to, ready to run; its function.
pub(crate) fn compiled(
    compiler: &dyn Compiler,
    request: &CompileRequest,
    custom: &CustomOperators,
    bind: Option<&BindRegions>,
) -> Result<(Arc<Executable>, FunctionId), String> {
    let attempt = || {
        let program = compiler.compile(request)?;
        let function = program.first_function().ok_or("the compiled program has no function")?;
        let parameters = |p: &Program, f: FunctionId| p.functions.get(f as usize).map(|f| f.parameters.len());
        let (takes, expected) = (parameters(&program, function), parameters(&request.program, request.function));
        if takes != expected {
            let count = |n: Option<usize>| n.unwrap_or_default();
            return Err(format!("the compiled function takes {} arguments, not {}", count(takes), count(expected)));
        }
        let executable = Executable::with_operators(Arc::new(program), custom).map_err(|e| e.to_string())?;
        if let Some(bind) = bind {
            bind(&executable)?;
        }
        Ok((Arc::new(executable), function))
    };
    // A compiler that panics costs what one that fails costs.
    catch_unwind(AssertUnwindSafe(attempt)).unwrap_or_else(|_| Err("the compiler panicked".into()))
}
