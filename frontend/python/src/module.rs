//! `nn.Module`'s attributes: parameters, buffers and submodules go into registries of their own, in the order they come.

use super::value::*;
use super::{Fallible, Fault};
use std::rc::Rc;

/// What `Module.__init__` makes, in order; names that begin with an underscore are not attributes in TorchScript, but for one.
pub(super) fn initialise(i: &Instance) {
    i.set("training", Value::Bool(true));
    for name in ["_parameters", "_buffers"] {
        i.set(name, Value::dict(Map::new()));
    }
    i.set("_non_persistent_buffers_set", Value::Set(Rc::default()));
    for name in ["_backward_pre_hooks", "_backward_hooks"] {
        i.set(name, Value::dict(Map::new()));
    }
    i.set("_is_full_backward_hook", Value::None);
    for name in ["_forward_hooks", "_forward_pre_hooks", "_modules"] {
        i.set(name, Value::dict(Map::new()));
    }
}

/// Attributes of `nn.Module` itself, which TorchScript does not see.
pub(super) const OWN: &[&str] = &[
    "_parameters",
    "_buffers",
    "_non_persistent_buffers_set",
    "_backward_pre_hooks",
    "_backward_hooks",
    "_forward_hooks",
    "_forward_pre_hooks",
    "_modules",
];

fn remove(i: &Instance, name: &str, except: &str) {
    i.attributes.borrow_mut().shift_remove(name);
    for registry in ["_parameters", "_buffers", "_modules"] {
        if registry != except
            && let Some(d) = i.dict(registry)
        {
            d.borrow_mut().shift_remove(&Key::text(name));
        }
    }
}

fn registry(i: &Instance, name: &str, what: &str) -> Fallible<Rc<std::cell::RefCell<Map>>> {
    i.dict(name)
        .ok_or_else(|| Fault::raise("AttributeError", format!("cannot assign {what} before Module.__init__() call")))
}

/// `module.name = value`
pub(super) fn set_attribute(i: &Rc<Instance>, name: &str, value: Value) -> Fallible<()> {
    let key = Key::text(name);
    match &value {
        Value::Tensor(t) if t.is_parameter() => {
            let parameters = registry(i, "_parameters", "parameters")?;
            remove(i, name, "_parameters");
            parameters.borrow_mut().insert(key, value);
            return Ok(());
        }
        Value::Instance(m) if m.class.is_module() => {
            let modules = registry(i, "_modules", "module")?;
            remove(i, name, "_modules");
            modules.borrow_mut().insert(key, value);
            return Ok(());
        }
        _ => {}
    }
    for (which, what) in [("_parameters", "parameter"), ("_modules", "child module"), ("_buffers", "buffer")] {
        let Some(d) = i.dict(which) else { continue };
        if !d.borrow().contains_key(&key) {
            continue;
        }
        let fits = matches!(value, Value::None) || (which == "_buffers" && matches!(value, Value::Tensor(_)));
        if !fits {
            let (wanted, kind) = match which {
                "_parameters" => ("torch.nn.Parameter or None expected", what),
                "_modules" => ("torch.nn.Module or None expected", what),
                _ => ("torch.Tensor or None expected", what),
            };
            let text = format!("cannot assign '{}' as {kind} '{name}' ({wanted})", value.type_name());
            return Err(Fault::raise("TypeError", text));
        }
        d.borrow_mut().insert(key, value);
        return Ok(());
    }
    i.set(name, value);
    Ok(())
}
