//! Classes that PyTorch binds in C++, whose code no archive has: those of packed parameters, with methods that say what PyTorch's do.
//!
//! Attributes are those that kernels make and read (`sconce_schema::packed`); `sconce_kernels::quantized::packed` says what archives hold of an instance.

use crate::graph::SourceText;
use sconce_schema::packed::{CONV_2D, CONV_3D, EMBEDDING, LINEAR, PackedClass};
use sconce_syntax::script::tree::{ClassDef, StmtKind};
use std::rc::Rc;
use std::sync::Arc;

/// Below this lie all such classes.
pub const PREFIX: &str = "__torch__.torch.classes.";

/// The methods of [`LINEAR`]; `Self` stands for the class's name.
const LINEAR_METHODS: &str = r#"
  def unpack(self: Self) -> Tuple[Tensor, Optional[Tensor]]:
    return (self._weight, self._bias)
  def bias(self: Self) -> Optional[Tensor]:
    return self._bias
"#;

/// Those of convolutions.
const CONV_METHODS: &str = r#"
  def unpack(self: Self) -> Tuple[Tensor, Optional[Tensor]]:
    return (self._weight, self._bias)
  def weight(self: Self) -> Tensor:
    return self._weight
  def bias(self: Self) -> Optional[Tensor]:
    return self._bias
  def stride(self: Self) -> List[int]:
    return self._stride
  def padding(self: Self) -> List[int]:
    return self._padding
  def output_padding(self: Self) -> List[int]:
    return self._output_padding
  def dilation(self: Self) -> List[int]:
    return self._dilation
  def groups(self: Self) -> int:
    return self._groups
  def transpose(self: Self) -> bool:
    return self._transpose
"#;

const EMBEDDING_METHODS: &str = r#"
  def unpack(self: Self) -> Tensor:
    return self._weight
  def bit_rate(self: Self) -> int:
    return self._bit_rate
  def version(self: Self) -> int:
    return 1
"#;

fn methods(class: &PackedClass) -> &'static str {
    let all = [
        (&LINEAR, LINEAR_METHODS),
        (&CONV_2D, CONV_METHODS),
        (&CONV_3D, CONV_METHODS),
        (&EMBEDDING, EMBEDDING_METHODS),
    ];
    all.iter().find(|(c, _)| c.name == class.name).map_or("", |(_, methods)| methods)
}

/// The definition of a class, as an archive's code would have it.
pub fn definition(name: &str) -> Option<(Rc<ClassDef>, Arc<SourceText>)> {
    let class = PackedClass::named(name)?;
    let simple = name.rsplit_once('.').map_or(name, |(_, simple)| simple);
    let attributes: String = class.attributes.iter().map(|(name, ty)| format!("  {name} : {ty}\n")).collect();
    let methods = methods(class).trim_start_matches('\n').replace("self: Self", &format!("self: {name}"));
    let text = format!("class {simple}:\n{attributes}{methods}");
    let tree = sconce_syntax::script::parse_archive(name, &text).ok()?;
    let source = SourceText::file(name, text);
    tree.body.into_iter().find_map(|statement| match statement.kind {
        StmtKind::Class(class) => Some((Rc::from(class), source.clone())),
        _ => None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_class_of_packed_parameters_has_a_definition() {
        for class in PackedClass::all() {
            assert!(definition(class.name).is_some(), "{}", class.name);
            assert!(class.name.starts_with(PREFIX));
        }
    }
}
