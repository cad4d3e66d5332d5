//! Values as a person writes and reads them on a command line: `2x3xf32`, `x.npy`, `[1, 2]`, and tensors printed in PyTorch's layout.

use crate::tensor_text::tensor_text;
use sconce_archive::{Array, Limits};
use sconce_schema::text::python_float;
use sconce_schema::{DType, Type};
use sconce_tensor::{Complex, Dict, DictKey, Error as TensorError, IValue, Tensor, Tuple};
use std::borrow::Cow;
use std::fmt::Write as _;
use std::path::Path;

/// Why the text of a value cannot be read.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// Text that is no value.
    #[error("'{text}', column {column}: expected {expected}")]
    Syntax {
        /// All of it.
        text: String,
        /// In characters, from 1.
        column: usize,
        /// What might stand there.
        expected: &'static str,
    },
    /// A file that cannot be read or written.
    #[error("{path}: {source}")]
    Io {
        /// The file's.
        path: String,
        /// What the system says.
        source: std::io::Error,
    },
    /// A file of arrays that is damaged.
    #[error(transparent)]
    Archive(#[from] sconce_archive::Error),
    /// A tensor that cannot be made.
    #[error(transparent)]
    Tensor(#[from] TensorError),
    /// A file of arrays without the one that is asked for.
    #[error("{path} holds no array '{key}' (it holds {names})")]
    NoKey {
        /// The file's.
        path: String,
        /// The name that is asked for.
        key: String,
        /// The names that it has.
        names: String,
    },
    /// What is no tensor, nor made of tensors.
    #[error("a value of type {kind} cannot be written to a file of arrays")]
    NotAnArray {
        /// Its type.
        kind: &'static str,
    },
}

/// A tensor over a copy of an array's bytes.
pub fn tensor_of(array: &Array) -> Result<Tensor, Error> {
    let tensor = Tensor::zeros(&array.sizes, array.dtype)?;
    let mut bytes = array.bytes.clone();
    to_machine_order(&mut bytes, array.dtype);
    tensor.write_bytes(&bytes);
    Ok(tensor)
}

/// Files are little-endian; on a big-endian machine every number (each part of a complex one) is turned.
fn to_machine_order(bytes: &mut [u8], dtype: DType) {
    if cfg!(target_endian = "big") {
        bytes.chunks_exact_mut(dtype.to_real().size()).for_each(<[u8]>::reverse);
    }
}

/// The array of a tensor's elements, row-major.
pub fn array_of(tensor: &Tensor) -> Result<Array, Error> {
    let mut bytes = tensor.contiguous()?.read_bytes();
    to_machine_order(&mut bytes, tensor.dtype());
    Ok(Array { dtype: tensor.dtype(), sizes: tensor.sizes().to_vec(), bytes })
}

/// Named tensors of a `.npy`, `.npz` or `.safetensors` file.
pub fn read_file(path: &Path) -> Result<Vec<(String, Tensor)>, Error> {
    let shown = path.display().to_string();
    let bytes = crate::files::read(path).map_err(|source| Error::Io { path: shown.clone(), source })?;
    read_bytes(&shown, &bytes)
}

/// The same of bytes; the name's ending says what they are.
pub fn read_bytes(name: &str, bytes: &[u8]) -> Result<Vec<(String, Tensor)>, Error> {
    let arrays = sconce_archive::read_arrays(name, bytes, &Limits::default())?;
    arrays.iter().map(|(n, a)| Ok((n.clone(), tensor_of(a)?))).collect()
}

/// Writes named tensors; the file appears whole or not at all.
pub fn write_file(path: &Path, tensors: &[(String, Tensor)]) -> Result<(), Error> {
    let arrays: Result<Vec<_>, Error> = tensors.iter().map(|(n, t)| Ok((n.clone(), array_of(t)?))).collect();
    let bytes = sconce_archive::write_arrays(&path.display().to_string(), &arrays?)?;
    crate::files::write_atomically(path, &bytes)
        .map_err(|source| Error::Io { path: path.display().to_string(), source })
}

/// Tensors in a value, named by their path: `out`, or the index in a tuple, list or dictionary.
pub fn named_tensors(value: &IValue) -> Result<Vec<(String, Tensor)>, Error> {
    fn walk(name: &str, value: &IValue, out: &mut Vec<(String, Tensor)>) -> Result<(), Error> {
        let under = |part: &str| if name.is_empty() { part.to_string() } else { format!("{name}.{part}") };
        match value {
            IValue::Tensor(t) => out.push((if name.is_empty() { "out".into() } else { name.to_string() }, t.clone())),
            IValue::Tuple(t) => {
                for (i, v) in t.items.iter().enumerate() {
                    walk(&under(&i.to_string()), v, out)?;
                }
            }
            IValue::List(l) => {
                for (i, v) in l.to_vec().iter().enumerate() {
                    walk(&under(&i.to_string()), v, out)?;
                }
            }
            IValue::Dict(d) => {
                for (k, v) in d.read().iter() {
                    let key = match k.to_value() {
                        IValue::Str(name) => name.to_string(),
                        other => format_value(&other),
                    };
                    walk(&under(&key), v, out)?;
                }
            }
            IValue::Int(i) => out.push((under("value"), Tensor::scalar(*i))),
            IValue::Double(f) => out.push((under("value"), Tensor::scalar(*f))),
            IValue::Bool(b) => out.push((under("value"), Tensor::scalar(sconce_tensor::Bool::new(*b)))),
            IValue::None => {}
            other => return Err(Error::NotAnArray { kind: other.kind() }),
        }
        Ok(())
    }
    let mut out = Vec::new();
    walk("", value, &mut out)?;
    Ok(out)
}

/// Reads one `--input`: a file (`x.npy`, `x.npz`, `x.npz:key`), a generated tensor (`2x3xf32`, `4xi64=arange`, `f32=1.5`), or a literal
/// (`3`, `1.5`, `1-2j`, `True`, `None`, `"text"`, `[1, 2]`, `(2xf32, 3)`, `{"x": 2xf32}`); containers hold any of these, files of one array too. A
/// file of several arrays gives several values.
///
/// `seed` makes the generated numbers; the same text and seed give the same bits on every machine.
pub fn parse_input(text: &str, seed: u64) -> Result<Vec<IValue>, Error> {
    let is_container = text.trim_start().starts_with(['[', '(', '{']);
    if !is_container && let Some(tensors) = arrays_of(text)? {
        return Ok(tensors);
    }
    let mut parser = Parser { text, at: 0, seed, depth: 0 };
    let value = parser.value()?;
    parser.blanks();
    if parser.at < text.len() {
        return Err(parser.expected("the end of the value"));
    }
    Ok(vec![value])
}

/// The arrays that `x.npy`, `x.npz` or `x.npz:key` names; `None` for what is no file of arrays.
fn arrays_of(text: &str) -> Result<Option<Vec<IValue>>, Error> {
    let (path, key) = match text.rsplit_once(':') {
        Some((p, k)) if !p.ends_with('\\') && is_array_file(p) => (p, Some(k)),
        _ => (text, None),
    };
    if !is_array_file(path) {
        return Ok(None);
    }
    let tensors = read_file(Path::new(path))?;
    let Some(key) = key else { return Ok(Some(tensors.into_iter().map(|(_, t)| IValue::Tensor(t)).collect())) };
    match tensors.iter().find(|(n, _)| n == key) {
        Some((_, t)) => Ok(Some(vec![IValue::Tensor(t.clone())])),
        None => Err(Error::NoKey {
            path: path.into(),
            key: key.into(),
            names: tensors.iter().map(|t| t.0.as_str()).collect::<Vec<_>>().join(", "),
        }),
    }
}

/// `1+2j`, `-3j`: the parts are numbers as Python writes them.
fn complex(word: &str) -> Option<IValue> {
    let parts = word.strip_suffix(['j', 'J'])?;
    // The sign between the parts is the last one that is not an exponent's.
    let signs = parts.char_indices().rev().filter(|(_, c)| matches!(c, '+' | '-'));
    let between = signs.map(|(i, _)| i).find(|i| *i > 0 && !parts[..*i].ends_with(['e', 'E']));
    let (re, im) = between.map_or(("0", parts), |i| parts.split_at(i));
    Some(IValue::complex(re.parse().ok()?, im.parse().ok()?))
}

fn is_array_file(path: &str) -> bool {
    [".npy", ".npz", ".safetensors"].iter().any(|e| path.ends_with(e))
}

struct Parser<'a> {
    text: &'a str,
    at: usize,
    seed: u64,
    depth: usize,
}

