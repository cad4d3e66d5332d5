//! The state of one lowering: values with their symbolic sizes, the guards that make equal sizes equal, and the steps all families share.

use crate::Error;
use crate::emit::{DYNAMIC, Emit, Iterator, Slice, V};
use crate::inner_sizes::{InnerSize, is_inner};
use crate::strides::{Strides, Whose};
use sconce_analysis::Constant;
use sconce_exec::{Dim, DimOp, Form, Guard, OperatorCall, Relation, Source, Temporaries};
use sconce_ir::affine::{Places, identity};
use sconce_ir::{BlockRef, Type};
use sconce_schema::dim;
use sconce_schema::shape::{Meta, ShapeError, TensorMeta, infer};
use sconce_schema::{DType, OpEntry};
use smallvec::SmallVec;
use std::cell::RefCell;
use std::rc::Rc;

pub type Sizes = SmallVec<[Dim; 6]>;

/// A tensor of the function being built.
#[derive(Clone, Debug)]
pub struct TensorValue<'c> {
    pub value: V<'c>,
    pub sizes: Sizes,
    pub dtype: DType,
    /// This tensor is that one with its dimensions permuted: dimension `i` here is dimension `permutation[i]` there. Products read the
    /// original in place.
    pub permuted: Option<(Rc<TensorValue<'c>>, SmallVec<[usize; 6]>)>,
    /// Whether the interpreter's tensor lies row by row where the region's inputs do. Only such may be results: compiled code writes them so.
    pub row_major: bool,
    /// The interpreter's tensor's strides.
    pub(crate) strides: Strides,
}

/// What a torch value is during lowering.
#[derive(Clone, Debug)]
pub enum Item<'c> {
    Tensor(TensorValue<'c>),
    Constant(Constant),
    /// A number that is only known at run time; `dim` is it as a size.
    Number {
        value: V<'c>,
        dtype: DType,
        dim: Option<Dim>,
    },
    List(Vec<Item<'c>>),
    /// The processor.
    Device,
}

impl Item<'_> {
    /// Of a tensor.
    pub(crate) fn strides(&self) -> Option<&Strides> {
        match self {
            Item::Tensor(t) => Some(&t.strides),
            _ => None,
        }
    }
    /// As shape rules see it.
    pub(crate) fn meta(&self) -> Meta {
        match self {
            Item::Tensor(t) => Meta::Tensor(TensorMeta::new(Some(t.dtype), Some(t.sizes.clone()))),
            Item::Constant(c) => c.into(),
            Item::Number { dim: Some(d), .. } => Meta::Int(*d),
            Item::List(items) => Meta::List(items.iter().map(Item::meta).collect()),
            Item::Number { dtype: DType::F64, .. } => Meta::AnyFloat,
            Item::Number { .. } | Item::Device => Meta::Unknown,
        }
    }
}

/// One operator call.
pub struct Call<'a, 'c> {
    pub entry: &'static OpEntry,
    /// In schema order; what the text leaves out is missing at the end.
    pub arguments: &'a [Item<'c>],
    /// What the types say of the results; none for those that are no tensors.
    pub results: &'a [Option<sconce_analysis::types::Tensor>],
    /// Results up to the last that something uses.
    pub wanted: usize,
}

