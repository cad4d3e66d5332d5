//! Which overload a call means: every candidate is tried, first without and then with implicit conversions, and what a refused attempt has emitted is
//! taken back.

use super::function::{Assumed, Emitter};
use super::{Named, Result, types};
use crate::graph::{Attr, Loc, ValueId};
use crate::unit::{ClassKind, Function, Param};
use crate::upgraders::{self, Upgrader};
use sconce_schema::op::{Argument, DefaultValue, OpEntry};
use sconce_schema::types::{Bindings, NamedTuple};
use sconce_schema::{FunctionSchema, Type, overloads};
use sconce_tensor::IValue;
use std::fmt::Write as _;
use std::rc::Rc;
use std::sync::Arc;

/// A parameter that an argument is matched to.
#[derive(Clone, Debug)]
pub(super) struct Formal {
    pub name: Arc<str>,
    pub ty: Type,
    pub list_size: Option<u32>,
    pub default: Option<IValue>,
    pub keyword_only: bool,
}

/// What can be called: an operator's overload, a function, a named tuple's constructor.
#[derive(Clone, Debug)]
pub(super) struct Signature {
    pub formals: Vec<Formal>,
    /// Names (empty where unnamed) and types of the results.
    pub returns: Vec<(Arc<str>, Type)>,
    pub vararg: bool,
    pub origin: Origin,
}

