//! Products, convolutions and pooling of random sizes and strides against plain loops; the same bits on one thread and on several.

use sconce_kernels::defaults::default_value;
use sconce_kernels::{Bound, parallel};
use sconce_tensor::{DType, IValue, Tensor};

/// Small numbers from a fixed sequence.
struct Numbers(u64);

impl Numbers {
    fn next(&mut self) -> f64 {
        self.0 = self.0.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        (self.0 >> 40) as f64 / f64::from(1 << 23) - 1.0
    }
    fn below(&mut self, n: usize) -> usize {
        (((self.next() + 1.0) * 0.5 * n as f64) as usize).min(n - 1)
    }
    fn one_of<T: Copy>(&mut self, list: &[T]) -> T {
        list[self.below(list.len())]
    }
    /// A tensor whose dimensions lie in memory in a random order, with gaps at times.
    fn tensor(&mut self, sizes: &[i64], dtype: DType) -> Tensor {
        let mut order: Vec<usize> = (0..sizes.len()).collect();
        if self.below(2) == 0 {
            for i in (1..order.len()).rev() {
                order.swap(i, self.below(i + 1));
            }
        }
        let mut strides = vec![0i64; sizes.len()];
        let mut step = if self.below(4) == 0 { 2 } else { 1 };
        for &d in order.iter().rev() {
            strides[d] = step;
            step *= sizes[d] + i64::from(self.below(5) == 0);
        }
        let floats = dtype.is_float();
        let values: Vec<f64> =
            (0..step.max(1) + 2).map(|_| if floats { self.next() } else { (self.next() * 9.0).floor() }).collect();
        let t = Tensor::from_f64(&values, &[values.len() as i64], dtype).unwrap();
        t.as_strided(sizes, &strides, 1).unwrap()
    }
}

fn call(op: &str, args: &[IValue]) -> Vec<Tensor> {
    let entry = sconce_schema::lookup(op).unwrap_or_else(|| panic!("no operator {op}"));
    let mut full = args.to_vec();
    for argument in entry.schema().arguments.iter().skip(args.len()) {
        full.push(argument.default.as_ref().map_or(IValue::None, |d| default_value(d, argument)));
    }
    // Products of groups are there.
    sconce_kernels_extra::install();
    let run = |threads: usize| -> Vec<Tensor> {
        parallel::set_threads(threads);
        let out = Bound::new(entry).unwrap().call(&mut full.clone()).unwrap_or_else(|e| panic!("{op}: {e}"));
        out.iter().map(|v| v.as_tensor().unwrap().clone()).collect()
    };
    let (one, three) = (run(1), run(3));
    for (a, b) in one.iter().zip(&three) {
        let bits = |t: &Tensor| t.to_f64().into_iter().map(f64::to_bits).collect::<Vec<u64>>();
        assert_eq!(bits(a), bits(b), "{op}: bits depend on the number of threads");
    }
    one
}

/// Compares with what was computed in f64; `scale` is the largest sum of absolute values.
fn close(what: &str, got: &Tensor, want: &[f64], sizes: &[i64], scale: f64) {
    assert_eq!(got.sizes(), sizes, "{what}");
    let unit = match got.dtype() {
        DType::F64 => 1e-13,
        DType::F32 => 2e-6,
        DType::BF16 => 8e-3,
        DType::F16 => 1e-3,
        _ => 0.0,
    };
    for (i, (g, w)) in got.to_f64().iter().zip(want).enumerate() {
        assert!((g - w).abs() <= unit * scale, "{what}: element {i} is {g}, not {w}");
    }
}

fn ints(list: &[usize]) -> IValue {
    IValue::int_list(&list.iter().map(|n| *n as i64).collect::<Vec<i64>>())
}

const DTYPES: [DType; 8] =
    [DType::F32, DType::F32, DType::F64, DType::F32, DType::BF16, DType::I64, DType::I32, DType::F16];