impl<'c> Call<'_, 'c> {
    /// What a parser of [`sconce_schema::geometry`] reads of the arguments.
    pub fn parsed<T>(&self, parse: impl FnOnce(&[Meta]) -> Result<Option<T>, ShapeError>) -> Result<T, Error> {
        let parsed = parse(&self.metas()).map_err(|e| Error::Unsupported(e.message))?;
        parsed.ok_or_else(|| Error::Unsupported("arguments that are not known".into()))
    }
    /// The arguments as shape rules see them.
    fn metas(&self) -> Vec<Meta> {
        let left_out = self.entry.schema().arguments.iter().skip(self.arguments.len()).map(Meta::from_default);
        self.arguments.iter().map(Item::meta).chain(left_out).collect()
    }
    pub fn argument(&self, i: usize) -> Result<&Item<'c>, Error> {
        self.arguments.get(i).ok_or_else(|| Error::Unsupported(format!("argument {i} is missing")))
    }
    pub fn tensor(&self, i: usize) -> Result<&TensorValue<'c>, Error> {
        match self.argument(i)? {
            Item::Tensor(t) => Ok(t),
            _ => Error::unsupported(format!("argument {i} is no tensor of known rank and dtype")),
        }
    }
    /// A tensor or None (also when it is left out).
    pub fn optional_tensor(&self, i: usize) -> Result<Option<&TensorValue<'c>>, Error> {
        match self.arguments.get(i) {
            None | Some(Item::Constant(Constant::None)) => Ok(None),
            Some(_) => self.tensor(i).map(Some),
        }
    }
    pub fn tensors(&self, i: usize) -> Result<Vec<TensorValue<'c>>, Error> {
        let Item::List(items) = self.argument(i)? else {
            return Error::unsupported(format!("argument {i} is no list"));
        };
        items
            .iter()
            .map(|item| match item {
                Item::Tensor(t) => Ok(t.clone()),
                _ => Error::unsupported(format!(
                    "argument {i} holds something that is no tensor of known rank and dtype"
                )),
            })
            .collect()
    }
    pub fn constant(&self, i: usize) -> Result<&Constant, Error> {
        match self.arguments.get(i) {
            None => Ok(&Constant::None),
            Some(Item::Constant(c)) => Ok(c),
            Some(_) => Error::unsupported(format!("argument {i} is not a constant")),
        }
    }
    pub fn int(&self, i: usize) -> Result<i64, Error> {
        match self.constant(i)? {
            Constant::Int(n) => Ok(*n),
            c => Error::unsupported(format!("argument {i} is {c:?}, not an int")),
        }
    }
    pub fn optional_int(&self, i: usize) -> Result<Option<i64>, Error> {
        match self.constant(i)? {
            Constant::None => Ok(None),
            _ => self.int(i).map(Some),
        }
    }
    pub fn bool_or(&self, i: usize, default: bool) -> Result<bool, Error> {
        match self.constant(i)? {
            Constant::None => Ok(default),
            Constant::Bool(b) => Ok(*b),
            c => Error::unsupported(format!("argument {i} is {c:?}, not a bool")),
        }
    }
    pub fn float(&self, i: usize) -> Result<f64, Error> {
        match self.constant(i)? {
            Constant::Float(f) => Ok(*f),
            Constant::Int(n) => Ok(*n as f64),
            c => Error::unsupported(format!("argument {i} is {c:?}, not a number")),
        }
    }
    /// A constant list of ints; a single int is a list of one; None is `None`.
    pub fn optional_ints(&self, i: usize) -> Result<Option<Vec<i64>>, Error> {
        match self.constant(i)? {
            Constant::None => Ok(None),
            Constant::Int(n) => Ok(Some(vec![*n])),
            Constant::List(items) => items
                .iter()
                .map(|c| match c {
                    Constant::Int(n) => Ok(*n),
                    c => Error::unsupported(format!("argument {i} holds {c:?}")),
                })
                .collect::<Result<_, _>>()
                .map(Some),
            c => Error::unsupported(format!("argument {i} is {c:?}, not a list of ints")),
        }
    }
    pub fn ints(&self, i: usize) -> Result<Vec<i64>, Error> {
        self.optional_ints(i)?.ok_or_else(|| Error::Unsupported(format!("argument {i} is None")))
    }
    /// A list of sizes, some of which may be known only at run time.
    pub fn sizes(&self, i: usize) -> Result<Vec<Dim>, Error> {
        match self.argument(i)? {
            Item::Constant(_) => Ok(self.ints(i)?.into_iter().map(Dim::Known).collect()),
            Item::List(items) => items.iter().map(item_dim).collect(),
            Item::Number { .. } => Ok(vec![item_dim(self.argument(i)?)?]),
            Item::Tensor(_) | Item::Device => Error::unsupported(format!("argument {i} is no list of sizes")),
        }
    }
    /// An int that may be known only at run time.
    pub fn dim(&self, i: usize) -> Result<Dim, Error> {
        item_dim(self.argument(i)?)
    }
    /// dtype of a result, as its type says.
    pub fn result_dtype(&self, i: usize) -> Result<DType, Error> {
        let result = self.results.get(i).and_then(Option::as_ref);
        result.and_then(|t| t.dtype).ok_or_else(|| Error::Unsupported(format!("the dtype of result {i} is not known")))
    }
    /// Sizes of a result, all of which its type says.
    pub fn result_sizes(&self, i: usize) -> Result<Sizes, Error> {
        let result = self.results.get(i).and_then(Option::as_ref);
        result
            .and_then(|t| t.sizes.as_ref()?.iter().map(|s| s.map(Dim::Known)).collect())
            .ok_or_else(|| Error::Unsupported(format!("the sizes of result {i} are not known")))
    }
    /// Sizes of all results that are wanted, as their types or else the operator's shape rule says; what the rule assumes for that, callers guard.
    pub(crate) fn wanted_sizes(&self, l: &mut Lower<'c>) -> Result<Vec<Sizes>, Error> {
        let wanted = self.wanted.min(self.results.len());
        let declared: Result<Vec<Sizes>, Error> = (0..wanted).map(|i| self.result_sizes(i)).collect();
        let Err(unknown) = declared else { return declared };
        let (inferred, assumed) = dim::collect(|| infer(self.entry, &self.metas()));
        let Some(Ok(inferred)) = inferred else { return Err(unknown) };
        let sizes: Option<Vec<Sizes>> = inferred.iter().take(wanted).map(Meta::sizes).collect();
        let sizes = sizes.filter(|sizes| sizes.len() == wanted).ok_or(unknown)?;
        assumed.into_iter().try_for_each(|g| l.guard(g.relation, g.left, g.right))?;
        Ok(sizes)
    }
    /// A number as an element of a dtype.
    pub fn scalar(&self, l: &Lower<'c>, i: usize, dtype: DType) -> Result<V<'c>, Error> {
        let t = l.element(dtype)?;
        match self.argument(i)? {
            Item::Constant(Constant::Int(n)) if !dtype.is_float() && dtype != DType::Bool => l.e.int(*n, t),
            Item::Constant(Constant::Float(x)) if !dtype.is_float() && x.fract() != 0. => {
                Error::unsupported(format!("the fraction {x} as {dtype}"))
            }
            Item::Constant(Constant::Bool(b)) => l.e.constant(f64::from(u8::from(*b)), t),
            Item::Constant(_) if dtype == DType::Bool => l.e.constant(f64::from(u8::from(self.float(i)? != 0.)), t),
            Item::Constant(_) => l.e.constant(self.float(i)?, t),
            Item::Number { value, dtype: from, .. } => crate::scalar::cast(&l.e, *value, *from, dtype, t),
            _ => Error::unsupported(format!("argument {i} is no number")),
        }
    }
    /// Is the argument left out, or None?
    pub fn is_none(&self, i: usize) -> bool {
        matches!(self.arguments.get(i), None | Some(Item::Constant(Constant::None)))
    }
}

