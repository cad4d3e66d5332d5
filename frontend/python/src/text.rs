//! `str`, `repr`, `format` and `%`, as Python writes them.

use super::value::*;
use super::{Evaluator, Fallible, Fault};
use sconce_schema::text::{python_complex, python_float, python_str};

impl Evaluator {
    pub(crate) fn text(&self, value: &Value) -> Fallible<String> {
        match value {
            Value::Str(s) => Ok(s.to_string()),
            Value::Generic(g) if g.0.starts_with("builtins.") => match g.1.first() {
                Some(v) => self.text(v),
                None => Ok(String::new()),
            },
            Value::Instance(i) if i.class.get("__str__").is_some() => {
                let text = self.call_method(value, "__str__", Vec::new())?;
                Ok(text.as_str().unwrap_or_default().to_owned())
            }
            Value::Instance(i) if i.class.form == ClassForm::Exception => match i.get("args") {
                Some(Value::Tuple(args)) if args.len() == 1 => self.text(&args[0]),
                Some(args @ Value::Tuple(_)) => self.repr(&args),
                _ => Ok(String::new()),
            },
            Value::Instance(i) if i.class.form == ClassForm::Enum => self.enum_text(i),
            other => self.repr(other),
        }
    }

    fn enum_text(&self, i: &Instance) -> Fallible<String> {
        let name = i.get("name").unwrap_or(Value::None);
        Ok(format!("{}.{}", i.class.name, name.as_str().unwrap_or_default()))
    }

    pub(crate) fn repr(&self, value: &Value) -> Fallible<String> {
        self.spend(1)?;
        stacker::maybe_grow(96 << 10, 2 << 20, || self.repr_of(value))
    }

    fn repr_of(&self, value: &Value) -> Fallible<String> {
        let joined = |items: &[Value]| -> Fallible<String> {
            Ok(items.iter().map(|v| self.repr(v)).collect::<Fallible<Vec<_>>>()?.join(", "))
        };
        Ok(match value {
            Value::None => "None".to_owned(),
            Value::Ellipsis => "Ellipsis".to_owned(),
            Value::NotImplemented => "NotImplemented".to_owned(),
            Value::Bool(b) => if *b { "True" } else { "False" }.to_owned(),
            Value::Int(i) => i.to_string(),
            Value::Float(f) => python_float(*f),
            Value::Complex(re, im) => python_complex(*re, *im),
            Value::Str(s) => python_str(s),
            Value::List(v) => format!("[{}]", joined(&v.borrow())?),
            Value::Tuple(v) if v.len() == 1 => format!("({},)", self.repr(&v[0])?),
            Value::Tuple(v) => format!("({})", joined(v)?),
            Value::Dict(d) => {
                let mut parts = Vec::new();
                for (k, v) in d.borrow().iter() {
                    parts.push(format!("{}: {}", self.repr(&k.0)?, self.repr(v)?));
                }
                format!("{{{}}}", parts.join(", "))
            }
            Value::Set(s) => {
                let items: Vec<Value> = s.borrow().iter().map(|k| k.0.clone()).collect();
                if items.is_empty() { "set()".to_owned() } else { format!("{{{}}}", joined(&items)?) }
            }
            Value::Range(a, b, 1) => format!("range({a}, {b})"),
            Value::Range(a, b, c) => format!("range({a}, {b}, {c})"),
            Value::Tensor(t) => format!("tensor(..., size={:?})", t.tensor.borrow().sizes()),
            Value::Setting(path, _) => path.to_string(),
            Value::Device(d) => match d.index {
                Some(i) => format!("device(type='{}', index={i})", d.kind),
                None => format!("device(type='{}')", d.kind),
            },
            Value::Class(c) => format!("<class '{}'>", c.full_name()),
            Value::Host(path) if path.contains("::") => {
                format!("<built-in function {}>", path.rsplit("::").next().unwrap_or_default())
            }
            Value::Host(path) => format!("<class '{}'>", path.trim_start_matches("builtins.")),
            // An address would be another in each run.
            Value::Function(f) => format!("<function {} at 0x0>", f.qualified),
            Value::NamedTuple(c, items) => {
                let fields = super::class::class_fields(c);
                let mut parts = Vec::new();
                for (name, v) in fields.iter().zip(items.iter()) {
                    parts.push(format!("{name}={}", self.repr(v)?));
                }
                format!("{}({})", c.name, parts.join(", "))
            }
            Value::Generic(g) if g.0.starts_with("builtins.") => {
                format!("{}({})", g.0.trim_start_matches("builtins."), joined(&g.1)?)
            }
            Value::Instance(i) if i.class.get("__repr__").is_some() => {
                let text = self.call_method(value, "__repr__", Vec::new())?;
                text.as_str().unwrap_or_default().to_owned()
            }
            Value::Instance(i) if i.class.form == ClassForm::Enum => {
                format!("<{}: {}>", self.enum_text(i)?, self.repr(&i.get("value").unwrap_or(Value::None))?)
            }
            Value::Instance(i) => format!("<{} object>", i.class.full_name()),
            other => format!("<{}>", other.type_name()),
        })
    }

