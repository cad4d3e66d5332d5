//! Random sequences: each step is one that PyTorch defines the outcome of, be it a result or a refusal.

use crate::defined::room;
use crate::program::{Action, Arg, Machine, Name, Step};
use sconce_schema::{OpEntry, Trait, Type};
use sconce_tensor::mersenne::Engine;
use sconce_tensor::{DType, Tensor};
use std::sync::LazyLock;

const STEPS: usize = 12;

const VIEWS: &str = "view reshape flatten.using_ints transpose.int permute narrow select.int slice.Tensor expand expand_as squeeze squeeze.dim \
    squeeze.dims unsqueeze as_strided diagonal unfold chunk split.Tensor split_with_sizes unbind.int tensor_split.sections detach alias \
    view_as_real adjoint mH view_as_complex view.dtype real imag t numpy_T movedim.int swapaxes unflatten.int view_as contiguous reshape_as mT \
    broadcast_to hsplit.int vsplit.int";

const IN_PLACE: &str = "add_.Tensor add_.Scalar sub_.Tensor mul_.Tensor mul_.Scalar div_.Tensor copy_ zero_ fill_.Scalar fill_.Tensor index_put_ \
    masked_fill_.Scalar masked_fill_.Tensor clamp_ clamp_min_ clamp_max_ scatter_.src scatter_.value scatter_add_ index_fill_.int_Scalar \
    index_copy_ index_add_ masked_scatter_ neg_ abs_ relu_ logical_not_ logical_and_ bitwise_and_.Tensor bitwise_xor_.Tensor eq_.Scalar \
    gt_.Tensor t_ transpose_ squeeze_ squeeze_.dim unsqueeze_ resize_ resize_as_ swapaxes_ as_strided_ set_.source_Tensor fill_diagonal_ \
    tril_ triu_ cumsum_ lerp_.Scalar addcmul_ put_ square_ copysign_.Scalar floor_ round_ sign_ sub_.Scalar addmm_ conj_physical_ \
    swapdims_ squeeze_.dims ceil_ trunc_ frac_ sgn_ bitwise_or_.Tensor bitwise_not_ logical_or_ logical_xor_ ne_.Scalar le_.Tensor \
    remainder_.Scalar fmod_.Tensor div_.Scalar lerp_.Tensor clamp_.Tensor index_fill_.int_Tensor sqrt_ reciprocal_ addcdiv_ pow_.Scalar cumprod_";

const OUT: &str = "add.out sub.out mul.out neg.out abs.out eq.Tensor_out lt.Scalar_out clamp.out maximum.out where.self_out cat.out stack.out \
    index_select.out gather.out masked_select.out cumsum.out sum.IntList_out amax.out max.dim_max tril.out take.out logical_or.out mm.out \
    bitwise_not.out zeros_like.out full_like.out index.Tensor_out argmax.out sort.values fmod.Scalar_out";

const PLAIN: &str = "add.Tensor sub.Tensor mul.Tensor add.Scalar rsub.Scalar div.Tensor maximum eq.Tensor lt.Scalar where.self masked_fill.Scalar \
    cat stack sum sum.dim_IntList amax index.Tensor index_select gather masked_select take flip roll repeat cumsum argmax sort tril clone \
    to.dtype zeros_like full_like ones_like clamp neg abs square logical_not bitwise_or.Tensor mm matmul constant_pad_nd isnan signbit \
    nonzero select_scatter slice_scatter diagonal_scatter index_put scatter.src copysign.Tensor fmod.Scalar _to_copy new_zeros new_full max.dim \
    repeat_interleave.self_int index_add diff trace unfold_copy any.dim all var_mean.correction";

const DTYPES: &[DType] = &[
    DType::F32,
    DType::F32,
    DType::I64,
    DType::I64,
    DType::F64,
    DType::Bool,
    DType::U8,
    DType::I32,
    DType::I16,
    DType::I8,
    DType::F16,
    DType::BF16,
    DType::C64,
    DType::C128,
];

/// The operators of a sequence, by how they treat their tensors.
static GROUPS: LazyLock<[Vec<&'static OpEntry>; 4]> = LazyLock::new(|| {
    [VIEWS, IN_PLACE, OUT, PLAIN].map(|names| {
        let entry = |n| sconce_schema::lookup(&format!("aten::{n}")).unwrap_or_else(|| panic!("no operator {n}"));
        names.split_whitespace().map(entry).collect()
    })
});

