//! Who calls an exported program gives arguments as Python would: they are taken apart into leaves, and refused before anything runs where the program was
//! not exported for them; the leaves of its result are put together.
//!
//! What is asked of leaves is what the export fixed: constants are what they were, sizes that are no symbols too, a symbol is one number wherever it stands, and
//! lies in its range.

mod checks;

use crate::Error;
use crate::guard::Guard;
use crate::program::ExportedProgram;
use crate::pytree::{Node, ShapeError, TreeSpec};
use crate::schema::{ConstantValue, InputSpec, OutputSpec, RangeConstraint};
use sconce_fx::{SymExpr, Val};
use sconce_schema::Type;
use sconce_schema::dim::Dim;
use sconce_schema::types::NamedTuple;
use sconce_tensor::IValue;
use std::collections::BTreeMap;
use std::sync::Arc;

pub use checks::{CHECK, Checks};

/// How a program is called.
pub struct Boundary {
    parameters: Vec<Parameter>,
    inputs: Vec<Input>,
    out_spec: TreeSpec,
    /// Symbols by number.
    symbols: Vec<String>,
    ranges: Vec<Range>,
    /// What else PyTorch asks of the inputs, as far as it can be told here.
    guards: Vec<Guard>,
}

/// A parameter of the program: an argument that is a tree.
#[derive(Clone, Debug)]
pub struct Parameter {
    pub name: Arc<str>,
    pub spec: TreeSpec,
    /// PyTorch takes it by name only; here it may also follow the others.
    pub keyword_only: bool,
}

/// A leaf of the arguments.
struct Input {
    /// As Python reaches it: `d['a'][0]`.
    path: String,
    expected: Expected,
}

enum Expected {
    /// A tensor of these sizes, in symbols.
    Tensor(Vec<Dim>),
    Int(Dim),
    Any,
    /// The value that the export fixed.
    Constant(IValue),
}

/// What a size may be.
struct Range {
    /// `s77 + 1`
    text: String,
    size: Dim,
    range: RangeConstraint,
}

/// Why arguments are refused.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Violation {
    #[error(transparent)]
    Shape(#[from] ShapeError),
    #[error("forward() is missing {}; it takes {takes}", names(missing))]
    Missing { missing: Vec<String>, takes: String },
    #[error("forward() takes {takes}, and {given} positional arguments are given")]
    TooMany { given: usize, takes: String },
    #[error("forward() has no parameter `{name}`; it takes {takes}")]
    Unexpected { name: String, takes: String },
    #[error("forward() is given `{name}` twice")]
    Twice { name: String },
    /// Another value than the one that the export fixed.
    #[error(
        "`{path}` is {given}, and the program was exported for {expected} alone (Guard failed: {path} == {expected})"
    )]
    Constant { path: String, given: String, expected: String },
    #[error("`{path}` is {given}, expected {expected}")]
    Kind { path: String, given: String, expected: String },
    /// A size that the export fixed.
    #[error(
        "`{path}` has size {given} in dimension {dim}, and the program was exported for {expected} alone (Guard failed: {path}.size()[{dim}] == {expected})"
    )]
    Size { path: String, dim: usize, given: i64, expected: i64 },
    #[error(transparent)]
    Equality(#[from] Box<Unequal>),
    /// What else the export found that its inputs satisfy.
    #[error("the program was exported for inputs that satisfy `{guard}` (Guard failed: {guard})")]
    Guard { guard: String },
    #[error(transparent)]
    Range(#[from] Box<OutOfRange>),
}

/// Two sizes that belong together and do not: what the first would have to be the other inputs decide.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error(
    "`{path}` has size {given} in dimension {dim}, expected {} (Guard failed: {guard})",
    equal(expression, expected, because)
)]
pub struct Unequal {
    pub path: String,
    pub dim: usize,
    pub given: i64,
    /// What the size is in symbols: `s77 + 1`.
    pub expression: String,
    /// None where no size of the symbol makes it what is given.
    pub expected: Option<i64>,
    because: String,
    /// As PyTorch says it.
    pub guard: String,
}

