//! Strings: byte strings in UTF-8, as TorchScript has them, so that lengths and positions count bytes.
//!
//! A slice that cuts a character leaves U+FFFD in its place, because a value's text is always UTF-8.

use crate::container::text::{fixed, scientific, text_of};
use crate::container::views::views;
use crate::engine::calling::kernels;
use crate::engine::scratch;
use crate::{Call, Error, Outputs, arg};
use sconce_schema::Type;
use sconce_tensor::{Handle, IValue, List};
use smallvec::{SmallVec, smallvec};

/// No string result is longer than this: `"a" * 10**18` is an error, not an allocation.
pub const MAX_BYTES: usize = 1 << 30;

fn from_bytes(bytes: &[u8]) -> IValue {
    IValue::text([&*String::from_utf8_lossy(bytes)])
}

fn list_of(parts: impl IntoIterator<Item = impl AsRef<[u8]>>) -> Outputs {
    smallvec![IValue::list(Type::Str, parts.into_iter().map(|p| from_bytes(p.as_ref())))]
}

fn bytes_at(args: &[IValue], i: usize) -> Result<&[u8], Error> {
    Ok(arg(args, i)?.as_str()?.as_bytes())
}

/// What is said of one string.
fn of_string(_: &Call<'_>, args: &[IValue], say: fn(&[u8]) -> IValue) -> Result<Outputs, Error> {
    Ok(smallvec![say(bytes_at(args, 0)?)])
}

fn every(_: &Call<'_>, args: &[IValue], is: fn(&u8) -> bool) -> Result<Outputs, Error> {
    Ok(smallvec![IValue::Bool(all(bytes_at(args, 0)?, is))])
}

fn mapped(s: &[u8], f: impl FnMut(&u8) -> u8) -> IValue {
    from_bytes(&s.iter().map(f).collect::<scratch::List<u8>>())
}

fn is_space(c: &u8) -> bool {
    matches!(c, b' ' | b'\t' | b'\n' | 0x0b | 0x0c | b'\r')
}

fn all(s: &[u8], f: fn(&u8) -> bool) -> bool {
    !s.is_empty() && s.iter().all(f)
}

kernels! {
    lower = of_string, |s| mapped(s, u8::to_ascii_lowercase); upper = of_string, |s| mapped(s, u8::to_ascii_uppercase);
    swapcase = of_string, |s| mapped(s, |c| if c.is_ascii_lowercase() { c.to_ascii_uppercase() } else { c.to_ascii_lowercase() });
    capitalize = of_string, |s| {
        let mut first = true;
        mapped(s, |c| if std::mem::take(&mut first) { c.to_ascii_uppercase() } else { c.to_ascii_lowercase() })
    };
    title = of_string, |s| {
        let mut after_letter = false;
        mapped(s, |c| {
            let out = if after_letter { c.to_ascii_lowercase() } else { c.to_ascii_uppercase() };
            after_letter = c.is_ascii_alphabetic();
            out
        })
    };
    isalnum = every, u8::is_ascii_alphanumeric; isalpha = every, u8::is_ascii_alphabetic; isspace = every, is_space;
    isdigit = every, u8::is_ascii_digit; isdecimal = every, u8::is_ascii_digit; isnumeric = every, u8::is_ascii_digit;
    /// True for the empty string, as in Python.
    isprintable = of_string, |s| s.iter().all(|c| (0x20..0x7f).contains(c)).into();
    /// Letters and digits, not starting with a digit; PyTorch knows no underscore here.
    isidentifier = of_string, |s| (all(s, u8::is_ascii_alphanumeric) && !s[0].is_ascii_digit()).into();
    islower = of_string, |s| (s.iter().any(u8::is_ascii_alphabetic) && !s.iter().any(u8::is_ascii_uppercase)).into();
    isupper = of_string, |s| (s.iter().any(u8::is_ascii_alphabetic) && !s.iter().any(u8::is_ascii_lowercase)).into();
    istitle = of_string, |s| is_title(s).into();
}

fn is_title(s: &[u8]) -> bool {
    let (mut after_letter, mut found) = (false, false);
    for c in s {
        if c.is_ascii_alphabetic() {
            found = true;
            if c.is_ascii_uppercase() == after_letter {
                return false;
            }
        }
        after_letter = c.is_ascii_alphabetic();
    }
    found
}

