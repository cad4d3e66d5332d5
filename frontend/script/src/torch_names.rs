//! A dotted name of PyTorch's means the same in code that is compiled, in Python that is evaluated and in code that is printed: it stands here once.

use sconce_schema::{DType, Layout, MemoryFormat};
use std::collections::BTreeSet;

/// What a name that is no operator, module or type stands for.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Constant {
    Float(f64),
    None,
    DType(DType),
    /// A number under which operators know it.
    Setting(Setting, i64),
}

/// What a setting is one of.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Setting {
    Layout,
    MemoryFormat,
    QScheme,
}

/// Numbers of Python's `math`; `torch` has all but `tau`.
const FLOATS: &[(&str, f64)] = &[
    ("inf", f64::INFINITY),
    ("nan", f64::NAN),
    ("pi", std::f64::consts::PI),
    ("e", std::f64::consts::E),
    ("tau", std::f64::consts::TAU),
];

/// Members of `torch`, beside layouts and memory formats.
const SETTINGS: &[(&str, Setting, i64)] = &[
    ("legacy_contiguous_format", Setting::MemoryFormat, 0),
    ("per_tensor_affine", Setting::QScheme, 0),
    ("per_channel_affine", Setting::QScheme, 1),
];

/// Members of `torch` that are dtypes under another name.
const DTYPES: &[(&str, &str)] = &[
    ("float", "float32"),
    ("double", "float64"),
    ("half", "float16"),
    ("int", "int32"),
    ("long", "int64"),
    ("short", "int16"),
    ("cfloat", "complex64"),
    ("cdouble", "complex128"),
    ("chalf", "complex32"),
];

/// What a dotted name stands for, if it is a constant.
pub fn constant(path: &str) -> Option<Constant> {
    let (module, name) = path.rsplit_once('.')?;
    let float = || FLOATS.iter().find(|(n, _)| *n == name).map(|(_, value)| Constant::Float(*value));
    match module {
        "math" | "cmath" => float(),
        "torch" => torch_constant(name).or_else(|| float().filter(|_| name != "tau")),
        _ => None,
    }
}

fn torch_constant(name: &str) -> Option<Constant> {
    if name == "newaxis" {
        return Some(Constant::None);
    }
    if let Some(layout) = Layout::from_torch_name(name) {
        return Some(Constant::Setting(Setting::Layout, layout.number()));
    }
    if let Some(format) = MemoryFormat::from_torch_name(name) {
        return Some(Constant::Setting(Setting::MemoryFormat, format.number()));
    }
    if let Some((_, setting, number)) = SETTINGS.iter().find(|(n, ..)| *n == name) {
        return Some(Constant::Setting(*setting, *number));
    }
    let name = DTYPES.iter().find(|(alias, _)| *alias == name).map_or(name, |(_, name)| name);
    DType::from_torch_name(name).map(Constant::DType)
}

/// Operators whose names have nothing to do with the module that they are members of.
const RENAMED: &[(&str, &str)] = &[
    ("torch.autograd.grad", "aten::grad"),
    ("torch.autograd.backward", "aten::backward"),
    ("torch.jit._unwrap_optional", "aten::_unwrap_optional"),
    ("torch.jit.wait", "aten::wait"),
    ("torch.jit._wait", "aten::wait"),
];

/// The operator that a name stands for whatever its module is.
pub fn renamed(path: &str) -> Option<&'static str> {
    RENAMED.iter().find(|(p, _)| *p == path).map(|(_, operator)| *operator)
}

/// An operator as code calls it: `torch.add`, `torch.autograd.grad`, `ops.prims.abs`.
pub fn printed(operator: &str) -> String {
    // Printed code names operators as members of `torch`, but for what is in `torch.autograd`.
    let own = RENAMED.iter().find(|(path, o)| *o == operator && path.starts_with("torch.autograd."));
    match (own, operator.split_once("::")) {
        (Some((path, _)), _) => (*path).to_owned(),
        (None, Some(("aten", name))) => format!("torch.{name}"),
        (None, Some((space, name))) => format!("ops.{}.{name}", space.replace("::", ".")),
        (None, None) => format!("ops.{operator}"),
    }
}

