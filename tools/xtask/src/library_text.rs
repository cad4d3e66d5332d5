//! Recordings that go into the repository hold no source text of PyTorch's library and torchvision's: debug records of archives and quoted lines of tracebacks are blanked.
//!
//! A debug record of an archive holds, beside the author's own source, the lines of every library function that the program calls. Of those only the
//! lengths are kept (places in them stay what they are). An archive is changed in place, each member as long as before, so that everything else in it
//! is what PyTorch wrote.

use flate2::{Compress, Compression, FlushCompress, Status};
use sconce_archive::zip::{Archive, Entry};
use sconce_archive::{DebugRanges, Limits};
use std::collections::BTreeSet;

/// Is it a file of PyTorch's or torchvision's, or TorchScript that PyTorch makes itself?
fn is_library(file: &str) -> bool {
    file == "<string>" || file.split('/').any(|part| part == "torch" || part == "torchvision")
}

/// An archive whose debug records hold no text of the library.
pub fn without_in_archive(mut bytes: Vec<u8>) -> Result<Vec<u8>, String> {
    let limits = Limits::default();
    let entries: Vec<(Entry, Vec<u8>)> = {
        let archive = Archive::open(&bytes, &limits).map_err(|e| e.to_string())?;
        let wanted = archive.entries().iter().filter(|e| is_debug_record(&e.name));
        wanted.map(|e| Ok((e.clone(), archive.read(e)?))).collect::<Result<_, sconce_archive::Error>>()
    }
    .map_err(|e| e.to_string())?;
    for (entry, old) in entries {
        let new = blanked(&entry.name, &old, &limits)?;
        if new != old {
            replace(&mut bytes, &entry, &new)?;
        }
    }
    Ok(bytes)
}

fn is_debug_record(name: &str) -> bool {
    name.ends_with(".debug_pkl") || (name.contains("/debug/") && name.ends_with(".pkl"))
}

/// A debug record of the same length in which texts that only the library has are spaces.
fn blanked(name: &str, record: &[u8], limits: &Limits) -> Result<Vec<u8>, String> {
    let ranges = DebugRanges::read(name, record, limits).map_err(|e| e.to_string())?;
    let (mut theirs, mut own) = (BTreeSet::new(), BTreeSet::new());
    for entry in &ranges.entries {
        let source = &entry.range.source;
        let texts = if is_library(source.name()) { &mut theirs } else { &mut own };
        // A record of 2019 holds whole texts, later ones a table of lines.
        texts.insert(source.text());
        texts.extend(source.text().split_inclusive('\n'));
    }
    let mut out = record.to_vec();
    for text in theirs.difference(&own).filter(|t| !t.trim().is_empty()) {
        blank(&mut out, text);
    }
    Ok(out)
}

/// Replaces a pickled text, wherever it stands, by as many spaces; ends of lines stay.
fn blank(record: &mut [u8], text: &str) {
    let mut pickled = vec![b'X'];
    pickled.extend((text.len() as u32).to_le_bytes());
    pickled.extend(text.as_bytes());
    let places: Vec<usize> =
        record.windows(pickled.len()).enumerate().filter(|(_, w)| **w == *pickled).map(|w| w.0).collect();
    for at in places {
        for byte in &mut record[at + 5..at + pickled.len()] {
            if *byte != b'\n' {
                *byte = b' ';
            }
        }
    }
}

/// Writes a member's new content, as long as the old, where the old one lies; its sum follows.
fn replace(archive: &mut [u8], entry: &Entry, content: &[u8]) -> Result<(), String> {
    let packed = if entry.deflated { deflated_to(content, entry.packed as usize)? } else { content.to_vec() };
    let start = entry.start as usize;
    let end = start + packed.len();
    archive[start..end].copy_from_slice(&packed);
    let sum = crc32fast::hash(content).to_le_bytes();
    let old = entry.crc.to_le_bytes();
    let mut places = vec![entry.header as usize + LOCAL_SUM, central_record(archive, entry)? + CENTRAL_SUM];
    if archive.get(end..end + 4) == Some(DESCRIPTOR) {
        places.push(end + 4);
    }
    for at in places {
        // A local header with a descriptor behind the data may leave the sum out.
        if archive.get(at..at + 4) == Some(&old[..]) {
            archive[at..at + 4].copy_from_slice(&sum);
        }
    }
    Ok(())
}

/// Offsets of a member's sum in its two headers, the signatures of what is looked for.
const LOCAL_SUM: usize = 14;
const CENTRAL_SUM: usize = 16;
const CENTRAL: &[u8] = b"PK\x01\x02";
const DESCRIPTOR: &[u8] = b"PK\x07\x08";