#[derive(Clone, Debug)]
pub(super) enum Origin {
    Operator(&'static OpEntry),
    /// An operator as it was in the version a program was written for.
    Historic(&'static Upgrader),
    /// A function of the unit; the name messages give it.
    Function(Arc<str>),
    /// The constructor of a named tuple.
    NamedTuple(Arc<str>),
}

/// What ends a list of variants: a report shows the call behind it.
pub const ORIGINAL_CALL: &str = "The original call is";

/// A call that fits: the arguments in the order of the signature, and the types of the results.
pub(super) struct Matched {
    pub inputs: Vec<ValueId>,
    pub returns: Vec<Type>,
}

/// The default value of an operator's argument.
fn default_value(default: &DefaultValue, ty: &Type) -> IValue {
    match (default, ty) {
        (d, Type::Optional(inner)) if *d != DefaultValue::None => default_value(d, inner),
        (DefaultValue::None, _) => IValue::None,
        (DefaultValue::Bool(b), _) => IValue::Bool(*b),
        (DefaultValue::Int(i), Type::Float) => IValue::Double(*i as f64),
        (DefaultValue::Int(i), _) => IValue::Int(*i),
        (DefaultValue::Float(f), _) => IValue::Double(*f),
        (DefaultValue::Complex(re, im), _) => IValue::complex(*re, *im),
        (DefaultValue::Str(s), _) => IValue::str(&**s),
        (DefaultValue::List(items), Type::List(element)) => {
            IValue::list((**element).clone(), items.iter().map(|i| default_value(i, element)))
        }
        (DefaultValue::List(items), _) => IValue::list(Type::Any, items.iter().map(|i| default_value(i, &Type::Any))),
    }
}

impl Signature {
    pub fn of_operator(entry: &'static OpEntry) -> Signature {
        Signature::of_schema(entry.schema(), Origin::Operator(entry))
    }

    fn of_schema(schema: &FunctionSchema, origin: Origin) -> Signature {
        let formal = |a: &Argument| {
            let ty = a.ty.in_graphs();
            let default = a.default.as_ref().map(|d| match (d, &ty, a.list_size) {
                // `int[2] stride=1`
                (DefaultValue::Int(_) | DefaultValue::Float(_), Type::List(element), Some(n)) => {
                    IValue::list((**element).clone(), vec![default_value(d, element); n as usize])
                }
                _ => default_value(d, &ty),
            });
            Formal { name: a.name.clone(), ty, list_size: a.list_size, default, keyword_only: a.kwarg_only }
        };
        Signature {
            formals: schema.arguments.iter().map(formal).collect(),
            returns: schema.returns.iter().map(|r| (r.name.clone(), r.ty.in_graphs())).collect(),
            vararg: schema.is_vararg,
            origin,
        }
    }

    pub fn of_params(name: &str, params: &[Param], returns: &Type) -> Signature {
        let formal = |p: &Param| Formal {
            name: p.name.clone(),
            ty: p.ty.clone(),
            list_size: p.list_size,
            default: p.default.clone(),
            keyword_only: p.keyword_only,
        };
        Signature {
            formals: params.iter().map(formal).collect(),
            returns: vec![(Arc::from(""), returns.clone())],
            vararg: false,
            origin: Origin::Function(Arc::from(name.rsplit('.').next().unwrap_or(name))),
        }
    }

    pub fn of_function(function: &Function) -> Signature {
        Signature::of_params(&function.name, &function.params, &function.returns)
    }

    fn is_aten(&self) -> bool {
        match &self.origin {
            Origin::Operator(e) => e.name.starts_with("aten::"),
            Origin::Historic(u) => u.schema.name.starts_with("aten::"),
            _ => false,
        }
    }

    /// `x.view(1)` always means sizes: a dtype is an int to the compiler.
    fn is_blocked(&self) -> bool {
        matches!(&self.origin, Origin::Operator(e) if e.name == "aten::view.dtype")
    }
}

/// As messages print it.
impl std::fmt::Display for Signature {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let name = match &self.origin {
            Origin::Operator(e) => return write!(f, "{}", e.schema()),
            Origin::Historic(u) => return write!(f, "{}", u.schema),
            Origin::Function(name) | Origin::NamedTuple(name) => name.clone(),
        };
        let argument = |formal: &Formal| Argument {
            name: formal.name.clone(),
            ty: formal.ty.clone(),
            list_size: formal.list_size,
            default: formal.default.as_ref().and_then(printed_default),
            kwarg_only: formal.keyword_only,
            alias: None,
        };
        let schema = FunctionSchema {
            name,
            overload: Arc::from(""),
            arguments: self.formals.iter().map(argument).collect(),
            returns: self
                .returns
                .iter()
                .map(|(name, ty)| Argument {
                    name: name.clone(),
                    ty: ty.clone(),
                    list_size: None,
                    default: None,
                    kwarg_only: false,
                    alias: None,
                })
                .collect(),
            is_vararg: self.vararg,
            is_varret: false,
        };
        write!(f, "{schema}")
    }
}

fn printed_default(value: &IValue) -> Option<DefaultValue> {
    Some(match value {
        IValue::None => DefaultValue::None,
        IValue::Bool(b) => DefaultValue::Bool(*b),
        IValue::Int(i) => DefaultValue::Int(*i),
        IValue::Double(d) => DefaultValue::Float(*d),
        IValue::Complex(c) => DefaultValue::Complex(c.re, c.im),
        IValue::Str(s) => DefaultValue::Str(Arc::from(s.as_str())),
        IValue::List(l) => DefaultValue::List(l.read().iter().filter_map(printed_default).collect()),
        _ => return None,
    })
}

/// The overloads of an operator in a version: those that have changed since as they were.
fn signatures_of_version(name: &str, version: u32) -> Vec<Signature> {
    let mut historic: Vec<&'static Upgrader> = upgraders::historic(name, version).collect();
    let mut out: Vec<Signature> = Vec::new();
    for entry in overloads(name) {
        match historic.iter().position(|u| u.schema.full_name() == entry.name) {
            Some(i) => {
                let upgrader = historic.remove(i);
                out.push(Signature::of_schema(&upgrader.schema, Origin::Historic(upgrader)));
            }
            None => out.push(Signature::of_operator(entry)),
        }
    }
    out.extend(historic.into_iter().map(|u| Signature::of_schema(&u.schema, Origin::Historic(u))));
    out
}

/// Why a candidate does not fit; without a text unless one was asked for.
type Attempt<T> = std::result::Result<T, String>;

/// How a candidate is tried.
#[derive(Clone, Copy)]
struct Trial {
    /// With implicit conversions.
    convert: bool,
    /// Say why it does not fit.
    explain: bool,
}

impl Trial {
    fn no<T>(self, why: impl FnOnce() -> String) -> Attempt<T> {
        Err(if self.explain { why() } else { String::new() })
    }
}

impl Emitter<'_> {
    /// A type as messages print it; a parameter without annotation is told apart.
    pub(super) fn repr(&self, value: ValueId) -> String {
        if self.assumed.get(&value) == Some(&Assumed::Unannotated) {
            return "Tensor (inferred)".to_owned();
        }
        self.repr_type(self.ty(value))
    }