fn item_dim(item: &Item<'_>) -> Result<Dim, Error> {
    match item {
        Item::Constant(Constant::Int(n)) => Ok(Dim::Known(*n)),
        Item::Number { dim: Some(d), .. } => Ok(*d),
        _ => Error::unsupported("a size is not known"),
    }
}

/// See [`Lower::state`].
pub(crate) struct State {
    guards: usize,
    temporaries: Temporaries,
    kernel_work: Dim,
    coded: usize,
    same_bits: bool,
    calls: usize,
    refuses: bool,
    asks_for_turns: bool,
    only_on_processor: bool,
    inner_sizes: usize,
    taken_for_rows: usize,
}

/// Lowers operators one after the other into one block.
pub struct Lower<'c> {
    pub e: Emit<'c>,
    /// Arguments of the function, for the sizes of tensors and the values of ints.
    pub inputs: Vec<V<'c>>,
    /// What the caller has to check before the code may run.
    pub guards: Vec<Guard>,
    /// What the code makes besides its results.
    pub temporaries: RefCell<Temporaries>,
    /// Steps (multiply-adds, elements folded one after the other) for which the runtime's kernels have a better way.
    pub kernel_work: Dim,
    /// From how many such steps on an operator in a branch or a loop is called: the code around it need not end there.
    pub calls_from: Option<i64>,
    /// How many operators that compute tensors have code of their own.
    pub coded: usize,
    /// None of them rounds otherwise than its kernel, or sums in another order.
    pub same_bits: bool,
    /// Operators that the code calls by the runtime's kernels.
    pub calls: Vec<OperatorCall>,
    /// The code says when an operator is to refuse what tensors hold.
    pub refuses: bool,
    /// The code asks whether its loops may go on.
    pub asks_for_turns: bool,
    /// The code is none for GPUs: it reads or writes at places that it computes, or calls.
    pub only_on_processor: bool,
    /// The function's own block, around those of its branches and loops. What is made at its end stands in front of the outermost of these, which is put there when
    /// its blocks are made.
    pub outermost: BlockRef<'c, 'c>,
    /// Numbers of branches and loops that are sizes.
    pub(crate) inner_sizes: Vec<InnerSize<'c>>,
    /// Of whom it was taken for granted that they lie row by row, where it had to be known.
    pub(crate) taken_for_rows: Vec<Whose>,
    /// How many tensors loops carry, so far.
    pub(crate) carried: u32,
}