/// Where the central directory speaks of a member: the only record with its name and its sum.
fn central_record(archive: &[u8], entry: &Entry) -> Result<usize, String> {
    let name = entry.name.as_bytes();
    let mut last = None;
    for (at, window) in archive.windows(CENTRAL.len()).enumerate() {
        let fits = window == CENTRAL
            && archive.get(at + 46..at + 46 + name.len()) == Some(name)
            && archive.get(at + CENTRAL_SUM..at + CENTRAL_SUM + 4) == Some(&entry.crc.to_le_bytes()[..]);
        if fits {
            last = Some(at);
        }
    }
    last.ok_or_else(|| format!("{}: not in the central directory", entry.name))
}

/// Content deflated to exactly `size` bytes: empty blocks fill the rest.
fn deflated_to(content: &[u8], size: usize) -> Result<Vec<u8>, String> {
    for level in (1..=9).rev() {
        let mut out = Vec::with_capacity(content.len() + 64);
        let mut deflater = Compress::new(Compression::new(level), false);
        let status = deflater.compress_vec(content, &mut out, FlushCompress::Sync).map_err(|e| e.to_string())?;
        if status != Status::Ok || deflater.total_in() != content.len() as u64 {
            return Err("the deflater stopped before the end".into());
        }
        if let Some(rest) = size.checked_sub(out.len()).and_then(empty_blocks) {
            out.extend(rest);
            return Ok(out);
        }
    }
    Err(format!("{} bytes do not deflate to {size}", content.len()))
}

/// The end of a deflate stream that says nothing more in `size` bytes: empty blocks, the last marked as such (RFC 1951, 3.2). There is none of 0, 1 or 6.
fn empty_blocks(size: usize) -> Option<Vec<u8>> {
    /// An empty block that is stored, and the same behind an empty one of fixed codes, which makes it a byte longer.
    const STORED: [u8; 5] = [0x00, 0x00, 0x00, 0xff, 0xff];
    const LONGER: [u8; 6] = [0x02, 0x00, 0x00, 0x00, 0xff, 0xff];
    /// An empty block of fixed codes: its first bit says whether it is the last, then 2 bits for the kind and 7 for its end.
    const FIXED_BITS: usize = 10;
    for (head, fixed) in [(&[][..], 1), (&[], 2), (&[], 3), (&[], 4), (&LONGER, 4)] {
        let bytes = (fixed * FIXED_BITS).div_ceil(8);
        let rest = size.checked_sub(head.len() + bytes).filter(|rest| rest % STORED.len() == 0);
        if let Some(rest) = rest {
            let bits = (0..fixed).fold(0u64, |all, i| all | ((2 + u64::from(i + 1 == fixed)) << (i * FIXED_BITS)));
            let mut out = head.to_vec();
            out.extend(STORED.repeat(rest / STORED.len()));
            out.extend(&bits.to_le_bytes()[..bytes]);
            return Some(out);
        }
    }
    None
}

/// A recording in JSON whose tracebacks quote no lines of the library: behind `File "torch/…"` the quoted lines are left out.
pub fn without_in_json(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut quoting = false;
    for line in text.split_inclusive("\\n") {
        let starts = line.find("File \\\"").map(|at| &line[at + 7..]);
        if let Some(file) = starts {
            quoting = is_library(file.split("\\\"").next().unwrap_or_default()) && !file.starts_with("code/");
            out.push_str(line);
        } else if !quoting || !line.starts_with(' ') || line.contains("\"}") {
            quoting = false;
            out.push_str(line);
        }
    }
    out
}

/// An exported program whose stack traces quote no lines of the library: their letters are crosses, so that lines stay as long as they were, and a line is none the less.
pub fn without_in_program(mut bytes: Vec<u8>) -> Result<Vec<u8>, String> {
    let limits = Limits::default();
    let (entry, old) = {
        let archive = Archive::open(&bytes, &limits).map_err(|e| e.to_string())?;
        let model = archive.entries().iter().find(|e| e.name.ends_with("models/model.json"));
        let entry = model.ok_or("no models/model.json")?.clone();
        let old = archive.read(&entry).map_err(|e| e.to_string())?;
        (entry, old)
    };
    let text = String::from_utf8(old).map_err(|e| e.to_string())?;
    let new = without_in_traces(&text);
    if new != text {
        replace(&mut bytes, &entry, new.as_bytes())?;
    }
    Ok(bytes)
}

