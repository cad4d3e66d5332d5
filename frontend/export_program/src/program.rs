//! An exported program is its graphs, its signature and its state together: every name that the signature gives has a tensor, and every size its symbol.

use crate::archive::{Archive, Payload};
use crate::pytree::TreeSpec;
use crate::schema::{self, InputSpec, PayloadMeta, RangeConstraint, SymInt, TensorMeta};
use crate::to_fx;
use crate::{Error, Table};
use indexmap::IndexMap;
use rustc_hash::FxHashMap;
use sconce_archive::{Limits, Record};
use sconce_fx::{GraphModule, SymExpr};
use sconce_tensor::{Storage, Tensor, TensorMetadata};

/// A program of `torch.export` (`torch.export.ExportedProgram`).
pub struct ExportedProgram {
    pub graph_module: GraphModule,
    pub signature: schema::GraphSignature,
    /// By the names that the signature gives them, in its order.
    pub state: IndexMap<String, Stored>,
    /// What the sizes of inputs may be, in the document's order.
    pub constraints: Vec<Constraint>,
    /// The tree of the arguments: a tuple of the positional ones and a dict of the others.
    pub in_spec: TreeSpec,
    /// The tree of the result.
    pub out_spec: TreeSpec,
    /// The names of `forward`'s parameters, as far as they were given.
    pub forward_arg_names: Vec<String>,
    /// `TRAINING` where operators may write to what they are given.
    pub verifiers: Vec<String>,
    /// The PyTorch that wrote it.
    pub torch_version: String,
    /// What PyTorch asks of inputs beside the constraints, as Python.
    pub guards: Vec<String>,
}

/// A tensor that belongs to the program.
#[derive(Clone)]
pub struct Stored {
    pub stored_as: StoredAs,
    pub tensor: Tensor,
}

/// What a tensor of the program is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum StoredAs {
    Parameter,
    Buffer {
        /// It is a part of the state dict.
        persistent: bool,
    },
    /// A tensor that the module made.
    Constant,
}

/// What an expression over sizes may be, both ends included.
#[derive(Clone, PartialEq, Debug)]
pub struct Constraint {
    /// As the document writes it: `s77`, `s77 + 1`.
    pub text: String,
    pub range: RangeConstraint,
}

impl ExportedProgram {
    /// Reads a program. `storage` makes a storage of a member's bytes, once for each member: where they are mapped it need not copy.
    ///
    /// # Errors
    /// A document that is not as the schema has it or whose parts do not fit each other; tensors that are not there, or that reach beyond their bytes.
    pub fn read(
        archive: &Archive,
        limits: &Limits,
        storage: &mut dyn FnMut(&Record) -> Result<Storage, Error>,
    ) -> Result<ExportedProgram, Error> {
        let document = archive.document()?;
        let module = &document.graph_module;
        let root = module.module_call_graph.iter().find(|entry| entry.fqn.is_empty());
        let call = root.and_then(|entry| entry.signature.as_ref()).ok_or_else(|| {
            bad(
                "graph_module.module_call_graph",
                "there is no entry for the program itself, which says how it is called",
            )
        })?;
        let tree = |name: &str, text: &str| {
            let place = format!("models/model.json: graph_module.module_call_graph: {name}");
            TreeSpec::read(&place, text, &module.treespec_namedtuple_fields, limits)
        };
        let (in_spec, out_spec) = (tree("in_spec", &call.in_spec)?, tree("out_spec", &call.out_spec)?);
        let graph_module = to_fx::graph_module(module)?;
        let state = State { archive, storage, storages: FxHashMap::default() }.read(&module.signature)?;
        Ok(ExportedProgram {
            graph_module,
            state,
            constraints: constraints(&document.range_constraints),
            in_spec,
            out_spec,
            forward_arg_names: call.forward_arg_names.clone().unwrap_or_default(),
            signature: document.graph_module.signature,
            verifiers: document.verifiers,
            torch_version: document.torch_version,
            guards: document.guards_code,
        })
    }
}

/// An error of the document.
fn bad(path: &str, what: impl Into<String>) -> Error {
    Error::Json { entry: "models/model.json".to_owned(), path: path.to_owned(), what: what.into() }
}

