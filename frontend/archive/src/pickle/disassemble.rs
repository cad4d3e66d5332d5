//! A pickle's listing is that of Python's `pickletools.dis`, line by line, and ends with an error where the pickle makes no sense; nothing is built.

use super::opcode::{self, Argument, Form, Op, Takes};
use sconce_schema::text::{python_float, python_str};
use std::collections::HashSet;
use std::fmt::Write;

/// Marks are indented by four blanks up to this many; a listing does not grow with the square of its pickle.
const INDENT_LIMIT: usize = 64;

/// The listing of a pickle. Damaged or hostile bytes end it with a line that says what is wrong.
pub fn disassemble(bytes: &[u8]) -> String {
    let mut out = String::new();
    let mut listing = Listing { bytes, at: 0, stack: Vec::new(), marks: Vec::new(), memo: HashSet::new(), protocol: 0 };
    loop {
        match listing.line(&mut out) {
            Ok(true) => {}
            Ok(false) => break,
            Err(what) => {
                let _ = writeln!(out, "error at byte {}: {what}", listing.at);
                return out;
            }
        }
    }
    let _ = writeln!(out, "highest protocol among opcodes = {}", listing.protocol);
    if !listing.stack.is_empty() {
        let _ = writeln!(out, "error at byte {}: {} values on the stack after STOP", listing.at, listing.stack.len());
    } else if listing.at < bytes.len() {
        let _ = writeln!(out, "{} bytes follow", bytes.len() - listing.at);
    }
    out
}

struct Listing<'a> {
    bytes: &'a [u8],
    at: usize,
    /// Whether each value is a mark.
    stack: Vec<bool>,
    /// The offsets of the marks.
    marks: Vec<usize>,
    memo: HashSet<i64>,
    protocol: u8,
}

impl Listing<'_> {
    /// Prints the next opcode; false at STOP.
    fn line(&mut self, out: &mut String) -> Result<bool, String> {
        let here = self.at;
        let instruction = opcode::read(self.bytes, here)?;
        let row = instruction.row;
        let indent = "    ".repeat(self.marks.len().min(INDENT_LIMIT));
        let _ = write!(out, "{here:5}: {:<4} {indent}{}", code_text(row.op.code()), row.name);
        self.protocol = self.protocol.max(row.protocol);

        let mut problem = None;
        let mut note = None;
        let mut pops = match row.takes {
            Takes::Values(n) | Takes::ToMark(n) => usize::from(n),
        };
        if matches!(row.takes, Takes::ToMark(_)) || (row.op == Op::Pop && self.stack.last() == Some(&true)) {
            match self.marks.pop() {
                Some(mark) => {
                    note = Some(format!("(MARK at {mark})"));
                    while self.stack.pop() == Some(false) {}
                    if row.op == Op::Pop {
                        pops = 0;
                    }
                }
                None => {
                    note = Some("no MARK exists on stack".to_string());
                    problem.clone_from(&note);
                }
            }
        }
        self.check_memo(row.op, &instruction.argument, &mut note, &mut problem);

        let argument = argument_text(row.form, row.op, &instruction.argument);
        if argument.is_some() || note.is_some() {
            let _ = write!(out, "{}", " ".repeat(10usize.saturating_sub(row.name.len())));
            for part in argument.iter().chain(&note) {
                let _ = write!(out, " {part}");
            }
        }
        out.push('\n');
        if let Some(problem) = problem {
            return Err(problem);
        }
        if self.stack.len() < pops {
            return Err(format!("tries to pop {pops} items from stack with only {} items", self.stack.len()));
        }
        self.stack.truncate(self.stack.len() - pops);
        if row.op == Op::Mark {
            self.marks.push(here);
            self.stack.push(true);
        }
        self.stack.extend((0..row.gives).map(|_| false));
        self.at = instruction.end;
        Ok(row.op != Op::Stop)
    }

    fn check_memo(&mut self, op: Op, argument: &Argument, note: &mut Option<String>, problem: &mut Option<String>) {
        let number = match (op, argument) {
            (Op::Memoize, _) => {
                *note = Some(format!("(as {})", self.memo.len()));
                self.memo.len() as i64
            }
            (_, Argument::Int(n)) => *n,
            (_, Argument::Bytes(text)) => {
                std::str::from_utf8(text).ok().and_then(|t| t.trim().parse().ok()).unwrap_or(-1)
            }
            _ => return,
        };
        match op {
            Op::Put | Op::BinPut | Op::LongBinPut | Op::Memoize => match self.stack.last() {
                _ if self.memo.contains(&number) => *problem = Some(format!("memo key {number} already defined")),
                None => *problem = Some("stack is empty -- can't store into memo".to_string()),
                Some(true) => *problem = Some("can't store markobject in the memo".to_string()),
                Some(false) => drop(self.memo.insert(number)),
            },
            Op::Get | Op::BinGet | Op::LongBinGet if !self.memo.contains(&number) => {
                *problem = Some(format!("memo key {number} has never been stored into"));
            }
            _ => {}
        }
    }
}

