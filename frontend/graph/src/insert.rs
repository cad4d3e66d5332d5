//! Calls of operators are put into a graph as their schema has them: the overload that takes the arguments, plain values as constants, defaults filled in, and
//! the results typed.
//!
//! ```
//! use sconce_graph::graph::Graph;
//! use sconce_schema::Type;
//!
//! let mut g = Graph::new();
//! let x = g.add_input(g.root(), Some("x"), Type::tensor());
//! let y = g.insert("aten::mul", &[x.into(), 3.into()], &[])?;
//! assert_eq!(g.overload(g.defining(y).unwrap()).unwrap().name, "aten::mul.Scalar");
//! # Ok::<(), sconce_graph::insert::Error>(())
//! ```

use crate::graph::{Attr, Def, Graph, Misuse, NodeId, Owned, ValueId};
use crate::value_type::of_value;
use sconce_kernels::defaults::default_value;
use sconce_schema::overload::{self, Bound, Call, Conversion, NoOverload, Number};
use sconce_schema::{OpEntry, Type};
use sconce_tensor::IValue;

/// An argument of a call: a value of the graph, or one that becomes a constant of it.
#[derive(Clone, Debug)]
pub enum Arg {
    Value(ValueId),
    Constant(IValue),
}

impl From<ValueId> for Arg {
    fn from(value: ValueId) -> Arg {
        Arg::Value(value)
    }
}
impl From<IValue> for Arg {
    fn from(value: IValue) -> Arg {
        Arg::Constant(value)
    }
}
impl From<i64> for Arg {
    fn from(n: i64) -> Arg {
        Arg::Constant(IValue::Int(n))
    }
}
impl From<f64> for Arg {
    fn from(x: f64) -> Arg {
        Arg::Constant(IValue::Double(x))
    }
}
impl From<bool> for Arg {
    fn from(b: bool) -> Arg {
        Arg::Constant(IValue::Bool(b))
    }
}
impl From<&str> for Arg {
    fn from(text: &str) -> Arg {
        Arg::Constant(IValue::str(text))
    }
}

