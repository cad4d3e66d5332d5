//! What a relocation writes: one table by machine says which value goes into which field, and a value that does not fit is an error.
//!
//! Rules: "System V Application Binary Interface, AMD64 Architecture Processor Supplement" (relocation types) and "ELF for the Arm 64-bit Architecture".

use super::LoadError;
use super::layout::Layout;
use super::read::{Object, Place, Relocation, Section};
use object::elf;

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Machine {
    X86_64,
    Aarch64,
}

/// Both machines by their number in ELF and their name in Rust.
const MACHINES: [(Machine, u16, &str); 2] =
    [(Machine::X86_64, elf::EM_X86_64, "x86_64"), (Machine::Aarch64, elf::EM_AARCH64, "aarch64")];

impl Machine {
    /// Bytes of a jump to where a slot says.
    pub const STUB: u64 = 16;

    pub fn of(number: u16) -> Option<Machine> {
        MACHINES.iter().find(|m| m.1 == number).map(|m| m.0)
    }

    pub fn name(self) -> &'static str {
        MACHINES.iter().find(|m| m.0 == self).map_or("", |m| m.2)
    }

    /// What this program runs on.
    pub fn this() -> Option<Machine> {
        MACHINES.iter().find(|m| m.2 == std::env::consts::ARCH).map(|m| m.0)
    }
}

/// S is the symbol's address, A the addend, P the place that is written to, G the place of the symbol's slot.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Value {
    /// S + A
    Absolute,
    /// S + A - P; S may be a stub's address.
    Relative,
    /// Page(S + A) - Page(P)
    Page,
    /// G + A
    Slot,
    /// G + A - P
    SlotRelative,
    /// Page(G + A) - Page(P)
    SlotPage,
}

/// Where a value goes, and how large it may be.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Field {
    Whole64,
    Unsigned32,
    Signed32,
    /// Words to jump, signed, in the lowest 26 bits of an instruction.
    Branch26,
    /// Pages of 4096 bytes, signed, in the two parts of an ADRP.
    Page21,
    /// The lowest 12 bits, in units of 1, 2, 4, 8 or 16 bytes, in bits 10 to 21.
    Low12(u32),
}

/// A kind of relocation.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Rule {
    value: Value,
    field: Field,
}

type Row = (u32, Value, Field);

const X86_64: &[Row] = &[
    (elf::R_X86_64_64, Value::Absolute, Field::Whole64),
    (elf::R_X86_64_32, Value::Absolute, Field::Unsigned32),
    (elf::R_X86_64_32S, Value::Absolute, Field::Signed32),
    (elf::R_X86_64_PC32, Value::Relative, Field::Signed32),
    (elf::R_X86_64_PLT32, Value::Relative, Field::Signed32),
    (elf::R_X86_64_PC64, Value::Relative, Field::Whole64),
    (elf::R_X86_64_GOTPCREL, Value::SlotRelative, Field::Signed32),
    (elf::R_X86_64_GOTPCRELX, Value::SlotRelative, Field::Signed32),
    (elf::R_X86_64_REX_GOTPCRELX, Value::SlotRelative, Field::Signed32),
];

const AARCH64: &[Row] = &[
    (elf::R_AARCH64_ABS64, Value::Absolute, Field::Whole64),
    (elf::R_AARCH64_PREL64, Value::Relative, Field::Whole64),
    (elf::R_AARCH64_PREL32, Value::Relative, Field::Signed32),
    (elf::R_AARCH64_CALL26, Value::Relative, Field::Branch26),
    (elf::R_AARCH64_JUMP26, Value::Relative, Field::Branch26),
    (elf::R_AARCH64_ADR_PREL_PG_HI21, Value::Page, Field::Page21),
    (elf::R_AARCH64_ADD_ABS_LO12_NC, Value::Absolute, Field::Low12(1)),
    (elf::R_AARCH64_LDST8_ABS_LO12_NC, Value::Absolute, Field::Low12(1)),
    (elf::R_AARCH64_LDST16_ABS_LO12_NC, Value::Absolute, Field::Low12(2)),
    (elf::R_AARCH64_LDST32_ABS_LO12_NC, Value::Absolute, Field::Low12(4)),
    (elf::R_AARCH64_LDST64_ABS_LO12_NC, Value::Absolute, Field::Low12(8)),
    (elf::R_AARCH64_LDST128_ABS_LO12_NC, Value::Absolute, Field::Low12(16)),
    (elf::R_AARCH64_ADR_GOT_PAGE, Value::SlotPage, Field::Page21),
    (elf::R_AARCH64_LD64_GOT_LO12_NC, Value::Slot, Field::Low12(8)),
];

