//! Sizes that may vary are symbols with a range: one name is one symbol in all graphs of a program, and what is asked of symbols alone is answered here.

use sconce_fx::symbolic::Symbol;
use sconce_fx::{SymExpr, Val};
use sconce_schema::dim::{Bounds, Dim, Guard};
use std::sync::Arc;

struct Entry {
    symbol: Arc<Symbol>,
    bounds: Bounds,
}

/// The symbols of a program, by number.
#[derive(Default)]
pub(crate) struct Symbols {
    all: Vec<Entry>,
}

/// Values that stand for symbols where two sizes are to be told apart: no two symbols are taken to be equal, none to be 0 or 1.
const EXAMPLES: &[i64] = &[5, 7, 11, 13, 17, 19, 23, 29, 31, 37, 41, 43, 47, 53, 59, 61];

impl Symbols {
    /// The size that an expression is; symbols that are new are put on record.
    pub fn dim(&mut self, expr: &SymExpr) -> Dim {
        expr.symbols(&mut |symbol| {
            if self.number(&symbol.name).is_none() {
                let bounds = Bounds { low: i64::MIN, high: i64::MAX };
                self.all.push(Entry { symbol: Arc::new(symbol.clone()), bounds });
            }
        });
        expr.to_dim(&|name| self.number(name)).unwrap_or(Dim::Unknown)
    }

    fn number(&self, name: &str) -> Option<u32> {
        let at = self.all.iter().position(|entry| entry.symbol.name == name)?;
        u32::try_from(at).ok()
    }

    fn entry(&self, symbol: u32) -> Option<&Entry> {
        self.all.get(usize::try_from(symbol).ok()?)
    }

    /// Says the range of a symbol.
    pub fn bound(&mut self, name: &str, low: Option<i64>, high: Option<i64>) {
        if let Some(entry) = self.all.iter_mut().find(|entry| entry.symbol.name == name) {
            entry.bounds = Bounds { low: low.unwrap_or(i64::MIN), high: high.unwrap_or(i64::MAX) };
        }
    }

    pub fn bounds(&self, symbol: u32) -> Bounds {
        self.entry(symbol).map_or(Bounds::ANY, |entry| entry.bounds)
    }

    /// Does the size depend on elements of tensors? Symbols of such are called `u0`.
    pub fn is_unbacked(&self, dim: Dim) -> bool {
        let mut found = false;
        dim.symbols(&mut |s| found |= self.entry(s).is_some_and(|entry| entry.symbol.name.starts_with('u')));
        found
    }

    /// Is it the symbol of this name?
    pub fn is_named(&self, dim: Dim, name: &str) -> bool {
        matches!(dim, Dim::Symbol(s) if self.entry(s).is_some_and(|entry| entry.symbol.name == name))
    }

    /// A size as metadata has it.
    pub fn expr(&self, dim: Dim) -> Option<SymExpr> {
        SymExpr::of_dim(dim, &|s| self.entry(s).map(|entry| entry.symbol.clone()))
    }

    /// A size that is not known as one that could be.
    pub fn example(&self, dim: Dim) -> Option<i64> {
        dim.eval(&|s| {
            let bounds = self.bounds(s);
            let example = EXAMPLES.iter().cycle().nth(usize::try_from(s).ok()?).copied()?;
            Some(example.clamp(bounds.low.max(2), bounds.high.max(2)))
        })
    }

    /// Is a relation true? Where its symbols decide it, by them; else as for sizes that could be.
    pub fn holds(&self, guard: &Guard) -> Option<bool> {
        let decided = guard.decided(&|s| self.bounds(s));
        decided.or_else(|| {
            let example = |dim: Dim| self.example(dim);
            let (left, right) = (example(guard.left)?, example(guard.right)?);
            Some(guard.relation.holds(left, right))
        })
    }

    /// The symbols in a recorded value that depend on data, each once.
    pub fn unbacked(&self, val: &Val, found: &mut Vec<Dim>) {
        match val {
            Val::Tensor(meta) => meta.sizes.iter().for_each(|size| {
                size.symbols(&mut |symbol| {
                    let dim = self.number(&symbol.name).map_or(Dim::Unknown, Dim::Symbol);
                    if symbol.name.starts_with('u') && !found.contains(&dim) {
                        found.push(dim);
                    }
                });
            }),
            Val::List(all) | Val::Tuple(all) => all.iter().for_each(|v| self.unbacked(v, found)),
            _ => {}
        }
    }

    /// Puts the symbols of a recorded value on record.
    pub fn read(&mut self, val: &Val) {
        match val {
            Val::Tensor(meta) => meta.sizes.iter().for_each(|size| _ = self.dim(size)),
            Val::SymInt(n) => _ = self.dim(n),
            Val::List(all) | Val::Tuple(all) => all.iter().for_each(|v| self.read(v)),
            _ => {}
        }
    }
}
