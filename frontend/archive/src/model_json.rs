//! `model.json` of 2019: the module tree with numbers into a table of tensors and a pickle of attributes, all inside their bounds.

use crate::json::{Json, Object};
use crate::pickle::{QScheme, Quantizer, StorageRef, TensorRef};
use crate::{Error, Limits};
use sconce_schema::DType;
use serde_json::{Map, Value, json};

/// The names of dtypes, which are those of Caffe2.
const DTYPES: &[(&str, DType)] = &[
    ("FLOAT", DType::F32),
    ("INT32", DType::I32),
    ("UINT8", DType::U8),
    ("BYTE", DType::U8),
    ("BOOL", DType::Bool),
    ("INT8", DType::I8),
    ("UINT16", DType::U16),
    ("INT16", DType::I16),
    ("INT64", DType::I64),
    ("FLOAT16", DType::F16),
    ("DOUBLE", DType::F64),
];

/// The versions of the format that were ever written.
const VERSIONS: std::ops::RangeInclusive<i64> = 1..=5;

/// A decoded `model.json`.
#[derive(Clone, PartialEq, Debug)]
pub struct ModelJson {
    pub proto_version: i64,
    pub producer: (String, String),
    pub main: JsonModule,
    /// The table of tensors; storage keys are whole member names, such as `tensors/0`.
    pub tensors: Vec<TensorRef>,
}