impl<'a> Parser<'a> {
    fn expected(&self, expected: &'static str) -> Error {
        let column = self.text[..self.at].chars().count() + 1;
        Error::Syntax { text: self.text.into(), column, expected }
    }
    fn rest(&self) -> &'a str {
        &self.text[self.at..]
    }
    fn blanks(&mut self) {
        self.at = self.text.len() - self.rest().trim_start().len();
    }
    fn eat(&mut self, token: &str) -> bool {
        self.blanks();
        let found = self.rest().starts_with(token);
        if found {
            self.at += token.len();
        }
        found
    }

    fn value(&mut self) -> Result<IValue, Error> {
        const DEPTH: usize = 64;
        if self.depth == DEPTH {
            return Err(self.expected("at most 64 levels of nesting"));
        }
        self.depth += 1;
        let value = if self.eat("[") {
            let items = self.items("]")?;
            IValue::list(common_type(&items), items)
        } else if self.eat("(") {
            IValue::tuple(self.items(")")?)
        } else if self.eat("{") {
            self.dictionary()?
        } else if self.rest().starts_with(['"', '\'']) {
            self.string()?
        } else {
            self.word()?
        };
        self.depth -= 1;
        Ok(value)
    }

    fn items(&mut self, end: &str) -> Result<Vec<IValue>, Error> {
        let mut items = Vec::new();
        loop {
            if self.eat(end) {
                return Ok(items);
            }
            items.push(self.value()?);
            if !self.eat(",") && !self.rest().trim_start().starts_with(end) {
                return Err(self.expected("',' or the closing bracket"));
            }
        }
    }

    fn dictionary(&mut self) -> Result<IValue, Error> {
        let mut entries = Vec::new();
        while !self.eat("}") {
            let at = self.at;
            let key = self.value()?;
            let Some(kept) = DictKey::from_value(&key) else {
                self.at = at;
                return Err(self.expected("a key: a string, a number, a bool or a tensor"));
            };
            if !self.eat(":") {
                return Err(self.expected("':' after the key"));
            }
            entries.push((type_of(&key), kept, self.value()?));
            if !self.eat(",") && !self.rest().trim_start().starts_with('}') {
                return Err(self.expected("',' or the closing bracket"));
            }
        }
        let values: Vec<IValue> = entries.iter().map(|(_, _, v)| v.clone()).collect();
        let dict = Dict::new(entries.first().map_or(Type::Str, |(ty, ..)| ty.clone()), common_type(&values));
        for (_, key, value) in entries {
            dict.write().insert(key, value);
        }
        Ok(IValue::Dict(dict))
    }

    fn string(&mut self) -> Result<IValue, Error> {
        let quote = self.rest().chars().next().unwrap_or('"');
        let mut out = String::new();
        let mut chars = self.rest().char_indices().skip(1);
        while let Some((i, c)) = chars.next() {
            match c {
                c if c == quote => {
                    self.at += i + c.len_utf8();
                    return Ok(IValue::str(out));
                }
                '\\' => match chars.next() {
                    Some((_, 'n')) => out.push('\n'),
                    Some((_, 't')) => out.push('\t'),
                    Some((_, c)) => out.push(c),
                    None => break,
                },
                c => out.push(c),
            }
        }
        self.at = self.text.len();
        Err(self.expected("the closing quote"))
    }

    fn word(&mut self) -> Result<IValue, Error> {
        self.blanks();
        let end = self.rest().find([',', ']', ')', '}', ' ']).map_or(self.text.len(), |i| self.at + i);
        // A number that is a key ends where its value is announced.
        let number = self.text[self.at..end].split(':').next().filter(|w| w.parse::<f64>().is_ok());
        let end = number.map_or(end, |w| self.at + w.len());
        let word = &self.text[self.at..end];
        let value = match word {
            "None" => IValue::None,
            "True" | "true" => IValue::Bool(true),
            "False" | "false" => IValue::Bool(false),
            _ => {
                if let Ok(i) = word.parse::<i64>() {
                    IValue::Int(i)
                } else if let Some(t) = self.generated(word)? {
                    IValue::Tensor(t)
                } else if let Ok(f) = word.parse::<f64>() {
                    IValue::Double(f)
                } else if let Some(number) = complex(word) {
                    number
                } else if let Some(arrays) = arrays_of(word)? {
                    let [array] = &arrays[..] else {
                        return Err(self.expected("a file of one array, or the name of one of its arrays: x.npz:key"));
                    };
                    array.clone()
                } else {
                    return Err(self.expected(
                        "a value: a tensor such as 2x3xf32, a number, True, False, None, a quoted string, [list], (tuple), or a file ending in .npy, .npz or .safetensors",
                    ));
                }
            }
        };
        self.at = end;
        Ok(value)
    }

    /// `2x3xf32`, `2x3xf32=fill`; `None` when the word is not of that form.
    fn generated(&mut self, word: &str) -> Result<Option<Tensor>, Error> {
        let (shape, fill) = word.split_once('=').map_or((word, None), |(s, f)| (s, Some(f)));
        let mut parts: Vec<&str> = shape.split('x').collect();
        let Some(dtype) = parts.pop().and_then(DType::from_short_name) else { return Ok(None) };
        let sizes: Option<Vec<i64>> = parts.iter().map(|p| p.parse().ok().filter(|s| *s >= 0)).collect();
        let Some(sizes) = sizes else { return Ok(None) };
        self.seed = self.seed.wrapping_add(1);
        let fill = fill.unwrap_or(if dtype.is_float() || dtype.is_complex() { "normal" } else { "uniform" });
        let filling = Filling::parse(fill)
            .ok_or_else(|| self.expected("a filling after '=': zeros, ones, arange, normal, uniform, or a number"))?;
        Ok(Some(generate(&sizes, dtype, filling, self.seed)?))
    }
}

