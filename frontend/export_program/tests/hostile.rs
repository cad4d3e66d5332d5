//! Archives that are cut or say anything are refused, or mean a program; nothing panics, and errors name the member and the path in it.

mod common;

use common::{archives, open, recorded};
use expect_test::expect;
use sconce_archive::{Limits, zip};
use sconce_export_program::{Boundary, Lowered};

/// Everything that is done with an archive before a program runs.
fn load(bytes: &[u8]) -> Result<(), String> {
    let program = open(bytes).map_err(|e| e.to_string())?;
    Boundary::new(&program).map_err(|e| e.to_string())?;
    Lowered::new(&program).map(drop).map_err(|e| e.to_string())
}

/// An archive of the same members, one of them other, with right sums.
fn with(bytes: &[u8], name: &str, change: impl FnOnce(&mut Vec<u8>)) -> Vec<u8> {
    let archive = zip::Archive::open(bytes, &Limits::default()).expect("it is one");
    let mut change = Some(change);
    let members = archive.entries().iter().map(|entry| {
        let mut content = archive.read(entry).expect("its sum is right");
        if entry.name.ends_with(name)
            && let Some(change) = change.take()
        {
            change(&mut content);
        }
        (entry.name.clone(), content)
    });
    zip::write(&members.collect::<Vec<_>>()).expect("members are written")
}

fn program(name: &str) -> Vec<u8> {
    let corpus = recorded();
    let found = archives(&corpus).into_iter().find(|(n, _)| *n == name).map(|(_, bytes)| bytes.to_vec());
    found.expect("the program is recorded")
}

#[test]
fn an_archive_cut_anywhere_is_refused() {
    let bytes = program("cond_params");
    for end in 0..bytes.len() {
        assert!(load(&bytes[..end]).is_err(), "cut at {end}");
    }
    load(&bytes).expect("the whole of it is a program");
}

/// What a mutation puts in place of a part of a document.
const PIECES: &[&str] = &[
    "",
    "null",
    "true",
    "-1",
    "0",
    "9223372036854775807",
    "9223372036854775808",
    "1e400",
    "\"\"",
    "\"x\"",
    "[]",
    "{}",
    "[[[[]]]]",
    "{\"as_int\": 3}",
    "{\"as_none\": true}",
    "{\"as_expr\": {\"expr_str\": \"Symbol('s0')\"}}",
    "\"Infinity\"",
    "{\"name\": \"x\"}",
    "\"torch.ops.aten.add.Tensor\"",
    "\"_operator.getitem\"",
    "\"torch.ops.higher_order.cond\"",
];

/// What a mutation puts in place of a letter.
const LETTERS: &[u8] = b" 0123456789abcdefghijklmnopqrstuvwxyz_\"\\{}[],:.-";

/// A document with some bytes or values other.
fn mutated(document: &[u8], random: &mut impl FnMut(usize) -> usize) -> Vec<u8> {
    let mut out = document.to_vec();
    for _ in 0..=random(3) {
        // Mostly between the marks of JSON, so that the parser takes what comes out.
        let marks: Vec<usize> =
            (0..out.len()).filter(|i| matches!(out[*i], b',' | b':' | b'[' | b']' | b'{' | b'}')).collect();
        if out.is_empty() {
            break;
        }
        let Some(at) = marks.get(random(marks.len().max(1))).copied() else { continue };
        match random(5) {
            0 => {
                let to = marks.get(random(marks.len())).copied().unwrap_or(at);
                out.drain(at.min(to)..at.max(to).min(at.min(to) + 200));
            }
            1 => {
                let to = marks.get(random(marks.len())).copied().unwrap_or(at);
                let part = out[at.min(to)..at.max(to).min(at.min(to) + 400)].to_vec();
                out.splice(at..at, part);
            }
            2 => {
                let end = marks.iter().copied().find(|m| *m > at).unwrap_or(out.len());
                let piece = PIECES[random(PIECES.len())];
                out.splice((at + 1).min(end)..end, piece.bytes());
            }
            3 => {
                let place = random(out.len());
                out[place] = LETTERS[random(LETTERS.len())];
            }
            _ => {
                let place = random(out.len());
                out[place] = random(256) as u8;
            }
        }
    }
    out
}

#[test]
fn documents_that_say_anything_are_refused_or_mean_a_program() {
    let corpus = recorded();
    let archives = archives(&corpus);
    let count: usize = std::env::var("SCONCE_MUTANTS").ok().and_then(|n| n.parse().ok()).unwrap_or(1500);
    let mut state: u64 = std::env::var("SCONCE_SEED").ok().and_then(|n| n.parse().ok()).unwrap_or(1);
    let mut random = |below: usize| {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        (state % below.max(1) as u64) as usize
    };
    let mut meant = 0;
    for _ in 0..count {
        let (_, bytes) = archives[random(archives.len())];
        let member = ["models/model.json", "models/model.json", "model_weights_config.json"][random(3)];
        let bytes = with(bytes, member, |document| *document = mutated(document, &mut random));
        meant += usize::from(load(&bytes).is_ok());
    }
    println!("{meant} of {count} mean a program");
    assert!(meant < count);
}

/// What is said of an archive whose document is changed by replacing a text.
fn say(name: &str, member: &str, from: &str, to: &str) -> String {
    let bytes = with(&program(name), member, |document| {
        let text = String::from_utf8(document.clone()).expect("JSON");
        assert!(text.contains(from), "{from} is not in {text}");
        *document = text.replacen(from, to, 1).into_bytes();
    });
    load(&bytes).map_or_else(|e| format!("{e}\n"), |()| "it means a program\n".to_owned())
}

