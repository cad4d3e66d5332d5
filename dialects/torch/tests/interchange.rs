//! The torch dialect's text is torch-mlir's: its samples read, verify and print byte for byte, also by way of the generic form; its verifier's
//! judgements are ours; what its printer breaks, ours does not; and the kinds derived from schemas are the ones its verifier insists on.
//!
//! With `TORCH_MLIR_OPT=/path/to/torch-mlir-opt` (in the PyPI wheel `torch-mlir`) every sample also travels both ways through the real tool.

use sconce_corpus::Corpus;
use sconce_ir::prelude::*;
use sconce_ir::table::OpRow;
use std::collections::BTreeMap;
use std::process::Command;

fn corpus() -> Corpus {
    sconce_corpus::testdata("torch_dialect").expect("testdata/torch_dialect.tar.zst is in the repository")
}

fn context() -> Context {
    sconce_torch::register().expect("the op table registers");
    sconce_torch::context(false).expect("a context")
}

/// A sample without its leading comment, and whether it is printed with locations.
fn samples(corpus: &Corpus) -> Vec<(String, String, bool)> {
    let torch = |path: &str| {
        path.starts_with("samples/")
            || path.starts_with("fx/")
            || (path.starts_with("lowered/") && !path.ends_with(".linalg.mlir"))
    };
    corpus
        .iter()
        .filter(|(path, _)| path.ends_with(".mlir") && torch(path))
        .map(|(path, bytes)| {
            let text = std::str::from_utf8(bytes).expect("samples are UTF-8");
            let body: String = text.split_inclusive('\n').skip_while(|line| line.starts_with("//")).collect();
            (path.to_owned(), body, path.ends_with(".loc.mlir"))
        })
        .collect()
}

/// The chunks of a file whose parts are divided by `// -----`.
fn chunks<'t>(corpus: &'t Corpus, path: &str) -> Vec<&'t str> {
    corpus.text(path).unwrap_or_else(|| panic!("{path} is missing")).split("// -----\n").collect()
}

fn options(generic: bool, locations: bool) -> PrintOptions {
    PrintOptions { generic, locations, ..Default::default() }
}

/// Reads and prints, in a context of its own: names of resources are per context.
fn reprint(text: &str, options: &PrintOptions) -> Result<String, Error> {
    let context = context();
    let module = parse_module(&context, text.as_bytes(), "<stdin>")?;
    Ok(print(module.as_operation(), options))
}

/// The first line in which two texts differ.
fn difference(want: &str, got: &str) -> String {
    let line = want.lines().zip(got.lines()).position(|(a, b)| a != b);
    let line = line.unwrap_or(want.lines().count().min(got.lines().count()));
    format!("line {}: {:?} instead of {:?}", line + 1, got.lines().nth(line), want.lines().nth(line))
}

