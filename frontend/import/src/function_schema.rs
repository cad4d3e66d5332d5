//! A function's schema as the dialect keeps it: the text of `torch.schema`, which has what types of arguments cannot say (names, defaults, keywords).

use sconce_graph::schema_text;
use sconce_graph::unit::{Function, Param};
use sconce_ir::prelude::*;
use sconce_schema::{FunctionSchema, Type as TorchType};

const ATTRIBUTE: &str = "torch.schema";

/// Says it of an operation.
pub(crate) fn put(op: OperationRef<'_, '_>, f: &Function) {
    op.set_attr(ATTRIBUTE, attr::string(op.context_ref(), &schema_text::readable(&f.name, &f.params, &f.returns)));
}

/// The parameters and the type of the result; `None` where nothing is said, or what cannot be read.
pub(crate) fn of(op: OperationRef<'_, '_>) -> Option<(Vec<Param>, TorchType)> {
    op.str_attr(ATTRIBUTE).and_then(schema_text::read)
}

/// Changes the schema of a function that has arguments. One that cannot be read is taken away: it would tell of arguments that are gone.
pub fn change(function: OperationRef<'_, '_>, change: impl FnOnce(&mut FunctionSchema)) {
    let said = function.str_attr(ATTRIBUTE).and_then(|text| text.parse::<FunctionSchema>().ok());
    match said.filter(|schema| !schema.arguments.is_empty()) {
        Some(mut schema) => {
            change(&mut schema);
            function.set_attr(ATTRIBUTE, attr::string(function.context_ref(), &schema.to_string()));
        }
        None => forget(function),
    }
}

/// Takes the schema away: its names and defaults are of other arguments than the function has now.
pub fn forget(function: OperationRef<'_, '_>) {
    _ = function.remove_attr(ATTRIBUTE);
}
