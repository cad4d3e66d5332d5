//! Relocatable ELF objects become code in this process, without a linker of others: whatever an object says of itself is compared with the bytes there are before
//! it is used, code is never writable while it can run, and it finds no function but those of [`symbols`].
//!
//! An object is read ([`read`]), its sections get places in one block of memory ([`layout`]), and relocations write addresses into them ([`relocate`]); only
//! [`memory`] touches pages. Neither unwinding nor debuggers are told of the code.

mod bfloat;
mod layout;
mod memory;
mod read;
mod relocate;
mod symbols;

use crate::checks;
use crate::native::{Entry, NativeRegion};
use crate::spec::{BadSpec, RegionSpec};
use layout::Layout;
use memory::Block;
use read::{Object, Place};
use std::sync::Arc;

/// The function that every object exports: an [`Entry`].
pub const ENTRY: &str = "sconce_entry";

/// Why code is not loaded: one line for a report.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum LoadError {
    #[error("the region has no code for a processor")]
    NoCode,
    #[error(transparent)]
    Spec(#[from] BadSpec),
    #[error("the code is for {code}, and this processor is {processor}")]
    Machine { code: String, processor: &'static str },
    #[error("the code needs `{0}`, which this processor does not have")]
    Feature(String),
    #[error("the code does not say which features of the processor `{0}` it needs")]
    NoFeatures(String),
    #[error("the object is damaged: {0}")]
    Damaged(String),
    #[error("the object has {0}, which is not loaded")]
    Unsupported(String),
    #[error("the code calls `{0}`, which the runtime does not offer")]
    Symbol(String),
    #[error("an address in {section} does not fit into its field at {offset:#x} (relocation {kind} of `{symbol}`)")]
    Reach { section: String, offset: u64, kind: u32, symbol: String },
    #[error("no memory for the code: {0}")]
    Memory(String),
}

impl LoadError {
    fn damaged(what: impl std::fmt::Display) -> LoadError {
        LoadError::Damaged(what.to_string())
    }
}

/// Whether an object can be loaded. Nothing of it runs, so that it may come from anywhere.
///
/// # Errors
/// As [`load`].
pub fn check_object(bytes: &[u8]) -> Result<(), LoadError> {
    // SAFETY: what is loaded is forgotten; none of its code is called.
    unsafe { load(RegionSpec::default(), bytes) }.map(drop)
}

/// What an object has for others, and what it wants of them: names of functions.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Names {
    pub offered: Vec<String>,
    pub wanted: Vec<String>,
}

/// The names of an object.
///
/// # Errors
/// What is damaged in it.
pub fn names(bytes: &[u8]) -> Result<Names, LoadError> {
    let object = Object::read(bytes)?;
    let mut names = Names::default();
    for symbol in &object.symbols {
        match symbol.place {
            Place::Outside => names.wanted.push(symbol.name.into()),
            Place::Section(..) if symbol.is_global => names.offered.push(symbol.name.into()),
            Place::Section(..) | Place::Nowhere => {}
        }
    }
    Ok(names)
}

/// Whether the C library has a function of this name that code may call.
pub fn is_of_c(name: &str) -> bool {
    symbols::is_of_c(name)
}

/// Loads the object of a region that is called as `spec` says.
///
/// # Errors
/// What is damaged, made for another machine or asks for a function that the runtime does not have; nothing of it has run then.
///
/// # Safety
/// The object was made by Sconce's compiler for this spec and for a processor with no more features than this one: its code will run.
pub unsafe fn load(spec: RegionSpec, bytes: &[u8]) -> Result<NativeRegion, LoadError> {
    let object = Object::read(bytes)?;
    let machine = relocate::Machine::this();
    if Some(object.machine) != machine {
        return Err(LoadError::Machine { code: object.machine.name().into(), processor: std::env::consts::ARCH });
    }
    let layout = Layout::new(&object, memory::page_size())?;
    let mut block = Block::new(layout.size())?;
    let base = block.address();
    relocate::link(&object, &layout, base, block.bytes(), symbols::address)?;
    let entry = layout.function(&object, ENTRY)?;
    block.protect(&layout)?;
    // SAFETY: `entry` is the offset of a function in the block's code, which can run now and stays as long as the block; the caller vouches for its type.
    let entry: Entry = unsafe { std::mem::transmute::<*const (), Entry>(block.at(entry)) };
    let checked = object.symbols.iter().any(|s| checks::address(s.name).is_some());
    let constants = block.address() as usize..block.address() as usize + layout.size() as usize;
    // SAFETY: the caller vouches for code and spec; the block keeps the code mapped.
    let region = unsafe { NativeRegion::new(spec, entry, Arc::new(block)) };
    Ok(if checked { region.checked(constants) } else { region })
}

#[cfg(test)]
mod tests;
