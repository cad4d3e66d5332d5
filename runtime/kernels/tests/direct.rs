//! Direct forms of operators give what their kernels give.

use sconce_kernels::Bound;
use sconce_kernels::direct::{Code, Direct, Kind, Word};
use sconce_tensor::IValue;

#[test]
fn direct_forms_give_what_kernels_give() {
    let ints = [0i64, 1, -1, 2, -7, 63, 64, i64::MAX, i64::MIN];
    let floats = [0.0f64, -0.0, 1.5, -2.5, f64::NAN, f64::INFINITY, 1e300];
    let bools = [false, true];
    let samples = |k: Kind| -> Vec<IValue> {
        match k {
            Kind::Int => ints.iter().map(|v| IValue::Int(*v)).collect(),
            Kind::Float => floats.iter().map(|v| IValue::Double(*v)).collect(),
            Kind::Bool => bools.iter().map(|v| IValue::Bool(*v)).collect(),
        }
    };
    let mut compared = 0;
    for entry in sconce_schema::table() {
        let Some(Direct::Words(form)) = Direct::of(entry) else { continue };
        let bound = Bound::new(entry).unwrap();
        let kinds: Vec<Kind> = entry.schema().arguments.iter().map(|a| Kind::of(&a.ty).unwrap()).collect();
        let mut cases: Vec<Vec<IValue>> = vec![vec![]];
        for k in &kinds {
            let grown = cases.iter().flat_map(|c| samples(*k).into_iter().map(move |v| [c.clone(), vec![v]].concat()));
            cases = grown.collect();
        }
        for case in cases {
            let words: Vec<Word> = case.iter().map(|v| form.arguments.word(v).unwrap()).collect();
            let direct = match form.code {
                Code::One(f) => f(words[0]),
                Code::Two(f) => f(words[0], words[1]),
                Code::Three(f) => f(words[0], words[1], words[2]),
            };
            let boxed = bound.call(&mut case.clone()).ok().map(|o| format!("{:?}", o[0]));
            assert_eq!(direct.map(|w| format!("{:?}", form.result.value(w))), boxed, "{} of {case:?}", entry.name);
            assert!(direct.is_some() || !form.total, "{}", entry.name);
            compared += 1;
        }
    }
    assert!(compared > 5000, "{compared} cases");
}
