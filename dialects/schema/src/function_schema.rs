//! Schemas as text: every schema PyTorch prints is read, and printed back as PyTorch prints it.

use crate::Type;
use crate::op::{AliasInfo, Argument, DefaultValue, FunctionSchema, Trait};
use crate::text::{Cursor, SyntaxError, format_double, quote_string};
use crate::types::{self};
use std::fmt::{self, Display, Write as _};
use std::str::FromStr;
use std::sync::Arc;

/// The largest `N` of `int[N]` that is accepted: a default is copied that often.
const MAX_LIST_SIZE: u32 = 64;

impl FromStr for FunctionSchema {
    type Err = SyntaxError;

    /// Reads `aten::add.Tensor(Tensor self, Tensor other, *, Scalar alpha=1) -> Tensor`.
    fn from_str(text: &str) -> Result<Self, SyntaxError> {
        let mut c = Cursor::new(text);
        let c = &mut c;
        let start = c.position();
        let namespace = c.dotted_name().ok_or_else(|| c.error("an operator's name"))?;
        let (mut name, mut overload) = match namespace.split_once('.') {
            Some((n, o)) => (n.to_owned(), o),
            None => (namespace.to_owned(), ""),
        };
        if c.rest().starts_with("::") {
            if !overload.is_empty() {
                return Err(c.error_at(start, "a namespace without a dot"));
            }
            c.expect("::")?;
            let rest = c.dotted_name().ok_or_else(|| c.error("an operator's name"))?;
            let (n, o) = rest.split_once('.').unwrap_or((rest, ""));
            name = format!("{name}::{n}");
            overload = o;
        }
        let mut schema = FunctionSchema {
            name: name.into(),
            overload: overload.into(),
            arguments: Vec::new(),
            returns: Vec::new(),
            is_vararg: false,
            is_varret: false,
        };
        c.expect("(")?;
        let mut kwarg_only = false;
        if !c.eat(")") {
            loop {
                if schema.is_vararg {
                    return Err(c.error("`)` after `...`"));
                }
                if c.eat("...") {
                    schema.is_vararg = true;
                } else if c.eat("*") {
                    if kwarg_only {
                        return Err(c.error("one `*` only"));
                    }
                    kwarg_only = true;
                } else {
                    schema.arguments.push(read_argument(c, kwarg_only)?);
                }
                if c.eat(")") {
                    break;
                }
                c.expect(",")?;
            }
        }
        c.expect("->")?;
        if c.eat("...") {
            schema.is_varret = true;
        } else if c.eat("(") {
            if !c.eat(")") {
                loop {
                    if schema.is_varret {
                        return Err(c.error("`)` after `...`"));
                    }
                    if c.eat("...") {
                        schema.is_varret = true;
                    } else {
                        schema.returns.push(read_return(c)?);
                    }
                    if c.eat(")") {
                        break;
                    }
                    c.expect(",")?;
                }
            }
        } else {
            schema.returns.push(read_return(c)?);
        }
        c.skip_blanks();
        if c.at_end() { Ok(schema) } else { Err(c.error("the end of the schema")) }
    }
}

/// Type, list size and alias annotation: `Tensor(a!)[]`, `int[2]?`, `Dict(str, t)(a!)`, `t(*)?`.
fn read_annotated(c: &mut Cursor<'_>) -> Result<(Type, Option<u32>, Option<AliasInfo>), SyntaxError> {
    let mut ty = types::read_base(c, types::Spelling::Schema, 0)?;
    let mut alias = read_alias(c)?;
    let mut list_size = None;
    loop {
        if c.rest().starts_with('[') {
            c.expect("[")?;
            list_size = None;
            if let Some(n) = c.integer() {
                let n = u32::try_from(n).ok().filter(|n| *n <= MAX_LIST_SIZE);
                list_size = Some(n.ok_or_else(|| c.error(&format!("a list size up to {MAX_LIST_SIZE}")))?);
            }
            c.expect("]")?;
            ty = Type::list(ty);
            let outer = read_alias(c)?;
            if alias.is_some() || outer.is_some() {
                let mut outer = outer.unwrap_or_default();
                outer.contained = alias.take().map(Box::new);
                alias = Some(outer);
            }
        } else if c.rest().starts_with('?') {
            c.expect("?")?;
            ty = Type::optional(ty);
        } else {
            return Ok((ty, list_size, alias));
        }
    }
}

