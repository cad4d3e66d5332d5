//! Classes, schemas, calls and constants of every kind: as MLIR, and back.

use expect_test::expect;
use sconce_graph::graph::{Attr, Graph, ValueId};
use sconce_graph::listing::to_listing;
use sconce_graph::unit::{Attribute, AttributeKind, Class, ClassKind, Function, InterfaceMethod, Param, Unit};
use sconce_import::{from_dialect, to_dialect};
use sconce_ir::prelude::*;
use sconce_schema::types::{Device, NamedTuple};
use sconce_schema::{DType, Type};
use sconce_tensor::{Dict, DictKey, EnumValue, IValue, Tensor, Tuple};
use std::sync::Arc;

fn param(name: &str, ty: Type, default: Option<IValue>) -> Param {
    Param { name: name.into(), ty, default, keyword_only: false, list_size: None }
}

fn attribute(name: &str, ty: Type, kind: AttributeKind) -> Attribute {
    Attribute { name: name.into(), ty, kind }
}

fn method(unit: &mut Unit, class: &str, name: &str, make: impl FnOnce(&mut Graph, ValueId, ValueId) -> ValueId) {
    let mut graph = Graph::new();
    let this = graph.add_input(graph.root(), Some("self"), Type::Class(class.into()));
    let x = graph.add_input(graph.root(), Some("x"), Type::tensor());
    let result = make(&mut graph, this, x);
    graph.set_block_outputs(graph.root(), &[result]);
    let params = vec![param("self", Type::Class(class.into()), None), param("x", Type::tensor(), None)];
    let full: Arc<str> = format!("{class}.{name}").into();
    unit.functions.insert(full.clone(), Function { name: full, params, returns: Type::tensor(), graph });
    unit.classes.get_mut(class).expect("the class is there").methods.push(name.into());
}

fn unit() -> Unit {
    let mut unit = Unit::default();
    let mut color = Class::new("__torch__.m.Color".into(), ClassKind::Enum { value: Type::Int });
    color.constants = vec![("RED".into(), Type::Int, IValue::Int(1)), ("GREEN".into(), Type::Int, IValue::Int(2))];
    let mut unary = Class::new("__torch__.m.Unary".into(), ClassKind::ModuleInterface);
    unary.interface.push(InterfaceMethod {
        name: "forward".into(),
        params: vec![param("self", Type::Class("__torch__.m.Unary".into()), None), param("x", Type::tensor(), None)],
        returns: Type::tensor(),
    });
    let mut module = Class::new("__torch__.m.M".into(), ClassKind::Module);
    module.attributes = vec![
        attribute("weight", Type::tensor(), AttributeKind::Parameter),
        attribute("running", Type::tensor(), AttributeKind::Buffer),
        attribute("act", Type::Class("__torch__.m.Unary".into()), AttributeKind::Plain),
        attribute("names", Type::dict(Type::Str, Type::list(Type::Int)), AttributeKind::Plain),
    ]
    .into();
    module.constants = vec![
        ("eps".into(), Type::Float, IValue::Double(1e-5)),
        ("k".into(), Type::list(Type::Int), IValue::int_list(&[1, 2])),
    ];
    module.properties = vec![("scale".into(), "scale_getter".into(), None)];
    module.forward_hooks = vec!["after".into()];
    for class in [color, unary, module] {
        unit.classes.insert(class.name.clone(), class);
    }
    let mut helper = Graph::new();
    let x = helper.add_input(helper.root(), Some("x"), Type::optional(Type::tensor()));
    let n = helper.add_input(helper.root(), Some("n"), Type::Int);
    let node = helper.node("prim::unchecked_cast", &[x]);
    let cast = helper.add_output(node, None, Type::tensor());
    helper.append(helper.root(), node);
    let node = helper.node("aten::add", &[cast, cast, n]);
    let sum = helper.add_output(node, None, Type::tensor());
    helper.append(helper.root(), node);
    helper.set_block_outputs(helper.root(), &[sum]);
    let params = vec![
        param("x", Type::optional(Type::tensor()), Some(IValue::None)),
        Param { keyword_only: true, ..param("n", Type::Int, Some(IValue::Int(3))) },
    ];
    let name: Arc<str> = "__torch__.m.helper".into();
    unit.functions.insert(name.clone(), Function { name, params, returns: Type::tensor(), graph: helper });
    method(&mut unit, "__torch__.m.M", "forward", |g, this, x| {
        let f = g.node("prim::Constant", &[]);
        g.set_attr(f, "name", Attr::Function("__torch__.m.helper".into()));
        let function = g.add_output(f, None, Type::Function);
        g.append(g.root(), f);
        let one = constant(g, IValue::Int(1), Type::Int);
        let call = g.node("prim::CallFunction", &[function, x, one]);
        let y = g.add_output(call, Some("y"), Type::tensor());
        g.append(g.root(), call);
        let get = g.node("prim::GetAttr", &[this]);
        g.set_attr(get, "name", Attr::Str("act".into()));
        let act = g.add_output(get, Some("act"), Type::Class("__torch__.m.Unary".into()));
        g.append(g.root(), get);
        let call = g.node("prim::CallMethod", &[act, y]);
        g.set_attr(call, "name", Attr::Str("forward".into()));
        let z = g.add_output(call, Some("z"), Type::tensor());
        g.append(g.root(), call);
        z
    });
    unit
}

