//! What a compiled region takes and gives: enough to check a call, allocate its results and pass them on.

use crate::calls::OperatorCall;
use crate::dim::{self, Actual, Dim, Guard, Relation};
use sconce_kernels::elementwise::result_strides;
use sconce_kernels::{Error, Outputs};
use sconce_schema::DType;
use sconce_tensor::{Bool, IValue, Tensor, contiguous_strides};
use smallvec::SmallVec;
use std::fmt;

#[derive(Clone, PartialEq, Eq, Debug)]
pub enum InputSpec {
    /// `None`: any size. `contiguous`: the code has a view of it which the interpreter refuses where it lies otherwise.
    Tensor {
        dtype: DType,
        sizes: Vec<Option<i64>>,
        contiguous: bool,
    },
    Int,
    Float,
    Bool,
    /// The processor: regions compute there.
    Device,
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub struct OutputSpec {
    pub dtype: DType,
    pub sizes: Vec<Dim>,
    /// A plain number, which the code writes as the one element of a tensor without dimensions.
    pub number: bool,
}

/// Behind the dtype of an input that must be contiguous.
const CONTIGUOUS: &str = " contiguous";

/// In front of the dtype of an output that is a number.
const NUMBER: &str = "number-";

/// The contract between a compiled region and its callers.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct RegionSpec {
    pub name: String,
    pub inputs: Vec<InputSpec>,
    pub guards: Vec<Guard>,
    pub outputs: Vec<OutputSpec>,
    pub temporaries: Temporaries,
    /// Operators that the code calls, by number.
    pub calls: Vec<OperatorCall>,
}

/// What the code of a region makes besides its results: so much memory a call needs at most.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Temporaries {
    /// Of sizes that are known.
    known: i64,
    /// Each so many bytes: the product of its sizes, number and element size among them.
    others: Vec<Vec<Dim>>,
}

/// Each temporary may be copied once on the way from tensors to buffers.
const COPIES: i64 = 2;

impl Temporaries {
    /// Counts a tensor; false when it has more bytes than can be counted.
    #[must_use]
    pub fn add(&mut self, sizes: &[Dim], dtype: DType) -> bool {
        let element = Dim::Known(dtype.size() as i64 * COPIES);
        let known = sizes.iter().chain([&element]).try_fold(Some(1i64), |bytes, d| match (bytes, d.known()) {
            (Some(bytes), Some(n)) => bytes.checked_mul(n).map(Some),
            _ => Some(None),
        });
        match known {
            Some(Some(bytes)) => self.known.checked_add(bytes).map(|sum| self.known = sum).is_some(),
            Some(None) => {
                let sizes: Vec<Dim> = sizes.iter().copied().chain([element]).collect();
                match self.others.iter_mut().find(|other| other[..other.len() - 1] == sizes[..sizes.len() - 1]) {
                    Some(same) => {
                        let last = same.len() - 1;
                        same[last] = same[last].plus(sizes[last]);
                    }
                    None => self.others.push(sizes),
                }
                true
            }
            None => false,
        }
    }

    /// Bytes in a call; `None` when they cannot be counted.
    fn bytes(&self, inputs: &[Actual<'_>]) -> Option<i64> {
        let bytes = |sizes: &Vec<Dim>| {
            sizes.iter().try_fold(1i64, |n, d| n.checked_mul(d.eval(&dim::values(inputs)).filter(|size| *size >= 0)?))
        };
        self.others.iter().try_fold(self.known, |sum, sizes| sum.checked_add(bytes(sizes)?))
    }
}

/// What a call makes, by what it is given.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Needs {
    /// The sizes of the results.
    pub results: Vec<SmallVec<[i64; 6]>>,
    /// Bytes of everything else.
    pub temporaries: i64,
}

/// Whether what is computed of it element by element lies row by row, as the results of compiled code do; not so of a transposed tensor.
fn lies_row_by_row(t: &Tensor) -> bool {
    t.is_contiguous() || result_strides(t.sizes(), &[t]) == contiguous_strides(t.sizes())
}

