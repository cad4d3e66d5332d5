//! The op table as the rows of the dialect's operator model: names, type codes, result names and flags, all derived from the schema and its traits.

use crate::kinds::{self, Tensors};
use sconce_ir::table::{self, OpRow, Source, flags};
use sconce_ir::{Context, Error, OperationRef};
use sconce_schema::{CUSTOM_FAMILY, FunctionSchema, OpEntry, OpRecord, Trait};
use std::sync::OnceLock;

/// Registers every operator of the op table with the torch dialect. To be called before the first context is made; further calls do nothing.
///
/// # Errors
///
/// [`Error::Invalid`] if a row is malformed, which the tests of this crate rule out.
pub fn register() -> Result<(), Error> {
    static DONE: OnceLock<Result<(), Error>> = OnceLock::new();
    DONE.get_or_init(|| table::register(all())).clone()
}

/// All rows, those of the table first.
fn all() -> Vec<OpRow> {
    sconce_schema::table().iter().map(row).chain(foreign().iter().cloned()).collect()
}

/// The row of a name of the dialect.
fn of_name(name: &str) -> Option<OpRow> {
    let entry = || sconce_schema::lookup(&name.strip_prefix("torch.")?.replacen('.', "::", 1));
    entry().map(row).or_else(|| foreign().iter().find(|row| row.name == name).cloned())
}

fn foreign() -> &'static [OpRow] {
    static ROWS: OnceLock<Vec<OpRow>> = OnceLock::new();
    ROWS.get_or_init(|| FOREIGN.iter().filter_map(|text| foreign_row(text).ok()).collect())
}

/// Operators that torch-mlir registers although TorchScript has none of them: other libraries', and its own. Text that holds them is read and
/// printed; nothing runs them. (Two more have attributes or results of a special kind and are structural operations: `hop_flex_attention`, `prim.Enter`.)
const FOREIGN: &[&str] = &[
    "onnx::rotary_embedding(Tensor input, Tensor position_ids, Tensor cos_cache, Tensor sin_cache, int interleaved, int is_packed_batching, int num_heads, int rotary_embedding_dim, float scale) -> Tensor",
    "prim::Exit(t x) -> Tensor",
    "quantized_decomposed::dequantize_per_channel(Tensor input, Tensor scales, Tensor? zero_points, int axis, int quant_min, int quant_max, ScalarType dtype, ScalarType? out_dtype=None) -> Tensor",
    "quantized_decomposed::dequantize_per_channel_group(Tensor input, Tensor scales, Tensor? zero_points, int quant_min, int quant_max, ScalarType dtype, int group_size, ScalarType output_dtype) -> Tensor",
    "quantized_decomposed::dequantize_per_tensor(Tensor input, float scale, int zero_point, int quant_min, int quant_max, ScalarType dtype, ScalarType? out_dtype=None) -> Tensor",
    "quantized_decomposed::quantize_per_channel(Tensor input, Tensor scales, Tensor zero_points, int axis, int quant_min, int quant_max, ScalarType dtype) -> Tensor",
    "quantized_decomposed::quantize_per_channel_group(Tensor input, Tensor scales, Tensor zero_points, int quant_min, int quant_max, ScalarType dtype, int group_size) -> Tensor",
    "quantized_decomposed::quantize_per_tensor(Tensor input, float scale, int zero_point, int quant_min, int quant_max, ScalarType dtype) -> Tensor",
    "valsem::aten.bernoulli_float(Tensor self, float p, Generator? generator=None) -> Tensor",
];

/// A context in which the dialects are loaded and the op table is known: of one without threads each operator is registered when it is first built, or all when text
/// is read. `threads` as for [`sconce_ir::context::new`].
///
/// # Errors
///
/// As for [`register`].
pub fn context(threads: bool) -> Result<Context, Error> {
    table::set_source(Source { one: of_name, all });
    if threads {
        register()?;
    }
    Ok(sconce_ir::context::new(threads))
}

/// Registers a custom operator from its schema, such as `"my::norm(Tensor x, float eps=1e-5) -> Tensor"`, for contexts made later; see
/// [`sconce_schema::register`]. Nothing is assumed of its effects but what the schema's alias annotations say.
///
/// # Errors
///
/// [`Error::Invalid`] when the schema does not parse, or the name is taken by another one.
pub fn register_custom(schema: &str) -> Result<&'static OpEntry, Error> {
    let entry = custom(schema)?;
    table::register([row(entry)]).map(|()| entry)
}

