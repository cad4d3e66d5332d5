//! Classes of the dialect as programs: attributes that stay, methods found by the object, enumerations, defaults, context managers.

use sconce_bytecode::lower;
use sconce_import::program_from_dialect;
use sconce_interpreter::{Executable, Options, Program};
use sconce_schema::{DType, Type};
use sconce_source::SourceMap;
use sconce_tensor::{IValue, Object, Tensor};
use std::collections::BTreeMap;
use std::sync::{Arc, Mutex};

const MODULE: &str = r#"
torch.class_type @__torch__.Unary {
} {torch.class_kind = "module_interface", torch.methods = ["call(__torch__.Unary self, Tensor x) -> Tensor"]}
torch.class_type @__torch__.Color {
  torch.attr "RED" : !torch.int {torch.constant = "1"}
  torch.attr "GREEN" : !torch.int {torch.constant = "2"}
} {torch.class_kind = "enum"}
torch.class_type @__torch__.Neg {
  torch.method "call", @__torch__.Neg.call
} {torch.class_kind = "module"}
torch.class_type @__torch__.Twice {
  torch.method "call", @__torch__.Twice.call
} {torch.class_kind = "module"}
torch.class_type @__torch__.Guard {
  torch.attr "log" : !torch.list<str>
  torch.method "__enter__", @__torch__.Guard.__enter__
  torch.method "__exit__", @__torch__.Guard.__exit__
} {torch.class_kind = "class"}
torch.class_type @__torch__.M {
  torch.attr "weight" : !torch.tensor {torch.kind = "parameter"}
  torch.attr "act" : !torch.nn.Module<"__torch__.Unary">
  torch.attr "calls" : !torch.int
  torch.attr "scale" : !torch.float {torch.constant = "0.5"}
  torch.method "forward", @__torch__.M.forward
  torch.method "guarded", @__torch__.M.guarded
} {torch.class_kind = "module"}

