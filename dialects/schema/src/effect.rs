//! What an operator does besides giving results, said once and derived from its record: alias annotations, traits, type variables.
//!
//! Every analysis of aliases reads it here: the graph's, the dialect's, the bytecode's moves and the static planner.

use crate::op::{AliasInfo, Argument, FunctionSchema, Trait, Traits};
use crate::types::Type;
use std::sync::Arc;

/// See the module's page. Arguments and results are positions in the schema.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Effect {
    /// Arguments that are written, or whose elements are.
    pub writes: Vec<Write>,
    /// Arguments that are written unless that other argument is false: running statistics in training.
    pub writes_unless_false: Option<(usize, Vec<usize>)>,
    /// What a result may be: an argument itself, or a view of it.
    pub may_return: Vec<Return>,
    /// Arguments that are put where others may find them (`Tensor(a -> *)`).
    pub keeps: Vec<usize>,
    /// Results that were in a container before (`t(*)` of a `t[]`).
    pub takes: Vec<Taken>,
    /// Arguments whose elements, at any depth, go into other containers, results or written ones (`t[]` of a `t[]`).
    pub spills: Vec<usize>,
    /// It prints, raises, reads or sets a mode, or nobody knows what it does.
    pub other: bool,
    /// It draws from a generator.
    pub draws: bool,
    /// It draws nothing where one of these arguments is 0 or false: the share that is dropped, and whether it trains.
    pub draws_unless_zero: Vec<usize>,
}

/// A written argument.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Write {
    pub argument: usize,
    /// Written are the tensors that the list holds, not the list.
    pub elements: bool,
}

/// A result that may be an argument or a view of it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Return {
    pub argument: usize,
    /// It is the argument's elements that come back.
    pub of_elements: bool,
    pub result: usize,
    /// They come back as the elements of a new list.
    pub as_elements: bool,
}

/// A result that the argument held.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Taken {
    pub argument: usize,
    pub result: usize,
}

impl Effect {
    /// Of an operator with this schema and these traits.
    pub fn of(schema: &FunctionSchema, traits: Traits) -> Effect {
        let mut effect =
            Effect { other: traits.contains(Trait::Effect), draws: traits.contains(Trait::Random), ..Self::default() };
        for (index, argument) in schema.arguments.iter().enumerate() {
            let Some(info) = &argument.alias else { continue };
            let (info, elements) = innermost(info);
            if info.is_write {
                effect.writes.push(Write { argument: index, elements });
            }
            if info.after.iter().any(|a| &**a == "*") {
                effect.keeps.push(index);
            }
        }
        if effect.draws {
            let named = ["dropout_p", "dropout", "train", "training"].map(|name| schema.argument_index(name));
            effect.draws_unless_zero = named.into_iter().flatten().collect();
        }
        if traits.contains(Trait::RunningStatistics) {
            effect.running_statistics(schema);
        }
        if traits.contains(Trait::InPlace) {
            effect.in_place(schema);
        }
        for (index, result) in schema.returns.iter().enumerate() {
            effect.result(schema, index, result);
        }
        effect.fill(schema);
        if traits.contains(Trait::MayView) && effect.may_return.is_empty() {
            effect.may_view(schema);
        }
        effect
    }

    /// Does it nothing but compute new tensors, whose sizes do not depend on elements? Unless it writes statistics or draws, which some do only where an argument says so.
    pub fn computes_tensors(&self, schema: &FunctionSchema, traits: Traits) -> bool {
        let tensors = !schema.returns.is_empty() && schema.returns.iter().all(|r| matches!(r.ty, Type::Tensor(_)));
        let shares = (0..schema.returns.len()).any(|result| self.may_share(result));
        let silent = self.writes.is_empty() && self.keeps.is_empty() && !self.other && !schema.is_vararg;
        let draws = self.draws && self.draws_unless_zero.is_empty();
        let sized = !traits.contains(Trait::DynamicOutputShape);
        let is_of_table = [Trait::Pure, Trait::RunningStatistics, Trait::Random].iter().any(|t| traits.contains(*t));
        tensors && sized && silent && !shares && !draws && is_of_table
    }

    /// A result may be the argument at its place, or its elements those of that; a list of numbers, which are nobody's, is an argument of its type.
    fn may_view(&mut self, schema: &FunctionSchema) {
        for (result, returned) in schema.returns.iter().enumerate() {
            let of_numbers = holds_numbers(&returned.ty);
            for (argument, given) in schema.arguments.iter().enumerate() {
                let of_elements = !of_numbers && !holds_one(&given.ty);
                let as_elements = !of_numbers && !holds_one(&returned.ty);
                if if of_numbers { &given.ty == present(&returned.ty) } else { argument == result } {
                    self.may_return.push(Return { argument, of_elements, result, as_elements });
                }
            }
        }
    }

