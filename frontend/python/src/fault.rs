//! Why an evaluation stopped: a Python exception, something that is not supported, or a limit; always with its place.

use super::value::{Scope, Value};
use sconce_graph::graph::Loc;
use sconce_syntax::Span;
use sconce_syntax::source::line_column;
use std::rc::Rc;

/// A file could not be evaluated.
#[derive(Debug, Clone, thiserror::Error)]
pub enum Error {
    /// The file raised an exception that nothing caught.
    #[error("{place}: {class}: {message}")]
    Raised { class: String, message: String, place: Place },
    /// Python that is not supported here.
    #[error("{place}: {what}")]
    Unsupported { what: String, place: Place },
    /// A bound of [`super::Limits`] was passed.
    #[error("{place}: {what}")]
    Limit { what: String, place: Place },
    /// The text is no Python.
    #[error("{}", .0.report(false))]
    Syntax(sconce_syntax::Error),
    /// The compiler refused a function.
    #[error("{}: {}", place_text(&.0.place), .0.message)]
    Compile(sconce_script::emit::Error),
}

/// Where a file was when its evaluation stopped; it prints as `model.py:3:7`, and as `<unknown>` where nothing of the file was running.
#[derive(Debug, Clone)]
pub struct Place(pub Option<Loc>);

impl std::fmt::Display for Place {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match &self.0 {
            Some(place) => f.write_str(&place_text(place)),
            None => f.write_str("<unknown>"),
        }
    }
}

impl Error {
    /// All that is to be said, on several lines: what the compiler refuses is shown as PyTorch shows it.
    pub fn report(&self) -> String {
        match self {
            Error::Compile(error) => error.report(),
            other => other.to_string(),
        }
    }

    /// What PyTorch's exception says: of one that Python code raises, its message alone.
    pub fn exception_text(&self) -> String {
        match self {
            Error::Raised { message, .. } => message.clone(),
            other => other.report(),
        }
    }
}

pub(crate) type Fallible<T> = Result<T, Fault>;

/// An error on its way out; small, because every expression may give one.
#[derive(Clone)]
pub(crate) struct Fault(Box<Inner>);

#[derive(Clone)]
struct Inner {
    kind: Kind,
    place: Option<Loc>,
}

#[derive(Clone)]
enum Kind {
    /// One of Python's own exceptions.
    Raised {
        class: Rc<str>,
        message: String,
    },
    /// An instance of a class of the file.
    Exception(Value),
    Refused(String),
    Limit(String),
    Compile(sconce_script::emit::Error),
}

impl Fault {
    fn new(kind: Kind) -> Fault {
        Fault(Box::new(Inner { kind, place: None }))
    }
    /// A Python exception of a builtin class.
    pub(crate) fn raise(class: &str, message: impl Into<String>) -> Fault {
        Fault::new(Kind::Raised { class: class.into(), message: message.into() })
    }
    pub(crate) fn exception(value: Value) -> Fault {
        Fault::new(Kind::Exception(value))
    }
    pub(crate) fn refused(what: impl Into<String>) -> Fault {
        Fault::new(Kind::Refused(what.into()))
    }
    /// Was a bound of the evaluation passed?
    pub(crate) fn is_limit(&self) -> bool {
        matches!(self.0.kind, Kind::Limit(_))
    }

    pub(crate) fn limit(what: impl Into<String>) -> Fault {
        Fault::new(Kind::Limit(what.into()))
    }
    /// Says where, unless that is known.
    pub(crate) fn at(mut self, scope: &Rc<Scope>, span: Span) -> Fault {
        if self.0.place.is_none() {
            self.0.place = Some(Loc::new(&scope.file.source, span));
        }
        self
    }
    /// Can `except` catch it?
    pub(crate) fn is_exception(&self) -> bool {
        matches!(self.0.kind, Kind::Raised { .. } | Kind::Exception(_))
    }
    /// What `except E as e` binds.
    pub(crate) fn value(&self) -> Value {
        match &self.0.kind {
            Kind::Exception(v) => v.clone(),
            Kind::Raised { class, message } => {
                Value::Generic(Rc::new((format!("builtins.{class}").into(), vec![Value::str(message)])))
            }
            _ => Value::None,
        }
    }
    /// The builtin class of an exception of Python's own.
    pub(crate) fn builtin_class(&self) -> Option<&str> {
        match &self.0.kind {
            Kind::Raised { class, .. } => Some(class),
            Kind::Exception(Value::Generic(g)) => g.0.strip_prefix("builtins."),
            _ => None,
        }
    }
    pub(crate) fn instance(&self) -> Option<&Value> {
        match &self.0.kind {
            Kind::Exception(v) => Some(v),
            _ => None,
        }
    }
    /// The message without class and place.
    pub(crate) fn message(&self) -> String {
        match &self.0.kind {
            Kind::Raised { message, .. } => message.clone(),
            Kind::Refused(m) | Kind::Limit(m) => m.clone(),
            Kind::Exception(v) => match exception_message(v) {
                Some(Value::Str(s)) => s.to_string(),
                _ => String::new(),
            },
            Kind::Compile(e) => e.message.clone(),
        }
    }
    /// The error that callers see.
    pub(crate) fn into_error(self) -> Error {
        let message = self.message();
        let place = Place(self.0.place);
        match self.0.kind {
            Kind::Raised { class, .. } => Error::Raised { class: class.to_string(), message, place },
            Kind::Exception(v) => {
                let class = match &v {
                    Value::Generic(g) => g.0.trim_start_matches("builtins.").to_owned(),
                    other => other.type_name().to_string(),
                };
                Error::Raised { class, message, place }
            }
            Kind::Refused(what) => Error::Unsupported { what, place },
            Kind::Limit(what) => Error::Limit { what, place },
            Kind::Compile(e) => Error::Compile(e),
        }
    }
}

impl From<sconce_script::emit::Error> for Fault {
    fn from(e: sconce_script::emit::Error) -> Fault {
        Fault::new(Kind::Compile(e))
    }
}

/// The first argument that an exception was made with.
fn exception_message(v: &Value) -> Option<Value> {
    match v {
        Value::Generic(g) => g.1.first().cloned(),
        Value::Instance(i) => match i.get("args") {
            Some(Value::Tuple(args)) => args.first().cloned(),
            _ => None,
        },
        _ => None,
    }
}

/// `model.py:3:7`
pub(crate) fn place_text(place: &Loc) -> String {
    let source = &place.source;
    let (line, column) = line_column(source.text(), place.span.start);
    format!("{}:{}:{column}", source.name(), line + source.first_line().saturating_sub(1))
}

impl Fault {
    /// The same as an error of the compiler.
    pub(crate) fn into_compile_error(
        self,
        make: impl FnOnce(String, Option<Loc>) -> sconce_script::emit::Error,
    ) -> sconce_script::emit::Error {
        match self.0.kind {
            Kind::Compile(e) => e,
            _ => make(self.message(), self.0.place.clone()),
        }
    }
}