/// The type of the elements, None beside others making it optional; `Any` where they have none in common.
pub fn common_type(items: &[IValue]) -> Type {
    let some = items.iter().find(|v| !v.is_none()).map_or(Type::tensor(), type_of);
    let ty = if items.iter().any(IValue::is_none) { Type::optional(some) } else { some };
    if items.iter().all(|v| fits(v, &ty)) { ty } else { Type::Any }
}

/// Whether a value is of a type, as far as the value tells: what only the program knows (classes, unions) is taken to be.
pub fn fits(value: &IValue, ty: &Type) -> bool {
    match ty {
        Type::Optional(inner) => value.is_none() || fits(value, inner),
        Type::Tensor(_) => matches!(value, IValue::Tensor(_)),
        Type::Tuple(types) => match value {
            IValue::Tuple(t) => {
                t.items.len() == types.len() && t.items.iter().zip(types.iter()).all(|(v, t)| fits(v, t))
            }
            _ => false,
        },
        Type::Int | Type::Float | Type::Complex | Type::Bool | Type::Str | Type::None | Type::Device => {
            type_of(value) == *ty
        }
        Type::List(_) | Type::Dict(..) => type_of(value) == *ty,
        _ => true,
    }
}

/// What a generated tensor holds.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Filling {
    /// Every element is this number.
    Constant(f64),
    /// 0, 1, 2, … in row-major order.
    Arange,
    /// Standard normal.
    Normal,
    /// Floats in [0, 1), integers in 0..=9, bools.
    Uniform,
}

