//! NumPy's `.npy` and `.npz`: little-endian arrays, row-major or column-major when read, row-major when written.

use crate::zip::{self, Archive};
use crate::{Array, Error, Limits, byte_count};
use sconce_schema::DType;

const MAGIC: &[u8] = b"\x93NUMPY";

/// NumPy's `descr` for each dtype it has. bfloat16 has none; NumPy extensions write it as raw two-byte records, which would not read back as numbers.
const DESCR: &[(DType, &str)] = &[
    (DType::Bool, "|b1"),
    (DType::U8, "|u1"),
    (DType::I8, "|i1"),
    (DType::I16, "<i2"),
    (DType::U16, "<u2"),
    (DType::I32, "<i4"),
    (DType::U32, "<u4"),
    (DType::I64, "<i8"),
    (DType::U64, "<u8"),
    (DType::F16, "<f2"),
    (DType::F32, "<f4"),
    (DType::F64, "<f8"),
    (DType::C64, "<c8"),
    (DType::C128, "<c16"),
];

/// Do the bytes begin as a `.npy` file does?
pub fn is_one(bytes: &[u8]) -> bool {
    bytes.starts_with(MAGIC)
}

/// Reads a `.npy` file. `name` is for messages.
pub fn read(name: &str, bytes: &[u8], limits: &Limits) -> Result<Array, Error> {
    let bad = |at: usize, what: String| Error::format(name, at, what);
    if !is_one(bytes) {
        return Err(bad(0, "not a .npy file: the first bytes are not \\x93NUMPY".into()));
    }
    let cut = || bad(bytes.len(), "the header is cut off".into());
    let (length, at) = match bytes.get(6).ok_or_else(cut)? {
        1 => (usize::from(u16::from_le_bytes([*bytes.get(8).ok_or_else(cut)?, *bytes.get(9).ok_or_else(cut)?])), 10),
        2 | 3 => {
            let b = bytes.get(8..12).ok_or_else(cut)?;
            (u32::from_le_bytes([b[0], b[1], b[2], b[3]]) as usize, 12)
        }
        v => return Err(bad(6, format!("version {v} of the format is unknown (expected 1, 2 or 3)"))),
    };
    Limits::check(name, "the header's length", length as u64, limits.header_bytes)?;
    let header = bytes.get(at..at + length).ok_or_else(cut)?;
    let header = std::str::from_utf8(header).map_err(|_| bad(at, "the header is not text".into()))?;
    let field = |key: &str| {
        let quoted = [format!("'{key}':"), format!("\"{key}\":")];
        quoted
            .iter()
            .find_map(|q| header.find(q.as_str()).map(|i| header[i + q.len()..].trim_start()))
            .ok_or_else(|| bad(at, format!("the header has no '{key}'")))
    };
    let descr = field("descr")?;
    let text: String = descr.chars().skip(1).take_while(|c| *c != '\'' && *c != '"').take(16).collect();
    let dtype = DESCR
        .iter()
        .find(|(_, d)| {
            d[1..] == *text.get(1..).unwrap_or("")
                && (text.starts_with(&d[..1]) || text.starts_with('|') || text.starts_with('='))
        })
        .map(|r| r.0)
        .ok_or_else(|| Error::Unsupported {
            entry: name.to_string(),
            what: format!("dtype '{text}'"),
            expected: "a little-endian bool, integer, float or complex",
        })?;
    let column_major = field("fortran_order")?.starts_with("True");
    let shape = field("shape")?;
    let inside = shape
        .strip_prefix('(')
        .and_then(|s| s.split_once(')'))
        .map(|s| s.0)
        .ok_or_else(|| bad(at, "'shape' is no tuple".into()))?;
    let mut sizes = Vec::new();
    for part in inside.split(',').map(str::trim).filter(|p| !p.is_empty()) {
        Limits::check(name, "the number of dimensions", sizes.len() as u64 + 1, limits.rank)?;
        let size = part.trim_end_matches('L').parse::<i64>().ok().filter(|s| *s >= 0);
        sizes.push(size.ok_or_else(|| bad(at, format!("'{part}' is no size")))?);
    }
    let data = &bytes[at + length..];
    let want = byte_count(&sizes, dtype)
        .filter(|w| *w <= data.len())
        .ok_or_else(|| bad(at + length, format!("{} bytes of data do not hold {sizes:?} of {dtype}", data.len())))?;
    let data = &data[..want];
    let mut bytes = if column_major { to_row_major(data, &sizes, dtype.size()) } else { data.to_vec() };
    if dtype == DType::Bool {
        bytes.iter_mut().for_each(|b| *b = u8::from(*b != 0));
    }
    Ok(Array { dtype, sizes, bytes })
}