/// All operators that sequences may call.
pub fn operators() -> impl Iterator<Item = &'static str> {
    GROUPS.iter().flatten().map(|e| e.name)
}

/// The operator of a step.
pub fn name(step: &Step) -> &'static str {
    match &step.action {
        Action::New { .. } => "torch.tensor",
        Action::Call { op, .. } => op,
    }
}

/// The sequence of a seed.
pub fn sequence(seed: u64) -> Vec<Step> {
    let mut g = Generator {
        e: Engine::new(seed),
        machine: Machine::default(),
        steps: Vec::new(),
        next: 0,
        ended: false,
        rounded: Vec::new(),
    };
    for _ in 0..2 + g.below(2) {
        let (dtype, sizes) = (g.one(DTYPES), g.sizes());
        g.fresh(dtype, &sizes);
    }
    for _ in 0..100 {
        if g.steps.len() >= STEPS || g.ended {
            break;
        }
        g.step();
    }
    g.steps.truncate(STEPS);
    g.steps
}

pub struct Generator {
    e: Engine,
    pub machine: Machine,
    steps: Vec<Step>,
    next: Name,
    /// Nobody says what the last step left.
    ended: bool,
    /// Tensors whose last bits depend on how PyTorch computes, by their storages.
    pub rounded: Vec<Tensor>,
}

impl Generator {
    fn below(&mut self, n: usize) -> usize {
        self.e.below(n.max(1) as u64) as usize
    }
    fn one_in(&mut self, n: usize) -> bool {
        self.below(n) == 0
    }
    fn between(&mut self, low: i64, high: i64) -> i64 {
        low + self.below((high - low + 1) as usize) as i64
    }
    fn one<T: Copy>(&mut self, of: &[T]) -> T {
        of[self.below(of.len())]
    }
    fn sizes(&mut self) -> Vec<i64> {
        let rank = self.one(&[0, 1, 1, 2, 2, 2, 3, 3, 4]);
        (0..rank).map(|_| if self.one_in(25) { 0 } else { self.between(1, 4) }).collect()
    }

    /// Adds a step, which runs; what it gives gets names.
    fn push(&mut self, action: Action) -> Option<Name> {
        let binds = match &action {
            Action::New { .. } => true,
            Action::Call { op, .. } => {
                let entry = sconce_schema::lookup(op)?;
                !entry.has(Trait::InPlace) && !entry.has(Trait::Out)
            }
        };
        let results = self.machine.results(&action)?.unwrap_or_default();
        if let Action::Call { op, args } = &action
            && self.shows_bits(op, args, &results)
        {
            // What was written stays written.
            self.ended |= !binds;
            return None;
        }
        let kept = if binds { results.len().min(3) } else { 0 };
        let out: Vec<Name> = (self.next..self.next + kept).collect();
        self.next += kept;
        self.machine.live.extend(out.iter().copied().zip(results));
        let first = out.first().copied();
        self.steps.push(Step { action, out });
        first
    }

    fn fresh(&mut self, dtype: DType, sizes: &[i64]) -> Name {
        let count = sizes.iter().product();
        let imaginary = |g: &mut Generator| if dtype.is_complex() { g.number(dtype) } else { 0.0 };
        let numbers = (0..count).map(|_| (self.number(dtype), imaginary(self))).collect();
        self.push(Action::New { dtype, sizes: sizes.to_vec(), numbers }).expect("a tensor can be made")
    }

    fn number(&mut self, dtype: DType) -> f64 {
        match dtype {
            DType::Bool => self.below(2) as f64,
            DType::U8 => self.below(9) as f64,
            d if d.is_int() => self.between(-4, 4) as f64,
            d if !d.is_complex() && self.one_in(60) => self.one(&[f64::NAN, f64::INFINITY, -0.0]),
            _ => self.between(-12, 12) as f64 / 4.0,
        }
    }

    /// Integers below `bound` as a tensor.
    fn indices(&mut self, sizes: &[i64], bound: i64) -> Name {
        let numbers =
            (0..sizes.iter().product())
                .map(|_| {
                    if self.one_in(60) {
                        (bound as f64, 0.0)
                    } else {
                        (self.between(0, (bound - 1).max(0)) as f64, 0.0)
                    }
                })
                .collect();
        self.push(Action::New { dtype: DType::I64, sizes: sizes.to_vec(), numbers }).expect("a tensor can be made")
    }

