//! Trees print as source text that reads back as the same tree.

mod strings;

use super::Dialect;
use super::tree::*;

/// A file's text.
pub fn print(module: &Module, dialect: Dialect) -> String {
    let mut printer = Printer { out: String::new(), indent: 0, dialect, inside_field: false };
    printer.block(&module.body);
    printer.out
}

/// An expression's text.
pub fn print_expression(value: &Expr, dialect: Dialect) -> String {
    let mut printer = Printer { out: String::new(), indent: 0, dialect, inside_field: false };
    printer.expr(value, Level::Any);
    printer.out
}

/// How tightly an expression binds, loosest first.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Level {
    Any,
    Ternary,
    Or,
    And,
    Not,
    Comparison,
    BitOr,
    BitXor,
    BitAnd,
    Shift,
    Sum,
    Product,
    Sign,
    Power,
    Await,
    Primary,
}

impl Level {
    /// The next tighter level.
    fn tighter(self) -> Level {
        use Level::*;
        match self {
            Any => Ternary,
            Ternary => Or,
            Or => And,
            And => Not,
            Not => Comparison,
            Comparison => BitOr,
            BitOr => BitXor,
            BitXor => BitAnd,
            BitAnd => Shift,
            Shift => Sum,
            Sum => Product,
            Product => Sign,
            Sign => Power,
            Power => Await,
            Await | Primary => Primary,
        }
    }

    fn of(kind: &ExprKind) -> Level {
        match kind {
            ExprKind::Named(..) | ExprKind::Starred(_) => Level::Any,
            ExprKind::IfExp { .. } | ExprKind::Lambda(_) => Level::Ternary,
            ExprKind::Or(..) => Level::Or,
            ExprKind::And(..) => Level::And,
            ExprKind::Unary(UnaryOp::Not, _) => Level::Not,
            ExprKind::Compare(..) => Level::Comparison,
            ExprKind::Binary(op, ..) => sign_of(*op).1,
            ExprKind::Unary(..) => Level::Sign,
            ExprKind::Unsupported("await", _) => Level::Await,
            _ => Level::Primary,
        }
    }
}

fn sign_of(op: BinaryOp) -> (&'static str, Level) {
    match op {
        BinaryOp::Add => ("+", Level::Sum),
        BinaryOp::Sub => ("-", Level::Sum),
        BinaryOp::Mul => ("*", Level::Product),
        BinaryOp::Div => ("/", Level::Product),
        BinaryOp::FloorDiv => ("//", Level::Product),
        BinaryOp::Mod => ("%", Level::Product),
        BinaryOp::Pow => ("**", Level::Power),
        BinaryOp::MatMul => ("@", Level::Product),
        BinaryOp::LShift => ("<<", Level::Shift),
        BinaryOp::RShift => (">>", Level::Shift),
        BinaryOp::BitAnd => ("&", Level::BitAnd),
        BinaryOp::BitOr => ("|", Level::BitOr),
        BinaryOp::BitXor => ("^", Level::BitXor),
    }
}

fn comparison_sign(op: CompareOp) -> &'static str {
    match op {
        CompareOp::Eq => "==",
        CompareOp::Ne => "!=",
        CompareOp::Lt => "<",
        CompareOp::Le => "<=",
        CompareOp::Gt => ">",
        CompareOp::Ge => ">=",
        CompareOp::Is => "is",
        CompareOp::IsNot => "is not",
        CompareOp::In => "in",
        CompareOp::NotIn => "not in",
    }
}

/// The comment that the types came from: the types themselves stand with parameters and arrow.
fn signature_comment(def: &Def) -> Option<String> {
    match &def.type_comment_problem {
        Some(TypeCommentProblem::Syntax { line, .. }) => Some(line.clone()),
        Some(TypeCommentProblem::Count { given, .. }) => Some(format!("# type: ({})", "Any, ".repeat(*given))),
        None if def.type_comment => Some("# type: (...)".to_owned()),
        None => None,
    }
}

struct Printer {
    out: String,
    indent: usize,
    dialect: Dialect,
    /// Inside a field of a formatted string, where no backslash may stand.
    inside_field: bool,
}

impl Printer {
    fn put(&mut self, text: &str) {
        self.out.push_str(text);
    }

