//! A loop that data decides becomes `while_loop`: what its turns change is handed on as tensors, and its body is captured once.
//!
//! Turns are taken out in front of it as long as no data decides whether they are run. The example's values behind it are those of the turns that it runs.

use crate::emit::sweep;
use crate::error::{Error, refused};
use crate::joined::{Joined, number_of, rebuilt, scalar};
use crate::run::{Capture, Value, Values};
use crate::scopes::{Scope, with_operands};
use sconce_fx::{Argument, Graph as FxGraph, GraphModule, Meta, Node, NodeId, Op, Val};
use sconce_graph::graph::{BlockId, Graph};
use sconce_schema::DType;
use sconce_schema::dim::{Dim, DimOp};
use sconce_tensor::{IValue, Tensor};

/// What a loop is about to begin a turn with.
pub(crate) struct State {
    /// How many turns it runs at most; [`i64::MAX`] is no bound.
    pub trips: Value,
    pub condition: Value,
    /// How many it has run.
    pub trip: i64,
    pub carried: Vec<Value>,
}

/// A turn that was captured.
struct Turn {
    scope: Scope,
    condition: Value,
    counter: Value,
    carried: Vec<Value>,
}

/// How many turns of the example are run to know its values behind the loop, which decide nothing; of a loop inside of others fewer.
const MOST_TURNS: usize = 1 << 10;
const MOST_INNER_TURNS: usize = 1 << 4;

/// What turns hand on besides the program's values.
#[derive(Clone, Copy)]
struct Control {
    /// Whether there is another turn, as the turn before said.
    flag: bool,
    /// The number of the turn.
    counter: bool,
}

const OPERATOR: &str = "while_loop";

