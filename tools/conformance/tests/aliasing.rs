//! What an operator shares with its arguments and writes of them is what its record says, and whoever watches a tensor learns of it: over every recorded call.

use sconce_conformance::vectors::Case;
use sconce_schema::OpEntry;
use sconce_tensor::{IValue, Tensor};
use std::collections::BTreeSet;

/// The tensors of a value, those in containers too.
fn tensors(value: &IValue, into: &mut Vec<Tensor>) {
    match value {
        IValue::Tensor(t) => into.push(t.clone()),
        IValue::List(l) => l.to_vec().iter().for_each(|v| tensors(v, into)),
        IValue::Tuple(t) => t.items.iter().for_each(|v| tensors(v, into)),
        IValue::Dict(d) => d.read().iter().for_each(|(_, v)| tensors(v, into)),
        _ => {}
    }
}

fn inside(value: &IValue) -> Vec<Tensor> {
    let mut all = Vec::new();
    tensors(value, &mut all);
    all
}

fn share(a: &[Tensor], b: &[Tensor]) -> bool {
    a.iter().any(|x| b.iter().any(|y| x.is(y) || x.storage().bytes() > 0 && x.storage().is(y.storage())))
}

fn bytes(all: &[Tensor]) -> Vec<Option<Vec<u8>>> {
    all.iter().map(|t| t.contiguous().ok().map(|t| t.read_bytes())).collect()
}

/// What a call did that the record does not say.
fn findings(entry: &'static OpEntry, args: &mut [IValue]) -> Option<Vec<String>> {
    let given: Vec<Vec<Tensor>> = args.iter().map(inside).collect();
    let before: Vec<_> = given.iter().map(|g| bytes(g)).collect();
    let versions: Vec<u64> = given.iter().map(|g| g.iter().map(Tensor::version).sum()).collect();
    let together: Vec<bool> =
        (0..given.len()).map(|i| (0..given.len()).any(|j| i != j && share(&given[i], &given[j]))).collect();
    let outputs = sconce_kernels::call(entry, args).ok()?;
    let effect = entry.effect();
    let mut found = Vec::new();
    for (argument, tensors) in given.iter().enumerate() {
        if tensors.iter().map(Tensor::version).sum::<u64>() == versions[argument] && bytes(tensors) != before[argument]
        {
            found.push(format!("{}: argument {argument} is written and its version says nothing of it", entry.name));
        }
    }
    // What has any number of results is structure, which every analysis knows of itself.
    if effect.other || entry.schema().is_varret {
        return Some(found);
    }
    for (result, value) in outputs.iter().enumerate() {
        let made = inside(value);
        for (argument, tensors) in given.iter().enumerate().filter(|(a, _)| !together[*a]) {
            let said = effect.takes.iter().any(|t| (t.argument, t.result) == (argument, result))
                || effect.may_return.iter().any(|r| (r.argument, r.result) == (argument, result))
                || effect.spills.contains(&argument)
                || effect.keeps.contains(&argument);
            if !said && share(&made, tensors) {
                found.push(format!("{}: result {result} may be argument {argument}", entry.name));
            }
        }
    }
    let may_write = |argument: usize| {
        effect.writes.iter().any(|w| w.argument == argument)
            || effect.writes_unless_false.as_ref().is_some_and(|(_, written)| written.contains(&argument))
    };
    for (argument, tensors) in given.iter().enumerate().filter(|(a, _)| !together[*a]) {
        if !may_write(argument) && bytes(tensors) != before[argument] {
            found.push(format!("{}: argument {argument} is written", entry.name));
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
