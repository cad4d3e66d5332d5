//! Proofs by an SMT solver: elements that are not the same terms are equal for all values of a dtype, integers as bit vectors, floats as IEEE numbers. What pointwise
//! operators do is translated from their records' scalar expressions; functions that are no arithmetic are functions of which nothing is known.
//!
//! The solver is a process (`z3`), found on the path or named by `SCONCE_Z3`; without one nothing is proved that was not recorded.

use crate::elements::{Argument, Element, Reader, Reading, Term};
use crate::evaluate::{applies, known};
use crate::operands::{Binding, Variables};
use easy_smt::{Context, ContextBuilder, Response, SExpr};
use sconce_egraph::rules::Rule;
use sconce_schema::DType;
use sconce_schema::scalar::{Binary, Choice, Node, Unary};
use sconce_tensor::{IValue, Tensor};
use std::collections::{BTreeMap, BTreeSet};
use std::ffi::OsString;
use std::fmt;

/// The dtypes that proofs are made for; smaller ones are enumerated.
const DTYPES: &[DType] =
    &[DType::U8, DType::I8, DType::I16, DType::I32, DType::I64, DType::F16, DType::BF16, DType::F32, DType::F64];

/// What a question may cost, in the solver's own steps: time would differ from machine to machine.
const STEPS: u32 = 6_000_000;

/// Other arguments for which a proof is made, by dtype.
const OTHERS: usize = 3;

/// What the solver said of a rule.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Answer {
    pub proved: Vec<DType>,
    /// Dtypes of which it could not tell, or of which some operator cannot be said to it.
    pub open: Vec<DType>,
}

impl fmt::Display for Answer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let names = |dtypes: &[DType]| dtypes.iter().map(|d| d.short_name()).collect::<Vec<_>>().join(" ");
        match (&self.proved[..], &self.open[..]) {
            ([], []) => f.write_str("no dtype"),
            (proved, []) => f.write_str(&names(proved)),
            ([], open) => write!(f, "open {}", names(open)),
            (proved, open) => write!(f, "{}, open {}", names(proved), names(open)),
        }
    }
}

fn program() -> OsString {
    std::env::var_os("SCONCE_Z3").unwrap_or_else(|| "z3".into())
}

/// Is there a solver?
pub fn is_there() -> bool {
    std::process::Command::new(program()).arg("--version").output().is_ok_and(|o| o.status.success())
}

/// Asks about a rule, elementwise; the other arguments as in its cases.
///
/// # Errors
/// Values for which the sides differ, or what went wrong with the solver.
pub fn prove(rule: &Rule, cases: &[Vec<Binding>]) -> Result<Answer, String> {
    let mut answer = Answer::default();
    for dtype in DTYPES {
        let questions = questions(rule, cases, *dtype);
        if questions.is_empty() {
            continue;
        }
        let mut is_proved = true;
        for bindings in questions {
            match ask(rule, &bindings)? {
                Some(Response::Unsat) => {}
                Some(Response::Sat) => {
                    let shown: Vec<String> =
                        bindings.iter().map(|(name, v)| format!("?{name} = {}", crate::cases::show(v))).collect();
                    // The kernels were seen to agree with the rule: it is the record that does not.
                    return Err(format!(
                        "refused: by the records' expressions its sides differ for some {} with {}",
                        dtype.short_name(),
                        shown.join(", ")
                    ));
                }
                _ => is_proved = false,
            }
        }
        if is_proved { answer.proved.push(*dtype) } else { answer.open.push(*dtype) }
    }
    Ok(answer)
}