func.func private @__torch__.Neg.call(%self: !torch.nn.Module<"__torch__.Neg">, %x: !torch.tensor) -> !torch.tensor {
  %r = torch.aten.neg %x : !torch.tensor -> !torch.tensor
  return %r : !torch.tensor
}
func.func private @__torch__.Twice.call(%self: !torch.nn.Module<"__torch__.Twice">, %x: !torch.tensor) -> !torch.tensor {
  %one = torch.constant.int 1
  %r = torch.aten.add.Tensor %x, %x, %one : !torch.tensor, !torch.tensor, !torch.int -> !torch.tensor
  return %r : !torch.tensor
}
func.func private @__torch__.weigh(%w: !torch.tensor, %x: !torch.tensor) -> !torch.tensor attributes {torch.schema = "weigh(Tensor w, Tensor x) -> Tensor"} {
  %r = torch.aten.mul.Tensor %w, %x : !torch.tensor, !torch.tensor -> !torch.tensor
  return %r : !torch.tensor
}
func.func private @__torch__.M.forward(%self: !torch.nn.Module<"__torch__.M">, %x: !torch.tensor, %n: !torch.int) -> !torch.tuple<tensor, enum<"__torch__.Color">>
    attributes {torch.schema = "forward(__torch__.M self, Tensor x, *, int n=3) -> ((Tensor, Enum<__torch__.Color>))"} {
  %calls = torch.prim.GetAttr %self["calls"] : !torch.nn.Module<"__torch__.M"> -> !torch.int
  %sum = torch.aten.add.int %calls, %n : !torch.int, !torch.int -> !torch.int
  torch.prim.SetAttr %self["calls"] = %sum : !torch.nn.Module<"__torch__.M">, !torch.int
  %w = torch.prim.GetAttr %self["weight"] : !torch.nn.Module<"__torch__.M"> -> !torch.tensor
  %f = func.constant @__torch__.weigh : (!torch.tensor, !torch.tensor) -> !torch.tensor
  %y = func.call_indirect %f(%w, %x) : (!torch.tensor, !torch.tensor) -> !torch.tensor
  %act = torch.prim.GetAttr %self["act"] : !torch.nn.Module<"__torch__.M"> -> !torch.nn.Module<"__torch__.Unary">
  %z = torch.prim.CallMethod %act["call"] (%y) : !torch.nn.Module<"__torch__.Unary">, (!torch.tensor) -> !torch.tensor
  %color = torch.operator "prim.Constant"() {torch.attributes = [["value", {literal = "__torch__.Color.GREEN"}]]} : () -> !torch.enum<"__torch__.Color">
  %r = torch.prim.TupleConstruct %z, %color : !torch.tensor, !torch.enum<"__torch__.Color"> -> !torch.tuple<tensor, enum<"__torch__.Color">>
  return %r : !torch.tuple<tensor, enum<"__torch__.Color">>
}
func.func private @__torch__.Guard.__enter__(%self: !torch.nn.Module<"__torch__.Guard">) -> !torch.str {
  %s = torch.constant.str "entered"
  torch.prim.Print(%s) : !torch.str
  return %s : !torch.str
}
func.func private @__torch__.Guard.__exit__(%self: !torch.nn.Module<"__torch__.Guard">, %a: !torch.any, %b: !torch.any, %c: !torch.any) -> !torch.none {
  %s = torch.constant.str "left"
  torch.prim.Print(%s) : !torch.str
  %none = torch.constant.none
  return %none : !torch.none
}
func.func private @__torch__.M.guarded(%self: !torch.nn.Module<"__torch__.M">, %fail: !torch.bool) -> !torch.none {
  %g = torch.prim.CreateObject !torch.nn.Module<"__torch__.Guard">
  %v = torch.operator "prim.Enter"(%g) : (!torch.nn.Module<"__torch__.Guard">) -> !torch.str
  torch.prim.If %fail -> () {
    %m = torch.constant.str "no"
    %c = torch.constant.str "builtins.ValueError"
    torch.prim.RaiseException %m, %c : !torch.str, !torch.str
    torch.prim.If.yield
  } else {
    torch.prim.If.yield
  }
  %e = torch.operator "prim.Exit"(%g) : (!torch.nn.Module<"__torch__.Guard">) -> !torch.none
  %none = torch.constant.none
  return %none : !torch.none
}
"#;

fn program() -> Arc<Program> {
    let context = sconce_torch::context(false).expect("the op table registers");
    let module =
        sconce_ir::text::parse_module(&context, MODULE.as_bytes(), "test.mlir").expect("the test's module is sound");
    let unit = program_from_dialect(&module, &mut SourceMap::default()).expect("it is a program");
    let program = lower(&unit, &BTreeMap::new()).unwrap();
    // Classes travel in files.
    let bytes = program.to_bytes().unwrap();
    let back = Program::from_bytes(&bytes).unwrap();
    assert_eq!(back.full_listing(), program.full_listing());
    Arc::new(back)
}

fn object(program: &Program, name: &str) -> Arc<Object> {
    let (_, class) = program.class(name).unwrap();
    Object::new(class.name.clone(), class.names.clone())
}

/// An `M` with this activation.
fn instance(program: &Program, act: &str) -> IValue {
    let m = object(program, "__torch__.M");
    let values =
        [IValue::Tensor(Tensor::from_vec(vec![3f32, 4.], &[2])), IValue::Object(object(program, act)), IValue::Int(0)];
    values.into_iter().enumerate().for_each(|(i, v)| assert!(m.set(i, v)));
    IValue::Object(m)
}