    fn any(&mut self) -> (Name, Tensor) {
        let n = self.machine.live.len();
        let at = if self.one_in(2) { n - 1 - self.below(3.min(n)) } else { self.below(n) };
        self.machine.live[at].clone()
    }

    /// A tensor that broadcasts with `t`: one that lives, or a new one.
    fn partner(&mut self, t: &Tensor, dtype: Option<DType>) -> Name {
        let fits = |o: &Tensor| {
            sconce_tensor::broadcast_sizes(t.sizes(), o.sizes()).is_ok_and(|s| *s == *t.sizes())
                && dtype.is_none_or(|d| d == o.dtype())
        };
        let live: Vec<Name> = self.machine.live.iter().filter(|(_, o)| fits(o)).map(|(n, _)| *n).collect();
        if self.one_in(25) {
            return self.any().0;
        }
        if !live.is_empty() && !self.one_in(4) {
            return self.one(&live);
        }
        let mut sizes = t.sizes()[self.below(t.dim() + 1).min(t.dim())..].to_vec();
        if self.one_in(2) {
            sizes = t.sizes().to_vec();
        }
        for size in &mut sizes {
            if self.one_in(5) {
                *size = 1;
            }
        }
        let dtype = dtype.unwrap_or(if self.one_in(2) { t.dtype() } else { self.one(DTYPES) });
        self.fresh(dtype, &sizes)
    }

    fn dim(&mut self, t: &Tensor) -> i64 {
        let rank = t.dim().max(1) as i64;
        match self.below(30) {
            0 => rank,
            1..8 => self.between(-rank, -1),
            _ => self.between(0, rank - 1),
        }
    }

    fn step(&mut self) {
        let group = match self.below(20) {
            0..7 => 0,
            7..13 => 1,
            13..16 => 2,
            _ => 3,
        };
        let entry = self.one(&GROUPS[group]);
        let before = (self.steps.len(), self.machine.live.len());
        let found = self.arguments(entry).filter(|args| self.is_defined(entry, args).is_some());
        match found {
            Some(args) => {
                self.push(Action::Call { op: entry.name, args });
            }
            // Tensors made for a step that does not come are not needed.
            None => {
                self.steps.truncate(before.0);
                self.machine.live.truncate(before.1);
            }
        }
    }

    fn arguments(&mut self, entry: &'static OpEntry) -> Option<Vec<Arg>> {
        let base = entry.base_name().trim_start_matches("aten::");
        let (name, t) = self.any();
        if t.numel() > 200 && !matches!(base, "select" | "narrow" | "slice" | "chunk" | "unbind") {
            return None;
        }
        // PyTorch marks a tensor as conjugated; here it is a copy. (`detach_` is in no list: PyTorch refuses it for what was made as a view, which
        // nobody knows here.)
        if ["adjoint", "mH"].contains(&base) && t.dtype().is_complex() {
            return None;
        }
        let mut args = Vec::new();
        for argument in &entry.schema().arguments {
            let ty = if let Type::Optional(inner) = &argument.ty { inner } else { &argument.ty };
            let arg = match (&*argument.name, ty) {
                ("self", ty) if ty.is_tensor() => Arg::Tensor(name),
                _ if argument.is_out() => self.target(&t, base)?,
                (argument, ty) if ty.is_tensor() => self.tensor(base, argument, &t, &args),
                ("tensors", _) => {
                    let n = self.below(3);
                    let more: Vec<Name> = (0..n).map(|_| self.partner(&t, None)).collect();
                    Arg::Tensors(std::iter::once(name).chain(more).map(Some).collect())
                }
                ("indices", Type::List(_)) => self.index_list(&t),
                _ => self.plain(base, argument, ty, &t, &args)?,
            };
            args.push(arg);
        }
        // As with `resize_`: what is grown has any content.
        if let ("resize_as_", [_, Arg::Tensor(template), ..]) = (base, &args[..])
            && self.machine.get(*template)?.numel() > room(&t)
        {
            return None;
        }
        Some(args)
    }

    /// A tensor for `out=`.
    fn target(&mut self, t: &Tensor, base: &str) -> Option<Arg> {
        let truth = ["eq", "lt", "logical_or"].contains(&base);
        let index = base == "argmax";
        let kind = if truth {
            DType::Bool
        } else if index {
            DType::I64
        } else {
            t.dtype()
        };
        let fits: Vec<Name> = self.machine.live.iter().filter(|(_, o)| o.dtype() == kind).map(|(n, _)| *n).collect();
        Some(Arg::Tensor(match self.below(4) {
            0 => self.any().0,
            1 if !fits.is_empty() => self.one(&fits),
            2 => self.fresh(kind, t.sizes()),
            _ => self.fresh(kind, &[0]),
        }))
    }

