//! A record of a layer as Rust data: what `Layer.td` says, read and checked for what does not fit together.

use crate::codegen::say;
use tblgen::Record;

/// Where a setting stays.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Place {
    Constant,
    Attribute,
    Buffer,
    Nowhere,
}

/// How `repr` shows a setting.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Shown {
    Named,
    Bare,
    Changed,
    Hidden,
}

/// A parameter of the constructor, and what stays of it.
pub struct Setting {
    pub name: String,
    pub annotation: String,
    pub default: String,
    /// To the constructor, and there by name only.
    pub given: bool,
    pub keyword: bool,
    pub place: Place,
    pub stored: String,
    pub value: String,
    /// The annotation of the attribute in the class.
    pub attribute: String,
    /// The name by which the call gets it, or nothing.
    pub passed: String,
    pub shown: Shown,
}

/// A condition that raises or warns.
pub struct Check {
    pub kind: String,
    pub when: String,
    pub words: String,
    /// A statement that it stands in.
    pub around: String,
    pub warns: bool,
}

/// A parameter of the layer.
pub struct Parameter {
    pub name: String,
    pub shape: String,
    pub when: String,
}

/// One step of `reset_parameters`.
pub struct Initial {
    pub parameter: String,
    pub function: String,
    pub more: String,
}

/// An input of `forward`.
pub struct Input {
    pub name: String,
    /// With its annotation and default, as in the signature.
    pub text: String,
    pub required: bool,
}

/// One class.
pub struct Layer {
    pub name: String,
    pub what: String,
    pub base: String,
    pub given: Vec<String>,
    pub settings: Vec<Setting>,
    pub first: Vec<String>,
    pub checks: Vec<Check>,
    pub parameters: Vec<Parameter>,
    pub initial: Vec<Initial>,
    pub fresh: String,
    pub last: String,
    pub inputs: Vec<Input>,
    pub expects: Vec<Check>,
    pub guard: String,
    pub returns: String,
    pub call: String,
    pub also: Vec<String>,
    pub shows: Vec<String>,
    pub methods: String,
}

impl Layer {
    /// Reads a record and checks that it fits together.
    pub fn read(record: Record<'_>) -> Result<Layer, String> {
        if record.is_value_unset("what") {
            return Err("`what` must say in a sentence what the layer computes".to_owned());
        }
        let text = |field: &str| string(record, field);
        let parameters = defs(record, "parameters", Parameter::read)?;
        let layer = Layer {
            name: record.name().map_err(say)?.to_owned(),
            what: text("what")?,
            base: text("base")?,
            given: strings(record, "given")?,
            settings: defs(record, "settings", Setting::read)?,
            first: strings(record, "first")?,
            checks: defs(record, "checks", Check::read)?,
            initial: defs(record, "initial", |r| Initial::read(r, &parameters))?,
            parameters,
            fresh: text("fresh")?,
            last: text("last")?,
            inputs: strings(record, "inputs")?.iter().map(|text| Input::of(text)).collect(),
            expects: defs(record, "expects", Check::read)?,
            guard: text("guard")?,
            returns: text("returns")?,
            call: text("call")?,
            also: strings(record, "also")?,
            shows: strings(record, "shows")?,
            methods: text("methods")?,
        };
        layer.check()?;
        Ok(layer)
    }

    /// What no single field can be wrong about.
    fn check(&self) -> Result<(), String> {
        if let Some(name) = self.first.iter().find(|n| !self.settings.iter().any(|s| s.name == **n)) {
            return Err(format!("first: no setting `{name}`"));
        }
        let positional = self.settings.iter().filter(|s| s.given && !s.keyword);
        if let Some(s) = positional.skip_while(|s| s.default.is_empty()).find(|s| s.default.is_empty()) {
            return Err(format!("settings: `{}` needs a default, as one before it has one", s.name));
        }
        let mut shown = self.settings.iter().map(|s| s.shown).filter(|shown| *shown != Shown::Hidden);
        if shown.next() == Some(Shown::Changed) && shown.next().is_some() && self.shows.is_empty() {
            return Err("settings: what is shown first is always shown, unless it is all; else say `shows`".to_owned());
        }
        if !self.what.ends_with('.') {
            return Err("what: a sentence ends with a full stop".to_owned());
        }
        Ok(())
    }