views! {
    len: |a| a.give(IValue::Int(a.str(0)?.len() as i64));
    eq: |a| a.give(IValue::Bool(a.str(0)? == a.str(1)?));
    ne: |a| a.give(IValue::Bool(a.str(0)? != a.str(1)?));
    lt: |a| a.give(IValue::Bool(a.str(0)? < a.str(1)?));
    le: |a| a.give(IValue::Bool(a.str(0)? <= a.str(1)?));
    gt: |a| a.give(IValue::Bool(a.str(0)? > a.str(1)?));
    ge: |a| a.give(IValue::Bool(a.str(0)? >= a.str(1)?));
    /// `a + b`; where nobody else has `a`, it grows.
    add: |a| {
        bounded(a.str(0)?.len().saturating_add(a.str(1)?.len()))?;
        if let Some((s, IValue::Str(more))) = a.own_str(0, 1, &mut IValue::None) {
            s.push_str(more);
            return a.pass(0);
        }
        let sum = IValue::text([a.str(0)?, a.str(1)?]);
        a.give(sum)
    };
    /// `s[i]`, one byte.
    getitem: |a| {
        let s = a.str(0)?.as_bytes();
        let i = a.int(1)?;
        let at = if i < 0 { i.wrapping_add(s.len() as i64) } else { i };
        match usize::try_from(at).ok().and_then(|at| s.get(at)) {
            Some(c) => a.give(from_bytes(&[*c])),
            None => Err(Error::runtime(format!(
                "basic_string::at: __n (which is {}) >= this->size() (which is {})",
                at as u64,
                s.len()
            ))),
        }
    };
    /// `s[start:end:step]`; where nobody else has `s`, the rest is cut away.
    slice: |a| {
        let s = a.str(0)?;
        let (start, count) = crate::container::list::slice_range(s.len(), a.bound(1)?, a.bound(2)?, a.int(3)?)?;
        let step = a.int(3)?;
        let (from, to) = (start.max(0) as usize, start.max(0) as usize + count as usize);
        if step == 1 && s.is_char_boundary(from) && s.is_char_boundary(to) {
            if let Some((own, _)) = a.own_str(0, 1, &mut IValue::None) {
                own.truncate(to);
                own.drain(..from);
                return a.pass(0);
            }
            let part = IValue::text([&a.str(0)?[from..to]]);
            return a.give(part);
        }
        let s = s.as_bytes();
        let picked: SmallVec<[u8; 64]> = (0..count as i64).map(|i| s[start.wrapping_add(i.wrapping_mul(step)) as usize]).collect();
        a.give(from_bytes(&picked))
    };
}

fn bounded(bytes: usize) -> Result<(), Error> {
    if bytes > MAX_BYTES {
        return Err(Error::runtime(format!("a string of {bytes} bytes is too long")));
    }
    Ok(())
}

/// `list(s)`: its characters (bytes for PyTorch; whole characters here where they are not ASCII).
pub fn list(text: &str) -> IValue {
    let characters = text.char_indices().map(|(at, c)| IValue::text([&text[at..at + c.len_utf8()]]));
    IValue::list(Type::Str, characters)
}

fn position(haystack: &[u8], needle: &[u8], from: usize) -> Option<usize> {
    if from > haystack.len() {
        return None;
    }
    if needle.is_empty() {
        return Some(from);
    }
    haystack[from..].windows(needle.len()).position(|w| w == needle).map(|i| i + from)
}

/// The last occurrence that starts at or before `until`.
fn last_position(haystack: &[u8], needle: &[u8], until: usize) -> Option<usize> {
    let last = haystack.len().checked_sub(needle.len())?;
    (0..=last.min(until)).rev().find(|&i| haystack[i..].starts_with(needle))
}

/// Arguments `start` and `end` of a search: negative ones count from the end, where `-1` is the end itself.
fn range(args: &[IValue], len: usize) -> Result<(usize, usize), Error> {
    let (len, start, end) = (len as i64, arg(args, 2)?.as_int()?, arg(args, 3)?.as_int()?);
    let start = if start < 0 { start.saturating_add(len).max(0) } else { start };
    let end = if end < 0 { end.saturating_add(len + 1).max(0) } else { end };
    Ok((start as usize, end as usize))
}

