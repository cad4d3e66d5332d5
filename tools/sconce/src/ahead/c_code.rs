//! C code around the machine code of a program: a function of plain buffers, which needs nothing but the C library, and its header.

use super::straight_line::{Source, Step, StraightLine};
use sconce_exec::calls::{REFUSE, TURNS};
use sconce_exec::{InputSpec, PARALLEL_FOR};
use sconce_executor::complete;
use sconce_polynomials::wide;
use sconce_schema::DType;
use sconce_schema::scalar::Binary;
use sconce_tensor::{IValue, Tensor, contiguous_strides};
use std::fmt::Write;

/// What is compiled by a C compiler, next to the objects of the steps.
#[derive(Clone, Debug, Default)]
pub struct CCode {
    /// What whoever calls it includes.
    pub header: String,
    /// The functions, with the machine code as data.
    pub source: String,
    /// The file [`WEIGHTS`], which the source takes in.
    pub weights: Vec<u8>,
}

/// The name of the file of weights.
pub const WEIGHTS: &str = "weights.bin";

/// Bytes that a weight's address is a multiple of.
const ALIGNMENT: usize = 64;

/// An identifier of C: what else stands in a name becomes `_`.
pub fn identifier(name: &str) -> String {
    let plain: String = name.chars().map(|c| if c.is_ascii_alphanumeric() { c } else { '_' }).collect();
    if plain.starts_with(|c: char| c.is_ascii_digit()) || plain.is_empty() { format!("_{plain}") } else { plain }
}

/// The type of C that an element has; complex numbers are two, half ones their bits.
fn c_type(dtype: DType) -> Option<&'static str> {
    Some(match dtype {
        DType::F32 | DType::C64 => "float",
        DType::F64 | DType::C128 => "double",
        DType::I64 => "int64_t",
        DType::I32 => "int32_t",
        DType::I16 => "int16_t",
        DType::I8 => "int8_t",
        DType::U8 | DType::Bool => "uint8_t",
        DType::F16 | DType::BF16 | DType::U16 => "uint16_t",
        DType::U32 => "uint32_t",
        DType::U64 => "uint64_t",
        _ => return None,
    })
}

/// `f32[1, 3]`
fn described(dtype: DType, sizes: &[i64]) -> String {
    format!("{dtype}{sizes:?}")
}

struct Writer<'a> {
    line: &'a StraightLine,
    name: &'a str,
    weights: Vec<u8>,
    /// Where each tensor is among the weights, by its address and size.
    placed: Vec<((usize, usize), usize)>,
    /// Names of the arguments in C.
    arguments: Vec<String>,
    /// Which result of the function a step writes to.
    written: Vec<(usize, usize, usize)>,
}

