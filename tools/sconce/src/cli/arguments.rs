//! The arguments that a command line gives a call: each is for one parameter, by its place or by its name, and what is for none is refused.

use super::CallArgs;
use crate::module::Module;
use crate::value_text::{coerce, parse_input, read_file};
use sconce_tensor::{IValue, Tensor};

/// How arguments are written, for the help of every command that takes them.
const VALUES: &str = "\
Values of --input:
  2x3xf32           a tensor of random numbers: sizes, then a dtype
                    (f32 f64 f16 bf16 i64 i32 i16 i8 u8 bool c64 …); f32 alone is a scalar
  4xi64=arange      =zeros, =ones, =arange, =normal, =uniform, or =1.5: every element
  x.npy  x.npz:key  an array of a file (.npy .npz .safetensors .pt)
  3  1.5  1-2j  True  None  \"text\"
  [1, a.npy]  (2, None)  {\"x\": 2xf32}
  NAME=VALUE        for the parameter of this name";

/// Examples of a command that takes arguments, and how these are written.
pub(super) fn with_values(examples: &str) -> String {
    format!("{examples}\n\n{VALUES}")
}

/// What one `--input` says; the random tensors of each have a seed of their own.
pub(super) fn input_at(call: &CallArgs, at: usize, text: &str) -> Result<Vec<IValue>, String> {
    let seed = call.seed.wrapping_mul(1_000_003).wrapping_add(at as u64);
    parse_input(text, seed).map_err(|e| format!("--input {e}"))
}

/// The function that a command means, and the arguments it is called with, each of its parameter's type where that needs no decision.
pub(super) fn call_of(module: &Module, call: &CallArgs) -> Result<(String, Vec<IValue>), String> {
    let (name, arguments) = given_of(module, call)?;
    let parameters = module.parameters(&name).map_err(|e| e.to_string())?;
    let of = |(i, v): (usize, IValue)| match parameters.get(i) {
        Some((_, ty)) => coerce(v, ty),
        None => v,
    };
    Ok((name, arguments.into_iter().enumerate().map(of).collect()))
}

/// The same with arguments as they are given: an int is one also where a float is taken.
pub(super) fn given_of(module: &Module, call: &CallArgs) -> Result<(String, Vec<IValue>), String> {
    let name = module.function_or_default(call.method.as_deref()).map_err(|e| e.to_string())?;
    let parameters = module.parameters(&name).map_err(|e| e.to_string())?;
    let (mut arguments, mut named) = (Vec::new(), Vec::new());
    for (i, text) in call.input.iter().enumerate() {
        let parse = |text: &str| input_at(call, i, text);
        // `f32=1.5` is a tensor, unless there is a parameter of that name.
        let keyword = text.split_once('=').filter(|(name, _)| parameters.iter().any(|(p, _)| bare(p) == *name));
        match keyword {
            Some((name, value)) => match &parse(value)?[..] {
                [one] => named.push((name, one.clone())),
                several => {
                    return Err(format!("--input {name}: one value is expected, and {value} holds {}", several.len()));
                }
            },
            None if !named.is_empty() => {
                return Err(format!("--input {text}: follows an argument that is given by name"));
            }
            None => arguments.extend(parse(text)?),
        }
    }
    let from_file = match &call.inputs {
        Some(path) => {
            let arrays = read_file(path).map_err(|e| format!("--inputs {e}"))?;
            let free = parameters.iter().skip(arguments.len()).map(|(name, _)| bare(name));
            let free: Vec<&str> = free.filter(|name| !named.iter().any(|(given, _)| given == name)).collect();
            bind_arrays(arrays, &free).map_err(|why| format!("--inputs {}: {why}", path.display()))?
        }
        None => Vec::new(),
    };
    named.extend(from_file.iter().map(|(name, tensor)| (name.as_str(), IValue::Tensor(tensor.clone()))));
    if named.is_empty() {
        return Ok((name, arguments));
    }
    let arguments = module.arguments(&name, &arguments, &named).map_err(|e| e.to_string())?;
    Ok((name, arguments))
}

/// A parameter's name without what graph text puts behind it: `x.1`.
fn bare(parameter: &str) -> &str {
    parameter.split('.').next().unwrap_or(parameter)
}

/// Arrays with the names of the parameters that they are for: they have those names, all of them, or none has a name of its own (`arr_0`, as NumPy writes it, or a
/// bare number, or a file of one array) and they go by their numbers.
fn bind_arrays(arrays: Vec<(String, Tensor)>, parameters: &[&str]) -> Result<Vec<(String, Tensor)>, String> {
    let sides = |arrays: &[(String, Tensor)]| {
        let held: Vec<&str> = arrays.iter().map(|(name, _)| name.as_str()).collect();
        format!("the file holds {}; what is to be given is {}", listed(&held), listed(parameters))
    };
    // The one array of a .npy file has no name at all.
    let number =
        |name: &str| if name.is_empty() { Some(0) } else { name.strip_prefix("arr_").unwrap_or(name).parse().ok() };
    let is_parameter = |name: &str| parameters.contains(&bare(name));
    if !arrays.iter().any(|(name, _)| is_parameter(name)) {
        let mut numbered: Vec<(usize, Tensor)> = Vec::new();
        for (name, tensor) in &arrays {
            match number(name) {
                Some(at) => numbered.push((at, tensor.clone())),
                None => return Err(format!("`{name}` is no parameter; {}", sides(&arrays))),
            }
        }
        if numbered.len() > parameters.len() {
            return Err(format!("{} arrays are too many; {}", numbered.len(), sides(&arrays)));
        }
        numbered.sort_by_key(|(at, _)| *at);
        return Ok(parameters.iter().map(|p| p.to_string()).zip(numbered.into_iter().map(|(_, t)| t)).collect());
    }
    let mut bound: Vec<(String, Tensor)> = Vec::new();
    for (name, tensor) in &arrays {
        let parameter = bare(name);
        if !is_parameter(name) {
            return Err(format!("`{name}` is no parameter; {}", sides(&arrays)));
        }
        if bound.iter().any(|(other, _)| other == parameter) {
            return Err(format!("several arrays are for `{parameter}`; {}", sides(&arrays)));
        }
        bound.push((parameter.to_owned(), tensor.clone()));
    }
    Ok(bound)
}

fn listed(names: &[&str]) -> String {
    if names.is_empty() { "nothing".into() } else { names.join(", ") }
}
