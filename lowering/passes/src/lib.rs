//! torch-to-torch passes: each keeps what the program computes, and is named as on the command line.
#![forbid(unsafe_code)]

mod auto_parallel;
mod batch_mm;
mod canonicalize_ops;
mod canonicalize_outputs;
mod constant_attributes;
mod constant_pooling;
mod constant_propagation;
mod create_autodiff_subgraphs;
mod dce;
mod decompose_ops;
mod erase_shape_information;
mod fold_conv_bn;
mod forward_elements;
mod freeze;
mod functionalize;
mod fuse_addmm;
mod fuse_conv_pointwise;
mod fuse_graph;
mod fuse_linear;
mod graph;
mod grow_loop_tensors;
mod hoist_constants;
mod hoist_loop_products;
mod inline_fork_wait;
mod inline_groups;
mod lift_parameters;
mod lower_simple_tuples;
mod lower_tuples;
mod peephole;
mod print_aliases;
mod propagate;
mod refine_integer_values;
mod refine_types;
mod remove_dropout;
mod remove_expands;
mod remove_list_mutation;
mod renumber;
mod select_loop_slices;
mod specialize_inputs;
mod stack_loop_lists;
mod torch_cse;
mod torch_inline;
mod unpack_loop_lists;
mod unroll;

pub use functionalize::{Functionalize, writes_that_stay};
pub use fuse_conv_pointwise::{FuseConvPointwise, fuse_conv_pointwise};
use sconce_pass::{PassRow, row};
pub use specialize_inputs::parse_inputs;

/// The passes of this crate.
pub static PASSES: &[PassRow] = &[
    row::<auto_parallel::AutoParallel>(),
    row::<batch_mm::BatchMm>(),
    row::<canonicalize_ops::CanonicalizeOps>(),
    row::<canonicalize_outputs::CanonicalizeOutputs>(),
    row::<constant_attributes::ConstantAttributes>(),
    row::<constant_pooling::ConstantPooling>(),
    row::<constant_propagation::ConstantPropagation>(),
    row::<create_autodiff_subgraphs::CreateAutodiffSubgraphs>(),
    row::<dce::Dce>(),
    row::<decompose_ops::DecomposeOps>(),
    row::<erase_shape_information::EraseShapeInformation>(),
    row::<functionalize::Functionalize>(),
    row::<fold_conv_bn::FoldConvBn>(),
    row::<forward_elements::ForwardElements>(),
    row::<freeze::Freeze>(),
    row::<fuse_addmm::FuseAddmm>(),
    row::<fuse_conv_pointwise::FuseConvPointwise>(),
    row::<fuse_graph::FuseGraph>(),
    row::<fuse_linear::FuseLinear>(),
    row::<grow_loop_tensors::GrowLoopTensors>(),
    row::<hoist_constants::HoistConstants>(),
    row::<hoist_loop_products::HoistLoopProducts>(),
    row::<inline_fork_wait::InlineForkWait>(),
    row::<inline_groups::InlineGroups>(),
    row::<lift_parameters::LiftParameters>(),
    row::<lower_simple_tuples::LowerSimpleTuples>(),
    row::<lower_tuples::LowerTuples>(),
    row::<peephole::Peephole>(),
    row::<print_aliases::PrintAliases>(),
    row::<propagate::device::PropagateDevice>(),
    row::<propagate::dtype::PropagateDtype>(),
    row::<propagate::shapes::PropagateShapesOnGraph>(),
    row::<refine_integer_values::RefineIntegerValues>(),
    row::<refine_types::RefineTypes>(),
    row::<remove_dropout::RemoveDropout>(),
    row::<remove_expands::RemoveExpands>(),
    row::<remove_list_mutation::RemoveListMutation>(),
    row::<renumber::Renumber>(),
    row::<select_loop_slices::SelectLoopSlices>(),
    row::<specialize_inputs::SpecializeInputs>(),
    row::<stack_loop_lists::StackLoopLists>(),
    row::<torch_cse::TorchCse>(),
    row::<torch_inline::TorchInline>(),
    row::<unpack_loop_lists::UnpackLoopLists>(),
    row::<unroll::Unroll>(),
];

/// Pipelines with a name: the name, what it does, the passes.
pub static PIPELINES: &[(&str, &str, &str)] = &[
    (
        "torch-cleanup",
        "What PyTorch runs on every function it compiles",
        "lower-simple-tuples,constant-propagation{immutable-only=1},constant-pooling,canonicalize-outputs",
    ),
    (
        "torch-freeze-optimize",
        "What PyTorch runs on methods before and after their attributes are frozen",
        freeze::OPTIMIZE,
    ),
    (
        "torch-before-profiling",
        "What PyTorch's executor runs on inlined functions before it watches their runs",
        "dce,constant-propagation,dce,torch-cse,constant-pooling,peephole{shapes=0},dce,lower-simple-tuples",
    ),
    (
        TYPED,
        "What the compiler runs once it knows the types that a program is called with",
        "lower-simple-tuples,peephole,constant-propagation,refine-types,forward-elements,functionalize,forward-elements,refine-types,peephole,constant-propagation,unroll{max-trips=16 max-ops=128},peephole,constant-propagation,forward-elements,unpack-loop-lists,forward-elements,refine-types,peephole,constant-propagation,refine-types,select-loop-slices,stack-loop-lists,grow-loop-tensors,hoist-loop-products,fold-conv-bn{most-weights=4},egraph{class=reassociates growth=3 iterations=6 report=1},hoist-constants",
    ),
    (
        TYPED_STRICT,
        "The same where results keep the interpreter's bits",
        "lower-simple-tuples,peephole,constant-propagation,refine-types,forward-elements,functionalize,forward-elements,refine-types,peephole,constant-propagation,unroll{max-trips=16 max-ops=128},peephole,constant-propagation,forward-elements,unpack-loop-lists,forward-elements,refine-types,peephole,constant-propagation,refine-types,select-loop-slices,stack-loop-lists,grow-loop-tensors,egraph{growth=3 iterations=6 report=1},hoist-constants",
    ),
    (
        DEFAULT,
        "What the compiler runs on every program before it looks for regions",
        "torch-inline,inline-groups,lower-tuples{signature=0},dce,torch-cse,peephole{shapes=0},constant-propagation,unroll{max-trips=16 max-ops=128},torch-cse,peephole{shapes=0},constant-propagation,constant-attributes,constant-pooling,canonicalize-outputs,dce",
    ),
];

/// The pipeline that every compiled program goes through first. It takes no type's word for sizes and dtypes: what a program declares of a tensor is a hint, which
/// the guards of its regions check.
pub const DEFAULT: &str = "default";

/// The pipeline that comes when types are known: whether a write changes dtype or sizes is known of types, and how much memory a constant takes.
const TYPED: &str = "typed";

/// The same where results keep the interpreter's bits: nothing is rounded otherwise.
const TYPED_STRICT: &str = "typed-strict";

/// The pipeline that comes when types are known; `strict`: results keep the interpreter's bits.
pub fn typed(strict: bool) -> &'static str {
    if strict { TYPED_STRICT } else { TYPED }
}
