//! Graphs written as expressions: operators on handles put nodes.
//!
//! ```
//! use sconce_graph::build::Build;
//!
//! let b = Build::new();
//! let (x, w) = (b.tensor("x"), b.tensor("w"));
//! let y = (x.mm(w.t()) * 2.0).tanh().named("y");
//! let graph = b.finish(&[y])?;
//! # Ok::<(), sconce_graph::insert::Error>(())
//! ```
//!
//! An expression cannot say what is wrong with it: the first error is kept, later expressions add nothing, and [`Build::finish`] gives it.

use crate::graph::{Graph, Point, ValueId};
use crate::insert::{Arg, Error};
use crate::value_type::of_value;
use sconce_schema::Type;
use sconce_tensor::IValue;
use std::cell::RefCell;
use std::ops::{Add, Div, Mul, Neg, Sub};

/// A graph that is being written.
pub struct Build(RefCell<State>);

struct State {
    graph: Graph,
    /// Numbers and texts, each once at the start of the graph.
    constants: Vec<(IValue, ValueId)>,
    error: Option<Error>,
}

/// A value of the graph that is being written.
#[derive(Clone, Copy)]
pub struct Expr<'b> {
    build: &'b Build,
    value: ValueId,
}

impl Default for Build {
    fn default() -> Self {
        Build::new()
    }
}

impl Build {
    pub fn new() -> Build {
        Build(RefCell::new(State { graph: Graph::new(), constants: Vec::new(), error: None }))
    }

    /// A further input of the graph.
    pub fn input(&self, name: &str, ty: Type) -> Expr<'_> {
        let mut state = self.0.borrow_mut();
        let root = state.graph.root();
        Expr { build: self, value: state.graph.add_input(root, Some(name), ty) }
    }
    /// A further input that is a tensor.
    pub fn tensor(&self, name: &str) -> Expr<'_> {
        self.input(name, Type::tensor())
    }
    /// A constant: the same one for equal numbers, texts and None.
    pub fn constant(&self, value: impl Into<IValue>) -> Expr<'_> {
        let value = self.0.borrow_mut().constant(value.into());
        Expr { build: self, value }
    }
    /// A tuple of values.
    pub fn tuple<'b>(&'b self, items: &[Expr<'b>]) -> Expr<'b> {
        let mut state = self.0.borrow_mut();
        let values: Vec<ValueId> = items.iter().map(|e| e.value).collect();
        let ty = Type::Tuple(values.iter().map(|v| state.graph.ty(*v).clone()).collect());
        Expr { build: self, value: state.graph.insert_value("prim::TupleConstruct", &values, ty) }
    }
    /// The graph that gives these values.
    ///
    /// # Errors
    /// The first call that no overload takes.
    pub fn finish(&self, outputs: &[Expr<'_>]) -> Result<Graph, Error> {
        let mut state = self.0.borrow_mut();
        if let Some(error) = state.error.take() {
            return Err(error);
        }
        let root = state.graph.root();
        let values: Vec<ValueId> = outputs.iter().map(|e| e.value).collect();
        state.graph.set_block_outputs(root, &values);
        Ok(std::mem::take(&mut state.graph))
    }
}

impl State {
    fn constant(&mut self, value: IValue) -> ValueId {
        let same = |(have, _): &&(IValue, ValueId)| match (have, &value) {
            (IValue::Int(a), IValue::Int(b)) => a == b,
            (IValue::Bool(a), IValue::Bool(b)) => a == b,
            (IValue::Double(a), IValue::Double(b)) => a.to_bits() == b.to_bits(),
            (IValue::Str(a), IValue::Str(b)) => a == b,
            (IValue::None, IValue::None) => true,
            _ => false,
        };
        if let Some((_, known)) = self.constants.iter().find(same) {
            return *known;
        }
        let root = self.graph.root();
        // Behind the constants that are there.
        let behind = self.constants.last().and_then(|(_, v)| self.graph.defining(*v));
        let next = behind.map_or(self.graph.first_node(root), |n| self.graph.next_node(n));
        let made = (self.graph.insert_point_guard(next.map_or(Point::End(root), Point::Before)))
            .insert_constant(value.clone());
        self.constants.push((value, made));
        made
    }

    /// Puts a call whose plain values, and what the schema fills in, are shared constants.
    fn call(&mut self, kind: &str, args: &[Arg]) -> Result<Vec<ValueId>, Error> {
        let args: Vec<Arg> = (args.iter())
            .map(|a| match a {
                Arg::Constant(value) => Arg::Value(self.constant(value.clone())),
                value => value.clone(),
            })
            .collect();
        let node = self.graph.insert_call(kind, &args, &[])?;
        for (at, input) in self.graph.inputs(node).to_vec().into_iter().enumerate() {
            let Some(value) = self.graph.constant(input).filter(|v| of_value(v) == *self.graph.ty(input)).cloned()
            else {
                continue;
            };
            let shared = self.constant(value);
            if shared != input {
                self.graph.set_operand(node, at, shared);
                if let Some(constant) = self.graph.defining(input).filter(|_| self.graph.uses(input).is_empty()) {
                    self.graph.erase(constant);
                }
            }
        }
        Ok(self.graph.outputs(node).to_vec())
    }
}

impl<'b> Expr<'b> {
    /// The value in the graph.
    pub fn id(self) -> ValueId {
        self.value
    }
    /// Gives the value the name that the graph's text prints.
    pub fn named(self, name: &str) -> Expr<'b> {
        self.build.0.borrow_mut().graph.set_name(self.value, Some(name));
        self
    }
    /// A call of an operator with this as its first argument.
    pub fn call(self, kind: &str, rest: &[Arg]) -> Expr<'b> {
        let mut state = self.build.0.borrow_mut();
        if state.error.is_some() {
            return self;
        }
        let args: Vec<Arg> = std::iter::once(self.value.into()).chain(rest.iter().cloned()).collect();
        let made = state.call(kind, &args).and_then(|outputs| match outputs[..] {
            [one] => Ok(one),
            _ => Err(Error::Results { kind: kind.to_owned(), count: outputs.len() }),
        });
        match made {
            Ok(value) => Expr { value, ..self },
            Err(error) => {
                state.error = Some(error);
                self
            }
        }
    }
    /// The members of a list of tensors that has so many.
    pub fn unpack<const N: usize>(self) -> [Expr<'b>; N] {
        let mut state = self.build.0.borrow_mut();
        let node = state.graph.node("prim::ListUnpack", &[self.value]);
        state.graph.insert_node(node);
        [(); N].map(|()| Expr { value: state.graph.add_output(node, None, Type::tensor()), ..self })
    }
    /// The pieces of a tensor cut into so many along a dimension.
    pub fn chunk<const N: usize>(self, dim: i64) -> [Expr<'b>; N] {
        self.call("aten::chunk", &[(N as i64).into(), dim.into()]).unpack()
    }
}

