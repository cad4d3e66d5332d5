//! Programs that PyTorch decomposed are the same in Core ATen here, node for node and name for name; what comes out keeps to the rules of functional graphs.

use expect_test::expect;
use sconce_archive::{Container, Limits, Record};
use sconce_corpus::{Corpus, testdata};
use sconce_decompose::core_aten;
use sconce_export_program::{Archive, Error, ExportedProgram};
use sconce_fx::verify::{Dialect, verify};
use sconce_tensor::Storage;
use std::sync::Arc;

fn text<'c>(corpus: &'c Corpus, path: &str) -> &'c str {
    corpus.get(path).and_then(|bytes| std::str::from_utf8(bytes).ok()).unwrap_or_default()
}

fn open(bytes: &[u8]) -> Result<ExportedProgram, Error> {
    let limits = Limits::default();
    let container = Container::from_shared("program.pt2", Arc::new(bytes.to_vec()), &limits)?;
    let mut storage =
        |record: &Record| Storage::zeroed(record.size()).ok_or_else(|| Error::Storage("no memory".to_owned()));
    ExportedProgram::read(&Archive::new("program.pt2", container, &limits)?, &limits, &mut storage)
}

/// Programs with their names.
fn programs(corpus: &Corpus) -> Vec<(&str, ExportedProgram)> {
    let archives = corpus.iter().filter_map(|(path, bytes)| Some((path.strip_suffix("/program.pt2")?, bytes)));
    archives.map(|(name, bytes)| (name, open(bytes).expect(name))).collect()
}

#[test]
fn graphs_are_pytorchs() {
    let corpus = testdata("export").expect("testdata/export.tar.zst");
    let (mut changed, mut equal, mut same) = (0, 0, 0);
    let mut differing = String::new();
    for (name, program) in programs(&corpus) {
        let recorded = text(&corpus, &format!("{name}/core.txt"));
        if recorded.is_empty() {
            // PyTorch fails to decompose it.
            continue;
        }
        let is_changed = recorded.starts_with("graph");
        let expected = if is_changed { recorded } else { text(&corpus, &format!("{name}/graph.txt")) };
        let said = core_aten(&program).expect(name).graph_module.graph.to_string();
        changed += usize::from(is_changed);
        if said.trim_end() == expected.trim_end() {
            *(if is_changed { &mut equal } else { &mut same }) += 1;
            continue;
        }
        let first = said.lines().zip(expected.lines()).find(|(a, b)| a != b);
        let (here, there) = first.unwrap_or(("one is longer", ""));
        differing.push_str(&format!("{name}\n    PyTorch {}\n    here    {}\n", there.trim(), here.trim()));
    }
    expect![[r#"
        34 of 35 that change, 20 that do not
        attention_dynamic
            PyTorch %sym_size_int_8 : [num_users=17] = call_function[target=torch.ops.aten.sym_size.int](args = (%x, 0), kwargs = {})
            here    %sym_size_int_3 : [num_users=17] = call_function[target=torch.ops.aten.sym_size.int](args = (%x, 0), kwargs = {})
    "#]]
    .assert_eq(&format!("{equal} of {changed} that change, {same} that do not\n{differing}"));
}

/// What has no recording is decomposed as well, and is a graph whose calls write nothing.
#[test]
fn graphs_are_functional() {
    let corpus = testdata("export").expect("testdata/export.tar.zst");
    let mut report = String::new();
    let mut kept = 0;
    for (name, program) in programs(&corpus) {
        match core_aten(&program) {
            Ok(decomposed) => {
                let breaches = verify(&decomposed.graph_module, Dialect::Functional);
                breaches.first().into_iter().for_each(|b| report.push_str(&format!("{name}: {b}\n")));
                kept += usize::from(breaches.is_empty());
            }
            Err(e) => report.push_str(&format!("{name}: {e}\n")),
        }
    }
    expect![[r#"
        56 keep to the rules
    "#]]
    .assert_eq(&format!("{kept} keep to the rules\n{report}"));
}
