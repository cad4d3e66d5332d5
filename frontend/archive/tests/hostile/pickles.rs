//! Archives whose pickles lie, or would run something if anything ran them.

use super::raw::Member;
use super::{Case, base};

/// The object of an archive whose only attribute is what `value` pushes.
fn holding(value: &[u8]) -> Vec<u8> {
    [b"\x80\x02c__torch__\nM\nq\x00)\x81}(X\x01\0\0\0w", value, b"ub."].concat()
}

fn archive(pickle: &[u8]) -> Vec<u8> {
    let mut raw = base();
    for member in &mut raw.members {
        if member.local.ends_with(b"model/data.pkl") {
            *member = Member::stored("model/data.pkl", pickle);
        }
    }
    raw.bytes()
}

/// A tensor over `storage`, with everything of its arguments given.
fn tensor(storage: &[u8], offset: &[u8], sizes: &[u8], strides: &[u8]) -> Vec<u8> {
    let hooks = b"\x89ccollections\nOrderedDict\n)R";
    let parts: [&[u8]; 11] = [
        b"ctorch._utils\n_rebuild_tensor_v2\n(",
        storage,
        offset,
        b"(",
        sizes,
        b"t(",
        strides,
        b"t",
        hooks,
        b"t",
        b"R",
    ];
    parts.concat()
}

/// `('storage', torch.KIND, KEY, 'cpu', NUMEL)`
fn storage(kind: &str, key: &str, numel: &[u8]) -> Vec<u8> {
    let kind = format!("c{kind}\n");
    let length = (key.len() as u32).to_le_bytes();
    let parts: [&[u8]; 8] =
        [b"(X\x07\0\0\0storage", kind.as_bytes(), b"X", &length, key.as_bytes(), b"X\x03\0\0\0cpu", numel, b"tQ"];
    parts.concat()
}

fn floats(numel: &[u8]) -> Vec<u8> {
    storage("torch\nFloatStorage", "0", numel)
}

fn int(n: i64) -> Vec<u8> {
    [b"\x8a\x08", &n.to_le_bytes()[..]].concat()
}

fn calls() -> Vec<(&'static str, Vec<u8>)> {
    let command = b"(X\x08\0\0\0rm -rf /tR";
    let call = |global: &str| [format!("c{global}\n").as_bytes(), &command[..]].concat();
    vec![
        ("calls-os-system", call("os\nsystem")),
        ("calls-posix-system", call("posix\nsystem")),
        ("calls-nt-system", call("nt\nsystem")),
        ("calls-eval", call("builtins\neval")),
        ("calls-exec", call("__builtin__\nexec")),
        ("calls-getattr", call("builtins\ngetattr")),
        ("calls-import", call("builtins\n__import__")),
        ("calls-popen", call("subprocess\nPopen")),
        ("calls-runpy", call("runpy\n_run_code")),
        ("calls-torch-load", call("torch\nload")),
        ("calls-torch-hub", call("torch.hub\nload")),
        ("calls-load-from-bytes", call("torch.storage\n_load_from_bytes")),
        ("calls-unknown-of-torch-jit", call("torch.jit._pickle\nbuild_anything")),
        ("calls-attribute-of-allowed", call("collections\nOrderedDict.__init__")),
        ("calls-class-that-only-begins-alike", call("__torch__evil\nsystem")),
        ("calls-torchscript-class-with-odd-name", call("__torch__.a;b\nM")),
        ("calls-name-with-newline-cut", b"cos".to_vec()),
        ("calls-a-string", b"X\x02\0\0\0hi)R".to_vec()),
        ("calls-a-storage-type", b"ctorch\nFloatStorage\n)R".to_vec()),
        ("builds-by-inst", b"(ios\nsystem\n".to_vec()),
        ("builds-by-obj", b"(cos\nsystem\no".to_vec()),
        ("builds-by-newobj-of-a-function", b"ccollections\nOrderedDict\n)\x81".to_vec()),
        ("builds-by-newobj-with-arguments", b"c__torch__\nM\n(K\x01t\x81".to_vec()),
        ("builds-by-newobj-ex", b"c__torch__\nM\n)}\x92".to_vec()),
        ("extension-registry", b"\x82\x01".to_vec()),
        ("persistent-id-as-text", b"Pstorage\n".to_vec()),
        ("persistent-id-of-another-kind", b"(X\x06\0\0\0moduleK\x01K\x02K\x03K\x04tQ".to_vec()),
        ("persistent-id-too-short", b"(X\x07\0\0\0storagetQ".to_vec()),
        ("out-of-band-buffer", b"\x97".to_vec()),
        ("random-generator", b"ctorch\nGenerator\n)R".to_vec()),
        ("remote-reference", b"ctorch.distributed.rpc\nrref\n)R".to_vec()),
        ("function-as-value", b"ctorch._utils\n_rebuild_tensor_v2\n".to_vec()),
        ("state-of-an-int", b"K\x01}b".to_vec()),
        ("state-twice", b"c__torch__\nN\n)\x81}b}b".to_vec()),
    ]
}

