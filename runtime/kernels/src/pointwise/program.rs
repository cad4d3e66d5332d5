//! A scalar expression made concrete for certain kinds of arguments: steps over blocks of elements in the one type it is computed in, each from
//! operands or registers to another register or the result.

use crate::Error;
use crate::engine::cast::Value;
use crate::engine::compute::Compute;
use crate::engine::slices::{Between, ByRows, Choose, Map, Zip};
use sconce_schema::scalar::{Binary, Node, ScalarExpr, Unary};
use sconce_tensor::{DType, IValue};

pub type Register = u8;

/// Where a step finds a value.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Place {
    /// The elements of a tensor argument, counted among the tensors.
    Operand(u8),
    Register(Register),
    /// A number, the same for all elements: a register that is filled before the first block.
    Number(u8),
}

/// Where it puts one; never a place that it reads.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Target {
    Register(Register),
    Result,
}

pub enum Step<T> {
    Copy(Place, Target),
    Unary(Map<T>, Place, Target),
    Binary(Zip<T>, Place, Place, Target),
    /// With two of the program's numbers.
    Between(Between<T>, Place, [u8; 2], Target),
    /// An integer division: the divisor is looked at first.
    Divide(Zip<T>, Place, Place, Target),
    /// Condition, value if true, value if false.
    Select(Place, Place, Place, Target),
    /// A comparison of two values, then as above.
    Choose(Choose<T>, [Place; 4], Target),
}

/// A number of the expression or of an argument.
pub enum Number<T> {
    Constant(T),
    /// The argument at this position.
    Argument(usize),
}

pub struct Program<T> {
    pub steps: Vec<Step<T>>,
    pub numbers: Vec<Number<T>>,
    pub registers: usize,
    /// The result is 0 or 1 of the type.
    pub truth: bool,
    /// All of it, where the second of two operands is broadcast over rows of the first.
    pub by_rows: Option<ByRows<T>>,
}

pub fn number_of<T: Compute>(v: &IValue) -> Option<T> {
    Some(match v {
        IValue::Bool(b) => T::of_bool(*b),
        IValue::Int(i) => i.to::<T>(),
        IValue::Double(d) => d.to::<T>(),
        IValue::Complex(c) => c.to::<T>(),
        _ => return None,
    })
}

/// Which of a call's arguments are which kind of value; their numbers are looked at only where one is a neutral element.
pub struct Context<'a> {
    pub name: &'a str,
    pub expr: &'a ScalarExpr,
    pub args: &'a [IValue],
    pub compute: DType,
    /// The dtype of the result.
    pub result: DType,
}

struct Compiler<'a, T> {
    c: &'a Context<'a>,
    /// Uses of a node that are still to come.
    uses: Vec<u32>,
    place: Vec<Option<Place>>,
    free: Vec<Register>,
    program: Program<T>,
}

