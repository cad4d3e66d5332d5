//! Operators on plain numbers and on containers in the form that an interpreter calls without boxing; each is stated once, and its kernel follows from it.
//!
//! A number is a [`Word`]: an integer's, a float's or a bool's bits. A [`Direct`] form of an operator either works on words alone, or reads its operands
//! where they lie ([`Arguments`]).

use crate::engine::number::Number;
use crate::engine::typed::{Typed, kernel};
use crate::{Error, Kernel};
use sconce_schema::Type;
use sconce_tensor::{Dict, Handle, IValue, Items, List, Sizes, Tensor, WriteGuard};
use smallvec::{SmallVec, smallvec};

/// A number without its kind.
pub type Word = u64;

/// Words that a function may hold at once: as many as one byte can name, so that no access needs a check.
pub const WORDS: usize = 256;

/// What a word means.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Kind {
    Int,
    Float,
    Bool,
}

impl Kind {
    /// The kind of the values of a type, if they are plain numbers.
    pub fn of(ty: &Type) -> Option<Kind> {
        match ty {
            Type::Int => Some(Kind::Int),
            Type::Float => Some(Kind::Float),
            Type::Bool => Some(Kind::Bool),
            _ => None,
        }
    }

    /// A number's kind and word; none of other values.
    pub fn split(value: &IValue) -> Option<(Kind, Word)> {
        match value {
            IValue::Int(v) => Some((Kind::Int, v.into_word())),
            IValue::Double(v) => Some((Kind::Float, v.into_word())),
            IValue::Bool(v) => Some((Kind::Bool, v.into_word())),
            _ => None,
        }
    }

    #[inline(always)]
    pub fn value(self, word: Word) -> IValue {
        match self {
            Kind::Int => IValue::Int(i64::from_word(word)),
            Kind::Float => IValue::Double(f64::from_word(word)),
            Kind::Bool => IValue::Bool(bool::from_word(word)),
        }
    }

    /// A value as a number of this kind; what stands for a number elsewhere does so here.
    #[inline(always)]
    pub fn word(self, value: &IValue) -> Result<Word, Error> {
        match (self, value) {
            (Kind::Int, IValue::Int(v)) => Ok(v.into_word()),
            (Kind::Float, IValue::Double(v)) => Ok(v.into_word()),
            (Kind::Bool, IValue::Bool(v)) => Ok(v.into_word()),
            _ => self.converted(value),
        }
    }

    #[cold]
    fn converted(self, value: &IValue) -> Result<Word, Error> {
        Ok(match self {
            Kind::Int => Number::from_value(value)?.to_i64()?.into_word(),
            Kind::Float => Number::from_value(value)?.to_f64()?.into_word(),
            Kind::Bool => value.as_bool()?.into_word(),
        })
    }
}

/// A number that fits a word.
pub trait Plain: Copy {
    const KIND: Kind;
    fn from_word(word: Word) -> Self;
    fn into_word(self) -> Word;
    fn into_number(self) -> Number;
}

macro_rules! plain {
    ($($t:ty, $kind:ident, $number:ident: |$w:ident| $from:expr, |$v:ident| $into:expr;)*) => { $(
        impl Plain for $t {
            const KIND: Kind = Kind::$kind;
            #[inline(always)]
            fn from_word($w: Word) -> $t {
                $from
            }
            #[inline(always)]
            fn into_word(self) -> Word {
                let $v = self;
                $into
            }
            #[inline(always)]
            fn into_number(self) -> Number {
                Number::$number(self)
            }
        }
    )* };
}

plain! {
    i64, Int, Int: |w| w as i64, |v| v as u64;
    f64, Float, Double: |w| f64::from_bits(w), |v| v.to_bits();
    bool, Bool, Bool: |w| w != 0, |v| u64::from(v);
}

/// What a stated function gives: a number, or an error in its place.
pub trait Outcome {
    type Plain: Plain;
    /// It is never an error.
    const TOTAL: bool;
    fn result(self) -> Result<Self::Plain, Error>;
    /// The word, or nothing in place of an error.
    fn word(self) -> Option<Word>;
}

