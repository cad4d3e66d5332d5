//! What is no operator of the table: branches, loops, calls, attributes and containers are gone after the run, each decided as the run decides it.

use crate::error::{Error, refused};
use crate::loops::State;
use crate::run::{Capture, Replaced, Value, Values, address, value};
use sconce_graph::graph::{Attr, Graph, NodeId, ValueId};
use sconce_graph::value_type::of_value;
use sconce_schema::Type;
use sconce_tensor::{Dict, DictKey, IValue, Object, Tensor, Tuple};
use std::sync::Arc;

/// How often a loop may run.
const MOST_TRIPS: i64 = 1 << 20;

impl Capture<'_> {
    /// Runs a node, and gives its results.
    pub fn node(&mut self, graph: &Graph, node: NodeId, values: &mut Values) -> Result<Vec<Value>, Error> {
        let kind = graph.kind(node).clone();
        if let Some(Attr::Graph(inner)) = graph.attr(node, "Subgraph") {
            let arguments = operands(graph, node, values)?;
            return self.run(inner, arguments);
        }
        let one = |value: Value| Ok(vec![value]);
        let ty = || graph.output(node).map_or(Type::Any, |v| graph.ty(v).clone());
        match &*kind {
            "prim::Constant" => {
                let value = graph.output(node).and_then(|v| graph.constant(v)).cloned();
                one(value.unwrap_or_default().into())
            }
            "prim::If" => self.branch(graph, node, values),
            "prim::Loop" => self.repeat(graph, node, values),
            "prim::CallFunction" => {
                let callee = graph.input(node, 0).and_then(|v| function_name(graph, v));
                let callee = callee.ok_or_else(|| refused("the function that is called has no name"))?;
                let arguments = operands(graph, node, values)?.into_iter().skip(1).collect();
                let name = self.function_named(&callee);
                one(self.function(&name, arguments)?)
            }
            "prim::CallMethod" => {
                let arguments = operands(graph, node, values)?;
                let name = named(graph, node)?;
                let Some(IValue::Object(object)) = arguments.first().map(|v| &v.it) else {
                    return Err(refused(format!("`{name}` is called of what is no object")));
                };
                one(self.function(&format!("{}.{name}", object.class), arguments)?)
            }
            "prim::GetAttr" => {
                let object = object(graph, node, values)?;
                let name = named(graph, node)?;
                let slot = object.slot_of(&name).and_then(|slot| object.get(slot));
                let constant = || {
                    let class = self.unit.classes.get(&object.class)?;
                    class.constants.iter().find(|(n, ..)| **n == *name).map(|(_, _, v)| v.clone())
                };
                let value = slot.or_else(constant);
                one(value.ok_or_else(|| refused(format!("{} has no attribute `{name}`", object.class)))?.into())
            }
            "prim::SetAttr" => self.set_attribute(graph, node, values),
            "prim::CreateObject" => {
                let Type::Class(name) = ty() else { return Err(refused("an object without a class")) };
                let class = self.unit.classes.get(&name);
                let class = class.ok_or_else(|| refused(format!("the class {name} is not in the program")))?;
                let names: Arc<[Arc<str>]> = class.attributes.iter().map(|a| a.name.clone()).collect();
                let object = IValue::Object(Object::new(class.name.clone(), names));
                self.own(&object);
                one(object.into())
            }
            "prim::ListConstruct" => {
                let items = operands(graph, node, values)?;
                let element = if let Type::List(element) = ty() { Type::clone(&element) } else { Type::Any };
                let list = IValue::list(element, items.iter().map(|v| v.it.clone()).collect::<Vec<_>>());
                self.own(&list);
                self.remember(&list, items.into_iter().map(|v| v.sym).collect());
                one(list.into())
            }
            "prim::TupleConstruct" => {
                let items = operands(graph, node, values)?;
                match ty() {
                    Type::NamedTuple(names) => {
                        let plain: Vec<IValue> = items.iter().map(|v| v.it.clone()).collect();
                        let tuple = IValue::Tuple(Tuple::new(plain, Some(names)));
                        self.remember(&tuple, items.into_iter().map(|v| v.sym).collect());
                        one(tuple.into())
                    }
                    _ => one(self.tuple(items)),
                }
            }
            "prim::DictConstruct" => {
                let items = operands(graph, node, values)?;
                let (key, value) = if let Type::Dict(k, v) = ty() {
                    (Type::clone(&k), Type::clone(&v))
                } else {
                    (Type::Any, Type::Any)
                };
                let dict = Dict::new(key, value);
                for pair in items.chunks(2) {
                    let [key, value] = pair else { return Err(refused("a key without a value")) };
                    let key = self.known(key)?;
                    let key = DictKey::from_value(&key).ok_or_else(|| refused("a key of a kind that no dict has"))?;
                    let value = self.settled(value)?;
                    dict.write().insert(key, value);
                }
                let dict = IValue::Dict(dict);
                self.own(&dict);
                one(dict.into())
            }
            "prim::TupleUnpack" | "prim::ListUnpack" => {
                let of = operand(graph, node, values, 0)?;
                let items = self.children(&of).ok_or_else(|| refused("what is unpacked is no container"))?;
                let wanted = graph.outputs(node).len();
                if items.len() != wanted {
                    return Err(refused(format!("{} members are unpacked to {wanted}", items.len())));
                }
                Ok(items)
            }
            "prim::TupleIndex" => {
                let of = operand(graph, node, values, 0)?;
                let at = operand(graph, node, values, 1)?;
                let IValue::Int(at) = self.known(&at)? else { return Err(refused("an index that is no integer")) };
                let items = self.children(&of).unwrap_or_default();
                let at = usize::try_from(if at < 0 { at + items.len() as i64 } else { at }).ok();
                one(at.and_then(|at| items.get(at)).cloned().ok_or_else(|| refused("tuple index out of range"))?)
            }
            "prim::unchecked_cast"
            | "prim::annotate"
            | "prim::profile"
            | "prim::unchecked_unwrap_optional"
            | "aten::wait" => operand(graph, node, values, 0).and_then(one),
            "aten::_unwrap_optional" | "prim::unwrap_optional" => {
                let of = operand(graph, node, values, 0)?;
                if of.it.is_none() {
                    return Err(refused("Unwrapping null optional"));
                }
                one(of)
            }
            "prim::Enter" | "prim::Exit" => {
                let arguments = operands(graph, node, values)?;
                let Some(IValue::Object(object)) = arguments.first().map(|v| &v.it) else {
                    return Err(refused("`with` of what is no object"));
                };
                let silent = object.class.contains("grad_mode.") || object.class.contains(".profiler.");
                let method = if &*kind == "prim::Enter" { "__enter__" } else { "__exit__" };
                let name = format!("{}.{method}", object.class);
                if silent && !self.unit.functions.contains_key(name.as_str()) {
                    return one(IValue::None.into());
                }
                // What is told of an exception: there is none.
                let nothing = if method == "__exit__" { 3 } else { 0 };
                let all = arguments.into_iter().chain((0..nothing).map(|_| IValue::None.into()));
                one(self.function(&name, all.collect())?)
            }
            "prim::isinstance" => {
                let of = operand(graph, node, values, 0)?;
                let types: &[Type] = match graph.attr(node, "types") {
                    Some(Attr::Types(types)) => types,
                    Some(Attr::Type(ty)) => std::slice::from_ref(ty),
                    _ => return Err(refused("it names no types")),
                };
                let own = of_value(&of.it);
                let fits = |ty: &Type| {
                    own.is_subtype_of(ty)
                        || matches!(
                            (&own, ty),
                            (Type::List(_), Type::AnyList) | (Type::Tuple(_) | Type::NamedTuple(_), Type::AnyTuple)
                        )
                };
                one(IValue::Bool(types.iter().any(fits)).into())
            }
            "prim::Uninitialized" => one(IValue::Uninitialized.into()),
            "prim::RaiseException" => {
                let message = operand(graph, node, values, 0)?;
                let text = if let IValue::Str(s) = &message.it { s.to_string() } else { String::new() };
                Err(refused(format!("the program raises with these inputs: {text}")))
            }
            "prim::Print" | "aten::warn" => Ok(graph.outputs(node).iter().map(|_| IValue::None.into()).collect()),
            "prim::EnumName" | "prim::EnumValue" => {
                let IValue::Enum(member) = operand(graph, node, values, 0)?.it else {
                    return Err(refused("what is asked is no member of an enumeration"));
                };
                one(if &*kind == "prim::EnumName" { IValue::str(&*member.name) } else { member.value.clone() }.into())
            }
            "prim::tolist" => {
                let of = operand(graph, node, values, 0)?;
                let IValue::Tensor(t) = &of.it else { return Err(refused("what is asked is no tensor")) };
                if self.is_data(t) {
                    return one(self.numbers_of(t, &ty())?);
                }
                self.fix(&of)?;
                one(nested(t, &ty())?.into())
            }
            "prim::ConstantChunk" => {
                let of = operand(graph, node, values, 0)?;
                let number = |name| match graph.attr(node, name) {
                    Some(Attr::Int(n)) => Ok(Value::from(IValue::Int(*n))),
                    _ => Err(refused(format!("it says no `{name}`"))),
                };
                let arguments = vec![of, number("chunks")?, number("dim")?];
                let chunk = sconce_schema::lookup("aten::chunk").ok_or_else(|| refused("aten::chunk is not known"))?;
                let list = self.tensors(chunk, arguments)?;
                Ok(list.first().and_then(|l| self.children(l)).unwrap_or_default())
            }
            "aten::eq" | "aten::ne" if is_one_number(graph, node) => one(IValue::Bool(&*kind == "aten::eq").into()),
            _ => {
                let arguments = operands(graph, node, values)?;
                self.operator(graph, node, arguments)
            }
        }
    }

    /// The function of this name; a text may give the last part of the qualified name alone.
    fn function_named(&self, name: &str) -> String {
        if self.unit.functions.contains_key(name) {
            return name.to_owned();
        }
        let ends = |full: &Arc<str>| full.strip_suffix(name).is_some_and(|rest| rest.ends_with('.'));
        self.unit.functions.keys().find(|full| ends(full)).map_or_else(|| name.to_owned(), ToString::to_string)
    }

    fn branch(&mut self, graph: &Graph, node: NodeId, values: &mut Values) -> Result<Vec<Value>, Error> {
        let condition = operand(graph, node, values, 0)?;
        if condition.sym.as_ref().is_some_and(|s| s.data) {
            return self.cond(graph, node, values, &condition);
        }
        let taken = self.condition(&condition)?;
        let block = graph.blocks(node).get(usize::from(!taken)).copied();
        let block = block.ok_or_else(|| refused("a branch without a block"))?;
        self.block(graph, block, values)
    }

    pub fn condition(&mut self, condition: &Value) -> Result<bool, Error> {
        if condition.sym.as_ref().is_some_and(|s| s.data) {
            return Err(refused("it is decided by the elements of tensors which way the program goes here"));
        }
        match self.known(condition)? {
            IValue::Bool(b) => Ok(b),
            other => Err(refused(format!("a condition is {}", other.kind()))),
        }
    }

    fn repeat(&mut self, graph: &Graph, node: NodeId, values: &mut Values) -> Result<Vec<Value>, Error> {
        let mut operands = operands(graph, node, values)?.into_iter();
        let (Some(trips), Some(mut condition), Some(block)) =
            (operands.next(), operands.next(), graph.blocks(node).first().copied())
        else {
            return Err(refused("a loop without a body"));
        };
        let bound = if trips.sym.as_ref().is_some_and(|s| s.data) { trips.it.clone() } else { self.known(&trips)? };
        let IValue::Int(bound) = bound else { return Err(refused("a number of trips that is none")) };
        let mut carried: Vec<Value> = operands.collect();
        let mut trip = 0;
        loop {
            let data = |v: &Value| v.sym.as_ref().is_some_and(|s| s.data);
            if data(&condition) || data(&trips) && self.condition(&condition)? {
                let state = State { trips, condition, trip, carried };
                return self.while_loop(graph, block, values, &state);
            }
            if trip >= bound || !self.condition(&condition)? {
                break;
            }
            if trip >= MOST_TRIPS {
                return Err(refused(format!("a loop runs more than {MOST_TRIPS} times")));
            }
            let counter = std::iter::once(Value::from(IValue::Int(trip)));
            values.extend(graph.block_inputs(block).iter().copied().zip(counter.chain(carried)));
            let mut results = self.block(graph, block, values)?.into_iter();
            condition = results.next().ok_or_else(|| refused("a loop's body without a condition"))?;
            carried = results.collect();
            trip += 1;
        }
        Ok(carried)
    }

    fn set_attribute(&mut self, graph: &Graph, node: NodeId, values: &mut Values) -> Result<Vec<Value>, Error> {
        let object = object(graph, node, values)?;
        let name = named(graph, node)?;
        let new = operand(graph, node, values, 1)?;
        let slot =
            object.slot_of(&name).ok_or_else(|| refused(format!("{} has no attribute `{name}`", object.class)))?;
        if object.get(slot).is_some_and(|before| new.sym.is_none() && before.is(&new.it)) {
            return Ok(Vec::new());
        }
        self.check_write(&IValue::Object(object.clone()))?;
        let is_of_module = self.modules.iter().any(|m| Arc::ptr_eq(m, &object));
        if is_of_module {
            match (object.get(slot), &new.it) {
                (Some(IValue::Tensor(before)), IValue::Tensor(_)) => {
                    if !self.replaced.iter().any(|r| Arc::ptr_eq(&r.object, &object) && r.slot == slot) {
                        self.replaced.push(Replaced { object: object.clone(), slot, before });
                    }
                }
                _ => {
                    return Err(refused(format!(
                        "the attribute `{name}` of the module is set, and exported programs keep nothing but tensors from call to call"
                    )));
                }
            }
        }
        let it = self.settled_members(&new)?;
        object.set(slot, it);
        Ok(Vec::new())
    }

    /// A value that goes where no record of its members goes along.
    fn settled_members(&mut self, value: &Value) -> Result<IValue, Error> {
        if value.sym.is_some() || address(&value.it).is_none() { self.known(value) } else { Ok(value.it.clone()) }
    }
}