impl Context<'_> {
    /// The node that stands for `node` in this call: choices by None and by string are made, and multiplications by 1 left out.
    fn resolve(&self, mut node: usize) -> usize {
        loop {
            match self.expr.nodes[node] {
                Node::IfNone(arg, a, b) => {
                    let none = self.args.get(usize::from(arg)).is_none_or(IValue::is_none);
                    node = usize::from(if none { a } else { b });
                }
                Node::Match(arg, cases) => {
                    let text = self.args.get(usize::from(arg)).and_then(|v| v.as_str().ok());
                    match cases.iter().find(|(key, _)| *key == text) {
                        Some((_, n)) => node = usize::from(*n),
                        None => return node,
                    }
                }
                Node::Binary(Binary::Mul, a, b) if self.is_number(b, 1.0) => node = usize::from(a),
                Node::Binary(Binary::Mul, a, b) if self.is_number(a, 1.0) => node = usize::from(b),
                _ => return node,
            }
        }
    }

    /// Whether a node is an argument that is this number. A complex product with 1 is not always its other factor (of infinities).
    fn is_number(&self, node: u16, n: f64) -> bool {
        if self.compute.is_complex() {
            return false;
        }
        let Node::Arg(arg) = self.expr.nodes[usize::from(node)] else { return false };
        match self.args.get(usize::from(arg)) {
            Some(IValue::Int(i)) => *i as f64 == n,
            Some(IValue::Double(d)) => *d == n,
            _ => false,
        }
    }

    fn not_implemented(&self) -> Error {
        let name = self.name.split("::").last().unwrap_or(self.name);
        crate::not_implemented(&format!("{}_cpu", name.split('.').next().unwrap_or(name)), self.compute)
    }

    /// Whether the expression gives the same in a narrow integer type as in i64: what was cut goes only through functions that look at the low
    /// bits alone, and every number fits.
    pub fn is_same_in<T: Compute>(&self) -> bool {
        let nodes = self.expr.nodes.len();
        let bools = self.compute == DType::Bool;
        let fits = |i: i64| i.to::<T>().to::<i64>() == i && (!bools || (0..2).contains(&i));
        // Of each node: whether its value may have been cut.
        let mut cut: Vec<Option<bool>> = vec![None; nodes];
        for at in 0..nodes {
            let of = |node: u16| cut[self.resolve(usize::from(node))];
            cut[at] = match self.expr.nodes[at] {
                Node::Arg(arg) => match self.args.get(usize::from(arg)) {
                    Some(IValue::Tensor(_) | IValue::Bool(_)) => Some(false),
                    Some(IValue::Int(i)) if fits(*i) => Some(false),
                    _ => None,
                },
                Node::Const(x) if x.fract() == 0.0 && x.abs() < 1e9 && fits(x as i64) => Some(false),
                Node::Bool(_) => Some(false),
                Node::Unary(op, a) => match (op, of(a)) {
                    (Unary::Neg, Some(_)) if !bools => Some(true),
                    (Unary::BitNot, Some(a)) => Some(a),
                    (_, Some(false)) if T::unary(op).is_some() && op != Unary::Neg => Some(false),
                    _ => None,
                },
                Node::Binary(op, a, b) => match (op, of(a), of(b)) {
                    (Binary::Add | Binary::Sub | Binary::Mul, Some(_), Some(_)) if !bools => Some(true),
                    (Binary::BitAnd | Binary::BitOr | Binary::BitXor, Some(a), Some(b)) => Some(a || b),
                    (Binary::Add | Binary::Sub | Binary::Mul, ..) => None,
                    (_, Some(false), Some(false)) if T::binary(op).is_some() => Some(false),
                    _ => None,
                },
                Node::Select(c, a, b) => match (of(c), of(a), of(b)) {
                    (Some(false), Some(a), Some(b)) => Some(a || b),
                    _ => None,
                },
                _ => None,
            };
        }
        // Whether a number is 0 is asked before it is cut.
        let root = nodes.checked_sub(1).and_then(|last| cut[self.resolve(last)]);
        root.is_some_and(|cut| !cut || self.result == self.compute)
    }

    pub fn compile<T: Compute>(&self) -> Result<Program<T>, Error> {
        let nodes = self.expr.nodes.len();
        let root = nodes.checked_sub(1).ok_or_else(|| Error::Missing { op: self.name.to_string(), needs: None })?;
        if let ([IValue::Tensor(_), rest @ ..], Some(f)) = (self.args, T::whole(self.name)) {
            debug_assert!(!rest.iter().any(|v| matches!(v, IValue::Tensor(_))), "an operator of one tensor");
            let steps = vec![Step::Unary(f, Place::Operand(0), Target::Result)];
            return Ok(Program { steps, numbers: Vec::new(), registers: 0, truth: false, by_rows: None });
        }
        if let ([IValue::Tensor(_), numbers @ ..], Some(f)) = (self.args, T::between(self.name))
            && numbers.iter().all(|v| number_of::<T>(v).is_some())
            && let 1..=2 = numbers.len()
        {
            let steps = vec![Step::Between(f, Place::Operand(0), [0, numbers.len() as u8 - 1], Target::Result)];
            let numbers = (1..=numbers.len()).map(Number::Argument).collect();
            return Ok(Program { steps, numbers, registers: 0, truth: false, by_rows: None });
        }
        let mut compiler = Compiler {
            c: self,
            uses: vec![0; nodes],
            place: vec![None; nodes],
            free: Vec::new(),
            program: Program { steps: Vec::new(), numbers: Vec::new(), registers: 0, truth: false, by_rows: None },
        };
        compiler.count(root);
        let root = self.resolve(root);
        compiler.emit(root, true)?;
        compiler.program.truth = self.is_truth(root);
        if let ([Step::Binary(_, Place::Operand(0), Place::Operand(1), _)], Node::Binary(op, ..)) =
            (&*compiler.program.steps, self.expr.nodes[root])
        {
            compiler.program.by_rows = T::by_rows(op);
        }
        Ok(compiler.program)
    }

    fn is_truth(&self, node: usize) -> bool {
        match self.expr.nodes[self.resolve(node)] {
            Node::Bool(_) => true,
            Node::Unary(op, _) => op.makes_truth(),
            Node::Binary(op, ..) => op.makes_truth(),
            Node::Select(_, a, b) => self.is_truth(usize::from(a)) && self.is_truth(usize::from(b)),
            _ => false,
        }
    }
}

