//! Programs that are read from archives print as PyTorch printed them: their graphs, the graphs inside of those, and the Python that people read.

use expect_test::expect;
use sconce_archive::{Container, Limits};
use sconce_corpus::{Corpus, records, testdata};
use sconce_export_program::{Archive, Error, ExportedProgram};
use sconce_fx::GraphModule;
use sconce_fx::verify::{Dialect, verify};
use sconce_tensor::Storage;

fn text<'c>(corpus: &'c Corpus, path: &str) -> &'c str {
    corpus.get(path).and_then(|bytes| std::str::from_utf8(bytes).ok()).unwrap_or_default()
}

/// The programs that have an archive, by their names.
fn programs(corpus: &Corpus) -> Vec<(String, ExportedProgram)> {
    let limits = Limits::default();
    let archives = corpus.iter().filter_map(|(path, bytes)| Some((path.strip_suffix("/program.pt2")?, bytes)));
    let read = |name: &str, bytes: &[u8]| -> Result<ExportedProgram, Error> {
        let container = Container::from_bytes(bytes.to_vec(), &limits)?;
        let archive = Archive::new(name, container, &limits)?;
        let mut storage = |record: &sconce_archive::Record| {
            Storage::zeroed(record.size()).ok_or_else(|| Error::Storage("no memory".to_owned()))
        };
        ExportedProgram::read(&archive, &limits, &mut storage)
    };
    archives.map(|(name, bytes)| (name.to_owned(), read(name, bytes).expect(name))).collect()
}

/// Every module inside of one, by its path, an outer one before those inside of it.
fn inner<'m>(module: &'m GraphModule, path: &str, all: &mut Vec<(String, &'m GraphModule)>) {
    for (name, module) in &module.submodules {
        let path = if path.is_empty() { name.clone() } else { format!("{path}.{name}") };
        all.push((path.clone(), module));
        inner(module, &path, all);
    }
}

/// The first line in which two texts differ.
fn difference(said: &str, expected: &str) -> Option<String> {
    let mut lines = said.trim_end().lines().zip(expected.trim_end().lines());
    match lines.find(|(a, b)| a != b) {
        Some((a, b)) => Some(format!("PyTorch {b}\n    here    {a}")),
        None => (said.trim_end() != expected.trim_end()).then(|| "one is longer".to_owned()),
    }
}

/// How many are equal, and a line for each that is not.
fn report(found: Vec<(String, Option<String>)>) -> String {
    let equal = found.iter().filter(|(_, difference)| difference.is_none()).count();
    let mut out = format!("{equal} of {} equal\n", found.len());
    for (name, difference) in found {
        if let Some(difference) = difference {
            out.push_str(&format!("{name}\n    {difference}\n"));
        }
    }
    out
}

