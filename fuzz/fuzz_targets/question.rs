//! No bytes end the process when they are read as a question to the compiler or as its answer, and what is read is written and read back as the same.
#![no_main]

use libfuzzer_sys::fuzz_target;
use sconce_request::{Answer, Question};

fuzz_target!(|data: &[u8]| {
    if let Ok(question) = Question::from_bytes(data) {
        let written = question.to_bytes().expect("what was read can be written");
        let back = Question::from_bytes(&written).expect("what was written can be read");
        assert_eq!(back.to_bytes().expect("as before"), written);
    }
    if let Ok(answer) = Answer::from_bytes(data) {
        let written = answer.to_bytes().expect("what was read can be written");
        let back = Answer::from_bytes(&written).expect("what was written can be read");
        assert_eq!(back.to_bytes().expect("as before"), written);
    }
});
