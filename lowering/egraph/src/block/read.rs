//! A block's operations as terms.

use crate::facts::{Facts, Graph};
use crate::term::{Head, Literal, Term};
use egg::{Analysis as _, Id};
use rustc_hash::{FxHashMap, FxHashSet};
use sconce_analysis::alias::{id, is_mutable};
use sconce_analysis::effects::{Effect, effect};
use sconce_analysis::operators::{Constant, constant, is_silent, kind, operator_name, source};
use sconce_analysis::refine;
use sconce_analysis::types::{Tensor, TorchType, holds_tensors};
use sconce_analysis::{Aliases, Rows};
use sconce_ir::prelude::*;
use sconce_ir::torch_type::Parts;
use sconce_pass::refusals::{self, Refusal};
use sconce_schema::Type as ScriptType;
use sconce_torch::NAMED_CONSTANT;
use sconce_torch::types::from_mlir;

/// Which tensors terms are about; a term is about one of both.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Kind {
    /// `!torch.vtensor`.
    Values,
    /// `!torch.tensor` that nothing writes to.
    Tensors,
}

impl Kind {
    /// Is something in the block about them?
    pub fn is_in(self, block: BlockRef<'_, '_>) -> bool {
        let is_it = |v: Value<'_, '_>| Tensor::of(v.r#type()).is_some_and(|t| t.value == (self == Kind::Values));
        block.ops().into_iter().any(|op| op.result_values().into_iter().any(is_it))
    }
}

/// Why an operation is no term.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum NoTerm {
    Effects,
    Layout,
    Written,
    Held,
}

impl NoTerm {
    /// A word and a sentence.
    fn said(self) -> (&'static str, String) {
        let (code, why) = match self {
            NoTerm::Effects => {
                ("effects", "it does more than to compute values, or depends on how tensors lie in memory")
            }
            NoTerm::Layout => ("layout", "it may refuse a tensor for how it lies in memory"),
            NoTerm::Written => ("written", "what it is given or gives is written to, or is no value"),
            NoTerm::Held => ("held", "the list that it makes is held by something else"),
        };
        (code, why.to_owned())
    }
}

/// A block's terms.
pub struct Program<'c, 'a> {
    pub graph: Graph,
    pub kind: Kind,
    /// What is needed by what is no term, in program order.
    pub roots: Vec<Root<'c, 'a>>,
    /// What roots that stay may be views of, by [`ValueExt::id`].
    pub(super) viewed: FxHashSet<usize>,
    /// Operations that are terms, with their places and their results' classes.
    pub(super) terms: Vec<(OperationRef<'c, 'a>, usize, Vec<Id>)>,
    /// Operations with several results, as wholes: the class, and which of the terms.
    pub(super) wholes: Vec<(Id, usize)>,
    /// Casts that pass a term on.
    pub(super) casts: Vec<OperationRef<'c, 'a>>,
    /// The leaves' values, and behind which operation each is there.
    pub(super) leaves: Vec<(Value<'c, 'a>, usize)>,
}

/// A value that something needs which is no term.
pub struct Root<'c, 'a> {
    pub value: Value<'c, 'a>,
    pub class: Id,
    /// Its operation's place in the block, from 1.
    pub place: usize,
    pub replaceable: Replaceable,
}

/// What may stand for a root.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Replaceable {
    ByAll,
    /// What leaves the function is made anew and is nothing else.
    ByNew,
    /// How it lies in memory is asked, or which object it is.
    Never,
}

/// Reads a block. What is to be explained remembers why things are equal. `aliases` say who writes to tensors.
pub fn read<'c: 'a, 'a>(
    block: BlockRef<'c, 'a>,
    kind: Kind,
    aliases: Option<&Aliases<'c>>,
    is_explained: bool,
) -> Program<'c, 'a> {
    let graph = Graph::new(Facts::default());
    let graph = if is_explained { graph.with_explanations_enabled() } else { graph };
    let program = Program {
        graph,
        kind,
        roots: Vec::new(),
        viewed: FxHashSet::default(),
        terms: Vec::new(),
        wholes: Vec::new(),
        casts: Vec::new(),
        leaves: Vec::new(),
    };
    let mut reader =
        Reader { program, aliases, known: FxHashMap::default(), places: FxHashMap::default(), rows: Rows::default() };
    for (place, op) in block.ops().into_iter().enumerate() {
        reader.places.insert(id(op), place + 1);
        reader.rows.note(op);
        if is_silent(op) {
            reader.program.casts.push(op);
        } else if let Some(classes) = reader.terms(op) {
            for (value, class) in op.result_values().into_iter().zip(&classes) {
                reader.known.insert(value.id(), *class);
                reader.learn(value, *class);
            }
            reader.program.terms.push((op, place + 1, classes));
        }
    }
    reader.roots();
    let mut program = reader.program;
    program.graph.rebuild();
    program.graph.analysis.given = program.terms.iter().flat_map(|(.., classes)| classes.clone()).collect();
    program
}

