//! Archives whose other members lie: versions, code, debug records, and `model.json` of 2019.

use super::raw::{Member, Raw};
use super::{CODE, Case, base};
use sconce_archive::pickle::{Builder, Pickle, ValueId};

fn replace(name: &str, data: &[u8]) -> Vec<u8> {
    let mut raw = base();
    raw.members.retain(|m| !m.local.ends_with(name.as_bytes()));
    raw.members.push(Member::stored(name, data));
    raw.bytes()
}

fn without(name: &str) -> Vec<u8> {
    let mut raw = base();
    raw.members.retain(|m| !m.local.ends_with(name.as_bytes()));
    raw.bytes()
}

/// An archive of 2019 with this `model.json`.
fn model_json(json: &str) -> Vec<u8> {
    let members = [
        ("model/version", &b"1\n"[..]),
        ("model/code/M.py", b"op_version_set = 1\ndef forward(self) -> int:\n  return 1\n"),
        ("model/attributes.pkl", b"\x80\x02(K\x01t."),
        ("model/tensors/0", &[0; 16]),
        ("model/model.json", json.as_bytes()),
    ];
    Raw { members: members.iter().map(|(n, d)| Member::stored(n, d)).collect(), ..Raw::default() }.bytes()
}

/// A model with one tensor and a main module of these further fields.
fn model(tensor: &str, module: &str) -> Vec<u8> {
    model_json(&format!(
        r#"{{"protoVersion":"5","mainModule":{{"name":"M","torchscriptArena":{{"key":"code/M.py"}}{module}}},"tensors":[{tensor}]}}"#
    ))
}

const TENSOR: &str = r#"{"dims":["4"],"offset":"0","strides":["1"],"requiresGrad":false,"dataType":"FLOAT","data":{"key":"tensors/0"},"device":"cpu"}"#;

/// A debug record made by `fill`.
fn debug(fill: impl Fn(&mut Builder) -> ValueId) -> Vec<u8> {
    let mut builder = Pickle::builder();
    let root = fill(&mut builder);
    replace(&format!("{CODE}.debug_pkl"), &builder.finish(root).write("debug").expect("it is written"))
}

/// A record with a table of one text; `lines` are (offset, pieces, first text, start, end).
fn table(text: &str, lines: &[(i64, Vec<i64>, i64, i64, i64)]) -> Vec<u8> {
    debug(|b| {
        let text = b.str(text);
        let table = b.tuple(vec![text]);
        let lines = lines.iter().map(|(offset, pieces, file, start, end)| {
            let pieces = pieces.iter().map(|p| b.int(*p)).collect();
            let source = vec![b.list(pieces), b.int(*file), b.int(1)];
            let range = vec![b.tuple(source), b.int(*start), b.int(*end)];
            let line = vec![b.int(*offset), b.tuple(range), b.int(0)];
            b.tuple(line)
        });
        let lines = lines.collect();
        let parts = vec![b.str("FORMAT_WITH_STRING_TABLE"), table, b.tuple(lines)];
        b.tuple(parts)
    })
}

