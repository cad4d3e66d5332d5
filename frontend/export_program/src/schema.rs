//! The structs, unions and enums of `models/model.json`, named and spelled as the file's own schema (8.20) has them; what they mean is said elsewhere.
//!
//! A union is an object of one member, whose key says which: `{"as_int": 3}`. Members that the schema marks as optional may be absent, since older writers
//! of the same major version did not know them.

use crate::json::{Float, Table};
use sconce_schema::DType;
use serde::{Deserialize, Serialize};

/// The version of the schema that this module spells: another major version is another format, a greater minor one may say more.
pub const VERSION: SchemaVersion = SchemaVersion { major: 8, minor: 20 };

/// A device: `cpu`, or `cuda` with an index.
#[derive(Clone, Debug, Deserialize, Serialize, PartialEq, Eq)]
pub struct Device {
    #[serde(rename = "type")]
    pub kind: String,
    #[serde(default)]
    pub index: Option<i64>,
}

/// What the example inputs gave for an expression.
#[derive(Clone, Debug, Deserialize, Serialize, PartialEq)]
#[serde(rename_all = "snake_case")]
pub enum SymExprHint {
    AsInt(i64),
    AsBool(bool),
    AsFloat(Float),
}

/// An expression over symbols, as sympy's `srepr` writes it.
#[derive(Clone, Debug, Deserialize, Serialize, PartialEq)]
pub struct SymExpr {
    pub expr_str: String,
    #[serde(default)]
    pub hint: Option<SymExprHint>,
}

/// A size: a number, or an expression over symbols.
#[derive(Clone, Debug, Deserialize, Serialize, PartialEq)]
#[serde(rename_all = "snake_case")]
pub enum SymInt {
    AsExpr(SymExpr),
    AsInt(i64),
}

/// A float, or an expression over symbols.
#[derive(Clone, Debug, Deserialize, Serialize, PartialEq)]
#[serde(rename_all = "snake_case")]
pub enum SymFloat {
    AsExpr(SymExpr),
    AsFloat(Float),
}

/// A truth value, or a relation between sizes.
#[derive(Clone, Debug, Deserialize, Serialize, PartialEq)]
#[serde(rename_all = "snake_case")]
pub enum SymBool {
    AsExpr(SymExpr),
    AsBool(bool),
}

/// What is known of a tensor before the program runs.
#[derive(Clone, Debug, Deserialize, Serialize, PartialEq)]
pub struct TensorMeta {
    pub dtype: ScalarType,
    pub sizes: Vec<SymInt>,
    pub requires_grad: bool,
    pub device: Device,
    /// In elements.
    pub strides: Vec<SymInt>,
    /// In elements.
    pub storage_offset: SymInt,
    pub layout: Layout,
}

/// An integer of the graph by its name, or a number.
#[derive(Clone, Debug, Deserialize, Serialize, PartialEq, Eq)]
#[serde(rename_all = "snake_case")]
pub enum SymIntArgument {
    AsName(String),
    AsInt(i64),
}

/// A float of the graph by its name, or a number.
#[derive(Clone, Debug, Deserialize, Serialize, PartialEq)]
#[serde(rename_all = "snake_case")]
pub enum SymFloatArgument {
    AsName(String),
    AsFloat(Float),
}

/// A truth value of the graph by its name, or one of the two.
#[derive(Clone, Debug, Deserialize, Serialize, PartialEq, Eq)]
#[serde(rename_all = "snake_case")]
pub enum SymBoolArgument {
    AsName(String),
    AsBool(bool),
}

/// A tensor of the graph.
#[derive(Clone, Debug, Deserialize, Serialize, PartialEq, Eq)]
pub struct TensorArgument {
    pub name: String,
}

/// A token, which orders calls that have effects.
#[derive(Clone, Debug, Deserialize, Serialize, PartialEq, Eq)]
pub struct TokenArgument {
    pub name: String,
}

/// A tensor of the graph, or none.
#[derive(Clone, Debug, Deserialize, Serialize, PartialEq, Eq)]
#[serde(rename_all = "snake_case")]
pub enum OptionalTensorArgument {
    AsTensor(TensorArgument),
    AsNone(bool),
}

/// A graph inside of a graph: a branch of `cond`, a body.
#[derive(Clone, Debug, Deserialize, Serialize, PartialEq)]
pub struct GraphArgument {
    pub name: String,
    pub graph: Box<Graph>,
}

