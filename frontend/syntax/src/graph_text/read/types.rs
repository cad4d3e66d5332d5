//! Types in graph text: what the grammar found, as a type that is bounded in depth.

use super::{P, Reader, Rule};
use crate::Error;
use crate::graph_text::types::{plain_type, without_tensor_details};
use crate::limits::MAX_TYPE_DEPTH;
use pest::iterators::Pairs;
use sconce_schema::types::{Device, Dim, NamedTuple, TensorType};
use sconce_schema::{DType, Type};
use std::sync::Arc;

impl<'t> Reader<'t> {
    pub(super) fn ty(&self, pair: P<'t>) -> Result<Type, Error> {
        let place = pair.clone();
        let (ty, depth) = self.type_and_depth(pair)?;
        if depth > MAX_TYPE_DEPTH {
            return Err(self.error_at(&place, format!("the type nests deeper than {MAX_TYPE_DEPTH}")));
        }
        Ok(ty)
    }

    /// A type and how deep it nests; suffixes nest as brackets do.
    fn type_and_depth(&self, pair: P<'t>) -> Result<(Type, usize), Error> {
        let place = pair.clone();
        let mut parts = pair.into_inner();
        let (mut ty, mut depth) = self.type_atom(self.next(&mut parts, "a type")?)?;
        for suffix in parts.filter(|p| p.as_rule() == Rule::type_suffix) {
            depth += 1;
            if depth > MAX_TYPE_DEPTH {
                return Err(self.error_at(&place, format!("the type nests deeper than {MAX_TYPE_DEPTH}")));
            }
            let optional = suffix.into_inner().any(|p| p.as_rule() == Rule::optional_suffix);
            ty = match ty {
                // `T??` is `T?`, as in PyTorch.
                Type::Optional(_) if optional => ty,
                _ if optional => Type::optional(ty),
                _ => Type::list(ty),
            };
        }
        Ok((ty, depth))
    }

