//! A module as Python that people read, byte for byte as PyTorch's `print_readable` writes it: values with their types and sizes, and the lines that nodes come from.

use crate::limits::MAX_MODULE_DEPTH;
use crate::operators::{SIGNS, WRITES};
use crate::python::{Form, bracketed, literal};
use crate::{Argument, Graph, GraphModule, Node, NodeId, Op, Val};
use rustc_hash::FxHashMap;
use sconce_schema::DType;

impl GraphModule {
    /// The class with its `forward`, and the classes of submodules inside of it (`GraphModule.print_readable`). It ends with a line's end.
    pub fn readable(&self) -> String {
        let mut out = String::new();
        self.write_readable(&self.class_name, 0, &mut out);
        out
    }

    fn write_readable(&self, class: &str, depth: usize, out: &mut String) {
        let mut lines = vec![format!("class {class}(torch.nn.Module):")];
        lines.extend(Writer::new(&self.graph).lines().into_iter().map(|line| format!("    {line}")));
        lines.push(String::new());
        for line in lines {
            if !line.trim().is_empty() {
                out.push_str(&"    ".repeat(depth));
                out.push_str(&line);
            }
            out.push('\n');
        }
        if depth < MAX_MODULE_DEPTH {
            for (name, module) in &self.submodules {
                module.write_readable(name, depth + 1, out);
            }
        }
    }
}

/// A pattern with its places filled; nothing where there are too few arguments.
fn filled(pattern: &str, args: &[String]) -> Option<String> {
    let mut parts = pattern.split("{}");
    let mut out = parts.next()?.to_owned();
    for (i, part) in parts.enumerate() {
        out.push_str(args.get(i)?);
        out.push_str(part);
    }
    Some(out)
}

struct Writer<'g> {
    graph: &'g Graph,
    /// What no later node uses, by the node behind which it is let go.
    last_uses: FxHashMap<NodeId, Vec<NodeId>>,
}

