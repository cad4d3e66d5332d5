//! What a compiled region takes and gives: enough to check a call, allocate its results and pass them on.

use crate::dim::{Actual, Dim, Guard, Relation};
use sconce_schema::DType;
use sconce_tensor::IValue;
use smallvec::SmallVec;
use std::fmt;

#[derive(Clone, PartialEq, Eq, Debug)]
pub enum InputSpec {
    /// `None`: any size.
    Tensor {
        dtype: DType,
        sizes: Vec<Option<i64>>,
    },
    Int,
    Float,
    Bool,
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub struct OutputSpec {
    pub dtype: DType,
    pub sizes: Vec<Dim>,
}

/// The contract between a compiled region and its callers.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct RegionSpec {
    pub name: String,
    pub inputs: Vec<InputSpec>,
    pub guards: Vec<Guard>,
    pub outputs: Vec<OutputSpec>,
}

impl RegionSpec {
    /// The sizes of the results of a call, or `None` when a guard fails: another dtype, rank or size than the code was made for.
    pub fn check(&self, inputs: &[IValue]) -> Option<Vec<SmallVec<[i64; 6]>>> {
        if inputs.len() != self.inputs.len() {
            return None;
        }
        let mut actual: SmallVec<[Actual<'_>; 8]> = SmallVec::new();
        for (value, spec) in inputs.iter().zip(&self.inputs) {
            actual.push(match (value, spec) {
                (IValue::Tensor(t), InputSpec::Tensor { dtype, sizes }) => {
                    let s = t.sizes();
                    let fits = t.dtype() == *dtype
                        && &*t.device().kind == "cpu"
                        && s.len() == sizes.len()
                        && s.iter().zip(sizes).all(|(a, want)| want.is_none_or(|w| *a == w));
                    if !fits {
                        return None;
                    }
                    Actual::Sizes(s)
                }
                (IValue::Int(n), InputSpec::Int) => Actual::Int(*n),
                (IValue::Double(_), InputSpec::Float) | (IValue::Bool(_), InputSpec::Bool) => Actual::Other,
                _ => return None,
            });
        }
        if !self.guards.iter().all(|g| g.holds(&actual)) {
            return None;
        }
        self.outputs
            .iter()
            .map(|o| o.sizes.iter().map(|d| d.eval(&actual).filter(|&n| n >= 0)).collect::<Option<_>>())
            .collect()
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
                Relation::AtMost => "<= ",
            });
            guard.left.write(&mut text);
            text.push(' ');
            guard.right.write(&mut text);
            rows.push(("guard".into(), text));
        }
        for output in &self.outputs {
            let mut text = output.dtype.to_string();
            for d in &output.sizes {
                text.push(' ');
                d.write(&mut text);
            }
            rows.push(("output".into(), text));
        }
        rows
    }

    /// Reads what [`RegionSpec::to_metadata`] wrote; other keys are somebody else's.
    pub fn from_metadata(rows: &[(String, String)]) -> Result<RegionSpec, BadSpec> {
        let mut spec = RegionSpec { name: String::new(), inputs: Vec::new(), guards: Vec::new(), outputs: Vec::new() };
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
                        Some("<=") => Some(Relation::AtMost),
                        _ => None,
                    };
                    relation
                        .zip(Dim::read(&mut words))
                        .zip(Dim::read(&mut words))
                        .filter(|_| words.next().is_none())
                        .map(|((relation, left), right)| spec.guards.push(Guard { relation, left, right }))
                }
                "output" => {
                    let mut words = value.split(' ').peekable();
                    let dtype = words.next().and_then(DType::from_short_name);
                    let mut sizes = Vec::new();
                    let mut good = dtype.is_some();
                    while good && words.peek().is_some() {
                        match Dim::read(&mut words) {
                            Some(d) => sizes.push(d),
                            None => good = false,
                        }
                    }
                    dtype.filter(|_| good).map(|dtype| spec.outputs.push(OutputSpec { dtype, sizes }))
                }
                _ => Some(()),
            };
            if understood.is_none() {
                return Err(BadSpec { key: key.clone(), value: value.clone() });
            }
        }
        Ok(spec)
    }
}

impl InputSpec {
    fn parse(text: &str) -> Option<InputSpec> {
        Some(match text {
            "int" => InputSpec::Int,
            "float" => InputSpec::Float,
            "bool()" => InputSpec::Bool,
            _ => {
                let (sizes, dtype) = text.rsplit_once('x').map_or(("", text), |(s, d)| (s, d));
                let dtype = DType::from_short_name(dtype)?;
                let size =
                    |s: &str| if s == "?" { Some(None) } else { s.parse().ok().filter(|n: &i64| *n >= 0).map(Some) };
                let sizes = sizes.split('x').filter(|s| !s.is_empty()).map(size).collect::<Option<_>>()?;
                InputSpec::Tensor { dtype, sizes }
            }
        })
    }
}

impl fmt::Display for InputSpec {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            InputSpec::Tensor { dtype, sizes } => {
                for s in sizes {
                    match s {
                        Some(n) => write!(f, "{n}x")?,
                        None => f.write_str("?x")?,
                    }
                }
                write!(f, "{dtype}")
            }
            InputSpec::Int => f.write_str("int"),
            InputSpec::Float => f.write_str("float"),
            // A tensor of rank 0 and dtype bool prints as `bool`.
            InputSpec::Bool => f.write_str("bool()"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::dim::DimOp;

    #[test]
    fn metadata_reads_back() {
        let size = |input, axis| Dim::Input { input, axis };
        let spec = RegionSpec {
            name: "f.r0".into(),
            inputs: vec![
                InputSpec::Tensor { dtype: DType::F32, sizes: vec![None, Some(3)] },
                InputSpec::Tensor { dtype: DType::Bool, sizes: vec![] },
                InputSpec::Int,
                InputSpec::Float,
                InputSpec::Bool,
            ],
            guards: vec![
                Guard { relation: Relation::Equal, left: size(0, 0), right: Dim::Known(-5) },
                Guard { relation: Relation::AtMost, left: Dim::Value(2), right: size(0, 1) },
            ],
            outputs: vec![
                OutputSpec { dtype: DType::I64, sizes: vec![] },
                OutputSpec {
                    dtype: DType::BF16,
                    sizes: vec![
                        Dim::op(DimOp::Max, Dim::op(DimOp::Sub, size(0, 0), Dim::Value(2)), Dim::Known(0)),
                        Dim::Known(3),
                    ],
                },
            ],
        };
        assert_eq!(RegionSpec::from_metadata(&spec.to_metadata()), Ok(spec));
        for (key, value) in
            [("guard", "== 1"), ("output", "f32 +"), ("input", "2xq"), ("guard", "== 1 2 3"), ("input", "-1xf32")]
        {
            assert!(RegionSpec::from_metadata(&[(key.into(), value.into())]).is_err(), "{key} {value}");
        }
        let deep = format!("f32 {}1", "+ 1 ".repeat(100_000));
        assert!(RegionSpec::from_metadata(&[("output".into(), deep)]).is_err());
    }
}
