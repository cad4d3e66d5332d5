//! Writes become values: tensors that share memory have one base, and what is written to one of them is put into the base, of which the others are taken anew.
//!
//! When that happens is as PyTorch has it, for it shows in the names of nodes: a written tensor is taken anew at once, every other where a call next takes it,
//! and a view that is made of memory that was ever written is taken anew where it is first used.

use crate::definitions::Level;
use crate::error::{Fault, Outcome, fault};
use crate::tracer::{About, Tracer, entry};
use crate::value::{TensorId, Value};
use sconce_fx::NodeId;
use sconce_schema::op::AliasInfo;
use sconce_schema::{DType, OpEntry};

/// Whose memory a tensor is.
#[derive(Clone, Debug)]
pub(crate) struct Alias {
    pub storage: usize,
    /// What makes the tensor of the storage's base, one view after the other.
    steps: Vec<Step>,
    /// How often the storage had been written when the tensor was taken.
    generation: u32,
}

impl Alias {
    pub fn whole(storage: usize) -> Alias {
        Alias { storage, steps: Vec::new(), generation: 0 }
    }
}

/// One view: the call, and which member of a list of results.
#[derive(Clone, Debug)]
struct Step {
    entry: &'static OpEntry,
    /// The viewed tensor stands first.
    args: Vec<Value>,
    member: Option<usize>,
}

/// Memory: what is in all of it.
#[derive(Clone, Debug)]
pub(crate) struct Storage {
    node: NodeId,
    meta: About,
    pub generation: u32,
}

impl Storage {
    pub fn new(node: NodeId, meta: About) -> Storage {
        Storage { node, meta, generation: 0 }
    }
}

/// What a written tensor becomes where the name of the operator does not say it: the operators that give it as a value.
const AS_VALUES: &[(&str, &str)] =
    &[("aten::normal_", "aten::normal_functional"), ("aten::bernoulli_.float", "aten::bernoulli.p")];

