//! A function's text: statements in the order of the graph's nodes, with what is used once written where it is used.

mod expression;

pub(crate) use expression::necessary_arguments;

use super::class::simple_name;
use super::scan::inlined;
use super::text::Text;
use super::{Error, Shared};
use rustc_hash::{FxHashMap, FxHashSet};
use sconce_graph::graph::{Attr, BlockId, Def, Graph, NodeId, Use, ValueId};
use sconce_graph::unit::Function;
use sconce_schema::Type;
use sconce_tensor::IValue;
use std::rc::Rc;
use std::sync::Arc;

/// Names that text must not give to a variable: keywords, and what the reader knows by itself.
const RESERVED: &[&str] = &[
    "_",
    "as",
    "aten",
    "attribute",
    "CONSTANTS",
    "fork",
    "getattr",
    "inf",
    "nan",
    "infj",
    "nanj",
    "ops",
    "__torch__",
    "and",
    "assert",
    "async",
    "await",
    "break",
    "class",
    "continue",
    "def",
    "del",
    "elif",
    "else",
    "except",
    "False",
    "finally",
    "for",
    "from",
    "global",
    "if",
    "import",
    "in",
    "is",
    "lambda",
    "None",
    "nonlocal",
    "not",
    "or",
    "pass",
    "raise",
    "return",
    "True",
    "try",
    "with",
    "while",
    "yield",
    "uninitialized",
    "unchecked_cast",
];

/// How deep closures, blocks and expressions may nest in what is printed.
const MAX_DEPTH: usize = 400;

/// An expression this long, indentation included, gets a line of its own.
const LONG: usize = 40;

/// One file that is being printed.
#[derive(Default)]
pub(super) struct FilePrinter {
    pub body: Text,
    pub level: usize,
    used: FxHashSet<String>,
    /// The next number that is tried behind a name; goes on from one function to the next.
    next: FxHashMap<String, usize>,
    /// The name of the function, for errors.
    function: Option<Arc<str>>,
}

/// The state of printing one graph: how each value is written where it is used.
struct Scope<'g> {
    graph: &'g Graph,
    inline: Vec<bool>,
    texts: Vec<Option<Rc<Text>>>,
    names: Vec<Option<Rc<str>>>,
    /// Declared with their type already.
    annotated: Vec<bool>,
    /// By user: the last operand that was looked at when long lines were split.
    split: FxHashMap<User, i64>,
    depth: usize,
}

/// What uses values: a node, or the end of a block.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
enum User {
    Node(NodeId),
    Block(BlockId),
}

impl User {
    fn of(usage: Use) -> (User, i64) {
        match usage {
            Use::Node(node, index) => (User::Node(node), i64::from(index)),
            Use::Block(block, index) => (User::Block(block), i64::from(index)),
        }
    }
    fn operands(self, graph: &Graph) -> &[ValueId] {
        match self {
            User::Node(node) => graph.inputs(node),
            User::Block(block) => graph.block_outputs(block),
        }
    }
}

impl<'g> Scope<'g> {
    fn new(graph: &'g Graph, depth: usize) -> Scope<'g> {
        let values = graph.value_count();
        Scope {
            graph,
            inline: inlined(graph),
            texts: vec![None; values],
            names: vec![None; values],
            annotated: vec![false; values],
            split: FxHashMap::default(),
            depth,
        }
    }
    fn is_inline(&self, node: NodeId) -> bool {
        self.inline[node.index()]
    }
    /// Writes a value where it is used: a name at the place of its user, an expression at its own.
    fn write(&self, value: ValueId, out: &mut Text, place: u32) {
        // A name is preferred: it says that a statement has assigned the value.
        match (&self.names[value.index()], &self.texts[value.index()]) {
            (Some(name), _) => out.put(name, place),
            (None, Some(text)) => out.put_text(text),
            // Only a graph whose values are used before they are made gets here.
            (None, None) => out.put("None", place),
        }
    }
    fn usage(&self, value: ValueId, place: u32) -> Rc<Text> {
        let mut text = Text::default();
        self.write(value, &mut text, place);
        Rc::new(text)
    }
    fn text(&self, value: ValueId) -> String {
        self.usage(value, 0).out.clone()
    }
    fn ty(&self, value: ValueId) -> &'g Type {
        self.graph.ty(value)
    }
}

fn is_union(ty: &Type) -> bool {
    matches!(ty, Type::Union(_) | Type::Optional(_))
}

