//! The face of MLIR as those who write passes see it: one binary, so that it is linked once.

use sconce_ir::codegen::{self, Emit, Target};
use sconce_ir::diagnostics::{self, Severity};
use sconce_ir::pass::{PassOption, PassRow};
use sconce_ir::pattern::PatternSet;
use sconce_ir::prelude::*;
use sconce_ir::{gpu, location, pass};

fn text(module: &Module<'_>) -> String {
    print(module.as_operation(), &PrintOptions::default())
}

#[test]
fn errors_carry_places_and_notes() {
    let context = context::new(false);
    let source = b"func.func @f(%x: i32) -> i64 {\n  return %x : i64\n}";
    let Err(error) = parse_module(&context, source, "dir/a.mlir") else { panic!("the types differ") };
    let first = &error.diagnostics()[0];
    let place = first.place.as_ref().expect("a place");
    assert_eq!((place.file.as_str(), place.line, place.column), ("dir/a.mlir", 2, 10));
    assert_eq!(first.severity, Severity::Error);
    assert!(!first.notes.is_empty(), "{first:?}");
    assert!(error.to_string().starts_with("dir/a.mlir:2:10: error: "), "{error}");
    // And nothing is left behind: the next text is judged for itself.
    assert!(parse_module(&context, b"func.func private @g()", "b.mlir").is_ok());
}

#[test]
fn hostile_text_is_an_error() {
    let context = context::new(false);
    let deep = format!("module attributes {{a = {}}} {{}}", "[".repeat(100_000));
    let signs = format!("module attributes {{a = affine_map<(d0) -> ({}d0)>}} {{}}", "- ".repeat(100_000));
    for source in
        [&b"\xff\xfe\x00"[..], b"ML\xefR\x0d\x01", b"module {", b"\"\"()", deep.as_bytes(), signs.as_bytes(), b"%0 = "]
    {
        let result = parse_module(&context, source, "x");
        assert!(result.is_err(), "{}", String::from_utf8_lossy(source));
    }
    assert_eq!(text(&parse_module(&context, b"", "x").expect("the empty module")), "module {\n}\n");
}

#[test]
fn nesting_is_bounded_and_not_miscounted() {
    let context = context::new(false);
    context.set_allow_unregistered_dialects(true);
    let nested = |n: usize| format!("{}{}", "\"x.y\"() ({".repeat(n), "}) : () -> ()".repeat(n));
    assert!(parse_module(&context, nested(100).as_bytes(), "x").is_ok());
    let error = parse_module(&context, nested(50_000).as_bytes(), "x").err().map(|e| e.to_string());
    assert_eq!(error.as_deref(), Some("x:1:1286: error: nested too deeply"));
    // Brackets that nest nothing: in strings, comments, arrows, and comparisons.
    let flat = "func.func private @f() -> (i1) attributes {a = \"([{<\"} // ([{<\n\
                func.func private @g() attributes {s = affine_set<(d0) : (d0 >= 0)>}\n";
    assert!(parse_module(&context, flat.replace("@f", "@f1").as_bytes(), "x").is_ok());
    let many: String =
        (0..500).map(|i| flat.replace("@f", &format!("@f{i}")).replace("@g", &format!("@g{i}"))).collect();
    assert!(parse_module(&context, many.as_bytes(), "x").is_ok());
    assert!(parse_type(&context, "tensor<2xf32>").is_ok());
    assert!(parse_type(&context, "tensor<2x").is_err());
    assert!(parse_type(&context, &"tuple<".repeat(100_000)).is_err());
    assert!(parse_attribute(&context, "[1, \"a\"]").is_ok());
}