/// An object of a class that C++ registered.
#[derive(Clone, Debug, Deserialize, Serialize, PartialEq, Eq)]
pub struct CustomObjArgument {
    pub name: String,
    pub class_fqn: String,
}

/// A complex number.
#[derive(Clone, Debug, Deserialize, Serialize, PartialEq)]
pub struct ComplexValue {
    pub real: Float,
    pub imag: Float,
}

/// What a node is given, or gives.
#[derive(Clone, Debug, Deserialize, Serialize, PartialEq)]
#[serde(rename_all = "snake_case")]
pub enum Argument {
    AsNone(bool),
    AsTensor(TensorArgument),
    AsTensors(Vec<TensorArgument>),
    AsInt(i64),
    AsInts(Vec<i64>),
    AsFloat(Float),
    AsFloats(Vec<Float>),
    AsString(String),
    AsStrings(Vec<String>),
    AsSymInt(SymIntArgument),
    AsSymInts(Vec<SymIntArgument>),
    AsScalarType(ScalarType),
    AsMemoryFormat(MemoryFormat),
    AsLayout(Layout),
    AsDevice(Device),
    AsBool(bool),
    AsBools(Vec<bool>),
    AsSymBool(SymBoolArgument),
    AsSymBools(Vec<SymBoolArgument>),
    AsGraph(GraphArgument),
    AsOptionalTensors(Vec<OptionalTensorArgument>),
    AsCustomObj(CustomObjArgument),
    AsOperator(String),
    AsSymFloat(SymFloatArgument),
    AsSymFloats(Vec<SymFloatArgument>),
    AsOptionalTensor(OptionalTensorArgument),
    AsComplex(ComplexValue),
    AsNestedTensors(Vec<Vec<TensorArgument>>),
    AsIntLists(Vec<Vec<i64>>),
    AsStringToArgument(Table<Argument>),
    AsFloatLists(Vec<Vec<Float>>),
}

/// An argument with the name of the schema's parameter; higher-order operators have none.
#[derive(Clone, Debug, Deserialize, Serialize, PartialEq)]
pub struct NamedArgument {
    pub name: String,
    pub arg: Argument,
    #[serde(default)]
    pub kind: Option<ArgumentKind>,
}

/// A call.
#[derive(Clone, Debug, Deserialize, Serialize, PartialEq)]
pub struct Node {
    /// `torch.ops.aten.add.Tensor`, `_operator.mul`
    pub target: String,
    pub inputs: Vec<NamedArgument>,
    pub outputs: Vec<Argument>,
    /// `stack_trace`, `nn_module_stack`, `torch_fn`, …
    pub metadata: Table<String>,
    #[serde(default)]
    pub is_hop_single_tensor_return: Option<bool>,
    #[serde(default)]
    pub name: Option<String>,
}

/// Nodes in order, and what is known of each name.
#[derive(Clone, Debug, Deserialize, Serialize, PartialEq)]
pub struct Graph {
    pub inputs: Vec<Argument>,
    pub outputs: Vec<Argument>,
    pub nodes: Vec<Node>,
    pub tensor_values: Table<TensorMeta>,
    pub sym_int_values: Table<SymInt>,
    pub sym_bool_values: Table<SymBool>,
    #[serde(default)]
    pub is_single_tensor_return: bool,
    #[serde(default)]
    pub custom_obj_values: Table<CustomObjArgument>,
    #[serde(default)]
    pub sym_float_values: Table<SymFloat>,
}

/// An input that the caller gives.
#[derive(Clone, Debug, Deserialize, Serialize, PartialEq)]
pub struct UserInputSpec {
    pub arg: Argument,
}

/// A value that the export fixed.
#[derive(Clone, Debug, Deserialize, Serialize, PartialEq)]
#[serde(rename_all = "snake_case")]
pub enum ConstantValue {
    AsNone(bool),
    AsInt(i64),
    AsFloat(Float),
    AsString(String),
    AsBool(bool),
}

/// An input that must have one value: the graph was made for it.
#[derive(Clone, Debug, Deserialize, Serialize, PartialEq)]
pub struct InputToConstantInputSpec {
    pub name: String,
    pub value: ConstantValue,
}

/// An input that is a parameter of the module.
#[derive(Clone, Debug, Deserialize, Serialize, PartialEq, Eq)]
pub struct InputToParameterSpec {
    pub arg: TensorArgument,
    pub parameter_name: String,
}

/// An input that is a buffer of the module; those that are not persistent are no part of its state dict.
#[derive(Clone, Debug, Deserialize, Serialize, PartialEq, Eq)]
pub struct InputToBufferSpec {
    pub arg: TensorArgument,
    pub buffer_name: String,
    pub persistent: bool,
}

