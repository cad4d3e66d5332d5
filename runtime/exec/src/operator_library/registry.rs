//! What a library says that it has: an operator is looked at when it is added, and one that is wrong speaks for the whole library.

use super::call::{FAILED, crosses};
use super::interface::{SCONCE_OPERATORS_VERSION, SconceOperator, SconceOperatorRegistry};
use super::{Function, owner, text};
use sconce_schema::FunctionSchema;
use std::ffi::c_void;
use std::panic::{AssertUnwindSafe, catch_unwind};

/// An operator that was added.
pub(super) struct Added {
    pub schema: FunctionSchema,
    pub function: Function,
    pub context: *mut c_void,
}

/// What a library added until now.
#[derive(Default)]
pub(super) struct Registry {
    pub operators: Vec<Added>,
    /// What is wrong; what was found first.
    pub failure: Option<String>,
}

impl Registry {
    /// The structure that the library is given; it is good as long as this registry is where it is.
    pub fn shown(&mut self) -> SconceOperatorRegistry {
        SconceOperatorRegistry { version: SCONCE_OPERATORS_VERSION, add: Some(add), host: (&raw mut *self).cast() }
    }

    /// # Safety
    /// It is NULL, or as the interface describes it.
    unsafe fn add(&mut self, operator: *const SconceOperator) -> Result<(), String> {
        if operator.is_null() || !operator.is_aligned() {
            return Err("an operator is NULL, or not aligned".to_owned());
        }
        // What follows it may be of another version's.
        // SAFETY: the caller's promise.
        let version = unsafe { (*operator).version };
        if version != SCONCE_OPERATORS_VERSION {
            return Err(format!(
                "it was made for version {version} of the interface of operators, and {SCONCE_OPERATORS_VERSION} is \
                 expected: compile it with this version's sconce.h"
            ));
        }
        // SAFETY: it is of this version.
        let SconceOperator { schema, function, context, .. } = unsafe { operator.read() };
        // SAFETY: the caller's promise.
        let schema = unsafe { text(schema) }.map_err(|why| format!("a schema {why}"))?;
        let function = function.ok_or_else(|| format!("the function of `{schema}` is NULL"))?;
        let schema = self.admitted(schema)?;
        self.operators.push(Added { schema, function, context });
        Ok(())
    }

    /// The schema, if it says an operator that can be called and that nobody else has.
    fn admitted(&self, written: &str) -> Result<FunctionSchema, String> {
        let schema: FunctionSchema = written.parse().map_err(|e| format!("the schema `{written}`: {e}"))?;
        let name = schema.full_name();
        if !schema.name.contains("::") {
            return Err(format!("`{name}`: a name with its namespace is expected, `mine::{name}`"));
        }
        if schema.is_vararg || schema.is_varret {
            return Err(format!("{name}: its schema leaves open how many values there are (`...`)"));
        }
        let sides = [("argument", &schema.arguments), ("result", &schema.returns)];
        for (side, values) in sides {
            if let Some((i, other)) = values.iter().enumerate().find(|(_, value)| !crosses(&value.ty)) {
                let shown = if other.name.is_empty() { i.to_string() } else { format!("`{}`", other.name) };
                return Err(format!(
                    "{name}: {side} {shown} is of type {}; Tensor, int, float, complex, bool, str, Scalar, \
                     lists, tuples and optional values of them are expected",
                    other.ty
                ));
            }
        }
        if self.operators.iter().any(|added| added.schema.full_name() == name) {
            return Err(format!("{name} is added twice"));
        }
        match owner(&schema) {
            Some(owner) => Err(format!("{name} is an operator of {owner} already")),
            None => Ok(schema),
        }
    }
}

unsafe extern "C" fn add(host: *mut c_void, added: *const SconceOperator) -> i32 {
    // SAFETY: the library gives what its registry has, which is this one while it registers.
    let Some(own) = (unsafe { host.cast::<Registry>().as_mut() }) else { return FAILED };
    // SAFETY: the library gives an operator as the interface describes it.
    let done = catch_unwind(AssertUnwindSafe(|| unsafe { own.add(added) }));
    let why = match done {
        Ok(Ok(())) => return 0,
        Ok(Err(why)) => why,
        Err(_) => "a mistake in Sconce: adding an operator ended in a panic".to_owned(),
    };
    own.failure.get_or_insert(why);
    FAILED
}