    /// PyTorch's `repr_str`: classes of Python say where they are from.
    pub(super) fn repr_type(&self, ty: &Type) -> String {
        match ty {
            Type::Class(name) if self.resolver.is_python() => {
                match self.compiler.unit.classes.get(name).map(|c| &c.kind) {
                    Some(ClassKind::Interface | ClassKind::ModuleInterface) => name.to_string(),
                    _ => format!("{name} (of Python compilation unit at: 0x0)"),
                }
            }
            Type::Enum(name) => format!("Enum<{name}>"),
            _ => ty.annotation_str(),
        }
    }

    /// The signatures an operator's name stands for, in the order in which they are tried.
    pub(super) fn signatures(&mut self, name: &str) -> Rc<[Rc<Signature>]> {
        if let Some(known) = self.compiler.signatures.get(name) {
            return known.clone();
        }
        let version = self.compiler.operator_version.unwrap_or(upgraders::CURRENT);
        let made: Rc<[Rc<Signature>]> = signatures_of_version(name, version).into_iter().map(Rc::new).collect();
        self.compiler.signatures.insert(Arc::from(name), made.clone());
        made
    }

    /// The value as one of type `wanted`, through an implicit conversion if there is one; else as it is.
    pub(super) fn convert(
        &mut self,
        place: Option<&Loc>,
        wanted: &Type,
        value: ValueId,
        conversions: bool,
    ) -> Result<ValueId> {
        let mut value = value;
        if let Type::Optional(inner) = wanted
            && !matches!(self.ty(value), Type::Optional(_) | Type::None)
        {
            return self.convert(place, inner, value, conversions);
        }
        if conversions && self.is_open(value, wanted) {
            return Ok(self.unchecked_cast(value, wanted.clone()));
        }
        // A `[]` that is nobody's variable is a list of whatever is wanted.
        if let Type::List(element) = wanted
            && self.is_empty_list_literal(value)
        {
            value = self.list(&[], (**element).clone());
        }
        if let Some(members) = tuple_members(self.ty(value)) {
            value = self.convert_tuple(place, wanted, value, &members, conversions)?;
        }
        if conversions { self.convert_number(place, wanted, value) } else { Ok(value) }
    }

    /// Is this of a type that nobody knows, and `wanted` one that a Tensor does not fit?
    pub(super) fn is_open(&self, value: ValueId, wanted: &Type) -> bool {
        self.assumed.get(&value) == Some(&Assumed::UnknownOperator) && !Type::tensor().is_subtype_of(wanted)
    }

    pub(super) fn is_empty_list_literal(&self, value: ValueId) -> bool {
        self.graph.defining(value).is_some_and(|n| self.graph.is(n, "prim::EmptyListLiteral"))
    }

    fn convert_tuple(
        &mut self,
        place: Option<&Loc>,
        wanted: &Type,
        value: ValueId,
        members: &[Type],
        conversions: bool,
    ) -> Result<ValueId> {
        match wanted {
            // Tuples of one type pass as lists.
            Type::List(element) if members.iter().all(|m| self.compiler.is_subtype(m, element)) => {
                let unpacked = self.tuple_unpack(value);
                Ok(self.list(&unpacked, (**element).clone()))
            }
            Type::Tuple(elements)
                if elements.len() == members.len() && !self.compiler.is_subtype(&self.ty(value).clone(), wanted) =>
            {
                let unpacked = self.tuple_unpack(value);
                let mut converted = Vec::with_capacity(unpacked.len());
                for (v, t) in unpacked.into_iter().zip(elements.iter()) {
                    converted.push(self.convert(place, t, v, conversions)?);
                }
                Ok(self.tuple(&converted))
            }
            _ => Ok(value),
        }
    }