    /// A tensor argument other than `self`.
    fn tensor(&mut self, base: &str, argument: &str, t: &Tensor, before: &[Arg]) -> Arg {
        let rank = t.dim();
        let dim = before.iter().find_map(|a| if let Arg::Int(d) = a { Some(*d) } else { None }).unwrap_or(0);
        let dim = (if dim < 0 { dim + rank as i64 } else { dim }).clamp(0, rank.max(1) as i64 - 1) as usize;
        let along = t.sizes().get(dim).copied().unwrap_or(1);
        let plain = base.trim_end_matches('_');
        let earlier = |i: usize| match before.get(i) {
            Some(Arg::Tensor(n)) => self.machine.get(*n).cloned(),
            _ => None,
        };
        Arg::Tensor(match (plain, argument) {
            (_, "mask" | "condition") => self.partner(t, Some(DType::Bool)),
            ("gather" | "scatter" | "scatter_add", "index") => {
                let mut sizes = t.sizes().to_vec();
                for s in &mut sizes {
                    *s = self.between(1.min(*s), *s);
                }
                self.indices(&sizes, along)
            }
            ("take" | "put", "index") => {
                let sizes = self.sizes();
                self.indices(&sizes, t.numel() as i64)
            }
            ("put", "source") => {
                let sizes = earlier(1).map_or(vec![], |i| i.sizes().to_vec());
                self.fresh(t.dtype(), &sizes)
            }
            (_, "index") => {
                // Written rows may not be named twice: which wins is not said.
                let count = self.between(0, along.min(3));
                let first = self.between(0, (along - count).max(0));
                let numbers = (0..count).map(|i| ((first + i) as f64, 0.0)).collect();
                self.push(Action::New { dtype: DType::I64, sizes: vec![count], numbers }).expect("a tensor can be made")
            }
            ("index_copy" | "index_add", "source") => {
                let mut sizes = t.sizes().to_vec();
                if let (Some(s), Some(index)) = (sizes.get_mut(dim), earlier(2)) {
                    *s = index.numel() as i64;
                }
                let dtype = if self.one_in(20) { self.one(DTYPES) } else { t.dtype() };
                self.fresh(dtype, &sizes)
            }
            ("scatter" | "scatter_add", "src") => {
                let sizes = earlier(2).map_or(vec![], |i| i.sizes().to_vec());
                let dtype = if self.one_in(20) { self.one(DTYPES) } else { t.dtype() };
                self.fresh(dtype, &sizes)
            }
            ("index_put", "values") => self.fresh(t.dtype(), &[]),
            ("masked_scatter", "source") => {
                let n = t.numel() as i64;
                self.fresh(t.dtype(), &[n])
            }
            ("fill" | "masked_fill", "value") => {
                let dtype = if self.one_in(3) { self.one(DTYPES) } else { t.dtype() };
                self.fresh(dtype, &[])
            }
            ("mm" | "matmul" | "addmm", _) => {
                let (rows, columns) = match argument {
                    "mat1" => (t.sizes().first().copied().unwrap_or(1), 2),
                    "mat2" if plain == "addmm" => (2, t.sizes().get(1).copied().unwrap_or(1)),
                    _ => (t.sizes().last().copied().unwrap_or(1), 3),
                };
                self.fresh(t.dtype(), &[rows, columns])
            }
            ("select_scatter" | "slice_scatter" | "diagonal_scatter", "src") => self.fresh(t.dtype(), t.sizes()),
            ("view_as" | "reshape_as" | "resize_as" | "set", _) => self.any().0,
            ("expand_as", _) => {
                let mut sizes = t.sizes().to_vec();
                sizes.iter_mut().filter(|s| **s == 1).for_each(|s| *s = 2);
                sizes.insert(0, 2);
                self.fresh(DType::I8, &sizes)
            }
            _ => self.partner(t, None),
        })
    }

