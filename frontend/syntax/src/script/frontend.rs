//! What of Python a function may not hold: refused before anything is compiled, in the order, at the places and in the words of PyTorch's frontend.

use super::report::{CallStack, Report};
use super::tree::*;
use crate::Span;
use sconce_source::{Loc, SourceText};
use std::sync::Arc;

/// The first thing of a function that is no TorchScript.
#[derive(Clone, PartialEq, Debug)]
pub struct Refusal {
    pub message: String,
    pub place: Place,
    /// PyTorch raises these in its Python frontend, the others in its compiler: the reports begin differently.
    pub by_frontend: bool,
}

/// Where a refused thing stands.
#[derive(Clone, PartialEq, Debug)]
pub enum Place {
    /// In the parsed text.
    Span(Span),
    /// In a line of its own, that of a type comment.
    Line { text: String, span: Span },
    /// The message has the lines that it is about.
    Said,
}

impl Refusal {
    /// What PyTorch prints; `lines` of the parsed text are the function's.
    pub fn report(&self, source: &Arc<SourceText>, lines: Span, stack: &CallStack) -> Report {
        let place = match &self.place {
            Place::Span(span) => Some(Loc::new(source, *span).within(lines)),
            Place::Line { text, span } => Some(Loc::new(&SourceText::nameless(text), *span)),
            Place::Said => None,
        };
        if self.by_frontend { stack.frontend_report(place, &self.message) } else { stack.report(place, &self.message) }
    }
}

type Result = std::result::Result<(), Box<Refusal>>;

const VARIADIC: &str =
    "Compiled functions can't take variable number of arguments or use keyword-only arguments with defaults";

fn refuse(span: Span, message: impl Into<String>) -> Result {
    Err(Box::new(Refusal { message: message.into(), place: Place::Span(span), by_frontend: true }))
}

/// Refuses a kind of node; PyTorch underlines as many bytes as the kind's first word has.
fn unsupported(start: u32, name: &str, word: &str) -> Result {
    let span = Span { start, end: start + word.len() as u32 };
    refuse(span, format!("{name} aren't supported"))
}

/// Does the function hold only what TorchScript knows? `text` is what it was parsed from.
pub fn check(def: &Def, text: &str) -> Result {
    let type_lines = type_lines(def, text);
    if type_lines.len() > 1 {
        several_type_lines(&type_lines)?;
    }
    parameters(def)?;
    if let Some(returns) = &def.returns {
        expression(returns)?;
    }
    type_comment(def)?;
    if let [line] = type_lines.as_slice() {
        only_type_line(def, line)?;
    }
    Check { function: &def.name.name, text }.statements(&def.body)
}

fn parameters(def: &Def) -> Result {
    // Python counts the star to the parameter.
    let starred = |kind| def.params.iter().find(|p| p.kind == kind);
    if let Some(param) = starred(ParamKind::Keywords).or(starred(ParamKind::Rest)) {
        let span = Span { start: param.name.span.start.saturating_sub(1), end: param.name.span.end };
        return refuse(span, VARIADIC);
    }
    let named = || def.params.iter().filter(|p| p.kind == ParamKind::KeywordOnly);
    if let Some(default) = named().find_map(|p| p.default.as_ref()) {
        expression(default)?;
        return refuse(default.span, VARIADIC);
    }
    def.params.iter().filter_map(|p| p.annotation.as_ref()).try_for_each(expression)
}

/// The lines of a function that say `# type:`, but for `# type: ignore`: PyTorch takes each for a part of the signature, wherever it stands.
fn type_lines<'t>(def: &Def, text: &'t str) -> Vec<&'t str> {
    let source = text.get(def.source.start as usize..def.source.end as usize).unwrap_or_default();
    let says_type = |line: &&str| {
        line.split_once("# type:").is_some_and(|(_, said)| {
            let said = said.trim();
            !(said == "ignore" || said.starts_with("ignore[") || said.starts_with("ignore "))
        })
    };
    source.lines().filter(says_type).collect()
}

