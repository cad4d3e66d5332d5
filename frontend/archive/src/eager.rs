//! Tensors that eager PyTorch saved become arrays by their dotted names; what a view leaves out of its storage is left out.

use crate::model_json::ModelJson;
use crate::pickle::{Pickle, StorageRef, TensorRef, Value, ValueId};
use crate::source::Source;
use crate::{Array, Container, Error, Limits, PtArchive};
use std::collections::{HashMap, HashSet};

/// The number that begins files of torch.save before PyTorch 1.6.
const MAGIC: &str = "119547037146038801333356";
const LEGACY_PROTOCOL: i64 = 1001;

/// Reads the tensors of a file of torch.save, of either format, or of a TorchScript archive.
pub fn read(name: &str, bytes: &[u8], limits: &Limits) -> Result<Vec<(String, Array)>, Error> {
    if bytes.starts_with(b"\x80") {
        return read_legacy(name, bytes, limits);
    }
    let container = Container::from_source(name, Source::Owned(bytes.to_vec()), limits)?;
    let archive = PtArchive::new(name, container, limits, true)?;
    if let Some(model) = archive.model_json() {
        return read_model(name, &archive, model, limits);
    }
    let Some(data) = archive.data() else { return Ok(Vec::new()) };
    collect(name, data, limits, |tensor| Ok(archive.tensor_storage("data.pkl", tensor)?.bytes()?.to_vec()))
}

/// The parameters, buffers and attributes of a module of 2019.
fn read_model(
    entry: &str,
    archive: &PtArchive,
    model: &ModelJson,
    limits: &Limits,
) -> Result<Vec<(String, Array)>, Error> {
    let pickled = |id: usize| {
        let data = archive.data()?;
        match data[*data.root().as_items()?.get(id)?] {
            Value::TensorId(n) => usize::try_from(n).ok(),
            _ => None,
        }
    };
    let mut out = Vec::new();
    let mut work = vec![(String::new(), &model.main)];
    while let Some((prefix, module)) = work.pop() {
        let parameters = module.parameters.iter().map(|p| (&p.name, p.tensor));
        let attributes = module.attributes.iter().filter_map(|a| Some((&a.name, pickled(a.id?)?)));
        for (name, number) in parameters.chain(attributes) {
            let Some(tensor) = model.tensors.get(number) else { continue };
            let storage = archive.tensor_storage("", tensor)?;
            out.push((format!("{prefix}{name}"), to_array(entry, tensor, storage.bytes()?, limits)?));
        }
        work.extend(module.submodules.iter().rev().map(|m| (format!("{prefix}{}.", m.name), m)));
    }
    Ok(out)
}

/// Walks dicts, lists and objects, and makes an array of every tensor.
fn collect(
    entry: &str,
    pickle: &Pickle,
    limits: &Limits,
    mut bytes_of: impl FnMut(&TensorRef) -> Result<Vec<u8>, Error>,
) -> Result<Vec<(String, Array)>, Error> {
    let mut out = Vec::new();
    let (mut total, mut visited) = (0u64, 0u64);
    let mut work = vec![(String::new(), pickle.root_id())];
    while let Some((name, id)) = work.pop() {
        visited += 1;
        Limits::check(entry, "the number of values", visited, limits.values)?;
        let inner = |key: &str| if name.is_empty() { key.to_string() } else { format!("{name}.{key}") };
        let from = work.len();
        match &pickle[id] {
            Value::Tensor(tensor) => {
                total = total.saturating_add(tensor.numel().unwrap_or(i64::MAX) as u64);
                Limits::check(entry, "the elements of all tensors", total, limits.total_bytes)?;
                out.push((name, to_array(entry, tensor, &bytes_of(tensor)?, limits)?));
            }
            Value::Dict(dict) => {
                work.extend(dict.entries.iter().filter_map(|(k, v)| Some((inner(&key_text(pickle, *k)?), *v))));
            }
            Value::Object(object) => work.push((name, object.state)),
            Value::List(list) => {
                work.extend(list.items.iter().enumerate().map(|(i, v)| (inner(&i.to_string()), *v)));
            }
            Value::Tuple(items) => work.extend(items.iter().enumerate().map(|(i, v)| (inner(&i.to_string()), *v))),
            _ => {}
        }
        work[from..].reverse();
    }
    let mut seen = HashSet::new();
    if let Some((twice, _)) = out.iter().find(|(name, _)| !seen.insert(name.as_str())) {
        return Err(Error::format(entry, 0usize, format!("two tensors are called `{twice}`")));
    }
    Ok(out)
}