    /// `format(value, spec)`
    pub(super) fn formatted(&self, value: &Value, spec: &str) -> Fallible<String> {
        if spec.is_empty() {
            return self.text(value);
        }
        let spec = Spec::parse(spec)?;
        let (sign, body) = match value {
            Value::Int(_) | Value::Float(_) | Value::Bool(_) => spec.number(value)?,
            other => {
                let mut text = self.text(other)?;
                if let Some(precision) = spec.precision {
                    text = text.chars().take(precision).collect();
                }
                (String::new(), text)
            }
        };
        let numeric = matches!(value, Value::Int(_) | Value::Float(_) | Value::Bool(_));
        self.spend(spec.width as u64)?;
        Ok(spec.pad(&sign, &body, numeric))
    }

    /// `"…{}…".format(…)`
    pub(super) fn format_method(
        &self,
        format: &str,
        args: &[Value],
        kwargs: &[(std::rc::Rc<str>, Value)],
    ) -> Fallible<String> {
        let mut out = String::new();
        let mut rest = format;
        let mut next = 0;
        while let Some(at) = rest.find(['{', '}']) {
            out.push_str(&rest[..at]);
            let brace = &rest[at..=at];
            rest = &rest[at + 1..];
            if let Some(after) = rest.strip_prefix(brace) {
                out.push_str(brace);
                rest = after;
                continue;
            }
            let Some(end) = rest.find('}').filter(|_| brace == "{") else {
                return Err(Fault::raise("ValueError", "Single '}' encountered in format string"));
            };
            let (field, spec) = rest[..end].split_once(':').unwrap_or((&rest[..end], ""));
            rest = &rest[end + 1..];
            let (field, conversion) = field.split_once('!').unwrap_or((field, ""));
            let value = self.format_field(field, args, kwargs, &mut next)?;
            let value = if conversion == "r" { Value::str(self.repr(&value)?) } else { value };
            out.push_str(&self.formatted(&value, spec)?);
        }
        out.push_str(rest);
        Ok(out)
    }

    fn format_field(
        &self,
        field: &str,
        args: &[Value],
        kwargs: &[(std::rc::Rc<str>, Value)],
        next: &mut usize,
    ) -> Fallible<Value> {
        let mut parts = field.split('.');
        let first = parts.next().unwrap_or_default();
        let missing = || Fault::raise("IndexError", "Replacement index out of range for positional args tuple");
        let mut value = if first.is_empty() {
            *next += 1;
            args.get(*next - 1).cloned().ok_or_else(missing)?
        } else if let Ok(i) = first.parse::<usize>() {
            args.get(i).cloned().ok_or_else(missing)?
        } else {
            let found = kwargs.iter().find(|(k, _)| &**k == first).map(|(_, v)| v.clone());
            found.ok_or_else(|| Fault::raise("KeyError", format!("'{first}'")))?
        };
        for name in parts {
            value = self.attribute(&value, name)?;
        }
        Ok(value)
    }