/// A size out of a symbol's range.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error(
    "`{path}` has size {given} in dimension {dim}, {}and {symbol} must be {} (Guard failed: {guard})",
    is_value(symbol, value, given),
    bounds(range)
)]
pub struct OutOfRange {
    pub path: String,
    pub dim: usize,
    pub given: i64,
    /// The symbol, or an expression over symbols, and its value.
    pub symbol: String,
    pub value: i64,
    pub range: RangeConstraint,
    /// As PyTorch says it.
    pub guard: String,
}

fn names(missing: &[String]) -> String {
    let quoted: Vec<String> = missing.iter().map(|n| format!("`{n}`")).collect();
    quoted.join(", ")
}

fn equal(expression: &str, expected: &Option<i64>, because: &str) -> String {
    match expected {
        Some(n) if *expression == n.to_string() => format!("{n}{because}"),
        Some(n) => format!("{expression} = {n}{because}"),
        None => format!("a size that {expression} can be{because}"),
    }
}

fn is_value(symbol: &str, value: &i64, given: &i64) -> String {
    if value == given { format!("which is {symbol}, ") } else { format!("so {symbol} is {value}, ") }
}

/// `between 2 and 64`, `at least 2`.
fn bounds(range: &RangeConstraint) -> String {
    match (range.min_val, range.max_val) {
        (Some(min), Some(max)) => format!("between {min} and {max}"),
        (Some(min), None) => format!("at least {min}"),
        (None, Some(max)) => format!("at most {max}"),
        (None, None) => "anything".to_owned(),
    }
}

/// The value of a constant input.
pub(crate) fn constant(value: &ConstantValue) -> IValue {
    match value {
        ConstantValue::AsNone(_) => IValue::None,
        ConstantValue::AsInt(n) => IValue::Int(*n),
        ConstantValue::AsFloat(x) => IValue::Double(x.0),
        ConstantValue::AsString(s) => IValue::str(s.as_str()),
        ConstantValue::AsBool(b) => IValue::Bool(*b),
    }
}

/// Are they equal as Python compares them? `3 == 3.0`, `True == 1`.
fn is_equal(a: &IValue, b: &IValue) -> bool {
    let number = |v: &IValue| match v {
        IValue::Bool(b) => Some(f64::from(u8::from(*b))),
        IValue::Int(n) => Some(*n as f64),
        IValue::Double(x) => Some(*x),
        _ => None,
    };
    match (a, b) {
        (IValue::None, IValue::None) => true,
        (IValue::Int(a), IValue::Int(b)) => a == b,
        (IValue::Str(a), IValue::Str(b)) => **a == **b,
        // A NaN is what was given, though it is equal to nothing.
        (IValue::Double(a), IValue::Double(b)) => a == b || a.is_nan() && b.is_nan(),
        _ => number(a).is_some_and(|a| Some(a) == number(b)),
    }
}

/// A value as Python writes it.
fn shown(value: &IValue) -> String {
    match value {
        IValue::None => "None".to_owned(),
        IValue::Bool(true) => "True".to_owned(),
        IValue::Bool(false) => "False".to_owned(),
        IValue::Int(n) => n.to_string(),
        IValue::Double(x) => sconce_schema::text::python_float(*x),
        IValue::Str(s) => sconce_schema::text::python_str(s),
        IValue::Tensor(t) => format!("a tensor of {:?}", t.sizes()),
        other => format!("a value of type {}", other.kind()),
    }
}

/// Symbols get numbers in the order in which they are seen.
#[derive(Default)]
struct Symbols(Vec<String>);

impl Symbols {
    fn size(&mut self, size: &SymExpr) -> Dim {
        size.symbols(&mut |symbol| {
            if !self.0.contains(&symbol.name) {
                self.0.push(symbol.name.clone());
            }
        });
        let number = |name: &str| self.0.iter().position(|n| n == name).and_then(|at| u32::try_from(at).ok());
        size.to_dim(&number).unwrap_or(Dim::Unknown)
    }
}

