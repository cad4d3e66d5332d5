//! Units as bytes and back: what is read is a graph whose values are made before they are used, however damaged the bytes are.

use indexmap::IndexSet;
use sconce_graph::graph::{Attr, BlockId, Graph, Loc, NodeId, SourceText, ValueId};
use sconce_graph::unit::{Attribute, AttributeKind, Class, ClassKind, Function, InterfaceMethod, Param, Unit};
use sconce_interpreter::format::{FormatError, Read, Reader, Writer};
use sconce_schema::Type;
use sconce_source::{SourceMap, Span};
use sconce_syntax::graph_text::read_attribute_value;
use std::sync::Arc;

/// Blocks in blocks, and graphs in graphs.
const MAX_DEPTH: u32 = 200;
type Written = Result<(), FormatError>;

/// Writes a unit.
pub(crate) fn write(w: &mut Writer, unit: &Unit) -> Written {
    let mut body = Writer::default();
    let mut encoder =
        Encoder { w: &mut body, types: IndexSet::new(), sources: SourceMap::default(), values: Vec::new() };
    encoder.unit(unit)?;
    let Encoder { types, sources, .. } = encoder;
    w.list(&types.into_iter().collect::<Vec<_>>(), |w, ty| w.ty(ty, 0))?;
    w.list(sources.texts(), |w, s| {
        w.text(s.name())?;
        w.text(s.text())?;
        w.u32(s.first_line());
        Ok(())
    })?;
    w.bytes(&body.into_bytes())
}

struct Encoder<'w> {
    w: &'w mut Writer,
    types: IndexSet<Type>,
    sources: SourceMap,
    /// Numbers of the values of the graph at hand, in the order in which they are made.
    values: Vec<u32>,
}

