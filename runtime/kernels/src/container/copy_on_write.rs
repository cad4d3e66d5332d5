//! Operators that give a changed list or dictionary (`sconce::append`): what the operator that writes (`aten::append`) leaves of a container that nobody else has.
//!
//! Where the operand is held by nobody else it is changed and given: a loop that appends does not copy the list in every turn.

use crate::container::direct::{Arguments, Dest, Source, View};
use crate::{Call, Error, Kernel, Outputs, arg};
use sconce_tensor::{Dict, Handle, IValue, List};
use smallvec::SmallVec;

/// Makes the container one that nobody else has: a copy with the same elements, unless it is.
fn make_own(container: &mut IValue) -> Result<(), Error> {
    let is_own = match container {
        IValue::List(list) => list.use_count() == 1,
        IValue::Dict(dict) => dict.use_count() == 1,
        _ => true,
    };
    if !is_own {
        *container = match container {
            IValue::List(list) => copied_list(list),
            IValue::Dict(dict) => copied_dict(dict),
            _ => return Ok(()),
        };
    }
    Ok(())
}

/// The container as `write` leaves it, then what that gives besides.
pub(crate) fn changed(call: &Call<'_>, args: &mut [IValue], write: Kernel) -> Result<Outputs, Error> {
    arg(args, 0)?;
    make_own(&mut args[0])?;
    let besides = call.entry.schema().returns.len().saturating_sub(1);
    let mut given = write(call, args)?;
    // The writer may give the container too, which comes first.
    let mut outputs = Outputs::new();
    let container = if given.len() > besides { given.remove(0) } else { std::mem::take(&mut args[0]) };
    outputs.push(container);
    outputs.extend(given.drain(..).take(besides));
    Ok(outputs)
}

/// The same where operands lie.
#[inline(always)]
pub(crate) fn changed_in_place(a: &mut Arguments<'_>, write: View) -> Result<(), Error> {
    match a.sources.first() {
        Some(Source::Move(register)) if a.boxes.len() > *register as usize => {
            make_own(&mut a.boxes[*register as usize])?;
            let dest = std::mem::replace(&mut a.dest, Dest::Nowhere);
            write(a)?;
            a.dest = dest;
            a.pass(0)
        }
        _ => copied(a, write),
    }
}

/// The container is read again, or a constant.
#[cold]
fn copied(a: &mut Arguments<'_>, write: View) -> Result<(), Error> {
    let mut boxes = (0..a.sources.len()).map(|i| a.take(i)).collect::<Result<SmallVec<[IValue; 4]>, Error>>()?;
    if let Some(container) = boxes.first_mut() {
        make_own(container)?;
    }
    let sources: SmallVec<[Source; 4]> = (0..boxes.len() as u32).map(Source::Move).collect();
    let mut own =
        Arguments { sources: &sources, boxes: &mut boxes, words: &mut [], constants: &[], dest: Dest::Nowhere };
    write(&mut own)?;
    let container = own.take(0)?;
    a.give(container)
}

/// A list with the same elements (`list(l)`, `l.copy()`).
pub fn copied_list(list: &Handle<List>) -> IValue {
    IValue::List(List::joined(list.element.clone(), &[&list.read()]))
}

/// A dictionary with the same entries (`dict(d)`, `d.copy()`).
pub fn copied_dict(dict: &Handle<Dict>) -> IValue {
    let out = Dict::new(dict.key.clone(), dict.value.clone());
    let entries = dict.read().clone();
    *out.write() = entries;
    IValue::Dict(out)
}
