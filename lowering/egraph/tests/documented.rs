//! `docs/rules.md` has every function of rules, as the table of functions describes it. `UPDATE_EXPECT=1` refreshes it.

use expect_test::expect_file;
use sconce_egraph::rules::FUNCTIONS;

#[test]
fn every_function_of_rules_is_in_their_page() {
    let page = expect_file!["../../../docs/rules.md"];
    const HEAD: &str = "| expression | value |\n|---|---|\n";
    let text = page.data();
    let (before, after) = text.split_once(HEAD).expect("the table of expressions");
    let rows: String = FUNCTIONS
        .iter()
        .map(|f| {
            let called = match f.name.starts_with(|c: char| c.is_alphabetic()) {
                true => format!("{}({})", f.name, &"a, b, c"[..3 * f.arity - 2]),
                false => format!("a {} b", f.name),
            };
            format!("| `{called}` | {} |\n", f.description)
        })
        .collect();
    let after = after.split_inclusive('\n').skip_while(|line| line.starts_with('|')).collect::<String>();
    page.assert_eq(&format!("{before}{HEAD}{rows}{after}"));
}
