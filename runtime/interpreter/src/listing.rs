//! Bytecode as text, in the form of PyTorch's JIT overview: `12 = add move(9), move(11), 7`.
//!
//! An operator is printed by its bare name, a structural instruction by its node's name, and what an instruction carries besides its registers
//! in brackets, except where the overview's listing has none.

use crate::program::{Function, Instruction, Op, Program, Role};
use std::fmt::{self, Write};

impl Program {
    /// The listing of one function, with a newline after every instruction; empty for a function that does not exist.
    pub fn listing(&self, function: u32) -> String {
        let mut out = String::new();
        if let Some(f) = self.functions.get(function as usize) {
            self.write_function(&mut out, f, false).expect("writing to a string does not fail");
        }
        out
    }

    /// All functions, each under its signature, with the number of every instruction and its place, then classes and regions.
    pub fn full_listing(&self) -> String {
        let mut out = String::new();
        self.write_all(&mut out).expect("writing to a string does not fail");
        out
    }

    fn write_all(&self, out: &mut String) -> fmt::Result {
        for (i, f) in self.functions.iter().enumerate() {
            write!(out, "{}function {i} {}(", if i > 0 { "\n" } else { "" }, f.name)?;
            for (k, p) in f.parameters.iter().enumerate() {
                write!(out, "{}{}: {}", if k > 0 { ", " } else { "" }, p.name, p.ty)?;
            }
            let results: Vec<String> = f.results.iter().map(|t| t.to_string()).collect();
            writeln!(out, ") -> ({}), {} registers", results.join(", "), f.registers)?;
            self.write_function(out, f, true)?;
        }
        for c in &self.classes {
            writeln!(out, "\n{} {}", c.kind.word().replace('_', " "), c.name)?;
            for a in &c.attributes {
                let role = match a.role {
                    Role::Attribute => "",
                    Role::Parameter => " (parameter)",
                    Role::Buffer => " (buffer)",
                };
                writeln!(out, "  {}: {}{role}", a.name, a.ty)?;
            }
            for (name, value) in &c.constants {
                writeln!(out, "  {name} = {value:?}")?;
            }
            for name in &c.required {
                writeln!(out, "  {name}")?;
            }
            for (name, f) in &c.methods {
                writeln!(out, "  {name} = function {f}")?;
            }
        }
        for (i, r) in self.regions.iter().enumerate() {
            writeln!(out, "\nregion {i} {}: fallback function {}", r.name, r.fallback)?;
            for g in &r.guards {
                writeln!(out, "  input {}: {:?}", g.input, g.condition)?;
            }
            for c in &r.codes {
                write!(out, "  {:?}, {} bytes", c.target, c.bytes.len())?;
                for (key, value) in &c.metadata {
                    write!(out, ", {key}={value}")?;
                }
                out.push('\n');
            }
        }
        Ok(())
    }

    fn write_function(&self, out: &mut String, f: &Function, numbered: bool) -> fmt::Result {
        let width = f.code.len().saturating_sub(1).to_string().len();
        for (pc, i) in f.code.iter().enumerate() {
            if numbered {
                write!(out, "{pc:width$}: ")?;
            }
            self.write_instruction(out, f, i)?;
            if let (true, Some(p)) = (numbered, f.places.get(pc).copied().flatten())
                && let Some(s) = self.sources.get(p.source as usize)
            {
                write!(out, "  # {}:{}:{}", s.name(), p.line, p.column)?;
            }
            out.push('\n');
        }
        Ok(())
    }

    fn write_instruction(&self, out: &mut String, f: &Function, i: &Instruction) -> fmt::Result {
        for (k, r) in f.outputs(i).iter().enumerate() {
            write!(out, "{}{r}", if k > 0 { ", " } else { "" })?;
        }
        out.push_str(" = ");
        self.write_op(out, i.op)?;
        for (k, o) in f.inputs(i).iter().enumerate() {
            write!(out, "{}{o:?}", if k > 0 { ", " } else { " " })?;
        }
        Ok(())
    }

