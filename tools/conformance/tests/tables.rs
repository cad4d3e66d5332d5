//! Every recorded cell of the tables of result dtypes, and every draw that the recorded streams of the generator make.

use sconce_conformance::tables::TABLES;

#[test]
fn every_cell_and_every_draw() {
    let vectors = sconce_corpus::testdata("vectors").expect("testdata/vectors is packed");
    for (file, what, judge) in TABLES {
        let cells = judge(vectors.text(file).expect(file)).expect("a table");
        println!("{what}: {}", cells.count);
        assert!(cells.count >= 1_500, "only {} {what}", cells.count);
        assert!(cells.wrong.is_empty(), "{} {what} differ\n{}", cells.wrong.len(), cells.wrong.join("\n"));
    }
}
