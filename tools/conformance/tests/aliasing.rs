//! What an operator shares with its arguments and writes of them is what its record says, and whoever watches a tensor learns of it: over every recorded call.

use sconce_conformance::vectors::Case;
use sconce_schema::{Effect, FunctionSchema, OpEntry};
use sconce_tensor::{IValue, Tensor};
use std::collections::BTreeSet;

/// The tensors of a value, those in containers too, and the containers that can change.
fn objects(value: &IValue, tensors: &mut Vec<Tensor>, containers: &mut Vec<IValue>) {
    match value {
        IValue::Tensor(t) => tensors.push(t.clone()),
        IValue::List(l) => {
            containers.push(value.clone());
            l.to_vec().iter().for_each(|v| objects(v, tensors, containers));
        }
        IValue::Tuple(t) => t.items.iter().for_each(|v| objects(v, tensors, containers)),
        IValue::Dict(d) => {
            containers.push(value.clone());
            d.read().iter().for_each(|(_, v)| objects(v, tensors, containers));
        }
        _ => {}
    }
}

fn inside(value: &IValue) -> Vec<Tensor> {
    let mut all = Vec::new();
    objects(value, &mut all, &mut Vec::new());
    all
}

/// Is a container that one value is or holds the other's, too?
fn share_containers(a: &IValue, b: &[IValue]) -> bool {
    let mut of_a = Vec::new();
    objects(a, &mut Vec::new(), &mut of_a);
    of_a.iter().any(|x| b.iter().any(|y| x.is(y)))
}

fn containers(value: &IValue) -> Vec<IValue> {
    let mut all = Vec::new();
    objects(value, &mut Vec::new(), &mut all);
    all
}

/// What containers hold, by identity.
fn contents(all: &[IValue]) -> Vec<Vec<IValue>> {
    let held = |container: &IValue| match container {
        IValue::List(l) => l.to_vec(),
        IValue::Dict(d) => d.read().iter().map(|(_, v)| v.clone()).collect(),
        _ => Vec::new(),
    };
    all.iter().map(held).collect()
}

fn same_contents(one: &[Vec<IValue>], other: &[Vec<IValue>]) -> bool {
    let same = |a: &[IValue], b: &[IValue]| a.len() == b.len() && a.iter().zip(b).all(|(a, b)| a.is(b));
    one.iter().zip(other).all(|(a, b)| same(a, b))
}

fn share(a: &[Tensor], b: &[Tensor]) -> bool {
    a.iter().any(|x| b.iter().any(|y| x.is(y) || x.storage_bytes() > 0 && x.shares_storage(y)))
}

fn bytes(all: &[Tensor]) -> Vec<Option<Vec<u8>>> {
    all.iter().map(|t| t.contiguous().ok().map(|t| t.read_bytes())).collect()
}

/// What a recorded call did that the operator's record does not say.
fn findings(entry: &'static OpEntry, args: &mut [IValue]) -> Option<Vec<String>> {
    let call = |args: &mut [IValue]| sconce_conformance::call(entry, args).ok().map(|outputs| outputs.to_vec());
    let found = unsaid(entry.effect(), entry.schema().is_varret, args, call)?;
    Some(found.into_iter().map(|what| format!("{}: {what}", entry.name)).collect())
}