fn constraints(ranges: &Table<RangeConstraint>) -> Vec<Constraint> {
    ranges.iter().map(|(text, range)| Constraint { text: text.clone(), range: *range }).collect()
}

/// The state while it is read.
struct State<'a> {
    archive: &'a Archive,
    storage: &'a mut dyn FnMut(&Record) -> Result<Storage, Error>,
    /// By member: what shares a member shares memory.
    storages: FxHashMap<String, Storage>,
}

impl State<'_> {
    /// The tensors that the signature names; those that the archive has beside them are refused.
    fn read(mut self, signature: &schema::GraphSignature) -> Result<IndexMap<String, Stored>, Error> {
        let weights = self.archive.payloads(Payload::Weights)?;
        let constants = self.archive.payloads(Payload::Constants)?;
        let mut state = IndexMap::new();
        for (i, spec) in signature.input_specs.iter().enumerate() {
            let (name, stored_as) = match spec {
                InputSpec::Parameter(p) => (&p.parameter_name, StoredAs::Parameter),
                InputSpec::Buffer(b) => (&b.buffer_name, StoredAs::Buffer { persistent: b.persistent }),
                InputSpec::TensorConstant(c) => (&c.tensor_constant_name, StoredAs::Constant),
                _ => continue,
            };
            let payloads = [(Payload::Weights, &weights), (Payload::Constants, &constants)];
            let found = payloads.into_iter().find_map(|(p, config)| Some((p, config.config.get(name.as_str())?)));
            let Some((payload, meta)) = found else {
                let path = format!("graph_module.signature.input_specs[{i}]");
                return Err(bad(&path, format!("the archive has no tensor `{name}`")));
            };
            let tensor = self.tensor(payload, name, meta)?;
            if stored_as == StoredAs::Parameter {
                tensor.set_requires_grad(meta.tensor_meta.as_ref().is_some_and(|m| m.requires_grad));
            }
            if state.insert(name.clone(), Stored { stored_as, tensor }).is_some() {
                let path = format!("graph_module.signature.input_specs[{i}]");
                return Err(bad(&path, format!("`{name}` is an input twice")));
            }
        }
        Ok(state)
    }

    fn tensor(&mut self, payload: Payload, name: &str, meta: &PayloadMeta) -> Result<Tensor, Error> {
        let wrong =
            |member: &str, what: String| Error::Tensor { member: member.to_owned(), name: name.to_owned(), what };
        let (member, bytes) = self.archive.bytes(payload, &meta.path_name)?;
        if meta.use_pickle {
            return Err(wrong(&member, "it is pickled, and only tensors as raw bytes are read".to_owned()));
        }
        let Some(about) = &meta.tensor_meta else {
            return Err(wrong(&member, "nothing says what its bytes are".to_owned()));
        };
        let dtype =
            about.dtype.dtype().ok_or_else(|| wrong(&member, format!("dtype {:?} is not supported", about.dtype)))?;
        if about.layout != schema::Layout::Strided {
            return Err(wrong(&member, format!("layout {:?} is not supported, only Strided", about.layout)));
        }
        let storage = match self.storages.get(&member) {
            Some(storage) => storage.clone(),
            None => {
                let made = (self.storage)(&bytes)?;
                self.storages.insert(member.clone(), made.clone());
                made
            }
        };
        let (sizes, strides, offset) = shape(about).map_err(|what| wrong(&member, what))?;
        let metadata = TensorMetadata {
            storage,
            dtype,
            sizes: sizes.as_slice().into(),
            strides: strides.as_slice().into(),
            offset,
            quantizer: None,
        };
        Tensor::new(metadata).map_err(|e| wrong(&member, e.to_string()))
    }
}

/// Sizes, strides and offset of a stored tensor, which has no symbols.
fn shape(meta: &TensorMeta) -> Result<(Vec<i64>, Vec<i64>, i64), String> {
    let number = |n: &SymInt| match to_fx::sym_int(n)? {
        SymExpr::Int(n) => Ok(n),
        other => Err(format!("the size {other} of a tensor that is stored is no number")),
    };
    let all = |list: &[SymInt]| list.iter().map(number).collect::<Result<Vec<i64>, String>>();
    Ok((all(&meta.sizes)?, all(&meta.strides)?, number(&meta.storage_offset)?))
}