/// `v == v` of one number is true to TorchScript, of a NaN as well.
fn is_one_number(graph: &Graph, node: NodeId) -> bool {
    match graph.inputs(node) {
        [a, b] => a == b && matches!(graph.ty(*a), Type::Bool | Type::Int | Type::Float | Type::None),
        _ => false,
    }
}

fn operands(graph: &Graph, node: NodeId, values: &Values) -> Result<Vec<Value>, Error> {
    graph.inputs(node).iter().map(|v| value(values, *v)).collect()
}

fn operand(graph: &Graph, node: NodeId, values: &Values, index: usize) -> Result<Value, Error> {
    let id = graph.input(node, index).ok_or_else(|| refused(format!("operand {index} is missing")))?;
    value(values, id)
}

fn object(graph: &Graph, node: NodeId, values: &Values) -> Result<Arc<Object>, Error> {
    match operand(graph, node, values, 0)?.it {
        IValue::Object(object) => Ok(object),
        other => Err(refused(format!("an attribute of {}", other.kind()))),
    }
}

fn named(graph: &Graph, node: NodeId) -> Result<Arc<str>, Error> {
    graph.str_attr(node, "name").cloned().ok_or_else(|| refused("it has no name"))
}

/// The qualified name of the function that a constant is.
fn function_name(graph: &Graph, value: ValueId) -> Option<Arc<str>> {
    let node = graph.defining(value)?;
    match graph.attr(node, "value").or_else(|| graph.attr(node, "name"))? {
        Attr::Function(name) | Attr::Str(name) if graph.is(node, "prim::Constant") => Some(name.clone()),
        _ => None,
    }
}

/// A tensor's elements as lists in lists.
fn nested(t: &Tensor, ty: &Type) -> Result<IValue, Error> {
    let all = t.to_f64();
    fn level(all: &[f64], sizes: &[i64], ty: &Type) -> Option<IValue> {
        let Some((first, rest)) = sizes.split_first() else {
            let x = *all.first()?;
            return Some(match ty {
                Type::Int => IValue::Int(x as i64),
                Type::Bool => IValue::Bool(x != 0.0),
                _ => IValue::Double(x),
            });
        };
        let Type::List(element) = ty else { return None };
        let count = usize::try_from(*first).ok()?;
        let step = all.len().checked_div(count).unwrap_or(1);
        let items =
            (0..count).map(|i| level(all.get(i * step..(i + 1) * step)?, rest, element)).collect::<Option<Vec<_>>>()?;
        Some(IValue::list(Type::clone(element), items))
    }
    level(&all, t.sizes(), ty).ok_or_else(|| refused("its type is no list of numbers"))
}