/// One element of each operand, and other arguments that suit them.
fn questions(rule: &Rule, cases: &[Vec<Binding>], dtype: DType) -> Vec<Vec<Binding>> {
    let tensors: Vec<_> = Variables::of(rule).tensors().cloned().collect();
    let mut seen = BTreeSet::new();
    let mut questions = Vec::new();
    for case in cases {
        let mut bindings: Vec<Binding> = Vec::new();
        for (name, value) in case {
            let value = match value {
                IValue::Tensor(_) if tensors.contains(name) => {
                    let dtype = if crate::cases::is_truth(rule, name) { DType::Bool } else { dtype };
                    Tensor::zeros(&[1], dtype).map_or(IValue::None, IValue::Tensor)
                }
                other => other.clone(),
            };
            bindings.push((name.clone(), value));
        }
        let text = bindings.iter().map(|(_, v)| crate::cases::show(v)).collect::<Vec<_>>().join(" ");
        if seen.insert(text) && applies(rule, &known(&bindings)) {
            questions.push(bindings);
        }
        if questions.len() == OTHERS {
            break;
        }
    }
    questions
}

/// Are there values for which the sides differ? `None`: the sides cannot be said.
fn ask(rule: &Rule, bindings: &[Binding]) -> Result<Option<Response>, String> {
    let Some(mut reader) = Reader::new(Reading::Terms, bindings, &[]) else { return Ok(None) };
    let Some(sides) = reader.sides(&rule.left, &rule.right) else { return Ok(None) };
    let failed = |e: std::io::Error| format!("{}: {e}", program().to_string_lossy());
    let mut context = ContextBuilder::new().solver(program()).solver_args(["-smt2", "-in"]).build().map_err(failed)?;
    context.set_option(":rlimit", context.numeral(STEPS)).map_err(failed)?;
    let mut script =
        Script { context, terms: reader.terms().to_vec(), said: BTreeMap::new(), functions: BTreeSet::new() };
    for (a, b) in sides {
        let (Element::Term(a), Element::Term(b)) = (a, b) else { return Ok(None) };
        let (Some(a), Some(b)) = (script.term(a).map_err(failed)?, script.term(b).map_err(failed)?) else {
            return Ok(None);
        };
        if a.sort != b.sort {
            return Ok(None);
        }
        let differ = script.context.not(script.context.eq(a.text, b.text));
        script.context.assert(differ).map_err(failed)?;
    }
    let answer = script.context.check().map_err(failed)?;
    // A function of which nothing is known can be one for which the sides differ.
    let is_refuted = matches!(answer, Response::Sat) && script.functions.is_empty();
    Ok(Some(if matches!(answer, Response::Sat) && !is_refuted { Response::Unknown } else { answer }))
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Sort {
    Truth,
    Bits { width: usize, is_signed: bool },
    Float { exponent: u32, mantissa: u32 },
}

/// The sort of a dtype's elements.
fn sort(dtype: DType) -> Option<Sort> {
    let float = |exponent, mantissa| Some(Sort::Float { exponent, mantissa });
    match dtype {
        DType::Bool => Some(Sort::Truth),
        DType::F16 => float(5, 11),
        DType::BF16 => float(8, 8),
        DType::F32 => float(8, 24),
        DType::F64 => float(11, 53),
        d if d.is_int() => Some(Sort::Bits { width: 8 * d.size(), is_signed: d.is_signed_int() }),
        _ => None,
    }
}

#[derive(Clone, Copy)]
struct Said {
    text: SExpr,
    sort: Sort,
}

type Result_<T> = std::io::Result<Option<T>>;

struct Script {
    context: Context,
    terms: Vec<Term>,
    said: BTreeMap<u32, Said>,
    /// Functions that were declared.
    functions: BTreeSet<String>,
}

impl Script {
    fn list(&self, head: &str, items: &[SExpr]) -> SExpr {
        let head = self.context.atom(head);
        self.context.list(std::iter::once(head).chain(items.iter().copied()).collect())
    }

    /// With the rounding of IEEE's default.
    fn rounded(&self, head: &str, items: &[SExpr]) -> SExpr {
        let nearest = self.context.atom("RNE");
        self.list(head, &std::iter::once(nearest).chain(items.iter().copied()).collect::<Vec<_>>())
    }

    fn sort(&self, sort: Sort) -> SExpr {
        let indexed = |name: &str, by: &[u32]| {
            let by: Vec<SExpr> = by.iter().map(|n| self.context.numeral(*n)).collect();
            self.list("_", &[vec![self.context.atom(name)], by].concat())
        };
        match sort {
            Sort::Truth => self.context.bool_sort(),
            Sort::Bits { width, .. } => indexed("BitVec", &[width as u32]),
            Sort::Float { exponent, mantissa } => indexed("FloatingPoint", &[exponent, mantissa]),
        }
    }

    fn to_float(&self, exponent: u32, mantissa: u32, items: &[SExpr]) -> SExpr {
        let head = self
            .list("_", &[self.context.atom("to_fp"), self.context.numeral(exponent), self.context.numeral(mantissa)]);
        self.context.list(std::iter::once(head).chain(items.iter().copied()).collect())
    }

    fn term(&mut self, number: u32) -> Result_<Said> {
        if let Some(said) = self.said.get(&number) {
            return Ok(Some(*said));
        }
        let Some(term) = self.terms.get(number as usize).cloned() else { return Ok(None) };
        let said = match term {
            Term::Operand(dtype) => {
                let Some(sort) = sort(dtype) else { return Ok(None) };
                let text = self.context.declare_const(format!("x{number}"), self.sort(sort))?;
                Some(Said { text, sort })
            }
            Term::Apply(entry, arguments, dtype) => self.apply(entry, &arguments, dtype)?,
        };
        if let Some(said) = said {
            self.said.insert(number, said);
        }
        Ok(said)
    }

    /// A pointwise operator, where its operands have the dtype that it computes in.
    fn apply(
        &mut self,
        entry: &'static sconce_schema::OpEntry,
        arguments: &[Argument],
        result: DType,
    ) -> Result_<Said> {
        let mut operands = Vec::new();
        for argument in arguments {
            operands.push(match argument {
                Argument::Element(number) => match self.term(*number)? {
                    Some(said) => Some(said),
                    None => return Ok(None),
                },
                Argument::Plain(_) => None,
            });
        }
        let Some(expression) = entry.scalar else { return Ok(None) };
        let text = |at: u16| match arguments.get(usize::from(at)) {
            Some(Argument::Plain(IValue::Str(s))) => Some(s.as_str().to_owned()),
            _ => None,
        };
        let texts: Vec<Option<String>> = (0..arguments.len() as u16).map(text).collect();
        let choice = |at: u16| match (arguments.get(usize::from(at)), texts.get(usize::from(at))) {
            (Some(Argument::Plain(IValue::None)), _) => Choice::None,
            (_, Some(Some(text))) => Choice::Text(text),
            _ => Choice::Value,
        };
        let Ok(expression) = expression.specialize(choice) else { return Ok(None) };
        // The common dtype is that of the operands that promote; numbers of another kind would change it.
        let promoting = |i: usize| expression.promotes.iter().any(|p| usize::from(*p) == i);
        let mut sorts: Vec<Sort> =
            (0..operands.len()).filter(|i| promoting(*i)).filter_map(|i| operands[i].map(|o| o.sort)).collect();
        sorts.dedup();
        let [common] = sorts[..] else { return Ok(None) };
        let makes_float = expression.nodes.iter().any(Node::makes_float);
        if makes_float && !matches!(common, Sort::Float { .. }) {
            return Ok(None);
        }
        // f16 and bf16 are computed in f32.
        let compute = match common {
            Sort::Float { exponent: 5, .. } | Sort::Float { mantissa: 8, .. } => {
                Sort::Float { exponent: 8, mantissa: 24 }
            }
            other => other,
        };
        let mut values: Vec<Said> = Vec::new();
        for node in expression.nodes.iter() {
            let of = |at: &u16| values[usize::from(*at)];
            let value = match node {
                Node::Arg(at) => {
                    match (operands.get(usize::from(*at)).copied().flatten(), arguments.get(usize::from(*at))) {
                        (Some(said), _) => Some(self.converted(said, compute)),
                        (None, Some(Argument::Plain(value))) => self.number(value, compute),
                        _ => None,
                    }
                }
                Node::Const(x) => self.number(&IValue::Double(*x), compute),
                Node::Bool(b) => Some(Said {
                    text: if *b { self.context.true_() } else { self.context.false_() },
                    sort: Sort::Truth,
                }),
                Node::Unary(function, a) => {
                    let a = of(a);
                    self.unary(*function, a, compute)?
                }
                Node::Binary(function, a, b) => {
                    let (a, b) = (of(a), of(b));
                    self.binary(*function, a, b)?
                }
                Node::Select(c, a, b) => {
                    let (c, a, b) = (of(c), of(a), of(b));
                    (c.sort == Sort::Truth && a.sort == b.sort)
                        .then(|| Said { text: self.context.ite(c.text, a.text, b.text), sort: a.sort })
                }
                Node::IfNone(..) | Node::Match(..) => None,
            };
            let Some(value) = value else { return Ok(None) };
            values.push(value);
        }
        let Some(last) = values.pop() else { return Ok(None) };
        let Some(wanted) = sort(result) else { return Ok(None) };
        Ok(match (last.sort, wanted) {
            (a, b) if a == b => Some(last),
            (Sort::Float { .. }, Sort::Float { .. }) => Some(self.converted(last, wanted)),
            _ => None,
        })
    }

    /// A float in another width.
    fn converted(&self, said: Said, wanted: Sort) -> Said {
        match (said.sort, wanted) {
            (from @ Sort::Float { .. }, Sort::Float { exponent, mantissa }) if from != wanted => {
                let text = self.to_float(exponent, mantissa, &[self.context.atom("RNE"), said.text]);
                Said { text, sort: wanted }
            }
            _ => said,
        }
    }

    /// A number in the type that is computed in.
    fn number(&self, value: &IValue, compute: Sort) -> Option<Said> {
        let text = match (compute, value) {
            (Sort::Bits { width, .. }, IValue::Int(n)) => self.bits(width, *n as u64),
            (Sort::Bits { width, .. }, IValue::Double(x)) if x.fract() == 0.0 && x.abs() < 1e9 => {
                self.bits(width, *x as i64 as u64)
            }
            (Sort::Float { exponent: 8, mantissa: 24 }, value) => {
                let x = value.as_double().ok()? as f32;
                self.to_float(8, 24, &[self.bits(32, u64::from(x.to_bits()))])
            }
            (Sort::Float { exponent: 11, mantissa: 53 }, value) => {
                self.to_float(11, 53, &[self.bits(64, value.as_double().ok()?.to_bits())])
            }
            _ => return None,
        };
        Some(Said { text, sort: compute })
    }

    fn bits(&self, width: usize, value: u64) -> SExpr {
        let text: String = (0..width).rev().map(|i| if value >> i & 1 == 1 { '1' } else { '0' }).collect();
        self.context.atom(format!("#b{text}"))
    }

    fn unary(&mut self, function: Unary, a: Said, compute: Sort) -> Result_<Said> {
        let same = |text| Some(Said { text, sort: a.sort });
        let truth = |text| Some(Said { text, sort: Sort::Truth });
        Ok(match (function, a.sort) {
            (Unary::Not | Unary::BitNot, Sort::Truth) => truth(self.context.not(a.text)),
            (Unary::Truth, Sort::Truth) => Some(a),
            (Unary::Neg, Sort::Bits { .. }) => same(self.list("bvneg", &[a.text])),
            (Unary::Neg, Sort::Float { .. }) => same(self.list("fp.neg", &[a.text])),
            (Unary::Abs, Sort::Bits { is_signed: false, .. }) => Some(a),
            (Unary::Abs, Sort::Bits { width, .. }) => {
                let is_negative = self.list("bvslt", &[a.text, self.bits(width, 0)]);
                same(self.context.ite(is_negative, self.list("bvneg", &[a.text]), a.text))
            }
            (Unary::Abs, Sort::Float { .. }) => same(self.list("fp.abs", &[a.text])),
            (Unary::BitNot, Sort::Bits { .. }) => same(self.list("bvnot", &[a.text])),
            (Unary::Floor | Unary::Ceil | Unary::Trunc | Unary::Round, Sort::Bits { .. }) => Some(a),
            (Unary::Floor | Unary::Ceil | Unary::Trunc | Unary::Round, Sort::Float { .. }) => {
                let mode = match function {
                    Unary::Floor => "RTN",
                    Unary::Ceil => "RTP",
                    Unary::Trunc => "RTZ",
                    _ => "RNE",
                };
                same(self.list("fp.roundToIntegral", &[self.context.atom(mode), a.text]))
            }
            (Unary::Sqrt, Sort::Float { .. }) => same(self.rounded("fp.sqrt", &[a.text])),
            (Unary::Reciprocal, Sort::Float { .. }) => match self.number(&IValue::Double(1.0), compute) {
                Some(one) => same(self.rounded("fp.div", &[one.text, a.text])),
                None => None,
            },
            (Unary::Sign, sort @ (Sort::Bits { .. } | Sort::Float { .. })) => {
                let number = |x: f64| self.number(&IValue::Double(x), sort);
                let (Some(less), Some(zero), Some(more)) = (number(-1.0), number(0.0), number(1.0)) else {
                    return Ok(None);
                };
                let lt = match sort {
                    Sort::Bits { is_signed: true, .. } => "bvslt",
                    Sort::Bits { .. } => "bvult",
                    _ => "fp.lt",
                };
                let above = self.context.ite(self.list(lt, &[zero.text, a.text]), more.text, zero.text);
                same(self.context.ite(self.list(lt, &[a.text, zero.text]), less.text, above))
            }
            (Unary::IsNan, Sort::Float { .. }) => truth(self.list("fp.isNaN", &[a.text])),
            (Unary::IsInf, Sort::Float { .. }) => truth(self.list("fp.isInfinite", &[a.text])),
            (Unary::Truth, Sort::Float { .. }) => truth(self.context.not(self.list("fp.isZero", &[a.text]))),
            (Unary::Truth, Sort::Bits { width, .. }) => {
                truth(self.context.not(self.context.eq(a.text, self.bits(width, 0))))
            }
            // A function of which nothing is known but that it is one.
            (f, sort @ Sort::Float { .. }) if f.makes_float() => self.unknown(f.name(), &[a], sort)?,
            _ => None,
        })
    }

    fn binary(&mut self, function: Binary, a: Said, b: Said) -> Result_<Said> {
        if a.sort != b.sort {
            return Ok(None);
        }
        let both = [a.text, b.text];
        let same = |text| Some(Said { text, sort: a.sort });
        let truth = |text| Some(Said { text, sort: Sort::Truth });
        let name = match (function, a.sort) {
            (Binary::Add, Sort::Bits { .. }) => "bvadd",
            (Binary::Sub, Sort::Bits { .. }) => "bvsub",
            (Binary::Mul, Sort::Bits { .. }) => "bvmul",
            (Binary::BitAnd, Sort::Bits { .. }) => "bvand",
            (Binary::BitOr, Sort::Bits { .. }) => "bvor",
            (Binary::BitXor, Sort::Bits { .. }) => "bvxor",
            (Binary::Add, Sort::Float { .. }) => "fp.add",
            (Binary::Sub, Sort::Float { .. }) => "fp.sub",
            (Binary::Mul, Sort::Float { .. }) => "fp.mul",
            (Binary::Div, Sort::Float { .. }) => "fp.div",
            (Binary::And, Sort::Truth) => "and",
            (Binary::Or, Sort::Truth) => "or",
            (Binary::Xor, Sort::Truth) => "xor",
            (Binary::Eq | Binary::Ne | Binary::Lt | Binary::Le | Binary::Gt | Binary::Ge, _) => "compare",
            (Binary::Max | Binary::Min, _) => "choose",
            _ => "",
        };
        Ok(match (name, a.sort) {
            ("compare", _) => self.compared(function, a, b).and_then(truth),
            ("choose", Sort::Truth) => None,
            ("choose", _) => {
                let order = if function == Binary::Max { Binary::Gt } else { Binary::Lt };
                let Some(first) = self.compared(order, a, b) else { return Ok(None) };
                let chosen = self.context.ite(first, a.text, b.text);
                match a.sort {
                    Sort::Float { .. } => {
                        let b_if_nan = self.context.ite(self.list("fp.isNaN", &[b.text]), b.text, chosen);
                        same(self.context.ite(self.list("fp.isNaN", &[a.text]), a.text, b_if_nan))
                    }
                    _ => same(chosen),
                }
            }
            ("", sort @ Sort::Float { .. }) if !function.makes_truth() => {
                self.unknown(function.name(), &[a, b], sort)?
            }
            ("", _) => None,
            // What IEEE arithmetic says of all floats, and the solver finds out bit by bit or not at all: a sum and a product have no order, a difference is the sum
            // with the negative, and a product with 1 is the other factor.
            ("fp.sub", Sort::Float { .. }) => {
                let negative = Said { text: self.list("fp.neg", &[b.text]), sort: b.sort };
                self.binary(Binary::Add, a, negative)?
            }
            ("fp.add" | "fp.mul", sort @ Sort::Float { .. }) => {
                let text = |e: SExpr| self.context.display(e).to_string();
                let one = self.number(&IValue::Double(1.0), sort).map(|one| text(one.text));
                if name == "fp.mul" && one == Some(text(b.text)) {
                    return Ok(Some(a));
                }
                let ordered = if text(a.text) <= text(b.text) { both } else { [b.text, a.text] };
                same(self.rounded(name, &ordered))
            }
            (name, Sort::Float { .. }) => same(self.rounded(name, &both)),
            (name, Sort::Truth) => truth(self.list(name, &both)),
            (name, _) => same(self.list(name, &both)),
        })
    }

    fn compared(&self, function: Binary, a: Said, b: Said) -> Option<SExpr> {
        let (x, y, is_not) = match function {
            Binary::Eq | Binary::Lt | Binary::Le => (a.text, b.text, false),
            Binary::Ne => (a.text, b.text, true),
            _ => (b.text, a.text, false),
        };
        let name = match (function, a.sort) {
            (Binary::Eq | Binary::Ne, Sort::Float { .. }) => "fp.eq",
            (Binary::Eq | Binary::Ne, _) => "=",
            (Binary::Lt | Binary::Gt, Sort::Float { .. }) => "fp.lt",
            (_, Sort::Float { .. }) => "fp.leq",
            (Binary::Lt | Binary::Gt, Sort::Bits { is_signed: true, .. }) => "bvslt",
            (Binary::Lt | Binary::Gt, Sort::Bits { .. }) => "bvult",
            (_, Sort::Bits { is_signed: true, .. }) => "bvsle",
            (_, Sort::Bits { .. }) => "bvule",
            (_, Sort::Truth) => return None,
        };
        let text = self.list(name, &[x, y]);
        Some(if is_not { self.context.not(text) } else { text })
    }

    fn unknown(&mut self, name: &str, of: &[Said], sort: Sort) -> Result_<Said> {
        let Sort::Float { exponent, mantissa } = sort else { return Ok(None) };
        let name = format!("{name}_{exponent}_{mantissa}");
        if self.functions.insert(name.clone()) {
            let from = of.iter().map(|o| self.sort(o.sort)).collect();
            let to = self.sort(sort);
            self.context.declare_fun(name.clone(), from, to)?;
        }
        let operands: Vec<SExpr> = of.iter().map(|o| o.text).collect();
        Ok(Some(Said { text: self.list(&name, &operands), sort }))
    }
}
