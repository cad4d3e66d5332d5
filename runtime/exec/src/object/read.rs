//! What an object holds, as far as loading needs it; anything that an object for a region does not have is refused by name.

use super::LoadError;
use super::relocate::Machine;
use object::elf;
use object::endian::LittleEndian as Little;
use object::read::elf::{FileHeader, Rela as _, SectionHeader as _, SectionTable, Sym as _, SymbolTable};
use std::collections::BTreeMap;

type Header = elf::FileHeader64<Little>;

/// More is no region that anybody compiled.
const MAX_OBJECT: usize = 64 << 20;

/// What may be done with the memory of a section.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Access {
    Execute,
    Read,
    Write,
}

/// A section that is in memory when the code runs.
pub struct Section<'d> {
    pub name: String,
    pub access: Access,
    /// A power of two, at most [`MAX_ALIGN`].
    pub align: u64,
    pub size: u64,
    /// As long as `size`, or empty: then it is all zeros.
    pub data: &'d [u8],
    pub relocations: Vec<Relocation>,
}

/// Alignments up to a page of the smallest size there is.
const MAX_ALIGN: u64 = 4096;

/// What is written to a section once addresses are known.
pub struct Relocation {
    pub offset: u64,
    pub kind: u32,
    pub symbol: usize,
    pub addend: i64,
}

/// What a relocation may refer to.
pub struct Symbol<'d> {
    pub name: &'d str,
    pub place: Place,
    pub is_function: bool,
    /// Others may refer to it.
    pub is_global: bool,
}

/// Where a symbol is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Place {
    /// In a section (by position in [`Object::sections`]), at most its size from its start.
    Section(usize, u64),
    /// In the runtime.
    Outside,
    /// In what is not loaded; nothing may refer to it.
    Nowhere,
}

pub struct Object<'d> {
    pub machine: Machine,
    pub sections: Vec<Section<'d>>,
    /// By their number in the object.
    pub symbols: Vec<Symbol<'d>>,
}

impl<'d> Object<'d> {
    pub fn read(bytes: &'d [u8]) -> Result<Object<'d>, LoadError> {
        if bytes.len() > MAX_OBJECT {
            return Err(LoadError::Unsupported(format!("{} bytes (at most {MAX_OBJECT} are)", bytes.len())));
        }
        let header = Header::parse(bytes).map_err(LoadError::damaged)?;
        let machine = machine(header)?;
        let table = header.sections(Little, bytes).map_err(LoadError::damaged)?;
        let (mut sections, numbers) = sections(&table, bytes)?;
        let symbol_table = table.symbols(Little, bytes, elf::SHT_SYMTAB).map_err(LoadError::damaged)?;
        let symbols = symbols(&symbol_table, &sections, &numbers)?;
        relocations(&table, bytes, &symbol_table, &numbers, &mut sections)?;
        Ok(Object { machine, sections, symbols })
    }
}

/// The machine of an object that is relocatable, of 64 bits and of the byte order of both machines there are.
fn machine(header: &Header) -> Result<Machine, LoadError> {
    let ident = header.e_ident();
    if ident.class != elf::ELFCLASS64 || ident.data != elf::ELFDATA2LSB {
        return Err(LoadError::Unsupported(format!("ELF class {} and byte order {}", ident.class, ident.data)));
    }
    if header.e_type(Little) != elf::ET_REL {
        return Err(LoadError::Unsupported(format!("ELF type {} (relocatable objects have 1)", header.e_type(Little))));
    }
    let number = header.e_machine(Little);
    Machine::of(number)
        .ok_or_else(|| LoadError::Machine { code: format!("ELF machine {number}"), processor: std::env::consts::ARCH })
}

/// Sections that are in memory, and their position by their number in the object.
type Numbers = BTreeMap<usize, usize>;

fn sections<'d>(table: &SectionTable<'d, Header>, bytes: &'d [u8]) -> Result<(Vec<Section<'d>>, Numbers), LoadError> {
    let (mut sections, mut numbers) = (Vec::new(), BTreeMap::new());
    for (index, header) in table.enumerate() {
        if header.sh_flags(Little) & u64::from(elf::SHF_ALLOC) == 0 || header.sh_type(Little) == elf::SHT_NULL {
            continue;
        }
        let name = table.section_name(Little, header).map_err(LoadError::damaged)?;
        let name = String::from_utf8_lossy(name).into_owned();
        numbers.insert(index.0, sections.len());
        sections.push(section(name, header, bytes)?);
    }
    Ok((sections, numbers))
}

