//! Questions and answers as bytes: a version first, and every count checked before anything is made of it.

use crate::question::{
    Alone, Answer, ArgumentSignature, Blamed, Checks, Compiled, CompiledRegion, DEEPEST_ARGUMENT, Folding, Job,
    NamedAttribute, Place, PlacedText, Question, Reduction, Refusal, Rewrites, Signature, Stage, Subject, Suspect,
    Validation, Want, Writes,
};
use crate::{Error, instance_bytes, unit_bytes};
use sconce_interpreter::format::{FormatError, Read, Reader, Writer};
use std::collections::BTreeMap;

/// Both ends are of one build; this tells one that is not.
const VERSION: u32 = 9;

type Written = Result<(), FormatError>;

impl Question {
    /// # Errors
    /// Constants that have no bytes.
    pub fn to_bytes(&self) -> Result<Vec<u8>, FormatError> {
        let mut w = Writer::default();
        w.u32(VERSION);
        match &self.subject {
            Subject::Unit(unit) => {
                w.u8(0);
                unit_bytes::write(&mut w, unit)?;
            }
            Subject::Mlir { name, bytes } => {
                w.u8(1);
                w.text(name)?;
                w.bytes(bytes)?;
            }
            Subject::GraphText { name, text } => {
                w.u8(2);
                w.text(name)?;
                w.text(text)?;
            }
            Subject::Object { unit, object } => {
                w.u8(3);
                unit_bytes::write(&mut w, unit)?;
                instance_bytes::write(&mut w, object)?;
            }
        }
        match &self.want {
            Want::Program(job) => {
                w.u8(0);
                write_job(&mut w, job)?;
            }
            Want::Stage(job, stage) => {
                w.u8(1);
                write_job(&mut w, job)?;
                write_stage(&mut w, stage)?;
            }
            Want::Dialect => w.u8(2),
            Want::GraphText => w.u8(3),
            Want::Unit => w.u8(4),
            Want::RoundTrip => w.u8(5),
            Want::Counts => w.u8(10),
            Want::Passes { pipeline, checks } => {
                w.u8(6);
                w.text(pipeline)?;
                write_checks(&mut w, *checks)?;
            }
            Want::Frozen { preserved, folding } => {
                w.u8(7);
                w.list(preserved, |w, name| w.text(name))?;
                w.u8(write_folding(*folding));
            }
            Want::Blame(suspect) => {
                w.u8(8);
                write_suspect(&mut w, suspect)?;
            }
            Want::Reduced(Reduction { function, pipeline, command }) => {
                w.u8(9);
                for text in [function, pipeline, command] {
                    w.option(text.as_ref(), |w, text| w.text(text))?;
                }
            }
        }
        Ok(w.into_bytes())
    }

    /// # Errors
    /// Bytes of something else, with where.
    pub fn from_bytes(bytes: &[u8]) -> Result<Question, FormatError> {
        let mut r = versioned(bytes)?;
        let subject = match r.u8()? {
            0 => Subject::Unit(unit_bytes::read(&mut r)?),
            1 => Subject::Mlir { name: r.text()?.to_owned(), bytes: read_bytes(&mut r)?.to_vec() },
            2 => Subject::GraphText { name: r.text()?.to_owned(), text: r.text()?.to_owned() },
            3 => Subject::Object { unit: unit_bytes::read(&mut r)?, object: instance_bytes::read(&mut r)? },
            other => return Err(r.damaged(format!("no subject {other}"))),
        };
        let want = match r.u8()? {
            0 => Want::Program(read_job(&mut r)?),
            1 => Want::Stage(read_job(&mut r)?, read_stage(&mut r)?),
            2 => Want::Dialect,
            3 => Want::GraphText,
            4 => Want::Unit,
            5 => Want::RoundTrip,
            6 => Want::Passes { pipeline: r.text()?.to_owned(), checks: read_checks(&mut r)? },
            7 => Want::Frozen { preserved: r.list(|r| Ok(r.text()?.to_owned()))?, folding: read_folding(&mut r)? },
            8 => Want::Blame(Box::new(read_suspect(&mut r)?)),
            9 => {
                let mut text = || r.option(|r| Ok(r.text()?.to_owned()));
                Want::Reduced(Reduction { function: text()?, pipeline: text()?, command: text()? })
            }
            10 => Want::Counts,
            other => return Err(r.damaged(format!("nobody wants {other}"))),
        };
        r.finish()?;
        Ok(Question { subject, want })
    }
}

