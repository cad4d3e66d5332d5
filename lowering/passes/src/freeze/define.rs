//! The frozen class: copies of the methods that stay, under a name of its own, and an object of it in the place of the old one.

use super::objects::Objects;
use crate::graph::{inputs, nodes, root_block, set_arguments};
use rustc_hash::FxHashSet;
use sconce_import::function_schema;
use sconce_ir::prelude::*;
use sconce_pass::{Failure, PassResult};
use sconce_schema::Type as ScriptType;

/// A class that is being frozen.
pub(super) struct Frozen<'c, 'a> {
    class: OperationRef<'c, 'a>,
    name: String,
    /// Name and function, in the class's order.
    methods: Vec<(&'c str, OperationRef<'c, 'a>)>,
}

/// The methods of a class: name and function.
pub(super) fn methods<'c: 'a, 'a>(symbols: &SymbolTable<'c, 'a>, class: &str) -> Vec<(&'c str, OperationRef<'c, 'a>)> {
    let members = symbols.get(class).and_then(|class| class.body(0)).map(BlockExt::ops).unwrap_or_default();
    let method = |member: OperationRef<'c, 'a>| {
        let path = member.attr("function").and_then(attr::symbol_value)?;
        Some((member.str_attr("name")?, symbols.get(path.first()?)?))
    };
    members.into_iter().filter(|member| member.is("torch.method")).filter_map(method).collect()
}

impl<'c: 'a, 'a> Frozen<'c, 'a> {
    /// Copies `forward` and the methods among `preserved`.
    pub fn begin(module: OperationRef<'c, 'a>, objects: &Objects<'c, 'a>, preserved: &[&str]) -> Result<Self, Failure> {
        let symbols = SymbolTable::of(module);
        let old = objects.class(objects.root());
        let class = symbols.get(old).filter(|class| class.is("torch.class_type"));
        let class = class.ok_or_else(|| Failure::new(format!("there is no class {old}")))?;
        let name = mangled(&symbols, old);
        let mut kept = Vec::new();
        for (method, function) in methods(&symbols, old) {
            if method == "forward" || preserved.contains(&method) {
                let copy = Builder::after(kept.last().map_or(function, |(_, last)| *last));
                let copy = copy.insert(function.clone_with(&[]));
                rename(copy, &name, method)?;
                kept.push((method, copy));
            }
        }
        Ok(Frozen { class, name, methods: kept })
    }

    pub fn functions(&self) -> impl Iterator<Item = OperationRef<'c, 'a>> {
        self.methods.iter().map(|(_, function)| *function)
    }

    /// Puts the class, with the attributes that are preserved or still read, and its object.
    pub fn finish(self, objects: &Objects<'c, 'a>, preserved: &[&str]) -> PassResult {
        let mut stay: FxHashSet<&str> = preserved.iter().copied().collect();
        stay.extend(self.functions().flat_map(own_attributes));
        self.class(&stay)?;
        self.object(objects, &stay)?;
        // What only the old object held.
        let mut unused = vec![objects.operation(objects.root())];
        while let Some(op) = unused.pop() {
            let held: Vec<Value<'c, 'a>> = match op.body(0) {
                Some(slots) => slots.ops().into_iter().flat_map(OpExt::operand_values).collect(),
                None => op.operand_values(),
            };
            op.erase()?;
            let mut held: Vec<_> =
                held.into_iter().filter(|v| v.is_unused()).filter_map(ValueExt::defining_op).collect();
            held.sort_by_key(|op| sconce_analysis::alias::id(*op));
            held.dedup_by_key(|op| sconce_analysis::alias::id(*op));
            unused.extend(held);
        }
        Ok(())
    }

    fn class(&self, stay: &FxHashSet<&str>) -> PassResult {
        let (context, unknown) = (self.class.context_ref(), self.class.location());
        let place = Builder::after(self.class);
        let mut op = place.op("torch.class_type", unknown).attr("sym_name", attr::string(context, &self.name));
        if let Some(kind) = self.class.attr("torch.class_kind") {
            op = op.attr("torch.class_kind", kind);
        }
        let Some(body) = op.block_region(&[]).build()?.body(0) else { return Ok(()) };
        let at = Builder::at_end(context, body);
        for member in self.class.body(0).map(BlockExt::ops).unwrap_or_default() {
            let stays = member.str_attr("name").is_some_and(|name| stay.contains(name));
            if stays && member.is("torch.attr") && member.attr("torch.constant").is_none() {
                at.insert(member.clone_with(&[]));
            }
        }
        for (method, function) in &self.methods {
            let symbol = attr::symbol(context, function.symbol_name().unwrap_or_default());
            at.op("torch.method", unknown)
                .attr("name", attr::string(context, method))
                .attr("function", symbol)
                .build()?;
        }
        at.op("torch.class_type_terminator", unknown).build()?;
        Ok(())
    }

    fn object(&self, objects: &Objects<'c, 'a>, stay: &FxHashSet<&str>) -> PassResult {
        let old = objects.operation(objects.root());
        let (context, unknown) = (old.context_ref(), old.location());
        let ty = self_type(context, &self.name)?;
        let op = Builder::after(old).op("torch.nn_module", unknown).results(&[ty]).block_region(&[]).build()?;
        let Some(body) = op.body(0) else { return Ok(()) };
        let at = Builder::at_end(context, body);
        let members = self.class.body(0).map(BlockExt::ops).unwrap_or_default();
        let is_constant =
            |name: &str| members.iter().any(|m| m.str_attr("name") == Some(name) && m.attr("torch.constant").is_some());
        for slot in old.body(0).map(BlockExt::ops).unwrap_or_default() {
            if slot.str_attr("name").is_some_and(|name| stay.contains(name) && !is_constant(name)) {
                at.insert(slot.clone_with(&[]));
            }
        }
        at.op("torch.nn_module_terminator", unknown).build()?;
        Ok(())
    }
}

