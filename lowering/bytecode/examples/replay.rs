//! `replay DIR [NAME] [--save FOLDER]`: lowers the inlined listing of every recorded program below DIR, runs its calls and judges them.
//!
//! With `--save` every program is also written as a `.sconce` file. The last line is `N passed, N failed, N skipped`, counted in programs.

use sconce_conformance::calls;
use sconce_conformance::vectors::Verdict;
use sconce_interpreter::{Executable, Options};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

fn main() {
    let mut args = std::env::args().skip(1);
    let root = PathBuf::from(args.next().expect("usage: replay DIR [NAME]"));
    let (mut only, mut save) = (None, None);
    while let Some(arg) = args.next() {
        if arg == "--save" {
            save = args.next().map(PathBuf::from);
        } else {
            only = Some(arg);
        }
    }
    let mut programs: Vec<PathBuf> = Vec::new();
    for area in std::fs::read_dir(&root).expect("a folder").flatten() {
        for program in std::fs::read_dir(area.path()).into_iter().flatten().flatten() {
            if program.path().join("inlined_graph.txt").exists() && program.path().join("calls.json").exists() {
                programs.push(program.path());
            }
        }
    }
    programs.sort();
    let context = sconce_torch::context(false).expect("the op table registers");
    let (mut passed, mut failed, mut skipped) = (0, 0, 0);
    let mut reasons: BTreeMap<String, usize> = BTreeMap::new();
    for program in programs {
        let name = program.strip_prefix(&root).unwrap_or(&program).display().to_string();
        if only.as_ref().is_some_and(|o| !name.contains(o.as_str())) {
            continue;
        }
        match judge(&context, &program, only.is_some(), save.as_deref()) {
            Verdict::Passed => passed += 1,
            Verdict::Failed(why) => {
                failed += 1;
                println!("FAIL {name}: {why}");
            }
            Verdict::Skipped(why) => {
                skipped += 1;
                *reasons.entry(why.clone()).or_default() += 1;
                if only.is_some() {
                    println!("SKIP {name}: {why}");
                }
            }
        }
    }
    let mut reasons: Vec<_> = reasons.into_iter().collect();
    reasons.sort_by_key(|(_, n)| std::cmp::Reverse(*n));
    for (why, n) in reasons {
        println!("{n:4} skipped: {why}");
    }
    println!("{passed} passed, {failed} failed, {skipped} skipped");
}

fn judge(context: &sconce_ir::Context, program: &Path, show: bool, save: Option<&Path>) -> Verdict {
    let read = |name: &str| std::fs::read_to_string(program.join(name)).expect("a readable recording");
    let text = read("inlined_graph.txt");
    let imported = match sconce_graph::import_text(context, "inlined_graph.txt", &text, "forward") {
        Ok(i) => i,
        Err(e) => return Verdict::Failed(format!("import: {e}")),
    };
    let lowered = match sconce_bytecode::lower(&imported.module, &BTreeMap::new()) {
        Ok(p) => p,
        Err(sconce_bytecode::Error::Unsupported(ops)) => {
            return Verdict::Skipped(ops.iter().map(|o| o.op.clone()).collect::<Vec<_>>().join(", "));
        }
        Err(e) => return Verdict::Failed(format!("lowering: {e}")),
    };
    if show {
        println!("{}", lowered.full_listing());
    }
    let bytes = match lowered.to_bytes() {
        Ok(b) => b,
        Err(e) => return Verdict::Failed(format!("writing: {e}")),
    };
    if let Some(folder) = save {
        let name = program.file_name().map_or_else(String::new, |n| n.to_string_lossy().into_owned());
        std::fs::write(folder.join(format!("{name}.sconce")), &bytes).expect("a folder to write to");
    }
    let lowered = sconce_interpreter::Program::from_bytes(&bytes).expect("what was written is read");
    let executable = match Executable::new(Arc::new(lowered)) {
        Ok(e) => e,
        Err(sconce_interpreter::LoadError::Missing(m)) => {
            return Verdict::Skipped(m.0.keys().cloned().collect::<Vec<_>>().join(", "));
        }
        Err(e) => return Verdict::Failed(format!("loading: {e}")),
    };
    let calls = calls::read(&read("calls.json")).expect("calls");
    for (i, call) in calls.iter().enumerate() {
        let functions = &executable.program().functions;
        let method = call.method();
        let of_method = functions.iter().position(|f| f.name.ends_with(&format!(".{method}")));
        let Some(f) = of_method.or((!functions.is_empty()).then_some(0)) else {
            return Verdict::Failed("no function".into());
        };
        if let Some(p) = functions[f].parameters.first()
            && matches!(&p.ty, sconce_schema::Type::Class(_))
        {
            return Verdict::Skipped("needs a module's state".into());
        }
        match call.judge(&executable, f as u32, &Options::default()) {
            Verdict::Passed => {}
            Verdict::Failed(why) => return Verdict::Failed(format!("call {i}: {why}")),
            skipped => return skipped,
        }
    }
    Verdict::Passed
}
