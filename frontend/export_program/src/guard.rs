//! What an export found that its inputs must satisfy beside ranges is a Python expression over them, which is computed here or left alone, never guessed.

use sconce_schema::text::python_str;
use sconce_syntax::script::tree::{BinaryOp, CompareOp, Expr, ExprKind, Ident, Index, NumberKind, UnaryOp};
use sconce_syntax::script::{Dialect, parse_expression, print_expression};
use sconce_tensor::IValue;

/// A condition, such as `L['x'].size()[0] % 2 == 0`.
pub(crate) struct Guard {
    /// Inputs stand in it as names, such as `d['a']`, and functions by TorchScript's.
    condition: Expr,
    /// As PyTorch says it in an error: inputs by their paths, no parentheses that change nothing.
    pub text: String,
}

/// A number, or a truth value.
#[derive(Clone, Copy, PartialEq)]
enum Number {
    Int(i64),
    Float(f64),
    Bool(bool),
}

impl Number {
    fn float(self) -> f64 {
        match self {
            Number::Int(n) => n as f64,
            Number::Float(x) => x,
            Number::Bool(b) => f64::from(u8::from(b)),
        }
    }

    fn int(self) -> Option<i64> {
        match self {
            Number::Int(n) => Some(n),
            Number::Bool(b) => Some(i64::from(b)),
            Number::Float(_) => None,
        }
    }

    fn is_true(self) -> bool {
        self.float() != 0.0
    }
}

impl Guard {
    /// Reads a condition; none for what is no expression, or asks for more than this reads.
    pub fn read(text: &str) -> Option<Guard> {
        let mut condition = parse_expression("a guard", text).ok()?;
        name_inputs(&mut condition);
        let text = print_expression(&condition, Dialect::Python);
        name_functions(&mut condition);
        Some(Guard { condition, text })
    }

    /// The condition as TorchScript: `leaf` gives what stands for the input of a path. None where an input has nothing that does.
    pub fn source(&self, leaf: &dyn Fn(&str) -> Option<String>) -> Option<String> {
        let mut condition = self.condition.clone();
        put_inputs(&mut condition, leaf).then(|| print_expression(&condition, Dialect::Python))
    }

    /// Does it hold? None where that cannot be told: `leaf` gives the input of a path.
    pub fn holds(&self, leaf: &dyn Fn(&str) -> Option<IValue>) -> Option<bool> {
        value(&self.condition, leaf).map(Number::is_true)
    }
}

/// The path of an input as an expression reaches it from `L`.
fn path(expr: &Expr) -> Option<String> {
    match &expr.kind {
        ExprKind::Subscript(of, items) => {
            let [Index::At(key)] = &items[..] else { return None };
            let key = match &key.kind {
                ExprKind::Str(text) => Ok(std::str::from_utf8(text).ok()?),
                ExprKind::Number(n) if n.kind == NumberKind::Int => Err(&n.text),
                _ => return None,
            };
            match (&of.kind, key) {
                (ExprKind::Var(name), Ok(key)) if name.name == "L" => Some(key.to_owned()),
                (_, Ok(key)) => Some(format!("{}[{}]", path(of)?, python_str(key))),
                (_, Err(number)) => Some(format!("{}[{number}]", path(of)?)),
            }
        }
        ExprKind::Select(of, name) => Some(format!("{}.{}", path(of)?, name.name)),
        _ => None,
    }
}

/// What an expression is made of.
fn each_part(expr: &mut Expr, mut each: impl FnMut(&mut Expr)) {
    match &mut expr.kind {
        ExprKind::Unary(_, a) | ExprKind::Select(a, _) | ExprKind::Subscript(a, _) => each(a),
        ExprKind::Binary(_, a, b) | ExprKind::And(a, b) | ExprKind::Or(a, b) => {
            each(a);
            each(b);
        }
        ExprKind::Compare(first, rest) => {
            each(first);
            rest.iter_mut().for_each(|(_, e)| each(e));
        }
        ExprKind::Apply(call) => {
            each(&mut call.callee);
            call.args.iter_mut().for_each(each);
        }
        _ => {}
    }
}

