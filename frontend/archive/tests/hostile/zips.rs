//! Archives whose container lies.

use super::raw::{CRC, EXTRA_LENGTH, FLAGS, METHOD, Member, NAME_LENGTH, PACKED, Raw, SIZE, TIME, deflate};
use super::{CODE, Case, base, named};

/// An archive with one member changed, found by the end of its name.
fn with(name: &str, change: impl Fn(Member) -> Member) -> Vec<u8> {
    let mut raw = base();
    let at = raw.members.iter().position(|m| m.local.ends_with(name.as_bytes())).expect("a member");
    raw.members[at] = change(raw.members[at].clone());
    raw.bytes()
}

/// An archive with one more member.
fn plus(member: Member) -> Vec<u8> {
    let mut raw = base();
    raw.members.push(member);
    raw.bytes()
}

/// An archive whose end record has `bytes` at `at`.
fn end_with(at: usize, bytes: &[u8]) -> Vec<u8> {
    let mut all = base().bytes();
    let end = all.len() - 22 + at;
    all[end..end + bytes.len()].copy_from_slice(bytes);
    all
}

/// The zip64 end record and its locator, for an archive without them.
fn zip64(change: impl Fn(&mut [u8], u64)) -> Vec<u8> {
    let mut raw = base();
    let (count, size, start) = (raw.members.len() as u64, raw.directory_size() as u64, raw.directory_start() as u64);
    let mut record = b"PK\x06\x06".to_vec();
    record.extend(44u64.to_le_bytes());
    record.extend([45, 0, 45, 0, 0, 0, 0, 0, 0, 0, 0, 0]);
    for number in [count, count, size, start] {
        record.extend(number.to_le_bytes());
    }
    record.extend(b"PK\x06\x07\0\0\0\0");
    record.extend((start + size).to_le_bytes());
    record.extend([1, 0, 0, 0]);
    change(&mut record, start + size);
    raw.before_end = record;
    raw.bytes()
}