impl Boundary {
    /// How a program is called.
    ///
    /// # Errors
    /// A tree of another number of leaves than the signature has; arguments that are no tuple of a tuple and a dict.
    pub fn new(program: &ExportedProgram) -> Result<Boundary, Error> {
        let bad = |what: String| Error::Graph { graph: String::new(), what };
        let parameters = parameters(program).ok_or_else(|| {
            bad(format!("the arguments are {}, expected a tuple of a tuple and a dict with names", program.in_spec))
        })?;
        let mut paths = Vec::new();
        parameters.iter().for_each(|p| p.spec.paths(&p.name, &mut paths));
        let mut symbols = Symbols::default();
        let mut inputs = Vec::new();
        let mut free = paths.into_iter();
        for ((_, node), spec) in program.graph_module.graph.placeholders().zip(&program.signature.input_specs) {
            let expected = match spec {
                InputSpec::UserInput(_) => match &node.meta.val {
                    Some(Val::Tensor(meta)) => Expected::Tensor(meta.sizes.iter().map(|s| symbols.size(s)).collect()),
                    Some(Val::SymInt(n)) => Expected::Int(symbols.size(n)),
                    _ => Expected::Any,
                },
                InputSpec::ConstantInput(fixed) => Expected::Constant(constant(&fixed.value)),
                _ => continue,
            };
            let path = free.next().ok_or_else(|| {
                bad(format!("the arguments {} have fewer leaves than the signature", program.in_spec))
            })?;
            inputs.push(Input { path, expected });
        }
        if free.next().is_some() {
            return Err(bad(format!("the arguments {} have more leaves than the signature", program.in_spec)));
        }
        let outputs = program.signature.output_specs.iter();
        let results = outputs.filter(|o| matches!(o, OutputSpec::UserOutput(_) | OutputSpec::LossOutput(_))).count();
        if results != program.out_spec.leaves() {
            let (spec, leaves) = (&program.out_spec, program.out_spec.leaves());
            return Err(bad(format!("the result {spec} has {leaves} leaves, and the signature {results} outputs")));
        }
        let mut ranges = Vec::new();
        for constraint in &program.constraints {
            let size = SymExpr::parse(&constraint.text)
                .map_err(|e| bad(format!("the constraint `{}`: {e}", constraint.text)))?;
            ranges.push(Range { text: constraint.text.clone(), size: symbols.size(&size), range: constraint.range });
        }
        let guards = program.guards.iter().filter_map(|text| Guard::read(text)).collect();
        Ok(Boundary { guards, parameters, inputs, out_spec: program.out_spec.clone(), symbols: symbols.0, ranges })
    }

    /// The parameters, those that PyTorch takes by position first.
    pub fn parameters(&self) -> &[Parameter] {
        &self.parameters
    }

    /// Each parameter's argument, by position and by name.
    ///
    /// # Errors
    /// Arguments that are missing, too many, unknown or given twice.
    pub fn bind(&self, given: &[IValue], named: &[(&str, IValue)]) -> Result<Vec<IValue>, Violation> {
        let takes = || self.parameters.iter().map(|p| p.name.to_string()).collect::<Vec<_>>().join(", ");
        if given.len() > self.parameters.len() {
            return Err(Violation::TooMany { given: given.len(), takes: takes() });
        }
        let mut bound: Vec<Option<IValue>> = given.iter().cloned().map(Some).collect();
        bound.resize(self.parameters.len(), None);
        for (name, value) in named {
            let at = self.parameters.iter().position(|p| *p.name == **name);
            match at.and_then(|at| bound.get_mut(at)) {
                None => return Err(Violation::Unexpected { name: (*name).to_owned(), takes: takes() }),
                Some(Some(_)) => return Err(Violation::Twice { name: (*name).to_owned() }),
                Some(place) => *place = Some(value.clone()),
            }
        }
        let missing = self.parameters.iter().zip(&bound).filter(|(_, b)| b.is_none());
        let missing: Vec<String> = missing.map(|(p, _)| p.name.to_string()).collect();
        match missing.is_empty() {
            true => Ok(bound.into_iter().flatten().collect()),
            false => Err(Violation::Missing { missing, takes: takes() }),
        }
    }