/// An input that is a tensor the module made.
#[derive(Clone, Debug, Deserialize, Serialize, PartialEq, Eq)]
pub struct InputToTensorConstantSpec {
    pub arg: TensorArgument,
    pub tensor_constant_name: String,
}

/// An input that is an object of a C++ class.
#[derive(Clone, Debug, Deserialize, Serialize, PartialEq, Eq)]
pub struct InputToCustomObjSpec {
    pub arg: CustomObjArgument,
    pub custom_obj_name: String,
}

/// An input that is a token.
#[derive(Clone, Debug, Deserialize, Serialize, PartialEq, Eq)]
pub struct InputTokenSpec {
    pub arg: TokenArgument,
}

/// What an input of the graph stands for.
#[derive(Clone, Debug, Deserialize, Serialize, PartialEq)]
#[serde(rename_all = "snake_case")]
pub enum InputSpec {
    UserInput(UserInputSpec),
    Parameter(InputToParameterSpec),
    Buffer(InputToBufferSpec),
    TensorConstant(InputToTensorConstantSpec),
    CustomObj(InputToCustomObjSpec),
    Token(InputTokenSpec),
    ConstantInput(InputToConstantInputSpec),
}

/// An output that the caller gets.
#[derive(Clone, Debug, Deserialize, Serialize, PartialEq)]
pub struct UserOutputSpec {
    pub arg: Argument,
}

/// An output that is the loss of a training step.
#[derive(Clone, Debug, Deserialize, Serialize, PartialEq, Eq)]
pub struct LossOutputSpec {
    pub arg: TensorArgument,
}

/// An output that is what a buffer holds afterwards.
#[derive(Clone, Debug, Deserialize, Serialize, PartialEq, Eq)]
pub struct BufferMutationSpec {
    pub arg: TensorArgument,
    pub buffer_name: String,
}

/// An output that is what a parameter holds afterwards.
#[derive(Clone, Debug, Deserialize, Serialize, PartialEq, Eq)]
pub struct ParameterMutationSpec {
    pub arg: TensorArgument,
    pub parameter_name: String,
}

/// An output that is the gradient of a parameter.
#[derive(Clone, Debug, Deserialize, Serialize, PartialEq, Eq)]
pub struct GradientToParameterSpec {
    pub arg: TensorArgument,
    pub parameter_name: String,
}

/// An output that is the gradient of an input.
#[derive(Clone, Debug, Deserialize, Serialize, PartialEq, Eq)]
pub struct GradientToUserInputSpec {
    pub arg: TensorArgument,
    pub user_input_name: String,
}

/// An output that is what an input holds afterwards.
#[derive(Clone, Debug, Deserialize, Serialize, PartialEq, Eq)]
pub struct UserInputMutationSpec {
    pub arg: TensorArgument,
    pub user_input_name: String,
}

/// An output that is a token.
#[derive(Clone, Debug, Deserialize, Serialize, PartialEq, Eq)]
pub struct OutputTokenSpec {
    pub arg: TokenArgument,
}

/// What an output of the graph stands for.
#[derive(Clone, Debug, Deserialize, Serialize, PartialEq)]
#[serde(rename_all = "snake_case")]
pub enum OutputSpec {
    UserOutput(UserOutputSpec),
    LossOutput(LossOutputSpec),
    BufferMutation(BufferMutationSpec),
    GradientToParameter(GradientToParameterSpec),
    GradientToUserInput(GradientToUserInputSpec),
    UserInputMutation(UserInputMutationSpec),
    Token(OutputTokenSpec),
    ParameterMutation(ParameterMutationSpec),
}

/// What the graph's inputs and outputs stand for, in their order (`torch.export.ExportGraphSignature`).
#[derive(Clone, Debug, Deserialize, Serialize, PartialEq)]
pub struct GraphSignature {
    pub input_specs: Vec<InputSpec>,
    pub output_specs: Vec<OutputSpec>,
}

/// The values that a symbol may have, both ends included; none is no bound.
#[derive(Clone, Copy, Debug, Deserialize, Serialize, PartialEq, Eq)]
pub struct RangeConstraint {
    pub min_val: Option<i64>,
    pub max_val: Option<i64>,
}

