//! Operators on lists (`_foreach_add`) mean one operator of the table on each element; which one, and with which arguments, is found here once.

use crate::op::OpEntry;
use crate::overload::{Bound, of_call};
use crate::{Trait, Type};

/// The operator done to each element, and where each of its arguments comes from.
pub struct Each {
    pub entry: &'static OpEntry,
    /// For each argument of `entry`: the argument of the list operator, and whether it is a list whose elements are taken; `None`: its default.
    pub arguments: Vec<Option<(usize, bool)>>,
}

/// The operator whose name does not follow from the list operator's: what has no overload for numbers is a clamp.
fn element_name(name: &str, scalar: bool) -> &str {
    match name {
        "maximum" if scalar => "clamp_min",
        "minimum" if scalar => "clamp_max",
        "norm" => "linalg_vector_norm",
        "powsum" => "linalg__powsum",
        "zero" => "zeros_like",
        name => name,
    }
}

/// What an operator marked [`Trait::Each`] does to each element.
pub fn each(entry: &OpEntry) -> Option<Each> {
    if !entry.has(Trait::Each) {
        return None;
    }
    let schema = entry.schema();
    let (mut types, mut lists) = (Vec::new(), Vec::new());
    for argument in &schema.arguments {
        let of_list = match &argument.ty {
            Type::List(element) if element.is_tensor() || **element == Type::Number => Some(Type::clone(element)),
            _ => None,
        };
        lists.push(of_list.is_some() || &*argument.name == "scalars");
        let one_number = &*argument.name == "scalars" && argument.ty.is_tensor();
        types.push(of_list.unwrap_or_else(|| if one_number { Type::Number } else { argument.ty.clone() }));
    }
    let name = entry.base_name().split_once("_foreach_")?.1;
    let scalar = types[1..].contains(&Type::Number);
    let base = format!("aten::{}", element_name(name, scalar));
    // What scales the products of `addcmul` and `addcdiv` goes by a keyword there, and a norm's dtype does.
    let keyword = |i: usize| match &*schema.arguments[i].name {
        "value" | "scalars" if name.starts_with("addc") => Some("value"),
        "alpha" => Some("alpha"),
        "dtype" => Some("dtype"),
        "memory_format" => Some("memory_format"),
        _ => None,
    };
    let positional: Vec<usize> = (0..types.len()).filter(|&i| keyword(i).is_none()).collect();
    let named: Vec<(usize, &str)> = (0..types.len()).filter_map(|i| Some((i, keyword(i)?))).collect();
    let positional_types: Vec<Type> = positional.iter().map(|&i| types[i].clone()).collect();
    let named_types: Vec<(&str, Type)> = named.iter().map(|&(i, name)| (name, types[i].clone())).collect();
    let call = of_call(&base, &positional_types, &named_types).ok()?;
    let arguments = call.arguments.iter().map(|bound| {
        let at = match bound {
            Bound::Positional(i, _) => *positional.get(*i)?,
            Bound::Keyword(i, _) => named.get(*i)?.0,
            _ => return None,
        };
        Some((at, lists[at]))
    });
    Some(Each { entry: call.entry, arguments: arguments.collect() })
}
