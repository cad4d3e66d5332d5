//! What is said of a name or an operator under the cursor: its type, its signature, its schemas.

use super::Known;
use super::names::{Member, Role};
use crate::analysis::code;
use crate::operators;
use sconce_graph::schema_text;
use sconce_graph::unit::Function;
use sconce_schema::Type;
use sconce_script::emit::Meaning;
use sconce_source::Span;
use std::sync::Arc;

impl Known {
    pub(super) fn hover(&self, offset: u32) -> Option<(Span, String)> {
        let (span, text) = match (self.names.occurrence_at(offset), self.names.member_at(offset)) {
            (Some(o), _) => {
                let text = match o.role {
                    Role::Defined(number) => self.definition(number),
                    _ => self.said(&o.name, self.meanings_of(o.place), None),
                };
                (o.token, text)
            }
            (None, Some(member)) => {
                let meanings = self.meanings_of(member.place);
                (member.token, self.said(&member.name, meanings, self.sizes_of(member)))
            }
            (None, None) => {
                let (range, meanings) = self.meanings.as_ref()?.at(offset)?;
                let span = self.names.whole(Span { start: range.start, end: range.end });
                let quoted = self.source.text().get(span.start as usize..span.end as usize).unwrap_or_default();
                (span, self.said(quoted.lines().next().unwrap_or_default(), meanings, None))
            }
        };
        (!text.is_empty()).then_some((span, text))
    }

    /// What a name with these meanings is.
    fn said(&self, name: &str, meanings: &[Meaning], more: Option<&str>) -> String {
        let mut parts = Vec::new();
        let values: Vec<String> = meanings
            .iter()
            .filter_map(|m| if let Meaning::Value(ty) = m { Some(self.type_text(ty)) } else { None })
            .collect();
        if !values.is_empty() {
            let more = more.map(|m| format!("  # {m}")).unwrap_or_default();
            parts.push(code("python", &format!("{name}: {}{more}", values.join(" | "))));
        }
        let schema = meanings.iter().find_map(|m| if let Meaning::Schema(s) = m { Some(s.as_str()) } else { None });
        let called = |s: &str| s.split(['.', '(']).next().unwrap_or_default().to_owned();
        let operator =
            meanings.iter().find_map(|m| if let Meaning::Operator(n) = m { Some(n.to_string()) } else { None });
        if let Some(operator) = operator.or_else(|| schema.map(called)) {
            let fallback = || schema.map(|s| code("text", s));
            parts.extend(operators::described(&operator, schema).or_else(fallback));
        }
        for meaning in meanings {
            match meaning {
                Meaning::Functions(names) => parts.extend(names.iter().map(|n| self.function(n))),
                Meaning::Methods { class, names } => {
                    parts.extend(names.iter().map(|n| self.function(&format!("{class}.{n}"))));
                }
                Meaning::Class(name) => parts.push(self.class_text(name)),
                Meaning::Namespace(path) => parts.push(code("python", &format!("import {path}"))),
                Meaning::Other(words) => parts.push(format!("`{name}`: {words}")),
                Meaning::Value(_) | Meaning::Schema(_) | Meaning::Operator(_) => {}
            }
        }
        parts.join("\n\n")
    }

    /// A type, the classes of the file by their own names.
    fn type_text(&self, ty: &Type) -> String {
        match ty {
            Type::Class(name) | Type::Enum(name) => self.class_name(name),
            other => other.annotation_str(),
        }
    }

    fn class_name(&self, qualified: &str) -> String {
        match self.class(qualified) {
            Some(number) => self.names.definitions[number].path.clone(),
            None => qualified.strip_prefix("__torch__.").unwrap_or(qualified).to_owned(),
        }
    }

    fn sizes_of(&self, member: &Member) -> Option<&str> {
        let class = |m: &Meaning| if let Meaning::Value(Type::Class(name)) = m { Some(name.clone()) } else { None };
        let classes: Vec<Arc<str>> = self.meanings_of(member.object).iter().filter_map(class).collect();
        let [class] = classes.as_slice() else { return None };
        self.sizes.of(class, &member.name)
    }

    /// The signature of a function of the unit, and what its author says of it.
    fn function(&self, qualified: &str) -> String {
        match self.unit.functions.get(qualified) {
            Some(function) => self.signature(function),
            None => format!("`{}` is not compiled", self.class_name(qualified)),
        }
    }

    fn signature(&self, function: &Function) -> String {
        let signature = code("text", &schema_text::text(&function.name, &function.params, &function.returns));
        let own = self.names.definitions.iter().filter(|d| !d.is_class);
        let docstring = own.filter(|d| is_called(&function.name, &d.path)).find_map(|d| d.docstring.as_deref());
        match docstring {
            Some(text) => format!("{signature}\n\n{text}"),
            None => signature,
        }
    }

    /// What is said of a function or class where it is defined.
    fn definition(&self, number: usize) -> String {
        let definition = &self.names.definitions[number];
        if definition.is_class {
            let class = self.unit.classes.keys().find(|name| is_called(name, &definition.path));
            let docstring = definition.docstring.as_deref();
            return match class {
                Some(name) => self.class_text(name),
                None => [Some(code("python", &format!("class {}", definition.path))), docstring.map(str::to_owned)]
                    .into_iter()
                    .flatten()
                    .collect::<Vec<_>>()
                    .join("\n\n"),
            };
        }
        let compiled: Vec<String> = self
            .unit
            .functions
            .values()
            .filter(|f| is_called(&f.name, &definition.path))
            .map(|f| self.signature(f))
            .collect();
        compiled.join("\n\n")
    }

    /// A class with its attributes.
    fn class_text(&self, qualified: &str) -> String {
        let mut lines = vec![format!("class {}:", self.class_name(qualified))];
        let attributes = self.unit.classes.get(qualified).into_iter().flat_map(|c| c.attributes.iter());
        let attributes: Vec<String> =
            attributes.map(|a| format!("    {}: {}", a.name, self.type_text(&a.ty))).take(MAX_ATTRIBUTES + 1).collect();
        lines.extend(attributes.iter().take(MAX_ATTRIBUTES).cloned());
        if attributes.len() > MAX_ATTRIBUTES {
            lines.push("    ...".to_owned());
        }
        let docstring = self.class(qualified).and_then(|number| self.names.definitions[number].docstring.clone());
        let shown = code("python", &lines.join("\n"));
        docstring.map_or(shown.clone(), |text| format!("{shown}\n\n{text}"))
    }
}

/// Attributes of a class that are shown.
const MAX_ATTRIBUTES: usize = 20;

/// Is a qualified name (`__torch__.m.M.forward`, also mangled) that of a definition of the file (`M.forward`)? The library's are not.
pub(super) fn is_called(qualified: &str, path: &str) -> bool {
    let Some(rest) = qualified.strip_prefix("__torch__.").filter(|rest| !rest.starts_with("torch.")) else {
        return false;
    };
    rest == path || rest.strip_suffix(path).is_some_and(|module| module.ends_with('.'))
}