impl Rule {
    /// The rule for a number of relocation; none for the one that does nothing.
    pub fn of(machine: Machine, kind: u32) -> Result<Option<Rule>, LoadError> {
        let (rows, nothing) = match machine {
            Machine::X86_64 => (X86_64, elf::R_X86_64_NONE),
            Machine::Aarch64 => (AARCH64, elf::R_AARCH64_NONE),
        };
        if kind == nothing {
            return Ok(None);
        }
        match rows.iter().find(|row| row.0 == kind) {
            Some((_, value, field)) => Ok(Some(Rule { value: *value, field: *field })),
            None => Err(LoadError::Unsupported(format!("a relocation of kind {kind} ({})", machine.name()))),
        }
    }

    /// Whether it refers to the place of an address, not to the address itself.
    pub fn reads_slot(self) -> bool {
        matches!(self.value, Value::Slot | Value::SlotRelative | Value::SlotPage)
    }
}

fn page(address: u64) -> u64 {
    address & !0xfff
}

/// A number that is an instruction's or a datum's, in the bytes at `at`.
fn put<const N: usize>(bytes: &mut [u8], at: usize, change: impl FnOnce([u8; N]) -> Option<[u8; N]>) -> Option<()> {
    let field: &mut [u8; N] = bytes.get_mut(at..)?.first_chunk_mut()?;
    *field = change(*field)?;
    Some(())
}

/// Sets the bits of `mask` in an instruction.
fn set_bits(bytes: &mut [u8], at: usize, mask: u32, bits: u32) -> Option<()> {
    put(bytes, at, |old| Some(((u32::from_le_bytes(old) & !mask) | (bits & mask)).to_le_bytes()))
}

impl Field {
    /// Writes a value; none when it does not fit, or the field is not inside of `bytes`.
    fn write(self, bytes: &mut [u8], at: usize, value: u64) -> Option<()> {
        let signed = value as i64;
        let fits = |bits: u32| (-(1i64 << (bits - 1))..1i64 << (bits - 1)).contains(&signed);
        match self {
            Field::Whole64 => put(bytes, at, |_| Some(value.to_le_bytes())),
            Field::Unsigned32 => put(bytes, at, |_| u32::try_from(value).ok().map(u32::to_le_bytes)),
            Field::Signed32 => put(bytes, at, |_| i32::try_from(signed).ok().map(i32::to_le_bytes)),
            Field::Branch26 if value.is_multiple_of(4) && fits(28) => {
                set_bits(bytes, at, 0x03ff_ffff, (value >> 2) as u32)
            }
            Field::Page21 if fits(33) => {
                let pages = (value >> 12) as u32;
                set_bits(bytes, at, 0x60ff_ffe0, ((pages & 3) << 29) | ((pages >> 2 & 0x7_ffff) << 5))
            }
            Field::Low12(unit) if value.is_multiple_of(u64::from(unit)) => {
                set_bits(bytes, at, 0x003f_fc00, ((value & 0xfff) as u32 / unit) << 10)
            }
            Field::Branch26 | Field::Page21 | Field::Low12(_) => None,
        }
    }
}

/// An object being written to its block, which will run at `base`.
struct Linking<'a> {
    object: &'a Object<'a>,
    layout: &'a Layout,
    base: u64,
    memory: &'a mut [u8],
}

/// Writes an object to the memory that it will run in at address `base`, `layout.size()` bytes of zeros. `outside` says where functions of the runtime are.
pub fn link(
    object: &Object<'_>,
    layout: &Layout,
    base: u64,
    memory: &mut [u8],
    outside: impl Fn(&str) -> Option<u64>,
) -> Result<(), LoadError> {
    let mut linking = Linking { object, layout, base, memory };
    linking.copy_sections()?;
    linking.fill_slots(outside)?;
    linking.write_stubs()?;
    for (number, section) in object.sections.iter().enumerate() {
        for r in &section.relocations {
            if let Some(rule) = Rule::of(object.machine, r.kind)? {
                linking.relocate(number, section, r, rule)?;
            }
        }
    }
    Ok(())
}

fn too_small() -> LoadError {
    LoadError::Memory("the block is smaller than its layout".into())
}