fn find_in(args: &[IValue]) -> Result<Option<usize>, Error> {
    let (s, needle) = (bytes_at(args, 0)?, bytes_at(args, 1)?);
    let (start, end) = range(args, s.len())?;
    if start > s.len() {
        return Ok(None);
    }
    // PyTorch searches in s[start:end] as C++ cuts it: an end before the start is no end.
    let end = if end < start { s.len() } else { end.min(s.len()) };
    Ok(position(&s[..end], needle, start))
}

fn rfind_in(args: &[IValue]) -> Result<Option<usize>, Error> {
    let (s, needle) = (bytes_at(args, 0)?, bytes_at(args, 1)?);
    let (start, end) = range(args, s.len())?;
    let end = end.min(s.len());
    if start > end {
        return Ok(None);
    }
    Ok(last_position(&s[..end], needle, end).filter(|&i| i >= start))
}

/// How a part is searched for.
type Search = fn(&[IValue]) -> Result<Option<usize>, Error>;

fn found(_: &Call<'_>, args: &[IValue], search: Search) -> Result<Outputs, Error> {
    Ok(smallvec![IValue::Int(search(args)?.map_or(-1, |i| i as i64))])
}

fn found_or_raise(_: &Call<'_>, args: &[IValue], search: Search) -> Result<Outputs, Error> {
    let at = search(args)?.ok_or_else(|| Error::runtime("ValueError: substring not found"))?;
    Ok(smallvec![IValue::Int(at as i64)])
}

kernels! {
    find = found, find_in; rfind = found, rfind_in;
    index = found_or_raise, find_in; rindex = found_or_raise, rfind_in;
    startswith = within, |s, part| s.starts_with(part); endswith = within, |s, part| s.ends_with(part);
    strip = stripped, true, true; lstrip = stripped, true, false; rstrip = stripped, false, true;
    ljust = padded, |missing, _| (0, missing); rjust = padded, |missing, _| (missing, 0);
    /// The odd blank goes right of a string in an even width, left in an odd one.
    center = padded, |missing, width| {
        let (small, large) = (missing / 2, missing.div_ceil(2));
        if width % 2 == 1 { (large, small) } else { (small, large) }
    };
    partition = parted, |s, separator| position(s, separator, 0), true;
    rpartition = parted, |s, separator| last_position(s, separator, s.len()), false;
    bin = radix, |u| format!("{u:#b}"); oct = radix, |u| format!("{u:#o}"); hex = radix, |u| format!("{u:#x}");
}

/// Non-overlapping occurrences that start in the range. An empty pattern, on which PyTorch does not return, occurs between all bytes.
pub fn count(_: &Call<'_>, args: &mut [IValue]) -> Result<Outputs, Error> {
    let (s, needle) = (bytes_at(args, 0)?, bytes_at(args, 1)?);
    let (start, end) = range(args, s.len())?;
    let (mut at, mut n) = (start, 0);
    while let Some(i) = position(s, needle, at).filter(|&i| i < end || (needle.is_empty() && i <= end)) {
        n += 1;
        at = i + needle.len().max(1);
    }
    Ok(smallvec![IValue::Int(n)])
}

fn within(_: &Call<'_>, args: &[IValue], test: fn(&[u8], &[u8]) -> bool) -> Result<Outputs, Error> {
    let (s, part) = (bytes_at(args, 0)?, bytes_at(args, 1)?);
    let (start, end) = range(args, s.len())?;
    if start > s.len() {
        return Ok(smallvec![IValue::Bool(false)]);
    }
    // An end before the start is a huge count for C++: the rest of the string.
    let cut = if end < start { &s[start..] } else { &s[start..end.min(s.len())] };
    Ok(smallvec![IValue::Bool(test(cut, part))])
}

fn stripped(_: &Call<'_>, args: &[IValue], left: bool, right: bool) -> Result<Outputs, Error> {
    let (mut s, chars) = (bytes_at(args, 0)?, bytes_at(args, 1)?);
    while let [first, rest @ ..] = s
        && left
        && chars.contains(first)
    {
        s = rest;
    }
    while let [rest @ .., last] = s
        && right
        && chars.contains(last)
    {
        s = rest;
    }
    Ok(smallvec![from_bytes(s)])
}