impl<T: Compute> Compiler<'_, T> {
    fn count(&mut self, node: usize) {
        let node = self.c.resolve(node);
        self.uses[node] += 1;
        if self.uses[node] > 1 {
            return;
        }
        for operand in self.c.expr.nodes[node].operands() {
            self.count(usize::from(operand));
        }
    }

    /// The place of an operand's value, which has one use less then.
    fn operand(&mut self, node: u16) -> Result<(Place, usize), Error> {
        let node = self.c.resolve(usize::from(node));
        let place = self.emit(node, false)?;
        Ok((place, node))
    }

    /// After the step that read it: a register that nobody reads again may be written.
    fn release(&mut self, read: &[(Place, usize)]) {
        for (place, node) in read {
            self.uses[*node] -= 1;
            if let (Place::Register(r), 0) = (*place, self.uses[*node]) {
                self.free.push(r);
            }
        }
    }

    /// A register that no value still to be read is in.
    fn target(&mut self, result: bool) -> Result<Target, Error> {
        if result {
            return Ok(Target::Result);
        }
        if let Some(r) = self.free.pop() {
            return Ok(Target::Register(r));
        }
        let r = Register::try_from(self.program.registers).map_err(|_| self.c.not_implemented())?;
        self.program.registers += 1;
        Ok(Target::Register(r))
    }

    fn number(&mut self, number: Number<T>) -> Result<Place, Error> {
        let n = u8::try_from(self.program.numbers.len()).map_err(|_| self.c.not_implemented())?;
        self.program.numbers.push(number);
        Ok(Place::Number(n))
    }

    /// The root that a power with this number is, which knows the sign of zero and refuses minus infinity.
    fn root(&self, exponent: u16) -> Option<Unary> {
        match self.c.compute.is_float() {
            true if self.c.is_number(exponent, 0.5) => Some(Unary::Sqrt),
            true if self.c.is_number(exponent, -0.5) => Some(Unary::Rsqrt),
            _ => None,
        }
    }

    /// A condition that is a comparison of which nobody else asks, and which the type makes choices by.
    fn comparison(&self, condition: u16) -> Option<(Choose<T>, u16, u16)> {
        let node = self.c.resolve(usize::from(condition));
        match self.c.expr.nodes[node] {
            Node::Binary(op, x, y) if self.uses[node] == 1 => Some((T::choice(op)?, x, y)),
            _ => None,
        }
    }

    fn emit(&mut self, node: usize, result: bool) -> Result<Place, Error> {
        if let Some(place) = self.place[node] {
            return Ok(place);
        }
        let leaf = match self.c.expr.nodes[node] {
            Node::Arg(arg) => {
                let arg = usize::from(arg);
                let value = self.c.args.get(arg).ok_or_else(|| self.c.not_implemented())?;
                if let IValue::Tensor(_) = value {
                    let before = self.c.args[..arg].iter().filter(|a| matches!(a, IValue::Tensor(_))).count();
                    Some(Place::Operand(u8::try_from(before).map_err(|_| self.c.not_implemented())?))
                } else {
                    number_of::<T>(value).ok_or_else(|| {
                        let message = format!("{}: argument {arg} is not a number but {}", self.c.name, value.kind());
                        Error::runtime(message)
                    })?;
                    Some(self.number(Number::Argument(arg))?)
                }
            }
            Node::Const(c) => Some(self.number(Number::Constant(c.to::<T>()))?),
            Node::Bool(b) => Some(self.number(Number::Constant(T::of_bool(b)))?),
            _ => None,
        };
        if let Some(place) = leaf {
            if result {
                self.program.steps.push(Step::Copy(place, Target::Result));
            }
            self.place[node] = Some(place);
            return Ok(place);
        }
        let (step, target) = match self.c.expr.nodes[node] {
            Node::Unary(op, a) => {
                // The complement of a truth value is its negation.
                let op = if op == Unary::BitNot && self.c.compute == DType::Bool { Unary::Not } else { op };
                let f = T::unary(op).ok_or_else(|| self.c.not_implemented())?;
                let a = self.operand(a)?;
                let target = self.target(result)?;
                self.release(&[a]);
                (Step::Unary(f, a.0, target), target)
            }
            Node::Binary(Binary::Pow, a, b) if self.root(b).is_some() => {
                let f = self.root(b).and_then(T::unary).ok_or_else(|| self.c.not_implemented())?;
                let a = self.operand(a)?;
                let target = self.target(result)?;
                self.release(&[a]);
                (Step::Unary(f, a.0, target), target)
            }
            Node::Binary(Binary::Pow, a, b) if self.c.is_number(b, 2.0) => {
                let f = T::binary(Binary::Mul).ok_or_else(|| self.c.not_implemented())?;
                let a = self.operand(a)?;
                let target = self.target(result)?;
                self.release(&[a]);
                (Step::Binary(f, a.0, a.0, target), target)
            }
            Node::Binary(op, a, b) => {
                let f = T::binary(op).ok_or_else(|| self.c.not_implemented())?;
                let a = self.operand(a)?;
                let b = self.operand(b)?;
                let target = self.target(result)?;
                self.release(&[a, b]);
                let divides =
                    matches!(op, Binary::Div | Binary::FloorDiv | Binary::TruncDiv | Binary::Fmod | Binary::Remainder);
                let step = if T::DTYPE == DType::I64 && divides { Step::Divide } else { Step::Binary };
                (step(f, a.0, b.0, target), target)
            }
            Node::Select(c, a, b) if self.comparison(c).is_some() => {
                let (f, x, y) = self.comparison(c).ok_or_else(|| self.c.not_implemented())?;
                let (a, b) = (self.operand(a)?, self.operand(b)?);
                let (x, y) = (self.operand(x)?, self.operand(y)?);
                let target = self.target(result)?;
                self.release(&[a, b, x, y]);
                (Step::Choose(f, [x.0, y.0, a.0, b.0], target), target)
            }
            Node::Select(c, a, b) => {
                let a = self.operand(a)?;
                let b = self.operand(b)?;
                let c = self.operand(c)?;
                let target = self.target(result)?;
                self.release(&[a, b, c]);
                (Step::Select(c.0, a.0, b.0, target), target)
            }
            Node::Match(arg, _) => {
                let text = self.c.args.get(usize::from(arg)).and_then(|v| v.as_str().ok()).unwrap_or_default();
                return Err(Error::runtime(format!("{}: unknown mode '{text}'", self.c.name)));
            }
            _ => return Err(self.c.not_implemented()),
        };
        self.program.steps.push(step);
        let place = match target {
            Target::Register(r) => Place::Register(r),
            // Nobody reads the result again.
            Target::Result => Place::Register(0),
        };
        self.place[node] = Some(place);
        Ok(place)
    }
}
