//! Values to call a function with, made of the types that it declares: the same seed gives the same values, and what a type says of sizes and dtype they keep.

use sconce_graph::graph::{Graph, ValueId};
use sconce_graph::unit::Unit;
use sconce_schema::init::{attribute_path, init_result};
use sconce_schema::types::{Dim, TensorType};
use sconce_schema::{DType, Type};
use sconce_tensor::{Complex, Dict, IValue, List, Object, Tensor, Tuple};
use std::collections::HashMap;
use std::sync::Arc;

/// What is particular about the tensors of a call.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Kind {
    /// Each its own, its elements side by side.
    Plain,
    /// Views with gaps between their elements.
    Views,
    /// All of one dtype in one storage, over each other.
    Overlapping,
    /// NaN, infinities, zeros of both signs, the smallest numbers.
    Special,
    /// Sizes that are not known are 0.
    Empty,
}

/// All kinds, in the order in which calls are made.
pub const KINDS: &[Kind] = &[Kind::Plain, Kind::Views, Kind::Overlapping, Kind::Special, Kind::Empty];

impl Kind {
    /// In words, for messages.
    pub fn words(self) -> &'static str {
        match self {
            Kind::Plain => "random tensors",
            Kind::Views => "tensors that are views",
            Kind::Overlapping => "tensors that share memory",
            Kind::Special => "NaN, infinities and zeros",
            Kind::Empty => "tensors without elements",
        }
    }
}

/// Sizes of tensors whose rank nobody knows, one after the other until a call does not raise.
pub const SHAPES: &[&[i64]] = &[&[3, 3], &[2, 3, 8, 8], &[2, 3, 4], &[3], &[]];

/// Values that whoever asks has at hand; what is not here is made.
#[derive(Clone, Debug, Default)]
pub struct Given {
    /// All arguments of the function.
    pub arguments: Option<Vec<IValue>>,
    /// Types that arguments are to have where the function's own say less: it is compiled for them.
    pub types: Vec<Option<Type>>,
    /// Constants by their names; `self.<path>` are attributes of the object.
    pub constants: Vec<(Arc<str>, IValue)>,
}

impl Given {
    fn constant(&self, name: &str) -> Option<&IValue> {
        self.constants.iter().find(|(known, _)| **known == *name).map(|(_, value)| value)
    }
}

/// Makes the arguments of calls of one function.
pub struct Inputs<'u> {
    unit: &'u Unit,
    given: &'u Given,
    parameters: Vec<Type>,
    /// What the function takes attributes of its object for, by path.
    hints: HashMap<String, Type>,
    /// Named constants that are no attributes.
    named: Vec<(Arc<str>, Type)>,
    pub shape: &'static [i64],
}

/// Objects in objects, lists in lists.
const MAX_DEPTH: usize = 64;

impl<'u> Inputs<'u> {
    /// # Errors
    /// There is no such function.
    pub fn of(unit: &'u Unit, function: &str, given: &'u Given) -> Result<Self, String> {
        let f = unit.functions.get(function).ok_or_else(|| format!("there is no function @{function}"))?;
        let graph = &f.graph;
        let parameter =
            |(i, v): (usize, &ValueId)| given.types.get(i).cloned().flatten().unwrap_or_else(|| graph.ty(*v).clone());
        let parameters = graph.block_inputs(graph.root()).iter().enumerate().map(parameter).collect();
        let mut named = Vec::new();
        unit.functions.values().for_each(|f| named_constants(&f.graph, &mut named));
        Ok(Inputs { unit, given, parameters, hints: hints(graph), named, shape: SHAPES[0] })
    }

    /// How many parameters the function has.
    pub fn count(&self) -> usize {
        self.parameters.len()
    }

    /// Has the function tensors of which nobody knows the rank?
    pub fn has_unknown_ranks(&self) -> bool {
        let unknown = |ty: &Type| matches!(ty, Type::Tensor(t) if t.sizes.is_none());
        self.parameters.iter().any(unknown) || self.hints.values().any(unknown)
    }

    /// The arguments of a call.
    ///
    /// # Errors
    /// A type of which no value can be made.
    pub fn arguments(&self, kind: Kind, seed: u64) -> Result<Vec<IValue>, String> {
        if let Some(given) = &self.given.arguments {
            return sconce_tensor::deep_copies(given).map_err(|e| e.to_string());
        }
        let mut maker = Maker { inputs: self, kind, random: fastrand::Rng::with_seed(seed), pools: HashMap::new() };
        let one = |(i, ty): (usize, &Type)| match ty {
            Type::Class(name) if i == 0 => maker.object(name, "", 0),
            ty => maker.value(ty, 0).map_err(|e| format!("parameter {i}: {e}")),
        };
        self.parameters.iter().enumerate().map(one).collect()
    }

