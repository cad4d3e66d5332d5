//! The shim's C ABI, mirrored by hand from `include/sconce/*.h`: same names, same order. Nothing here is safe, nothing here leaves the crate.

use mlir_sys::{
    MlirAttribute, MlirBlock, MlirContext, MlirDialectRegistry, MlirLocation, MlirLogicalResult, MlirModule,
    MlirOpPrintingFlags, MlirOperation, MlirStringRef, MlirType, MlirValue,
};
use std::ffi::{c_char, c_int, c_uint, c_void};

/// `SconceStrSink`, `SconceOutput`, `SconceBytes`, `SconceTextSink`: text for the length of the call.
pub type Sink = unsafe extern "C" fn(text: MlirStringRef, user: *mut c_void);

#[repr(C)]
pub struct PassOption {
    pub name: MlirStringRef,
    pub description: MlirStringRef,
    pub kind: i32,
    pub number: i64,
    pub string: MlirStringRef,
}

#[repr(C)]
pub struct PassRow {
    pub argument: MlirStringRef,
    pub description: MlirStringRef,
    pub anchor: MlirStringRef,
    pub options: *const PassOption,
    pub num_options: usize,
    pub dependent_dialects: *const MlirStringRef,
    pub num_dependent_dialects: usize,
    pub id: u32,
}

/// The running pass, opaque.
#[repr(C)]
pub struct PassRun {
    _private: [u8; 0],
}

pub type PassFn = unsafe extern "C" fn(id: u32, op: MlirOperation, run: *mut PassRun) -> bool;

pub type ImportFn =
    unsafe extern "C" fn(file_name: MlirStringRef, contents: MlirStringRef, emit: Sink, user: *mut c_void) -> c_int;
pub type ReadFn =
    unsafe extern "C" fn(context: MlirContext, contents: MlirStringRef, file_name: MlirStringRef) -> MlirOperation;
pub type WriteFn =
    unsafe extern "C" fn(module: MlirModule, option: MlirStringRef, emit: Sink, user: *mut c_void) -> bool;

#[repr(C)]
pub struct Target {
    pub triple: MlirStringRef,
    pub cpu: MlirStringRef,
    pub features: MlirStringRef,
    pub opt_level: u32,
    pub codegen_level: u32,
    pub contract: bool,
    pub checked: bool,
}

