//! Ranks, sizes and dtypes of results from those of operands, by the operators' shape rules.
//!
//! A refined type says more than before and never something else, except where a function is specialised: what a program declares is then a hint, and the
//! rules have the word. Where an operation insists on the old type, a cast is put in between.

mod control_flow;

use crate::operators::{Constant, constant, is_operator, is_silent, source};
use crate::types::{Tensor, TorchType};
use crate::{Aliases, Symbols, sizes};
use rustc_hash::FxHashMap;
use sconce_ir::builder::Builder;
use sconce_ir::builtin_type::Shaped;
use sconce_ir::torch_type::Parts;
use sconce_ir::{BlockExt, Error, OpExt, OperationRef, RegionExt, Type, Value, ValueExt, ValueLike, attr};
use sconce_schema::shape::{Meta, Size, TensorMeta, infer};
use sconce_schema::{OpEntry, OpId, ops};
use smallvec::SmallVec;
use std::cell::{Cell, RefCell};

impl From<&Constant> for Meta {
    fn from(c: &Constant) -> Meta {
        match c {
            Constant::None => Meta::None,
            Constant::Bool(b) => Meta::Bool(*b),
            Constant::Int(n) => Meta::Int(Size::Known(*n)),
            Constant::Float(x) => Meta::Float(*x),
            Constant::Str(s) => Meta::Str(s.as_str().into()),
            Constant::Device(_) => Meta::Unknown,
            Constant::List(items) => Meta::List(items.iter().map(Meta::from).collect()),
        }
    }
}

/// What a value's type says of it.
pub fn meta_of_type(v: Value<'_, '_>) -> Meta {
    match TorchType::of(v.r#type()) {
        TorchType::Tensor(t) => Meta::Tensor(TensorMeta {
            dtype: t.dtype,
            sizes: t.sizes.map(|s| s.iter().map(|d| d.map_or(Size::Unknown, Size::Known)).collect()),
            device: None,
            wrapped_number: false,
        }),
        TorchType::Int => Meta::Int(Size::Unknown),
        TorchType::Float => Meta::AnyFloat,
        TorchType::None => Meta::None,
        _ => Meta::Unknown,
    }
}

/// What is known of values, each asked once: the type of a number or list does not say it, so that it is worked out from what computes it. For as long as nothing changes
/// that was asked about.
#[derive(Default)]
pub struct Metas {
    /// Of numbers and lists, by [`ValueExt::id`].
    known: RefCell<FxHashMap<usize, Meta>>,
    depth: Cell<usize>,
}

/// Computations that are followed; what is computed of more is not known.
const DEEPEST: usize = 128;

