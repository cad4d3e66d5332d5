//! A block as terms and back: operations on values become terms, and what is chosen becomes operations again, in places where what they need is there.
//!
//! What is no term (it writes, prints, holds blocks, or works on tensors that can be written to) stays where it is; what it gives is a leaf, what it takes a root.

use crate::extract::Choice;
use crate::facts::{Facts, Graph};
use crate::rules::is_pure;
use crate::term::{Head, Literal, Term};
use egg::{Analysis as _, Id};
use rustc_hash::FxHashMap;
use sconce_analysis::operators::{Constant, constant, source};
use sconce_analysis::refine;
use sconce_analysis::types::{Tensor, TorchType};
use sconce_ir::prelude::*;
use sconce_ir::torch_type::Parts;
use sconce_pass::Failure;
use sconce_schema::shape::{Meta, Size};
use sconce_schema::{OpEntry, Type as ScriptType};
use sconce_torch::types::{to_mlir, to_mlir_value};

/// A block's terms.
pub struct Program<'c, 'a> {
    pub graph: Graph,
    /// What is needed by what is no term, in program order: the value, its class and the place of its operation.
    pub roots: Vec<(Value<'c, 'a>, Id, usize)>,
    /// Operations that are terms, with their results' classes.
    terms: Vec<(OperationRef<'c, 'a>, usize, Vec<Id>)>,
    /// The leaves' values, and behind which operation each is there.
    leaves: Vec<(Value<'c, 'a>, usize)>,
}

/// Reads a block. What is to be explained remembers why things are equal.
pub fn read<'c: 'a, 'a>(block: BlockRef<'c, 'a>, is_explained: bool) -> Program<'c, 'a> {
    let graph = Graph::new(Facts::default());
    let mut reader = Reader {
        program: Program {
            graph: if is_explained { graph.with_explanations_enabled() } else { graph },
            roots: Vec::new(),
            terms: Vec::new(),
            leaves: Vec::new(),
        },
        known: FxHashMap::default(),
        places: FxHashMap::default(),
    };
    for (place, op) in block.ops().into_iter().enumerate() {
        reader.places.insert(id(op), place + 1);
        if let Some(classes) = reader.terms(op) {
            for (value, class) in op.result_values().into_iter().zip(&classes) {
                reader.known.insert(value.id(), *class);
                reader.learn(value, *class);
            }
            reader.program.terms.push((op, place + 1, classes));
        }
    }
    let are_terms: FxHashMap<usize, ()> = reader.program.terms.iter().map(|(op, ..)| (id(*op), ())).collect();
    let mut roots = Vec::new();
    for (op, place, classes) in &reader.program.terms {
        for (value, class) in op.result_values().into_iter().zip(classes) {
            if value.uses().iter().any(|u| !are_terms.contains_key(&id(u.owner))) {
                roots.push((value, *class, *place));
            }
        }
    }
    reader.program.roots = roots;
    reader.program.graph.rebuild();
    reader.program
}

fn id(op: OperationRef<'_, '_>) -> usize {
    sconce_analysis::alias::id(op)
}

struct Reader<'c, 'a> {
    program: Program<'c, 'a>,
    /// Classes of values.
    known: FxHashMap<usize, Id>,
    /// Places of operations of this block, from 1.
    places: FxHashMap<usize, usize>,
}

impl<'c: 'a, 'a> Reader<'c, 'a> {
    /// The classes of an operation's results, if it is a term.
    fn terms(&mut self, op: OperationRef<'c, 'a>) -> Option<Vec<Id>> {
        let results = op.result_values();
        if let [result] = results[..]
            && let Some(term) = literal(result)
        {
            return Some(vec![self.program.graph.add(term)]);
        }
        if !op.region_refs().is_empty() || !is_term(op) {
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
                Some(match results.len() {
                    1 => vec![whole],
                    n => (0..n).map(|i| graph.add(Term::new(Head::Part(i as u32), [whole]))).collect(),
                })
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
        let value = match value.defining_op().filter(|op| op.is("torch.derefine")) {
            Some(_) => source(value),
            None => value,
        };
        if let Some(class) = self.known.get(&value.id()) {
            return *class;
        }
        let place = value.defining_op().and_then(|op| self.places.get(&id(op)).copied()).unwrap_or(0);
        let term = match literal(value) {
            Some(term) => term,
            None => {
                self.program.leaves.push((value, place));
                self.program.graph.analysis.leaf(refine::meta(value))
            }
        };
        let class = self.program.graph.add(term);
        self.known.insert(value.id(), class);
        class
    }
}