fn versioned(bytes: &[u8]) -> Read<Reader<'_>> {
    let mut r = Reader::new(bytes);
    match r.u32()? {
        VERSION => Ok(r),
        other => Err(r.damaged(format!("version {other}, this build's is {VERSION}"))),
    }
}

fn read_bytes<'b>(r: &mut Reader<'b>) -> Read<&'b [u8]> {
    let size = r.count()?;
    r.take(size)
}

fn write_argument(w: &mut Writer, argument: &ArgumentSignature) -> Written {
    match argument {
        ArgumentSignature::Any => {
            w.u8(0);
            Ok(())
        }
        ArgumentSignature::Tensor(dtype, sizes) => {
            w.u8(1);
            w.u8(dtype.number() as u8);
            w.list(sizes, |w, size| {
                w.option(*size, |w, n| {
                    w.i64(n);
                    Ok(())
                })
            })
        }
        ArgumentSignature::Tuple(items) => {
            w.u8(2);
            w.list(items, write_argument)
        }
    }
}

fn read_argument(r: &mut Reader<'_>, depth: u32) -> Read<ArgumentSignature> {
    Ok(match r.u8()? {
        0 => ArgumentSignature::Any,
        1 => ArgumentSignature::Tensor(r.dtype()?, r.list(|r| r.option(|r| r.i64()))?),
        2 if depth > 0 => ArgumentSignature::Tuple(r.list(|r| read_argument(r, depth - 1))?),
        _ => return Err(r.damaged("an argument that is neither a tensor nor a tuple, or too deep")),
    })
}

fn write_job(w: &mut Writer, job: &Job) -> Written {
    w.text(&job.function)?;
    w.list(&job.signature.0, write_argument)?;
    w.list(&job.attributes, |w, attribute| {
        w.text(&attribute.path)?;
        w.u32(attribute.storage);
        Ok(())
    })?;
    w.u8(u8::from(job.gpu));
    w.option(job.alone.as_ref(), |w, alone| {
        w.text(&alone.triple)?;
        w.text(&alone.cpu)?;
        w.text(&alone.symbol)
    })?;
    w.u8(u8::from(job.strict));
    w.u8(match job.rewrites {
        Rewrites::Off => 0,
        Rewrites::Greedy => 1,
        Rewrites::On => 2,
        Rewrites::Approximate => 3,
    });
    w.option(job.passes.as_ref(), |w, passes| w.text(passes))?;
    write_checks(w, job.checks)
}

fn write_checks(w: &mut Writer, checks: Checks) -> Written {
    w.u8(u8::from(checks.validate));
    w.option(checks.fuel, |w, units| {
        w.i64(units.cast_signed());
        Ok(())
    })
}

fn read_checks(r: &mut Reader<'_>) -> Read<Checks> {
    Ok(Checks { validate: r.flag()?, fuel: r.option(|r| Ok(r.i64()?.cast_unsigned()))? })
}

fn write_suspect(w: &mut Writer, suspect: &Suspect) -> Written {
    write_job(w, &suspect.job)?;
    w.option(suspect.pipeline.as_ref(), |w, pipeline| w.text(pipeline))?;
    w.option(suspect.arguments.as_ref(), |w, arguments| w.list(arguments, |w, value| w.value(value, 0)))?;
    w.list(&suspect.constants, |w, (name, value)| {
        w.text(name)?;
        w.value(value, 0)
    })
}

fn read_suspect(r: &mut Reader<'_>) -> Read<Suspect> {
    Ok(Suspect {
        job: read_job(r)?,
        pipeline: r.option(|r| Ok(r.text()?.to_owned()))?,
        arguments: r.option(|r| r.list(|r| r.value(0)))?,
        constants: r.list(|r| Ok((r.text()?.into(), r.value(0)?)))?,
    })
}

fn read_job(r: &mut Reader<'_>) -> Read<Job> {
    let function = r.text()?.to_owned();
    let signature = Signature(r.list(|r| read_argument(r, DEEPEST_ARGUMENT))?);
    let attributes = r.list(|r| Ok(NamedAttribute { path: r.text()?.to_owned(), storage: r.u32()? }))?;
    let gpu = r.flag()?;
    let alone = r.option(|r| {
        Ok(Alone { triple: r.text()?.to_owned(), cpu: r.text()?.to_owned(), symbol: r.text()?.to_owned() })
    })?;
    let strict = r.flag()?;
    let rewrites = match r.u8()? {
        0 => Rewrites::Off,
        1 => Rewrites::Greedy,
        2 => Rewrites::On,
        3 => Rewrites::Approximate,
        _ => return Err(r.damaged("a way to rewrite that nobody knows")),
    };
    let passes = r.option(|r| Ok(r.text()?.to_owned()))?;
    Ok(Job { function, signature, attributes, gpu, alone, strict, rewrites, passes, checks: read_checks(r)? })
}

