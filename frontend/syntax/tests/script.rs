//! TorchScript's text becomes trees as Python would read it; hostile text ends no process.

use sconce_syntax::script::{self, tree::*};

fn error(text: &str) -> String {
    script::parse("t", text).expect_err("the text is wrong").to_string()
}

#[test]
fn what_the_printer_writes_is_read() {
    let text = r#"op_version_set = 1
class M(Module):
  __parameters__ = ["weight", ]
  __annotations__["0"] = __torch__.a.B
  training : bool
  k : Final[int] = 2
  def forward(self: __torch__.M,
    x: Tensor,
    from: Optional[int]=None) -> Tuple[()]:
    def __forked_function():
      return ops.prim.X(x, CONSTANTS.c0)
    a, b, = torch.mul(x, 1e-05), annotate(List[int], [])
    _0 = (getattr(self, "0")).forward(a, b, )
    torch.add_(x.from, -1, alpha=from)
    return ()
"#;
    let module = script::parse_archive("code/__torch__.py", text).expect("PyTorch printed it");
    let StmtKind::Class(class) = &module.body[1].kind else { panic!("a class") };
    assert_eq!(class.body.len(), 5);
    assert!(script::parse("t", text).is_err(), "`from` is a word of Python");
}

#[test]
fn bytes_of_printed_strings_are_read() {
    let string = |text: &str, archive: bool| {
        let module = if archive { script::parse_archive("t", text) } else { script::parse("t", text) };
        match module.expect("a string").body.remove(0).kind {
            StmtKind::Expr(Expr { kind: ExprKind::Str(bytes), .. }) => bytes,
            other => panic!("{other:?}"),
        }
    };
    assert_eq!(string(r#""\r\n\t\a\303\251\\\"""#, true), b"\r\n\t\x07\xc3\xa9\\\"");
    assert_eq!(string(r#""\0)+\/.)x""#, true), "éx".as_bytes());
    assert_eq!(string(r#""\0)+\351\x41\u00e9""#, false), "\0)+éAé".as_bytes());
    assert_eq!(
        string(
            r#"r"\n" "\q" u'''a
b'''"#,
            false
        ),
        b"\\n\\qa\nb"
    );
}

#[test]
fn errors_name_place_and_expectation() {
    let cases = [
        ("x = (1,\n", "t:1:5: `(` was never closed"),
        ("x = 1)\n", "t:1:6: unmatched `)`"),
        ("x = [1)\n", "t:1:7: expected `]`, found `)`"),
        ("if x:\n\ty\n        z\n", "t:3:1: inconsistent use of tabs and spaces in indentation"),
        ("if x:\n        if y:\n\t z\n", "t:3:1: inconsistent use of tabs and spaces in indentation"),
        ("if x:\n  y\n z\n", "t:3:1: unindent does not match any outer indentation level"),
        ("if x:\ny\n", "t:2:1: expected an indented block for the statement on line 1"),
        ("  x\n", "t:1:1: unexpected indent"),
        ("x = 'a\n", "t:1:5: the string is not closed"),
        ("x = 1 +\n", "t:1:8: expected an expression, found the end of the line"),
        ("x = 1 2\n", "t:1:7: expected the end of the line, found `2`"),
        (
            "x = 012\n",
            "t:1:5: leading zeros in decimal integer literals are not permitted; use an 0o prefix for octal integers",
        ),
        ("x = 1x\n", "t:1:5: a number runs into a name; expected a blank or a sign between them"),
        ("x = a ? b\n", "t:1:7: the character '?' means nothing here"),
        ("f() = 1\n", "t:1:1: cannot assign to function call"),
        ("a, b += 1\n", "t:1:1: 'tuple' is an illegal expression for augmented assignment"),
        ("def f(a, a): pass\n", "t:1:10: duplicate argument 'a' in function definition"),
        ("def f(a=1, b): pass\n", "t:1:12: non-default argument follows default argument"),
        ("f(a=1, b)\n", "t:1:8: positional argument follows keyword argument"),
        ("def f(x: int) -> int:\n    break\n    return x\n", "t:2:5: 'break' outside loop"),
        (
            "def f(x: int) -> int:\n    if x > 0:\n        continue\n    return x\n",
            "t:3:9: 'continue' not properly in loop",
        ),
        ("x = f'{a'\n", "t:1:7: f-string: '{' was never closed"),
        ("x = f'}'\n", "t:1:7: f-string: single '}' is not allowed"),
        ("x = f'{a b}'\n", "t:1:10: expected the end of the text, found `b`"),
        ("x = a == not b\n", "t:1:10: expected an operand; `not` needs brackets here, found `not`"),
    ];
    for (text, message) in cases {
        assert_eq!(error(text), message, "{text:?}");
    }
}

#[test]
fn hostile_nesting_is_refused() {
    let many = 100_000;
    for (text, message) in [
        ("(".repeat(many), "brackets nest deeper"),
        ("-".repeat(many) + "x", "expressions nest deeper"),
        ("not ".repeat(many) + "x", "expressions nest deeper"),
        ("a ** ".repeat(many) + "a", "expressions nest deeper"),
        ("lambda: ".repeat(many) + "a", "expressions nest deeper"),
        ("a if b else ".repeat(many) + "a", "expressions nest deeper"),
        ("a + ".repeat(many) + "a", "the expression is deeper"),
        ("a.".repeat(many) + "a", "the expression is deeper"),
        ("a".to_owned() + &"()".repeat(many), "the expression is deeper"),
        ("a".to_owned() + &"[0]".repeat(many), "the expression is deeper"),
        ((0..3000).map(|i| " ".repeat(i) + "if a:\n").collect(), "blocks nest deeper"),
        ("if a:\n b\n".to_owned() + &"elif a:\n b\n".repeat(many), "statements nest deeper"),
        (("(".to_owned() + &"a + ".repeat(300)).repeat(190) + "a" + &")".repeat(190), "the expression is deeper"),
    ] {
        assert!(error(&text).contains(message), "{}: {}", &text[..20], error(&text));
    }
    // Wide is not deep.
    for text in ["a < ".repeat(many) + "a", "f(".to_owned() + &"a, ".repeat(many) + ")", "a = ".repeat(many) + "1"] {
        assert_eq!(script::parse("t", &text).expect("wide").body.len(), 1);
    }
}

/// Pieces of programs, and of what is none.
const PIECES: &[&str] = &[
    "def f(x):",
    "class C:",
    "if x:",
    "else:",
    "elif é:",
    "for i in",
    "while",
    "with a as b:",
    "try:",
    "except E as e:",
    "return",
    "lambda",
    "\n",
    "\n    ",
    "\n        ",
    " ",
    "  ",
    "\t",
    "(",
    ")",
    "[",
    "]",
    "{",
    "}",
    ":",
    ",",
    ".",
    ";",
    "=",
    ":=",
    "->",
    "**",
    "//",
    "-",
    "not",
    "in",
    "is",
    "x",
    "é",
    "日本",
    "self",
    "1",
    "1.",
    "0x",
    "1e5",
    "2j",
    "'",
    "\"",
    "\"\"\"",
    "f'{",
    "f\"",
    "rb'",
    "{é!r:>",
    "}",
    "\\",
    "\\n",
    "\\x4",
    "\\303",
    "# é",
    "# type: int",
    "# type: (int, é) -> x",
    "@",
    "*",
    "/",
    "async",
    "await",
    "yield",
    "match x:",
    "case _:",
    "import a.é",
    "from . import",
    "global",
    "pass",
];

proptest::proptest! {
    #![proptest_config(proptest::prelude::ProptestConfig::with_cases(4000))]
    #[test]
    fn no_text_ends_the_process(pieces in proptest::collection::vec(proptest::sample::select(PIECES), 0..40)) {
        use sconce_source::{Loc, SourceText};
        use sconce_syntax::script::report::CallStack;
        let text = pieces.concat();
        let _ = script::dump_tokens("t", &text);
        for (dialect, read) in [(script::Dialect::Python, script::parse as fn(&str, &str) -> _), (script::Dialect::Archive, script::parse_archive)] {
            let module: Module = match read("t", &text) {
                Ok(module) => module,
                Err(error) => {
                    error.report(false);
                    continue;
                }
            };
            let printed = script::print(&module, dialect);
            proptest::prop_assert_eq!(&read("printed", &printed).expect("printed"), &module);
            for statement in &module.body {
                script::sexpr::statement(statement);
                if let StmtKind::Def(def) = &statement.kind {
                    let source = SourceText::file("t", text.as_str());
                    Loc::new(&source, def.span).within(def.source).highlight();
                    if let Err(refusal) = script::frontend::check(def, &text) {
                        let _ = refusal.report(&source, def.source, &CallStack::default()).to_string();
                    }
                }
            }
        }
    }
}
