//! Random programs as TorchScript source: views and writes through them, lists, dictionaries and tuples, branches and loops, calls, forks, gradient mode, prints
//! and raises. A program is valid by construction: only its `raise` and `assert` end it early.

mod statements;

use super::Random;

/// What a variable holds. Containers never run empty, and their tensors are all of one size.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    Tensor,
    /// A tensor that is never written to: the leaf that requires gradients.
    Leaf,
    List,
    Dict,
    Pair,
    ListOfLists,
    DictOfLists,
    Optional,
    Future,
    Numbers,
    Number,
}

#[derive(Clone)]
struct Variable {
    name: String,
    kind: Kind,
    /// Of its tensors.
    sizes: Vec<usize>,
}

/// A tensor as an expression gives it.
struct Expression {
    text: String,
    sizes: Vec<usize>,
}

struct Writer {
    random: Random,
    lines: Vec<String>,
    variables: Vec<Variable>,
    next: usize,
    left: usize,
    /// Loops that a `break` would leave.
    loops: usize,
    /// Expressions that were written and whose names are still known, to be written once more.
    written: Vec<Expression>,
}

const HEAD: &str = r#"import torch
from typing import Dict, List, Optional, Tuple

def touch(v):
    v.add_(1.0)
    return v

def pure(v, w):
    return v * 2.0 + w

def choose(v, w, n: int):
    if n > 1:
        return v
    return w

def grow(items: List[torch.Tensor], v):
    items.append(v)
    return items[0]

def refuse(v, n: int):
    if n > 1:
        raise ValueError("too large")
    return v.neg()

def noted(v):
    print("noted")
    return v + 1.0

def early(v, n: int):
    if n < 1:
        return v
    v = v + 1.0
    v.mul_(2.0)
    return v

def frozen(v, w):
    with torch.no_grad():
        r = v * w
    return r

def both(v, w) -> Tuple[torch.Tensor, List[torch.Tensor]]:
    return v, [v, w]

def f(x, y, w, given: List[torch.Tensor], c: bool, n: int):
"#;

/// A program of about so many statements: `f(x, y, w, given, c, n)`, which gives most of what it made.
pub fn source(seed: u64, statements: usize) -> String {
    let variable = |name: &str, kind| Variable { name: name.into(), kind, sizes: super::SIZES.to_vec() };
    let variables = vec![
        variable("x", Kind::Tensor),
        variable("y", Kind::Tensor),
        variable("given", Kind::List),
        variable("w", Kind::Leaf),
        variable("a", Kind::Tensor),
        variable("b", Kind::Tensor),
    ];
    let mut writer = Writer {
        random: Random::new(seed),
        lines: vec!["    a = x.neg()".into(), "    b = y * 1.5".into()],
        variables,
        next: 0,
        left: statements,
        loops: 0,
        written: Vec::new(),
    };
    while writer.left > 0 {
        writer.statement(1);
    }
    let results = writer.results();
    format!("{HEAD}{}\n    return ({results})\n", writer.lines.join("\n"))
}

impl Writer {
    fn one_of(&mut self, n: usize) -> bool {
        self.random.below(n) == 0
    }

    fn line(&mut self, depth: usize, text: &str) {
        self.lines.push(format!("{}{text}", "    ".repeat(depth)));
    }

    fn fresh_name(&mut self, letter: &str) -> String {
        self.next += 1;
        format!("{letter}{}", self.next)
    }

