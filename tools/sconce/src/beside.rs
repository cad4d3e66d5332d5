//! What a text of a program has no word for stands at its head, row by row: what its module holds, and the tensors among its constants, whose elements lie in a
//! file of arrays beside the text.
//!
//! ```text
//! # Sconce 1, tensors in net.txt.safetensors
//! # self : __torch__.Net
//! # self.training : bool = 0
//! # self.fc : __torch__.Linear
//! # parameter self.fc.weight : Tensor = Float(2, 4, strides=[4, 1], requires_grad=1, device=cpu)
//! # self.same is self.fc.weight
//! # self.all : Tensor[], 1 members
//! # self.all.0 is self.fc.weight
//! # constant_0 : Tensor = Float(2, strides=[1], requires_grad=0, device=cpu)
//! # schema __torch__.Net.forward : forward(__torch__.Net self, Tensor x, int n=1) -> Tensor
//! ```
//!
//! A row of a tensor says what it is; its elements are the file's entry of that name, without `self.`.

mod read;

pub(crate) use read::Head;

use sconce_graph::head::{MARK, has_head};
use sconce_graph::listing::{read_value, value_text};
use sconce_graph::schema_text;
use sconce_graph::unit::{Attribute, AttributeKind, Class, Function, Param, Unit};
use sconce_schema::Type;
use sconce_syntax::graph_text::{read_attribute_value, read_type};
use sconce_tensor::{IValue, Object, Tensor};
use std::collections::HashMap;
use std::sync::Arc;

/// What the first line says of the file beside.
const TENSORS: &str = "tensors in ";
/// The same where there are none.
const NONE: &str = "no tensors";
/// What the module is called, and its attributes begin with.
const ROOT: &str = "self";
/// What the row of a function begins with.
const SCHEMA: &str = "schema ";
/// What a row of a list ends with that no literal says: its members have rows of their own.
const MEMBERS: &str = " members";
/// Objects within objects.
const MAX_DEPTH: usize = 200;

/// Does a file begin with a head, whose comments are those of Python?
pub(crate) fn is_headed(path: &std::path::Path) -> bool {
    use std::io::Read;
    let mut first = Vec::new();
    let read = std::fs::File::open(path).and_then(|file| file.take(MARK.len() as u64 + 2).read_to_end(&mut first));
    read.is_ok() && std::str::from_utf8(&first).is_ok_and(|first| has_head(first, "#"))
}

fn word(kind: AttributeKind) -> &'static str {
    match kind {
        AttributeKind::Parameter => "parameter ",
        AttributeKind::Buffer => "buffer ",
        AttributeKind::Plain => "",
    }
}

/// The name of a tensor's entry in the file, of the name of its row.
fn entry(row: &str) -> &str {
    row.strip_prefix(ROOT).and_then(|rest| rest.strip_prefix('.')).unwrap_or(row)
}

/// The literal of a value, where it says all of it.
fn literal(value: &IValue, ty: &Type) -> Option<String> {
    fn is_plain(value: &IValue) -> bool {
        match value {
            IValue::None | IValue::Bool(_) | IValue::Int(_) | IValue::Double(_) | IValue::Complex(_) => true,
            IValue::Str(_) | IValue::Device(_) => true,
            IValue::List(l) => l.read().iter().all(is_plain),
            IValue::Tuple(t) => t.items.iter().all(is_plain),
            IValue::Dict(d) => d.read().iter().all(|(k, v)| is_plain(&k.to_value()) && is_plain(v)),
            _ => false,
        }
    }
    let text = is_plain(value).then(|| value_text(value).to_string()).filter(|text| !text.contains('\n'))?;
    let back = read_value(&read_attribute_value(&text).ok()?, ty)?;
    (value_text(&back).to_string() == text && back.kind() == value.kind()).then_some(text)
}

/// A head while it is written.
pub(crate) struct Writing<'u> {
    unit: &'u Unit,
    /// What begins a comment of the text.
    comment: &'static str,
    rows: String,
    tensors: Vec<(String, Tensor)>,
    /// Containers and objects by address, tensors by their storages: with the names of their rows. They are held, so that no address is used twice.
    known: HashMap<usize, Vec<(IValue, String)>>,
}