/// Whether code would go through many rows that have no elements: nothing ends such a loop, neither fuel nor memory.
fn runs_for_nothing(sizes: &[i64]) -> bool {
    const ROWS: i64 = 1 << 20;
    sizes.contains(&0) && sizes.iter().filter(|n| **n > 0).fold(1, |rows: i64, n| rows.saturating_mul(*n)) > ROWS
}

impl RegionSpec {
    /// Results as callers take them, of what the code wrote.
    pub(crate) fn results(&self, mut written: Outputs) -> Result<Outputs, Error> {
        for (value, spec) in written.iter_mut().zip(&self.outputs) {
            if !spec.number {
                continue;
            }
            let t = value.as_tensor()?;
            let number = match spec.dtype {
                DType::Bool => t.item::<Bool>().map(|b| IValue::Bool(b.into())),
                DType::F64 => t.item().map(IValue::Double),
                _ => t.item().map(IValue::Int),
            };
            *value = number.ok_or_else(|| Error::runtime("code that gives no number where it should"))?;
        }
        Ok(written)
    }

    /// What a call needs, or `None` when a guard fails: another dtype, rank or size than the code was made for, a tensor whose results would lie otherwise than
    /// the code's do, or sizes that cannot be counted.
    pub fn check(&self, inputs: &[IValue]) -> Option<Needs> {
        if inputs.len() != self.inputs.len() {
            return None;
        }
        let mut actual: SmallVec<[Actual<'_>; 8]> = SmallVec::new();
        for (value, spec) in inputs.iter().zip(&self.inputs) {
            actual.push(match (value, spec) {
                (IValue::Tensor(t), InputSpec::Tensor { dtype, sizes, contiguous }) => {
                    let s = t.sizes();
                    let fits = t.dtype() == *dtype
                        && &*t.device().kind == "cpu"
                        && s.len() == sizes.len()
                        && s.iter().zip(sizes).all(|(a, want)| want.is_none_or(|w| *a == w))
                        // Kernels see how a tensor lies: equal elements are sorted otherwise where they are one.
                        && if *contiguous || !self.calls.is_empty() { t.is_contiguous() } else { lies_row_by_row(t) };
                    if !fits {
                        return None;
                    }
                    Actual::Sizes(s)
                }
                (IValue::Int(n), InputSpec::Int) => Actual::Int(*n),
                (IValue::Double(_), InputSpec::Float) | (IValue::Bool(_), InputSpec::Bool) => Actual::Other,
                (IValue::Device(d), InputSpec::Device) if &*d.kind == "cpu" => Actual::Other,
                _ => return None,
            });
        }
        let value = dim::values(&actual);
        if !self.guards.iter().all(|g| g.holds(&value)) {
            return None;
        }
        let sizes = |o: &OutputSpec| o.sizes.iter().map(|d| d.eval(&value).filter(|&n| n >= 0)).collect::<Option<_>>();
        let results: Vec<SmallVec<[i64; 6]>> = self.outputs.iter().map(sizes).collect::<Option<_>>()?;
        if results.iter().any(|sizes| runs_for_nothing(sizes)) {
            return None;
        }
        Some(Needs { results, temporaries: self.temporaries.bytes(&actual)? })
    }
}

/// A stored specification that is not one.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("region metadata `{key}`: `{value}` is not understood")]
pub struct BadSpec {
    pub key: String,
    pub value: String,
}

impl RegionSpec {
    /// As keys and values, for a Program.
    pub fn to_metadata(&self) -> Vec<(String, String)> {
        let mut rows = vec![("name".to_string(), self.name.clone())];
        for input in &self.inputs {
            rows.push(("input".into(), input.to_string()));
        }
        for guard in &self.guards {
            let mut text = String::from(match guard.relation {
                Relation::Equal => "== ",
                Relation::Differs => "!= ",
                Relation::AtMost => "<= ",
            });
            dim::write(guard.left, &mut text);
            text.push(' ');
            dim::write(guard.right, &mut text);
            rows.push(("guard".into(), text));
        }
        for output in &self.outputs {
            let mut text = format!("{}{}", if output.number { NUMBER } else { "" }, output.dtype);
            for d in &output.sizes {
                text.push(' ');
                dim::write(*d, &mut text);
            }
            rows.push(("output".into(), text));
        }
        if self.temporaries.known > 0 {
            rows.push(("memory".into(), self.temporaries.known.to_string()));
        }
        for sizes in &self.temporaries.others {
            let mut text = String::new();
            for (i, d) in sizes.iter().enumerate() {
                text.push_str(if i > 0 { " " } else { "" });
                dim::write(*d, &mut text);
            }
            rows.push(("memory".into(), text));
        }
        for call in &self.calls {
            let mut text = String::new();
            call.write(&mut text);
            rows.push(("call".into(), text));
        }
        rows
    }