    /// The leaves that `forward` takes of arguments in the order of the parameters.
    ///
    /// # Errors
    /// What the program was not exported for: which argument, what it is and what is expected.
    pub fn leaves(&self, arguments: &[IValue]) -> Result<Vec<IValue>, Violation> {
        let mut leaves = Vec::with_capacity(self.inputs.len());
        for (parameter, argument) in self.parameters.iter().zip(arguments) {
            parameter.spec.flatten(argument, &parameter.name, &mut leaves)?;
        }
        let failed = self.check(&leaves).err();
        if failed.is_some() || !self.guards.is_empty() {
            let leaf = |path: &str| {
                let at = self.inputs.iter().position(|input| input.path == path)?;
                leaves.get(at).cloned()
            };
            let guard = self.guards.iter().find(|guard| guard.holds(&leaf) == Some(false));
            match (failed, guard) {
                // The export's own words for it.
                (Some(Violation::Equality(unequal)), Some(own))
                    if !unequal.expression.chars().all(char::is_alphanumeric) =>
                {
                    return Err(Box::new(Unequal { guard: own.text.clone(), ..*unequal }).into());
                }
                (Some(other), _) => return Err(other),
                (None, Some(guard)) => return Err(Violation::Guard { guard: guard.text.clone() }),
                (None, None) => {}
            }
        }
        let given = self.inputs.iter().zip(leaves).filter(|(i, _)| !matches!(i.expected, Expected::Constant(_)));
        Ok(given.map(|(_, leaf)| leaf).collect())
    }

    fn check(&self, leaves: &[IValue]) -> Result<(), Violation> {
        let mut known = Known { values: vec![None; self.symbols.len()], symbols: &self.symbols };
        // What is computed of symbols is compared once all are known.
        let mut computed = Vec::new();
        for (input, leaf) in self.inputs.iter().zip(leaves) {
            let path = &input.path;
            let kind = |expected: String| Violation::Kind { path: path.clone(), given: shown(leaf), expected };
            match (&input.expected, leaf) {
                (Expected::Any, _) => {}
                (Expected::Constant(expected), given) if is_equal(expected, given) => {}
                (Expected::Constant(expected), given) => {
                    return Err(Violation::Constant {
                        path: path.clone(),
                        given: shown(given),
                        expected: shown(expected),
                    });
                }
                (Expected::Tensor(sizes), IValue::Tensor(t)) => {
                    if t.sizes().len() != sizes.len() {
                        return Err(kind(format!("a tensor of {} dimensions", sizes.len())));
                    }
                    for (dim, (size, given)) in sizes.iter().zip(t.sizes()).enumerate() {
                        let place = Place { path, dim: Some(dim), given: *given };
                        match size {
                            Dim::Known(n) if n != given => {
                                let (path, given, expected) = (path.clone(), *given, *n);
                                return Err(Violation::Size { path, dim, given, expected });
                            }
                            Dim::Known(_) | Dim::Unknown => {}
                            Dim::Symbol(symbol) => known.bind(*symbol, place)?,
                            Dim::Expr(_) => computed.push((*size, place)),
                        }
                    }
                }
                (Expected::Tensor(sizes), _) => return Err(kind(format!("a tensor of {} dimensions", sizes.len()))),
                (Expected::Int(Dim::Known(n)), IValue::Int(given)) if n != given => {
                    return Err(Violation::Constant {
                        path: path.clone(),
                        given: shown(leaf),
                        expected: n.to_string(),
                    });
                }
                (Expected::Int(Dim::Symbol(symbol)), IValue::Int(given)) => {
                    known.bind(*symbol, Place { path, dim: None, given: *given })?;
                }
                (Expected::Int(_), IValue::Int(_)) => {}
                (Expected::Int(_), _) => return Err(kind("an int".to_owned())),
            }
        }
        for (size, place) in computed {
            known.compare(size, place)?;
        }
        for range in &self.ranges {
            known.lies_within(range)?;
        }
        Ok(())
    }

    /// Puts the leaves of a result together. What is no result of this program stays as it is.
    pub fn result(&self, result: IValue) -> IValue {
        let leaves = match (&result, self.out_spec.leaves()) {
            (_, 1) => vec![result.clone()],
            (IValue::Tuple(t), n) if t.items.len() == n => t.items.to_vec(),
            _ => return result,
        };
        self.out_spec.unflatten(&mut leaves.into_iter()).unwrap_or(result)
    }
}