unsafe extern "C" {
    // sconce/ir.h
    pub fn sconceRegisterEverything(registry: MlirDialectRegistry);
    pub fn sconceRegisterUpstreamPasses();
    pub fn sconceTooDeep(text: MlirStringRef) -> isize;
    pub fn sconceCreateModuleFromText(
        context: MlirContext,
        text: MlirStringRef,
        name: MlirStringRef,
        verify: bool,
    ) -> MlirModule;
    pub fn sconcePrintPlaced(
        op: MlirOperation,
        flags: MlirOpPrintingFlags,
        text: Sink,
        line: unsafe extern "C" fn(op: MlirOperation, line: c_uint, user: *mut c_void),
        user: *mut c_void,
    );
    pub fn sconceEmitDiagnostic(location: MlirLocation, severity: c_int, message: MlirStringRef);
    pub fn sconceCreateDenseResource(
        r#type: MlirType,
        name: MlirStringRef,
        data: *const c_void,
        length: usize,
        alignment: usize,
    ) -> MlirAttribute;
    pub fn sconceDenseResourceData(
        attribute: MlirAttribute,
        name: *mut MlirStringRef,
        data: *mut *const c_void,
        length: *mut usize,
    ) -> bool;
    pub fn sconceSymbolRefParts(attribute: MlirAttribute, sink: Sink, user: *mut c_void) -> bool;
    pub fn sconceIntegerValue(attribute: MlirAttribute, value: *mut i64, is_unsigned: *mut bool) -> bool;
    pub fn sconceGpuTargetChip(target: MlirAttribute, chip: *mut MlirStringRef) -> bool;
    pub fn sconceFastMath(context: MlirContext, reassociates: bool, contracts: bool, numbers: bool) -> MlirAttribute;
    pub fn sconceLlvmFastMath(flags: MlirAttribute) -> MlirAttribute;
    pub fn sconceIteratorType(context: MlirContext, reduces: bool) -> MlirAttribute;
    pub fn sconceVectorSum(context: MlirContext) -> MlirAttribute;
    pub fn sconceSplitBlockBefore(op: MlirOperation) -> MlirBlock;
    pub fn sconceSpliceBlock(source: MlirBlock, target: MlirBlock, before: MlirOperation);
    pub fn sconceCloneWithMapping(
        op: MlirOperation,
        count: isize,
        from: *const MlirValue,
        to: *const MlirValue,
    ) -> MlirOperation;
    pub fn sconceSortTopologically(block: MlirBlock) -> bool;
    pub fn sconceIsUnused(op: MlirOperation) -> bool;
    pub fn sconceIsTriviallyDead(op: MlirOperation) -> bool;
    pub fn sconceIsMemoryEffectFree(op: MlirOperation) -> bool;
    pub fn sconceIsTerminator(op: MlirOperation) -> bool;
    pub fn sconceIsConstantLike(op: MlirOperation) -> bool;
    pub fn sconceFoldOperation(op: MlirOperation, attributes: *mut MlirAttribute, values: *mut MlirValue) -> c_int;

    // sconce/pass.h
    pub fn sconceRegisterPass(row: *const PassRow, run: PassFn);
    pub fn sconceRegisterPipeline(
        argument: MlirStringRef,
        description: MlirStringRef,
        pipeline: MlirStringRef,
        errors: Sink,
        user: *mut c_void,
    ) -> bool;
    pub fn sconcePassExists(argument: MlirStringRef) -> bool;
    pub fn sconcePassOptionNumber(run: *mut PassRun, index: usize) -> i64;
    pub fn sconcePassOptionString(run: *mut PassRun, index: usize) -> MlirStringRef;
    pub fn sconcePassRunPipeline(run: *mut PassRun, pipeline: MlirStringRef, op: MlirOperation) -> MlirLogicalResult;

    // sconce/tools.h
    pub fn sconceOptMain(
        argc: c_int,
        argv: *mut *mut c_char,
        version: MlirStringRef,
        import: Option<ImportFn>,
        export_graph: Option<ImportFn>,
    ) -> c_int;
    pub fn sconceRegisterReader(name: MlirStringRef, description: MlirStringRef, read: ReadFn);
    pub fn sconceRegisterWriter(
        name: MlirStringRef,
        description: MlirStringRef,
        option: MlirStringRef,
        option_help: MlirStringRef,
        option_default: MlirStringRef,
        write: WriteFn,
    );
    pub fn sconceTranslateMain(argc: c_int, argv: *mut *mut c_char, version: MlirStringRef) -> c_int;
    pub fn sconceLspMain(argc: c_int, argv: *mut *mut c_char) -> c_int;

    // sconce/codegen.h
    pub fn sconceEmitCode(
        module: MlirModule,
        target: *const Target,
        what: c_int,
        emit: Sink,
        user: *mut c_void,
    ) -> MlirLogicalResult;
    pub fn sconceEmitPlacedLlvm(
        module: MlirModule,
        target: *const Target,
        emit: Sink,
        line: unsafe extern "C" fn(line: c_uint, source: c_uint, user: *mut c_void),
        user: *mut c_void,
    ) -> MlirLogicalResult;
    pub fn sconceHost(triple: Sink, cpu: Sink, features: Sink, user: *mut c_void);
    pub fn sconceFeatures(target: *const Target, features: Sink, error: Sink, user: *mut c_void);
}

/// `SconceOpRow`
#[repr(C)]
pub struct OpRow {
    pub name: MlirStringRef,
    pub operands: *const MlirStringRef,
    pub num_operands: usize,
    pub results: *const MlirStringRef,
    pub num_results: usize,
    pub result_names: *const MlirStringRef,
    pub num_result_names: usize,
    pub flags: u32,
    pub id: u32,
}

/// `SconceTypeParts`
#[repr(C)]
pub struct TypeParts {
    pub word: MlirStringRef,
    pub num_types: usize,
    pub num_names: usize,
    pub has_sizes: bool,
    pub sizes: *const i64,
    pub num_sizes: usize,
    pub has_encoding: bool,
}

pub type FoldFn = unsafe extern "C" fn(
    id: u32,
    op: MlirOperation,
    count: isize,
    operands: *const MlirAttribute,
    out: *mut MlirAttribute,
    out_values: *mut MlirValue,
) -> c_int;

unsafe extern "C" {
    // sconce/torch.h
    pub fn sconceRegisterOps(rows: *const OpRow, count: usize) -> usize;
    pub fn sconceRegisterOpIn(context: MlirContext, row: *const OpRow) -> bool;
    pub fn sconceSetFold(fold: FoldFn);
    pub fn sconceOpInfo(op: MlirOperation, id: *mut u32, flags: *mut u32) -> bool;
    pub fn sconceTypeParts(r#type: MlirType, parts: *mut TypeParts) -> bool;
    pub fn sconceTypeHolds(r#type: MlirType, types: *mut MlirType);
    pub fn sconceTypeNames(r#type: MlirType, names: *mut MlirStringRef);
    pub fn sconceTypeGet(
        context: MlirContext,
        parts: *const TypeParts,
        types: *const MlirType,
        names: *const MlirStringRef,
    ) -> MlirType;
}
