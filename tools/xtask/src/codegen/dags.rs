//! The meanings that records write as dags, scalar expressions and folds, flattened to Rust source.

use super::say;
use sconce_schema::fold::{Reducer, is_sequential};
use sconce_schema::op::FunctionSchema;
use sconce_schema::scalar::{ArgIndex, Binary, Compute, Node, Ref, Unary};
use sconce_schema::{Argument, Type};
use std::collections::{BTreeSet, HashMap};
use std::f64::consts;
use std::fmt::Write as _;
use tblgen::init::DagInit;
use tblgen::{Record, TypedInit};

/// Numbers that the standard library has names for.
const NAMED: &[(f64, &str)] = &[
    (consts::PI, "PI"),
    (consts::TAU, "TAU"),
    (consts::E, "E"),
    (consts::SQRT_2, "SQRT_2"),
    (consts::FRAC_1_SQRT_2, "FRAC_1_SQRT_2"),
    (consts::FRAC_1_PI, "FRAC_1_PI"),
    (consts::FRAC_2_PI, "FRAC_2_PI"),
    (consts::FRAC_2_SQRT_PI, "FRAC_2_SQRT_PI"),
    (consts::FRAC_PI_2, "FRAC_PI_2"),
    (consts::FRAC_PI_4, "FRAC_PI_4"),
    (consts::LN_2, "LN_2"),
    (consts::LN_10, "LN_10"),
    (consts::LOG2_E, "LOG2_E"),
    (consts::LOG10_E, "LOG10_E"),
    (consts::LOG2_10, "LOG2_10"),
    (consts::LOG10_2, "LOG10_2"),
];

/// A pointwise operator's meaning, flattened.
pub struct Scalar {
    pub nodes: Vec<String>,
    compute: Compute,
    promotes: Vec<usize>,
}

impl std::fmt::Display for Scalar {
    /// As Rust source.
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let (nodes, compute, promotes) = (self.nodes.join(", "), self.compute, &self.promotes);
        write!(
            f,
            "ScalarExpr {{ nodes: Borrowed(&[{nodes}]), compute: Compute::{compute:?}, promotes: Borrowed(&{promotes:?}) }}"
        )
    }
}

impl std::fmt::Display for Fold {
    /// As Rust source.
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let reducers: Vec<String> = self.reducers.iter().map(|r| format!("Reducer::{r:?}")).collect();
        let (reducers, element, rest) = (reducers.join(", "), &self.element, &self.rest);
        write!(f, "Fold {{ reducers: &[{reducers}], element: &{element}{rest}, ..FOLD }}")
    }
}

/// What a reduction, scan or loss folds.
pub struct Fold {
    reducers: Vec<Reducer>,
    running: bool,
    pub element: Scalar,
    /// The other fields that say something, as Rust source.
    rest: String,
}

impl Fold {
    /// As [`sconce_schema::fold::Fold::is_sequential`].
    pub fn is_sequential(&self) -> bool {
        is_sequential(&self.reducers, self.running)
    }
}

pub fn read_scalar(record: Record<'_>, schema: &FunctionSchema) -> Result<Scalar, String> {
    let mut reader = ScalarReader::new(schema);
    let last = reader.dag(record.dag_value("scalar").map_err(say)?, 0)?;
    reader.finish(record, last)
}

/// The fold functions of a record, each around the same element.
pub fn read_fold(record: Record<'_>, schema: &FunctionSchema) -> Result<Fold, String> {
    let dag = record.dag_value("fold").map_err(say)?;
    let outer = dag.operator().name().map_err(say)?;
    let (running, several) = (outer == "running", outer == "results");
    let mut folds = Vec::new();
    for i in 0..if running || several { dag.num_args() } else { 0 } {
        match dag.get(i) {
            Some(TypedInit::Dag(d)) => folds.push(d),
            _ => return Err(format!("fold: an operand of `{outer}` is a fold")),
        }
    }
    if folds.is_empty() {
        folds.push(dag);
    }
    let argument = |name: &str| schema.argument_index(name);
    let (mut reducers, mut reader, mut last, mut rest) = (Vec::new(), ScalarReader::new(schema), 0, String::new());
    for fold in folds {
        let name = fold.operator().name().map_err(say)?;
        let reducer = Reducer::from_name(name).ok_or_else(|| format!("fold: `{name}` is no fold function"))?;
        reducers.push(reducer);
        last = reader.operand(fold, 0, 0)?;
        // An element of its own would be another operator.
        if usize::from(last) + 1 != reader.nodes.len() {
            return Err("fold: the element must be the last step, and the same for all results".to_owned());
        }
        if let Some(name) = fold.name(1) {
            let at = argument(name).ok_or_else(|| format!("fold: no argument `${name}`"))?;
            let field = if reducer == Reducer::Loss { "like" } else { "setting" };
            let setting = format!(", {field}: Some({at})");
            if !rest.contains(&setting) {
                rest.push_str(&setting);
            }
        }
    }
    if running {
        rest.push_str(", running: true");
    }
    let named: [(&str, &[&str]); 4] = [
        ("dims", &["dim", "dims"]),
        ("keepdim", &["keepdim"]),
        ("dtype", &["dtype", "output_dtype"]),
        ("reduction", &["reduction"]),
    ];
    for (field, names) in named {
        let Some(at) = names.iter().find_map(|name| argument(name)) else { continue };
        let _ = write!(rest, ", {field}: Some({at})");
        // `int[]?`, and not `int[1]?`, tells an empty list from None.
        let list = |t: &Type| matches!(t, Type::Optional(t) if matches!(**t, Type::List(_)));
        if field == "dims" && list(&schema.arguments[at].ty) && schema.arguments[at].list_size.is_none() {
            rest.push_str(", exact: true");
        }
    }
    Ok(Fold { reducers, running, element: reader.finish(record, last)?, rest })
}

