//! The forms of classes: modules, script classes, named tuples, interfaces, enums.

use super::body::FilePrinter;
use super::literal::float_text;
use super::{Error, Shared};
use sconce_graph::unit::{AttributeKind, Class, ClassKind};
use sconce_schema::text::quote_literal;
use sconce_schema::types::NamedTuple;
use sconce_tensor::IValue;
use std::sync::Arc;

pub(super) fn simple_name(qualified: &str) -> &str {
    qualified.rsplit_once('.').map_or(qualified, |(_, name)| name)
}

/// Letters, digits and underscores; PyTorch does not look at keywords here.
pub(super) fn is_identifier(name: &str) -> bool {
    let mut bytes = name.bytes();
    bytes.next().is_some_and(|b| b.is_ascii_alphabetic() || b == b'_')
        && bytes.all(|b| b.is_ascii_alphanumeric() || b == b'_')
}

impl FilePrinter {
    pub(super) fn class(&mut self, shared: &mut Shared, class: &Class) -> Result<(), Error> {
        let name = simple_name(&class.name);
        match &class.kind {
            ClassKind::Module => self.with_attributes(shared, class, &format!("class {name}(Module):\n")),
            ClassKind::Script => self.with_attributes(shared, class, &format!("class {name}:\n")),
            ClassKind::Interface => self.interface(shared, class, &format!("class {name}(Interface):\n")),
            ClassKind::ModuleInterface => self.interface(shared, class, &format!("class {name}(ModuleInterface):\n")),
            ClassKind::Enum { .. } => {
                self.line(&format!("class {name}(Enum):"));
                self.level += 1;
                for (member, _, value) in &class.constants {
                    let value = match value {
                        IValue::Str(s) => quote_literal(s.as_bytes()),
                        IValue::Double(x) => float_text(*x),
                        other => shared.constant(other),
                    };
                    self.line(&format!("{member} = {value}"));
                }
                self.level -= 1;
                Ok(())
            }
            ClassKind::NamedTuple => {
                let fields = class.attributes.iter().map(|a| (a.name.clone(), a.ty.clone())).collect();
                let tuple = NamedTuple { name: class.name.clone(), fields, defaults: Vec::new() };
                self.named_tuple(shared, &tuple);
                Ok(())
            }
        }
    }

    pub(super) fn named_tuple(&mut self, shared: &mut Shared, tuple: &NamedTuple) {
        self.line(&format!("class {}(NamedTuple):", simple_name(&tuple.name)));
        self.level += 1;
        for (name, ty) in &tuple.fields {
            shared.depend_on_type(ty);
            self.line(&format!("{name} : {}", ty.annotation_str()));
        }
        self.level -= 1;
    }

    fn interface(&mut self, shared: &mut Shared, class: &Class, header: &str) -> Result<(), Error> {
        self.line(header.trim_end());
        self.level += 1;
        for method in &class.interface {
            let mut line = format!("def {}(self", method.name);
            for param in method.params.iter().filter(|p| &*p.name != "self") {
                shared.depend_on_type(&param.ty);
                line.push_str(&format!(", {}: {}", param.name, param.ty.annotation_str()));
            }
            shared.depend_on_type(&method.returns);
            self.line(&format!("{line}) -> {}:", method.returns.annotation_str()));
            self.line("  pass");
        }
        self.level -= 1;
        Ok(())
    }

    fn with_attributes(&mut self, shared: &mut Shared, class: &Class, header: &str) -> Result<(), Error> {
        self.line(header.trim_end());
        self.level += 1;
        if class.is_module() {
            self.module_lists(class);
        }
        for (index, attribute) in class.attributes.iter().enumerate() {
            shared.depend_on_type(&attribute.ty);
            let ty = attribute.ty.annotation_str();
            if is_identifier(&attribute.name) {
                self.line(&format!("{} : {ty}", attribute.name));
                continue;
            }
            // `nn.Sequential` has attributes that are numbers.
            if index == 0 {
                self.line("__annotations__ = []");
            }
            self.line(&format!("__annotations__[\"{}\"] = {ty}", attribute.name));
        }
        for (name, ty, value) in &class.constants {
            let text = shared.constant(value);
            self.line(&format!("{name} : Final[{}] = {text}", ty.annotation_str()));
        }
        let hooks = class.forward_hooks.iter().chain(&class.forward_pre_hooks);
        let mut printed: Vec<&Arc<str>> = Vec::new();
        for method in class.methods.iter().chain(hooks) {
            if printed.contains(&method) {
                continue;
            }
            printed.push(method);
            let qualified: Arc<str> = format!("{}.{method}", class.name).into();
            let unit = shared.unit;
            let function = unit.functions.get(&qualified).ok_or(Error::Undefined(qualified))?;
            self.function(shared, function, true)?;
        }
        if class.attributes.is_empty() && class.constants.is_empty() && printed.is_empty() && !class.is_module() {
            // PyTorch prints an empty body, which it then cannot read.
            self.line("pass");
        }
        self.level -= 1;
        Ok(())
    }

    fn module_lists(&mut self, class: &Class) {
        let of_kind = |kind: AttributeKind| {
            let names = class.attributes.iter().filter(|a| a.kind == kind).map(|a| &a.name);
            names.map(|n| format!("\"{n}\", ")).collect::<String>()
        };
        let quoted = |names: &[Arc<str>]| names.iter().map(|n| format!("\"{n}\", ")).collect::<String>();
        self.line(&format!("__parameters__ = [{}]", of_kind(AttributeKind::Parameter)));
        self.line(&format!("__buffers__ = [{}]", of_kind(AttributeKind::Buffer)));
        for (name, hooks) in
            [("__forward_pre_hooks__", &class.forward_pre_hooks), ("__forward_hooks__", &class.forward_hooks)]
        {
            if !hooks.is_empty() {
                self.line(&format!("{name} = [{}]", quoted(hooks)));
            }
        }
    }
}
