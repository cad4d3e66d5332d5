//! Statements become nodes here.

use super::function::Emitter;
use super::{Result, Sugared};
use crate::graph::{Loc, ValueId};
use sconce_schema::Type;
use sconce_syntax::script::tree::{Expr, Stmt};
use sconce_tensor::IValue;

impl Emitter<'_> {
    pub(super) fn statements(&mut self, body: &[Stmt]) -> Result<()> {
        match body.first() {
            Some(s) => Err(self.error(&self.at(s.span), "statements are not compiled yet")),
            None => Ok(()),
        }
    }
    pub(super) fn return_value(&mut self, value: ValueId, place: &Loc) -> Result<()> {
        self.node("prim::ReturnStmt", &[value], Some(place));
        Ok(())
    }
    pub(super) fn set_variable(&mut self, _: &Loc, _: &str, _: Sugared, _: Option<Type>) -> Result<()> {
        Ok(())
    }
    pub(super) fn evaluate_default(&mut self, e: &Expr, _: &Type) -> Result<IValue> {
        Err(self.error(&self.at(e.span), "default values are not evaluated yet"))
    }
}