/// Flattens a dag into nodes, equal sub-expressions once.
struct ScalarReader<'a> {
    schema: &'a FunctionSchema,
    /// Each as Rust source.
    nodes: Vec<String>,
    /// Whether the node, or one below it, gives fractions for integers whatever the arguments are.
    float: Vec<bool>,
    seen: HashMap<String, Ref>,
    used: BTreeSet<usize>,
}

impl<'a> ScalarReader<'a> {
    fn new(schema: &'a FunctionSchema) -> Self {
        ScalarReader { schema, nodes: Vec::new(), float: Vec::new(), seen: HashMap::new(), used: BTreeSet::new() }
    }

    /// What was read, with what else the record says of it.
    fn finish(self, record: Record<'_>, last: Ref) -> Result<Scalar, String> {
        if usize::from(last) + 1 != self.nodes.len() {
            return Err("scalar: the result must be the last step".to_owned());
        }
        let asked = record.optional_def_value("compute").is_some();
        let compute = if asked || self.float[usize::from(last)] { Compute::Float } else { Compute::Common };
        let named = record.list_of_strings_value("promotes").map_err(say)?;
        let promotes = if named.is_empty() {
            let takes_part = |(i, a): &(usize, &Argument)| {
                let ty = if let Type::Optional(t) = &a.ty { t } else { &a.ty };
                self.used.contains(i)
                    && (ty.is_tensor() || (*ty == Type::Number && ["self", "other", "exponent"].contains(&&*a.name)))
            };
            self.schema.arguments.iter().enumerate().filter(takes_part).map(|(i, _)| i).collect()
        } else {
            let index = |n: &&str| self.schema.argument_index(n).ok_or_else(|| format!("promotes: no argument `{n}`"));
            named.iter().map(index).collect::<Result<_, _>>()?
        };
        Ok(Scalar { nodes: self.nodes, compute, promotes })
    }

    fn leaf(&mut self, node: Node) -> Result<Ref, String> {
        let source = match node {
            Node::Const(x) if x.is_nan() => "Const(f64::NAN)".to_owned(),
            Node::Const(f64::INFINITY) => "Const(f64::INFINITY)".to_owned(),
            Node::Const(f64::NEG_INFINITY) => "Const(f64::NEG_INFINITY)".to_owned(),
            Node::Const(x) => match NAMED.iter().find(|(value, _)| *value == x.abs()) {
                Some((_, name)) => format!("Const({}std::f64::consts::{name})", if x < 0.0 { "-" } else { "" }),
                None => format!("Const({x:?})"),
            },
            other => format!("{other:?}"),
        };
        self.node(source, node.makes_float())
    }

    fn any_float(&self, operands: &[Ref]) -> bool {
        operands.iter().any(|r| self.float[usize::from(*r)])
    }

    fn node(&mut self, source: String, float: bool) -> Result<Ref, String> {
        if let Some(r) = self.seen.get(&source) {
            return Ok(*r);
        }
        let r = Ref::try_from(self.nodes.len()).map_err(|_| "scalar: too long".to_owned())?;
        self.nodes.push(source.clone());
        self.float.push(float);
        self.seen.insert(source, r);
        Ok(r)
    }

