//! A fusion strategy says how often a function is specialised, and how tightly: PyTorch's words, and its order.

use std::fmt;
use std::str::FromStr;

/// How tightly a plan is made for the arguments that it was made for.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Specialization {
    /// Every size is known.
    Static,
    /// Sizes that were equal have one symbol; those that were 1 stay known, since they decide what is broadcast.
    Dynamic,
}

/// The words for [`Specialization`].
const WORDS: &[(Specialization, &str)] = &[(Specialization::Static, "STATIC"), (Specialization::Dynamic, "DYNAMIC")];

impl Specialization {
    pub fn word(self) -> &'static str {
        WORDS.iter().find(|(s, _)| *s == self).map_or("STATIC", |(_, word)| word)
    }
}

/// Specialisations in the order in which they are tried, each kind a number of times: `STATIC 2, DYNAMIC 10`.
///
/// ```
/// use sconce_executor::{FusionStrategy, Specialization};
/// let strategy: FusionStrategy = "STATIC 2, DYNAMIC 10".parse()?;
/// assert_eq!(strategy, FusionStrategy::default());
/// assert_eq!((strategy.depth(), strategy.at(2)), (12, Some(Specialization::Dynamic)));
/// # Ok::<(), sconce_executor::StrategyError>(())
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct FusionStrategy(Vec<(Specialization, u32)>);

/// Why a text is no strategy.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum StrategyError {
    #[error("FusionBehavior only supported 'STATIC' or 'DYNAMIC', got: {0}")]
    Word(String),
    #[error("a fusion strategy is `STATIC 2, DYNAMIC 10`: `{0}` has no number of specialisations")]
    Number(String),
    #[error("a fusion strategy has at most {MAX_DEPTH} specialisations, not {0}")]
    TooDeep(u64),
}

/// Plans that one function may have.
const MAX_DEPTH: u32 = 256;

impl Default for FusionStrategy {
    fn default() -> FusionStrategy {
        FusionStrategy(vec![(Specialization::Static, 2), (Specialization::Dynamic, 10)])
    }
}

impl FusionStrategy {
    /// The strategy of these parts.
    ///
    /// # Errors
    /// They are more specialisations than a function may have.
    pub fn new(parts: Vec<(Specialization, u32)>) -> Result<FusionStrategy, StrategyError> {
        let depth: u64 = parts.iter().map(|(_, n)| u64::from(*n)).sum();
        if depth > MAX_DEPTH.into() {
            return Err(StrategyError::TooDeep(depth));
        }
        Ok(FusionStrategy(parts))
    }

    /// What PyTorch makes of a bailout depth: so many static specialisations. With 0 there are none.
    ///
    /// # Errors
    /// As [`FusionStrategy::new`].
    pub fn of_bailout_depth(depth: u32) -> Result<FusionStrategy, StrategyError> {
        FusionStrategy::new(vec![(Specialization::Static, depth)])
    }

    pub fn parts(&self) -> &[(Specialization, u32)] {
        &self.0
    }

    /// All specialisations together: the bailout depth.
    pub fn depth(&self) -> u32 {
        self.0.iter().map(|(_, n)| n).sum()
    }

    /// The kind of the specialisation that comes after `made` others.
    pub fn at(&self, made: u32) -> Option<Specialization> {
        let mut left = made;
        for (kind, n) in &self.0 {
            if left < *n {
                return Some(*kind);
            }
            left -= n;
        }
        None
    }
}

impl fmt::Display for FusionStrategy {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (i, (kind, n)) in self.0.iter().enumerate() {
            write!(f, "{}{} {n}", if i > 0 { ", " } else { "" }, kind.word())?;
        }
        Ok(())
    }
}

impl FromStr for FusionStrategy {
    type Err = StrategyError;

    fn from_str(text: &str) -> Result<FusionStrategy, StrategyError> {
        let parts = text.split(',').map(str::trim).filter(|part| !part.is_empty());
        let read = parts.map(|part| {
            let (word, number) = part.split_once(char::is_whitespace).unwrap_or((part, ""));
            let kind = WORDS.iter().find(|(_, w)| *w == word).ok_or_else(|| StrategyError::Word(word.into()))?.0;
            let number = number.trim().parse().map_err(|_| StrategyError::Number(part.into()))?;
            Ok((kind, number))
        });
        FusionStrategy::new(read.collect::<Result<_, _>>()?)
    }
}