#[test]
fn graphs_print_as_pytorch_printed_them() {
    let corpus = testdata("export").expect("testdata/export.tar.zst");
    let (mut whole, mut parts) = (Vec::new(), Vec::new());
    for (name, program) in programs(&corpus) {
        let module = &program.graph_module;
        whole.push((name.clone(), difference(&module.graph.to_string(), text(&corpus, &format!("{name}/graph.txt")))));
        let mut modules = Vec::new();
        inner(module, "", &mut modules);
        for (title, expected) in records(text(&corpus, &format!("{name}/subgraphs.txt")), "## ") {
            let path = title.trim_start_matches("## ");
            let module = modules.iter().find(|(p, _)| p == path);
            let said = module.map(|(_, m)| m.graph.to_string()).unwrap_or_default();
            parts.push((format!("{name} {path}"), difference(&said, expected)));
        }
    }
    expect![[r#"
        54 of 56 equal
        autocast
            PyTorch     %submod_3 : [num_users=1] = get_attr[target=submod_1]
            here        %submod_1 : [num_users=1] = get_attr[target=submod_1]
        no_grad
            PyTorch     %submod_3 : [num_users=1] = get_attr[target=submod_1]
            here        %submod_1 : [num_users=1] = get_attr[target=submod_1]
    "#]]
    .assert_eq(&report(whole));
    expect![[r#"
        16 of 16 equal
    "#]]
    .assert_eq(&report(parts));
}

#[test]
fn readable_python_is_pytorchs() {
    let corpus = testdata("export").expect("testdata/export.tar.zst");
    let programs = programs(&corpus);
    let compared = programs.iter().map(|(name, program)| {
        let expected = text(&corpus, &format!("{name}/readable.txt"));
        (name.clone(), difference(&program.graph_module.readable(), expected))
    });
    expect![[r#"
        54 of 56 equal
        autocast
            PyTorch         submod_3 = self.submod_1
            here            submod_1 = self.submod_1
        no_grad
            PyTorch         submod_3 = self.submod_1
            here            submod_1 = self.submod_1
    "#]]
    .assert_eq(&report(compared.collect()));
}

#[test]
fn programs_keep_to_the_rules_of_their_verifiers() {
    let corpus = testdata("export").expect("testdata/export.tar.zst");
    let mut functional = 0;
    for (name, program) in programs(&corpus) {
        assert_eq!(program.verifiers, ["TRAINING"], "{name}");
        for verifier in &program.verifiers {
            assert_eq!(verify(&program.graph_module, Dialect::of_verifier(verifier)), [], "{name}");
        }
        functional += usize::from(verify(&program.graph_module, Dialect::Functional).is_empty());
    }
    // The others write their arguments, or have what tracing leaves.
    expect!["48"].assert_eq(&functional.to_string());
}

/// The names that two programs had before they were saved are not in their archives; what PyTorch prints once it has loaded them is printed here.
#[test]
fn programs_that_lost_names_print_as_pytorch_prints_them_loaded() {
    let corpus = testdata("export").expect("testdata/export.tar.zst");
    let programs = programs(&corpus);
    let mut compared = Vec::new();
    for (title, expected) in records(include_str!("reloaded.txt"), "== ") {
        let (name, form) = title.trim_start_matches("== ").split_once(' ').expect("a name and a form");
        let (_, program) = programs.iter().find(|(n, _)| n == name).expect(name);
        let module = &program.graph_module;
        let said = if form == "graph" { module.graph.to_string() } else { module.readable() };
        compared.push((title.to_owned(), difference(&said, expected)));
    }
    expect![[r#"
        4 of 4 equal
    "#]]
    .assert_eq(&report(compared));
}

#[test]
fn signatures_print_as_pytorch_printed_them() {
    let corpus = testdata("export").expect("testdata/export.tar.zst");
    let mut compared = Vec::new();
    for (name, program) in programs(&corpus) {
        let bound = |n: Option<i64>, none: &str| n.map_or(none.to_owned(), |n| n.to_string());
        let ranges = program.constraints.iter().map(|c| {
            let (low, high) = (bound(c.range.min_val, "-int_oo"), bound(c.range.max_val, "int_oo"));
            format!("'{}': ['{low}', '{high}']", c.text)
        });
        let said = format!(
            "{}\nrange_constraints: {{{}}}\nin_spec: {:#}\nout_spec: {:#}",
            program.signature,
            ranges.collect::<Vec<_>>().join(", "),
            program.in_spec,
            program.out_spec
        );
        compared.push((name.clone(), difference(&said, text(&corpus, &format!("{name}/signature.txt")))));
    }
    expect![[r#"
        55 of 56 equal
        namedtuple
            PyTorch in_spec: TreeSpec(tuple, None, [TreeSpec(tuple, None, [TreeSpec(namedtuple, <class 'programs.Pair'>, [*,
            here    in_spec: TreeSpec(tuple, None, [TreeSpec(tuple, None, [TreeSpec(namedtuple, <class 'Pair'>, [*,
    "#]].assert_eq(&report(compared));
}

/// A graph's text, and behind it those of the graphs inside as they were recorded, are all of what runs.
#[test]
fn texts_with_the_graphs_inside_are_programs() {
    let corpus = testdata("export").expect("testdata/export.tar.zst");
    let mut read = 0;
    for path in corpus.iter().map(|(path, _)| path).filter(|path| path.ends_with("/subgraphs.txt")) {
        let name = path.trim_end_matches("/subgraphs.txt");
        let graph = text(&corpus, &format!("{name}/graph.txt")).trim_end();
        let whole = format!("{graph}\n{}", text(&corpus, path));
        let module = sconce_fx::text::read_module(name, &whole).unwrap_or_else(|e| panic!("{}", e.report(false)));
        sconce_export_program::function(&module, name).expect(name);
        read += 1;
    }
    assert_eq!(read, 9);
}