    /// `"…%s…" % args`
    pub(super) fn percent(&self, format: &str, args: &Value) -> Fallible<String> {
        let args: Vec<Value> = match args {
            Value::Tuple(items) => items.to_vec(),
            one => vec![one.clone()],
        };
        let mut args = args.into_iter();
        let mut out = String::new();
        let mut chars = format.chars().peekable();
        while let Some(c) = chars.next() {
            if c != '%' {
                out.push(c);
                continue;
            }
            let mut spec = String::new();
            while let Some(c) = chars.next_if(|c| "+-# 0123456789.".contains(*c)) {
                spec.push(c);
            }
            let kind = chars.next().ok_or_else(|| Fault::raise("ValueError", "incomplete format"))?;
            if kind == '%' {
                out.push('%');
                continue;
            }
            let value =
                args.next().ok_or_else(|| Fault::raise("TypeError", "not enough arguments for format string"))?;
            let text = match kind {
                's' => self.aligned(&self.text(&value)?, &spec)?,
                'r' => self.aligned(&self.repr(&value)?, &spec)?,
                'd' | 'i' | 'u' => {
                    let whole = if let Value::Float(f) = value { Value::Int(f as i64) } else { value };
                    self.formatted(&whole, &spec.replace('-', "<"))?
                }
                'f' | 'F' | 'e' | 'E' | 'g' | 'G' | 'x' | 'X' | 'o' => {
                    self.formatted(&value, &format!("{}{kind}", spec.replace('-', "<")))?
                }
                'c' => self.text(&value)?,
                other => return Err(Fault::raise("ValueError", format!("unsupported format character '{other}'"))),
            };
            out.push_str(&text);
        }
        if args.next().is_some() {
            return Err(Fault::raise("TypeError", "not all arguments converted during string formatting"));
        }
        Ok(out)
    }

    fn aligned(&self, text: &str, spec: &str) -> Fallible<String> {
        if spec.is_empty() {
            return Ok(text.to_owned());
        }
        let spec = if let Some(s) = spec.strip_prefix('-') { format!("<{s}") } else { format!(">{spec}") };
        self.formatted(&Value::str(text), &spec)
    }
}

/// A format specification: `[[fill]align][sign][0][width][,][.precision][kind]`.
struct Spec {
    fill: char,
    align: Option<char>,
    plus: Option<char>,
    width: usize,
    comma: bool,
    precision: Option<usize>,
    kind: Option<char>,
}

/// Wider than anybody pads, narrower than what exhausts memory.
const MAX_WIDTH: usize = 4096;

impl Spec {
    fn parse(text: &str) -> Fallible<Spec> {
        let bad = || Fault::raise("ValueError", format!("Invalid format specifier '{text}'"));
        let chars: Vec<char> = text.chars().collect();
        let is_align = |c: Option<&char>| matches!(c, Some('<' | '>' | '^' | '='));
        let mut at = 0;
        let (mut fill, mut align) = (' ', None);
        if is_align(chars.get(1)) {
            (fill, align, at) = (chars[0], chars.get(1).copied(), 2);
        } else if is_align(chars.first()) {
            (align, at) = (chars.first().copied(), 1);
        }
        let plus = chars.get(at).copied().filter(|c| matches!(c, '+' | '-' | ' '));
        at += usize::from(plus.is_some());
        if chars.get(at) == Some(&'#') {
            at += 1;
        }
        if chars.get(at) == Some(&'0') && align.is_none() {
            (fill, align) = ('0', Some('='));
        }
        let digits = |at: &mut usize| {
            let mut n: Option<usize> = None;
            while let Some(d) = chars.get(*at).and_then(|c| c.to_digit(10)) {
                n = Some((n.unwrap_or(0) * 10 + d as usize).min(MAX_WIDTH + 1));
                *at += 1;
            }
            n
        };
        let width = digits(&mut at).unwrap_or(0);
        let comma = matches!(chars.get(at), Some(',' | '_'));
        at += usize::from(comma);
        let mut precision = None;
        if chars.get(at) == Some(&'.') {
            at += 1;
            precision = Some(digits(&mut at).ok_or_else(bad)?);
        }
        let kind = chars.get(at).copied();
        if chars.len() > at + 1 || width > MAX_WIDTH || precision.is_some_and(|p| p > MAX_WIDTH) {
            return Err(bad());
        }
        Ok(Spec { fill, align, plus, width, comma, precision, kind })
    }