/// Pads to `width` with `before` and `after` bytes as `share` divides what is missing.
fn padded(_: &Call<'_>, args: &[IValue], share: fn(usize, usize) -> (usize, usize)) -> Result<Outputs, Error> {
    let s = bytes_at(args, 0)?;
    let width = usize::try_from(arg(args, 1)?.as_int()?.max(0)).unwrap_or(usize::MAX);
    let fill = bytes_at(args, 2)?;
    let &[fill] = fill else {
        return Err(Error::runtime("TypeError: The fill character must be exactly one character long"));
    };
    let missing = width.saturating_sub(s.len());
    bounded(width)?;
    let (before, after) = share(missing, width);
    Ok(smallvec![from_bytes(&[&vec![fill; before][..], s, &vec![fill; after]].concat())])
}

/// Zeros in front, before a sign too.
pub fn zfill(s: &str, width: i64) -> Result<String, Error> {
    let width = usize::try_from(width.max(0)).unwrap_or(usize::MAX);
    bounded(width)?;
    Ok("0".repeat(width.saturating_sub(s.len())) + s)
}

pub fn expandtabs(s: &str, size: i64) -> Result<IValue, Error> {
    let size = usize::try_from(size.max(0)).unwrap_or(usize::MAX);
    let tabs = s.bytes().filter(|c| *c == b'\t').count();
    bounded(s.len().saturating_add(tabs.saturating_mul(size)))?;
    let (mut out, mut column) = (Vec::new(), 0usize);
    for c in s.bytes() {
        if c == b'\t' {
            if size > 0 {
                let blanks = size - column % size;
                out.extend(std::iter::repeat_n(b' ', blanks));
                column += blanks;
            }
        } else {
            out.push(c);
            // Newlines do not begin a new count, as recorded.
            column += 1;
        }
    }
    Ok(from_bytes(&out))
}

/// An empty pattern, on which PyTorch does not return, matches between all characters, as in Python.
pub fn replace(s: &str, old: &str, new: &str, max: i64) -> Result<String, Error> {
    bounded(s.len().saturating_add(s.matches(old).count().saturating_mul(new.len())))?;
    Ok(match usize::try_from(max) {
        Ok(max) => s.replacen(old, new, max),
        Err(_) => s.replace(old, new),
    })
}

/// What stands before a separator, it, and what stands behind; without one all is on one side.
fn parted(
    _: &Call<'_>,
    args: &[IValue],
    search: fn(&[u8], &[u8]) -> Option<usize>,
    first: bool,
) -> Result<Outputs, Error> {
    let (s, separator) = (bytes_at(args, 0)?, bytes_at(args, 1)?);
    let (before, middle, after) = match search(s, separator) {
        Some(i) => (&s[..i], separator, &s[i + separator.len()..]),
        None if first => (s, &s[..0], &s[..0]),
        None => (&s[..0], &s[..0], s),
    };
    Ok(smallvec![from_bytes(before), from_bytes(middle), from_bytes(after)])
}

/// `split(separator=None, max=-1)`. Without a separator `max` does not count, as recorded.
pub fn split(s: &str, separator: Option<&str>, max: i64) -> Result<Outputs, Error> {
    let (s, Some(separator)) = (s.as_bytes(), separator.map(str::as_bytes)) else {
        return Ok(list_of(s.as_bytes().split(is_space).filter(|p| !p.is_empty())));
    };
    if separator.is_empty() {
        return Err(Error::runtime("ValueError: empty separator"));
    }
    let (mut left, mut rest) = (usize::try_from(max).unwrap_or(usize::MAX), Some(s));
    Ok(list_of(std::iter::from_fn(|| {
        let part = rest?;
        let Some(i) = position(part, separator, 0).filter(|_| left > 0) else { return rest.take() };
        left -= 1;
        rest = Some(&part[i + separator.len()..]);
        Some(&part[..i])
    })))
}

