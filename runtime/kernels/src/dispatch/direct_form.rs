//! Which direct form an operator has: the one that belongs to its kernel.

use crate::container::direct::{Direct, Kind, Row};
use crate::container::{dict, list, scalar, scalar_math, string};
use sconce_schema::OpEntry;
use smallvec::SmallVec;
use std::sync::LazyLock;

impl Direct {
    /// The direct form of an operator, if it has one.
    pub fn of(entry: &OpEntry) -> Option<Direct> {
        static ROWS: LazyLock<Vec<Row>> = LazyLock::new(|| {
            [scalar::rows(), scalar_math::rows(), list::views(), dict::views(), string::views()]
                .into_iter()
                .flatten()
                .collect()
        });
        let writer = entry.container_writer();
        let kernel = crate::dispatch::named_kernel(writer.unwrap_or(entry))?;
        // Two kernels of one address do the same; one kernel of two addresses would only be slower.
        let row = ROWS.iter().find(|row| std::ptr::fn_addr_eq(row.kernel, kernel))?;
        let schema = entry.schema();
        if let Some(view) = if writer.is_some() { row.own } else { row.view } {
            return (schema.returns.len() <= 1).then_some(Direct::View(view));
        }
        let kinds: Option<SmallVec<[Kind; 3]>> = schema.arguments.iter().map(|a| Kind::of(&a.ty)).collect();
        let (kinds, [result]) = (kinds?, &schema.returns[..]) else { return None };
        // Python's rule: bools are integers among integers, and integers are floats among floats.
        let domains = if kinds.iter().all(|k| *k == Kind::Bool) {
            &[Kind::Bool, Kind::Int, Kind::Float][..]
        } else if kinds.iter().all(|k| *k != Kind::Float) {
            &[Kind::Int, Kind::Float][..]
        } else {
            &[Kind::Float][..]
        };
        let form = domains.iter().find_map(|d| row.forms.iter().find(|f| f.arguments == *d))?;
        let fits = form.arity() == kinds.len() && Kind::of(&result.ty) == Some(form.result);
        fits.then_some(Direct::Words(*form))
    }
}
