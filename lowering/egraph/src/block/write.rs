//! What was chosen as operations: those that are there already are used again, others are put in front of the first that needs them.

use super::read::{Kind, Program, Replaceable, Root};
use crate::extract::Choice;
use crate::term::{Head, Literal, Term};
use egg::Id;
use rustc_hash::{FxHashMap, FxHashSet};
use sconce_analysis::alias::id;
use sconce_analysis::operators::{constant, is_silent, source};
use sconce_analysis::types::Tensor;
use sconce_ir::prelude::*;
use sconce_ir::torch_type::Parts;
use sconce_pass::Failure;
use sconce_schema::shape::{Meta, Size};
use sconce_schema::{OpEntry, Type as ScriptType, ops};
use sconce_torch::types::{to_mlir, to_mlir_value};

/// Writes what was chosen back into the block. Gives how many roots are now computed in another way.
///
/// # Errors
/// When MLIR refuses to build what was chosen.
pub fn write<'c: 'a, 'a>(program: &Program<'c, 'a>, choice: &Choice) -> Result<usize, Failure> {
    let mut originals: FxHashMap<Id, Vec<(usize, usize)>> = FxHashMap::default();
    for (number, (_, _, classes)) in program.terms.iter().enumerate() {
        for (result, class) in classes.iter().enumerate() {
            originals.entry(program.graph.find(*class)).or_default().push((number, result));
        }
    }
    for (class, number) in &program.wholes {
        originals.entry(program.graph.find(*class)).or_default().push((*number, 0));
    }
    let kept = kept(program, &originals);
    let mut writer = Writer { program, choice, originals, kept, made: FxHashMap::default(), built: Vec::new() };
    let terms: FxHashSet<usize> = program.terms.iter().map(|(op, ..)| id(*op)).collect();
    let mut changed = 0;
    // Of two objects that leave the function each is one, also where rules found out that they are equal.
    let mut leaving = FxHashSet::default();
    for root in &program.roots {
        let Some(before) = root.value.defining_op().filter(|_| writer.may_replace(root)) else { continue };
        let Some(new) = writer.value(program.graph.find(root.class), before, root.place)? else { continue };
        let mut is_its_own = || root.replaceable == Replaceable::ByAll || leaving.insert(new.id());
        if new.id() != root.value.id() && writer.is_new_enough(root, new) && is_its_own() {
            let new = writer.as_type(new, root.value.r#type(), before)?;
            replace_in_others(root.value, new, &terms);
            changed += 1;
        }
    }
    let Writer { built, .. } = writer;
    let all = program.terms.iter().map(|(op, ..)| *op);
    erase_unused(all.chain(program.casts.iter().copied()).chain(built).collect())?;
    Ok(changed)
}

/// What is computed for roots that stay, by class: as all that they are computed of, it is there whatever was chosen.
fn kept(
    program: &Program<'_, '_>,
    originals: &FxHashMap<Id, Vec<(usize, usize)>>,
) -> FxHashMap<Id, Vec<(usize, usize)>> {
    let numbers: FxHashMap<usize, usize> = program.terms.iter().enumerate().map(|(n, (op, ..))| (id(*op), n)).collect();
    let number = |v: Value<'_, '_>| numbers.get(&id(source(v).defining_op()?)).copied();
    let staying = program.roots.iter().filter(|root| root.replaceable == Replaceable::Never);
    let mut todo: Vec<usize> = staying.filter_map(|root| number(root.value)).collect();
    let mut all = FxHashSet::default();
    while let Some(term) = todo.pop() {
        if all.insert(term) {
            todo.extend(program.terms[term].0.operand_values().into_iter().filter_map(number));
        }
    }
    let of_class = |(class, terms): (&Id, &Vec<(usize, usize)>)| {
        let terms: Vec<_> = terms.iter().copied().filter(|(number, _)| all.contains(number)).collect();
        (!terms.is_empty()).then_some((*class, terms))
    };
    originals.iter().filter_map(of_class).collect()
}

/// Terms keep what they have: one that stays, stays as it is.
fn replace_in_others<'c: 'a, 'a>(old: Value<'c, 'a>, new: Value<'c, 'a>, terms: &FxHashSet<usize>) {
    for usage in old.uses() {
        if !terms.contains(&id(usage.owner)) && new.defining_op().is_none_or(|op| id(op) != id(usage.owner)) {
            usage.owner.set_operand_value(usage.operand, new);
        }
    }
}