    /// Values for constants that go by names. Attributes are those of the object that a call gets first.
    ///
    /// # Errors
    /// A type of which no value can be made.
    pub fn constants(&self, this: Option<&IValue>) -> Result<HashMap<String, IValue>, String> {
        let mut out = HashMap::new();
        for (name, ty) in &self.named {
            let seed = name.bytes().fold(7u64, |hash, b| hash.wrapping_mul(31).wrapping_add(b.into()));
            let random = fastrand::Rng::with_seed(seed);
            let mut maker = Maker { inputs: self, kind: Kind::Plain, random, pools: HashMap::new() };
            let value = match self.given.constant(name) {
                Some(given) => given.clone(),
                None => maker.value(ty, 0).map_err(|e| format!("constant {name}: {e}"))?,
            };
            out.insert(name.to_string(), value);
        }
        if let Some(IValue::Object(this)) = this {
            attributes(this, "", 0, &mut out);
        }
        Ok(out)
    }
}

/// Tensors of an object, by the names of the constants that may stand for them.
fn attributes(object: &Arc<Object>, path: &str, depth: usize, out: &mut HashMap<String, IValue>) {
    for (slot, name) in object.names.iter().enumerate().filter(|_| depth < MAX_DEPTH) {
        let path = if path.is_empty() { name.to_string() } else { format!("{path}.{name}") };
        match object.get(slot) {
            Some(IValue::Object(inner)) => attributes(&inner, &path, depth + 1, out),
            Some(value @ IValue::Tensor(_)) => {
                out.insert(sconce_schema::init::attribute_constant(&path), value);
            }
            _ => {}
        }
    }
}

/// Types of the attributes that a graph reads of its first input, by path.
fn hints(graph: &Graph) -> HashMap<String, Type> {
    let mut paths: HashMap<ValueId, String> = HashMap::new();
    let mut out = HashMap::new();
    if let Some(this) = graph.block_inputs(graph.root()).first() {
        paths.insert(*this, String::new());
    }
    for node in graph.walk(graph.root()).into_iter().filter(|n| graph.is(*n, "prim::GetAttr")) {
        let owner = graph.input(node, 0).and_then(|v| paths.get(&v));
        let (Some(owner), Some(name), Some(output)) = (owner, graph.str_attr(node, "name"), graph.output(node)) else {
            continue;
        };
        let path = if owner.is_empty() { name.to_string() } else { format!("{owner}.{name}") };
        out.entry(path.clone()).or_insert_with(|| graph.ty(output).clone());
        paths.insert(output, path);
    }
    out
}

fn named_constants(graph: &Graph, out: &mut Vec<(Arc<str>, Type)>) {
    for node in graph.walk(graph.root()).into_iter().filter(|n| graph.is(*n, sconce_bytecode::NAMED_CONSTANT)) {
        let (Some(name), Some(output)) = (graph.str_attr(node, "name"), graph.output(node)) else { continue };
        let is_own = attribute_path(name).is_none() && init_result(name).is_none();
        if is_own && !out.iter().any(|(known, _)| known == name) {
            out.push((name.clone(), graph.ty(output).clone()));
        }
    }
}

/// Makes values of types.
struct Maker<'i, 'u> {
    inputs: &'i Inputs<'u>,
    kind: Kind,
    random: fastrand::Rng,
    /// For tensors that share memory: a storage of each dtype, and how many are in it.
    pools: HashMap<DType, (Tensor, i64)>,
}

impl Maker<'_, '_> {
    fn object(&mut self, class: &str, path: &str, depth: usize) -> Result<IValue, String> {
        let known = self.inputs.unit.classes.get(class).filter(|_| depth < MAX_DEPTH);
        let known = known.ok_or_else(|| format!("no object of class {class} can be made"))?;
        let names: Arc<[Arc<str>]> = known.attributes.iter().map(|a| a.name.clone()).collect();
        let object = Object::new(known.name.clone(), names);
        for (slot, attribute) in known.attributes.iter().enumerate() {
            let path = if path.is_empty() { attribute.name.to_string() } else { format!("{path}.{}", attribute.name) };
            let given = self.inputs.given.constant(&sconce_schema::init::attribute_constant(&path)).cloned();
            let ty = self.inputs.hints.get(&path).unwrap_or(&attribute.ty);
            let value = match (given, ty) {
                (Some(given), _) => given,
                (None, Type::Class(class)) => self.object(class, &path, depth + 1)?,
                // Nobody reads it.
                (None, ty) if !self.inputs.hints.contains_key(&path) => self.value(ty, depth).unwrap_or_default(),
                (None, ty) => self.value(ty, depth + 1).map_err(|e| format!("{path}: {e}"))?,
            };
            object.set(slot, value);
        }
        Ok(IValue::Object(object))
    }

