//! Every composite operator can be replaced by its definition: what `decompose-ops` puts in its place is imported, of the operator's types, and verified.

use sconce_analysis::operators::schema_name;
use sconce_ir::prelude::*;
use sconce_kernels::composite;
use sconce_schema::Type;

/// As graph text has it: dtypes and sizes are integers.
fn spelled(ty: &Type) -> String {
    match ty {
        Type::ScalarType | Type::Layout | Type::MemoryFormat | Type::SymInt => "int".to_owned(),
        Type::Optional(inner) => format!("{}?", spelled(inner)),
        Type::List(element) => format!("{}[]", spelled(element)),
        other => other.to_string(),
    }
}

/// A graph that calls an operator with what it is given.
fn call(name: &str) -> String {
    let schema = sconce_schema::lookup(name).expect("a record").schema();
    let declared = |prefix: &str, types: Vec<&Type>| {
        let parts = types.into_iter().enumerate().map(|(i, ty)| format!("%{prefix}{i} : {}", spelled(ty)));
        parts.collect::<Vec<_>>().join(", ")
    };
    let named = |prefix: &str, n: usize| (0..n).map(|i| format!("%{prefix}{i}")).collect::<Vec<_>>().join(", ");
    let (arguments, returns) = (&schema.arguments, &schema.returns);
    let inputs = declared("a", arguments.iter().map(|a| &a.ty).collect());
    let results = declared("r", returns.iter().map(|r| &r.ty).collect());
    let space = if results.is_empty() { "" } else { " " };
    format!(
        "graph({inputs}):\n  {results}{space}= {}({})\n  return ({})\n",
        schema.name,
        named("a", arguments.len()),
        named("r", returns.len())
    )
}

#[test]
fn definitions_stand_for_their_operators() {
    let context = sconce_torch::context(false).expect("a context");
    sconce_pass::register(sconce_passes::PASSES).expect("the passes register");
    let mut names: Vec<&str> = composite::names().collect();
    names.sort_unstable();
    assert!(names.len() > 100, "{}", names.len());
    let mut wrong = Vec::new();
    for name in names {
        let text = call(name);
        let result = sconce_import::text::import_text(&context, name, &text, "call")
            .map_err(|e| e.to_string())
            .and_then(|imported| {
                let module = imported.module;
                run_on_module(&module, "decompose-ops{composites=all}").map_err(|e| e.to_string())?;
                let mut called = false;
                module.body().ops().into_iter().for_each(|function| {
                    function.walk_pre(&mut |op| {
                        called |= schema_name(op).is_some_and(|called| called == name);
                        Walk::Advance
                    });
                });
                match called {
                    true => Err(format!("is still called\n{}", print(module.as_operation(), &PrintOptions::default()))),
                    false => Ok(()),
                }
            });
        wrong.extend(result.err().map(|e| format!("{name}: {e}")));
    }
    assert!(wrong.is_empty(), "{} definitions:\n{}", wrong.len(), wrong.join("\n"));
}