impl Encoder<'_> {
    fn each<T>(
        &mut self,
        items: impl ExactSizeIterator<Item = T>,
        mut one: impl FnMut(&mut Self, T) -> Written,
    ) -> Written {
        self.w.count(items.len())?;
        items.into_iter().try_for_each(|item| one(self, item))
    }

    fn flag(&mut self, b: bool) {
        self.w.u8(u8::from(b));
    }

    fn ty(&mut self, ty: &Type) {
        let number = self.types.get_index_of(ty).unwrap_or_else(|| self.types.insert_full(ty.clone()).0);
        self.w.u32(number as u32);
    }

    fn optional<T>(&mut self, item: Option<T>, one: impl FnOnce(&mut Self, T) -> Written) -> Written {
        self.flag(item.is_some());
        item.map_or(Ok(()), |item| one(self, item))
    }

    fn texts(&mut self, texts: &[Arc<str>]) -> Written {
        self.each(texts.iter(), |e, t| e.w.text(t))
    }

    fn unit(&mut self, unit: &Unit) -> Written {
        self.each(unit.classes.values(), Self::class)?;
        self.each(unit.functions.values(), Self::function)?;
        self.optional(unit.entry.as_ref(), |e, name| e.w.text(name))
    }

    fn class(&mut self, class: &Class) -> Written {
        self.w.text(&class.name)?;
        match &class.kind {
            ClassKind::Module => self.w.u8(0),
            ClassKind::Script => self.w.u8(1),
            ClassKind::Interface => self.w.u8(2),
            ClassKind::ModuleInterface => self.w.u8(3),
            ClassKind::NamedTuple => self.w.u8(4),
            ClassKind::Enum { value } => {
                self.w.u8(5);
                self.ty(value);
            }
        }
        self.each(class.attributes.iter(), |e, a| {
            e.w.text(&a.name)?;
            e.ty(&a.ty);
            e.w.u8(a.kind as u8);
            Ok(())
        })?;
        self.each(class.constants.iter(), |e, (name, ty, value)| {
            e.w.text(name)?;
            e.ty(ty);
            e.w.value(value, 0)
        })?;
        self.texts(&class.methods)?;
        self.each(class.interface.iter(), |e, m| {
            e.w.text(&m.name)?;
            e.params(&m.params)?;
            e.ty(&m.returns);
            Ok(())
        })?;
        self.each(class.properties.iter(), |e, (name, getter, setter)| {
            e.w.text(name)?;
            e.w.text(getter)?;
            e.optional(setter.as_ref(), |e, s| e.w.text(s))
        })?;
        self.texts(&class.forward_pre_hooks)?;
        self.texts(&class.forward_hooks)
    }

    fn params(&mut self, params: &[Param]) -> Written {
        self.each(params.iter(), |e, p| {
            e.w.text(&p.name)?;
            e.ty(&p.ty);
            e.optional(p.default.as_ref(), |e, v| e.w.value(v, 0))?;
            e.flag(p.keyword_only);
            e.optional(p.list_size, |e, n| {
                e.w.u32(n);
                Ok(())
            })
        })
    }

    fn function(&mut self, f: &Function) -> Written {
        self.w.text(&f.name)?;
        self.params(&f.params)?;
        self.ty(&f.returns);
        self.graph(&f.graph)
    }

    fn graph(&mut self, graph: &Graph) -> Written {
        let outer = std::mem::replace(&mut self.values, vec![u32::MAX; graph.value_count()]);
        let mut made = 0;
        self.block(graph, graph.root(), &mut made)?;
        self.values = outer;
        Ok(())
    }

    fn define(&mut self, graph: &Graph, value: ValueId, made: &mut u32) -> Written {
        self.values[value.index()] = *made;
        *made += 1;
        self.ty(graph.ty(value));
        self.optional(graph.name(value), |e, name| e.w.text(name))
    }

    fn uses(&mut self, values: &[ValueId]) -> Written {
        self.each(values.iter(), |e, v| {
            let number = e.values[v.index()];
            e.w.u32(number);
            Ok(())
        })
    }

    fn block(&mut self, graph: &Graph, block: BlockId, made: &mut u32) -> Written {
        self.each(graph.block_inputs(block).iter(), |e, v| e.define(graph, *v, made))?;
        let nodes: Vec<NodeId> = graph.block_nodes(block).to_vec();
        self.each(nodes.into_iter(), |e, node| e.node(graph, node, made))?;
        self.uses(graph.block_outputs(block))
    }

    fn node(&mut self, graph: &Graph, node: NodeId, made: &mut u32) -> Written {
        self.w.text(graph.kind(node))?;
        self.uses(graph.inputs(node))?;
        self.each(graph.attrs(node).iter(), |e, (name, attr)| e.attr(name, attr))?;
        self.optional(graph.loc(node), |e, loc| {
            let source = e.sources.id(&loc.source);
            e.w.u32(source);
            e.w.u32(loc.span.start);
            e.w.u32(loc.span.end);
            Ok(())
        })?;
        self.each(graph.blocks(node).iter(), |e, b| e.block(graph, *b, made))?;
        self.each(graph.outputs(node).iter(), |e, v| e.define(graph, *v, made))
    }

    fn attr(&mut self, name: &str, attr: &Attr) -> Written {
        self.w.text(name)?;
        match attr {
            Attr::Value(value) => {
                self.w.u8(0);
                self.w.value(value, 0)
            }
            Attr::Str(text) => {
                self.w.u8(1);
                self.w.text(text)
            }
            Attr::Int(n) => {
                self.w.u8(2);
                self.w.i64(*n);
                Ok(())
            }
            Attr::Ints(list) => {
                self.w.u8(3);
                self.each(list.iter(), |e, n| {
                    e.w.i64(*n);
                    Ok(())
                })
            }
            Attr::Type(ty) => {
                self.w.u8(4);
                self.ty(ty);
                Ok(())
            }
            Attr::Types(types) => {
                self.w.u8(5);
                self.each(types.iter(), |e, ty| {
                    e.ty(ty);
                    Ok(())
                })
            }
            Attr::Function(name) => {
                self.w.u8(6);
                self.w.text(name)
            }
            Attr::Graph(inner) => {
                self.w.u8(7);
                self.graph(inner)
            }
            Attr::Text(text) => {
                self.w.u8(8);
                self.w.text(&text.to_string())
            }
        }
    }
}

