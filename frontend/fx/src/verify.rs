//! What an exported graph keeps to, rule by rule; a breach names its node, the rule, and where the node comes from.
//!
//! The rules, in the order in which they are asked ([`Rule`] says each):
//! a graph has nodes; placeholders come first, with a default value at most; one output comes last, with one value; a node comes before those that use it;
//! nothing calls modules or methods; `get_attr` takes a submodule; a function is a registered operator, a higher-order operator, or one of numbers alone; and in the
//! functional dialect it writes none of its arguments.

use crate::limits::MAX_MODULE_DEPTH;
use crate::operators::{Function, function};
use crate::readable::quoted_place;
use crate::{Argument, Graph, GraphModule, Node, NodeId, Op, OperatorName, Val};
use rustc_hash::FxHashSet;
use sconce_source::Loc;
use std::fmt;

/// How much a graph may do.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Dialect {
    /// As it was exported: operators may write their arguments, tracing leaves some functions of its own, and constants may be attributes, as older exports have them.
    Training,
    /// After functionalisation (`run_decompositions`): functional ATen, custom operators that are registered, control flow.
    Functional,
}

impl Dialect {
    /// The dialect that a verifier of this name in an archive checks: `TRAINING`; all others are functional (`ATEN`, `EDGE`).
    pub fn of_verifier(name: &str) -> Dialect {
        if name == "TRAINING" { Dialect::Training } else { Dialect::Functional }
    }
}

/// What a graph keeps to.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Rule {
    /// A graph is never empty: the smallest has its output.
    NotEmpty,
    /// Placeholders come before all other nodes.
    PlaceholdersFirst,
    /// A placeholder's only argument is its default value, a constant.
    DefaultValue,
    /// There is exactly one output.
    OneOutput,
    /// The output is the last node.
    OutputLast,
    /// The output has one argument, and nothing uses it.
    OneValue,
    /// A node comes before the nodes that use it: the graph has no cycles.
    DefinedBeforeUse,
    /// No node calls a module or a method.
    FunctionsOnly,
    /// `get_attr` takes a submodule.
    Submodule,
    /// A function that is called is a registered operator with its overload, a higher-order operator, or a function of symbolic numbers.
    Operator,
    /// Operators write none of their arguments.
    Functional,
    /// Modules nest no deeper than is read.
    Depth,
}

impl Rule {
    /// The rule in a word: `placeholders-first`.
    pub fn name(self) -> &'static str {
        match self {
            Rule::NotEmpty => "not-empty",
            Rule::PlaceholdersFirst => "placeholders-first",
            Rule::DefaultValue => "default-value",
            Rule::OneOutput => "one-output",
            Rule::OutputLast => "output-last",
            Rule::OneValue => "one-value",
            Rule::DefinedBeforeUse => "defined-before-use",
            Rule::FunctionsOnly => "functions-only",
            Rule::Submodule => "submodule",
            Rule::Operator => "operator",
            Rule::Functional => "functional",
            Rule::Depth => "depth",
        }
    }
}

/// A rule that a graph does not keep to.
#[derive(Clone, PartialEq, Debug, thiserror::Error)]
pub struct Breach {
    pub rule: Rule,
    /// The path of the graph's module; empty for the root.
    pub graph: String,
    /// The node's name; empty where the graph as a whole is meant.
    pub node: String,
    pub message: String,
    /// Where the node stands in the text that it was read from.
    pub place: Option<Loc>,
    /// The line of the user's program, as stack traces say it: `File: m.py:3 in forward, code: x.add_(1)`.
    pub origin: Option<String>,
}

/// `t.fx:3:4: graph `true_graph_0`: node `add_`: writes its argument `self` (functional), from File: m.py:3 in forward, code: x.add_(1)`
impl fmt::Display for Breach {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(place) = &self.place {
            write!(f, "{place}: ")?;
        }
        if !self.graph.is_empty() {
            write!(f, "graph `{}`: ", self.graph)?;
        }
        if !self.node.is_empty() {
            write!(f, "node `{}`: ", self.node)?;
        }
        write!(f, "{} ({})", self.message, self.rule.name())?;
        match &self.origin {
            Some(origin) => write!(f, ", from {origin}"),
            None => Ok(()),
        }
    }
}

/// Every breach of a module and of those inside it, in the order of nodes; none for a valid one.
pub fn verify(module: &GraphModule, dialect: Dialect) -> Vec<Breach> {
    let mut breaches = Vec::new();
    verify_module(module, dialect, String::new(), 0, &mut breaches);
    breaches
}

