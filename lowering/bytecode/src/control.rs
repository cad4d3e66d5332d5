//! Structured control flow becomes jumps: what blocks pass on is moved to the registers of the results.

use crate::Error;
use crate::lower::{Body, Lowering, copies};
use crate::nodes::{is_true, is_while, types_attr};
use sconce_graph::graph::{BlockId, NodeId};
use sconce_interpreter::program::{Op, Pc, Register};
use sconce_tensor::IValue;

impl Lowering<'_> {
    pub fn branch(&mut self, body: &mut Body<'_>, node: NodeId) -> Result<(), Error> {
        let condition = self.operand(body, node, 0)?;
        let results = body.results(node);
        let place = self.place(body, node);
        let [then, otherwise] = *body.graph.blocks(node) else {
            return Err(self.malformed(body.graph, node, "prim::If without two blocks"));
        };
        let skip = body.function.push(Op::JumpUnless(0), [], copies(&[condition]), place);
        self.arm(body, then, &results)?;
        let over = body.function.push(Op::Jump(0), [], [], None);
        let at = body.function.code.len() as Pc;
        body.function.set_target(skip, at);
        self.arm(body, otherwise, &results)?;
        let end = body.function.code.len() as Pc;
        body.function.set_target(over, end);
        Ok(())
    }

    fn arm(&mut self, body: &mut Body<'_>, block: BlockId, results: &[Register]) -> Result<(), Error> {
        let values = self.block(body, block)?;
        if !results.is_empty() && values.len() == results.len() {
            body.function.push(Op::Move, results.iter().copied(), copies(&values), None);
        }
        Ok(())
    }

    pub fn repeat(&mut self, body: &mut Body<'_>, node: NodeId) -> Result<(), Error> {
        let graph = body.graph;
        let [block] = *graph.blocks(node) else {
            return Err(self.malformed(graph, node, "prim::Loop without a block"));
        };
        let uncounted = is_while(graph, node);
        // The trip count of an uncounted loop has no register.
        let mut inputs = Vec::new();
        for (i, value) in graph.inputs(node).iter().enumerate() {
            let absorbed = i == 0 && uncounted;
            match body.register(*value) {
                Some(r) => inputs.push(r),
                None if absorbed || !self.unsupported.is_empty() => inputs.push(0),
                None => return Err(self.malformed(graph, node, "prim::Loop reads a value that is not computed")),
            }
        }
        let arguments = graph.block_inputs(block);
        if inputs.len() < 2 || arguments.len() + 1 != inputs.len() {
            return Err(self.malformed(graph, node, "prim::Loop whose block does not fit its operands"));
        }
        let place = self.place(body, node);
        let carried: Vec<Register> = arguments[1..].iter().map(|v| body.define(*v)).collect();
        for (value, r) in graph.outputs(node).iter().zip(&carried) {
            body.alias(*value, *r);
        }
        if !carried.is_empty() {
            body.function.push(Op::Move, carried.iter().copied(), copies(&inputs[2..]), None);
        }
        let goes_on = graph.block_outputs(block).first().is_some_and(|v| is_true(graph, *v));
        // `for` has no condition of its own: a constant is tested, and nothing is carried.
        let condition = if is_true(graph, graph.inputs(node)[1]) && goes_on {
            inputs[1]
        } else {
            let r = body.fresh();
            body.function.push(Op::Move, [r], copies(&[inputs[1]]), None);
            r
        };
        let counter = (!uncounted).then(|| {
            let r = body.define(arguments[0]);
            let zero = self.constant(IValue::Int(0));
            body.function.push(Op::Constant(zero), [r], [], None);
            r
        });
        let top = match counter {
            Some(counter) => body.function.push(Op::LoopUnless(0), [], copies(&[counter, inputs[0], condition]), place),
            None => body.function.push(Op::JumpUnless(0), [], copies(&[condition]), place),
        };
        let values = self.block(body, block)?;
        if values.len() == carried.len() + 1 {
            let skip = usize::from(condition == inputs[1]);
            let outputs = [condition].into_iter().chain(carried.iter().copied()).skip(skip);
            if values.len() > skip {
                body.function.push(Op::Move, outputs, copies(&values[skip..]), None);
            }
        }
        if let Some(counter) = counter {
            body.function.push(Op::Next, [counter], copies(&[counter]), None);
        }
        body.function.push(Op::Jump(top), [], [], None);
        let end = body.function.code.len() as Pc;
        body.function.set_target(top, end);
        Ok(())
    }

    /// `%y, …, %holds = prim::TypeCheck[types=[…]](%x, …)`: the operands, and whether they are what the rest was optimised for.
    ///
    /// Whether gradients are wanted changes no result.
    pub fn type_check(&mut self, body: &mut Body<'_>, node: NodeId) -> Result<(), Error> {
        let graph = body.graph;
        let operands = self.operands(body, node)?;
        let (Some(types), [same @ .., holds]) = (types_attr(graph, node), graph.outputs(node)) else {
            let message = format!("{} without types or without results", graph.kind(node));
            return Err(self.malformed(graph, node, message));
        };
        if types.len() != operands.len() || same.len() != operands.len() {
            let message = format!("{} has not one type for each operand", graph.kind(node));
            return Err(self.malformed(graph, node, message));
        }
        for (value, register) in same.iter().zip(&operands) {
            body.alias(*value, *register);
        }
        let place = self.place(body, node);
        let [no, yes] = [false, true].map(|b| self.constant(IValue::Bool(b)));
        let answer = body.define(*holds);
        body.function.push(Op::Constant(no), [answer], [], place);
        let mut exits = Vec::new();
        for (ty, register) in types.iter().zip(&operands) {
            let fits = body.fresh();
            let ty = self.numbers.ty(&mut self.program, ty);
            body.function.push(Op::IsInstance(ty), [fits], copies(&[*register]), place);
            exits.push(body.function.push(Op::JumpUnless(0), [], copies(&[fits]), None));
        }
        body.function.push(Op::Constant(yes), [answer], [], place);
        let end = body.function.code.len() as Pc;
        exits.into_iter().for_each(|exit| body.function.set_target(exit, end));
        Ok(())
    }

    /// `torch.runtime.assert`, which says its message itself.
    pub fn assertion(&mut self, body: &mut Body<'_>, node: NodeId) -> Result<(), Error> {
        let condition = self.operand(body, node, 0)?;
        let place = self.place(body, node);
        let said = body.graph.str_attr(node, "message").map_or("", |m| m);
        let message = self.constant(IValue::str(said));
        let text = body.fresh();
        let fail = body.function.push(Op::JumpUnless(0), [], copies(&[condition]), place);
        let over = body.function.push(Op::Jump(0), [], [], None);
        let at = body.function.push(Op::Constant(message), [text], [], None);
        body.function.push(Op::Raise, [], copies(&[text]), place);
        let end = body.function.code.len() as Pc;
        body.function.set_target(fail, at);
        body.function.set_target(over, end);
        Ok(())
    }
}
