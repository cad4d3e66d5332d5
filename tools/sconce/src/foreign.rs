//! Files that hold a model in another form, or none at all, are told by what they hold, and each is named with what would load.

/// What a file begins with, what it is, and what to do.
struct Foreign {
    begins: fn(&[u8]) -> bool,
    what: &'static str,
}

const SAVE_IT: &str =
    "save the model with torch.jit.script(model).save(\"model.pt\") or torch.export.save, and load that";
const WEIGHTS: &str = "arrays without a program: load the program, and give these by --weights";

/// A message of fields, the first of which is the number of ONNX's version; the producer's name, or the graph, follows.
fn is_onnx(bytes: &[u8]) -> bool {
    matches!(bytes, [0x08, 1..=32, 0x12 | 0x3a | 0x42, ..])
}

/// A pickle of protocol 2 or later, as older torch.save wrote.
fn is_pickle(bytes: &[u8]) -> bool {
    matches!(bytes, [0x80, 2..=5, ..])
}

fn is_page(bytes: &[u8]) -> bool {
    let text = bytes.trim_ascii_start();
    [&b"<!doctype html"[..], b"<html"]
        .iter()
        .any(|tag| text.get(..tag.len()).is_some_and(|t| t.eq_ignore_ascii_case(tag)))
}

const FOREIGN: &[Foreign] = &[
    Foreign { begins: <[u8]>::is_empty, what: "an empty file" },
    Foreign {
        begins: |b| b.starts_with(b"version https://git-lfs"),
        what: "a pointer of git-lfs in place of the file: fetch the file with `git lfs pull`",
    },
    Foreign { begins: is_page, what: "a page of HTML: what was downloaded is no model" },
    Foreign { begins: |b| b.starts_with(b"GGUF"), what: "weights in GGUF, without a program that TorchScript has" },
    Foreign {
        begins: |b| b.starts_with(b"\x89HDF\r\n"),
        what: "an HDF5 file, of Keras perhaps, which no command reads",
    },
    Foreign { begins: sconce_archive::safetensors::is_one, what: WEIGHTS },
    Foreign { begins: sconce_archive::npy::is_one, what: WEIGHTS },
    Foreign { begins: is_onnx, what: "a model of ONNX, which is not read yet" },
    Foreign {
        begins: is_pickle,
        what: "what torch.save wrote before PyTorch 1.6, objects of Python without their code",
    },
];

/// What the bytes are, if they are no program but something known, with the next step.
pub(crate) fn foreign(bytes: &[u8]) -> Option<String> {
    if let Some(what) = sconce_export_program::foreign_file(bytes) {
        return Some(what.to_owned());
    }
    let found = FOREIGN.iter().find(|f| (f.begins)(bytes))?;
    let explained = found.what.contains(':') || bytes.is_empty();
    Some(if explained { found.what.to_owned() } else { format!("{}: {SAVE_IT}", found.what) })
}

#[cfg(test)]
mod tests {
    use super::foreign;

    #[test]
    fn each_is_told_by_what_it_holds() {
        let header = |n: u64| [&n.to_le_bytes()[..], b"{\"a\":{}}"].concat();
        for (bytes, word) in [
            (&b""[..], "empty"),
            (b"version https://git-lfs.github.com/spec/v1\noid", "git lfs pull"),
            (b" <!DOCTYPE html><html>", "HTML"),
            (b"GGUF\x03\0\0\0", "GGUF"),
            (b"\x89HDF\r\n\x1a\n", "HDF5"),
            (&header(8), "--weights"),
            (b"\x93NUMPY\x01\0", "--weights"),
            (b"\x08\x08\x12\x07pytorch", "ONNX"),
            (b"\x80\x02\x8a\nl\xfc\x9cF", "torch.save"),
            (b"\x20\0\0\0ET12", "ExecuTorch"),
        ] {
            let what = foreign(bytes).unwrap_or_default();
            assert!(what.contains(word), "{bytes:?} is {what}");
        }
        for bytes in [&b"graph(%x : Tensor):"[..], b"def f(x):\n", b"ML\xefR", b"PK\x03\x04"] {
            assert_eq!(foreign(bytes), None, "{bytes:?}");
        }
    }
}