impl Linking<'_> {
    fn copy_sections(&mut self) -> Result<(), LoadError> {
        for (number, section) in self.object.sections.iter().enumerate() {
            let start = self.layout.section(number) as usize;
            let place = self.memory.get_mut(start..).and_then(|m| m.get_mut(..section.data.len()));
            place.ok_or_else(too_small)?.copy_from_slice(section.data);
        }
        Ok(())
    }

    fn fill_slots(&mut self, outside: impl Fn(&str) -> Option<u64>) -> Result<(), LoadError> {
        for (symbol, at) in self.layout.slots() {
            let symbol = &self.object.symbols[symbol];
            let address = match self.layout.place(symbol.place) {
                Some(offset) => self.base.wrapping_add(offset),
                None if symbol.place == Place::Outside => {
                    outside(symbol.name).ok_or_else(|| LoadError::Symbol(symbol.name.into()))?
                }
                None => return Err(LoadError::damaged(format!("`{}` is not loaded and used", symbol.name))),
            };
            Field::Whole64.write(self.memory, at as usize, address).ok_or_else(too_small)?;
        }
        Ok(())
    }

    fn write_stubs(&mut self) -> Result<(), LoadError> {
        for (stub, slot) in self.layout.stubs() {
            let code = stub_code(self.object.machine, self.base.wrapping_add(stub), self.base.wrapping_add(slot));
            let code = code.ok_or_else(|| LoadError::Unsupported("slots too far from its code".into()))?;
            put(self.memory, stub as usize, |_| Some(code)).ok_or_else(too_small)?;
        }
        Ok(())
    }

    /// The address that a relocation refers to: its symbol, the symbol's slot, or a stub in place of a function of the runtime.
    fn target(&self, r: &Relocation, rule: Rule) -> Option<u64> {
        let place = self.object.symbols[r.symbol].place;
        let offset = if rule.reads_slot() {
            self.layout.slot(r.symbol)
        } else {
            self.layout.place(place).or_else(|| self.layout.stub(r.symbol))
        };
        offset.map(|o| self.base.wrapping_add(o))
    }

    fn relocate(&mut self, number: usize, section: &Section<'_>, r: &Relocation, rule: Rule) -> Result<(), LoadError> {
        let symbol = self.object.symbols[r.symbol].name;
        let target = self.target(r, rule).ok_or_else(|| {
            let name = &section.name;
            LoadError::Unsupported(format!("a relocation of kind {} in {name} to `{symbol}`", r.kind))
        })?;
        let outside = || LoadError::damaged(format!("a relocation lies outside of {}", section.name));
        let size = usize::try_from(section.size).map_err(|_| outside())?;
        let at = usize::try_from(r.offset).ok().filter(|at| *at < size).ok_or_else(outside)?;
        let start = self.layout.section(number);
        let here = self.base.wrapping_add(start + r.offset);
        let there = target.wrapping_add_signed(r.addend);
        let value = match rule.value {
            Value::Absolute | Value::Slot => there,
            Value::Relative | Value::SlotRelative => there.wrapping_sub(here),
            Value::Page | Value::SlotPage => page(there).wrapping_sub(page(here)),
        };
        let bytes = self.memory.get_mut(start as usize..).and_then(|m| m.get_mut(..size)).ok_or_else(too_small)?;
        rule.field.write(bytes, at, value).ok_or_else(|| LoadError::Reach {
            section: section.name.clone(),
            offset: r.offset,
            kind: r.kind,
            symbol: symbol.into(),
        })
    }
}

/// A jump to the address in the slot; none when the slot is too far.
fn stub_code(machine: Machine, stub: u64, slot: u64) -> Option<[u8; Machine::STUB as usize]> {
    let mut code = [0; Machine::STUB as usize];
    match machine {
        Machine::X86_64 => {
            // jmp *slot(%rip); the rest traps.
            code = [0xcc; Machine::STUB as usize];
            code[..2].copy_from_slice(&[0xff, 0x25]);
            Field::Signed32.write(&mut code, 2, slot.wrapping_sub(stub.wrapping_add(6)))?;
        }
        Machine::Aarch64 => {
            // adrp x16, slot; ldr x16, [x16, slot]; br x16
            for (at, instruction) in [0x9000_0010u32, 0xf940_0210, 0xd61f_0200].into_iter().enumerate() {
                code[at * 4..at * 4 + 4].copy_from_slice(&instruction.to_le_bytes());
            }
            Field::Page21.write(&mut code, 0, page(slot).wrapping_sub(page(stub)))?;
            Field::Low12(8).write(&mut code, 4, slot)?;
        }
    }
    Some(code)
}