    /// An instruction's name, with what it carries besides its registers.
    pub(crate) fn op_text(&self, op: Op) -> String {
        let mut out = String::new();
        self.write_op(&mut out, op).expect("writing to a string does not fail");
        out
    }

    fn write_op(&self, out: &mut String, op: Op) -> fmt::Result {
        let name = |id: u32| self.names.get(id as usize).map_or("?", |n| n);
        let ty = |id: u32| self.types.get(id as usize).map_or_else(|| "?".to_owned(), |t| t.to_string());
        let function = |id: u32| self.functions.get(id as usize).map_or("?", |f| &f.name);
        match op {
            Op::Call(o) => {
                // `aten::add.Tensor` is listed as `add`, as the overview does.
                let full = self.operators.get(o as usize).map_or("?", |n| n);
                let bare = full.rsplit_once("::").map_or(full, |(_, n)| n);
                out.push_str(bare.split('.').next().unwrap_or(bare));
            }
            Op::Load => out.push_str("Load"),
            Op::Store => out.push_str("Store"),
            Op::Constant(_) => out.push_str("Constant"),
            Op::Move => out.push_str("Move"),
            Op::Drop => out.push_str("Drop"),
            Op::Jump(t) => write!(out, "Jump[{t}]")?,
            Op::JumpUnless(t) => write!(out, "JumpUnless[{t}]")?,
            Op::LoopUnless(t) => write!(out, "LoopUnless[{t}]")?,
            Op::Next => out.push_str("Next"),
            Op::TupleConstruct => out.push_str("TupleConstruct"),
            Op::NamedTupleConstruct(t) => write!(out, "NamedTupleConstruct[{}]", ty(t))?,
            Op::TupleUnpack => out.push_str("TupleUnpack"),
            Op::TupleIndex => out.push_str("TupleIndex"),
            Op::TupleSlice { start, end } => write!(out, "TupleSlice[{start}:{end}]")?,
            Op::ListConstruct(t) => write!(out, "ListConstruct[{}]", ty(t))?,
            Op::ListUnpack => out.push_str("ListUnpack"),
            Op::DictConstruct(t) => write!(out, "DictConstruct[{}]", ty(t))?,
            Op::ConstantChunk { .. } => out.push_str("ConstantChunk"),
            Op::IsInstance(t) => write!(out, "isinstance[{}]", ty(t))?,
            Op::UncheckedCast(t) => write!(out, "unchecked_cast[{}]", ty(t))?,
            Op::Uninitialized => out.push_str("Uninitialized"),
            Op::Raise => out.push_str("RaiseException"),
            Op::Print => out.push_str("Print"),
            Op::CreateObject(c) => {
                let class = self.classes.get(c as usize).map_or("?", |c| &c.name);
                write!(out, "CreateObject[{class}]")?;
            }
            Op::GetAttr(n) => write!(out, "GetAttr[{}]", name(n))?,
            Op::SetAttr(n) => write!(out, "SetAttr[{}]", name(n))?,
            Op::CallFunction(c) => write!(out, "CallFunction[{}]", function(c))?,
            Op::CallMethod(n) => write!(out, "CallMethod[{}]", name(n))?,
            Op::Fork(c) => write!(out, "fork[{}]", function(c))?,
            Op::Wait => out.push_str("wait"),
            Op::EnumName => out.push_str("EnumName"),
            Op::EnumValue => out.push_str("EnumValue"),
            Op::ToList(t) => write!(out, "tolist[{}]", ty(t))?,
            Op::Enter => out.push_str("Enter"),
            Op::Exit => out.push_str("Exit"),
            Op::Region(r) => {
                let region = self.regions.get(r as usize).map_or("?", |r| &r.name);
                write!(out, "Region[{region}]")?;
            }
            Op::CopyTensor => out.push_str("CopyTensor"),
        }
        Ok(())
    }
}