/// `rsplit(separator=" ", max=-1)`.
pub fn rsplit(s: &str, separator: &str, max: i64) -> Result<Outputs, Error> {
    let (s, separator, max) = (s.as_bytes(), separator.as_bytes(), usize::try_from(max).unwrap_or(usize::MAX));
    if separator.is_empty() {
        return Err(Error::runtime("ValueError: empty separator"));
    }
    let (mut parts, mut end) = (Vec::new(), s.len());
    while parts.len() < max
        && let Some(i) = last_position(&s[..end], separator, end)
    {
        parts.push(&s[i + separator.len()..end]);
        end = i;
    }
    parts.push(&s[..end]);
    parts.reverse();
    Ok(list_of(parts))
}

/// Each of `\n \v \f \r` and the separators 0x1c to 0x1e ends a line of its own; kept ends are entries of their own, as recorded.
pub fn splitlines(s: &str, keep: bool) -> Result<Outputs, Error> {
    let s = s.as_bytes();
    let (mut parts, mut start) = (Vec::new(), 0);
    for (i, c) in s.iter().enumerate() {
        if matches!(c, b'\n' | 0x0b | 0x0c | b'\r' | 0x1c..=0x1e) {
            parts.push(&s[start..i]);
            if keep {
                parts.push(&s[i..=i]);
            }
            start = i + 1;
        }
    }
    if start < s.len() {
        parts.push(&s[start..]);
    }
    Ok(list_of(parts))
}

pub fn join(separator: &str, values: &Handle<List>) -> Result<IValue, Error> {
    let list = values.read();
    let total = list.iter().try_fold(0usize, |n, part| {
        Ok::<_, Error>(n.saturating_add(part.as_str()?.len()).saturating_add(separator.len()))
    });
    bounded(total?)?;
    let parts = list.iter().enumerate().flat_map(|(i, part)| {
        // All are strings, as was found above.
        [if i > 0 { separator } else { "" }, part.as_str().unwrap_or_default()]
    });
    Ok(IValue::text(parts))
}

/// `ord(s)`: the byte of a string of one.
pub fn ord(s: &str) -> Result<i64, Error> {
    match s.as_bytes() {
        [c] => Ok(i64::from(*c)),
        s => Err(Error::runtime(format!("String for ord() must be 1 character, found {}", s.len()))),
    }
}

/// `chr(i)`: one byte, the low eight bits.
pub fn chr(i: i64) -> Result<IValue, Error> {
    if !(0..=0x10ffff).contains(&i) {
        return Err(Error::runtime(format!("chr() arg not in range(0x110000), found {i}")));
    }
    let byte = i as u8;
    if !byte.is_ascii() {
        return Err(Error::Raised {
            class: "UnicodeDecodeError",
            message: format!("'utf-8' codec can't decode byte 0x{byte:02x} in position 0: invalid start byte"),
        });
    }
    Ok(from_bytes(&[byte]))
}

fn radix(_: &Call<'_>, args: &[IValue], digits: fn(u64) -> String) -> Result<Outputs, Error> {
    let i = arg(args, 0)?.as_int()?;
    let sign = if i < 0 { "-" } else { "" };
    Ok(smallvec![IValue::str(format!("{sign}{}", digits(i.unsigned_abs())))])
}

/// `int(s)`: blanks in front, a sign, decimal digits, nothing after them.
pub fn parse_int(s: &str) -> Result<Outputs, Error> {
    let body = s.trim_start_matches(|c: char| u8::try_from(c).is_ok_and(|c| is_space(&c)));
    let digits = body.strip_prefix(['+', '-']).unwrap_or(body);
    let end = digits.find(|c: char| !c.is_ascii_digit()).unwrap_or(digits.len());
    if end == 0 {
        return Err(Error::runtime("stoll"));
    }
    if end != digits.len() {
        return Err(Error::runtime(format!("invalid literal for int() with base 10: '{s}'")));
    }
    body.parse().map(|i| smallvec![IValue::Int(i)]).map_err(|_| Error::runtime("stoll"))
}