impl Writer<'_> {
    /// Where a constant is among the weights.
    fn weight(&mut self, t: &Tensor) -> Result<usize, String> {
        let t = if t.is_contiguous() { t.clone() } else { t.copy().map_err(|e| e.to_string())? };
        let bytes = t.numel() * t.dtype().size();
        let key = (t.bytes_ptr() as usize, bytes);
        if let Some((_, at)) = self.placed.iter().find(|(known, _)| *known == key) {
            return Ok(*at);
        }
        self.weights.resize(self.weights.len().next_multiple_of(ALIGNMENT), 0);
        let at = self.weights.len();
        self.weights.extend(t.read_bytes());
        self.placed.push((key, at));
        Ok(at)
    }

    /// Where a step's result is written: into the caller's buffer, or into memory of the call.
    fn made(&self, step: usize, result: usize) -> String {
        match self.written.iter().find(|w| (w.0, w.1) == (step, result)) {
            Some((_, _, out)) => format!("result{out}"),
            None => format!("made{step}_{result}"),
        }
    }

    fn address(&mut self, source: &Source) -> Result<String, String> {
        Ok(match source {
            Source::Argument(i) => self.arguments[*i].clone(),
            Source::Constant(IValue::Tensor(t)) => {
                let name = self.name;
                format!("({name}_weights + {})", self.weight(t)?)
            }
            Source::Made { step, result } => self.made(*step, *result),
            other => return Err(format!("{other:?} is no tensor")),
        })
    }

    /// The words of a step, one expression each.
    fn words(&mut self, number: usize) -> Result<Vec<String>, String> {
        let line = self.line;
        let step = &line.steps[number];
        let mut words = Vec::new();
        let tensor = |words: &mut Vec<String>, at: &str, sizes: &[i64]| {
            words.extend([format!("(uint64_t)(uintptr_t){at}"), format!("(uint64_t)(uintptr_t){at}"), "0".into()]);
            words.extend(sizes.iter().chain(&contiguous_strides(sizes)).map(i64::to_string));
        };
        for (source, spec) in step.inputs.iter().zip(&step.spec.inputs) {
            match (spec, source) {
                (InputSpec::Tensor { sizes, .. }, _) => {
                    let sizes: Option<Vec<i64>> = sizes.iter().copied().collect();
                    let sizes = sizes.ok_or("sizes are not known: leave out --dynamic")?;
                    let at = self.address(source)?;
                    tensor(&mut words, &at, &sizes);
                }
                (InputSpec::Device, _) => words.push("0".into()),
                (_, Source::Constant(IValue::Int(n))) => words.push(format!("{}u", *n as u64)),
                (_, Source::Constant(IValue::Double(x))) => words.push(format!("{}u /* {x} */", x.to_bits())),
                (_, Source::Constant(IValue::Bool(b))) => words.push(u64::from(*b).to_string()),
                (InputSpec::Float, Source::Argument(i)) => words.push(format!("bits_of({})", self.arguments[*i])),
                (_, Source::Argument(i)) => words.push(format!("(uint64_t){}", self.arguments[*i])),
                (_, other) => return Err(format!("{other:?} is no number")),
            }
        }
        for (result, sizes) in step.results.iter().enumerate() {
            tensor(&mut words, &self.made(number, result), sizes);
        }
        Ok(words)
    }

    /// The calls of all steps, with memory for what passes between them.
    fn steps(&mut self) -> Result<String, String> {
        let (mut places, mut calls, mut memory) = (String::new(), String::new(), 0_usize);
        for (number, step) in self.line.steps.iter().enumerate() {
            for (result, sizes) in step.results.iter().enumerate() {
                let made = self.made(number, result);
                if made.starts_with("made") {
                    let _ = writeln!(places, "    char *{made} = memory + {memory};");
                    let bytes = sizes.iter().product::<i64>() as usize * step.spec.outputs[result].dtype.size();
                    memory += bytes.next_multiple_of(ALIGNMENT);
                }
            }
            let words: String = self.words(number)?.iter().map(|word| format!("            {word},\n")).collect();
            let entry = entry(step)?;
            let _ = write!(
                calls,
                "    {{\n        uint64_t words[] = {{\n{words}        }};\n        {entry}(words);\n    }}\n"
            );
        }
        if places.is_empty() {
            return Ok(calls);
        }
        // Results of no elements need no memory, and C may give none for nothing.
        let memory = memory.max(ALIGNMENT);
        let take =
            format!("    char *memory = aligned_alloc({ALIGNMENT}, {memory});\n    if (!memory)\n        return 2;\n");
        Ok(take + &places + &calls + "    free(memory);\n")
    }

    /// The source around a function's body.
    fn source(&self, signature: &str, body: &str, origin: &str) -> Result<String, String> {
        let name = self.name;
        let mut source =
            format!("/* {name}: made from {origin} by `sconce compile`. */\n#define WEAK __attribute__((weak))\n");
        source += include_str!("support.c");
        source += &support(self.line)?;
        for step in &self.line.steps {
            let _ = writeln!(source, "void {}(const uint64_t *words);", entry(step)?);
        }
        if !self.weights.is_empty() {
            let _ = write!(
                source,
                "\n__asm__(\".pushsection .rodata\\n.balign {ALIGNMENT}\\n{name}_weights:\\n.incbin \\\"{WEIGHTS}\\\"\\n.popsection\");\nextern const char {name}_weights[] __attribute__((visibility(\"hidden\")));\n"
            );
        }
        let _ = write!(
            source,
            "\n__attribute__((visibility(\"default\"))) {signature} {{\n    sconce_refused = 0;\n{body}    return sconce_refused;\n}}\n"
        );
        Ok(source)
    }
}

/// The function that a step's object offers.
fn entry(step: &Step) -> Result<&str, String> {
    step.names.offered.first().map(String::as_str).ok_or_else(|| "an object without a function".into())
}

/// Definitions of what the objects want besides the C library, each once in a program, from whichever model it comes.
fn support(line: &StraightLine) -> Result<String, String> {
    let mut wanted: Vec<&str> = line.steps.iter().flat_map(|step| &step.names.wanted).map(String::as_str).collect();
    wanted.sort_unstable();
    wanted.dedup();
    let mut out = String::new();
    for name in wanted {
        match name {
            PARALLEL_FOR | REFUSE => {}
            // Nobody counts what a loop takes.
            TURNS => {
                let _ = write!(out, "WEAK _Bool {TURNS}(int64_t cost) {{\n    (void)cost;\n    return 1;\n}}\n\n");
            }
            "__truncsfbf2" => {
                out += "WEAK uint16_t __truncsfbf2(float x) {\n    uint32_t b;\n    memcpy(&b, &x, 4);\n    return x != x ? 0x7fc0 | b >> 16 : (b + 0x7fff + (b >> 16 & 1)) >> 16;\n}\n\n"
            }
            _ if name.starts_with(wide::PREFIX) => {
                let function = &name[wide::PREFIX.len()..];
                if !sconce_exec::object::is_of_c(function) {
                    return Err(format!("the function {function} of f64 is the runtime's alone"));
                }
                let (declared, given) = if Binary::from_name(function).is_some() {
                    ("double x, double y", "x, y")
                } else {
                    ("double x", "x")
                };
                let _ = write!(out, "WEAK double {name}({declared}) {{\n    return {function}({given});\n}}\n\n");
            }
            _ if sconce_exec::object::is_of_c(name) || name == "aligned_alloc" || name == "free" => {}
            other => return Err(format!("the code calls `{other}`, which only the runtime has")),
        }
    }
    Ok(out)
}

