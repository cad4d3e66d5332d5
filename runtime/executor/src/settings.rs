//! What an executor may do is settled when it is made: settings hold for a process or for a scope, and reach executors that are made after.

use crate::strategy::FusionStrategy;
use std::cell::RefCell;
use std::fmt;
use std::marker::PhantomData;
use std::str::FromStr;
use std::sync::{PoisonError, RwLock};
use std::time::Duration;

/// How plans are chosen.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum ExecutorMode {
    /// The first runs are watched, later ones use plans for the types that were seen.
    #[default]
    Profiling,
    /// Each dtype, rank, device and need of gradients has a plan of its own, made at its first call.
    Traditional,
    /// Every call is interpreted.
    Off,
}

/// When functions are compiled.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum CompileMode {
    /// In the call that needs it.
    Now,
    /// In a thread of its own, while calls are interpreted, once that pays.
    Background,
    #[default]
    Off,
}

/// Which results compiled code may give.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum NumericsMode {
    /// Those that an operator's class allows: sums in another order, functions by other polynomials.
    #[default]
    Default,
    /// The interpreter's, bit for bit: what would round or sum otherwise stays interpreted.
    Strict,
}

/// A word that is none of those there are.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("`{given}` is not {what}: expected {expected}")]
pub struct UnknownWord {
    given: String,
    what: &'static str,
    expected: String,
}

/// An enumeration that reads and prints by a table of words.
macro_rules! worded {
    ($ty:ident, $what:literal, $words:ident: $($variant:ident = $word:literal),*) => {
        const $words: &[($ty, &str)] = &[$(($ty::$variant, $word)),*];

        impl fmt::Display for $ty {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str($words.iter().find(|(v, _)| v == self).map_or("", |(_, word)| word))
            }
        }

        impl FromStr for $ty {
            type Err = UnknownWord;
            fn from_str(text: &str) -> Result<$ty, UnknownWord> {
                let found = $words.iter().find(|(_, word)| *word == text);
                found.map(|(v, _)| *v).ok_or_else(|| UnknownWord {
                    given: text.into(),
                    what: $what,
                    expected: $words.iter().map(|(_, word)| *word).collect::<Vec<_>>().join(", "),
                })
            }
        }
    };
}

worded!(ExecutorMode, "an executor", MODES: Profiling = "profiling", Traditional = "traditional", Off = "off");
worded!(NumericsMode, "a mode of numerics", NUMERICS: Default = "default", Strict = "strict");
worded!(CompileMode, "a way to compile", COMPILE: Now = "now", Background = "background", Off = "off");

/// What executors that are made now will do.
///
/// ```
/// use sconce_executor::{ExecutorMode, Settings};
/// let traditional = Settings { mode: "traditional".parse()?, ..Settings::current() };
/// {
///     let _scope = traditional.enter();
///     assert_eq!(Settings::current().mode, ExecutorMode::Traditional);
/// }
/// assert_eq!(Settings::current().mode, ExecutorMode::Profiling);
/// # Ok::<(), sconce_executor::UnknownWord>(())
/// ```
#[derive(Clone, PartialEq, Debug)]
pub struct Settings {
    pub mode: ExecutorMode,
    /// Runs that are watched before a plan is made of what they showed.
    pub profiled_runs: u32,
    pub fusion: FusionStrategy,
    pub compile: CompileMode,
    pub numerics: NumericsMode,
    /// Time that a function must have taken, all its interpreted calls together, before it is compiled in the background.
    pub compile_after: Duration,
    /// Functions run by a static plan where one can be made.
    pub static_plans: bool,
    /// Plans that the traditional executor keeps; further kinds of arguments are interpreted.
    pub plan_limit: usize,
}

impl Default for Settings {
    fn default() -> Settings {
        Settings {
            mode: ExecutorMode::default(),
            profiled_runs: 1,
            fusion: FusionStrategy::default(),
            compile: CompileMode::default(),
            numerics: NumericsMode::default(),
            compile_after: Duration::from_millis(200),
            static_plans: true,
            plan_limit: 64,
        }
    }
}

static PROCESS: RwLock<Option<Settings>> = RwLock::new(None);

thread_local! {
    static SCOPES: RefCell<Vec<Settings>> = const { RefCell::new(Vec::new()) };
}

impl Settings {
    /// Those of the innermost scope of this thread, else of the process, else the defaults.
    pub fn current() -> Settings {
        let scoped = SCOPES.with_borrow(|scopes| scopes.last().cloned());
        scoped.unwrap_or_else(|| PROCESS.read().unwrap_or_else(PoisonError::into_inner).clone().unwrap_or_default())
    }

    /// Makes them those of the process; those before.
    pub fn set(self) -> Settings {
        let mut process = PROCESS.write().unwrap_or_else(PoisonError::into_inner);
        process.replace(self).unwrap_or_default()
    }

    /// Makes them those of this thread until the scope is dropped.
    #[must_use = "the settings end with the scope"]
    pub fn enter(self) -> Scope {
        SCOPES.with_borrow_mut(|scopes| {
            scopes.push(self);
            Scope { depth: scopes.len(), _thread: PhantomData }
        })
    }
}

/// Settings that hold for a thread; see [`Settings::enter`].
pub struct Scope {
    depth: usize,
    /// It ends in the thread that it began in.
    _thread: PhantomData<*const ()>,
}

impl Drop for Scope {
    fn drop(&mut self) {
        // A scope that outlived an inner one ends both.
        let _ = SCOPES.try_with(|scopes| scopes.borrow_mut().truncate(self.depth - 1));
    }
}
