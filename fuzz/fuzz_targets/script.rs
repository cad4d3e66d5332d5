//! No text ends the process, and what is read prints to something that reads as the same tree, in both dialects.
#![no_main]

use libfuzzer_sys::fuzz_target;
use sconce_syntax::Span;
use sconce_source::{Loc, SourceText};
use sconce_syntax::script::report::{CallStack, Frame, traceback};
use sconce_syntax::script::tree::{Module, Stmt, StmtKind};
use sconce_syntax::script::{Dialect, dump_tokens, frontend, parse, parse_archive, print, sexpr};

fuzz_target!(|data: &[u8]| {
    let Ok(text) = std::str::from_utf8(data) else { return };
    let _ = dump_tokens("fuzz", text);
    for (dialect, read) in [(Dialect::Python, parse as fn(&str, &str) -> _), (Dialect::Archive, parse_archive)] {
        let module: Module = match read("fuzz", text) {
            Ok(module) => module,
            Err(error) => {
                assert!(error.line > 0 && error.column > 0);
                error.report(true);
                continue;
            }
        };
        let printed = print(&module, dialect);
        let back = read("printed", &printed).unwrap_or_else(|e| panic!("{}\n{printed}", e.report(false)));
        assert_eq!(module, back, "{printed}");
        assert_eq!(printed, print(&back, dialect));
        module.body.iter().for_each(|statement| shown(text, statement));
    }
});

/// Every statement can be printed and reported.
fn shown(text: &str, statement: &Stmt) {
    sexpr::statement(statement);
    if let StmtKind::Def(def) = &statement.kind {
        let source = SourceText::file("fuzz", text);
        if let Err(refusal) = frontend::check(def, text) {
            let _ = refusal.report(&source, def.source, &CallStack::default()).to_string();
        }
        let inner = def.body.last().map_or(def.span, |last| last.span);
        for span in [def.span, inner, Span::new(inner.end as usize, inner.end as usize)] {
            traceback(&[Frame { function: "f".to_owned(), place: Some(Loc::new(&source, span).within(def.source)) }], "error");
        }
    }
}
