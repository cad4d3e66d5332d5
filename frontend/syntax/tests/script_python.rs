//! Tokens and trees are those that Python and PyTorch make of the same text, as `recorded/record.py` recorded them.

use sconce_corpus::Corpus;
use sconce_syntax::script::{self, Dialect, sexpr, tree::*};

fn recorded() -> Corpus {
    sconce_corpus::testdata("python").expect("packed")
}

fn programs() -> Corpus {
    sconce_corpus::testdata("programs").expect("packed")
}

/// The tree with every operator in brackets, as `record.py` prints it.
fn shape(value: &Expr) -> String {
    let many = |items: &[Expr]| items.iter().map(shape).collect::<Vec<_>>().join(",");
    match &value.kind {
        ExprKind::Var(name) => name.name.clone(),
        ExprKind::Number(number) => number.text.clone(),
        ExprKind::True => "True".to_owned(),
        ExprKind::None => "None".to_owned(),
        ExprKind::Ellipsis => "...".to_owned(),
        ExprKind::Binary(op, left, right) => format!("({}{}{})", shape(left), sign(*op), shape(right)),
        ExprKind::Unary(op, operand) => {
            let sign = match op {
                UnaryOp::Not => "not ",
                UnaryOp::Neg => "-",
                UnaryOp::Pos => "+",
                UnaryOp::Invert => "~",
            };
            format!("({sign}{})", shape(operand))
        }
        ExprKind::And(left, right) => format!("({} and {})", shape(left), shape(right)),
        ExprKind::Or(left, right) => format!("({} or {})", shape(left), shape(right)),
        ExprKind::Compare(first, rest) => {
            let rest: String =
                rest.iter().map(|(op, right)| format!(" {} {}", comparison(*op), shape(right))).collect();
            format!("({}{rest})", shape(first))
        }
        ExprKind::IfExp { condition, then, otherwise } => {
            format!("({} if {} else {})", shape(then), shape(condition), shape(otherwise))
        }
        ExprKind::Lambda(lambda) => {
            let params: Vec<_> = lambda.params.iter().map(|p| p.name.name.as_str()).collect();
            format!("(lambda {}:{})", params.join(","), shape(&lambda.body))
        }
        ExprKind::Named(name, value) => format!("({}:={})", name.name, shape(value)),
        ExprKind::Select(object, name) => format!("{}.{}", shape(object), name.name),
        ExprKind::Apply(apply) => {
            let keywords = apply.kwargs.iter().map(|keyword| match &keyword.name {
                Some(name) => format!("{}={}", name.name, shape(&keyword.value)),
                None => format!("**{}", shape(&keyword.value)),
            });
            let all: Vec<_> = apply.args.iter().map(shape).chain(keywords).collect();
            format!("{}({})", shape(&apply.callee), all.join(","))
        }
        ExprKind::Subscript(object, items) => {
            let bound = |b: &Option<Expr>| b.as_ref().map(shape).unwrap_or_default();
            let items = items.iter().map(|item| match item {
                Index::At(value) => shape(value),
                Index::Slice { start, stop, step, .. } => format!("{}:{}:{}", bound(start), bound(stop), bound(step)),
            });
            format!("{}[{}]", shape(object), items.collect::<Vec<_>>().join(","))
        }
        ExprKind::Starred(value) => format!("*{}", shape(value)),
        ExprKind::List(items) => format!("[{}]", many(items)),
        ExprKind::Tuple(items) => format!("({},)", many(items)),
        ExprKind::Set(items) => format!("{{{}}}", many(items)),
        ExprKind::Dict(items) => {
            let item = |(key, value): &(Option<Expr>, Expr)| match key {
                Some(key) => format!("{}:{}", shape(key), shape(value)),
                None => format!("**{}", shape(value)),
            };
            format!("{{{}}}", items.iter().map(item).collect::<Vec<_>>().join(","))
        }
        ExprKind::ListComp(c) => format!("[{}{}]", shape(&c.element), clauses(c)),
        ExprKind::SetComp(c) => format!("{{{}{}}}", shape(&c.element), clauses(c)),
        ExprKind::GeneratorExp(c) => format!("({}{})", shape(&c.element), clauses(c)),
        ExprKind::DictComp(key, c) => format!("{{{}:{}{}}}", shape(key), shape(&c.element), clauses(c)),
        other => panic!("no random expression holds {other:?}"),
    }
}

fn clauses(value: &Comprehension) -> String {
    let clause = |c: &Clause| {
        let conditions: String = c.conditions.iter().map(|c| format!(" if {}", shape(c))).collect();
        format!(" for {} in {}{conditions}", shape(&c.target), shape(&c.iter))
    };
    value.clauses.iter().map(clause).collect()
}

fn sign(op: BinaryOp) -> &'static str {
    use BinaryOp::*;
    match op {
        Add => "+",
        Sub => "-",
        Mul => "*",
        Div => "/",
        FloorDiv => "//",
        Mod => "%",
        Pow => "**",
        MatMul => "@",
        LShift => "<<",
        RShift => ">>",
        BitAnd => "&",
        BitOr => "|",
        BitXor => "^",
    }
}

