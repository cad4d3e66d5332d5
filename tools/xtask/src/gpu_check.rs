//! `gpu-check` packs what a machine with only a GPU's driver needs to run our PTX: the runtime alone, Programs with inputs and expected results, and a script. It stays small
//! enough to be carried anywhere.

use crate::{TaskResult, build, command, target};
use std::os::unix::fs::PermissionsExt;
use std::path::Path;

/// Bytes that everything together stays below.
const LIMIT: u64 = 60_000_000;

/// Runs every program by the runtime alone, then on the GPU.
const SCRIPT: &str = r#"#!/bin/sh
# Runs every program interpreted and, where there is an NVIDIA GPU, by its PTX; says what agrees with the results that the programs bring, and how long calls take.
set -u
cd "$(dirname "$0")"
status=0
./sconce-rt --version
for program in programs/*.sconce; do
    result=$(./sconce-rt --function check "$program") || status=1
    case $result in
    *False* | '') status=1 ;;
    esac
    echo "$(basename "$program" .sconce): the runtime alone: $result"
done
./gpu_check programs/*.sconce || status=1
[ $status = 0 ] && echo "everything that ran agrees" || echo "SOMETHING DIFFERS OR FAILED"
exit $status
"#;

pub fn run(arguments: &[String]) -> TaskResult {
    let [folder] = arguments else { return Err("usage: cargo xtask gpu-check OUT".into()) };
    let folder = std::path::absolute(folder).map_err(|e| format!("{folder}: {e}"))?;
    let programs = folder.join("programs");
    let shown = programs.to_string_lossy().into_owned();
    std::fs::create_dir_all(&programs).map_err(|e| format!("{shown}: {e}"))?;
    command("cargo", &["run", "-p", "sconce-compiler", "--example", "gpu_programs", "--", &shown])?;
    copy(&build::runtime()?, &folder.join("sconce-rt"))?;
    command("cargo", &["build", "--profile", "runtime", "-p", "sconce-exec", "--example", "gpu_check"])?;
    copy(&target().join("runtime/examples/gpu_check"), &folder.join("gpu_check"))?;
    let script = folder.join("run.sh");
    std::fs::write(&script, SCRIPT)
        .and_then(|()| std::fs::set_permissions(&script, std::fs::Permissions::from_mode(0o755)))
        .map_err(|e| format!("{}: {e}", script.display()))?;
    let bytes = size(&folder)?;
    println!("gpu-check: {} holds {:.1} MB; run.sh runs everything", folder.display(), bytes as f64 / 1e6);
    if bytes < LIMIT { Ok(()) } else { Err(format!("{bytes} bytes; the bound is {LIMIT}")) }
}

fn copy(from: &Path, to: &Path) -> TaskResult {
    std::fs::copy(from, to).map(drop).map_err(|e| format!("{} to {}: {e}", from.display(), to.display()))
}

/// Bytes of all files below a folder.
fn size(folder: &Path) -> Result<u64, String> {
    let failed = |e: std::io::Error| format!("{}: {e}", folder.display());
    let mut bytes = 0;
    for item in std::fs::read_dir(folder).map_err(failed)? {
        let item = item.map_err(failed)?;
        let metadata = item.metadata().map_err(failed)?;
        bytes += if metadata.is_dir() { size(&item.path())? } else { metadata.len() };
    }
    Ok(bytes)
}