impl Filling {
    fn parse(text: &str) -> Option<Filling> {
        Some(match text {
            "zeros" => Filling::Constant(0.0),
            "ones" => Filling::Constant(1.0),
            "arange" => Filling::Arange,
            "normal" => Filling::Normal,
            "uniform" => Filling::Uniform,
            number => Filling::Constant(number.parse().ok()?),
        })
    }
}

/// A tensor filled as asked; SplitMix64 makes the numbers, so that they are the same everywhere.
pub fn generate(sizes: &[i64], dtype: DType, filling: Filling, seed: u64) -> Result<Tensor, Error> {
    let tensor = Tensor::zeros(sizes, dtype)?;
    let mut state = seed.wrapping_mul(0x9e37_79b9_7f4a_7c15);
    let mut uniform = || {
        state = state.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = state;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((z ^ (z >> 31)) >> 11) as f64 / (1u64 << 53) as f64
    };
    let mut number = |i: usize| match filling {
        Filling::Constant(v) => v,
        Filling::Arange => i as f64,
        Filling::Normal => {
            let (u, v) = (1.0 - uniform(), uniform());
            (-2.0 * u.ln()).sqrt() * (std::f64::consts::TAU * v).cos()
        }
        Filling::Uniform if dtype.is_float() || dtype.is_complex() => uniform(),
        Filling::Uniform if dtype == DType::Bool => f64::from(u8::from(uniform() < 0.5)),
        Filling::Uniform => (uniform() * 10.0).floor(),
    };
    let count = tensor.numel();
    for start in (0..count).step_by(PIECE) {
        let values: Vec<f64> = (start..count.min(start + PIECE)).map(&mut number).collect();
        let sizes = [values.len() as i64];
        // Nothing is made of numbers where there is no room for it.
        drop(Tensor::zeros(&sizes, dtype)?);
        let Some(piece) = Tensor::from_f64(&values, &sizes, dtype) else { break };
        tensor.as_strided(&sizes, &[1], start as i64)?.copy_bytes_from(&piece)?;
    }
    Ok(tensor)
}