/// Modules whose members are operators, and what the operators' names begin with.
const OPERATORS: &[(&str, &str)] = &[
    ("torch", "aten::"),
    ("torch._C", "aten::"),
    ("torch._C._nn", "aten::"),
    ("torch._VF", "aten::"),
    ("torch.functional", "aten::"),
    ("torch.nn.functional", "aten::"),
    ("torch.nn.init", "aten::"),
    ("torch.random", "aten::"),
    ("torch.autograd", "aten::"),
    ("torch._jit_internal", "aten::"),
    ("torch.overrides", "aten::"),
    ("torch.nn.modules.utils", "aten::"),
    ("torch.fft", "aten::fft_"),
    ("torch.linalg", "aten::linalg_"),
    ("torch.special", "aten::special_"),
    ("torch.sparse", "aten::_sparse_"),
];

/// The operator that a member of one of PyTorch's modules is called, whether or not there is one.
pub fn operator(module: &str, name: &str) -> Option<String> {
    let (_, prefix) = OPERATORS.iter().find(|(m, _)| *m == module)?;
    Some(format!("{prefix}{name}"))
}

/// The members of one of PyTorch's modules: its operators, its constants and the modules in it, in order. Names that begin with `_` are left out.
pub fn members(module: &str) -> BTreeSet<&'static str> {
    let prefixes = OPERATORS.iter().filter(|(m, _)| *m == module).map(|(_, prefix)| *prefix);
    let operators = prefixes
        .flat_map(|prefix| sconce_schema::table().iter().filter_map(move |e| e.base_name().strip_prefix(prefix)));
    let inside = MODULES.iter().filter_map(|m| m.strip_prefix(module)?.strip_prefix('.')).filter(|m| !m.contains('.'));
    let mut members: BTreeSet<&str> = operators.chain(inside).collect();
    if module == "torch" {
        members.extend(DTYPES.iter().map(|(alias, _)| *alias).chain(SETTINGS.iter().map(|(name, ..)| *name)));
    }
    members.retain(|name| !name.starts_with('_'));
    members
}

/// PyTorch's modules that code may go through.
pub const MODULES: &[&str] = &[
    "torch",
    "torch.nn",
    "torch.nn.functional",
    "torch.nn.init",
    "torch.nn.utils",
    "torch.nn.utils.rnn",
    "torch.nn.modules",
    "torch.jit",
    "torch.fft",
    "torch.linalg",
    "torch.special",
    "torch.functional",
    "torch.autograd",
    "torch.autograd.profiler",
    "torch.random",
    "torch.cuda",
    "torch.utils",
    "torch.ops",
    "torch.overrides",
    "torch._C",
    "torch._C._nn",
    "torch._VF",
    "torch._jit_internal",
    "torch.backends",
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_have_one_meaning() {
        assert_eq!(constant("torch.long"), Some(Constant::DType(DType::I64)));
        assert_eq!(constant("torch.channels_last"), Some(Constant::Setting(Setting::MemoryFormat, 2)));
        assert_eq!((constant("math.tau").is_some(), constant("torch.tau")), (true, None));
        assert_eq!(operator("torch.fft", "fft").as_deref(), Some("aten::fft_fft"));
        assert_eq!(printed("aten::grad"), "torch.autograd.grad");
        assert_eq!(printed("aten::wait"), "torch.wait");
        assert_eq!(printed("prims::a::b"), "ops.prims.a::b");
        assert!(members("torch").is_superset(&["channel_shuffle", "fft", "long", "relu"].into()));
        assert_eq!(members("torch.nn").first(), Some(&"functional"));
    }
}