#[test]
fn locations_survive_text() {
    let context = context::new(false);
    let source = br#"func.func @f() {
  return loc("a.1"("m.py":3:4))
} loc(fused["x.mlir":1:2, "y.mlir":3:4])"#;
    let module = parse_module(&context, source, "t.mlir").expect("valid");
    let again = through_text(&context, &module).expect("valid");
    let module = again;
    let function = module.as_operation().find_all("func.func")[0];
    let end = module.as_operation().find_all("func.return")[0];
    let (name, child) = location::name(end.location()).expect("a name");
    assert_eq!((name, location::file_line_column(child)), ("a.1", Some(("m.py", 3, 4))));
    assert_eq!(location::Place::of(end.location()).expect("a place").to_string(), "m.py:3:4");
    assert_eq!(location::fused(function.location()).len(), 2);
    assert_eq!(location::Place::of(function.location()).map(|place| place.line), Some(1));
}

#[test]
fn attributes_read_back_as_made() {
    let c = &context::new(false);
    let f32_type = Type::parse(c, "f32").expect("a type");
    for word in ["", "a\"b\\c\n", "zu\u{308}rich"] {
        assert_eq!(attr::str_value(attr::string(c, word)), Some(word));
    }
    assert_eq!(attr::bytes_value(attr::bytes(c, b"\x00\xff")), Some(&b"\x00\xff"[..]));
    assert_eq!(attr::str_value(attr::bytes(c, b"\x00\xff")), None);
    for value in [0, -1, i64::MIN, i64::MAX] {
        assert_eq!(attr::int_value(attr::i64(c, value)), Some(value));
        assert_eq!(attr::int_value(attr::index(c, value)), Some(value));
    }
    assert_eq!(attr::int_value(attr::signed(c, 8, -3)), Some(-3));
    assert_eq!(attr::bool_value(attr::bool(c, true)), Some(true));
    assert_eq!(attr::bool_value(attr::i64(c, 1)), None);
    assert_eq!(attr::float_value(attr::float(f32_type, 0.5)), Some(0.5));
    assert_eq!(attr::ints_value(attr::i64_array(c, &[])), Some(vec![]));
    assert_eq!(attr::ints_value(attr::array(c, &[attr::i64(c, 4), attr::bool(c, true)])), Some(vec![4, 1]));
    assert_eq!(
        attr::symbol_value(attr::nested_symbol(c, "a", &["b", "c"])),
        Some(vec!["a".into(), "b".into(), "c".into()])
    );
    let d = attr::dict(c, &[("z", attr::unit(c)), ("a", attr::bool(c, false)), ("z", attr::i64(c, 7))]);
    let names: Vec<_> = attr::dict_value(d).expect("a dictionary").into_iter().map(|(name, _)| name).collect();
    assert_eq!(names, ["a", "z"]);
}

#[test]
fn dense_elements_read_back_as_made() {
    let c = &context::new(false);
    let t = |text: &str| Type::parse(c, text).expect("a type");
    for (name, bytes) in [
        ("tensor<2x2xf32>", (0..16).collect::<Vec<u8>>()),
        ("tensor<3xi64>", (0..24).collect()),
        ("tensor<11xi1>", vec![1, 0, 0, 1, 1, 1, 0, 1, 0, 0, 1]),
        ("tensor<2xbf16>", vec![1, 2, 3, 4]),
        ("tensor<2xcomplex<f32>>", (0..16).collect()),
        ("tensor<0x4xf32>", vec![]),
    ] {
        let elements = attr::elements(attr::dense(t(name), &bytes).expect(name)).expect(name);
        assert_eq!((&*elements.bytes, elements.splat), (&bytes[..], false), "{name}");
        let resource = attr::dense_resource(t(name), "w", &bytes).expect(name);
        assert_eq!(&*attr::elements(resource).expect(name).bytes, &bytes[..], "{name}");
        assert!(attr::resource_name(resource).expect(name).starts_with('w'));
    }
    let splat = attr::elements(attr::dense(t("tensor<5xi1>"), &[1]).expect("a splat")).expect("elements");
    assert_eq!((&*splat.bytes, splat.splat), (&[1][..], true));
    for (name, bytes) in [("tensor<2xf32>", 7), ("tensor<?xf32>", 4), ("f32", 4), ("tensor<3xi1>", 2)] {
        assert!(attr::dense(t(name), &vec![0; bytes]).is_err(), "{name}");
        assert!(attr::dense_resource(t(name), "w", &vec![0; bytes]).is_err(), "{name}");
    }
    assert!(attr::splat(t("tensor<2xf32>"), attr::i64(c, 1)).is_err());
    assert_eq!(attr::dims(t("tensor<2x?xf32>")), Some(vec![Some(2), None]));
    assert_eq!(attr::dims(t("tensor<*xf32>")), None);
}