impl<P: Plain> Outcome for P {
    type Plain = P;
    const TOTAL: bool = true;
    #[inline(always)]
    fn result(self) -> Result<P, Error> {
        Ok(self)
    }
    #[inline(always)]
    fn word(self) -> Option<Word> {
        Some(self.into_word())
    }
}

impl<P: Plain> Outcome for Result<P, Error> {
    type Plain = P;
    const TOTAL: bool = false;
    #[inline(always)]
    fn result(self) -> Result<P, Error> {
        self
    }
    #[inline(always)]
    fn word(self) -> Option<Word> {
        self.ok().map(P::into_word)
    }
}

/// A function on words; it gives nothing where its kernel has an error to tell.
#[derive(Clone, Copy)]
pub enum Code {
    One(fn(Word) -> Option<Word>),
    Two(fn(Word, Word) -> Option<Word>),
    Three(fn(Word, Word, Word) -> Option<Word>),
}

/// One form of an operator on words: all its arguments are of one kind.
#[derive(Clone, Copy)]
pub struct Form {
    pub arguments: Kind,
    pub result: Kind,
    /// It never gives nothing.
    pub total: bool,
    pub code: Code,
}

impl Form {
    pub(crate) fn one<A: Plain, O: Outcome>(_: fn(A) -> O, f: fn(Word) -> Option<Word>) -> Form {
        Form { arguments: A::KIND, result: O::Plain::KIND, total: O::TOTAL, code: Code::One(f) }
    }
    pub(crate) fn two<A: Plain, O: Outcome>(_: fn(A, A) -> O, f: fn(Word, Word) -> Option<Word>) -> Form {
        Form { arguments: A::KIND, result: O::Plain::KIND, total: O::TOTAL, code: Code::Two(f) }
    }
    pub(crate) fn three<A: Plain, O: Outcome>(_: fn(A, A, A) -> O, f: fn(Word, Word, Word) -> Option<Word>) -> Form {
        Form { arguments: A::KIND, result: O::Plain::KIND, total: O::TOTAL, code: Code::Three(f) }
    }

    pub(crate) fn arity(&self) -> usize {
        match self.code {
            Code::One(_) => 1,
            Code::Two(_) => 2,
            Code::Three(_) => 3,
        }
    }
}

/// A [`Form`] from an expression: `form!(|a: i64, b: i64| a & b)`.
macro_rules! form {
    (|$a:ident: $t:ty| $e:expr) => {
        $crate::container::direct::Form::one(
            |$a: $t| $e,
            |a| {
                let $a = <$t as $crate::container::direct::Plain>::from_word(a);
                $crate::container::direct::Outcome::word($e)
            },
        )
    };
    (|$a:ident: $t:ty, $b:ident: $u:ty| $e:expr) => {
        $crate::container::direct::Form::two(
            |$a: $t, $b: $u| $e,
            |a, b| {
                let ($a, $b) = (
                    <$t as $crate::container::direct::Plain>::from_word(a),
                    <$u as $crate::container::direct::Plain>::from_word(b),
                );
                $crate::container::direct::Outcome::word($e)
            },
        )
    };
    (|$a:ident: $t:ty, $b:ident: $u:ty, $c:ident: $v:ty| $e:expr) => {
        $crate::container::direct::Form::three(
            |$a: $t, $b: $u, $c: $v| $e,
            |a, b, c| {
                let ($a, $b) = (
                    <$t as $crate::container::direct::Plain>::from_word(a),
                    <$u as $crate::container::direct::Plain>::from_word(b),
                );
                let $c = <$v as $crate::container::direct::Plain>::from_word(c);
                $crate::container::direct::Outcome::word($e)
            },
        )
    };
}
pub(crate) use form;

/// Where an operand lies.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Source {
    /// A register that is read again.
    Copy(u32),
    /// A register that is read for the last time.
    Move(u32),
    Constant(u32),
    Word(Kind, u8),
    /// A list of integers that only this call reads: so many of its sources behind its arguments, from this one on.
    Items(u16, u16),
}

/// Where a result goes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Dest {
    /// Nobody reads it.
    Nowhere,
    Box(u32),
    Word(Kind, u8),
}

