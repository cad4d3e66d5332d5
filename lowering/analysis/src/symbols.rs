//! Sizes of a function's tensors as symbols: equal symbols are equal sizes, through operators, branches and loops.
//!
//! Each size that nothing says is a symbol of its own, and the operators' shape rules carry symbols from operands to results. What a loop carries has the sizes that
//! it begins with where each turn passes on such. A tensor that may be given other sizes in place has none.

use crate::Aliases;
use crate::operators::{constant, kind, source};
use crate::refine::{self, both};
use crate::types::{Tensor, TorchType};
use rustc_hash::FxHashMap;
use sconce_ir::{BlockExt, BlockRef, OpExt, OperationRef, RegionExt, Value, ValueExt, ValueLike};
use sconce_schema::shape::{Meta, Size, TensorMeta, infer};

/// Ranks that stand for all, and how many dimensions more other tensors have.
pub const RANKS: &[(u32, u32)] = &[(0, 0), (1, 0), (2, 0), (3, 0), (4, 0), (5, 0), (0, 1), (1, 1), (2, 1), (3, 1)];

/// Symbols that no value has, a number for each tensor.
const OWN: u32 = u32::MAX - 64 * MOST_DIMS;
const MOST_DIMS: u32 = 1024;

/// If more tensors than these may get other sizes, any may.
const MOST_RESIZED: usize = 64;

/// Turns in which what a loop carries loses only what a turn takes away: a dtype, a rank or a size, nearly always in the first.
const TURNS: usize = 4;

/// Loops that stand in more loops than these carry what their types say.
const DEEPEST: usize = 3;

/// See the module's page.
pub struct Symbols<'c, 'a, 'r> {
    aliases: &'r Aliases<'c>,
    /// By [`ValueExt::id`].
    metas: FxHashMap<usize, Meta>,
    symbols: u32,
    /// Tensors of unknown rank, by [`ValueExt::id`]: those of one number have the same sizes.
    alike: FxHashMap<usize, u32>,
    /// What may get other sizes in place.
    resized: Vec<Value<'c, 'a>>,
    loops: usize,
}