/// Operators of one tensor, or of two, by name.
macro_rules! methods {
    ($($name:ident($($rest:ident),*) $kind:literal;)*) => {
        impl<'b> Expr<'b> {
            $(
                #[doc = concat!("`", $kind, "`")]
                pub fn $name(self $(, $rest: impl Into<Arg>)*) -> Expr<'b> {
                    self.call($kind, &[$($rest.into()),*])
                }
            )*
        }
    };
}
methods! {
    t() "aten::t";
    mm(other) "aten::mm";
    relu() "aten::relu";
    sigmoid() "aten::sigmoid";
    tanh() "aten::tanh";
    exp() "aten::exp";
}

impl From<Expr<'_>> for Arg {
    fn from(e: Expr<'_>) -> Arg {
        Arg::Value(e.value)
    }
}

macro_rules! operators {
    ($($trait:ident $method:ident $kind:literal;)*) => {
        $(
            impl<'b, R: Into<Arg>> $trait<R> for Expr<'b> {
                type Output = Expr<'b>;
                fn $method(self, right: R) -> Expr<'b> {
                    self.call($kind, &[right.into()])
                }
            }
        )*
    };
}
operators! {
    Add add "aten::add";
    Sub sub "aten::sub";
    Mul mul "aten::mul";
    Div div "aten::div";
}

impl<'b> Neg for Expr<'b> {
    type Output = Expr<'b>;
    fn neg(self) -> Expr<'b> {
        self.call("aten::neg", &[])
    }
}
