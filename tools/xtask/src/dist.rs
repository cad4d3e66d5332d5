//! `dist` lays out what is given to people as it is installed: programs, manual pages, completions, licences; it says what it wrote, and packs it if asked to.

use crate::placing::{copy, write};
use crate::{TaskResult, build, licenses, output, root, target};
use flate2::{Compression, write::GzEncoder};
use std::io::Write as _;
use std::path::{Path, PathBuf};

const USAGE: &str = "usage: cargo xtask dist [--prefix DIR] [--bin DIR, with programs that are built] [--archive FILE.tar.zst | FILE.tar.gz]";

/// The programs whose completions are installed; `sconce` prints them.
const COMPLETED: &[&str] = &["sconce", "sconce-rt"];

/// Shells, and where below `share` each looks for the completions of a program. PowerShell looks nowhere: a profile names the file.
const SHELLS: &[(&str, fn(&str) -> String)] = &[
    ("bash", |program| format!("bash-completion/completions/{program}")),
    ("zsh", |program| format!("zsh/site-functions/_{program}")),
    ("fish", |program| format!("fish/vendor_completions.d/{program}.fish")),
    ("powershell", |program| format!("powershell/completions/{program}.ps1")),
];

/// What is installed as it stands in the repository.
const TEXTS: &[&str] = &["README.md", "LICENSE", "NOTICE"];

/// Where these and the licences of libraries are installed.
const DOCUMENTS: &str = "share/doc/sconce";

const PAGES: &str = "share/man/man1";

/// What was asked for.
#[derive(Debug, Default, PartialEq)]
struct Wanted {
    prefix: Option<PathBuf>,
    bin: Option<PathBuf>,
    archive: Option<PathBuf>,
}

impl Wanted {
    fn read(arguments: &[String]) -> Result<Wanted, String> {
        let mut wanted = Wanted::default();
        for pair in arguments.chunks(2) {
            match pair {
                [option, path] if option == "--prefix" => wanted.prefix = Some(path.into()),
                [option, path] if option == "--bin" => wanted.bin = Some(path.into()),
                [option, path] if option == "--archive" => {
                    Packing::of(path.as_ref())?;
                    wanted.archive = Some(path.into());
                }
                _ => return Err(USAGE.to_owned()),
            }
        }
        Ok(wanted)
    }
}

pub fn run(arguments: &[String]) -> TaskResult {
    let wanted = Wanted::read(arguments)?;
    let bin = match wanted.bin {
        Some(bin) => bin,
        None => {
            build::run(&[])?;
            target().join("release")
        }
    };
    let name = format!("sconce-{}-{}-{}", env!("CARGO_PKG_VERSION"), std::env::consts::ARCH, std::env::consts::OS);
    let prefix = match wanted.prefix {
        Some(prefix) => prefix,
        None => {
            let own = target().join("dist").join(&name);
            // What an older version had is not this one's.
            if own.exists() {
                std::fs::remove_dir_all(&own).map_err(|e| format!("{}: {e}", own.display()))?;
            }
            own
        }
    };
    let prefix = std::path::absolute(&prefix).map_err(|e| format!("--prefix {}: {e}", prefix.display()))?;
    let mut placed = placed(&bin, &prefix)?;
    placed.sort();
    placed.iter().for_each(|file| println!("{}", prefix.join(file).display()));
    if let Some(archive) = wanted.archive {
        let bytes = Packing::of(&archive)?.packed(&prefix, &placed, &name)?;
        write(&archive, &bytes)?;
        println!("{} ({} bytes)", archive.display(), bytes.len());
    }
    Ok(())
}

/// Installs everything; gives the files, as paths from the prefix on.
fn placed(bin: &Path, prefix: &Path) -> Result<Vec<String>, String> {
    let mut placed = Vec::new();
    let mut place = |from: PathBuf, to: String| {
        copy(&from, &prefix.join(&to))?;
        placed.push(to);
        Ok::<(), String>(())
    };
    for program in build::PROGRAMS {
        place(bin.join(program), format!("bin/{program}"))?;
    }
    for text in TEXTS {
        place(root().join(text), format!("{DOCUMENTS}/{text}"))?;
    }
    for package in build::PRODUCT.iter().chain(&[build::RUNTIME]) {
        let text = format!("licenses/{package}.txt");
        place(root().join(licenses::FOLDER).join(format!("{package}.txt")), format!("{DOCUMENTS}/{text}"))?;
    }
    let sconce = prefix.join("bin/sconce").display().to_string();
    for program in COMPLETED {
        for (shell, path) in SHELLS {
            let to = format!("share/{}", path(program));
            write(&prefix.join(&to), &output(&sconce, &["completions", shell, "--program", program])?)?;
            placed.push(to);
        }
    }
    let told = output(&sconce, &["man", "--out", &prefix.join(PAGES).display().to_string()])?;
    let pages = String::from_utf8_lossy(&told).into_owned();
    let name = |page: &Path| page.file_name().map(|name| format!("{PAGES}/{}", name.to_string_lossy()));
    placed.extend(pages.lines().filter_map(|page| name(page.as_ref())));
    Ok(placed)
}