/// How many numbers are made before they are put into a tensor: a large one is not held twice.
const PIECE: usize = 1 << 12;

/// The TorchScript type of a value, as far as the value tells.
pub fn type_of(value: &IValue) -> Type {
    match value {
        IValue::Bool(_) => Type::Bool,
        IValue::Int(_) => Type::Int,
        IValue::Double(_) => Type::Float,
        IValue::Complex(_) => Type::Complex,
        IValue::Str(_) => Type::Str,
        IValue::Tensor(_) => Type::tensor(),
        IValue::None => Type::None,
        IValue::Device(_) => Type::Device,
        IValue::List(l) => Type::list(l.element.clone()),
        IValue::Dict(d) => Type::dict(d.key.clone(), d.value.clone()),
        IValue::Tuple(t) => Type::Tuple(t.items.iter().map(type_of).collect()),
        _ => Type::Any,
    }
}

/// Gives an argument the parameter's type where Python would: an int for a float, the element type of an empty list.
pub fn coerce(value: IValue, ty: &Type) -> IValue {
    match (&value, ty) {
        (IValue::Int(i), Type::Float) => IValue::Double(*i as f64),
        (IValue::Int(i), Type::Complex) => IValue::complex(*i as f64, 0.0),
        (IValue::Double(f), Type::Complex) => IValue::complex(*f, 0.0),
        (IValue::None, _) => value,
        (_, Type::Optional(inner)) => coerce(value, inner),
        (IValue::List(l), Type::List(element)) if l.element != **element => {
            IValue::list((**element).clone(), l.to_vec().into_iter().map(|v| coerce(v, element)))
        }
        (IValue::Dict(d), Type::Dict(key, item)) if d.key != **key || d.value != **item => {
            let out = Dict::new((**key).clone(), (**item).clone());
            for (k, v) in d.read().iter() {
                out.write().insert(k.clone(), coerce(v.clone(), item));
            }
            IValue::Dict(out)
        }
        (IValue::Tuple(t), Type::Tuple(types)) if t.items.len() == types.len() => {
            IValue::tuple(t.items.iter().zip(types.iter()).map(|(v, t)| coerce(v.clone(), t)))
        }
        (IValue::Tuple(t), Type::NamedTuple(names)) if t.items.len() == names.fields.len() => {
            let items = t.items.iter().zip(&names.fields).map(|(v, (_, ty))| coerce(v.clone(), ty));
            IValue::Tuple(Tuple::new(items.collect::<Vec<_>>(), Some(names.clone())))
        }
        _ => value,
    }
}