#[test]
fn samples_print_byte_for_byte() {
    let corpus = corpus();
    let samples = samples(&corpus);
    assert!(samples.len() >= 238, "only {} samples", samples.len());
    let mut wrong = Vec::new();
    for (path, text, locations) in &samples {
        match reprint(text, &options(false, *locations)) {
            Ok(got) if got.trim_end() == text.trim_end() => {}
            Ok(got) => wrong.push(format!("{path}: {}", difference(text, &got))),
            Err(error) => wrong.push(format!("{path}: {error}")),
        }
        let by_generic = reprint(text, &options(true, *locations))
            .and_then(|generic| reprint(&generic, &options(false, *locations)));
        match by_generic {
            Ok(got) if got.trim_end() == text.trim_end() => {}
            Ok(got) => wrong.push(format!("{path} by the generic form: {}", difference(text, &got))),
            Err(error) => wrong.push(format!("{path} by the generic form: {error}")),
        }
    }
    println!("{} samples, {} wrong", samples.len(), wrong.len());
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn lowered_linalg_is_read() {
    let corpus = corpus();
    let mut read = 0;
    for (path, bytes) in corpus.below("lowered/").filter(|(path, _)| path.ends_with(".linalg.mlir")) {
        let text = std::str::from_utf8(bytes).expect("samples are UTF-8");
        // torch-mlir's own dialect for scan, scatter and sort.
        if text.contains("tm_tensor.") {
            continue;
        }
        reprint(text, &options(false, false)).unwrap_or_else(|error| panic!("{path}: {error}"));
        read += 1;
    }
    println!("{read} files of linalg read");
    assert!(read >= 69);
}

#[test]
fn the_verifier_judges_as_torch_mlir_does() {
    let corpus = corpus();
    let (mut same_text, mut total) = (0, 0);
    for chunk in chunks(&corpus, "verifier.mlir") {
        let want =
            chunk.lines().find_map(|l| l.strip_prefix("// torch-mlir-opt: ")).expect("each chunk says what is right");
        let got = reprint(chunk, &options(false, false));
        total += 1;
        match want {
            "accepted" => {
                assert!(got.is_ok(), "{chunk}\n{got:?}");
                same_text += 1;
            }
            // What crashes torch-mlir-opt is an error here.
            "crashes" => assert!(got.is_err(), "{chunk}"),
            _ => {
                let message = want.strip_prefix("error: ").expect("accepted, crashes or an error");
                let error = got.expect_err(chunk).to_string();
                same_text += usize::from(error.contains(message));
            }
        }
    }
    println!("{total} judged the same, {same_text} in the same words");
    // Two name the parent of a region differently: that is LLVM 22's wording, not ours.
    assert!(total == 32 && same_text >= 29, "{same_text} of {total} in the same words");
}

#[test]
fn what_torch_mlir_breaks_survives() {
    let corpus = corpus();
    let chunks = chunks(&corpus, "broken.mlir");
    assert_eq!(chunks.len(), 11);
    for chunk in chunks {
        let locations = chunk.contains("loc(");
        let once = reprint(chunk, &options(false, locations)).unwrap_or_else(|e| panic!("{chunk}\n{e}"));
        let twice = reprint(&once, &options(false, locations)).unwrap_or_else(|e| panic!("{once}\n{e}"));
        assert_eq!(once, twice, "printing again differs");
        let generic = |text: &str| reprint(text, &options(true, false)).expect("read before");
        assert_eq!(generic(chunk), generic(&once), "the text means something else");
        // Nothing that was written is gone.
        for word in ["\"bar\"", "value = 4", "#sparse", "loc(\"here\")", "loc(\"there\")"] {
            let source = if word == "#sparse" { "sparse_tensor" } else { word };
            let printed = once.contains(word) || (word.starts_with("loc") && once.contains(&format!("= {word}")));
            assert!(!chunk.contains(source) || printed, "{word} is lost:\n{once}");
        }
    }
}

/// The words of torch-mlir's verifier as type codes.
const WORDS: &[(&str, &str)] = &[
    ("Any Torch tensor type", "T"),
    ("Multi-dimensional array modeling Torch's Tensor type", "N"),
    ("Optional torch tensor type", "?T"),
    ("Optional torch non value tensor type", "?N"),
    ("Any int list type (Tensor[]) of Any Torch tensor type values", "lT"),
    ("Any int list type (Tensor[]) of Multi-dimensional array modeling Torch's Tensor type values", "lN"),
    ("Any optional tensor list type (Tensor?[]) of Optional torch tensor type values", "l?T"),
    ("Any optional tensor list type (Tensor?[]) of Optional torch non value tensor type values", "l?N"),
    ("Torch IntType", "i"),
    ("Torch FloatType", "f"),
    ("Torch BoolType", "b"),
    ("Torch StringType", "s"),
    ("Torch device", "d"),
    ("Any Python numeric type compatible with being the scalar type of a tensor", "n"),
    ("Optional torch int type", "?i"),
    ("Optional torch float type", "?f"),
    ("Optional torch bool type", "?b"),
    ("Optional torch Str type", "?s"),
    ("Optional torch scalar type", "?n"),
    ("Optional torch device type", "?d"),
    ("Optional torch Generator type", "?g"),
    ("Int list type (int[]) of Torch IntType values", "li"),
    ("Bool list type (bool[]) of Torch BoolType values", "lb"),
    ("Str list type (str[]) of Torch StringType values", "ls"),
    ("Optional torch int list type (int[]?)", "?li"),
    ("Optional torch float list type (float[]?)", "?lf"),
    ("Any Torch list Type of any non-token type values", "l."),
    ("!torch.dict[KT, VT]", "{..}"),
    ("Torch packed linear params type", "P"),
    ("Any type that is legal to pass to a Torch kernel", "."),
];

fn codes(words: &str) -> String {
    let code = |words: &str| {
        let (star, kind) = words.strip_prefix('*').map_or(("", words), |kind| ("*", kind));
        let code = WORDS.iter().find(|(w, _)| *w == kind).unwrap_or_else(|| panic!("unknown words '{words}'")).1;
        format!("{star}{code}")
    };
    words.split(';').map(str::trim).filter(|w| !w.is_empty()).map(code).collect::<Vec<_>>().join(" ")
}

#[test]
fn kinds_derived_from_schemas_are_torch_mlirs() {
    let corpus = corpus();
    let rows: BTreeMap<String, OpRow> =
        sconce_schema::table().iter().map(|e| (e.dialect_name(), sconce_torch::rows::row(e))).collect();
    let context = context();
    let (mut same, mut structural, mut wrong) = (0, 0, Vec::new());
    for line in corpus.text("ops.tsv").expect("ops.tsv").lines().skip(1) {
        let fields: Vec<&str> = line.split('\t').collect();
        let (name, want) = (fields[0], (codes(fields[1]), codes(fields[2])));
        let Some(row) = rows.get(name).filter(|r| r.flags & sconce_ir::table::flags::AS_OPERATOR == 0) else {
            match context.is_registered_operation(name) {
                true => structural += 1,
                false => wrong.push(format!("{name}: not in the op table")),
            }
            continue;
        };
        let got = (row.operands.join(" "), row.results.join(" "));
        if got == want {
            same += 1;
        } else {
            wrong.push(format!("{name}: {got:?} instead of {want:?}"));
        }
    }
    println!("{same} the same, {structural} structural, {} wrong", wrong.len());
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn every_operation_of_torch_mlir_is_registered() {
    let (corpus, context) = (corpus(), context());
    let missing: Vec<&str> = corpus
        .text("ops.txt")
        .expect("ops.txt")
        .lines()
        .filter(|name| !context.is_registered_operation(name))
        .collect();
    assert!(missing.is_empty(), "{}", missing.join(" "));
}

#[test]
fn samples_travel_both_ways_through_torch_mlir_opt() {
    let Some(tool) = std::env::var_os("TORCH_MLIR_OPT") else {
        println!("skipped: TORCH_MLIR_OPT is not set");
        return;
    };
    let corpus = corpus();
    let folder = tempfile::tempdir().expect("a temporary folder");
    let theirs = |text: &str, locations: bool, generic: bool| -> Result<String, String> {
        let file = folder.path().join("in.mlir");
        std::fs::write(&file, text).expect("writes");
        let mut command = Command::new(&tool);
        command.arg(&file);
        if locations {
            command.arg("--mlir-print-debuginfo");
        }
        if generic {
            command.arg("--mlir-print-op-generic");
        }
        let output = command.output().expect("torch-mlir-opt runs");
        let errors = String::from_utf8_lossy(&output.stderr).lines().next().unwrap_or_default().to_owned();
        if output.status.success() { Ok(String::from_utf8_lossy(&output.stdout).into_owned()) } else { Err(errors) }
    };
    let (mut there, mut back, mut wrong) = (0, 0, Vec::new());
    for (path, text, locations) in samples(&corpus) {
        let ours = reprint(&text, &options(true, locations)).expect("tested above");
        match theirs(&ours, locations, false) {
            Ok(got) if got.trim_end() == text.trim_end() => there += 1,
            other => wrong.push(format!(
                "{path}, ours read by torch-mlir-opt: {}",
                other.map_or_else(|e| e, |g| difference(&text, &g))
            )),
        }
        let got = theirs(&text, locations, true)
            .and_then(|g| reprint(&g, &options(false, locations)).map_err(|e| e.to_string()));
        match got {
            Ok(got) if got.trim_end() == text.trim_end() => back += 1,
            other => wrong.push(format!(
                "{path}, torch-mlir-opt's read by us: {}",
                other.map_or_else(|e| e, |g| difference(&text, &g))
            )),
        }
    }
    for chunk in chunks(&corpus, "broken.mlir") {
        let locations = chunk.contains("loc(");
        let ours = reprint(chunk, &options(false, locations)).expect("tested above");
        match theirs(&ours, locations, false) {
            Ok(_) => there += 1,
            Err(error) => wrong.push(format!("{chunk}\nas we print it: {error}")),
        }
    }
    println!("{there} texts of ours read by torch-mlir-opt, {back} of its by us, {} wrong", wrong.len());
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
