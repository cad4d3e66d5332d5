//! Sizes that may vary are symbols with a range, and what was assumed of them is kept as guards that the example satisfies.

use crate::error::{Error, refused};
use sconce_fx::SymExpr;
use sconce_fx::symbolic::Symbol as Name;
use sconce_schema::dim::{Bounds, Dim, Guard, Relation};
use std::sync::Arc;

/// A size that may vary, or a number that depends on data.
#[derive(Clone)]
pub(crate) struct Symbol {
    /// `s0`, `u0`
    pub name: String,
    /// What the example has.
    pub hint: i64,
    pub bounds: Bounds,
    /// How Python reaches it: `L['x'].size()[0]`. Numbers that depend on data have none.
    pub source: Option<String>,
}

#[derive(Clone, Default)]
pub(crate) struct Symbols {
    pub all: Vec<Symbol>,
    pub guards: Vec<Guard>,
}

/// How many symbols and guards a program may have.
const MOST: usize = 1 << 16;

impl Symbols {
    pub fn add(&mut self, symbol: Symbol) -> Result<Dim, Error> {
        if self.all.len() >= MOST {
            return Err(refused(format!("more than {MOST} numbers depend on data")));
        }
        let number = u32::try_from(self.all.len()).map_err(|_| refused("too many symbols"))?;
        self.all.push(symbol);
        Ok(Dim::Symbol(number))
    }

    /// The example's value of a size.
    pub fn hint(&self, dim: Dim) -> Option<i64> {
        dim.eval(&|s| self.all.get(s as usize).map(|symbol| symbol.hint))
    }

    /// Is the size computed from the elements of tensors?
    pub fn is_data(&self, dim: Dim) -> bool {
        let mut data = false;
        dim.symbols(&mut |s| data |= self.all.get(s as usize).is_some_and(|symbol| symbol.source.is_none()));
        data
    }

    pub fn bounds(&self, symbol: u32) -> Bounds {
        self.all.get(symbol as usize).map_or(Bounds::ANY, |s| s.bounds)
    }

    /// Assumes a relation that the example satisfies; what follows from ranges is not put on record. True if something is.
    pub fn assume(&mut self, guard: Guard) -> Result<bool, Error> {
        if !guard.holds(&|s| self.all.get(s as usize).map(|symbol| symbol.hint)) {
            return Err(refused(format!("the example inputs do not satisfy {}", self.guard_text(&guard))));
        }
        if guard.decided(&|s| self.bounds(s)) == Some(true) || self.guards.contains(&guard) {
            return Ok(false);
        }
        if self.guards.len() >= MOST {
            return Err(refused(format!("more than {MOST} assumptions are needed")));
        }
        if !self.is_data(guard.left) && !self.is_data(guard.right) {
            self.narrow(&guard);
        }
        self.guards.push(guard);
        Ok(true)
    }

    /// Takes from a symbol's range what a guard on the symbol itself excludes.
    fn narrow(&mut self, guard: &Guard) {
        let (low, high, symbol) = match (guard.relation, guard.left, guard.right) {
            (Relation::Equal, Dim::Symbol(s), Dim::Known(n)) | (Relation::Equal, Dim::Known(n), Dim::Symbol(s)) => {
                (n, n, s)
            }
            (Relation::AtMost, Dim::Symbol(s), Dim::Known(n)) => (i64::MIN, n, s),
            (Relation::AtMost, Dim::Known(n), Dim::Symbol(s)) => (n, i64::MAX, s),
            _ => return,
        };
        if let Some(symbol) = self.all.get_mut(symbol as usize) {
            symbol.bounds.low = symbol.bounds.low.max(low);
            symbol.bounds.high = symbol.bounds.high.min(high);
        }
    }

    /// As archives have it.
    pub fn expr(&self, dim: Dim) -> Option<SymExpr> {
        SymExpr::of_dim(dim, &|s| {
            let symbol = self.all.get(s as usize)?;
            let mut assumptions = vec![("integer".to_owned(), true)];
            if symbol.source.is_some() {
                assumptions.insert(0, ("positive".to_owned(), true));
            }
            Some(Arc::new(Name { name: symbol.name.clone(), assumptions }))
        })
    }

    /// The size as Python computes it from the inputs; none where it depends on data.
    fn python(&self, dim: Dim) -> Option<String> {
        dim.python(&|s| self.all.get(s as usize)?.source.clone())
    }

    /// A guard as Python over the inputs (`guards_code`).
    pub fn guard_code(&self, guard: &Guard) -> Option<String> {
        Some(format!("{} {} {}", self.python(guard.left)?, sign(guard.relation), self.python(guard.right)?))
    }

    /// A guard in symbols, for people.
    pub fn guard_text(&self, guard: &Guard) -> String {
        let text = |dim| self.expr(dim).map_or_else(|| "?".to_owned(), |e| e.to_string());
        format!("{} {} {}", text(guard.left), sign(guard.relation), text(guard.right))
    }
}

fn sign(relation: Relation) -> &'static str {
    match relation {
        Relation::Equal => "==",
        Relation::Differs => "!=",
        Relation::AtMost => "<=",
    }
}
