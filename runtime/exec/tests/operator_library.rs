//! Libraries of operators as a C compiler makes them: what they add is called, and what is wrong with one is said of its file, operator and value.

use expect_test::expect;
use sconce_exec::operator_library::load;
use sconce_kernels::call;
use sconce_tensor::{IValue, Tensor};
use std::path::{Path, PathBuf};
use std::process::Command;

/// A library that registers what `operators` says, behind `functions`; none where there is no C compiler.
fn library(name: &str, functions: &str, operators: &str) -> Option<PathBuf> {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("operator-libraries");
    std::fs::create_dir_all(&folder).expect("a folder");
    let (source, built) = (folder.join(format!("{name}.c")), folder.join(format!("lib{name}.so")));
    let text = format!(
        "#include <sconce.h>\n#define V SCONCE_OPERATORS_VERSION\n{functions}\n\
         int32_t sconce_register_operators(const SconceOperatorRegistry *registry) {{\n\
         const SconceOperator all[] = {{{operators}}};\n\
         for (size_t i = 0; i < sizeof all / sizeof *all; i++) registry->add(registry->host, &all[i]);\n\
         return 0; }}\n"
    );
    std::fs::write(&source, text).expect("a source");
    built_of(&source, built)
}

fn built_of(source: &Path, built: PathBuf) -> Option<PathBuf> {
    let include = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tools/c/include");
    let mut compile = Command::new("cc");
    compile.args(["-std=c11", "-Wall", "-Wextra", "-Werror", "-shared", "-fPIC", "-I"]).arg(include);
    let Ok(status) = compile.arg(source).arg("-o").arg(&built).status() else {
        eprintln!("there is no cc: nothing is tested");
        return None;
    };
    assert!(status.success(), "{}: {status}", source.display());
    Some(built)
}

/// A function that does nothing.
const NOTHING: &str = "static int32_t f(SconceOperatorCall *call) { (void)call; return 0; }";

/// What is said of a library.
fn refused(name: &str, functions: &str, operators: &str) -> Option<String> {
    let built = library(name, functions, operators)?;
    let why = load(&built).expect_err("it is refused").to_string();
    Some(why.replace(&built.display().to_string(), &format!("lib{name}.so")))
}

