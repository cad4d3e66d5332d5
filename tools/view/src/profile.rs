//! What calls took, by operator and by place: from a trace as Chrome and Perfetto read it, which PyTorch's profiler writes too, or from a run that was watched.

use crate::bounds::{MOST_CHARACTERS, MOST_SEEN, cut};
use crate::graphs::Shown;
use crate::{Error, bounds};
use sconce_schema::Type;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// How often something ran, and how long that took in all.
#[derive(Serialize, Debug, Clone, Copy, Default, PartialEq)]
pub struct Cost {
    pub runs: u64,
    pub nanoseconds: u64,
}

impl Cost {
    fn add(&mut self, nanoseconds: u64) {
        self.runs = self.runs.saturating_add(1);
        self.nanoseconds = self.nanoseconds.saturating_add(nanoseconds);
    }
}

/// Costs by operator, and of each by place.
#[derive(Debug, Default)]
pub struct Profile {
    /// Where it is from: a file's name, or what was run.
    from: String,
    operators: BTreeMap<String, Operator>,
    events: usize,
}

#[derive(Debug, Default)]
struct Operator {
    all: Cost,
    sites: BTreeMap<Site, Placed>,
}

/// Where an operator is called.
#[derive(Debug, Default, Clone, PartialEq, Eq, PartialOrd, Ord, Deserialize)]
pub struct Site {
    /// `file:line:column`
    pub place: String,
    /// The qualified name of the function that it stands in; empty where that is not known. Code that was made of one line of Python may be many functions.
    #[serde(default)]
    pub function: String,
}

#[derive(Debug, Default)]
struct Placed {
    cost: Cost,
    /// Of each result the types that it had.
    seen: Vec<Vec<String>>,
}

/// What a page says of a profile beside the costs of nodes.
#[derive(Serialize, Debug)]
pub struct Summary {
    from: String,
    nanoseconds: u64,
    /// Do nodes have costs of their own, or do operators alone?
    placed: bool,
    operators: Vec<Row>,
}

#[derive(Serialize, Debug)]
struct Row {
    kind: String,
    #[serde(flatten)]
    cost: Cost,
}

/// A trace is an object with its events, or their array alone.
#[derive(Deserialize)]
struct Trace {
    #[serde(rename = "traceEvents")]
    events: Vec<Event>,
}

#[derive(Deserialize)]
struct Event {
    #[serde(default)]
    name: Option<String>,
    #[serde(default)]
    ph: String,
    /// Microseconds.
    #[serde(default)]
    dur: Option<f64>,
    #[serde(default)]
    args: Option<Arguments>,
}

/// What an event says beside its time; a program may write anything there.
#[derive(Deserialize)]
#[serde(untagged)]
enum Arguments {
    Placed(Site),
    Other(serde::de::IgnoredAny),
}

impl Profile {
    /// An empty one.
    pub fn new(from: &str) -> Profile {
        Profile { from: cut(from, MOST_CHARACTERS), ..Profile::default() }
    }

    /// The operators of a trace: complete events named `aten::relu`, with `"args": {"place": "file:line:column"}` where their node is known.
    ///
    /// # Errors
    /// What is no trace.
    pub fn of_trace(file: &str, bytes: &[u8]) -> Result<Profile, Error> {
        let is_array = bytes.trim_ascii_start().starts_with(b"[");
        let events = if is_array {
            serde_json::from_slice(bytes)
        } else {
            serde_json::from_slice(bytes).map(|t: Trace| t.events)
        };
        let events: Vec<Event> = events.map_err(|why| Error::Trace { file: file.to_owned(), why })?;
        let mut profile = Profile::new(file);
        profile.events = events.len();
        for event in &events {
            let (Some(name), "X") = (&event.name, &*event.ph) else { continue };
            let site = match &event.args {
                Some(Arguments::Placed(site)) => Some(site),
                Some(Arguments::Other(_)) | None => None,
            };
            let nanoseconds = event.dur.filter(|d| *d > 0.).unwrap_or_default() * 1e3;
            profile.record(name, site, nanoseconds as u64, &[]);
        }
        Ok(profile)
    }

