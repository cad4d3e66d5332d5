//! What the variables of a rule may stand for: each has the type that the operators' schemas give its places, and small values of it are drawn by number, so that
//! the same number is the same operands on every machine.

use fastrand::Rng;
use sconce_egraph::rules::{Expression, Rule, Side};
use sconce_egraph::term::Literal;
use sconce_schema::scalar::Node;
use sconce_schema::{DType, Type};
use sconce_tensor::{IValue, Tensor};
use std::sync::Arc;

/// A variable and what stands for it.
pub type Binding = (Arc<str>, IValue);

/// What a rule says of its variables, as far as operands are drawn by it.
pub struct Variables {
    /// In the order in which the left side names them.
    pub kinds: Vec<(Arc<str>, Type)>,
    /// Numbers and texts that the rule compares with: others would hardly hit them.
    numbers: Vec<f64>,
    /// Those that a condition says a variable to be equal to.
    wanted: Vec<(Arc<str>, f64)>,
    texts: Vec<Arc<str>>,
}

impl Variables {
    pub fn of(rule: &Rule) -> Variables {
        let mut variables = Variables { kinds: Vec::new(), numbers: Vec::new(), wanted: Vec::new(), texts: Vec::new() };
        variables.side(&rule.left, &Type::tensor());
        variables.side(&rule.right, &Type::tensor());
        rule.conditions.iter().for_each(|c| variables.constants(c));
        variables
    }

    pub fn tensors(&self) -> impl Iterator<Item = &Arc<str>> {
        self.kinds.iter().filter(|(_, ty)| ty.is_tensor()).map(|(name, _)| name)
    }

    fn side(&mut self, side: &Side, ty: &Type) {
        match side {
            // The first place decides: `Scalar` in one and `float` in another is drawn as what stands first.
            Side::Variable(name) if !self.kinds.iter().any(|(known, _)| known == name) => {
                self.kinds.push((name.clone(), ty.clone()));
            }
            Side::Variable(_) => {}
            Side::Literal(Literal::Float(bits)) => self.numbers.push(f64::from_bits(*bits)),
            Side::Literal(_) => {}
            Side::List(items) => {
                let element = match ty {
                    Type::Optional(inner) => return self.side(side, inner),
                    Type::List(element) => (**element).clone(),
                    _ => Type::tensor(),
                };
                items.iter().for_each(|item| self.side(item, &element));
            }
            Side::Part(whole, _) => self.side(whole, &Type::list(Type::tensor())),
            Side::Apply(entry, arguments) => {
                for (argument, declared) in arguments.iter().zip(&entry.schema().arguments) {
                    self.side(argument, &declared.ty);
                }
                for node in entry.scalar.iter().flat_map(|e| e.nodes.iter()) {
                    if let Node::Match(_, cases) = node {
                        self.texts.extend(cases.iter().filter_map(|(text, _)| text.map(Arc::from)));
                    }
                }
            }
            Side::Computed(e) => self.constants(e),
        }
    }

    fn constants(&mut self, e: &Expression) {
        match e {
            Expression::Constant(sconce_schema::shape::Meta::Float(x)) => self.numbers.push(*x),
            Expression::Constant(sconce_schema::shape::Meta::Int(n)) => {
                self.numbers.extend(n.known().map(|n| n as f64));
            }
            Expression::Variable(_) | Expression::Constant(_) => {}
            Expression::Call(f, sides) if f.name == "==" => {
                if let [Expression::Variable(name), Expression::Constant(value)] = &sides[..]
                    && let Some(x) = crate::evaluate::of_meta(value).and_then(|v| v.as_double().ok())
                {
                    self.wanted.push((name.clone(), x));
                }
                sides.iter().for_each(|e| self.constants(e));
            }
            Expression::List(items) | Expression::Call(_, items) => items.iter().for_each(|e| self.constants(e)),
        }
    }

    /// Operands by number. What is common among arguments (ranks, sizes, dtypes) is drawn first, so that calls are often legal.
    pub fn draw(&self, number: u64, values: Values) -> Vec<Binding> {
        let mut rng = Rng::with_seed(number);
        let common = Common::draw(&mut rng, values);
        let mut bound: Vec<Binding> = Vec::with_capacity(self.kinds.len());
        // Tensors first: the other arguments are often about them.
        for (name, _) in self.kinds.iter().filter(|(_, ty)| ty.is_tensor()) {
            bound.push((name.clone(), IValue::Tensor(common.tensor(&mut rng, values))));
        }
        for (name, ty) in self.kinds.iter().filter(|(_, ty)| !ty.is_tensor()) {
            let value = self.plain(name, ty, &mut rng, &common, &bound, values);
            bound.push((name.clone(), value));
        }
        bound
    }