    /// What `index` and `index_put_` take.
    fn index_list(&mut self, t: &Tensor) -> Arg {
        let first = t.sizes().first().copied().unwrap_or(1);
        match self.below(4) {
            0 => {
                let sizes = t.sizes()[..(1 + self.below(t.dim())).min(t.dim())].to_vec();
                Arg::Tensors(vec![Some(self.fresh(DType::Bool, &sizes))])
            }
            1 if t.dim() > 1 => {
                let i = self.indices(&[2], t.sizes()[1]);
                Arg::Tensors(vec![None, Some(i)])
            }
            2 if t.dim() > 1 => {
                let (i, j) = (self.indices(&[2, 1], first), self.indices(&[2], t.sizes()[1]));
                Arg::Tensors(vec![Some(i), Some(j)])
            }
            _ => Arg::Tensors(vec![Some(self.indices(&[2], first))]),
        }
    }

    /// An argument that is no tensor.
    fn plain(
        &mut self,
        base: &str,
        argument: &sconce_schema::Argument,
        ty: &Type,
        t: &Tensor,
        before: &[Arg],
    ) -> Option<Arg> {
        let rank = t.dim() as i64;
        let dim = before.iter().find_map(|a| if let Arg::Int(d) = a { Some(*d) } else { None }).unwrap_or(0);
        let along = t.sizes().get((if dim < 0 { dim + rank } else { dim }) as usize).copied().unwrap_or(1);
        let name = &*argument.name;
        let plain = base.trim_end_matches('_');
        Some(match (plain, name, ty) {
            (
                _,
                "dim" | "dim0" | "dim1" | "dim2" | "axis0" | "axis1" | "start_dim" | "end_dim" | "source"
                | "destination",
                Type::Int,
            ) => {
                let rank_is_one_more = plain == "unsqueeze" || plain == "stack";
                let d = self.dim(t);
                Arg::Int(if rank_is_one_more && self.one_in(3) { rank } else { d })
            }
            ("select" | "select_scatter", "index", _) => {
                Arg::Int(if self.one_in(25) { along } else { self.between(-along, along - 1) })
            }
            ("slice" | "slice_scatter", "start" | "end", _) => match self.below(3) {
                0 => Arg::None,
                _ => Arg::Int(self.between(-along - 1, along + 1)),
            },
            (_, "step", _) => Arg::Int(if plain == "unfold" { self.between(1, 3) } else { self.one(&[1, 1, 1, 2, 3]) }),
            ("narrow", "start", _) => Arg::Int(self.between(0, (along - 1).max(0))),
            ("narrow", "length", _) => {
                let start = if let Some(Arg::Int(s)) = before.last() { *s } else { 0 };
                let more = i64::from(self.one_in(25));
                Arg::Int(self.between(0, (along - start).max(0) + more))
            }
            ("unfold" | "unfold_copy", "size", _) => Arg::Int(self.between(1.min(along), along)),
            ("chunk" | "tensor_split" | "hsplit" | "vsplit", "chunks" | "sections", _) => Arg::Int(self.between(1, 3)),
            ("split", "split_size", _) => Arg::Int(self.between(1, along.max(1))),
            ("split_with_sizes", "split_sizes", _) => {
                // The dimension comes after.
                let all = t.sizes().first().copied().unwrap_or(1);
                let cut = self.between(0, all);
                Arg::Ints(vec![cut, all - cut])
            }
            ("view" | "reshape", "size" | "shape", _) => Arg::Ints(self.factors(t.numel() as i64)),
            ("unflatten", "sizes", _) => {
                let sizes = self.factors(along);
                Arg::Ints(if sizes.is_empty() { vec![1] } else { sizes })
            }
            ("expand" | "broadcast_to", "size", _) => {
                let mut sizes = t.sizes().to_vec();
                for s in &mut sizes {
                    if *s == 1 && self.one_in(2) {
                        *s = self.between(0, 3);
                    }
                }
                if self.one_in(2) && sizes.len() < 5 {
                    sizes.insert(0, self.between(1, 3));
                }
                Arg::Ints(sizes)
            }
            ("permute", "dims", _) => {
                let mut dims: Vec<i64> = (0..rank).collect();
                for i in (1..dims.len()).rev() {
                    let j = self.below(i + 1);
                    dims.swap(i, j);
                }
                Arg::Ints(dims)
            }
            ("flip" | "squeeze" | "sum" | "amax" | "any", "dims" | "dim", Type::List(_)) => {
                let d = self.dim(t);
                Arg::Ints(if self.one_in(5) { vec![] } else { vec![d] })
            }
            ("roll", "shifts", _) => Arg::Ints(vec![self.between(-3, 3)]),
            ("roll", "dims", _) => Arg::Ints(if self.one_in(2) { vec![] } else { vec![self.dim(t)] }),
            ("repeat", "repeats", _) => {
                let n = rank + i64::from(self.one_in(2));
                Arg::Ints((0..n).map(|_| self.between(1, 2)).collect())
            }
            ("repeat_interleave", "repeats", _) => Arg::Int(self.between(0, 2)),
            ("constant_pad_nd", "pad", _) => Arg::Ints(vec![self.between(0, 2), self.between(-1, 1)]),
            ("as_strided", "size", _) => {
                let n = self.below(4);
                Arg::Ints((0..n).map(|_| self.between(1, 3)).collect())
            }
            ("as_strided", "stride", _) => {
                let n = if let Some(Arg::Ints(s)) = before.last() { s.len() } else { 0 };
                Arg::Ints((0..n).map(|_| self.between(0, 4)).collect())
            }
            ("as_strided", "storage_offset", _) => match self.below(3) {
                0 => Arg::None,
                _ => Arg::Int(self.between(0, 4)),
            },
            // What a tensor grows by has any content, so sequences only let it shrink or be overwritten as `out=`.
            ("resize", "size", _) => {
                let sizes = self.sizes();
                if sizes.iter().product::<i64>() > room(t) as i64 {
                    return None;
                }
                Arg::Ints(sizes)
            }
            ("new_zeros" | "new_full", "size", _) => Arg::Ints(self.sizes()),
            (_, "dtype", _) => match plain {
                "to" => Arg::DType(self.one(DTYPES)),
                // Bytes that are true but not 1 become 1 in some copies of PyTorch's and stay in others.
                "view" if t.dtype() == DType::Bool && t.contiguous().ok()?.read_bytes().iter().any(|b| *b > 1) => {
                    return None;
                }
                "view" => Arg::DType(self.one(DTYPES)),
                "sum" | "cumsum" if self.one_in(3) => Arg::DType(self.one(DTYPES)),
                _ => Arg::None,
            },
            (_, "accumulate", _) => Arg::Bool(true),
            (_, "largest" | "wrap" | "keepdim", _) => Arg::Bool(self.one_in(2)),
            ("clamp", "min" | "max", Type::Number) if self.one_in(4) => Arg::None,
            ("diagonal" | "diagonal_scatter" | "tril" | "triu", "offset" | "diagonal", _) => {
                Arg::Int(self.between(-2, 2))
            }
            (_, "alpha" | "beta", _) if self.one_in(2) => Arg::Int(1),
            (_, _, Type::Number) => match self.below(24) {
                0..5 => Arg::Float(self.between(-10, 10) as f64 / 4.0),
                5..9 => Arg::Bool(self.one_in(2)),
                // PyTorch takes a complex number without an imaginary part for a bound.
                9 if !plain.starts_with("clamp") => {
                    Arg::Complex(self.between(-4, 4) as f64 / 2.0, self.between(-1, 1) as f64)
                }
                10 => Arg::Int(self.one(&[127, 128, 255, 256, -128, -129, -255, -256, 40_000, -70_000])),
                _ => Arg::Int(self.between(-4, 4)),
            },
            _ => match &argument.default {
                Some(default) => from_default(default)?,
                None if *ty == Type::Int => Arg::Int(self.between(0, 2)),
                None if *ty == Type::Bool => Arg::Bool(self.one_in(2)),
                None => return None,
            },
        })
    }

    /// Sizes with this product, one of them perhaps -1.
    fn factors(&mut self, mut n: i64) -> Vec<i64> {
        let mut sizes = Vec::new();
        while n > 1 && sizes.len() < 3 {
            let all: Vec<i64> = (1..=n).filter(|d| n % d == 0).collect();
            let d = self.one(&all);
            sizes.push(d);
            n /= d;
        }
        if n != 1 || self.one_in(6) {
            sizes.push(n);
        }
        if !sizes.is_empty() && !sizes.contains(&0) && self.one_in(4) {
            let at = self.below(sizes.len());
            sizes[at] = -1;
        }
        sizes
    }
}

fn from_default(default: &sconce_schema::op::DefaultValue) -> Option<Arg> {
    use sconce_schema::op::DefaultValue as D;
    Some(match default {
        D::None => Arg::None,
        D::Bool(v) => Arg::Bool(*v),
        D::Int(v) => Arg::Int(*v),
        D::Float(v) => Arg::Float(*v),
        D::List(items) => {
            let int = |i: &D| if let D::Int(i) = i { Some(*i) } else { None };
            Arg::Ints(items.iter().map(int).collect::<Option<_>>()?)
        }
        _ => return None,
    })
}