impl Capture<'_> {
    /// A loop whose number of turns is only known when the program runs.
    pub fn while_loop(
        &mut self,
        graph: &Graph,
        block: BlockId,
        values: &Values,
        state: &State,
    ) -> Result<Vec<Value>, Error> {
        self.check_depth()?;
        let place = self.place.clone();
        let bounded = state.trips.sym.is_some() || !matches!(state.trips.it, IValue::Int(i64::MAX));
        let counted = graph.block_inputs(block).first().is_some_and(|v| !graph.uses(*v).is_empty());
        let mut control = Control { flag: true, counter: bounded || counted };
        let mut joins: Vec<Joined> = state.carried.iter().map(|v| Joined::Same(v.clone())).collect();
        let mut turn = loop {
            let before = self.snapshot();
            let mut turn = self.turn(graph, block, values, control, &joins, state.trip, &state.carried)?;
            self.place.clone_from(&place);
            Self::undo_writes(&mut turn.scope)?;
            let next = self.next_joins(&joins, state, &turn)?;
            let leaves = |joins: &[Joined]| joins.iter().map(Joined::leaves).sum::<usize>();
            if leaves(&next) == leaves(&joins) {
                break turn;
            }
            self.restore(before);
            joins = next;
        };
        let always = |v: &Value| v.sym.is_none() && matches!(v.it, IValue::Bool(true));
        control.flag = !(always(&state.condition) && always(&turn.condition));
        let (ran, bytes) = self.example(graph, block, values, control, &joins, state)?;
        self.place.clone_from(&place);
        self.finish_turn(&mut turn, control, &joins)?;
        let mut carried = Vec::new();
        if control.flag {
            carried.push(self.number_tensor(&state.condition, DType::Bool)?);
        }
        if control.counter {
            carried.push(self.number_tensor(&IValue::Int(state.trip).into(), DType::I64)?);
        }
        for (value, joined) in state.carried.iter().zip(&joins) {
            self.passed_on(value, joined, false, &mut carried)?;
        }
        for written in &turn.scope.written {
            carried.push(self.tensor_node(&written.tensor)?);
        }
        hand_on_written(&mut turn.scope);
        let mut operands: Vec<NodeId> = turn.scope.operands.iter().map(|(outer, _)| *outer).collect();
        let bound = match (&state.trips.sym, &state.trips.it) {
            (None, IValue::Int(i64::MAX)) => None,
            (None, IValue::Int(n)) => Some(Argument::Int(*n)),
            _ => {
                let node = self.number_tensor(&state.trips, DType::I64)?;
                operands.push(node);
                Some(Argument::Node(node))
            }
        };
        let body = with_operands(&turn.scope, &operands, &self.scope.graph)?;
        let truth = Val::Tensor(self.tensor_val(&scalar(&IValue::Bool(true), DType::Bool)?, &[])?);
        let condition = condition_graph(&body, control, bound, &truth)?;
        let vals: Vec<Val> =
            (0..carried.len()).filter_map(|i| body.placeholders().nth(i)?.1.meta.val.clone()).collect();
        let number = self.scope.submodules.len() / 2;
        let mut args = Vec::new();
        let body = (format!("{OPERATOR}_body_graph_{number}"), body, turn.scope.submodules);
        let condition = (format!("{OPERATOR}_cond_graph_{number}"), condition, Default::default());
        for (name, graph, submodules) in [condition, body] {
            args.push(self.submodule(name, graph, submodules)?);
        }
        args.push(Argument::Tuple(carried.into_iter().map(Argument::Node).collect()));
        args.push(Argument::Tuple(operands.into_iter().map(Argument::Node).collect()));
        let target = format!("torch.ops.higher_order.{OPERATOR}");
        let call = self.call_node(&target, args, Vec::new(), Some(Val::Tuple(vals)))?;
        let mut at = i64::from(control.flag) + i64::from(control.counter);
        let mut results = Vec::new();
        for (joined, ran) in joins.iter().zip(&ran) {
            results.push(self.received(joined, ran, call, &mut at)?);
        }
        for (i, written) in turn.scope.written.iter().enumerate() {
            self.write_result(&written.tensor, bytes.get(i).cloned(), call, &mut at)?;
        }
        Ok(results)
    }

    /// A nested graph as an argument of the operator that runs it.
    pub fn submodule(
        &mut self,
        name: String,
        graph: FxGraph,
        submodules: indexmap::IndexMap<String, GraphModule>,
    ) -> Result<Argument, Error> {
        self.scope.submodules.insert(name.clone(), GraphModule { class_name: name.clone(), graph, submodules });
        let node_name = self.scope.graph.unique_name(&name);
        Ok(Argument::Node(self.push(Node::new(Op::GetAttr, node_name, name))?))
    }

    /// Captures a turn that begins with these values.
    fn turn(
        &mut self,
        graph: &Graph,
        block: BlockId,
        values: &Values,
        control: Control,
        joins: &[Joined],
        trip: i64,
        carried: &[Value],
    ) -> Result<Turn, Error> {
        self.enter(Scope::of(OPERATOR));
        let turn = self.turn_inside(graph, block, values, control, joins, trip, carried);
        let mut scope = self.leave();
        match turn {
            Ok((condition, counter, carried)) => Ok(Turn { scope, condition, counter, carried }),
            Err(e) => {
                Self::undo_writes(&mut scope)?;
                Err(e)
            }
        }
    }

    fn turn_inside(
        &mut self,
        graph: &Graph,
        block: BlockId,
        values: &Values,
        control: Control,
        joins: &[Joined],
        trip: i64,
        carried: &[Value],
    ) -> Result<(Value, Value, Vec<Value>), Error> {
        if control.flag {
            let flag = scalar(&IValue::Bool(true), DType::Bool)?;
            self.handed_on(&flag, &[])?;
        }
        let mut counter: Value = IValue::Int(trip).into();
        if control.counter {
            counter = self.bound(&Joined::Number(DType::I64), &counter)?;
        }
        let mut inner = values.clone();
        let mut inputs = vec![counter.clone()];
        for (joined, value) in joins.iter().zip(carried) {
            inputs.push(self.bound(joined, value)?);
        }
        inner.extend(graph.block_inputs(block).iter().copied().zip(inputs));
        let mut results = self.block(graph, block, &mut inner)?.into_iter();
        let condition = results.next().ok_or_else(|| refused("a loop's body without a condition"))?;
        Ok((condition, counter, results.collect()))
    }

    /// A tensor that the turn before hands on.
    fn handed_on(&mut self, t: &Tensor, sizes: &[Dim]) -> Result<(), Error> {
        let val = Some(Val::Tensor(self.tensor_val(t, sizes)?));
        let node = self.placeholder_inside(val)?;
        self.scope.carried.push(node);
        self.give(t, node, sizes.to_vec());
        self.taint(t);
        Ok(())
    }

    /// What a turn begins with in the place of a value.
    fn bound(&mut self, joined: &Joined, value: &Value) -> Result<Value, Error> {
        match (joined, &value.it) {
            (Joined::Same(same), _) => Ok(same.clone()),
            (Joined::Tensor(like, sizes), it) => {
                let t = if let IValue::Tensor(t) = it { t.copy()? } else { like.copy()? };
                self.handed_on(&t, sizes)?;
                Ok(IValue::Tensor(t).into())
            }
            (Joined::Number(dtype), number) => {
                let t = scalar(number, *dtype)?;
                self.handed_on(&t, &[])?;
                let plain = number_of(number, *dtype);
                self.item(&t, plain)
            }
            (Joined::Members(like, members, _), it) => {
                let of = match it {
                    IValue::Uninitialized => vec![value.clone(); members.len()],
                    _ => self.children(value).unwrap_or_default(),
                };
                let mut bound = Vec::new();
                for (joined, member) in members.iter().zip(&of) {
                    bound.push(self.bound(joined, member)?);
                }
                // It is none that a turn made: whoever writes it may write one from outside.
                let container = rebuilt(like, bound.iter().map(|v| v.it.clone()).collect());
                self.remember(&container, bound.into_iter().map(|v| v.sym).collect());
                Ok(container.into())
            }
        }
    }

    /// What is handed on, now that a turn has shown what becomes of it.
    fn next_joins(&self, joins: &[Joined], state: &State, turn: &Turn) -> Result<Vec<Joined>, Error> {
        let outside = Scope::of(OPERATOR);
        let each = joins.iter().zip(&state.carried).zip(&turn.carried);
        each.map(|((joined, entry), result)| self.next_join(joined, (&outside, entry), (&turn.scope, result))).collect()
    }

    fn next_join(&self, joined: &Joined, entry: (&Scope, &Value), result: (&Scope, &Value)) -> Result<Joined, Error> {
        let now = match (joined, &entry.1.it) {
            (Joined::Same(_), _) | (_, IValue::Uninitialized) => self.joined(entry, result)?,
            (Joined::Members(like, members, kept), _) => {
                let (before, after) = (self.children(entry.1), self.children(result.1));
                match (before, after) {
                    (Some(before), Some(after)) if before.len() == members.len() && after.len() == members.len() => {
                        let each = members.iter().zip(before.iter().zip(&after));
                        let members = each.map(|(m, (b, a))| self.next_join(m, (entry.0, b), (result.0, a)));
                        Joined::Members(like.clone(), members.collect::<Result<_, Error>>()?, kept.clone())
                    }
                    _ => self.joined(entry, result)?,
                }
            }
            _ => self.joined(entry, result)?,
        };
        // What was handed on once stays so, whatever this turn leaves of it.
        Ok(if let Joined::Same(_) = now { joined.clone() } else { now })
    }

    /// Runs the example's turns, and gives what they leave: values, and the bytes of what they write.
    fn example(
        &mut self,
        graph: &Graph,
        block: BlockId,
        values: &Values,
        control: Control,
        joins: &[Joined],
        state: &State,
    ) -> Result<(Vec<Value>, Vec<Tensor>), Error> {
        let before = self.snapshot();
        let (mut carried, mut trip, mut condition) = (state.carried.clone(), state.trip, state.condition.it.clone());
        let mut first: Option<Scope> = None;
        let most = if self.scopes.is_empty() { MOST_TURNS } else { MOST_INNER_TURNS };
        for _ in 0..most {
            let more = match state.trips.it {
                IValue::Int(trips) => trip < trips,
                _ => true,
            };
            if !more || !matches!(condition, IValue::Bool(true)) {
                break;
            }
            // What a turn raises that was captured before is raised when the program runs.
            let Ok(turn) = self.turn(graph, block, values, control, joins, trip, &carried) else { break };
            (carried, condition) = (turn.carried, turn.condition.it);
            trip += 1;
            first.get_or_insert(turn.scope);
        }
        let mut bytes = Vec::new();
        if let Some(mut first) = first {
            Self::undo_writes(&mut first)?;
            bytes.extend(first.written.into_iter().filter_map(|w| w.after));
        }
        self.restore(before);
        Ok((carried, bytes))
    }

    /// Puts the output of a turn.
    fn finish_turn(&mut self, turn: &mut Turn, control: Control, joins: &[Joined]) -> Result<(), Error> {
        self.enter(std::mem::take(&mut turn.scope));
        let outputs = self.turn_outputs(turn, control, joins);
        let finished = outputs.and_then(|outputs| self.finish_graph(outputs));
        turn.scope = self.leave();
        finished
    }

    /// Puts the output of a nested graph.
    pub fn finish_graph(&mut self, outputs: Vec<NodeId>) -> Result<(), Error> {
        let name = self.scope.graph.unique_name("output");
        let outputs = Argument::Tuple(outputs.into_iter().map(Argument::Node).collect());
        self.push(Node::new(Op::Output, name, "output").with_args([outputs]))?;
        sweep(&mut self.scope.graph)
    }

    fn turn_outputs(&mut self, turn: &Turn, control: Control, joins: &[Joined]) -> Result<Vec<NodeId>, Error> {
        let mut outputs = Vec::new();
        if control.flag {
            outputs.push(self.number_tensor(&turn.condition, DType::Bool)?);
        } else if !self.scope.carried.is_empty() {
            // Every turn is followed by another one, and none need say so.
            let flag = self.scope.carried.remove(0);
            self.scope.graph.erase(flag)?;
        }
        if control.counter {
            let next = self.integers(DimOp::Add, &turn.counter, &IValue::Int(1).into())?;
            outputs.push(self.number_tensor(&next, DType::I64)?);
        }
        for (value, joined) in turn.carried.iter().zip(joins) {
            self.passed_on(value, joined, true, &mut outputs)?;
        }
        let written: Vec<NodeId> = self.scope.written.iter().map(|w| w.node).collect();
        outputs.extend(written);
        Ok(outputs)
    }
}