    /// Operands by number that are brought nearer to what a rule applies to: one after the other is drawn anew, and kept if no less of the rule has a meaning
    /// then, which `merit` says.
    pub fn climb(&self, number: u64, values: Values, merit: &dyn Fn(&[Binding]) -> usize) -> Vec<Binding> {
        let mut bound = self.draw(number, values);
        let mut rng = Rng::with_seed(!number);
        let common = Common::draw(&mut Rng::with_seed(number), values);
        let mut best = merit(&bound);
        for _ in 0..STEPS {
            let Some((name, ty)) = self.kinds.get(rng.usize(..self.kinds.len().max(1))) else { break };
            let Some(at) = bound.iter().position(|(known, _)| known == name) else { break };
            let value = match ty.is_tensor() {
                true => IValue::Tensor(common.tensor_like(&bound, &mut rng, values)),
                false => self.plain(name, ty, &mut rng, &common, &bound, values),
            };
            let old = std::mem::replace(&mut bound[at].1, value);
            match merit(&bound) {
                now if now >= best => best = now,
                _ => bound[at].1 = old,
            }
        }
        bound
    }

    fn plain(
        &self,
        name: &Arc<str>,
        ty: &Type,
        rng: &mut Rng,
        common: &Common,
        bound: &[Binding],
        values: Values,
    ) -> IValue {
        let wanted = self.wanted.iter().find(|(known, _)| known == name).filter(|_| rng.u8(..4) > 0);
        match (wanted, ty) {
            (Some((_, x)), Type::Number) if x.fract() != 0.0 || rng.bool() => IValue::Double(*x),
            (Some((_, x)), Type::Number) => IValue::Int(*x as i64),
            _ => self.value(ty, rng, common, bound, values),
        }
    }

    fn value(&self, ty: &Type, rng: &mut Rng, common: &Common, bound: &[Binding], values: Values) -> IValue {
        match ty {
            Type::Tensor(_) => IValue::Tensor(common.tensor(rng, values)),
            Type::Optional(_) if rng.u8(..4) == 0 => IValue::None,
            Type::Optional(inner) => self.value(inner, rng, common, bound, values),
            Type::Bool | Type::SymBool => IValue::Bool(rng.bool()),
            Type::Number => self.number(rng, values),
            Type::Float | Type::SymFloat => match self.number(rng, values) {
                IValue::Int(n) => IValue::Double(n as f64),
                other => other,
            },
            Type::ScalarType => IValue::Int(match rng.bool() {
                true => common.dtype.number(),
                false => DTYPES[rng.usize(..DTYPES.len())].number(),
            }),
            Type::Str => match self.texts.is_empty() {
                true => IValue::str(""),
                false => IValue::str(&*self.texts[rng.usize(..self.texts.len())]),
            },
            Type::List(element) if element.is_tensor() => {
                let count = rng.usize(1..4);
                IValue::tensor_list((0..count).map(|_| common.tensor(rng, values)))
            }
            Type::List(_) => IValue::int_list(&common.integers(rng, bound)),
            _ => IValue::Int(integer(rng, common)),
        }
    }

    fn number(&self, rng: &mut Rng, values: Values) -> IValue {
        if !self.numbers.is_empty() && rng.bool() {
            let x = self.numbers[rng.usize(..self.numbers.len())];
            return if rng.bool() && x.fract() == 0.0 && x.abs() < 1e15 {
                IValue::Int(x as i64)
            } else {
                IValue::Double(x)
            };
        }
        match rng.u8(..4) {
            0 => IValue::Int(rng.i64(-3..6)),
            1 => IValue::Int([2, -4, 8, 127, -128, 1 << 40][rng.usize(..6)]),
            2 => IValue::Double([0.5, -2.0, 1.5, 0.1, 3.0, -0.25, 8.0, 1e-5][rng.usize(..8)]),
            _ if values == Values::Moderate => IValue::Double(moderate(rng)),
            _ => IValue::Double(
                [0.0, -0.0, f64::INFINITY, f64::NAN, 1e-40, 3e38, 1e300, -1.0, 1.0 / 3.0][rng.usize(..9)],
            ),
        }
    }
}

/// Operands that are drawn anew when one climbs.
const STEPS: usize = 60;

/// Which elements tensors have.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Values {
    /// Everything that the dtype has: NaN, both zeros, infinities, subnormal numbers, the least and greatest integers.
    Any,
    /// Floats between 1/4 and 4 in size: nothing overflows and little cancels, so that rounding is all that differs.
    Moderate,
}

/// The dtypes that rules are about.
pub const DTYPES: &[DType] = &[
    DType::F32,
    DType::F64,
    DType::F16,
    DType::BF16,
    DType::I64,
    DType::I32,
    DType::I16,
    DType::I8,
    DType::U8,
    DType::Bool,
    DType::C64,
    DType::C128,
];