/// Every breach of a graph whose submodules are not at hand, as when only its text was read: `get_attr` may then take what a higher-order operator is given.
pub fn verify_graph(graph: &Graph, dialect: Dialect) -> Vec<Breach> {
    let mut breaches = Vec::new();
    Verifier { graph, module: None, path: "", dialect, breaches: &mut breaches }.verify();
    breaches
}

fn verify_module(module: &GraphModule, dialect: Dialect, path: String, depth: usize, breaches: &mut Vec<Breach>) {
    Verifier { graph: &module.graph, module: Some(module), path: &path, dialect, breaches }.verify();
    for (name, inner) in &module.submodules {
        let path = if path.is_empty() { name.clone() } else { format!("{path}.{name}") };
        if depth < MAX_MODULE_DEPTH {
            verify_module(inner, dialect, path, depth + 1, breaches);
        } else {
            let message = format!("modules nest deeper than {MAX_MODULE_DEPTH}");
            breaches.push(Breach {
                rule: Rule::Depth,
                graph: path,
                node: String::new(),
                message,
                place: None,
                origin: None,
            });
        }
    }
}

struct Verifier<'g> {
    graph: &'g Graph,
    module: Option<&'g GraphModule>,
    path: &'g str,
    dialect: Dialect,
    breaches: &'g mut Vec<Breach>,
}