/// What nothing uses any more goes: what was there, users before what they use, and what was built in vain.
fn erase_unused(mut dead: Vec<OperationRef<'_, '_>>) -> Result<(), Failure> {
    // Behind what they use come users: one round from the end takes whole chains.
    loop {
        let before = dead.len();
        let mut used = Vec::new();
        for op in dead.into_iter().rev() {
            match op.is_unused() {
                true => op.erase()?,
                false => used.push(op),
            }
        }
        used.reverse();
        if used.len() == before {
            return Ok(());
        }
        dead = used;
    }
}

struct Writer<'p, 'c, 'a> {
    program: &'p Program<'c, 'a>,
    choice: &'p Choice,
    /// For each class the operations that computed it before, and which of their results it was.
    originals: FxHashMap<Id, Vec<(usize, usize)>>,
    /// Those of them that stay.
    kept: FxHashMap<Id, Vec<(usize, usize)>>,
    /// What was put in front of an operation at a place, by class: it is there for everything behind.
    made: FxHashMap<Id, Value<'c, 'a>>,
    built: Vec<OperationRef<'c, 'a>>,
}

impl<'c: 'a, 'a> Writer<'_, 'c, 'a> {
    /// What leaves the function is replaced by what computes, not by a leaf or a view.
    fn may_replace(&self, root: &Root<'c, 'a>) -> bool {
        match root.replaceable {
            Replaceable::ByAll => true,
            Replaceable::Never => false,
            Replaceable::ByNew => match self.choice.get(&self.program.graph.find(root.class)).map(|t| &t.head) {
                Some(Head::Operator(e)) => (0..e.schema().returns.len()).all(|r| !e.effect().may_share(r)),
                _ => false,
            },
        }
    }

    /// Is it no object that leaves the function already, itself or as a view?
    fn is_new_enough(&self, root: &Root<'c, 'a>, new: Value<'c, 'a>) -> bool {
        let leaves = || self.program.roots.iter().any(|other| other.value.id() == new.id());
        root.replaceable == Replaceable::ByAll || !self.program.viewed.contains(&new.id()) && !leaves()
    }

    /// The value of a class in front of an operation at a place; nothing if something that it needs is not there yet.
    fn value(
        &mut self,
        class: Id,
        before: OperationRef<'c, 'a>,
        place: usize,
    ) -> Result<Option<Value<'c, 'a>>, Failure> {
        let mut stack = vec![(class, before.location(), false)];
        while let Some((class, user, is_ready)) = stack.pop() {
            if self.made.contains_key(&class) {
                continue;
            }
            if let Some(value) = self.kept(class, place) {
                self.made.insert(class, value);
                continue;
            }
            let Some(term) = self.choice.get(&class).cloned() else { return Ok(None) };
            let children: Vec<Id> = term.children.iter().map(|child| self.program.graph.find(*child)).collect();
            let location = self.location(class, user);
            if !is_ready {
                stack.push((class, user, true));
                stack.extend(children.iter().rev().map(|child| (*child, location, false)));
                continue;
            }
            let operands: Option<Vec<_>> = children.iter().map(|child| self.made.get(child).copied()).collect();
            let Some(operands) = operands else { return Ok(None) };
            let Some(value) = self.made_of(class, &term, &operands, (before, location), place)? else { return Ok(None) };
            self.made.insert(class, value);
        }
        Ok(self.made.get(&class).copied())
    }

    /// What computes a class in any case, and is there at a place.
    fn kept(&self, class: Id, place: usize) -> Option<Value<'c, 'a>> {
        self.kept.get(&class)?.iter().find_map(|(number, result)| {
            let (op, there, _) = self.program.terms.get(*number)?;
            (*there <= place).then(|| op.result_value(*result)).flatten()
        })
    }