/// Containers inside containers are cut at this depth: a list may contain itself through `Any`.
pub const MAX_DEPTH: usize = 200;

/// A value's text as Python's `repr` has it.
pub fn format_value(value: &IValue) -> String {
    let mut out = String::new();
    write_value(&mut out, value, 0);
    out
}

fn write_value(out: &mut String, value: &IValue, depth: usize) {
    if depth > MAX_DEPTH {
        out.push_str("...");
        return;
    }
    let list = |out: &mut String, items: &[IValue], names: &[String], open: &str, close: &str| {
        out.push_str(open);
        for (i, v) in items.iter().enumerate() {
            out.push_str(if i > 0 { ", " } else { "" });
            if let Some(name) = names.get(i) {
                let _ = write!(out, "{name}=");
            }
            write_value(out, v, depth + 1);
        }
        out.push_str(close);
    };
    match value {
        IValue::None => out.push_str("None"),
        IValue::Bool(b) => out.push_str(if *b { "True" } else { "False" }),
        IValue::Int(i) => {
            let _ = write!(out, "{i}");
        }
        IValue::Str(s) => out.push_str(&python_string(s)),
        IValue::Double(f) => out.push_str(&python_float(*f)),
        IValue::Complex(c) => out.push_str(&python_complex(**c)),
        IValue::Tensor(t) => out.push_str(&tensor_text(t)),
        IValue::List(l) => list(out, &l.to_vec(), &[], "[", "]"),
        IValue::Tuple(t) => match &t.names {
            Some(named) => {
                let names: Vec<String> = named.fields.iter().map(|(name, _)| name.to_string()).collect();
                list(out, &t.items, &names, &format!("{}(", last_name(&named.name)), ")");
            }
            None => list(out, &t.items, &[], "(", if t.items.len() == 1 { ",)" } else { ")" }),
        },
        IValue::Dict(d) => {
            out.push('{');
            for (i, (k, v)) in d.read().iter().enumerate() {
                out.push_str(if i > 0 { ", " } else { "" });
                write_value(out, &k.to_value(), depth + 1);
                out.push_str(": ");
                write_value(out, v, depth + 1);
            }
            out.push('}');
        }
        IValue::Device(d) => {
            let index = d.index.map_or_else(String::new, |i| format!(", index={i}"));
            let _ = write!(out, "device(type='{}'{index})", d.kind);
        }
        IValue::Enum(e) => {
            let _ = write!(out, "<{}.{}: ", last_name(&e.class), e.name);
            write_value(out, &e.value, depth + 1);
            out.push('>');
        }
        IValue::Object(o) => {
            let _ = write!(out, "<{} object>", o.class);
        }
        IValue::Future(_) | IValue::Generator(_) | IValue::Uninitialized => {
            let _ = write!(out, "<{}>", value.kind());
        }
    }
}

fn last_name(qualified: &str) -> &str {
    qualified.rsplit('.').next().unwrap_or(qualified)
}