impl<'u> Writing<'u> {
    pub fn new(unit: &'u Unit, comment: &'static str) -> Writing<'u> {
        Writing { unit, comment, rows: String::new(), tensors: Vec::new(), known: HashMap::new() }
    }

    fn row(&mut self, text: &str) {
        self.rows.push_str(self.comment);
        self.rows.push(' ');
        self.rows.push_str(text);
        self.rows.push('\n');
    }

    /// The rows of a module.
    ///
    /// # Errors
    /// What no row can say, by its name.
    pub fn module(&mut self, root: &Arc<Object>) -> Result<(), String> {
        self.object(ROOT, root, 0)
    }

    fn object(&mut self, name: &str, object: &Arc<Object>, depth: usize) -> Result<(), String> {
        let class = self.unit.classes.get(&object.class).filter(|_| depth < MAX_DEPTH);
        let class: &'u Class = class.ok_or_else(|| format!("`{name}`, an object of {}", object.class))?;
        self.row(&format!("{name} : {}", object.class));
        for attribute in &class.attributes {
            let name = format!("{name}.{}", attribute.name);
            // Blanks and dots end names.
            if attribute.name.contains(|c: char| c.is_whitespace() || c == '.' || c.is_control()) {
                return Err(format!("`{name}`, which is no name of a row"));
            }
            let value = object.slot_of(&attribute.name).and_then(|slot| object.get(slot)).unwrap_or_default();
            self.value(&name, attribute, &value, depth)?;
        }
        Ok(())
    }

    /// A row of what is no attribute.
    ///
    /// # Errors
    /// As for [`Writing::module`].
    pub fn constant(&mut self, name: &str, value: &IValue) -> Result<(), String> {
        let ty = sconce_graph::value_type::of_value(value);
        self.value(name, &Attribute { name: name.into(), ty, kind: AttributeKind::Plain }, value, 0)
    }

    fn value(&mut self, name: &str, declared: &Attribute, value: &IValue, depth: usize) -> Result<(), String> {
        if let Some(other) = self.same(name, value)? {
            self.row(&format!("{name} is {other}"));
            return Ok(());
        }
        if let IValue::Object(object) = value {
            return self.object(name, object, depth + 1);
        }
        let ty = declared.ty.to_string();
        if ty.contains(" = ") || read_type(&ty).ok().as_ref() != Some(&declared.ty) {
            return Err(format!("`{name}` of type {ty}"));
        }
        if let (IValue::List(list), Type::List(element), None) = (value, &declared.ty, literal(value, &declared.ty)) {
            if depth >= MAX_DEPTH {
                return Err(format!("`{name}`, which nests deeper than {MAX_DEPTH}"));
            }
            let members = list.to_vec();
            self.row(&format!("{name} : {ty}, {}{MEMBERS}", members.len()));
            for (at, member) in members.iter().enumerate() {
                let each =
                    Attribute { name: at.to_string().into(), ty: (**element).clone(), kind: AttributeKind::Plain };
                self.value(&format!("{name}.{at}"), &each, member, depth + 1)?;
            }
            return Ok(());
        }
        let said = match value {
            IValue::Tensor(t) => {
                let is_dense = t.quantizer().is_none() && occupied(t.sizes(), t.strides()).is_some();
                if !is_dense {
                    return Err(format!("`{name}`, a tensor whose elements are quantized or share memory"));
                }
                self.tensors.push((entry(name).to_owned(), t.clone()));
                Type::Tensor(Arc::new(t.observed_type())).to_string()
            }
            value => literal(value, &declared.ty)
                .ok_or_else(|| format!("`{name}`, a value of type {ty} that no literal says"))?,
        };
        self.row(&format!("{}{name} : {ty} = {said}", word(declared.kind)));
        Ok(())
    }

    /// The row of a function's schema, where that says more than its graph: defaults, what goes by its name only, what stands for a list.
    pub fn schema(&mut self, f: &Function) {
        let says_more = |p: &Param| p.default.is_some() || p.keyword_only || p.list_size.is_some();
        if f.params.iter().any(says_more) {
            self.row(&format!("{SCHEMA}{} : {}", f.name, schema_text::readable(&f.name, &f.params, &f.returns)));
        }
    }

    /// Is there nothing to say?
    pub fn is_empty(&self) -> bool {
        self.rows.is_empty()
    }

    /// The row that says a value already; what shares its memory and is another is refused.
    fn same(&mut self, name: &str, value: &IValue) -> Result<Option<String>, String> {
        let place = match value {
            IValue::Tensor(t) => t.storage().id(),
            IValue::List(l) => l.address() as usize,
            IValue::Dict(d) => d.address() as usize,
            IValue::Object(o) => Arc::as_ptr(o) as usize,
            _ => return Ok(None),
        };
        let known = self.known.entry(place).or_default();
        for (other, row) in known.iter() {
            match (other, value) {
                (IValue::Tensor(a), IValue::Tensor(b)) if a.is(b) => return Ok(Some(row.clone())),
                (IValue::Tensor(a), IValue::Tensor(b)) => {
                    let look = |t: &Tensor| (t.observed_type(), t.storage_offset());
                    if look(a) != look(b) {
                        return Err(format!("that `{name}` shares memory with `{row}`"));
                    }
                    return Ok(Some(row.clone()));
                }
                (a, b) if a.is(b) => return Ok(Some(row.clone())),
                _ => {}
            }
        }
        known.push((value.clone(), name.to_owned()));
        Ok(None)
    }

    /// The head, and the tensors that belong into a file of that name.
    pub fn finish(self, file: &str) -> (String, Vec<(String, Tensor)>) {
        let said = if self.tensors.is_empty() { NONE.to_owned() } else { format!("{TENSORS}{file}") };
        (format!("{} {MARK}{said}\n{}", self.comment, self.rows), self.tensors)
    }
}

/// How many elements lie between the first and the last of a tensor, both included; none where two may be one, or where that is no number.
fn occupied(sizes: &[i64], strides: &[i64]) -> Option<i64> {
    let mut steps: Vec<(i64, i64)> =
        sizes.iter().zip(strides).filter(|(size, _)| **size != 1).map(|(n, s)| (*s, *n)).collect();
    if sizes.len() != strides.len() || steps.iter().any(|(stride, size)| *stride < 0 || *size < 0) {
        return None;
    }
    if steps.iter().any(|(_, size)| *size == 0) {
        return Some(0);
    }
    steps.sort_unstable();
    steps.into_iter().try_fold(1i64, |length, (stride, size)| {
        // Each step is over all that the smaller ones reach.
        if stride < length { None } else { stride.checked_mul(size - 1)?.checked_add(length) }
    })
}