    /// The settings that become attributes or buffers, in the order in which they do.
    pub fn kept(&self) -> Vec<&Setting> {
        let early = self.first.iter().filter_map(|n| self.settings.iter().find(|s| s.name == *n));
        let late = self.settings.iter().filter(|s| !self.first.contains(&s.name));
        early.chain(late).filter(|s| s.place != Place::Nowhere).collect()
    }
}

impl Setting {
    fn read(record: Record<'_>) -> Result<Setting, String> {
        let text = |field: &str| string(record, field);
        let place = match record.def_value("place").map_err(say)?.name().map_err(say)? {
            "Constant" => Place::Constant,
            "Attribute" => Place::Attribute,
            "Buffer" => Place::Buffer,
            "Nowhere" => Place::Nowhere,
            other => return Err(format!("place: no place {other}")),
        };
        let shown = match record.def_value("shown").map_err(say)?.name().map_err(say)? {
            "Named" => Shown::Named,
            "Bare" => Shown::Bare,
            "Changed" => Shown::Changed,
            "Hidden" => Shown::Hidden,
            other => return Err(format!("shown: no form {other}")),
        };
        Ok(Setting {
            name: text("name")?,
            annotation: text("type")?,
            default: text("default")?,
            given: record.bit_value("given").map_err(say)?,
            keyword: record.bit_value("keyword").map_err(say)?,
            place,
            stored: text("stored")?,
            value: text("value")?,
            attribute: text("attribute")?,
            passed: text("passed")?,
            shown,
        })
    }

    /// As the constructor's signature has it.
    pub fn in_signature(&self) -> String {
        let Setting { name, annotation, default, .. } = self;
        match (annotation.is_empty(), default.is_empty()) {
            (true, true) => name.clone(),
            (true, false) => format!("{name}={default}"),
            (false, true) => format!("{name}: {annotation}"),
            (false, false) => format!("{name}: {annotation} = {default}"),
        }
    }
}

impl Check {
    fn read(record: Record<'_>) -> Result<Check, String> {
        Ok(Check {
            kind: string(record, "kind")?,
            when: string(record, "when")?,
            words: string(record, "words")?,
            around: string(record, "around")?,
            warns: record.bit_value("warns").map_err(say)?,
        })
    }
}

impl Parameter {
    fn read(record: Record<'_>) -> Result<Parameter, String> {
        Ok(Parameter { name: string(record, "name")?, shape: string(record, "shape")?, when: string(record, "when")? })
    }
}

impl Initial {
    fn read(record: Record<'_>, parameters: &[Parameter]) -> Result<Initial, String> {
        let name = string(record, "parameter")?;
        if !parameters.iter().any(|p| p.name == name) {
            return Err(format!("initial: no parameter `{name}`"));
        }
        Ok(Initial { parameter: name, function: string(record, "function")?, more: string(record, "more")? })
    }
}

impl Input {
    /// Of `name`, `name: type` or `name: type = default`.
    fn of(text: &str) -> Input {
        let name = text.split(':').next().unwrap_or(text).trim();
        let typed = text.contains(':');
        Input {
            name: name.to_owned(),
            text: if typed { text.to_owned() } else { format!("{name}: Tensor") },
            required: !text.contains('='),
        }
    }
}

fn string(record: Record<'_>, field: &str) -> Result<String, String> {
    record.str_value(field).map(str::to_owned).map_err(say)
}

fn strings(record: Record<'_>, field: &str) -> Result<Vec<String>, String> {
    Ok(record.list_of_strings_value(field).map_err(say)?.into_iter().map(str::to_owned).collect())
}

fn defs<T>(record: Record<'_>, field: &str, read: impl Fn(Record<'_>) -> Result<T, String>) -> Result<Vec<T>, String> {
    record.list_of_defs_value(field).map_err(say)?.into_iter().map(read).collect()
}