impl<'c> Lower<'c> {
    /// Lowers to the end of a block.
    pub fn at_end(e: Emit<'c>) -> Self {
        Lower {
            e,
            inputs: Vec::new(),
            guards: Vec::new(),
            temporaries: RefCell::default(),
            kernel_work: Dim::Known(0),
            calls_from: None,
            coded: 0,
            same_bits: true,
            calls: Vec::new(),
            refuses: false,
            asks_for_turns: false,
            only_on_processor: false,
            outermost: e.block,
            inner_sizes: Vec::new(),
            taken_for_rows: Vec::new(),
            carried: 0,
        }
    }

    /// As many steps as these sizes multiply to are for the runtime's kernel, where it is asked.
    pub(crate) fn kernel_does_better<'s>(&mut self, sizes: impl IntoIterator<Item = &'s Dim>) {
        let steps = sizes.into_iter().fold(Dim::Known(1), |n, size| n.times(*size));
        self.kernel_work = self.kernel_work.plus(steps);
    }

    /// What a lowering makes, and the steps for which the runtime's kernel would have a better way.
    pub(crate) fn with_kernel_work<T>(
        &mut self,
        lower: impl FnOnce(&mut Self) -> Result<T, Error>,
    ) -> Result<(T, Dim), Error> {
        let before = std::mem::replace(&mut self.kernel_work, Dim::Known(0));
        let made = lower(self);
        let own = self.kernel_work;
        self.kernel_work = before.plus(own);
        made.map(|made| (made, own))
    }

    /// Whether what is lowered stands in a branch or a loop.
    pub(crate) fn is_in_blocks(&self) -> bool {
        self.e.block != self.outermost
    }

    /// What a lowering that fails has to leave as it was, beside the block.
    pub(crate) fn state(&self) -> State {
        State {
            guards: self.guards.len(),
            temporaries: self.temporaries.borrow().clone(),
            kernel_work: self.kernel_work,
            coded: self.coded,
            same_bits: self.same_bits,
            calls: self.calls.len(),
            refuses: self.refuses,
            asks_for_turns: self.asks_for_turns,
            only_on_processor: self.only_on_processor,
            inner_sizes: self.inner_sizes.len(),
            taken_for_rows: self.taken_for_rows.len(),
        }
    }

    pub(crate) fn restore(&mut self, state: State) {
        self.guards.truncate(state.guards);
        self.temporaries.replace(state.temporaries);
        self.kernel_work = state.kernel_work;
        self.coded = state.coded;
        self.same_bits = state.same_bits;
        self.calls.truncate(state.calls);
        self.refuses = state.refuses;
        self.asks_for_turns = state.asks_for_turns;
        self.only_on_processor = state.only_on_processor;
        self.inner_sizes.truncate(state.inner_sizes);
        self.taken_for_rows.truncate(state.taken_for_rows);
    }

    /// The element type in builtin tensors: integers are signless.
    pub fn element(&self, dtype: DType) -> Result<Type<'c>, Error> {
        use DType::*;
        let c = self.e.context;
        Ok(match dtype {
            Bool => self.e.int_type(1),
            U8 | I8 => self.e.int_type(8),
            U16 | I16 => self.e.int_type(16),
            U32 | I32 => self.e.int_type(32),
            U64 | I64 => self.e.int_type(64),
            F16 => Type::float16(c),
            BF16 => Type::bfloat16(c),
            F32 => Type::float32(c),
            F64 => Type::float64(c),
            other => return Error::unsupported(format!("no code for {other}")),
        })
    }

    pub fn tensor_type(&self, sizes: &[Dim], dtype: DType) -> Result<Type<'c>, Error> {
        let sizes: Vec<_> = sizes.iter().map(|d| d.known()).collect();
        Ok(self.e.tensor_type(&sizes, self.element(dtype)?))
    }

    /// A size as an `index` value.
    pub fn size(&self, d: &Dim) -> Result<V<'c>, Error> {
        let input =
            |i: u16| self.inputs.get(usize::from(i)).copied().ok_or_else(|| Error::Internal(format!("no input {i}")));
        let source = match d.form() {
            Form::Known(n) => return self.e.index(n),
            Form::Symbol(s) => match self.inner_value(s) {
                Some(value) => return value,
                None => Source::of(s),
            },
            Form::Unknown => return Error::unsupported("a size that nobody can compute"),
            Form::Op(op, a, b) => {
                let (a, b) = (self.size(&a)?, self.size(&b)?);
                let name = match op {
                    DimOp::Add => "arith.addi",
                    DimOp::Sub => "arith.subi",
                    DimOp::Mul => "arith.muli",
                    DimOp::FloorDiv => "arith.floordivsi",
                    // What a floored division leaves is what is left of the dividend.
                    DimOp::Mod => {
                        let quotient = self.e.same("arith.floordivsi", &[a, b])?;
                        let whole = self.e.same("arith.muli", &[quotient, b])?;
                        return self.e.same("arith.subi", &[a, whole]);
                    }
                    DimOp::Min => "arith.minsi",
                    DimOp::Max => "arith.maxsi",
                };
                return self.e.same(name, &[a, b]);
            }
        };
        match source {
            Source::Size { input: i, axis } => {
                let axis = self.e.index(i64::from(axis))?;
                self.e.one("tensor.dim", &[input(i)?, axis], self.e.index_type(), &[])
            }
            Source::Value(i) => self.e.one("arith.index_cast", &[input(i)?], self.e.index_type(), &[]),
        }
    }
    /// The values of the sizes that are not known, in order.
    pub fn dynamic_sizes(&self, sizes: &[Dim]) -> Result<Vec<V<'c>>, Error> {
        sizes.iter().filter(|d| d.known().is_none()).map(|d| self.size(d)).collect()
    }

    /// A part of a tensor whose places are a step apart in dimension `d`, and side by side in the others.
    pub fn slice(&self, offsets: &[Dim], sizes: &[Dim], (d, step): (usize, i64)) -> Result<Slice<'c>, Error> {
        let known = |dims: &[Dim]| dims.iter().map(|s| s.known().unwrap_or(DYNAMIC)).collect();
        Ok(Slice {
            offsets: known(offsets),
            sizes: known(sizes),
            steps: (0..sizes.len()).map(|i| if i == d { step } else { 1 }).collect(),
            dynamic_offsets: self.dynamic_sizes(offsets)?,
            dynamic_sizes: self.dynamic_sizes(sizes)?,
        })
    }

    /// From here on the two are the same size; the better known one.
    pub fn equal(&mut self, a: &Dim, b: &Dim) -> Result<Dim, Error> {
        if a == b {
            return Ok(*a);
        }
        if let (Some(x), Some(y)) = (a.known(), b.known()) {
            return Error::unsupported(format!("sizes {x} and {y} do not match"));
        }
        self.guard(Relation::Equal, *a, *b)?;
        Ok(if b.known().is_some() { *b } else { *a })
    }
    /// From here on `left` is at most `right`; where it is known that it is not, the call is refused for this reason.
    pub fn at_most(&mut self, left: Dim, right: Dim, why: &str) -> Result<(), Error> {
        match (left.known(), right.known()) {
            (Some(a), Some(b)) if a > b => Error::unsupported(why),
            (Some(_), Some(_)) => Ok(()),
            _ => self.guard(Relation::AtMost, left, right),
        }
    }
    /// From here on two sizes are so related: callers check it, or it is certain.
    pub fn guard(&mut self, relation: Relation, left: Dim, right: Dim) -> Result<(), Error> {
        let guard = Guard { relation, left, right };
        if is_inner(left) || is_inner(right) {
            return self.is_certain(&guard);
        }
        if !self.guards.contains(&guard) {
            self.guards.push(guard);
        }
        Ok(())
    }

    pub fn broadcast(&mut self, shapes: &[&[Dim]]) -> Result<Sizes, Error> {
        let rank = shapes.iter().map(|s| s.len()).max().unwrap_or(0);
        let mut out: Sizes = SmallVec::from_elem(Dim::Known(1), rank);
        for shape in shapes {
            for (i, d) in shape.iter().enumerate() {
                let place = rank - shape.len() + i;
                if *d == Dim::Known(1) {
                    continue;
                }
                let have = std::mem::replace(&mut out[place], Dim::Known(1));
                out[place] = if have == Dim::Known(1) { *d } else { self.equal(&have, d)? };
            }
        }
        Ok(out)
    }

    /// How an operand of `shape` is read in a loop nest over `sizes` (aligned to the right): by dimension, or always at 0.
    pub fn operand_map(&self, shape: &[Dim], sizes: &[Dim]) -> Places {
        let skip = sizes.len() - shape.len();
        let stays = |i: usize, d: &Dim| *d == Dim::Known(1) && sizes[skip + i] != Dim::Known(1);
        shape.iter().enumerate().map(|(i, d)| (!stays(i, d)).then_some(skip + i)).collect()
    }

    /// Memory that a call needs beside its results.
    pub(crate) fn count_temporary(&self, sizes: &[Dim], dtype: DType) -> Result<(), Error> {
        if self.temporaries.borrow_mut().add(&self.most_of(sizes)?, dtype) {
            return Ok(());
        }
        Error::unsupported("a tensor of more bytes than can be counted")
    }

    pub fn empty(&self, sizes: &[Dim], dtype: DType) -> Result<V<'c>, Error> {
        let t = self.tensor_type(sizes, dtype)?;
        self.count_temporary(sizes, dtype)?;
        self.e.one("tensor.empty", &self.dynamic_sizes(sizes)?, t, &[])
    }

    /// A tensor with `value` (of the element type) everywhere.
    pub fn filled(&self, sizes: &[Dim], dtype: DType, value: V<'c>) -> Result<V<'c>, Error> {
        let out = self.empty(sizes, dtype)?;
        let result = self
            .e
            .structured("linalg.fill", &[value], &[out], &[], None, &mut |_, arguments| Ok(vec![arguments[0]]))?;
        Ok(result[0])
    }

    /// One result element per tuple of broadcast operand elements.
    pub fn elementwise(
        &self,
        operands: &[&TensorValue<'c>],
        sizes: &[Dim],
        dtype: DType,
        body: &mut dyn FnMut(&Emit<'c>, &[V<'c>]) -> Result<V<'c>, Error>,
    ) -> Result<TensorValue<'c>, Error> {
        let out = self.empty(sizes, dtype)?;
        let mut maps = Vec::new();
        for t in operands {
            maps.push(self.e.map(sizes.len(), &self.operand_map(&t.sizes, sizes)));
        }
        maps.push(self.e.map(sizes.len(), &identity(sizes.len())));
        let values: Vec<_> = operands.iter().map(|t| t.value).collect();
        let iterators = vec![Iterator::Parallel; sizes.len()];
        let result =
            self.e.structured("linalg.generic", &values, &[out], &maps, Some(&iterators), &mut |e, arguments| {
                Ok(vec![body(e, arguments)?])
            })?;
        Ok(TensorValue::new(result[0], sizes.into(), dtype))
    }

    /// The tensor converted to a dtype, as PyTorch converts.
    pub fn cast(&self, t: &TensorValue<'c>, dtype: DType) -> Result<TensorValue<'c>, Error> {
        if t.dtype == dtype {
            return Ok(t.clone());
        }
        let to = self.element(dtype)?;
        let made =
            self.elementwise(&[t], &t.sizes, dtype, &mut |e, a| crate::scalar::cast(e, a[0], t.dtype, dtype, to))?;
        Ok(TensorValue { strides: Strides::computed(t.row_major, &t.sizes), ..made })
    }
}

impl<'c> TensorValue<'c> {
    pub fn new(value: V<'c>, sizes: Sizes, dtype: DType) -> Self {
        let strides = Strides::rows(&sizes);
        TensorValue { value, sizes, dtype, permuted: None, row_major: true, strides }
    }
    pub fn rank(&self) -> usize {
        self.sizes.len()
    }
    /// A dimension counted from the front or, if negative, from the back.
    pub fn axis(&self, d: i64) -> Result<usize, Error> {
        axis(d, self.rank())
    }
}

/// `d` in `-rank..rank` as a position; rank 0 has one dimension, as in PyTorch.
pub fn axis(d: i64, rank: usize) -> Result<usize, Error> {
    let n = rank.max(1) as i64;
    let i = if d < 0 { d + n } else { d };
    if (0..n).contains(&i) {
        Ok(i as usize)
    } else {
        Error::unsupported(format!("dimension {d} is out of range for rank {rank}"))
    }
}