/// Reads a unit.
pub(crate) fn read(r: &mut Reader<'_>) -> Read<Unit> {
    let types = r.list(|r| r.ty(0))?;
    let sources = r.list(|r| {
        let (name, text) = (r.text()?.to_owned(), r.text()?.to_owned());
        Ok(Arc::new(SourceText::numbered(name, text, r.u32()?)))
    })?;
    let size = r.count()?;
    let mut body = Reader::new(r.take(size)?);
    let unit = Decoder { r: &mut body, types, sources, values: Vec::new(), depth: 0 }.unit()?;
    body.finish()?;
    Ok(unit)
}

struct Decoder<'r, 'b> {
    r: &'r mut Reader<'b>,
    types: Vec<Type>,
    sources: Vec<Arc<SourceText>>,
    /// The values of the graph at hand, in the order in which they are made.
    values: Vec<ValueId>,
    depth: u32,
}

impl Decoder<'_, '_> {
    fn each<T>(&mut self, mut one: impl FnMut(&mut Self) -> Read<T>) -> Read<Vec<T>> {
        let count = self.r.count()?;
        let mut items = Vec::with_capacity(count.min(1024));
        for _ in 0..count {
            items.push(one(self)?);
        }
        Ok(items)
    }

    fn optional<T>(&mut self, one: impl FnOnce(&mut Self) -> Read<T>) -> Read<Option<T>> {
        if self.r.flag()? { one(self).map(Some) } else { Ok(None) }
    }

    fn ty(&mut self) -> Read<Type> {
        let number = self.r.u32()? as usize;
        let known = self.types.get(number).cloned();
        known.ok_or_else(|| self.r.damaged(format!("type {number} of {}", self.types.len())))
    }

    fn text(&mut self) -> Read<Arc<str>> {
        Ok(self.r.text()?.into())
    }

    fn texts(&mut self) -> Read<Vec<Arc<str>>> {
        self.each(Self::text)
    }

    fn unit(mut self) -> Read<Unit> {
        let mut unit = Unit::default();
        for class in self.each(Self::class)? {
            unit.classes.insert(class.name.clone(), class);
        }
        for f in self.each(Self::function)? {
            unit.functions.insert(f.name.clone(), f);
        }
        unit.entry = self.optional(Self::text)?;
        Ok(unit)
    }

    fn class(&mut self) -> Read<Class> {
        let name = self.text()?;
        let kind = match self.r.u8()? {
            0 => ClassKind::Module,
            1 => ClassKind::Script,
            2 => ClassKind::Interface,
            3 => ClassKind::ModuleInterface,
            4 => ClassKind::NamedTuple,
            5 => ClassKind::Enum { value: self.ty()? },
            other => return Err(self.r.damaged(format!("no kind of class {other}"))),
        };
        let mut class = Class::new(name, kind);
        for attribute in self.each(Self::attribute)? {
            class.attributes.push(attribute);
        }
        class.constants = self.each(|d| Ok((d.text()?, d.ty()?, d.r.value(0)?)))?;
        for method in self.texts()? {
            class.methods.push(method);
        }
        class.interface =
            self.each(|d| Ok(InterfaceMethod { name: d.text()?, params: d.params()?, returns: d.ty()? }))?;
        class.properties = self.each(|d| Ok((d.text()?, d.text()?, d.optional(Self::text)?)))?;
        class.forward_pre_hooks = self.texts()?;
        class.forward_hooks = self.texts()?;
        Ok(class)
    }

    fn attribute(&mut self) -> Read<Attribute> {
        let (name, ty, number) = (self.text()?, self.ty()?, self.r.u8()?);
        let kinds = [AttributeKind::Parameter, AttributeKind::Buffer, AttributeKind::Plain];
        let kind = kinds.into_iter().find(|k| *k as u8 == number);
        let kind = kind.ok_or_else(|| self.r.damaged(format!("no kind of attribute {number}")))?;
        Ok(Attribute { name, ty, kind })
    }