/// `(a)`, `(a!)`, `(a -> *)`, `(a|b)`, `(*)`, or nothing.
fn read_alias(c: &mut Cursor<'_>) -> Result<Option<AliasInfo>, SyntaxError> {
    if !c.rest().starts_with('(') {
        return Ok(None);
    }
    c.expect("(")?;
    let mut info = AliasInfo { before: read_alias_set(c)?, ..AliasInfo::default() };
    if c.eat("!") {
        info.is_write = true;
    }
    info.after = if c.eat("->") { read_alias_set(c)? } else { info.before.clone() };
    c.expect(")")?;
    Ok(Some(info))
}

fn read_alias_set(c: &mut Cursor<'_>) -> Result<Vec<Arc<str>>, SyntaxError> {
    let mut set: Vec<Arc<str>> = Vec::new();
    loop {
        if c.eat("*") {
            set.push("*".into());
        } else {
            set.push(c.name().ok_or_else(|| c.error("an alias set or `*`"))?.into());
        }
        if !c.eat("|") {
            return Ok(set);
        }
    }
}

fn read_argument(c: &mut Cursor<'_>, kwarg_only: bool) -> Result<Argument, SyntaxError> {
    let (ty, list_size, alias) = read_annotated(c)?;
    let name = c.name().ok_or_else(|| c.error("the argument's name"))?;
    let default = if c.eat("=") { Some(read_default(c, &ty, list_size)?) } else { None };
    Ok(Argument { name: name.into(), ty, list_size, default, kwarg_only, alias })
}

fn read_return(c: &mut Cursor<'_>) -> Result<Argument, SyntaxError> {
    let (ty, list_size, alias) = read_annotated(c)?;
    let name = c.name().unwrap_or("");
    Ok(Argument { name: name.into(), ty, list_size, default: None, kwarg_only: false, alias })
}

fn read_default(c: &mut Cursor<'_>, ty: &Type, list_size: Option<u32>) -> Result<DefaultValue, SyntaxError> {
    let (ty, optional) = match ty {
        Type::Optional(inner) => (inner.as_ref(), true),
        other => (other, false),
    };
    if c.eat("None") {
        return if optional || !matches!(ty, Type::List(_)) { Ok(DefaultValue::None) } else { Err(c.error("a list")) };
    }
    if let Type::List(element) = ty {
        if !c.eat("[") {
            // `int[2] stride=1` is short for `[1, 1]`.
            let Some(n) = list_size else { return Err(c.error("`[`")) };
            let value = read_default(c, element, None)?;
            return Ok(DefaultValue::List(vec![value; n as usize]));
        }
        let mut items = Vec::new();
        if !c.eat("]") {
            loop {
                items.push(read_default(c, element, None)?);
                if c.eat("]") {
                    break;
                }
                c.expect(",")?;
            }
        }
        return Ok(DefaultValue::List(items));
    }
    if c.eat("True") {
        return Ok(DefaultValue::Bool(true));
    }
    if c.eat("False") {
        return Ok(DefaultValue::Bool(false));
    }
    if c.rest().starts_with(['"', '\'']) {
        return Ok(DefaultValue::Str(c.string()?.into()));
    }
    let start = c.position();
    let Some(text) = c.number_text() else {
        // Names that older schemas give dtypes, layouts and reductions: `Mean`, `contiguous_format`, `strided`.
        return match c.name() {
            Some("Mean") => Ok(DefaultValue::Int(1)),
            Some("contiguous_format") | Some("strided") => Ok(DefaultValue::Int(0)),
            Some("long") => Ok(DefaultValue::Int(crate::DType::I64.number())),
            _ => Err(c.error_at(start, "a default value")),
        };
    };
    // PyTorch converts an int given to `float`, but not one given to `float?`.
    let wants_float = matches!(ty, Type::Float | Type::SymFloat) && !optional;
    if let Ok(n) = text.parse::<i64>()
        && !wants_float
    {
        return if matches!(ty, Type::Complex) {
            Ok(DefaultValue::Complex(n as f64, 0.0))
        } else {
            Ok(DefaultValue::Int(n))
        };
    }
    let x: f64 = text.parse().map_err(|_| c.error_at(start, "a number"))?;
    match ty {
        Type::Float | Type::SymFloat | Type::Number | Type::Any | Type::Var(_) => Ok(DefaultValue::Float(x)),
        Type::Complex => Ok(DefaultValue::Complex(x, 0.0)),
        other => Err(c.error_at(start, &format!("a value of type {}", other.schema_str()))),
    }
}