/// How a submodule is called.
#[derive(Clone, Debug, Deserialize, Serialize, PartialEq)]
pub struct ModuleCallSignature {
    pub inputs: Vec<Argument>,
    pub outputs: Vec<Argument>,
    /// A tree as JSON: of the positional arguments' tuple and the keyword arguments' dict.
    pub in_spec: String,
    /// A tree as JSON.
    pub out_spec: String,
    #[serde(default)]
    pub forward_arg_names: Option<Vec<String>>,
}

/// A module by its dotted path; the root's is empty.
#[derive(Clone, Debug, Deserialize, Serialize, PartialEq)]
pub struct ModuleCallEntry {
    pub fqn: String,
    #[serde(default)]
    pub signature: Option<ModuleCallSignature>,
}

/// The fields of a named tuple that trees name.
#[derive(Clone, Debug, Deserialize, Serialize, PartialEq, Eq)]
pub struct NamedTupleDef {
    pub field_names: Vec<String>,
}

/// A graph with what its inputs and outputs stand for.
#[derive(Clone, Debug, Deserialize, Serialize, PartialEq)]
pub struct GraphModule {
    pub graph: Graph,
    pub signature: GraphSignature,
    pub module_call_graph: Vec<ModuleCallEntry>,
    #[serde(default)]
    pub metadata: Table<String>,
    #[serde(default)]
    pub treespec_namedtuple_fields: Table<NamedTupleDef>,
}

/// The version of a document.
#[derive(Clone, Copy, Debug, Deserialize, Serialize, PartialEq, Eq, PartialOrd, Ord)]
pub struct SchemaVersion {
    pub major: i64,
    pub minor: i64,
}

/// The document `models/model.json`.
#[derive(Clone, Debug, Deserialize, Serialize, PartialEq)]
pub struct ExportedProgram {
    pub graph_module: GraphModule,
    pub opset_version: Table<i64>,
    pub range_constraints: Table<RangeConstraint>,
    pub schema_version: SchemaVersion,
    #[serde(default)]
    pub verifiers: Vec<String>,
    #[serde(default)]
    pub torch_version: String,
    #[serde(default)]
    pub guards_code: Vec<String>,
}

/// Where the bytes of a tensor lie.
#[derive(Clone, Debug, Deserialize, Serialize, PartialEq)]
pub struct PayloadMeta {
    /// The member below `data/weights` or `data/constants`; tensors of one member share memory.
    pub path_name: String,
    pub is_param: bool,
    /// The member is a file of `torch.save`.
    pub use_pickle: bool,
    pub tensor_meta: Option<TensorMeta>,
}

/// The documents `model_weights_config.json` and `model_constants_config.json`: tensors by their names.
#[derive(Clone, Debug, Deserialize, Serialize, PartialEq)]
pub struct PayloadConfig {
    pub config: Table<PayloadMeta>,
}

/// An enum of the schema whose members are numbers of its own, which are not those of PyTorch's dispatcher.
macro_rules! numbered {
    ($(#[$doc:meta])* $name:ident: $($member:ident = $number:literal),* $(,)?) => {
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, Deserialize, Serialize, PartialEq, Eq)]
        #[serde(try_from = "i64", into = "i64")]
        pub enum $name { $($member = $number),* }

        impl From<$name> for i64 {
            fn from(value: $name) -> i64 {
                value as i64
            }
        }

        impl TryFrom<i64> for $name {
            type Error = String;
            fn try_from(number: i64) -> Result<$name, String> {
                match number {
                    $($number => Ok($name::$member),)*
                    other => Err(format!(concat!("{} is no ", stringify!($name)), other)),
                }
            }
        }
    };
}

numbered! {
    /// A dtype.
    ScalarType: Unknown = 0, Byte = 1, Char = 2, Short = 3, Int = 4, Long = 5, Half = 6, Float = 7, Double = 8,
    ComplexHalf = 9, ComplexFloat = 10, ComplexDouble = 11, Bool = 12, BFloat16 = 13, UInt16 = 28, Float8E4M3FN = 29,
    Float8E5M2 = 30, Float8E4M3FNUZ = 31, Float8E5M2FNUZ = 32, Float8E8M0FNU = 33, UInt32 = 34, UInt64 = 35,
}
numbered! {
    /// How a tensor's elements are kept.
    Layout: Unknown = 0, SparseCoo = 1, SparseCsr = 2, SparseCsc = 3, SparseBsr = 4, SparseBsc = 5, Mkldnn = 6,
    Strided = 7,
}
numbered! {
    /// The order of dimensions in memory.
    MemoryFormat: Unknown = 0, ContiguousFormat = 1, ChannelsLast = 2, ChannelsLast3d = 3, PreserveFormat = 4,
}
numbered! {
    /// How an argument is passed.
    ArgumentKind: Unknown = 0, Positional = 1, Keyword = 2,
}

