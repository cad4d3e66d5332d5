//! A program of the dialect before and after passes, and what runs of either show.

use super::Random;
use super::shown::shown;
use sconce::{Engine, Module, SourceOptions};
use sconce_analysis::Aliases;
use sconce_analysis::alias::movement::Side;
use sconce_import::text::import_program;
use sconce_import::{program_from_dialect, to_dialect};
use sconce_ir::prelude::*;
use sconce_source::SourceMap;
use std::collections::{BTreeMap, BTreeSet};

/// Calls with different arguments, and the first once more.
pub const CALLS: [usize; 5] = [0, 1, 2, 3, 0];

/// A program as text, and in which language.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Language {
    Graph,
    Source,
}

impl Language {
    fn file(self) -> &'static str {
        if self == Language::Graph { "f.txt" } else { "f.py" }
    }

    pub fn load(self, engine: &Engine, text: &str) -> Result<Module, String> {
        let loaded = match self {
            Language::Graph => engine.load_bytes(self.file(), "f", text.as_bytes()),
            Language::Source => engine.compile_source(self.file(), text, &SourceOptions::default()),
        };
        loaded.map_err(|e| e.to_string())
    }

    pub fn runs(self, module: &Module) -> Vec<String> {
        CALLS.iter().map(|kind| shown(module, *kind, self == Language::Source)).collect()
    }

    /// The function, and the types of its arguments, for `specialize-inputs`.
    pub fn signature(self) -> (&'static str, &'static str) {
        match self {
            Language::Graph => ("f", "3x3xf32,3x3xf32"),
            Language::Source => ("__torch__.f.f", "3x3xf32,3x3xf32,3x3xf32"),
        }
    }
}

/// A program in the dialect with what its runs show.
pub struct Subject<'c> {
    pub language: Language,
    pub module: sconce_ir::Module<'c>,
    pub expected: Vec<String>,
}

/// The differences that passes made.
pub enum Outcome<'c> {
    /// Nothing changed but, at most, places in source.
    Same,
    /// Something changed that no run shows.
    Kept(sconce_ir::Module<'c>),
    /// The passes do not take the program, and say why.
    Refused(String),
    Differs(String),
}

pub fn read<'c>(context: &'c Context, engine: &Engine, language: Language, text: &str) -> Result<Subject<'c>, String> {
    let loaded = language.load(engine, text)?;
    let module = match (language, loaded.unit()) {
        (Language::Source, Some(unit)) => to_dialect(context, unit).map_err(|e| e.to_string())?,
        _ => import_program(context, language.file(), text, "f").map_err(|e| e.report(false))?,
    };
    Ok(Subject { language, module, expected: language.runs(&loaded) })
}

pub fn text_of(module: &sconce_ir::Module<'_>) -> String {
    print(module.as_operation(), &PrintOptions { assume_verified: true, ..PrintOptions::default() })
}

impl<'c> Subject<'c> {
    /// What a pipeline does to the program. What became of it is `seen` by its text: the same is not run twice.
    pub fn after(&self, engine: &Engine, pipeline: &str, seen: &mut BTreeSet<String>) -> Outcome<'c> {
        self.changed(engine, pipeline, seen, |module| match pipeline.strip_prefix(MOVES) {
            Some(seed) => {
                moves(module, Random::new(seed.parse().unwrap_or_default()));
                Ok(())
            }
            None => run_on_module(module, pipeline).map_err(|e| e.to_string()),
        })
    }

    fn changed(
        &self,
        engine: &Engine,
        pipeline: &str,
        seen: &mut BTreeSet<String>,
        change: impl Fn(&sconce_ir::Module<'c>) -> Result<(), String>,
    ) -> Outcome<'c> {
        let copy = self.module.as_operation().clone_with(&[]);
        let Some(module) = sconce_ir::Module::from_operation(copy) else {
            return Outcome::Refused("it is no module".into());
        };
        if let Err(e) = change(&module) {
            return Outcome::Refused(e);
        }
        if !seen.insert(text_of(&module)) {
            return Outcome::Same;
        }
        match load(engine, &module).map(|loaded| self.language.runs(&loaded)) {
            Err(e) => Outcome::Differs(format!("it cannot be run any more: {e}")),
            Ok(after) => match self
                .expected
                .iter()
                .zip(&after)
                .enumerate()
                .find(|(_, (one, other))| !alike(one, other, pipeline))
            {
                Some((call, (one, other))) => {
                    Outcome::Differs(format!("call {call}\n{one}\nafter the passes\n{other}"))
                }
                None => Outcome::Kept(module),
            },
        }
    }
}

/// Do two runs show the same? Rules of the class `reassociates` may give a zero another sign.
fn alike(one: &str, other: &str, pipeline: &str) -> bool {
    let is_exact = !pipeline.contains("class=reassociates") && !pipeline.split(',').any(|step| step == "typed");
    let unsigned = |shown: &str| shown.replace("-0.0,", "0.0,").replace("-0.0]", "0.0]");
    one == other || !is_exact && unsigned(one) == unsigned(other)
}

/// What stands for a pipeline whose only step moves operations: this, and a seed.
pub const MOVES: &str = "moves-";

/// Moves operations of the largest function beside others, wherever that is said to keep what the program does.
fn moves(module: &sconce_ir::Module<'_>, mut random: Random) {
    let bodies = module.as_operation().find_all("func.func").into_iter().filter_map(|f| Some((f, f.body(0)?)));
    let Some((function, body)) = bodies.max_by_key(|(_, body)| body.ops().len()) else { return };
    let aliases = Aliases::of(function);
    for _ in 0..12 {
        let ops = body.ops();
        let (op, target) = (ops[random.below(ops.len())], ops[random.below(ops.len())]);
        let side = if random.below(2) == 0 { Side::Before } else { Side::After };
        // What may not move stays.
        let _ = aliases.move_beside(op, side, target);
    }
}

fn load(engine: &Engine, module: &sconce_ir::Module<'_>) -> Result<Module, String> {
    let unit = program_from_dialect(module, &mut SourceMap::default()).map_err(|e| e.to_string())?;
    let program = sconce_bytecode::lower(&unit, &BTreeMap::new()).map_err(|e| e.to_string())?;
    Ok(engine.load_program(program.into()))
}