#[test]
fn errors_name_the_member_and_the_path() {
    let model = "models/model.json";
    let weights = "model_weights_config.json";
    let said = [
        say("mlp", model, "\"as_tensor\": {\"name\": \"x\"}", "\"as_tensor\": {\"name\": 3}"),
        say("mlp", model, "\"as_tensor\"", "\"as_quaternion\""),
        say("mlp", model, "\"requires_grad\"", "\"requires_gradient\""),
        say("mlp", model, "\"major\": 8", "\"major\": 9"),
        say("mlp", model, "\"minor\": 20", "\"minor\": 21, \"patch\": 1"),
        say("mlp", model, "\"minor\": 20", "\"minor\": 20, \"patch\": 1"),
        say("mlp", model, "torch.ops.aten.linear.default", "torch.ops.aten.liner.default"),
        say("mlp", model, "torch.ops.aten.linear.default", "os.system"),
        say("mlp", model, "\"sizes\": [", "\"sizes\": [{\"as_expr\": {\"expr_str\": \"__import__('os')\"}}, "),
        say("mlp", model, "\"name\": \"linear\"", "\"name\": \"x\""),
        say("mlp", model, "\"tensor_values\": {", "\"tensor_values\": {\"x\": null, "),
        say("mlp", model, "builtins.tuple", "builtins.dict"),
        say("mlp", weights, "weight_0", "weight_99"),
        say("mlp", weights, "weight_0", "../secret"),
        say("mlp", weights, "{\"as_int\": 4}", "{\"as_int\": 4000000000}"),
        say("mlp", weights, "{\"as_int\": 4}", "{\"as_int\": -4}"),
        say("mlp", weights, "\"use_pickle\": false", "\"use_pickle\": true"),
        say("mlp", "archive_format", "pt2", "pt3"),
        say("mlp", "byteorder", "little", "big"),
        say("mlp", ".data/version", "6", "7"),
    ];
    expect![[r#"
        models/model.json: at graph_module.graph.inputs[4].as_tensor.name: invalid type: integer `3`, expected a string at line 1 column 223
        models/model.json: at graph_module.graph.inputs[0]: unknown variant `as_quaternion`, expected one of `as_none`, `as_tensor`, `as_tensors`, `as_int`, `as_ints`, `as_float`, `as_floats`, `as_string`, `as_strings`, `as_sym_int`, `as_sym_ints`, `as_scalar_type`, `as_memory_format`, `as_layout`, `as_device`, `as_bool`, `as_bools`, `as_sym_bool`, `as_sym_bools`, `as_graph`, `as_optional_tensors`, `as_custom_obj`, `as_operator`, `as_sym_float`, `as_sym_floats`, `as_optional_tensor`, `as_complex`, `as_nested_tensors`, `as_int_lists`, `as_string_to_argument`, `as_float_lists` at line 1 column 55
        models/model.json: at graph_module.graph.tensor_values.p_fc1_weight: missing field `requires_grad` at line 1 column 2529
        models/model.json: at schema_version: the schema's version is 9.20, expected 8.20: save the program again with a PyTorch of that schema
        it means a program
        models/model.json: at schema_version.patch: the schema has no such member
        models/model.json: node `linear` (torch.ops.aten.liner.default): the operator aten::liner is not known here
          written at programs.py:35:4
        models/model.json: node `linear` (os.system): the function is not known here
          written at programs.py:35:4
        models/model.json: what is known of `p_fc1_weight`: `__import__('os')`: no expression of sympy's: expected a number, a name or `(` at byte 11 of `__import__('os')`
        models/model.json: the name `x` is another node's
        models/model.json: at graph_module.graph.tensor_values.x: invalid type: null, expected struct TensorMeta at line 1 column 2311
        models/model.json: graph_module.module_call_graph: in_spec: the context of a builtins.dict is no list of keys
        data/weights/weight_99: the archive has no such member
        data/weights/../secret: the archive has no such member
        data/weights/weight_0: `fc1.weight`: setStorage: sizes [3, 4000000000], strides [4, 1], storage offset 0 need 16000000032 bytes, but the storage holds 48
        data/weights/weight_0: `fc1.weight`: negative size -4 is not allowed
        data/weights/weight_0: `fc1.weight`: it is pickled, and only tensors as raw bytes are read
        archive_format: it holds `pt3`, expected `pt2`
        byteorder: it holds `big`, expected `little`
        it means a program
    "#]].assert_eq(&said.concat());
}

/// A zip archive of these members.
fn archive(members: &[(&str, &str)]) -> Vec<u8> {
    let members = members.iter().map(|(name, text)| (format!("p/{name}"), text.as_bytes().to_vec()));
    zip::write(&members.collect::<Vec<_>>()).expect("members are written")
}

#[test]
fn other_kinds_are_named_with_the_next_step() {
    let kinds: [&[(&str, &str)]; 4] = [
        &[("serialized_exported_program.json", "{}"), ("version", "8.2")],
        &[("archive_format", "pt2"), ("data/aotinductor/model/model.so", "")],
        &[("archive_format", "pt2")],
        &[
            ("archive_format", "pt2"),
            ("archive_version", "0"),
            ("byteorder", "little"),
            ("models/model.json", "{}"),
            ("data/strange", ""),
        ],
    ];
    let said: String = kinds.iter().map(|members| format!("{}\n", load(&archive(members)).unwrap_err())).collect();
    expect![[r#"
        program.pt2: an exported program in the layout of PyTorch 2.1 to 2.7 (schema 8.2): load it with that PyTorch, and save it again with 2.9 or later
        program.pt2: a package of AOTInductor: machine code of one computer without the program. Save the program itself with torch.export.save, and load that
        program.pt2: an archive of torch.export without `models/model.json`
        data/strange: an archive of an exported program has no such member
    "#]].assert_eq(&said);
}
