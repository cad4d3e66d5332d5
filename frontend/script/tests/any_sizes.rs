//! A traced program that is to run for any sizes says of none of them, in its schema too.

use sconce_graph::listing::read_program;
use sconce_script::trace::for_any_sizes;

const TRACED: &str = "graph(%x : Float(2, strides=[1], requires_grad=0, device=cpu),
      %y : Long(requires_grad=0, device=cpu)):
  %2 : (Float(2, strides=[1], requires_grad=0, device=cpu), Long(requires_grad=0, device=cpu)) = prim::TupleConstruct(%x, %y)
  return (%2)
";

#[test]
fn what_a_function_returns_is_what_its_graph_gives() {
    let unit = read_program("traced.txt", TRACED, "f").expect("graph text");
    let general = for_any_sizes(&unit).expect("sizes were seen");
    let f = &general.functions["f"];
    assert_eq!(f.returns.to_string(), "(Tensor, Tensor)");
    let parameters: Vec<String> = f.params.iter().map(|p| p.ty.to_string()).collect();
    assert_eq!(parameters, ["Tensor", "Tensor"]);
    let [output] = f.graph.block_outputs(f.graph.root()) else { panic!("one output") };
    assert_eq!(*f.graph.ty(*output), f.returns);
    assert!(for_any_sizes(&general).is_none());
}
