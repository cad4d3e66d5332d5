//! Builds the C++ shim (`CMakeLists.txt`) and tells the linker where MLIR is.
//!
//! Debian's packages hold no `libMLIR-C.so`, which `mlir-sys` asks for when it links dynamically: a linker script of that name, made here, stands
//! in and names the static archives of the C API, which are thin wrappers over `libMLIR.so`.

use std::path::{Path, PathBuf};
use std::{env, fs, process::Command};

fn main() {
    println!("cargo:rerun-if-changed=build.rs");
    println!("cargo:rerun-if-env-changed=MLIR_SYS_220_PREFIX");
    println!("cargo:rerun-if-env-changed=MLIR_SYS_LINK_SHARED");
    println!("cargo:rerun-if-env-changed=CXX");

    let here = PathBuf::from(env::var_os("CARGO_MANIFEST_DIR").expect("cargo sets CARGO_MANIFEST_DIR"));
    let out = PathBuf::from(env::var_os("OUT_DIR").expect("cargo sets OUT_DIR"));
    let prefix = llvm_prefix();
    let libraries = prefix.join("lib");

    let shim = build_shim(&here, &prefix);
    println!("cargo:rustc-link-search=native={}", shim.display());
    println!("cargo:rustc-link-lib=static=sconce_shim");

    if env::var("MLIR_SYS_LINK_SHARED").is_ok_and(|value| value == "1") {
        write_c_api_script(&libraries, &out);
        println!("cargo:rustc-link-search=native={}", out.display());
        println!("cargo:rustc-link-search=native={}", libraries.display());
        // The shim's C++ symbols. In a static build mlir-sys has bundled every MLIR archive already.
        println!("cargo:rustc-link-lib=dylib=MLIR");
    }
}

/// Where LLVM and MLIR are installed: `MLIR_SYS_220_PREFIX`, or what `llvm-config` says.
fn llvm_prefix() -> PathBuf {
    if let Some(prefix) = env::var_os("MLIR_SYS_220_PREFIX") {
        return prefix.into();
    }
    for name in ["llvm-config-22", "llvm-config"] {
        if let Ok(answer) = Command::new(name).arg("--prefix").output()
            && answer.status.success()
        {
            return String::from_utf8_lossy(&answer.stdout).trim().into();
        }
    }
    panic!("LLVM 22 not found: set MLIR_SYS_220_PREFIX, for instance to /usr/lib/llvm-22");
}

/// Runs CMake and returns the folder that holds `libsconce_shim.a`.
fn build_shim(here: &Path, prefix: &Path) -> PathBuf {
    for watched in ["CMakeLists.txt", "cpp", "include", "td"] {
        watch(&here.join(watched));
    }
    let mut config = cmake::Config::new(here);
    // Never "Debug": the packages are built without assertions, and MLIR's headers differ with them.
    config.generator("Ninja").profile("Release").build_target("sconce_shim");
    config.define("MLIR_DIR", prefix.join("lib/cmake/mlir")).define("LLVM_DIR", prefix.join("lib/cmake/llvm"));
    // clang needs a third less time than g++ here, and pays for the precompiled header.
    let clang = prefix.join("bin/clang++");
    if env::var_os("CXX").is_none() && clang.exists() {
        config.define("CMAKE_CXX_COMPILER", &clang).define("CMAKE_C_COMPILER", prefix.join("bin/clang"));
    }
    if env::var_os("CMAKE_CXX_COMPILER_LAUNCHER").is_none() && Command::new("ccache").arg("--version").output().is_ok()
    {
        config.define("CMAKE_CXX_COMPILER_LAUNCHER", "ccache");
        // Without these two a precompiled header makes every compilation a miss.
        config.env("CCACHE_SLOPPINESS", "pch_defines,time_macros,include_file_mtime,include_file_ctime");
    }
    config.build().join("build")
}

fn watch(path: &Path) {
    println!("cargo:rerun-if-changed={}", path.display());
}

/// Writes the linker script `libMLIR-C.so` into `out`.
fn write_c_api_script(libraries: &Path, out: &Path) {
    let entries = fs::read_dir(libraries).unwrap_or_else(|e| panic!("cannot list {}: {e}", libraries.display()));
    let mut archives: Vec<String> = entries
        .filter_map(|entry| entry.ok()?.file_name().into_string().ok())
        .filter(|name| name.starts_with("libMLIRCAPI") && name.ends_with(".a"))
        .map(|name| libraries.join(name).display().to_string())
        .collect();
    assert!(!archives.is_empty(), "no libMLIRCAPI*.a in {}: is libmlir-22-dev installed?", libraries.display());
    archives.sort();
    fs::write(out.join("libMLIR-C.so"), format!("GROUP ( {} )\n", archives.join(" ")))
        .unwrap_or_else(|e| panic!("cannot write to {}: {e}", out.display()));
}