/// Puts names in place of inputs.
fn name_inputs(expr: &mut Expr) {
    // What is asked of an input stands around it: `L['x'].size` is no input.
    match path(expr).filter(|_| !matches!(expr.kind, ExprKind::Select(..))) {
        Some(name) => expr.kind = ExprKind::Var(Ident::new(name, expr.span)),
        None => each_part(expr, name_inputs),
    }
}

/// Functions of sizes that conditions call, and what TorchScript calls them.
const FUNCTIONS: &[(&str, &str)] = &[
    ("math.trunc", "int"),
    ("torch.sym_int", "int"),
    ("torch.sym_float", "float"),
    ("torch._sym_sqrt", "math.sqrt"),
    ("torch.sym_max", "max"),
    ("torch.sym_min", "min"),
];

/// Puts the names of TorchScript in place of those of functions.
fn name_functions(expr: &mut Expr) {
    each_part(expr, name_functions);
    let ExprKind::Apply(call) = &mut expr.kind else { return };
    let function = print_expression(&call.callee, Dialect::Python);
    if let ("torch.sym_not", [one]) = (function.as_str(), &call.args[..]) {
        expr.kind = ExprKind::Unary(UnaryOp::Not, Box::new(one.clone()));
    } else if let Some((_, ours)) = FUNCTIONS.iter().find(|(name, _)| *name == function) {
        call.callee.kind = ExprKind::Var(Ident::new(*ours, expr.span));
    }
}

/// Puts other names in place of inputs; false where an input has none.
fn put_inputs(expr: &mut Expr, leaf: &dyn Fn(&str) -> Option<String>) -> bool {
    let mut is_known = true;
    match &mut expr.kind {
        ExprKind::Var(name) => match leaf(&name.name) {
            Some(text) => name.name = text,
            None => is_known = false,
        },
        ExprKind::Apply(call) => {
            // What is asked of an input: `x.size()`.
            if let ExprKind::Select(asked, _) = &mut call.callee.kind {
                is_known &= put_inputs(asked, leaf);
            }
            call.args.iter_mut().for_each(|e| is_known &= put_inputs(e, leaf));
        }
        _ => each_part(expr, |e| is_known &= put_inputs(e, leaf)),
    }
    is_known
}

fn value(expr: &Expr, leaf: &dyn Fn(&str) -> Option<IValue>) -> Option<Number> {
    let of = |e: &Expr| value(e, leaf);
    match &expr.kind {
        ExprKind::Number(n) => match n.kind {
            NumberKind::Int => n.text.parse().ok().map(Number::Int),
            NumberKind::Float => n.text.parse().ok().map(Number::Float),
            NumberKind::Imaginary => None,
        },
        ExprKind::True => Some(Number::Bool(true)),
        ExprKind::False => Some(Number::Bool(false)),
        ExprKind::Var(name) => match leaf(&name.name)? {
            IValue::Int(n) => Some(Number::Int(n)),
            IValue::Double(x) => Some(Number::Float(x)),
            IValue::Bool(b) => Some(Number::Bool(b)),
            _ => None,
        },
        ExprKind::Unary(UnaryOp::Neg, a) => match of(a)? {
            Number::Float(x) => Some(Number::Float(-x)),
            other => other.int()?.checked_neg().map(Number::Int),
        },
        ExprKind::Unary(UnaryOp::Not, a) => Some(Number::Bool(!of(a)?.is_true())),
        ExprKind::Binary(op, a, b) => binary(*op, of(a)?, of(b)?),
        ExprKind::And(a, b) => Some(Number::Bool(of(a)?.is_true() && of(b)?.is_true())),
        ExprKind::Or(a, b) => Some(Number::Bool(of(a)?.is_true() || of(b)?.is_true())),
        ExprKind::Compare(first, rest) => {
            let mut left = of(first)?;
            for (op, right) in rest {
                let right = of(right)?;
                if !compare(*op, left, right)? {
                    return Some(Number::Bool(false));
                }
                left = right;
            }
            Some(Number::Bool(true))
        }
        ExprKind::Subscript(of, items) => {
            let [Index::At(index)] = &items[..] else { return None };
            let at = usize::try_from(value(index, leaf)?.int()?).ok()?;
            let ExprKind::Apply(call) = &of.kind else { return None };
            let (ExprKind::Select(of, asked), true) = (&call.callee.kind, call.args.is_empty()) else { return None };
            let ExprKind::Var(name) = &of.kind else { return None };
            let IValue::Tensor(tensor) = leaf(&name.name)? else { return None };
            match asked.name.as_str() {
                "size" => tensor.sizes().get(at).copied().map(Number::Int),
                "stride" => tensor.strides().get(at).copied().map(Number::Int),
                _ => None,
            }
        }
        ExprKind::Apply(call) => {
            let args = call.args.iter().map(of).collect::<Option<Vec<Number>>>()?;
            call_of(&print_expression(&call.callee, Dialect::Python), &args)
        }
        _ => None,
    }
}

