//! A head is read row by row, and gives the module only if each attribute has its row and each tensor is what its row says.

use super::{MAX_DEPTH, MEMBERS, NONE, ROOT, SCHEMA, TENSORS, entry, occupied};
use crate::error::{Error, Failure};
use sconce_graph::head::MARK;
use sconce_graph::listing::read_value;
use sconce_graph::schema_text;
use sconce_graph::unit::{Attribute, AttributeKind, Class, ClassKind, Param, Unit};
use sconce_schema::Type;
use sconce_schema::types::{Dim, TensorType};
use sconce_syntax::graph_text::{read_attribute_value, read_type};
use sconce_tensor::{IValue, Object, Tensor};
use std::collections::HashMap;
use std::sync::Arc;

/// The head of a text.
pub(crate) struct Head<'t> {
    file: &'t str,
    /// The file beside, where there is one.
    pub beside: Option<&'t str>,
    rows: Vec<Row<'t>>,
    /// Schemas of functions, by name.
    schemas: Vec<(&'t str, Vec<Param>, Type)>,
}

#[derive(Clone)]
struct Row<'t> {
    /// Of the text, from 1.
    line: usize,
    name: &'t str,
    kind: AttributeKind,
    said: Said<'t>,
}

#[derive(Clone)]
enum Said<'t> {
    /// The value of another row.
    Is(&'t str),
    Object(Arc<str>),
    /// A list, and how many rows of members it has.
    List(Type, usize),
    Value(Type, &'t str),
}

/// What the rows say.
#[derive(Default)]
pub(crate) struct State {
    pub root: Option<IValue>,
    /// Rows that are no attribute, in order.
    pub constants: Vec<(Arc<str>, IValue)>,
}

impl<'t> Head<'t> {
    /// The head of a text whose comments begin so, and the text with blank lines in its place; none if there is no head.
    ///
    /// # Errors
    /// A row that is none; the name of a file elsewhere.
    pub fn read(file: &'t str, text: &'t str, comment: &str) -> Result<Option<(Head<'t>, String)>, Error> {
        let inner = |line: &'t str| Some(line.strip_prefix(comment)?.strip_prefix(' ')?.trim_end());
        let mut lines = text.lines().map_while(inner);
        let Some(first) = lines.next().and_then(|line| line.strip_prefix(MARK)) else { return Ok(None) };
        let mut head = Head { file, beside: None, rows: Vec::new(), schemas: Vec::new() };
        if let Some(beside) = first.strip_prefix(TENSORS) {
            if beside.is_empty() || beside.starts_with('.') || beside.contains(['/', '\\', ':']) {
                return Err(head.wrong(1, format!("`{beside}` is no name of a file in the same folder")));
            }
            head.beside = Some(beside);
        } else if first != NONE {
            return Err(head.wrong(1, format!("expected `{TENSORS}` and a file, or `{NONE}`, found `{first}`")));
        }
        for (line, text) in (2..).zip(lines.by_ref().take_while(|line| !line.starts_with("== "))) {
            if let Some(said) = text.strip_prefix(SCHEMA) {
                let read = said.split_once(" : ").and_then(|(name, text)| Some((name, schema_text::read(text)?)));
                let (name, (params, returns)) =
                    read.ok_or_else(|| head.wrong(line, format!("`{said}` is no schema")))?;
                head.schemas.push((name, params, returns));
                continue;
            }
            let row = head.row(line, text)?;
            head.rows.push(row);
        }
        let skipped = head.rows.len() + head.schemas.len() + 1;
        let rest = text.split_inclusive('\n').skip(skipped);
        Ok(Some((head, "\n".repeat(skipped) + &rest.collect::<String>())))
    }

    fn wrong(&self, line: usize, what: impl std::fmt::Display) -> Error {
        Failure::Text(format!("{}:{line}: {what}", self.file)).into()
    }

    fn row(&self, line: usize, text: &'t str) -> Result<Row<'t>, Error> {
        let kinds = [AttributeKind::Parameter, AttributeKind::Buffer];
        let kind = kinds.into_iter().find(|kind| text.starts_with(super::word(*kind)));
        let kind = kind.unwrap_or(AttributeKind::Plain);
        let text = &text[super::word(kind).len()..];
        let expected = || self.wrong(line, format!("expected `NAME : TYPE = VALUE` or `NAME is NAME`, found `{text}`"));
        let (name, said) = text.split_once(' ').ok_or_else(expected)?;
        if let Some(of) = said.strip_prefix("is ") {
            return Ok(Row { line, name, kind, said: Said::Is(of) });
        }
        let said = said.strip_prefix(": ").ok_or_else(expected)?;
        let (ty, value) = said.split_once(" = ").map_or((said, None), |(ty, value)| (ty, Some(value)));
        let members = ty.strip_suffix(MEMBERS).filter(|_| value.is_none()).and_then(|said| said.rsplit_once(", "));
        let (ty, members) = members.map_or((ty, None), |(ty, count)| (ty, count.parse().ok()));
        let ty = read_type(ty).map_err(|_| self.wrong(line, format!("`{ty}` is no type")))?;
        let said = match (ty, value, members) {
            (ty, Some(value), _) => Said::Value(ty, value),
            (Type::List(element), None, Some(members)) => Said::List((*element).clone(), members),
            (Type::Class(class), None, None) => Said::Object(class),
            _ => return Err(expected()),
        };
        Ok(Row { line, name, kind, said })
    }

    /// Makes the classes that rows name and the unit lacks, as modules: graph text has functions alone.
    pub fn add_classes(&self, unit: &mut Unit) {
        for (name, class) in self.objects() {
            if unit.classes.contains_key(class) {
                continue;
            }
            let mut made = Class::new(class.clone(), ClassKind::Module);
            for row in &self.rows {
                let attribute = row.name.strip_prefix(name).and_then(|rest| rest.strip_prefix('.'));
                let Some(attribute) = attribute.filter(|a| !a.contains('.')) else { continue };
                let said =
                    if let Said::Is(of) = row.said { self.rows.iter().find(|r| r.name == of) } else { Some(row) };
                let ty = match said.map(|row| &row.said) {
                    Some(Said::Value(ty, _)) => ty.clone(),
                    Some(Said::Object(class)) => Type::Class(class.clone()),
                    Some(Said::List(element, _)) => Type::list(element.clone()),
                    _ => continue,
                };
                made.attributes.push(Attribute { name: attribute.into(), ty, kind: row.kind });
            }
            let prefix = format!("{class}.");
            let methods = unit.functions.keys().filter_map(|f| f.strip_prefix(prefix.as_str()));
            made.methods = methods.filter(|m| !m.contains('.')).map(Arc::from).collect();
            unit.classes.insert(class.clone(), made);
        }
    }

    /// Gives functions the parameters that their schemas say.
    ///
    /// # Errors
    /// No such function, or one of other parameters.
    pub fn add_schemas(&self, unit: &mut Unit) -> Result<(), Error> {
        for (name, params, returns) in &self.schemas {
            let f = unit.functions.get_mut(*name);
            let types = |params: &[Param]| params.iter().map(|p| p.ty.clone()).collect::<Vec<_>>();
            let f = f.filter(|f| types(&f.params) == types(params));
            let f = f.ok_or_else(|| self.wrong(1, format!("no function of the text has the schema of `{name}`")))?;
            (f.params, f.returns) = (params.clone(), returns.clone());
        }
        Ok(())
    }

    fn objects(&self) -> impl Iterator<Item = (&'t str, &Arc<str>)> {
        self.rows.iter().filter_map(|row| match &row.said {
            Said::Object(class) => Some((row.name, class)),
            _ => None,
        })
    }

    /// What the rows say, of classes of the unit and of the tensors of the file beside.
    ///
    /// # Errors
    /// A class or an attribute that there is none of, an attribute without a row; a tensor that is missing, too many, or not what its row says.
    pub fn state(&self, unit: &Unit, tensors: &[(String, Tensor)]) -> Result<State, Error> {
        let entries: HashMap<&str, &Tensor> = tensors.iter().map(|(name, t)| (name.as_str(), t)).collect();
        let mut state = State::default();
        let mut known: HashMap<&str, IValue> = HashMap::new();
        let mut used = 0;
        for row in &self.rows {
            let value =
                match &row.said {
                    Said::Is(of) => {
                        let other = known.get(of).cloned();
                        other.ok_or_else(|| self.wrong(row.line, format!("no row before this one is `{of}`")))?
                    }
                    Said::Object(class) => IValue::Object(self.object(unit, row, class)?),
                    Said::List(element, _) => IValue::list(element.clone(), Vec::new()),
                    Said::Value(ty, said) => match read_type(said) {
                        Ok(Type::Tensor(wanted)) if wanted.dtype.is_some() => {
                            used += 1;
                            let held = entries.get(entry(row.name));
                            let held = held.ok_or_else(|| {
                                let beside = self.beside.unwrap_or("no file");
                                self.wrong(row.line, format!("{beside} has no tensor `{}`", entry(row.name)))
                            })?;
                            IValue::Tensor(tensor(held, &wanted).map_err(|what| {
                                self.wrong(row.line, format!("the tensor `{}` {what}", entry(row.name)))
                            })?)
                        }
                        _ => {
                            let literal = read_attribute_value(said).ok();
                            let value = literal.and_then(|literal| read_value(&literal, ty));
                            value.ok_or_else(|| self.wrong(row.line, format!("`{said}` is no {ty}")))?
                        }
                    },
                };
            if known.insert(row.name, value.clone()).is_some() {
                return Err(self.wrong(row.line, format!("`{}` has two rows", row.name)));
            }
            match row.name.rsplit_once('.').filter(|_| is_attribute(row.name)) {
                Some((owner, attribute)) => self.put(&known, row, owner, attribute, value)?,
                None if row.name == ROOT => state.root = Some(value),
                None => state.constants.push((row.name.into(), value)),
            }
        }
        if used != tensors.len() {
            let named = |name: &str| self.rows.iter().any(|row| entry(row.name) == name);
            let spare = tensors.iter().find(|(name, _)| !named(name)).map_or("one", |(name, _)| name);
            return Err(self.wrong(1, format!("the file beside has a tensor `{spare}` that no row names")));
        }
        self.complete(unit, &known)?;
        Ok(state)
    }

    /// The values of the rows that are no attribute, in order.
    ///
    /// # Errors
    /// As for [`Head::state`].
    pub fn constants(&self, tensors: &[(String, Tensor)]) -> Result<Vec<IValue>, Error> {
        let rows = || self.rows.iter().filter(|row| !is_attribute(row.name));
        let used: Vec<(String, Tensor)> =
            tensors.iter().filter(|(name, _)| rows().any(|row| row.name == name)).cloned().collect();
        let alone = Head { file: self.file, beside: self.beside, rows: rows().cloned().collect(), schemas: Vec::new() };
        let state = alone.state(&Unit::default(), &used)?;
        Ok(state.constants.into_iter().map(|(_, value)| value).collect())
    }

    fn object(&self, unit: &Unit, row: &Row<'_>, class: &Arc<str>) -> Result<Arc<Object>, Error> {
        let known = unit.classes.get(class).filter(|_| row.name.split('.').count() <= MAX_DEPTH);
        let class = known.ok_or_else(|| self.wrong(row.line, format!("the text has no class {class}")))?;
        Ok(Object::new(class.name.clone(), class.attributes.iter().map(|a| a.name.clone()).collect()))
    }

    fn put(
        &self,
        known: &HashMap<&str, IValue>,
        row: &Row<'_>,
        owner: &str,
        attribute: &str,
        value: IValue,
    ) -> Result<(), Error> {
        let object = match known.get(owner) {
            Some(IValue::Object(object)) => object,
            Some(IValue::List(list)) if attribute.parse() == Ok(list.len()) => {
                list.write().push(value);
                return Ok(());
            }
            _ => {
                return Err(self
                    .wrong(row.line, format!("no row before this one is a `{owner}` that has a part `{attribute}`")));
            }
        };
        match object.slot_of(attribute) {
            Some(slot) => _ = object.set(slot, value),
            None => return Err(self.wrong(row.line, format!("{} has no attribute `{attribute}`", object.class))),
        }
        Ok(())
    }

    /// Has each attribute of each object its row?
    fn complete(&self, unit: &Unit, known: &HashMap<&str, IValue>) -> Result<(), Error> {
        for row in &self.rows {
            if let (Said::List(_, members), Some(IValue::List(list))) = (&row.said, known.get(row.name))
                && *members != list.len()
            {
                return Err(self.wrong(row.line, format!("{members} members are said, and {} have rows", list.len())));
            }
            let (Said::Object(class), Some(IValue::Object(_))) = (&row.said, known.get(row.name)) else { continue };
            let attributes = unit.classes.get(class).map(|c| &*c.attributes).unwrap_or_default();
            let absent = attributes.iter().find(|a| !known.contains_key(format!("{}.{}", row.name, a.name).as_str()));
            if let Some(attribute) = absent {
                return Err(self.wrong(row.line, format!("`{}.{}` has no row", row.name, attribute.name)));
            }
        }
        Ok(())
    }
}

/// Is a row's name that of the module, or of something in it?
fn is_attribute(name: &str) -> bool {
    name.strip_prefix(ROOT).is_some_and(|rest| rest.is_empty() || rest.starts_with('.'))
}

/// A tensor as its row says it is, with the elements of an array.
fn tensor(held: &Tensor, wanted: &TensorType) -> Result<Tensor, String> {
    let known = |dims: &Option<Vec<Dim>>| -> Option<Vec<i64>> {
        dims.as_ref()?.iter().map(|d| if let Dim::Known(n) = d { Some(*n) } else { None }).collect()
    };
    let (Some(dtype), Some(sizes)) = (wanted.dtype, known(&wanted.sizes)) else {
        return Err("has neither dtype nor sizes in its row".to_owned());
    };
    if held.dtype() != dtype || held.sizes() != sizes {
        let have = held.observed_type();
        let have = TensorType { dtype: have.dtype, sizes: have.sizes, ..TensorType::default() };
        return Err(format!(
            "is {}, and its row says {}",
            Type::Tensor(have.into()),
            Type::Tensor(wanted.clone().into())
        ));
    }
    let made = match known(&wanted.strides) {
        Some(strides) if strides != held.strides() => {
            let count = occupied(&sizes, &strides).ok_or("has strides by which elements share memory")?;
            let flat = Tensor::zeros(&[count], dtype).map_err(|e| format!("has no room: {e}"))?;
            let strided = flat.as_strided(&sizes, &strides, 0).map_err(|e| format!("has wrong strides: {e}"))?;
            strided.copy_bytes_from(held).map_err(|e| format!("has no room: {e}"))?;
            strided
        }
        _ => held.clone(),
    };
    made.set_requires_grad(wanted.requires_grad == Some(true));
    Ok(made)
}
