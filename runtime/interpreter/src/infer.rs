//! What is known of the types of a function's registers before it runs: a register that only ever holds plain numbers of one kind needs no tag.

use crate::executable::Operator;
use crate::program::{Function, Instruction, Op, Operand, Program};
use sconce_kernels::direct::Kind;
use sconce_schema::{OpEntry, Type};
use sconce_tensor::IValue;

/// What all writers of a register say of its type.
#[derive(Clone, PartialEq)]
pub(crate) enum Known {
    /// Nobody writes it, or only `prim::Uninitialized` does.
    Nothing,
    Is(Type),
    Differs,
}

impl Known {
    fn of(ty: Option<Type>) -> Known {
        ty.map_or(Known::Differs, Known::Is)
    }
    fn join(&mut self, other: Known) -> bool {
        let joined = match (&*self, other) {
            (_, Known::Nothing) => return false,
            (Known::Nothing, other) => other,
            (Known::Is(a), Known::Is(b)) if *a == b => return false,
            (Known::Differs, _) => return false,
            _ => Known::Differs,
        };
        *self = joined;
        true
    }
    fn ty(&self) -> Option<&Type> {
        match self {
            Known::Is(t) => Some(t),
            _ => None,
        }
    }
    pub fn into_type(self) -> Option<Type> {
        match self {
            Known::Is(t) => Some(t),
            _ => None,
        }
    }
    /// The kind of its words, if its values are plain numbers.
    pub fn kind(&self) -> Option<Kind> {
        self.ty().and_then(Kind::of)
    }
}

/// Of each register the constant that is its only writer.
pub(crate) fn constants(f: &Function) -> Vec<Option<u32>> {
    let mut writers = vec![0u32; f.registers as usize];
    let mut constants = vec![None; f.registers as usize];
    for i in &f.code {
        for r in f.outputs(i) {
            writers[*r as usize] += 1;
            constants[*r as usize] = match i.op {
                Op::Constant(c) if f.outputs(i).len() == 1 => Some(c),
                _ => None,
            };
        }
    }
    constants.iter().zip(writers).map(|(c, n)| c.filter(|_| n == 1)).collect()
}

/// The item that a constant index means, of a tuple of so many.
pub(crate) fn item(program: &Program, constant: Option<u32>, items: u32) -> Option<u32> {
    let IValue::Int(at) = program.constants.get(constant? as usize)? else { return None };
    let at = if *at < 0 { at.checked_add(i64::from(items))? } else { *at };
    u32::try_from(at).ok().filter(|at| *at < items)
}

/// The types of all registers.
pub(crate) fn infer(program: &Program, operators: &[Operator], f: &Function) -> Vec<Known> {
    let mut known = vec![Known::Nothing; f.registers as usize];
    let constants = constants(f);
    loop {
        let mut changed = false;
        for i in &f.code {
            let results = results(program, operators, f, i, &known, &constants);
            for (k, r) in f.outputs(i).iter().enumerate() {
                changed |= known[*r as usize].join(results(k));
            }
        }
        if !changed {
            return known;
        }
    }
}

/// The type of a constant, where it may matter.
fn constant_type(value: &IValue) -> Option<Type> {
    Some(match value {
        IValue::Int(_) => Type::Int,
        IValue::Double(_) => Type::Float,
        IValue::Bool(_) => Type::Bool,
        IValue::Str(_) => Type::Str,
        IValue::List(list) => Type::List(list.element.clone().into()),
        IValue::Dict(dict) => Type::Dict(dict.key.clone().into(), dict.value.clone().into()),
        IValue::Tuple(t) if t.names.is_none() => {
            Type::Tuple(t.items.iter().map(constant_type).collect::<Option<Vec<_>>>()?.into())
        }
        _ => return None,
    })
}

