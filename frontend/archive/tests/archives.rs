//! Every archive that PyTorch wrote opens whole, and what we write of it holds the same.

mod common;

use common::{Content, archives};
use sconce_archive::{Error, Layout, Limits, PtArchive};

#[test]
fn every_recorded_archive_opens() {
    let (mut layouts, mut tensors, mut ranges) = ([0; 3], 0, 0);
    for (path, bytes) in archives().iter() {
        let archive =
            PtArchive::from_bytes(bytes.to_vec(), &Limits::default()).unwrap_or_else(|e| panic!("{path}: {e}"));
        layouts[archive.layout() as usize] += 1;
        let content = Content::of(&archive).unwrap_or_else(|e| panic!("{path}: {e}"));
        tensors += content.storages.len();
        ranges += content.source_ranges();
    }
    println!("today's, mobile, model.json: {layouts:?}; {tensors} tensors, {ranges} source ranges");
    assert_eq!(layouts[Layout::TorchScript as usize], 688);
    assert_eq!(layouts[Layout::Mobile as usize], 39);
    assert_eq!(layouts[Layout::ModelJson as usize], 21);
    assert!(tensors > 1000 && ranges > 20_000);
}

#[test]
fn what_is_written_holds_the_same_and_is_written_the_same_again() {
    for (path, bytes) in archives().iter() {
        let limits = Limits::default();
        let before = PtArchive::from_bytes(bytes.to_vec(), &limits).unwrap();
        let written = before.rewrite(Vec::new()).unwrap_or_else(|e| panic!("{path}: {e}"));
        let after = PtArchive::from_bytes(written.clone(), &limits).unwrap_or_else(|e| panic!("{path}: {e}"));
        let same = Content::of(&before).unwrap().without_seals() == Content::of(&after).unwrap().without_seals();
        assert!(same, "{path}: other content");
        assert!(after.rewrite(Vec::new()).unwrap() == written, "{path}: other bytes the second time");
    }
}

#[test]
fn a_source_range_names_file_line_and_text() {
    let corpus = archives();
    let bytes = corpus.get("overview/lstm_cell/model.pt").unwrap();
    let archive = PtArchive::from_bytes(bytes.to_vec(), &Limits::default()).unwrap();
    let code = &archive.code_files()[0];
    let ranges = archive.debug_ranges(code).unwrap().unwrap();
    let at = code.text.find("torch.sigmoid").unwrap();
    let range = ranges.find(at).unwrap();
    let text = range.quoted();
    assert!(text.contains("sigmoid"), "{text}");
    assert_eq!(range.source.name(), "source.py");
    let (line, _) = range.line_column();
    assert!(line > 1);
}

#[test]
fn a_file_appears_whole_or_not_at_all() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("model.pt");
    std::fs::write(&path, "old").unwrap();
    let failed = sconce_archive::write_file(&path, |mut writer| {
        writer.member("data.pkl", b"x")?;
        writer.member("data.pkl", b"y")?;
        writer.finish(3)
    });
    let error: Error = failed.unwrap_err();
    assert_eq!(error.to_string(), "data.pkl: the archive has this member already");
    assert_eq!(std::fs::read(&path).unwrap(), b"old");
    assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 1, "nothing is left behind");

    let corpus = archives();
    let (_, bytes) = corpus.iter().next().unwrap();
    let archive = PtArchive::from_bytes(bytes.to_vec(), &Limits::default()).unwrap();
    sconce_archive::write_file::<Error>(&path, |writer| writer.fill_from(&archive)).unwrap();
    let mapped = PtArchive::open(&path, &Limits::default()).unwrap();
    assert_eq!(mapped.code_files(), archive.code_files());
    assert_eq!(mapped.name(), "model");
}

#[test]
fn weights_are_read_from_archives_of_every_layout() {
    let corpus = archives();
    for (path, expected) in [
        ("tracing/trace_module/model.pt", "a.weight [3, 4]; a.bias [3]; b.weight [2, 3]; b.bias [2]"),
        ("_model_json/w_submodules/model.pt", "fc1.weight [3, 3]; fc2.weight [3]"),
        ("_model_json/w_attributes/model.pt", "t [2, 2]"),
    ] {
        let arrays = sconce_archive::read_arrays(path, corpus.get(path).unwrap(), &Limits::default()).unwrap();
        let shown: Vec<_> = arrays.iter().map(|(name, a)| format!("{name} {:?}", a.sizes)).collect();
        assert_eq!(shown.join("; "), expected, "{path}");
    }
}

#[test]
fn an_archive_without_its_tensors_can_be_looked_at() {
    let corpus = archives();
    let limits = Limits::default();
    let whole =
        sconce_archive::zip::Archive::open(corpus.get("_model_json/w_attributes/model.pt").unwrap(), &limits).unwrap();
    let members = whole.entries().iter().filter(|e| !e.name.contains("/tensors/"));
    let members: Vec<_> = members.map(|e| (e.name.clone(), whole.read(e).unwrap())).collect();
    let bytes = sconce_archive::zip::write(&members).unwrap();
    let error = PtArchive::from_bytes(bytes.clone(), &limits).unwrap_err();
    assert_eq!(error.to_string(), "tensors/0: the archive has no such member");
    let container = sconce_archive::Container::from_bytes(bytes, &limits).unwrap();
    let attributes = container.pickle("attributes.pkl", &limits).unwrap();
    assert_eq!(attributes.to_string(), "(2.3, 7, 'txt', True, [1, -2], tensor #0)");
    let listed = sconce_archive::pickle::disassemble(&container.read("attributes.pkl").unwrap());
    assert!(listed.contains("GLOBAL     'torch.jit._pickle build_tensor_from_id'"), "{listed}");
}

#[test]
fn big_endian_archives_give_little_endian_storages() {
    let corpus = archives();
    let limits = Limits::default();
    let bytes = corpus.get("tracing/trace_module/model.pt").unwrap();
    let little = PtArchive::from_bytes(bytes.to_vec(), &limits).unwrap();
    // All of its tensors are of 32 bits.
    let members = little.members().iter().map(|e| {
        let short = e.name.split_once('/').unwrap().1;
        let mut data = little.read(short).unwrap().into_owned();
        if short == "byteorder" {
            data = b"big".to_vec();
        } else if short.starts_with("data/") {
            data.chunks_exact_mut(4).for_each(<[u8]>::reverse);
        }
        (e.name.clone(), data)
    });
    let bytes = sconce_archive::zip::write(&members.collect::<Vec<_>>()).unwrap();
    let big = PtArchive::from_bytes(bytes, &limits).unwrap();
    let storages = |a: &PtArchive| Content::of(a).unwrap().storages;
    assert!(storages(&little).len() == 4 && storages(&little) == storages(&big));
    // What is written is little-endian again.
    let again = PtArchive::from_bytes(big.rewrite(Vec::new()).unwrap(), &limits).unwrap();
    assert_eq!(&*again.read("byteorder").unwrap(), b"little");
    assert_eq!(storages(&again), storages(&little));
}
