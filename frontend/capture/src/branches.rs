//! A branch that data decides becomes `cond`: both sides are captured as graphs of their own.

use crate::calls::set_grad_mode;
use crate::error::{Error, refused};
use crate::joined::Joined;
use crate::run::{Capture, Sym, SymKind, Value, Values};
use crate::scopes::{Scope, with_operands};
use sconce_fx::{Argument, NodeId, Val};
use sconce_graph::graph::{BlockId, Graph, NodeId as GraphNode};
use sconce_tensor::{IValue, Tensor};

/// How deep branches and loops that data decides may be nested.
const MOST_SCOPES: usize = 16;

const OPERATOR: &str = "cond";

impl Capture<'_> {
    pub fn check_depth(&self) -> Result<(), Error> {
        if self.scopes.len() < MOST_SCOPES {
            return Ok(());
        }
        Err(refused(format!("branches and loops that data decides are nested deeper than {MOST_SCOPES}")))
    }

    /// A branch whose condition is only known when the program runs.
    pub fn cond(
        &mut self,
        graph: &Graph,
        node: GraphNode,
        values: &mut Values,
        condition: &Value,
    ) -> Result<Vec<Value>, Error> {
        let (Some(sym), [yes, no]) = (&condition.sym, graph.blocks(node)) else {
            return Err(refused("a branch without two blocks"));
        };
        self.check_depth()?;
        let taken = matches!(condition.it, IValue::Bool(true));
        let place = self.place.clone();
        let mut sides = Vec::new();
        for block in [*yes, *no] {
            sides.push(self.side(graph, block, values)?);
            self.place.clone_from(&place);
        }
        let raises = |side: &(Scope, Result<Vec<Value>, Error>)| match &side.1 {
            Err(Error::Refused { operator: Some(operator), .. }) => operator == "prim::RaiseException",
            _ => false,
        };
        let raised: Vec<bool> = sides.iter().map(raises).collect();
        match raised[..] {
            [false, true] if taken => return self.asserted(graph, *yes, values, sym, true),
            [true, false] if !taken => return self.asserted(graph, *no, values, sym, false),
            _ => {}
        }
        let (Some((mut no, no_values)), Some((mut yes, yes_values))) = (sides.pop(), sides.pop()) else {
            return Err(refused("a branch without two blocks"));
        };
        let (yes_values, no_values) = (yes_values?, no_values?);
        let mut joins = Vec::new();
        for (a, b) in yes_values.iter().zip(&no_values) {
            joins.push(self.joined((&yes, a), (&no, b))?);
        }
        let mut written: Vec<Tensor> = yes.written.iter().map(|w| w.tensor.clone()).collect();
        for w in &no.written {
            if !written.iter().any(|t| t.is(&w.tensor)) {
                written.push(w.tensor.clone());
            }
        }
        let says = Self::has_effects(&yes) || Self::has_effects(&no);
        for (side, values) in [(&mut yes, &yes_values), (&mut no, &no_values)] {
            self.finish_side(side, values, &joins, &written, says)?;
        }
        let mut operands: Vec<NodeId> = yes.operands.iter().map(|(outer, _)| *outer).collect();
        for (outer, _) in &no.operands {
            if !operands.contains(outer) {
                operands.push(*outer);
            }
        }
        let vals = yes.graph.output().and_then(Argument::items).unwrap_or_default().iter();
        let vals: Vec<Val> = vals.filter_map(|a| yes.graph.get(a.node()?)?.meta.val.clone()).collect();
        let (chosen, wrote) = if taken {
            (yes_values, std::mem::take(&mut yes.written))
        } else {
            (no_values, std::mem::take(&mut no.written))
        };
        let mut call = None;
        if !vals.is_empty() {
            let number = self.scope.submodules.len() / 2;
            let mut args = vec![Argument::Node(self.truth(sym)?)];
            for (name, side) in [(format!("true_graph_{number}"), yes), (format!("false_graph_{number}"), no)] {
                let graph = with_operands(&side, &operands, &self.scope.graph)?;
                args.push(self.submodule(name, graph, side.submodules)?);
            }
            args.push(Argument::Tuple(operands.into_iter().map(Argument::Node).collect()));
            let target = format!("torch.ops.higher_order.{OPERATOR}");
            call = Some(self.call_node(&target, args, Vec::new(), Some(Val::Tuple(vals)))?);
        }
        let (mut results, mut at) = (Vec::new(), 0);
        for (joined, value) in joins.iter().zip(&chosen) {
            results.push(match (joined, call) {
                (Joined::Same(same), _) => same.clone(),
                (_, Some(call)) => self.received(joined, value, call, &mut at)?,
                (_, None) => return Err(refused("a branch gives what no node does")),
            });
        }
        if let Some(call) = call {
            for tensor in written {
                let after = wrote.iter().find(|w| w.tensor.is(&tensor)).and_then(|w| w.after.clone());
                self.write_result(&tensor, after, call, &mut at)?;
            }
        }
        Ok(results)
    }

    /// What says a truth value: the tensor that it was read from, where it was read from one of bools.
    fn truth(&mut self, sym: &Sym) -> Result<NodeId, Error> {
        let node = self.sym_node(sym)?;
        let read = self.scope.graph.get(node).filter(|n| n.target == "torch.ops.aten.item.default");
        let of = read.and_then(|n| n.args.first()?.node());
        Ok(of.unwrap_or(node))
    }

    /// Captures a side, whose writes are undone.
    fn side(
        &mut self,
        graph: &Graph,
        block: BlockId,
        values: &Values,
    ) -> Result<(Scope, Result<Vec<Value>, Error>), Error> {
        let mut inner = values.clone();
        let mode = self.grad_enabled()?;
        self.enter(Scope::of(OPERATOR));
        let results = self.block(graph, block, &mut inner);
        let mut scope = self.leave();
        set_grad_mode(&mode)?;
        Self::undo_writes(&mut scope)?;
        Ok((scope, results))
    }

    /// One side raises: that it is not taken is asserted, and the other goes on here.
    fn asserted(
        &mut self,
        graph: &Graph,
        block: BlockId,
        values: &mut Values,
        sym: &Sym,
        holds: bool,
    ) -> Result<Vec<Value>, Error> {
        let place = self.place.as_ref().map(|p| p.origin().unwrap_or(p).to_string()).unwrap_or_default();
        let message = Argument::Str(format!("the program raises at {place}"));
        let mut condition = self.truth(sym)?;
        if let Some(val @ Some(Val::Tensor(_))) = self.scope.graph.get(condition).map(|n| n.meta.val.clone()) {
            if !holds {
                let args = vec![Argument::Node(condition)];
                condition = self.call_node("torch.ops.aten.logical_not.default", args, Vec::new(), val)?;
            }
            let args = vec![Argument::Node(condition), message];
            self.call_node("torch.ops.aten._assert_async.msg", args, Vec::new(), Some(Val::None))?;
            return self.block(graph, block, values);
        }
        if !holds {
            let args = vec![Argument::Node(condition)];
            let not = self.number_node("torch.sym_not", args, IValue::Bool(true), sym.dim, SymKind::Bool, true)?;
            condition = not.sym.map_or(condition, |s| s.node);
        }
        let args = vec![Argument::Node(condition), message];
        self.call_node("torch.ops.aten._assert_scalar.default", args, Vec::new(), Some(Val::None))?;
        self.block(graph, block, values)
    }

    /// Puts a side's output. Where all that a side does is say something, a number that nobody reads makes it run.
    fn finish_side(
        &mut self,
        side: &mut Scope,
        values: &[Value],
        joins: &[Joined],
        written: &[Tensor],
        says: bool,
    ) -> Result<(), Error> {
        self.enter(std::mem::take(side));
        let mut outputs = Vec::new();
        let mut put = || {
            for (value, joined) in values.iter().zip(joins) {
                self.passed_on(value, joined, true, &mut outputs)?;
            }
            for tensor in written {
                outputs.push(self.written_node(tensor)?);
            }
            if outputs.is_empty() && says {
                outputs.push(self.number_tensor(&IValue::Bool(true).into(), sconce_schema::DType::Bool)?);
            }
            self.finish_graph(std::mem::take(&mut outputs))
        };
        let put = put();
        *side = self.leave();
        put
    }
}