    /// A run of an operator, with or without its overload, and the types of what it gave.
    pub fn record(&mut self, operator: &str, site: Option<&Site>, nanoseconds: u64, results: &[Option<String>]) {
        let Some((namespace, name)) = operator.split_once("::") else { return };
        let bare = name.split('.').next().unwrap_or(name);
        let operator = self.operators.entry(format!("{namespace}::{bare}")).or_default();
        operator.all.add(nanoseconds);
        let Some(site) = site else { return };
        let placed = operator.sites.entry(site.clone()).or_default();
        placed.cost.add(nanoseconds);
        placed.seen.resize(placed.seen.len().max(results.len()), Vec::new());
        for (seen, result) in placed.seen.iter_mut().zip(results) {
            let new = result.as_ref().filter(|result| seen.len() < MOST_SEEN && !seen.contains(result));
            seen.extend(new.cloned());
        }
    }

    /// The same times, and the types that results had in a run.
    #[must_use]
    pub fn with_types_of(mut self, run: Profile) -> Profile {
        for (kind, operator) in run.operators {
            let sites = &mut self.operators.entry(kind).or_default().sites;
            for (site, placed) in operator.sites {
                sites.entry(site).or_default().seen = placed.seen;
            }
        }
        self
    }

    /// What the nodes of this kind at a site took.
    pub(crate) fn cost(&self, kind: &str, site: &Site) -> Option<Cost> {
        let cost = |placed: &Placed| Some(placed.cost).filter(|cost| cost.runs > 0);
        self.placed(kind, site).find_map(cost)
    }

    /// Of each result of theirs the types that it had.
    pub(crate) fn seen(&self, kind: &str, site: &Site) -> Option<&Vec<Vec<String>>> {
        self.placed(kind, site).map(|placed| &placed.seen).find(|seen| !seen.is_empty())
    }

    /// What is known of the site, and of its place in any function.
    fn placed(&self, kind: &str, site: &Site) -> impl Iterator<Item = &Placed> {
        let anywhere = Site { function: String::new(), ..site.clone() };
        let sites = self.operators.get(kind).map(|operator| &operator.sites);
        [site.clone(), anywhere].into_iter().filter_map(move |site| sites?.get(&site))
    }

    /// The operators of these graphs.
    pub(crate) fn summary(&self, graphs: &[Shown<'_>]) -> Result<Summary, Error> {
        let mut placed = false;
        let mut rows: BTreeMap<&str, Cost> = BTreeMap::new();
        for shown in graphs {
            for node in shown.graph.walk(shown.graph.root()) {
                let Some((kind, operator)) = self.operators.get_key_value(&**shown.graph.kind(node)) else { continue };
                if operator.all.runs > 0 {
                    rows.insert(kind, operator.all);
                }
                placed |= shown.site(node).is_some_and(|site| self.cost(kind, &site).is_some());
            }
        }
        if rows.is_empty() {
            return Err(Error::Unrelated { file: self.from.clone(), events: self.events });
        }
        let mut operators: Vec<Row> =
            rows.into_iter().map(|(kind, cost)| Row { kind: kind.to_owned(), cost }).collect();
        operators.sort_by_key(|row| std::cmp::Reverse(row.cost.nanoseconds));
        let nanoseconds = operators.iter().fold(0u64, |sum, row| sum.saturating_add(row.cost.nanoseconds));
        Ok(Summary { from: self.from.clone(), nanoseconds, placed, operators })
    }
}

/// `float32[2, 3]`, of a tensor whose dtype and sizes a type says.
pub fn type_text(ty: &Type) -> Option<String> {
    let Type::Tensor(tensor) = ty else { return None };
    let (dtype, sizes) = (tensor.dtype?, tensor.sizes.as_ref()?);
    let sizes: Vec<String> = sizes.iter().map(ToString::to_string).collect();
    Some(bounds::cut(&format!("{}[{}]", dtype.torch_name(), sizes.join(", ")), bounds::MOST_LITERAL))
}