impl Display for DefaultValue {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            DefaultValue::None => f.write_str("None"),
            DefaultValue::Bool(true) => f.write_str("True"),
            DefaultValue::Bool(false) => f.write_str("False"),
            DefaultValue::Int(n) => write!(f, "{n}"),
            DefaultValue::Float(x) => f.write_str(&format_double(*x)),
            DefaultValue::Complex(re, im) => {
                write!(
                    f,
                    "{}{}{}j",
                    format_double(*re),
                    if im.is_sign_negative() { "" } else { "+" },
                    format_double(*im)
                )
            }
            DefaultValue::Str(s) => f.write_str(&quote_string(s)),
            DefaultValue::List(items) => {
                f.write_char('[')?;
                for (i, item) in items.iter().enumerate() {
                    write!(f, "{}{item}", if i > 0 { ", " } else { "" })?;
                }
                f.write_char(']')
            }
        }
    }
}

impl Display for AliasInfo {
    /// The parenthesis alone; the contained element's annotation is printed by the argument, before its brackets.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "({}", self.before.join("|"))?;
        if self.is_write {
            f.write_char('!')?;
        }
        if self.before != self.after {
            write!(f, " -> {}", self.after.join("|"))?;
        }
        f.write_char(')')
    }
}

impl Display for Argument {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (ty, optional) = match &self.ty {
            Type::Optional(inner) => (inner.as_ref(), true),
            other => (other, false),
        };
        let alias = self.alias.as_ref();
        if let Type::List(element) = ty {
            f.write_str(&element.schema_str())?;
            if let Some(contained) = alias.and_then(|a| a.contained.as_ref()) {
                contained.fmt(f)?;
            }
            match self.list_size {
                Some(n) => write!(f, "[{n}]")?,
                None => f.write_str("[]")?,
            }
        } else {
            f.write_str(&ty.schema_str())?;
        }
        if let Some(alias) = alias
            && !alias.before.is_empty()
        {
            alias.fmt(f)?;
        }
        if optional {
            f.write_char('?')?;
        }
        if !self.name.is_empty() {
            write!(f, " {}", self.name)?;
        }
        match &self.default {
            None => Ok(()),
            // PyTorch writes a list of equal ints as one int, but not for symbolic ints.
            Some(DefaultValue::List(items))
                if items.len() > 1
                    && matches!(&self.ty, Type::List(e) if **e == Type::Int)
                    && items.iter().all(|i| *i == items[0]) =>
            {
                write!(f, "={}", items[0])
            }
            Some(default) => write!(f, "={default}"),
        }
    }
}

impl Display for FunctionSchema {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.full_name())?;
        f.write_char('(')?;
        let mut first = true;
        let mut sep = |f: &mut fmt::Formatter<'_>| {
            let s = if first { "" } else { ", " };
            first = false;
            f.write_str(s)
        };
        let mut kwarg_only = false;
        for argument in &self.arguments {
            sep(f)?;
            if argument.kwarg_only && !kwarg_only {
                kwarg_only = true;
                f.write_str("*, ")?;
            }
            argument.fmt(f)?;
        }
        if self.is_vararg {
            sep(f)?;
            f.write_str("...")?;
        }
        f.write_str(") -> ")?;
        let single = match self.returns.as_slice() {
            [one] if !self.is_varret => Some(one.to_string()),
            [] if self.is_varret => Some("...".to_owned()),
            _ => None,
        };
        match single {
            // A text that begins with a parenthesis would read as a list of results.
            Some(text) if !text.starts_with('(') => f.write_str(&text),
            Some(text) => write!(f, "({text})"),
            None => {
                f.write_char('(')?;
                for (i, ret) in self.returns.iter().enumerate() {
                    write!(f, "{}{ret}", if i > 0 { ", " } else { "" })?;
                }
                if self.is_varret {
                    f.write_str(", ...")?;
                }
                f.write_char(')')
            }
        }
    }
}