/// A constant that is a term of its own.
fn term_of(value: Value<'_, '_>) -> Option<Constant> {
    constant(value).filter(|_| !is_empty_of_others(value))
}

/// An empty list of something else than ints: it is not told from those of other elements by what it holds.
fn is_empty_of_others(value: Value<'_, '_>) -> bool {
    let is_empty = || match value.defining_op() {
        Some(op) if op.is("torch.prim.ListConstruct") => op.operand_values().is_empty(),
        _ => matches!(constant(value), Some(Constant::List(items)) if items.is_empty()),
    };
    matches!(from_mlir(value.r#type()), Some(ScriptType::List(element)) if *element != ScriptType::Int) && is_empty()
}

struct Reader<'c, 'a, 'r> {
    program: Program<'c, 'a>,
    aliases: Option<&'r Aliases<'c>>,
    /// Classes of values.
    known: FxHashMap<usize, Id>,
    /// Places of operations of this block, from 1.
    places: FxHashMap<usize, usize>,
    rows: Rows,
}

impl<'c: 'a, 'a> Reader<'c, 'a, '_> {
    /// The classes of an operation's results, if it is a term.
    fn terms(&mut self, op: OperationRef<'c, 'a>) -> Option<Vec<Id>> {
        let results = op.result_values();
        if let [result] = results[..]
            && !op.is("torch.prim.ListConstruct")
            && let Some(value) = term_of(result)
        {
            return Some(vec![self.constant(&value)]);
        }
        if results.iter().any(|v| is_empty_of_others(*v)) {
            return None;
        }
        if let Some(why) = self.no_term(op) {
            self.refuse(op, why);
            return None;
        }
        let children: Vec<Id> = op.operand_values().into_iter().map(|v| self.class(v)).collect();
        let graph = &mut self.program.graph;
        match op.op_name() {
            "torch.prim.ListConstruct" => Some(vec![graph.add(Term::new(Head::List, children))]),
            "torch.prim.ListUnpack" => {
                let whole = *children.first()?;
                let items = graph[whole].nodes.iter().find(|t| t.head == Head::List).map(|t| t.children.clone());
                let part = |graph: &mut Graph, i: usize| match items.as_ref().and_then(|items| items.get(i)) {
                    Some(item) => *item,
                    None => graph.add(Term::new(Head::Part(i as u32), [whole])),
                };
                Some((0..results.len()).map(|i| part(graph, i)).collect())
            }
            _ => {
                let entry = sconce_torch::entry(op).filter(|e| e.schema().arguments.len() == children.len())?;
                let whole = graph.add(Term::new(Head::Operator(entry), children));
                if results.len() == 1 {
                    return Some(vec![whole]);
                }
                let part = |i| graph.add(Term::new(Head::Part(i), [whole]));
                let parts = (0..results.len() as u32).map(part).collect();
                self.program.wholes.push((whole, self.program.terms.len()));
                Some(parts)
            }
        }
    }

    /// What the type says of a result beside what its rule does; an operator may have none.
    fn learn(&mut self, value: Value<'c, 'a>, class: Id) {
        let graph = &mut self.program.graph;
        let mut known = graph[class].data.clone();
        if Tensor::of(value.r#type()).is_some() && graph.analysis.merge(&mut known, refine::meta(value)).0 {
            graph.set_analysis_data(class, known);
        }
    }

    /// The class of an operand: a leaf when nothing in this block makes it as a term.
    fn class(&mut self, value: Value<'c, 'a>) -> Id {
        let value = source(value);
        if let Some(class) = self.known.get(&value.id()) {
            return *class;
        }
        let maker = value.defining_op();
        let place = maker.and_then(|op| self.places.get(&id(op)).copied()).unwrap_or(0);
        let class = match term_of(value) {
            Some(value) => self.constant(&value),
            None => {
                self.program.leaves.push((value, place));
                let is_constant = maker.is_some_and(|op| kind(op) == NAMED_CONSTANT);
                let leaf = self.program.graph.analysis.leaf(refine::meta(value), is_constant);
                self.program.graph.add(leaf)
            }
        };
        self.known.insert(value.id(), class);
        class
    }

    /// A constant's class; lists are made of their elements.
    fn constant(&mut self, value: &Constant) -> Id {
        let literal = match value {
            Constant::None => Literal::None,
            Constant::Bool(b) => Literal::Bool(*b),
            Constant::Int(n) => Literal::Int(*n),
            Constant::Float(x) => Literal::float(*x),
            Constant::Str(s) => Literal::Str(s.as_str().into()),
            Constant::Device(d) => Literal::Device(d.as_str().into()),
            Constant::List(items) => {
                let items: Vec<Id> = items.iter().map(|item| self.constant(item)).collect();
                return self.program.graph.add(Term::new(Head::List, items));
            }
        };
        self.program.graph.add(Term::literal(literal))
    }

    /// Why it does more than make values of values; nothing where it does no more.
    fn no_term(&self, op: OperationRef<'c, 'a>) -> Option<NoTerm> {
        let structural = op.is("torch.prim.ListConstruct") || op.is("torch.prim.ListUnpack");
        if !op.region_refs().is_empty() || !structural && !is_pure_operator(op) {
            return Some(NoTerm::Effects);
        }
        if self.may_refuse_layout(op) {
            return Some(NoTerm::Layout);
        }
        let results = op.result_values();
        if !op.operand_values().into_iter().chain(results.iter().copied()).all(|v| self.is_value(v)) {
            return Some(NoTerm::Written);
        }
        // A list that something else holds may be changed, and is told from an equal one.
        let mut lists = results.into_iter().filter(|v| is_list(v.r#type()));
        let is_held = lists.any(|v| !v.uses().iter().all(|u| only_reads(u.owner)));
        is_held.then_some(NoTerm::Held)
    }

    /// Says why an operator on tensors of this kind is not rewritten.
    fn refuse(&self, op: OperationRef<'c, 'a>, why: NoTerm) {
        let is_asked = refusals::are_wanted() && sconce_torch::entry(op).is_some();
        let is_it = |v: &Value<'c, 'a>| is_of_kind(v.r#type(), self.program.kind) && holds_tensors(v.r#type());
        if is_asked && op.result_values().iter().any(is_it) {
            refusals::refuse(Refusal::of(crate::pass::NAME, op, operator_name(op), why.said()));
        }
    }

    /// May the operator refuse a tensor for how it lies in memory, which no rule knows? Values lie in no way.
    fn may_refuse_layout(&self, op: OperationRef<'c, 'a>) -> bool {
        self.program.kind == Kind::Tensors && self.rows.may_refuse(op)
    }

    /// Is it something that nothing changes?
    fn is_value(&self, value: Value<'c, 'a>) -> bool {
        let ty = value.r#type();
        is_of_kind(ty, self.program.kind) && (!is_mutable(ty) || self.aliases.is_some_and(|a| !a.has_writers(value)))
    }

    /// Finds the results that are needed by what is no term.
    fn roots(&mut self) {
        let terms: FxHashSet<usize> = self.program.terms.iter().map(|(op, ..)| id(*op)).collect();
        let mut roots = Vec::new();
        for (op, place, classes) in &self.program.terms {
            for (value, class) in op.result_values().into_iter().zip(classes) {
                let users = users(value);
                if users.iter().any(|user| !terms.contains(&id(*user))) {
                    let replaceable = self.replaceable(*op, value, &users);
                    roots.push(Root { value, class: *class, place: *place, replaceable });
                }
            }
        }
        // Of two that leave the function and are equal, each is an object.
        let mut seen: FxHashMap<Id, usize> = FxHashMap::default();
        roots
            .iter()
            .filter(|r| r.replaceable == Replaceable::ByNew)
            .for_each(|r| *seen.entry(r.class).or_default() += 1);
        self.program.viewed = viewed(&roots);
        for root in &mut roots {
            let is_viewed = root.replaceable == Replaceable::ByNew && self.program.viewed.contains(&root.value.id());
            if is_viewed || seen.get(&root.class).is_some_and(|times| *times > 1) {
                root.replaceable = Replaceable::Never;
            }
        }
        self.program.roots = roots;
    }

    fn replaceable(
        &self,
        op: OperationRef<'c, 'a>,
        value: Value<'c, 'a>,
        users: &[OperationRef<'c, 'a>],
    ) -> Replaceable {
        if users.iter().any(|user| reads_layout(*user) || self.may_refuse_layout(*user)) {
            return Replaceable::Never;
        }
        let leaves = self.program.kind == Kind::Tensors
            && holds_tensors(value.r#type())
            && self.aliases.is_none_or(|a| a.escapes(value));
        match (leaves, effect(op)) {
            (false, _) => Replaceable::ByAll,
            (true, Effect::Fresh) => Replaceable::ByNew,
            (true, _) => Replaceable::Never,
        }
    }
}

/// What roots that stay may be views of, by [`ValueExt::id`]: where both leave the function, they go on sharing memory.
fn viewed<'c: 'a, 'a>(roots: &[Root<'c, 'a>]) -> FxHashSet<usize> {
    let mut viewed = FxHashSet::default();
    let mut stack: Vec<Value<'c, 'a>> =
        roots.iter().filter(|root| root.replaceable == Replaceable::Never).map(|root| root.value).collect();
    while let Some(value) = stack.pop() {
        let Some(op) = source(value).defining_op().filter(|op| effect(*op) != Effect::Fresh) else { continue };
        let operands = op.operand_values().into_iter().map(source);
        stack.extend(operands.filter(|operand| viewed.insert(operand.id())));
    }
    viewed
}

/// Operations that use a value, through casts.
fn users<'c: 'a, 'a>(value: Value<'c, 'a>) -> Vec<OperationRef<'c, 'a>> {
    let mut users = Vec::new();
    let mut values = vec![value];
    while let Some(value) = values.pop() {
        for usage in value.uses() {
            match is_silent(usage.owner) {
                true => values.extend(usage.owner.result_values()),
                false => users.push(usage.owner),
            }
        }
    }
    users
}

/// Does it depend on how an operand lies in memory, so that equal tensors give different results?
fn reads_layout(op: OperationRef<'_, '_>) -> bool {
    const READERS: &[&str] = &[
        "aten.as_strided",
        "aten.as_strided_copy",
        "aten.as_strided_scatter",
        "aten.stride",
        "aten.storage_offset",
        "aten.is_contiguous",
        "aten.sym_is_contiguous",
        "aten.data_ptr",
        "aten.is_set_to",
        "prim.data",
    ];
    READERS.contains(&kind(op)) || op.is("torch.aten.view.dtype")
}

/// An operator that reads its operands and does nothing besides.
fn is_pure_operator(op: OperationRef<'_, '_>) -> bool {
    let Some(entry) = sconce_torch::entry(op) else { return false };
    let effect = effect(op);
    let is_told = entry.name.starts_with("aten::") && effect == Effect::View || effect == Effect::Fresh;
    is_told && !entry.schema().is_vararg && !reads_layout(op)
}

fn only_reads(op: OperationRef<'_, '_>) -> bool {
    op.is("torch.prim.ListUnpack") || is_pure_operator(op)
}

fn is_list(ty: Type<'_>) -> bool {
    Parts::of(ty).is_some_and(|p| p.word == "list")
}

/// Is it a type of constants, numbers, or tensors of this kind?
fn is_of_kind(ty: Type<'_>, kind: Kind) -> bool {
    match TorchType::of(ty) {
        TorchType::Tensor(t) => t.value == (kind == Kind::Values),
        TorchType::Other => Parts::of(ty).is_some_and(|p| {
            matches!(p.word, "list" | "optional") && p.types.first().is_some_and(|element| is_of_kind(*element, kind))
        }),
        _ => true,
    }
}