    fn value(&mut self, ty: &Type, depth: usize) -> Result<IValue, String> {
        if depth > MAX_DEPTH {
            return Err("a type that nests too deeply".into());
        }
        let refused = || Err(format!("no value of type {ty} can be made"));
        Ok(match ty {
            Type::Tensor(t) => self.tensor(t)?.into(),
            Type::Int | Type::SymInt => IValue::Int(self.random.i64(1..4)),
            Type::Float | Type::SymFloat => IValue::Double(f64::from(self.random.i32(-8..8)) / 4.0),
            Type::Number => IValue::Double(0.5),
            Type::Bool | Type::SymBool => IValue::Bool(self.random.bool()),
            Type::Complex => IValue::complex(0.5, -1.0),
            Type::Str => IValue::str("s"),
            Type::None => IValue::None,
            Type::Optional(inner) => self.value(inner, depth + 1).unwrap_or_default(),
            Type::List(element) => {
                let items = (0..2).map(|_| self.value(element, depth + 1)).collect::<Result<Vec<_>, _>>()?;
                IValue::List(List::new((**element).clone(), items))
            }
            Type::Tuple(items) => {
                let items = items.iter().map(|t| self.value(t, depth + 1)).collect::<Result<Vec<_>, _>>()?;
                IValue::Tuple(Tuple::new(items, None))
            }
            Type::NamedTuple(named) => {
                let items =
                    named.fields.iter().map(|(_, t)| self.value(t, depth + 1)).collect::<Result<Vec<_>, _>>()?;
                IValue::Tuple(Tuple::new(items, Some(named.clone())))
            }
            Type::Dict(key, value) => {
                let dict = Dict::new((**key).clone(), (**value).clone());
                for _ in 0..2 {
                    let key = self.value(key, depth + 1)?;
                    let Some(key) = sconce_tensor::DictKey::from_value(&key) else { return refused() };
                    let value = self.value(value, depth + 1)?;
                    dict.write().insert(key, value);
                }
                IValue::Dict(dict)
            }
            Type::Union(members) => match members.iter().find(|m| **m != Type::None) {
                Some(member) => self.value(member, depth + 1)?,
                None => return refused(),
            },
            _ => return refused(),
        })
    }

    fn tensor(&mut self, ty: &TensorType) -> Result<Tensor, String> {
        let dtype = ty.dtype.unwrap_or(DType::F32);
        let size = |dim: &Dim| match dim {
            Dim::Known(n) => *n,
            _ if self.kind == Kind::Empty => 0,
            _ => 3,
        };
        let sizes: Vec<i64> = match &ty.sizes {
            Some(sizes) => sizes.iter().map(size).collect(),
            None if self.kind == Kind::Empty => self.inputs.shape.iter().map(|_| 0).collect(),
            None => self.inputs.shape.to_vec(),
        };
        let failed = |e: sconce_tensor::Error| e.to_string();
        match self.kind {
            Kind::Views => {
                // Every second element of rows that are one longer.
                let mut strides = vec![0; sizes.len()];
                let mut step = 2i64;
                for (stride, size) in strides.iter_mut().zip(&sizes).rev() {
                    *stride = step;
                    step = step.saturating_mul(size + 1);
                }
                let whole = self.elements(step.max(1).saturating_add(1), dtype)?;
                whole.as_strided(&sizes, &strides, 1).map_err(failed)
            }
            Kind::Overlapping => {
                let count = sizes.iter().product::<i64>();
                let (whole, others) = match self.pools.get(&dtype) {
                    Some(pool) if pool.0.numel() as i64 >= count + pool.1 => pool.clone(),
                    _ => (self.elements(count + 8, dtype)?, 0),
                };
                self.pools.insert(dtype, (whole.clone(), others + 1));
                let strides = sconce_tensor::contiguous_strides(&sizes);
                // The first two are one, where their sizes are.
                whole.as_strided(&sizes, &strides, (others - 1).max(0)).map_err(failed)
            }
            Kind::Plain | Kind::Special | Kind::Empty => {
                let whole = self.elements(sizes.iter().product(), dtype)?;
                whole.as_strided(&sizes, &sconce_tensor::contiguous_strides(&sizes), 0).map_err(failed)
            }
        }
    }

    /// So many elements in a row. Whole numbers are small, so that most may be an index.
    fn elements(&mut self, count: i64, dtype: DType) -> Result<Tensor, String> {
        const SPECIAL: &[f64] = &[f64::NAN, f64::INFINITY, f64::NEG_INFINITY, 0.0, -0.0, 1e-40, -1.5, 3.0];
        let count = usize::try_from(count).map_err(|_| "a size below zero".to_owned())?;
        let mut number = |at: usize| match self.kind {
            _ if !(dtype.is_float() || dtype.is_complex()) => {
                if dtype == DType::Bool {
                    f64::from(u8::from(self.random.bool()))
                } else {
                    f64::from(self.random.u8(0..3))
                }
            }
            Kind::Special if at % 3 == 1 => SPECIAL[self.random.usize(0..SPECIAL.len())],
            _ => f64::from(self.random.i32(-256..256)) / 128.0,
        };
        let sizes = [count as i64];
        if dtype.is_complex() {
            let numbers: Vec<Complex<f32>> =
                (0..count).map(|i| Complex::new(number(i) as f32, number(i) as f32)).collect();
            let made = Tensor::from_vec(numbers, &sizes);
            return if dtype == DType::C64 { Ok(made) } else { Err(format!("no tensor of {dtype} can be made")) };
        }
        let numbers: Vec<f64> = (0..count).map(number).collect();
        Tensor::from_f64(&numbers, &sizes, dtype).ok_or_else(|| format!("no tensor of {dtype} can be made"))
    }
}
