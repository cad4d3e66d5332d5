//! Compiles functions of source files, whose names are imports, functions and classes of the file, and says what was refused:
//! `cargo run -p sconce-script --example compile_sources -- FILE.py… [--print] [--entry f]`.

use sconce_schema::Type;
use sconce_schema::types::NamedTuple;
use sconce_script::emit::{Compiler, Declaration, Error, Resolver, Result, Sugared};
use sconce_script::graph::{Loc, SourceFile};
use sconce_syntax::script::tree::{ClassDef, Def, ExprKind, Module, NumberKind, StmtKind};
use sconce_tensor::IValue;
use std::rc::Rc;
use std::sync::Arc;

struct File {
    module: Rc<Module>,
    source: Arc<SourceFile>,
    name: String,
}

impl File {
    fn again(&self) -> Rc<File> {
        Rc::new(File { module: self.module.clone(), source: self.source.clone(), name: self.name.clone() })
    }
    fn import(&self, name: &str) -> Option<String> {
        for stmt in &self.module.body {
            match &stmt.kind {
                StmtKind::Import(aliases) => {
                    for a in aliases {
                        let path: Vec<&str> = a.path.iter().map(|p| p.name.as_str()).collect();
                        match &a.name {
                            Some(n) if n.name == name => return Some(path.join(".")),
                            None if path[0] == name => return Some(name.to_owned()),
                            _ => {}
                        }
                    }
                }
                StmtKind::ImportFrom { module, names, .. } => {
                    let module: Vec<&str> = module.iter().map(|p| p.name.as_str()).collect();
                    for a in names {
                        let bound = a.name.as_ref().unwrap_or(&a.path[0]);
                        if bound.name == name {
                            return Some(format!("{}.{}", module.join("."), a.path[0].name));
                        }
                    }
                }
                _ => {}
            }
        }
        None
    }
    fn function(&self, compiler: &mut Compiler, def: &Def) -> Sugared {
        let qualified = format!("__torch__.{}.{}", self.name, def.name.name);
        compiler.declare_function(
            &qualified,
            Declaration {
                def: Rc::new(def.clone()),
                source: self.source.clone(),
                resolver: self.again(),
                receiver: None,
                defaults: Vec::new(),
            },
        );
        Sugared::function(&qualified)
    }
    fn class(&self, compiler: &mut Compiler, class: &ClassDef, place: &Loc) -> Result<Option<Sugared>> {
        let qualified = format!("__torch__.{}.{}", self.name, class.name.name);
        let bases: Vec<String> = class
            .bases
            .iter()
            .filter_map(sconce_script::emit::types::dotted)
            .map(|b| b.rsplit('.').next().unwrap().into())
            .collect();
        let is = |b: &str| bases.iter().any(|x| x == b);
        if is("Exception") || bases.iter().any(|b| b.ends_with("Error")) {
            return Ok(Some(Sugared::Exception(Some(Arc::from(format!("{}.{}", self.name, class.name.name))))));
        }
        if is("Module") {
            return Ok(None);
        }
        if !compiler.unit.classes.contains_key(qualified.as_str()) {
            let interface = class
                .decorators
                .iter()
                .any(|d| sconce_script::emit::types::dotted(d).is_some_and(|n| n.ends_with("interface")));
            if is("Enum") || is("IntEnum") {
                let mut members = Vec::new();
                let mut ty = Type::Int;
                for s in &class.body {
                    if let StmtKind::Assign { targets, value, .. } = &s.kind
                        && let ExprKind::Var(n) = &targets[0].kind
                    {
                        let v = literal(value).unwrap_or(IValue::None);
                        ty = sconce_script::emit::types::of_value(&v);
                        members.push((Arc::from(n.name.as_str()), v));
                    }
                }
                compiler.define_enum(&qualified, ty, members);
            } else if is("NamedTuple") {
                let mut fields = Vec::new();
                let mut defaults = Vec::new();
                for s in &class.body {
                    if let StmtKind::AnnAssign { target, annotation, value } = &s.kind
                        && let ExprKind::Var(n) = &target.kind
                    {
                        let mut annotations = sconce_script::emit::types::Annotations {
                            compiler,
                            resolver: self.again(),
                            source: self.source.clone(),
                            receiver: None,
                        };
                        fields.push((Arc::from(n.name.as_str()), annotations.read(annotation)?));
                        if let Some(v) = value.as_ref().and_then(literal) {
                            defaults.push((Arc::from(n.name.as_str()), v));
                        }
                    }
                }
                let ty = NamedTuple { name: Arc::from(qualified.as_str()), fields, defaults: Vec::new() };
                compiler.define_named_tuple(&ty, defaults);
            } else if interface {
                compiler.define_interface(&qualified, class, &self.source, self.again(), false)?;
            } else {
                let _ = place;
                compiler.define_script_class(&qualified, class, &self.source, self.again())?;
            }
        }
        Ok(Some(match compiler.class_type(&qualified) {
            Type::NamedTuple(t) => Sugared::NamedTuple(t),
            Type::Enum(n) => Sugared::Enum(n),
            _ => Sugared::Class(Arc::from(qualified.as_str())),
        }))
    }
}