fn key_text(pickle: &Pickle, key: ValueId) -> Option<String> {
    match &pickle[key] {
        Value::Int(n) => Some(n.to_string()),
        other => other.as_str().map(str::to_string),
    }
}

/// The elements in row-major order.
fn to_array(entry: &str, tensor: &TensorRef, storage: &[u8], limits: &Limits) -> Result<Array, Error> {
    let bad = || Error::format(entry, 0usize, format!("a tensor of sizes {:?} beyond its storage", tensor.sizes));
    let size = tensor.dtype.size();
    let numel = tensor.numel().and_then(|n| usize::try_from(n).ok()).ok_or_else(bad)?;
    let length = numel.checked_mul(size).ok_or_else(bad)? as u64;
    // Strides of zero make much of little.
    if length > Limits::FREE_BYTES {
        let ratio = length / (storage.len() as u64).max(1);
        Limits::check(entry, "the ratio of a tensor's size to its storage's", ratio, limits.ratio)?;
    }
    let mut bytes = Vec::with_capacity(length as usize);
    let mut index = vec![0i64; tensor.sizes.len()];
    for _ in 0..numel {
        let at: i64 = tensor.offset + index.iter().zip(&tensor.strides).map(|(i, s)| i * s).sum::<i64>();
        let at = usize::try_from(at).ok().and_then(|a| a.checked_mul(size)).ok_or_else(bad)?;
        bytes.extend(at.checked_add(size).and_then(|end| storage.get(at..end)).ok_or_else(bad)?);
        for (i, s) in index.iter_mut().zip(&tensor.sizes).rev() {
            *i += 1;
            if *i < *s {
                break;
            }
            *i = 0;
        }
    }
    Ok(Array { dtype: tensor.dtype, sizes: tensor.sizes.clone(), bytes })
}