impl ScalarType {
    /// Each dtype with PyTorch's name of it.
    const NAMES: [(ScalarType, &'static str); 21] = [
        (ScalarType::Byte, "uint8"),
        (ScalarType::Char, "int8"),
        (ScalarType::Short, "int16"),
        (ScalarType::Int, "int32"),
        (ScalarType::Long, "int64"),
        (ScalarType::Half, "float16"),
        (ScalarType::Float, "float32"),
        (ScalarType::Double, "float64"),
        (ScalarType::ComplexHalf, "complex32"),
        (ScalarType::ComplexFloat, "complex64"),
        (ScalarType::ComplexDouble, "complex128"),
        (ScalarType::Bool, "bool"),
        (ScalarType::BFloat16, "bfloat16"),
        (ScalarType::UInt16, "uint16"),
        (ScalarType::UInt32, "uint32"),
        (ScalarType::UInt64, "uint64"),
        (ScalarType::Float8E4M3FN, "float8_e4m3fn"),
        (ScalarType::Float8E5M2, "float8_e5m2"),
        (ScalarType::Float8E4M3FNUZ, "float8_e4m3fnuz"),
        (ScalarType::Float8E5M2FNUZ, "float8_e5m2fnuz"),
        (ScalarType::Float8E8M0FNU, "float8_e8m0fnu"),
    ];

    /// The dtype; none for `Unknown` and for those that tensors here do not have.
    pub fn dtype(self) -> Option<DType> {
        let (_, name) = ScalarType::NAMES.iter().find(|(ty, _)| *ty == self)?;
        DType::from_torch_name(name)
    }

    /// The number of a dtype; none for those that the schema does not have, such as quantized ones.
    pub fn of_dtype(dtype: DType) -> Option<ScalarType> {
        ScalarType::NAMES.iter().find(|(_, name)| *name == dtype.torch_name()).map(|(ty, _)| *ty)
    }
}

impl MemoryFormat {
    /// The order of dimensions that operators know; none for `Unknown`.
    pub fn format(self) -> Option<sconce_schema::MemoryFormat> {
        Some(match self {
            MemoryFormat::Unknown => return None,
            MemoryFormat::ContiguousFormat => sconce_schema::MemoryFormat::Contiguous,
            MemoryFormat::PreserveFormat => sconce_schema::MemoryFormat::Preserve,
            MemoryFormat::ChannelsLast => sconce_schema::MemoryFormat::ChannelsLast,
            MemoryFormat::ChannelsLast3d => sconce_schema::MemoryFormat::ChannelsLast3d,
        })
    }

    /// The number of an order of dimensions.
    pub fn of_format(format: sconce_schema::MemoryFormat) -> MemoryFormat {
        match format {
            sconce_schema::MemoryFormat::Contiguous => MemoryFormat::ContiguousFormat,
            sconce_schema::MemoryFormat::Preserve => MemoryFormat::PreserveFormat,
            sconce_schema::MemoryFormat::ChannelsLast => MemoryFormat::ChannelsLast,
            sconce_schema::MemoryFormat::ChannelsLast3d => MemoryFormat::ChannelsLast3d,
        }
    }
}

impl Layout {
    /// The layout that operators know; none for `Unknown`.
    pub fn layout(self) -> Option<sconce_schema::Layout> {
        Some(match self {
            Layout::Unknown => return None,
            Layout::Strided => sconce_schema::Layout::Strided,
            Layout::SparseCoo => sconce_schema::Layout::SparseCoo,
            Layout::SparseCsr => sconce_schema::Layout::SparseCsr,
            Layout::Mkldnn => sconce_schema::Layout::Mkldnn,
            Layout::SparseCsc => sconce_schema::Layout::SparseCsc,
            Layout::SparseBsr => sconce_schema::Layout::SparseBsr,
            Layout::SparseBsc => sconce_schema::Layout::SparseBsc,
        })
    }

    /// The number of a layout.
    pub fn of_layout(layout: sconce_schema::Layout) -> Option<Layout> {
        let all = [
            Layout::Strided,
            Layout::SparseCoo,
            Layout::SparseCsr,
            Layout::SparseCsc,
            Layout::SparseBsr,
            Layout::SparseBsc,
            Layout::Mkldnn,
        ];
        all.into_iter().find(|known| known.layout() == Some(layout))
    }
}
