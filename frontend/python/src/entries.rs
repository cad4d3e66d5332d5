//! What of a file is TorchScript: what its author marked so, or, where nothing is marked, all that can be compiled without being told how.

use super::Program;
use super::value::*;
use sconce_syntax::script::tree::ParamKind;
use std::rc::Rc;

/// The entries of a file, as [`Program::compile`] takes them.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Entries {
    /// Functions, script classes and modules by their names, and classes of modules that need no arguments: `f`, `M()`. In the order of the file.
    pub expressions: Vec<String>,
    /// Classes of modules of which the file makes none and whose `__init__` has parameters without defaults.
    pub unmade: Vec<String>,
}

impl Program {
    /// What can be compiled of the file. Where something is under `torch.jit.script`, that alone; else every function, every module that has a name, and one
    /// of each further class of modules.
    ///
    /// ```
    /// use sconce_python::{Options, Program};
    /// let text = "import torch\nclass M(torch.nn.Module):\n    pass\nclass N(M):\n    def __init__(self, n: int):\n        pass\ndef f(x):\n    return x\n";
    /// let entries = Program::new("m.py", text, Options::default())?.entries();
    /// assert_eq!((entries.expressions, entries.unmade), (vec!["M()".into(), "f".into()], vec!["N".into()]));
    /// # Ok::<(), sconce_python::Error>(())
    /// ```
    pub fn entries(&self) -> Entries {
        let names = self.scope.names.borrow();
        let marked_only = names.values().any(|v| self.is_marked(v));
        let made: Vec<&Rc<Class>> =
            names.values().filter_map(|v| if let Value::Instance(i) = v { Some(&i.class) } else { None }).collect();
        let mut entries = Entries::default();
        for (name, value) in names.iter().filter(|(_, v)| !marked_only || self.is_marked(v)) {
            match value {
                Value::Class(class) if class.is_module() && !class.interface.get() => {
                    let is_made = made.iter().any(|c| Rc::ptr_eq(c, class));
                    if !self.is_own(&class.closure) || is_made {
                        continue;
                    }
                    match needs_arguments(class) {
                        true => entries.unmade.push(name.to_string()),
                        false => entries.expressions.push(format!("{name}()")),
                    }
                }
                value if self.is_entry(value) => entries.expressions.push(name.to_string()),
                _ => {}
            }
        }
        entries
    }

    fn is_own(&self, closure: &Rc<Scope>) -> bool {
        Rc::ptr_eq(closure, &self.scope)
    }

    /// Did its author say that it is TorchScript?
    fn is_marked(&self, value: &Value) -> bool {
        match value {
            Value::Function(f) => self.is_own(&f.closure) && f.modifier.get() == Modifier::Script,
            Value::Class(class) => self.is_own(&class.closure) && class.script.get(),
            Value::Instance(instance) => instance.class.is_module() && instance.is_script(),
            _ => false,
        }
    }

    fn is_entry(&self, value: &Value) -> bool {
        match value {
            Value::Function(f) => {
                let is_left_to_python =
                    matches!(f.modifier.get(), Modifier::Ignore | Modifier::Unused | Modifier::Overload);
                self.is_own(&f.closure) && f.def().is_some() && !is_left_to_python
            }
            // Interfaces are compiled with what uses them.
            Value::Class(class) => self.is_marked(value) && !class.interface.get(),
            Value::Instance(instance) => instance.class.is_module(),
            _ => false,
        }
    }
}

fn needs_arguments(class: &Class) -> bool {
    let Some(Value::Function(init)) = class.get("__init__") else { return false };
    let Some(def) = init.def() else { return false };
    let is_optional = |kind| matches!(kind, ParamKind::Rest | ParamKind::Keywords);
    def.params.iter().skip(1).any(|p| p.default.is_none() && !is_optional(p.kind))
}