    fn type_atom(&self, pair: P<'t>) -> Result<(Type, usize), Error> {
        let mut inner = pair.into_inner();
        let atom = self.next(&mut inner, "a type")?;
        let place = atom.clone();
        let text = atom.as_str();
        match atom.as_rule() {
            Rule::tuple_type => {
                let (items, depth) = self.types(atom.into_inner())?;
                Ok((Type::Tuple(items.into()), depth + 1))
            }
            Rule::named_tuple_type => {
                let mut fields = Vec::new();
                let mut defaults: Vec<Option<Arc<str>>> = Vec::new();
                let mut depth = 0;
                for field in atom.into_inner().filter(|p| p.as_rule() == Rule::field) {
                    let mut name: Arc<str> = "".into();
                    for part in field.into_inner() {
                        match part.as_rule() {
                            Rule::ident => name = part.as_str().into(),
                            Rule::r#type => {
                                let (ty, d) = self.type_and_depth(part)?;
                                depth = depth.max(d);
                                fields.push((name.clone(), ty));
                                defaults.push(None);
                            }
                            Rule::literal => {
                                let value = self.literal(part)?.to_string();
                                if let Some(default) = defaults.last_mut() {
                                    *default = Some(value.into());
                                }
                            }
                            _ => {}
                        }
                    }
                }
                if defaults.iter().all(Option::is_none) {
                    defaults.clear();
                }
                Ok((Type::NamedTuple(Arc::new(NamedTuple { name: "".into(), fields, defaults })), depth + 1))
            }
            Rule::generic_type => {
                let mut name = "";
                let mut arguments = (Vec::new(), 0);
                for part in atom.into_inner() {
                    match part.as_rule() {
                        Rule::generic_name => name = part.as_str(),
                        Rule::generic_arguments => arguments = self.types(part.into_inner())?,
                        _ => {}
                    }
                }
                let (arguments, depth) = arguments;
                let count = arguments.len();
                generic(name, arguments)
                    .map(|ty| (ty, depth + 1))
                    .ok_or_else(|| self.error_at(&place, format!("{name} does not take {count} types")))
            }
            Rule::angle_type => {
                let mut parts = atom.into_inner();
                let head = self.next(&mut parts, "a type")?.as_str();
                let name = self.next(&mut parts, "a name")?.as_str();
                Ok((
                    if head == "Enum" {
                        Type::Enum(name.into())
                    } else {
                        Type::Class(format!("{head}<{name}>").into())
                    },
                    1,
                ))
            }
            Rule::class_type => Ok((Type::Class(text.into()), 1)),
            _ => Ok((self.simple_type(atom)?, 1)),
        }
    }

    fn types(&self, pairs: Pairs<'t, Rule>) -> Result<(Vec<Type>, usize), Error> {
        let mut types = Vec::new();
        let mut depth = 0;
        for part in pairs.filter(|p| p.as_rule() == Rule::r#type) {
            let (ty, d) = self.type_and_depth(part)?;
            depth = depth.max(d);
            types.push(ty);
        }
        Ok((types, depth))
    }

    fn simple_type(&self, pair: P<'t>) -> Result<Type, Error> {
        let mut parts = pair.into_inner();
        let head = self.next(&mut parts, "a type")?;
        let name = head.as_str();
        let mut arguments = None;
        let mut undefined = None;
        for part in parts {
            match part.as_rule() {
                Rule::tensor_arguments => arguments = Some(part),
                Rule::undefined => undefined = Some(part),
                _ => {}
            }
        }
        // `Float(…)` has sizes (if none are written, it is of rank 0); `FloatTensor` has a dtype and no known rank.
        let (dtype, ranked) = match (name, DType::from_graph_name(name)) {
            ("Tensor" | "Dynamic", _) => (None, false),
            (_, Some(dtype)) => {
                if arguments.is_none() {
                    return Err(
                        self.error_at(&head, format!("expected `(` after {name}: a dtype is no type by itself"))
                    );
                }
                (Some(dtype), true)
            }
            _ => match name.strip_suffix("Tensor").and_then(DType::from_graph_name) {
                Some(dtype) => (Some(dtype), false),
                None => {
                    if let Some(wrong) = arguments.or(undefined) {
                        return Err(self.error_at(&wrong, format!("`{name}` is no tensor type and takes nothing here")));
                    }
                    let variable = name.chars().all(|c| !c.is_uppercase());
                    return plain_type(name).or_else(|| variable.then(|| Type::Var(name.into()))).ok_or_else(|| {
                        self.error_at(&head, format!("expected a type, found the unknown name `{name}`"))
                    });
                }
            },
        };
        let mut tensor = TensorType { dtype, undefined: undefined.map(|_| true), ..TensorType::default() };
        // `Tensor()` is of rank 0, too; `Tensor(device=cpu)` says nothing of its rank.
        let empty =
            arguments.as_ref().is_some_and(|p| !p.clone().into_inner().any(|p| p.as_rule() == Rule::tensor_argument));
        let mut sizes = Vec::new();
        let mut inline_strides = Vec::new();
        for argument in
            arguments.into_iter().flat_map(|p| p.into_inner()).filter(|p| p.as_rule() == Rule::tensor_argument)
        {
            let mut inner = argument.into_inner();
            let argument = self.next(&mut inner, "a dimension")?;
            let place = argument.clone();
            let duplicate = || self.error_at(&place, "given twice");
            match argument.as_rule() {
                Rule::strides => {
                    let list = argument.into_inner().filter(|p| p.as_rule() == Rule::size);
                    let strides = list.map(|p| self.size(p)).collect::<Result<Vec<_>, _>>()?;
                    if tensor.strides.replace(strides).is_some() {
                        return Err(duplicate());
                    }
                }
                Rule::requires_grad => {
                    if tensor.requires_grad.replace(argument.as_str().ends_with('1')).is_some() {
                        return Err(duplicate());
                    }
                }
                Rule::device => {
                    let mut kind: Arc<str> = "".into();
                    let mut index = None;
                    for part in argument.into_inner() {
                        if part.as_rule() == Rule::ident {
                            kind = part.as_str().into();
                        } else {
                            let number = i32::try_from(self.int(&part)?).ok().filter(|n| *n >= 0);
                            index = Some(number.ok_or_else(|| self.error_at(&part, "not a device number"))?);
                        }
                    }
                    if tensor.device.replace(Device { kind, index }).is_some() {
                        return Err(duplicate());
                    }
                }
                _ => {
                    let mut numbers = argument.into_inner().filter(|p| p.as_rule() == Rule::size);
                    sizes.push(self.size(self.next(&mut numbers, "a size")?)?);
                    // `Float(2:3, 3:1)` of older texts: size and stride.
                    inline_strides.extend(numbers.map(|p| self.size(p)).collect::<Result<Vec<_>, _>>()?);
                }
            }
        }
        if !inline_strides.is_empty() {
            if inline_strides.len() != sizes.len() || tensor.strides.is_some() {
                return Err(self.error_at(&head, "expected a stride for every size"));
            }
            tensor.strides = Some(inline_strides);
        }
        if tensor.strides.as_ref().is_some_and(|s| s.len() != sizes.len()) {
            return Err(self.error_at(&head, format!("{} sizes, but another number of strides", sizes.len())));
        }
        tensor.sizes = (ranked || empty || !sizes.is_empty()).then_some(sizes);
        Ok(Type::Tensor(Arc::new(tensor)))
    }

    fn size(&self, pair: P<'t>) -> Result<Dim, Error> {
        let mut inner = pair.into_inner();
        let size = self.next(&mut inner, "a size")?;
        match size.as_rule() {
            Rule::integer => match self.int(&size)? {
                n if n >= 0 => Ok(Dim::Known(n)),
                _ => Err(self.error_at(&size, "expected a size, which is not negative")),
            },
            Rule::symbol => {
                let mut parts = size.into_inner().filter(|p| p.as_rule() == Rule::integer);
                Ok(Dim::Symbol(self.int(&self.next(&mut parts, "a number")?)?))
            }
            _ => Ok(Dim::Unknown),
        }
    }

    // The grammar.
}

fn generic(name: &str, arguments: Vec<Type>) -> Option<Type> {
    let plain = matches!(name, "Dict" | "Union" | "Await");
    let mut list = arguments.into_iter().map(|ty| if plain { without_tensor_details(&ty) } else { ty });
    let first = list.next();
    match (name, list.len()) {
        ("Dict", 1) => Some(Type::dict(first?, list.next()?)),
        ("List", 0) => Some(Type::list(first?)),
        ("Optional", 0) => Some(match first? {
            optional @ Type::Optional(_) => optional,
            ty => Type::optional(ty),
        }),
        ("Future", 0) => Some(Type::Future(Arc::new(first?))),
        ("RRef", 0) => Some(Type::RRef(Arc::new(first?))),
        ("Await", 0) => Some(Type::Await(Arc::new(first?))),
        // Python spells the empty tuple `Tuple[()]`.
        ("Tuple", 0) => match first {
            Some(Type::Tuple(items)) if items.is_empty() => Some(Type::Tuple(items)),
            Some(item) => Some(Type::Tuple(Arc::new([item]))),
            None => Some(Type::Tuple(Arc::new([]))),
        },
        ("Tuple", _) => Some(Type::Tuple(first.into_iter().chain(list).collect())),
        ("Union", _) => Some(Type::Union(first.into_iter().chain(list).collect())),
        _ => None,
    }
}
