//! What those who call the library from threads rely on: handles that threads share, sessions, calls at once and awaited, and errors by kind and place.

use sconce::{
    Engine, EngineBuilder, Error, ErrorKind, IValue, Module, Options, PendingCall, Session, SourceOptions, Tensor,
};
use std::sync::Arc;
use std::task::{Context, Poll, Wake, Waker};
use std::thread::Thread;
use std::time::{Duration, Instant};

/// They are shared among threads, whatever holds them: this does not compile otherwise.
const _: () = {
    const fn shared<T: Send + Sync + 'static>() {}
    shared::<Module>();
    shared::<Engine>();
    shared::<EngineBuilder>();
    shared::<Options>();
    shared::<Session>();
    shared::<Error>();
    shared::<IValue>();
    shared::<Tensor>();
    shared::<PendingCall>();
};

const TEXT: &str = "
import torch
from torch import nn

class M(nn.Module):
    def __init__(self):
        super().__init__()
        self.weight = nn.Parameter(torch.ones(2))
        self.register_buffer('seen', torch.zeros(1))
        self.calls = 0

    def forward(self, x):
        self.seen += x
        self.calls += 1
        return self.weight * self.seen

    @torch.jit.export
    def half(self, n: int) -> int:
        if n % 2 != 0:
            raise ValueError('odd')
        return n // 2

    @torch.jit.export
    def forever(self) -> int:
        n = 0
        while n >= 0:
            n += 1
            if n > 1000:
                n = 0
        return n
";

fn module() -> Module {
    let options = SourceOptions { entry: Some("M()".into()), ..SourceOptions::default() };
    Engine::new(Options::default()).and_then(|engine| engine.compile_source("m.py", TEXT, &options)).expect("a module")
}

fn floats(value: &IValue) -> Vec<f32> {
    value.as_tensor().expect("a tensor").to_vec()
}

#[test]
fn sessions_share_parameters_and_nothing_else() {
    let module = module();
    let (mut one, mut other) = (module.session().expect("a session"), module.session().expect("a session"));
    let x = |n: f32| [IValue::from(Tensor::from_vec(vec![n], &[1]))];
    one.call("forward", &x(1.)).expect("a call");
    assert_eq!(floats(&one.call("forward", &x(2.)).expect("a call")), [3., 3.]);
    assert_eq!(floats(&other.call("forward", &x(5.)).expect("a call")), [5., 5.]);
    let calls = |m: &Module| m.attr("calls").expect("an attribute").as_int().expect("an int");
    assert_eq!((calls(&module), calls(one.module()), calls(other.module())), (0, 2, 1));
    assert_eq!(floats(&module.attr("seen").expect("a buffer")), [0.]);
    let weight = |m: &Module| m.attr("weight").expect("a parameter").as_tensor().expect("a tensor").clone();
    assert!(weight(&module).is(&weight(one.module())) && weight(&module).is(&weight(other.module())));
    // A session begins with what is there when it is made.
    let third = other.module().session().expect("a session");
    assert_eq!((calls(third.module()), floats(&third.module().attr("seen").expect("a buffer"))), (1, vec![5.]));
}

#[test]
fn many_calls_give_their_results_in_order() {
    let module = module();
    let calls: Vec<Vec<IValue>> = (0..200).map(|n| vec![IValue::Int(n)]).collect();
    let results = module.call_many("half", &calls);
    assert_eq!(results.len(), 200);
    for (n, result) in results.into_iter().enumerate() {
        match result {
            Ok(half) => assert_eq!(half.as_int().expect("an int") * 2, n as i64),
            Err(error) => assert_eq!((error.kind(), n % 2), (ErrorKind::Raised, 1)),
        }
    }
    assert!(module.call_many("half", &[]).is_empty());
}

struct Unpark(Thread);

impl Wake for Unpark {
    fn wake(self: Arc<Self>) {
        self.0.unpark();
    }
}

fn block_on<F: Future>(future: F) -> F::Output {
    let waker = Waker::from(Arc::new(Unpark(std::thread::current())));
    let mut future = std::pin::pin!(future);
    loop {
        match future.as_mut().poll(&mut Context::from_waker(&waker)) {
            Poll::Ready(value) => return value,
            Poll::Pending => std::thread::park(),
        }
    }
}