/// The opcode's byte as Python shows it.
fn code_text(code: u8) -> String {
    if code.is_ascii_graphic() { char::from(code).to_string() } else { format!("\\x{code:02x}") }
}

fn argument_text(form: Form, op: Op, argument: &Argument) -> Option<String> {
    Some(match *argument {
        Argument::None => return None,
        Argument::Int(n) => n.to_string(),
        Argument::Float(x) => python_float(x),
        Argument::TwoLines(a, b) => {
            python_str(&format!("{} {}", String::from_utf8_lossy(a), String::from_utf8_lossy(b)))
        }
        Argument::Bytes(bytes) => match (form, op) {
            (Form::Long(_), _) if bytes.len() > 64 => format!("a number of {} bytes", bytes.len()),
            (Form::Long(_), _) => opcode::decimal(bytes),
            (Form::Bytes(_), Op::ByteArray8) => format!("bytearray({})", bytes_repr(bytes)),
            (Form::Bytes(_), _) => bytes_repr(bytes),
            // Python 2's strings are bytes; they are shown as characters below 256.
            (Form::Text(_), Op::BinString | Op::ShortBinString) => {
                python_str(&bytes.iter().map(|b| char::from(*b)).collect::<String>())
            }
            (Form::Quoted, _) => String::from_utf8_lossy(bytes).into_owned(),
            (Form::Line, Op::Int | Op::LongLine | Op::FloatLine | Op::Get | Op::Put) => number_line(op, bytes),
            _ => python_str(&String::from_utf8_lossy(bytes)),
        },
    })
}

fn number_line(op: Op, bytes: &[u8]) -> String {
    let text = String::from_utf8_lossy(bytes);
    match (op, &*text) {
        (Op::Int, "00") => "False".to_string(),
        (Op::Int, "01") => "True".to_string(),
        (Op::LongLine, _) => text.strip_suffix('L').unwrap_or(&text).to_string(),
        (Op::FloatLine, _) => text.parse().map_or_else(|_| text.to_string(), python_float),
        _ => text.to_string(),
    }
}

fn quote_for(has_single: bool, has_double: bool) -> char {
    if has_single && !has_double { '"' } else { '\'' }
}

/// Python's `repr` of bytes.
pub(super) fn bytes_repr(bytes: &[u8]) -> String {
    let quote = quote_for(bytes.contains(&b'\''), bytes.contains(&b'"'));
    let mut out = format!("b{quote}");
    for &b in bytes {
        match b {
            b'\\' => out.push_str("\\\\"),
            b'\n' => out.push_str("\\n"),
            b'\r' => out.push_str("\\r"),
            b'\t' => out.push_str("\\t"),
            b if char::from(b) == quote => out.extend(['\\', quote]),
            b' '..=b'~' => out.push(char::from(b)),
            b => {
                let _ = write!(out, "\\x{b:02x}");
            }
        }
    }
    out.push(quote);
    out
}

#[cfg(test)]
mod tests {
    use super::*;
    use expect_test::expect;