/// A parameter of the function: its name, and a value of its type and size.
pub type Parameter = (String, IValue);

/// The declaration of a function as it grows: its parameters in C, and what they are.
#[derive(Default)]
struct Declaration {
    parameters: Vec<String>,
    said: Vec<String>,
}

impl Declaration {
    /// A parameter; its name in C.
    fn parameter(&mut self, name: &str, value: &IValue, taken: &[String]) -> Result<String, String> {
        let mut c_name = identifier(name);
        if taken.contains(&c_name) || c_name.starts_with("result") || c_name.starts_with("made") {
            c_name = format!("{c_name}_{}", taken.len());
        }
        let ty = match value {
            IValue::Tensor(t) => {
                self.said.push(format!("{c_name}: {}", described(t.dtype(), t.sizes())));
                let ty = c_type(t.dtype()).ok_or_else(|| format!("{name}: {} has no type in C", t.dtype()))?;
                format!("const {ty} *")
            }
            IValue::Int(_) => "int64_t ".into(),
            IValue::Double(_) => "double ".into(),
            IValue::Bool(_) => "int ".into(),
            other => return Err(format!("{name}: {} has no type in C", complete(other))),
        };
        self.parameters.push(format!("{ty}{c_name}"));
        Ok(c_name)
    }

    fn result(&mut self, number: usize, dtype: DType, sizes: &[i64]) -> Result<(), String> {
        let ty = c_type(dtype).ok_or_else(|| format!("result {number}: {dtype} has no type in C"))?;
        self.said.push(format!("result{number}: {}", described(dtype, sizes)));
        self.parameters.push(format!("{ty} *result{number}"));
        Ok(())
    }
}

/// The C code of a function of this name.
///
/// # Errors
/// Values that have no type in C, results that are no tensors, functions that only the runtime has.
pub fn c_code(line: &StraightLine, name: &str, parameters: &[Parameter], origin: &str) -> Result<CCode, String> {
    let mut declaration = Declaration::default();
    let mut arguments = Vec::new();
    for (parameter, value) in parameters {
        arguments.push(declaration.parameter(parameter, value, &arguments)?);
    }
    let mut w = Writer { line, name, weights: Vec::new(), placed: Vec::new(), arguments, written: Vec::new() };
    let mut copies = Vec::new();
    for (out, source) in line.results.iter().enumerate() {
        let (dtype, sizes) = match source {
            Source::Made { step, result } => {
                let step = &line.steps[*step];
                (step.spec.outputs[*result].dtype, step.results[*result].clone())
            }
            Source::Argument(i) => tensor_of(&parameters[*i].1)?,
            Source::Constant(value) => tensor_of(value)?,
            Source::Several(_) => return Err("a result in a result".into()),
        };
        declaration.result(out, dtype, &sizes)?;
        match source {
            Source::Made { step, result } if !w.written.iter().any(|k| (k.0, k.1) == (*step, *result)) => {
                w.written.push((*step, *result, out));
            }
            other => copies.push((out, other.clone(), sizes.iter().product::<i64>() * dtype.size() as i64)),
        }
    }
    let mut body = w.steps()?;
    for (out, source, bytes) in copies {
        let from = w.address(&source)?;
        let _ = writeln!(body, "    memcpy(result{out}, {from}, {bytes});");
    }
    let signature = format!("int {name}_run({})", declaration.parameters.join(", "));
    let source = w.source(&signature, &body, origin)?;
    let guard = format!("{}_H", name.to_uppercase());
    let mut header = format!(
        "/* {name}: made from {origin} by `sconce compile`. */\n#ifndef {guard}\n#define {guard}\n#include <stdint.h>\n\n"
    );
    header += include_str!("share_loops.h");
    let said = declaration.said.join("\n   ");
    let _ = write!(
        header,
        "/* Elements lie row by row; results are buffers of the caller that overlap nothing. May be called by several threads at once.\n   {said}\n   Returns 0; 1 when an index is out of range: the results are void; 2 when there is no memory. */\n{signature};\n\n#ifdef __cplusplus\n}}\n#endif\n#endif\n"
    );
    Ok(CCode { header, source, weights: w.weights })
}

fn tensor_of(value: &IValue) -> Result<(DType, Vec<i64>), String> {
    match value {
        IValue::Tensor(t) => Ok((t.dtype(), t.sizes().to_vec())),
        other => Err(format!("a result is {}, and C code gives tensors", complete(other))),
    }
}