fn comparison(op: CompareOp) -> &'static str {
    use CompareOp::*;
    match op {
        Eq => "==",
        Ne => "!=",
        Lt => "<",
        Le => "<=",
        Gt => ">",
        Ge => ">=",
        Is => "is",
        IsNot => "is not",
        In => "in",
        NotIn => "not in",
    }
}

#[test]
fn random_expressions_have_the_shape_of_pythons_ast() {
    let recorded = recorded();
    let (mut read, mut refused) = (0, 0);
    for line in recorded.text("expressions.txt").expect("recorded").lines() {
        let (text, expected) = line.split_once('\t').expect("text and shape");
        match script::parse_expression("t", text) {
            Ok(tree) => {
                assert_eq!(shape(&tree), expected, "{text}");
                let printed = script::print_expression(&tree, Dialect::Python);
                assert_eq!(script::parse_expression("printed", &printed), Ok(tree), "{text} printed {printed}");
                read += 1;
            }
            Err(error) => {
                assert_eq!(expected, "!", "{text}: {error}");
                refused += 1;
            }
        }
    }
    println!("{read} expressions read, {refused} refused, all as by Python");
    assert!(read > 10_000 && refused > 1000);
}

#[test]
fn tokens_are_pythons() {
    let (recorded, programs) = (recorded(), programs());
    let mut files = 0;
    for (path, expected) in recorded.below("tokens/") {
        let name = path.trim_start_matches("tokens/");
        let source = programs.text(&format!("{name}/source.py")).or(recorded.text(name)).expect("its source");
        let dump = script::dump_tokens(name, source).expect("a program");
        assert!(dump.as_bytes() == expected, "{name}: {dump}");
        files += 1;
    }
    println!("{files} files");
    assert!(files > 700);
}

/// All functions and methods, each headed as `record.py` heads it.
fn trees(source: &str, body: &[Stmt], class: Option<&str>, out: &mut Vec<(String, String)>) {
    for statement in body {
        match &statement.kind {
            StmtKind::Class(inner) => trees(source, &inner.body, Some(&inner.name.name), out),
            StmtKind::Def(def) => {
                let mut def = def.clone();
                // PyTorch's Python frontend takes default values from the function itself.
                def.params.iter_mut().for_each(|p| p.default = None);
                let line = 1 + source[..def.source.start as usize].matches('\n').count();
                let head = format!("== {}.{} {line}", class.unwrap_or_default(), def.name.name);
                out.push((head, sexpr::function(&def, class)));
            }
            _ => {}
        }
    }
}

#[test]
fn functions_print_as_pytorchs_trees() {
    let (recorded, programs) = (recorded(), programs());
    let mut functions = 0;
    for (path, expected) in recorded.below("trees/") {
        let name = path.trim_start_matches("trees/");
        let source = programs.text(&format!("{name}/source.py")).expect("a program");
        let module = script::parse(name, source).expect("a program");
        let mut printed = Vec::new();
        trees(source, &module.body, None, &mut printed);
        let expected = String::from_utf8_lossy(expected);
        for function in ["\n", &expected].concat().split("\n== ").skip(1) {
            let (head, tree) = function.split_once('\n').expect("a head and a tree");
            let own = printed.iter().find(|(own, _)| own.strip_prefix("== ") == Some(head));
            assert_eq!(own.map(|(_, tree)| tree.as_str()), Some(tree.trim_end()), "{name}: {head}");
            functions += 1;
        }
    }
    println!("{functions} functions");
    assert!(functions > 700);
}

#[test]
fn a_difference_prints_as_an_s_expression() {
    let tree = script::parse_expression("t", "z.sigmoid() - (x + y)").expect("an expression");
    let expected = "(-
  (apply
    (.
      (variable (ident z))
      (ident sigmoid))
    (list)
    (list))
  (+
    (variable (ident x))
    (variable (ident y))))";
    assert_eq!(sexpr::expression(&tree), expected);
}

#[test]
fn programs_print_and_read_back() {
    let programs = programs();
    let mut texts = 0;
    let mut check = |name: &str, text: &str, dialect: Dialect| {
        let read = if dialect == Dialect::Archive { script::parse_archive } else { script::parse };
        let tree = read(name, text).expect("recorded");
        let printed = script::print(&tree, dialect);
        assert!(read("printed", &printed).expect("printed") == tree, "{name}: {printed}");
        texts += 1;
    };
    for (path, bytes) in programs.below("") {
        let text = String::from_utf8_lossy(bytes);
        if path.ends_with("/source.py") {
            check(path, &text, Dialect::Python);
        } else if path.ends_with("/code.txt") {
            for part in ["\n", &text].concat().split("\n== ").skip(1) {
                let (name, code) = part.split_once('\n').expect("a name and its text");
                check(name, &format!("{code}\n"), Dialect::Archive);
            }
        }
    }
    println!("{texts} texts");
    assert!(texts > 1200);
}