#[test]
fn matrices() {
    let mut r = Numbers(1);
    let lengths = [0, 1, 2, 3, 4, 5, 7, 8, 12, 13, 16, 17, 31, 32, 33, 48, 49, 64, 100, 130, 300, 611];
    for round in 0..160 {
        let dtype = r.one_of(&DTYPES);
        let (mut m, n, k) = (r.one_of(&lengths), r.one_of(&lengths), r.one_of(&lengths));
        if m * n * k > 1 << 20 {
            m = 5;
        }
        let batch = r.one_of(&[1usize, 1, 2, 3]);
        let (a, b) = (
            r.tensor(&[batch as i64, m as i64, k as i64], dtype),
            r.tensor(&[batch as i64, k as i64, n as i64], dtype),
        );
        let bias_sizes: &[i64] = &r.one_of(&[[1, 1, 1], [1, 1, 0], [1, 0, 1], [1, 0, 0]]);
        let bias_sizes: Vec<i64> =
            [batch, m, n].iter().zip(bias_sizes).map(|(n, one)| if *one == 1 { 1 } else { *n as i64 }).collect();
        let bias = r.tensor(&bias_sizes, dtype);
        let (alpha, beta) = r.one_of(&[(1, 1), (2, 1), (1, 0), (3, 2)]);
        let (x, y) = (a.to_f64(), b.to_f64());
        let sizes = [batch as i64, m as i64, n as i64];
        let start = bias.expand(&sizes).unwrap().to_f64();
        let mut product = vec![0.0; batch * m * n];
        for (i, o) in product.iter_mut().enumerate() {
            let (q, row, column) = (i / n / m, i / n % m, i % n);
            *o = (0..k).map(|l| x[(q * m + row) * k + l] * y[(q * k + l) * n + column]).sum();
        }
        let sum: Vec<f64> =
            product.iter().zip(&start).map(|(p, s)| f64::from(alpha) * p + f64::from(beta) * s).collect();
        let what = format!("round {round}: {dtype:?} {batch}x{m}x{k}x{n} {:?} {:?}", a.strides(), b.strides());
        let scale = (k as f64 + 4.0) * f64::from(alpha + beta);
        let tensors = [bias.clone().into(), a.clone().into(), b.clone().into()];
        close(&what, &call("aten::bmm", &tensors[1..])[0], &product, &sizes, scale);
        close(&what, &call("aten::matmul", &tensors[1..])[0], &product, &sizes, scale);
        let mut all = tensors.to_vec();
        all.extend([IValue::Int(beta.into()), IValue::Int(alpha.into())]);
        close(&what, &call("aten::baddbmm", &all)[0], &sum, &sizes, scale);
        // The second factor turned, as weights are.
        let last = |t: &Tensor| t.as_strided(&t.sizes()[1..], &t.strides()[1..], t.storage_offset()).unwrap();
        let w = last(&b);
        let w =
            w.as_strided(&[w.sizes()[1], w.sizes()[0]], &[w.strides()[1], w.strides()[0]], w.storage_offset()).unwrap();
        let first: Vec<f64> = product[..m * n].to_vec();
        let got = &call("aten::linear", &[last(&a).into(), w.into(), IValue::None])[0];
        close(&what, got, &first, &sizes[1..], scale);
        if m > 0 && n > 0 {
            let row = last(&a);
            let row = row.as_strided(&row.sizes()[1..], &row.strides()[1..], row.storage_offset()).unwrap();
            close(
                &what,
                &call("aten::matmul", &[row.clone().into(), last(&b).into()])[0],
                &first[..n],
                &sizes[2..],
                scale,
            );
            let column = last(&b);
            let column =
                column.as_strided(&column.sizes()[..1], &column.strides()[..1], column.storage_offset()).unwrap();
            let want: Vec<f64> = first.iter().step_by(n).copied().collect();
            close(&what, &call("aten::mv", &[last(&a).into(), column.clone().into()])[0], &want, &sizes[1..2], scale);
            close(&what, &call("aten::dot", &[row.into(), column.into()])[0], &want[..1], &[], scale);
        }
    }
}

/// Sizes and settings of windows in `n` dimensions.
struct Windows {
    image: Vec<usize>,
    kernel: Vec<usize>,
    stride: Vec<usize>,
    padding: Vec<usize>,
    dilation: Vec<usize>,
    out: Vec<usize>,
}