#[test]
fn uses_and_rewrites() {
    let context = context::new(false);
    let source = b"func.func @f(%a: i32, %b: i32) -> i32 {
      %0 = arith.addi %a, %b : i32
      %1 = arith.muli %0, %0 : i32
      return %1 : i32
    }";
    let module = parse_module(&context, source, "t").expect("valid");
    let function = SymbolTable::of(module.as_operation()).get("f").expect("the function");
    let body = function.body(0).expect("a body");
    let (add, mul) = (body.ops()[0], body.ops()[1]);
    assert_eq!(add.result_values()[0].uses().len(), 2);
    assert!(mul.result_values()[0].has_one_use());
    assert!(add.erase().is_err(), "it is used");
    let at = Builder::before(mul);
    let difference = at
        .op("arith.subi", add.location())
        .operands(&body.args())
        .results(&add.result_types())
        .build_value()
        .expect("registered");
    assert!(add.replace_with(&[]).is_err(), "one result, no values");
    add.replace_with(&[difference]).expect("counts agree");
    assert!(verify(module.as_operation()).is_ok());
    assert_eq!(difference.uses().len(), 2);
    assert_eq!(function.signature().map(|(i, o)| (i.len(), o.len())), Some((2, 1)));
    let unknown = at.op("arith.no_such_op", mul.location()).build();
    assert!(matches!(unknown, Err(Error::UnknownOperation(_))));
    let nowhere = at.op("no_such_dialect.x", mul.location()).build();
    assert!(matches!(nowhere, Err(Error::UnknownOperation(_))));
    let copy = mul.clone_with(&[(difference, body.args()[0])]);
    assert_eq!(op_ref(&copy).operand_values(), [body.args()[0]; 2]);
    assert!(mul.is_effect_free() && !mul.is_trivially_dead());
    assert!(body.terminator_op().is_some_and(|op| op.is_terminator()));
}

#[test]
fn folding_one_operation() {
    let context = context::new(false);
    let source = b"func.func @f(%a: i32) -> i32 {
      %0 = arith.constant 3 : i32
      %1 = arith.addi %0, %0 : i32
      %2 = arith.addi %a, %1 : i32
      return %2 : i32
    }";
    let module = parse_module(&context, source, "t").expect("valid");
    let adds = module.as_operation().find_all("arith.addi");
    let folded = adds[0].fold().expect("constants");
    assert!(matches!(folded[..], [Folded::Constant(six)] if attr::int_value(six) == Some(6)));
    assert!(adds[1].fold().is_none());
}

#[test]
fn patterns_rewrite_and_panics_stop_at_the_border() {
    let context = context::new(false);
    let source = b"func.func @f(%a: i32) -> i32 {
      %0 = arith.addi %a, %a : i32
      return %0 : i32
    }";
    let module = parse_module(&context, source, "t").expect("valid");
    let patterns = PatternSet::new(&context);
    patterns.add("arith.addi", 1, |op, rewriter| {
        let [a, b] = op.operand_values()[..] else { return Ok(false) };
        let product =
            OpState::new("arith.muli", op.location()).operands(&[a, b]).results(&op.result_types()).create()?;
        let product = rewriter.insert(product);
        rewriter.replace(op, &product.result_values())?;
        Ok(true)
    });
    let patterns = patterns.freeze();
    patterns.apply(module.as_operation()).expect("it comes to rest");
    assert!(text(&module).contains("arith.muli") && !text(&module).contains("arith.addi"));
    patterns.apply(module.as_operation()).expect("a set can be used again");

    let bad = PatternSet::new(&context);
    bad.add("arith.muli", 1, |_, _| panic!("in a pattern"));
    let error = bad.freeze().apply(module.as_operation()).expect_err("a panic");
    assert!(error.to_string().contains("in a pattern"), "{error}");
}

