//! Functions of torch that the evaluator runs itself: tensors made from Python's values, parameters, torch.jit's marks.

use super::{Host, callable, conversion_of, dtype_of, int, mark, parameter, uninitialized};
use crate::Fault;
use crate::value::*;
use sconce_schema::DType;
use std::rc::Rc;

pub(super) const TORCH: &[(&str, Host)] = &[
    ("torch.tensor", |e, a| {
        e.trace_warning(crate::trace::MADE);
        let data = a.need("data")?;
        let grad = matches!(a.keyword("requires_grad"), Some(Value::Bool(true)));
        let dtype = dtype_of(a.keyword("dtype"));
        e.make_tensor(&data, dtype, grad)
    }),
    ("torch.as_tensor", |e, a| {
        let data = a.need("data")?;
        match (dtype_of(a.take("dtype")), &data) {
            (None, Value::Tensor(_)) => Ok(data),
            (dtype, _) => e.make_tensor(&data, dtype, false),
        }
    }),
    ("torch.Tensor", |e, a| match a.rest().as_slice() {
        [one @ (Value::List(_) | Value::Tuple(_))] => e.make_tensor(one, Some(DType::F32), false),
        sizes => e.operator("aten::empty", vec![Value::list(sizes.to_vec())], Vec::new()),
    }),
    ("torch.FloatTensor", |e, a| match a.rest().as_slice() {
        [one @ (Value::List(_) | Value::Tuple(_))] => e.make_tensor(one, Some(DType::F32), false),
        sizes => e.operator("aten::empty", vec![Value::list(sizes.to_vec())], Vec::new()),
    }),
    ("torch.LongTensor", |e, a| {
        let data = a.rest().into_iter().next().unwrap_or_else(|| Value::list(Vec::new()));
        e.make_tensor(&data, Some(DType::I64), false)
    }),
    ("torch.Size", |e, a| Ok(Value::tuple(e.items(&a.need("sizes")?)?))),
    ("torch.manual_seed", |_, a| {
        sconce_tensor::mersenne::manual_seed(int(&a.need("seed")?)? as u64);
        Ok(Value::Generator(sconce_tensor::mersenne::default_generator().clone()))
    }),
    ("torch.Generator", |_, _| Ok(Value::Generator(sconce_tensor::mersenne::generator(0)))),
    ("torch.device", |_, a| {
        let v = a.need("type")?;
        match v {
            Value::Str(s) => {
                let mut d = crate::tensor::device(&s)?;
                if let Some(Value::Int(i)) = a.take("index") {
                    d.index = i32::try_from(i).ok();
                }
                Ok(Value::Device(std::sync::Arc::new(d)))
            }
            other => Ok(other),
        }
    }),
    ("torch.is_tensor", |_, a| Ok(Value::Bool(matches!(a.need("obj")?, Value::Tensor(_))))),
    ("torch.is_floating_point", |e, a| e.call_method(&a.need("input")?, "is_floating_point", Vec::new())),
    ("torch.is_grad_enabled", |e, _| Ok(Value::Bool(e.grad.get()))),
    ("torch.get_default_dtype", |_, _| Ok(crate::tensor::dtype_value(DType::F32))),
    ("torch.set_default_dtype", |_, a| match dtype_of(a.take("d")) {
        Some(DType::F32) => Ok(Value::None),
        _ => Err(Fault::refused("another default dtype than torch.float32 is not supported")),
    }),
    ("torch.set_grad_enabled", |_, _| Ok(Value::host("context:grad"))),
    ("torch.no_grad", |_, a| Ok(a.take("f").filter(callable).unwrap_or_else(|| Value::host("context:grad")))),
    ("torch.enable_grad", |_, a| Ok(a.take("f").filter(callable).unwrap_or_else(|| Value::host("context:grad")))),
    ("torch.inference_mode", |_, a| Ok(a.take("f").filter(callable).unwrap_or_else(|| Value::host("context:grad")))),
    ("context:grad", |_, a| a.need("f")),
    ("torch.set_num_threads", |_, _| Ok(Value::None)),
    ("torch.cuda.is_available", |_, _| Ok(Value::Bool(false))),
    ("torch.cuda.manual_seed", |_, _| Ok(Value::None)),
    ("torch.cuda.manual_seed_all", |_, _| Ok(Value::None)),
    ("torch.nn.parameter.Parameter", |_, a| parameter(a)),
    ("torch.nn.parameter.Buffer", |_, a| a.need("data")),
    ("torch.nn.parameter.UninitializedParameter", |_, a| uninitialized(TensorKind::UninitializedParameter, a)),
    ("torch.nn.parameter.UninitializedBuffer", |_, a| uninitialized(TensorKind::UninitializedBuffer, a)),
    ("torch.nn.parameter.is_lazy", |_, a| Ok(Value::Bool(matches!(a.need("param")?, Value::Tensor(t) if t.is_lazy())))),
    ("torch._C._initialise_module", |_, a| {
        if let Value::Instance(i) = a.need("module")? {
            crate::module::initialise(&i);
        }
        Ok(Value::None)
    }),
    ("torch.typename", |_, a| Ok(Value::Str(a.need("obj")?.type_name()))),
    ("torch._C._log_api_usage_once", |_, _| Ok(Value::None)),
];