/// A copy of a value on its way to a result's place: a number that goes to a word is never boxed. (A box's halves that were just written apart are slow to
/// read as one.)
pub enum Given {
    Word(Word),
    Box(IValue),
}

impl Dest {
    #[inline(always)]
    pub fn given(self, value: &IValue) -> Result<Given, Error> {
        Ok(match self {
            Dest::Word(kind, _) => Given::Word(kind.word(value)?),
            Dest::Box(_) | Dest::Nowhere => Given::Box(value.clone()),
        })
    }
}

/// The operands of one call, read where they lie, and the place of its result.
pub struct Arguments<'a> {
    pub sources: &'a [Source],
    pub boxes: &'a mut [IValue],
    pub words: &'a mut [Word],
    pub constants: &'a [IValue],
    pub dest: Dest,
}

static IN_ORDER: [Source; 16] = {
    let mut sources = [Source::Move(0); 16];
    let mut i = 0;
    while i < 16 {
        sources[i] = Source::Move(i as u32);
        i += 1;
    }
    sources
};

#[cold]
fn missing(i: usize) -> Error {
    Error::runtime(format!("argument {i} is missing"))
}

impl<'a> Arguments<'a> {
    /// Values in their order, which may be taken; the result is to replace the first. Those beyond sixteen are left out.
    pub(crate) fn in_order(values: &'a mut [IValue]) -> Arguments<'a> {
        let sources = &IN_ORDER[..values.len().min(IN_ORDER.len())];
        Arguments { sources, boxes: values, words: &mut [], constants: &[], dest: Dest::Box(0) }
    }

    #[inline(always)]
    fn at(&self, i: usize) -> Result<Source, Error> {
        self.sources.get(i).copied().ok_or_else(|| missing(i))
    }

    #[inline(always)]
    fn word(&self, w: u8) -> Word {
        self.words.get(w as usize).copied().unwrap_or(0)
    }

    /// An operand; one that is a word gets its box in `spare`.
    #[inline(always)]
    pub fn value<'s>(&'s self, i: usize, spare: &'s mut IValue) -> Result<&'s IValue, Error> {
        match self.at(i)? {
            Source::Copy(r) | Source::Move(r) => self.boxes.get(r as usize).ok_or_else(|| missing(i)),
            Source::Constant(c) => self.constants.get(c as usize).ok_or_else(|| missing(i)),
            Source::Word(kind, w) => {
                *spare = kind.value(self.word(w));
                Ok(spare)
            }
            Source::Items(..) => {
                *spare = self.made_list(i)?;
                Ok(spare)
            }
        }
    }

    /// The list that operand `i` would be.
    #[cold]
    fn made_list(&self, i: usize) -> Result<IValue, Error> {
        self.ints(i).map(|ints| IValue::int_list(&ints)).ok_or_else(|| missing(i))
    }

    /// The value for good: out of its register where this is its last use.
    #[inline(always)]
    pub fn take(&mut self, i: usize) -> Result<IValue, Error> {
        match self.at(i)? {
            Source::Move(r) => self.boxes.get_mut(r as usize).map(std::mem::take).ok_or_else(|| missing(i)),
            Source::Copy(r) => self.boxes.get(r as usize).cloned().ok_or_else(|| missing(i)),
            Source::Constant(c) => self.constants.get(c as usize).cloned().ok_or_else(|| missing(i)),
            Source::Word(kind, w) => Ok(kind.value(self.word(w))),
            Source::Items(..) => self.made_list(i),
        }
    }

    /// The integers of a list; `None` where they are none.
    #[inline(always)]
    pub fn ints(&self, i: usize) -> Option<Sizes> {
        let mut ints = Sizes::new();
        if let Source::Items(first, count) = self.at(i).ok()? {
            for k in 0..usize::from(count) {
                ints.push(self.int(usize::from(first) + k).ok()?);
            }
            return Some(ints);
        }
        // Pushed one by one: to collect options costs as much as the rest of a view.
        for item in self.list(i).ok()?.read().iter() {
            let IValue::Int(n) = item else { return None };
            ints.push(*n);
        }
        Some(ints)
    }

    #[inline(always)]
    pub fn int(&self, i: usize) -> Result<i64, Error> {
        match self.at(i)? {
            Source::Word(Kind::Int, w) => Ok(i64::from_word(self.word(w))),
            _ => Ok(self.boxed(i)?.as_int()?),
        }
    }

    /// The operand, if it is a word.
    #[inline(always)]
    pub fn number(&self, i: usize) -> Option<(Kind, Word)> {
        if let Some(Source::Word(kind, w)) = self.sources.get(i) { Some((*kind, self.word(*w))) } else { None }
    }

    /// A bound of a slice: an integer or `None`.
    #[inline(always)]
    pub fn bound(&self, i: usize) -> Result<Option<i64>, Error> {
        match self.at(i)? {
            Source::Word(Kind::Int, w) => Ok(Some(i64::from_word(self.word(w)))),
            _ => Ok(self.boxed(i)?.optional().map(IValue::as_int).transpose()?),
        }
    }

    /// The operand, if it is no word; of words only the kind is told, of a list's items nothing.
    #[inline(always)]
    pub fn boxed(&self, i: usize) -> Result<&IValue, Error> {
        let value = match self.at(i)? {
            Source::Copy(r) | Source::Move(r) => self.boxes.get(r as usize),
            Source::Constant(c) => self.constants.get(c as usize),
            Source::Word(kind, _) => Some(match kind {
                Kind::Int => &IValue::Int(0),
                Kind::Float => &IValue::Double(0.0),
                Kind::Bool => &IValue::Bool(false),
            }),
            Source::Items(..) => Some(&IValue::None),
        };
        value.ok_or_else(|| missing(i))
    }

    #[inline(always)]
    pub fn tensor(&self, i: usize) -> Option<&Tensor> {
        if let Ok(IValue::Tensor(t)) = self.boxed(i) { Some(t) } else { None }
    }

    /// Operand `i`, a tensor whose last use this is.
    #[inline(always)]
    pub fn own_tensor(&mut self, i: usize) -> Option<&mut Tensor> {
        let Source::Move(r) = *self.sources.get(i)? else { return None };
        if let IValue::Tensor(t) = self.boxes.get_mut(r as usize)? { Some(t) } else { None }
    }

    #[inline(always)]
    pub fn list(&self, i: usize) -> Result<&Handle<List>, Error> {
        Ok(self.boxed(i)?.as_list()?)
    }

    /// The elements of the list that is operand `i`, to be read or changed: nobody is waited for where no other handle of it is. A list that others have is
    /// taken for writing also to read, which is one atomic operation instead of two.
    #[inline(always)]
    pub fn items(&mut self, i: usize) -> Result<WriteGuard<'_, Vec<IValue>>, Error> {
        match self.at(i)? {
            Source::Copy(r) | Source::Move(r) if (r as usize) < self.boxes.len() => match &mut self.boxes[r as usize] {
                IValue::List(list) => Ok(List::write_by(list)),
                other => Ok(other.as_list()?.write()),
            },
            _ => Ok(self.list(i)?.write()),
        }
    }