fn literal(e: &sconce_syntax::script::tree::Expr) -> Option<IValue> {
    Some(match &e.kind {
        ExprKind::Number(n) if n.kind == NumberKind::Int => IValue::Int(n.text.parse().ok()?),
        ExprKind::Number(n) => IValue::Double(n.text.parse().ok()?),
        ExprKind::Str(s) => IValue::str(String::from_utf8_lossy(s).into_owned()),
        ExprKind::True => IValue::Bool(true),
        ExprKind::False => IValue::Bool(false),
        ExprKind::None => IValue::None,
        _ => return None,
    })
}

impl Resolver for File {
    fn resolve(&self, compiler: &mut Compiler, name: &str, place: &Loc) -> Result<Option<Sugared>> {
        if let Some(path) = self.import(name) {
            return Ok(Some(match path.split('.').collect::<Vec<_>>().as_slice() {
                ["typing", "cast"] => Sugared::Form(sconce_script::emit::Form::Cast),
                [.., "annotate"] => Sugared::Form(sconce_script::emit::Form::Annotate),
                _ => Sugared::Namespace(Arc::from(path)),
            }));
        }
        for stmt in &self.module.body {
            match &stmt.kind {
                StmtKind::Def(def) if def.name.name == name => return Ok(Some(self.function(compiler, def))),
                StmtKind::Class(class) if class.name.name == name => return self.class(compiler, class, place),
                _ => {}
            }
        }
        if name == "slice" {
            return Ok(Some(Sugared::SliceClass));
        }
        if name.ends_with("Error") || name == "Exception" || name == "StopIteration" {
            return Ok(Some(Sugared::Exception(Some(Arc::from(format!("builtins.{name}"))))));
        }
        Ok(None)
    }
    fn resolve_type(&self, _: &mut Compiler, name: &str, _: &Loc) -> Result<Option<Type>> {
        let full = self.import(name).unwrap_or_default();
        Ok(match full.as_str() {
            "torch.Tensor" => Some(Type::tensor()),
            _ => None,
        })
    }
}

/// Tuples that are taken apart where they were made.
fn lower_simple_tuples(graph: &mut sconce_script::graph::Graph) {
    for node in graph.walk(graph.root()) {
        let Some(made) = graph.input(node, 0).and_then(|v| graph.defining(v)).filter(|n| graph.is(*n, "prim::TupleConstruct")) else {
            continue;
        };
        let members = graph.inputs(made).to_vec();
        if graph.is(node, "prim::TupleUnpack") {
            for (output, member) in graph.outputs(node).to_vec().into_iter().zip(members) {
                graph.replace_uses(output, member);
            }
        } else if graph.is(node, "prim::TupleIndex")
            && let Some(IValue::Int(i)) = graph.input(node, 1).and_then(|v| graph.constant(v)).cloned()
        {
            let at = if i < 0 { i + members.len() as i64 } else { i };
            if let (Some(output), Some(member)) = (graph.output(node), members.get(at as usize)) {
                graph.replace_uses(output, *member);
            }
        }
    }
}

fn report(e: &Error) -> String {
    let text = &e.place.source.text;
    let (line, column) = sconce_syntax::source::line_column(text, e.place.span.start);
    let excerpt =
        text.get(e.place.span.start as usize..(e.place.span.end as usize).min(e.place.span.start as usize + 60));
    format!("{}:{line}:{}: {} `{}`", e.place.source.name, column - 1, e.message.trim(), excerpt.unwrap_or_default())
}

fn main() {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let print = args.iter().any(|a| a == "--print");
    let (mut good, mut bad) = (0, 0);
    for path in args.iter().filter(|a| !a.starts_with("--")) {
        let text = std::fs::read_to_string(path).expect("a file");
        let entry = text.lines().find_map(|l| l.strip_prefix("#@ entry ")).unwrap_or("f").trim().to_owned();
        let name =
            std::path::Path::new(path).parent().and_then(|p| p.file_name()).map_or("m".into(), |n| n.to_string_lossy());
        let source = Arc::new(SourceFile { name: "source.py".into(), text, first_line: 1 });
        let module = match sconce_syntax::script::parse("source.py", &source.text) {
            Ok(m) => Rc::new(m),
            Err(e) => {
                println!("BAD {path}: parse: {e:?}");
                bad += 1;
                continue;
            }
        };
        let file = File { module: module.clone(), source: source.clone(), name: name.into_owned() };
        let Some(def) = module.body.iter().find_map(|s| match &s.kind {
            StmtKind::Def(d) if d.name.name == entry => Some(d),
            _ => None,
        }) else {
            println!("SKIP {path}: entry {entry}");
            continue;
        };
        let mut compiler = Compiler::default();
        let qualified = format!("__torch__.{}.{entry}", file.name);
        if print {
            println!("#### {path}");
        }
        match compiler.compile_function(&qualified, def, &source, file.again(), None) {
            Ok(_) => {
                good += 1;
                for (name, f) in &compiler.unit.functions {
                    if let Err(e) = sconce_script::lint::lint(&f.graph) {
                        println!("LINT {path} {name}: {e:?}");
                    }
                    if print {
                        let mut f = f.clone();
                        lower_simple_tuples(&mut f.graph);
                        println!("== {name}\n{}", sconce_script::listing::to_listing(&f.graph));
                    }
                }
            }
            Err(e) => {
                bad += 1;
                println!("BAD {path}: {}", report(&e));
            }
        }
    }
    println!("{good} compiled, {bad} refused");
}
