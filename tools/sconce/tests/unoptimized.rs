//! Without optimisation programs give, bit for bit, what they give with it: in the first calls and in those that static plans run.

mod kept;

use sconce::executor::{CompileMode, ExecutorMode, Settings};
use sconce::{Engine, Options};

#[test]
fn results_are_the_same_bits() {
    let off = Settings { mode: ExecutorMode::Off, compile: CompileMode::Off, ..Settings::default() };
    // Who watches nothing and has no compiler needs no executor, so that there would be nothing to switch off.
    let engines = [Options { executor: off, ..Options::default() }, Options { watch: true, ..Options::default() }]
        .map(|options| Engine::new(options).expect("an engine"));
    let corpus = sconce_corpus::testdata("archives").expect("recordings");
    let (mut programs, mut results) = (0, 0);
    for program in kept::programs(&corpus) {
        let run = |engine| kept::results(engine, &corpus, program).map(|kept| kept.results);
        let [plain, optimised] = engines.each_ref().map(run);
        assert_eq!(plain, optimised, "{program}");
        programs += 1;
        results += plain.map_or(0, |results| results.len());
    }
    println!("{programs} programs, {results} results");
    assert!(programs >= 549 && results >= 2 * programs);
}