    fn params(&mut self) -> Read<Vec<Param>> {
        self.each(|d| {
            let (name, ty) = (d.text()?, d.ty()?);
            let default = d.optional(|d| d.r.value(0))?;
            let (keyword_only, list_size) = (d.r.flag()?, d.optional(|d| d.r.u32())?);
            Ok(Param { name, ty, default, keyword_only, list_size })
        })
    }

    fn function(&mut self) -> Read<Function> {
        let (name, params, returns) = (self.text()?, self.params()?, self.ty()?);
        Ok(Function { name, params, returns, graph: self.graph()? })
    }

    fn deeper<T>(&mut self, one: impl FnOnce(&mut Self) -> Read<T>) -> Read<T> {
        if self.depth == MAX_DEPTH {
            return Err(self.r.damaged("blocks and graphs are nested too deeply"));
        }
        self.depth += 1;
        let read = one(self);
        self.depth -= 1;
        read
    }

    fn graph(&mut self) -> Read<Graph> {
        let outer = std::mem::take(&mut self.values);
        let mut graph = Graph::new();
        let root = graph.root();
        self.deeper(|d| d.block(&mut graph, root))?;
        self.values = outer;
        Ok(graph)
    }

    fn uses(&mut self) -> Read<Vec<ValueId>> {
        self.each(|d| {
            let number = d.r.u32()? as usize;
            let known = d.values.get(number).copied();
            known.ok_or_else(|| d.r.damaged(format!("value {number} where {} are made", d.values.len())))
        })
    }

    fn block(&mut self, graph: &mut Graph, block: BlockId) -> Read<()> {
        for (ty, name) in self.each(|d| Ok((d.ty()?, d.optional(Self::text)?)))? {
            let value = graph.add_input(block, name.as_deref(), ty);
            self.values.push(value);
        }
        for _ in 0..self.r.count()? {
            let node = self.node(graph)?;
            graph.append(block, node);
        }
        let outputs = self.uses()?;
        graph.set_block_outputs(block, &outputs);
        Ok(())
    }

    fn node(&mut self, graph: &mut Graph) -> Read<NodeId> {
        let kind = self.text()?;
        let inputs = self.uses()?;
        let node = graph.node(kind, &inputs);
        for (name, attr) in self.each(Self::attr)? {
            graph.set_attr(node, name, attr);
        }
        let loc = self.optional(Self::loc)?;
        graph.set_loc(node, loc);
        for _ in 0..self.r.count()? {
            let block = graph.add_block(node);
            self.deeper(|d| d.block(graph, block))?;
        }
        for (ty, name) in self.each(|d| Ok((d.ty()?, d.optional(Self::text)?)))? {
            let value = graph.add_output(node, name.as_deref(), ty);
            self.values.push(value);
        }
        Ok(node)
    }

    fn loc(&mut self) -> Read<Loc> {
        let source = self.r.u32()? as usize;
        let span = Span { start: self.r.u32()?, end: self.r.u32()? };
        let known = self.sources.get(source).cloned();
        let source = known.ok_or_else(|| self.r.damaged(format!("text {source} of {}", self.sources.len())))?;
        Ok(Loc { source, span })
    }

    fn attr(&mut self) -> Read<(String, Attr)> {
        let name = self.r.text()?.to_owned();
        let attr = match self.r.u8()? {
            0 => Attr::Value(self.r.value(0)?),
            1 => Attr::Str(self.text()?),
            2 => Attr::Int(self.r.i64()?),
            3 => Attr::Ints(self.each(|d| d.r.i64())?),
            4 => Attr::Type(self.ty()?),
            5 => Attr::Types(self.each(Self::ty)?),
            6 => Attr::Function(self.text()?),
            7 => Attr::Graph(Box::new(self.graph()?)),
            8 => {
                let text = self.r.text()?.to_owned();
                Attr::Text(read_attribute_value(&text).map_err(|e| self.r.damaged(e.to_string()))?)
            }
            other => return Err(self.r.damaged(format!("no kind of attribute {other}"))),
        };
        Ok((name, attr))
    }
}
