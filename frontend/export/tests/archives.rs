//! Recorded archives of every layout load, print the text they were read from, and are saved to what loads again.

use sconce_archive::pickle::{Pickle, Value, ValueId};
use sconce_archive::{Limits, PtArchive};
use sconce_corpus::{Corpus, testdata};
use sconce_export::{mobile, printer, save};
use sconce_script::importer::Loaded;
use sconce_script::values::Copied;
use sconce_script::{importer, passes};
use sconce_tensor::IValue;
use std::fmt::Write as _;

fn archives() -> Corpus {
    testdata("archives").expect("testdata/archives.tar.zst")
}

fn open(bytes: &[u8]) -> PtArchive {
    PtArchive::from_bytes(bytes.to_vec(), &Limits::default()).expect("an archive")
}

fn load(archive: &PtArchive) -> Loaded {
    importer::load(archive, &mut Copied(archive)).unwrap_or_else(|e| panic!("{}: {e}", archive.name()))
}

fn saved(loaded: &Loaded) -> save::Saved {
    save::save(&loaded.unit, &loaded.module, &mut save::no_state).unwrap_or_else(|e| panic!("{}: {e}", loaded.root))
}

/// The code files as recordings have them: one after the other, each with its path.
fn code_of(saved: &save::Saved) -> String {
    saved.code.iter().map(|c| format!("== {}\n{}", c.path, c.text)).collect()
}

/// Nesting is deepest in graphs that were unrolled; tests run on small stacks.
fn on_a_large_stack(test: impl FnOnce() + Send + 'static) {
    let thread = std::thread::Builder::new().stack_size(64 << 20).spawn(test).expect("a thread");
    if let Err(panic) = thread.join() {
        std::panic::resume_unwind(panic);
    }
}

