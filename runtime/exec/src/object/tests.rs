//! Objects as LLVM makes them: loaded and run where they are for this processor, else read back from their memory; and none of their damages panics.

use super::*;
use crate::Dim;
use crate::code::{cpu_code, load_cpu};
use crate::spec::{InputSpec, OutputSpec};
use sconce_interpreter::{CompiledRegion, Fuel};
use sconce_schema::DType;
use sconce_tensor::{IValue, Tensor};

fn recorded(name: &str) -> Vec<u8> {
    let set = sconce_corpus::testdata("objects").expect("testdata");
    set.get(name).unwrap_or_else(|| panic!("no {name}")).to_vec()
}

fn output(dtype: DType, sizes: &[i64]) -> OutputSpec {
    OutputSpec { dtype, sizes: sizes.iter().map(|n| Dim::Known(*n)).collect(), number: false }
}

/// Where the tests pretend that code runs.
const BASE: u64 = 0x7000_1234_5000;

/// Where they pretend that every function of the runtime is.
const OUTSIDE: u64 = 0x5555_4444_3330;

fn linked(bytes: &[u8]) -> Result<(Layout, Vec<u8>), LoadError> {
    let object = Object::read(bytes)?;
    let layout = Layout::new(&object, 4096)?;
    let mut memory = vec![0; layout.size() as usize];
    relocate::link(&object, &layout, BASE, &mut memory, |_| Some(OUTSIDE))?;
    layout.function(&object, ENTRY)?;
    Ok((layout, memory))
}

fn why(bytes: &[u8]) -> String {
    match linked(bytes) {
        Ok(_) => "linked".into(),
        Err(e) => e.to_string(),
    }
}

/// The spec of `region.*.o`, which is `softmax(erf(x) + pow(y, x), 1)`.
#[cfg(target_arch = "x86_64")]
fn region() -> RegionSpec {
    let input = || InputSpec::Tensor { dtype: DType::F64, sizes: vec![Some(3), Some(4)], contiguous: false };
    RegionSpec {
        name: "f.r0".into(),
        inputs: vec![input(), input()],
        outputs: vec![output(DType::F64, &[3, 4])],
        ..RegionSpec::default()
    }
}

#[cfg(target_arch = "x86_64")]
#[test]
fn regions_compute_what_their_source_says() {
    let numbers = |scale: f64| (0..12).map(|i| f64::from(i) * scale).collect::<Vec<_>>();
    let tensor = |values: &[f64]| IValue::Tensor(Tensor::from_vec(values.to_vec(), &[3, 4]));
    let (x, y) = (numbers(0.25), numbers(0.125));
    let expected: Vec<f64> = (0..3)
        .flat_map(|row| {
            let of = |i: usize| (libm::erf(x[i]) + y[i].powf(x[i])).exp();
            let sum: f64 = (row * 4..row * 4 + 4).map(of).sum();
            (row * 4..row * 4 + 4).map(move |i| of(i) / sum).collect::<Vec<_>>()
        })
        .collect();
    for name in ["region.x86_64.o", "region.large.x86_64.o"] {
        // SAFETY: LLVM made it of the region's code.
        let code = unsafe { load(region(), &recorded(name)) }.expect(name);
        let out = code.run(&[tensor(&x), tensor(&y)], &Fuel::default()).unwrap().expect("no guard fails");
        let IValue::Tensor(out) = &out[0] else { panic!("no tensor") };
        for (got, want) in out.to_vec::<f64>().iter().zip(&expected) {
            assert!((got - want).abs() < 1e-14, "{name}: {got} instead of {want}");
        }
    }
}

#[cfg(target_arch = "x86_64")]
#[test]
fn every_way_to_refer_to_something_runs() {
    let outputs = vec![output(DType::I64, &[3]), output(DType::F64, &[2])];
    let spec = RegionSpec { name: "r".into(), outputs, ..RegionSpec::default() };
    // SAFETY: it writes these results and nothing else.
    let code = unsafe { load(spec, &recorded("relocations.x86_64.o")) }.expect("loads");
    for count in 1..3 {
        let out = code.run(&[], &Fuel::default()).unwrap().expect("no guard fails");
        let (IValue::Tensor(integers), IValue::Tensor(floats)) = (&out[0], &out[1]) else { panic!("no tensors") };
        assert_eq!(integers.to_vec::<i64>(), [7, 8, count]);
        assert_eq!(floats.to_vec::<f64>(), [1f64.exp(), 1f64.cos() + 1f64.sin()]);
    }
}

