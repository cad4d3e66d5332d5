//! `constant-attributes`: a tensor that a method reads of its object, and that nothing writes to, becomes a constant known by its name.
//!
//! The function says which may (`sconce.offered_constants`), by path from its first argument. Whoever runs the program binds the names `self.<path>` to the tensors, and finds
//! out when they change. A method that writes to what comes from outside has no such constants: one of its arguments may be the tensor.

use crate::graph::{each_function, erase_all, inputs, nodes, root_block};
use rustc_hash::{FxHashMap, FxHashSet};
use sconce_analysis::Aliases;
use sconce_analysis::alias::id;
use sconce_import::constants::named_constant;
use sconce_ir::prelude::*;
use sconce_pass::{Pass, PassResult, PassRun};
use sconce_schema::init::attribute_constant;
use sconce_torch::OFFERED;

/// Freezing of what is offered, without another class.
pub struct ConstantAttributes;

impl Pass for ConstantAttributes {
    const NAME: &'static str = "constant-attributes";
    const DESCRIPTION: &'static str =
        "Make constants, known by names, of the attributes that a function offers and nothing writes to";
    const ANCHOR: Option<&'static str> = None;
    const DIALECTS: &'static [&'static str] = &["torch"];

    fn run(root: OperationRef<'_, '_>, _: &PassRun<'_>) -> PassResult {
        each_function(root, take)
    }
}

/// A read of an attribute that is offered.
struct Read<'c, 'a> {
    op: OperationRef<'c, 'a>,
    path: String,
    storage: i64,
}

fn take<'c: 'a, 'a>(function: OperationRef<'c, 'a>) -> PassResult {
    let Some(offered) = function.attr(OFFERED).and_then(attr::dict_value) else { return Ok(()) };
    let offered: FxHashMap<&str, i64> =
        offered.into_iter().filter_map(|(path, number)| Some((path, attr::int_value(number)?))).collect();
    let reads = reads(function, &offered);
    let aliases = Aliases::with_own(function, reads.iter().map(|read| id(read.op)).collect());
    if nodes(function).into_iter().any(|op| aliases.writes_to_wildcard(op)) {
        return Ok(());
    }
    let is_written = |read: &&Read<'c, 'a>| read.op.result_value(0).is_none_or(|v| aliases.has_writers(v));
    let written: FxHashSet<i64> = reads.iter().filter(is_written).map(|read| read.storage).collect();
    let mut replaced = Vec::new();
    for read in reads.iter().filter(|read| !written.contains(&read.storage)) {
        let Some(result) = read.op.result_value(0) else { continue };
        let name = attribute_constant(&read.path);
        let op = named_constant(&Builder::before(read.op), read.op.location(), &name, result.r#type())?;
        if let Some(types) = read.op.attr("torch.types") {
            op.set_attr("torch.types", types);
        }
        if let Some(constant) = op.result_value(0) {
            result.replace_all_uses_with(constant);
        }
        replaced.push(read.op);
    }
    erase_all(&replaced)
}

/// Reads of what is offered, in order.
fn reads<'c: 'a, 'a>(function: OperationRef<'c, 'a>, offered: &FxHashMap<&str, i64>) -> Vec<Read<'c, 'a>> {
    let mut paths: FxHashMap<usize, String> = FxHashMap::default();
    if let Some(this) = root_block(function).and_then(|block| block.args().first().copied()) {
        paths.insert(this.id(), String::new());
    }
    let mut reads = Vec::new();
    for op in nodes(function).into_iter().filter(|op| op.is("torch.prim.GetAttr")) {
        let owner = inputs(op).first().and_then(|v| paths.get(&v.id()));
        let (Some(owner), Some(name), Some(result)) = (owner, op.str_attr("name"), op.result_value(0)) else {
            continue;
        };
        let path = if owner.is_empty() { name.to_owned() } else { format!("{owner}.{name}") };
        match offered.get(path.as_str()) {
            Some(storage) => reads.push(Read { op, path, storage: *storage }),
            None => _ = paths.insert(result.id(), path),
        }
    }
    reads
}