/// A function that takes sizes, by TorchScript's name.
fn call_of(name: &str, args: &[Number]) -> Option<Number> {
    let whole = |x: f64| (x.abs() < 9e18).then_some(Number::Int(x as i64));
    match (name, args) {
        ("int", [a]) => a.int().map(Number::Int).or_else(|| whole(a.float().trunc())),
        ("math.floor", [a]) => a.int().map(Number::Int).or_else(|| whole(a.float().floor())),
        ("math.ceil", [a]) => a.int().map(Number::Int).or_else(|| whole(a.float().ceil())),
        ("math.sqrt", [a]) => Some(Number::Float(a.float().sqrt())),
        ("float", [a]) => Some(Number::Float(a.float())),
        ("max", [a, b]) => Some(if a.float() < b.float() { *b } else { *a }),
        ("min", [a, b]) => Some(if b.float() < a.float() { *b } else { *a }),
        _ => None,
    }
}

fn binary(op: BinaryOp, a: Number, b: Number) -> Option<Number> {
    if let (Some(a), Some(b), false) = (a.int(), b.int(), op == BinaryOp::Div) {
        let op = match op {
            BinaryOp::Add => sconce_schema::dim::DimOp::Add,
            BinaryOp::Sub => sconce_schema::dim::DimOp::Sub,
            BinaryOp::Mul => sconce_schema::dim::DimOp::Mul,
            BinaryOp::FloorDiv => sconce_schema::dim::DimOp::FloorDiv,
            BinaryOp::Mod => sconce_schema::dim::DimOp::Mod,
            BinaryOp::Pow => return a.checked_pow(u32::try_from(b).ok()?).map(Number::Int),
            _ => return None,
        };
        return op.apply(a, b).map(Number::Int);
    }
    let (a, b) = (a.float(), b.float());
    Some(Number::Float(match op {
        BinaryOp::Add => a + b,
        BinaryOp::Sub => a - b,
        BinaryOp::Mul => a * b,
        BinaryOp::Div if b != 0.0 => a / b,
        BinaryOp::FloorDiv if b != 0.0 => (a / b).floor(),
        BinaryOp::Pow => a.powf(b),
        _ => return None,
    }))
}

fn compare(op: CompareOp, a: Number, b: Number) -> Option<bool> {
    let order = match (a.int(), b.int()) {
        (Some(a), Some(b)) => a.cmp(&b),
        _ => a.float().partial_cmp(&b.float())?,
    };
    Some(match op {
        CompareOp::Eq => order.is_eq(),
        CompareOp::Ne => order.is_ne(),
        CompareOp::Lt => order.is_lt(),
        CompareOp::Le => order.is_le(),
        CompareOp::Gt => order.is_gt(),
        CompareOp::Ge => order.is_ge(),
        _ => return None,
    })
}
