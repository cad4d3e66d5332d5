//! A product of any sizes and strides is that of plain loops, and its bits depend neither on threads nor on the width of vectors.

use sconce_gemm::{Multiplied, Packed, Panels, Product, View, product};
use sconce_parallel::simd::Real;
use sconce_parallel::vectorize::{Width, narrow};

/// Small numbers from a fixed sequence.
struct Numbers(u64);

impl Numbers {
    fn next(&mut self) -> f64 {
        self.0 = self.0.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        (self.0 >> 40) as f64 / f64::from(1 << 23) - 1.0
    }
    fn one_of<T: Copy>(&mut self, list: &[T]) -> T {
        let at = (self.next() + 1.0) * 0.5 * list.len() as f64;
        list[(at as usize).min(list.len() - 1)]
    }
}

/// Elements and strides of a matrix; turned, with gaps, or row by row.
struct Matrix<E> {
    data: Vec<E>,
    row: isize,
    column: isize,
}

impl<E: Real> Matrix<E> {
    fn random(r: &mut Numbers, rows: usize, columns: usize) -> Matrix<E> {
        let gap = r.one_of(&[0, 0, 3]);
        let (row, column) = match r.one_of(&[0, 1, 2]) {
            0 => (columns + gap, 1),
            1 => (1, rows + gap),
            _ => (2 * columns + gap, 2),
        };
        let data = (0..rows * row.max(1) + columns * column + 1).map(|_| E::from(r.next()).unwrap()).collect();
        Matrix { data, row: row as isize, column: column as isize }
    }
    fn view(&self) -> View<E> {
        View::new(self.data.as_ptr(), self.row, self.column)
    }
    fn at(&self, i: usize, j: usize) -> f64 {
        self.data[i * self.row as usize + j * self.column as usize].to_f64().unwrap()
    }
}

fn same_bits_and_right<E: Multiplied>(seed: u64, close: f64) {
    let mut r = Numbers(seed);
    let lengths = [0, 1, 2, 3, 5, 8, 13, 16, 17, 31, 33, 48, 49, 64, 97, 130, 300, 611];
    for round in 0..120 {
        let (m, n, mut k) = (r.one_of(&lengths), r.one_of(&lengths), r.one_of(&lengths));
        if m * n * k > 1 << 22 {
            k = 9;
        }
        let (a, b) = (Matrix::<E>::random(&mut r, m, k), Matrix::<E>::random(&mut r, k, n));
        let start = r.one_of(&[true, false]).then(|| Matrix::<E> {
            row: n as isize,
            column: 1,
            ..Matrix::random(&mut r, m, n + 2)
        });
        let alpha = r.one_of(&[1.0, 0.5, -2.0]);
        let in_tiles = r.one_of(&[true, false]);
        let run = |threads: usize, width: Width, packed: Option<Width>| {
            sconce_parallel::set_threads(threads);
            let mut memory = vec![E::nan(); Panels::<E>::elements(k, n).unwrap()];
            let panels = packed.map(|packed| {
                narrow(packed);
                // SAFETY: the matrix has these rows and columns, the vector so many elements.
                unsafe { Panels::pack(b.view(), k, n, memory.as_mut_ptr()) }
            });
            narrow(width);
            let mut out = vec![E::nan(); m * n];
            let p = Product {
                m,
                n,
                k,
                a: a.view(),
                out: out.as_mut_ptr(),
                out_row: n,
                alpha: E::from(alpha).unwrap(),
                start: start.as_ref().map(Matrix::view),
            };
            // SAFETY: the matrices have these rows and columns, `out` is a vector of its own.
            unsafe { product(&p, &Packed { view: b.view(), panels, in_tiles }) };
            out
        };
        let want = run(1, Width::Base, None);
        let mut others = vec![run(3, Width::Base, None), run(1, Width::Base, Some(Width::Base))];
        #[cfg(target_arch = "x86_64")]
        for (threads, width, packed) in [
            (1, Width::V3, None),
            (2, Width::V3, Some(Width::V3)),
            (1, Width::V4, None),
            (3, Width::V4, None),
            (3, Width::V4, Some(Width::V4)),
            // Panels of another width are packed again.
            (1, Width::V4, Some(Width::V3)),
        ] {
            others.push(run(threads, width, packed));
        }
        for other in others {
            let equal = want.iter().zip(&other).all(|(a, b)| a.integer_decode() == b.integer_decode());
            assert!(equal, "round {round}: {m}x{k}x{n} has other bits on other threads or vectors");
        }
        for (at, got) in want.iter().enumerate() {
            let (i, j) = (at / n, at % n);
            let sum: f64 = (0..k).map(|l| a.at(i, l) * b.at(l, j)).sum();
            let value = alpha * sum + start.as_ref().map_or(0.0, |s| s.at(i, j));
            let far = (got.to_f64().unwrap() - value).abs();
            assert!(far <= close * (k + 4) as f64, "round {round}: {m}x{k}x{n}, element {i} {j} is {far} off");
        }
    }
}

/// One test for both types: threads and width are the process's.
#[test]
fn products_are_right_and_have_the_same_bits_on_all_threads_and_vectors() {
    same_bits_and_right::<f32>(1, 4e-7);
    same_bits_and_right::<f64>(2, 1e-15);
}