fn section<'d>(name: String, header: &elf::SectionHeader64<Little>, bytes: &'d [u8]) -> Result<Section<'d>, LoadError> {
    let (flags, size) = (header.sh_flags(Little), header.sh_size(Little));
    let has = |flag: u32| flags & u64::from(flag) != 0;
    let refuse = |what: &str| Err(LoadError::Unsupported(format!("a section {name} {what}")));
    if has(elf::SHF_TLS) {
        return refuse("of each thread");
    }
    if has(elf::SHF_COMPRESSED) {
        return refuse("that is compressed");
    }
    let access = match (has(elf::SHF_EXECINSTR), has(elf::SHF_WRITE)) {
        (true, true) => return refuse("that is both code and written to"),
        (true, false) => Access::Execute,
        (false, true) => Access::Write,
        (false, false) => Access::Read,
    };
    let data = match header.sh_type(Little) {
        elf::SHT_PROGBITS | elf::SHT_X86_64_UNWIND => header.data(Little, bytes).map_err(LoadError::damaged)?,
        elf::SHT_NOBITS => &[],
        other => return refuse(&format!("of type {other:#x}")),
    };
    let align = header.sh_addralign(Little).max(1);
    if !align.is_power_of_two() || align > MAX_ALIGN {
        return refuse(&format!("aligned to {align} bytes"));
    }
    Ok(Section { name, access, align, size, data, relocations: Vec::new() })
}

fn symbols<'d>(
    table: &SymbolTable<'d, Header>,
    sections: &[Section<'_>],
    numbers: &Numbers,
) -> Result<Vec<Symbol<'d>>, LoadError> {
    let mut symbols = Vec::with_capacity(table.len());
    for (index, symbol) in table.enumerate() {
        let name = table.symbol_name(Little, symbol).map_err(LoadError::damaged)?;
        let name =
            std::str::from_utf8(name).map_err(|_| LoadError::damaged(format!("symbol {} has no name", index.0)))?;
        let section = table.symbol_section(Little, symbol, index).map_err(LoadError::damaged)?;
        let place = match section.map(|s| numbers.get(&s.0)) {
            None if symbol.st_shndx(Little) == elf::SHN_UNDEF && !name.is_empty() => Place::Outside,
            None | Some(None) => Place::Nowhere,
            Some(Some(&at)) if symbol.st_value(Little) <= sections[at].size => {
                Place::Section(at, symbol.st_value(Little))
            }
            Some(Some(&at)) => {
                return Err(LoadError::damaged(format!("symbol `{name}` lies outside of {}", sections[at].name)));
            }
        };
        let is_function = symbol.st_type() == elf::STT_FUNC;
        // Addresses that are found while a program runs, or are different for each thread.
        let is_plain = !matches!(symbol.st_type(), elf::STT_TLS | elf::STT_GNU_IFUNC);
        let is_global = symbol.st_bind() == elf::STB_GLOBAL;
        symbols.push(Symbol { name, place: if is_plain { place } else { Place::Nowhere }, is_function, is_global });
    }
    Ok(symbols)
}

/// Gives the sections their relocations; those of other sections are for debuggers.
fn relocations(
    table: &SectionTable<'_, Header>,
    bytes: &[u8],
    symbols: &SymbolTable<'_, Header>,
    numbers: &Numbers,
    sections: &mut [Section<'_>],
) -> Result<(), LoadError> {
    for header in table.iter() {
        let is_list = [elf::SHT_RELA, elf::SHT_REL, elf::SHT_RELR, elf::SHT_CREL].contains(&header.sh_type(Little));
        let Some(&at) = numbers.get(&(header.sh_info(Little) as usize)).filter(|_| is_list) else { continue };
        let section = &mut sections[at];
        let name = &section.name;
        let listed = header.rela(Little, bytes).map_err(LoadError::damaged)?;
        let Some((list, of)) = listed else {
            return Err(LoadError::Unsupported(format!("relocations of {name} without addends")));
        };
        if of != symbols.section() {
            return Err(LoadError::damaged(format!("relocations of {name} refer to section {}", of.0)));
        }
        for r in list {
            let (offset, symbol) = (r.r_offset(Little), r.r_sym(Little, false) as usize);
            if symbol >= symbols.len() {
                return Err(LoadError::damaged(format!("a relocation of {name} refers to symbol {symbol}")));
            }
            section.relocations.push(Relocation {
                offset,
                kind: r.r_type(Little, false),
                symbol,
                addend: r.r_addend(Little),
            });
        }
    }
    Ok(())
}
