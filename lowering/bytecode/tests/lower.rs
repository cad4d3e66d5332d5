//! Graph text to bytecode: the overview's listing to the letter, and programs that run.

use expect_test::{Expect, expect};
use sconce_bytecode::lower;
use sconce_graph::listing::read_program;
use sconce_import::program_from_dialect;
use sconce_interpreter::{Executable, Options, Program};
use sconce_source::SourceMap;
use sconce_tensor::{IValue, Tensor};
use std::collections::BTreeMap;
use std::sync::{Arc, Mutex};

fn program(text: &str) -> Result<Program, sconce_bytecode::Error> {
    let unit = read_program("test.txt", text, "f").expect("the test's listing is sound");
    lower(&unit, &BTreeMap::new())
}

fn listing(text: &str, expected: Expect) {
    expected.assert_eq(&program(text).unwrap().listing(0));
}

fn run(text: &str, inputs: Vec<IValue>) -> String {
    let executable = Executable::new(Arc::new(program(text).unwrap())).unwrap();
    let printed: Arc<Mutex<Vec<u8>>> = Arc::default();
    let options = Options { output: Some(printed.clone()), ..Options::default() };
    let out = match executable.run(0, inputs, &options) {
        Ok(out) => format!("{:?}", out.as_slice()),
        Err(e) => e.to_string(),
    };
    format!("{}{out}", String::from_utf8_lossy(&printed.lock().unwrap()))
}

const LSTM: &str = "graph(%x : Tensor,
      %hx : Tensor,
      %cx : Tensor,
      %w_ih : Tensor,
      %w_hh : Tensor,
      %b_ih : Tensor,
      %b_hh : Tensor):
  %7 : int = prim::Constant[value=4]()
  %8 : int = prim::Constant[value=1]()
  %9 : Tensor = aten::t(%w_ih)
  %10 : Tensor = aten::mm(%x, %9)
  %11 : Tensor = aten::t(%w_hh)
  %12 : Tensor = aten::mm(%hx, %11)
  %13 : Tensor = aten::add(%10, %12, %8)
  %14 : Tensor = aten::add(%13, %b_ih, %8)
  %gates : Tensor = aten::add(%14, %b_hh, %8)
  %16 : Tensor[] = aten::chunk(%gates, %7, %8)
  %ingate.1 : Tensor, %forgetgate.1 : Tensor, %cellgate.1 : Tensor, %outgate.1 : Tensor = prim::ListUnpack(%16)
  %ingate : Tensor = aten::sigmoid(%ingate.1)
  %forgetgate : Tensor = aten::sigmoid(%forgetgate.1)
  %cellgate : Tensor = aten::tanh(%cellgate.1)
  %outgate : Tensor = aten::sigmoid(%outgate.1)
  %25 : Tensor = aten::mul(%forgetgate, %cx)
  %26 : Tensor = aten::mul(%ingate, %cellgate)
  %cy : Tensor = aten::add(%25, %26, %8)
  %28 : Tensor = aten::tanh(%cy)
  %hy : Tensor = aten::mul(%outgate, %28)
  %30 : (Tensor, Tensor) = prim::TupleConstruct(%hy, %cy)
  return (%30)
";