fn write_folding(folding: Folding) -> u8 {
    match folding {
        Folding::Off => 0,
        Folding::On => 1,
        Folding::SameBits => 2,
    }
}

fn read_folding(r: &mut Reader<'_>) -> Read<Folding> {
    Ok(match r.u8()? {
        0 => Folding::Off,
        1 => Folding::On,
        2 => Folding::SameBits,
        other => return Err(r.damaged(format!("nothing folds as {other}"))),
    })
}

fn write_stage(w: &mut Writer, stage: &Stage) -> Written {
    match stage {
        Stage::Fused => w.u8(0),
        Stage::Linalg => w.u8(1),
        Stage::Llvm => w.u8(2),
        Stage::Asm => w.u8(3),
        Stage::Ptx { chip } => {
            w.u8(4);
            w.text(chip)?;
        }
    }
    Ok(())
}

fn read_stage(r: &mut Reader<'_>) -> Read<Stage> {
    Ok(match r.u8()? {
        0 => Stage::Fused,
        1 => Stage::Linalg,
        2 => Stage::Llvm,
        3 => Stage::Asm,
        4 => Stage::Ptx { chip: r.text()?.to_owned() },
        other => return Err(r.damaged(format!("no stage {other}"))),
    })
}

impl Answer {
    /// # Errors
    /// Constants that have no bytes.
    pub fn to_bytes(&self) -> Result<Vec<u8>, FormatError> {
        write_answer(Ok(self))
    }

    /// # Errors
    /// Bytes of something else, with where.
    pub fn from_bytes(bytes: &[u8]) -> Result<Answer, Error> {
        read_answer(bytes)
    }
}

/// An answer, or the sentence that says why there is none, as bytes.
///
/// # Errors
/// Constants that have no bytes.
pub(crate) fn write_answer(answer: Result<&Answer, &Error>) -> Result<Vec<u8>, FormatError> {
    let mut w = Writer::default();
    w.u32(VERSION);
    match answer {
        Ok(Answer::Program(compiled)) => {
            w.u8(0);
            w.bytes(&compiled.program)?;
            w.list(&compiled.regions, |w, region| {
                w.text(&region.name)?;
                w.list(&region.operators, |w, o| w.text(o))?;
                w.i64(region.bytes as i64);
                w.option(region.failure.as_ref(), |w, why| w.text(why))
            })?;
            w.list(&compiled.refusals, write_refusal)?;
            w.u32(compiled.writes.before);
            w.list(&compiled.writes.stay, write_refusal)?;
            w.u32(compiled.validation.compared);
            w.list(&compiled.validation.skipped, |w, why| w.text(why))?;
            w.list(&compiled.notes, |w, note| w.text(note))?;
        }
        Ok(Answer::Text(text)) => {
            w.u8(1);
            w.text(text)?;
        }
        Ok(Answer::Unit(unit)) => {
            w.u8(2);
            unit_bytes::write(&mut w, unit)?;
        }
        Err(e) => {
            w.u8(3);
            w.text(&e.to_string())?;
        }
        Ok(Answer::Frozen { unit, class }) => {
            w.u8(4);
            unit_bytes::write(&mut w, unit)?;
            w.text(class)?;
        }
        Ok(Answer::Unsound(why)) => {
            w.u8(5);
            w.text(why)?;
        }
        Ok(Answer::Blamed(blamed)) => {
            w.u8(6);
            w.option(blamed.as_ref(), |w, b| {
                w.text(&b.step)?;
                w.text(&b.description)?;
                w.text(&b.reduced)?;
                w.u32(b.operations);
                w.u8(u8::from(b.is_reproducible));
                Ok(())
            })?;
        }
        Ok(Answer::Placed(placed)) => {
            w.u8(7);
            write_placed(&mut w, placed)?;
        }
    }
    Ok(w.into_bytes())
}