/// The operator that gives what this one leaves of its first argument.
fn as_value(entry: &'static OpEntry) -> Option<&'static OpEntry> {
    let named =
        AS_VALUES.iter().find(|(writes, _)| *writes == entry.name).and_then(|(_, gives)| sconce_schema::lookup(gives));
    let plain = || {
        let (base, overload) = (entry.base_name().strip_suffix('_')?, entry.overload_name());
        let name = if overload.is_empty() { base.to_owned() } else { format!("{base}.{overload}") };
        sconce_schema::lookup(&name)
    };
    named.or_else(|| entry.functional_entry()).or_else(plain)
}

fn writes(alias: &Option<AliasInfo>) -> bool {
    alias.as_ref().is_some_and(|a| a.is_write || a.contained.as_ref().is_some_and(|c| c.is_write))
}

/// Does it give views of its first argument, and change nothing?
fn is_view(entry: &OpEntry) -> bool {
    let schema = entry.schema();
    let first = schema.arguments.first().is_some_and(|a| a.alias.is_some() && a.ty.is_tensor());
    let result = schema.returns.first().is_some_and(|r| {
        r.alias.is_some()
            || matches!(&r.ty, sconce_schema::Type::List(_))
                && schema.arguments.first().is_some_and(|a| a.alias.is_some())
    });
    first && result && !schema.arguments.iter().any(|a| writes(&a.alias))
}

impl Tracer<'_> {
    /// A call in a program, where tensors share memory.
    pub fn functional(&mut self, entry: &'static OpEntry, args: Vec<Value>) -> Outcome<Value> {
        if let Some(result) = self.defined(entry, &args, Level::Composite)? {
            return Ok(result);
        }
        if is_view(entry) {
            return self.view(entry, args);
        }
        if let Some((flag, _)) = &entry.effect().writes_unless_false
            && !matches!(args.get(*flag), Some(Value::Bool(false)))
        {
            return fault(format!("{}: what it writes has no value", entry.name));
        }
        let mut taken = Vec::new();
        args.iter().for_each(|v| v.tensors(&mut |t| taken.push(t)));
        for tensor in &taken {
            self.sync(*tensor)?;
        }
        let written = entry.schema().arguments.iter().position(|a| writes(&a.alias));
        match written {
            Some(at) => self.write_by(entry, args, at),
            None => {
                let result = self.plain(entry, &args)?;
                // What a call gives is a tensor of its own.
                Ok(result.map_tensors(&mut |t| if taken.contains(&t) { self.copied(t) } else { Value::Tensor(t) }))
            }
        }
    }

    fn copied(&mut self, t: TensorId) -> Value {
        let (node, meta) = (self.tensor(t).node, self.tensor(t).meta.clone());
        Value::Tensor(self.new_tensor(node, meta))
    }

    fn view(&mut self, entry: &'static OpEntry, args: Vec<Value>) -> Outcome<Value> {
        let Some(base) = args.first().and_then(Value::tensor) else {
            return fault(format!("{}: its first argument is no tensor", entry.name));
        };
        self.sync(base)?;
        let result = self.plain(entry, &args)?;
        let alias = self.tensor(base).alias.clone();
        let of = |member| {
            let mut alias = alias.clone();
            alias.steps.push(Step { entry, args: args.clone(), member });
            // As PyTorch counts: it was taken before any write.
            Alias { generation: 0, ..alias }
        };
        let take = |tracer: &mut Self, t: TensorId, member| {
            let (node, meta) = (tracer.tensor(t).node, tracer.tensor(t).meta.clone());
            Value::Tensor(tracer.aliased(node, meta, of(member)))
        };
        Ok(match &result {
            Value::Tensor(t) => take(self, *t, None),
            other => {
                let mut at = 0;
                other.map_tensors(&mut |t| {
                    at += 1;
                    take(self, t, Some(at - 1))
                })
            }
        })
    }

    /// Takes a tensor anew if its memory was written since it was taken.
    pub fn sync(&mut self, tensor: TensorId) -> Outcome<()> {
        let alias = self.tensor(tensor).alias.clone();
        let storage = &self.storages[alias.storage];
        let generation = storage.generation;
        if alias.generation == generation {
            return Ok(());
        }
        let (node, meta) = (storage.node, storage.meta.clone());
        let mut now = self.new_tensor(node, meta);
        for step in &alias.steps {
            now = self.step(step, now)?;
        }
        let (node, meta) = (self.tensor(now).node, self.tensor(now).meta.clone());
        let old = self.tensor_mut(tensor);
        (old.node, old.meta, old.alias.generation) = (node, meta, generation);
        Ok(())
    }

    /// A view of another tensor.
    fn step(&mut self, step: &Step, base: TensorId) -> Outcome<TensorId> {
        let mut args = step.args.clone();
        if let Some(first) = args.first_mut() {
            *first = Value::Tensor(base);
        }
        let result = self.plain(step.entry, &args)?;
        let member = match step.member {
            None => Some(result),
            Some(at) => result.items().and_then(|items| items.get(at).cloned()),
        };
        member.and_then(|v| v.tensor()).ok_or_else(|| Fault(format!("{} gives no tensor", step.entry.name)))
    }

    /// A call that writes one of its arguments.
    fn write_by(&mut self, entry: &'static OpEntry, args: Vec<Value>, at: usize) -> Outcome<Value> {
        let refused = || Fault(format!("{}: what it writes is not known as a value", entry.name));
        let gives = as_value(entry).ok_or_else(refused)?;
        let target = args.get(at).and_then(Value::tensor).ok_or_else(refused)?;
        let named =
            entry.schema().arguments.iter().zip(&args).map(|(formal, value)| (formal.name.to_string(), value.clone()));
        let takes = |name: &str| gives.schema().arguments.iter().any(|a| *a.name == *name);
        let named = named.filter(|(name, _)| takes(name)).collect();
        let given = crate::arguments::bind(gives, Vec::new(), named)?;
        let value = self.plain(gives, &given)?;
        let new = value.tensor().or_else(|| value.items().and_then(|items| items.first().and_then(Value::tensor)));
        self.write(target, new.ok_or_else(refused)?)?;
        Ok(Value::Tensor(target))
    }

    /// From now on the tensor's memory holds this; its dtype stays.
    pub fn write(&mut self, target: TensorId, new: TensorId) -> Outcome<()> {
        let dtype: DType = self.tensor(target).meta.dtype;
        let mut new = new;
        if self.tensor(new).meta.dtype != dtype {
            let converted = entry("aten::_to_copy")?;
            let args = crate::arguments::bind(
                converted,
                vec![Value::Tensor(new)],
                vec![("dtype".to_owned(), Value::DType(dtype))],
            )?;
            new = self
                .plain(converted, &args)?
                .tensor()
                .ok_or_else(|| Fault("a conversion gives no tensor".to_owned()))?;
        }
        let alias = self.tensor(target).alias.clone();
        // The tensors between the base and the one that is written.
        let storage = &self.storages[alias.storage];
        let (node, meta) = (storage.node, storage.meta.clone());
        let mut between = vec![self.new_tensor(node, meta)];
        for step in alias.steps.iter().take(alias.steps.len().saturating_sub(1)) {
            let last = between.last().copied().unwrap_or(target);
            between.push(self.step(step, last)?);
        }
        for (step, base) in alias.steps.iter().zip(&between).rev() {
            new = self.scattered(step, *base, new)?;
        }
        let (node, meta) = (self.tensor(new).node, self.tensor(new).meta.clone());
        let storage = &mut self.storages[alias.storage];
        storage.node = node;
        if alias.steps.is_empty() {
            storage.meta = meta;
        }
        storage.generation = storage.generation.saturating_add(1);
        self.sync(target)
    }

    /// A tensor with the elements of one of its views replaced.
    fn scattered(&mut self, step: &Step, base: TensorId, new: TensorId) -> Outcome<TensorId> {
        let inverse = crate::definitions::inverse(step.entry.name)?;
        let Some(inverse) = inverse else {
            return fault(format!("what is written to a view by {} has no value", step.entry.name));
        };
        let member = step.member.and_then(|m| i64::try_from(m).ok()).map_or(Value::None, Value::int);
        let mut args = step.args.clone();
        if let Some(first) = args.first_mut() {
            *first = Value::Tensor(base);
        }
        self.below += 1;
        let result = crate::eval::run_inverse(self, inverse, step.entry, &args, Value::Tensor(new), member);
        self.below -= 1;
        result?.tensor().ok_or_else(|| Fault(format!("the inverse of {} gives no tensor", step.entry.name)))
    }
}