#[test]
fn a_library_that_is_wrong_is_refused_as_a_whole() {
    let cases = [
        ("version", r#"{V + 1, "wrong::a() -> ()", f, NULL}"#),
        ("null", "{V, NULL, f, NULL}"),
        ("no_function", r#"{V, "wrong::good() -> ()", f, NULL}, {V, "wrong::a() -> ()", NULL, NULL}"#),
        ("bytes", r#"{V, "wrong::\xff() -> ()", f, NULL}"#),
        ("schema", r#"{V, "wrong::a(Tensor x -> Tensor", f, NULL}"#),
        ("namespace", r#"{V, "a(Tensor x) -> Tensor", f, NULL}"#),
        ("open", r#"{V, "wrong::a(...) -> Tensor", f, NULL}"#),
        ("argument", r#"{V, "wrong::a(Tensor x, Dict(str, int) d) -> Tensor", f, NULL}"#),
        ("result", r#"{V, "wrong::a(Tensor x) -> (Tensor, Device)", f, NULL}"#),
        ("twice", r#"{V, "wrong::good(Tensor x) -> Tensor", f, NULL}, {V, "wrong::good(int n) -> int", f, NULL}"#),
        (
            "taken",
            r#"{V, "wrong::good(Tensor x) -> Tensor", f, NULL}, {V, "aten::relu(Tensor self) -> Tensor", f, NULL}"#,
        ),
    ];
    let mut said = String::new();
    for (name, operators) in cases {
        let Some(why) = refused(name, NOTHING, operators) else { return };
        said.push_str(&format!("{why}\n"));
    }
    expect![[r#"
        libversion.so: it was made for version 2 of the interface of operators, and 1 is expected: compile it with this version's sconce.h
        libnull.so: a schema is NULL
        libno_function.so: the function of `wrong::a() -> ()` is NULL
        libbytes.so: a schema is not UTF-8 from byte 7 on
        libschema.so: the schema `wrong::a(Tensor x -> Tensor`: column 19: expected `,`, found `-> Tensor`
        libnamespace.so: `a`: a name with its namespace is expected, `mine::a`
        libopen.so: wrong::a: its schema leaves open how many values there are (`...`)
        libargument.so: wrong::a: argument `d` is of type Dict(str, int); Tensor, int, float, complex, bool, str, Scalar, lists, tuples and optional values of them are expected
        libresult.so: wrong::a: result 1 is of type Device; Tensor, int, float, complex, bool, str, Scalar, lists, tuples and optional values of them are expected
        libtwice.so: wrong::good is added twice
        libtaken.so: aten::relu is an operator of this program (`aten::relu(Tensor self) -> Tensor`) already
    "#]].assert_eq(&said);
    assert!(sconce_schema::lookup("wrong::good").is_none(), "nothing of a library that is refused is known");
}

#[test]
fn what_is_no_library_of_operators_is_told_from_what_is_no_library() {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR"));
    let said = |path: &Path| {
        let why = load(path).expect_err("it is none").to_string();
        why.replace(&path.display().to_string(), "FILE")
    };
    expect!["FILE: No such file or directory (os error 2)"].assert_eq(&said(&folder.join("nothing.so")));
    let text = folder.join("text.so");
    std::fs::write(&text, "no library, but some text that is long enough for a head of an ELF file").expect("a file");
    expect!["FILE: it cannot be loaded as a library: FILE: invalid ELF header"].assert_eq(&said(&text));
    let source = folder.join("plain.c");
    std::fs::write(&source, "int nothing_of_sconce;").expect("a source");
    let Some(plain) = built_of(&source, folder.join("libplain.so")) else { return };
    expect!["FILE: it has no function sconce_register_operators, which a library of operators has"]
        .assert_eq(&said(&plain));
}

/// Operators of which most do what they must not.
const FUNCTIONS: &str = r#"
static int32_t fails(SconceOperatorCall *call) { return call->fail(call->host, "x must be a matrix"); }
static int32_t silent(SconceOperatorCall *call) { (void)call; return 7; }
static int32_t bytes(SconceOperatorCall *call) { return call->fail(call->host, "\xff"); }
static int32_t nothing(SconceOperatorCall *call) { (void)call; return 0; }
static int32_t kind(SconceOperatorCall *call) { call->results[0].kind = SCONCE_KIND_INT; return 0; }
static int32_t stray(SconceOperatorCall *call) {
    static const SconceOperatorTensor own = {0};
    call->results[0].kind = SCONCE_KIND_TENSOR;
    call->results[0].data.tensor = &own;
    return 0;
}
static int32_t same(SconceOperatorCall *call) { call->results[0] = call->arguments[0]; return 0; }
static int32_t makes(SconceOperatorCall *call, int32_t dtype, size_t rank, const int64_t *sizes) {
    const SconceOperatorTensor *y = call->new_tensor(call->host, dtype, rank, sizes);
    if (!y) return -1;
    for (size_t i = 0; i < call->result_count; i++) {
        call->results[i].kind = SCONCE_KIND_TENSOR;
        call->results[i].data.tensor = y;
    }
    return 0;
}
static int32_t two(SconceOperatorCall *call) { return makes(call, SCONCE_DTYPE_F32, 0, NULL); }
static int32_t negative(SconceOperatorCall *call) { const int64_t n = -2; return makes(call, SCONCE_DTYPE_F32, 1, &n); }
static int32_t huge(SconceOperatorCall *call) { const int64_t n = INT64_MAX; return makes(call, SCONCE_DTYPE_F32, 1, &n); }
static int32_t dtype(SconceOperatorCall *call) { return makes(call, 99, 0, NULL); }
static int32_t rank(SconceOperatorCall *call) { return makes(call, SCONCE_DTYPE_F32, 65, NULL); }
static int32_t no_sizes(SconceOperatorCall *call) { return makes(call, SCONCE_DTYPE_F32, 2, NULL); }
static int32_t memory(SconceOperatorCall *call) { return call->allocate(call->host, SIZE_MAX) ? 0 : -1; }
static int32_t list(SconceOperatorCall *call) {
    call->results[0].kind = SCONCE_KIND_LIST;
    call->results[0].count = 3;
    return 0;
}
static int32_t items(SconceOperatorCall *call) {
    SconceOperatorValue *all = call->allocate(call->host, 2 * sizeof *all);
    if (!all) return -1;
    all[0].kind = SCONCE_KIND_INT;
    all[1].kind = SCONCE_KIND_DOUBLE;
    call->results[0].kind = SCONCE_KIND_LIST;
    call->results[0].count = 2;
    call->results[0].data.items = all;
    return 0;
}
static int32_t text(SconceOperatorCall *call) {
    call->results[0].kind = SCONCE_KIND_STRING;
    call->results[0].count = 1;
    call->results[0].data.text = "\xff";
    return 0;
}
"#;

/// Name, schema behind the name; the function is called as the operator.
const WRONG: &[(&str, &str)] = &[
    ("fails", "(Tensor x) -> Tensor"),
    ("silent", "(Tensor x) -> Tensor"),
    ("bytes", "(Tensor x) -> Tensor"),
    ("nothing", "(Tensor x) -> Tensor"),
    ("kind", "(Tensor x) -> Tensor"),
    ("stray", "(Tensor x) -> Tensor"),
    ("same", "(Tensor x) -> Tensor"),
    ("two", "(Tensor x) -> (Tensor a, Tensor b)"),
    ("negative", "(Tensor x) -> Tensor"),
    ("huge", "(Tensor x) -> Tensor"),
    ("dtype", "(Tensor x) -> Tensor"),
    ("rank", "(Tensor x) -> Tensor"),
    ("no_sizes", "(Tensor x) -> Tensor"),
    ("memory", "(Tensor x) -> Tensor"),
    ("list", "(Tensor x) -> int[]"),
    ("items", "(Tensor x) -> int[]"),
    ("text", "(Tensor x) -> str"),
];

#[test]
fn an_operator_that_does_what_it_must_not_fails_by_name() {
    let rows = WRONG.iter().map(|(name, rest)| format!("{{V, \"bad::{name}{rest}\", {name}, NULL}},"));
    let Some(built) = library("bad", FUNCTIONS, &rows.collect::<String>()) else { return };
    let names = load(&built).expect("its operators are well-formed");
    assert_eq!(names.len(), WRONG.len());
    assert_eq!(load(&built).expect("it is loaded already"), names);
    let mut said = String::new();
    for name in &names {
        let entry = sconce_schema::lookup(name).expect("it is registered");
        let why = call(entry, &mut [Tensor::scalar(1f32).into()]).expect_err("it does what it must not");
        said.push_str(&format!("{why}\n"));
    }
    expect![[r#"
        bad::fails (libbad.so): x must be a matrix
        bad::silent (libbad.so): it failed with 7 and did not say why
        bad::bytes (libbad.so): it failed, and its message is not UTF-8 from byte 0 on
        bad::nothing (libbad.so): result 0: a value of type Tensor is expected, and it is None, or was not set
        bad::kind (libbad.so): result 0: a value of type Tensor is expected, and it is an int
        bad::stray (libbad.so): result 0: it is no tensor of this call: one of new_tensor or of the arguments is expected
        bad::same (libbad.so): result 0: it is the argument `x`, and the schema does not say that it may be: `Tensor(a)` of both, or a copy, is expected
        bad::two (libbad.so): result 1, `b`: its tensor is a result already: each has one of its own
        bad::negative (libbad.so): new_tensor: a size of -2
        bad::huge (libbad.so): new_tensor: a tensor of sizes [9223372036854775807] and 4 bytes an element does not fit into memory
        bad::dtype (libbad.so): new_tensor: a tensor of dtype 99 cannot be made
        bad::rank (libbad.so): new_tensor: 65 dimensions: at most 64 are expected
        bad::no_sizes (libbad.so): new_tensor: sizes: its address is NULL or not aligned, and 2 items are expected there
        bad::memory (libbad.so): allocate: there is no memory for 18446744073709551615 bytes
        bad::list (libbad.so): result 0: its address is NULL or not aligned, and 3 items are expected there
        bad::items (libbad.so): result 0: item 1: a value of type int is expected, and it is a float
        bad::text (libbad.so): result 0: the string is not UTF-8 from byte 0 on
    "#]].assert_eq(&said);
    let entry = sconce_schema::lookup("bad::fails").expect("it is registered");
    let why = call(entry, &mut [IValue::Int(1)]).expect_err("an int is no tensor");
    expect!["bad::fails (libbad.so): argument `x`: a value of type Tensor is expected, and it is of type int"]
        .assert_eq(&why.to_string());
}

#[test]
fn every_kind_of_value_goes_there_and_back() {
    let functions = "static int32_t back(SconceOperatorCall *call) { for (size_t i = 0; i < call->result_count; i++) call->results[i] = call->arguments[i]; return 0; }\n\
                     static int32_t twice(SconceOperatorCall *call) { ((float *)call->arguments[0].data.tensor->data)[0] *= *(const float *)call->context; return 0; }\n\
                     static const float two = 2;";
    let operators = r#"{V, "ok::back(bool b, int n, float x, complex z, str s, Tensor(a)? t, Tensor(b)[] l, (int, str?) p, Scalar k) -> (bool, int, float, complex, str, Tensor(a)?, Tensor(b)[], (int, str?), Scalar)", back, NULL},
                       {V, "ok::twice(Tensor(a!) x) -> ()", twice, (void *)&two}"#;
    let Some(built) = library("ok", functions, operators) else { return };
    load(&built).expect("a library");
    let x = Tensor::scalar(3f32);
    let tensors = IValue::list(sconce_schema::Type::tensor(), [x.clone().into()]);
    let pair = IValue::tuple([4.into(), IValue::None]);
    let all = [
        true.into(),
        7.into(),
        1.5.into(),
        IValue::complex(1.0, -2.0),
        IValue::str("text"),
        x.clone().into(),
        tensors,
        pair,
        2.5.into(),
    ];
    let entry = sconce_schema::lookup("ok::back").expect("it is registered");
    let outputs = call(entry, &mut all.clone()).expect("it gives what it got");
    let shown = |values: &[IValue]| format!("{values:?}");
    assert_eq!(shown(&outputs), shown(&all));
    let twice = sconce_schema::lookup("ok::twice").expect("it is registered");
    let version = x.storage().version();
    assert!(call(twice, &mut [x.clone().into()]).expect("it writes").is_empty());
    assert_eq!(x.item::<f32>(), Some(6.0));
    assert_ne!(x.storage().version(), version, "who watches the tensor sees that it was written");
}