/// Of several lines one must say that the others give the parameters' types.
fn several_type_lines(lines: &[&str]) -> Result {
    if lines.iter().any(|line| line.contains("# type: (...) ->")) {
        return Ok(());
    }
    let message = format!(
        "Return type line '# type: (...) -> ...' not found on multiline type annotation\nfor type lines:\n{}\n(See PEP 484 \
         https://www.python.org/dev/peps/pep-0484/#suggested-syntax-for-python-2-7-and-straddling-code)",
        lines.join("\n")
    );
    Err(Box::new(Refusal { message, place: Place::Said, by_frontend: true }))
}

/// A line by itself is the signature, also where it is a variable's.
fn only_type_line(def: &Def, line: &str) -> Result {
    let line = line.trim();
    if def.type_comment || def.type_comment_problem.is_some() || line.starts_with('#') {
        return Ok(());
    }
    let word = line.find(|c: char| !c.is_alphanumeric() && c != '_').unwrap_or(line.len()).max(1);
    let message = "expected type comment but found 'ident' here".to_owned();
    let span = Span { start: 0, end: word as u32 };
    Err(Box::new(Refusal { message, place: Place::Line { text: line.to_owned(), span }, by_frontend: true }))
}

fn type_comment(def: &Def) -> Result {
    let refusal = match &def.type_comment_problem {
        None => return Ok(()),
        Some(TypeCommentProblem::Syntax { message, line, place }) => Refusal {
            message: message.clone(),
            place: Place::Line { text: line.clone(), span: *place },
            by_frontend: true,
        },
        Some(TypeCommentProblem::Count { given, expected, is_method }) => {
            let what = if *is_method { "method" } else { "function" };
            let message = format!(
                "Number of type annotations ({given}) did not match the number of {what} parameters ({expected})"
            );
            let start = Span { end: def.span.start + "def".len() as u32, ..def.span };
            let span = def.params.iter().fold(start, |span, p| super::range::merge(span, p.name.span));
            Refusal { message, place: Place::Span(span), by_frontend: false }
        }
    };
    Err(Box::new(refusal))
}

struct Check<'a> {
    /// The function's name: `__init__` may declare attributes.
    function: &'a str,
    text: &'a str,
}