fn to_row_major(data: &[u8], sizes: &[i64], size: usize) -> Vec<u8> {
    let mut out = Vec::with_capacity(data.len());
    let n = data.len() / size.max(1);
    let mut index = vec![0i64; sizes.len()];
    for _ in 0..n {
        let (mut offset, mut step) = (0usize, 1usize);
        for (i, s) in index.iter().zip(sizes) {
            offset += *i as usize * step;
            step *= *s as usize;
        }
        out.extend(&data[offset * size..(offset + 1) * size]);
        for d in (0..sizes.len()).rev() {
            index[d] += 1;
            if index[d] < sizes[d] {
                break;
            }
            index[d] = 0;
        }
    }
    out
}

/// The bytes of a `.npy` file. bfloat16 and the 8-bit floats have no NumPy type and are refused.
pub fn write(name: &str, array: &Array) -> Result<Vec<u8>, Error> {
    let descr = DESCR.iter().find(|r| r.0 == array.dtype).ok_or_else(|| Error::Unsupported {
        entry: name.to_string(),
        what: format!("dtype {}", array.dtype),
        expected: "a dtype that NumPy has; .safetensors holds the others",
    })?;
    let shape: String = array.sizes.iter().map(|s| format!("{s}, ")).collect();
    let shape = if array.sizes.len() == 1 { shape.trim_end() } else { shape.trim_end_matches(", ") };
    let mut header = format!("{{'descr': '{}', 'fortran_order': False, 'shape': ({shape}), }}", descr.1);
    // Magic, version, length, header and newline fill a multiple of 64 bytes.
    let fill = (64 - (10 + header.len() + 1) % 64) % 64;
    header.push_str(&" ".repeat(fill));
    header.push('\n');
    let mut out = MAGIC.to_vec();
    out.extend([1, 0]);
    out.extend((header.len() as u16).to_le_bytes());
    out.extend(header.as_bytes());
    out.extend(&array.bytes);
    Ok(out)
}

/// The arrays of a `.npz` archive, in its order, names without `.npy`.
pub fn read_npz(bytes: &[u8], limits: &Limits) -> Result<Vec<(String, Array)>, Error> {
    let archive = Archive::open(bytes, limits)?;
    archive
        .entries()
        .iter()
        .map(|e| {
            let name = e.name.strip_suffix(".npy").unwrap_or(&e.name).to_string();
            Ok((name, read(&e.name, &archive.read(e)?, limits)?))
        })
        .collect()
}

/// The bytes of a `.npz` archive.
pub fn write_npz(arrays: &[(String, Array)]) -> Result<Vec<u8>, Error> {
    let members: Result<Vec<_>, Error> = arrays.iter().map(|(n, a)| Ok((format!("{n}.npy"), write(n, a)?))).collect();
    zip::write(&members?)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn arrays_read_back() {
        let a = Array { dtype: DType::I16, sizes: vec![2, 3], bytes: (0..12).collect() };
        let b = Array { dtype: DType::F64, sizes: vec![], bytes: vec![0; 8] };
        let c = Array { dtype: DType::Bool, sizes: vec![3], bytes: vec![1, 0, 1] };
        let all = vec![("a".to_string(), a), ("b".to_string(), b), ("c".to_string(), c)];
        for (name, x) in &all {
            let bytes = write(name, x).unwrap();
            assert_eq!(bytes.len() % 64, x.bytes.len() % 64);
            assert_eq!(&read(name, &bytes, &Limits::default()).unwrap(), x);
        }
        assert_eq!(read_npz(&write_npz(&all).unwrap(), &Limits::default()).unwrap(), all);
    }

    #[test]
    fn a_column_major_array_is_turned() {
        let mut bytes =
            write("x", &Array { dtype: DType::U8, sizes: vec![2, 3], bytes: vec![1, 4, 2, 5, 3, 6] }).unwrap();
        let at = bytes.windows(5).position(|w| w == b"False").unwrap();
        bytes[at..at + 5].copy_from_slice(b"True ");
        assert_eq!(read("x", &bytes, &Limits::default()).unwrap().bytes, [1, 2, 3, 4, 5, 6]);
    }

    #[test]
    fn sizes_beyond_the_data_are_refused() {
        let bytes = write("x", &Array { dtype: DType::U8, sizes: vec![3], bytes: vec![1, 2, 3] }).unwrap();
        let mut huge = bytes.clone();
        let at = huge.windows(4).position(|w| w == b"(3,)").unwrap();
        huge[at..at + 4].copy_from_slice(b"(9,)");
        let e = read("x", &huge, &Limits::default()).unwrap_err().to_string();
        assert_eq!(e, "x: byte 128: 3 bytes of data do not hold [9] of u8");
        for n in 0..bytes.len() {
            assert!(read("x", &bytes[..n], &Limits::default()).is_err());
        }
    }
}