/// What the operands of a draw have in common.
struct Common {
    dtype: DType,
    rank: usize,
    /// Sizes are drawn from these.
    sizes: Vec<i64>,
    shape: Vec<i64>,
}

impl Common {
    fn draw(rng: &mut Rng, values: Values) -> Common {
        // Half of all operands are floats, which most rules ask for.
        let dtype = match (values, rng.bool()) {
            (Values::Moderate, true) => DType::F64,
            (_, true) => DTYPES[rng.usize(..4)],
            _ => DTYPES[rng.usize(..DTYPES.len())],
        };
        let rank = [0, 1, 1, 2, 2, 2, 2, 3, 3, 3, 4][rng.usize(..11)];
        let one = |rng: &mut Rng| [0, 1, 1, 2, 2, 2, 3, 3, 4, 6][rng.usize(..10)];
        let sizes: Vec<i64> = (0..rng.usize(1..4)).map(|_| one(rng)).collect();
        let shape = (0..rank).map(|_| sizes[rng.usize(..sizes.len())]).collect();
        Common { dtype, rank, sizes, shape }
    }

    fn tensor(&self, rng: &mut Rng, values: Values) -> Tensor {
        let any = |rng: &mut Rng| self.sizes[rng.usize(..self.sizes.len())];
        let sizes: Vec<i64> = match rng.u8(..8) {
            0..=3 => self.shape.clone(),
            4 => self.shape.iter().map(|s| if rng.bool() { 1 } else { *s }).collect(),
            5 => self.shape[rng.usize(..=self.rank)..].to_vec(),
            6 => (0..self.rank).map(|_| any(rng)).collect(),
            _ => (0..rng.usize(..4)).map(|_| any(rng)).collect(),
        };
        let dtype = if rng.u8(..8) == 0 { DTYPES[rng.usize(..DTYPES.len())] } else { self.dtype };
        let count = sizes.iter().product::<i64>();
        let bytes = (0..count).flat_map(|_| element(rng, dtype, values)).collect::<Vec<u8>>();
        laid_out(rng, of_bytes(&bytes, &sizes, dtype))
    }

    /// A tensor that has sizes of another, or one of them, or any.
    fn tensor_like(&self, bound: &[Binding], rng: &mut Rng, values: Values) -> Tensor {
        let tensors: Vec<&Tensor> = bound.iter().filter_map(|(_, v)| v.as_tensor().ok()).collect();
        let other = tensors.get(rng.usize(..tensors.len().max(1))).filter(|t| t.dim() > 0);
        let (Some(other), false) = (other, rng.u8(..3) == 0) else { return self.tensor(rng, values) };
        let sizes = match rng.bool() {
            true => other.sizes().to_vec(),
            false => vec![other.sizes()[rng.usize(..other.dim())]],
        };
        let count = sizes.iter().product::<i64>();
        let bytes = (0..count).flat_map(|_| element(rng, self.dtype, values)).collect::<Vec<u8>>();
        laid_out(rng, of_bytes(&bytes, &sizes, self.dtype))
    }

    /// A list of integers: a permutation, sizes with as many elements, or anything.
    fn integers(&self, rng: &mut Rng, bound: &[Binding]) -> Vec<i64> {
        match rng.u8(..6) {
            0 | 1 => {
                let mut order: Vec<i64> = (0..self.rank as i64).collect();
                rng.shuffle(&mut order);
                order.iter().map(|d| if rng.u8(..4) == 0 { d - self.rank as i64 } else { *d }).collect()
            }
            2 => match bound.first() {
                Some((_, IValue::Tensor(t))) => t.sizes().to_vec(),
                _ => self.shape.clone(),
            },
            3 | 4 => {
                // The same elements in other sizes: neighbours joined, or a size taken apart.
                let mut sizes = self.shape.clone();
                for _ in 0..rng.usize(..3) {
                    match (sizes.len(), rng.u8(..3)) {
                        (2.., 0) => {
                            let at = rng.usize(..sizes.len() - 1);
                            let joined = sizes.remove(at);
                            sizes[at] *= joined;
                        }
                        (_, 1) => sizes.insert(rng.usize(..=sizes.len()), 1),
                        (1.., _) => {
                            let at = rng.usize(..sizes.len());
                            if let Some(part) = [2, 3].into_iter().find(|p| sizes[at] % p == 0 && sizes[at] > 0) {
                                sizes[at] /= part;
                                sizes.insert(at, part);
                            }
                        }
                        _ => {}
                    }
                }
                if !sizes.is_empty() && rng.u8(..5) == 0 {
                    let at = rng.usize(..sizes.len());
                    sizes[at] = -1;
                }
                sizes
            }
            _ => (0..rng.usize(..4)).map(|_| rng.i64(-2..4)).collect(),
        }
    }
}

