//! A signature prints as PyTorch's `print(program.graph_signature)` prints it: a line for each input and output with its kind and what it stands for.

use crate::schema::{GraphSignature, InputSpec, OutputSpec};
use crate::to_fx::name_of;
use std::fmt;

impl fmt::Display for GraphSignature {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("\n# inputs\n")?;
        for spec in &self.input_specs {
            writeln!(f, "{spec}")?;
        }
        f.write_str("\n# outputs\n")?;
        for spec in &self.output_specs {
            writeln!(f, "{spec}")?;
        }
        Ok(())
    }
}

/// `p_fc_weight: PARAMETER target='fc.weight'`
impl fmt::Display for InputSpec {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            InputSpec::UserInput(s) => write!(f, "{}: USER_INPUT", name_of(&s.arg).unwrap_or_default()),
            InputSpec::ConstantInput(s) => write!(f, "{}: USER_INPUT", s.name),
            InputSpec::Parameter(s) => write!(f, "{}: PARAMETER target='{}'", s.arg.name, s.parameter_name),
            InputSpec::Buffer(s) => {
                let persistent = if s.persistent { "True" } else { "False" };
                write!(f, "{}: BUFFER target='{}' persistent={persistent}", s.arg.name, s.buffer_name)
            }
            InputSpec::TensorConstant(s) => {
                write!(f, "{}: CONSTANT_TENSOR target='{}'", s.arg.name, s.tensor_constant_name)
            }
            InputSpec::CustomObj(s) => write!(f, "{}: CUSTOM_OBJ target='{}'", s.arg.name, s.custom_obj_name),
            InputSpec::Token(s) => write!(f, "{}: TOKEN", s.arg.name),
        }
    }
}

/// `add: BUFFER_MUTATION target='n'`; a constant that is returned has no name.
impl fmt::Display for OutputSpec {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (name, kind, target) = match self {
            OutputSpec::UserOutput(s) => (name_of(&s.arg).unwrap_or_default(), "USER_OUTPUT", None),
            OutputSpec::LossOutput(s) => (s.arg.name.as_str(), "LOSS_OUTPUT", None),
            OutputSpec::BufferMutation(s) => (s.arg.name.as_str(), "BUFFER_MUTATION", Some(&s.buffer_name)),
            OutputSpec::ParameterMutation(s) => (s.arg.name.as_str(), "PARAMETER_MUTATION", Some(&s.parameter_name)),
            OutputSpec::GradientToParameter(s) => {
                (s.arg.name.as_str(), "GRADIENT_TO_PARAMETER", Some(&s.parameter_name))
            }
            OutputSpec::GradientToUserInput(s) => {
                (s.arg.name.as_str(), "GRADIENT_TO_USER_INPUT", Some(&s.user_input_name))
            }
            OutputSpec::UserInputMutation(s) => (s.arg.name.as_str(), "USER_INPUT_MUTATION", Some(&s.user_input_name)),
            OutputSpec::Token(s) => (s.arg.name.as_str(), "TOKEN", None),
        };
        write!(f, "{name}: {kind}")?;
        target.map_or(Ok(()), |target| write!(f, " target='{target}'"))
    }
}