    fn convert_number(&mut self, place: Option<&Loc>, wanted: &Type, value: ValueId) -> Result<ValueId> {
        let operator = match (self.ty(value), wanted) {
            (Type::Tensor(_), Type::Float) => "aten::FloatImplicit",
            (Type::Tensor(_), Type::Complex) => "aten::ComplexImplicit",
            (Type::Tensor(_), Type::Int) => "aten::IntImplicit",
            (Type::Tensor(_), Type::Number) => "aten::ScalarImplicit",
            (Type::Number | Type::Bool, Type::Float) => "aten::Float",
            (Type::Number, Type::Complex) => "aten::Complex",
            (Type::Number, Type::Int) | (Type::Bool, Type::Int | Type::Number) => "aten::Int",
            (Type::Str, Type::Device) => return self.operator(place, "aten::device", &[value]),
            _ => return Ok(value),
        };
        self.operator(place, operator, &[value])
    }

    /// One argument against one parameter.
    fn match_argument(
        &mut self,
        formal: &Formal,
        place: Option<&Loc>,
        argument: ValueId,
        trial: Trial,
        bindings: &mut Bindings,
    ) -> Attempt<ValueId> {
        let mut value = argument;
        if let Some(n) = formal.list_size
            && let Type::List(element) = without_optional(&formal.ty)
            && matches!((self.ty(value), &**element), (Type::Int, Type::Int) | (Type::Float, Type::Float))
        {
            let element = (**element).clone();
            value = self.list(&vec![value; n as usize], element);
        }
        let actual = self.ty(value).clone();
        let concrete = match formal.ty.match_variables(&actual, bindings) {
            Ok(t) => t,
            Err(why) => {
                let found = self.repr(value);
                return trial.no(|| {
                    let why = why.replace(&actual.annotation_str(), &found);
                    format!(
                        "Could not match type {found} to {} in argument '{}': {why}.\n",
                        formal.ty.annotation_str(),
                        formal.name
                    )
                });
            }
        };
        value = self.convert(place, &concrete, value, trial.convert).map_err(|e| e.message)?;
        let found = self.ty(value).clone();
        if self.compiler.is_subtype(&found, &concrete) {
            return Ok(value);
        }
        let printed = self.repr(value);
        let wanted = self.repr_type(&concrete);
        let inferred = self.assumed.get(&value) == Some(&Assumed::Unannotated);
        let detail = if trial.explain { self.compiler.why_no_subtype(&found, &concrete) } else { String::new() };
        trial.no(|| {
            let mut why = format!(
                "Expected a value of type '{wanted}' for argument '{}' but instead found type '{printed}'.\n",
                formal.name,
            );
            if inferred {
                let _ = writeln!(
                    why,
                    "Inferred the value for argument '{}' to be of type 'Tensor' because it was not annotated with an explicit type.",
                    formal.name
                );
            }
            if matches!(&found, Type::List(e) if e.is_tensor()) {
                why.push_str(EMPTY_LISTS);
            }
            why + &detail
        })
    }

    /// All positional arguments from here on as a list: `x.view(2, 3)`.
    fn match_rest(
        &mut self,
        element: &Type,
        place: Option<&Loc>,
        rest: &[Named],
        trial: Trial,
        bindings: &mut Bindings,
    ) -> Attempt<ValueId> {
        let formal = Formal {
            name: Arc::from("<varargs>"),
            ty: element.clone(),
            list_size: None,
            default: None,
            keyword_only: false,
        };
        let mut elements = Vec::with_capacity(rest.len());
        for argument in rest {
            elements.push(self.match_argument(&formal, place, argument.value, trial, bindings)?);
        }
        Ok(self.list(&elements, element.clone()))
    }