    fn begin_line(&mut self) {
        self.out.extend(std::iter::repeat_n(' ', 4 * self.indent));
    }

    fn separated<T>(&mut self, items: &[T], mut print: impl FnMut(&mut Self, &T)) {
        for (i, item) in items.iter().enumerate() {
            if i > 0 {
                self.put(", ");
            }
            print(self, item);
        }
    }

    fn block(&mut self, body: &[Stmt]) {
        body.iter().for_each(|statement| self.stmt(statement));
    }

    fn indented(&mut self, body: &[Stmt]) {
        self.put(":\n");
        self.indent += 1;
        if body.is_empty() {
            self.begin_line();
            self.put("pass\n");
        }
        self.block(body);
        self.indent -= 1;
    }

    /// A word and its block, if the block holds anything.
    fn branch(&mut self, word: &str, body: &[Stmt]) {
        if !body.is_empty() {
            self.begin_line();
            self.put(word);
            self.indented(body);
        }
    }

    fn stmt(&mut self, statement: &Stmt) {
        match &statement.kind {
            StmtKind::Def(def) => return self.def(def),
            StmtKind::Class(class) => return self.class(class),
            _ => self.begin_line(),
        }
        match &statement.kind {
            StmtKind::If { condition, then, otherwise } => self.if_stmt(condition, then, otherwise),
            StmtKind::While { condition, body, otherwise } => {
                self.word("while ", condition);
                self.indented(body);
                self.branch("else", otherwise);
            }
            StmtKind::For { target, iter, body, otherwise } => {
                self.word("for ", target);
                self.word(" in ", iter);
                self.indented(body);
                self.branch("else", otherwise);
            }
            StmtKind::With { items, body } => self.with(items, body),
            StmtKind::Try { body, handlers, otherwise, finally } => {
                self.put("try");
                self.indented(body);
                handlers.iter().for_each(|handler| self.handler(handler));
                self.branch("else", otherwise);
                self.branch("finally", finally);
            }
            StmtKind::Expr(Expr { kind: ExprKind::Unsupported("match", subject), .. }) => self.match_stmt(subject),
            kind => {
                self.simple(kind);
                self.put("\n");
            }
        }
    }

    fn match_stmt(&mut self, subject: &[Expr]) {
        self.put("match ");
        self.separated(subject, |p, value| p.expr(value, Level::Primary));
        self.put(":\n");
        self.indent += 1;
        self.begin_line();
        self.put("case _: pass\n");
        self.indent -= 1;
    }

    fn word(&mut self, word: &str, value: &Expr) {
        self.put(word);
        self.expr(value, Level::Ternary);
    }

    fn if_stmt(&mut self, condition: &Expr, then: &[Stmt], otherwise: &[Stmt]) {
        self.word("if ", condition);
        self.indented(then);
        let mut otherwise = otherwise;
        while let [Stmt { kind: StmtKind::If { condition, then, otherwise: rest }, .. }] = otherwise {
            self.begin_line();
            self.word("elif ", condition);
            self.indented(then);
            otherwise = rest;
        }
        self.branch("else", otherwise);
    }

    fn with(&mut self, items: &[WithItem], body: &[Stmt]) {
        self.put("with ");
        self.separated(items, |p, item| {
            // Brackets around the first item alone would be taken for brackets around all items.
            p.put("(");
            p.expr(&item.context, Level::Ternary);
            p.put(")");
            if let Some(target) = &item.target {
                p.word(" as ", target);
            }
        });
        self.indented(body);
    }

    fn handler(&mut self, handler: &Handler) {
        self.begin_line();
        self.put("except");
        if let Some(class) = &handler.class {
            self.word(" ", class);
        }
        if let Some(name) = &handler.name {
            self.put(" as ");
            self.put(&name.name);
        }
        self.indented(&handler.body);
    }

