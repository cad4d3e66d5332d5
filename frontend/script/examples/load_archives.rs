//! Loads archives and lists what the compiler refused: `cargo run -p sconce-script --example load_archives -- model.pt…`.

use sconce_archive::{Limits, PtArchive};
use sconce_script::{importer, values::Copied};

fn main() {
    let (mut good, mut bad) = (0, 0);
    for path in std::env::args().skip(1) {
        let loaded = PtArchive::open(std::path::Path::new(&path), &Limits::default())
            .map_err(importer::Error::from)
            .and_then(|archive| importer::load(&archive, &mut Copied(&archive)));
        match loaded {
            Ok(loaded) if loaded.unit.refused.is_empty() => good += 1,
            Ok(loaded) => {
                bad += 1;
                for (name, e) in &loaded.unit.refused {
                    println!(
                        "BAD {path}: {name}: {:?} {} {}",
                        e.place.line_column(),
                        e.message.trim(),
                        e.place.quoted()
                    );
                }
            }
            Err(e) => {
                bad += 1;
                println!("BAD {path}: {e}");
            }
        }
    }
    println!("{good} loaded, {bad} refused");
}