#[cfg(target_os = "linux")]
#[test]
fn no_page_is_both_written_and_run() {
    let bytes = recorded("relocations.x86_64.o");
    let object = Object::read(&bytes).unwrap();
    let layout = Layout::new(&object, memory::page_size()).unwrap();
    let mut block = Block::new(layout.size()).unwrap();
    let base = block.address();
    relocate::link(&object, &layout, base, block.bytes(), |_| Some(OUTSIDE)).unwrap();
    block.protect(&layout).unwrap();
    let maps = std::fs::read_to_string("/proc/self/maps").unwrap();
    let access = |address: u64| {
        let line = maps.lines().find(|l| {
            let (start, end) = l.split_once(' ').and_then(|(range, _)| range.split_once('-')).expect("a range");
            let number = |s| u64::from_str_radix(s, 16).expect("an address");
            (number(start)..number(end)).contains(&address)
        });
        line.and_then(|l| l.split(' ').nth(1)).expect("mapped").to_string()
    };
    let pages: Vec<_> = layout.pages.iter().map(|(what, range)| (*what, access(base + range.start))).collect();
    assert_eq!(
        pages,
        [
            (read::Access::Execute, "r-xp".to_string()),
            (read::Access::Read, "r--p".into()),
            (read::Access::Write, "rw-p".into())
        ]
    );
}

/// Instructions of an Arm processor, read back.
struct Arm<'a> {
    memory: &'a [u8],
}

impl Arm<'_> {
    fn number<const N: usize>(&self, address: u64) -> [u8; N] {
        let at = (address - BASE) as usize;
        self.memory[at..at + N].try_into().unwrap()
    }

    fn word(&self, address: u64) -> u32 {
        u32::from_le_bytes(self.number(address))
    }

    /// The page of an ADRP.
    fn page(&self, at: u64) -> u64 {
        let word = self.word(at);
        assert_eq!(word & 0x9f00_0000, 0x9000_0000, "{word:#x} is no ADRP");
        let pages = i64::from(((word >> 5 & 0x7_ffff) << 2 | word >> 29 & 3) << 11) << 32 >> 31 >> 12 << 12;
        (at & !0xfff).wrapping_add_signed(pages)
    }

    /// What a load or an addition adds to a page.
    fn low(&self, at: u64, unit: u64) -> u64 {
        u64::from(self.word(at) >> 10 & 0xfff) * unit
    }

    /// Where a branch goes.
    fn branch(&self, at: u64) -> u64 {
        let word = self.word(at);
        assert_eq!(word & 0x7c00_0000, 0x1400_0000, "{word:#x} is no branch");
        at.wrapping_add_signed(i64::from((word << 6) as i32 >> 4))
    }
}

#[test]
fn addresses_in_code_of_arm_are_right() {
    let bytes = recorded("relocations.aarch64.o");
    let object = Object::read(&bytes).unwrap();
    let (layout, memory) = linked(&bytes).unwrap();
    let arm = Arm { memory: &memory };
    let address = |name: &str| {
        let symbol = object.symbols.iter().find(|s| s.name == name).expect(name);
        BASE + layout.place(symbol.place).expect(name)
    };
    let (entry, numbers) = (address(ENTRY), address("numbers"));
    let at = |instruction: u64| entry + 4 * instruction;
    assert_eq!(arm.page(entry) + arm.low(at(1), 1), numbers);
    for (instruction, unit) in [(2, 1), (3, 2), (4, 4), (5, 8), (6, 16)] {
        assert_eq!(arm.low(at(instruction), unit), numbers & 0xfff, "unit {unit}");
    }
    let slot = arm.page(at(7)) + arm.low(at(8), 8);
    assert_eq!(u64::from_le_bytes(arm.number(slot)), OUTSIDE);
    let stub = arm.branch(at(9));
    assert_eq!(arm.page(stub) + arm.low(stub + 4, 8), slot);
    assert_eq!(arm.word(stub + 8), 0xd61f_0200);
    assert_eq!(arm.branch(at(10)), address("elsewhere"));
    assert_eq!(u64::from_le_bytes(arm.number(numbers + 8)), numbers);
    let constants = BASE + layout.section(object.sections.iter().position(|s| s.name == ".rodata").unwrap());
    assert_eq!(constants.wrapping_add(u64::from_le_bytes(arm.number(constants))), numbers);
    let near = i32::from_le_bytes(arm.number(constants + 8));
    assert_eq!((constants + 8).wrapping_add_signed(near.into()), numbers);
    assert_eq!(why(&recorded("region.aarch64.o")), "linked");
}