    fn simple(&mut self, kind: &StmtKind) {
        match kind {
            StmtKind::Expr(value) => self.expr(value, Level::Ternary),
            StmtKind::Assign { targets, value, type_comment } => {
                for target in targets {
                    self.expr(target, Level::Ternary);
                    self.put(" = ");
                }
                self.expr(value, Level::Ternary);
                if let Some(ty) = type_comment {
                    let text = print_expression(ty, self.dialect);
                    // A type that begins like `# type: ignore` would be.
                    let (open, close) = if text.starts_with("ignore") { ("(", ")") } else { ("", "") };
                    self.put(&format!("  # type: {open}{text}{close}"));
                }
            }
            StmtKind::AnnAssign { target, annotation, value } => {
                self.expr(target, Level::Ternary);
                self.word(": ", annotation);
                if let Some(value) = value {
                    self.word(" = ", value);
                }
            }
            StmtKind::AugAssign { target, op, value } => {
                self.expr(target, Level::Ternary);
                self.put(" ");
                self.put(sign_of(*op).0);
                self.word("= ", value);
            }
            StmtKind::Return(value) => self.optional("return", value.as_ref()),
            StmtKind::Raise { exception, cause } => {
                self.optional("raise", exception.as_ref());
                if let Some(cause) = cause {
                    self.word(" from ", cause);
                }
            }
            StmtKind::Assert { test, message } => {
                self.word("assert ", test);
                if let Some(message) = message {
                    self.word(", ", message);
                }
            }
            StmtKind::Break => self.put("break"),
            StmtKind::Continue => self.put("continue"),
            StmtKind::Delete(targets) => {
                self.put("del ");
                self.separated(targets, |p, target| p.expr(target, Level::Ternary));
            }
            StmtKind::Import(names) => {
                self.put("import ");
                self.aliases(names);
            }
            StmtKind::ImportFrom { level, module, names } => {
                self.put("from ");
                self.put(&".".repeat(*level as usize));
                self.path(module);
                self.put(" import ");
                self.aliases(names);
            }
            StmtKind::Global(names) | StmtKind::Nonlocal(names) => {
                self.put(if matches!(kind, StmtKind::Global(_)) { "global " } else { "nonlocal " });
                self.separated(names, |p, name| p.put(&name.name));
            }
            _ => self.put("pass"),
        }
    }

    fn optional(&mut self, word: &str, value: Option<&Expr>) {
        self.put(word);
        if let Some(value) = value {
            self.word(" ", value);
        }
    }

    fn path(&mut self, names: &[Ident]) {
        let path: Vec<_> = names.iter().map(|name| name.name.as_str()).collect();
        self.put(&path.join("."));
    }

    fn aliases(&mut self, names: &[Alias]) {
        self.separated(names, |p, alias| {
            p.path(&alias.path);
            if let Some(name) = &alias.name {
                p.put(" as ");
                p.put(&name.name);
            }
        });
    }

    fn decorators(&mut self, decorators: &[Expr]) {
        for decorator in decorators {
            self.begin_line();
            self.word("@", decorator);
            self.put("\n");
        }
    }

    fn def(&mut self, def: &Def) {
        self.decorators(&def.decorators);
        self.begin_line();
        self.put(if def.is_async { "async def " } else { "def " });
        self.put(&def.name.name);
        self.put("(");
        self.params(&def.params);
        self.put(")");
        let comment = signature_comment(def);
        if let Some(returns) = &def.returns {
            self.word(" -> ", returns);
        }
        self.put(":\n");
        self.indent += 1;
        if let Some(comment) = comment {
            self.begin_line();
            self.put(&comment);
            self.put("\n");
        }
        self.definition_body(def.docstring.as_deref(), &def.body);
        self.indent -= 1;
    }

    fn definition_body(&mut self, docstring: Option<&[u8]>, body: &[Stmt]) {
        if let Some(text) = docstring {
            self.begin_line();
            self.string(text, "");
            self.put("\n");
        } else if body.is_empty() {
            self.begin_line();
            self.put("pass\n");
        }
        self.block(body);
    }

    fn class(&mut self, class: &ClassDef) {
        self.decorators(&class.decorators);
        self.begin_line();
        self.put("class ");
        self.put(&class.name.name);
        if !class.bases.is_empty() || !class.keywords.is_empty() {
            self.put("(");
            self.arguments(&class.bases, &class.keywords);
            self.put(")");
        }
        self.put(":\n");
        self.indent += 1;
        self.definition_body(class.docstring.as_deref(), &class.body);
        self.indent -= 1;
    }

