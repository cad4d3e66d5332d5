//! The names that may follow a dot: operators and modules of PyTorch, members of a value by its type.

use super::Known;
use crate::analysis::{Candidate, Candidates, Kind};
use crate::operators;
use sconce_schema::{Type, table};
use sconce_script::emit::Meaning;
use sconce_script::torch_names;
use sconce_source::{SourceText, Span};

/// What fits behind the last dot before the cursor.
pub(super) fn candidates(source: &SourceText, known: Option<&Known>, offset: u32) -> Candidates {
    let before = source.text().get(..offset as usize).unwrap_or_default();
    let is_path = |c: char| c.is_alphanumeric() || matches!(c, '_' | '.');
    let path = &before[before.trim_end_matches(is_path).len()..];
    let Some((object, written)) = path.rsplit_once('.') else { return Candidates::default() };
    let start = offset - Span::new(0, written.len()).end;
    let module = module_of(known, object);
    if let Some(space) = module.strip_prefix("torch.ops.") {
        return Candidates::new(start, written, of_namespace(space));
    }
    let members = of_module(&module);
    if !members.is_empty() {
        return Candidates::new(start, written, members);
    }
    let Some(known) = known else { return Candidates::default() };
    let ty = known.type_of(object, offset);
    Candidates::new(start, written, ty.map(|ty| known.members(&ty)).unwrap_or_default())
}

/// The module that a dotted name begins with by an import of the file; `torch` is known anyway.
fn module_of(known: Option<&Known>, object: &str) -> String {
    let (first, rest) = object.split_once('.').map_or((object, None), |(first, rest)| (first, Some(rest)));
    let meant = known.and_then(|k| k.names.imports.get(first)).map_or(first, String::as_str);
    rest.map_or_else(|| meant.to_owned(), |rest| format!("{meant}.{rest}"))
}

fn of_namespace(space: &str) -> Vec<Candidate> {
    let prefix = format!("{space}::");
    let named = operators::names().filter_map(|c| {
        let operator = c.operator?;
        let name = operator.strip_prefix(&prefix)?.to_owned();
        Some(operators::candidate(&name, &operator))
    });
    named.collect()
}

/// Operators and modules in a module of PyTorch, and what the prelude defines there.
fn of_module(module: &str) -> Vec<Candidate> {
    let plain = |name: &str| Candidate { name: name.to_owned(), detail: None, operator: None, kind: Kind::Member };
    let known = torch_names::members(module).into_iter().map(|name| match torch_names::operator(module, name) {
        Some(operator) if !sconce_schema::overloads(&operator).is_empty() => operators::candidate(name, &operator),
        _ => plain(name),
    });
    let defined = sconce_prelude::pieces().flat_map(|piece| piece.defined.iter());
    let is_here = |name: &&String| {
        !name.starts_with('_')
            && module.starts_with("torch")
            && sconce_prelude::definition(&format!("{module}.{name}")).is_some()
    };
    let defined = defined.filter(is_here).map(|name| plain(name));
    // The prelude says more of a function than the operator of its name.
    defined.chain(known).collect()
}

impl Known {
    /// The type of an expression that stands nearest to a place, as it was when the text could be read last.
    fn type_of(&self, object: &str, offset: u32) -> Option<Type> {
        let quoted = |start: u32, end: u32| self.source.text().get(start as usize..end as usize);
        let ranges = self.meanings.as_ref()?.ranges().filter(|(r, _)| quoted(r.start, r.end) == Some(object));
        let typed = ranges.filter_map(|(r, meanings)| {
            let ty = meanings.iter().find_map(|m| if let Meaning::Value(ty) = m { Some(ty.clone()) } else { None })?;
            Some((r.start.abs_diff(offset), ty))
        });
        typed.min_by_key(|(distance, _)| *distance).map(|(_, ty)| ty)
    }

    /// Members of the values of a type.
    fn members(&self, ty: &Type) -> Vec<Candidate> {
        let member = |name: &str, detail: Option<String>| Candidate {
            name: name.to_owned(),
            detail,
            operator: None,
            kind: Kind::Member,
        };
        match ty {
            Type::Class(name) => {
                let class = self.unit.classes.get(name);
                let attributes = class.into_iter().flat_map(|c| c.attributes.iter());
                let attributes = attributes.map(|a| member(&a.name, Some(a.ty.annotation_str())));
                let methods = class.into_iter().flat_map(|c| c.methods.iter()).map(|m| member(m, None));
                attributes.chain(methods).collect()
            }
            Type::NamedTuple(ty) => ty.fields.iter().map(|(n, t)| member(n, Some(t.annotation_str()))).collect(),
            ty if ty.is_tensor() => {
                let methods = table().iter().filter(|e| is_method(e.schema_text));
                let named = methods
                    .filter_map(|e| Some(operators::candidate(e.base_name().strip_prefix("aten::")?, e.base_name())));
                named.filter(|c| !c.name.starts_with('_')).collect()
            }
            _ => Vec::new(),
        }
    }
}

/// Is an operator with this schema a method of tensors: is its first argument one that is called `self`?
fn is_method(schema: &str) -> bool {
    let first = schema.split_once('(').map_or("", |(_, rest)| rest);
    first.starts_with("Tensor")
        && first.split([',']).next().is_some_and(|a| a.split(") ->").next().is_some_and(|a| a.ends_with(" self")))
}