impl Windows {
    fn new(r: &mut Numbers, n: usize, pooled: bool) -> Windows {
        let mut list = |from: &[usize]| (0..n).map(|_| r.one_of(from)).collect::<Vec<usize>>();
        let (image, kernel) = (list(&[5, 7, 8, 13, 20, 37]), list(&[1, 2, 3, 3, 5]));
        let (stride, dilation) = (list(&[1, 1, 2, 3]), list(&[1, 1, 2]));
        let most = list(&[0, 1, 2, 4]);
        let padding: Vec<usize> =
            most.iter().zip(&kernel).map(|(p, k)| if pooled { (*p).min(k / 2) } else { *p }).collect();
        let mut w = Windows { image, kernel, stride, padding, dilation, out: Vec::new() };
        for d in 0..n {
            while w.image[d] + 2 * w.padding[d] < w.dilation[d] * (w.kernel[d] - 1) + 1 {
                w.image[d] += 3;
            }
            w.out.push((w.image[d] + 2 * w.padding[d] - w.dilation[d] * (w.kernel[d] - 1) - 1) / w.stride[d] + 1);
        }
        w
    }
    /// Calls `f(window, kernel element, pixel)` where they meet.
    fn for_each(&self, mut f: impl FnMut(usize, usize, usize)) {
        let n = self.image.len();
        let count = |l: &[usize]| l.iter().product::<usize>();
        for window in 0..count(&self.out) {
            'element: for element in 0..count(&self.kernel) {
                let (mut w, mut k, mut pixel, mut step) = (window, element, 0, 1);
                for d in (0..n).rev() {
                    let at = w % self.out[d] * self.stride[d] + k % self.kernel[d] * self.dilation[d];
                    let Some(at) = at.checked_sub(self.padding[d]).filter(|at| *at < self.image[d]) else {
                        continue 'element;
                    };
                    pixel += at * step;
                    step *= self.image[d];
                    (w, k) = (w / self.out[d], k / self.kernel[d]);
                }
                f(window, element, pixel);
            }
        }
    }
    fn sizes(lead: &[usize], rest: &[usize]) -> Vec<i64> {
        lead.iter().chain(rest).map(|n| *n as i64).collect()
    }
}

#[test]
fn convolutions() {
    let mut r = Numbers(2);
    for round in 0..160 {
        let n = r.one_of(&[1usize, 2, 2, 2, 3]);
        let w = Windows::new(&mut r, n, false);
        let dtype = r.one_of(&DTYPES);
        let groups = r.one_of(&[1usize, 1, 2, 5]);
        let (gin, gout, batch) =
            (r.one_of(&[1usize, 2, 3, 17]), r.one_of(&[1usize, 2, 4, 7, 9, 20]), r.one_of(&[1usize, 1, 3]));
        let count = |l: &[usize]| l.iter().product::<usize>();
        let (pixels, positions, area) = (count(&w.image), count(&w.out), count(&w.kernel));
        if batch * groups * gout * positions * gin * area > 1 << 19 {
            continue;
        }
        let x = r.tensor(&Windows::sizes(&[batch, groups * gin], &w.image), dtype);
        let weight = r.tensor(&Windows::sizes(&[groups * gout, gin], &w.kernel), dtype);
        let bias = r.tensor(&[(groups * gout) as i64], dtype);
        let with_bias = r.below(2) == 0;
        let (xs, ws, bs) = (x.to_f64(), weight.to_f64(), bias.to_f64());
        let mut want = vec![0.0; batch * groups * gout * positions];
        w.for_each(|window, element, pixel| {
            for b in 0..batch {
                for c in 0..groups * gout {
                    let o = &mut want[(b * groups * gout + c) * positions + window];
                    for i in 0..gin {
                        let channel = b * groups * gin + c / gout * gin + i;
                        *o += xs[channel * pixels + pixel] * ws[(c * gin + i) * area + element];
                    }
                }
            }
        });
        if with_bias {
            want.iter_mut().enumerate().for_each(|(i, o)| *o += bs[i / positions % (groups * gout)]);
        }
        let what = format!("round {round}: {dtype:?} {:?} by {:?} groups {groups}", x.sizes(), weight.sizes());
        let scale = (gin * area) as f64 + 4.0;
        let op = format!("aten::conv{n}d");
        let given = |t: &Tensor| if with_bias { IValue::Tensor(t.clone()) } else { IValue::None };
        let args = [
            x.into(),
            weight.clone().into(),
            given(&bias),
            ints(&w.stride),
            ints(&w.padding),
            ints(&w.dilation),
            IValue::Int(groups as i64),
        ];
        close(&what, &call(&op, &args)[0], &want, &Windows::sizes(&[batch, groups * gout], &w.out), scale);

        // The adjoint: values of windows go back to the pixels, as many as the smallest image has.
        let image: Vec<usize> = (0..n)
            .map(|d| {
                ((w.out[d] - 1) * w.stride[d] + w.dilation[d] * (w.kernel[d] - 1) + 1).saturating_sub(2 * w.padding[d])
            })
            .collect();
        if image.contains(&0) {
            continue;
        }
        let back = Windows { image, ..w };
        let pixels = count(&back.image);
        let v = r.tensor(&Windows::sizes(&[batch, groups * gout], &back.out), dtype);
        let bias = r.tensor(&[(groups * gin) as i64], dtype);
        let (vs, bs) = (v.to_f64(), bias.to_f64());
        let mut want = vec![0.0; batch * groups * gin * pixels];
        back.for_each(|window, element, pixel| {
            for b in 0..batch {
                for c in 0..groups * gout {
                    let value = vs[(b * groups * gout + c) * positions + window];
                    for i in 0..gin {
                        let channel = b * groups * gin + c / gout * gin + i;
                        want[channel * pixels + pixel] += value * ws[(c * gin + i) * area + element];
                    }
                }
            }
        });
        if with_bias {
            want.iter_mut().enumerate().for_each(|(i, o)| *o += bs[i / pixels % (groups * gin)]);
        }
        let zeros = vec![0; n];
        let op = ["aten::conv_transpose1d", "aten::conv_transpose2d.input", "aten::conv_transpose3d.input"][n - 1];
        let args = [
            v.into(),
            weight.into(),
            given(&bias),
            ints(&back.stride),
            ints(&back.padding),
            ints(&zeros),
            IValue::Int(groups as i64),
            ints(&back.dilation),
        ];
        let scale = (gout * area) as f64 + 4.0;
        close(&what, &call(op, &args)[0], &want, &Windows::sizes(&[batch, groups * gin], &back.image), scale);
    }
}