    #[test]
    fn the_overview_s_attributes_are_listed() {
        // (2.3, (1, 2, 3, 4), a tensor, [1, 2, 3, 4])
        let mut bytes = b"\x80\x02(G".to_vec();
        bytes.extend(2.3f64.to_be_bytes());
        bytes.extend(b"(K\x01K\x02K\x03K\x04tq\0ctorch.jit._pickle\nbuild_tensor_from_id\nq\x01(K\0tR");
        bytes.extend(b"ctorch.jit._pickle\nbuild_intlist\nq\x02(](K\x01K\x02K\x03K\x04etRq\x03t.");
        expect![[r#"
                0: \x80 PROTO      2
                2: (    MARK
                3: G        BINFLOAT   2.3
               12: (        MARK
               13: K            BININT1    1
               15: K            BININT1    2
               17: K            BININT1    3
               19: K            BININT1    4
               21: t            TUPLE      (MARK at 12)
               22: q        BINPUT     0
               24: c        GLOBAL     'torch.jit._pickle build_tensor_from_id'
               64: q        BINPUT     1
               66: (        MARK
               67: K            BININT1    0
               69: t            TUPLE      (MARK at 66)
               70: R        REDUCE
               71: c        GLOBAL     'torch.jit._pickle build_intlist'
              104: q        BINPUT     2
              106: (        MARK
              107: ]            EMPTY_LIST
              108: (            MARK
              109: K                BININT1    1
              111: K                BININT1    2
              113: K                BININT1    3
              115: K                BININT1    4
              117: e                APPENDS    (MARK at 108)
              118: t            TUPLE      (MARK at 106)
              119: R        REDUCE
              120: q        BINPUT     3
              122: t        TUPLE      (MARK at 2)
              123: .    STOP
            highest protocol among opcodes = 2
        "#]]
        .assert_eq(&disassemble(&bytes));
    }

    #[test]
    fn texts_and_numbers_print_as_python_prints_them() {
        let mut bytes = b"\x80\x04]\x94(\x8c\x04it's\x94".to_vec();
        bytes.extend("X\x07\0\0\0na\u{ef}ve\n".as_bytes());
        bytes.extend(b"U\x02\"'C\x02\x00'");
        for x in [1e16, 1e-5, 0.1, 1e22, f64::INFINITY, -0.0, 123456789.0] {
            bytes.push(b'G');
            bytes.extend(x.to_be_bytes());
        }
        bytes.extend(b"\x8a\x09\0\0\0\0\0\0\0\0\x01I01\nF1e5\ne.");
        expect![[r#"
                0: \x80 PROTO      4
                2: ]    EMPTY_LIST
                3: \x94 MEMOIZE    (as 0)
                4: (    MARK
                5: \x8c     SHORT_BINUNICODE "it's"
               11: \x94     MEMOIZE    (as 1)
               12: X        BINUNICODE 'naïve\n'
               24: U        SHORT_BINSTRING '"\''
               28: C        SHORT_BINBYTES b"\x00'"
               32: G        BINFLOAT   1e+16
               41: G        BINFLOAT   1e-05
               50: G        BINFLOAT   0.1
               59: G        BINFLOAT   1e+22
               68: G        BINFLOAT   inf
               77: G        BINFLOAT   -0.0
               86: G        BINFLOAT   123456789.0
               95: \x8a     LONG1      18446744073709551616
              106: I        INT        True
              110: F        FLOAT      100000.0
              115: e        APPENDS    (MARK at 4)
              116: .    STOP
            highest protocol among opcodes = 4
        "#]]
        .assert_eq(&disassemble(&bytes));
    }

    #[test]
    fn damaged_pickles_end_with_what_is_wrong() {
        let last = |bytes: &[u8]| disassemble(bytes).lines().last().unwrap_or_default().to_string();
        assert_eq!(last(b"\x80\x02N"), "error at byte 3: the pickle is cut off: no STOP");
        assert_eq!(last(b"\x80\x02t."), "error at byte 2: no MARK exists on stack");
        assert_eq!(last(b"\x80\x02h\x07."), "error at byte 2: memo key 7 has never been stored into");
        assert_eq!(last(b"\x80\x02R."), "error at byte 2: tries to pop 2 items from stack with only 0 items");
        assert_eq!(
            last(b"\x80\x02X\xff\xff\xff\xffab"),
            "error at byte 2: BINUNICODE counts 4294967295 bytes, and 2 are left"
        );
        assert_eq!(last(b"\x80\x02N.tail"), "4 bytes follow");
    }
}