fn structures() -> Vec<(&'static str, Vec<u8>)> {
    let laughs = {
        // Each list holds the one before it eight times.
        let mut out = b"]".to_vec();
        for i in 0..30u8 {
            out.extend([b'q', i, b'0', b']', b'(']);
            out.extend([b'h', i].repeat(8));
            out.push(b'e');
        }
        out
    };
    vec![
        ("nested-100000-deep", [&b"]".repeat(100_000)[..], &b"a".repeat(99_999)].concat()),
        ("nested-tuples", [&b"N"[..], &b"\x85".repeat(50_000)].concat()),
        ("marks-100000-deep", b"(".repeat(100_000)),
        ("list-in-itself", b"]q\x05h\x05a".to_vec()),
        ("dict-in-itself", b"}q\x05K\x01h\x05s".to_vec()),
        ("object-in-itself", b"c__torch__\nN\n)\x81q\x05}(X\x01\0\0\0ah\x05ub".to_vec()),
        ("list-in-itself-through-a-tuple", b"]q\x05h\x05\x85a".to_vec()),
        ("eight-to-the-thirty", laughs),
        ("seven-million-references", [&b"N2"[..], &b"0](Nq\x07"[..], &b"h\x07".repeat(7_000_000), b"e"].concat()),
        ("three-million-lists", [&b"]("[..], &b"]".repeat(3_000_000), b"e"].concat()),
        ("four-million-strings", [&b"]("[..], &b"U\x01a".repeat(4_000_000), b"e"].concat()),
        ("three-million-dicts-of-one", [&b"]("[..], &b"}K\x01Ns".repeat(3_000_000), b"e"].concat()),
        ("memo-never-stored", b"h\x09".to_vec()),
        ("memo-number-of-2^32", b"Nr\xff\xff\xff\xff".to_vec()),
        ("memo-of-nothing", b"}(q\x01".to_vec()),
        ("stack-underflow", b"R".to_vec()),
        ("tuple-without-mark", b"0000t".to_vec()),
        ("pops-below-a-mark", b"(0\x85".to_vec()),
        ("append-to-a-tuple", b")Na".to_vec()),
        ("set-in-a-list", b"]K\x01K\x02s".to_vec()),
        ("key-without-value", b"}(K\x01K\x02K\x03u".to_vec()),
        ("key-twice", b"}(K\x01K\x02K\x01K\x03u".to_vec()),
        ("string-of-4-gib", b"X\xff\xff\xff\xffabc".to_vec()),
        ("string-of-2^63", b"\x8d\xff\xff\xff\xff\xff\xff\xff\xffabc".to_vec()),
        ("bytes-of-2^62", b"\x8e\0\0\0\0\0\0\0\x40abc".to_vec()),
        ("number-of-4-gib", b"\x8b\xff\xff\xff\xff".to_vec()),
        ("number-of-2000-bytes", [&b"\x8b\xd0\x07\0\0"[..], &[1; 2000]].concat()),
        ("unknown-opcode", b"\xfe".to_vec()),
        ("text-opcode", b"I12345\n".to_vec()),
        (
            "attribute-name-not-utf8-storage",
            storage("torch\nFloatStorage", "0", b"K\x04")
                .into_iter()
                .map(|b| if b == b'c' { 0xff } else { b })
                .collect(),
        ),
        ("type-tag-on-an-int", b"ctorch.jit._pickle\nrestore_type_tag\n(K\x01X\x03\0\0\0inttR".to_vec()),
        ("type-tag-twice", {
            let tag = b"ctorch.jit._pickle\nrestore_type_tag\n(";
            [&tag[..], &tag[..], b"]X\x09\0\0\0List[int]tRX\x09\0\0\0List[str]tR"].concat()
        }),
        ("list-builder-without-list", b"ctorch.jit._pickle\nbuild_intlist\n(K\x01tR".to_vec()),
        ("tensor-by-number", b"ctorch.jit._pickle\nbuild_tensor_from_id\n(K\x00tR".to_vec()),
        ("device-that-is-a-number", b"ctorch\ndevice\n(K\x01tR".to_vec()),
    ]
}