/// Places are numbered: most lines are of few.
fn write_placed(w: &mut Writer, placed: &PlacedText) -> Written {
    let mut numbers: BTreeMap<&Place, u32> = placed.places.iter().map(|(_, place)| (place, 0)).collect();
    (0..).zip(numbers.values_mut()).for_each(|(at, number)| *number = at);
    let all: Vec<&Place> = numbers.keys().copied().collect();
    w.text(&placed.text)?;
    w.list(&all, |w, place| {
        w.text(&place.file)?;
        for (line, column) in [place.start, place.end] {
            w.u32(line);
            w.u32(column);
        }
        Ok(())
    })?;
    w.list(&placed.places, |w, (line, place)| {
        w.u32(*line);
        w.u32(numbers[place]);
        Ok(())
    })
}

fn read_placed(r: &mut Reader<'_>) -> Read<PlacedText> {
    let text = r.text()?.to_owned();
    let all =
        r.list(|r| Ok(Place { file: r.text()?.to_owned(), start: (r.u32()?, r.u32()?), end: (r.u32()?, r.u32()?) }))?;
    let places = r.list(|r| {
        let (line, number) = (r.u32()?, r.u32()?);
        match all.get(number as usize) {
            Some(place) => Ok((line, place.clone())),
            None => Err(r.damaged(format!("place {number} of {}", all.len()))),
        }
    })?;
    Ok(PlacedText { text, places })
}

fn write_refusal(w: &mut Writer, refusal: &Refusal) -> Result<(), FormatError> {
    let Refusal { pass, operator, place, code, why } = refusal;
    [pass, operator, place, code, why].into_iter().try_for_each(|text| w.text(text))
}

fn read_refusal(r: &mut Reader<'_>) -> Read<Refusal> {
    let mut text = || -> Read<String> { Ok(r.text()?.to_owned()) };
    Ok(Refusal { pass: text()?, operator: text()?, place: text()?, code: text()?, why: text()? })
}

/// # Errors
/// Bytes of something else, with where; and what the answer itself refuses.
pub(crate) fn read_answer(bytes: &[u8]) -> Result<Answer, Error> {
    let mut r = versioned(bytes)?;
    let text = |r: &mut Reader<'_>| -> Read<String> { Ok(r.text()?.to_owned()) };
    let answer = match r.u8()? {
        0 => Answer::Program(Compiled {
            program: read_bytes(&mut r)?.into(),
            regions: r.list(|r| {
                let (name, operators) = (text(r)?, r.list(text)?);
                let bytes = usize::try_from(r.i64()?).unwrap_or_default();
                Ok(CompiledRegion { name, operators, bytes, failure: r.option(text)? })
            })?,
            refusals: r.list(read_refusal)?,
            writes: Writes { before: r.u32()?, stay: r.list(read_refusal)? },
            validation: Validation { compared: r.u32()?, skipped: r.list(text)? },
            notes: r.list(text)?,
        }),
        1 => Answer::Text(text(&mut r)?),
        2 => Answer::Unit(unit_bytes::read(&mut r)?),
        3 => return Err(Error::Refused(text(&mut r)?)),
        4 => Answer::Frozen { unit: unit_bytes::read(&mut r)?, class: text(&mut r)? },
        5 => Answer::Unsound(text(&mut r)?),
        6 => Answer::Blamed(r.option(|r| {
            let (step, description, reduced) = (text(r)?, text(r)?, text(r)?);
            Ok(Blamed { step, description, reduced, operations: r.u32()?, is_reproducible: r.flag()? })
        })?),
        7 => Answer::Placed(read_placed(&mut r)?),
        other => return Err(r.damaged(format!("no answer {other}")).into()),
    };
    r.finish()?;
    Ok(answer)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_placed_text_comes_back_and_a_place_that_is_not_there_is_refused() {
        let place = |line| Place { file: "m.py".into(), start: (line, 4), end: (line, 9) };
        let places = vec![(0, place(3)), (0, place(2)), (5, place(3))];
        let placed = PlacedText { text: "mulps\n".into(), places };
        let mut bytes = Answer::Placed(placed.clone()).to_bytes().expect("it has bytes");
        let Ok(Answer::Placed(back)) = Answer::from_bytes(&bytes) else { panic!("another answer") };
        assert_eq!(back, placed);
        let last = bytes.len() - 4;
        bytes[last] = 9;
        let why = Answer::from_bytes(&bytes).map(drop).expect_err("there are two places").to_string();
        assert!(why.contains("place 9 of 2"), "{why}");
    }
}