/// Before PyTorch 1.6: four pickles, the keys of the storages, and behind them the storages.
fn read_legacy(name: &str, bytes: &[u8], limits: &Limits) -> Result<Vec<(String, Array)>, Error> {
    let mut at = 0;
    let bad = |at: usize, what: &str| Error::format(name, at, what);
    let mut next = || -> Result<(Pickle, usize), Error> {
        let rest = bytes.get(at..).unwrap_or_default();
        // A pickle is not larger than the file's head may be.
        let window = &rest[..rest.len().min(usize::try_from(limits.pickle_bytes).unwrap_or(usize::MAX))];
        let (pickle, used) = Pickle::read_prefix(name, window, limits)?;
        at += used;
        Ok((pickle, at))
    };
    let (magic, _) = next()?;
    if !matches!(magic.root(), Value::BigInt(digits) if **digits == *MAGIC) {
        return Err(Error::Foreign {
            file: name.to_string(),
            what: "a pickle that torch.save did not write".to_string(),
        });
    }
    let (protocol, end) = next()?;
    if protocol.root().as_int() != Some(LEGACY_PROTOCOL) {
        return Err(bad(end, "the version of the file is not 1001"));
    }
    let (system, end) = next()?;
    let little = system.root().as_dict().and_then(|d| system.lookup(d, "little_endian"));
    if !little.is_some_and(|id| system[id] == Value::Bool(true)) {
        return Err(bad(end, "the file is of a big-endian machine"));
    }
    let (object, end) = next()?;
    let (keys, mut at) = next()?;
    let storages: HashMap<&str, &StorageRef> = object
        .values()
        .filter_map(|(_, v)| if let Value::Storage(s) = v { Some((&*s.key, &**s)) } else { None })
        .collect();
    let mut data: HashMap<String, &[u8]> = HashMap::new();
    for key in keys.root().as_items().ok_or_else(|| bad(end, "no list of storages"))? {
        let key = keys[*key].as_str().ok_or_else(|| bad(end, "the key of a storage is no text"))?;
        let storage = storages.get(key).ok_or_else(|| bad(end, "a storage that no tensor has"))?;
        let head = bytes.get(at..).and_then(|b| b.first_chunk::<8>()).ok_or_else(|| bad(at, "a storage is cut off"))?;
        if u64::from_le_bytes(*head) != storage.numel {
            return Err(bad(at, "the size of a storage is not what the pickle says"));
        }
        let length = storage.byte_count().and_then(|n| usize::try_from(n).ok());
        let part = length.and_then(|n| bytes.get(at + 8..)?.get(..n)).ok_or_else(|| bad(at, "a storage is cut off"))?;
        at += 8 + part.len();
        data.insert(key.to_string(), part);
    }
    if at != bytes.len() {
        return Err(bad(at, "bytes follow the last storage"));
    }
    collect(name, &object, limits, |tensor| {
        data.get(&*tensor.storage.key).map(|b| b.to_vec()).ok_or_else(|| bad(end, "a tensor's storage is missing"))
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::PtWriter;
    use crate::pickle::{Builder, Dict};
    use sconce_schema::DType;

    fn tensor(b: &mut Builder, key: &str, sizes: Vec<i64>, strides: Vec<i64>, offset: i64) -> ValueId {
        let storage = StorageRef { key: key.into(), dtype: Some(DType::I16), device: "cpu".into(), numel: 6 };
        b.add(Value::Tensor(Box::new(TensorRef {
            storage,
            dtype: DType::I16,
            offset,
            sizes,
            strides,
            requires_grad: false,
            parameter: false,
            quantizer: None,
        })))
    }

    /// `{"net": {"weight": …, "part": …}, "epoch": 3}`
    fn state_dict() -> Pickle {
        let mut b = Pickle::builder();
        let dict = |entries| Value::Dict(Box::new(Dict { entries, ordered: true, ..Dict::default() }));
        let transposed = tensor(&mut b, "0", vec![3, 2], vec![1, 3], 0);
        let part = tensor(&mut b, "0", vec![2], vec![1], 4);
        let inner = vec![(b.str("weight"), transposed), (b.str("part"), part)];
        let inner = b.add(dict(inner));
        let outer = vec![(b.str("net"), inner), (b.str("epoch"), b.int(3))];
        let root = b.add(dict(outer));
        b.finish(root)
    }

    fn check(arrays: &[(String, Array)]) {
        let shown: Vec<_> = arrays.iter().map(|(n, a)| (n.as_str(), &a.sizes[..], &a.bytes[..])).collect();
        let transposed: &[u8] = &[0, 0, 3, 0, 1, 0, 4, 0, 2, 0, 5, 0];
        assert_eq!(shown, [("net.weight", &[3, 2][..], transposed), ("net.part", &[2], &[4, 0, 5, 0])]);
    }

    const DATA: [u8; 12] = [0, 0, 1, 0, 2, 0, 3, 0, 4, 0, 5, 0];

    #[test]
    fn a_state_dict_becomes_arrays() {
        let mut writer = PtWriter::new("archive", Vec::new());
        writer.pickle("data.pkl", &state_dict(), |_| Ok(DATA)).unwrap();
        let bytes = writer.finish(3).unwrap();
        check(&crate::read_arrays("weights.pth", &bytes, &Limits::default()).unwrap());
        let error = PtArchive::from_bytes(bytes, &Limits::default()).unwrap_err().to_string();
        assert_eq!(
            error,
            "archive: a file of torch.save (arrays or a state dict), not a TorchScript archive: it has no code"
        );
    }

    #[test]
    fn so_does_one_of_the_format_before_zip() {
        let one = |value: Value| {
            let mut b = Pickle::builder();
            let root = b.add(value);
            b.finish(root).write("test").unwrap()
        };
        let mut b = Pickle::builder();
        let entries = vec![(b.str("little_endian"), b.add(Value::Bool(true)))];
        let system = b.add(Value::Dict(Box::new(Dict { entries, ..Dict::default() })));
        let system = b.finish(system).write("test").unwrap();
        let mut b = Pickle::builder();
        let key = b.str("0");
        let keys = b.list(vec![key]);
        let keys = b.finish(keys).write("test").unwrap();
        let object = state_dict().write("test").unwrap();
        let mut bytes =
            [one(Value::BigInt(MAGIC.into())), one(Value::Int(LEGACY_PROTOCOL)), system, object, keys].concat();
        bytes.extend(6u64.to_le_bytes());
        bytes.extend(DATA);
        check(&crate::read_arrays("weights.pt", &bytes, &Limits::default()).unwrap());
        for cut in 0..bytes.len() {
            assert!(crate::read_arrays("weights.pt", &bytes[..cut], &Limits::default()).is_err(), "{cut}");
        }
    }
}
