//! Managed outputs. Alone in its process: it counts the bytes of all tensors.

mod build;

use build::{Code, planned, text};
use sconce_interpreter::Program;
use sconce_schema::Type;
use sconce_static::Options;
use sconce_tensor::{IValue, Memory, Tensor};

#[test]
fn outputs_outlive_the_run_and_their_block_goes_with_the_last() {
    let mut program = Program::default();
    let mut c = Code::new(&mut program, "two", &[Type::tensor()]);
    let (a, b) = (c.call("aten::relu", &[0]), c.call("aten::neg", &[0]));
    let f = c.finish(&[a, b]);
    let module = planned(&program, f, Options { manage_output_tensors: true, ..Options::default() });
    let mut runtime = module.runtime();
    let x = Tensor::from_vec(vec![-1f32; 1 << 16], &[1 << 16]);
    let x = [IValue::Tensor(x)];
    runtime.run(&x).unwrap();
    assert_eq!((runtime.layout().outputs, runtime.layout().output_bytes), (2, 2 << 18));
    let mut first = runtime.run(&x).unwrap();
    let second = runtime.run(&x).unwrap();
    assert_eq!(text(&first), text(&second));
    assert!(!first[0].as_tensor().unwrap().shares_storage(second[0].as_tensor().unwrap()));
    drop(runtime);
    let before = Memory::live();
    drop(second);
    assert_eq!(before - Memory::live(), 2 << 18, "both of the second run, and their block");
    drop(first.remove(0));
    assert_eq!(before - Memory::live(), 2 << 18, "the block stays with the other");
    assert_eq!(first[0].as_tensor().unwrap().to_vec::<f32>(), [1.0; 1 << 16]);
    drop(first);
    assert_eq!(before - Memory::live(), 4 << 18);
}