static ROWS: &[PassRow] = &[
    PassRow {
        name: "test-fail",
        description: "",
        pytorch: "",
        anchor: Some("func.func"),
        options: &[PassOption::int("how", "", 0)],
        dialects: &[],
        keeps_bits: true,
        run: |op, run| match run.int("how") {
            0 => Ok(()),
            1 => Err(format!("no luck with {}", op.symbol_name().unwrap_or_default())),
            2 => panic!("by accident"),
            _ => run.run_pipeline("test-no-such-pass", op),
        },
    },
    PassRow {
        name: "test-undeclared",
        description: "",
        pytorch: "",
        anchor: None,
        options: &[],
        dialects: &[],
        keeps_bits: true,
        run: |_, run| if run.bool("x") { Ok(()) } else { Err(String::new()) },
    },
    PassRow {
        name: "test-load",
        description: "",
        pytorch: "",
        anchor: Some("func.func"),
        options: &[PassOption::str("with", "", "cse")],
        dialects: &["math", "no_such_dialect"],
        keeps_bits: true,
        run: |op, run| {
            let context = op.context_ref();
            let at = Builder::before(op.body(0).and_then(|b| b.terminator_op()).ok_or("no body")?);
            let float = Type::float32(context);
            let one = at.op("arith.constant", op.location()).attr("value", attr::float(float, 1.0)).results(&[float]);
            let one = one.build_value().map_err(|e| e.to_string())?;
            at.op("math.exp", op.location()).operands(&[one]).results(&[float]).build().map_err(|e| e.to_string())?;
            run.run_pipeline(run.str("with"), op)
        },
    },
];

#[test]
fn passes_fail_with_diagnostics() {
    pass::register(ROWS).expect("free names");
    pass::register(ROWS).expect("once more does nothing");
    static TAKEN: &[PassRow] = &[PassRow { name: "cse", ..ROWS[0] }];
    assert!(pass::register(TAKEN).is_err());
    let context = context::new(true);
    let module = parse_module(&context, b"func.func @f() { return } func.func @g() { return }", "t").expect("valid");
    let run = |text: &str| run_on_module(&module, text).map_err(|e| e.to_string());
    run("func.func(test-fail)").expect("nothing is wrong");
    run("builtin.module(func.func(test-fail{how=0}),cse)").expect("with its anchor");
    for (pipeline, message) in [
        ("func.func(test-fail{how=1})", "test-fail: no luck with f"),
        ("func.func(test-fail{how=2})", "test-fail: internal error: by accident"),
        ("func.func(test-fail{how=3})", "test-no-such-pass"),
        ("func.func(test-fail{hwo=3})", "no such option hwo"),
        ("test-fail", "test-fail"),
        ("test-undeclared", "declares no bool option 'x'"),
        ("nonsense(", ""),
        ("", ""),
    ] {
        match run(pipeline) {
            Ok(()) => assert!(pipeline.is_empty(), "{pipeline}"),
            Err(error) => assert!(error.contains(message), "{pipeline}: {error}"),
        }
    }
    run("func.func(test-load)").expect("math is loaded");
    assert!(text(&module).contains("math.exp") || text(&module).contains("return"));
    pass::register_pipeline("test-both", "", "func.func(test-fail),canonicalize").expect("it parses");
    run("test-both").expect("by name");
    assert!(pass::register_pipeline("test-bad", "", "canonicalize{").is_err());
}