/// How an archive is packed.
#[derive(Clone, Copy)]
enum Packing {
    Zstd,
    Gzip,
}

impl Packing {
    /// By the file's ending.
    fn of(path: &Path) -> Result<Packing, String> {
        match path.to_string_lossy() {
            name if name.ends_with(".tar.zst") => Ok(Packing::Zstd),
            name if name.ends_with(".tar.gz") => Ok(Packing::Gzip),
            name => Err(format!("--archive {name}: .tar.zst or .tar.gz is expected")),
        }
    }

    /// The files in a folder of this name, with neither times nor owners: the same files make the same archive.
    fn packed(self, prefix: &Path, files: &[String], folder: &str) -> Result<Vec<u8>, String> {
        let mut archive = tar::Builder::new(Vec::new());
        for file in files {
            let bytes = std::fs::read(prefix.join(file)).map_err(|e| format!("{file}: {e}"))?;
            let mut header = tar::Header::new_gnu();
            header.set_size(bytes.len() as u64);
            header.set_mode(if file.starts_with("bin/") { 0o755 } else { 0o644 });
            archive
                .append_data(&mut header, format!("{folder}/{file}"), &bytes[..])
                .map_err(|e| format!("{file}: {e}"))?;
        }
        let packed = archive.into_inner().and_then(|bytes| match self {
            // Higher levels take minutes.
            Packing::Zstd => zstd::encode_all(&bytes[..], 12),
            Packing::Gzip => {
                let mut packer = GzEncoder::new(Vec::new(), Compression::best());
                packer.write_all(&bytes)?;
                packer.finish()
            }
        });
        packed.map_err(|e| format!("the archive: {e}"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(line: &str) -> Result<Wanted, String> {
        Wanted::read(&line.split_whitespace().map(str::to_owned).collect::<Vec<_>>())
    }

    #[test]
    fn options_are_read_and_others_refused() {
        let wanted = read("--archive a.tar.gz --prefix /opt/sconce").expect("known options");
        assert_eq!((wanted.prefix, wanted.bin), (Some("/opt/sconce".into()), None));
        assert_eq!(wanted.archive, Some("a.tar.gz".into()));
        for wrong in ["--prefix", "--to /opt", "/opt"] {
            assert_eq!(read(wrong), Err(USAGE.to_owned()), "{wrong}");
        }
        assert_eq!(read("--archive a.zip"), Err("--archive a.zip: .tar.zst or .tar.gz is expected".to_owned()));
    }

    /// Programs that are scripts, of which `sconce` writes one page and completions that say for what they are.
    #[cfg(unix)]
    fn programs(bin: &Path) {
        use std::os::unix::fs::PermissionsExt as _;
        const SCONCE: &str = "#!/bin/sh\ncase $1 in\ncompletions) echo \"$2 $4\";;\n\
            man) mkdir -p \"$3\"; echo page > \"$3/sconce.1\"; echo \"$3/sconce.1\";;\nesac\n";
        for program in build::PROGRAMS {
            write(&bin.join(program), SCONCE.as_bytes()).expect("a program");
            std::fs::set_permissions(bin.join(program), std::fs::Permissions::from_mode(0o755)).expect("its mode");
        }
    }

    #[test]
    #[cfg(unix)]
    fn everything_lies_where_it_is_looked_for() {
        let folder = tempfile::tempdir().expect("a folder");
        let (bin, prefix) = (folder.path().join("built"), folder.path().join("installed"));
        programs(&bin);
        let placed = placed(&bin, &prefix).expect("it is installed");
        for file in [
            "bin/sconce",
            "bin/sconce-compiler",
            "bin/sconce-rt",
            "share/bash-completion/completions/sconce",
            "share/doc/sconce/LICENSE",
            "share/doc/sconce/licenses/sconce-opt.txt",
            "share/man/man1/sconce.1",
        ] {
            assert!(placed.iter().any(|placed| placed == file), "{file} is not among {placed:#?}");
        }
        assert!(placed.iter().all(|file| prefix.join(file).is_file()));
        let script = std::fs::read_to_string(prefix.join("share/zsh/site-functions/_sconce-rt")).expect("a script");
        assert_eq!(script, "zsh sconce-rt\n");
        for packing in [Packing::Zstd, Packing::Gzip] {
            let pack = || packing.packed(&prefix, &placed, "sconce-1").expect("it is packed");
            assert_eq!(pack(), pack());
        }
        let packed = Packing::Zstd.packed(&prefix, &placed, "sconce-1").expect("it is packed");
        let mut archive = tar::Archive::new(std::io::Cursor::new(zstd::decode_all(&packed[..]).expect("zstd")));
        let modes = archive.entries().expect("entries").map(|entry| {
            let entry = entry.expect("an entry");
            (entry.path().expect("a path").display().to_string(), entry.header().mode().expect("a mode"))
        });
        let modes: Vec<(String, u32)> = modes.collect();
        assert_eq!(modes[0], ("sconce-1/bin/sconce".to_owned(), 0o755));
        assert_eq!(modes.len(), placed.len());
        assert_eq!(modes[modes.len() - 1], ("sconce-1/share/man/man1/sconce.1".to_owned(), 0o644));
    }
}