#[test]
fn pools() {
    let mut r = Numbers(3);
    for round in 0..150 {
        let n = r.one_of(&[1usize, 2, 2, 3]);
        let mut w = Windows::new(&mut r, n, true);
        let dtype = r.one_of(&DTYPES);
        let (batch, channels) = (r.one_of(&[1usize, 2]), r.one_of(&[1usize, 3]));
        let x = r.tensor(&Windows::sizes(&[batch, channels], &w.image), dtype);
        let data = x.to_f64();
        let count = |l: &[usize]| l.iter().product::<usize>();
        let (pixels, positions) = (count(&w.image), count(&w.out));
        let mut best = vec![(f64::NEG_INFINITY, 0usize); batch * channels * positions];
        w.for_each(|window, _, pixel| {
            for c in 0..batch * channels {
                let v = data[c * pixels + pixel];
                let b = &mut best[c * positions + window];
                if v > b.0 {
                    *b = (v, pixel);
                }
            }
        });
        let what = format!("round {round}: {dtype:?} {:?}", x.sizes());
        let sizes = Windows::sizes(&[batch, channels], &w.out);
        let args = [x.clone().into(), ints(&w.kernel), ints(&w.stride), ints(&w.padding), ints(&w.dilation)];
        let values: Vec<f64> = best.iter().map(|b| b.0).collect();
        let at: Vec<f64> = best.iter().map(|b| b.1 as f64).collect();
        let name = if n == 1 {
            "aten::max_pool1d_with_indices".to_string()
        } else {
            format!("aten::max_pool{n}d_with_indices")
        };
        let got = call(&name, &args);
        close(&what, &got[0], &values, &sizes, 0.0);
        close(&what, &got[1], &at, &sizes, 0.0);
        // Alone among these, this one has no integers.
        if n > 1 || dtype.is_float() {
            close(&what, &call(&format!("aten::max_pool{n}d"), &args)[0], &values, &sizes, 0.0);
        }
        if !dtype.is_float() {
            continue;
        }
        let image = w.image.clone();
        w.dilation = vec![1; n];
        w.out = (0..n).map(|d| (image[d] + 2 * w.padding[d] - w.kernel[d]) / w.stride[d] + 1).collect();
        let positions = count(&w.out);
        let mut sums = vec![(0.0, 0); batch * channels * positions];
        w.for_each(|window, _, pixel| {
            for c in 0..batch * channels {
                let s = &mut sums[c * positions + window];
                *s = (s.0 + data[c * pixels + pixel], s.1 + 1);
            }
        });
        let sizes = Windows::sizes(&[batch, channels], &w.out);
        let inside: Vec<f64> = sums.iter().map(|s| s.0 / f64::from(s.1)).collect();
        let args =
            [x.into(), ints(&w.kernel), ints(&w.stride), ints(&w.padding), IValue::Bool(false), IValue::Bool(false)];
        close(&what, &call(&format!("aten::avg_pool{n}d"), &args)[0], &inside, &sizes, 4.0);
    }
}