#[cfg(target_arch = "x86_64")]
#[test]
fn what_cannot_run_says_why() {
    let refused = |features: &str, bytes: &[u8]| {
        let code = cpu_code(&region(), bytes, "x86-64", features);
        // SAFETY: refused.
        let refused = unsafe { load_cpu(&[code]) };
        refused.err().map(|e| e.to_string()).unwrap_or_default()
    };
    let good = recorded("region.x86_64.o");
    assert_eq!(refused("+sse2", &good), "");
    assert_eq!(refused("+sse2,+teleport", &good), "the code needs `teleport`, which this processor does not have");
    assert_eq!(refused("", &recorded("region.aarch64.o")), "the code is for aarch64, and this processor is x86_64");
    let mut other = good.clone();
    let at = other.windows(4).rposition(|w| w == b"erf\0").expect("it calls erf");
    other[at..at + 3].copy_from_slice(b"xyz");
    assert_eq!(refused("", &other), "the code calls `xyz`, which the runtime does not offer");
    assert_eq!(
        refused("", &good[..good.len() / 2]),
        "the object is damaged: Invalid ELF section header offset/size/alignment"
    );
    assert_eq!(refused("", b"no object"), "the object is damaged: Invalid ELF header size or alignment");
    // SAFETY: refused.
    let none = unsafe { load_cpu(&[]) };
    assert_eq!(none.err(), Some(LoadError::NoCode));
}

/// Loads without running: mapping and protecting pages are tried as well where the code is for this processor.
fn try_all(bytes: &[u8], tally: &mut [usize; 2]) {
    let linked = linked(bytes).is_ok();
    tally[usize::from(linked)] += 1;
    // SAFETY: never run.
    let _ = unsafe { load(RegionSpec::default(), bytes) };
}

#[test]
fn damage_is_an_error_or_is_not_noticed_before_it_runs() {
    for name in ["region.x86_64.o", "relocations.x86_64.o", "relocations.aarch64.o"] {
        let good = recorded(name);
        let mut tally = [0, 0];
        for at in 0..good.len() {
            for change in [0x01, 0x80, 0xff] {
                let mut bytes = good.clone();
                bytes[at] ^= change;
                try_all(&bytes, &mut tally);
            }
            assert!(linked(&good[..at]).is_err(), "{name} cut at {at}");
        }
        // Much of an object is instructions, and names that nobody asks for.
        assert!(tally[0] > good.len() / 4 && tally[1] > good.len() / 4, "{name}: {tally:?}");
    }
}

#[test]
fn sizes_that_lie_are_refused_before_memory_is_taken() {
    let good = recorded("relocations.x86_64.o");
    let header = |bytes: &[u8], name: &str| {
        let number = |at: usize| u64::from_le_bytes(bytes[at..at + 8].try_into().unwrap()) as usize;
        let sections = number(0x28);
        let object = Object::read(bytes).unwrap();
        assert!(object.sections.iter().any(|s| s.name == name));
        // `.bss` is the one section without bytes in the file (type 8).
        (0..).map(|i| sections + i * 64).find(|at| bytes[*at + 4] == 8).expect(name)
    };
    let bss = header(&good, ".bss");
    for size in [1u64 << 27, 1 << 40, u64::MAX, u64::MAX - 7] {
        let mut bytes = good.clone();
        bytes[bss + 32..bss + 40].copy_from_slice(&size.to_le_bytes());
        assert_eq!(why(&bytes), "the object has sections of more than 100663296 bytes, which is not loaded");
    }
    let mut bytes = good.clone();
    bytes[bss + 48..bss + 56].copy_from_slice(&(1u64 << 20).to_le_bytes());
    assert_eq!(why(&bytes), "the object has a section .bss aligned to 1048576 bytes, which is not loaded");
}
