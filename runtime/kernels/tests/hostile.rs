//! Arguments of every wrong kind give an error or a result: no operator panics, runs away, or takes more memory than it may.
//!
//! `SCONCE_SEED` and `SCONCE_CALLS` are the seed and how many calls each operator gets; `SCONCE_OPERATOR` names a single one.

use sconce_schema::{DType, OpEntry, Type};
use sconce_tensor::mersenne::{Engine, generator};
use sconce_tensor::{Dict, DictKey, EnumValue, Future, IValue, Memory, Object, Tensor};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::time::Duration;

const LIMIT: usize = 64 << 20;

fn setting(variable: &str, otherwise: u64) -> u64 {
    std::env::var(variable).ok().map_or(otherwise, |v| v.parse().expect("a number"))
}

struct Maker(Engine);

impl Maker {
    fn below(&mut self, n: usize) -> usize {
        self.0.below(n as u64) as usize
    }
    fn one<T: Clone>(&mut self, of: &[T]) -> T {
        of[self.below(of.len())].clone()
    }

    fn int(&mut self) -> i64 {
        match self.below(8) {
            0 => self.one(&[i64::MIN, i64::MAX, i64::MAX - 1, 1 << 31, 1 << 32, -(1 << 31), 1 << 40, 1 << 62]),
            _ => self.below(9) as i64 - 3,
        }
    }

    fn float(&mut self) -> f64 {
        match self.below(6) {
            0 => self.one(&[f64::NAN, f64::INFINITY, f64::NEG_INFINITY, -0.0, 1e300, 1e-320, 9.3e18]),
            _ => self.below(9) as f64 / 2.0 - 2.0,
        }
    }

    /// A tensor of any dtype and rank, also empty, expanded, transposed or overlapping.
    fn tensor(&mut self) -> Tensor {
        let all: Vec<DType> = DType::all().collect();
        let dtype = match self.below(4) {
            0 => self.one(&all),
            _ => self.one(&[
                DType::F32,
                DType::F32,
                DType::I64,
                DType::Bool,
                DType::F64,
                DType::C64,
                DType::F16,
                DType::U8,
            ]),
        };
        let rank = self.one(&[0, 1, 1, 2, 2, 3, 3, 4, 5]);
        let sizes: Vec<i64> = (0..rank).map(|_| self.one(&[0, 1, 1, 2, 2, 3, 4, 5, 7])).collect();
        let t = Tensor::zeros(&[700], dtype).expect("small tensors fit");
        if dtype != DType::Bool {
            let bytes: Vec<u8> = (0..700 * dtype.size()).map(|_| self.0.u32() as u8).collect();
            // Small numbers as often as any: as indices, lengths and degrees.
            let small: Vec<f64> = (0..700).map(|_| self.below(7) as f64 - 2.0).collect();
            match Tensor::from_f64(&small, &[700], dtype) {
                Some(small) if self.below(3) > 0 => t.copy_bytes_from(&small).expect("equal sizes"),
                _ => t.write_bytes(&bytes),
            }
        }
        let mut strides = sconce_tensor::contiguous_strides(&sizes).to_vec();
        match self.below(6) {
            0 => strides.reverse(),
            1 => strides.iter_mut().for_each(|s| *s = self.below(4) as i64),
            2 if rank > 0 => strides[self.below(rank)] = 0,
            _ => {}
        }
        let offset = self.below(4) as i64;
        t.as_strided(&sizes, &strides, offset).unwrap_or_else(|_| t.as_strided(&[], &[], offset).expect("an element"))
    }

    fn text(&mut self) -> IValue {
        self.one(&[
            "",
            "a",
            "none",
            "mean",
            "sum",
            "ab,bc->ac",
            "trunc",
            "%d {}",
            "żółw",
            "reflect",
            "a\0b",
            "{:>99}",
            "...",
        ])
        .into()
    }

    fn list(&mut self, element: &Type, depth: usize) -> IValue {
        let n = self.one(&[0, 1, 1, 2, 2, 3, 4, 6]);
        let items: Vec<_> = (0..n).map(|_| self.value(element, depth + 1)).collect();
        IValue::list(element.clone(), items)
    }