pub fn cases() -> Vec<Case> {
    let whole = base().bytes();
    let mut cases = vec![
        Case::new("empty-file", Vec::new()),
        Case::new("plain-text", b"def forward(self): pass\n".repeat(20)),
        Case::new("cut-in-half", whole[..whole.len() / 2].to_vec()),
        Case::new("cut-directory", {
            let mut raw = base();
            let last = raw.members.len() - 1;
            raw.members[last].central.truncate(30);
            raw.bytes()
        }),
        Case::new("cut-end-record", whole[..whole.len() - 5].to_vec()),
        Case::new("end-record-alone", whole[whole.len() - 22..].to_vec()),
        Case::new("count-too-large", end_with(8, &[9, 0, 9, 0])),
        Case::new("count-too-small", end_with(8, &[1, 0, 1, 0])),
        Case::new("count-of-65534", end_with(8, &[0xfe, 0xff, 0xfe, 0xff])),
        Case::new("counts-disagree", end_with(8, &[1, 0])),
        Case::new("directory-size-lies", end_with(12, &[1, 0, 0, 0])),
        Case::new("directory-offset-lies", end_with(16, &[0, 0, 0, 0])),
        Case::new("directory-offset-beyond", end_with(16, &[0, 0, 0, 0x7f])),
        Case::new("several-disks", end_with(4, &[1, 0])),
    ];
    let changed = |change: &dyn Fn(&mut Raw)| {
        let mut raw = base();
        change(&mut raw);
        raw.bytes()
    };
    cases.extend([
        Case::new("second-end-in-comment", changed(&|raw| raw.comment = [&b"PK\x05\x06"[..], &[0; 18]].concat())),
        Case::new("data-behind-the-end", changed(&|raw| raw.suffix = b"tail".to_vec())),
        Case::new("data-before-the-start", changed(&|raw| raw.prefix = b"#!/bin/sh\n".to_vec())),
        Case::new("data-before-the-end-record", changed(&|raw| raw.before_end = vec![0; 40])),
        Case::new("gap-between-members", changed(&|raw| raw.members[1].descriptor = vec![0; 64])),
        Case::new(
            "overlapping-members",
            changed(&|raw| {
                let mut again = raw.members[1].clone();
                again.offset = Some(0);
                again.local.clear();
                again.data.clear();
                again.central = named(again.central, "model/data/9");
                raw.members.push(again);
            }),
        ),
        Case::new(
            "member-inside-a-member",
            changed(&|raw| {
                let inner = Member::stored("model/data/inner", b"0123456789abcdef");
                let bytes = [&inner.local[..], &inner.data].concat();
                let outer = Member::stored("model/data/outer", &bytes);
                let start = raw.directory_start() + outer.local.len();
                raw.members.push(outer);
                raw.members.push(Member { local: vec![], data: vec![], offset: Some(start as u32), ..inner });
            }),
        ),
        Case::new(
            "kernel-of-many-names",
            changed(&|raw| {
                // One block of deflated data that a hundred members claim, each with its own name.
                let kernel = deflate(&vec![0; 10 << 20]);
                let first = Member::new(b"model/data/k", kernel.clone(), &vec![0; 10 << 20], 8);
                let start = raw.directory_start() as u32;
                raw.members.push(first.clone());
                for i in 0..100 {
                    let central = named(first.central.clone(), &format!("model/data/k{i}"));
                    raw.members.push(Member {
                        local: vec![],
                        data: vec![],
                        central,
                        offset: Some(start),
                        ..first.clone()
                    });
                }
            }),
        ),
        Case::new("offset-beyond-the-file", changed(&|raw| raw.members[0].offset = Some(0x7fff_ffff))),
        Case::new(
            "offset-into-the-directory",
            changed(&|raw| raw.members[0].offset = Some(raw.directory_start() as u32)),
        ),
        Case::new("member-on-another-disk", changed(&|raw| raw.members[0].central[34] = 1)),
        Case::new("duplicate-name", plus(Member::stored("model/data/0", b"another tensor!!"))),
        Case::new("two-roots", plus(Member::stored("other/data/1", b"x"))),
        Case::new("member-outside-the-folder", plus(Member::stored("data.pkl", b"\x80\x02N."))),
        Case::new("folder-with-data", plus(Member::stored("model/extra/", b"x"))),
    ]);
    for (name, path) in [
        ("parent-name", "model/../../etc/passwd"),
        ("dot-name", "model/./data"),
        ("absolute-name", "/etc/passwd"),
        ("drive-name", "C:/windows/system.ini"),
        ("backslash-name", "model\\..\\secret"),
        ("empty-part-in-name", "model//data"),
        ("zero-in-name", "model/da\0ta"),
        ("newline-in-name", "model/da\nta"),
        ("empty-name", ""),
    ] {
        cases.push(Case::new(name, plus(Member::stored(path, b"x"))));
    }
    cases.push(Case::new("name-not-utf8", plus(Member::new(b"model/\xff\xfe", b"x".to_vec(), b"x", 0))));
    for (name, at, bytes) in [
        ("local-flags-disagree", FLAGS, &[0, 0][..]),
        ("local-method-disagrees", METHOD, &[8, 0]),
        ("local-time-disagrees", TIME, &[1, 0]),
        ("local-sum-disagrees", CRC, &[1, 2, 3, 4]),
        ("local-packed-size-disagrees", PACKED, &[15, 0, 0, 0]),
        ("local-size-disagrees", SIZE, &[15, 0, 0, 0]),
        ("local-name-length-disagrees", NAME_LENGTH, &[3, 0]),
        ("local-extra-length-lies", EXTRA_LENGTH, &[4, 0]),
        ("local-extra-length-beyond", EXTRA_LENGTH, &[0xff, 0xff]),
        ("local-name-disagrees", 30, b"M"),
        ("local-signature-wrong", 0, b"PK\x03\x05"),
    ] {
        cases.push(Case::new(name, with("data/0", |m| m.set_local(at, bytes))));
    }
    let le = |n: u32| n.to_le_bytes();
    cases.extend([
        Case::new("sum-of-a-tensor-wrong", with("data/0", |m| m.set_both(CRC, &le(7)))),
        Case::new("sum-of-a-pickle-wrong", with("data.pkl", |m| m.set_both(CRC, &le(7)))),
        Case::new("sum-of-code-wrong", with(".py", |m| m.set_both(CRC, &le(7)))),
        Case::new("encrypted", with("data/0", |m| m.set_both(FLAGS, &[1, 8]))),
        Case::new("unknown-method", with("data/0", |m| m.set_both(METHOD, &[14, 0]))),
        Case::new("stored-sizes-differ", with("data/0", |m| m.set_both(SIZE, &le(17)))),
        Case::new(
            "size-beyond-the-file",
            with("data/0", |m| m.set_both(PACKED, &le(1 << 30)).set_both(SIZE, &le(1 << 30))),
        ),
        Case::new("descriptor-missing", with("data/0", |m| m.set_both(FLAGS, &[8, 8]))),
        Case::new(
            "descriptor-lies",
            with("data/0", |mut m| {
                m.descriptor = [&b"PK\x07\x08"[..], &le(1), &le(16), &le(16)].concat();
                m.set_both(FLAGS, &[8, 8])
            }),
        ),
        Case::new(
            "zip64-field-too-short",
            with("data/0", |m| m.set_both(SIZE, &le(u32::MAX)).central_extra(&[1, 0, 4, 0, 16, 0, 0, 0])),
        ),
        Case::new("zip64-field-missing", with("data/0", |m| m.set_both(SIZE, &le(u32::MAX)))),
        Case::new("zip64-field-unasked", with("data/0", |m| m.central_extra(&[1, 0, 8, 0, 1, 0, 0, 0, 0, 0, 0, 0]))),
        Case::new("zip64-field-twice", with("data/0", |m| m.central_extra(&[1, 0, 0, 0, 1, 0, 0, 0]))),
        Case::new(
            "zip64-size-of-2^63",
            with("data/0", |m| {
                let field = [&[1, 0, 16, 0][..], &[0, 0, 0, 0, 0, 0, 0, 0x80].repeat(2)].concat();
                m.set_both(SIZE, &le(u32::MAX)).set_both(PACKED, &le(u32::MAX)).central_extra(&field)
            }),
        ),
        Case::new("extra-field-too-long", with("data/0", |m| m.central_extra(&[9, 9, 200, 0]))),
        Case::new("zip64-locator-elsewhere", zip64(|r, _| r[56 + 8..56 + 16].copy_from_slice(&4u64.to_le_bytes()))),
        Case::new("zip64-locator-beyond", zip64(|r, _| r[56 + 8..56 + 16].copy_from_slice(&u64::MAX.to_le_bytes()))),
        Case::new(
            "zip64-count-of-2^60",
            zip64(|r, _| {
                r[24..32].copy_from_slice(&(1u64 << 60).to_le_bytes());
                r[32..40].copy_from_slice(&(1u64 << 60).to_le_bytes());
            }),
        ),
        Case::new("zip64-start-disagrees", zip64(|r, _| r[48] ^= 1)),
        Case::new("zip64-several-disks", zip64(|r, _| r[16] = 1)),
    ]);
    cases.extend(bombs());
    cases
}