pub fn cases() -> Vec<Case> {
    let mut nested = "{\"submodules\":[".repeat(5000);
    nested.push_str(&"]}".repeat(5000));
    vec![
        Case::new("no-pickle", without("model/data.pkl")),
        Case::new("no-version", without("version")),
        Case::new("version-is-text", replace("model/version", b"three\n")),
        Case::new("version-99", replace("model/version", b"99\n")),
        Case::new("version-zero", replace("model/version", b"0\n")),
        Case::new("byte-order-middle", replace("model/byteorder", b"middle")),
        Case::new("code-not-utf8", replace(CODE, b"class M(Module):\n  x : \xff\xfe\n")),
        Case::new("constants-of-os-system", replace("model/constants.pkl", b"\x80\x02cos\nsystem\n(X\x02\0\0\0lstR.")),
        Case::new("bytecode-of-eval", replace("model/bytecode.pkl", b"\x80\x02cbuiltins\neval\n(X\x01\0\0\x001tR.")),
        Case::new("file-of-torch-save", {
            let mut raw = base();
            raw.members.retain(|m| m.local.ends_with(b"data.pkl") || m.local.ends_with(b"version"));
            raw.bytes()
        }),
        Case::new("file-of-old-torch-save", b"\x80\x02\x8a\x0al\xfc\x9cF\xf9 j\xa8P\x19.".to_vec()),
        Case::new("file-of-flatbuffers", b"\x18\0\0\0PTMF\0\0\0\0\0\0\0\0".repeat(4)),
        Case::new("debug-text-beyond-the-table", table("x", &[(0, vec![1], 0, 0, 1)])),
        Case::new("debug-text-negative", table("x", &[(0, vec![-1], 0, 0, 1)])),
        Case::new("debug-range-beyond-the-text", table("x", &[(0, vec![0], 0, 5, 6)])),
        Case::new("debug-range-backwards", table("xyz", &[(0, vec![0], 0, 2, 1)])),
        Case::new("debug-offset-negative", table("x", &[(-1, vec![0], 0, 0, 1)])),
        Case::new("debug-offsets-fall", table("x", &[(5, vec![0], 0, 0, 1), (4, vec![0], 0, 0, 1)])),
        Case::new("debug-text-of-100-gib", table(&"y".repeat(1 << 20), &[(0, vec![0; 100_000], 0, 0, 1)])),
        Case::new("debug-is-a-number", debug(|b| b.int(7))),
        Case::new("debug-of-os-system", replace(&format!("{CODE}.debug_pkl"), b"\x80\x02cos\nsystem\n(NtR.")),
        Case::new("json-nested", model_json(&nested)),
        Case::new("json-brackets", model_json(&"[".repeat(1 << 20))),
        Case::new("json-of-a-million-values", model_json(&format!("[{}0]", "0,".repeat(1 << 20)))),
        Case::new("json-key-twice", model_json(r#"{"protoVersion":"5","protoVersion":"2","mainModule":{}}"#)),
        Case::new("json-cut", model_json(r#"{"protoVersion":"5","mainMod"#)),
        Case::new("json-not-utf8-escape", model_json(r#"{"protoVersion":"\ud800"}"#)),
        Case::new("json-followed", model_json(r#"{"protoVersion":"5","mainModule":{}} {}"#)),
        Case::new("json-version-99", model_json(r#"{"protoVersion":"99","mainModule":{}}"#)),
        Case::new("json-no-module", model_json(r#"{"protoVersion":"5"}"#)),
        Case::new("json-huge-number", model_json(r#"{"protoVersion":123456789012345678901234567890,"mainModule":{}}"#)),
        Case::new("json-parameter-beyond", model(TENSOR, r#","parameters":[{"name":"w","tensorId":"1"}]"#)),
        Case::new("json-parameter-negative", model(TENSOR, r#","parameters":[{"name":"w","tensorId":"-1"}]"#)),
        Case::new("json-attribute-beyond", model(TENSOR, r#","attributes":[{"name":"a","type":"int","id":"1"}]"#)),
        Case::new("json-name-twice", {
            model(TENSOR, r#","parameters":[{"name":"w","tensorId":"0"},{"name":"w","tensorId":"0"}]"#)
        }),
        Case::new("json-code-missing", model(TENSOR, r#","torchscriptDebugArena":{"key":"debug/M.pkl"}"#)),
        Case::new("json-tensor-larger", model(&TENSOR.replace("\"4\"", "\"5\""), "")),
        Case::new("json-tensor-negative", model(&TENSOR.replace("\"4\"", "\"-4\""), "")),
        Case::new("json-tensor-huge", model(&TENSOR.replace("\"4\"", "\"9223372036854775807\""), "")),
        Case::new("json-tensor-dtype", model(&TENSOR.replace("FLOAT", "COMPLEX256"), "")),
        Case::new("json-tensor-record-missing", model(&TENSOR.replace("tensors/0", "tensors/9"), "")),
        Case::new("json-tensor-record-climbs", model(&TENSOR.replace("tensors/0", "../tensors/0"), "")),
    ]
}
