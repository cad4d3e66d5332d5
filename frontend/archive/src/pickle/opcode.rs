//! The opcodes of pickle protocols 0 to 5: their bytes, names, arguments and what they do to the stack, said once for the machine and the listing.

/// How an argument is encoded. Numbers are little-endian.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Form {
    None,
    U8,
    U16,
    U32,
    U64,
    I32,
    /// Eight bytes, big-endian.
    F64,
    /// A count of so many bytes, then as many bytes of a two's complement number.
    Long(u8),
    /// A count of so many bytes, then as many bytes.
    Bytes(u8),
    /// The same, as text.
    Text(u8),
    /// Text up to a newline.
    Line,
    /// Quoted text up to a newline.
    Quoted,
    /// Two texts, each up to a newline.
    TwoLines,
}

/// What an opcode takes from the stack.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Takes {
    Values(u8),
    /// Everything above the last mark, the mark, and so many values below it.
    ToMark(u8),
}

macro_rules! opcodes {
    ($($name:ident $text:literal $code:literal $form:expr, $protocol:literal, $takes:expr => $gives:literal;)*) => {
        #[derive(Clone, Copy, PartialEq, Eq, Debug)]
        pub enum Op { $($name,)* }

        /// An opcode's row.
        pub struct Row {
            pub op: Op,
            pub name: &'static str,
            pub form: Form,
            pub protocol: u8,
            pub takes: Takes,
            /// Values that come onto the stack (a mark is none).
            pub gives: u8,
        }

        impl Row {
            pub fn of(code: u8) -> Option<&'static Row> {
                match code {
                    $($code => {
                        static ROW: Row = Row {
                            op: Op::$name, name: $text, form: $form, protocol: $protocol, takes: $takes, gives: $gives,
                        };
                        Some(&ROW)
                    })*
                    _ => Option::None,
                }
            }
        }

        impl Op {
            /// The opcode's byte.
            pub fn code(self) -> u8 {
                match self { $(Op::$name => $code,)* }
            }
        }
    };
}

use Form::{Bytes, F64, I32, Line, Long, None, Quoted, Text, TwoLines, U8, U16, U32, U64};
use Takes::{ToMark, Values};

