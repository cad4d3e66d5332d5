//! `specialize-inputs`: gives a function's tensor arguments known types, and refines the body from them.

use sconce_analysis::refine::{Shape, specialize};
use sconce_analysis::types::Tensor;
use sconce_ir::{OpExt, OperationRef};
use sconce_pass::{Failure, Pass, PassOption, PassResult, PassRun};
use sconce_schema::DType;

/// Types such as `2x3xf32,?x3xf32,_`: sizes or `?`, then the dtype; `f32` is of rank 0; `*xf32` says nothing of the rank; `_` leaves an
/// argument alone.
pub struct SpecializeInputs;

/// Reads the types of the option `types`.
pub fn parse_inputs(text: &str) -> Result<Vec<Shape>, Failure> {
    text.split(',').map(str::trim).filter(|s| !s.is_empty()).map(parse_one).collect()
}

fn parse_one(text: &str) -> Result<Shape, Failure> {
    if text == "_" {
        return Ok(Shape::Any);
    }
    let (sizes, dtype) = text.rsplit_once('x').map_or(("", text), |(s, d)| (s, d));
    let dtype = DType::from_short_name(dtype)
        .ok_or_else(|| Failure::new(format!("`{text}`: `{dtype}` is no dtype; expected a type such as 2x?xf32")))?;
    let sizes = if sizes == "*" {
        None
    } else {
        let size = |s: &str| match s {
            "?" => Ok(None),
            s => s
                .parse::<u32>()
                .map(|n| Some(i64::from(n)))
                .map_err(|_| Failure::new(format!("`{text}`: `{s}` is no size; expected a number or `?`"))),
        };
        Some(sizes.split('x').filter(|s| !s.is_empty()).map(size).collect::<Result<_, _>>()?)
    };
    Ok(Shape::Tensor(Tensor { value: false, sizes, dtype: Some(dtype) }))
}

impl Pass for SpecializeInputs {
    const NAME: &'static str = "specialize-inputs";
    const DESCRIPTION: &'static str = "Give a function's tensor arguments known types";
    const OPTIONS: &'static [PassOption] = &[
        PassOption::str("types", "types of the arguments, such as 2x3xf32,?x3xf32,_", ""),
        PassOption::str("function", "the function; empty: the only one", ""),
    ];
    const DIALECTS: &'static [&'static str] = &["torch"];

    fn run(root: OperationRef<'_, '_>, run: &PassRun<'_>) -> PassResult {
        let inputs = parse_inputs(run.str("types"))?;
        let name = run.str("function");
        let functions = root.find_all("func.func");
        let chosen: Vec<_> = functions.iter().filter(|f| name.is_empty() || f.symbol_name() == Some(name)).collect();
        match chosen[..] {
            [function] => {
                specialize(*function, &inputs)?;
                Ok(())
            }
            [] => Err(Failure::new(format!("there is no function @{name}"))),
            _ => Err(Failure::new("there are several functions; the option `function` chooses one")),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn types_are_read() {
        let t = parse_inputs("2x?xf32, _ ,f64,*xi64").unwrap();
        let of = |sizes: Option<&[Option<i64>]>, dtype| {
            Shape::Tensor(Tensor { value: false, sizes: sizes.map(Into::into), dtype: Some(dtype) })
        };
        let wanted =
            [of(Some(&[Some(2), None]), DType::F32), Shape::Any, of(Some(&[]), DType::F64), of(None, DType::I64)];
        assert_eq!(t, wanted);
        for bad in ["2x3", "axf32", "-1xf32", "2xxq"] {
            assert!(parse_inputs(bad).is_err(), "{bad}");
        }
    }
}
