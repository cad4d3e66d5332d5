//! Functions of Python's that graphs call beside operators: which have a sign, which write, and which compute with numbers alone.

/// Functions of Python's `operator` that have a sign: `{}` stands for each argument.
pub(crate) const SIGNS: &[(&str, &str)] = &[
    ("add", "{} + {}"),
    ("sub", "{} - {}"),
    ("mul", "{} * {}"),
    ("truediv", "{} / {}"),
    ("floordiv", "{} // {}"),
    ("mod", "{} % {}"),
    ("pow", "{} ** {}"),
    ("matmul", "{} @ {}"),
    ("lshift", "{} << {}"),
    ("rshift", "{} >> {}"),
    ("and_", "{} & {}"),
    ("or_", "{} | {}"),
    ("xor", "{} ^ {}"),
    ("eq", "{} == {}"),
    ("ne", "{} != {}"),
    ("lt", "{} < {}"),
    ("le", "{} <= {}"),
    ("gt", "{} > {}"),
    ("ge", "{} >= {}"),
    ("getitem", "{}[{}]"),
    ("neg", "-{}"),
    ("pos", "+{}"),
    ("invert", "~{}"),
];

/// Those that write their first argument: a statement, whose value is that argument.
pub(crate) const WRITES: &[(&str, &str)] = &[
    ("iadd", "{} += {}"),
    ("isub", "{} -= {}"),
    ("imul", "{} *= {}"),
    ("itruediv", "{} /= {}"),
    ("ifloordiv", "{} //= {}"),
    ("imod", "{} %= {}"),
    ("ipow", "{} **= {}"),
    ("imatmul", "{} @= {}"),
    ("ilshift", "{} <<= {}"),
    ("irshift", "{} >>= {}"),
    ("iand", "{} &= {}"),
    ("ior", "{} |= {}"),
    ("ixor", "{} ^= {}"),
    ("setitem", "{}[{}] = {}"),
];

/// Functions of modules other than `operator` that compute with symbolic numbers.
const OF_NUMBERS: &[(&str, &[&str])] = &[
    ("operator", &["abs", "index", "not_", "truth"]),
    ("builtins", &["abs", "bool", "float", "int", "max", "min", "pow", "round"]),
    (
        "math",
        &[
            "acos", "asin", "atan", "ceil", "cos", "cosh", "exp", "floor", "log", "log2", "pow", "sin", "sinh", "sqrt",
            "tan", "tanh", "trunc",
        ],
    ),
];

/// What a function that is no operator of PyTorch's does, as far as graphs may call it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Function {
    /// Takes an element of a tuple or list.
    GetItem,
    /// Computes with numbers, symbolic ones among them.
    Number,
    /// Writes its first argument.
    Writes,
}

/// By the target's text: `operator.add`, `math.trunc`, `torch.sym_max`; nothing for any other function.
pub(crate) fn function(target: &str) -> Option<Function> {
    if target.strip_prefix("torch.").is_some_and(|name| name.starts_with("sym_") || name.starts_with("_sym_")) {
        return Some(Function::Number);
    }
    let (module, name) = target.split_once('.')?;
    let is_in = |table: &[(&str, &str)]| module == "operator" && table.iter().any(|(n, _)| *n == name);
    if name == "getitem" && module == "operator" {
        Some(Function::GetItem)
    } else if is_in(WRITES) {
        Some(Function::Writes)
    } else if is_in(SIGNS) || OF_NUMBERS.iter().any(|(m, names)| *m == module && names.contains(&name)) {
        Some(Function::Number)
    } else {
        None
    }
}
