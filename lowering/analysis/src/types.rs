//! `!torch.*` types as data, read from and written in torch-mlir's spelling.

use sconce_schema::DType;
use sconce_torch::types::{dtype_from_mlir, element_text};
use smallvec::SmallVec;
use std::fmt;

/// What a tensor type says.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Tensor {
    /// `vtensor` (immutable) as against `tensor`.
    pub value: bool,
    /// `None`: rank unknown. A `None` size is `?`.
    pub sizes: Option<SmallVec<[Option<i64>; 6]>>,
    pub dtype: Option<DType>,
}

/// The types that compiled code knows; the rest is kept as text.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum TorchType {
    Tensor(Tensor),
    Int,
    Float,
    Bool,
    /// `!torch.number`
    Number,
    None,
    Str,
    Device,
    Other(String),
}

/// The dtype's name in tensor types, if torch-mlir has one (it has none for quantised elements).
pub fn dtype_name(dtype: DType) -> Option<&'static str> {
    element_text(dtype).filter(|text| !text.starts_with('!'))
}

impl TorchType {
    /// Reads a printed type.
    pub fn parse(text: &str) -> TorchType {
        let Some(inner) = text.strip_prefix("!torch.") else { return TorchType::Other(text.into()) };
        match inner {
            "int" => TorchType::Int,
            "float" => TorchType::Float,
            "bool" => TorchType::Bool,
            "number" => TorchType::Number,
            "none" => TorchType::None,
            "str" => TorchType::Str,
            "Device" => TorchType::Device,
            _ => Tensor::parse(inner).map_or_else(|| TorchType::Other(text.into()), TorchType::Tensor),
        }
    }

    pub fn tensor(&self) -> Option<&Tensor> {
        if let TorchType::Tensor(t) = self { Some(t) } else { None }
    }
}

impl Tensor {
    fn parse(inner: &str) -> Option<Tensor> {
        let (value, rest) = match inner.strip_prefix("vtensor") {
            Some(rest) => (true, rest),
            None => (false, inner.strip_prefix("tensor")?),
        };
        if rest.is_empty() {
            return Some(Tensor { value, sizes: None, dtype: None });
        }
        let body = rest.strip_prefix('<')?.strip_suffix('>')?;
        let (sizes, dtype) = if let Some(dtype) = body.strip_prefix("*,") {
            (None, dtype)
        } else {
            let (sizes, dtype) = body.strip_prefix('[')?.split_once("],")?;
            let sizes = sizes
                .split(',')
                .filter(|s| !s.is_empty())
                .map(|s| if s == "?" { Some(None) } else { s.parse().ok().map(Some) })
                .collect::<Option<_>>()?;
            (Some(sizes), dtype)
        };
        if dtype == "unk" {
            return Some(Tensor { value, sizes, dtype: None });
        }
        // Anything else (an encoding, a quantised element) is not a type that compiled code takes.
        let dtype = dtype_from_mlir(dtype).filter(|d| dtype_name(*d) == Some(dtype))?;
        Some(Tensor { value, sizes, dtype: Some(dtype) })
    }

    /// Rank and dtype are known.
    pub fn is_typed(&self) -> bool {
        self.sizes.is_some() && self.dtype.is_some()
    }
}

impl fmt::Display for Tensor {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(if self.value { "!torch.vtensor" } else { "!torch.tensor" })?;
        if self.sizes.is_none() && self.dtype.is_none() {
            return Ok(());
        }
        match &self.sizes {
            None => f.write_str("<*,")?,
            Some(sizes) => {
                f.write_str("<[")?;
                for (i, s) in sizes.iter().enumerate() {
                    if i > 0 {
                        f.write_str(",")?;
                    }
                    match s {
                        Some(n) => write!(f, "{n}")?,
                        None => f.write_str("?")?,
                    }
                }
                f.write_str("],")?;
            }
        }
        write!(f, "{}>", self.dtype.and_then(dtype_name).unwrap_or("unk"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tensor_types_read_and_print_alike() {
        for text in [
            "!torch.vtensor",
            "!torch.tensor<[],f32>",
            "!torch.vtensor<[2,?],si64>",
            "!torch.vtensor<*,i1>",
            "!torch.tensor<[3],unk>",
            "!torch.vtensor<[4],complex<f64>>",
        ] {
            let TorchType::Tensor(t) = TorchType::parse(text) else { panic!("{text} is a tensor type") };
            assert_eq!(t.to_string(), text);
        }
        for text in ["!torch.vtensor<[1],!torch.qint8>", "!torch.list<int>", "tensor<2xf32>", "!torch.vtensor<[x],f32>"]
        {
            assert_eq!(TorchType::parse(text), TorchType::Other(text.into()));
        }
    }
}