/// What an instruction says of its results' types.
fn results<'a>(
    program: &'a Program,
    operators: &'a [Operator],
    f: &'a Function,
    i: &'a Instruction,
    known: &'a [Known],
    constants: &'a [Option<u32>],
) -> impl Fn(usize) -> Known + use<> {
    let inputs = f.inputs(i);
    let input = |k: usize| inputs.get(k).and_then(|o: &Operand| known[o.register() as usize].ty());
    let ty = |id: u32| program.types.get(id as usize).cloned();
    let all = |types: Vec<Option<Type>>| types.into_iter().map(Known::of).collect::<Vec<Known>>();
    let one = |t: Option<Type>| vec![Known::of(t)];
    let of_function = |id: u32| {
        let callee = program.functions.get(id as usize);
        all(callee.map_or(Vec::new(), |c| c.results.iter().cloned().map(Some).collect()))
    };
    let listed: Vec<Known> = match i.op {
        Op::Load => all(f.parameters.iter().map(|p| Some(p.ty.clone())).collect()),
        Op::Constant(c) => match program.constants.get(c as usize).and_then(constant_type) {
            Some(Type::Tuple(items)) if f.outputs(i).len() > 1 => all(items.iter().cloned().map(Some).collect()),
            ty => one(ty),
        },
        Op::Call(o) => match operators.get(o as usize) {
            Some(Operator::Known { bound, .. }) => {
                let types: Vec<Option<&Type>> = (0..inputs.len()).map(input).collect();
                all((0..bound.entry().schema().returns.len()).map(|k| result_type(bound.entry(), k, &types)).collect())
            }
            _ => Vec::new(),
        },
        Op::Move => inputs.iter().map(|o| known[o.register() as usize].clone()).collect(),
        Op::Next => one(Some(Type::Int)),
        Op::IsInstance(_) => one(Some(Type::Bool)),
        Op::ListConstruct(t) | Op::DictConstruct(t) | Op::UncheckedCast(t) => one(ty(t)),
        Op::TupleConstruct => {
            let items: Option<Vec<Type>> = (0..inputs.len()).map(|k| input(k).cloned()).collect();
            one(items.map(|items| Type::Tuple(items.into())))
        }
        Op::TupleUnpack => match input(0) {
            Some(Type::Tuple(items)) => all(items.iter().cloned().map(Some).collect()),
            _ => Vec::new(),
        },
        Op::TupleIndex => match (input(0), inputs.get(1)) {
            (Some(Type::Tuple(items)), Some(at)) => {
                let at = item(program, constants[at.register() as usize], items.len() as u32);
                one(at.and_then(|at| items.get(at as usize).cloned()))
            }
            _ => Vec::new(),
        },
        Op::ListUnpack => match input(0) {
            Some(Type::List(element)) => vec![Known::Is(Type::clone(element)); f.outputs(i).len()],
            _ => Vec::new(),
        },
        Op::EnumName => one(Some(Type::Str)),
        Op::Uninitialized => vec![Known::Nothing],
        Op::CallFunction(id) => of_function(id),
        Op::GetAttr(n) => {
            let class = match input(0) {
                Some(Type::Class(name)) => program.class(name),
                _ => None,
            };
            one(class.and_then(|(_, c)| c.attribute(&program.names[n as usize])).map(|a| a.ty.clone()))
        }
        Op::CallMethod(n) => {
            let class = match input(0) {
                Some(Type::Class(name)) => program.class(name).filter(|(_, c)| !c.kind.is_interface()),
                _ => None,
            };
            class.and_then(|(_, c)| c.method(&program.names[n as usize])).map_or(Vec::new(), of_function)
        }
        _ => Vec::new(),
    };
    move |k| listed.get(k).cloned().unwrap_or(Known::Differs)
}

/// The type of an operator's result; what its schema leaves open follows from the operands.
fn result_type(entry: &OpEntry, k: usize, inputs: &[Option<&Type>]) -> Option<Type> {
    let declared = &entry.schema().returns.get(k)?.ty;
    let (name, listed) = match declared {
        Type::Int | Type::Float | Type::Bool | Type::Str => return Some(declared.clone()),
        Type::Var(name) => (name, false),
        Type::List(element) => match &**element {
            Type::Var(name) => (name, true),
            _ => return None,
        },
        _ => return None,
    };
    let var = |t: &Type| matches!(t, Type::Var(n) if n == name);
    let bound = entry.schema().arguments.iter().zip(inputs).find_map(|(a, given)| match (&a.ty, (*given)?) {
        (Type::List(t), Type::List(given)) if var(t) => Some(given),
        (Type::Dict(_, t), Type::Dict(_, given)) if var(t) => Some(given),
        _ => None,
    })?;
    Some(if listed { Type::List(bound.clone()) } else { Type::clone(bound) })
}