    /// May the arguments from here on stand for a list?
    fn rest_element(&self, signature: &Signature, at: usize, argument: ValueId) -> Option<Type> {
        let formal = signature.formals.get(at)?;
        let last = signature.formals.get(at + 1).is_none_or(|f| f.keyword_only);
        let Type::List(element) = &formal.ty else { return None };
        if !last || formal.list_size.is_some() || matches!(**element, Type::Var(_)) {
            return None;
        }
        let actual = self.ty(argument);
        let as_list = tuple_members(actual).is_some_and(|ms| ms.iter().all(|m| m.is_subtype_of(element)));
        (!matches!(actual, Type::List(_)) && !as_list).then(|| (**element).clone())
    }

    /// One candidate.
    fn try_signature(
        &mut self,
        signature: &Signature,
        place: Option<&Loc>,
        args: &[Named],
        kwargs: &[Named],
        receiver: Option<ValueId>,
        trial: Trial,
    ) -> Attempt<Matched> {
        if signature.is_blocked() {
            return Err(String::new());
        }
        let mut receiver = receiver;
        let mut bindings = Bindings::default();
        let mut inputs = Vec::with_capacity(signature.formals.len());
        let mut used = vec![false; kwargs.len()];
        let mut next = 0;
        for (at, formal) in signature.formals.iter().enumerate() {
            let keyword = || {
                kwargs.iter().position(|k| {
                    let name = k.name.as_deref().unwrap_or_default();
                    name == &*formal.name || (signature.is_aten() && &*formal.name == "self" && name == "input")
                })
            };
            let actual = if let Some(r) = receiver.take_if(|_| &*formal.name == "self") {
                r
            } else if !formal.keyword_only && next < args.len() {
                if trial.convert
                    && let Some(element) = self.rest_element(signature, at, args[next].value)
                {
                    inputs.push(self.match_rest(&element, place, &args[next..], trial, &mut bindings)?);
                    next = args.len();
                    continue;
                }
                next += 1;
                args[next - 1].value
            } else if let Some(k) = keyword() {
                used[k] = true;
                kwargs[k].value
            } else if let Some(default) = &formal.default {
                match (default, &signature.origin) {
                    // The lists of functions' defaults are made anew for every call.
                    (IValue::List(l), Origin::Function(_)) => {
                        let items: Vec<ValueId> = l.to_vec().into_iter().map(|i| self.constant(i, None)).collect();
                        self.value("prim::ListConstruct", &items, Type::list(l.element.clone()), None)
                    }
                    _ => self.constant(default.clone(), None),
                }
            } else {
                return trial.no(|| format!("Argument {} not provided.\n", formal.name));
            };
            inputs.push(self.match_argument(formal, place, actual, trial, &mut bindings)?);
        }
        if receiver.is_some() {
            return trial.no(|| "Provided self argument not used in schema.\n".to_owned());
        }
        if signature.vararg {
            inputs.extend(args[next..].iter().map(|a| a.value));
            next = args.len();
        }
        if next < args.len() {
            return trial
                .no(|| format!("Expected at most {next} arguments but found {} positional arguments.\n", args.len()));
        }
        if let Some(k) = used.iter().position(|u| !u) {
            let name = kwargs[k].name.as_deref().unwrap_or_default();
            return trial.no(|| match signature.formals.iter().any(|f| &*f.name == name) {
                true => format!("Keyword argument {name} specified twice.\n"),
                false => format!("Keyword argument {name} unknown.\n"),
            });
        }
        let returns = signature.returns.iter().map(|(_, t)| t.substitute(&bindings)).collect();
        Ok(Matched { inputs, returns })
    }