    fn number(&self, value: &Value) -> Fallible<(String, String)> {
        let (negative, body) = match (value, self.kind) {
            (Value::Bool(b), None) => (false, if *b { "True".to_owned() } else { "False".to_owned() }),
            (Value::Int(i), None | Some('d' | 'n')) => (*i < 0, i.unsigned_abs().to_string()),
            (Value::Bool(b), Some('d')) => (false, u8::from(*b).to_string()),
            (Value::Int(i), Some('x')) => (*i < 0, format!("{:x}", i.unsigned_abs())),
            (Value::Int(i), Some('X')) => (*i < 0, format!("{:X}", i.unsigned_abs())),
            (Value::Int(i), Some('o')) => (*i < 0, format!("{:o}", i.unsigned_abs())),
            (Value::Int(i), Some('b')) => (*i < 0, format!("{:b}", i.unsigned_abs())),
            (Value::Int(i), _) => self.real(*i as f64)?,
            (Value::Float(f), _) => self.real(*f)?,
            _ => self.real(0.0)?,
        };
        let body = if self.comma { with_commas(&body) } else { body };
        let sign = match (negative, self.plus) {
            (true, _) => "-",
            (false, Some('+')) => "+",
            (false, Some(' ')) => " ",
            _ => "",
        };
        Ok((sign.to_owned(), body))
    }

    fn real(&self, f: f64) -> Fallible<(bool, String)> {
        let negative = f.is_sign_negative() && !f.is_nan();
        let f = f.abs();
        let precision = self.precision.unwrap_or(6);
        let exponent = |text: String| {
            let (m, e) = text.split_once('e').map(|(m, e)| (m.to_owned(), e.to_owned())).unwrap_or((text, "0".into()));
            let e: i32 = e.parse().unwrap_or(0);
            format!("{m}e{}{:02}", if e < 0 { '-' } else { '+' }, e.abs())
        };
        let body = match self.kind {
            Some('f' | 'F') => format!("{f:.precision$}"),
            Some('e' | 'E') => exponent(format!("{f:.precision$e}")),
            Some('%') => format!("{:.precision$}%", f * 100.0),
            None if self.precision.is_none() => python_float(f),
            None | Some('g' | 'G') => {
                let p = precision.max(1);
                let e = if f == 0.0 { 0 } else { f.log10().floor() as i32 };
                if e < -4 || e >= p as i32 {
                    let text = format!("{f:.0$e}", p - 1);
                    let (m, x) = text.split_once('e').unwrap_or((&text, "0"));
                    exponent(format!("{}e{x}", trim_zeros(m)))
                } else {
                    trim_zeros(&format!("{f:.0$}", (p as i32 - 1 - e).max(0) as usize)).to_owned()
                }
            }
            Some(other) => {
                let text = format!("Unknown format code '{other}' for object of type 'float'");
                return Err(Fault::raise("ValueError", text));
            }
        };
        Ok((negative, body))
    }

    fn pad(&self, sign: &str, body: &str, numeric: bool) -> String {
        let length = sign.chars().count() + body.chars().count();
        let missing = self.width.saturating_sub(length);
        let fill = |n: usize| self.fill.to_string().repeat(n);
        match self.align.unwrap_or(if numeric { '>' } else { '<' }) {
            '<' => format!("{sign}{body}{}", fill(missing)),
            '^' => format!("{}{sign}{body}{}", fill(missing / 2), fill(missing - missing / 2)),
            '=' => format!("{sign}{}{body}", fill(missing)),
            _ => format!("{}{sign}{body}", fill(missing)),
        }
    }
}

fn trim_zeros(text: &str) -> &str {
    if text.contains('.') { text.trim_end_matches('0').trim_end_matches('.') } else { text }
}

fn with_commas(text: &str) -> String {
    let (whole, rest) = text.split_at(text.find('.').unwrap_or(text.len()));
    let mut out = String::new();
    for (i, c) in whole.chars().enumerate() {
        if i > 0 && (whole.len() - i) % 3 == 0 {
            out.push(',');
        }
        out.push(c);
    }
    out + rest
}