opcodes! {
    Int "INT" b'I' Line, 0, Values(0) => 1;
    BinInt "BININT" b'J' I32, 1, Values(0) => 1;
    BinInt1 "BININT1" b'K' U8, 1, Values(0) => 1;
    BinInt2 "BININT2" b'M' U16, 1, Values(0) => 1;
    LongLine "LONG" b'L' Line, 0, Values(0) => 1;
    Long1 "LONG1" b'\x8a' Long(1), 2, Values(0) => 1;
    Long4 "LONG4" b'\x8b' Long(4), 2, Values(0) => 1;
    String "STRING" b'S' Quoted, 0, Values(0) => 1;
    BinString "BINSTRING" b'T' Text(4), 1, Values(0) => 1;
    ShortBinString "SHORT_BINSTRING" b'U' Text(1), 1, Values(0) => 1;
    BinBytes "BINBYTES" b'B' Bytes(4), 3, Values(0) => 1;
    ShortBinBytes "SHORT_BINBYTES" b'C' Bytes(1), 3, Values(0) => 1;
    BinBytes8 "BINBYTES8" b'\x8e' Bytes(8), 4, Values(0) => 1;
    ByteArray8 "BYTEARRAY8" b'\x96' Bytes(8), 5, Values(0) => 1;
    NextBuffer "NEXT_BUFFER" b'\x97' None, 5, Values(0) => 1;
    ReadonlyBuffer "READONLY_BUFFER" b'\x98' None, 5, Values(1) => 1;
    None "NONE" b'N' None, 0, Values(0) => 1;
    NewTrue "NEWTRUE" b'\x88' None, 2, Values(0) => 1;
    NewFalse "NEWFALSE" b'\x89' None, 2, Values(0) => 1;
    Unicode "UNICODE" b'V' Line, 0, Values(0) => 1;
    ShortBinUnicode "SHORT_BINUNICODE" b'\x8c' Text(1), 4, Values(0) => 1;
    BinUnicode "BINUNICODE" b'X' Text(4), 1, Values(0) => 1;
    BinUnicode8 "BINUNICODE8" b'\x8d' Text(8), 4, Values(0) => 1;
    FloatLine "FLOAT" b'F' Line, 0, Values(0) => 1;
    BinFloat "BINFLOAT" b'G' F64, 1, Values(0) => 1;
    EmptyList "EMPTY_LIST" b']' None, 1, Values(0) => 1;
    Append "APPEND" b'a' None, 0, Values(2) => 1;
    Appends "APPENDS" b'e' None, 1, ToMark(1) => 1;
    List "LIST" b'l' None, 0, ToMark(0) => 1;
    EmptyTuple "EMPTY_TUPLE" b')' None, 1, Values(0) => 1;
    Tuple "TUPLE" b't' None, 0, ToMark(0) => 1;
    Tuple1 "TUPLE1" b'\x85' None, 2, Values(1) => 1;
    Tuple2 "TUPLE2" b'\x86' None, 2, Values(2) => 1;
    Tuple3 "TUPLE3" b'\x87' None, 2, Values(3) => 1;
    EmptyDict "EMPTY_DICT" b'}' None, 1, Values(0) => 1;
    Dict "DICT" b'd' None, 0, ToMark(0) => 1;
    SetItem "SETITEM" b's' None, 0, Values(3) => 1;
    SetItems "SETITEMS" b'u' None, 1, ToMark(1) => 1;
    EmptySet "EMPTY_SET" b'\x8f' None, 4, Values(0) => 1;
    AddItems "ADDITEMS" b'\x90' None, 4, ToMark(1) => 1;
    FrozenSet "FROZENSET" b'\x91' None, 4, ToMark(0) => 1;
    Pop "POP" b'0' None, 0, Values(1) => 0;
    Dup "DUP" b'2' None, 0, Values(1) => 2;
    Mark "MARK" b'(' None, 0, Values(0) => 0;
    PopMark "POP_MARK" b'1' None, 1, ToMark(0) => 0;
    Get "GET" b'g' Line, 0, Values(0) => 1;
    BinGet "BINGET" b'h' U8, 1, Values(0) => 1;
    LongBinGet "LONG_BINGET" b'j' U32, 1, Values(0) => 1;
    Put "PUT" b'p' Line, 0, Values(0) => 0;
    BinPut "BINPUT" b'q' U8, 1, Values(0) => 0;
    LongBinPut "LONG_BINPUT" b'r' U32, 1, Values(0) => 0;
    Memoize "MEMOIZE" b'\x94' None, 4, Values(1) => 1;
    Ext1 "EXT1" b'\x82' U8, 2, Values(0) => 1;
    Ext2 "EXT2" b'\x83' U16, 2, Values(0) => 1;
    Ext4 "EXT4" b'\x84' I32, 2, Values(0) => 1;
    Global "GLOBAL" b'c' TwoLines, 0, Values(0) => 1;
    StackGlobal "STACK_GLOBAL" b'\x93' None, 4, Values(2) => 1;
    Reduce "REDUCE" b'R' None, 0, Values(2) => 1;
    Build "BUILD" b'b' None, 0, Values(2) => 1;
    Inst "INST" b'i' TwoLines, 0, ToMark(0) => 1;
    Obj "OBJ" b'o' None, 1, ToMark(0) => 1;
    NewObj "NEWOBJ" b'\x81' None, 2, Values(2) => 1;
    NewObjEx "NEWOBJ_EX" b'\x92' None, 4, Values(3) => 1;
    Proto "PROTO" b'\x80' U8, 2, Values(0) => 0;
    Stop "STOP" b'.' None, 0, Values(1) => 0;
    Frame "FRAME" b'\x95' U64, 4, Values(0) => 0;
    PersId "PERSID" b'P' Line, 0, Values(0) => 1;
    BinPersId "BINPERSID" b'Q' None, 1, Values(1) => 1;
}

/// An argument as it stands in the bytes.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Argument<'a> {
    None,
    /// Unsigned numbers beyond 63 bits do not occur: counts are compared with what is there.
    Int(i64),
    Float(f64),
    Bytes(&'a [u8]),
    TwoLines(&'a [u8], &'a [u8]),
}

/// An opcode with its argument.
pub struct Instruction<'a> {
    pub row: &'static Row,
    pub argument: Argument<'a>,
    /// The offset behind it.
    pub end: usize,
}

impl Instruction<'_> {
    /// The argument of an opcode that has a number.
    pub fn number(&self) -> i64 {
        match self.argument {
            Argument::Int(n) => n,
            _ => 0,
        }
    }
}

/// Reads the instruction at `at`; the error says what is wrong there.
pub fn read(bytes: &[u8], at: usize) -> Result<Instruction<'_>, String> {
    let code = *bytes.get(at).ok_or("the pickle is cut off: no STOP")?;
    let row = Row::of(code).ok_or_else(|| format!("{code:#04x} is no opcode"))?;
    let rest = &bytes[at + 1..];
    let cut = || format!("the argument of {} is cut off", row.name);
    let (argument, length) = match row.form {
        Form::None => (Argument::None, 0),
        Form::U8 => (Argument::Int(number(rest, 1).ok_or_else(cut)? as i64), 1),
        Form::U16 => (Argument::Int(number(rest, 2).ok_or_else(cut)? as i64), 2),
        Form::U32 => (Argument::Int(number(rest, 4).ok_or_else(cut)? as i64), 4),
        Form::I32 => (Argument::Int(i64::from(number(rest, 4).ok_or_else(cut)? as u32 as i32)), 4),
        Form::U64 => {
            let n = i64::try_from(number(rest, 8).ok_or_else(cut)?);
            (Argument::Int(n.map_err(|_| format!("the argument of {} is beyond 63 bits", row.name))?), 8)
        }
        Form::F64 => {
            let raw = rest.first_chunk::<8>().ok_or_else(cut)?;
            (Argument::Float(f64::from_be_bytes(*raw)), 8)
        }
        Form::Long(width) | Form::Bytes(width) | Form::Text(width) => {
            let width = usize::from(width);
            let count = number(rest, width).ok_or_else(cut)?;
            let end = usize::try_from(count).ok().and_then(|c| c.checked_add(width));
            let body = end
                .and_then(|e| rest.get(width..e))
                .ok_or_else(|| format!("{} counts {count} bytes, and {} are left", row.name, rest.len() - width))?;
            (Argument::Bytes(body), width + body.len())
        }
        Form::Line | Form::Quoted => {
            let line = line(rest).ok_or_else(cut)?;
            (Argument::Bytes(line), line.len() + 1)
        }
        Form::TwoLines => {
            let first = line(rest).ok_or_else(cut)?;
            let second = line(&rest[first.len() + 1..]).ok_or_else(cut)?;
            (Argument::TwoLines(first, second), first.len() + second.len() + 2)
        }
    };
    Ok(Instruction { row, argument, end: at + 1 + length })
}

