//! Regions of a Program get their machine code, if somebody vouches for it and the processor has what it needs.

use crate::code::{load_cpu, load_ptx};
use sconce_interpreter::program::Target;
use sconce_interpreter::{CompiledRegion, Executable};
use std::sync::Arc;

/// Who vouches for machine code. What a file of unknown origin holds is vouched for by nobody.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Origin {
    /// Sconce's compiler: the answer to a question of this process, or what an earlier one was answered, from a cache that only this user writes to.
    Compiler,
    /// Whoever runs the program, and trusts its file as a program is trusted.
    User,
}

/// What became of a region with code.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct BoundRegion {
    /// Its number in the Program.
    pub region: u32,
    pub name: Arc<str>,
    /// Where its code runs; none: it is interpreted.
    pub target: Option<Target>,
    /// A sentence for each target that was wanted before and cannot be had.
    pub problems: Vec<String>,
}

/// Loads the code of every region, for the first GPU where that is wanted and there is one; what became of each that has any.
pub fn bind_regions(executable: &Executable, gpu: bool, _origin: Origin) -> Vec<BoundRegion> {
    let mut bound = Vec::new();
    for (region, id) in executable.program().regions.iter().zip(0..) {
        if region.codes.is_empty() {
            continue;
        }
        let mut problems = Vec::new();
        let mut loaded: Option<Arc<dyn CompiledRegion>> = None;
        if gpu {
            // SAFETY: `Origin` says that the codes are the compiler's.
            match unsafe { load_ptx(&region.codes) } {
                Ok(code) => loaded = Some(Arc::new(code)),
                Err(why) => problems.push(format!("region {} does not run on the GPU: {why}", region.name)),
            }
        }
        if loaded.is_none() {
            // SAFETY: as above.
            match unsafe { load_cpu(&region.codes) } {
                Ok(code) => loaded = Some(Arc::new(code)),
                Err(why) => problems.push(format!("region {} is interpreted: {why}", region.name)),
            }
        }
        let target = loaded.as_ref().map(|code| code.target());
        if let Some(code) = loaded {
            executable.bind_region(id, code);
        }
        bound.push(BoundRegion { region: id, name: region.name.clone(), target, problems });
    }
    bound
}