/// Copies of tensors from outside that a turn writes are handed on to the next.
fn hand_on_written(scope: &mut Scope) {
    for written in &scope.written {
        let of = scope.graph.get(written.node).and_then(|n| n.args.first()?.node());
        if let Some(of) = of {
            scope.operands.retain(|(_, inner)| *inner != of);
            scope.carried.push(of);
        }
    }
}

/// The graph that says whether there is a turn: the one before said so, and the bound, the last operand, is not reached.
fn condition_graph(body: &FxGraph, control: Control, bound: Option<Argument>, truth: &Val) -> Result<FxGraph, Error> {
    let mut graph = FxGraph::default();
    let mut inputs = Vec::new();
    for (_, node) in body.placeholders() {
        let name = node.name.clone();
        let input = Node::new(Op::Placeholder, name.clone(), name).with_meta(node.meta.clone());
        inputs.push(graph.push(input)?);
    }
    let mut call = |name: &str, overload: &str, args: Vec<Argument>| {
        let meta = Meta { val: Some(truth.clone()), ..Meta::default() };
        let node = Node::new(Op::CallFunction, name, format!("torch.ops.aten.{name}.{overload}"));
        graph.push(node.with_args(args).with_meta(meta))
    };
    let mut said = None;
    if let (true, Some(flag)) = (control.flag, inputs.first()) {
        said = Some(call("clone", "default", vec![Argument::Node(*flag)])?);
    }
    if let (Some(bound), Some(counter)) = (bound, inputs.get(usize::from(control.flag))) {
        let (overload, bound) = match (bound, inputs.last()) {
            (Argument::Node(_), Some(last)) => ("Tensor", Argument::Node(*last)),
            (bound, _) => ("Scalar", bound),
        };
        let less = call("lt", overload, vec![Argument::Node(*counter), bound])?;
        said = Some(match said {
            Some(flag) => call("logical_and", "default", vec![Argument::Node(flag), Argument::Node(less)])?,
            None => less,
        });
    }
    let said = said.ok_or_else(|| refused("a loop that nothing ends"))?;
    graph.push(Node::new(Op::Output, "output", "output").with_args([Argument::Node(said)]))?;
    Ok(graph)
}
