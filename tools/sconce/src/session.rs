//! A session has state of its own: callers share one module's program and parameters, and none of them sees what another's calls leave behind.

use crate::error::Error;
use crate::module::Module;
use sconce_tensor::{IValue, Tensor};

/// A module's program with buffers and attributes that one caller owns ([`Module::session`]).
///
/// ```
/// use sconce::{Engine, Options, SourceOptions, Tensor};
///
/// let text = "
/// import torch
/// from torch import nn
///
/// class Counter(nn.Module):
///     def __init__(self):
///         super().__init__()
///         self.register_buffer('count', torch.zeros(1))
///     def forward(self, x):
///         self.count += x
///         return self.count
/// ";
/// let entry = SourceOptions { entry: Some("Counter()".into()), ..SourceOptions::default() };
/// let module = Engine::new(Options::default())?.compile_source("counter.py", text, &entry)?;
/// let (mut one, mut other) = (module.session()?, module.session()?);
/// let three = [Tensor::scalar(3f32).into()];
/// one.call("forward", &three)?;
/// assert_eq!(one.call("forward", &three)?.as_tensor()?.to_vec::<f32>(), [6.]);
/// assert_eq!(other.call("forward", &three)?.as_tensor()?.to_vec::<f32>(), [3.]);
/// assert_eq!(module.attr("count")?.as_tensor()?.to_vec::<f32>(), [0.]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct Session {
    module: Module,
}

impl Module {
    /// A session that begins with the state that this module has now. Parameters are shared, for they are large and calls only read them: a program that writes
    /// to one does so for all. Everything else is copied. What a session compiles is its own, but for what the engine's cache has.
    ///
    /// # Errors
    /// A program without a module has no state; no memory for the copy.
    pub fn session(&self) -> Result<Session, Error> {
        let parameters: Vec<Tensor> = self.named_parameters()?.into_iter().map(|(_, tensor)| tensor).collect();
        let root = self.state()?.copy_but(&parameters)?;
        Ok(Session { module: self.with_root(root) })
    }
}

impl Session {
    /// Calls a function or method, which may change the session's state; see [`Module::call`].
    ///
    /// # Errors
    /// As [`Module::call`].
    pub fn call(&mut self, function: &str, arguments: &[IValue]) -> Result<IValue, Error> {
        self.module.call(function, arguments)
    }

    /// The same with arguments by name; see [`Module::call_named`].
    ///
    /// # Errors
    /// As [`Module::call_named`].
    pub fn call_named(
        &mut self,
        function: &str,
        arguments: &[IValue],
        named: &[(&str, IValue)],
    ) -> Result<IValue, Error> {
        self.module.call_named(function, arguments, named)
    }

    /// The program with this session's state: what it holds is read and set as any module's.
    pub fn module(&self) -> &Module {
        &self.module
    }

    /// Goes on as a module that is called by whoever has it.
    pub fn into_module(self) -> Module {
        self.module
    }
}
