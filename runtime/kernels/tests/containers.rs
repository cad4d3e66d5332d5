//! An operator that gives a changed list or dictionary gives what the one that writes leaves, and leaves what others hold as it was.

use sconce_kernels::Bound;
use sconce_kernels::direct::{Arguments, Dest, Direct, Source};
use sconce_schema::{OpEntry, Type};
use sconce_tensor::{Dict, DictKey, IValue, Tensor};

/// Values of a type, so that some are equal to elements and some are not.
fn samples(ty: &Type) -> Vec<IValue> {
    match ty {
        Type::Bool => [true, false].map(IValue::Bool).into(),
        Type::Float => [2.5, -1.0, 0.0, 9.0].map(IValue::Double).into(),
        Type::Complex => {
            [(1.0, 2.0), (0.0, 0.0), (1.0, -2.0), (3.0, 3.0)].map(|(re, im)| IValue::complex(re, im)).into()
        }
        Type::Str => ["b", "a", "", "z"].map(IValue::str).into(),
        ty if ty.is_tensor() => [3.0f32, 1.0, 2.0, 8.0].map(|x| Tensor::from_vec(vec![x], &[]).into()).into(),
        _ => [1, 0, -1, 4].map(IValue::Int).into(),
    }
}

/// Containers of a type, empty ones among them, each made anew.
fn containers(ty: &Type, count: usize) -> IValue {
    match ty {
        Type::List(element) => IValue::list((**element).clone(), samples(element).into_iter().take(count)),
        Type::Dict(key, value) => {
            let dict = Dict::new((**key).clone(), (**value).clone());
            for (k, v) in samples(key).iter().zip(samples(value)).take(count) {
                dict.write().insert(DictKey::from_value(k).expect("a key"), v);
            }
            IValue::Dict(dict)
        }
        other => panic!("{other} is no container"),
    }
}

/// All arguments behind the first.
fn arguments(entry: &OpEntry) -> Vec<Vec<IValue>> {
    let mut cases: Vec<Vec<IValue>> = vec![Vec::new()];
    for formal in &entry.schema().arguments[1..] {
        let values = match &formal.ty {
            ty @ (Type::List(_) | Type::Dict(..)) => vec![containers(ty, 0), containers(ty, 2)],
            ty => samples(ty),
        };
        cases = cases.iter().flat_map(|c| values.iter().map(move |v| [c.clone(), vec![v.clone()]].concat())).collect();
    }
    cases
}

fn shown(values: &[IValue]) -> Vec<String> {
    values.iter().map(|v| format!("{v:?}")).collect()
}

/// What a call gives, or its error.
fn called(entry: &'static OpEntry, args: &mut [IValue]) -> Result<Vec<IValue>, String> {
    Bound::new(entry).expect("a kernel").call(args).map(|given| given.into_vec()).map_err(|e| e.to_string())
}

#[test]
fn forms_give_what_writers_leave() {
    let mut compared = 0;
    for entry in sconce_schema::table() {
        let Some(writer) = entry.container_writer() else { continue };
        let container = &entry.schema().arguments[0].ty;
        for (rest, count) in arguments(entry).into_iter().flat_map(|rest| [0, 1, 3].map(|count| (rest.clone(), count)))
        {
            let args = || [vec![containers(container, count)], rest.clone()].concat();
            let mut written = args();
            let gave = called(writer, &mut written.clone());
            let besides = entry.schema().returns.len() - 1;
            let expected =
                gave.map(|gave| shown(&[vec![written.remove(0)], gave[gave.len() - besides..].to_vec()].concat()));

            // Held by somebody else, and by nobody.
            let held = args();
            let before = shown(&held[..1]);
            let copied = called(entry, &mut held.clone()).map(|gave| shown(&gave));
            assert_eq!(copied, expected, "{} of {:?}", entry.name, shown(&args()));
            assert_eq!(shown(&held[..1]), before, "{} changed what others hold", entry.name);
            let mut own = args();
            let place = format!("{:?}", address(&own[0]));
            let given = called(entry, &mut own);
            if let Ok(given) = &given {
                assert_eq!(format!("{:?}", address(&given[0])), place, "{} copies", entry.name);
            }
            assert_eq!(given.map(|gave| shown(&gave)), expected, "{}", entry.name);
            direct(entry, args(), &expected);
            compared += 1;
        }
    }
    assert!(compared > 800, "{compared} cases");
}

/// The same by the form that is called without boxing, from a register that dies and from one that is read again.
fn direct(entry: &'static OpEntry, args: Vec<IValue>, expected: &Result<Vec<String>, String>) {
    let Some(Direct::View(view)) = Direct::of(entry) else { return };
    for dies in [true, false] {
        let mut boxes = [args.clone(), vec![IValue::None]].concat();
        if let IValue::List(_) | IValue::Dict(_) = boxes[0] {
            boxes[0] = containers(&entry.schema().arguments[0].ty, length(&args[0]));
        }
        let last = boxes.len() as u32 - 1;
        let source = |i: u32| if i == 0 && !dies { Source::Copy(0) } else { Source::Move(i) };
        let sources: Vec<Source> = (0..last).map(source).collect();
        let mut call =
            Arguments { sources: &sources, boxes: &mut boxes, words: &mut [], constants: &[], dest: Dest::Box(last) };
        let given = view(&mut call).map(|()| shown(&boxes[last as usize..])).map_err(|e| e.to_string());
        assert_eq!(&given, expected, "{}, {dies}", entry.name);
        if !dies {
            assert_eq!(shown(&boxes[..1]), shown(&args[..1]), "{} changed what is read again", entry.name);
        }
    }
}

fn length(container: &IValue) -> usize {
    match container {
        IValue::List(list) => list.read().len(),
        IValue::Dict(dict) => dict.read().len(),
        _ => 0,
    }
}

fn address(container: &IValue) -> usize {
    match container {
        IValue::List(list) => list.address() as usize,
        IValue::Dict(dict) => dict.address() as usize,
        _ => 0,
    }
}
