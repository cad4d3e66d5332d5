//! Layers of `torch.nn` begin with the numbers that PyTorch draws; alone in its process, because the default generator is the process's.

use sconce_python::{Options, Program};

/// Constructor expression, then name, sizes, sum and sum of squares of each parameter and buffer, as PyTorch 2.15 gives them after `torch.manual_seed(0)`.
#[test]
fn layers_begin_with_pytorchs_numbers() {
    let mut text = String::from(
        "import torch\nfrom torch import nn\ndef show(m):\n    out = []\n    for n, p in list(m.named_parameters()) + list(m.named_buffers()):\n        d = p.detach().double()\n        out.append(f'{n} {list(p.shape)} {d.sum().item()!r} {(d ** 2).sum().item()!r}')\n    return '|'.join(out)\n",
    );
    let expected: Vec<&str> = include_str!("python/initial_values.txt").lines().collect();
    text.push_str("shown = []\n");
    for line in &expected {
        let constructor = line.split('|').next().unwrap_or_default();
        text.push_str(&format!("torch.manual_seed(0)\nshown.append(show({constructor}))\n"));
    }
    let p = Program::new("m.py", &text, Options::default()).expect("a file");
    for (i, line) in expected.iter().enumerate() {
        let is = p.evaluate(&format!("shown[{i}]")).expect("a string");
        let is: Vec<&str> = is.trim_matches('\'').split('|').collect();
        let should: Vec<&str> = line.split('|').skip(1).collect();
        assert_eq!(is.len(), should.len(), "{line}");
        for (is, should) in is.iter().zip(&should) {
            let (a, b) = (numbers(is), numbers(should));
            assert_eq!(a.0, b.0, "{line}");
            let close = |(x, y): (&f64, &f64)| (x - y).abs() <= 1e-12 * y.abs().max(1.0);
            assert!(a.1.iter().zip(&b.1).all(close), "{line}: {is}, not {should}");
        }
    }
}

/// `weight [2, 3]` and the two numbers behind.
fn numbers(text: &str) -> (String, Vec<f64>) {
    let mut parts = text.rsplitn(3, ' ');
    let (b, a) = (parts.next().unwrap_or_default(), parts.next().unwrap_or_default());
    let values = [a, b].iter().map(|t| t.parse().expect("a number")).collect();
    (parts.next().unwrap_or_default().to_owned(), values)
}
