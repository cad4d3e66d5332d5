//! The functions of `math` as what the runtime's kernels compute: of f32 the formulas' operations, so that loops around them vectorise; of f64 calls of the
//! very functions, where the code can call them.

use crate::emit::Emit;
use crate::{Error, formula};
use sconce_ir::{BlockRef, OpExt, OperationRef, Region, Type, ValueLike, attr};
use sconce_polynomials::wide;
use sconce_schema::scalar::{Binary, Unary};
use std::collections::BTreeMap;

/// A function of the vocabulary by its operation.
enum Function {
    Unary(Unary),
    Binary(Binary),
}

fn function(name: &str) -> Option<Function> {
    let name = name.strip_prefix("math.")?;
    let binary = Binary::from_name(if name == "powf" { "pow" } else { name }).map(Function::Binary);
    binary.or_else(|| Unary::from_name(name).map(Function::Unary))
}

/// Replaces the functions that have a formula, in f32, everywhere in `root`; with `calls`, those of f64 by calls.
pub fn expand<'c>(root: OperationRef<'c, 'c>, calls: bool) -> Result<(), Error> {
    let internal = |e: sconce_ir::Error| Error::Internal(e.to_string());
    let mut called = BTreeMap::new();
    for (op, function) in collect(root) {
        let operands = op.operand_values();
        let Some(ty) = operands.first().map(|v| v.r#type()) else { continue };
        let e = Emit::in_front_of(op)?;
        let value = if ty == e.f32_type() {
            match (function, &operands[..]) {
                (Function::Unary(f), [x]) => formula::unary(&e, f, *x)?,
                (Function::Binary(f), [x, y]) => formula::binary(&e, f, *x, *y)?,
                _ => None,
            }
        } else if calls && ty == Type::float64(e.context) {
            let name = match function {
                Function::Unary(f) => f.name(),
                Function::Binary(f) => f.name(),
            };
            let symbol = format!("{}{name}", wide::PREFIX);
            if wide::address(&symbol).is_none() {
                continue;
            }
            let value = e.one("func.call", &operands, ty, &[("callee", attr::symbol(e.context, &symbol))])?;
            called.insert(symbol, operands.len());
            Some(value)
        } else {
            None
        };
        if let Some(value) = value {
            op.replace_with(&[value]).map_err(internal)?;
        }
    }
    let Some(module) = root.body(0).filter(|_| !called.is_empty()) else { return Ok(()) };
    declare(root, module, &called)
}

/// Says the functions that are called and the number of their arguments.
fn declare<'c>(
    root: OperationRef<'c, 'c>,
    module: BlockRef<'c, 'c>,
    called: &BTreeMap<String, usize>,
) -> Result<(), Error> {
    let context = root.context_ref();
    let e = Emit::at_end(context, module, sconce_ir::Location::unknown(context));
    let f64 = Type::float64(context);
    for (name, arguments) in called {
        let attributes = [
            ("sym_name", attr::string(context, name)),
            ("sym_visibility", attr::string(context, "private")),
            ("function_type", attr::r#type(sconce_ir::builtin_type::function(context, &vec![f64; *arguments], &[f64]))),
        ];
        e.with_region("func.func", &attributes, Region::new())?;
    }
    Ok(())
}

fn collect<'c>(root: OperationRef<'c, 'c>) -> Vec<(OperationRef<'c, 'c>, Function)> {
    let mut found = Vec::new();
    root.walk_pre(&mut |op| {
        found.extend(function(op.op_name()).map(|f| (op, f)));
        sconce_ir::op::Walk::Advance
    });
    found
}