    fn any(&mut self, depth: usize) -> IValue {
        match self.below(if depth > 2 { 7 } else { 15 }) {
            0 => IValue::None,
            1 => IValue::Bool(self.below(2) == 0),
            2 => IValue::Int(self.int()),
            3 => IValue::Double(self.float()),
            4 => IValue::complex(self.float(), self.float()),
            5 => self.tensor().into(),
            6 => self.text(),
            7 | 8 => {
                let element = self.one(&[Type::Int, Type::Float, Type::Str, Type::tensor(), Type::Bool, Type::Any]);
                self.list(&element, depth)
            }
            9 => {
                let dict = Dict::new(Type::Str, Type::Any);
                for _ in 0..self.below(3) {
                    let (key, value) = (self.any(3), self.any(depth + 1));
                    if let Some(key) = DictKey::from_value(&key) {
                        dict.write().insert(key, value);
                    }
                }
                IValue::Dict(dict)
            }
            10 => IValue::tuple((0..self.below(4)).map(|_| self.any(depth + 1)).collect::<Vec<_>>()),
            11 => {
                let object = Object::new("__torch__.C".into(), ["a".into()].into());
                object.set(0, self.any(depth + 1));
                IValue::Object(object)
            }
            12 => {
                let value = self.any(3);
                IValue::Enum(Arc::new(EnumValue { class: "__torch__.E".into(), name: "A".into(), value }))
            }
            13 => IValue::Future(Future::done(self.any(depth + 1))),
            _ => self.one(&[IValue::Generator(generator(1)), IValue::Uninitialized]),
        }
    }

    /// Mostly a value of the type, at times anything.
    fn value(&mut self, ty: &Type, depth: usize) -> IValue {
        if self.below(12) == 0 {
            return self.any(depth);
        }
        match ty {
            ty if ty.is_tensor() => self.tensor().into(),
            Type::Optional(inner) => match self.below(3) {
                0 => IValue::None,
                _ => self.value(inner, depth),
            },
            Type::List(element) => self.list(element, depth),
            Type::Int => IValue::Int(self.int()),
            Type::Float => IValue::Double(self.float()),
            Type::Bool => IValue::Bool(self.below(2) == 0),
            Type::Str => self.text(),
            Type::Number if self.below(2) == 0 => IValue::Int(self.int()),
            Type::Number => IValue::Double(self.float()),
            _ => self.any(depth),
        }
    }
}

fn operators() -> Vec<&'static OpEntry> {
    // These write to the terminal.
    let loud = |e: &&OpEntry| !["prim::Print", "aten::warn", "prim::warn"].contains(&e.base_name());
    let named = std::env::var("SCONCE_OPERATOR").ok();
    sconce_schema::table().iter().filter(loud).filter(|e| named.as_ref().is_none_or(|n| n == e.name)).collect()
}

#[test]
fn no_arguments_make_an_operator_panic_or_run_away() {
    sconce_kernels_extra::install();
    Memory::set_limit(LIMIT);
    let (seed, calls) = (setting("SCONCE_SEED", 20_261_122), setting("SCONCE_CALLS", 40));
    let (say, hear) = channel::<Result<String, String>>();
    let run = move || {
        let (mut tried, mut passed) = (0, 0);
        for entry in operators() {
            // Each operator's calls depend on nothing but the seed and its name.
            let of_name = entry.name.bytes().fold(seed, |h, b| h.wrapping_mul(31).wrapping_add(u64::from(b)));
            let mut maker = Maker(Engine::new(of_name));
            for _ in 0..calls {
                let schema = entry.schema();
                let mut args: Vec<IValue> = schema.arguments.iter().map(|a| maker.value(&a.ty, 0)).collect();
                if schema.is_vararg {
                    args.extend((0..maker.below(4)).map(|_| maker.any(0)));
                }
                // At times one too few.
                if maker.below(40) == 0 {
                    args.pop();
                }
                let shown = format!("{}({args:?})", entry.name);
                say.send(Ok(shown.clone())).expect("somebody hears");
                tried += 1;
                match catch_unwind(AssertUnwindSafe(|| sconce_kernels::call(entry, &mut args).is_ok())) {
                    Ok(ok) => passed += usize::from(ok),
                    Err(_) => {
                        say.send(Err(shown)).expect("somebody hears");
                        break;
                    }
                }
                sconce_kernels::grad::enable(true);
            }
        }
        println!("seed {seed}: {tried} calls, {passed} gave a result");
    };
    let thread = std::thread::Builder::new().stack_size(64 << 20).spawn(run).expect("a thread");
    let (mut last, mut wrong) = (String::new(), Vec::new());
    loop {
        match hear.recv_timeout(Duration::from_secs(60)) {
            Ok(Ok(call)) => last = call,
            Ok(Err(call)) => wrong.push(call),
            Err(RecvTimeoutError::Timeout) => panic!("seed {seed}: runs away: {}\n{}", short(&last), wrong.join("\n")),
            Err(RecvTimeoutError::Disconnected) => break,
        }
    }
    assert!(thread.join().is_ok(), "after {}", short(&last));
    let wrong: Vec<&str> = wrong.iter().map(|w| short(w)).collect();
    assert!(wrong.is_empty(), "seed {seed}: {} operators panic\n{}", wrong.len(), wrong.join("\n"));
}

fn short(call: &str) -> &str {
    call.char_indices().nth(600).map_or(call, |(i, _)| &call[..i])
}