    #[inline(always)]
    pub fn dict(&self, i: usize) -> Result<&Handle<Dict>, Error> {
        Ok(self.boxed(i)?.as_dict()?)
    }

    #[inline(always)]
    pub fn str(&self, i: usize) -> Result<&str, Error> {
        Ok(self.boxed(i)?.as_str()?)
    }

    /// The register that operand `i` is, to be changed, and operand `j` beside it; a word gets its box in `spare`. `None` where `i` is in no register of its own.
    #[inline(always)]
    fn beside<'s>(&'s mut self, i: usize, j: usize, spare: &'s mut IValue) -> Option<(&'s mut IValue, &'s IValue)> {
        let (Source::Copy(r) | Source::Move(r), other) = (*self.sources.get(i)?, *self.sources.get(j)?) else {
            return None;
        };
        if let Source::Word(kind, w) = other {
            *spare = kind.value(self.word(w));
        }
        match other {
            Source::Copy(x) | Source::Move(x) => {
                let [own, other] = self.boxes.get_disjoint_mut([r as usize, x as usize]).ok()?;
                Some((own, &*other))
            }
            Source::Constant(c) => Some((self.boxes.get_mut(r as usize)?, self.constants.get(c as usize)?)),
            Source::Word(..) => Some((self.boxes.get_mut(r as usize)?, spare)),
            Source::Items(..) => None,
        }
    }

    /// Operand `i`, to be changed in place because this is its last use and nobody else has it, and operand `j`.
    #[inline(always)]
    pub fn own_str<'s>(
        &'s mut self,
        i: usize,
        j: usize,
        spare: &'s mut IValue,
    ) -> Option<(&'s mut String, &'s IValue)> {
        let Some(Source::Move(_)) = self.sources.get(i) else { return None };
        match self.beside(i, j, spare)? {
            (IValue::Str(s), other) => Some((s.get_mut()?, other)),
            _ => None,
        }
    }

    /// The dictionary that is operand 0, to be changed, and the key that is operand 1. `None` where [`Arguments::dict`] is to be asked.
    #[inline(always)]
    pub fn keyed<'s>(&'s mut self, spare: &'s mut IValue) -> Option<(WriteGuard<'s, Items>, &'s IValue)> {
        match self.beside(0, 1, spare)? {
            (IValue::Dict(dict), key) => Some((Dict::write_by(dict), key)),
            _ => None,
        }
    }

    /// The result.
    #[inline(always)]
    pub fn give(&mut self, value: IValue) -> Result<(), Error> {
        match self.dest {
            Dest::Nowhere => {}
            Dest::Box(r) => {
                if let Some(place) = self.boxes.get_mut(r as usize) {
                    *place = value;
                }
            }
            Dest::Word(kind, w) => {
                let word = kind.word(&value)?;
                if let Some(place) = self.words.get_mut(w as usize) {
                    *place = word;
                }
            }
        }
        Ok(())
    }

    /// The result, made by [`Dest::given`].
    #[inline(always)]
    pub fn put(&mut self, given: Given) -> Result<(), Error> {
        match given {
            Given::Box(value) => self.give(value)?,
            Given::Word(word) => {
                if let Dest::Word(_, w) = self.dest
                    && let Some(place) = self.words.get_mut(w as usize)
                {
                    *place = word;
                }
            }
        }
        Ok(())
    }

    /// Operand `i` is the result.
    #[inline(always)]
    pub fn pass(&mut self, i: usize) -> Result<(), Error> {
        match (self.dest, self.at(i)?) {
            (Dest::Nowhere, _) => Ok(()),
            (Dest::Box(to), Source::Move(from)) if to == from => Ok(()),
            (Dest::Box(to), Source::Move(from)) if self.boxes.len() > to.max(from) as usize => {
                let value = std::mem::replace(&mut self.boxes[from as usize], IValue::Uninitialized);
                self.boxes[to as usize] = value;
                Ok(())
            }
            _ => {
                let value = self.take(i)?;
                self.give(value)
            }
        }
    }
}

/// An operator that reads its operands where they lie and gives its result, if it has one, by [`Arguments::give`].
pub type View = fn(&mut Arguments<'_>) -> Result<(), Error>;

/// How an operator is called without boxing.
#[derive(Clone, Copy)]
pub enum Direct {
    Words(Form),
    View(View),
}

/// The direct forms that belong to a kernel.
pub(crate) struct Row {
    pub kernel: Kernel,
    pub forms: SmallVec<[Form; 3]>,
    pub view: Option<View>,
    /// Of the operator that gives the container that the view's changes.
    pub own: Option<View>,
}

impl Row {
    pub fn words<M>(function: impl Typed<M>, forms: impl IntoIterator<Item = Form>) -> Row {
        Row { kernel: kernel(function), forms: forms.into_iter().collect(), view: None, own: None }
    }
    pub fn view<M>(function: impl Typed<M>, view: View, own: View) -> Row {
        Row { kernel: kernel(function), forms: smallvec![], view: Some(view), own: Some(own) }
    }
}