/// Letters and digits as they are, everything else as an underscore.
fn valid_identifier(name: &str) -> String {
    let mut out = String::new();
    if name.is_empty() || name.starts_with(|c: char| c.is_ascii_digit()) {
        out.push('_');
    }
    out.extend(name.bytes().map(|b| if b.is_ascii_alphanumeric() || b == b'_' { char::from(b) } else { '_' }));
    out
}

impl FilePrinter {
    pub(super) fn line(&mut self, line: &str) {
        self.indent(0);
        self.body.put(line, 0);
        self.body.put("\n", 0);
    }

    fn indent(&mut self, place: u32) {
        for _ in 0..self.level {
            self.body.put("  ", place);
        }
    }

    fn fresh(&mut self, candidate: &str) -> String {
        let mut name = candidate.to_owned();
        while self.used.contains(&name) || RESERVED.contains(&name.as_str()) {
            let next = self.next.entry(name.clone()).or_default();
            name = format!("{candidate}{next}");
            *next += 1;
        }
        self.used.insert(name.clone());
        name
    }

    /// `def f(a: int,` … and the body.
    pub(super) fn function(&mut self, shared: &mut Shared, function: &Function, typed: bool) -> Result<(), Error> {
        self.used.clear();
        self.function = Some(function.name.clone());
        let graph = &function.graph;
        let mut scope = Scope::new(graph, 0);
        let mut header = format!("def {}(", simple_name(&function.name));
        for (index, param) in function.params.iter().enumerate() {
            shared.depend_on_type(&param.ty);
            let name = self.fresh(&param.name);
            if index > 0 {
                header.push_str(",\n    ");
            }
            header.push_str(&name);
            let value = graph.block_inputs(graph.root()).get(index).copied();
            if index > 0 || typed {
                header.push_str(&format!(": {}", param.ty.annotation_str()));
                if let Some(value) = value {
                    scope.annotated[value.index()] = true;
                }
            }
            if let Some(default) = &param.default {
                header.push_str(&format!("={}", shared.constant(default)));
            }
            if let Some(value) = value {
                scope.names[value.index()] = Some(name.as_str().into());
            }
        }
        header.push_str(&format!(") -> {}:", function.returns.annotation_str()));
        self.line(&header);
        shared.depend_on_type(&function.returns);
        Body { file: self, shared, place: 0 }.body(&mut scope)
    }
}

/// Prints nodes into a file.
struct Body<'f, 's, 'u> {
    file: &'f mut FilePrinter,
    shared: &'s mut Shared<'u>,
    /// The tag of the node that is being printed.
    place: u32,
}