/// Why a call is not put.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Error {
    /// No overload takes the arguments; shows each schema and what does not fit it.
    #[error(transparent)]
    Arguments(#[from] NoOverload),
    #[error(transparent)]
    Misuse(#[from] Misuse),
    #[error("{kind} has {count} results where one is expected")]
    Results { kind: String, count: usize },
}

impl Graph {
    /// Puts a constant at the insertion point.
    pub fn insert_constant(&mut self, value: IValue) -> ValueId {
        let ty = of_value(&value);
        let node = self.node("prim::Constant", &[]);
        if !value.is_none() {
            self.set_attr(node, "value", Attr::Value(value));
        }
        self.insert_node(node);
        self.add_output(node, None, ty)
    }

    /// Puts a node of one result that no schema is asked about, such as `prim::TupleConstruct`, at the insertion point.
    pub fn insert_value(&mut self, kind: &str, inputs: &[ValueId], ty: Type) -> ValueId {
        let node = self.node(kind, inputs);
        self.insert_node(node);
        self.add_output(node, None, ty)
    }

    /// Puts a call of an operator at the insertion point, and gives its one result.
    ///
    /// # Errors
    /// As [`Graph::insert_call`], and operators with several results or none.
    pub fn insert(&mut self, kind: &str, args: &[Arg], kwargs: &[(&str, Arg)]) -> Result<ValueId, Error> {
        let node = self.insert_call(kind, args, kwargs)?;
        match self.outputs(node) {
            [one] => Ok(*one),
            several => {
                let count = several.len();
                self.erase(node);
                Err(Error::Results { kind: kind.to_owned(), count })
            }
        }
    }

    /// Puts a call of an operator at the insertion point: the overload that takes the arguments, with constants for plain values and for what is left out.
    ///
    /// # Errors
    /// Arguments that no overload takes, with every schema and why not, and values that are not this graph's. The graph is then as it was.
    pub fn insert_call(&mut self, kind: &str, args: &[Arg], kwargs: &[(&str, Arg)]) -> Result<NodeId, Error> {
        let (positional, keywords) = self.types_of_args(args, kwargs)?;
        let call = overload::of_call(kind, &positional, &keywords)?;
        self.insert_bound(call, args, kwargs)
    }

    /// Puts a call of one overload at the insertion point, as [`Graph::insert_call`] puts the one that it finds.
    ///
    /// # Errors
    /// Arguments that the overload does not take, with its schema and why, and values that are not this graph's. The graph is then as it was.
    pub fn insert_overload(
        &mut self,
        entry: &'static OpEntry,
        args: &[Arg],
        kwargs: &[(&str, Arg)],
    ) -> Result<NodeId, Error> {
        let (positional, keywords) = self.types_of_args(args, kwargs)?;
        let bind = |convert| overload::bind(entry.schema(), &positional, &keywords, convert);
        let (arguments, returns) = bind(false).or_else(|_| bind(true)).map_err(|why| NoOverload {
            name: entry.name.to_owned(),
            candidates: vec![(entry.schema_text.to_owned(), why)],
        })?;
        self.insert_bound(Call { entry, arguments, returns }, args, kwargs)
    }

    fn types_of_args<'k>(
        &self,
        args: &[Arg],
        kwargs: &[(&'k str, Arg)],
    ) -> Result<(Vec<Type>, Vec<(&'k str, Type)>), Error> {
        let positional = args.iter().map(|a| self.type_of_arg(a)).collect::<Result<Vec<Type>, Error>>()?;
        let keywords = (kwargs.iter())
            .map(|(name, a)| Ok((*name, self.type_of_arg(a)?)))
            .collect::<Result<Vec<(&str, Type)>, Error>>()?;
        Ok((positional, keywords))
    }

    fn insert_bound(&mut self, call: Call, args: &[Arg], kwargs: &[(&str, Arg)]) -> Result<NodeId, Error> {
        let Call { entry, arguments, returns } = call;
        let mut inputs = Vec::with_capacity(arguments.len());
        for (formal, bound) in entry.schema().arguments.iter().zip(arguments) {
            let input = match bound {
                Bound::Positional(i, conversion) => self.argument(&args[i], &formal.ty, conversion)?,
                Bound::Keyword(i, conversion) => self.argument(&kwargs[i].1, &formal.ty, conversion)?,
                Bound::Rest(from) => {
                    let items: Vec<ValueId> = args[from..].iter().map(|a| self.operand(a)).collect();
                    self.insert_value("prim::ListConstruct", &items, formal.ty.clone())
                }
                Bound::Default => {
                    let default = formal.default.as_ref().map_or(IValue::None, |d| default_value(d, formal));
                    self.insert_constant(default)
                }
            };
            inputs.push(input);
        }
        let node = self.node(entry.base_name(), &inputs);
        self.set_overload(node, entry);
        self.insert_node(node);
        for ty in returns {
            self.add_output(node, None, ty);
        }
        Ok(node)
    }

    fn type_of_arg(&self, arg: &Arg) -> Result<Type, Error> {
        match arg {
            Arg::Constant(value) => Ok(of_value(value)),
            Arg::Value(value) if !value.is_of(self) => Err(Misuse::from(*value).into()),
            Arg::Value(value) if self.def(*value) == Def::Gone => Err(Misuse::Destroyed(value.index()).into()),
            Arg::Value(value) => Ok(self.ty(*value).clone()),
        }
    }

    fn operand(&mut self, arg: &Arg) -> ValueId {
        match arg {
            Arg::Value(value) => *value,
            Arg::Constant(value) => self.insert_constant(value.clone()),
        }
    }

    fn argument(&mut self, arg: &Arg, formal: &Type, conversion: Conversion) -> Result<ValueId, Error> {
        let value = self.operand(arg);
        let convert = match conversion {
            Conversion::None => return Ok(value),
            Conversion::TensorTo(Number::Int) => "aten::IntImplicit",
            Conversion::TensorTo(Number::Float) => "aten::FloatImplicit",
            Conversion::TensorTo(Number::Complex) => "aten::ComplexImplicit",
            Conversion::TensorTo(Number::Scalar) => "aten::ScalarImplicit",
            Conversion::NumberTo(Number::Int | Number::Scalar) => "aten::Int",
            Conversion::NumberTo(Number::Float) => "aten::Float",
            Conversion::NumberTo(Number::Complex) => "aten::Complex",
            Conversion::Device => "aten::device",
            Conversion::TupleToList => {
                let items = self.unpack(value);
                return Ok(self.insert_value("prim::ListConstruct", &items, list_type(formal)));
            }
            Conversion::Repeat(n) => {
                let items = vec![value; n as usize];
                return Ok(self.insert_value("prim::ListConstruct", &items, list_type(formal)));
            }
        };
        self.insert(convert, &[value.into()], &[])
    }

    /// The members of a tuple.
    fn unpack(&mut self, tuple: ValueId) -> Vec<ValueId> {
        let members: Vec<Type> = match self.ty(tuple) {
            Type::Tuple(members) => members.to_vec(),
            Type::NamedTuple(named) => named.fields.iter().map(|(_, ty)| ty.clone()).collect(),
            _ => Vec::new(),
        };
        let node = self.node("prim::TupleUnpack", &[tuple]);
        self.insert_node(node);
        members.into_iter().map(|ty| self.add_output(node, None, ty)).collect()
    }

    // -- asking

    /// The operand that a node's schema calls so.
    pub fn named_input(&self, node: NodeId, name: &str) -> Option<ValueId> {
        let at = self.overload(node)?.schema().arguments.iter().position(|a| &*a.name == name)?;
        self.input(node, at)
    }
    /// Is the operand that a node's schema calls so a constant?
    pub fn is_constant(&self, node: NodeId, name: &str) -> bool {
        self.get(node, name).is_some()
    }
    /// The value of the operand that a node's schema calls so, if it is a constant.
    pub fn get(&self, node: NodeId, name: &str) -> Option<&IValue> {
        self.constant(self.named_input(node, name)?)
    }
}

/// A list without the option around it.
fn list_type(formal: &Type) -> Type {
    match formal {
        Type::Optional(inner) => Type::clone(inner),
        other => other.clone(),
    }
}