#[test]
fn calls_are_awaited_and_stop_when_nobody_awaits_them() {
    let module = Arc::new(module());
    let begun: Vec<PendingCall> = (0..50).map(|n| module.call_async("half", vec![IValue::Int(n)])).collect();
    for (n, call) in begun.into_iter().enumerate() {
        let result = block_on(call);
        assert_eq!(result.ok().map(|half| half.as_int().expect("an int")), (n % 2 == 0).then_some(n as i64 / 2));
    }
    // Twice as many as there are threads: those that are not begun must not wait for those that do not end.
    let endless: Vec<PendingCall> =
        (0..2 * sconce::threads()).map(|_| module.call_async("forever", Vec::new())).collect();
    drop(endless);
    assert_eq!(block_on(module.call_async("half", vec![IValue::Int(8)])).expect("a call").as_int().expect("an int"), 4);
    let until = Instant::now() + Duration::from_secs(60);
    while Arc::strong_count(&module) > 1 {
        assert!(Instant::now() < until, "a call that nobody awaits goes on");
        std::thread::sleep(Duration::from_millis(1));
    }
}

#[test]
fn what_is_held_of_a_tensor_stays_while_a_program_changes_it() {
    let text = "def f(x, other):\n    x.resize_([3, 1, 1, 1, 1, 1, 1, 2])\n    x.set_(other)\n    return x\n";
    let engine = Engine::new(Options::default()).expect("an engine");
    let module = engine.compile_source("m.py", text, &SourceOptions::default()).expect("a module");
    let x = Tensor::from_vec(vec![1f32, 2.], &[2]);
    let other = Tensor::from_vec(vec![5f32; 4], &[2, 2]);
    let (sizes, strides, storage) = (x.sizes(), x.strides(), x.storage());
    let y = module.call("f", &[x.clone().into(), other.clone().into()]).expect("a call");
    assert!(y.as_tensor().expect("a tensor").is(&x) && x.shares_storage(&other));
    assert_eq!((sizes, strides, x.sizes()), (&[2i64][..], &[1i64][..], &[2i64, 2][..]));
    assert_eq!((storage.bytes(), x.to_vec::<f32>()), (24, vec![5.; 4]));
}

#[test]
fn errors_say_of_what_kind_they_are_and_where() {
    let module = module();
    let error = module.call("half", &[IValue::Int(3)]).expect_err("it raises");
    let place = error.place().expect("a place").to_string();
    assert_eq!(
        (error.kind(), place.as_str(), &*error.traceback()[0].function),
        (ErrorKind::Raised, "m.py:20:12", "half")
    );
    let kinds = [
        (module.call("halve", &[]), ErrorKind::NotFound),
        (module.call("half", &[]), ErrorKind::Argument),
        (module.attr("bias"), ErrorKind::NotFound),
        (module.set_attr("calls", IValue::None).map(|()| IValue::None), ErrorKind::Argument),
        (Module::load("/nowhere/model.pt").map(|_| IValue::None), ErrorKind::Io),
        (Module::from_bytes("m.pt", b"PK\x03\x04").map(|_| IValue::None), ErrorKind::Load),
        (Module::from_bytes("m.txt", b"graph(%x : Tensor):\n  return %x\n").map(|_| IValue::None), ErrorKind::Source),
        (module.frozen(&[]).map(|_| IValue::None), ErrorKind::Compile),
    ];
    for (result, kind) in kinds {
        let error = result.expect_err("each is refused");
        assert_eq!(error.kind(), kind, "{error}");
    }
    let error = Module::load("/nowhere/model.pt").map(drop).expect_err("no such file");
    assert_eq!(
        error.as_io().map(|(path, e)| (path, e.kind())),
        Some(("/nowhere/model.pt", std::io::ErrorKind::NotFound))
    );
    let text = "def f(x):\n    return x + \n";
    let engine = Engine::new(Options::default()).expect("an engine");
    let error = engine.compile_source("g.py", text, &SourceOptions::default()).map(drop).expect_err("no Python");
    assert_eq!((error.kind(), error.place().map(|p| (p.file, p.line))), (ErrorKind::Source, Some(("g.py".into(), 2))));
}