impl Body<'_, '_, '_> {
    fn body(&mut self, s: &mut Scope) -> Result<(), Error> {
        let root = s.graph.root();
        self.file.level += 1;
        let outer = self.place;
        for node in constants_in_order(s.graph) {
            self.place = self.shared.tag(s.graph.loc(node));
            self.expression_node(s, node)?;
        }
        self.place = outer;
        let outputs = s.graph.block_outputs(root).to_vec();
        self.block(s, root, !outputs.is_empty())?;
        if !outputs.is_empty() {
            self.put_indent();
            self.put("return ");
            self.put_list(s, &outputs);
            self.put("\n");
        }
        self.file.level -= 1;
        Ok(())
    }

    fn put(&mut self, text: &str) {
        self.file.body.put(text, self.place);
    }
    fn put_text(&mut self, text: &Text) {
        self.file.body.put_text(text);
    }
    fn put_value(&mut self, s: &Scope, value: ValueId) {
        s.write(value, &mut self.file.body, self.place);
    }
    fn put_indent(&mut self) {
        self.file.indent(self.place);
    }
    fn put_list(&mut self, s: &Scope, values: &[ValueId]) {
        for (index, value) in values.iter().enumerate() {
            if index > 0 {
                self.put(", ");
            }
            self.put_value(s, *value);
        }
    }

    fn inexpressible(&self, s: &Scope, node: NodeId, why: impl Into<String>) -> Error {
        let function = self.file.function.clone().unwrap_or_else(|| "".into());
        Error::Inexpressible { function, node: s.graph.kind(node).to_string(), why: why.into() }
    }

    fn assign_names(&mut self, s: &mut Scope, values: &[ValueId]) {
        for value in values {
            let candidate = s.graph.name(*value).map_or_else(|| "_".to_owned(), |n| valid_identifier(n));
            let name = self.file.fresh(&candidate);
            s.names[value.index()] = Some(name.into());
        }
    }

    fn block(&mut self, s: &mut Scope, block: BlockId, has_more: bool) -> Result<(), Error> {
        s.depth += 1;
        if s.depth > MAX_DEPTH {
            let owner = s.graph.block_owner(block);
            return Err(match owner {
                Some(node) => self.inexpressible(s, node, format!("blocks nest deeper than {MAX_DEPTH}")),
                None => Error::Undefined("a graph without end".into()),
            });
        }
        let nodes = s.graph.block_nodes(block).to_vec();
        if !has_more && nodes.is_empty() {
            self.put_indent();
            self.put("pass\n");
        }
        let mut previous_enters = false;
        for node in nodes {
            if s.graph.is(node, "prim::Constant") {
                previous_enters = false;
                continue;
            }
            let outer = self.place;
            self.place = self.shared.tag(s.graph.loc(node));
            self.statement(s, node, previous_enters)?;
            self.place = outer;
            previous_enters = s.graph.is(node, "prim::Enter");
        }
        s.depth -= 1;
        Ok(())
    }

    fn depend(&mut self, s: &Scope, node: NodeId) {
        for value in s.graph.inputs(node).iter().chain(s.graph.outputs(node)) {
            self.shared.depend_on_type(s.ty(*value));
        }
        for (_, attr) in s.graph.attrs(node) {
            match attr {
                Attr::Type(ty) => self.shared.depend_on_type(ty),
                Attr::Types(types) => types.iter().for_each(|t| self.shared.depend_on_type(t)),
                _ => {}
            }
        }
    }

    fn statement(&mut self, s: &mut Scope, node: NodeId, previous_enters: bool) -> Result<(), Error> {
        let g = s.graph;
        self.depend(s, node);
        match &**g.kind(node) {
            "prim::If" => self.conditional(s, node),
            "prim::Loop" => self.repetition(s, node),
            "prim::TupleUnpack" | "prim::ListUnpack" => {
                let outputs = g.outputs(node).to_vec();
                self.assign_names(s, &outputs);
                self.put_indent();
                if !outputs.is_empty() {
                    self.put_list(s, &outputs);
                    // The comma makes it an unpacking also where there is one name.
                    self.put(", = ");
                }
                self.put_list(s, &g.inputs(node)[..g.inputs(node).len().min(1)]);
                self.put("\n");
                Ok(())
            }
            "prim::SetAttr" => {
                let (object, value) = self.two(s, node)?;
                let name = self.name_attr(s, node)?;
                self.put_indent();
                self.put_value(s, object);
                self.put(&format!(".{name} = "));
                self.put_value(s, value);
                self.put("\n");
                Ok(())
            }
            "prim::fork" | "prim::awaitable" => self.closure(s, node),
            "prim::Enter" => {
                let (Some(context), Some(value)) = (g.input(node, 0), g.output(node)) else {
                    return Err(self.inexpressible(s, node, "it has no operand"));
                };
                self.put_indent();
                self.put("with ");
                self.put_value(s, context);
                if !g.uses(value).is_empty() {
                    self.assign_names(s, &[value]);
                    self.put(" as ");
                    self.put_value(s, value);
                }
                self.put(":\n");
                self.file.level += 1;
                Ok(())
            }
            "prim::Exit" => {
                if previous_enters {
                    self.put_indent();
                    self.put("pass\n");
                }
                self.file.level = self.file.level.saturating_sub(1);
                Ok(())
            }
            "prim::ModuleContainerIndex" => {
                let (container, key) = self.two(s, node)?;
                let outputs = g.outputs(node).to_vec();
                self.assign_names(s, &outputs);
                self.put_indent();
                self.put_list(s, &outputs);
                if let Some(value) = outputs.first() {
                    self.put(&format!(" : {} = ", s.ty(*value).annotation_str()));
                }
                self.put_value(s, container);
                self.put("[");
                self.put_value(s, key);
                self.put("]\n");
                Ok(())
            }
            _ => self.expression_node(s, node),
        }
    }

    fn two(&self, s: &Scope, node: NodeId) -> Result<(ValueId, ValueId), Error> {
        match s.graph.inputs(node) {
            [a, b] => Ok((*a, *b)),
            other => Err(self.inexpressible(s, node, format!("it has {} operands, expected 2", other.len()))),
        }
    }

    fn name_attr(&self, s: &Scope, node: NodeId) -> Result<Arc<str>, Error> {
        s.graph.str_attr(node, "name").cloned().ok_or_else(|| self.inexpressible(s, node, "it has no name"))
    }

    /// Writes a node's expression into its user, or on a line of its own.
    fn expression_node(&mut self, s: &mut Scope, node: NodeId) -> Result<(), Error> {
        if s.graph.is(node, "prim::Constant") {
            self.depend(s, node);
        }
        let text = self.expression(s, node)?;
        let is_long = |b: &Self, text: &Text| text.out.len() + b.file.level * 2 >= LONG;
        let value = s.graph.output(node);
        let own_line = !s.is_inline(node) || (s.graph.is(node, "prim::Constant") && is_long(self, &text));
        match value {
            Some(value) if !own_line => {
                let long = is_long(self, &text);
                s.texts[value.index()] = Some(Rc::new(text));
                if long {
                    self.split_long(s, value);
                }
            }
            _ => self.definition(s, node, &text),
        }
        Ok(())
    }

    /// `a, b = expression`
    fn definition(&mut self, s: &mut Scope, node: NodeId, text: &Text) {
        let outputs = s.graph.outputs(node).to_vec();
        self.assign_names(s, &outputs);
        self.put_indent();
        if !outputs.is_empty() {
            self.put_list(s, &outputs);
            self.put(" = ");
        }
        self.put_text(text);
        self.put("\n");
    }

    /// An expression has become long: it and all that is evaluated before it in the same statement get lines of their own.
    fn split_long(&mut self, s: &mut Scope, value: ValueId) {
        let mut reversed = Vec::new();
        let mut next = s.graph.uses(value).first().map(|u| User::of(*u));
        while let Some((user, last)) = next.take() {
            let known = s.split.insert(user, last);
            let from = known.map_or(0, |k| k + 1);
            for index in (from..=last).rev() {
                let operand = usize::try_from(index).ok().and_then(|i| user.operands(s.graph).get(i));
                if let Some(node) = operand.and_then(|v| s.graph.defining(*v))
                    && s.is_inline(node)
                    && !s.graph.is(node, "prim::Constant")
                {
                    reversed.extend(operand);
                }
            }
            // Further up only what stands in front of the expression is split.
            if let (None, User::Node(node)) = (known, user)
                && s.is_inline(node)
            {
                let value = s.graph.output(node);
                let usage = value.and_then(|v| s.graph.uses(v).first());
                next = usage.map(|u| User::of(*u)).map(|(user, index)| (user, index - 1));
            }
        }
        for value in reversed.into_iter().rev() {
            if let Some(node) = s.graph.defining(value) {
                let text = s.usage(value, self.place);
                self.definition(s, node, &text);
            }
        }
    }

    fn conditional(&mut self, s: &mut Scope, node: NodeId) -> Result<(), Error> {
        let g = s.graph;
        let (Some(condition), [then, otherwise]) = (g.input(node, 0), g.blocks(node)) else {
            return Err(self.inexpressible(s, node, "it needs a condition and two blocks"));
        };
        let outputs = g.outputs(node).to_vec();
        self.assign_names(s, &outputs);
        for (word, block) in [("if ", *then), ("else", *otherwise)] {
            self.put_indent();
            self.put(word);
            if block == *then {
                self.put_value(s, condition);
            }
            self.put(":\n");
            self.file.level += 1;
            self.block(s, block, !outputs.is_empty())?;
            self.assignment(s, &outputs, g.block_outputs(block));
            self.file.level -= 1;
        }
        Ok(())
    }

    fn repetition(&mut self, s: &mut Scope, node: NodeId) -> Result<(), Error> {
        let g = s.graph;
        let ([trip, condition, initial @ ..], [block]) = (g.inputs(node), g.blocks(node)) else {
            return Err(self.inexpressible(s, node, "it needs a trip count, a condition and a block"));
        };
        let (block, initial) = (*block, initial.to_vec());
        let (inputs, results) = (g.block_inputs(block).to_vec(), g.block_outputs(block).to_vec());
        let outputs = g.outputs(node).to_vec();
        let ([counter, carried @ ..], [next, ..]) = (&inputs[..], &results[..]) else {
            return Err(self.inexpressible(s, node, "its block needs a counter and a condition"));
        };
        let is_for = self.is_for(s, node, *trip, *condition, *next, *counter)?;
        self.assign_names(s, &outputs);
        for (input, output) in carried.iter().zip(&outputs) {
            s.texts[input.index()] = Some(s.usage(*output, self.place));
        }
        self.annotated_assignment(s, &outputs, &initial);
        self.assign_names(s, &[*counter]);
        if is_for {
            self.put_indent();
            self.put("for ");
            self.put_value(s, *counter);
            self.put(" in range(");
            self.put_value(s, *trip);
            self.put("):\n");
        } else {
            // Nothing uses a `while` loop's counter, so its name is that of the condition.
            self.assignment(s, &[*counter], &[*condition]);
            self.put_indent();
            self.put("while ");
            self.put_value(s, *counter);
            self.put(":\n");
        }
        let skipped = usize::from(is_for);
        self.file.level += 1;
        self.block(s, block, inputs.len() > skipped)?;
        self.assignment(s, &inputs[skipped..], &results[skipped.min(results.len())..]);
        self.file.level -= 1;
        Ok(())
    }

    /// A loop counts or has a condition; one that does both has no Python form.
    fn is_for(
        &self,
        s: &Scope,
        node: NodeId,
        trip: ValueId,
        condition: ValueId,
        next: ValueId,
        counter: ValueId,
    ) -> Result<bool, Error> {
        let g = s.graph;
        let is_true = |v: ValueId| matches!(g.constant(v), Some(IValue::Bool(true)));
        let counts = !matches!(g.constant(trip), Some(IValue::Int(i64::MAX))) || !g.uses(counter).is_empty();
        match (is_true(condition) && is_true(next), counts) {
            (true, counts) => Ok(counts),
            (false, false) => Ok(false),
            (false, true) => Err(self.inexpressible(s, node, "the loop both counts and has a condition")),
        }
    }

    /// `a, b = x, y`
    fn assignment(&mut self, s: &mut Scope, left: &[ValueId], right: &[ValueId]) {
        if left.is_empty() {
            return;
        }
        self.put_indent();
        self.put_list(s, left);
        if let [value] = left {
            let at = value.index();
            if !s.annotated[at] && s.texts[at].is_none() && is_union(s.ty(*value)) {
                self.put(&format!(" : {}", s.ty(*value).annotation_str()));
                s.annotated[at] = true;
            }
        }
        self.put(" = ");
        self.put_list(s, right);
        self.put("\n");
    }

    /// `a: Optional[int] = x`, one line each.
    fn annotated_assignment(&mut self, s: &mut Scope, left: &[ValueId], right: &[ValueId]) {
        for (value, initial) in left.iter().zip(right) {
            self.put_indent();
            self.put_value(s, *value);
            let ty = s.ty(*value);
            let annotate = if is_union(ty) {
                !std::mem::replace(&mut s.annotated[value.index()], true)
            } else {
                ty != s.ty(*initial)
            };
            if annotate {
                self.put(&format!(": {}", ty.annotation_str()));
            }
            self.put(" = ");
            self.put_value(s, *initial);
            self.put("\n");
        }
    }

    /// `def __forked_function(): …` and the call that runs it.
    fn closure(&mut self, s: &mut Scope, node: NodeId) -> Result<(), Error> {
        let Some(Attr::Graph(graph)) = s.graph.attr(node, "Subgraph") else {
            return Err(self.inexpressible(s, node, "it has no body"));
        };
        if s.depth > MAX_DEPTH {
            return Err(self.inexpressible(s, node, format!("closures nest deeper than {MAX_DEPTH}")));
        }
        let (word, base) = if s.graph.is(node, "prim::fork") {
            ("fork", "__forked_function")
        } else {
            ("awaitable", "__awaitable_function")
        };
        let name = self.file.fresh(base);
        self.put_indent();
        self.put(&format!("def {name}():\n"));
        let mut inner = Scope::new(graph, s.depth + 1);
        for (formal, actual) in graph.block_inputs(graph.root()).iter().zip(s.graph.inputs(node)) {
            inner.texts[formal.index()] = Some(s.usage(*actual, self.place));
        }
        self.body(&mut inner)?;
        let mut call = Text::default();
        call.put(&format!("{word}({name})"), self.place);
        self.definition(s, node, &call);
        Ok(())
    }
}

/// The constants of a graph in the order in which they are used.
fn constants_in_order(graph: &Graph) -> Vec<NodeId> {
    struct Walk<'g> {
        graph: &'g Graph,
        seen: Vec<bool>,
        out: Vec<NodeId>,
    }
    impl Walk<'_> {
        fn values(&mut self, values: &[ValueId]) {
            for value in values {
                if let Def::Output(node, _) = self.graph.def(*value)
                    && self.graph.is(node, "prim::Constant")
                    && !std::mem::replace(&mut self.seen[node.index()], true)
                {
                    self.out.push(node);
                }
            }
        }
        fn block(&mut self, block: BlockId) {
            for node in self.graph.block_nodes(block) {
                self.values(self.graph.inputs(*node));
                for inner in self.graph.blocks(*node) {
                    self.block(*inner);
                }
            }
            self.values(self.graph.block_outputs(block));
        }
    }
    let mut walk = Walk { graph, seen: vec![false; graph.node_count()], out: Vec::new() };
    walk.block(graph.root());
    walk.out
}