#[test]
fn methods_are_found_by_the_object_and_attributes_stay() {
    let program = program();
    let executable = Executable::new(program.clone()).unwrap();
    let forward = program.function("__torch__.M.forward").unwrap();
    let x = IValue::Tensor(Tensor::from_vec(vec![1f32, 2.], &[2]));
    for (act, want) in [("__torch__.Neg", [-3f32, -8.]), ("__torch__.Twice", [6., 16.])] {
        let m = instance(&program, act);
        for calls in [3, 6] {
            let out = executable.run(forward, vec![m.clone(), x.clone()], &Options::default()).unwrap();
            let out = &out[0].as_tuple().unwrap().items;
            assert_eq!(out[0].as_tensor().unwrap().to_vec::<f32>(), want);
            assert_eq!(out[1].as_enum().unwrap().value.as_int(), Ok(2));
            // The default of `n` counts the calls.
            assert_eq!(m.as_object().unwrap().get(2).unwrap().as_int(), Ok(calls));
        }
    }
}

#[test]
fn arguments_are_checked_by_class_and_interface() {
    let program = program();
    let (m, neg) = (instance(&program, "__torch__.Neg"), IValue::Object(object(&program, "__torch__.Neg")));
    let class = |name: &str| Type::Class(name.into());
    assert!(program.is_instance(&neg, &class("__torch__.Unary")));
    assert!(!program.is_instance(&m, &class("__torch__.Unary")));
    let executable = Executable::new(program.clone()).unwrap();
    let forward = program.function("__torch__.M.forward").unwrap();
    let text = |inputs| executable.run(forward, inputs, &Options::default()).unwrap_err().to_string();
    let declaration = "forward(__torch__.M self, Tensor x, *, int n=3) -> ((Tensor, Enum<__torch__.Color>))";
    assert_eq!(
        text(vec![m.clone()]),
        format!("forward() is missing value for argument 'x'. Declaration: {declaration}")
    );
    assert_eq!(
        text(vec![neg, IValue::None]),
        format!(
            "forward() Expected a value of type '__torch__.M' for argument 'self' but instead found type \
             '__torch__.Neg'.\nPosition: 0\nValue: <__torch__.Neg object>\nDeclaration: {declaration}"
        )
    );
}

#[test]
fn constants_and_roles_are_the_classes() {
    let program = program();
    let (_, m) = program.class("__torch__.M").unwrap();
    assert_eq!(m.constant("scale").unwrap().as_double(), Ok(0.5));
    let roles: Vec<String> = m.attributes.iter().map(|a| format!("{} {:?}", a.name, a.role)).collect();
    assert_eq!(roles, ["weight Parameter", "act Attribute", "calls Attribute"]);
}

#[test]
fn what_was_entered_is_left_also_when_the_body_raises() {
    let program = program();
    let executable = Executable::new(program.clone()).unwrap();
    let guarded = program.function("__torch__.M.guarded").unwrap();
    for (fail, last) in [(false, None), (true, Some("builtins.ValueError: no"))] {
        let printed: Arc<Mutex<Vec<u8>>> = Arc::default();
        let options = Options { output: Some(printed.clone()), ..Options::default() };
        let outcome = executable.run(guarded, vec![instance(&program, "__torch__.Neg"), IValue::Bool(fail)], &options);
        assert_eq!(outcome.err().map(|e| e.last_line()).as_deref(), last);
        assert_eq!(String::from_utf8_lossy(&printed.lock().unwrap()), "entered\nleft\n");
    }
}

#[test]
fn results_require_gradients_unless_the_mode_is_off() {
    let program = program();
    let executable = Executable::new(program.clone()).unwrap();
    let weigh = program.function("__torch__.weigh").unwrap();
    let w = Tensor::zeros(&[2], DType::F32).unwrap();
    w.set_requires_grad(true);
    let run = || {
        let x = IValue::Tensor(Tensor::zeros(&[2], DType::F32).unwrap());
        let out = executable.run(weigh, vec![IValue::Tensor(w.clone()), x], &Options::default()).unwrap();
        out[0].as_tensor().unwrap().requires_grad()
    };
    assert!(run());
    sconce_kernels::grad::enable(false);
    assert!(!run());
    sconce_kernels::grad::enable(true);
}
