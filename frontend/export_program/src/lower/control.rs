//! Higher-order operators become control flow: branches and loops whose blocks hold the graphs that the operator is given.

use super::body::{Body, Lowering};
use crate::Error;
use sconce_fx::{Argument, GraphModule, Node};
use sconce_graph::graph::{BlockId, NodeId as GraphNode, ValueId};
use sconce_graph::insert::Arg;
use sconce_schema::Type;
use sconce_tensor::IValue;

impl Body<'_> {
    /// Puts a call of a higher-order operator.
    pub fn higher_order(&mut self, node: &Node, name: &str) -> Result<Lowering, Error> {
        let args = &node.args[..];
        match (name, args) {
            ("cond", [condition, yes, no, rest @ ..]) => {
                let graphs = [self.inner(node, Some(yes))?, self.inner(node, Some(no))?];
                let operands = self.all(rest.first())?;
                self.cond(node, condition, graphs, &operands)
            }
            ("while_loop", [condition, body, carried, rest @ ..]) => {
                let graphs = [self.inner(node, Some(condition))?, self.inner(node, Some(body))?];
                let (carried, more) = (self.all(Some(carried))?, self.all(rest.first())?);
                self.while_loop(node, graphs, &carried, &more)
            }
            ("map_impl" | "map", [body, over, rest @ ..]) => {
                let inner = self.inner(node, Some(body))?;
                let (over, more) = (self.all(Some(over))?, self.all(rest.first())?);
                self.scan(node, inner, &[], &over, &more)
            }
            ("scan", [body, first, over, rest @ ..]) => {
                let inner = self.inner(node, Some(body))?;
                let (first, over, more) = (self.all(Some(first))?, self.all(Some(over))?, self.all(rest.first())?);
                self.scan(node, inner, &first, &over, &more)
            }
            ("associative_scan", [body, over, rest @ ..]) => {
                let inner = self.inner(node, Some(body))?;
                let (over, more) = (self.all(Some(over))?, self.all(rest.first())?);
                self.associative_scan(node, inner, &over, &more)
            }
            ("wrap_with_set_grad_enabled", [enabled, body, rest @ ..]) => {
                let inner = self.inner(node, Some(body))?;
                let enabled = self.value(enabled)?;
                let operands = self.each(rest)?;
                let before = self.scalar("aten::is_grad_enabled", &[])?;
                self.effect(node, "aten::set_grad_enabled", &[enabled.into()])?;
                let results = self.inline(inner, &operands)?;
                self.effect(node, "aten::set_grad_enabled", &[before.into()])?;
                Ok(Lowering::Several(results))
            }
            ("wrap_with_autocast", [_, dtype, enabled, _, body, rest @ ..]) => {
                let inner = self.inner(node, Some(body))?;
                let operands = self.each(rest)?;
                let dtype = match (dtype, enabled) {
                    (Argument::DType(dtype), Argument::Bool(true)) => Some(*dtype),
                    (_, Argument::Bool(_)) => None,
                    _ => return Err(self.wrong(node, "whether autocast is on, and for which dtype, is no constant")),
                };
                let before = std::mem::replace(&mut self.autocast, dtype);
                let results = self.inline(inner, &operands);
                self.autocast = before;
                results.map(Lowering::Several)
            }
            ("wrap" | "tag_activation_checkpoint" | "wrap_activation_checkpoint", [body, rest @ ..])
            | ("invoke_subgraph", [body, _, rest @ ..]) => {
                let inner = self.inner(node, Some(body))?;
                let operands = self.each(rest)?;
                self.inline(inner, &operands).map(Lowering::Several)
            }
            ("hints_wrapper", [body, rest @ ..]) => {
                let inner = self.inner(node, Some(body))?;
                let operands = self.all(rest.first())?;
                self.inline(inner, &operands).map(Lowering::Several)
            }
            ("with_effects", [_, Argument::Operator(operator), rest @ ..]) => {
                let entry = sconce_schema::lookup(&operator.schema_name());
                let entry =
                    entry.ok_or_else(|| self.wrong(node, format!("the operator {operator} is not known here")))?;
                // Tokens order what the order of nodes orders here.
                let results = match self.operator(None, node, entry, rest, &node.kwargs)? {
                    Lowering::Several(all) => all,
                    one => vec![one],
                };
                Ok(Lowering::Several(std::iter::once(Lowering::Constant(IValue::None)).chain(results).collect()))
            }
            ("auto_functionalized" | "auto_functionalized_v2", [Argument::Operator(operator), ..]) => {
                let entry = sconce_schema::lookup(&operator.schema_name());
                let entry =
                    entry.ok_or_else(|| self.wrong(node, format!("the operator {operator} is not known here")))?;
                self.functionalized(node, entry)
            }
            _ => Err(self.wrong(node, "the higher-order operator, or so many arguments of it, is not known here")),
        }
    }

    /// What the members of a list or tuple of arguments are.
    fn all(&mut self, list: Option<&Argument>) -> Result<Vec<Lowering>, Error> {
        match list {
            None => Ok(Vec::new()),
            Some(Argument::List(items) | Argument::Tuple(items)) => self.each(items),
            Some(one) => Ok(vec![self.lowering(one)?]),
        }
    }

    fn each(&mut self, items: &[Argument]) -> Result<Vec<Lowering>, Error> {
        items.iter().map(|item| self.lowering(item)).collect()
    }

    /// A call that gives nothing.
    pub fn effect(&mut self, node: &Node, kind: &str, args: &[Arg]) -> Result<(), Error> {
        self.graph.insert_call(kind, args, &[]).map(drop).map_err(|e| self.wrong(node, e.to_string()))
    }

    /// A condition: a bool, or a tensor that holds one.
    fn condition(&mut self, node: &Node, lowered: &Lowering) -> Result<ValueId, Error> {
        let value = self.value_of(lowered)?;
        match self.graph.ty(value) {
            Type::Bool => Ok(value),
            Type::Tensor(_) | Type::Int => self.scalar("aten::Bool", &[value.into()]),
            other => {
                let what = format!("a condition is a {other}");
                Err(self.wrong(node, what))
            }
        }
    }

    fn values(&mut self, all: &[Lowering]) -> Result<Vec<ValueId>, Error> {
        all.iter().map(|l| self.value_of(l)).collect()
    }

    /// The outputs of a node, as many as a block of it passes on behind `skip`, with their types.
    fn outputs(&mut self, made: GraphNode, block: BlockId, skip: usize) -> Vec<Lowering> {
        let types: Vec<Type> =
            self.graph.block_outputs(block).iter().skip(skip).map(|v| self.graph.ty(*v).clone()).collect();
        types.into_iter().map(|ty| Lowering::Value(self.graph.add_output(made, None, ty))).collect()
    }

    fn cond(
        &mut self,
        node: &Node,
        condition: &Argument,
        graphs: [&GraphModule; 2],
        operands: &[Lowering],
    ) -> Result<Lowering, Error> {
        let condition = self.lowering(condition)?;
        let condition = self.condition(node, &condition)?;
        let made = self.graph.node("prim::If", &[condition]);
        self.graph.insert_node(made);
        let mut passed = Vec::new();
        for inner in graphs {
            let block = self.graph.add_block(made);
            let outputs = self.within(block, |body| {
                let outputs = body.inline(inner, operands)?;
                body.values(&outputs)
            })?;
            self.graph.set_block_outputs(block, &outputs);
            passed.push((block, outputs.len()));
        }
        match passed[..] {
            [(first, n), (_, m)] if n == m => Ok(Lowering::Several(self.outputs(made, first, 0))),
            _ => Err(self.wrong(node, "its two graphs do not give as many values")),
        }
    }

    /// A loop over what it carries: `turn` is given the number of the turn and what is carried, and gives whether it goes on and what is carried then.
    fn looped(
        &mut self,
        most: Arg,
        first: ValueId,
        carried: &[ValueId],
        turn: impl FnOnce(&mut Self, ValueId, &[Lowering]) -> Result<(ValueId, Vec<ValueId>), Error>,
    ) -> Result<Vec<Lowering>, Error> {
        let most = self.operand(most);
        let operands: Vec<ValueId> = [most, first].into_iter().chain(carried.iter().copied()).collect();
        let made = self.graph.node("prim::Loop", &operands);
        self.graph.insert_node(made);
        let block = self.graph.add_block(made);
        let number = self.graph.add_input(block, None, Type::Int);
        let types: Vec<Type> = carried.iter().map(|v| self.graph.ty(*v).clone()).collect();
        let inputs: Vec<Lowering> =
            types.iter().map(|ty| Lowering::Value(self.graph.add_input(block, None, ty.clone()))).collect();
        let (goes_on, passed) = self.within(block, |body| turn(body, number, &inputs))?;
        let outputs: Vec<ValueId> = std::iter::once(goes_on).chain(passed).collect();
        self.graph.set_block_outputs(block, &outputs);
        Ok(self.outputs(made, block, 1))
    }

    fn while_loop(
        &mut self,
        node: &Node,
        [condition, inner]: [&GraphModule; 2],
        carried: &[Lowering],
        more: &[Lowering],
    ) -> Result<Lowering, Error> {
        let asked = |body: &mut Self, carried: &[Lowering]| {
            let given: Vec<Lowering> = carried.iter().chain(more).cloned().collect();
            match &body.inline(condition, &given)?[..] {
                [one] => body.condition(node, one),
                _ => Err(body.wrong(node, "the graph of the condition does not give one value")),
            }
        };
        let first = asked(self, carried)?;
        let values = self.values(carried)?;
        let most = Arg::Constant(IValue::Int(i64::MAX));
        let results = self.looped(most, first, &values, |body, _, carried| {
            let given: Vec<Lowering> = carried.iter().chain(more).cloned().collect();
            let next = body.inline(inner, &given)?;
            if next.len() != carried.len() {
                let what = format!("{} values are carried, and the body gives {}", carried.len(), next.len());
                return Err(body.wrong(node, what));
            }
            let goes_on = asked(body, &next)?;
            Ok((goes_on, body.values(&next)?))
        })?;
        Ok(Lowering::Several(results))
    }

    /// A loop over the first dimension of tensors. What the graph gives behind what is carried is put together along a new first dimension.
    fn scan(
        &mut self,
        node: &Node,
        inner: &GraphModule,
        first: &[Lowering],
        over: &[Lowering],
        more: &[Lowering],
    ) -> Result<Lowering, Error> {
        let over = self.values(over)?;
        let turns = self.rows(node, &over)?;
        let results = match inner.graph.output() {
            Some(Argument::Tuple(items) | Argument::List(items)) => items.len(),
            _ => 1,
        };
        let stacked = results.checked_sub(first.len()).ok_or_else(|| {
            self.wrong(node, format!("{} values are carried, and its graph gives {results}", first.len()))
        })?;
        let lists: Vec<ValueId> = (0..stacked).map(|_| self.empty_list()).collect();
        let start = self.graph.insert_constant(IValue::Bool(true));
        let carried = self.values(first)?;
        let mut outputs = self.looped(turns.into(), start, &carried, |body, turn, carried| {
            let mut given = carried.to_vec();
            for tensor in &over {
                given.push(Lowering::Value(body.scalar("aten::select", &[(*tensor).into(), 0.into(), turn.into()])?));
            }
            given.extend(more.iter().cloned());
            let results = body.inline(inner, &given)?;
            let values = body.values(&results)?;
            let (next, rows) = values.split_at(carried.len());
            for (list, row) in lists.iter().zip(rows) {
                body.effect(node, "aten::append", &[(*list).into(), (*row).into()])?;
            }
            let goes_on = body.graph.insert_constant(IValue::Bool(true));
            Ok((goes_on, next.to_vec()))
        })?;
        for list in lists {
            outputs.push(Lowering::Value(self.scalar("aten::stack", &[list.into(), 0.into()])?));
        }
        Ok(Lowering::Several(outputs))
    }

    /// How many rows there are to go over.
    fn rows(&mut self, node: &Node, over: &[ValueId]) -> Result<ValueId, Error> {
        match over {
            [first, ..] => self.scalar("aten::size", &[(*first).into(), 0.into()]),
            [] => Err(self.wrong(node, "there is nothing to go over")),
        }
    }

    pub fn empty_list(&mut self) -> ValueId {
        self.graph.insert_value("prim::ListConstruct", &[], Type::list(Type::tensor()))
    }

    /// Each row joined with all before it, in their order.
    fn associative_scan(
        &mut self,
        node: &Node,
        inner: &GraphModule,
        over: &[Lowering],
        more: &[Lowering],
    ) -> Result<Lowering, Error> {
        let over = self.values(over)?;
        let count = self.rows(node, &over)?;
        let turns = self.scalar("aten::sub", &[count.into(), 1.into()])?;
        let (mut carried, mut lists) = (Vec::new(), Vec::new());
        for tensor in &over {
            let row = self.scalar("aten::select", &[(*tensor).into(), 0.into(), 0.into()])?;
            lists.push(self.graph.insert_value("prim::ListConstruct", &[row], Type::list(Type::tensor())));
            carried.push(row);
        }
        let start = self.graph.insert_constant(IValue::Bool(true));
        self.looped(turns.into(), start, &carried, |body, turn, carried| {
            let at = body.scalar("aten::add", &[turn.into(), 1.into()])?;
            let mut given = carried.to_vec();
            for tensor in &over {
                given.push(Lowering::Value(body.scalar("aten::select", &[(*tensor).into(), 0.into(), at.into()])?));
            }
            given.extend(more.iter().cloned());
            let next = body.inline(inner, &given)?;
            let next = body.values(&next)?;
            if next.len() != carried.len() {
                return Err(body.wrong(node, format!("its graph gives {} values for {}", next.len(), carried.len())));
            }
            for (list, row) in lists.iter().zip(&next) {
                body.effect(node, "aten::append", &[(*list).into(), (*row).into()])?;
            }
            let goes_on = body.graph.insert_constant(IValue::Bool(true));
            Ok((goes_on, next))
        })?;
        let mut outputs = Vec::new();
        for list in lists {
            outputs.push(Lowering::Value(self.scalar("aten::stack", &[list.into(), 0.into()])?));
        }
        Ok(Lowering::Several(outputs))
    }

    /// A call of an operator that writes, on copies of what it writes to: its results, and the copies. The second form names the copies' bases beside.
    fn functionalized(&mut self, node: &Node, entry: &'static sconce_schema::OpEntry) -> Result<Lowering, Error> {
        let find = |name: &str| node.kwargs.iter().find(|(n, _)| n == name).map(|(_, a)| a);
        let mut copies = Vec::new();
        if let Some(bases) = find("_all_bases") {
            for base in self.all(Some(bases))? {
                let base = self.value_of(&base)?;
                copies.push(self.scalar("aten::clone", &[base.into()])?);
            }
        }
        let has_bases = find("_all_bases").is_some();
        let schema = entry.schema();
        let mut given: Vec<(&str, Arg)> = Vec::new();
        for formal in &schema.arguments {
            let based = find(&format!("_{}_base_index", formal.name));
            let argument = match (based, find(&formal.name)) {
                (Some(Argument::Int(base)), _) => {
                    let copy = usize::try_from(*base).ok().and_then(|i| copies.get(i)).copied();
                    let copy = copy.ok_or_else(|| self.wrong(node, format!("there is no base {base}")))?;
                    self.view_of(node, &formal.name, copy)?.into()
                }
                (Some(_), _) => Arg::Constant(IValue::None),
                (None, Some(argument)) => self.argument(argument, Some(&formal.ty))?,
                (None, None) => continue,
            };
            let writes = formal.alias.as_ref().is_some_and(|a| a.is_write);
            let argument = match argument {
                Arg::Value(value) if writes && !has_bases => {
                    let copy = self.scalar("aten::clone", &[value.into()])?;
                    copies.push(copy);
                    copy.into()
                }
                other => other,
            };
            given.push((&formal.name, argument));
        }
        let put = self.graph.insert_overload(entry, &[], &given).map_err(|e| self.wrong(node, e.to_string()))?;
        let mut results: Vec<Lowering> = self.graph.outputs(put).iter().map(|v| Lowering::Value(*v)).collect();
        if results.is_empty() {
            results.push(Lowering::Constant(IValue::None));
        }
        results.extend(copies.into_iter().map(Lowering::Value));
        Ok(Lowering::Several(results))
    }

    /// The part of a copied base that an argument was a view of.
    fn view_of(&mut self, node: &Node, name: &str, base: ValueId) -> Result<ValueId, Error> {
        let find =
            |what: &str| node.kwargs.iter().find(|(n, _)| *n == format!("_{name}_{what}")).map(|(_, a)| a.clone());
        if let (Some(size), Some(stride)) = (find("size"), find("stride")) {
            let mut args = vec![Arg::Value(base)];
            for argument in [Some(size), Some(stride), find("storage_offset")].into_iter().flatten() {
                args.push(self.argument(&argument, None)?);
            }
            return self.scalar("aten::as_strided", &args);
        }
        if let (Some(dim), Some(start), Some(end)) = (find("slice_dim"), find("slice_start"), find("slice_end")) {
            let mut args = vec![Arg::Value(base)];
            for argument in [dim, start, end] {
                args.push(self.argument(&argument, None)?);
            }
            return self.scalar("aten::slice", &args);
        }
        Ok(base)
    }
}