/// `float(s)`: what C's `stod` reads, with nothing after it.
pub fn parse_float(s: &str) -> Result<Outputs, Error> {
    let body = s.trim_start_matches(|c: char| u8::try_from(c).is_ok_and(|c| is_space(&c)));
    // The longest prefix that is a number; number texts are short, and longer ones end at the first other character.
    let limit = body.find(|c: char| !(c.is_ascii_alphanumeric() || matches!(c, '+' | '-' | '.'))).unwrap_or(body.len());
    if let Ok(d) = body[..limit].parse::<f64>()
        && limit == body.len()
    {
        return Ok(smallvec![IValue::Double(d)]);
    }
    let starts_as_number = (1..=limit.min(400)).rev().any(|n| body[..n].parse::<f64>().is_ok());
    Err(Error::runtime(if starts_as_number {
        format!("could not convert string to float: '{s}'")
    } else {
        "stod".to_owned()
    }))
}

/// `str(x)`.
pub fn str(elem: &IValue) -> Result<String, Error> {
    text_of(elem)
}

/// `"{} {}".format(a, b)`: each `{}` takes the next argument, arguments left over are ignored, other braces stand for themselves.
pub fn format(pattern: &str, values: &[IValue]) -> Result<String, Error> {
    let mut values = values.iter();
    let (mut out, mut rest) = (String::new(), pattern);
    while let Some(i) = rest.find("{}") {
        out.push_str(&rest[..i]);
        let value =
            values.next().ok_or_else(|| Error::runtime(format!("Too few arguments for format string: {pattern}")))?;
        out.push_str(&text_of(value)?);
        bounded(out.len())?;
        rest = &rest[i + 2..];
    }
    out.push_str(rest);
    Ok(out)
}

/// `"%d %s" % value`, where a tuple gives several values.
pub fn percent_format(pattern: &str, given: &[IValue]) -> Result<String, Error> {
    let values = match given {
        [IValue::Tuple(t), ..] => &t.items[..],
        given => &given[..given.len().min(1)],
    };
    let mut used = values.iter();
    let (mut out, mut rest) = (String::new(), pattern);
    while let Some(i) = rest.find('%') {
        out.push_str(&rest[..i]);
        let Some(code) = rest[i + 1..].chars().next() else {
            return Err(Error::runtime("Incomplete format specifier"));
        };
        rest = &rest[i + 1 + code.len_utf8()..];
        if code == '%' {
            out.push('%');
            continue;
        }
        let value = used.next().ok_or_else(|| Error::runtime("Too few arguments for format string"))?;
        out.push_str(&percent_item(code, value)?);
        bounded(out.len())?;
    }
    if used.next().is_some() {
        return Err(Error::runtime("Too many arguments for format string"));
    }
    out.push_str(rest);
    Ok(out)
}

fn percent_item(code: char, value: &IValue) -> Result<String, Error> {
    let wrong = |what: &str| {
        let kind = match value {
            IValue::Str(_) => "String",
            IValue::Double(_) => "Double",
            IValue::List(_) => "GenericList",
            IValue::Tuple(_) => "Tuple",
            IValue::None => "None",
            other => other.kind(),
        };
        Error::runtime(format!("%{code} requires {what} for formatting, but got {kind}"))
    };
    // PyTorch computes in 32 bits here.
    let narrow = || -> Result<f64, Error> {
        match value {
            IValue::Int(_) | IValue::Double(_) | IValue::Bool(_) => Ok(f64::from(value.as_double()? as f32)),
            _ => Err(wrong("a number")),
        }
    };
    Ok(match code {
        'd' | 'i' => match value {
            IValue::Int(i) => i.to_string(),
            IValue::Bool(b) => i64::from(*b).to_string(),
            IValue::Double(d) => (*d as i32).to_string(),
            _ => return Err(wrong("a number")),
        },
        'e' => scientific(narrow()?, 6),
        'E' => scientific(narrow()?, 6).to_uppercase(),
        'f' | 'F' => fixed(narrow()?, 6),
        'c' => match value {
            IValue::Int(i) => String::from_utf8_lossy(&[*i as u8]).into_owned(),
            IValue::Str(s) if s.len() == 1 => s.to_string(),
            _ => return Err(wrong("an int or char")),
        },
        's' => text_of(value)?,
        _ => {
            return Err(Error::runtime(format!(
                "The specifier %{code} is not supported in TorchScript format strings"
            )));
        }
    })
}