impl<'c: 'a, 'a, 'r> Symbols<'c, 'a, 'r> {
    /// Of all values of a function, whose aliases these are.
    pub fn of(function: OperationRef<'c, 'a>, aliases: &'r Aliases<'c>) -> Self {
        let mut symbols = Symbols {
            aliases,
            metas: FxHashMap::default(),
            alike: FxHashMap::default(),
            symbols: 0,
            resized: Vec::new(),
            loops: 0,
        };
        symbols.function(function);
        // What was made like such a tensor before it got other sizes is not like what was made after: once more, without its sizes.
        if !symbols.resized.is_empty() {
            symbols.metas.clear();
            symbols.alike.clear();
            symbols.function(function);
        }
        symbols
    }

    fn function(&mut self, function: OperationRef<'c, 'a>) {
        for block in function.region_refs().into_iter().flat_map(RegionExt::blocks) {
            self.arguments(block);
            self.block(block);
        }
    }

    /// What is known of a value; of one that is new, what its type says.
    pub fn meta(&self, value: Value<'c, 'a>) -> Meta {
        self.metas.get(&value.id()).cloned().unwrap_or_else(|| refine::meta_of_type(value))
    }

    /// What is known of values if those of them whose rank is unknown have `rank` dimensions, and those that have not the sizes of `first` by `more`, `2 more`, …
    /// dimensions more.
    pub fn ranked(&self, values: &[Value<'c, 'a>], rank: u32, more: u32) -> Vec<Meta> {
        let mut classes: Vec<Option<u32>> = Vec::new();
        let mut of = |value: &Value<'c, 'a>, t: TensorMeta| {
            let class = self.alike.get(&value.id()).copied().filter(|_| !self.is_resized(*value));
            let known = classes.iter().position(|c| c.is_some() && *c == class);
            let at = known.unwrap_or_else(|| {
                classes.push(class);
                classes.len() - 1
            }) as u32;
            let sizes = (0..rank + at * more).map(|dim| Size::Symbol(OWN + at * MOST_DIMS + dim)).collect();
            Meta::Tensor(TensorMeta { sizes: Some(sizes), ..t })
        };
        let one = |value: &Value<'c, 'a>| match self.meta(*value) {
            Meta::Tensor(t) if t.sizes.is_none() => of(value, t),
            known => known,
        };
        values.iter().map(one).collect()
    }

    fn is_resized(&self, value: Value<'c, 'a>) -> bool {
        self.resized.len() > MOST_RESIZED || self.resized.iter().any(|r| self.aliases.may_alias(*r, value))
    }

    /// Is it known already?
    fn is_resized_itself(&self, value: Value<'c, 'a>) -> bool {
        self.resized.len() > MOST_RESIZED || self.resized.contains(&value)
    }

    /// Of which operand of unknown rank the result has the sizes, whatever they are.
    fn like_operand(&self, op: OperationRef<'c, 'a>) -> Option<u32> {
        let entry = sconce_torch::entry(op).filter(|e| e.schema().returns.len() == 1)?;
        let values = op.operand_values();
        let mut like = None;
        for (rank, more) in RANKS {
            let metas = self.ranked(&values, *rank, *more);
            let defaults = entry.schema().arguments.iter().skip(metas.len()).map(Meta::from_default);
            let all: Vec<Meta> = metas.iter().cloned().chain(defaults).collect();
            let Ok(given) = infer(entry, &all)? else { continue };
            let given = given.first()?.sizes()?;
            let has_class = |at: usize| self.alike.contains_key(&values[at].id()) && !self.is_resized(values[at]);
            let is_it = |(at, meta): &(usize, &Meta)| meta.sizes().as_ref() == Some(&given) && has_class(*at);
            let (at, _) = metas.iter().enumerate().find(is_it)?;
            let class = self.alike.get(&values[at].id()).copied();
            if like.is_some() && like != class {
                return None;
            }
            like = class;
        }
        like
    }

    fn fresh(&mut self) -> Size {
        self.symbols += 1;
        Size::Symbol(self.symbols)
    }

    fn arguments(&mut self, block: BlockRef<'c, 'a>) {
        for argument in block.args() {
            let meta = self.declared(argument);
            self.set(argument, meta);
            self.symbols += 1;
            self.alike.insert(argument.id(), self.symbols);
        }
    }

    fn set(&mut self, value: Value<'c, 'a>, meta: Meta) {
        let known = match meta {
            Meta::Tensor(t) if self.is_resized(value) => Meta::Tensor(TensorMeta { sizes: None, ..t }),
            known => known,
        };
        self.metas.insert(value.id(), known);
    }

    /// What the type says, symbols for the rest.
    fn declared(&mut self, value: Value<'c, 'a>) -> Meta {
        self.filled(refine::meta_of_type(value), value)
    }

    /// With what the type says, and symbols for the sizes that are still not known.
    fn filled(&mut self, meta: Meta, value: Value<'c, 'a>) -> Meta {
        match meta {
            Meta::Tensor(mut t) => {
                let have = Tensor::of(value.r#type());
                t.dtype = t.dtype.or(have.as_ref().and_then(|t| t.dtype));
                let said = have.and_then(|t| t.sizes);
                let mut sizes = t.sizes.or_else(|| said.as_ref().map(|s| s.iter().map(|_| Size::Unknown).collect()));
                for (at, size) in sizes.iter_mut().flatten().enumerate().filter(|(_, size)| **size == Size::Unknown) {
                    let said = said.as_ref().and_then(|s| s.get(at).copied().flatten());
                    *size = said.map_or_else(|| self.fresh(), Size::Known);
                }
                Meta::Tensor(TensorMeta { sizes, ..t })
            }
            Meta::Int(Size::Unknown) => Meta::Int(self.fresh()),
            Meta::Unknown if TorchType::of(value.r#type()) == TorchType::Int => Meta::Int(self.fresh()),
            Meta::Unknown if TorchType::of(value.r#type()) == TorchType::Float => refine::meta_of_type(value),
            Meta::Unknown if Tensor::of(value.r#type()).is_some() => {
                let nothing = TensorMeta { dtype: None, sizes: None, device: None, wrapped_number: false };
                self.filled(Meta::Tensor(nothing), value)
            }
            other => other,
        }
    }

    fn block(&mut self, block: BlockRef<'c, 'a>) {
        for op in block.ops() {
            match op.op_name() {
                "torch.prim.If" => self.branches(op),
                "torch.prim.Loop" => self.turns(op),
                _ => self.operation(op),
            }
        }
    }

    fn known(&self, value: Value<'c, 'a>) -> Meta {
        self.metas.get(&value.id()).cloned().unwrap_or(Meta::Unknown)
    }

    /// What a block passes on; nothing in the place of what is never made, since an error comes first.
    fn passed(&self, block: BlockRef<'c, 'a>) -> Vec<Option<Meta>> {
        let values = block.terminator_op().map(OpExt::operand_values).unwrap_or_default();
        let is_made = |v: &Value<'c, 'a>| source(*v).defining_op().is_none_or(|op| kind(op) != "prim.Uninitialized");
        values.into_iter().map(|v| is_made(&v).then(|| self.known(v))).collect()
    }

    fn branches(&mut self, op: OperationRef<'c, 'a>) {
        let blocks: Vec<_> = op.region_refs().into_iter().flat_map(RegionExt::blocks).collect();
        blocks.iter().for_each(|block| self.block(*block));
        let passed: Vec<Vec<Option<Meta>>> = blocks.iter().map(|block| self.passed(*block)).collect();
        for (at, result) in op.result_values().into_iter().enumerate() {
            let ways = passed.iter().filter_map(|p| p.get(at).cloned().unwrap_or(Some(Meta::Unknown)));
            let agreed = ways.reduce(|a, b| both(a, &b)).unwrap_or(Meta::Unknown);
            let meta = self.filled(agreed, result);
            self.set(result, meta);
        }
    }

    fn turns(&mut self, op: OperationRef<'c, 'a>) {
        let Some(body) = op.body(0) else { return };
        let mut carried: Vec<Meta> = op.operand_values().into_iter().skip(2).map(|v| self.known(v)).collect();
        self.loops += 1;
        if self.loops > DEEPEST {
            carried.iter_mut().for_each(|meta| *meta = Meta::Unknown);
        }
        for turn in 1.. {
            self.arguments(body);
            for (argument, meta) in body.args().into_iter().skip(1).zip(&carried) {
                let meta = self.filled(meta.clone(), argument);
                self.set(argument, meta);
            }
            self.block(body);
            // What a turn passes on is what the next begins with: less is known then, until nothing changes.
            let next = self.passed(body).into_iter().skip(1);
            let agree = |(a, b): (&Meta, Option<Meta>)| b.map_or_else(|| a.clone(), |b| both(a.clone(), &b));
            let agreed: Vec<Meta> = carried.iter().zip(next).map(agree).collect();
            if agreed == carried || self.loops > DEEPEST {
                break;
            }
            let keeps = |(a, b): (Meta, Meta)| if a == b || turn < TURNS { a } else { Meta::Unknown };
            carried = agreed.into_iter().zip(carried).map(keeps).collect();
        }
        self.loops -= 1;
        for (result, meta) in op.result_values().into_iter().zip(carried) {
            let meta = self.filled(meta, result);
            self.set(result, meta);
        }
    }

    fn operation(&mut self, op: OperationRef<'c, 'a>) {
        for block in op.region_refs().into_iter().flat_map(RegionExt::blocks) {
            self.arguments(block);
            self.block(block);
        }
        let operands: Vec<Meta> = op.operand_values().into_iter().map(|v| self.known(v)).collect();
        let metas = self.results(op, &operands);
        self.note_resized(op, &operands, metas.as_deref());
        for (at, result) in op.result_values().into_iter().enumerate() {
            let meta = match constant(result) {
                Some(_) if !self.aliases.has_writers(result) => refine::meta(result),
                _ => metas.as_ref().and_then(|m| m.get(at)).cloned().unwrap_or(Meta::Unknown),
            };
            let meta = self.filled(meta, result);
            self.insert(op, result, meta);
        }
    }

    fn insert(&mut self, op: OperationRef<'c, 'a>, result: Value<'c, 'a>, meta: Meta) {
        let is_of_unknown_rank = matches!(&meta, Meta::Tensor(t) if t.sizes.is_none()) && !self.is_resized(result);
        self.set(result, meta);
        if is_of_unknown_rank {
            let like = self.like_operand(op);
            self.symbols += 1;
            self.alike.insert(result.id(), like.unwrap_or(self.symbols));
        }
    }

    fn results(&self, op: OperationRef<'c, 'a>, operands: &[Meta]) -> Option<Vec<Meta>> {
        match op.op_name() {
            "torch.prim.ListConstruct" if op.result_value(0).is_some_and(|list| self.aliases.has_writers(list)) => None,
            "torch.prim.ListConstruct" => Some(vec![Meta::List(operands.to_vec())]),
            _ => refine::results_of(op, &|v| self.known(v)),
        }
    }

    /// Tensors that the operation writes to and may give other sizes.
    fn note_resized(&mut self, op: OperationRef<'c, 'a>, operands: &[Meta], results: Option<&[Meta]>) {
        let Some(entry) = sconce_torch::entry(op) else { return };
        let values = op.operand_values();
        for write in &entry.effect().writes {
            let (Some(value), Some(before)) = (values.get(write.argument), operands.get(write.argument)) else {
                continue;
            };
            let before = before.sizes();
            let schema = entry.schema();
            let keeps_any = schema.is_in_place() && entry.functional_entry().is_some_and(|f| f.scalar.is_some());
            let given = results.and_then(|r| r.first()).and_then(Meta::sizes);
            let gives_it = schema.is_out() || schema.is_in_place() && write.argument == 0;
            let is_kept = if before.is_some() { gives_it && before == given } else { keeps_any && write.argument == 0 };
            if Tensor::of(value.r#type()).is_some() && !is_kept && !self.is_resized_itself(*value) {
                self.resized.push(*value);
            }
        }
    }
}