impl<'g> Writer<'g> {
    fn new(graph: &'g Graph) -> Writer<'g> {
        let mut seen = FxHashMap::default();
        let mut last_uses: FxHashMap<NodeId, Vec<NodeId>> = FxHashMap::default();
        for (id, node) in graph.nodes().rev() {
            let mut uses = |used| {
                seen.entry(used).or_insert_with(|| last_uses.entry(id).or_default().push(used));
            };
            node.arguments().for_each(|a| a.nodes(&mut uses));
        }
        Writer { graph, last_uses }
    }

    fn code(&self, argument: &Argument) -> String {
        literal(self.graph, argument, Form::Code)
    }

    fn all(&self, args: &[Argument]) -> Vec<String> {
        args.iter().map(|a| self.code(a)).collect()
    }

    /// The lines of `forward`.
    fn lines(&self) -> Vec<String> {
        let mut parameters = vec!["self".to_owned()];
        let mut body = Vec::new();
        let mut returns = String::new();
        // The place under which the nodes stand that are being written; nothing before the first.
        let mut under: Option<Option<String>> = None;
        for (id, node) in self.graph.nodes() {
            match node.op {
                Op::Placeholder => {
                    parameters.push(self.parameter(node));
                    let raw = node.target.trim_start_matches('*');
                    if raw != node.name {
                        body.push(format!("{} = {raw}", node.name));
                    }
                }
                Op::Output => {
                    if let Some(ty) = &node.ty {
                        returns = format!(" -> {ty}");
                    }
                    let value = node.args.first().map_or("None".to_owned(), |a| self.code(a));
                    body.push(format!("return {value}"));
                }
                _ => {
                    let place = node.meta.stack_trace.as_deref().and_then(quoted_place);
                    if under.as_ref() != Some(&place) {
                        if !body.is_empty() {
                            body.push(String::new());
                        }
                        let said = place.as_deref().unwrap_or("No stacktrace found for following nodes");
                        body.push(format!("# {said}"));
                        under = Some(place);
                    }
                    body.push(self.statement(id, node));
                }
            }
        }
        let mut lines = vec![format!("def forward({}){returns}:", parameters.join(", "))];
        lines.extend(body.into_iter().map(|line| if line.is_empty() { line } else { format!("    {line}") }));
        lines
    }

    fn parameter(&self, node: &Node) -> String {
        let annotation = annotation(node).map_or_else(String::new, |text| format!(": {text}"));
        let annotation = match &node.ty {
            Some(ty) if annotation.is_empty() => format!(" : {ty}"),
            _ => annotation,
        };
        let default = node.args.first().map_or_else(String::new, |a| format!(" = {}", self.code(a)));
        format!("{}{annotation}{default}", node.target)
    }

    /// A node's line: `add: "f32[2]" = torch.ops.aten.add.Tensor(x, 1);  x = None`.
    fn statement(&self, id: NodeId, node: &Node) -> String {
        let annotation = match (annotation(node), &node.ty) {
            (Some(text), _) => format!(": {text}"),
            (None, Some(ty)) => format!(" : {ty}"),
            (None, None) => String::new(),
        };
        let name = &node.name;
        let args = self.all(&node.args);
        let function = node.target.strip_prefix("operator.").filter(|_| node.op == Op::CallFunction);
        let sign = |signs: &[(&str, &str)]| {
            let pattern = function.and_then(|f| signs.iter().find(|(n, _)| *n == f))?;
            filled(pattern.1, &args)
        };
        let mut out = match sign(WRITES) {
            Some(written) => {
                let first = args.first().map_or("", String::as_str);
                format!("{written};  {name}{annotation} = {first}")
            }
            None => format!("{name}{annotation} = {}", sign(SIGNS).unwrap_or_else(|| self.call(node, &args))),
        };
        let mut gone: Vec<&str> = Vec::new();
        for used in self.last_uses.get(&id).into_iter().flatten() {
            gone.extend(self.graph.get(*used).map(|n| n.name.as_str()));
        }
        if self.graph.num_users(id) == 0 {
            gone.push(name);
        }
        if !gone.is_empty() {
            out.push_str(&format!(";  {} = None", gone.join(" = ")));
        }
        out
    }

    fn call(&self, node: &Node, args: &[String]) -> String {
        let (first, rest) = args.split_first().map_or(("", &[][..]), |(first, rest)| (first.as_str(), rest));
        match node.op {
            Op::GetAttr => attribute(&node.target),
            Op::CallMethod => self.applied(&format!("{first}.{}", node.target), rest, node),
            Op::CallModule => self.applied(&attribute(&node.target), args, node),
            _ => match (node.target.as_str(), &node.args[..]) {
                ("builtins.getattr", [_, Argument::Str(name)]) if is_identifier(name) => format!("{first}.{name}"),
                _ => self.applied(&function_name(&node.target), args, node),
            },
        }
    }

    fn applied(&self, function: &str, args: &[String], node: &Node) -> String {
        let mut all = args.to_vec();
        all.extend(node.kwargs.iter().map(|(keyword, a)| format!("{keyword} = {}", self.code(a))));
        let mut out = function.to_owned();
        bracketed(&mut out, ("(", ")"), &all, |out, a| out.push_str(a));
        out
    }
}

/// How code names a function: members of `torch` by their paths, others by one word.
fn function_name(target: &str) -> String {
    if target.starts_with("torch.") && !target.starts_with("torch.Tensor.") {
        return target.to_owned();
    }
    match target.split_once('.') {
        Some(("builtins", name)) => name.to_owned(),
        Some(("operator", name)) => format!("_operator_{name}"),
        _ => target.replace('.', "_"),
    }
}

fn is_identifier(text: &str) -> bool {
    let mut chars = text.chars();
    let first = chars.next().is_some_and(|c| c.is_alphabetic() || c == '_');
    first && chars.all(|c| c.is_alphanumeric() || c == '_')
}

/// `self.blocks.a`; a part that is no identifier by `getattr`.
fn attribute(path: &str) -> String {
    path.split('.').fold("self".to_owned(), |object, part| {
        if is_identifier(part) { format!("{object}.{part}") } else { format!("getattr({object}, \"{part}\")") }
    })
}

/// `"f32[s77, 2]"`, `"Sym(u0 + 1)"`: what is known of a value. Numbers that are known, lists and objects have none.
fn annotation(node: &Node) -> Option<String> {
    match node.meta.val.as_ref()? {
        Val::Tensor(meta) => {
            let dtype = if meta.dtype == DType::Bool { "b8" } else { meta.dtype.short_name() };
            let mut out = format!("\"{dtype}");
            bracketed(&mut out, ("[", "]"), &meta.sizes, |out, size| out.push_str(&size.to_string()));
            Some(out + "\"")
        }
        Val::SymInt(e) | Val::SymFloat(e) | Val::SymBool(e) => e.is_symbolic().then(|| format!("\"Sym({e})\"")),
        _ => None,
    }
}

/// `File: m.py:3 in forward, code: x = y`, of the innermost call of a stack trace whose line is quoted.
pub(crate) fn quoted_place(trace: &str) -> Option<String> {
    let lines: Vec<&str> = trace.lines().map(str::trim).collect();
    let place = |line: &str| {
        let (file, rest) = line.strip_prefix("File \"")?.split_once("\", line ")?;
        let (number, function) = rest.split_once(", in ")?;
        number.bytes().all(|b| b.is_ascii_digit()).then(|| format!("File: {file}:{number} in {function}"))
    };
    let mut pairs = lines.windows(2).rev();
    let (place, code) = pairs.find_map(|pair| match pair {
        [line, code] => Some((place(line)?, *code)),
        _ => None,
    })?;
    (!code.is_empty()).then(|| format!("{place}, code: {code}"))
}