#[test]
fn the_lstm_cell_is_listed_as_in_the_overview() {
    listing(
        LSTM,
        expect![[r"
            0, 1, 2, 3, 4, 5, 6 = Load
            7 = Constant
            8 = t move(3)
            9 = mm move(0), move(8)
            10 = t move(4)
            11 = mm move(1), move(10)
            12 = add move(9), move(11), 7
            13 = add move(12), move(5), 7
            14 = add move(13), move(6), 7
            15, 16, 17, 18 = ConstantChunk move(14)
            19 = sigmoid move(15)
            20 = sigmoid move(16)
            21 = tanh move(17)
            22 = sigmoid move(18)
            23 = mul move(20), move(2)
            24 = mul move(19), move(21)
            25 = add move(23), move(24), move(7)
            26 = tanh 25
            27 = mul move(22), move(26)
            28 = TupleConstruct move(27), move(25)
             = Store move(28)
        "]],
    );
}

#[test]
fn the_lstm_cell_runs() {
    let t = |sizes: &[i64], from: f32| {
        let n: i64 = sizes.iter().product();
        let data = (0..n).map(|i| from + i as f32 * 0.125).collect::<Vec<f32>>();
        IValue::Tensor(Tensor::from_vec(data, sizes))
    };
    let inputs = vec![
        t(&[1, 2], 0.5),
        t(&[1, 1], 0.25),
        t(&[1, 1], -1.0),
        t(&[4, 2], -0.5),
        t(&[4, 1], 0.0),
        t(&[4], 0.0),
        t(&[4], 0.0),
    ];
    let executable = Executable::new(Arc::new(program(LSTM).unwrap())).unwrap();
    let out = executable.run(0, inputs, &Options::default()).unwrap();
    let pair = &out[0].as_tuple().unwrap().items;
    let number = |v: &IValue| v.as_tensor().unwrap().item::<f32>().unwrap();
    // By hand: gates = x w_ih^T + h w_hh^T + biases.
    let gates: Vec<f32> = (0..4)
        .map(|g| {
            let (a, b) = (-0.5 + (2 * g) as f32 * 0.125, -0.5 + (2 * g + 1) as f32 * 0.125);
            0.5 * a + 0.625 * b + 0.25 * (g as f32 * 0.125) + 2.0 * (g as f32 * 0.125)
        })
        .collect();
    let sigmoid = |x: f32| 1.0 / (1.0 + (-x).exp());
    let cy = sigmoid(gates[1]) * -1.0 + sigmoid(gates[0]) * gates[2].tanh();
    let hy = sigmoid(gates[3]) * cy.tanh();
    assert!((number(&pair[0]) - hy).abs() < 1e-6 && (number(&pair[1]) - cy).abs() < 1e-6);
}

const WHILE: &str = "graph(%n.1 : int):
  %max : int = prim::Constant[value=9223372036854775807]()
  %one : int = prim::Constant[value=1]()
  %zero : int = prim::Constant[value=0]()
  %start : bool = aten::gt(%n.1, %zero) # m.py:2:10
  %n : int, %s : int = prim::Loop(%max, %start, %n.1, %zero) # m.py:2:4
    block0(%i : int, %n.3 : int, %s.1 : int):
      %s.2 : int = aten::add(%s.1, %n.3) # m.py:3:8
      %n.2 : int = aten::sub(%n.3, %one) # m.py:4:8
      %go : bool = aten::gt(%n.2, %zero) # m.py:2:10
      -> (%go, %n.2, %s.2)
  return (%s)
";

#[test]
fn a_while_loop_has_no_counter() {
    listing(
        WHILE,
        expect![[r"
            0 = Load
            1 = Constant
            2 = Constant
            3 = gt 0, 2
            4, 5 = Move move(0), 2
            6 = Move move(3)
             = JumpUnless[12] move(6)
            7 = add move(5), 4
            8 = sub move(4), 1
            9 = gt 8, 2
            6, 4, 5 = Move move(9), move(8), move(7)
             = Jump[6]
             = Drop move(1), move(2), move(4)
             = Store move(5)
        "]],
    );
    assert_eq!(run(WHILE, vec![IValue::Int(4)]), "[10]");
    assert_eq!(run(WHILE, vec![IValue::Int(-3)]), "[0]");
}

const BRANCH: &str = r#"graph(%x.1 : int?, %n.1 : int):
  %none : NoneType = prim::Constant()
  %one : int = prim::Constant[value=1]()
  %true : bool = prim::Constant[value=1]()
  %text : str = prim::Constant[value="turn"]()
  %c : bool = aten::__isnot__(%x.1, %none) # m.py:2:7
  %r : int = prim::If(%c) # m.py:2:4
    block0():
      %x : int = prim::unchecked_cast(%x.1)
      %y : int = aten::add(%x, %one) # m.py:3:8
      -> (%y)
    block1():
      -> (%n.1)
  %l : int[] = prim::ListConstruct()
   = prim::Loop(%r, %true) # m.py:5:4
    block0(%i : int):
       = prim::Print(%text, %i) # m.py:6:8
      %z : int[] = aten::append(%l, %i) # m.py:7:8
      -> (%true)
  return (%l)
"#;

#[test]
fn branches_loops_prints_and_lists() {
    assert_eq!(run(BRANCH, vec![IValue::Int(1), IValue::Int(7)]), "turn 0\nturn 1\n[[0, 1]]");
    assert_eq!(run(BRANCH, vec![IValue::None, IValue::Int(1)]), "turn 0\n[[0]]");
}

#[test]
fn swapping_carried_values_is_parallel() {
    let text = "graph(%n.1 : int, %a.1 : int, %b.1 : int):
  %true : bool = prim::Constant[value=1]()
  %a : int, %b : int = prim::Loop(%n.1, %true, %a.1, %b.1)
    block0(%i : int, %x : int, %y : int):
      -> (%true, %y, %x)
  %t : (int, int) = prim::TupleConstruct(%a, %b)
  return (%t)
";
    let out = |n: i64| run(text, [n, 10, 20].map(IValue::Int).to_vec());
    assert_eq!((out(0), out(1), out(2)), ("[(10, 20)]".into(), "[(20, 10)]".into(), "[(10, 20)]".into()));
}

#[test]
fn forks_wait_and_raise() {
    let text = r#"graph(%n.1 : int):
  %f.1 : Future[int] = prim::fork_0(%n.1) # m.py:9:10
  %r : int = aten::wait(%f.1) # m.py:10:11
  return (%r)
with prim::fork_0 = graph(%n : int):
  %zero : int = prim::Constant[value=0]()
  %text : str = prim::Constant[value="not positive"]()
  %none : NoneType = prim::Constant()
  %ok : bool = aten::gt(%n, %zero) # m.py:4:10
   = prim::If(%ok) # m.py:4:4
    block0():
      -> ()
    block1():
       = prim::RaiseException(%text, %none) # m.py:5:8
      -> ()
  %r : int = aten::neg(%n) # m.py:6:11
  return (%r)
"#;
    assert_eq!(run(text, vec![IValue::Int(5)]), "[-5]");
    expect![[r#"
        The following operation failed in the TorchScript interpreter.
        Traceback of TorchScript (most recent call last):
          File "m.py", line 10, in f
        RuntimeError: The following operation failed in the TorchScript interpreter.
        Traceback of TorchScript (most recent call last):
          File "m.py", line 5, in <forked function>
        RuntimeError: not positive

    "#]]
    .assert_eq(&run(text, vec![IValue::Int(0)]));
}

#[test]
fn objects_have_the_attributes_that_the_listing_mentions() {
    let text = "graph(%x.1 : int):
  %o : __torch__.m.Pair = prim::CreateObject()
   = prim::SetAttr[name=\"a\"](%o, %x.1)
  %r : int = prim::GetAttr[name=\"a\"](%o)
  return (%r)
";
    assert_eq!(run(text, vec![IValue::Int(5)]), "[5]");
}

#[test]
fn unknown_operators_wait_until_the_program_gets_there() {
    let text = "graph(%x.1 : Tensor):
   = prim::Print(%x.1)
  %a : Tensor = aten::no_such_operator(%x.1) # m.py:3:11
  %b : Tensor = vendor::thing(%a) # m.py:4:11
  return (%b)
";
    let executable = Executable::new(Arc::new(program(text).unwrap())).unwrap();
    let missing = executable.missing().to_string();
    assert_eq!(missing, "missing operators: aten::no_such_operator at m.py:3:11, vendor::thing at m.py:4:11");
    expect![[r#"
        1
        [ CPUFloatType{} ]
        The following operation failed in the TorchScript interpreter.
        Traceback of TorchScript (most recent call last):
          File "m.py", line 3, in f
        RuntimeError: Unknown operator aten::no_such_operator: it is not in the op table. Load the library that has it (`--load-ops FILE`, `sconce.load_library`), or give its kernel to `Engine::register` under this name
    "#]]
    .assert_eq(&run(text, vec![IValue::Tensor(Tensor::scalar(1f32))]));
}

#[test]
fn what_cannot_be_lowered_is_named_with_its_place() {
    let text = "graph(%x.1 : Tensor):
  %a : Tensor = vendor::loop(%x.1) # m.py:3:11
    block0():
      -> (%x.1)
  return (%a)
";
    let error = program(text).unwrap_err().to_string();
    assert_eq!(error, "unsupported: vendor::loop at m.py:3:11");
}

fn module(text: &str) -> Program {
    let context = sconce_torch::context(false).expect("the op table registers");
    let module =
        sconce_ir::text::parse_module(&context, text.as_bytes(), "test.mlir").expect("the test's module is sound");
    let unit = program_from_dialect(&module, &mut SourceMap::default()).expect("it is a program");
    lower(&unit, &BTreeMap::new()).unwrap()
}

#[test]
fn a_region_takes_and_gives_tensors_without_copies_where_nobody_can_tell() {
    let program = module(
        r#"
func.func @f(%a: !torch.tensor, %b: !torch.tensor) -> !torch.tensor {
  %x = torch.copy.to_vtensor %a : !torch.vtensor
  %y = torch.copy.to_vtensor %b : !torch.vtensor
  %r = sconce.region "k"(%x, %y) : (!torch.vtensor, !torch.vtensor) -> !torch.vtensor {
  ^bb0(%p: !torch.vtensor, %q: !torch.vtensor):
    %one = torch.constant.int 1
    %s = torch.aten.add.Tensor %p, %q, %one : !torch.vtensor, !torch.vtensor, !torch.int -> !torch.vtensor
    sconce.yield %s : !torch.vtensor
  }
  %t = torch.copy.to_tensor %r : !torch.tensor
  return %t : !torch.tensor
}"#,
    );
    assert_eq!(program.listing(0), "0, 1 = Load\n2 = Region[k] move(0), move(1)\n = Store move(2)\n");
    assert_eq!(
        program.listing(program.regions[0].fallback),
        "0, 1 = Load\n2 = Constant\n3 = add move(0), move(1), move(2)\n = Store move(3)\n"
    );
}

#[test]
fn a_snapshot_is_a_copy_where_something_writes_before_its_use() {
    let program = module(
        r#"
func.func @f(%a: !torch.tensor) -> (!torch.tensor, !torch.tensor) {
  %x = torch.copy.to_vtensor %a : !torch.vtensor
  %z = torch.aten.zero_ %a : !torch.tensor -> !torch.tensor
  %r = sconce.region "same"(%x) : (!torch.vtensor) -> !torch.vtensor {
  ^bb0(%p: !torch.vtensor):
    sconce.yield %p : !torch.vtensor
  }
  %t = torch.copy.to_tensor %r : !torch.tensor
  return %a, %t : !torch.tensor, !torch.tensor
}"#,
    );
    let executable = Executable::new(Arc::new(program)).unwrap();
    let a = Tensor::from_vec(vec![1f32, 2.], &[2]);
    let out = executable.run(0, vec![IValue::Tensor(a.clone())], &Options::default()).unwrap();
    assert!(out[0].as_tensor().unwrap().is(&a));
    assert_eq!(a.to_vec::<f32>(), [0., 0.]);
    assert_eq!(out[1].as_tensor().unwrap().to_vec::<f32>(), [1., 2.]);
    // The region gives back its input, which stands for a tensor of its own.
    assert!(!out[1].as_tensor().unwrap().shares_storage(&a));
}
