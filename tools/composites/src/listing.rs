//! Graphs as the listings that the kernels read (`runtime/kernels/src/composite/listing.rs`): values are numbered as they are made, constants stand where they are used.

use sconce_graph::graph::{BlockId, Graph, NodeId, ValueId};
use sconce_schema::types::Type;
use sconce_schema::{OpEntry, lookup};
use sconce_tensor::IValue;
use std::collections::HashMap;
use std::fmt::Write as _;

/// The listing of an operator's definition, and the operators it calls.
pub fn of(graph: &Graph, entry: &OpEntry) -> Result<(String, Vec<String>), String> {
    let mut writer =
        Writer { graph, text: String::new(), names: HashMap::new(), count: 0, depth: 0, calls: Vec::new() };
    let inputs = writer.define(graph.block_inputs(graph.root()));
    let _ = writeln!(writer.text, "{inputs}");
    writer.steps(graph.root())?;
    let outputs = graph.block_outputs(graph.root());
    // Several results are a tuple in TorchScript.
    let tuple = outputs.first().and_then(|v| graph.defining(*v)).filter(|n| graph.is(*n, "prim::TupleConstruct"));
    let results = match (entry.schema().returns.len(), tuple) {
        (0, _) => Vec::new(),
        (1, _) => outputs.to_vec(),
        (n, Some(tuple)) if graph.inputs(tuple).len() == n => graph.inputs(tuple).to_vec(),
        (n, _) => {
            let operand = writer.operands(outputs)?;
            let types: Vec<&Type> = entry.schema().returns.iter().map(|r| &r.ty).collect();
            let parts: Vec<String> = types.iter().map(|ty| writer.next(ty)).collect();
            let _ = writeln!(writer.text, "{} = unpack{operand}", parts.join(", "));
            let first = writer.count - n;
            let names: Vec<String> = (first..writer.count).map(|i| format!(" %{i}")).collect();
            let _ = writeln!(writer.text, "return{}", names.concat());
            return Ok((writer.text, writer.calls));
        }
    };
    let operands = writer.operands(&results)?;
    let _ = writeln!(writer.text, "return{operands}");
    Ok((writer.text, writer.calls))
}

struct Writer<'g> {
    graph: &'g Graph,
    text: String,
    /// How a value is written where it is used.
    names: HashMap<ValueId, String>,
    count: usize,
    /// How many blocks a step stands in.
    depth: usize,
    calls: Vec<String>,
}

impl Writer<'_> {
    /// The next value's number and type.
    fn next(&mut self, ty: &Type) -> String {
        let number = self.count;
        self.count += 1;
        if ty.is_tensor() { format!("%{number}") } else { format!("%{number}:{}", spelled(ty)) }
    }

    fn define(&mut self, values: &[ValueId]) -> String {
        let mut parts = Vec::new();
        for value in values {
            self.names.insert(*value, format!("%{}", self.count));
            parts.push(self.next(&self.graph.ty(*value).clone()));
        }
        parts.join(", ")
    }

    fn operands(&self, values: &[ValueId]) -> Result<String, String> {
        let mut out = String::new();
        for value in values {
            let name = self.names.get(value).ok_or("a value is used before it is made")?;
            let _ = write!(out, " {name}");
        }
        Ok(out)
    }

    fn steps(&mut self, block: BlockId) -> Result<(), String> {
        self.graph.block_nodes(block).to_vec().into_iter().try_for_each(|node| self.step(node))
    }

    fn step(&mut self, node: NodeId) -> Result<(), String> {
        let graph = self.graph;
        let kind = &**graph.kind(node);
        let (inputs, outputs) = (graph.inputs(node), graph.outputs(node));
        match (kind, outputs) {
            ("prim::Constant", [value]) => {
                let text = constant(graph.constant(*value).unwrap_or(&IValue::None))?;
                self.names.insert(*value, text);
                return Ok(());
            }
            ("prim::Uninitialized", [value]) => {
                self.names.insert(*value, "None".to_owned());
                return Ok(());
            }
            ("prim::unchecked_cast", [value]) => {
                let name = self.names.get(&inputs[0]).cloned().ok_or("a value is used before it is made")?;
                self.names.insert(*value, name);
                return Ok(());
            }
            // A tuple that only the end takes apart.
            ("prim::TupleConstruct", [value])
                if graph.block_outputs(graph.root()).first() == Some(value) && graph.uses(*value).len() == 1 =>
            {
                return Ok(());
            }
            _ => {}
        }
        let operands = self.operands(inputs)?;
        let word = match kind {
            "prim::If" => "if".to_owned(),
            "prim::Loop" => "loop".to_owned(),
            "prim::RaiseException" => "raise".to_owned(),
            "prim::TupleConstruct" => "tuple".to_owned(),
            "prim::TupleUnpack" | "prim::ListUnpack" => "unpack".to_owned(),
            "prim::ListConstruct" => match outputs.first().map(|v| graph.ty(*v)) {
                Some(Type::List(element)) => format!("list[{}]", spelled(element)),
                _ => return Err("a list of no type".into()),
            },
            _ => {
                let entry =
                    graph.overload(node).or_else(|| lookup(kind)).ok_or_else(|| format!("{kind} is no operator"))?;
                self.calls.push(entry.name.to_owned());
                self.calls.extend(entry.functional_entry().map(|f| f.name.to_owned()));
                entry.name.to_owned()
            }
        };
        let results = self.define(outputs);
        let results = if results.is_empty() { results } else { format!("{results} = ") };
        let indent = "  ".repeat(self.depth);
        let _ = writeln!(self.text, "{indent}{results}{word}{operands}");
        self.depth += 1;
        for (i, block) in graph.blocks(node).to_vec().into_iter().enumerate() {
            match kind {
                "prim::Loop" => {
                    let inputs = self.define(graph.block_inputs(block));
                    let _ = writeln!(self.text, "{indent}| {inputs}");
                }
                _ if i > 0 => {
                    let _ = writeln!(self.text, "{indent}else");
                }
                _ => {}
            }
            self.steps(block)?;
            let results = self.operands(graph.block_outputs(block))?;
            let _ = writeln!(self.text, "{indent}  yield{results}");
        }
        self.depth -= 1;
        Ok(())
    }
}

/// A type in one word.
fn spelled(ty: &Type) -> String {
    ty.to_string().replace(' ', "")
}

fn constant(value: &IValue) -> Result<String, String> {
    Ok(match value {
        IValue::None => "None".to_owned(),
        IValue::Bool(true) => "True".to_owned(),
        IValue::Bool(false) => "False".to_owned(),
        IValue::Int(i) => i.to_string(),
        IValue::Double(x) => format!("{x:?}"),
        IValue::Str(s) => {
            format!("\"{}\"", s.replace('\\', "\\\\").replace('"', "\\\"").replace('\n', "\\n"))
        }
        IValue::List(list) => {
            let items = list.read().iter().map(constant).collect::<Result<Vec<_>, _>>()?;
            format!("{}[{}]", spelled(&list.element), items.join(" "))
        }
        other => return Err(format!("a constant {} has no spelling", other.kind())),
    })
}
