//! Whether results are the expected ones: the same names, sizes and dtypes, floats within a tolerance, all else equal.

use sconce_tensor::Tensor;
use std::fmt;

/// `|got - want| <= atol + rtol * |want|`, as `torch.testing.assert_close`.
#[derive(Clone, Copy)]
pub struct Tolerance {
    /// Of the expected value, relative to it.
    pub rtol: f64,
    /// Added to that.
    pub atol: f64,
}

/// One row a tensor.
pub struct Comparison {
    /// One a tensor.
    pub rows: Vec<Row>,
}

/// How one tensor differs from the expected one.
pub struct Row {
    /// Which tensor of the value.
    pub name: String,
    /// Largest absolute difference, where there was something to compare.
    pub worst: Option<f64>,
    /// What is wrong, if anything.
    pub problem: Option<String>,
}

/// Compares by name. Tensors that only one side has are problems.
pub fn compare(got: &[(String, Tensor)], expected: &[(String, Tensor)], tolerance: Tolerance) -> Comparison {
    let mut rows: Vec<Row> = expected
        .iter()
        .map(|(name, want)| match got.iter().find(|(n, _)| n == name) {
            Some((_, have)) => row(name, have, want, tolerance),
            None => Row { name: name.clone(), worst: None, problem: Some("the result has no such tensor".into()) },
        })
        .collect();
    for (name, _) in got.iter().filter(|(n, _)| !expected.iter().any(|(e, _)| e == n)) {
        rows.push(Row { name: name.clone(), worst: None, problem: Some("not expected".into()) });
    }
    Comparison { rows }
}

fn row(name: &str, have: &Tensor, want: &Tensor, t: Tolerance) -> Row {
    let problem = |text: String| Row { name: name.into(), worst: None, problem: Some(text) };
    if have.sizes() != want.sizes() || have.dtype() != want.dtype() {
        return problem(format!(
            "is {:?} {}, expected {:?} {}",
            have.sizes(),
            have.dtype(),
            want.sizes(),
            want.dtype()
        ));
    }
    if have.quantizer() != want.quantizer() {
        return problem("has other scales and zero points".into());
    }
    let integers = |t: &Tensor| t.reread(t.dtype().underlying(), None);
    let (have, want) = (&integers(have), &integers(want));
    let exact = !(want.dtype().is_float() || want.dtype().is_complex());
    let (mut worst, mut first) = (0f64, None);
    for (i, (a, b)) in have.to_f64().into_iter().zip(want.to_f64()).enumerate() {
        let same = a == b || (a.is_nan() && b.is_nan());
        let difference = if same { 0.0 } else { (a - b).abs() };
        worst = worst.max(if difference.is_nan() { f64::INFINITY } else { difference });
        let within = same || (!exact && difference <= t.atol + t.rtol * b.abs());
        if !within && first.is_none() {
            first = Some((i, a, b));
        }
    }
    let problem = first.map(|(i, a, b)| format!("element {i} is {a}, expected {b}"));
    Row { name: name.into(), worst: Some(worst), problem }
}

impl Comparison {
    /// Whether every tensor is within the tolerance.
    pub fn passed(&self) -> bool {
        self.rows.iter().all(|r| r.problem.is_none())
    }
    /// The same as JSON.
    pub fn to_json(&self) -> serde_json::Value {
        self.rows
            .iter()
            .map(|r| serde_json::json!({ "name": r.name, "largest_difference": r.worst, "problem": r.problem }))
            .collect()
    }
}

impl fmt::Display for Comparison {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (i, r) in self.rows.iter().enumerate() {
            if i > 0 {
                writeln!(f)?;
            }
            write!(f, "expected {}: ", r.name)?;
            match (&r.problem, r.worst) {
                (Some(p), Some(w)) => write!(f, "DIFFERS: {p} (largest difference {w:.3e})")?,
                (Some(p), None) => write!(f, "DIFFERS: {p}")?,
                (None, w) => write!(f, "within tolerance, largest difference {:.3e}", w.unwrap_or(0.0))?,
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn differences_are_named() {
        let named = |v: Vec<f32>| vec![("0".to_string(), Tensor::from_vec(v, &[2]))];
        let t = Tolerance { rtol: 1e-4, atol: 1e-5 };
        assert!(compare(&named(vec![1.0, f32::NAN]), &named(vec![1.00001, f32::NAN]), t).passed());
        let c = compare(&named(vec![1.0, 2.0]), &named(vec![1.0, 2.5]), t);
        assert_eq!(c.to_string(), "expected 0: DIFFERS: element 1 is 2, expected 2.5 (largest difference 5.000e-1)");
        assert!(!compare(&named(vec![1.0, f32::NAN]), &named(vec![1.0, 1.0]), t).passed());
        assert!(!compare(&[], &named(vec![1.0, 1.0]), t).passed());
    }
}