    /// Reads what [`RegionSpec::to_metadata`] wrote; other keys are somebody else's.
    pub fn from_metadata(rows: &[(String, String)]) -> Result<RegionSpec, BadSpec> {
        let mut spec = RegionSpec::default();
        for (key, value) in rows {
            let understood = match key.as_str() {
                "name" => {
                    spec.name = value.clone();
                    Some(())
                }
                "input" => InputSpec::parse(value).map(|i| spec.inputs.push(i)),
                "guard" => {
                    let mut words = value.split(' ');
                    let relation = match words.next() {
                        Some("==") => Some(Relation::Equal),
                        Some("!=") => Some(Relation::Differs),
                        Some("<=") => Some(Relation::AtMost),
                        _ => None,
                    };
                    relation
                        .zip(dim::read(&mut words))
                        .zip(dim::read(&mut words))
                        .filter(|_| words.next().is_none())
                        .map(|((relation, left), right)| spec.guards.push(Guard { relation, left, right }))
                }
                "output" => {
                    let (dtype, sizes) = value.split_once(' ').unwrap_or((value, ""));
                    let (dtype, number) = dtype.strip_prefix(NUMBER).map_or((dtype, false), |dtype| (dtype, true));
                    DType::from_short_name(dtype)
                        .zip(dims(sizes))
                        .filter(|(_, sizes)| !number || sizes.is_empty())
                        .map(|(dtype, sizes)| spec.outputs.push(OutputSpec { dtype, sizes, number }))
                }
                "memory" => dims(value).filter(|sizes| !sizes.is_empty()).and_then(|sizes| match sizes[..] {
                    [Dim::Known(bytes)] if bytes < 0 => None,
                    [Dim::Known(bytes)] => {
                        spec.temporaries.known.checked_add(bytes).map(|sum| spec.temporaries.known = sum)
                    }
                    _ => {
                        spec.temporaries.others.push(sizes);
                        Some(())
                    }
                }),
                "call" => OperatorCall::read(value).map(|call| spec.calls.push(call)),
                _ => Some(()),
            };
            if understood.is_none() {
                return Err(BadSpec { key: key.clone(), value: value.clone() });
            }
        }
        Ok(spec)
    }
}

/// Sizes, one after the other; `None` when a word is none.
fn dims(text: &str) -> Option<Vec<Dim>> {
    let mut words = text.split(' ').filter(|w| !w.is_empty()).peekable();
    let mut sizes = Vec::new();
    while words.peek().is_some() {
        sizes.push(dim::read(&mut words)?);
    }
    Some(sizes)
}

impl InputSpec {
    fn parse(text: &str) -> Option<InputSpec> {
        Some(match text {
            "int" => InputSpec::Int,
            "float" => InputSpec::Float,
            "bool()" => InputSpec::Bool,
            "device" => InputSpec::Device,
            _ => {
                let (text, contiguous) = text.strip_suffix(CONTIGUOUS).map_or((text, false), |text| (text, true));
                let (sizes, dtype) = text.rsplit_once('x').map_or(("", text), |(s, d)| (s, d));
                let dtype = DType::from_short_name(dtype)?;
                let size =
                    |s: &str| if s == "?" { Some(None) } else { s.parse().ok().filter(|n: &i64| *n >= 0).map(Some) };
                let sizes = sizes.split('x').filter(|s| !s.is_empty()).map(size).collect::<Option<_>>()?;
                InputSpec::Tensor { dtype, sizes, contiguous }
            }
        })
    }
}

impl fmt::Display for InputSpec {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            InputSpec::Tensor { dtype, sizes, contiguous } => {
                for s in sizes {
                    match s {
                        Some(n) => write!(f, "{n}x")?,
                        None => f.write_str("?x")?,
                    }
                }
                write!(f, "{dtype}{}", if *contiguous { CONTIGUOUS } else { "" })
            }
            InputSpec::Int => f.write_str("int"),
            InputSpec::Float => f.write_str("float"),
            // A tensor of rank 0 and dtype bool prints as `bool`.
            InputSpec::Bool => f.write_str("bool()"),
            InputSpec::Device => f.write_str("device"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::dim::Source;
    use sconce_tensor::TensorMetadata;

    #[test]
    fn metadata_reads_back() {
        let size = |input, axis| Source::Size { input, axis }.dim();
        let spec = RegionSpec {
            name: "f.r0".into(),
            inputs: vec![
                InputSpec::Tensor { dtype: DType::F32, sizes: vec![None, Some(3)], contiguous: true },
                InputSpec::Tensor { dtype: DType::Bool, sizes: vec![], contiguous: false },
                InputSpec::Int,
                InputSpec::Float,
                InputSpec::Bool,
                InputSpec::Device,
            ],
            guards: vec![
                Guard { relation: Relation::Equal, left: size(0, 0), right: Dim::Known(-5) },
                Guard { relation: Relation::AtMost, left: Source::Value(2).dim(), right: size(0, 1) },
            ],
            outputs: vec![
                OutputSpec { dtype: DType::I64, sizes: vec![], number: false },
                OutputSpec { dtype: DType::F64, sizes: vec![], number: true },
                OutputSpec {
                    dtype: DType::BF16,
                    sizes: vec![size(0, 0).minus(Source::Value(2).dim()).most(0), Dim::Known(3)],
                    number: false,
                },
            ],
            temporaries: {
                let mut temporaries = Temporaries::default();
                assert!(temporaries.add(&[Dim::Known(5)], DType::F64) && temporaries.add(&[size(0, 0)], DType::F32));
                assert!(temporaries.add(&[size(0, 0)], DType::F64));
                assert!(!temporaries.add(&[Dim::Known(1 << 40), Dim::Known(1 << 20)], DType::F64));
                temporaries
            },
            calls: vec![OperatorCall { operator: "aten::g".into(), arguments: vec![], results: vec![(DType::F32, 0)] }],
        };
        assert_eq!(spec.temporaries.bytes(&[Actual::Sizes(&[7, 3])]), Some(5 * 8 * 2 + 7 * (4 + 8) * 2));
        assert_eq!(spec.temporaries.bytes(&[Actual::Sizes(&[1 << 61, 3])]), None);
        assert_eq!(RegionSpec::from_metadata(&spec.to_metadata()), Ok(spec));
        for (key, value) in [
            ("guard", "== 1"),
            ("output", "f32 +"),
            ("output", "number-i64 3"),
            ("input", "2xq"),
            ("guard", "== 1 2 3"),
            ("input", "-1xf32"),
            ("memory", ""),
            ("memory", "-1"),
        ] {
            assert!(RegionSpec::from_metadata(&[(key.into(), value.into())]).is_err(), "{key} {value}");
        }
        let deep = format!("f32 {}1", "+ 1 ".repeat(100_000));
        assert!(RegionSpec::from_metadata(&[("output".into(), deep)]).is_err());
    }

    /// A slice whose rows have gaps goes to code that copies it, but not where a view of it in the code is one that the interpreter refuses.
    #[test]
    fn who_must_be_contiguous_is() {
        let whole = Tensor::from_vec((0..6).map(f64::from).collect(), &[2, 3]);
        let metadata = TensorMetadata { sizes: [2, 2].as_slice().into(), ..whole.metadata() };
        let part = [IValue::Tensor(Tensor::new(metadata).expect("it lies in the whole"))];
        for contiguous in [false, true] {
            let input = InputSpec::Tensor { dtype: DType::F64, sizes: vec![Some(2), None], contiguous };
            let spec = RegionSpec { inputs: vec![input], ..RegionSpec::default() };
            assert_eq!(spec.check(&part).is_some(), !contiguous);
            assert!(spec.check(&[IValue::Tensor(whole.clone())]).is_some());
        }
    }
}