/// Python's `repr` of a string.
pub fn python_string(s: &str) -> String {
    let quote = if s.contains('\'') && !s.contains('"') { '"' } else { '\'' };
    let mut out = String::from(quote);
    for c in s.chars() {
        if c == quote || c == '\\' {
            out.push('\\');
        }
        escape(&mut out, c);
    }
    out.push(quote);
    out
}

/// Appends a character, or its escape in Python's spelling where it does not show itself: control characters, and those that turn or hide text.
pub fn escape(out: &mut String, c: char) {
    let hidden = match c {
        '\n' => return out.push_str("\\n"),
        '\r' => return out.push_str("\\r"),
        '\t' => return out.push_str("\\t"),
        ' ' => false,
        '\u{ad}' | '\u{61c}' | '\u{180e}' | '\u{200b}'..='\u{200f}' | '\u{202a}'..='\u{202e}' => true,
        '\u{2060}'..='\u{206f}' | '\u{feff}' | '\u{fff9}'..='\u{fffb}' | '\u{e000}'..='\u{f8ff}' | '\u{e0000}'.. => {
            true
        }
        c => c.is_control() || c.is_whitespace(),
    };
    let _ = match (hidden, u32::from(c)) {
        (false, _) => return out.push(c),
        (true, n @ ..=0xff) => write!(out, "\\x{n:02x}"),
        (true, n @ ..=0xffff) => write!(out, "\\u{n:04x}"),
        (true, n) => write!(out, "\\U{n:08x}"),
    };
}

/// A text for a terminal: lines and tabs are as they are, other characters that control it or hide text are escaped.
pub fn visible(text: &str) -> Cow<'_, str> {
    let hides = |c: char| !matches!(c, '\n' | '\t' | ' '..='~');
    if !text.contains(hides) {
        return Cow::Borrowed(text);
    }
    let mut out = String::with_capacity(text.len());
    let mut rest = text.chars().peekable();
    while let Some(c) = rest.next() {
        match c {
            '\n' | '\t' => out.push(c),
            '\r' if rest.peek() == Some(&'\n') => out.push(c),
            _ => escape(&mut out, c),
        }
    }
    Cow::Owned(out)
}

/// Python's `repr` of a complex number.
fn python_complex(c: Complex<f64>) -> String {
    let part = |f: f64| {
        let text = python_float(f);
        text.strip_suffix(".0").map_or(text.clone(), str::to_owned)
    };
    let im = part(c.im);
    if c.re == 0.0 && c.re.is_sign_positive() {
        return format!("{im}j");
    }
    let sign = if im.starts_with('-') { "" } else { "+" };
    format!("({}{sign}{im}j)", part(c.re))
}

#[cfg(test)]
mod tests {
    use super::*;
    use expect_test::expect;

    #[test]
    fn inputs_read_back() {
        let show = |t: &str| parse_input(t, 0).map_or_else(|e| e.to_string(), |v| format_value(&v[0]));
        expect!["tensor([0, 1, 2, 3])"].assert_eq(&show("4xi64=arange"));
        expect!["[1, 2]"].assert_eq(&show("[1, 2]"));
        expect!["(None, True, 'a,b', 0.5)"].assert_eq(&show(r#"(None, True, "a,b", 0.5)"#));
        expect!["tensor(1.5000)"].assert_eq(&show("f32=1.5"));
        expect!["'[1, 2', column 6: expected ',' or the closing bracket"].assert_eq(&show("[1, 2"));
        expect![
            "'2x3xq32', column 1: expected a value: a tensor such as 2x3xf32, a number, True, False, None, a quoted string, [list], (tuple), or a file ending in .npy, .npz or .safetensors"
        ]
        .assert_eq(&show("2x3xq32"));
        assert!(parse_input(&"[".repeat(100_000), 0).is_err());
        assert!(parse_input("9223372036854775807x9223372036854775807xf32", 0).is_err());
    }
}