/// As PyTorch 2.15 computes and lays out: rows begin at multiples of 16 bytes.
#[test]
fn groups_of_rows_and_of_columns() {
    let counting = |sizes: &[i64]| {
        let n: i64 = sizes.iter().product();
        Tensor::from_vec((0..n).map(|i| i as f32).collect(), sizes)
    };
    let ends = |last: i32| IValue::Tensor(Tensor::from_vec(vec![2, last], &[2]));
    let weights = counting(&[2, 2, 4]).as_strided(&[2, 4, 2], &[8, 1, 4], 0).unwrap();
    let rows = call("aten::_grouped_mm", &[counting(&[5, 4]).into(), weights.into(), ends(5)]).remove(0);
    assert_eq!((rows.sizes(), rows.strides()), (&[5, 2][..], &[4, 1][..]));
    assert_eq!(rows.to_f64(), [14.0, 38.0, 38.0, 126.0, 366.0, 518.0, 518.0, 734.0, 670.0, 950.0]);
    let square = counting(&[4, 4]);
    let groups = call("aten::_grouped_mm", &[square.clone().into(), square.into(), ends(4)]).remove(0);
    assert_eq!(groups.sizes(), [2, 4, 4]);
    assert_eq!(groups.to_f64()[..4], [4.0, 5.0, 6.0, 7.0]);
}

/// Sums of products, and products that share a factor, are those that one after the other gives.
#[test]
fn batched_products_are_the_products() {
    let mut numbers = Numbers(11);
    for _ in 0..20 {
        let (m, k, n) = (1 + numbers.below(6) as i64, 1 + numbers.below(6) as i64, 1 + numbers.below(6) as i64);
        let left: Vec<Tensor> = (0..3).map(|_| numbers.tensor(&[m, k], DType::F64)).collect();
        let right: Vec<Tensor> = (0..3).map(|_| numbers.tensor(&[k, n], DType::F64)).collect();
        let product = |a: &Tensor, b: &Tensor| call("aten::mm", &[a.clone().into(), b.clone().into()])[0].to_f64();
        let products: Vec<Vec<f64>> = left.iter().zip(&right).map(|(a, b)| product(a, b)).collect();
        let sum: Vec<f64> = (0..products[0].len()).map(|i| products.iter().map(|p| p[i]).sum()).collect();
        let all: Vec<IValue> = left.iter().chain(&right).map(|t| t.clone().into()).collect();
        let close = |a: &[f64], b: &[f64]| a.len() == b.len() && a.iter().zip(b).all(|(a, b)| (a - b).abs() < 1e-12);
        assert!(close(&call("prim::MMTreeReduce", &all)[0].to_f64(), &sum));
        for side in [0, 1] {
            let (shared, others) = if side == 0 { (&left[0], &right) } else { (&right[0], &left) };
            let shared_first = [IValue::Int(side), shared.clone().into()];
            let arguments: Vec<IValue> =
                shared_first.into_iter().chain(others.iter().map(|t| t.clone().into())).collect();
            let made = call("prim::MMBatchSide", &arguments);
            for (made, other) in made.iter().zip(others) {
                let wanted = if side == 0 { product(shared, other) } else { product(other, shared) };
                assert!(close(&made.to_f64(), &wanted), "side {side}");
            }
        }
    }
}
