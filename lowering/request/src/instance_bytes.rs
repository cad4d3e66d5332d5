//! Objects as bytes and back: what is read holds only objects that were read before it.

use sconce_graph::instances::{Held, Instance, Instances, Slot};
use sconce_interpreter::format::{FormatError, Read, Reader, Writer};

/// Writes the objects.
pub(crate) fn write(w: &mut Writer, objects: &Instances) -> Result<(), FormatError> {
    w.list(&objects.0, |w, instance| {
        w.text(&instance.class)?;
        w.list(&instance.slots, slot)
    })
}

fn slot(w: &mut Writer, slot: &Slot) -> Result<(), FormatError> {
    w.text(&slot.name)?;
    w.ty(&slot.ty, 0)?;
    w.option(slot.storage, |w, number| {
        w.u32(number);
        Ok(())
    })?;
    match &slot.held {
        Held::Object(number) => {
            w.u8(0);
            w.u32(*number);
        }
        Held::Value(value) => {
            w.u8(1);
            w.value(value, 0)?;
        }
        Held::Named(name) => {
            w.u8(2);
            w.text(name)?;
        }
        Held::Unknown => w.u8(3),
    }
    Ok(())
}

/// Reads objects.
pub(crate) fn read(r: &mut Reader<'_>) -> Read<Instances> {
    let mut made = 0;
    let objects = r.list(|r| {
        let (class, slots) = (r.text()?.into(), r.list(|r| read_slot(r, made))?);
        made += 1;
        Ok(Instance { class, slots })
    })?;
    Ok(Instances(objects))
}

fn read_slot(r: &mut Reader<'_>, made: u32) -> Read<Slot> {
    let (name, ty, storage) = (r.text()?.into(), r.ty(0)?, r.option(|r| r.u32())?);
    let held = match r.u8()? {
        0 => match r.u32()? {
            number if number < made => Held::Object(number),
            number => return Err(r.damaged(format!("object {number} where {made} are made"))),
        },
        1 => Held::Value(r.value(0)?),
        2 => Held::Named(r.text()?.into()),
        3 => Held::Unknown,
        other => return Err(r.damaged(format!("nothing held is {other}"))),
    };
    Ok(Slot { name, ty, held, storage })
}

#[cfg(test)]
mod tests {
    use super::*;
    use sconce_schema::Type;
    use sconce_tensor::IValue;

    fn objects() -> Instances {
        let slot = |name: &str, held, storage| Slot { name: name.into(), ty: Type::tensor(), held, storage };
        let inner = vec![slot("w", Held::Named("self.inner.w".into()), Some(0)), slot("n", Held::Unknown, None)];
        let outer = vec![slot("inner", Held::Object(0), None), slot("p", Held::Value(IValue::Double(0.5)), None)];
        let object = |class: &str, slots| Instance { class: class.into(), slots };
        Instances(vec![object("m.Inner", inner), object("m.M", outer)])
    }

    #[test]
    fn objects_come_back_and_damaged_ones_are_refused() {
        let mut w = Writer::default();
        write(&mut w, &objects()).expect("all of it has bytes");
        let bytes = w.into_bytes();
        let again = read(&mut Reader::new(&bytes)).expect("it was written here");
        assert_eq!(format!("{again:?}"), format!("{:?}", objects()));
        for at in 0..bytes.len() {
            assert!(read(&mut Reader::new(&bytes[..at])).is_err(), "cut at {at}");
            let mut damaged = bytes.clone();
            damaged[at] ^= 0x55;
            // Whatever is read, it holds what was read before it.
            for (number, object) in read(&mut Reader::new(&damaged)).unwrap_or_default().0.iter().enumerate() {
                let held =
                    object.slots.iter().filter_map(|s| if let Held::Object(n) = s.held { Some(n) } else { None });
                assert!(held.into_iter().all(|n| (n as usize) < number));
            }
        }
    }
}
