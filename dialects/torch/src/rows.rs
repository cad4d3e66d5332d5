//! The op table as the rows of the dialect's operator model: names, type codes, result names and flags, all derived from the schema and its traits.

use crate::kinds::{self, Tensors};
use sconce_ir::table::{self, OpRow, flags};
use sconce_ir::{Context, Error, OperationRef};
use sconce_schema::{FunctionSchema, OpEntry, Trait};
use std::sync::OnceLock;

/// Registers every operator of the op table with the torch dialect. To be called before the first context is made; further calls do nothing.
///
/// # Errors
///
/// [`Error::Invalid`] if a row is malformed, which the tests of this crate rule out.
pub fn register() -> Result<(), Error> {
    static DONE: OnceLock<Result<(), Error>> = OnceLock::new();
    DONE.get_or_init(|| table::register(sconce_schema::table().iter().map(row))).clone()
}

/// Registers a custom operator from its schema, such as `"my::norm(Tensor x, float eps=1e-5) -> Tensor"`, for contexts made later. Nothing is known
/// of its effects but what the schema's alias annotations say.
///
/// # Errors
///
/// [`Error::Invalid`] when the schema does not parse.
pub fn register_custom(schema: &str) -> Result<(), Error> {
    table::register([custom_row(schema)?])
}

/// The same for a context that is in use already. No operation of that name may exist in it.
///
/// # Errors
///
/// As for [`register_custom`].
pub fn register_custom_in(context: &Context, schema: &str) -> Result<(), Error> {
    table::register_in(context, &custom_row(schema)?)
}

/// The op table's entry of an operation: of `torch.aten.add.Tensor`, and of `torch.operator "aten.add.Tensor"` too.
pub fn entry(op: OperationRef<'_, '_>) -> Option<&'static OpEntry> {
    use sconce_ir::OpExt;
    if let Some(info) = table::info(op) {
        return sconce_schema::table().get(info.id as usize);
    }
    // A structural operation may have an entry too (prim::TupleUnpack).
    let name = op.op_name();
    let name = if name == "torch.operator" { op.str_attr("name")? } else { name.strip_prefix("torch.")? };
    let (namespace, rest) = name.split_once('.')?;
    sconce_schema::lookup(&format!("{namespace}::{rest}"))
}

/// Rows of custom operators: no entry of the table.
const CUSTOM: u32 = u32::MAX;

fn custom_row(schema: &str) -> Result<OpRow, Error> {
    let parsed: FunctionSchema =
        schema.parse().map_err(|error| Error::Invalid(format!("schema '{schema}': {error}")))?;
    let full = if parsed.overload.is_empty() { parsed.name.to_string() } else { format!("{}.{}", parsed.name, parsed.overload) };
    let writes = parsed.arguments.iter().any(|a| a.alias.as_ref().is_some_and(|alias| alias.is_write));
    let effects = if writes { flags::READS | flags::WRITES } else { 0 };
    Ok(from_schema(format!("torch.{}", full.replace("::", ".")), &parsed, effects | flags::AS_OPERATOR, CUSTOM))
}

/// The row of an entry.
pub fn row(entry: &OpEntry) -> OpRow {
    let mut flag = 0;
    for (holds, bits) in [
        (entry.has(Trait::Pure), flags::PURE),
        (entry.has(Trait::View) || entry.has(Trait::MayView), flags::VIEW | flags::PURE),
        (entry.has(Trait::Writes) || entry.has(Trait::InPlace) || entry.has(Trait::Out), flags::READS | flags::WRITES),
        // The generator's state.
        (entry.has(Trait::Random), flags::READS | flags::WRITES),
        (entry.has(Trait::Commutative), flags::COMMUTATIVE),
        (!entry.in_torch_mlir, flags::AS_OPERATOR),
    ] {
        if holds {
            flag |= bits;
        }
    }
    if flag & flags::WRITES != 0 {
        flag &= !flags::PURE;
    }
    // Unknown effects: no row's word for it, so none may be given.
    if entry.has(Trait::Effect) {
        flag &= !(flags::PURE | flags::READS | flags::WRITES);
    }
    from_schema(entry.dialect_name(), entry.schema(), flag, entry.id)
}