    fn argument(&mut self, name: &str) -> Result<ArgIndex, String> {
        let index = self.schema.argument_index(name).ok_or_else(|| format!("scalar: no argument `${name}`"))?;
        self.used.insert(index);
        ArgIndex::try_from(index).map_err(|_| "scalar: too many arguments".to_owned())
    }

    /// Operand `i` of a dag: `$argument`, number, string with a number, or dag.
    fn operand(&mut self, dag: DagInit<'_>, i: usize, depth: u32) -> Result<Ref, String> {
        if let Some(name) = dag.name(i) {
            let index = self.argument(name)?;
            return self.leaf(Node::Arg(index));
        }
        match dag.get(i) {
            Some(TypedInit::Int(n)) => {
                let n = i64::try_from(n).map_err(|e| format!("scalar: {e}"))?;
                self.leaf(Node::Const(n as f64))
            }
            Some(TypedInit::String(s)) => {
                let s = s.to_str().map_err(|e| format!("scalar: {e}"))?;
                match s {
                    "true" | "false" => self.leaf(Node::Bool(s == "true")),
                    _ => {
                        let x: f64 = s.parse().map_err(|_| format!("scalar: \"{s}\" is no number"))?;
                        self.leaf(Node::Const(x))
                    }
                }
            }
            Some(TypedInit::Dag(d)) => self.dag(d, depth + 1),
            _ => Err("scalar: an operand is `$argument`, a number, a string with a number, or a dag".to_owned()),
        }
    }

    fn dag(&mut self, dag: DagInit<'_>, depth: u32) -> Result<Ref, String> {
        if depth > 200 {
            return Err("scalar: nested too deeply".to_owned());
        }
        let name = dag.operator().name().map_err(say)?;
        let n = dag.num_args();
        let arity = |wanted: usize| {
            if n == wanted { Ok(()) } else { Err(format!("scalar: `{name}` takes {wanted} operands, not {n}")) }
        };
        if let Some(f) = Unary::from_name(name) {
            arity(1)?;
            let a = self.operand(dag, 0, depth)?;
            let float = f.makes_float() || self.any_float(&[a]);
            return self.node(format!("Unary(Unary::{f:?}, {a})"), float);
        }
        if let Some(f) = Binary::from_name(name) {
            arity(2)?;
            let (a, b) = (self.operand(dag, 0, depth)?, self.operand(dag, 1, depth)?);
            let float = f.makes_float() || self.any_float(&[a, b]);
            return self.node(format!("Binary(Binary::{f:?}, {a}, {b})"), float);
        }
        let static_argument = |this: &mut Self| {
            let name = dag.name(0).ok_or_else(|| format!("scalar: `{name}` begins with `$argument`"))?;
            this.argument(name)
        };
        match name {
            "select" => {
                arity(3)?;
                let c = self.operand(dag, 0, depth)?;
                let (a, b) = (self.operand(dag, 1, depth)?, self.operand(dag, 2, depth)?);
                self.node(format!("Select({c}, {a}, {b})"), self.any_float(&[c, a, b]))
            }
            "ifnone" => {
                arity(3)?;
                let arg = static_argument(self)?;
                let (a, b) = (self.operand(dag, 1, depth)?, self.operand(dag, 2, depth)?);
                let float = self.any_float(&[a]) && self.any_float(&[b]);
                self.node(format!("IfNone({arg}, {a}, {b})"), float)
            }
            "match" => {
                let arg = static_argument(self)?;
                if n < 3 || n.is_multiple_of(2) {
                    return Err("scalar: `match` takes an argument, then pairs of a string and a value".to_owned());
                }
                let mut cases = String::new();
                let mut float = true;
                for i in (1..n).step_by(2) {
                    let key = match dag.get(i) {
                        Some(TypedInit::String(s)) => s.to_str().map_err(|e| format!("scalar: {e}"))?,
                        _ => return Err("scalar: a key of `match` is a string".to_owned()),
                    };
                    let key = if key == "None" { "None".to_owned() } else { format!("Some({key:?})") };
                    let value = self.operand(dag, i + 1, depth)?;
                    float &= self.any_float(&[value]);
                    let _ = write!(cases, "{}({key}, {value})", if cases.is_empty() { "" } else { ", " });
                }
                self.node(format!("Match({arg}, &[{cases}])"), float)
            }
            other => Err(format!("scalar: `{other}` is no scalar function")),
        }
    }
}

// The names of the node's variants are written into the generated source: if one changes, this stops compiling.
const _: fn(Node) = |n| match n {
    Node::Arg(_) | Node::Const(_) | Node::Bool(_) | Node::Unary(..) | Node::Binary(..) => {}
    Node::Select(..) | Node::IfNone(..) | Node::Match(..) => {}
};