/// JSON with Python's stack traces: the line behind `File "torch/…", line 1, in f` is crossed out.
fn without_in_traces(json: &str) -> String {
    let mut out = String::with_capacity(json.len());
    let mut quoting = false;
    for line in escaped_lines(json) {
        let mut end = 0;
        if quoting {
            // The trace may end with the line.
            let quotes = line.match_indices('"').map(|(at, _)| at);
            let ends = quotes.filter(|at| !line[..*at].ends_with('\\')).chain([line.trim_end_matches("\\n").len()]);
            end = ends.min().unwrap_or(0);
        }
        out.extend([&crossed(&line[..end], true), &line[end..]]);
        let place = line.rfind("File \\\"").and_then(|at| line.get(at + 7..));
        quoting = place.is_some_and(|place| {
            place.contains(", in ")
                && place.ends_with("\\n")
                && is_library(place.split("\\\"").next().unwrap_or_default())
        });
    }
    out
}

/// Lines of the strings in JSON: each up to its `\n`, which is no escaped backslash before an n.
fn escaped_lines(json: &str) -> Vec<&str> {
    let (mut lines, mut start, mut escaped) = (Vec::new(), 0, false);
    for (at, c) in json.char_indices() {
        if escaped && c == 'n' {
            lines.push(&json[start..=at]);
            start = at + 1;
        }
        escaped = c == '\\' && !escaped;
    }
    lines.push(&json[start..]);
    lines
}

/// Python code as `print_readable` writes it: the line that a comment quotes of the library is crossed out.
pub fn without_in_readable(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for line in text.split_inclusive('\n') {
        let file = line.trim_start().strip_prefix("# File: ").and_then(|l| l.split(':').next());
        match line.find(", code: ") {
            Some(at) if file.is_some_and(is_library) => {
                let (said, quoted) = line.split_at(at + 8);
                out.extend([said, &crossed(quoted, false)]);
            }
            _ => out.push_str(line),
        }
    }
    out
}

/// Letters and digits as crosses; what an escape is made of stays.
fn crossed(text: &str, escapes: bool) -> String {
    let mut kept = 0;
    let cross = |c: char| {
        if kept > 0 {
            kept -= 1;
            // `\u00e9`
            kept += if c == 'u' { 4 } else { 0 };
        } else if c == '\\' && escapes {
            kept = 1;
        } else if c.is_ascii_alphanumeric() {
            return 'x';
        }
        c
    };
    text.chars().map(cross).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::Read;

    #[test]
    fn deflated_content_fills_what_it_is_given() {
        let content = b"    \n".repeat(300);
        for size in [120, 121, 122, 123, 124, 777] {
            let packed = deflated_to(&content, size).unwrap();
            assert_eq!(packed.len(), size);
            let mut back = Vec::new();
            flate2::read::DeflateDecoder::new(packed.as_slice()).read_to_end(&mut back).unwrap();
            assert_eq!(back, content);
        }
        assert!(deflated_to(&content, 5).is_err());
    }

    #[test]
    fn the_librarys_lines_are_crossed_out() {
        let json = r#"{"stack_trace": "File \"a.py\", line 4, in f\n    f(\"b\")\n  File \"torch/nn/c.py\", line 1, in g\n    h(\"b\\n\u00e9\")", "c": "File \"torch/nn/c.py\", line 1, in g\n    h()"}"#;
        let kept = r#"{"stack_trace": "File \"a.py\", line 4, in f\n    f(\"b\")\n  File \"torch/nn/c.py\", line 1, in g\n    x(\"x\\x\u00e9\")", "c": "File \"torch/nn/c.py\", line 1, in g\n    x()"}"#;
        assert_eq!(without_in_traces(json), kept);
        let readable = "# File: a.py:4 in f, code: f()\n  # File: torch/nn/c.py:1 in g, code: h(\"b\\né\")\nx = y\n";
        let kept = "# File: a.py:4 in f, code: f()\n  # File: torch/nn/c.py:1 in g, code: x(\"x\\xé\")\nx = y\n";
        assert_eq!(without_in_readable(readable), kept);
    }

    #[test]
    fn pickled_texts_become_spaces() {
        let mut record = b"X\x05\x00\x00\x00a = 1X\x04\x00\x00\x00b\n c".to_vec();
        blank(&mut record, "b\n c");
        assert_eq!(record, b"X\x05\x00\x00\x00a = 1X\x04\x00\x00\x00 \n  ");
    }

    #[test]
    fn tracebacks_keep_places_and_lose_the_librarys_lines() {
        let text = r#"{"a":"  File \"m.py\", line 1\n    x()\n  File \"torch/nn/functional.py\", line 2, in f\n    y = 1\n    ~ <--- HERE\nRuntimeError: no"}"#;
        let kept = r#"{"a":"  File \"m.py\", line 1\n    x()\n  File \"torch/nn/functional.py\", line 2, in f\nRuntimeError: no"}"#;
        assert_eq!(without_in_json(text), kept);
    }
}
