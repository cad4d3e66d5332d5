//! Operators that PyTorch has in TorchScript alone become nodes of those that its dispatcher has, with the same results.

use crate::error::{Error, refused};
use crate::run::{Capture, Value};
use sconce_fx::{Argument, NodeId, TensorMeta, Val};
use sconce_graph::value_type::of_value;
use sconce_kernels::composite::{Block, Definition, Operand, What, definition};
use sconce_schema::op::{Argument as Formal, Trait};
use sconce_schema::{DType, OpEntry, Type};
use sconce_tensor::{IValue, Tensor};

/// How often a loop of a definition may run.
const MOST_TURNS: i64 = 1 << 16;

/// How many numbers a tensor may have that is read to lists, or made of numbers that nodes give.
const MOST_NUMBERS: usize = 1 << 12;

impl Capture<'_> {
    /// Calls an operator of TorchScript's.
    pub fn script_only(&mut self, entry: &'static OpEntry, args: Vec<Value>) -> Result<Vec<Value>, Error> {
        if !args.iter().any(|a| self.has_tensor(a)) {
            return self.made_tensor(entry, args);
        }
        let named = |name: &str| {
            let at = entry.schema().argument_index(name);
            at.and_then(|at| args.get(at)).map(|a| a.it.clone()).filter(|v| !v.is_none())
        };
        let first = args.first().cloned().unwrap_or_else(|| IValue::None.into());
        if let (IValue::Tensor(t), "aten::to" | "aten::as_tensor" | "aten::cpu") = (&first.it, entry.base_name()) {
            let dtype = named("dtype").unwrap_or(IValue::Int(t.dtype().number()));
            let flag = |name| named(name).unwrap_or(IValue::Bool(false));
            let rest = [dtype, flag("non_blocking"), flag("copy"), IValue::None].map(Value::from);
            return self.apply(known("aten::to.dtype")?, std::iter::once(first).chain(rest).collect());
        }
        let counterpart = match entry.name {
            "prim::data" => Some("aten::detach"),
            "prim::abs" => Some("aten::abs"),
            "aten::_no_grad_zero_" => Some("aten::zero_"),
            "aten::_no_grad_fill_" | "aten::copy_.int" | "aten::copy_.float" => Some("aten::fill_.Scalar"),
            _ => None,
        };
        if let Some(name) = counterpart {
            return self.apply(known(name)?, args);
        }
        let of_dispatcher = |e: &&&'static OpEntry| !e.has(Trait::ScriptOnly) && takes(&e.schema().arguments, &args);
        if let Some(other) = sconce_schema::overloads(entry.base_name()).iter().find(of_dispatcher) {
            return self.apply(other, args);
        }
        match self.composite(entry, &args)? {
            Some(results) => Ok(results),
            None => Err(refused("PyTorch has no such operator outside of TorchScript")),
        }
    }

    /// A tensor of numbers: it is no node, and a constant of the program where one uses it. Of numbers that nodes give it is put together.
    fn made_tensor(&mut self, entry: &'static OpEntry, args: Vec<Value>) -> Result<Vec<Value>, Error> {
        let plain: Vec<IValue> = args.iter().map(|a| a.it.clone()).collect();
        if let Some(first) = args.first().filter(|a| self.is_symbolic(a)) {
            for rest in args.iter().skip(1) {
                self.known(rest)?;
            }
            let first = first.clone();
            let results = self.kernel(entry, &plain)?;
            let Some(IValue::Tensor(t)) = results.first() else { return Err(refused("it gives no tensor")) };
            let (mut nodes, sizes) = (Vec::new(), self.sizes(t));
            self.numbers_as_tensors(&first, t.dtype(), &mut nodes)?;
            let val = Val::Tensor(self.tensor_val(t, &sizes)?);
            let node = match (&nodes[..], t.dim()) {
                ([node], 0) => *node,
                _ => {
                    let count = i64::try_from(nodes.len()).map_err(|_| refused("too many numbers"))?;
                    let flat = TensorMeta {
                        sizes: vec![count.into()],
                        strides: vec![1.into()],
                        ..self.tensor_val(t, &sizes)?
                    };
                    let all = Argument::List(nodes.into_iter().map(Argument::Node).collect());
                    let flat = Some(Val::Tensor(flat));
                    let flat = self.call_node("torch.ops.aten.stack.default", vec![all], Vec::new(), flat)?;
                    let sizes = Argument::List(t.sizes().iter().map(|n| Argument::Int(*n)).collect());
                    let args = vec![Argument::Node(flat), sizes];
                    self.call_node("torch.ops.aten.view.default", args, Vec::new(), Some(val))?
                }
            };
            self.give(t, node, sizes);
            self.taint(t);
            return Ok(results.into_iter().map(Value::from).collect());
        }
        let results = self.kernel(entry, &plain)?;
        for result in &results {
            if let IValue::Tensor(t) = result {
                self.made.insert(crate::emit::key(t), t.clone());
            }
        }
        Ok(results.into_iter().map(Value::from).collect())
    }

    fn numbers_as_tensors(&mut self, value: &Value, dtype: DType, out: &mut Vec<NodeId>) -> Result<(), Error> {
        if out.len() >= MOST_NUMBERS {
            return Err(refused(format!("a tensor of more than {MOST_NUMBERS} numbers that depend on inputs")));
        }
        match self.children(value) {
            Some(members) => members.iter().try_for_each(|m| self.numbers_as_tensors(m, dtype, out)),
            None => {
                out.push(self.number_tensor(value, dtype)?);
                Ok(())
            }
        }
    }

    /// The elements of a tensor as numbers in lists of this type.
    pub fn numbers_of(&mut self, t: &Tensor, ty: &Type) -> Result<Value, Error> {
        let of = Value::from(IValue::Tensor(t.clone()));
        let Type::List(element) = ty else {
            let read = match ty {
                Type::Int => "aten::Int.Tensor",
                Type::Bool => "aten::Bool.Tensor",
                _ => "aten::Float.Tensor",
            };
            let number = self.apply(known(read)?, vec![of])?.into_iter().next();
            return number.ok_or_else(|| refused("it gives nothing"));
        };
        let count = match self.sizes(t).first().map(|d| d.known()) {
            Some(Some(count)) if t.numel().max(usize::try_from(count).unwrap_or(usize::MAX)) <= MOST_NUMBERS => count,
            Some(Some(_)) => return Err(refused(format!("more than {MOST_NUMBERS} elements of a tensor are read"))),
            _ => return Err(refused("a list of so many numbers as a size that may vary says")),
        };
        let mut members = Vec::new();
        for i in 0..count {
            let args = vec![of.clone(), IValue::Int(0).into(), IValue::Int(i).into()];
            let row = self.apply(known("aten::select.int")?, args)?;
            let Some(Value { it: IValue::Tensor(row), .. }) = row.first() else { return Err(refused("no row")) };
            members.push(self.numbers_of(row, element)?);
        }
        Ok(self.put_together(&IValue::list(Type::clone(element), Vec::new()), members))
    }

    /// Calls the operators of a composite's definition. None where the operator has none.
    pub fn composite(&mut self, entry: &OpEntry, args: &[Value]) -> Result<Option<Vec<Value>>, Error> {
        let found = definition(entry.name).map_err(|e| refused(e.to_string()))?;
        let Some(definition) = found else { return Ok(None) };
        let mut values = args.to_vec();
        values.resize(definition.types.len(), IValue::None.into());
        self.steps(definition, &definition.body, &mut values).map(Some)
    }

    fn steps(&mut self, definition: &Definition, block: &Block, values: &mut [Value]) -> Result<Vec<Value>, Error> {
        let read = |values: &[Value], operands: &[Operand]| -> Result<Vec<Value>, Error> {
            let one = |operand: &Operand| match operand {
                Operand::Value(n) | Operand::Last(n) => values.get(*n as usize).cloned(),
                Operand::Constant(n) => definition.constants.get(*n as usize).cloned().map(Value::from),
            };
            let all: Option<Vec<Value>> = operands.iter().map(one).collect();
            all.ok_or_else(|| refused("a definition reads what it has not"))
        };
        for step in &block.steps {
            let operands = read(values, &step.operands)?;
            let results = match &step.what {
                What::Call(callee) => self.apply(callee.entry, operands)?,
                What::List(element) => {
                    vec![self.put_together(&IValue::list(element.clone(), Vec::new()), operands)]
                }
                What::Tuple => vec![self.tuple(operands)],
                What::Unpack => operands.first().and_then(|of| self.children(of)).unwrap_or_default(),
                What::If(sides) => {
                    let taken = operands.first().ok_or_else(|| refused("a branch without a condition"))?;
                    let [yes, no] = &**sides;
                    let side = if self.condition(taken)? { yes } else { no };
                    self.steps(definition, side, values)?
                }
                What::Loop(body) => self.turns(definition, body, operands, values)?,
                What::Raise => {
                    let said = if let Some(IValue::Str(s)) = operands.first().map(|v| &v.it) { s.as_str() } else { "" };
                    return Err(refused(said));
                }
            };
            for (slot, result) in step.results.clone().zip(results) {
                if let Some(slot) = values.get_mut(slot as usize) {
                    *slot = result;
                }
            }
        }
        read(values, &block.results)
    }

    fn turns(
        &mut self,
        definition: &Definition,
        body: &Block,
        operands: Vec<Value>,
        values: &mut [Value],
    ) -> Result<Vec<Value>, Error> {
        let mut operands = operands.into_iter();
        let (Some(trips), Some(mut condition)) = (operands.next(), operands.next()) else {
            return Err(refused("a loop without a condition"));
        };
        let IValue::Int(trips) = self.known(&trips)? else { return Err(refused("a number of turns that is none")) };
        let mut carried: Vec<Value> = operands.collect();
        let mut turn = 0;
        while turn < trips && self.condition(&condition)? {
            if turn >= MOST_TURNS {
                return Err(refused(format!("a loop runs more than {MOST_TURNS} times")));
            }
            let inputs = std::iter::once(Value::from(IValue::Int(turn))).chain(carried);
            for (slot, value) in body.inputs.clone().zip(inputs) {
                if let Some(slot) = values.get_mut(slot as usize) {
                    *slot = value;
                }
            }
            let mut results = self.steps(definition, body, values)?.into_iter();
            condition = results.next().ok_or_else(|| refused("a turn without a condition"))?;
            carried = results.collect();
            turn += 1;
        }
        Ok(carried)
    }
}

fn known(name: &str) -> Result<&'static OpEntry, Error> {
    sconce_schema::lookup(name).ok_or_else(|| refused(format!("{name} is not known")))
}

/// Does an operator take these values, one for each of its first arguments?
fn takes(formals: &[Formal], args: &[Value]) -> bool {
    let fits = |formal: &Formal, value: &Value| {
        let own = of_value(&value.it);
        own.is_subtype_of(&formal.ty)
            || match (present(&own), present(&formal.ty)) {
                (Type::List(own), Type::List(formal)) => present(own).is_subtype_of(present(formal)),
                (own, formal) => own.is_subtype_of(formal),
            }
    };
    args.len() <= formals.len()
        && formals.iter().zip(args).all(|(f, a)| fits(f, a))
        && formals.iter().skip(args.len()).all(|f| f.default.is_some())
}

/// The type of a value that is there.
fn present(ty: &Type) -> &Type {
    if let Type::Optional(inner) = ty { inner } else { ty }
}
