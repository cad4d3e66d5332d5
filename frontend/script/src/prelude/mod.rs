//! `torch.nn` and what else PyTorch writes in Python, written for Sconce in Python files that its own frontend evaluates and compiles when they are used.

use std::collections::BTreeMap;
use std::sync::LazyLock;

macro_rules! files {
    ($($path:literal),* $(,)?) => {
        /// Paths of the files without `.py`, and their texts.
        const FILES: &[(&str, &str)] = &[$(($path, include_str!(concat!("files/", $path, ".py")))),*];
    };
}
files![
    "torch/autograd/grad_mode",
    "torch/backends/mha",
    "torch/compiler",
    "torch/functional",
    "torch/nn/_reduction",
    "torch/nn/functional",
    "torch/nn/init",
    "torch/nn/modules/activation",
    "torch/nn/modules/batchnorm",
    "torch/nn/modules/channelshuffle",
    "torch/nn/modules/container",
    "torch/nn/modules/conv",
    "torch/nn/modules/distance",
    "torch/nn/modules/dropout",
    "torch/nn/modules/flatten",
    "torch/nn/modules/fold",
    "torch/nn/modules/instancenorm",
    "torch/nn/modules/linear",
    "torch/nn/modules/loss",
    "torch/nn/modules/module",
    "torch/nn/modules/normalization",
    "torch/nn/modules/padding",
    "torch/nn/modules/pixelshuffle",
    "torch/nn/modules/pooling",
    "torch/nn/modules/rnn",
    "torch/nn/modules/sparse",
    "torch/nn/modules/transformer",
    "torch/nn/modules/upsampling",
    "torch/nn/modules/utils",
    "torch/nn/utils/rnn",
];

/// Whose members are defined in files of other names: package, what the names of those files begin with.
const PACKAGES: &[(&str, &str)] =
    &[("torch.nn", "torch.nn.modules."), ("torch.nn.modules", "torch.nn.modules."), ("torch", "torch.functional")];

/// What a file defines at its outermost level: classes, functions, constants.
struct File {
    text: &'static str,
    defined: Vec<&'static str>,
}

/// The files by dotted name.
static BY_NAME: LazyLock<BTreeMap<String, File>> = LazyLock::new(|| {
    let file = |text: &'static str| File { text, defined: text.lines().filter_map(defined).collect() };
    FILES.iter().map(|(path, text)| (path.replace('/', "."), file(text))).collect()
});

fn defined(line: &'static str) -> Option<&'static str> {
    let rest = line.strip_prefix("class ").or_else(|| line.strip_prefix("def ")).unwrap_or(line);
    let end = rest.find(|c: char| c != '_' && !c.is_ascii_alphanumeric())?;
    let (name, after) = rest.split_at(end);
    let binds = rest.len() < line.len() || after.starts_with(" = ");
    (!name.is_empty() && binds).then_some(name)
}

/// Operators that the files name and that no kernel computes: nested tensors, packed sequences. A program that calls one loads, prints, and runs up to it.
const OPERATORS: &[&str] = &[
    "aten::_nested_tensor_from_mask(Tensor t, Tensor mask, bool mask_check=True) -> Tensor",
    "aten::_nested_tensor_from_mask_left_aligned(Tensor t, Tensor mask) -> bool",
    "aten::rnn_relu.data(Tensor data, Tensor batch_sizes, Tensor hx, Tensor[] params, bool has_biases, int num_layers, float dropout, bool train, bool bidirectional) -> (Tensor, Tensor)",
    "aten::to_padded_tensor(Tensor self, float padding, int[]? output_size=None) -> Tensor",
];

/// Makes the operators that the files name known; those that somebody else made known stay as they are.
pub fn register_operators() {
    static ONCE: std::sync::Once = std::sync::Once::new();
    ONCE.call_once(|| {
        for schema in OPERATORS {
            // Another schema under the name is the better one: it came with a kernel.
            let _ = sconce_schema::register(schema);
        }
    });
}

/// The text of a file of the prelude, by dotted name.
pub fn text_of(name: &str) -> Option<&'static str> {
    BY_NAME.get(name).map(|f| f.text)
}

/// The dotted names of all files.
pub fn files() -> impl Iterator<Item = &'static str> {
    BY_NAME.keys().map(String::as_str)
}

/// The file that defines what a dotted name stands for, and its name there.
pub fn file_of(path: &str) -> Option<(&'static str, &str)> {
    let (parent, name) = path.rsplit_once('.')?;
    if let Some((file, f)) = BY_NAME.get_key_value(parent) {
        return f.defined.contains(&name).then_some((file.as_str(), name));
    }
    let (_, files) = PACKAGES.iter().find(|(package, _)| *package == parent)?;
    let found = BY_NAME.iter().find(|(n, f)| n.starts_with(files) && f.defined.contains(&name));
    found.map(|(n, _)| (n.as_str(), name))
}
