//! Constants that a program is bound to go by the same names at every stage: attributes of an object, and the results of the function that computes constants
//! from others, once, when the program is bound.

/// The function's name. It takes nothing and calls operators alone; its results are the constants named by [`init_constant`].
pub const INIT: &str = "sconce.init";

/// What names of constants that stand for attributes begin with.
const OBJECT: &str = "self.";

/// The name of the constant that stands for an attribute, by its path from the object: `layers.0.weight` is `self.layers.0.weight`.
pub fn attribute_constant(path: &str) -> String {
    format!("{OBJECT}{path}")
}

/// The path of the attribute that a named constant stands for, if it is one.
///
/// ```
/// use sconce_schema::init::{attribute_constant, attribute_path};
/// assert_eq!(attribute_path(&attribute_constant("layers.0.weight")), Some("layers.0.weight"));
/// assert_eq!(attribute_path("constant_0"), None);
/// ```
pub fn attribute_path(constant: &str) -> Option<&str> {
    constant.strip_prefix(OBJECT)
}

/// The name of the constant that is a result of [`INIT`].
pub fn init_constant(result: usize) -> String {
    format!("{INIT}.{result}")
}

/// The result of [`INIT`] that a named constant is, if it is one.
///
/// ```
/// use sconce_schema::init::{init_constant, init_result};
/// assert_eq!(init_result(&init_constant(3)), Some(3));
/// assert_eq!(init_result("layers.0.weight"), None);
/// ```
pub fn init_result(constant: &str) -> Option<u32> {
    constant.strip_prefix(INIT)?.strip_prefix('.')?.parse().ok()
}