fn bombs() -> Vec<Case> {
    let zeros = vec![0; 64 << 20];
    let packed = deflate(&zeros);
    let claiming = |name: &str, size: usize| {
        let size = (size as u32).to_le_bytes();
        Member::new(name.as_bytes(), packed.clone(), &zeros, 8).set_both(SIZE, &size)
    };
    let replaced = |name: &str, member: Member| {
        let mut raw = base();
        raw.members.retain(|m| !m.local.ends_with(name.as_bytes()));
        raw.members.push(member);
        raw.bytes()
    };
    vec![
        Case::new("bomb-in-a-tensor", replaced("model/data/0", claiming("model/data/0", 64 << 20))),
        Case::new("bomb-in-code", replaced(".py", claiming(CODE, 64 << 20))),
        Case::new("bomb-in-a-pickle", replaced("model/data.pkl", claiming("model/data.pkl", 64 << 20))),
        Case::new("bomb-that-claims-little", replaced("model/data/0", claiming("model/data/0", 16))),
        Case::new("bomb-that-claims-4-gib", replaced("model/data/0", claiming("model/data/0", 0xffff_fffe))),
        Case::new("bomb-below-the-ratio", {
            // Each member is small enough to need no excuse; one of them claims more than its data gives.
            let part = vec![0; 15 << 20];
            let member = Member::deflated("model/data/0", &part).set_both(SIZE, &(16u32 << 20).to_le_bytes());
            replaced("model/data/0", member)
        }),
        Case::new(
            "deflated-data-cut",
            replaced(".py", {
                let mut member = Member::deflated(CODE, &b"class M(Module):\n".repeat(50));
                member.data.truncate(20);
                member.set_both(PACKED, &20u32.to_le_bytes())
            }),
        ),
        Case::new(
            "deflated-data-followed",
            replaced(".py", {
                let mut member = Member::deflated(CODE, &b"class M(Module):\n".repeat(50));
                member.data.extend(b"hidden");
                let length = (member.data.len() as u32).to_le_bytes();
                member.set_both(PACKED, &length)
            }),
        ),
        Case::new("deflated-data-is-noise", replaced(".py", Member::new(CODE.as_bytes(), vec![0xff; 64], &[0; 90], 8))),
        Case::new("code-of-65-mib", replaced(".py", Member::stored(CODE, &vec![b'#'; 65 << 20]))),
    ]
}