/// What a call did that the effect does not say; none if it did not end well.
fn unsaid(
    effect: &Effect,
    is_structure: bool,
    args: &mut [IValue],
    call: impl Fn(&mut [IValue]) -> Option<Vec<IValue>>,
) -> Option<Vec<String>> {
    let given: Vec<Vec<Tensor>> = args.iter().map(inside).collect();
    let given_containers: Vec<Vec<IValue>> = args.iter().map(containers).collect();
    let held: Vec<_> = given_containers.iter().map(|g| contents(g)).collect();
    let before: Vec<_> = given.iter().map(|g| bytes(g)).collect();
    let versions: Vec<u64> = given.iter().map(|g| g.iter().map(Tensor::version).sum()).collect();
    let together: Vec<bool> =
        (0..given.len()).map(|i| (0..given.len()).any(|j| i != j && share(&given[i], &given[j]))).collect();
    let outputs = call(args)?;
    let mut found = Vec::new();
    for (argument, tensors) in given.iter().enumerate() {
        if tensors.iter().map(Tensor::version).sum::<u64>() == versions[argument] && bytes(tensors) != before[argument]
        {
            found.push(format!("argument {argument} is written and its version says nothing of it"));
        }
    }
    // What has any number of results is structure, which every analysis knows of itself.
    if effect.other || is_structure {
        return Some(found);
    }
    for (result, value) in outputs.iter().enumerate() {
        let made = inside(value);
        for (argument, tensors) in given.iter().enumerate().filter(|(a, _)| !together[*a]) {
            let said = effect.takes.iter().any(|t| (t.argument, t.result) == (argument, result))
                || effect.may_return.iter().any(|r| (r.argument, r.result) == (argument, result))
                || effect.spills.contains(&argument)
                || effect.keeps.contains(&argument);
            let is_said = effect.takes.iter().any(|t| (t.argument, t.result) == (argument, result))
                || effect.may_return.iter().any(|r| (r.argument, r.result, r.as_elements) == (argument, result, false));
            let are_one =
                !said && share(&made, tensors) || !is_said && share_containers(value, &given_containers[argument]);
            if are_one {
                found.push(format!("result {result} may be argument {argument}"));
            }
        }
    }
    let may_write = |argument: usize| {
        effect.writes.iter().any(|w| w.argument == argument)
            || effect.writes_unless_false.as_ref().is_some_and(|(_, written)| written.contains(&argument))
    };
    for (argument, tensors) in given.iter().enumerate().filter(|(a, _)| !together[*a]) {
        let changed = bytes(tensors) != before[argument]
            || !same_contents(&contents(&given_containers[argument]), &held[argument]);
        if !may_write(argument) && changed {
            found.push(format!("argument {argument} is written"));
        }
    }
    Some(found)
}

#[test]
fn records_say_what_results_share_and_what_is_written() {
    let corpus = sconce_corpus::operator_calls().expect("testdata is packed");
    let (mut calls, mut found) = (0, BTreeSet::new());
    for (_, text) in corpus.iter().filter(|(p, _)| p.starts_with("value/")) {
        for line in std::str::from_utf8(text).expect("recordings are UTF-8").lines() {
            let case = Case::parse(line).expect("recordings parse");
            let Some(entry) = sconce_schema::lookup(case.op()) else { continue };
            let Ok((mut args, _)) = case.arguments(entry.schema()) else { continue };
            if let Some(findings) = findings(entry, &mut args) {
                calls += 1;
                found.extend(findings);
            }
        }
    }
    println!("{calls} calls");
    assert!(calls > 5_000, "only {calls} calls were made");
    let found: Vec<String> = found.into_iter().collect();
    assert!(found.is_empty(), "{} facts are not in records\n{}", found.len(), found.join("\n"));
}

/// Records of operators that do not exist, with what they do: the check finds what each does not say, and nothing where it is said.
#[test]
fn wrong_records_are_found() {
    let x = || IValue::from(Tensor::from_vec(vec![1f32, 2.0], &[2]));
    let list = || IValue::tensor_list([Tensor::from_vec(vec![1f32, 2.0], &[2])]);
    type Call = fn(&mut [IValue]) -> Option<Vec<IValue>>;
    let same: Call = |args| Some(vec![args[0].clone()]);
    let view: Call = |args| Some(vec![args[0].as_tensor().ok()?.as_strided(&[1], &[1], 1).ok()?.into()]);
    let writes: Call = |args| {
        let entry = sconce_schema::lookup("aten::neg_")?;
        sconce_conformance::call(entry, args).ok().map(|_| Vec::new())
    };
    let appends: Call = |args| {
        let IValue::List(list) = &args[0] else { return None };
        let first = list.to_vec()[0].clone();
        list.write().push(first);
        Some(Vec::new())
    };
    for (schema, argument, call, found) in [
        ("test::view(Tensor self) -> Tensor", x(), view, "result 0 may be argument 0"),
        ("test::view(Tensor(a) self) -> Tensor(a)", x(), view, ""),
        ("test::same(Tensor self) -> Tensor", x(), same, "result 0 may be argument 0"),
        ("test::writes(Tensor self) -> ()", x(), writes, "argument 0 is written"),
        ("test::writes(Tensor(a!) self) -> ()", x(), writes, ""),
        ("test::same(Tensor[] self) -> Tensor[]", list(), same, "result 0 may be argument 0"),
        ("test::same(Tensor[](a) self) -> Tensor[](a)", list(), same, ""),
        ("test::appends(Tensor[] self) -> ()", list(), appends, "argument 0 is written"),
        ("test::appends(Tensor[](a!) self) -> ()", list(), appends, ""),
    ] {
        let parsed: FunctionSchema = schema.parse().expect("a schema");
        let effect = Effect::of(&parsed, sconce_schema::op::Traits::of(&[]));
        let unsaid = unsaid(&effect, false, &mut [argument], call).expect("the call ends well");
        assert_eq!(unsaid.join(", "), found, "{schema}");
    }
}