/// Mostly a dimension, at times a size or beyond.
fn integer(rng: &mut Rng, common: &Common) -> i64 {
    let rank = common.rank.max(1) as i64;
    match rng.u8(..8) {
        0..=3 => rng.i64(-rank..rank),
        4 | 5 => rng.i64(0..4),
        6 => common.sizes[rng.usize(..common.sizes.len())],
        _ => [-7, -1, 5, 100, i64::MAX, i64::MIN][rng.usize(..6)],
    }
}

fn moderate(rng: &mut Rng) -> f64 {
    let x = 0.25 + 3.75 * rng.f64();
    if rng.bool() { x } else { -x }
}

/// The bytes of an element.
fn element(rng: &mut Rng, dtype: DType, values: Values) -> Vec<u8> {
    if dtype.is_complex() {
        let part = dtype.to_real();
        return [element(rng, part, values), element(rng, part, values)].concat();
    }
    if dtype == DType::Bool {
        return vec![u8::from(rng.bool())];
    }
    if dtype.is_float() {
        let special = [
            0.0,
            -0.0,
            1.0,
            -1.0,
            f64::INFINITY,
            f64::NEG_INFINITY,
            f64::NAN,
            0.5,
            1.5,
            -2.5,
            f64::from(f32::MIN_POSITIVE),
            1e-45,
            65504.0,
            3.4e38,
            -3.4e38,
            f64::MAX,
            f64::MIN_POSITIVE,
            5e-324,
            6e-8,
            -6e-5,
        ];
        let x = match (values, rng.u8(..4)) {
            (Values::Moderate, _) => moderate(rng),
            (_, 0 | 1) => special[rng.usize(..special.len())],
            (_, 2) => moderate(rng),
            // Any bits at all.
            _ => return (0..dtype.size()).map(|_| rng.u8(..)).collect(),
        };
        return Tensor::from_f64(&[x], &[], dtype).map_or_else(Vec::new, |t| t.read_bytes());
    }
    let (least, greatest) = dtype.int_range();
    let n = match (values, rng.u8(..5)) {
        (Values::Moderate, _) | (_, 0 | 1) => i128::from(rng.i8(-5..6)).max(least),
        (_, 2) => [least, greatest, least + 1, greatest - 1, greatest / 2 + 1][rng.usize(..5)],
        _ => return (0..dtype.size()).map(|_| rng.u8(..)).collect(),
    };
    n.to_le_bytes()[..dtype.size()].to_vec()
}

/// A tensor of these bytes; zeros if they are not as many as it needs.
pub fn of_bytes(bytes: &[u8], sizes: &[i64], dtype: DType) -> Tensor {
    let tensor = Tensor::zeros(sizes, dtype).unwrap_or_else(|_| Tensor::from_vec(Vec::<f32>::new(), &[0]));
    if tensor.numel() * tensor.dtype().size() == bytes.len() {
        tensor.write_bytes(bytes);
    }
    tensor
}

/// The same elements, lying in memory in one way or another: in order, turned, with gaps, or one for all along a dimension.
fn laid_out(rng: &mut Rng, dense: Tensor) -> Tensor {
    let rank = dense.dim();
    if rank == 0 || dense.numel() == 0 {
        return dense;
    }
    let sizes = dense.sizes().to_vec();
    let mut strides = vec![0i64; rank];
    match rng.u8(..6) {
        0 => {
            let mut order: Vec<usize> = (0..rank).collect();
            rng.shuffle(&mut order);
            let mut stride = 1;
            for at in order {
                strides[at] = stride;
                stride *= sizes[at];
            }
        }
        1 => {
            let mut stride = 2;
            for at in (0..rank).rev() {
                strides[at] = stride;
                stride *= sizes[at] + 1;
            }
        }
        2 => {
            // One element stands for all along a dimension.
            let at = rng.usize(..rank);
            return dense
                .as_strided(
                    &sizes,
                    &dense.strides().iter().enumerate().map(|(i, s)| if i == at { 0 } else { *s }).collect::<Vec<_>>(),
                    0,
                )
                .unwrap_or(dense);
        }
        _ => return dense,
    }
    let room: i64 = 1 + sizes.iter().zip(&strides).map(|(n, s)| (n - 1) * s).sum::<i64>();
    let placed = Tensor::zeros(&[room], dense.dtype()).and_then(|base| base.as_strided(&sizes, &strides, 0));
    match placed {
        Ok(tensor) if tensor.copy_bytes_from(&dense).is_ok() => tensor,
        _ => dense,
    }
}