fn constant(g: &mut Graph, value: IValue, ty: Type) -> ValueId {
    let node = g.node("prim::Constant", &[]);
    g.set_attr(node, "value", Attr::Value(value));
    let output = g.add_output(node, None, ty);
    g.append(g.root(), node);
    output
}

#[test]
fn a_module_and_what_it_calls() {
    let context = sconce_torch::context(false).expect("the op table is well-formed");
    let unit = unit();
    let module = to_dialect(&context, &unit).expect("the unit is sound");
    let text = print(module.as_operation(), &PrintOptions::default());
    expect![[r#"
        module {
          torch.class_type @__torch__.m.Color {
            torch.attr "RED" : !torch.int {torch.constant = "1"}
            torch.attr "GREEN" : !torch.int {torch.constant = "2"}
          } {torch.class_kind = "enum", torch.enum_value = "int"}
          torch.class_type @__torch__.m.Unary {
          } {torch.class_kind = "module_interface", torch.methods = ["forward(__torch__.m.Unary self, Tensor x) -> Tensor"]}
          torch.class_type @__torch__.m.M {
            torch.attr "weight" : !torch.tensor {torch.kind = "parameter"}
            torch.attr "running" : !torch.tensor {torch.kind = "buffer"}
            torch.attr "act" : !torch.nn.Module<"__torch__.m.Unary">
            torch.attr "names" : !torch.dict<str, list<int>>
            torch.attr "eps" : !torch.float {torch.constant = "1.0000000000000001e-05"}
            torch.attr "k" : !torch.list<int> {torch.constant = "[1, 2]"}
            torch.method "forward", @__torch__.m.M.forward
          } {torch.class_kind = "module", torch.forward_hooks = ["after"], torch.properties = [["scale", "scale_getter"]]}
          func.func @__torch__.m.helper(%arg0: !torch.optional<tensor>, %arg1: !torch.int) -> !torch.tensor attributes {torch.schema = "helper(Tensor? x=None, *, int n=3) -> Tensor"} {
            %0 = torch.prim.unchecked_cast %arg0 : !torch.optional<tensor> -> !torch.tensor
            %1 = torch.aten.add.Tensor %0, %0, %arg1 : !torch.tensor, !torch.tensor, !torch.int -> !torch.tensor
            return %1 : !torch.tensor
          }
          func.func private @__torch__.m.M.forward(%arg0: !torch.nn.Module<"__torch__.m.M">, %arg1: !torch.tensor) -> !torch.tensor attributes {torch.schema = "forward(__torch__.m.M self, Tensor x) -> Tensor"} {
            %f = constant @__torch__.m.helper : (!torch.optional<tensor>, !torch.int) -> !torch.tensor
            %int1 = torch.constant.int 1
            %0 = torch.derefine %arg1 : !torch.tensor to !torch.optional<tensor>
            %1 = call_indirect %f(%0, %int1) : (!torch.optional<tensor>, !torch.int) -> !torch.tensor
            %2 = torch.prim.GetAttr %arg0["act"] : !torch.nn.Module<"__torch__.m.M"> -> !torch.nn.Module<"__torch__.m.Unary">
            %3 = torch.prim.CallMethod %2["forward"] (%1) : !torch.nn.Module<"__torch__.m.Unary">, (!torch.tensor) -> !torch.tensor
            return %3 : !torch.tensor
          }
        }
    "#]].assert_eq(&text);
    let back = from_dialect(&module).expect("what was made comes back");
    assert_eq!(format!("{:?}", back.classes), format!("{:?}", unit.classes));
    for (a, b) in unit.functions.values().zip(back.functions.values()) {
        assert_eq!(
            format!("{:?} {} {:?}", a.name, to_listing(&a.graph), a.params),
            format!("{:?} {} {:?}", b.name, to_listing(&b.graph), b.params)
        );
    }
}

#[test]
fn constants_of_every_kind() {
    let context = sconce_torch::context(false).expect("the op table is well-formed");
    let named = Arc::new(NamedTuple {
        name: "__torch__.m.P".into(),
        fields: vec![("a".into(), Type::Int), ("b".into(), Type::Float)],
        defaults: Vec::new(),
    });
    let dict = Dict::new(Type::Str, Type::tensor());
    dict.write().insert(DictKey::Str(sconce_tensor::Handle::new("w".into())), IValue::Tensor(Tensor::scalar(2.5f32)));
    let tuple =
        |names: Option<Arc<NamedTuple>>| IValue::Tuple(Tuple::new([IValue::Int(1), IValue::Double(1e12)], names));
    let member = EnumValue { class: "__torch__.m.Color".into(), name: "RED".into(), value: IValue::Int(1) };
    let large = Tensor::from_vec((0..4096).map(|i| i as f32).collect(), &[64, 64]);
    large.set_requires_grad(true);
    let constants = [
        (IValue::None, Type::None),
        (IValue::None, Type::optional(Type::tensor())),
        (IValue::Bool(true), Type::Bool),
        (IValue::Int(-1), Type::Int),
        (IValue::Double(f64::NAN), Type::Float),
        (IValue::Double(1e12), Type::Float),
        (IValue::complex(0.0, 1.5), Type::Complex),
        (IValue::str("naïve\r\n\0"), Type::Str),
        (IValue::Device(Arc::new(Device { kind: "cuda".into(), index: Some(1) })), Type::Device),
        (IValue::Tensor(Tensor::from_vec(vec![1.5f32, -2.25], &[2])), Type::tensor()),
        (
            IValue::Tensor(Tensor::from_vec([true, false, true].map(sconce_tensor::Bool::new).to_vec(), &[3])),
            Type::tensor(),
        ),
        (IValue::Tensor(Tensor::zeros(&[0, 3], DType::I64).expect("it is small")), Type::tensor()),
        (IValue::Tensor(large), Type::tensor()),
        (IValue::int_list(&[]), Type::list(Type::Int)),
        (IValue::tensor_list(vec![Tensor::scalar(1i64)]), Type::list(Type::tensor())),
        (tuple(None), Type::Tuple([Type::Int, Type::Float].into())),
        (tuple(Some(named.clone())), Type::NamedTuple(named)),
        (IValue::Dict(dict), Type::dict(Type::Str, Type::tensor())),
        (IValue::Enum(Arc::new(member)), Type::Enum("__torch__.m.Color".into())),
    ];
    let mut graph = Graph::new();
    let values: Vec<ValueId> = constants.iter().map(|(v, ty)| constant(&mut graph, v.clone(), ty.clone())).collect();
    let print = graph.node("prim::Print", &values);
    graph.append(graph.root(), print);
    let none = constant(&mut graph, IValue::None, Type::None);
    graph.set_block_outputs(graph.root(), &[none]);
    let mut unit = Unit::default();
    unit.functions.insert(
        "f".into(),
        Function { name: "f".into(), params: Vec::new(), returns: Type::None, graph: graph.clone() },
    );
    let module = to_dialect(&context, &unit).expect("the unit is sound");
    let read = through_text(&context, &module).expect("what is printed is read");
    for module in [&module, &read] {
        let back = from_dialect(module).expect("what was made comes back");
        let back = &back.functions["f"].graph;
        assert_eq!(to_listing(back).to_string(), to_listing(&graph).to_string());
        for (value, node) in values.iter().zip(back.block_nodes(back.root())) {
            let (a, b) = (graph.constant(*value), back.output(*node).and_then(|v| back.constant(v)));
            assert_eq!(format!("{a:?}"), format!("{b:?}"));
            if let (Some(IValue::Tensor(a)), Some(IValue::Tensor(b))) = (a, b) {
                assert_eq!((a.read_bytes(), a.requires_grad()), (b.read_bytes(), b.requires_grad()));
            }
        }
    }
}
