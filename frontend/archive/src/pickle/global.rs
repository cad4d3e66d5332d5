//! The names a pickle may use: there is no other, so nothing else can be built or called.

use super::{ListKind, QScheme};
use sconce_schema::{DType, Layout};
use std::fmt;

/// A name that PyTorch's writers put into archives.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Global {
    /// `torch.jit._pickle.build_intlist` and its relatives.
    BuildList(ListKind),
    BuildTensorFromId,
    RestoreTypeTag,
    /// Pickles before PyTorch 1.2 name these classes and use `BUILD`.
    LegacyTensorId,
    LegacyIntList,
    RebuildTensor,
    RebuildTensorV2,
    RebuildTensorV3,
    RebuildQTensor,
    RebuildSparseTensor,
    RebuildParameter,
    /// `torch.FloatStorage` and its relatives; `None` is `torch.storage.UntypedStorage`.
    Storage(Option<DType>),
    OrderedDict,
    Complex,
    /// Python's `_codecs.encode`, which is how protocol 2 writes bytes.
    Encode,
    Bytes,
    Device,
    Size,
    GetLayout,
    DType(DType),
    QScheme(QScheme),
    Layout(Layout),
    /// A TorchScript class or enum, by its qualified name. What it means the archive's own code says.
    Class(Box<str>),
}

/// What is wrong with a name.
pub enum Unknown {
    /// A name that PyTorch writes for what an archive cannot hold.
    Unsupported(&'static str),
    Forbidden,
}

/// The names that mean one thing each.
const FIXED: &[(&str, &str, Global)] = &[
    ("torch.jit._pickle", "build_tensor_from_id", Global::BuildTensorFromId),
    ("torch.jit._pickle", "restore_type_tag", Global::RestoreTypeTag),
    ("__main__", "TensorID", Global::LegacyTensorId),
    ("__main__", "IntList", Global::LegacyIntList),
    ("torch._utils", "_rebuild_tensor", Global::RebuildTensor),
    ("torch._utils", "_rebuild_tensor_v2", Global::RebuildTensorV2),
    ("torch._utils", "_rebuild_tensor_v3", Global::RebuildTensorV3),
    ("torch._utils", "_rebuild_qtensor", Global::RebuildQTensor),
    ("torch._utils", "_rebuild_sparse_tensor", Global::RebuildSparseTensor),
    ("torch._utils", "_rebuild_parameter", Global::RebuildParameter),
    ("torch.storage", "UntypedStorage", Global::Storage(None)),
    ("collections", "OrderedDict", Global::OrderedDict),
    ("builtins", "complex", Global::Complex),
    ("builtins", "bytes", Global::Bytes),
    ("_codecs", "encode", Global::Encode),
    ("torch", "device", Global::Device),
    ("torch", "Size", Global::Size),
    ("torch.serialization", "_get_layout", Global::GetLayout),
];

impl Global {
    pub fn resolve(module: &str, name: &str) -> Result<Global, Unknown> {
        // Python 2 called the module so.
        let module = if module == "__builtin__" { "builtins" } else { module };
        if let Some((_, _, global)) = FIXED.iter().find(|f| (f.0, f.1) == (module, name)) {
            return Ok(global.clone());
        }
        match (module, name) {
            ("torch", "Generator") => Err(Unknown::Unsupported("a random number generator")),
            ("torch.distributed.rpc", "rref") => Err(Unknown::Unsupported("a remote reference")),
            ("torch", _) => torch(name).ok_or(Unknown::Forbidden),
            ("torch.jit._pickle", _) => ListKind::from_function(name).map(Global::BuildList).ok_or(Unknown::Forbidden),
            _ if is_torchscript(module) && is_identifier(name) => Ok(Global::Class(format!("{module}.{name}").into())),
            _ => Err(Unknown::Forbidden),
        }
    }
}

/// `torch.FloatStorage`, `torch.float32`, `torch.per_tensor_affine`, `torch.strided`.
fn torch(name: &str) -> Option<Global> {
    if let Some(element) = name.strip_suffix("Storage") {
        return DType::all().find(|d| d.scalar_type_name() == element).map(|d| Global::Storage(Some(d)));
    }
    DType::all()
        .find(|d| d.torch_name() == name)
        .map(Global::DType)
        .or_else(|| QScheme::from_name(name).map(Global::QScheme))
        .or_else(|| Layout::from_torch_name(name).map(Global::Layout))
}

/// `__torch__` and what lies below it.
fn is_torchscript(module: &str) -> bool {
    let mut parts = module.split('.');
    parts.next() == Some("__torch__") && parts.all(is_identifier)
}

fn is_identifier(text: &str) -> bool {
    !text.starts_with(|c: char| c.is_ascii_digit())
        && !text.is_empty()
        && text.chars().all(|c| c == '_' || c.is_alphanumeric())
}

impl fmt::Display for Global {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        match self {
            Global::Class(name) => f.write_str(name),
            Global::Storage(Some(dtype)) => write!(f, "torch.{}Storage", dtype.scalar_type_name()),
            Global::DType(dtype) => write!(f, "torch.{}", dtype.torch_name()),
            Global::BuildList(kind) => write!(f, "torch.jit._pickle.{}", kind.function()),
            Global::QScheme(scheme) => write!(f, "torch.{}", scheme.name()),
            Global::Layout(layout) => write!(f, "torch.{}", layout.torch_name()),
            other => match FIXED.iter().find(|row| row.2 == *other) {
                Some((module, name, _)) => write!(f, "{module}.{name}"),
                None => f.write_str("a name"),
            },
        }
    }
}
