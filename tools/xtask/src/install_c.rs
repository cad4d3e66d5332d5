//! `install-c` builds the C interface of the runtime and installs what C and C++ programs are built with: headers, both libraries, pkg-config, CMake.

use crate::c_header::{Abi, INCLUDE};
use crate::placing::{copy, write};
use crate::{TaskResult, command, licenses, root, target};
use std::path::{Path, PathBuf};

const PACKAGE: &str = "sconce-c";
const ARCHIVE: &str = "libsconce_rt.a";
/// What is installed as it stands, but for `@WORDS@`.
const TEMPLATES: &str = "tools/c/install";
/// The system's libraries that the archive needs: those of Rust's own library.
const SYSTEM: &[&str] = &["-lgcc_s", "-lutil", "-lrt", "-lpthread", "-lm", "-ldl"];

/// What was asked for.
#[derive(Debug, Default, PartialEq)]
struct Wanted {
    prefix: Option<PathBuf>,
    profile: Option<String>,
    features: Option<String>,
}

impl Wanted {
    fn read(arguments: &[String]) -> Result<Wanted, String> {
        let mut wanted = Wanted::default();
        let mut rest = arguments.iter();
        while let Some(option) = rest.next() {
            let value = rest.next().cloned().ok_or_else(|| format!("{option} takes a value"))?;
            match option.as_str() {
                "--prefix" => wanted.prefix = Some(value.into()),
                "--profile" => wanted.profile = Some(value),
                "--features" => wanted.features = Some(value),
                _ => return Err(format!("there is no option {option}; {USAGE}")),
            }
        }
        Ok(wanted)
    }
}

const USAGE: &str = "usage: cargo xtask install-c --prefix DIR [--profile NAME] [--features exported-programs,extra-kernels,text-state]";

pub fn run(arguments: &[String]) -> TaskResult {
    if cfg!(not(target_os = "linux")) {
        return Err("the shared library is linked with versions of its symbols, which only Linux has".to_owned());
    }
    let wanted = Wanted::read(arguments)?;
    let prefix = std::path::absolute(wanted.prefix.as_deref().ok_or(USAGE)?).map_err(|e| format!("--prefix: {e}"))?;
    let archive = built(&wanted)?;
    let abi = Abi::recorded(&root())?;
    let lib = prefix.join("lib");
    copy(&archive, &lib.join(ARCHIVE))?;
    let shared = linked(&archive, &abi, &lib)?;
    for header in ["sconce.h", "sconce.hpp"] {
        copy(&root().join(INCLUDE).join(header), &prefix.join("include").join(header))?;
    }
    let texts = format!("{}/{PACKAGE}.txt", licenses::FOLDER);
    copy(&root().join(texts), &prefix.join("share/doc/sconce/licenses.txt"))?;
    for (template, to) in [
        ("sconce_rt.pc.in", "lib/pkgconfig/sconce_rt.pc"),
        ("sconceConfig.cmake.in", "lib/cmake/sconce/sconceConfig.cmake"),
        ("sconceConfigVersion.cmake.in", "lib/cmake/sconce/sconceConfigVersion.cmake"),
    ] {
        let path = root().join(TEMPLATES).join(template);
        let text = std::fs::read_to_string(&path).map_err(|e| format!("{}: {e}", path.display()))?;
        write(&prefix.join(to), filled(&text, &abi).as_bytes())?;
    }
    for path in [&shared, &lib.join(ARCHIVE)] {
        let bytes = std::fs::metadata(path).map_err(|e| format!("{}: {e}", path.display()))?.len();
        println!("install-c: {} has {bytes} bytes", path.display());
    }
    Ok(())
}

/// Builds the archive; gives where it lies.
fn built(wanted: &Wanted) -> Result<PathBuf, String> {
    let profile = wanted.profile.as_deref().unwrap_or("library");
    let mut arguments = vec!["build", "-p", PACKAGE, "--profile", profile];
    if let Some(features) = &wanted.features {
        arguments.extend(["--features", features]);
    }
    command("cargo", &arguments)?;
    let folder = if profile == "dev" { "debug" } else { profile };
    Ok(target().join(folder).join(ARCHIVE))
}

/// Links the shared library from the archive, with links that lead to it; gives where it lies. Cargo's own would have symbols without versions: rustc gives the
/// linker a script of its own, beside which there can be no other.
fn linked(archive: &Path, abi: &Abi, lib: &Path) -> Result<PathBuf, String> {
    let soname = abi.soname();
    let base = soname.trim_end_matches(|c: char| c.is_ascii_digit() || c == '.');
    let shared = lib.join(format!("{soname}.{}", env!("CARGO_PKG_VERSION")));
    let script = target().join("sconce_rt.map");
    write(&script, abi.version_script().as_bytes())?;
    let mut arguments = vec![
        "-shared".to_owned(),
        "-o".to_owned(),
        shared.display().to_string(),
        format!("-Wl,-soname,{soname}"),
        format!("-Wl,--version-script={}", script.display()),
        "-Wl,--gc-sections,-z,defs,-z,relro,-z,now,--strip-all".to_owned(),
    ];
    arguments.extend(abi.functions().map(|name| format!("-Wl,--undefined={name}")));
    arguments.push(archive.display().to_string());
    arguments.extend(SYSTEM.iter().map(|&library| library.to_owned()));
    let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
    command(std::env::var_os("CC").unwrap_or_else(|| "cc".into()), &arguments)?;
    let file = shared.file_name().unwrap_or_default();
    for link in [lib.join(&soname), lib.join(base)] {
        link_to(file, &link)?;
    }
    Ok(shared)
}

#[cfg(unix)]
fn link_to(file: &std::ffi::OsStr, link: &Path) -> TaskResult {
    // One of an older installation.
    let _ = std::fs::remove_file(link);
    std::os::unix::fs::symlink(file, link).map_err(|e| format!("{}: {e}", link.display()))
}

#[cfg(not(unix))]
fn link_to(file: &std::ffi::OsStr, link: &Path) -> TaskResult {
    Err(format!("{}: no link to {} can be made here", link.display(), file.display()))
}

/// A template with its words.
fn filled(template: &str, abi: &Abi) -> String {
    let version = env!("CARGO_PKG_VERSION");
    let soname = abi.soname();
    let words = [("@VERSION@", version), ("@SONAME@", &*soname), ("@SYSTEM@", &*SYSTEM.join(" "))];
    words.iter().fold(template.to_owned(), |text, (word, value)| text.replace(word, value))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn options_are_read_and_others_refused() {
        let read = |line: &str| Wanted::read(&line.split_whitespace().map(str::to_owned).collect::<Vec<_>>());
        let wanted = read("--prefix /opt/sconce --features text-state").expect("known options");
        assert_eq!(wanted.prefix, Some("/opt/sconce".into()));
        assert_eq!((wanted.profile, wanted.features), (None, Some("text-state".to_owned())));
        assert!(read("--prefix").is_err_and(|e| e == "--prefix takes a value"));
        assert!(read("--to /opt").is_err_and(|e| e.starts_with("there is no option --to; usage: ")));
    }
}
