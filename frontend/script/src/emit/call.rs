//! Calls: of operators, functions, methods, classes and modules, and of the forms whose arguments are not evaluated as others are.

use super::assign::named;
use super::class::plain_name;
use super::function::Emitter;
use super::matching::{Formal, Origin, Signature};
use super::sugared::{Form, Iterables, Named, PythonValue, Range, Sugared};
use super::{Result, types};
use crate::graph::{Attr, Loc, ValueId};
use sconce_schema::Type;
use sconce_syntax::Span;
use sconce_syntax::script::tree::{Apply, Clause, Comprehension, Expr, ExprKind, Ident, Keyword};
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

    // -- forms

    fn form(&mut self, span: Span, form: Form, apply: &Apply, hint: Option<&Type>) -> Result<Sugared> {
        let place = self.at(span);
        match form {
            Form::Annotate => self.annotate(span, apply).map(Sugared::Value),
            Form::Cast => {
                self.check_arguments(span, apply, 2)?;
                self.sugared(&apply.args[1], None)
            }
            Form::Fork => self.fork(&place, apply),
            Form::IsInstance => {
                self.check_arguments(span, apply, 2)?;
                self.is_instance(&apply.args[0], &apply.args[1]).map(|c| Sugared::Value(c.value))
            }
            Form::HasAttr => {
                self.check_arguments(span, apply, 2)?;
                self.has_attribute(&apply.args[0], &apply.args[1]).map(|c| Sugared::Value(c.value))
            }
            Form::GetAttr => self.get_attr(span, apply),
            Form::UncheckedCast => {
                self.check_arguments(span, apply, 2)?;
                let ty = self.annotation(&apply.args[0])?;
                let value = self.expression(&apply.args[1])?;
                let same = self.graph.defining(value).is_some_and(|n| self.graph.is(n, "prim::unchecked_cast"));
                if same && *self.ty(value) == ty {
                    return Ok(Sugared::Value(value));
                }
                Ok(Sugared::Value(self.unchecked_cast(value, ty)))
            }
            Form::Uninitialized => {
                self.check_arguments(span, apply, 1)?;
                let ty = self.annotation(&apply.args[0])?;
                Ok(Sugared::Value(self.value("prim::Uninitialized", &[], ty, Some(&place))))
            }
            Form::Tuple => {
                if apply.args.is_empty() && apply.kwargs.is_empty() {
                    return Ok(Sugared::Value(self.tuple(&[])));
                }
                self.check_arguments(span, apply, 1)?;
                let sugared = self.sugared(&apply.args[0], None)?;
                let members = self.as_tuple(&sugared, &place, None)?;
                let values = members.iter().map(|m| self.as_value(m, &place)).collect::<Result<Vec<_>>>()?;
                Ok(Sugared::Value(self.tuple(&values)))
            }
            Form::List => self.list_call(span, apply, hint).map(Sugared::Value),
            Form::Dict => self.dict_call(span, apply, hint).map(Sugared::Value),
            Form::Range => {
                let values: Vec<ValueId> = self.arguments(&apply.args)?.into_iter().map(|a| a.value).collect();
                self.range(&place, &values, None)
            }
            Form::Enumerate => self.enumerate(&place, apply),
            Form::Zip => {
                if apply.args.is_empty() {
                    return Err(self.error(&place, "zip expected at least 1 arguments, got 0"));
                }
                let mut iterables = Iterables::default();
                for arg in &apply.args {
                    let sugared = self.sugared(arg, None)?;
                    let iterable = self.iter(&sugared, &place)?;
                    self.add_child(&place, &mut iterables, iterable)?;
                }
                Ok(Sugared::Iterables(Rc::new(iterables)))
            }
            Form::ToList => self.to_list(span, apply, hint).map(Sugared::Value),
            Form::CreateObject => {
                if apply.args.len() != 1 {
                    return Err(self.error(&place, "Only one argument to __new__ allowed"));
                }
                match self.sugared(&apply.args[0], None)? {
                    Sugared::Class(class) => Ok(Sugared::Value(self.create_object(&class, Some(&place)))),
                    other => Err(self.error(
                        &place,
                        format!("Expected class value as argument to __new__, got {} instead", self.kind(&other)),
                    )),
                }
            }
            Form::GetItem => self.get_item_call(span, apply).map(Sugared::Value),
            Form::Super => self.resolve("self", &place),
            Form::IsScripting => Ok(Sugared::Value(self.constant(IValue::Bool(true), Some(&place)))),
        }
    }

    fn annotate(&mut self, span: Span, apply: &Apply) -> Result<ValueId> {
        self.check_arguments(span, apply, 2)?;
        let place = self.at(span);
        let ty = self.annotation(&apply.args[0])?;
        let value = self.expression_hinted(&apply.args[1], Some(&ty))?;
        let value = self.convert(Some(&place), &ty, value, true)?;
        let actual = self.ty(value).clone();
        if !self.compiler.is_subtype(&actual, &ty) {
            let at = self.at(apply.args[0].span);
            let why = self.compiler.why_no_subtype(&actual, &ty);
            return Err(self.error(
                &at,
                format!("expected an expression of type {} but found {}\n{why}", ty.annotation_str(), self.repr(value)),
            ));
        }
        // None remembers of what it is the absence.
        if types::can_hold_none(&ty) && actual == Type::None {
            return Ok(self.typed_constant(IValue::None, ty, None));
        }
        Ok(value)
    }

    fn get_attr(&mut self, span: Span, apply: &Apply) -> Result<Sugared> {
        let place = self.at(span);
        if !(2..=3).contains(&apply.args.len()) {
            return Err(self.error(
                &place,
                format!("getattr expected to have number of arguments between 2 and 3 but found {}", apply.args.len()),
            ));
        }
        let object = self.sugared(&apply.args[0], None)?;
        let ExprKind::Str(name) = &apply.args[1].kind else {
            return Err(self.error(&place, "getattr's second argument must be a string literal"));
        };
        let name = String::from_utf8_lossy(name).into_owned();
        match apply.args.get(2) {
            Some(default) if !self.has_attr(&object, &place, &name)? => self.sugared(default, None),
            _ => self.attr(&object, &place, &name),
        }
    }

    /// `fork(f, …)`: a closure that calls `f`, and the future of what it gives.
    fn fork(&mut self, place: &Loc, apply: &Apply) -> Result<Sugared> {
        let Some((function, args)) = apply.args.split_first() else {
            return Err(self.error(place, "Expected at least one argument to fork()"));
        };
        let function = self.sugared(function, None)?;
        let args = self.arguments(args)?;
        let kwargs = self.keywords(&apply.kwargs)?;
        let closure = match &function {
            Sugared::Closure(closure) => *closure,
            _ => self.closure(|e, block| {
                let result = e.call(&function, place, &args, &kwargs)?;
                let result = e.as_value(&result, place)?;
                e.graph.add_block_output(block, result);
                Ok(())
            })?,
        };
        let result = self
            .graph
            .defining(closure)
            .and_then(|n| self.graph.blocks(n).first().copied())
            .and_then(|b| self.graph.block_outputs(b).first().copied());
        let ty = result.map_or(Type::None, |v| self.ty(v).clone());
        let future = self.value("prim::forkClosure", &[closure], Type::Future(Arc::new(ty)), Some(place));
        Ok(Sugared::Value(future))
    }

    fn enumerate(&mut self, place: &Loc, apply: &Apply) -> Result<Sugared> {
        let Some(first) = apply.args.first() else {
            return Err(self.error(place, "enumerate expected at least 1 arguments, got 0"));
        };
        let mut start = match apply.args.get(1) {
            Some(e) => Some(self.expression(e)?),
            None => None,
        };
        let count = apply.args.len() + apply.kwargs.len();
        if count > 2 {
            return Err(self.error(place, format!("enumerate expected at most 2 arguments, got {count}")));
        }
        if let [kwarg] = apply.kwargs.as_slice() {
            let name = kwarg.name.as_ref().map_or("", |n| n.name.as_str());
            if name != "start" {
                return Err(self.error(place, format!("enumerate expected kwarg name 'start', got '{name}'")));
            }
            start = Some(self.expression(&kwarg.value)?);
        }
        let end = self.number_constant(IValue::Int(i64::MAX), place);
        let bounds: Vec<ValueId> = start.into_iter().chain([end]).collect();
        let sugared = self.sugared(first, None)?;
        let iterable = self.iter(&sugared, place)?;
        let length = self.unrolled_length(&iterable);
        let range = self.range(place, &bounds, length)?;
        let mut iterables = Iterables::default();
        self.add_child(place, &mut iterables, range)?;
        self.add_child(place, &mut iterables, iterable)?;
        Ok(Sugared::Iterables(Rc::new(iterables)))
    }

    pub(super) fn range(&mut self, place: &Loc, values: &[ValueId], static_len: Option<i64>) -> Result<Sugared> {
        if let Some(i) = values.iter().position(|v| *self.ty(*v) != Type::Int) {
            return Err(self.error(
                place,
                format!("all inputs of range must be ints, found {} in argument {i}", self.repr(values[i])),
            ));
        }
        let int = |e: &mut Self, i: i64| e.constant(IValue::Int(i), Some(place));
        let range = match values {
            [] => return Err(self.error(place, "range expected at least 1 arguments, got 0")),
            [end] => {
                let (start, step) = (int(self, 0), int(self, 1));
                Range { start, end: *end, step, only_end: true, static_len }
            }
            [start, end] => {
                let step = int(self, 1);
                Range { start: *start, end: *end, step, only_end: false, static_len }
            }
            [start, end, step] => Range { start: *start, end: *end, step: *step, only_end: false, static_len },
            _ => return Err(self.error(place, format!("range expected at most 3 arguments, got {}", values.len()))),
        };
        Ok(Sugared::Range(Rc::new(range)))
    }

    fn list_call(&mut self, span: Span, apply: &Apply, hint: Option<&Type>) -> Result<ValueId> {
        let place = self.at(span);
        if apply.args.is_empty() {
            return match hint {
                None => Ok(self.list(&[], Type::tensor())),
                Some(Type::List(element)) => Ok(self.list(&[], (**element).clone())),
                Some(t) => Err(self
                    .error(&place, format!("Expected list type annotation for list(), found {}", t.annotation_str()))),
            };
        }
        self.check_arguments(span, apply, 1)?;
        let sugared = self.sugared(&apply.args[0], None)?;
        if let Sugared::Value(v) = sugared
            && matches!(self.ty(v), Type::List(_) | Type::Str)
        {
            return self.operator(Some(&place), "aten::list", &[v]);
        }
        // `list(x)` is `[e for e in x]`.
        let (iter, element) = (self.temporary("$_iter"), self.temporary("$_elem"));
        self.set_variable(&place, &iter, sugared, None)?;
        let comprehension = Comprehension {
            element: variable(&element, span),
            clauses: vec![Clause {
                target: variable(&element, span),
                iter: variable(&iter, span),
                conditions: Vec::new(),
            }],
        };
        self.list_comprehension(span, &comprehension, hint)
    }

    /// `dict(…)`: of a dict, of pairs, of keywords.
    fn dict_call(&mut self, span: Span, apply: &Apply, hint: Option<&Type>) -> Result<ValueId> {
        let place = self.at(span);
        let expected = self.expected(span, hint, super::literal::Container::Dict, true)?;
        if let Some(hint) = hint.filter(|_| !expected.candidates.is_empty()) {
            return Err(self.error(
                &place,
                format!(
                    "There are multiple candidate Dict types in the Union type annotation `{}`, and full type inference is not yet \
                     supported for the `dict()` constructor.",
                    hint.annotation_str()
                ),
            ));
        }
        let refined = expected.refined.clone().filter(|t| matches!(t, Type::Dict(..)));
        let empty = |e: &Expr| match &e.kind {
            ExprKind::Dict(items) => items.is_empty(),
            ExprKind::List(items) => items.is_empty(),
            _ => false,
        };
        let pairs: Vec<(Option<Expr>, Expr)> =
            apply.kwargs.iter().map(|k| (k.name.as_ref().map(|n| text(&n.name, k.span)), k.value.clone())).collect();
        let dict = match apply.args.as_slice() {
            [] => self.dict_literal(span, &pairs, refined.as_ref())?,
            [one] if empty(one) => self.dict_literal(span, &pairs, refined.as_ref())?,
            [one] => {
                let dict = self.dict_of(span, one, refined.as_ref(), hint)?;
                for (key, value) in &pairs {
                    let Some(key) = key else { continue };
                    let (k, v) = (self.expression(key)?, self.expression(value)?);
                    self.operator(Some(&place), "aten::_set_item", &[dict, k, v])?;
                }
                dict
            }
            _ => {
                self.check_arguments(span, apply, 1)?;
                return self.dict_literal(span, &[], refined.as_ref());
            }
        };
        Ok(match expected.union {
            Some(union) => self.unchecked_cast(dict, union),
            None => dict,
        })
    }

    fn dict_of(&mut self, span: Span, argument: &Expr, refined: Option<&Type>, hint: Option<&Type>) -> Result<ValueId> {
        let place = self.at(span);
        if let ExprKind::DictComp(key, c) = &argument.kind {
            return self.dict_comprehension(argument.span, key, c, refined);
        }
        let hinted = matches!(argument.kind, ExprKind::Dict(_)).then_some(hint).flatten();
        let sugared = self.sugared(argument, hinted)?;
        if let Sugared::Value(v) = sugared
            && matches!(self.ty(v), Type::Dict(..))
        {
            return self.operator(Some(&place), "aten::dict", &[v]);
        }
        // `dict(x)` is `{k: v for k, v in x}`.
        let (iter, key, value) = (self.temporary("$_iter"), self.temporary("$_key"), self.temporary("$_value"));
        self.set_variable(&place, &iter, sugared, None)?;
        let target = Expr { kind: ExprKind::Tuple(vec![variable(&key, span), variable(&value, span)]), span };
        let comprehension = Comprehension {
            element: variable(&value, span),
            clauses: vec![Clause { target, iter: variable(&iter, span), conditions: Vec::new() }],
        };
        self.dict_comprehension(span, &variable(&key, span), &comprehension, refined)
    }

    /// `x.tolist()`, whose type is what it is assigned to.
    fn to_list(&mut self, span: Span, apply: &Apply, hint: Option<&Type>) -> Result<ValueId> {
        let place = self.at(span);
        let ExprKind::Select(object, _) = &apply.callee.kind else {
            return Err(self.error(&place, "tolist() is called on a tensor"));
        };
        let Some(hint) = hint else {
            return Err(self.error(&place, "Expected type hint for result of tolist()"));
        };
        let tensor = self.expression(object)?;
        let (mut dim, mut element) = (0, hint);
        while let Type::List(inner) = element {
            dim += 1;
            element = inner;
        }
        let kind = match element {
            Type::Int => 0,
            Type::Float => 1,
            Type::Bool => 2,
            Type::Complex => 3,
            _ => {
                return Err(self.error(
                    &place,
                    format!(
                        "{} is not one of the supported element types for tolist: int, float, complex, bool",
                        element.annotation_str()
                    ),
                ));
            }
        };
        let dim = self.constant(IValue::Int(dim), None);
        let kind = self.constant(IValue::Int(kind), None);
        Ok(self.value("prim::tolist", &[tensor, dim, kind], hint.clone(), None))
    }

    /// `x.__getitem__(i)`
    fn get_item_call(&mut self, span: Span, apply: &Apply) -> Result<ValueId> {
        let place = self.at(span);
        let (ExprKind::Select(object, _), [argument]) = (&apply.callee.kind, apply.args.as_slice()) else {
            return Err(
                self.error(&place, format!("__getitem__ expected exactly 1 arguments, got {}", apply.args.len()))
            );
        };
        let object = self.expression(object)?;
        let index = self.expression(argument)?;
        let indices = if matches!(self.ty(index), Type::Tuple(_)) { self.tuple_unpack(index) } else { vec![index] };
        self.index(&place, object, &indices)
    }
}

fn variable(name: &str, span: Span) -> Expr {
    Expr { kind: ExprKind::Var(Ident::new(name, span)), span }
}

fn text(text: &str, span: Span) -> Expr {
    Expr { kind: ExprKind::Str(text.as_bytes().to_vec()), span }
}
