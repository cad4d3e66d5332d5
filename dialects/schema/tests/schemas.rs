//! The schemas PyTorch prints, and the op table made from them.

use sconce_schema::FunctionSchema;

#[test]
fn table_is_consistent() {
    let table = sconce_schema::table();
    assert!(table.len() >= 1890, "{} rows", table.len());
    for (i, entry) in table.iter().enumerate() {
        assert_eq!(entry.id as usize, i);
        assert_eq!(entry.schema().to_string(), entry.schema_text);
        assert_eq!(entry.schema().full_name(), entry.name);
        assert!(std::ptr::eq(sconce_schema::lookup(entry.name).expect("found by its name"), entry));
        assert!(sconce_schema::overloads(entry.base_name()).iter().any(|e| std::ptr::eq(*e, entry)));
        if let Some(f) = entry.functional {
            // What an `out=` form is made from may write running statistics, which that form writes too.
            let of = sconce_schema::lookup(f).expect(f).schema();
            assert!(of.is_functional() || (entry.schema().is_out() && !of.is_out()), "{}", entry.name);
        }
    }
}

#[test]
fn every_schema_reads_and_prints_back() {
    let vectors = sconce_corpus::testdata("vectors").expect("testdata/vectors.tar.zst");
    let text = vectors.text("schemas.txt").expect("schemas.txt");
    let mut wrong = Vec::new();
    for line in text.lines() {
        match line.parse::<FunctionSchema>() {
            Ok(schema) if schema.to_string() == line => {}
            Ok(schema) => wrong.push(format!("{line}\n  prints {schema}")),
            Err(e) => wrong.push(format!("{line}\n  {e}")),
        }
    }
    println!("{} schemas", text.lines().count());
    assert!(text.lines().count() > 4000);
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn bad_schemas_say_where() {
    for (text, message) in [
        ("", "column 1: expected an operator's name, found the end"),
        ("aten::f", "column 8: expected `(`, found the end"),
        ("aten::f(Tensor)", "column 15: expected the argument's name, found `)`"),
        ("aten::f(Tensor a) Tensor", "column 19: expected `->`, found `Tensor`"),
        ("aten::f(int[9999999] a=1) -> ()", "column 20: expected a list size up to 64, found `] a=1) -> ()`"),
        ("aten::f(int a=1.5) -> ()", "column 15: expected a value of type int, found `1.5) -> ()`"),
        ("aten::f(str a=\"x) -> ()", "column 15: expected a closed string, found `\\\"x) -> ()`"),
        ("aten::f() -> () x", "column 17: expected the end of the schema, found `x`"),
        ("aten::f(Tensor(a!) a -> Tensor", "column 22: expected `,`, found `-> Tensor`"),
    ] {
        let error = text.parse::<FunctionSchema>().expect_err(text);
        assert_eq!(error.to_string(), message, "{text}");
    }
    let deep = format!("aten::f({}) -> ()", "Dict(int, ".repeat(100_000));
    assert!(deep.parse::<FunctionSchema>().is_err());
}

proptest::proptest! {
    #![proptest_config(proptest::test_runner::Config { failure_persistence: None, ..Default::default() })]

    /// No text ends the process, and what is read prints to something that reads the same.
    #[test]
    fn any_text_is_read_or_refused(text in "(aten::)?[a-z._(]{0,4}[Tensor\\[\\]()?, a-z0-9*|!>=.\"'-]{0,60}") {
        if let Ok(schema) = text.parse::<FunctionSchema>() {
            let printed = schema.to_string();
            proptest::prop_assert_eq!(printed.parse::<FunctionSchema>().map(|s| s.to_string()), Ok(printed));
        }
    }
}