/// The same for a context that is in use already. No operation of that name may exist in it.
///
/// # Errors
///
/// As for [`register_custom`].
pub fn register_custom_in(context: &Context, schema: &str) -> Result<&'static OpEntry, Error> {
    let entry = custom(schema)?;
    table::register_in(context, &row(entry)).map(|()| entry)
}

/// Declares an operator by a record, as those of the table have one, for contexts made later: see [`sconce_schema::declare`]. It is then parsed, printed, verified,
/// refined and moved as the record says.
///
/// # Errors
///
/// As for [`register_custom`].
pub fn declare(record: OpRecord) -> Result<&'static OpEntry, Error> {
    let entry = sconce_schema::declare(record).map_err(|error| Error::Invalid(error.to_string()))?;
    table::register([row(entry)]).map(|()| entry)
}

fn custom(schema: &str) -> Result<&'static OpEntry, Error> {
    sconce_schema::register(schema).map_err(|error| Error::Invalid(error.to_string()))
}

/// The op table's entry of an operation: of `torch.aten.add.Tensor`, and of `torch.operator "aten.add.Tensor"` too.
pub fn entry(op: OperationRef<'_, '_>) -> Option<&'static OpEntry> {
    use sconce_ir::OpExt;
    if let Some(info) = table::info(op) {
        return sconce_schema::entry(info.id);
    }
    // A structural operation may have an entry too (prim::TupleUnpack).
    let name = op.op_name();
    let name = if name == "torch.operator" { op.str_attr("name")? } else { name.strip_prefix("torch.")? };
    let (namespace, rest) = name.split_once('.')?;
    sconce_schema::lookup(&format!("{namespace}::{rest}"))
}

/// The id of rows that have no entry.
const NO_ENTRY: u32 = u32::MAX;

fn foreign_row(text: &str) -> Result<OpRow, Error> {
    let schema: FunctionSchema = text.parse().map_err(|error| Error::Invalid(format!("schema '{text}': {error}")))?;
    let mut name = format!("torch.{}", schema.name.replace("::", "."));
    if !schema.overload.is_empty() {
        // Two dots are more than a schema can hold.
        name = format!("{name}.{}", schema.overload.replace("bernoulli_float", "bernoulli.float"));
    }
    Ok(from_schema(name, &schema, 0, NO_ENTRY))
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
    // Unknown effects: no word is given for them. PyTorch assumes as much of custom operators.
    if entry.has(Trait::Effect) {
        flag &= !(flags::PURE | flags::READS | flags::WRITES);
    }
    if entry.family == CUSTOM_FAMILY {
        flag &= !flags::PURE;
    }
    from_schema(entry.dialect_name(), entry.schema(), flag, entry.id)
}

fn from_schema(name: String, schema: &FunctionSchema, mut flag: u32, id: u32) -> OpRow {
    let full = if schema.overload.is_empty() {
        schema.name.to_string()
    } else {
        format!("{}.{}", schema.name, schema.overload)
    };
    let insists = in_place(&schema.name) && !TAKE_BOTH.contains(&full.as_str());
    let tensors = if insists { Tensors::NonValue } else { Tensors::Both };
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

/// In-place forms that torch-mlir lets work on value tensors.
const TAKE_BOTH: &[&str] = &["aten::bernoulli_.float", "aten::resize_"];

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
    fn every_row_is_well_formed_and_found() {
        assert_eq!(foreign().len(), FOREIGN.len());
        let context = context(false).expect("a context");
        for entry in sconce_schema::table() {
            let name = entry.dialect_name();
            assert_eq!(of_name(&name).map(|row| row.id), Some(entry.id), "{name}");
            assert!(table::is_known(&context, &name), "{name} is not registered");
        }
        assert!(!table::is_known(&context, "torch.aten.no_such_operator"));
        register().expect("the table registers");
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

    #[test]
    fn a_declared_operator_is_what_its_record_says() {
        let record = OpRecord { schema_text: "my::thrice(Tensor x) -> Tensor", ..OpRecord::DEFAULT };
        let entry = declare(record).expect("declares");
        assert_ne!(row(entry).flags & flags::PURE, 0);
        assert!(declare(record).is_ok(), "the same again is nothing new");
        register_custom("my::by_schema(Tensor x) -> Tensor").expect("registers");
        for taken in
            ["my::thrice(Tensor y) -> Tensor", "my::by_schema(Tensor x) -> Tensor", "aten::relu(Tensor self) -> Tensor"]
        {
            assert!(declare(OpRecord { schema_text: taken, ..OpRecord::DEFAULT }).is_err(), "{taken}");
        }
    }
}