impl Verifier<'_> {
    fn breach(&mut self, rule: Rule, node: Option<&Node>, message: impl Into<String>) {
        self.breaches.push(Breach {
            rule,
            graph: self.path.to_owned(),
            node: node.map_or_else(String::new, |n| n.name.clone()),
            message: message.into(),
            place: node.and_then(|n| n.place.0.clone()),
            origin: node.and_then(|n| n.meta.stack_trace.as_deref()).and_then(quoted_place),
        });
    }

    fn verify(&mut self) {
        if self.graph.is_empty() {
            return self.breach(Rule::NotEmpty, None, "the graph has no nodes; the smallest has an output");
        }
        let mut defined = FxHashSet::default();
        let mut others = None;
        let mut output: Option<&Node> = None;
        for (id, node) in self.graph.nodes() {
            if let Some(output) = output {
                match node.op {
                    Op::Output => {
                        self.breach(Rule::OneOutput, Some(node), format!("`{}` is the output already", output.name))
                    }
                    _ => self.breach(
                        Rule::OutputLast,
                        Some(node),
                        format!("it stands behind the output `{}`", output.name),
                    ),
                }
            }
            self.uses(node, &defined);
            match node.op {
                Op::Placeholder => self.placeholder(node, others),
                Op::Output => {
                    self.output(id, node);
                    output = output.or(Some(node));
                }
                Op::GetAttr => self.attribute(id, node),
                Op::CallFunction => self.function(node),
                Op::CallModule => self.breach(
                    Rule::FunctionsOnly,
                    Some(node),
                    format!(
                        "it calls the module `{}`; exported graphs have the calls that the module makes",
                        node.target
                    ),
                ),
                Op::CallMethod => self.breach(
                    Rule::FunctionsOnly,
                    Some(node),
                    format!("it calls the method `{}`; exported graphs call operators", node.target),
                ),
            }
            if node.op != Op::Placeholder {
                others = others.or(Some(node));
            }
            defined.insert(id);
        }
        if output.is_none() {
            let last = self.graph.nodes().next_back().map(|(_, node)| node);
            self.breach(Rule::OneOutput, last, "no output follows; a graph has one, and it is the last node");
        }
    }

    fn uses(&mut self, node: &Node, defined: &FxHashSet<NodeId>) {
        let mut early = Vec::new();
        let mut seen = |id| {
            if !defined.contains(&id) && !early.contains(&id) {
                early.push(id);
            }
        };
        node.arguments().for_each(|a| a.nodes(&mut seen));
        for id in early {
            let used = self.graph.get(id).map_or("", |n| n.name.as_str());
            let message = if used == node.name {
                "it uses itself".to_owned()
            } else {
                format!("it uses `{used}`, which comes behind it")
            };
            self.breach(Rule::DefinedBeforeUse, Some(node), message);
        }
    }

    fn placeholder(&mut self, node: &Node, other: Option<&Node>) {
        if let Some(other) = other {
            let message = format!("placeholders come first, and `{}` stands before it", other.name);
            self.breach(Rule::PlaceholdersFirst, Some(node), message);
        }
        let mut has_node = false;
        node.arguments().for_each(|a| a.nodes(&mut |_| has_node = true));
        if node.args.len() > 1 || !node.kwargs.is_empty() || has_node {
            self.breach(
                Rule::DefaultValue,
                Some(node),
                "a placeholder has one argument at most, its default value, which is a constant",
            );
        }
    }

    fn output(&mut self, id: NodeId, node: &Node) {
        if node.args.len() != 1 || !node.kwargs.is_empty() {
            let message = format!("an output has one argument, found {}", node.args.len() + node.kwargs.len());
            self.breach(Rule::OneValue, Some(node), message);
        }
        if let Some(user) = self.graph.users(id).next().and_then(|user| self.graph.get(user)) {
            self.breach(Rule::OneValue, Some(node), format!("`{}` uses the output, which is no value", user.name));
        }
    }

    fn attribute(&mut self, id: NodeId, node: &Node) {
        if !node.args.is_empty() || !node.kwargs.is_empty() {
            self.breach(Rule::Submodule, Some(node), "get_attr takes no arguments");
        }
        if self.module.is_some_and(|module| module.submodule(&node.target).is_some()) {
            return;
        }
        // Operators take tensors, and graphs are what higher-order operators take.
        let plain = self.graph.users(id).find_map(|user| self.graph.get(user).filter(|n| !is_higher_order(n)));
        let message = match (plain, self.module) {
            (Some(_), _) if self.dialect == Dialect::Training => return,
            (Some(user), _) => format!(
                "`{}` is no submodule: `{}` uses it as a value, and parameters, buffers and constants are inputs of exported graphs",
                node.target, user.name
            ),
            (None, None) => return,
            (None, Some(_)) => format!("there is no submodule `{}`", node.target),
        };
        self.breach(Rule::Submodule, Some(node), message);
    }

    fn function(&mut self, node: &Node) {
        match node.operator() {
            Some(operator) => self.operator(node, &operator),
            None => match function(&node.target) {
                Some(Function::GetItem) => {}
                Some(Function::Number) => self.numbers(node),
                Some(Function::Writes) => {
                    self.breach(Rule::Functional, Some(node), format!("{} writes its first argument", node.target));
                }
                // Tracing before dispatch leaves what enters and leaves its transforms.
                None if self.dialect == Dialect::Training && node.target.starts_with("torch._functorch.") => {}
                None => {
                    let message = format!(
                        "`{}` is no operator; expected `torch.ops.…`, or a function of symbolic numbers",
                        node.target
                    );
                    self.breach(Rule::Operator, Some(node), message);
                }
            },
        }
    }

    /// Functions of Python's compute with symbolic numbers; with tensors, operators do.
    fn numbers(&mut self, node: &Node) {
        let mut tensor = None;
        let mut seen = |id| {
            let known = self
                .graph
                .get(id)
                .filter(|n| matches!(n.meta.val, Some(Val::Tensor(_) | Val::List(_) | Val::Tuple(_))));
            tensor = tensor.or(known);
        };
        node.arguments().for_each(|a| a.nodes(&mut seen));
        if let Some(tensor) = tensor {
            let message = format!("{} computes with numbers, and `{}` is none", node.target, tensor.name);
            self.breach(Rule::Operator, Some(node), message);
        }
    }

    fn operator(&mut self, node: &Node, operator: &OperatorName) {
        if operator.namespace == "higher_order" {
            return;
        }
        if operator.overload.is_empty() {
            let message = format!("`{}` names no overload; expected one, or `{}.default`", node.target, node.target);
            return self.breach(Rule::Operator, Some(node), message);
        }
        let name = operator.schema_name();
        let Some(entry) = sconce_schema::lookup(&name) else {
            let message = format!("no operator `{name}` is known; one of your own is to be registered with its schema");
            return self.breach(Rule::Operator, Some(node), message);
        };
        if self.dialect == Dialect::Training {
            return;
        }
        let schema = entry.schema();
        let effect = entry.effect();
        let argument = |i: usize| schema.arguments.get(i);
        let given = |i: usize| {
            let by_name = argument(i).and_then(|a| node.kwargs.iter().find(|(k, _)| **k == *a.name));
            node.args.get(i).or(by_name.map(|(_, a)| a))
        };
        let mut written: Vec<usize> = effect.writes.iter().map(|w| w.argument).collect();
        if let Some((flag, arguments)) = &effect.writes_unless_false
            && given(*flag) == Some(&Argument::Bool(true))
        {
            written.extend(arguments.iter().copied().filter(|i| given(*i).is_some_and(|a| *a != Argument::None)));
        }
        if written.is_empty() {
            return;
        }
        let names: Vec<String> = written.iter().filter_map(|i| argument(*i)).map(|a| format!("`{}`", a.name)).collect();
        let plural = if names.len() == 1 { "" } else { "s" };
        let message = format!(
            "{name} writes its argument{plural} {}; functionalised graphs give what it would leave there",
            names.join(" and ")
        );
        self.breach(Rule::Functional, Some(node), message);
    }
}

fn is_higher_order(node: &Node) -> bool {
    node.operator().is_some_and(|o| o.namespace == "higher_order")
}
