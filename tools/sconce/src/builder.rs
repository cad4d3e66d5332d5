//! An engine's options are set one by one; what is not named stays as [`Options`] has it.

use crate::engine::{Engine, Options};
use crate::error::Error;
use crate::limits::CallLimits;
use crate::planned::StaticOptions;
use sconce_executor::{Cache, Settings};
use sconce_request::{Alone, Checks, Compiler, Rewrites};
use std::sync::Arc;

/// Makes an [`Engine`] with other options than the default ones.
///
/// ```
/// use sconce::limits::CallLimits;
/// use sconce::{Engine, ErrorKind, SourceOptions};
///
/// let limits = CallLimits { fuel: Some(10_000), ..CallLimits::default() };
/// let engine = Engine::builder().limits(limits).build()?;
/// let text = "def f():\n    n = 0\n    while n >= 0:\n        n += 1\n    return n\n";
/// let module = engine.compile_source("m.py", text, &SourceOptions::default())?;
/// assert_eq!(module.call("f", &[]).unwrap_err().kind(), ErrorKind::Limit);
/// # Ok::<(), sconce::Error>(())
/// ```
#[derive(Clone, Default)]
#[must_use = "`build` makes the engine"]
pub struct EngineBuilder {
    options: Options,
}

macro_rules! setters {
    ($($name:ident: $ty:ty => |$value:ident| $set:expr;)*) => {
        impl EngineBuilder { $(
            #[doc = concat!("Sets [`Options::", stringify!($name), "`].")]
            pub fn $name(mut self, $value: $ty) -> EngineBuilder {
                self.options.$name = $set;
                self
            }
        )* }
    };
}

setters! {
    executor: Settings => |settings| settings;
    compiler: Arc<dyn Compiler> => |compiler| Some(compiler);
    cache: Arc<Cache> => |cache| Some(cache);
    watch: bool => |on| on;
    gpu: bool => |on| on;
    alone: Alone => |target| Some(target);
    rewrites: Rewrites => |rewrites| rewrites;
    static_plan: StaticOptions => |options| Some(options);
    limits: CallLimits => |limits| limits;
    passes: String => |pipeline| Some(pipeline);
    checks: Checks => |checks| checks;
    shadow: f64 => |share| share;
    map_files: bool => |on| on;
}

impl Engine {
    /// Options to be set one by one.
    pub fn builder() -> EngineBuilder {
        EngineBuilder::default()
    }
}

impl EngineBuilder {
    /// The engine.
    ///
    /// # Errors
    /// As [`Engine::new`].
    pub fn build(self) -> Result<Engine, Error> {
        Engine::new(self.options)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_option_can_be_set() {
        let limits = CallLimits { fuel: Some(7), ..CallLimits::default() };
        let builder = Engine::builder()
            .executor(Settings::default())
            .watch(true)
            .gpu(true)
            .alone(Alone { triple: String::new(), cpu: String::new(), symbol: "f".into() })
            .rewrites(Rewrites::default())
            .static_plan(StaticOptions::default())
            .limits(limits.clone())
            .passes("dce".into())
            .checks(Checks::default())
            .shadow(0.5)
            .map_files(true);
        // Each by its name: an option that is new is to be set above.
        let Options {
            executor: _,
            compiler,
            cache,
            watch,
            gpu,
            alone,
            rewrites: _,
            static_plan,
            limits: set,
            passes,
            checks: _,
            shadow,
            map_files,
        } = builder.options;
        assert!(watch && gpu && map_files && compiler.is_none() && cache.is_none() && static_plan.is_some());
        assert_eq!((alone.unwrap().symbol, set, passes.as_deref(), shadow), ("f".into(), limits, Some("dce"), 0.5));
    }
}
