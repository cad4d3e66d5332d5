//! Convolutions as products of windows, which are gathered one by one.

use crate::cases::Case;
use sconce_gemm::{Product, View, product, transposed};

/// The results as products of the weights and of windows.
pub fn windows_multiplied(case: &Case) -> Vec<f32> {
    let Case { frame: f, batch, groups, channels, rows, gap, .. } = case;
    let (k, positions, pixels) = (channels * f.area(), f.positions(), f.pixels());
    let mut out = vec![f32::NAN; case.results()];
    for (unit, out) in out.chunks_exact_mut(rows * positions).enumerate() {
        let (b, g) = (unit / groups, unit % groups);
        let first = b * (groups * channels + gap) + g * channels;
        let mut windows = vec![0f32; k * positions];
        for (i, row) in windows.chunks_exact_mut(positions).enumerate() {
            let image = &case.x[(first + i / f.area()) * pixels..][..pixels];
            for met in transposed::runs(f, i % f.area()) {
                let first = met.line * f[2].image + met.column;
                for (n, to) in row[met.windows].iter_mut().enumerate() {
                    *to = image[first + n * f[2].stride];
                }
            }
        }
        let p = Product {
            m: *rows,
            n: positions,
            k,
            a: View::new(case.w[g * rows * k..].as_ptr(), k as isize, 1),
            out: out.as_mut_ptr(),
            out_row: positions,
            alpha: 1.0,
            start: case.bias.as_ref().map(|b| View::new(b[g * rows..].as_ptr(), 1, 0)),
        };
        // SAFETY: the vectors have these rows and columns.
        unsafe { product(&p, &View::new(windows.as_ptr(), positions as isize, 1)) };
    }
    assert_eq!(out.len(), batch * groups * rows * positions);
    out
}