impl Check<'_> {
    fn statements(&self, body: &[Stmt]) -> Result {
        body.iter().try_for_each(|statement| self.statement(statement))
    }

    fn statement(&self, statement: &Stmt) -> Result {
        let start = statement.span.start;
        match &statement.kind {
            StmtKind::Expr(value) => expression(value),
            StmtKind::Assign { targets, value, .. } => {
                expression(value)?;
                targets.iter().try_for_each(expression)
            }
            StmtKind::AnnAssign { target, annotation, value } => {
                self.annotated(start, target, annotation, value.as_ref())
            }
            StmtKind::AugAssign { target, op, value } => self.augmented(target, *op, value),
            StmtKind::If { condition, then, otherwise } => {
                expression(condition)?;
                self.statements(then)?;
                self.statements(otherwise)
            }
            StmtKind::While { condition, body, otherwise } => {
                if !otherwise.is_empty() {
                    // PyTorch means to say so, and fails on the missing place.
                    let span = Span { start, end: start + "while".len() as u32 };
                    return refuse(span, "else branches of while loops aren't supported");
                }
                expression(condition)?;
                self.statements(body)
            }
            StmtKind::For { target, iter, body, otherwise } => {
                if !otherwise.is_empty() {
                    let span = Span { start, end: start + "for".len() as u32 };
                    return refuse(span, "else branches of for loops aren't supported");
                }
                expression(target)?;
                expression(iter)?;
                self.statements(body)
            }
            StmtKind::With { items, body } => {
                for item in items {
                    expression(&item.context)?;
                    item.target.iter().try_for_each(expression)?;
                }
                self.statements(body)
            }
            StmtKind::Return(value) => value.iter().try_for_each(expression),
            StmtKind::Raise { exception: Some(exception), .. } => expression(exception),
            StmtKind::Raise { exception: None, .. } => {
                refuse(statement.span, "raising the current exception isn't supported")
            }
            StmtKind::Assert { test, message } => {
                expression(test)?;
                message.iter().try_for_each(expression)
            }
            StmtKind::Delete(targets) => targets.iter().try_for_each(expression),
            StmtKind::Break | StmtKind::Continue | StmtKind::Pass => Ok(()),
            StmtKind::Def(def) if def.is_async => unsupported(start, "async function definitions", "async def"),
            StmtKind::Def(_) => unsupported(start, "function definitions", "def"),
            StmtKind::Class(_) => unsupported(start, "class definitions", "class"),
            StmtKind::Import(_) => unsupported(start, "import statements", "import"),
            StmtKind::ImportFrom { .. } => unsupported(start, "import statements", "from"),
            StmtKind::Global(_) => unsupported(start, "global variables", "global"),
            StmtKind::Nonlocal(_) => unsupported(start, "nonlocal variables", "nonlocal"),
            StmtKind::Try { .. } => unsupported(start, "try blocks", "try"),
        }
    }

    fn annotated(&self, start: u32, target: &Expr, annotation: &Expr, value: Option<&Expr>) -> Result {
        let Some(value) = value else {
            return unsupported(start, "annotated assignments without assigned value", " ");
        };
        if let ExprKind::Select(object, name) = &target.kind
            && matches!(&object.kind, ExprKind::Var(object) if object.name == "self")
            && self.function != "__init__"
        {
            let declared = match &annotation.kind {
                ExprKind::Var(ty) => ": ".len() + ty.name.len(),
                _ => 0,
            };
            let end = start + ("self.".len() + name.name.len() + declared) as u32;
            let message = format!(
                "Type annotations on instance attributes must be declared in __init__, not '{}': SourceRange at",
                self.function
            );
            return refuse(Span { start, end }, message);
        }
        expression(value)?;
        expression(target)?;
        expression(annotation)
    }

    fn augmented(&self, target: &Expr, op: BinaryOp, value: &Expr) -> Result {
        expression(target)?;
        expression(value)?;
        let name = match op {
            BinaryOp::FloorDiv => "FloorDiv",
            BinaryOp::MatMul => "MatMult",
            _ => return Ok(()),
        };
        let before = self.text.get(..value.span.start as usize).unwrap_or_default();
        let equals = before.rfind('=').unwrap_or(before.len());
        refuse(
            Span::new(equals.saturating_sub(1), equals + 1),
            format!("unsupported kind of augmented assignment: {name}"),
        )
    }
}