fn self_type<'c>(context: &'c Context, class: &str) -> Result<Type<'c>, Failure> {
    let ty = sconce_torch::types::to_mlir(context, &ScriptType::Class(class.into()));
    ty.ok_or_else(|| Failure::new(format!("{class} is no name of a class")))
}

/// A free name: `__torch__.m.___torch_mangle_0.M`.
fn mangled(symbols: &SymbolTable<'_, '_>, class: &str) -> String {
    let (path, last) = class.rsplit_once('.').unwrap_or(("", class));
    let path = match path.rsplit_once('.') {
        Some((outer, inner)) if inner.starts_with("___torch_mangle_") => outer,
        _ => path,
    };
    let name = |n: usize| format!("{path}{}___torch_mangle_{n}.{last}", if path.is_empty() { "" } else { "." });
    (0..).map(name).find(|name| symbols.get(name).is_none()).unwrap_or_default()
}

/// A copy of a method becomes a method of the new class.
fn rename<'c: 'a, 'a>(function: OperationRef<'c, 'a>, class: &str, method: &str) -> PassResult {
    let context = function.context_ref();
    let symbol = format!("{class}.{method}");
    function.set_attr("sym_name", attr::string(context, &symbol));
    let arguments = root_block(function).map(BlockExt::args).unwrap_or_default();
    if let Some(this) = arguments.first() {
        this.set_value_type(self_type(context, class)?);
    }
    set_arguments(function, &vec![true; arguments.len()]);
    function_schema::change(function, |schema| {
        schema.arguments[0].ty = ScriptType::Class(class.into());
        (schema.name, schema.overload) = (symbol.as_str().into(), "".into());
    });
    Ok(())
}

/// Attributes of `self` that a method still reads or sets.
fn own_attributes<'c: 'a, 'a>(function: OperationRef<'c, 'a>) -> Vec<&'c str> {
    let Some(this) = root_block(function).and_then(|block| block.args().first().copied()) else { return Vec::new() };
    let own = |op: &OperationRef<'c, 'a>| {
        (op.is("torch.prim.GetAttr") || op.is("torch.prim.SetAttr")) && inputs(*op).first() == Some(&this)
    };
    nodes(function).into_iter().filter(own).filter_map(|op| op.str_attr("name")).collect()
}
