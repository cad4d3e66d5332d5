//! The verdict on a rule: what was seen, what was proved, or what refutes it, in a line.

use crate::cases::{self, Seen};
use crate::general::{self, Outcome, Proof};
use crate::recorded::Recorded;
use crate::solver::{self, Answer};
use rayon::prelude::*;
use sconce_egraph::rules::{Class, Rule};
use std::fmt;
use std::sync::Arc;

/// What came of a rule.
pub struct Verdict {
    pub name: Arc<str>,
    pub class: Class,
    /// `Err`: operands that show that it does not hold, or why nothing is known of it.
    pub outcome: Result<Verified, String>,
}

/// What was seen and what is proved.
pub struct Verified {
    pub seen: Seen,
    pub general: Option<Proof>,
    /// What the solver said, where it was asked.
    pub solver: Option<Answer>,
}

/// Checks and proves rules, several at a time.
pub fn verify_all(rules: &[Rule], recorded: &Recorded) -> Vec<Verdict> {
    rules.par_iter().map(|rule| verify(rule, recorded)).collect()
}

/// Checks and proves a rule. The solver is asked where its answer is not on record, if there is one.
pub fn verify(rule: &Rule, recorded: &Recorded) -> Verdict {
    Verdict { name: rule.name.clone(), class: rule.class, outcome: outcome(rule, recorded) }
}

fn outcome(rule: &Rule, recorded: &Recorded) -> Result<Verified, String> {
    let (seen, cases) = cases::check(rule)?;
    let general = match general::prove(rule, &cases) {
        Outcome::Proved(proof) => Some(proof),
        Outcome::Open => None,
        Outcome::Refuted(why) => return Err(why),
    };
    let mut answer = None;
    if general.is_none() && rule.class == Class::Exact && cases::is_elementwise(rule) {
        answer = match recorded.answer(rule) {
            Some(known) => Some(known.clone()),
            None if solver::is_there() => Some(solver::prove(rule, &cases)?),
            None => None,
        };
    }
    Ok(Verified { seen, general, solver: answer })
}

impl fmt::Display for Verdict {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {}: ", self.name, self.class.name())?;
        match &self.outcome {
            Err(why) => f.write_str(why),
            Ok(Verified { seen, general, solver }) => {
                write!(f, "{} cases", seen.cases)?;
                if let [first, rest @ ..] = &seen.exhausted[..] {
                    write!(f, ", every value of {}", first.short_name())?;
                    rest.iter().try_for_each(|d| write!(f, " {}", d.short_name()))?;
                }
                match (general, solver) {
                    (Some(proof), _) => write!(f, ", {proof}"),
                    (None, Some(answer)) => write!(f, ", solver {answer}"),
                    (None, None) => f.write_str(", no proof"),
                }
            }
        }
    }
}