/// A dimension of an input, or an input that is a number.
#[derive(Clone, Copy)]
struct Place<'a> {
    path: &'a str,
    dim: Option<usize>,
    given: i64,
}

impl Place<'_> {
    /// As PyTorch's guards name it.
    fn guard(&self) -> String {
        self.dim.map_or_else(|| self.path.to_owned(), |dim| format!("{}.size()[{dim}]", self.path))
    }

    fn dim(&self) -> usize {
        self.dim.unwrap_or_default()
    }
}

/// What symbols are in a call, and which input said so first.
struct Known<'a> {
    values: Vec<Option<(i64, Place<'a>)>>,
    symbols: &'a [String],
}

impl<'a> Known<'a> {
    fn get(&self, symbol: u32) -> Option<&(i64, Place<'a>)> {
        self.values.get(symbol as usize)?.as_ref()
    }

    fn value(&self) -> impl Fn(u32) -> Option<i64> + '_ {
        |symbol| self.get(symbol).map(|(value, _)| *value)
    }

    fn name(&self, symbol: u32) -> &str {
        self.symbols.get(symbol as usize).map_or("?", String::as_str)
    }

    /// A size with its symbols' own names.
    fn text(&self, size: Dim) -> String {
        let mut text = size.to_string();
        let mut numbers = std::collections::BTreeSet::new();
        size.symbols(&mut |s| _ = numbers.insert(s));
        // From the last on, so that s1 is not found in s10, and behind a mark, so that a name that was put is not found again.
        for number in numbers.iter().rev() {
            text = text.replace(&format!("s{number}"), &format!("\0{number}\0"));
        }
        for number in numbers {
            text = text.replace(&format!("\0{number}\0"), self.name(number));
        }
        text
    }

    fn bind(&mut self, symbol: u32, place: Place<'a>) -> Result<(), Violation> {
        match self.get(symbol) {
            None => {
                if let Some(value) = self.values.get_mut(symbol as usize) {
                    *value = Some((place.given, place));
                }
                Ok(())
            }
            Some((value, _)) if *value == place.given => Ok(()),
            Some(_) => Err(self.differs(Dim::Symbol(symbol), place)),
        }
    }

    /// The symbols of a size that are not known yet, each once.
    fn unknown(&self, size: Dim) -> Vec<u32> {
        let mut unknown = std::collections::BTreeSet::new();
        size.symbols(&mut |s| {
            if self.get(s).is_none() {
                unknown.insert(s);
            }
        });
        unknown.into_iter().collect()
    }

    /// The place that said what the first symbol of a size is that is known.
    fn first(&self, size: Dim) -> Option<Place<'a>> {
        let mut at = None;
        size.symbols(&mut |s| at = at.or(self.get(s).map(|(_, place)| *place)));
        at
    }

    /// That a place has a size, as PyTorch says it: with the places that symbols are of.
    fn guard(&self, size: Dim, place: Place<'_>) -> String {
        let mut guard = self.text(size);
        let mut said = BTreeMap::new();
        size.symbols(&mut |s| _ = self.get(s).map(|(_, at)| said.insert(s, at.guard())));
        for (symbol, at) in &said {
            guard = guard.replace(self.name(*symbol), at);
        }
        format!("{} == {guard}", place.guard())
    }

    /// A size that is computed of symbols: the one that is not known yet is what makes it equal, if a size of it does.
    fn compare(&mut self, size: Dim, place: Place<'a>) -> Result<(), Violation> {
        match self.unknown(size)[..] {
            [] => {}
            [symbol] => match self.solve(size, symbol, place.given) {
                Some(value) => {
                    if let Some(slot) = self.values.get_mut(symbol as usize) {
                        *slot = Some((value, place));
                    }
                    return Ok(());
                }
                None => return Err(self.differs(size, place)),
            },
            _ => return Ok(()),
        }
        match size.eval(&self.value()) {
            Some(value) if value == place.given => Ok(()),
            _ => Err(self.differs(size, place)),
        }
    }

    /// The symbol's value for which a size that grows by the same with it is `wanted`.
    fn solve(&self, size: Dim, symbol: u32, wanted: i64) -> Option<i64> {
        let at = |n: i64| size.eval(&|s| if s == symbol { Some(n) } else { self.value()(s) });
        let (zero, one) = (at(0)?, at(1)?);
        let step = one.checked_sub(zero).filter(|step| *step != 0)?;
        let value = wanted.checked_sub(zero)?.checked_div(step)?;
        (at(value) == Some(wanted)).then_some(value)
    }

    fn differs(&self, size: Dim, place: Place<'_>) -> Violation {
        let mut said = BTreeMap::new();
        size.symbols(&mut |s| {
            if let Some((value, at)) = self.get(s) {
                let place = match at.dim {
                    Some(dim) => format!("dimension {dim} of `{}`", at.path),
                    None => format!("`{}`", at.path),
                };
                said.insert(s, format!("{} is {value} by {place}", self.name(s)));
            }
        });
        let because = said.into_values().collect::<Vec<_>>().join(", ");
        let unequal = Unequal {
            path: place.path.to_owned(),
            dim: place.dim(),
            given: place.given,
            expression: self.text(size),
            expected: size.eval(&self.value()),
            because: if because.is_empty() { because } else { format!(": {because}") },
            guard: self.guard(size, place),
        };
        Box::new(unequal).into()
    }

    fn lies_within(&self, range: &Range) -> Result<(), Violation> {
        let RangeConstraint { min_val, max_val } = range.range;
        let Some(value) = range.size.eval(&self.value()) else { return Ok(()) };
        let (is_less, is_more) = (min_val.is_some_and(|min| value < min), max_val.is_some_and(|max| value > max));
        // PyTorch asks sizes only: a number that is an input may be any.
        let place = self.first(range.size).filter(|place| (is_less || is_more) && place.dim.is_some());
        let Some(place) = place else { return Ok(()) };
        let bound = if is_more {
            format!("<= {}", max_val.unwrap_or_default())
        } else {
            format!(">= {}", min_val.unwrap_or_default())
        };
        let out_of_range = OutOfRange {
            path: place.path.to_owned(),
            dim: place.dim(),
            given: place.given,
            symbol: range.text.clone(),
            value,
            range: range.range,
            guard: format!("{} {bound}", place.guard()),
        };
        Err(Box::new(out_of_range).into())
    }
}