impl AliasInfo {
    /// Whether the annotation, or that of a contained element, says the value is written.
    pub fn writes(&self) -> bool {
        self.is_write || self.contained.as_ref().is_some_and(|c| c.writes())
    }
}

impl Argument {
    /// The call writes to this argument.
    pub fn is_written(&self) -> bool {
        self.alias.as_ref().is_some_and(AliasInfo::writes)
    }
    /// An `out=` argument: keyword-only and written.
    pub fn is_out(&self) -> bool {
        self.kwarg_only && self.is_written()
    }
}

impl FunctionSchema {
    /// `aten::add.Tensor`; without the dot when the overload has no name.
    pub fn full_name(&self) -> String {
        if self.overload.is_empty() { self.name.to_string() } else { format!("{}.{}", self.name, self.overload) }
    }
    /// Writes to none of its arguments.
    pub fn is_functional(&self) -> bool {
        !self.arguments.iter().any(Argument::is_written)
    }
    /// `add_`, `__iand__`: writes its first argument and returns it.
    pub fn is_in_place(&self) -> bool {
        self.name.ends_with('_') && self.arguments.first().is_some_and(|a| a.is_written() && !a.kwarg_only)
    }
    /// Has `out=` arguments.
    pub fn is_out(&self) -> bool {
        self.arguments.iter().any(Argument::is_out)
    }
    /// Of an operator that changes the list or dictionary that is its first argument: the schema of one that changes nothing and gives what that would be, and
    /// then what the operator gives besides.
    pub fn container_form(&self) -> Option<FunctionSchema> {
        let changed = self.arguments.first().filter(|a| a.alias.as_ref().is_some_and(|alias| alias.is_write))?;
        if !matches!(changed.ty, Type::List(_) | Type::Dict(..)) || self.is_vararg || self.is_varret {
            return None;
        }
        let (_, word) = self.name.split_once("::")?;
        let mut form = self.clone();
        form.name = format!("sconce::{}", word.trim_end_matches('_')).into();
        for argument in &mut form.arguments {
            argument.alias = argument.alias.take().filter(|alias| !alias.is_write);
        }
        let own = Argument {
            name: "".into(),
            list_size: None,
            default: None,
            kwarg_only: false,
            alias: None,
            ty: changed.ty.clone(),
        };
        form.returns.retain(|result| result.ty != own.ty);
        form.returns.insert(0, own);
        Some(form)
    }
    /// Position of the argument called `name`.
    pub fn argument_index(&self, name: &str) -> Option<usize> {
        self.arguments.iter().position(|a| &*a.name == name)
    }
    /// The traits of an operator with this schema: those that were said of it, then those that follow.
    pub fn traits(&self, said: &[Trait]) -> Vec<Trait> {
        let mut traits = said.to_vec();
        if self.is_in_place() {
            traits.push(Trait::InPlace);
        }
        if self.is_out() {
            traits.push(Trait::Out);
        }
        let sets = |a: &Argument| -> Vec<Arc<str>> {
            let mut sets = Vec::new();
            let mut info = a.alias.as_ref();
            while let Some(i) = info {
                sets.extend(i.before.iter().cloned());
                info = i.contained.as_deref();
            }
            sets
        };
        let returned: Vec<Arc<str>> = self.returns.iter().flat_map(&sets).collect();
        if !self.is_functional() {
            traits.push(Trait::Writes);
        } else if self.arguments.iter().flat_map(&sets).any(|set| returned.contains(&set)) {
            if !said.contains(&Trait::MayView) {
                traits.push(Trait::View);
            }
        } else if returned.is_empty()
            && !self.is_vararg
            && !said
                .iter()
                .any(|t| matches!(t, Trait::Random | Trait::Effect | Trait::MayView | Trait::RunningStatistics))
        {
            traits.push(Trait::Pure);
        }
        traits
    }
}