    fn choose<'t>(&mut self, from: &[&'t str]) -> &'t str {
        from[self.random.below(from.len())]
    }

    fn variable(&mut self, kind: Kind) -> Option<Variable> {
        let all: Vec<usize> = (0..self.variables.len()).filter(|v| self.variables[*v].kind == kind).collect();
        if all.is_empty() {
            return None;
        }
        // Those from outside less often.
        let mut at = all[self.random.below(all.len())];
        if at < 3 && !self.one_of(3) {
            at = all[self.random.below(all.len())];
        }
        Some(self.variables[at].clone())
    }

    fn define(&mut self, depth: usize, kind: Kind, value: &str, sizes: &[usize]) {
        let letter = match kind {
            Kind::Tensor | Kind::Leaf => "t",
            Kind::List | Kind::ListOfLists => "l",
            Kind::Dict | Kind::DictOfLists => "d",
            Kind::Pair => "p",
            Kind::Optional => "s",
            Kind::Future => "u",
            Kind::Numbers => "m",
            Kind::Number => "k",
        };
        let name = self.fresh_name(letter);
        let annotation = if kind == Kind::Optional { ": Optional[torch.Tensor]" } else { "" };
        self.line(depth, &format!("{name}{annotation} = {value}"));
        self.variables.push(Variable { name, kind, sizes: sizes.to_vec() });
    }

    /// What the function gives: what is known at its end, but for a few, so that there is something dead.
    fn results(&mut self) -> String {
        let kept = |v: &Variable| v.kind != Kind::Leaf && v.kind != Kind::Optional;
        let all: Vec<Variable> = self.variables.iter().filter(|v| kept(v)).cloned().collect();
        let mut names = vec!["a".to_owned()];
        for v in all {
            if self.one_of(4) {
                continue;
            }
            names.push(if v.kind == Kind::Future { format!("torch.jit.wait({})", v.name) } else { v.name });
        }
        names.join(", ") + ","
    }

    // -- tensors

    /// Some tensor that may be written to: a variable, or what a container holds.
    fn place(&mut self) -> Expression {
        let kinds = [Kind::Tensor, Kind::List, Kind::Dict, Kind::Pair, Kind::ListOfLists, Kind::DictOfLists];
        let kind = if self.one_of(3) { kinds[self.random.below(kinds.len())] } else { Kind::Tensor };
        let Some(v) = self.variable(kind).or_else(|| self.variable(Kind::Tensor)) else {
            return Expression { text: "a".into(), sizes: super::SIZES.to_vec() };
        };
        let part = match v.kind {
            Kind::List => self.choose(&["[0]", "[-1]"]),
            Kind::Dict => "[\"k\"]",
            Kind::Pair => self.choose(&["[0]", "[1]"]),
            Kind::ListOfLists => self.choose(&["[0][0]", "[-1][-1]"]),
            Kind::DictOfLists => "[\"k\"][0]",
            _ => "",
        };
        Expression { text: v.name + part, sizes: v.sizes }
    }

    /// Some tensor, to be read.
    fn tensor(&mut self) -> Expression {
        if self.one_of(12) {
            return Expression { text: "w".into(), sizes: super::SIZES.to_vec() };
        }
        self.place()
    }

    /// A variable of these sizes; one is made if there is none.
    fn alike(&mut self, depth: usize, sizes: &[usize]) -> String {
        let fits = |v: &&Variable| v.kind == Kind::Tensor && v.sizes == sizes;
        if !self.variables.iter().any(|v| fits(&v)) {
            self.define(depth, Kind::Tensor, &format!("torch.ones({sizes:?})"), sizes);
        }
        let all: Vec<&Variable> = self.variables.iter().filter(fits).collect();
        all[self.random.below(all.len())].name.clone()
    }

    fn condition(&mut self) -> String {
        let t = self.tensor().text;
        match self.random.below(9) {
            0 | 1 => "c".into(),
            2 => "not c".into(),
            3 => "n > 1".into(),
            4 => "n < 1".into(),
            5 => format!("bool({t}.sum() > 3.0)"),
            6 => format!("{t}.requires_grad"),
            7 => "torch.is_grad_enabled()".into(),
            _ => {
                let list = self.variable(Kind::List).map_or("given".into(), |l| l.name);
                format!("len({list}) > 1")
            }
        }
    }

    /// An expression that shares memory with a tensor, or may.
    fn view(&mut self, of: Expression) -> Expression {
        let Expression { text, mut sizes } = of;
        let (rank, first) = (sizes.len(), sizes.first().copied().unwrap_or(0));
        let at = self.random.below(first.max(1));
        let call = match self.random.below(16) {
            0 if first > 0 => {
                sizes.remove(0);
                self.choose(&["[{}]", ".select(0, {})", ".unbind()[{}]"]).replace("{}", &at.to_string())
            }
            1 if first > 0 => {
                sizes[0] = first - at;
                self.choose(&["[{}:]", ".narrow(0, {}, %)"])
                    .replace("{}", &at.to_string())
                    .replace('%', &sizes[0].to_string())
            }
            2 if first > 1 => {
                sizes[0] = 1;
                format!(".split(1)[{at}]")
            }
            3 if first > 1 => {
                sizes[0] = first.div_ceil(2);
                ".chunk(2)[0]".into()
            }
            4 if rank > 1 && sizes[1] > 0 => {
                sizes[1] = 1;
                "[:, 0:1]".into()
            }
            5 | 6 if rank == 2 => {
                sizes.swap(0, 1);
                self.choose(&[".t()", ".transpose(0, 1)", ".permute(1, 0)"]).into()
            }
            7 if rank < 3 => {
                sizes.insert(0, 1);
                ".unsqueeze(0)".into()
            }
            8 if first == 1 && rank > 0 => {
                sizes.remove(0);
                ".squeeze(0)".into()
            }
            9 if rank > 1 => {
                sizes = vec![sizes.iter().product()];
                self.choose(&[".reshape(-1)", ".reshape(-1)", ".flatten()", ".view(-1)"]).into()
            }
            10 if rank == 2 && sizes[0] == sizes[1] => {
                sizes.pop();
                ".diagonal()".into()
            }
            _ => self
                .choose(&[
                    ".detach()",
                    ".contiguous()",
                    ".to(torch.float32)",
                    ".float()",
                    ".expand_as(%)",
                    ".view_as(%)",
                ])
                .replace('%', &text),
        };
        Expression { text: text + &call, sizes }
    }

    /// An expression that mostly gives a tensor of its own.
    fn fresh(&mut self, depth: usize) -> Expression {
        let Expression { text: t, mut sizes } = self.tensor();
        let other = self.alike(depth, &sizes);
        let square = sizes == super::SIZES;
        let text = match self.random.below(18) {
            0 => format!("{t} + {other}"),
            1 => format!("{t} * 2.0"),
            2 => format!("torch.relu({t})"),
            3 => format!("{t}.clone()"),
            4 => format!("-{t}"),
            5 => format!("torch.zeros_like({t})"),
            6 if !sizes.is_empty() => {
                sizes[0] *= 2;
                format!("torch.cat([{t}, {other}])")
            }
            7 => format!("torch.stack([{t}, {other}])[1]"),
            8 => format!("torch.dropout({t}, 0.5, False)"),
            9 => format!("({t} if {} else {other})", self.condition()),
            10 => format!("pure({t}, {other})"),
            11 => format!("choose({t}, {other}, n)"),
            12 => format!("frozen({t}, {other})"),
            13 if square => format!("torch.addmm({t}, {other}, w)"),
            14 if square => format!("torch.mm({t}, {other}.t())"),
            15 => format!("torch.where({t} > 0.0, {t}, {other})"),
            16 => format!("{t}.expand_as({other}) * {other}"),
            _ => format!("{t} - 1.0"),
        };
        Expression { text, sizes }
    }

    fn write(&mut self, depth: usize, target: &Expression) -> String {
        let t = &target.text;
        let other = self.alike(depth, &target.sizes);
        match self.random.below(16) {
            0 | 1 => format!("{t}.add_(1.0)"),
            2 => format!("{t}.mul_(1.5)"),
            3 => format!("{t}.neg_()"),
            4 if self.one_of(2) => format!("{t}.zero_()"),
            5 => format!("{t}.relu_()"),
            6 | 7 => format!("{t}.copy_({other}.clone())"),
            // What a tuple (`p…`) has is not assigned to.
            8 if !t.starts_with('p') => format!("{t} += 1.0"),
            9 => format!("{t}.add_({other}.clone())"),
            10 if self.one_of(2) => format!("{t}.fill_(2.0)"),
            11 if target.sizes.first().is_some_and(|n| *n > 0) => format!("{t}[0] = 9.0"),
            12 if target.sizes.first().is_some_and(|n| *n > 0) => format!("{t}[0:1] += 1.0"),
            13 => format!("touch({t})"),
            14 => format!("{t}.clamp_(max=6.0)"),
            15 => format!("{t}.sub_({other} * 0.5)"),
            _ => format!("{t}.abs_()"),
        }
    }

    // -- statements

    fn block(&mut self, depth: usize) {
        let (known, written, lines) = (self.variables.len(), self.written.len(), self.lines.len());
        for _ in 0..=self.random.below(3) {
            self.statement(depth);
        }
        if self.lines.len() == lines {
            self.line(depth, "pass");
        }
        self.variables.truncate(known);
        self.written.truncate(written);
    }

    fn statement(&mut self, depth: usize) {
        self.left = self.left.saturating_sub(1);
        match self.random.below(40) {
            0..=6 => {
                let of = if self.one_of(6) { self.tensor() } else { self.place() };
                let view = self.view(of);
                self.assign(depth, view);
            }
            7..=11 => {
                let fresh = self.fresh(depth);
                self.assign(depth, fresh);
            }
            12..=18 => {
                let target = self.place();
                let write = self.write(depth, &target);
                self.line(depth, &write);
            }
            19 | 20 => self.again(depth),
            21..=26 => self.container(depth),
            27 => self.numbers(depth),
            28 | 29 if depth < 4 => self.branch(depth),
            30 | 31 if depth < 4 => self.turns(depth),
            32 if depth < 4 => {
                self.line(depth, "with torch.no_grad():");
                self.block(depth + 1);
            }
            33 => self.fork(depth),
            34 => self.print(depth),
            35 => self.raise(depth),
            36 => self.optional(depth),
            37 => self.call(depth),
            38 if self.loops > 0 => {
                let condition = self.condition();
                self.line(depth, &format!("if {condition}:"));
                let end = self.choose(&["break", "continue"]);
                self.line(depth + 1, end);
            }
            _ => self.print(depth),
        }
    }

    /// A new name, or another value for a name of the same sizes.
    fn assign(&mut self, depth: usize, value: Expression) {
        let known = self.variables.iter().filter(|v| v.kind == Kind::Tensor && v.sizes == value.sizes);
        let known: Vec<String> = known.map(|v| v.name.clone()).collect();
        if known.is_empty() || !self.one_of(4) {
            self.define(depth, Kind::Tensor, &value.text, &value.sizes);
        } else {
            let name = &known[self.random.below(known.len())];
            self.line(depth, &format!("{name} = {}", value.text));
        }
        self.written.push(value);
    }

    /// What was computed before, once more.
    fn again(&mut self, depth: usize) {
        if self.written.is_empty() {
            return;
        }
        let at = self.random.below(self.written.len());
        let Expression { text, sizes } = &self.written[at];
        let (text, sizes) = (text.clone(), sizes.clone());
        self.define(depth, Kind::Tensor, &text, &sizes);
    }

    fn branch(&mut self, depth: usize) {
        let condition = self.condition();
        self.line(depth, &format!("if {condition}:"));
        self.block(depth + 1);
        if self.one_of(2) {
            self.line(depth, "else:");
            self.block(depth + 1);
        }
    }

    fn turns(&mut self, depth: usize) {
        let counter = self.fresh_name("i");
        let list = self.variable(Kind::List);
        match (self.random.below(5), list) {
            (0, Some(list)) => {
                // Over what the list holds now: the body may make it longer.
                let known = self.variables.len();
                let element = self.fresh_name("t");
                self.line(depth, &format!("for {element} in {}:", list.name));
                self.variables.push(Variable { name: element, kind: Kind::Tensor, sizes: list.sizes });
                self.body(depth);
                self.variables.truncate(known);
            }
            (1, _) => {
                self.line(depth, &format!("{counter} = 0"));
                self.line(depth, &format!("while {counter} < n:"));
                self.line(depth + 1, &format!("{counter} += 1"));
                self.body(depth);
            }
            (2, _) => {
                self.line(depth, &format!("for {counter} in range(2):"));
                self.body(depth);
            }
            _ => {
                self.line(depth, &format!("for {counter} in range(n):"));
                self.body(depth);
            }
        }
    }

    fn body(&mut self, depth: usize) {
        self.loops += 1;
        self.block(depth + 1);
        self.loops -= 1;
    }

    fn print(&mut self, depth: usize) {
        let t = self.tensor().text;
        let list = self.variable(Kind::List).map_or("given".into(), |l| l.name);
        let number = self.next;
        let text = match self.random.below(5) {
            0 => format!("print(\"n{number}\", n)"),
            1 => format!("print(float({t}.sum()))"),
            2 => format!("print(len({list}))"),
            3 => format!("print({t}.requires_grad)"),
            _ => format!("print({t})"),
        };
        self.line(depth, &text);
    }

    fn raise(&mut self, depth: usize) {
        let (condition, number) = (self.condition(), self.next);
        if self.one_of(2) {
            self.line(depth, &format!("assert not (n > 1 and {condition}), \"a{number}\""));
        } else {
            self.line(depth, &format!("if n < 1 and {condition}:"));
            self.line(depth + 1, &format!("raise RuntimeError(\"r{number}\")"));
        }
    }
}
