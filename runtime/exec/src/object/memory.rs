//! Blocks of memory for code: written first, then made executable or read-only, never writable and executable at once; given back when dropped.

use super::LoadError;
use super::layout::Layout;
use super::read::Access;
use std::ptr::NonNull;

/// Whole pages of this process.
pub struct Block {
    start: NonNull<u8>,
    size: usize,
}

// SAFETY: a block owns its pages; what is written after `protect` is the loaded code's own data, for which its caller vouches.
unsafe impl Send for Block {}
// SAFETY: as for Send; shared, a block only tells addresses.
unsafe impl Sync for Block {}

fn refused() -> LoadError {
    LoadError::Memory(std::io::Error::last_os_error().to_string())
}

/// Bytes of a page.
pub fn page_size() -> u64 {
    // SAFETY: asks for a number.
    let size = unsafe { libc::sysconf(libc::_SC_PAGESIZE) };
    u64::try_from(size).ok().filter(|s| s.is_power_of_two()).unwrap_or(1 << 16)
}

impl Block {
    /// So many bytes of zeros, writable.
    pub fn new(size: u64) -> Result<Block, LoadError> {
        let size = usize::try_from(size).ok().filter(|s| *s > 0);
        let size = size.ok_or_else(|| LoadError::damaged("it has no sections to load"))?;
        let access = libc::PROT_READ | libc::PROT_WRITE;
        // SAFETY: a new mapping at an address of the system's choice, which replaces no other.
        let start =
            unsafe { libc::mmap(std::ptr::null_mut(), size, access, libc::MAP_PRIVATE | libc::MAP_ANONYMOUS, -1, 0) };
        match NonNull::new(start.cast::<u8>()) {
            Some(start) if start.as_ptr().cast() != libc::MAP_FAILED => Ok(Block { start, size }),
            _ => Err(refused()),
        }
    }

    pub fn address(&self) -> u64 {
        self.start.as_ptr() as u64
    }

    /// An address inside of the block.
    pub fn at(&self, offset: u64) -> *const () {
        self.start.as_ptr().wrapping_add(offset as usize).cast()
    }

    /// All of it, before it is protected.
    pub fn bytes(&mut self) -> &mut [u8] {
        // SAFETY: the pages are mapped, ours and initialised with zeros, and nobody else has their address while they are borrowed.
        unsafe { std::slice::from_raw_parts_mut(self.start.as_ptr(), self.size) }
    }

    /// Gives every page the access that it is to have.
    pub fn protect(&mut self, layout: &Layout) -> Result<(), LoadError> {
        for (access, range) in &layout.pages {
            let access = match access {
                Access::Execute => libc::PROT_READ | libc::PROT_EXEC,
                Access::Read => libc::PROT_READ,
                Access::Write => continue,
            };
            if range.is_empty() {
                continue;
            }
            if range.end > self.size as u64 {
                return Err(LoadError::Memory("the block is smaller than its layout".into()));
            }
            let (start, size) = (self.at(range.start), (range.end - range.start) as usize);
            // SAFETY: whole pages of this block, which nothing borrows.
            if unsafe { libc::mprotect(start.cast_mut().cast(), size, access) } != 0 {
                return Err(refused());
            }
            forget_instructions(start as usize, size);
        }
        Ok(())
    }
}

impl Drop for Block {
    fn drop(&mut self) {
        // SAFETY: mapped by `new`, and whoever has an address inside keeps the block. It cannot fail for a whole mapping.
        unsafe { libc::munmap(self.start.as_ptr().cast(), self.size) };
    }
}

/// This processor sees what was written as instructions.
#[cfg(not(target_arch = "aarch64"))]
fn forget_instructions(_start: usize, _size: usize) {}

/// Data that was written reaches memory, and instructions that were read from there before are forgotten.
#[cfg(target_arch = "aarch64")]
fn forget_instructions(start: usize, size: usize) {
    use std::arch::asm;
    let cache: u64;
    // SAFETY: reads how long lines of the caches are, which user programs may.
    unsafe { asm!("mrs {}, ctr_el0", out(reg) cache, options(nomem, nostack)) };
    let (instructions, data) = (4usize << (cache & 15), 4usize << (cache >> 16 & 15));
    let end = start + size;
    for line in (start & !(data - 1)..end).step_by(data) {
        // SAFETY: writes lines of mapped pages back.
        unsafe { asm!("dc cvau, {}", in(reg) line, options(nostack)) };
    }
    // SAFETY: waits.
    unsafe { asm!("dsb ish", options(nostack)) };
    for line in (start & !(instructions - 1)..end).step_by(instructions) {
        // SAFETY: drops lines of mapped pages.
        unsafe { asm!("ic ivau, {}", in(reg) line, options(nostack)) };
    }
    // SAFETY: waits.
    unsafe { asm!("dsb ish", "isb", options(nostack)) };
}
