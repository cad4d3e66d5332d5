//! Calls: of operators, functions, methods, classes and modules, and of the forms whose arguments are not evaluated as others are.

mod form;

use super::assign::named;
use super::class::plain_name;
use super::function::Emitter;
use super::matching::{Formal, Origin, Signature};
use super::sugared::{Named, PythonValue, Sugared};
use super::{Result, types};
use crate::graph::{Attr, Loc, ValueId};
use sconce_schema::Type;
use sconce_syntax::Span;
use sconce_syntax::script::tree::{Apply, Expr, ExprKind, Keyword};
use sconce_tensor::IValue;
use std::rc::Rc;
use std::sync::Arc;

impl Emitter<'_> {
    /// `callee(…)`
    pub(super) fn apply(&mut self, span: Span, apply: &Apply, hint: Option<&Type>) -> Result<Sugared> {
        let callee = self.sugared(&apply.callee, None)?;
        match &callee {
            // Python compiles a function where its name stands, before the arguments are looked at.
            Sugared::Function(names) if self.resolver.is_python() => {
                let place = self.at(apply.callee.span);
                for name in names.iter() {
                    self.compiler.ensure_defined(name, &place)?;
                }
            }
            Sugared::Form(form) => return self.form(span, *form, apply, hint),
            Sugared::LegacyTensor(dtype) => {
                let args = self.arguments(&apply.args)?;
                let kwargs = self.keywords(&apply.kwargs)?;
                return self.legacy_tensor(span, dtype.number(), &args, &kwargs);
            }
            _ => {}
        }
        let place = self.at(apply.callee.span);
        let args = self.arguments(&apply.args)?;
        let kwargs = self.keywords(&apply.kwargs)?;
        self.call(&callee, &place, &args, &kwargs)
    }

    /// Positional arguments; `*tuple` as its members.
    pub(super) fn arguments(&mut self, args: &[Expr]) -> Result<Vec<Named>> {
        let mut out = Vec::with_capacity(args.len());
        for arg in args {
            let ExprKind::Starred(inner) = &arg.kind else {
                out.push(Named::from(self.expression(arg)?));
                continue;
            };
            let tuple = self.sugared(inner, None)?;
            let place = self.at(arg.span);
            for member in self.as_tuple(&tuple, &place, None)? {
                out.push(Named::from(self.as_value(&member, &place)?));
            }
        }
        Ok(out)
    }

    fn keywords(&mut self, kwargs: &[Keyword]) -> Result<Vec<Named>> {
        let mut out = Vec::with_capacity(kwargs.len());
        for kwarg in kwargs {
            let Some(name) = &kwarg.name else {
                return Err(self.error(&self.at(kwarg.span), "keyword-arg expansion is not supported"));
            };
            out.push(named(&name.name, self.expression(&kwarg.value)?));
        }
        Ok(out)
    }

    pub(super) fn check_arguments(&self, span: Span, apply: &Apply, expected: usize) -> Result<()> {
        let name =
            plain_name(&apply.callee).map_or_else(|| types::dotted(&apply.callee).unwrap_or_default(), str::to_owned);
        if apply.args.len() != expected {
            return Err(self.error(
                &self.at(span),
                format!("{name} expected exactly {expected} arguments but found {}", apply.args.len()),
            ));
        }
        if !apply.kwargs.is_empty() {
            return Err(self.error(&self.at(span), format!("{name} takes no keyword arguments")));
        }
        Ok(())
    }

    /// Calls what something stands for.
    pub fn call(&mut self, callee: &Sugared, place: &Loc, args: &[Named], kwargs: &[Named]) -> Result<Sugared> {
        match callee {
            Sugared::Builtin { name, receiver } => {
                self.call_operator(Some(place), name, args, kwargs, *receiver).map(Sugared::Value)
            }
            Sugared::TensorCast { dtype, receiver } => self.tensor_cast(place, dtype.number(), *receiver, args, kwargs),
            Sugared::Function(names) => self.call_functions(place, names, args, kwargs),
            Sugared::BooleanDispatch { index, argument, default, if_true, if_false } => {
                match self.dispatch_flag(place, *index, argument, *default, args, kwargs)? {
                    true => self.call(if_true, place, args, kwargs),
                    false => self.call(if_false, place, args, kwargs),
                }
            }
            Sugared::Class(name) => self.construct(place, name, args, kwargs),
            Sugared::NamedTuple(ty) => self.construct_named_tuple(place, ty, args, kwargs),
            Sugared::Enum(name) => self.enum_of_value(place, name, args),
            Sugared::Exception(class) => self.exception_instance(place, class.as_ref(), args, kwargs),
            Sugared::Module(module, value) => self.call_module(place, module, *value, args, kwargs),
            Sugared::Method { object, names } => self.call_methods(place, *object, names, args, kwargs),
            Sugared::ModuleMethod(result, name) => {
                if args.is_empty() && kwargs.is_empty() {
                    return Ok((**result).clone());
                }
                Err(self.error(place, format!("{name} method does not accept any arguments")))
            }
            Sugared::SliceClass => self.slice_object(place, args, kwargs),
            Sugared::Print => {
                if !kwargs.is_empty() {
                    return Err(self.error(place, "print doesn't accept any keyword arguments"));
                }
                let values: Vec<ValueId> = args.iter().map(|a| a.value).collect();
                self.node("prim::Print", &values, Some(place));
                Ok(Sugared::Nothing)
            }
            Sugared::Cast(ty, operator) => self.cast(place, ty, operator, args, kwargs),
            Sugared::Magic(method, base) => match args {
                [first, rest @ ..] if matches!(self.ty(first.value), Type::Class(_)) => {
                    let object = Sugared::Value(first.value);
                    let bound = self.attr(&object, place, method)?;
                    self.call(&bound, place, rest, kwargs)
                }
                _ => self.call(base, place, args, kwargs),
            },
            Sugared::Custom(custom) => custom.clone().call(self, place, args, kwargs),
            Sugared::Python(python) => self.call_python(&python.clone(), place, args, kwargs),
            Sugared::Value(v) if matches!(self.ty(*v), Type::Class(_)) => {
                let method = self.attr(callee, place, "__call__")?;
                self.call(&method, place, args, kwargs)
            }
            Sugared::Namespace(_)
            | Sugared::Value(_)
            | Sugared::Nothing
            | Sugared::Constant(..)
            | Sugared::ExceptionMessage(..)
            | Sugared::Tuple(_)
            | Sugared::Range(_)
            | Sugared::Iterables(_)
            | Sugared::Slice { .. }
            | Sugared::Form(_)
            | Sugared::LegacyTensor(_)
            | Sugared::Closure(_) => Err(self.error(place, format!("cannot call a {}", self.kind(callee)))),
        }
    }

    // -- functions and methods

    /// A call of a function of the unit, the first overload that fits.
    fn call_functions(&mut self, place: &Loc, names: &[Arc<str>], args: &[Named], kwargs: &[Named]) -> Result<Sugared> {
        let signatures = self.function_signatures(place, names)?;
        let (which, matched) = self.match_call(&signatures, Some(place), args, kwargs, None)?;
        let Some(name) = names.get(which).cloned() else { return Ok(Sugared::Nothing) };
        let function = self.value("prim::Constant", &[], Type::Function, None);
        if let Some(node) = self.graph.defining(function) {
            self.graph.set_attr(node, "name", Attr::Function(name));
        }
        let mut inputs = vec![function];
        inputs.extend(matched.inputs);
        let ty = matched.returns.into_iter().next().unwrap_or(Type::None);
        Ok(Sugared::Value(self.value("prim::CallFunction", &inputs, ty, Some(place))))
    }

    fn function_signatures(&mut self, place: &Loc, names: &[Arc<str>]) -> Result<Vec<Rc<Signature>>> {
        names
            .iter()
            .map(|name| self.compiler.ensure_defined(name, place).map(|f| Rc::new(Signature::of_function(f))))
            .collect()
    }

    /// A method of an object by name.
    pub(super) fn call_method(
        &mut self,
        place: &Loc,
        object: ValueId,
        name: &str,
        args: &[Named],
        kwargs: &[Named],
    ) -> Result<Sugared> {
        self.call_methods(place, object, &[Arc::from(name)], args, kwargs)
    }

    fn call_methods(
        &mut self,
        place: &Loc,
        object: ValueId,
        names: &[Arc<str>],
        args: &[Named],
        kwargs: &[Named],
    ) -> Result<Sugared> {
        let Type::Class(class) = self.ty(object).clone() else {
            return Err(self.error(place, format!("cannot call a method of type '{}'", self.repr(object))));
        };
        let mut signatures = Vec::with_capacity(names.len());
        for name in names {
            let (params, returns) = self.compiler.method_signature(&class, name, place)?;
            signatures.push(Rc::new(Signature::of_params(name, &params, &returns)));
        }
        let mut with_self = vec![Named::from(object)];
        with_self.extend(args.iter().cloned());
        let (which, matched) = self.match_call(&signatures, Some(place), &with_self, kwargs, None)?;
        let ty = matched.returns.into_iter().next().unwrap_or(Type::None);
        let value = self.value("prim::CallMethod", &matched.inputs, ty, Some(place));
        if let (Some(node), Some(name)) = (self.graph.defining(value), names.get(which)) {
            self.graph.set_attr(node, "name", Attr::Str(name.clone()));
        }
        Ok(Sugared::Value(value))
    }

    /// A call of what is not compiled: it raises, or it keeps the program from being saved.
    fn call_python(&mut self, python: &PythonValue, place: &Loc, args: &[Named], kwargs: &[Named]) -> Result<Sugared> {
        let args: Vec<Named> = python.receiver.map(Named::from).into_iter().chain(args.iter().cloned()).collect();
        let signature = self.python_signature(python, args.len())?;
        let ty = signature.returns.first().map_or(Type::None, |(_, t)| t.clone());
        let matched = self.match_one(&signature, place, &args, kwargs)?;
        if python.raises {
            let text = "This Python function is annotated to be ignored and cannot be run";
            let message = self.constant(IValue::str(text), None);
            let class = self.constant(IValue::None, None);
            self.node("prim::RaiseException", &[message, class], Some(place));
            return Ok(Sugared::Value(self.value("prim::Uninitialized", &[], ty, None)));
        }
        let result = self.value("prim::PythonOp", &matched.inputs, ty, Some(place));
        if let Some(node) = self.graph.defining(result) {
            self.graph.set_attr(node, "name", Attr::Str(python.name.clone()));
        }
        Ok(Sugared::Value(result))
    }

    /// Parameters and result of a Python function; without annotations all are tensors.
    fn python_signature(&mut self, python: &PythonValue, count: usize) -> Result<Signature> {
        let formal = |name: &str, ty: Type| Formal {
            name: Arc::from(name),
            ty,
            list_size: None,
            default: None,
            keyword_only: false,
        };
        let mut returns = (Arc::from("0"), Type::tensor());
        let mut formals: Vec<Formal> = (0..count).map(|i| formal(&i.to_string(), Type::tensor())).collect();
        if let Some(d) = &python.declaration {
            formals.clear();
            let receiver = python.receiver.map(|v| self.ty(v).clone());
            let mut annotations = super::types::Annotations {
                compiler: self.compiler,
                resolver: d.resolver.clone(),
                source: d.source.clone(),
                receiver: None,
            };
            for (i, p) in d.def.params.iter().enumerate() {
                let ty = match (&p.annotation, &receiver) {
                    (_, Some(ty)) if i == 0 => ty.clone(),
                    (Some(a), _) => annotations.read(a)?,
                    (None, _) => Type::tensor(),
                };
                formals.push(formal(&p.name.name, ty));
            }
            let annotated = d.def.returns.is_some() || d.def.params.iter().any(|p| p.annotation.is_some());
            match &d.def.returns {
                Some(r) => returns = (Arc::from(""), annotations.read(r)?),
                None if annotated => returns = (Arc::from(""), Type::tensor()),
                None => {}
            }
        }
        Ok(Signature { formals, returns: vec![returns], vararg: false, origin: Origin::Function(python.name.clone()) })
    }

    fn dispatch_flag(
        &self,
        place: &Loc,
        index: usize,
        argument: &str,
        default: bool,
        args: &[Named],
        kwargs: &[Named],
    ) -> Result<bool> {
        let constant = |v: ValueId, what: String| match self.graph.constant(v) {
            Some(IValue::Bool(b)) => Ok(*b),
            _ => Err(self.error(place, what)),
        };
        if let Some(arg) = args.get(index) {
            return constant(arg.value, format!("Argument for boolean dispatch at position {index} was not constant"));
        }
        match kwargs.iter().find(|k| k.name.as_deref() == Some(argument)) {
            Some(k) => constant(
                k.value,
                format!("Keyword argument '{argument}' for boolean dispatch at position was not constant"),
            ),
            None => Ok(default),
        }
    }

    // -- constructors

    fn construct(&mut self, place: &Loc, class: &Arc<str>, args: &[Named], kwargs: &[Named]) -> Result<Sugared> {
        match self.compiler.class_type(class) {
            Type::NamedTuple(t) => return self.construct_named_tuple(place, &t, args, kwargs),
            Type::Enum(name) => return self.enum_of_value(place, &name, args),
            _ => {}
        }
        let object = self.create_object(class, Some(place));
        if !self.compiler.has_method(class, "__init__") {
            let short = class.rsplit('.').next().unwrap_or(class);
            return Err(self.error(place, format!("Class {short} does not have an __init__ function defined")));
        }
        self.call_method(place, object, "__init__", args, kwargs)?;
        Ok(Sugared::Value(object))
    }

    fn create_object(&mut self, class: &Arc<str>, place: Option<&Loc>) -> ValueId {
        self.value("prim::CreateObject", &[], Type::Class(class.clone()), place)
    }

    fn construct_named_tuple(
        &mut self,
        place: &Loc,
        ty: &Arc<sconce_schema::types::NamedTuple>,
        args: &[Named],
        kwargs: &[Named],
    ) -> Result<Sugared> {
        let signature = self.compiler.named_tuple_signature(ty);
        let matched = self.match_one(&signature, place, args, kwargs)?;
        let tuple = self.value("prim::TupleConstruct", &matched.inputs, Type::NamedTuple(ty.clone()), Some(place));
        Ok(Sugared::Value(tuple))
    }

    /// `Color(1)` of a constant.
    fn enum_of_value(&mut self, place: &Loc, class: &Arc<str>, args: &[Named]) -> Result<Sugared> {
        let _ = (class, args);
        Err(self.error(place, "cannot call a EnumClass"))
    }

    fn exception_instance(
        &mut self,
        place: &Loc,
        class: Option<&Arc<str>>,
        args: &[Named],
        kwargs: &[Named],
    ) -> Result<Sugared> {
        let message = match args {
            [] => self.constant(IValue::str(""), Some(place)),
            [one] => one.value,
            _ => {
                let values: Vec<ValueId> = args.iter().chain(kwargs).map(|a| a.value).collect();
                self.tuple(&values)
            }
        };
        let Some(class) = class else {
            // `AssertionError` says its name in the message.
            return Ok(Sugared::ExceptionMessage(self.assertion_text(message, place)?, None));
        };
        let class = self.constant(IValue::str(&**class), Some(place));
        Ok(Sugared::ExceptionMessage(message, Some(class)))
    }

    fn slice_object(&mut self, place: &Loc, args: &[Named], kwargs: &[Named]) -> Result<Sugared> {
        if !kwargs.is_empty() {
            return Err(self.error(place, "Slice does not accept any keyword arguments"));
        }
        let (start, stop, step) = match args {
            [stop] => (None, Some(stop.value), None),
            [start, stop] => (Some(start.value), Some(stop.value), None),
            [start, stop, step] => (Some(start.value), Some(stop.value), Some(step.value)),
            _ => {
                return Err(
                    self.error(place, format!("slice accepts exactly 1, 2 or 3 arguments, got: {}", args.len()))
                );
            }
        };
        let mut or = |given: Option<ValueId>, default: i64| match given {
            Some(v) if *self.ty(v) != Type::None => v,
            _ => self.constant(IValue::Int(default), Some(place)),
        };
        Ok(Sugared::Slice { start: or(start, 0), stop: or(stop, i64::MAX), step: or(step, 1) })
    }

    // -- conversions

    fn cast(&mut self, place: &Loc, ty: &Type, operator: &str, args: &[Named], kwargs: &[Named]) -> Result<Sugared> {
        let ([one], []) = (args, kwargs) else {
            return self.call_operator(Some(place), operator, args, kwargs, None).map(Sugared::Value);
        };
        let zero = self.constant(IValue::Int(0), None);
        // A value that has the type already stays what it is.
        if self.ty(one.value).is_subtype_of(ty) {
            return Ok(Sugared::Value(one.value));
        }
        if *ty == Type::Bool && matches!(self.ty(one.value), Type::List(_) | Type::AnyList | Type::Str | Type::Dict(..))
        {
            let length = self.operator(Some(place), "aten::len", &[one.value])?;
            return self.operator(Some(place), "aten::gt", &[length, zero]).map(Sugared::Value);
        }
        self.call_operator(Some(place), operator, args, kwargs, None).map(Sugared::Value)
    }

    /// `x.float()` is `x.to(torch.float)`.
    fn tensor_cast(
        &mut self,
        place: &Loc,
        dtype: i64,
        receiver: ValueId,
        args: &[Named],
        kwargs: &[Named],
    ) -> Result<Sugared> {
        if !args.is_empty() || !kwargs.is_empty() {
            return Err(self.error(place, "cannot pass arguments to a tensor conversion method"));
        }
        let dtype = self.constant(IValue::Int(dtype), Some(place));
        let kwargs = [named("self", receiver), named("dtype", dtype)];
        self.call_operator(Some(place), "aten::to", &[], &kwargs, None).map(Sugared::Value)
    }

    fn legacy_tensor(&mut self, span: Span, dtype: i64, args: &[Named], kwargs: &[Named]) -> Result<Sugared> {
        let place = self.at(span);
        let supported = "Legacy Tensor Constructor only supports two schemas in TorchScript: \n'new(IntArrayRef size, *, Device? \
             device=None)',\n'new(PyObject* data, *, Device? device=None)\n'";
        match kwargs {
            [] => {}
            [one] if one.name.as_deref() == Some("device") => {}
            [one] => {
                return Err(
                    self.error(&place, format!("{supported}Got kwarg {}", one.name.as_deref().unwrap_or_default()))
                );
            }
            _ => return Err(self.error(&place, format!("{supported}Got multiple kwargs\n"))),
        }
        let dtype = self.constant(IValue::Int(dtype), None);
        let kwargs = [named("dtype", dtype)];
        let values: Vec<ValueId> = args.iter().map(|a| a.value).collect();
        let all_ints = values.iter().all(|v| *self.ty(*v) == Type::Int);
        let (operator, data) = match values.as_slice() {
            [] => ("aten::tensor", self.list(&[], Type::Int)),
            _ if all_ints => ("aten::empty", self.list(&values, Type::Int)),
            [one] => ("aten::tensor", *one),
            _ => {
                return Err(self.error(
                    &place,
                    format!("{supported}Got multiple positional arguments that were not all integers"),
                ));
            }
        };
        self.call_operator(None, operator, &[data.into()], &kwargs, None).map(Sugared::Value)
    }
}