/// A module: code is a file of bare functions whose first argument is the module.
#[derive(Clone, PartialEq, Default, Debug)]
pub struct JsonModule {
    pub name: String,
    pub optimize: bool,
    /// The member with the code, such as `code/Net.py`.
    pub code: Option<String>,
    /// The member with the source ranges of the code.
    pub debug: Option<String>,
    pub parameters: Vec<JsonParameter>,
    pub attributes: Vec<JsonAttribute>,
    pub submodules: Vec<JsonModule>,
    /// The attribute that `__setstate__` is called with.
    pub state: Option<i64>,
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub struct JsonParameter {
    pub name: String,
    pub is_buffer: bool,
    /// A place in [`ModelJson::tensors`].
    pub tensor: usize,
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub struct JsonAttribute {
    pub name: String,
    /// The type in Python's spelling.
    pub type_name: String,
    /// A place in the pickle of attributes; `None` if `__setstate__` gives the value.
    pub id: Option<usize>,
}

impl ModelJson {
    /// Reads the document; `attributes` is the number of pickled attributes.
    pub fn read(entry: &str, bytes: &[u8], limits: &Limits) -> Result<ModelJson, Error> {
        let json = Json::read(entry, bytes, limits)?;
        let reader = Reader { entry, limits };
        let model = reader.object(&json, "the model")?;
        let proto_version = reader.int(model, "protoVersion")?.unwrap_or(0);
        if !VERSIONS.contains(&proto_version) {
            return Err(Error::unsupported(entry, format!("protoVersion {proto_version}"), "1 to 5"));
        }
        let mut tensors = Vec::new();
        for (i, tensor) in reader.array(model, "tensors")?.iter().enumerate() {
            tensors.push(reader.tensor(tensor, i)?);
        }
        let main = model.get("mainModule").ok_or_else(|| reader.bad("there is no mainModule"))?;
        let main = reader.module(main, tensors.len())?;
        let text = |key| reader.text(model, key).map(Option::unwrap_or_default);
        Ok(ModelJson { proto_version, producer: (text("producerName")?, text("producerVersion")?), main, tensors })
    }
}

impl ModelJson {
    /// The document, with PyTorch's order of keys and 64-bit numbers as text.
    pub fn write(&self) -> Result<String, Error> {
        let tensors = self.tensors.iter().map(tensor_json).collect::<Result<Vec<_>, _>>()?;
        let document = json!({
            "protoVersion": self.proto_version.to_string(),
            "mainModule": module_json(&self.main),
            "producerName": self.producer.0,
            "producerVersion": self.producer.1,
            "tensors": tensors,
        });
        Ok(document.to_string())
    }
}

fn module_json(module: &JsonModule) -> Value {
    let mut out = Map::new();
    let mut list = |key: &str, items: Vec<Value>| {
        if !items.is_empty() {
            out.insert(key.to_string(), Value::Array(items));
        }
    };
    list("submodules", module.submodules.iter().map(module_json).collect());
    let parameters = module.parameters.iter();
    let parameters =
        parameters.map(|p| json!({"isBuffer": p.is_buffer, "tensorId": p.tensor.to_string(), "name": p.name}));
    list("parameters", parameters.collect());
    let attributes = module.attributes.iter().map(|a| {
        let id = a.id.map_or("-1".to_string(), |id| id.to_string());
        json!({"type": a.type_name, "name": a.name, "id": id})
    });
    list("attributes", attributes.collect());
    out.insert("name".into(), json!(module.name));
    out.insert("optimize".into(), json!(module.optimize));
    let records = [("torchscriptArena", &module.code), ("torchscriptDebugArena", &module.debug)];
    for (key, record) in records {
        if let Some(record) = record {
            out.insert(key.into(), json!({"key": record}));
        }
    }
    if let Some(state) = module.state {
        out.insert("getStateAttributeId".into(), json!(state.to_string()));
    }
    Value::Object(out)
}

fn tensor_json(tensor: &TensorRef) -> Result<Value, Error> {
    let unsupported = |what: String| Error::unsupported("model.json", what, "what PyTorch of 2019 could save");
    let (plain, quantized) = match tensor.dtype {
        DType::QU8 => (DType::U8, true),
        DType::QI8 => (DType::I8, true),
        DType::QI32 => (DType::I32, true),
        plain => (plain, false),
    };
    let name = DTYPES.iter().find(|d| d.1 == plain).map(|d| d.0);
    let name = name.ok_or_else(|| unsupported(format!("a tensor of {}", tensor.dtype)))?;
    let text = |numbers: &[i64]| numbers.iter().map(i64::to_string).collect::<Vec<_>>();
    let mut out = json!({
        "dims": text(&tensor.sizes),
        "offset": tensor.offset.to_string(),
        "strides": text(&tensor.strides),
        "requiresGrad": tensor.requires_grad,
        "dataType": name,
        "data": {"key": &*tensor.storage.key},
        "device": &*tensor.storage.device,
        "isQuantized": quantized,
    });
    match &tensor.quantizer {
        None => {}
        Some(Quantizer::PerTensor { scale, zero_point, .. }) => {
            out["scale"] = json!(scale);
            out["zeroPoint"] = json!(zero_point.to_string());
        }
        Some(Quantizer::PerChannel { .. }) => return Err(unsupported("a tensor quantized by channel".to_string())),
    }
    Ok(out)
}

struct Reader<'a> {
    entry: &'a str,
    limits: &'a Limits,
}

impl Reader<'_> {
    fn bad(&self, what: impl Into<String>) -> Error {
        Error::format(self.entry, 0usize, what)
    }
    fn object<'j>(&self, json: &'j Json, what: &str) -> Result<&'j Object, Error> {
        match json {
            Json::Object(object) => Ok(object),
            _ => Err(self.bad(format!("{what} is no object"))),
        }
    }
    fn array<'j>(&self, object: &'j Object, key: &str) -> Result<&'j [Json], Error> {
        match object.get(key) {
            None | Some(Json::Null) => Ok(&[]),
            Some(Json::Array(items)) => Ok(items),
            Some(_) => Err(self.bad(format!("`{key}` is no array"))),
        }
    }
    fn text(&self, object: &Object, key: &str) -> Result<Option<String>, Error> {
        match object.get(key) {
            None | Some(Json::Null) => Ok(None),
            Some(Json::Text(text)) => Ok(Some(text.clone())),
            Some(_) => Err(self.bad(format!("`{key}` is no text"))),
        }
    }
    fn need(&self, object: &Object, key: &str) -> Result<String, Error> {
        self.text(object, key)?.ok_or_else(|| self.bad(format!("there is no `{key}`")))
    }
    fn flag(&self, object: &Object, key: &str) -> Result<bool, Error> {
        match object.get(key) {
            None | Some(Json::Null) => Ok(false),
            Some(Json::Bool(b)) => Ok(*b),
            Some(_) => Err(self.bad(format!("`{key}` is neither true nor false"))),
        }
    }
    fn number(&self, json: &Json, key: &str) -> Result<i64, Error> {
        let number = match json {
            Json::Int(n) => Some(*n),
            // 64-bit numbers are written as text.
            Json::Text(text) => text.parse().ok(),
            _ => None,
        };
        number.ok_or_else(|| self.bad(format!("`{key}` is no integer")))
    }
    fn int(&self, object: &Object, key: &str) -> Result<Option<i64>, Error> {
        match object.get(key) {
            None | Some(Json::Null) => Ok(None),
            Some(json) => self.number(json, key).map(Some),
        }
    }
    fn ints(&self, object: &Object, key: &str) -> Result<Vec<i64>, Error> {
        let items = self.array(object, key)?;
        Limits::check(self.entry, "the number of dimensions", items.len() as u64, self.limits.rank)?;
        items.iter().map(|i| self.number(i, key)).collect()
    }
    /// `{"key": "tensors/0"}`.
    fn record(&self, object: &Object, key: &str) -> Result<Option<String>, Error> {
        match object.get(key) {
            None | Some(Json::Null) => Ok(None),
            Some(record) => self.need(self.object(record, key)?, "key").map(Some),
        }
    }

    fn tensor(&self, json: &Json, number: usize) -> Result<TensorRef, Error> {
        let object = self.object(json, "a tensor")?;
        let name = self.need(object, "dataType")?;
        let mut dtype = DTYPES.iter().find(|d| d.0 == name).map(|d| d.1).ok_or_else(|| {
            Error::unsupported(self.entry, format!("dataType {name} of tensor {number}"), "a dtype that tensors have")
        })?;
        let mut quantizer = None;
        if self.flag(object, "isQuantized")? {
            dtype = match dtype {
                DType::U8 => DType::QU8,
                DType::I8 => DType::QI8,
                DType::I32 => DType::QI32,
                _ => return Err(self.bad(format!("tensor {number} is quantized and {name}"))),
            };
            let scale = match object.get("scale") {
                Some(Json::Float(x)) => *x,
                Some(Json::Int(n)) => *n as f64,
                _ => 0.0,
            };
            let zero_point = self.int(object, "zeroPoint")?.unwrap_or(0);
            quantizer = Some(Quantizer::PerTensor { scheme: QScheme::PerTensorAffine, scale, zero_point });
        }
        let key = self.record(object, "data")?.ok_or_else(|| self.bad(format!("tensor {number} has no data")))?;
        Ok(TensorRef {
            // How many elements the storage has only its member says.
            storage: StorageRef {
                key: key.into(),
                dtype: Some(dtype),
                device: self.need(object, "device")?.into(),
                numel: 0,
            },
            dtype,
            offset: self.int(object, "offset")?.unwrap_or(0),
            sizes: self.ints(object, "dims")?,
            strides: self.ints(object, "strides")?,
            requires_grad: self.flag(object, "requiresGrad")?,
            parameter: false,
            quantizer,
        })
    }

    fn module(&self, json: &Json, tensors: usize) -> Result<JsonModule, Error> {
        let object = self.object(json, "a module")?;
        let mut module = JsonModule {
            name: self.text(object, "name")?.unwrap_or_default(),
            optimize: self.flag(object, "optimize")?,
            code: self.record(object, "torchscriptArena")?,
            debug: self.record(object, "torchscriptDebugArena")?,
            state: self.int(object, "getStateAttributeId")?,
            ..JsonModule::default()
        };
        for parameter in self.array(object, "parameters")? {
            let parameter = self.object(parameter, "a parameter")?;
            let number = self.int(parameter, "tensorId")?.unwrap_or(0);
            let tensor = usize::try_from(number).ok().filter(|n| *n < tensors);
            module.parameters.push(JsonParameter {
                name: self.need(parameter, "name")?,
                is_buffer: self.flag(parameter, "isBuffer")?,
                tensor: tensor.ok_or_else(|| self.bad(format!("tensorId {number} of {tensors} tensors")))?,
            });
        }
        for attribute in self.array(object, "attributes")? {
            let attribute = self.object(attribute, "an attribute")?;
            module.attributes.push(JsonAttribute {
                name: self.need(attribute, "name")?,
                type_name: self.need(attribute, "type")?,
                // Zero is what is left out; -1 is none.
                id: usize::try_from(self.int(attribute, "id")?.unwrap_or(0)).ok(),
            });
        }
        for submodule in self.array(object, "submodules")? {
            module.submodules.push(self.module(submodule, tensors)?);
        }
        let names = module.parameters.iter().map(|p| &p.name).chain(module.submodules.iter().map(|m| &m.name));
        let mut names: Vec<_> = names.collect();
        names.sort_unstable();
        if let Some([twice, _]) = names.array_windows::<2>().find(|[a, b]| a == b) {
            return Err(self.bad(format!("module `{}` has `{twice}` twice", module.name)));
        }
        Ok(module)
    }
}