    /// The same; what a refused attempt has put into the graph is taken out again.
    fn attempt(
        &mut self,
        signature: &Signature,
        place: Option<&Loc>,
        args: &[Named],
        kwargs: &[Named],
        receiver: Option<ValueId>,
        trial: Trial,
    ) -> Attempt<Matched> {
        let outer = self.trail.replace(Vec::new());
        let result = self.try_signature(signature, place, args, kwargs, receiver, trial);
        let inserted = std::mem::replace(&mut self.trail, outer).unwrap_or_default();
        match &result {
            Ok(_) => {
                if let Some(trail) = &mut self.trail {
                    trail.extend(inserted);
                }
            }
            Err(_) => inserted.into_iter().rev().for_each(|n| self.graph.erase(n)),
        }
        result
    }

    /// A call of the one thing that is meant.
    pub(super) fn match_one(
        &mut self,
        signature: &Signature,
        place: &Loc,
        args: &[Named],
        kwargs: &[Named],
    ) -> Result<Matched> {
        self.match_call(&[Rc::new(signature.clone())], Some(place), args, kwargs, None).map(|(_, m)| m)
    }

    /// The first candidate that fits, and which one it is.
    pub(super) fn match_call(
        &mut self,
        signatures: &[Rc<Signature>],
        place: Option<&Loc>,
        args: &[Named],
        kwargs: &[Named],
        receiver: Option<ValueId>,
    ) -> Result<(usize, Matched)> {
        let rounds: &[bool] = if signatures.len() == 1 { &[true] } else { &[false, true] };
        for convert in rounds {
            for (i, signature) in signatures.iter().enumerate() {
                let trial = Trial { convert: *convert, explain: false };
                if let Ok(matched) = self.attempt(signature, place, args, kwargs, receiver, trial) {
                    return Ok((i, matched));
                }
            }
        }
        let mut reasons = String::new();
        for signature in signatures {
            let trial = Trial { convert: true, explain: true };
            if let Err(why) = self.attempt(signature, place, args, kwargs, receiver, trial)
                && !why.is_empty()
            {
                let _ = write!(reasons, "\n{}:\n{why}", self.compiler.shown(signature));
            }
        }
        let place = self.place_or_current(place);
        if signatures.len() == 1 {
            return Err(self.error(&place, reasons));
        }
        let mut text = "Arguments for call are not valid.\nThe following variants are available:\n".to_owned();
        for line in reasons.split_inclusive('\n') {
            text.push_str("  ");
            text.push_str(line);
        }
        text.push('\n');
        text.push_str(ORIGINAL_CALL);
        Err(self.error(&place, text))
    }

    pub(super) fn place_or_current(&self, place: Option<&Loc>) -> Loc {
        match (place, self.compiler.activations.last()) {
            (Some(p), _) => p.clone(),
            (None, Some(a)) => a.place.clone(),
            (None, None) => self.at(sconce_syntax::Span::default()),
        }
    }

    /// A call of an operator by name.
    pub(super) fn call_operator(
        &mut self,
        place: Option<&Loc>,
        name: &str,
        args: &[Named],
        kwargs: &[Named],
        receiver: Option<ValueId>,
    ) -> Result<ValueId> {
        let operators = self.signatures(name);
        let functions = self.builtin_functions(name)?;
        let mut all = operators.to_vec();
        for f in &functions {
            if let Some(f) = self.compiler.unit.functions.get(f).or_else(|| self.compiler.builtin_function(f)) {
                all.push(Rc::new(Signature::of_function(f)));
            }
        }
        if all.is_empty() {
            let place = self.place_or_current(place);
            return Err(self.error(
                &place,
                format!(
                    "Unknown builtin op: {name}.\nCould not find any similar ops to {name}. This op may not exist or may not be \
                     currently supported in TorchScript.\n"
                ),
            ));
        }
        let (which, matched) = self.match_call(&all, place, args, kwargs, receiver)?;
        self.note_schema(place, &all[which]);
        if let Some(function) = which.checked_sub(operators.len()).and_then(|i| functions.get(i)).cloned() {
            return self.inline_builtin(&function, &matched.inputs);
        }
        self.note_departure(place, name, &matched.inputs);
        let node = self.node(name, &matched.inputs, place);
        let outputs: Vec<ValueId> =
            matched.returns.iter().map(|t| self.graph.add_output(node, None, t.clone())).collect();
        let signature = all[which].clone();
        if let Origin::Historic(upgrader) = &signature.origin {
            self.graph.set_attr(node, "upgrader", Attr::Str(Arc::from(&*upgrader.function)));
        }
        Ok(self.pack_outputs(&outputs, &signature))
    }

