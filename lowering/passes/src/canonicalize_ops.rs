//! `canonicalize-ops`: a tensor cut into a known number of chunks that are unpacked at once makes no list: `chunk` and `ListUnpack` become `prim::ConstantChunk`.

use crate::dce::eliminate_dead_code;
use crate::graph::{Rewriter, each_function, inputs, int, made_by, nodes, script_type};
use sconce_analysis::operators::kind;
use sconce_ir::prelude::*;
use sconce_pass::{Failure, Pass, PassResult, PassRun};
use sconce_syntax::graph_text::AttributeValue;

/// The pass `canonicalize-ops`.
pub struct CanonicalizeOps;

impl Pass for CanonicalizeOps {
    const NAME: &'static str = "canonicalize-ops";
    const DESCRIPTION: &'static str = "Make chunks that are unpacked at once prim::ConstantChunk, without a list";
    const PYTORCH: &'static str = "`CanonicalizeOps`, which its graph fuser runs first";
    const ANCHOR: Option<&'static str> = None;
    const DIALECTS: &'static [&'static str] = &["torch"];

    fn run(root: OperationRef<'_, '_>, _: &PassRun<'_>) -> PassResult {
        each_function(root, |function| {
            let mut rewriter = Rewriter::new(function.context_ref());
            let unpacked = nodes(function).into_iter().filter(|op| kind(*op) == "prim.ListUnpack");
            unpacked.into_iter().try_for_each(|op| replace(&mut rewriter, op))?;
            eliminate_dead_code(function)
        })
    }
}

fn replace<'c: 'a, 'a>(rewriter: &mut Rewriter<'c>, unpack: OperationRef<'c, 'a>) -> PassResult {
    let Some(chunk) = inputs(unpack).first().and_then(|list| made_by(*list, "aten.chunk")) else { return Ok(()) };
    let ([tensor, chunks, dim], results) = (&inputs(chunk)[..], unpack.result_values()) else { return Ok(()) };
    let (Some(chunks), Some(dim)) = (int(*chunks), int(*dim)) else { return Ok(()) };
    // Where the list has one use, making it and taking it apart are one step.
    let list = inputs(unpack)[0];
    if usize::try_from(chunks) != Ok(results.len()) || list.uses().len() != 1 || chunk.block_ref() != unpack.block_ref()
    {
        return Ok(());
    }
    let attributes = [("chunks", &AttributeValue::Int(chunks)), ("dim", &AttributeValue::Int(dim))];
    let types: Vec<_> = results.iter().map(|v| (v.r#type(), script_type(*v))).collect();
    let at = Builder::before(chunk);
    let made = rewriter.node_with(&at, "prim::ConstantChunk", chunk.location(), &attributes, &[*tensor], &types)?;
    for (old, new) in results.into_iter().zip(made.result_values()) {
        rewriter.replace_uses(old, new)?;
    }
    unpack.erase()?;
    chunk.erase().map_err(Failure::from)
}