fn expression(value: &Expr) -> Result {
    let node = |name: &str| unsupported(value.span.start, name, " ");
    match &value.kind {
        ExprKind::Var(name) if name.name.starts_with("__jit") => {
            refuse(name.span, "names of variables used in JIT-ed functions can't start with __jit")
        }
        ExprKind::Var(_)
        | ExprKind::Number(_)
        | ExprKind::Str(_)
        | ExprKind::True
        | ExprKind::False
        | ExprKind::None
        | ExprKind::Ellipsis => Ok(()),
        ExprKind::FString(parts) => fields(value.span.start, parts),
        ExprKind::Unary(op, operand) => {
            expression(operand)?;
            match op {
                // PyTorch means to say so, and fails on the missing place.
                UnaryOp::Pos => refuse(value.span, "unsupported unary operator: UAdd"),
                _ => Ok(()),
            }
        }
        ExprKind::Binary(_, a, b) | ExprKind::And(a, b) | ExprKind::Or(a, b) => {
            expression(a)?;
            expression(b)
        }
        ExprKind::Compare(first, rest) => {
            expression(first)?;
            rest.iter().try_for_each(|(_, operand)| expression(operand))
        }
        ExprKind::IfExp { condition, then, otherwise } => {
            expression(condition)?;
            expression(then)?;
            expression(otherwise)
        }
        ExprKind::Select(object, _) => expression(object),
        ExprKind::Apply(apply) => call(apply),
        ExprKind::Subscript(object, items) => {
            expression(object)?;
            items.iter().try_for_each(index)
        }
        ExprKind::List(items) | ExprKind::Tuple(items) => items.iter().try_for_each(expression),
        ExprKind::Dict(items) => dict(value.span.start, items),
        ExprKind::ListComp(comprehension) | ExprKind::GeneratorExp(comprehension) => {
            clauses(value.span.start, &comprehension.clauses)?;
            expression(&comprehension.element)?;
            comprehension.clauses.iter().try_for_each(clause)
        }
        ExprKind::DictComp(key, comprehension) => {
            clauses(value.span.start, &comprehension.clauses)?;
            expression(key)?;
            expression(&comprehension.element)?;
            comprehension.clauses.iter().try_for_each(clause)
        }
        ExprKind::Starred(value) => expression(value),
        ExprKind::Set(_) => node("Set"),
        ExprKind::SetComp(_) => node("SetComp"),
        ExprKind::Lambda(_) => node("Lambda"),
        ExprKind::Named(..) => node("NamedExpr"),
        ExprKind::Unsupported("bytes", _) => refuse(value.span, "Unknown Constant expression type"),
        ExprKind::Unsupported("yield", _) => node("Yield"),
        ExprKind::Unsupported("yield from", _) => node("YieldFrom"),
        ExprKind::Unsupported("await", _) => node("Await"),
        ExprKind::Unsupported("match", _) => node("Match"),
        ExprKind::Unsupported(word, _) => node(word),
    }
}

fn fields(start: u32, parts: &[FPart]) -> Result {
    let place = Span { start, end: start + 1 };
    parts.iter().try_for_each(|part| match part {
        FPart::Text(_) => Ok(()),
        FPart::Field { conversion: Some(_), .. } => refuse(place, "Don't support conversion in JoinedStr"),
        FPart::Field { format: Some(_), .. } => refuse(place, "Don't support formatting in JoinedStr"),
        FPart::Field { value, .. } => expression(value),
    })
}

fn call(apply: &Apply) -> Result {
    expression(&apply.callee)?;
    apply.args.iter().try_for_each(expression)?;
    apply.kwargs.iter().try_for_each(|keyword| {
        expression(&keyword.value)?;
        match keyword.name {
            Some(_) => Ok(()),
            None => refuse(keyword.value.span, "keyword-arg expansion is not supported"),
        }
    })
}

fn index(item: &Index) -> Result {
    match item {
        Index::At(value) => expression(value),
        Index::Slice { start, stop, step, .. } => [start, stop, step].into_iter().flatten().try_for_each(expression),
    }
}

fn dict(start: u32, items: &[(Option<Expr>, Expr)]) -> Result {
    if items.iter().any(|(key, _)| key.is_none()) {
        return refuse(Span { start, end: start + 1 }, "Dict expansion (e.g. `{**dict}`) is not supported");
    }
    items.iter().filter_map(|(key, _)| key.as_ref()).try_for_each(expression)?;
    items.iter().try_for_each(|(_, value)| expression(value))
}

fn clauses(start: u32, clauses: &[Clause]) -> Result {
    let place = Span { start, end: start };
    if clauses.len() != 1 {
        return refuse(place, "Only a single generator is currently supported");
    }
    if clauses.iter().any(|clause| !clause.conditions.is_empty()) {
        return refuse(place, "Comprehension ifs are not supported yet");
    }
    Ok(())
}

fn clause(clause: &Clause) -> Result {
    expression(&clause.target)?;
    expression(&clause.iter)
}