impl Metas {
    /// What is known of a value, as the shape rules want it.
    pub fn meta(&self, v: Value<'_, '_>) -> Meta {
        if let Some(c) = constant(v) {
            return Meta::from(&c);
        }
        if !matches!(TorchType::of(v.r#type()), TorchType::Int | TorchType::Other) {
            return meta_of_type(v);
        }
        if let Some(known) = self.known.borrow().get(&v.id()) {
            return known.clone();
        }
        if self.depth.get() == DEEPEST {
            return meta_of_type(v);
        }
        self.depth.set(self.depth.get() + 1);
        let found = self.computed(v).unwrap_or_else(|| meta_of_type(v));
        self.depth.set(self.depth.get() - 1);
        self.known.borrow_mut().insert(v.id(), found.clone());
        found
    }

    fn computed(&self, v: Value<'_, '_>) -> Option<Meta> {
        let op = v.defining_op()?;
        if op.is("torch.prim.ListConstruct") {
            // What is in a list that changes is not what it was made of.
            if !stays(v) {
                return Some(Meta::Unknown);
            }
            return Some(Meta::List(op.operand_values().into_iter().map(|v| self.meta(v)).collect()));
        }
        self.results(op)?.into_iter().nth(v.result_index()?)
    }

    /// What the operation's rule says of its results; `None` when it has none, or when the rule finds the call wrong (which the program then says
    /// when it runs).
    pub fn results(&self, op: OperationRef<'_, '_>) -> Option<Vec<Meta>> {
        results_of(op, &|v| self.meta(v))
    }
}

/// What an operation gives if this is known of its operands; `None` as for [`Metas::results`].
pub(crate) fn results_of<'c, 'a>(op: OperationRef<'c, 'a>, known: &dyn Fn(Value<'c, 'a>) -> Meta) -> Option<Vec<Meta>> {
    match op.op_name() {
        "torch.prim.ListUnpack" => {
            let list = op.operand_value(0)?;
            let count = op.result_values().len();
            let Meta::List(items) = known(list) else {
                // The unpacking says how many pieces there are, also when the rule cannot.
                return piece(list.defining_op()?, known).map(|p| vec![Meta::Tensor(p); count]);
            };
            return (items.len() == count).then_some(items);
        }
        "torch.copy.to_tensor" | "torch.copy.to_vtensor" | "torch.tensor_static_info_cast" | "torch.derefine" => {
            return Some(vec![known(op.operand_value(0)?)]);
        }
        "torch.tensor.literal" | "torch.vtensor.literal" => return Some(vec![Meta::Tensor(literal(op)?)]),
        _ if crate::operators::kind(op) == "prim.ConstantChunk" => return constant_chunk(op, known),
        _ => {}
    }
    match sconce_torch::entry(op).map(OpEntry::op) {
        Some(ops::aten::__getitem___t) => return element(op, known).map(|element| vec![element]),
        Some(of_sizes) if sizes::is_of_sizes(of_sizes) => {
            let arguments: Vec<Meta> = op.operand_values().into_iter().map(known).collect();
            return sizes::result(of_sizes, &arguments).map(|size| vec![size]);
        }
        _ => {}
    }
    by_rule(op, known)?.ok()
}

fn by_rule<'c, 'a>(
    op: OperationRef<'c, 'a>,
    known: &dyn Fn(Value<'c, 'a>) -> Meta,
) -> Option<Result<Vec<Meta>, String>> {
    let entry = sconce_torch::entry(op)?;
    let mut arguments: Vec<Meta> = op.operand_values().into_iter().map(known).collect();
    for a in entry.schema().arguments.iter().skip(arguments.len()) {
        arguments.push(Meta::from_default(a));
    }
    if entry.op() == ops::aten::arange_start
        && let Some(n) = distance(op.operand_value(0)?, op.operand_value(1)?)
    {
        // As many numbers as from 0 on, whatever the first is.
        arguments[..2].clone_from_slice(&[Meta::Int(Size::Known(0)), Meta::Int(Size::Known(n))]);
    }
    Some(infer(entry, &arguments)?.map(|m| m.into_vec()).map_err(|e| e.to_string()))
}

/// How much an integer is more than another one, where both are the same value and constants added to it.
fn distance(from: Value<'_, '_>, to: Value<'_, '_>) -> Option<i64> {
    if [from, to].iter().any(|v| TorchType::of(v.r#type()) != TorchType::Int) {
        return None;
    }
    let ((a, more_than_a), (b, more_than_b)) = (sum_of(from), sum_of(to));
    (a == b).then(|| more_than_b.checked_sub(more_than_a)).flatten()
}

/// A value as another one, by its id, and what constants add to it.
fn sum_of(value: Value<'_, '_>) -> (usize, i64) {
    /// Sums in a row that are followed.
    const MOST: usize = 16;
    let (mut at, mut sum) = (source(value), 0i64);
    for _ in 0..MOST {
        let number = |v| match constant(v) {
            Some(Constant::Int(n)) => Some(n),
            _ => None,
        };
        let Some(op) = at.defining_op().filter(|op| op.is("torch.aten.add.int")) else { break };
        let [x, y] = op.operand_values()[..] else { break };
        let step = number(y).map(|n| (x, n)).or_else(|| number(x).map(|n| (y, n)));
        let Some((next, total)) = step.and_then(|(next, n)| Some((source(next), sum.checked_add(n)?))) else { break };
        (at, sum) = (next, total);
    }
    (at.id(), sum)
}

/// What is known of an element of a list that nobody changes.
fn element<'c, 'a>(op: OperationRef<'c, 'a>, known: &dyn Fn(Value<'c, 'a>) -> Meta) -> Option<Meta> {
    let list = op.operand_value(0)?;
    if !stays(source(list)) {
        return None;
    }
    let Meta::List(items) = known(list) else {
        return list.defining_op().and_then(|op| piece(op, known)).map(Meta::Tensor);
    };
    if let Meta::Int(Size::Known(at)) = known(op.operand_value(1)?) {
        let count = i64::try_from(items.len()).ok()?;
        let at = if at < 0 { at + count } else { at };
        return items.get(usize::try_from(at).ok()?).cloned();
    }
    items.into_iter().reduce(|a, b| both(a, &b))
}

/// What is known of every piece that an operation cuts.
fn piece<'c, 'a>(op: OperationRef<'c, 'a>, known: &dyn Fn(Value<'c, 'a>) -> Meta) -> Option<TensorMeta> {
    let id = sconce_torch::entry(op)?.op();
    let (_, place, stays) = CUTS.iter().find(|c| c.0 == id)?;
    let Meta::Tensor(mut whole) = known(op.operand_value(0)?) else { return None };
    let dim = match op.operand_value(*place) {
        None => 0,
        Some(v) => match constant(v)? {
            Constant::Int(d) => d,
            _ => return None,
        },
    };
    if let Some(sizes) = &mut whole.sizes {
        let rank = sizes.len() as i64;
        let at = usize::try_from(if dim < 0 { dim + rank } else { dim }).ok()?;
        *sizes.get_mut(at)? = Size::Unknown;
        if !stays {
            sizes.remove(at);
        }
    }
    Some(whole)
}

/// What holds of both.
pub(crate) fn both(a: Meta, b: &Meta) -> Meta {
    match (a, b) {
        (a, b) if a == *b => a,
        (Meta::Tensor(mut a), Meta::Tensor(b)) => {
            a.dtype = a.dtype.filter(|dtype| b.dtype == Some(*dtype));
            a.sizes = a
                .sizes
                .zip(b.sizes.as_ref())
                .filter(|(a, b)| a.len() == b.len())
                .map(|(a, b)| a.into_iter().zip(b).map(|(a, b)| if a == *b { a } else { Size::Unknown }).collect());
            a.wrapped_number &= b.wrapped_number;
            Meta::Tensor(a)
        }
        (Meta::Int(_), Meta::Int(_)) => Meta::Int(Size::Unknown),
        _ => Meta::Unknown,
    }
}

/// Is a list only read, by operators that do not pass it on? Who gets it otherwise may change it.
fn stays(list: Value<'_, '_>) -> bool {
    list.uses().into_iter().all(|usage| {
        let op = usage.owner;
        if is_silent(op) {
            return op.result_values().into_iter().all(stays);
        }
        if op.is("torch.prim.ListUnpack") || op.is("func.return") {
            return true;
        }
        let Some(effect) = sconce_torch::entry(op).filter(|_| is_operator(op)).map(|entry| entry.effect()) else {
            return false;
        };
        let is_it = |argument: usize| argument == usage.operand;
        !effect.writes.iter().any(|write| is_it(write.argument) && !write.elements)
            && !effect.may_return.iter().any(|given| is_it(given.argument))
            && !effect.keeps.iter().any(|kept| is_it(*kept))
    })
}

/// [`Metas::meta`] of one value.
pub fn meta(v: Value<'_, '_>) -> Meta {
    Metas::default().meta(v)
}

/// [`Metas::results`] of one operation.
pub fn results(op: OperationRef<'_, '_>) -> Option<Vec<Meta>> {
    Metas::default().results(op)
}

/// What the operator's rule has against the call, by what is known of its operands: words that running it says too.
pub fn refusal(op: OperationRef<'_, '_>) -> Option<String> {
    let known = Metas::default();
    by_rule(op, &|v| known.meta(v))?.err()
}

/// What a literal's elements say of it, whatever its type says.
fn literal(op: OperationRef<'_, '_>) -> Option<TensorMeta> {
    let ty = attr::elements(op.attr("value")?)?.r#type;
    let sizes =
        attr::dims(ty)?.into_iter().map(|d| Some(Size::Known(i64::try_from(d?).ok()?))).collect::<Option<_>>()?;
    let dtype = sconce_torch::types::dtype_of(Shaped::tensor(ty)?.element);
    Some(TensorMeta { dtype, sizes: Some(sizes), device: None, wrapped_number: false })
}

/// Operators that cut a tensor along the dimension that is their argument of this number, which pieces have.
const CUTS: &[(OpId, usize, bool)] = &[
    (ops::aten::chunk, 2, true),
    (ops::aten::split_Tensor, 2, true),
    (ops::aten::split_sizes, 2, true),
    (ops::aten::split_with_sizes, 2, true),
    (ops::aten::unbind_int, 1, false),
];

/// What is known of the chunks of `prim::ConstantChunk`: of equally long ones the length, too.
fn constant_chunk<'c, 'a>(op: OperationRef<'c, 'a>, known: &dyn Fn(Value<'c, 'a>) -> Meta) -> Option<Vec<Meta>> {
    let Meta::Tensor(mut chunk) = known(source(op.operand_value(0)?)) else { return None };
    let count = op.result_values().len();
    if let Some(sizes) = &mut chunk.sizes {
        let (dim, rank) = (crate::operators::int_attribute(op, "dim")?, i64::try_from(sizes.len()).ok()?);
        let size = sizes.get_mut(usize::try_from(if dim < 0 { dim + rank } else { dim }).ok()?)?;
        let chunks = i64::try_from(count).ok()?;
        *size = match *size {
            Size::Known(n) if n % chunks == 0 => Size::Known(n / chunks),
            _ => Size::Unknown,
        };
    }
    Some(vec![Meta::Tensor(chunk); count])
}

/// The type with what the rule knows added.
fn refined(have: &Tensor, rule: &TensorMeta) -> Tensor {
    let sizes = match (&have.sizes, &rule.sizes) {
        (None, None) => None,
        (Some(s), None) => Some(s.clone()),
        (None, Some(r)) => Some(r.iter().map(known).collect()),
        (Some(s), Some(r)) if s.len() == r.len() => {
            Some(s.iter().zip(r).map(|(a, b)| a.or(known(b))).collect::<SmallVec<_>>())
        }
        (Some(s), Some(_)) => Some(s.clone()),
    };
    Tensor { value: have.value, sizes, dtype: have.dtype.or(rule.dtype) }
}

/// The type as the rule has it. The declared one adds only sizes: of dtypes that no rule knows no code is made.
fn corrected(have: &Tensor, rule: &TensorMeta) -> Tensor {
    let sizes = match (&have.sizes, &rule.sizes) {
        (s, None) => s.clone(),
        (Some(s), Some(r)) if s.len() == r.len() => Some(s.iter().zip(r).map(|(a, b)| known(b).or(*a)).collect()),
        (_, Some(r)) => Some(r.iter().map(known).collect()),
    };
    Tensor { value: have.value, sizes, dtype: rule.dtype }
}

/// What becomes of a type that the program declares.
#[derive(Clone, Copy, PartialEq)]
enum Declared {
    Kept,
    Corrected,
}

/// A size below zero is an error of the program, which running it says; no type holds it.
fn known(s: &Size) -> Option<i64> {
    if let Size::Known(n) = s { Some(*n).filter(|n| *n >= 0) } else { None }
}

/// Whether an operation takes tensors of any type for this operand.
fn tolerates(owner: OperationRef<'_, '_>) -> bool {
    crate::operators::is_operator(owner)
        || matches!(
            owner.op_name(),
            "torch.operator"
                | "torch.prim.ListConstruct"
                | "torch.prim.TupleConstruct"
                | "torch.copy.to_tensor"
                | "torch.copy.to_vtensor"
                | "torch.derefine"
                | "torch.tensor_static_info_cast"
        )
}

/// Whether a value of one type can be none of the other.
fn contradicts(old: &Type<'_>, new: &Tensor) -> bool {
    let Some(old) = Tensor::of(*old) else { return false };
    let dtypes = old.dtype.zip(new.dtype).is_some_and(|(a, b)| a != b);
    let sizes = old.sizes.as_ref().zip(new.sizes.as_ref());
    let differ = |(a, b): (&Option<i64>, &Option<i64>)| a.zip(*b).is_some_and(|(a, b)| a != b);
    dtypes || sizes.is_some_and(|(a, b)| a.len() != b.len() || a.iter().zip(b).any(differ))
}

/// Gives a value a more precise tensor type; users that insist on the old one get it by a cast.
pub fn set_tensor_type<'c, 'a>(v: Value<'c, 'a>, t: &Tensor) -> Result<bool, Error> {
    let old = v.r#type();
    let context = sconce_ir::op::type_context(old);
    let made = |t: &Tensor| t.to_type(context).ok_or_else(|| Error::Invalid(format!("there is no type for {t:?}")));
    let new = made(t)?;
    if new == old {
        return Ok(false);
    }
    let mut cast = None;
    for u in v.uses() {
        if tolerates(u.owner) {
            continue;
        }
        let value = match cast {
            Some(value) => value,
            None => {
                let at = match v.defining_op() {
                    Some(op) => Builder::after(op),
                    None => {
                        let (block, _) =
                            v.block_argument().ok_or_else(|| Error::Invalid("a value without definition".into()))?;
                        Builder::at_start(context, block)
                    }
                };
                // What contradicts the new type is reached by way of a type that says nothing.
                let nothing = made(&Tensor { value: t.value, sizes: None, dtype: None })?;
                let mut result = v;
                for to in [nothing, old].into_iter().skip(usize::from(!contradicts(&old, t))) {
                    let op =
                        at.op("torch.tensor_static_info_cast", v.loc()).operands(&[result]).results(&[to]).build()?;
                    result = op.result_value(0).ok_or_else(|| Error::Invalid("a cast without result".into()))?;
                }
                *cast.insert(result)
            }
        };
        u.owner.set_operand_value(u.operand, value);
    }
    v.set_value_type(new);
    Ok(true)
}

/// Gives an operation an operand of this type: by a cast, if it has another.
fn cast_before(op: OperationRef<'_, '_>, operand: usize, ty: Type<'_>) -> Result<(), Error> {
    let Some(value) = op.operand_value(operand).filter(|v| v.r#type() != ty) else { return Ok(()) };
    let value = match source(value) {
        value if value.r#type() == ty => value,
        value => {
            let at = Builder::before(op);
            let at = at.op("torch.tensor_static_info_cast", value.loc());
            let cast = at.operands(&[value]).results(&[ty]).build()?;
            cast.result_value(0).ok_or_else(|| Error::Invalid("a cast without result".into()))?
        }
    };
    op.set_operand_value(operand, value);
    Ok(())
}

/// Refines the results of one operation; whether a type changed.
pub fn refine_operation(op: OperationRef<'_, '_>) -> Result<bool, Error> {
    refine_results(op, Declared::Kept, &Metas::default())
}

fn refine_results(op: OperationRef<'_, '_>, declared: Declared, known: &Metas) -> Result<bool, Error> {
    let corrects = declared == Declared::Corrected;
    let tensors: Vec<_> = op
        .result_values()
        .into_iter()
        .enumerate()
        .filter_map(|(i, v)| Some((i, v, Tensor::of(v.r#type())?)))
        .filter(|(.., t)| corrects || !t.is_typed() || t.sizes.iter().flatten().any(Option::is_none))
        .collect();
    if tensors.is_empty() {
        // Numbers are worked out in the order of the program, so that none has to follow a long way.
        let numbers = op.result_values().into_iter().filter(|v| TorchType::of(v.r#type()) == TorchType::Int);
        numbers.for_each(|v| drop(known.meta(v)));
        return Ok(false);
    }
    let Some(metas) = known.results(op) else { return Ok(false) };
    let mut changed = false;
    for (i, v, t) in tensors {
        if let Some(Meta::Tensor(m)) = metas.get(i) {
            changed |= set_tensor_type(v, &if corrects { corrected(&t, m) } else { refined(&t, m) })?;
        }
    }
    Ok(changed)
}

/// Refines everything in an operation, in program order, regions included.
pub fn refine<'c: 'a, 'a>(root: OperationRef<'c, 'a>) -> Result<usize, Error> {
    refine_body(root, Declared::Kept, &Metas::default(), None)
}

/// `flow`: what is known of the function around the operation, if it has branches or loops.
fn refine_body<'c: 'a, 'a>(
    root: OperationRef<'c, 'a>,
    declared: Declared,
    known: &Metas,
    flow: Option<&Symbols<'c, 'a, '_>>,
) -> Result<usize, Error> {
    let (aliases, own);
    let flow = if root.is("func.func") && control_flow::gives_tensors(root) {
        aliases = Aliases::of(root);
        own = Symbols::of(root, &aliases);
        Some(&own)
    } else {
        flow
    };
    let mut changed = 0;
    for block in root.region_refs().into_iter().flat_map(RegionExt::blocks) {
        for op in block.ops() {
            changed += usize::from(match flow {
                Some(flow) if control_flow::is_control_flow(op) => control_flow::refine(op, flow)?,
                _ => refine_results(op, declared, known)?,
            });
            changed += refine_body(op, declared, known, flow)?;
        }
    }
    Ok(changed)
}

/// What is known of an argument.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Shape {
    /// Nothing beside its type.
    Any,
    Tensor(Tensor),
    /// Of what a tuple holds.
    Tuple(Vec<Shape>),
}

impl Shape {
    /// Gives a value what is known of it; what a tuple holds is taken out of it in front of `at`, gets its types, and becomes the tuple that all others use.
    fn put<'c: 'a, 'a>(&self, v: Value<'c, 'a>, at: &Builder<'c, 'a>) -> Result<usize, Error> {
        match self {
            Shape::Any => Ok(0),
            Shape::Tensor(want) => {
                let Some(have) = Tensor::of(v.r#type()) else { return Ok(0) };
                let (sizes, dtype) = (want.sizes.clone().or(have.sizes), want.dtype.or(have.dtype));
                set_tensor_type(v, &Tensor { value: have.value, sizes, dtype }).map(usize::from)
            }
            Shape::Tuple(shapes) => {
                let parts = Parts::of(v.r#type()).filter(|parts| parts.word == "tuple").map(|parts| parts.types);
                let Some(types) = parts.filter(|types| types.len() == shapes.len() && !v.is_unused()) else {
                    return Ok(0);
                };
                let users = v.uses();
                let unpack = at.op("torch.prim.TupleUnpack", v.loc()).operands(&[v]).results(&types).build()?;
                let held = unpack.result_values();
                let tuple = at.op("torch.prim.TupleConstruct", v.loc()).operands(&held).results(&[v.r#type()]);
                let tuple = tuple.build_value()?;
                users.into_iter().for_each(|usage| usage.owner.set_operand_value(usage.operand, tuple));
                let inner = Builder::after(unpack);
                shapes.iter().zip(held).try_fold(0, |changed, (shape, v)| Ok(changed + shape.put(v, &inner)?))
            }
        }
    }
}

/// Gives the arguments of a function what is known of them, and refines its body, whose own types are only hints. Its callers are not looked at.
pub fn specialize<'c: 'a, 'a>(function: OperationRef<'c, 'a>, inputs: &[Shape]) -> Result<usize, Error> {
    let Some(block) = function.body(0) else { return Ok(0) };
    let at = Builder::at_start(function.context_ref(), block);
    let mut changed = 0;
    for (v, shape) in block.args().into_iter().zip(inputs) {
        changed += shape.put(v, &at)?;
    }
    if let Some((_, results)) = function.signature() {
        let context = function.context_ref();
        let inputs: Vec<Type<'_>> = block.args().into_iter().map(|v| v.r#type()).collect();
        let t = sconce_ir::builtin_type::function(context, &inputs, &results);
        function.set_attr("function_type", sconce_ir::attr::r#type(t));
    }
    Ok(changed + refine_body(function, Declared::Corrected, &Metas::default(), None)?)
}