pub(super) const JIT: &[(&str, Host)] = &[
    ("torch.jit.script", |e, a| {
        let v = a.need("obj")?;
        mark(&v, Modifier::Script);
        if let Value::Instance(i) = &v
            && i.class.is_module()
            && !i.is_script()
        {
            *i.script.borrow_mut() = Some(Script::Compiled);
        }
        // Compiling happens when all of the file is known.
        let _ = e;
        Ok(v)
    }),
    ("torch.jit.script_if_tracing", |e, a| e.marked(a, Modifier::Script)),
    ("torch.jit.script_method", |e, a| e.marked(a, Modifier::ScriptMethod)),
    ("torch.jit.export", |e, a| e.marked(a, Modifier::Export)),
    ("torch.jit.unused", |e, a| e.marked(a, Modifier::Unused)),
    ("torch.jit.ignore", |_, a| match a.take("fn") {
        Some(Value::Bool(_)) | None => {
            let unused = a.keywords.iter().any(|(k, v)| &**k == "drop" && matches!(v, Value::Bool(true)));
            Ok(Value::host(if unused { "torch.jit.unused" } else { "torch.jit.ignore" }))
        }
        Some(v) => {
            mark(&v, Modifier::Ignore);
            Ok(v)
        }
    }),
    ("torch.jit._overload", |e, a| e.marked(a, Modifier::Overload)),
    ("torch.jit._overload_method", |e, a| e.marked(a, Modifier::OverloadMethod)),
    ("torch.jit.interface", |_, a| {
        let v = a.need("obj")?;
        if let Value::Class(c) = &v {
            c.interface.set(true);
        }
        Ok(v)
    }),
    ("torch.jit.Attribute", |_, a| {
        let (v, t) = (a.need("value")?, a.need("type")?);
        Ok(Value::Generic(Rc::new(("torch.jit.Attribute".into(), vec![v, t]))))
    }),
    ("torch.jit.annotate", |_, a| {
        a.need("the_type")?;
        a.need("the_value")
    }),
    ("torch.jit.is_scripting", |_, _| Ok(Value::Bool(false))),
    ("torch.jit.is_tracing", |e, _| Ok(Value::Bool(e.is_tracing()))),
    ("torch.jit.freeze", |e, a| {
        let v = a.need("mod")?;
        let kept = match a.take("preserved_attrs") {
            None | Some(Value::None) => Vec::new(),
            Some(names) => e.items(&names)?,
        };
        Ok(Value::Generic(Rc::new(("torch.jit.freeze".into(), vec![v, Value::list(kept)]))))
    }),
    ("torch.jit.trace", crate::trace::trace),
    ("torch.jit.trace_module", crate::trace::trace_module),
    ("torch.jit.optimized_execution", |_, _| Ok(Value::host("context:jit"))),
    ("torch._jit_internal.boolean_dispatch", |_, a| {
        let mut get = |name: &str| a.keyword(name).map_or(Value::None, conversion_of);
        let names = ["arg_name", "arg_index", "default", "if_true", "if_false"];
        Ok(Value::Generic(Rc::new(("torch._jit_internal.boolean_dispatch".into(), names.map(&mut get).to_vec()))))
    }),
];