#[test]
fn code_is_printed_as_it_was_read() {
    on_a_large_stack(|| {
        let (archives, programs) = (archives(), testdata("programs").expect("testdata/programs.tar.zst"));
        let mut different = String::new();
        let mut equal = 0;
        for (path, bytes) in archives.iter() {
            let Some(folder) = path.strip_suffix("/model.pt").filter(|f| !f.starts_with('_')) else { continue };
            let loaded = load(&open(bytes));
            assert!(loaded.unit.refused.is_empty(), "{path}: {:?}", loaded.unit.refused);
            let recorded = programs.text(&format!("{folder}/code.txt")).expect("code.txt");
            match code_of(&saved(&loaded)) == recorded {
                true => equal += 1,
                false => writeln!(different, "{folder}").expect("a string"),
            }
        }
        // `Union[number]` is `number`, and a test that can only have one result is not printed.
        expect_test::expect![[r#"
            numeric/norms
            with_stmt/profiler_record
        "#]]
        .assert_eq(&different);
        assert_eq!(equal, 511);
    });
}

#[test]
fn what_is_saved_loads_and_is_saved_the_same() {
    on_a_large_stack(|| {
        let mut unstable = String::new();
        let mut stable = 0;
        for (path, bytes) in archives().iter().filter(|(p, _)| p.ends_with(".pt") || p.ends_with(".ptl")) {
            let once = saved(&load(&open(bytes))).write("model", Vec::new()).expect("written");
            let twice = saved(&load(&open(&once))).write("model", Vec::new()).expect("written");
            match once == twice {
                true => stable += 1,
                false => writeln!(unstable, "{path}").expect("a string"),
            }
        }
        // What the upgrader of `div` asks is answered when it is compiled as a part of the program: one round later.
        expect_test::expect![[r#"
            _old_versions/div_scalar_v3/model.pt
        "#]]
        .assert_eq(&unstable);
        assert_eq!(stable, 747);
    });
}

#[test]
fn operators_of_older_versions_mean_what_they_meant() {
    let archives = archives();
    let mut seen = 0;
    for (path, recorded) in archives.iter() {
        let Some(folder) = path.strip_suffix("/loaded_code.txt") else { continue };
        let loaded = load(&open(archives.get(&format!("{folder}/model.pt")).expect("model.pt")));
        let class = &loaded.unit.classes[&loaded.root];
        let methods = class.methods.iter().map(|m| loaded.unit.method(&class.name, m).expect("a method"));
        let text: String = methods.map(|m| printer::print_method(&loaded.unit, m).expect("printed").0).collect();
        assert_eq!(text.as_bytes(), recorded, "{path}");
        seen += 1;
    }
    assert_eq!(seen, 15);
}

#[test]
fn bytecode_is_that_of_mobile_archives() {
    let mut seen = 0;
    let mut reordered = String::new();
    for (path, bytes) in archives().iter().filter(|(p, _)| p.ends_with(".ptl")) {
        let archive = open(bytes);
        let loaded = load(&archive);
        let recorded = archive.bytecode().expect("a pickle").expect("bytecode.pkl");
        for function in &items(&recorded, recorded.root_id())[1..] {
            let parts = items(&recorded, *function);
            let name = recorded[parts[0]].as_str().expect("a name");
            let graph = passes::inline(&loaded.unit, name).expect("inlined");
            let code = mobile::emit(&loaded.unit, &graph).unwrap_or_else(|e| panic!("{path}: {e}"));
            let (ours, theirs) = (code_text(&loaded.unit, &code), recorded_text(&recorded, parts[1]));
            assert_eq!(by_value(&ours), by_value(&theirs), "{path}: {name}");
            if ours != theirs {
                writeln!(reordered, "{path}: {name}").expect("a string");
            }
        }
        seen += 1;
    }
    assert_eq!(seen, 39);
    // The same constants, in another order of the table.
    expect_test::expect![[r#"
        nets/gpt_tiny_generate/mobile.ptl: __torch__.gpt_tiny_generate.GPT.generate
    "#]]
    .assert_eq(&reordered);
}

/// Code with constants where their numbers stand, and without the table.
fn by_value(code: &str) -> String {
    let constants: Vec<&str> = code.lines().filter_map(|l| l.strip_prefix("constant ")).collect();
    let mut out = String::new();
    for line in code.lines().filter(|l| !l.starts_with("constant ")) {
        let parts: Vec<&str> = line.split(' ').collect();
        match parts.as_slice() {
            [op @ ("LOADC" | "INTERFACE_CALL"), x, n] => {
                let constant = x.parse::<usize>().ok().and_then(|x| constants.get(x)).expect("a constant");
                writeln!(out, "{op} {constant} {n}").expect("a string");
            }
            _ => writeln!(out, "{line}").expect("a string"),
        }
    }
    out
}

fn items(pickle: &Pickle, id: ValueId) -> &[ValueId] {
    pickle[id].as_items().expect("a tuple")
}

fn code_text(unit: &sconce_graph::unit::Unit, code: &mobile::Code) -> String {
    let mut out = String::new();
    for i in &code.instructions {
        writeln!(out, "{} {} {}", i.op.name(), i.x, i.n).expect("a string");
    }
    for o in &code.operators {
        let count = o.arguments.map_or(-1, |n| n as i64);
        writeln!(out, "operator {} {} {count}", o.name, o.overload).expect("a string");
    }
    for c in &code.constants {
        writeln!(out, "constant {}", value_text(c)).expect("a string");
    }
    for t in &code.types {
        writeln!(out, "type {}", mobile::type_text(unit, t)).expect("a string");
    }
    out + &format!("{} registers", code.register_size)
}

fn recorded_text(pickle: &Pickle, table: ValueId) -> String {
    let of = |name: &str| {
        let row = items(pickle, table).iter().map(|r| items(pickle, *r)).find(|r| pickle[r[0]].as_str() == Some(name));
        row.expect("a row")[1]
    };
    let mut out = String::new();
    for i in items(pickle, of("instructions")) {
        let [op, x, n] = items(pickle, *i) else { panic!("an instruction has three parts") };
        writeln!(out, "{} {} {}", text(pickle, *op), text(pickle, *x), text(pickle, *n)).expect("a string");
    }
    for o in items(pickle, of("operators")) {
        let [name, overload, count] = items(pickle, *o) else { panic!("an operator has three parts") };
        writeln!(out, "operator {} {} {}", text(pickle, *name), text(pickle, *overload), text(pickle, *count))
            .expect("a string");
    }
    for c in items(pickle, of("constants")) {
        writeln!(out, "constant {}", text(pickle, *c)).expect("a string");
    }
    for t in items(pickle, of("types")) {
        writeln!(out, "type {}", text(pickle, *t)).expect("a string");
    }
    out + &format!("{} registers", text(pickle, of("register_size")))
}

fn text(pickle: &Pickle, id: ValueId) -> String {
    match &pickle[id] {
        Value::None => "None".to_owned(),
        Value::Bool(b) => b.to_string(),
        Value::Int(n) => n.to_string(),
        Value::Float(x) => format!("{x:?}"),
        Value::Str(s) => String::from_utf8_lossy(s).into_owned(),
        Value::Tensor(t) => format!("{:?}", t.sizes),
        Value::List(list) => list.items.iter().map(|i| text(pickle, *i) + ",").collect(),
        Value::Tuple(items) => items.iter().map(|i| text(pickle, *i) + ",").collect(),
        other => panic!("{} is no constant of these archives", other.kind()),
    }
}

fn value_text(value: &IValue) -> String {
    match value {
        IValue::None => "None".to_owned(),
        IValue::Bool(b) => b.to_string(),
        IValue::Int(n) => n.to_string(),
        IValue::Double(x) => format!("{x:?}"),
        IValue::Str(s) => s.to_string(),
        IValue::Tensor(t) => format!("{:?}", t.sizes()),
        IValue::List(list) => list.to_vec().iter().map(|i| value_text(i) + ",").collect(),
        IValue::Tuple(tuple) => tuple.items.iter().map(|i| value_text(i) + ",").collect(),
        other => panic!("{} is no constant of these archives", other.kind()),
    }
}

#[test]
fn an_operator_that_nobody_knows_costs_only_itself() {
    use sconce_archive::PtWriter;
    use sconce_archive::pickle::{Dict, Object};
    let code = "class M(Module):
  __parameters__ = []
  __buffers__ = []
  training : bool
  def forward(self: __torch__.M,
    x: Tensor) -> Tensor:
    y = ops.alien.probe(torch.relu(x), 3, mode=\"far\")
    return torch.add(y, 1)
";
    let mut values = Pickle::builder();
    let (key, training) = (values.str("training"), values.add(Value::Bool(true)));
    let state = values.add(Value::Dict(Box::new(Dict { entries: vec![(key, training)], ..Dict::default() })));
    let root = values.add(Value::Object(Box::new(Object { class: "__torch__.M".into(), state })));
    let mut writer = PtWriter::new("alien", Vec::new());
    writer.pickle("data.pkl", &values.finish(root), |_| Ok(Vec::new())).expect("written");
    writer.code("code/__torch__.py", code, None).expect("written");
    let loaded = load(&open(&writer.finish(3).expect("written")));
    assert_eq!(code_of(&saved(&loaded)), format!("== code/__torch__.py\n{code}"));
}
