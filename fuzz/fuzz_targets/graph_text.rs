//! No text ends the process, and what is read prints to something that reads as the same tree, in both spellings.
#![no_main]

use libfuzzer_sys::fuzz_target;
use sconce_syntax::graph_text::{Spelling, read};

fuzz_target!(|data: &[u8]| {
    let Ok(text) = std::str::from_utf8(data) else { return };
    let listing = match read("fuzz", text) {
        Ok(listing) => listing,
        Err(error) => {
            assert!(error.line > 0 && error.column > 0);
            error.report(true);
            return;
        }
    };
    let _ = listing.resolve();
    for spelling in [Spelling::Colons, Spelling::Braces] {
        let printed = listing.print(spelling);
        let back = read("printed", &printed).unwrap_or_else(|e| panic!("{}\n{printed}", e.report(false)));
        assert_eq!(listing, back, "{printed}");
        assert_eq!(printed, back.print(spelling));
    }
});