/// The parameters of a program, by the tree of its arguments.
fn parameters(program: &ExportedProgram) -> Option<Vec<Parameter>> {
    let (Node::Tuple, [positional, keywords]) = (&program.in_spec.node, &program.in_spec.children[..]) else {
        return None;
    };
    let (Node::Tuple, Node::Dict(_, keys)) = (&positional.node, &keywords.node) else { return None };
    let mut parameters = Vec::new();
    for (i, spec) in positional.children.iter().enumerate() {
        let name = program.forward_arg_names.get(i).cloned().unwrap_or_else(|| format!("arg{i}"));
        parameters.push(Parameter { name: name.into(), spec: spec.clone(), keyword_only: false });
    }
    for (key, spec) in keys.iter().zip(&keywords.children) {
        let crate::pytree::Key::Str(name) = key else { return None };
        parameters.push(Parameter { name: name.clone(), spec: spec.clone(), keyword_only: true });
    }
    Some(parameters)
}

impl Parameter {
    /// The type of its arguments, as far as TorchScript has one.
    pub fn ty(&self) -> Type {
        type_of(&self.spec)
    }
}

fn type_of(spec: &TreeSpec) -> Type {
    let inner = || spec.children.iter().map(type_of);
    match &spec.node {
        Node::Tuple => Type::Tuple(inner().collect()),
        Node::List => Type::list(Type::Any),
        Node::NamedTuple(name, fields) => {
            let fields = fields.iter().cloned().zip(inner()).collect();
            Type::NamedTuple(Arc::new(NamedTuple { name: name.clone(), fields, defaults: Vec::new() }))
        }
        _ => Type::Any,
    }
}