#[test]
fn warnings_and_remarks_can_be_collected() {
    let context = context::new(false);
    let module = parse_module(&context, b"func.func @f() { return }", "t.mlir").expect("valid");
    let ((), all) = diagnostics::collect(&context, || {
        module.as_operation().find_all("func.func")[0].emit_remark("one \0 two");
    });
    assert_eq!((all[0].severity, all[0].message.as_str()), (Severity::Remark, "one \0 two"));
    assert_eq!(all[0].place.as_ref().map(ToString::to_string), Some("t.mlir:1:1".into()));
}

#[test]
fn each_thread_collects_its_own() {
    struct Shared<'c>(&'c Context);
    // SAFETY: MLIR's contexts are for several threads; what is borrowed outlives them.
    unsafe impl Sync for Shared<'_> {}
    impl Shared<'_> {
        fn context(&self) -> &Context {
            self.0
        }
    }
    let context = context::new(true);
    let shared = Shared(&context);
    let both_listen = std::sync::Barrier::new(2);
    let speak = |words: &str| {
        let context = shared.context();
        let ((), all) = diagnostics::collect(context, || {
            both_listen.wait();
            for _ in 0..100 {
                diagnostics::emit_error(Location::unknown(context), words);
            }
            both_listen.wait();
        });
        assert!(all.len() == 100 && all.iter().all(|d| d.message == words), "{words}: {} {:?}", all.len(), all.first());
    };
    std::thread::scope(|threads| {
        threads.spawn(|| speak("one"));
        threads.spawn(|| speak("two"));
    });
}

const KERNEL: &[u8] = b"
llvm.func @callback(f64) -> f64
llvm.func @exp(f64) -> f64
llvm.func @f(%x: f64) -> f64 {
  %0 = llvm.fadd %x, %x : f64
  %1 = llvm.call @callback(%0) : (f64) -> f64
  %2 = llvm.call @exp(%1) : (f64) -> f64
  llvm.return %2 : f64
}";

#[test]
fn objects_are_made_at_every_level() {
    let context = context::new(false);
    let module = parse_module(&context, KERNEL, "k").expect("valid");
    for (name, target) in [
        ("default", Target::default()),
        ("quick", Target::quick()),
        ("all", Target { opt_level: 3, codegen_level: 3, ..Target::default() }),
        ("baseline", Target { cpu: "generic".into(), ..Target::default() }),
    ] {
        let object = codegen::emit(&module, &target, Emit::Object).expect(name);
        assert!(object.starts_with(b"\x7fELF"), "{name}");
        assert!(object.windows(9).any(|w| w == b"callback\0"), "{name}: calls what it declares");
        assert_eq!(codegen::emit(&module, &target, Emit::Object).expect(name), object, "{name}: the same again");
    }
}

#[test]
fn code_as_text() {
    let context = context::new(false);
    let module = parse_module(&context, KERNEL, "k").expect("valid");
    let ir = codegen::emit_text(&module, &Target::default(), Emit::LlvmIr).expect("LLVM IR");
    assert!(ir.contains("define") && ir.contains("@callback"), "{ir}");
    let assembly = codegen::emit_text(&module, &Target::default(), Emit::Assembly).expect("assembly");
    assert!(assembly.contains("f:") && assembly.contains("callback"), "{assembly}");
    assert!(codegen::emit(&module, &Target::default(), Emit::Bitcode).expect("bitcode").starts_with(b"BC\xc0\xde"));
    let nowhere = Target { triple: "pdp11-unknown-v7".into(), ..Target::default() };
    assert!(codegen::emit(&module, &nowhere, Emit::Object).is_err());
    let high = parse_module(&context, b"func.func @f() { return }", "h").expect("valid");
    let error = codegen::emit(&high, &Target::default(), Emit::Object).expect_err("not the LLVM dialect");
    assert!(error.to_string().contains("func.func"), "{error}");
    assert!(!codegen::host().cpu.is_empty() && codegen::host().triple.contains('-'));
}

