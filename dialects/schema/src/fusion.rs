//! What `mkldnn`'s operators do to the results of a convolution while these are near: which operator a word of theirs is.

/// Operators on results alone: scalars, and an algorithm where there is one, are their further arguments.
pub static UNARY: [(&str, &str); 9] = [
    ("relu", "aten::relu"),
    ("leaky_relu", "aten::leaky_relu"),
    ("hardtanh", "aten::hardtanh"),
    ("gelu", "aten::gelu"),
    ("swish", "aten::silu"),
    ("hardswish", "aten::hardswish"),
    ("sigmoid", "aten::sigmoid"),
    ("tanh", "aten::tanh"),
    ("hardsigmoid", "aten::hardsigmoid"),
];

/// Operators on results and another tensor.
pub static BINARY: [(&str, &str); 4] = [
    ("add", "aten::add.Tensor"),
    ("sub", "aten::sub.Tensor"),
    ("mul", "aten::mul.Tensor"),
    ("div", "aten::div.Tensor"),
];

/// The operator that a word stands for.
///
/// ```
/// use sconce_schema::fusion::{UNARY, operator};
/// assert_eq!(operator(&UNARY, "swish"), Some("aten::silu"));
/// ```
pub fn operator(words: &[(&'static str, &'static str)], word: &str) -> Option<&'static str> {
    words.iter().find(|(w, _)| *w == word).map(|(_, operator)| *operator)
}

/// The word for an operator.
pub fn word(words: &[(&'static str, &'static str)], operator: &str) -> Option<&'static str> {
    words.iter().find(|(_, o)| *o == operator).map(|(word, _)| *word)
}