    /// A call of an operator on values.
    pub(super) fn operator(&mut self, place: Option<&Loc>, name: &str, args: &[ValueId]) -> Result<ValueId> {
        let args: Vec<Named> = args.iter().map(|v| Named::from(*v)).collect();
        self.call_operator(place, name, &args, &[], None)
    }

    /// One result as it is, several as a tuple, with names if they all have one.
    fn pack_outputs(&mut self, outputs: &[ValueId], signature: &Signature) -> ValueId {
        if let [one] = outputs {
            return *one;
        }
        let types: Vec<Type> = outputs.iter().map(|v| self.ty(*v).clone()).collect();
        let named = !outputs.is_empty() && signature.returns.iter().all(|(n, _)| !n.is_empty());
        let ty = if named {
            Type::NamedTuple(Arc::new(NamedTuple {
                name: Arc::from(""),
                fields: signature.returns.iter().map(|(n, _)| n.clone()).zip(types).collect(),
                defaults: Vec::new(),
            }))
        } else {
            Type::Tuple(types.into())
        };
        self.value("prim::TupleConstruct", outputs, ty, None)
    }

    // -- containers

    pub(super) fn list(&mut self, elements: &[ValueId], element: Type) -> ValueId {
        self.value("prim::ListConstruct", elements, Type::list(element), None)
    }
    pub(super) fn tuple(&mut self, elements: &[ValueId]) -> ValueId {
        let mut ty = Type::Tuple(elements.iter().map(|v| self.ty(*v).clone()).collect());
        if types::is_larger(&ty, MAX_TYPE_SIZE) {
            self.too_large = true;
            ty = Type::AnyTuple;
        }
        self.value("prim::TupleConstruct", elements, ty, None)
    }
    pub(super) fn tuple_unpack(&mut self, tuple: ValueId) -> Vec<ValueId> {
        // A tuple made in sight needs no unpacking.
        if let Some(node) = self.graph.defining(tuple)
            && self.graph.is(node, "prim::TupleConstruct")
        {
            return self.graph.inputs(node).to_vec();
        }
        let members = tuple_members(self.ty(tuple)).unwrap_or_default();
        let node = self.node("prim::TupleUnpack", &[tuple], None);
        members.into_iter().map(|t| self.graph.add_output(node, None, t)).collect()
    }
}

/// How many types one type may be made of: tuples of tuples double with every line.
const MAX_TYPE_SIZE: usize = 10_000;

pub(super) const EMPTY_LISTS: &str = "Empty lists default to List[Tensor]. Add a variable annotation to the assignment to create an \
     empty list of another type (torch.jit.annotate(List[T, []]) where T is the type of elements in the list for Python 2)\n";

/// The members of a tuple's type, named or not.
pub(super) fn tuple_members(ty: &Type) -> Option<Vec<Type>> {
    match ty {
        Type::Tuple(ts) => Some(ts.to_vec()),
        Type::NamedTuple(t) => Some(t.fields.iter().map(|(_, t)| t.clone()).collect()),
        _ => None,
    }
}

pub(super) fn without_optional(ty: &Type) -> &Type {
    match ty {
        Type::Optional(inner) => inner,
        ty => ty,
    }
}

/// Can a value of this type stand for a list of that type, as it is or as a tuple of its elements?
pub(super) fn convertible_to_list(ty: &Type, list: &Type) -> bool {
    let Type::List(element) = list else { return false };
    ty.is_subtype_of(list) || tuple_members(ty).is_some_and(|ms| ms.iter().all(|m| m.is_subtype_of(element)))
}