fn from_schema(name: String, schema: &FunctionSchema, mut flag: u32, id: u32) -> OpRow {
    let tensors = if in_place(&schema.name) { Tensors::NonValue } else { Tensors::Both };
    let mut operands: Vec<String> = schema.arguments.iter().map(|a| kinds::operand(&a.ty, tensors)).collect();
    if schema.is_vararg {
        // torch-mlir takes any values instead of the named ones too, and writes them in parentheses.
        operands = vec!["*.".to_owned()];
        flag |= flags::PARENTHESES;
    }
    let mut results: Vec<String> = schema.returns.iter().map(|r| kinds::result(&r.ty, tensors)).collect();
    if schema.is_varret {
        results.push("*.".to_owned());
    }
    let several = results.len() > 1 && !schema.is_varret;
    let result_names = if several { schema.returns.iter().map(|r| r.name.to_string()).collect() } else { Vec::new() };
    OpRow { name, operands, results, result_names, flags: flag, id }
}

/// Whether an operator is the in-place form: `aten::add_`, not `aten::__and__`.
fn in_place(name: &str) -> bool {
    name.ends_with('_') && !name.ends_with("__")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn row_of(name: &str) -> OpRow {
        row(sconce_schema::lookup(name).unwrap_or_else(|| panic!("no operator {name}")))
    }

    #[test]
    fn kinds_follow_the_schema() {
        let add = row_of("aten::add.Tensor");
        assert_eq!((add.name.as_str(), add.operands.join(" ").as_str()), ("torch.aten.add.Tensor", "T T n"));
        assert_eq!(add.results, ["?T"]);
        assert_eq!(row_of("aten::add_.Tensor").operands.join(" "), "N N n");
        assert_eq!(row_of("aten::conv2d").operands.join(" "), "T T ?T li li li i");
        assert_eq!(row_of("aten::index.Tensor").operands.join(" "), "T l?T");
        assert_eq!(row_of("aten::format").operands, ["*."]);
    }

    #[test]
    fn effects_follow_the_traits() {
        assert_eq!(row_of("aten::tanh").flags & (flags::PURE | flags::WRITES), flags::PURE);
        assert_eq!(row_of("aten::tanh_").flags & (flags::PURE | flags::WRITES), flags::WRITES);
        assert_ne!(row_of("aten::transpose.int").flags & flags::VIEW, 0);
        assert_eq!(row_of("aten::warn").flags & (flags::PURE | flags::READS | flags::WRITES), 0);
    }

    #[test]
    fn several_results_have_their_names() {
        assert_eq!(row_of("aten::max.dim").result_names, ["values", "indices"]);
        assert!(row_of("aten::tanh").result_names.is_empty());
    }

    #[test]
    fn every_row_is_well_formed() {
        register().expect("the table registers");
        let context = sconce_ir::context::new(false);
        for entry in sconce_schema::table() {
            let name = entry.dialect_name();
            assert!(context.is_registered_operation(&name), "{name} is not registered");
        }
    }

    #[test]
    fn a_custom_operator_is_a_citizen() {
        let context = sconce_ir::context::new(false);
        register_custom_in(&context, "my::twice(Tensor x, int n=2) -> Tensor").expect("registers");
        assert!(context.is_registered_operation("torch.my.twice"));
        let text = br#"func.func @f(%x: !torch.vtensor, %n: !torch.int) -> !torch.vtensor {
            %0 = torch.operator "my.twice"(%x, %n) : (!torch.vtensor, !torch.int) -> !torch.vtensor
            return %0 : !torch.vtensor
        }"#;
        let module = sconce_ir::text::parse_module(&context, text, "f.mlir").expect("parses");
        let ops = sconce_ir::OpExt::find_all(module.as_operation(), "torch.my.twice");
        assert_eq!(ops.len(), 1);
        assert!(register_custom("no schema").is_err());
    }
}
