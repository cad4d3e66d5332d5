//! Operators that read their operands where they lie, each stated once: its kernel and its direct form follow.

use crate::container::direct::{Arguments, Dest, View};
use crate::{Error, Outputs};
use sconce_tensor::IValue;

/// Kernels from views: `views! { /// … name: |a| body; }` makes the kernel `name` and its row.
macro_rules! views {
    ($($(#[$doc:meta])* $name:ident: |$a:ident| $body:expr;)*) => {
        mod viewed {
            use super::*;
            $(
                pub(super) fn $name($a: &mut $crate::container::direct::Arguments<'_>) -> Result<(), Error> {
                    $body
                }
            )*
        }
        mod owned {
            use super::*;
            $(
                pub(super) fn $name(a: &mut $crate::container::direct::Arguments<'_>) -> Result<(), Error> {
                    $crate::container::copy_on_write::changed_in_place(a, viewed::$name)
                }
            )*
        }
        $(
            $(#[$doc])*
            pub fn $name(call: &Call<'_>, args: &mut [IValue]) -> Result<Outputs, Error> {
                $crate::container::views::kernel_of(viewed::$name, call, args)
            }
        )*
        /// The views of this family.
        pub(crate) fn views() -> Vec<$crate::container::direct::Row> {
            vec![$($crate::container::direct::Row::view($name, viewed::$name, owned::$name)),*]
        }
    };
}
pub(crate) use views;

/// What a view's kernel does.
pub(crate) fn kernel_of(view: View, call: &crate::Call<'_>, args: &mut [IValue]) -> Result<Outputs, Error> {
    let results = call.entry.schema().returns.len();
    let mut a = Arguments::in_order(args);
    if results == 0 || a.boxes.is_empty() {
        a.dest = Dest::Nowhere;
    }
    view(&mut a)?;
    Ok(args.iter_mut().take(results).map(std::mem::take).collect())
}
