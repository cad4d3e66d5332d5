//! An operator's call as a function of the torch dialect, made of values and types without their text.

use sconce_ir::builder::OpBuilder;
use sconce_ir::prelude::*;
use sconce_ir::torch_type::Parts;
use sconce_schema::Type as TorchType;
use sconce_tensor::IValue;

/// A module with a function that calls one operator.
pub struct Program<'c> {
    pub module: Module<'c>,
    /// The tensors among the arguments, in order.
    pub inputs: Vec<IValue>,
}

/// The type of a value tensor with these sizes, or with unknown ones where they are not 1.
fn tensor_type<'c>(context: &'c Context, t: &sconce_tensor::Tensor, dynamic: bool) -> Option<Type<'c>> {
    let dtype = Some(t.dtype()).filter(|d| !d.is_quantized())?;
    let sizes = t.sizes().iter().map(|s| (!dynamic || *s == 1).then_some(*s)).collect();
    let tensor = sconce_analysis::types::Tensor { value: true, sizes: Some(sizes), dtype: Some(dtype) };
    tensor.to_type(context)
}

/// The dialect's list of elements that a word names.
fn list_type<'c>(context: &'c Context, element: &str) -> Option<Type<'c>> {
    let types = vec![Parts::word(element).to_type(context)?];
    Parts { types, ..Parts::word("list") }.to_type(context)
}

/// The tensors of arguments, in order.
fn tensors(values: &[IValue]) -> Vec<sconce_tensor::Tensor> {
    let of = |v: &IValue| match v {
        IValue::Tensor(t) => vec![t.clone()],
        IValue::List(l) => tensors(&l.to_vec()),
        _ => Vec::new(),
    };
    values.iter().flat_map(of).collect()
}

/// Makes values in a function, of whose arguments the next tensors are.
struct Maker<'c, 'a> {
    at: Builder<'c, 'a>,
    arguments: std::vec::IntoIter<Value<'c, 'a>>,
}

impl<'c: 'a, 'a> Maker<'c, 'a> {
    fn value(&mut self, v: &IValue) -> Option<Value<'c, 'a>> {
        let context = self.at.context();
        let (word, constant) = match v {
            IValue::None => ("none", None),
            IValue::Bool(b) => ("bool", Some(attr::bool(context, *b))),
            IValue::Int(n) => ("int", Some(attr::i64(context, *n))),
            IValue::Double(x) => ("float", Some(attr::f64(context, *x))),
            IValue::Str(s) => ("str", Some(attr::string(context, s))),
            IValue::Tensor(_) => return self.arguments.next(),
            IValue::List(l) => {
                let element = match &l.element {
                    TorchType::Int => "int",
                    TorchType::Float => "float",
                    TorchType::Bool => "bool",
                    TorchType::Tensor(_) => "vtensor",
                    _ => return None,
                };
                let items: Vec<_> = l.to_vec().iter().map(|i| self.value(i)).collect::<Option<_>>()?;
                let ty = list_type(context, element)?;
                return self.op("torch.prim.ListConstruct").operands(&items).results(&[ty]).build_value().ok();
            }
            _ => return None,
        };
        let ty = Parts::word(word).to_type(context)?;
        let name = format!("torch.constant.{word}");
        let made = self.op(&name).results(&[ty]);
        constant.into_iter().fold(made, |made, value| made.attr("value", value)).build_value().ok()
    }

    fn op(&self, name: &str) -> OpBuilder<'c, 'a, '_> {
        self.at.op(name, Location::unknown(self.at.context()))
    }
}

/// The call as a torch function, with sizes that it does not know where `dynamic`, or `None` when an argument cannot be said.
pub fn program<'c>(
    context: &'c Context,
    op: &str,
    arguments: &[IValue],
    results: &[IValue],
    dynamic: bool,
) -> Option<Program<'c>> {
    let unknown = Location::unknown(context);
    let types = |values: &[IValue]| {
        let ty = |v: &IValue| if let IValue::Tensor(t) = v { tensor_type(context, t, dynamic) } else { None };
        values.iter().map(ty).collect::<Option<Vec<_>>>()
    };
    // What gives a list is unpacked at once.
    let (given, unpacked) = match results {
        [IValue::List(l)] => (types(&l.to_vec())?, true),
        _ => (types(results)?, false),
    };
    if given.is_empty() {
        return None;
    }
    let inputs = tensors(arguments);
    let taken =
        inputs.iter().map(|t| Some((tensor_type(context, t, dynamic)?, unknown))).collect::<Option<Vec<_>>>()?;
    let module = Module::new(unknown);
    let function = sconce_ir::builder::function("f", &taken, &given, unknown).ok()?;
    let function = Builder::at_end(context, module.body()).insert(function);
    let block = sconce_ir::builder::entry(function).ok()?;
    let mut maker = Maker { at: Builder::at_end(context, block), arguments: block.args().into_iter() };
    let values: Vec<_> = arguments.iter().map(|v| maker.value(v)).collect::<Option<_>>()?;
    let call = maker.op("torch.operator").attr("name", attr::string(context, &op.replace("::", "."))).operands(&values);
    let made = match unpacked {
        false => call.results(&given).build().ok()?,
        true => {
            let list = call.results(&[list_type(context, "vtensor")?]).build_value().ok()?;
            maker.op("torch.prim.ListUnpack").operands(&[list]).results(&given).build().ok()?
        }
    };
    maker.op("func.return").operands(&made.result_values()).build().ok()?;
    Some(Program { module, inputs: inputs.into_iter().map(IValue::Tensor).collect() })
}