#[test]
fn ptx_comes_out_of_gpu_binaries() {
    let context = context::new(false);
    let source = b"module attributes {gpu.container_module} {
      gpu.module @m {
        gpu.func @k(%a: memref<64xf32>) kernel {
          %i = gpu.thread_id x
          %x = memref.load %a[%i] : memref<64xf32>
          %y = arith.addf %x, %x : f32
          memref.store %y, %a[%i] : memref<64xf32>
          gpu.return
        }
      }
    }";
    let module = parse_module(&context, source, "g").expect("valid");
    run_on_module(
        &module,
        "nvvm-attach-target{chip=sm_90 O=3},gpu.module(convert-gpu-to-nvvm,reconcile-unrealized-casts),\
         gpu-module-to-binary{format=isa}",
    )
    .expect("the pipeline");
    let binary = module.as_operation().find_all("gpu.binary")[0];
    let objects = gpu::objects(binary);
    assert_eq!(objects.len(), 1);
    let ptx = String::from_utf8_lossy(&objects[0].bytes);
    assert!(ptx.contains(".target sm_90") && ptx.contains(".entry k("), "{ptx}");
    assert_eq!(objects[0].format, gpu::Format::Assembly);
    assert!(objects[0].chip.as_deref() == Some("sm_90"));
    assert!(gpu::objects(module.as_operation()).is_empty());
}

#[test]
fn types_and_maps_are_read_by_their_parts() {
    use sconce_ir::affine::{places, projection};
    use sconce_ir::builtin_type::{
        Kind, Layout, Shaped, Sign, buffer, complex, float_width, integer, integer_parts, tensor, vector,
    };
    let context = context::new(false);
    let read = |text: &str| parse_type(&context, text).expect(text);
    let f32 = Type::float32(&context);
    let sizes = [Some(2), None];
    for (text, made, kind) in
        [("tensor<2x?xf32>", tensor(&sizes, f32), Kind::Tensor), ("memref<2x?xf32>", buffer(&sizes, f32), Kind::Buffer)]
    {
        assert_eq!(read(text), made);
        assert_eq!(Shaped::of(made), Some(Shaped { kind, sizes: sizes.to_vec(), element: f32 }));
    }
    assert_eq!(read("vector<4xf32>"), vector(&[4], f32));
    assert_eq!(
        (Shaped::of(f32), Shaped::tensor(read("memref<2xf32>")), Shaped::of(read("tensor<*xf32>"))),
        (None, None, None)
    );
    let layout = |text| Layout::of(read(text)).map(|l| (l.strides, l.offset, l.row_major));
    assert_eq!(layout("memref<2x3xf32>"), Some((vec![Some(3), Some(1)], Some(0), true)));
    assert_eq!(layout("memref<2x3xf32, strided<[?, 1], offset: 3>>"), Some((vec![None, Some(1)], Some(3), false)));
    assert_eq!(layout("tensor<2xf32>"), None);
    assert_eq!(integer_parts(integer(&context, 8, Sign::Unsigned)), Some((8, Sign::Unsigned)));
    assert_eq!((integer_parts(read("i1")), float_width(read("bf16"))), (Some((1, Sign::Unsaid)), Some(16)));
    assert_eq!((complex(f32), complex(read("index"))), (Some(read("complex<f32>")), None));
    let map = projection(&context, 3, &[Some(2), None, Some(0)]);
    assert_eq!(places(map), Some(vec![Some(2), None, Some(0)]));
    let text = "[affine_map<(d0, d1, d2) -> (d2, 0, d0)>, affine_map<(d0) -> (d0 + 1)>]";
    let maps = attr::affine_maps_value(parse_attribute(&context, text).expect("maps")).expect("maps");
    assert!(maps[0] == map && places(maps[1]).is_none());
}