    fn params(&mut self, params: &[Param]) {
        let rest = params.iter().any(|p| p.kind == ParamKind::Rest);
        for (i, param) in params.iter().enumerate() {
            let before = i.checked_sub(1).and_then(|i| params.get(i)).map(|p| p.kind);
            if i > 0 {
                self.put(", ");
            }
            if before == Some(ParamKind::PositionalOnly) && param.kind != ParamKind::PositionalOnly {
                self.put("/, ");
            }
            if param.kind == ParamKind::KeywordOnly && before != Some(ParamKind::KeywordOnly) && !rest {
                self.put("*, ");
            }
            self.put(match param.kind {
                ParamKind::Rest => "*",
                ParamKind::Keywords => "**",
                _ => "",
            });
            self.put(&param.name.name);
            if let Some(annotation) = &param.annotation {
                // A starred type stands only where it may.
                self.put(": ");
                self.expr(annotation, if param.kind == ParamKind::Rest { Level::Any } else { Level::Ternary });
            }
            if let Some(default) = &param.default {
                self.word("=", default);
            }
        }
        if params.last().is_some_and(|p| p.kind == ParamKind::PositionalOnly) {
            self.put(", /");
        }
    }

    fn arguments(&mut self, args: &[Expr], kwargs: &[Keyword]) {
        self.separated(args, |p, arg| p.item(arg));
        if !args.is_empty() && !kwargs.is_empty() {
            self.put(", ");
        }
        self.separated(kwargs, |p, keyword| {
            match &keyword.name {
                Some(name) => {
                    p.put(&name.name);
                    p.put("=");
                }
                None => p.put("**"),
            }
            p.expr(&keyword.value, Level::Ternary);
        });
    }

    /// An element of a call, a list, …: also a starred one.
    fn item(&mut self, value: &Expr) {
        match &value.kind {
            ExprKind::Starred(value) => {
                self.put("*");
                self.expr(value, Level::BitOr);
            }
            _ => self.expr(value, Level::Ternary),
        }
    }

    /// An expression, in brackets if it binds less tightly than `least`.
    fn expr(&mut self, value: &Expr, least: Level) {
        let level = Level::of(&value.kind);
        // Only a star may not stand in brackets, and where it stands, any level may.
        let brackets = level < least && !matches!(value.kind, ExprKind::Starred(_));
        if brackets {
            self.put("(");
        }
        self.bare(value, level);
        if brackets {
            self.put(")");
        }
    }

    fn bare(&mut self, value: &Expr, level: Level) {
        match &value.kind {
            ExprKind::Var(name) => self.put(&name.name),
            ExprKind::Number(number) => self.put(&number.text),
            ExprKind::Str(text) => self.string(text, ""),
            ExprKind::FString(parts) => self.fstring(parts),
            ExprKind::True => self.put("True"),
            ExprKind::False => self.put("False"),
            ExprKind::None => self.put("None"),
            ExprKind::Ellipsis => self.put("..."),
            ExprKind::Unary(op, operand) => {
                self.put(match op {
                    UnaryOp::Not => "not ",
                    UnaryOp::Neg => "-",
                    UnaryOp::Pos => "+",
                    UnaryOp::Invert => "~",
                });
                self.expr(operand, level);
            }
            ExprKind::Binary(BinaryOp::Pow, left, right) => self.infix(left, Level::Await, "**", right, Level::Sign),
            ExprKind::Binary(op, left, right) => self.infix(left, level, sign_of(*op).0, right, level.tighter()),
            ExprKind::And(left, right) => self.infix(left, level, "and", right, level.tighter()),
            ExprKind::Or(left, right) => self.infix(left, level, "or", right, level.tighter()),
            ExprKind::Compare(first, rest) => {
                self.expr(first, Level::BitOr);
                for (op, right) in rest {
                    self.put(" ");
                    self.put(comparison_sign(*op));
                    self.put(" ");
                    self.expr(right, Level::BitOr);
                }
            }
            ExprKind::IfExp { condition, then, otherwise } => {
                self.expr(then, Level::Or);
                self.put(" if ");
                self.expr(condition, Level::Or);
                self.put(" else ");
                self.expr(otherwise, Level::Ternary);
            }
            ExprKind::Select(object, name) => {
                self.object(object);
                self.put(".");
                self.put(&name.name);
            }
            ExprKind::Apply(apply) => {
                self.object(&apply.callee);
                self.put("(");
                self.arguments(&apply.args, &apply.kwargs);
                self.put(")");
            }
            ExprKind::Subscript(object, items) => self.subscript(object, items),
            ExprKind::Starred(_) => self.item(value),
            ExprKind::Lambda(lambda) => {
                self.put(if lambda.params.is_empty() { "lambda" } else { "lambda " });
                self.params(&lambda.params);
                self.word(": ", &lambda.body);
            }
            ExprKind::Named(name, value) => {
                self.put(&name.name);
                self.word(" := ", value);
            }
            ExprKind::Unsupported(word, values) => self.unsupported(word, values),
            kind => self.display(kind),
        }
    }

