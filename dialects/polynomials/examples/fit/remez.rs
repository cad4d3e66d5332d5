//! The polynomial whose largest weighted error on an interval is least (Remez's exchange), with coefficients that a given type holds.

/// What is to be approximated: `weight(x) * (p(x) - f(x))` is made small for `low <= x <= high`.
pub struct Problem<'a> {
    pub low: f64,
    pub high: f64,
    pub f: &'a dyn Fn(f64) -> f64,
    pub weight: &'a dyn Fn(f64) -> f64,
}

/// Points of the interval that errors are looked at, denser towards its ends.
const POINTS: usize = 4001;

/// `count` coefficients, lowest power first, each of them `round`ed before the next is looked for, and the largest weighted error that is left. The
/// first coefficients may be given.
pub fn fit(p: &Problem<'_>, given: &[f64], count: usize, round: impl Fn(f64) -> f64) -> (Vec<f64>, f64) {
    let (middle, half) = ((p.high + p.low) / 2.0, (p.high - p.low) / 2.0);
    let points: Vec<f64> = (0..POINTS)
        .map(|i| middle - half * libm::cos(std::f64::consts::PI * (i as f64 + 0.5) / POINTS as f64))
        // Powers of what is nearly 0 leave the range of numbers.
        .filter(|x| x.abs() > half * 1e-6)
        .collect();
    let f: Vec<f64> = points.iter().map(|x| (p.f)(*x)).collect();
    let weight: Vec<f64> = points.iter().map(|x| (p.weight)(*x).abs()).collect();
    let mut c = given.to_vec();
    while c.len() < count {
        // What is left after the coefficients that are fixed, divided by the power that all others share.
        let k = c.len() as i32;
        let power: Vec<f64> = points.iter().map(|x| libm::pow(*x, f64::from(k))).collect();
        let rest: Vec<f64> = (0..points.len()).map(|i| (f[i] - horner(&c, points[i])) / power[i]).collect();
        let scale: Vec<f64> = (0..points.len()).map(|i| weight[i] * power[i].abs()).collect();
        let terms = count - c.len();
        let basis = |x: f64| chebyshev((x - middle) / half, terms);
        let b = exchange(&points, &rest, &scale, terms, &basis);
        c.push(round(dot(&b, &basis(0.0))));
    }
    let error = (0..points.len())
        .map(|i| (weight[i] * (horner(&c, points[i]) - f[i])).abs())
        .fold(0.0, |m, e| if e > m || e.is_nan() { e } else { m });
    (c, error)
}

fn horner(c: &[f64], x: f64) -> f64 {
    c.iter().rev().fold(0.0, |sum, c| sum * x + c)
}

fn dot(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}

/// The first Chebyshev polynomials at `t`.
fn chebyshev(t: f64, count: usize) -> Vec<f64> {
    let mut v = vec![1.0, t];
    while v.len() < count {
        v.push(2.0 * t * v[v.len() - 1] - v[v.len() - 2]);
    }
    v.truncate(count);
    v
}

/// Factors of `basis` for which the largest of `scale * |sum - f|` is least.
fn exchange(x: &[f64], f: &[f64], scale: &[f64], terms: usize, basis: &dyn Fn(f64) -> Vec<f64>) -> Vec<f64> {
    let n = x.len();
    let mut at: Vec<usize> = (0..=terms).map(|i| i * (n - 1) / terms).collect();
    let mut factors = vec![0.0; terms];
    for _ in 0..60 {
        // The error has one size and alternates at these points.
        let rows: Vec<Vec<f64>> = at
            .iter()
            .enumerate()
            .map(|(i, &k)| {
                let mut row = basis(x[k]);
                row.push(if i % 2 == 0 { 1.0 } else { -1.0 } / scale[k].max(1e-300));
                row.push(f[k]);
                row
            })
            .collect();
        let Some(solution) = solve(rows) else { break };
        let size = solution[terms].abs();
        factors = solution[..terms].to_vec();
        let error: Vec<f64> = (0..n).map(|i| scale[i] * (dot(&factors, &basis(x[i])) - f[i])).collect();
        let next = extremes(&error, terms + 1);
        let largest = error.iter().fold(0.0, |m: f64, e| m.max(e.abs()));
        if next.len() < terms + 1 || next == at || largest <= size * 1.000_001 {
            break;
        }
        at = next;
    }
    factors
}

/// Where the error is largest between its changes of sign: as many places as asked for, less where there are not as many.
fn extremes(error: &[f64], count: usize) -> Vec<usize> {
    let mut found: Vec<usize> = Vec::new();
    for (i, e) in error.iter().enumerate() {
        match found.last_mut() {
            Some(last) if (error[*last] < 0.0) == (*e < 0.0) => {
                if e.abs() > error[*last].abs() {
                    *last = i;
                }
            }
            _ => found.push(i),
        }
    }
    while found.len() > count {
        // The least goes; inside, a neighbour with it, so that signs still alternate.
        let least =
            (0..found.len()).min_by(|a, b| error[found[*a]].abs().total_cmp(&error[found[*b]].abs())).unwrap_or(0);
        let ends = [0, found.len() - 1];
        if found.len() == count + 1 || ends.contains(&least) {
            let end = if error[found[ends[0]]].abs() < error[found[ends[1]]].abs() { ends[0] } else { ends[1] };
            found.remove(end);
        } else {
            let left = error[found[least - 1]].abs() < error[found[least + 1]].abs();
            let first = if left { least - 1 } else { least };
            found.drain(first..first + 2);
        }
    }
    found
}

/// Gauss's elimination with the largest pivots; none where the rows depend on each other.
fn solve(mut rows: Vec<Vec<f64>>) -> Option<Vec<f64>> {
    let n = rows.len();
    // Rows of one size: the errors' column is of another size in each.
    for row in &mut rows {
        let largest = row[..n].iter().fold(0.0, |m: f64, v| m.max(v.abs()));
        row.iter_mut().for_each(|v| *v /= largest);
    }
    for k in 0..n {
        let pivot = (k..n).max_by(|a, b| rows[*a][k].abs().total_cmp(&rows[*b][k].abs()))?;
        rows.swap(k, pivot);
        let (above, below) = rows.split_at_mut(k + 1);
        let top = &above[k];
        if top[k] == 0.0 || !top[k].is_finite() {
            return None;
        }
        for row in below {
            let factor = row[k] / top[k];
            for j in k..=n {
                row[j] -= factor * top[j];
            }
        }
    }
    let mut x = vec![0.0; n];
    for k in (0..n).rev() {
        let sum: f64 = (k + 1..n).map(|j| rows[k][j] * x[j]).sum();
        x[k] = (rows[k][n] - sum) / rows[k][k];
    }
    Some(x)
}