fn tensors() -> Vec<(&'static str, Vec<u8>)> {
    let four = floats(b"K\x04");
    vec![
        ("tensor-negative-size", tensor(&four, b"K\0", &int(-4), b"K\x01")),
        ("tensor-negative-stride", tensor(&four, b"K\x03", b"K\x04", &int(-1))),
        ("tensor-negative-offset", tensor(&four, &int(-1), b"K\x04", b"K\x01")),
        ("tensor-larger-than-its-storage", tensor(&four, b"K\0", b"K\x05", b"K\x01")),
        ("tensor-offset-beyond", tensor(&four, b"K\x01", b"K\x04", b"K\x01")),
        ("tensor-stride-beyond", tensor(&four, b"K\0", b"K\x02K\x02", b"K\x03K\x01")),
        ("tensor-stride-overflows", tensor(&four, b"K\0", b"K\x03", &int(i64::MAX))),
        ("tensor-size-overflows", tensor(&four, b"K\0", &[int(1 << 40), int(1 << 40)].concat(), b"K\0K\0")),
        ("tensor-rank-65", tensor(&four, b"K\0", &b"K\x01".repeat(65), &b"K\x01".repeat(65))),
        ("tensor-more-sizes-than-strides", tensor(&four, b"K\0", b"K\x02K\x02", b"K\x01")),
        ("tensor-sizes-are-text", tensor(&four, b"K\0", b"X\x01\0\0\x004", b"K\x01")),
        ("tensor-with-hooks", {
            let good = tensor(&four, b"K\0", b"K\x04", b"K\x01");
            let at = good.len() - 2;
            [&good[..at - 1], b"R(K\x01K\x01u", &good[at..]].concat()
        }),
        (
            "tensor-of-unknown-dtype",
            tensor(&storage("torch\nFloat3Storage", "0", b"K\x04"), b"K\0", b"K\x04", b"K\x01"),
        ),
        ("tensor-of-untyped-storage", {
            tensor(&storage("torch.storage\nUntypedStorage", "0", b"K\x10"), b"K\0", b"K\x04", b"K\x01")
        }),
        ("storage-of-2^62-elements", tensor(&floats(&int(1 << 62)), b"K\0", b"K\x04", b"K\x01")),
        ("storage-of-negative-size", tensor(&floats(&int(-4)), b"K\0", b"K\x04", b"K\x01")),
        ("storage-larger-than-its-member", tensor(&floats(&int(1 << 40)), b"K\0", &int(1 << 40), b"K\x01")),
        ("storage-smaller-than-its-member", tensor(&floats(b"K\x02"), b"K\0", b"K\x02", b"K\x01")),
        ("storage-without-member", tensor(&storage("torch\nFloatStorage", "7", b"K\x04"), b"K\0", b"K\x04", b"K\x01")),
        ("storage-key-that-climbs", {
            tensor(&storage("torch\nFloatStorage", "../version", b"K\x04"), b"K\0", b"K\x04", b"K\x01")
        }),
        ("storage-that-is-an-int", tensor(b"K\x01", b"K\0", b"K\x04", b"K\x01")),
        ("quantized-without-scheme", {
            let four = storage("torch\nQInt8Storage", "0", b"K\x10");
            let hooks = b"\x89ccollections\nOrderedDict\n)R";
            let head = b"ctorch._utils\n_rebuild_qtensor\n(";
            [head, &four[..], b"K\0(K\x04t(K\x01t(K\x01K\x02t", hooks, b"tR"].concat()
        }),
        ("sparse-of-ints", b"ctorch._utils\n_rebuild_sparse_tensor\n(K\x01(K\x04t\x89K\x01K\x02NtR".to_vec()),
    ]
}

pub fn cases() -> Vec<Case> {
    let values = [calls(), structures(), tensors()].concat();
    let mut cases: Vec<Case> =
        values.into_iter().map(|(name, value)| Case::new(name, archive(&holding(&value)))).collect();
    let good = holding(b"N");
    cases.extend([
        Case::new("pickle-empty", archive(b"")),
        Case::new("pickle-without-proto", archive(&good[2..])),
        Case::new("pickle-of-protocol-9", archive(&[b"\x80\x09", &good[2..]].concat())),
        Case::new("pickle-without-stop", archive(&good[..good.len() - 1])),
        Case::new("pickle-followed", archive(&[&good[..], b"cos\nsystem\n"].concat())),
        Case::new("pickle-that-leaves-values", archive(b"\x80\x02NN.")),
        Case::new(
            "pickle-protocol-4-stack-global",
            archive(b"\x80\x04\x95\x20\0\0\0\0\0\0\0\x8c\x02os\x8c\x06system\x93)R."),
        ),
    ]);
    cases
}