    fn infix(&mut self, left: &Expr, left_level: Level, sign: &str, right: &Expr, right_level: Level) {
        self.expr(left, left_level);
        self.put(" ");
        self.put(sign);
        self.put(" ");
        self.expr(right, right_level);
    }

    /// What something is selected from; a number's own point would swallow the dot.
    fn object(&mut self, value: &Expr) {
        if matches!(value.kind, ExprKind::Number(_)) {
            self.put("(");
            self.expr(value, Level::Any);
            self.put(")");
        } else {
            self.expr(value, Level::Primary);
        }
    }

    fn subscript(&mut self, object: &Expr, items: &[Index]) {
        self.object(object);
        self.put("[");
        self.separated(items, |p, item| match item {
            Index::At(value) => p.item(value),
            Index::Slice { start, stop, step, .. } => {
                let bound = |p: &mut Self, value: &Option<Expr>| value.iter().for_each(|v| p.expr(v, Level::Ternary));
                bound(p, start);
                p.put(":");
                bound(p, stop);
                if step.is_some() {
                    p.put(":");
                    bound(p, step);
                }
            }
        });
        if let [Index::At(Expr { kind: ExprKind::Tuple(elements), .. })] = items
            && !elements.is_empty()
        {
            self.put(",");
        }
        self.put("]");
    }

    /// What has brackets of its own.
    fn display(&mut self, kind: &ExprKind) {
        match kind {
            ExprKind::List(items) => self.bracketed("[", items, "]"),
            ExprKind::Set(items) => self.bracketed("{", items, "}"),
            ExprKind::Tuple(items) => self.bracketed("(", items, if items.len() == 1 { ",)" } else { ")" }),
            ExprKind::ListComp(c) => self.comprehension("[", None, c, "]"),
            ExprKind::SetComp(c) => self.comprehension("{", None, c, "}"),
            ExprKind::GeneratorExp(c) => self.comprehension("(", None, c, ")"),
            ExprKind::DictComp(key, c) => self.comprehension("{", Some(key), c, "}"),
            ExprKind::Dict(items) => {
                self.put("{");
                self.separated(items, |p, (key, value)| {
                    match key {
                        Some(key) => {
                            p.expr(key, Level::Ternary);
                            p.put(": ");
                        }
                        None => p.put("**"),
                    }
                    p.expr(value, Level::Ternary);
                });
                self.put("}");
            }
            _ => {}
        }
    }

    fn bracketed(&mut self, open: &str, items: &[Expr], close: &str) {
        self.put(open);
        self.separated(items, |p, item| p.item(item));
        self.put(close);
    }

    fn comprehension(&mut self, open: &str, key: Option<&Expr>, value: &Comprehension, close: &str) {
        self.put(open);
        if let Some(key) = key {
            self.expr(key, Level::Ternary);
            self.put(": ");
        }
        self.expr(&value.element, Level::Ternary);
        for clause in &value.clauses {
            self.word(" for ", &clause.target);
            self.put(" in ");
            self.expr(&clause.iter, Level::Or);
            for condition in &clause.conditions {
                self.put(" if ");
                self.expr(condition, Level::Or);
            }
        }
        self.put(close);
    }

    fn unsupported(&mut self, word: &str, values: &[Expr]) {
        match (word, values) {
            ("bytes", [Expr { kind: ExprKind::Str(text), .. }]) => self.string(text, "b"),
            ("await", [value]) => {
                self.put("await ");
                self.object(value);
            }
            _ => {
                self.put("(");
                self.put(word);
                for value in values {
                    self.word(" ", value);
                }
                self.put(")");
            }
        }
    }
}