/// A constant as a term; lists are made of their elements.
fn literal(value: Value<'_, '_>) -> Option<Term> {
    let literal = match constant(value)? {
        Constant::None => Literal::None,
        Constant::Bool(b) => Literal::Bool(b),
        Constant::Int(n) => Literal::Int(n),
        Constant::Float(x) => Literal::float(x),
        Constant::Str(s) => Literal::Str(s.into()),
        Constant::Device(d) => Literal::Device(d.into()),
        Constant::List(_) => return None,
    };
    Some(Term::literal(literal))
}

/// Does it only make values of values?
fn is_term(op: OperationRef<'_, '_>) -> bool {
    let structural = op.is("torch.prim.ListConstruct") || op.is("torch.prim.ListUnpack");
    if !structural && !sconce_torch::entry(op).is_some_and(|e| is_pure(e) && e.name.starts_with("aten::")) {
        return false;
    }
    let values = op.operand_values().into_iter().chain(op.result_values()).all(|v| is_value(v.r#type()));
    // A list that something else holds may be changed, and is told from an equal one.
    values
        && op
            .result_values()
            .into_iter()
            .filter(|v| is_list(v.r#type()))
            .all(|v| v.uses().iter().all(|u| only_reads(u.owner)))
}

fn only_reads(op: OperationRef<'_, '_>) -> bool {
    op.is("torch.prim.ListUnpack")
        || sconce_torch::entry(op).is_some_and(|e| is_pure(e) && e.name.starts_with("aten::"))
}

fn is_list(ty: Type<'_>) -> bool {
    Parts::of(ty).is_some_and(|p| p.word == "list")
}

/// Is it a type whose values nothing changes?
fn is_value(ty: Type<'_>) -> bool {
    match TorchType::of(ty) {
        TorchType::Tensor(t) => t.value,
        TorchType::Other => Parts::of(ty).is_some_and(|p| {
            matches!(p.word, "list" | "optional") && p.types.first().is_some_and(|element| is_value(*element))
        }),
        _ => true,
    }
}

/// Writes what was chosen back into the block. Gives how many roots are now computed in another way.
pub fn write<'c: 'a, 'a>(program: &Program<'c, 'a>, choice: &Choice) -> Result<usize, Failure> {
    let find = |class: &Id| program.graph.find(*class);
    let mut originals: FxHashMap<Id, Vec<(usize, usize)>> = FxHashMap::default();
    for (number, (_, _, classes)) in program.terms.iter().enumerate() {
        for (result, class) in classes.iter().enumerate() {
            originals.entry(find(class)).or_default().push((number, result));
        }
    }
    let mut writer = Writer { program, choice, originals, made: FxHashMap::default(), built: Vec::new() };
    let mut changed = 0;
    for (value, class, place) in &program.roots {
        let Some(before) = value.defining_op() else { continue };
        let Some(new) = writer.value(program.graph.find(*class), before, *place)? else { continue };
        if new.id() == value.id() {
            continue;
        }
        let new = writer.as_type(new, value.r#type(), before)?;
        value.replace_all_uses_with(new);
        changed += 1;
    }
    // What nothing uses any more goes: what was there, users before what they use, and what was built in vain.
    let all = program.terms.iter().map(|(op, ..)| *op);
    let mut dead: Vec<OperationRef<'c, 'a>> = all.chain(writer.built).collect();
    loop {
        let (unused, used): (Vec<_>, Vec<_>) = dead.into_iter().partition(|op| op.is_unused());
        if unused.is_empty() {
            return Ok(changed);
        }
        unused.into_iter().try_for_each(OpExt::erase)?;
        dead = used;
    }
}

struct Writer<'p, 'c, 'a> {
    program: &'p Program<'c, 'a>,
    choice: &'p Choice,
    /// For each class the operations that computed it before, and which of their results it was.
    originals: FxHashMap<Id, Vec<(usize, usize)>>,
    /// What was put in front of an operation at a place, by class: it is there for everything behind.
    made: FxHashMap<Id, Value<'c, 'a>>,
    built: Vec<OperationRef<'c, 'a>>,
}

impl<'c: 'a, 'a> Writer<'_, 'c, 'a> {
    /// The value of a class in front of an operation at a place; nothing if something that it needs is not there yet.
    fn value(
        &mut self,
        class: Id,
        before: OperationRef<'c, 'a>,
        place: usize,
    ) -> Result<Option<Value<'c, 'a>>, Failure> {
        if let Some(value) = self.made.get(&class) {
            return Ok(Some(*value));
        }
        let Some(term) = self.choice.get(&class).cloned() else { return Ok(None) };
        if let Head::Leaf(number) = term.head {
            let leaf = self.program.leaves.get(number as usize).filter(|(_, there)| *there < place);
            return Ok(leaf.map(|(value, _)| *value));
        }
        let mut operands = Vec::new();
        for child in &term.children {
            let Some(value) = self.value(self.program.graph.find(*child), before, place)? else { return Ok(None) };
            operands.push(value);
        }
        let value = match self.original(class, &term, &operands, place) {
            Some(value) => value,
            None => {
                let Some(value) = self.build(class, &term, &operands, before)? else { return Ok(None) };
                value
            }
        };
        self.made.insert(class, value);
        Ok(Some(value))
    }

    /// The operation that computes the term already, if it is there and has these operands.
    fn original(&self, class: Id, term: &Term, operands: &[Value<'c, 'a>], place: usize) -> Option<Value<'c, 'a>> {
        let known = self.originals.get(&class)?;
        known.iter().find_map(|(number, result)| {
            let (op, there, _) = self.program.terms.get(*number)?;
            if *there > place {
                return None;
            }
            let is_it = match &term.head {
                Head::Literal(_) => op.operand_values().is_empty(),
                Head::List => op.is("torch.prim.ListConstruct"),
                Head::Operator(entry) => {
                    op.result_values().len() == 1 && sconce_torch::entry(*op).is_some_and(|e| e.op() == entry.op())
                }
                // The operation has several results, of which the term is one.
                Head::Part(_) => op.result_values().len() > 1,
                Head::Leaf(_) => false,
            };
            let inputs: Vec<usize> = op.operand_values().into_iter().map(|v| source(v).id()).collect();
            let wanted: Vec<usize> = match (&term.head, operands) {
                // What a part is taken of is not looked up by itself.
                (Head::Part(_), [whole]) if !op.is("torch.prim.ListUnpack") => {
                    return (is_it && whole.defining_op().is_some_and(|w| id(w) == id(*op)))
                        .then(|| op.result_value(*result))
                        .flatten();
                }
                _ => operands.iter().map(|v| source(*v).id()).collect(),
            };
            (is_it && inputs == wanted).then(|| op.result_value(*result)).flatten()
        })
    }

    fn build(
        &mut self,
        class: Id,
        term: &Term,
        operands: &[Value<'c, 'a>],
        before: OperationRef<'c, 'a>,
    ) -> Result<Option<Value<'c, 'a>>, Failure> {
        let at = Builder::before(before);
        let context = at.context();
        let location = before.location();
        let known = &self.program.graph[class].data;
        let (op, result) = match &term.head {
            Head::Leaf(_) => return Ok(None),
            Head::Literal(value) => (constant_op(&at, location, value)?, 0),
            Head::List => {
                let element = match operands.first() {
                    Some(first) => element_type(context, first.r#type()),
                    None => to_mlir(context, &ScriptType::Int),
                };
                let list = element.and_then(|e| Parts { types: vec![e], ..Parts::word("list") }.to_type(context));
                let Some(list) = list else { return Ok(None) };
                (at.op("torch.prim.ListConstruct", location).operands(operands).results(&[list]).build()?, 0)
            }
            Head::Part(index) => {
                let index = *index as usize;
                let [whole] = operands else { return Ok(None) };
                if let Some(op) = whole.defining_op().filter(|op| op.result_values().len() > 1) {
                    return Ok(op.result_value(index));
                }
                let child = self.program.graph.find(term.children[0]);
                let Meta::List(items) = &self.program.graph[child].data else { return Ok(None) };
                let types: Option<Vec<Type<'c>>> = items.iter().map(|m| tensor_type(context, m)).collect();
                let Some(types) = types else { return Ok(None) };
                (at.op("torch.prim.ListUnpack", location).operands(&[*whole]).results(&types).build()?, index)
            }
            Head::Operator(entry) => {
                let Some(types) = result_types(context, entry, known) else { return Ok(None) };
                (at.op(&entry.dialect_name(), location).operands(operands).results(&types).build()?, 0)
            }
        };
        self.built.push(op);
        Ok(op.result_value(result))
    }

    /// The value as one of a type, by a cast where the types differ in what they say.
    fn as_type(
        &mut self,
        value: Value<'c, 'a>,
        ty: Type<'c>,
        before: OperationRef<'c, 'a>,
    ) -> Result<Value<'c, 'a>, Failure> {
        if value.r#type() == ty {
            return Ok(value);
        }
        let at = Builder::before(before);
        let cast =
            at.op("torch.tensor_static_info_cast", before.location()).operands(&[value]).results(&[ty]).build()?;
        self.built.push(cast);
        Ok(cast.result_value(0).unwrap_or(value))
    }
}

/// The type of a list's elements: lists of tensors say nothing of their sizes.
fn element_type<'c>(context: &'c Context, first: Type<'c>) -> Option<Type<'c>> {
    match Tensor::of(first) {
        Some(t) => Tensor { sizes: None, dtype: None, ..t }.to_type(context),
        None => Some(first),
    }
}

fn tensor_type<'c>(context: &'c Context, known: &Meta) -> Option<Type<'c>> {
    let Meta::Tensor(t) = known else { return None };
    let size = |s: &Size| if let Size::Known(n) = s { Some(*n) } else { None };
    let sizes = t.sizes.as_ref().map(|sizes| sizes.iter().map(size).collect());
    Tensor { value: true, sizes, dtype: t.dtype }.to_type(context)
}

/// The types of an operator's results.
fn result_types<'c>(context: &'c Context, entry: &OpEntry, known: &Meta) -> Option<Vec<Type<'c>>> {
    let returns = &entry.schema().returns;
    let one = |ty: &ScriptType, known: &Meta| match tensor_type(context, known) {
        Some(tensor) if ty.is_tensor() => Some(tensor),
        _ => to_mlir_value(context, ty),
    };
    match (known, &returns[..]) {
        (_, [only]) => one(&only.ty, known).map(|ty| vec![ty]),
        (Meta::List(items), several) if items.len() == several.len() => {
            several.iter().zip(items).map(|(r, known)| one(&r.ty, known)).collect()
        }
        (_, several) => several.iter().map(|r| to_mlir_value(context, &r.ty)).collect(),
    }
}

fn constant_op<'c: 'a, 'a>(
    at: &Builder<'c, 'a>,
    location: Location<'c>,
    value: &Literal,
) -> Result<OperationRef<'c, 'a>, Failure> {
    let context = at.context();
    let (name, ty, value) = match value {
        Literal::None => ("torch.constant.none", ScriptType::None, None),
        Literal::Bool(b) => ("torch.constant.bool", ScriptType::Bool, Some(attr::bool(context, *b))),
        Literal::Int(n) => ("torch.constant.int", ScriptType::Int, Some(attr::i64(context, *n))),
        Literal::Float(bits) => {
            ("torch.constant.float", ScriptType::Float, Some(attr::f64(context, f64::from_bits(*bits))))
        }
        Literal::Str(s) => ("torch.constant.str", ScriptType::Str, Some(attr::bytes(context, s.as_bytes()))),
        Literal::Device(d) => ("torch.constant.device", ScriptType::Device, Some(attr::string(context, d))),
    };
    let ty = to_mlir(context, &ty).ok_or_else(|| Failure::new(format!("{name} has no type")))?;
    let mut op = at.op(name, location).results(&[ty]);
    if let Some(value) = value {
        op = op.attr("value", value);
    }
    Ok(op.build()?)
}
