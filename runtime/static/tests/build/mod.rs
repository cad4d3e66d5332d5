//! Programs written by hand, an instruction a line.
#![allow(dead_code, reason = "each test uses a part of it")]

use sconce_interpreter::program::{Function, FunctionId, Op, Operand, Parameter, Pc, Program, Register};
use sconce_interpreter::{Executable, Options as RunOptions, RunError};
use sconce_kernels::Outputs;
use sconce_schema::Type;
use sconce_static::{Options, StaticModule};
use sconce_tensor::{DType, IValue, Tensor};
use std::sync::Arc;

/// A function that grows.
pub struct Code<'p> {
    pub program: &'p mut Program,
    pub f: Function,
}

impl<'p> Code<'p> {
    /// A function with these parameters, which are its first registers.
    pub fn new(program: &'p mut Program, name: &str, parameters: &[Type]) -> Code<'p> {
        let mut f = Function { name: name.into(), registers: parameters.len() as u32, ..Function::default() };
        f.parameters =
            (0..).zip(parameters).map(|(i, ty): (u32, _)| Parameter::new(format!("p{i}"), ty.clone())).collect();
        f.push(Op::Load, 0..parameters.len() as u32, [], None);
        Code { program, f }
    }

    pub fn register(&mut self) -> Register {
        self.f.registers += 1;
        self.f.registers - 1
    }

    pub fn constant(&mut self, value: impl Into<IValue>) -> Register {
        self.program.constants.push(value.into());
        let (c, r) = (self.program.constants.len() as u32 - 1, self.register());
        self.f.push(Op::Constant(c), [r], [], None);
        r
    }

    pub fn op(&mut self, op: Op, inputs: &[Register], outputs: usize) -> Vec<Register> {
        let outputs: Vec<Register> = (0..outputs).map(|_| self.register()).collect();
        self.f.push(op, outputs.iter().copied(), inputs.iter().map(|r| Operand::copy(*r)), None);
        outputs
    }

    pub fn call(&mut self, name: &str, inputs: &[Register]) -> Register {
        let o = self.program.operator_id(name);
        self.op(Op::Call(o), inputs, 1)[0]
    }

    pub fn tuple(&mut self, items: &[Register]) -> Register {
        self.op(Op::TupleConstruct, items, 1)[0]
    }

    pub fn list(&mut self, element: Type, items: &[Register]) -> Register {
        let ty = self.program.type_id(&Type::List(element.into()));
        self.op(Op::ListConstruct(ty), items, 1)[0]
    }

    /// `cat` or `stack` of these along a dimension.
    pub fn join(&mut self, name: &str, tensors: &[Register], dim: i64) -> Register {
        let (list, dim) = (self.list(Type::tensor(), tensors), self.constant(dim));
        self.call(name, &[list, dim])
    }

    pub fn ints(&mut self, items: &[i64]) -> Register {
        let items: Vec<Register> = items.iter().map(|i| self.constant(*i)).collect();
        self.list(Type::Int, &items)
    }

    pub fn copy_to(&mut self, to: &[Register], from: &[Register]) {
        self.f.push(Op::Move, to.iter().copied(), from.iter().map(|r| Operand::copy(*r)), None);
    }

    /// Both arms give as many registers; the results are new ones.
    pub fn branch(
        &mut self,
        condition: Register,
        then: impl FnOnce(&mut Self) -> Vec<Register>,
        otherwise: impl FnOnce(&mut Self) -> Vec<Register>,
    ) -> Vec<Register> {
        let skip = self.f.push(Op::JumpUnless(0), [], [Operand::copy(condition)], None);
        let a = then(self);
        let results: Vec<Register> = a.iter().map(|_| self.register()).collect();
        self.copy_to(&results, &a);
        let over = self.f.push(Op::Jump(0), [], [], None);
        let at = self.here();
        self.f.set_target(skip, at);
        let b = otherwise(self);
        self.copy_to(&results, &b);
        let end = self.here();
        self.f.set_target(over, end);
        results
    }

    /// The body takes what is carried and gives it anew.
    pub fn repeat(
        &mut self,
        trips: Register,
        carried: &[Register],
        body: impl FnOnce(&mut Self, &[Register]) -> Vec<Register>,
    ) -> Vec<Register> {
        let registers: Vec<Register> = carried.iter().map(|_| self.register()).collect();
        self.copy_to(&registers, carried);
        let yes = self.constant(true);
        let counter = self.constant(0i64);
        let inputs = [counter, trips, yes].map(Operand::copy);
        let top = self.f.push(Op::LoopUnless(0), [], inputs, None);
        let next = body(self, &registers);
        self.copy_to(&registers, &next);
        self.f.push(Op::Next, [counter], [Operand::copy(counter)], None);
        self.f.push(Op::Jump(top), [], [], None);
        let end = self.here();
        self.f.set_target(top, end);
        registers
    }

    fn here(&self) -> Pc {
        self.f.code.len() as Pc
    }

    pub fn finish(mut self, results: &[Register]) -> FunctionId {
        self.f.push(Op::Store, [], results.iter().map(|r| Operand::copy(*r)), None);
        self.f.results = results.iter().map(|_| Type::Any).collect();
        self.program.functions.push(self.f);
        self.program.functions.len() as FunctionId - 1
    }
}

/// Numbers that look random, the same for the same seed.
pub struct Random(pub u64);

impl Random {
    pub fn new(seed: u64) -> Random {
        Random(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1)
    }
    pub fn below(&mut self, n: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        ((self.0 >> 11) % n as u64) as usize
    }
    pub fn one(&mut self, of: &[Register]) -> Register {
        of[self.below(of.len())]
    }
}

pub fn tensor(sizes: &[i64], seed: u64) -> IValue {
    let count = sizes.iter().product::<i64>() as usize;
    let mut state = seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1;
    let mut next = || {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        (state >> 40) as f32 / (1 << 24) as f32 - 0.5
    };
    IValue::Tensor(Tensor::from_vec((0..count).map(|_| next()).collect(), sizes))
}

/// The same values in storages of their own.
pub fn copies(values: &[IValue]) -> Vec<IValue> {
    let copy = |v: &IValue| match v {
        IValue::Tensor(t) => IValue::Tensor(t.copy().unwrap()),
        IValue::Tuple(t) => IValue::tuple(copies(&t.items)),
        other => other.clone(),
    };
    values.iter().map(copy).collect()
}

pub fn text(values: &[IValue]) -> String {
    fn one(v: &IValue, out: &mut String) {
        match v {
            IValue::Tensor(t) => {
                let bits: Vec<u32> = match t.dtype() {
                    DType::F32 => t.to_vec::<f32>().iter().map(|v| v.to_bits()).collect(),
                    _ => Vec::new(),
                };
                out.push_str(&format!("{:?} {:?} {} {bits:x?};", t.sizes(), t.strides(), t.dtype()));
            }
            IValue::Tuple(t) => t.items.iter().for_each(|v| one(v, out)),
            IValue::List(l) => l.read().iter().for_each(|v| one(v, out)),
            other => out.push_str(&format!("{other:?};")),
        }
    }
    let mut out = String::new();
    values.iter().for_each(|v| one(v, &mut out));
    out
}

/// What the interpreter gives.
pub fn interpreted(program: &Program, f: FunctionId, inputs: &[IValue]) -> Result<Outputs, RunError> {
    let executable = Executable::new(Arc::new(program.clone())).unwrap();
    executable.run(f, inputs.to_vec(), &RunOptions::default())
}

pub fn planned(program: &Program, f: FunctionId, options: Options) -> StaticModule {
    StaticModule::new(program, f, &Default::default(), options).unwrap()
}

/// linear, relu, linear.
pub fn mlp(program: &mut Program) -> FunctionId {
    let mut c = Code::new(program, "mlp", &[Type::tensor()]);
    let mut x = 0;
    for (i, (a, b)) in [(16, 32), (32, 32), (32, 4)].into_iter().enumerate() {
        let w = c.constant(tensor(&[b, a], 10 + i as u64));
        let bias = c.constant(tensor(&[b], 20 + i as u64));
        x = c.call("aten::linear", &[x, w, bias]);
        if i < 2 {
            x = c.call("aten::relu", &[x]);
        }
    }
    c.finish(&[x])
}

/// One step of an LSTM, as the source of `torch.nn.LSTMCell` in Python says it.
pub fn lstm_cell(program: &mut Program) -> FunctionId {
    let mut c = Code::new(program, "lstm_cell", &[Type::tensor(), Type::tensor(), Type::tensor()]);
    let (wi, wh) = (c.constant(tensor(&[32, 8], 1)), c.constant(tensor(&[32, 8], 2)));
    let (bi, bh) = (c.constant(tensor(&[32], 3)), c.constant(tensor(&[32], 4)));
    let one = c.constant(1i64);
    let (x, h) = (c.call("aten::linear", &[0, wi, bi]), c.call("aten::linear", &[1, wh, bh]));
    let gates = c.call("aten::add.Tensor", &[x, h, one]);
    let parts = c.op(Op::ConstantChunk { chunks: 4, dim: 1 }, &[gates], 4);
    let (i, f) = (c.call("aten::sigmoid", &[parts[0]]), c.call("aten::sigmoid", &[parts[1]]));
    let (g, o) = (c.call("aten::tanh", &[parts[2]]), c.call("aten::sigmoid", &[parts[3]]));
    let (fc, ig) = (c.call("aten::mul.Tensor", &[f, 2]), c.call("aten::mul.Tensor", &[i, g]));
    let cell = c.call("aten::add.Tensor", &[fc, ig, one]);
    let t = c.call("aten::tanh", &[cell]);
    let hidden = c.call("aten::mul.Tensor", &[o, t]);
    let pair = c.tuple(&[hidden, cell]);
    c.finish(&[pair])
}

/// conv, relu, pool, flatten, linear.
pub fn conv_net(program: &mut Program) -> FunctionId {
    let mut c = Code::new(program, "conv_net", &[Type::tensor()]);
    let (w, b) = (c.constant(tensor(&[4, 1, 3, 3], 1)), c.constant(tensor(&[4], 2)));
    let (ones, pads) = (c.ints(&[1, 1]), c.ints(&[1, 1]));
    let groups = c.constant(1i64);
    let x = c.call("aten::conv2d", &[0, w, b, ones, pads, ones, groups]);
    let x = c.call("aten::relu", &[x]);
    let (two, zero) = (c.ints(&[2, 2]), c.ints(&[0, 0]));
    let no = c.constant(false);
    let x = c.call("aten::max_pool2d", &[x, two, two, zero, ones, no]);
    let (first, last) = (c.constant(1i64), c.constant(-1i64));
    let x = c.call("aten::flatten.using_ints", &[x, first, last]);
    let (w, b) = (c.constant(tensor(&[10, 64], 3)), c.constant(tensor(&[10], 4)));
    let x = c.call("aten::linear", &[x, w, b]);
    c.finish(&[x])
}

/// The body of a function of `x` with two branches whose channels are joined, as fire modules of SqueezeNet have them.
pub fn parallel_branches(c: &mut Code<'_>) -> Vec<Register> {
    let (a, b) = (c.call("aten::relu", &[0]), c.call("aten::tanh", &[0]));
    let whole = c.join("aten::cat", &[a, b], 1);
    vec![c.call("aten::neg", &[whole])]
}

/// The same as a function.
pub fn fire(program: &mut Program) -> FunctionId {
    let mut c = Code::new(program, "fire", &[Type::tensor()]);
    let results = parallel_branches(&mut c);
    c.finish(&results)
}

/// Ten pointwise operators, each result needed by the next only.
pub fn chain(program: &mut Program) -> FunctionId {
    let mut c = Code::new(program, "chain", &[Type::tensor()]);
    let one = c.constant(1i64);
    let mut x = 0;
    for _ in 0..5 {
        x = c.call("aten::relu", &[x]);
        x = c.call("aten::add.Tensor", &[x, x, one]);
    }
    c.finish(&[x])
}

/// Branches in a loop.
pub fn control(program: &mut Program) -> FunctionId {
    let mut c = Code::new(program, "control", &[Type::tensor(), Type::Int, Type::Bool]);
    let one = c.constant(1i64);
    let made = c.repeat(1, &[0], |c, carried| {
        let x = c.call("aten::relu", carried);
        let x = c.call("aten::add.Tensor", &[x, x, one]);
        let made = c.branch(
            2,
            |c| {
                let y = c.call("aten::neg", &[x]);
                vec![c.call("aten::mul.Tensor", &[y, x])]
            },
            |c| {
                let y = c.call("aten::tanh", &[x]);
                vec![c.call("aten::mul.Tensor", &[y, x])]
            },
        );
        vec![c.call("aten::add.Tensor", &[made[0], x, one])]
    });
    c.finish(&made)
}

/// Lists of views, reshapes that copy, gathering by indices and by a mask, several results, composed operators, strings.
pub fn containers(program: &mut Program) -> FunctionId {
    let mut c = Code::new(program, "containers", &[Type::tensor(), Type::Str]);
    let (zero, one, two, last) = (c.constant(0i64), c.constant(1i64), c.constant(2i64), c.constant(-1i64));
    let no = c.constant(false);
    let parts = c.call("aten::chunk", &[0, two, one]);
    let parts = c.op(Op::ListUnpack, &[parts], 2);
    let turned = c.call("aten::neg", &[parts[1]]);
    let turned = c.call("aten::t", &[turned]);
    let flat = c.ints(&[-1]);
    let flat = c.call("aten::reshape", &[turned, flat]);
    let square = c.call("aten::pow.Tensor_Scalar", &[flat, two]);
    let (top, at) = {
        let found = c.program.operator_id("aten::max.dim");
        let found = c.op(Op::Call(found), &[square, zero, no], 2);
        (found[0], found[1])
    };
    let index = c.list(Type::optional(Type::tensor()), &[at]);
    let picked = c.call("aten::index.Tensor", &[square, index]);
    let small = c.call("aten::lt.Scalar", &[square, zero]);
    let mask = c.list(Type::optional(Type::tensor()), &[small]);
    let kept = c.call("aten::index.Tensor", &[square, mask]);
    let all = c.list(Type::tensor(), &[top, picked]);
    let all = c.call("aten::stack", &[all, zero]);
    let both = c.list(Type::tensor(), &[all, kept]);
    let both = c.call("aten::cat", &[both, zero]);
    let distance = c.call("aten::dist", &[square, flat, two]);
    let name = c.constant("_x");
    let name = c.call("aten::add.str", &[1, name]);
    let letter = c.call("aten::__getitem__.str", &[name, last]);
    let sizes = c.call("aten::size", &[both]);
    let more = c.call("aten::add.t", &[sizes, sizes]);
    let pair = c.tuple(&[both, distance, letter, more]);
    c.finish(&[pair])
}

/// A sequence that grows by a row in each round, and is summed up.
pub fn growing(program: &mut Program) -> FunctionId {
    let mut c = Code::new(program, "growing", &[Type::tensor(), Type::Int]);
    let (zero, one) = (c.constant(0i64), c.constant(1i64));
    let grown = c.repeat(1, &[0, 0], |c, carried| {
        let rows = c.list(Type::tensor(), carried);
        let rows = c.call("aten::cat", &[rows, zero]);
        let changed = c.call("aten::add.Scalar", &[carried[1], one, one]);
        let changed = c.call("aten::relu", &[changed]);
        vec![rows, changed]
    });
    c.finish(&grown)
}

/// Forks `relu(x) + x` some times and sums what comes back; the forked function waits for one of its own.
pub fn forks(program: &mut Program) -> FunctionId {
    let mut c = Code::new(program, "inner", &[Type::tensor()]);
    let y = c.call("aten::relu", &[0]);
    let inner = c.finish(&[y]);
    let mut c = Code::new(program, "outer", &[Type::tensor()]);
    let one = c.constant(1i64);
    let future = c.op(Op::Fork(inner), &[0], 1);
    let y = c.op(Op::Wait, &future, 1);
    let y = c.call("aten::add.Tensor", &[y[0], 0, one]);
    let outer = c.finish(&[y]);
    let mut c = Code::new(program, "forks", &[Type::tensor()]);
    let one = c.constant(1i64);
    let futures: Vec<u32> = (0..6).map(|_| c.op(Op::Fork(outer), &[0], 1)[0]).collect();
    let mut sum = 0;
    for future in futures {
        let y = c.op(Op::Wait, &[future], 1);
        sum = c.call("aten::add.Tensor", &[sum, y[0], one]);
    }
    c.finish(&[sum])
}
