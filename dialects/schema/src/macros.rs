//! What rules are written with: a refusal is one statement, a rule that is another one with settings is one line, and a vocabulary of records stands once.

/// `refuse!(if CONDITION, "words {}", …)` leaves a rule with a `RuntimeError`. A value that has to be known is taken out first, as in
/// `refuse!(if let Some(n) = t.rank(), n != 2, "expected a matrix, got {n}-D")`; another kind of error stands in front: `refuse!(Index if …, …)`.
macro_rules! refuse {
    ($kind:ident if let $p:pat = $e:expr, let $q:pat = $f:expr, $c:expr, $text:literal $($rest:tt)*) => {
        if let $p = $e && let $q = $f && $c {
            return Err($crate::shape::ShapeError::of($crate::shape::ErrorKind::$kind, format!($text $($rest)*)));
        }
    };
    ($kind:ident if let $p:pat = $e:expr, $text:literal $($rest:tt)*) => {
        refuse!($kind if let $p = $e, let () = (), true, $text $($rest)*)
    };
    ($kind:ident if let $p:pat = $e:expr, $c:expr, $text:literal $($rest:tt)*) => {
        refuse!($kind if let $p = $e, let () = (), $c, $text $($rest)*)
    };
    ($kind:ident if $c:expr, $text:literal $($rest:tt)*) => {
        refuse!($kind if let true = $c, $text $($rest)*)
    };
    (if $($rest:tt)+) => { refuse!(Runtime if $($rest)+) };
}

/// `rules! { name = base, setting, …; }`: rules that are another one whose settings follow the call's arguments.
/// `rules! { name = |t: TensorMeta| one(t.dtype, None); }`: rules that are one expression of their arguments.
macro_rules! rules {
    () => {};
    ($(#[$doc:meta])* $name:ident = |$($argument:tt : $t:ty),*| $result:expr; $($rest:tt)*) => {
        $(#[$doc])*
        pub fn $name(a: &[$crate::shape::Meta]) -> $crate::shape::RuleResult {
            $crate::shape::rule(|$($argument: $t),*| -> $crate::shape::RuleResult { $result }, a, ())
        }
        rules! { $($rest)* }
    };
    ($(#[$doc:meta])* $name:ident = $base:path $(, $setting:expr)*; $($rest:tt)*) => {
        $(#[$doc])*
        pub fn $name(a: &[$crate::shape::Meta]) -> $crate::shape::RuleResult {
            $crate::shape::rule($base, a, ($($setting,)*))
        }
        rules! { $($rest)* }
    };
}

/// `vocabulary! { Name { Variant = "word", … } }`: an enum whose variants have the words that records use.
macro_rules! vocabulary {
    ($(#[$meta:meta])* $name:ident { $($(#[$doc:meta])* $variant:ident = $text:literal,)* }) => {
        $(#[$meta])*
        #[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
        pub enum $name { $($(#[$doc])* $variant,)* }
        impl $name {
            /// All of them.
            pub const ALL: &'static [$name] = &[$($name::$variant),*];
            /// The name in the op table's dags.
            pub fn name(self) -> &'static str {
                match self { $($name::$variant => $text,)* }
            }
            /// The one with this name in the op table's dags.
            pub fn from_name(name: &str) -> Option<$name> {
                match name { $($text => Some($name::$variant),)* _ => None }
            }
        }
    };
}
