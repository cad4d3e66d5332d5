//! The definition of a composite operator as graph text, from which it is imported like any program.

use sconce_kernels::composite::{Block, Definition, Operand, Step, What};
use sconce_pass::Failure;
use sconce_schema::Type;
use sconce_tensor::IValue;
use std::fmt::Write as _;

/// The text of a graph that computes what the definition says.
pub(super) fn graph_text(definition: &Definition) -> Result<String, Failure> {
    let mut writer = Writer { definition, text: String::new(), constants: 0 };
    let inputs = writer.declared(definition.body.inputs.clone());
    let mut out = format!("graph({inputs}):\n");
    writer.block(&definition.body, 1, "return", &[])?;
    out.push_str(&writer.text);
    Ok(out)
}

struct Writer<'d> {
    definition: &'d Definition,
    text: String,
    constants: usize,
}

impl Writer<'_> {
    fn declared(&self, values: std::ops::Range<u32>) -> String {
        let parts: Vec<String> = values.map(|i| format!("%v{i} : {}", self.definition.types[i as usize])).collect();
        parts.join(", ")
    }

    /// How an operand is written; a constant is made in front of who reads it.
    fn operand(&mut self, operand: Operand, depth: usize) -> Result<String, Failure> {
        let at = match operand {
            Operand::Value(i) | Operand::Last(i) => return Ok(format!("%v{i}")),
            Operand::Constant(i) => i,
        };
        let value = &self.definition.constants[at as usize];
        let (ty, text) = constant(value).ok_or_else(|| Failure::new(format!("no text of a {}", value.kind())))?;
        let name = format!("%c{}", self.constants);
        self.constants += 1;
        let _ = writeln!(self.text, "{}{name} : {ty} = prim::Constant{text}()", "  ".repeat(depth));
        Ok(name)
    }

    /// `wanted` are the types that they are passed on as, where these are known.
    fn operands(&mut self, operands: &[Operand], depth: usize, wanted: &[Type]) -> Result<String, Failure> {
        let mut names = Vec::new();
        for (i, operand) in operands.iter().enumerate() {
            // What is read on no path to its use is None in a definition.
            if let (Operand::Constant(at), Some(wanted)) = (*operand, wanted.get(i))
                && matches!(self.definition.constants[at as usize], IValue::None)
                && !matches!(wanted, Type::Optional(_) | Type::None | Type::Any | Type::Var(_))
            {
                let made = format!("%c{}", self.constants);
                self.constants += 1;
                let _ = writeln!(self.text, "{}{made} : {wanted} = prim::Uninitialized()", "  ".repeat(depth));
                names.push(made);
                continue;
            }
            let name = self.operand(*operand, depth)?;
            // A definition that asked whether something is None knows what it has.
            let unwrapped = match (self.type_of(*operand), wanted.get(i)) {
                (Some(Type::Optional(inner)), Some(wanted))
                    if !matches!(wanted, Type::Optional(_) | Type::Any | Type::Var(_)) =>
                {
                    Some(inner.to_string())
                }
                _ => None,
            };
            names.push(match unwrapped {
                Some(ty) => {
                    let made = format!("%c{}", self.constants);
                    self.constants += 1;
                    let indent = "  ".repeat(depth);
                    let _ = writeln!(self.text, "{indent}{made} : {ty} = prim::unchecked_unwrap_optional({name})");
                    made
                }
                None => name,
            });
        }
        Ok(names.join(", "))
    }

    /// The types that a step's operands are passed on as.
    fn wanted(&self, step: &Step) -> Vec<Type> {
        match &step.what {
            What::Call(callee) => callee.entry.schema().arguments.iter().map(|a| a.ty.clone()).collect(),
            // How many turns at most, whether there is a first one, and what the first one begins with.
            What::Loop(_) => [Type::Int, Type::Bool].into_iter().chain(self.types(step.results.clone())).collect(),
            _ => Vec::new(),
        }
    }

    fn types(&self, values: std::ops::Range<u32>) -> impl Iterator<Item = Type> {
        values.map(|i| self.definition.types[i as usize].clone())
    }

    fn block(&mut self, block: &Block, depth: usize, end: &str, wanted: &[Type]) -> Result<(), Failure> {
        let indent = "  ".repeat(depth);
        for step in &block.steps {
            let wanted = self.wanted(step);
            let operands = self.operands(&step.operands, depth, &wanted)?;
            let kind = match &step.what {
                What::Call(callee) => &*callee.entry.schema().name,
                What::List(_) => "prim::ListConstruct",
                What::Tuple => "prim::TupleConstruct",
                What::Unpack => match step.operands.first().and_then(|o| self.type_of(*o)) {
                    Some(Type::List(_)) => "prim::ListUnpack",
                    _ => "prim::TupleUnpack",
                },
                What::If(_) => "prim::If",
                What::Loop(_) => "prim::Loop",
                What::Raise => "prim::RaiseException",
            };
            let results = self.declared(step.results.clone());
            let space = if results.is_empty() { "" } else { " " };
            let _ = writeln!(self.text, "{indent}{results}{space}= {kind}({operands})");
            let blocks: &[Block] = match &step.what {
                What::If(blocks) => &**blocks,
                What::Loop(body) => std::slice::from_ref(body),
                _ => &[],
            };
            let given = self.types(step.results.clone());
            // A loop's body says first whether there is another turn.
            let again = matches!(step.what, What::Loop(_)).then_some(Type::Bool);
            let given: Vec<Type> = again.into_iter().chain(given).collect();
            for (i, inner) in blocks.iter().enumerate() {
                let inputs = self.declared(inner.inputs.clone());
                let _ = writeln!(self.text, "{indent}  block{i}({inputs}):");
                self.block(inner, depth + 2, "->", &given)?;
            }
        }
        let results = self.operands(&block.results, depth, wanted)?;
        let _ = writeln!(self.text, "{indent}{end} ({results})");
        Ok(())
    }

    fn type_of(&self, operand: Operand) -> Option<&Type> {
        match operand {
            Operand::Value(i) | Operand::Last(i) => self.definition.types.get(i as usize),
            Operand::Constant(_) => None,
        }
    }
}

/// A constant's type, and what stands in its brackets.
fn constant(value: &IValue) -> Option<(String, String)> {
    let said = |ty: &str, value: String| Some((ty.to_owned(), format!("[value={value}]")));
    match value {
        IValue::None => Some(("NoneType".to_owned(), String::new())),
        IValue::Bool(b) => said("bool", u8::from(*b).to_string()),
        IValue::Int(i) => said("int", i.to_string()),
        IValue::Double(x) if x.is_nan() => said("float", "nan".to_owned()),
        IValue::Double(x) if x.is_infinite() => said("float", if *x > 0.0 { "inf" } else { "-inf" }.to_owned()),
        IValue::Double(x) => said("float", format!("{x:?}")),
        IValue::Str(s) => {
            let escaped = s.replace('\\', "\\\\").replace('"', "\\\"").replace('\n', "\\n");
            said("str", format!("\"{escaped}\""))
        }
        IValue::List(list) => {
            let items: Option<Vec<String>> = list
                .read()
                .iter()
                .map(|item| match item {
                    IValue::Str(s) => Some(format!("\"{}\"", s.replace('\\', "\\\\").replace('"', "\\\""))),
                    other => constant(other)
                        .map(|(_, text)| text.trim_start_matches("[value=").trim_end_matches(']').to_owned()),
                })
                .collect();
            Some((format!("{}[]", list.element), format!("[value=[{}]]", items?.join(", "))))
        }
        _ => None,
    }
}