    /// Running statistics are written in training; an operator that has no flag of it always trains.
    fn running_statistics(&mut self, schema: &FunctionSchema) {
        let named =
            |names: &[&str]| -> Vec<usize> { names.iter().filter_map(|name| schema.argument_index(name)).collect() };
        let written = named(&["running_mean", "running_var"]);
        match named(&["training", "use_input_stats"]).first() {
            Some(flag) => self.writes_unless_false = Some((*flag, written)),
            None => self.writes.extend(written.into_iter().map(|argument| Write { argument, elements: false })),
        }
    }

    /// What is written in place comes back, also where the schema does not say so (`list += list`).
    fn in_place(&mut self, schema: &FunctionSchema) {
        if let ([first, ..], [result]) = (&schema.arguments[..], &schema.returns[..])
            && result.alias.is_none()
            && first.ty == result.ty
        {
            self.may_return.push(Return { argument: 0, of_elements: false, result: 0, as_elements: false });
        }
    }

    fn result(&mut self, schema: &FunctionSchema, index: usize, result: &Argument) {
        if let Some(info) = &result.alias {
            let (info, as_elements) = innermost(info);
            for (argument, formal) in schema.arguments.iter().enumerate() {
                let Some(given) = &formal.alias else { continue };
                let (given, of_elements) = innermost(given);
                if given.before.iter().any(|set| info.before.contains(set)) {
                    self.may_return.push(Return { argument, of_elements, result: index, as_elements });
                }
            }
        }
        // `l += m` gives l back, of which its schema says nothing.
        let is_given_back = |a: &Argument| a.is_written() && a.ty == result.ty;
        if result.alias.is_none() && schema.is_in_place() && schema.arguments.first().is_some_and(is_given_back) {
            self.may_return.push(Return { argument: 0, of_elements: false, result: index, as_elements: false });
        }
        let variables = variables_of(&result.ty);
        let linked = |formal: &Argument| variables_of(&formal.ty).iter().any(|v| variables.contains(v));
        if self.may_return.iter().any(|r| r.result == index) || variables.is_empty() {
            return;
        }
        for (argument, _) in schema.arguments.iter().enumerate().filter(|(_, a)| linked(a)) {
            match (is_variable(&schema.arguments[argument].ty), is_variable(&result.ty)) {
                // An element comes out.
                (false, true) => self.takes.push(Taken { argument, result: index }),
                (false, false) => self.spills.push(argument),
                // What is given in the element's place: `d.get(key, this)`.
                (true, true) => {
                    self.may_return.push(Return { argument, of_elements: false, result: index, as_elements: false })
                }
                (true, false) => self.keeps.push(argument),
            }
        }
    }

    /// Elements of containers of one type go from one to the other that is written.
    fn fill(&mut self, schema: &FunctionSchema) {
        for written in self.writes.clone() {
            let variables = variables_of(&schema.arguments[written.argument].ty);
            for (argument, formal) in schema.arguments.iter().enumerate() {
                if argument != written.argument && variables_of(&formal.ty).iter().any(|v| variables.contains(v)) {
                    let into = if is_variable(&formal.ty) { &mut self.keeps } else { &mut self.spills };
                    into.push(argument);
                }
            }
        }
    }

    /// May the result share storage with an argument, be one, or hold one?
    pub fn may_share(&self, result: usize) -> bool {
        self.takes.iter().any(|t| t.result == result)
            || self.may_return.iter().any(|r| r.result == result)
            || !self.spills.is_empty()
    }
}

/// The annotation of what is written or shared, and whether that is the elements, as `Tensor(a!)[]` says.
fn innermost(info: &AliasInfo) -> (&AliasInfo, bool) {
    match &info.contained {
        Some(inner) if info.before.is_empty() => (inner, true),
        _ => (info, false),
    }
}

/// Is a value of the type one thing, not a container of things?
/// The type of a value that is there.
fn present(ty: &Type) -> &Type {
    if let Type::Optional(inner) = ty { inner } else { ty }
}

/// A list of what cannot change.
fn holds_numbers(ty: &Type) -> bool {
    matches!(present(ty), Type::List(element) if matches!(**element, Type::Int | Type::Float | Type::Bool))
}

fn holds_one(ty: &Type) -> bool {
    match ty {
        Type::Optional(t) => holds_one(t),
        Type::List(_) | Type::Dict(..) | Type::Tuple(_) => false,
        _ => true,
    }
}

fn is_variable(ty: &Type) -> bool {
    match ty {
        Type::Optional(t) => is_variable(t),
        other => matches!(other, Type::Var(_)),
    }
}

/// The type variables in a type.
fn variables_of(ty: &Type) -> Vec<Arc<str>> {
    match ty {
        Type::Var(name) => vec![Arc::clone(name)],
        Type::List(t) | Type::Optional(t) | Type::Future(t) => variables_of(t),
        Type::Dict(k, v) => [variables_of(k), variables_of(v)].concat(),
        Type::Tuple(ts) | Type::Union(ts) => ts.iter().flat_map(variables_of).collect(),
        _ => Vec::new(),
    }
}
