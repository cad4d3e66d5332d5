//! Code for PyTorch's interpreter as text: one instruction a line with its number, and behind it what its number means.

use super::{Code, OpCode};
use sconce_tensor::IValue;
use std::fmt;

impl fmt::Display for Code {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let width = self.instructions.len().saturating_sub(1).to_string().len();
        for (pc, i) in self.instructions.iter().enumerate() {
            write!(f, "{pc:width$} {} {}", i.op.name(), i.x)?;
            if i.n > 0 {
                write!(f, " {}", i.n)?;
            }
            let at = usize::try_from(i.x).unwrap_or(usize::MAX);
            match i.op {
                OpCode::Op | OpCode::OpN => {
                    if let Some(o) = self.operators.get(at) {
                        let dot = if o.overload.is_empty() { "" } else { "." };
                        write!(f, "  # {}{dot}{}", o.name, o.overload)?;
                    }
                }
                OpCode::LoadC | OpCode::InterfaceCall => match self.constants.get(at) {
                    // The address of a tensor says nothing.
                    Some(IValue::Tensor(t)) => write!(f, "  # a tensor of {:?}", t.sizes())?,
                    Some(c) => write!(f, "  # {c:?}")?,
                    None => {}
                },
                OpCode::Jump | OpCode::JumpFalse | OpCode::Loop => write!(f, "  # to {}", pc as i64 + i.x)?,
                OpCode::ListConstruct
                | OpCode::TupleConstruct
                | OpCode::NamedTupleConstruct
                | OpCode::DictConstruct
                | OpCode::CreateObject
                | OpCode::IsInstance => {
                    if let Some(t) = self.types.get(at) {
                        write!(f, "  # {t}")?;
                    }
                }
                _ => {}
            }
            f.write_str("\n")?;
        }
        Ok(())
    }
}