    /// A term's value, once its operands are there.
    fn made_of(
        &mut self,
        class: Id,
        term: &Term,
        operands: &[Value<'c, 'a>],
        at: (OperationRef<'c, 'a>, Location<'c>),
        place: usize,
    ) -> Result<Option<Value<'c, 'a>>, Failure> {
        if let Head::Leaf(number) = term.head {
            let leaf = self.program.leaves.get(number as usize).filter(|(_, there)| *there < place);
            return Ok(leaf.map(|(value, _)| *value));
        }
        match self.original(class, term, operands, place) {
            Some(value) => Ok(Some(value)),
            None => self.build(class, term, operands, at),
        }
    }

    /// Where in the source a class is computed: where it was before, else where what uses it is.
    fn location(&self, class: Id, user: Location<'c>) -> Location<'c> {
        let before = self.originals.get(&class).and_then(|all| self.program.terms.get(all.first()?.0));
        before.map_or(user, |(op, ..)| op.location())
    }

    /// The operation that computes the term already, if it is there and has these operands.
    fn original(&self, class: Id, term: &Term, operands: &[Value<'c, 'a>], place: usize) -> Option<Value<'c, 'a>> {
        self.originals.get(&class)?.iter().find_map(|(number, result)| {
            let (op, there, _) = self.program.terms.get(*number)?;
            (*there <= place && is_it(*op, term, operands)).then(|| op.result_value(*result)).flatten()
        })
    }

    fn build(
        &mut self,
        class: Id,
        term: &Term,
        operands: &[Value<'c, 'a>],
        (before, location): (OperationRef<'c, 'a>, Location<'c>),
    ) -> Result<Option<Value<'c, 'a>>, Failure> {
        let at = Builder::before(before);
        let (op, result) = match &term.head {
            Head::Leaf(_) => return Ok(None),
            Head::Literal(value) => (constant_op(&at, location, value)?, 0),
            Head::List => match self.list(&at, location, operands)? {
                Some(op) => (op, 0),
                None => return Ok(None),
            },
            Head::Part(index) => return self.part(&at, location, *index as usize, term, operands),
            Head::Operator(entry) => {
                // How what it is applied to lies in memory may have changed.
                let reshape = sconce_schema::lookup("aten::reshape").filter(|_| entry.op() == ops::aten::view);
                let entry = reshape.unwrap_or(entry);
                if !takes(at.context(), entry, operands) {
                    return Ok(None);
                }
                let known = &self.program.graph[class].data;
                let Some(types) = self.result_types(at.context(), entry, known) else { return Ok(None) };
                (at.op(&entry.dialect_name(), location).operands(operands).results(&types).build()?, 0)
            }
        };
        self.built.push(op);
        Ok(op.result_value(result))
    }

    /// A list: of constants one constant.
    fn list(
        &self,
        at: &Builder<'c, 'a>,
        location: Location<'c>,
        operands: &[Value<'c, 'a>],
    ) -> Result<Option<OperationRef<'c, 'a>>, Failure> {
        let context = at.context();
        let element = match operands.first() {
            Some(first) => element_type(context, first.r#type()),
            None => to_mlir(context, &ScriptType::Int),
        };
        let list = element.and_then(|e| Parts { types: vec![e], ..Parts::word("list") }.to_type(context));
        let Some(list) = list else { return Ok(None) };
        let ints: Option<Vec<Attribute<'c>>> = operands.iter().map(|v| int_attribute(context, *v)).collect();
        if let Some(ints) = ints.filter(|ints| !ints.is_empty()) {
            let pair = attr::array(context, &[attr::string(context, "value"), attr::array(context, &ints)]);
            let op = at.op("torch.operator", location).attr("name", attr::string(context, "prim.Constant"));
            let op = op.attr("torch.attributes", attr::array(context, &[pair]));
            return Ok(Some(op.results(&[list]).build()?));
        }
        Ok(Some(at.op("torch.prim.ListConstruct", location).operands(operands).results(&[list]).build()?))
    }

    fn part(
        &mut self,
        at: &Builder<'c, 'a>,
        location: Location<'c>,
        index: usize,
        term: &Term,
        operands: &[Value<'c, 'a>],
    ) -> Result<Option<Value<'c, 'a>>, Failure> {
        let [whole] = operands else { return Ok(None) };
        if let Some(op) = whole.defining_op().filter(|op| op.result_values().len() > 1) {
            return Ok(op.result_value(index));
        }
        // One that takes the list apart serves all parts.
        let unpacked = whole.uses().into_iter().map(|u| u.owner);
        if let Some(op) =
            unpacked.filter(|op| op.is("torch.prim.ListUnpack")).find(|op| self.built.iter().any(|b| id(*b) == id(*op)))
        {
            return Ok(op.result_value(index));
        }
        let child = self.program.graph.find(term.children[0]);
        let Meta::List(items) = &self.program.graph[child].data else { return Ok(None) };
        let types: Option<Vec<Type<'c>>> = items.iter().map(|m| self.tensor_type(at.context(), m)).collect();
        let Some(types) = types else { return Ok(None) };
        let op = at.op("torch.prim.ListUnpack", location).operands(&[*whole]).results(&types).build()?;
        self.built.push(op);
        Ok(op.result_value(index))
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

    fn tensor_type(&self, context: &'c Context, known: &Meta) -> Option<Type<'c>> {
        let Meta::Tensor(t) = known else { return None };
        let size = |s: &Size| if let Size::Known(n) = s { Some(*n) } else { None };
        let sizes = t.sizes.as_ref().map(|sizes| sizes.iter().map(size).collect());
        Tensor { value: self.program.kind == Kind::Values, sizes, dtype: t.dtype }.to_type(context)
    }

    /// The types of an operator's results.
    fn result_types(&self, context: &'c Context, entry: &OpEntry, known: &Meta) -> Option<Vec<Type<'c>>> {
        let returns = &entry.schema().returns;
        let plain = |ty: &ScriptType| match self.program.kind {
            Kind::Values => to_mlir_value(context, ty),
            Kind::Tensors => to_mlir(context, ty),
        };
        // What a type variable of the schema stands for is told by what is known, or by nothing.
        let number = |known: &Meta| match known {
            Meta::Int(_) => plain(&ScriptType::Int),
            Meta::Float(_) | Meta::AnyFloat => plain(&ScriptType::Float),
            Meta::Bool(_) => plain(&ScriptType::Bool),
            Meta::Str(_) => plain(&ScriptType::Str),
            _ => None,
        };
        let one = |ty: &ScriptType, known: &Meta| match self.tensor_type(context, known) {
            Some(tensor) if ty.is_tensor() || ty.has_variables() => Some(tensor),
            _ if ty.has_variables() => number(known),
            _ => plain(ty),
        };
        match (known, &returns[..]) {
            (_, [only]) => one(&only.ty, known).map(|ty| vec![ty]),
            (Meta::List(items), several) if items.len() == several.len() => {
                several.iter().zip(items).map(|(r, known)| one(&r.ty, known)).collect()
            }
            (_, several) => several.iter().map(|r| one(&r.ty, &Meta::Unknown)).collect(),
        }
    }
}

/// Has every operand that is to be a number of a kind that kind? What was known of it may have come from one of another: an int may be a `number`.
fn takes(context: &Context, entry: &OpEntry, operands: &[Value<'_, '_>]) -> bool {
    let is_plain =
        |ty: &ScriptType| matches!(ty, ScriptType::Int | ScriptType::Float | ScriptType::Bool | ScriptType::Str);
    let mut given = entry.schema().arguments.iter().zip(operands).filter(|(argument, _)| is_plain(&argument.ty));
    given.all(|(argument, value)| to_mlir(context, &argument.ty) == Some(value.r#type()))
}

/// Does an operation compute the term of these operands?
fn is_it<'c: 'a, 'a>(op: OperationRef<'c, 'a>, term: &Term, operands: &[Value<'c, 'a>]) -> bool {
    // A constant may stand in front of the loop that the block is in: it is made again to be looked for.
    let is_same = |(a, b): (Value<'c, 'a>, &Value<'c, 'a>)| {
        source(a) == source(*b) || constant(a).zip(constant(*b)).is_some_and(|(a, b)| a.is_same(&b))
    };
    let has_operands = || {
        let inputs = op.operand_values();
        inputs.len() == operands.len() && inputs.into_iter().zip(operands).all(is_same)
    };
    let is_several = op.result_values().len() > 1;
    match &term.head {
        Head::Literal(_) => op.operand_values().is_empty(),
        Head::List => match op.is("torch.prim.ListConstruct") {
            true => has_operands(),
            // A constant is the list itself.
            false => op.operand_values().is_empty() && op.result_value(0).and_then(constant).is_some(),
        },
        Head::Operator(entry) => sconce_torch::entry(op).is_some_and(|e| e.op() == entry.op()) && has_operands(),
        Head::Part(_) if op.is("torch.prim.ListUnpack") => has_operands(),
        // The operation has several results, of which the term is one: what it is taken of is not looked up by itself.
        Head::Part(_) => {
            is_several && matches!(operands, [whole] if whole.defining_op().is_some_and(|w| id(w) == id(op)))
        }
        Head::Leaf(_) => false,
    }
}

/// An integer constant as an attribute.
fn int_attribute<'c>(context: &'c Context, value: Value<'c, '_>) -> Option<Attribute<'c>> {
    let op = value.defining_op().filter(|op| op.is("torch.constant.int") && !is_silent(*op))?;
    op.int_attr("value").map(|n| attr::i64(context, n))
}

/// The type of a list's elements: lists of tensors say nothing of their sizes.
fn element_type<'c>(context: &'c Context, first: Type<'c>) -> Option<Type<'c>> {
    match Tensor::of(first) {
        Some(t) => Tensor { sizes: None, dtype: None, ..t }.to_type(context),
        None => Some(first),
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
