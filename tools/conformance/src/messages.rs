//! Messages are compared by what they say of the program; what PyTorch says in them of itself is left out first.

use std::borrow::Cow;

/// What follows a message of PyTorch's that concerns PyTorch: a request to its users, an announcement of its plans. Sconce speaks for itself.
const ASIDES: &[&str] = &[
    "  (Could this error message be improved?  If so, please report an enhancement request to PyTorch.)",
    ", and will further require that return_complex=True in a future PyTorch release.",
];

/// A recorded message without its asides.
///
/// ```
/// use sconce_conformance::messages::about_the_program;
/// let recorded = "Expected a == b.  (Could this error message be improved?  If so, please report an enhancement request to PyTorch.)";
/// assert_eq!(about_the_program(recorded), "Expected a == b.");
/// ```
pub fn about_the_program(recorded: &str) -> Cow<'_, str> {
    let mut text = Cow::Borrowed(recorded);
    for aside in ASIDES {
        if text.contains(aside) {
            text = Cow::Owned(text.replace(aside, ""));
        }
    }
    text
}