fn number(bytes: &[u8], width: usize) -> Option<u64> {
    let mut raw = [0; 8];
    raw.get_mut(..width)?.copy_from_slice(bytes.get(..width)?);
    Some(u64::from_le_bytes(raw))
}

/// Names and numbers in lines are short; nothing searches a long file for a newline.
const LINE_LIMIT: usize = 1 << 16;

fn line(bytes: &[u8]) -> Option<&[u8]> {
    let window = &bytes[..bytes.len().min(LINE_LIMIT)];
    window.iter().position(|b| *b == b'\n').map(|end| &window[..end])
}

/// Decimal digits of a two's complement number, lowest byte first.
pub fn decimal(bytes: &[u8]) -> String {
    let negative = bytes.last().is_some_and(|b| b & 0x80 != 0);
    // Digits of the magnitude, most significant first, built by multiplying with 256.
    let mut magnitude: Vec<u8> = bytes.to_vec();
    if negative {
        let mut carry = true;
        for b in &mut magnitude {
            (*b, carry) = (!*b).overflowing_add(u8::from(carry));
        }
    }
    let mut digits = vec![0u8];
    for b in magnitude.iter().rev() {
        let mut carry = u32::from(*b);
        for d in digits.iter_mut() {
            let n = u32::from(*d) * 256 + carry;
            *d = (n % 10) as u8;
            carry = n / 10;
        }
        while carry > 0 {
            digits.push((carry % 10) as u8);
            carry /= 10;
        }
    }
    let sign = if negative { "-" } else { "" };
    let text: String = digits.iter().rev().map(|d| char::from(b'0' + d)).collect();
    format!("{sign}{text}")
}

/// The number, if it has at most 64 bits, however many bytes say it.
pub fn small(bytes: &[u8]) -> Option<i64> {
    let sign = if bytes.last().is_some_and(|b| b & 0x80 != 0) { 0xff } else { 0 };
    let (low, high) = bytes.split_at(bytes.len().min(8));
    let mut raw = [sign; 8];
    raw[..low.len()].copy_from_slice(low);
    let n = i64::from_le_bytes(raw);
    (high.iter().all(|b| *b == sign) && (n < 0) == (sign == 0xff)).then_some(n)
}

/// The inverse of [`decimal`], with at most 255 bytes.
pub fn from_decimal(text: &str) -> Option<Vec<u8>> {
    let digits = text.strip_prefix('-').unwrap_or(text);
    let mut bytes = vec![0u8; 256];
    for digit in digits.bytes() {
        let mut carry = u32::from(digit.checked_sub(b'0').filter(|d| *d < 10)?);
        for b in &mut bytes {
            let n = u32::from(*b) * 10 + carry;
            (*b, carry) = (n as u8, n >> 8);
        }
        if carry != 0 {
            return Option::None;
        }
    }
    if text.starts_with('-') {
        let mut carry = true;
        for b in &mut bytes {
            (*b, carry) = (!*b).overflowing_add(u8::from(carry));
        }
    }
    let sign = if text.starts_with('-') { 0xff } else { 0 };
    // The sign must show in the last byte's highest bit.
    while let [.., before, last] = bytes[..]
        && last == sign
        && before & 0x80 == sign & 0x80
    {
        bytes.pop();
    }
    (bytes.len() <= 255).then_some(bytes)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn big_numbers_keep_their_digits() {
        for text in
            ["0", "1", "-1", "127", "128", "-128", "-129", "255", "9223372036854775808", "119547037146038801333356"]
        {
            let bytes = from_decimal(text).unwrap();
            assert_eq!(decimal(&bytes), text);
            assert_eq!(small(&bytes), text.parse().ok());
        }
        assert_eq!(from_decimal("-128").unwrap(), [0x80]);
        assert_eq!(from_decimal("255").unwrap(), [0xff, 0]);
        assert_eq!(from_decimal("1x"), Option::None);
        assert_eq!(small(&[5, 0, 0, 0, 0, 0, 0, 0, 0, 0]), Some(5));
        assert_eq!(small(&[0xff; 12]), Some(-1));
        assert_eq!(small(&[0, 0, 0, 0, 0, 0, 0, 0x80, 0]), Option::None);
    }
}
