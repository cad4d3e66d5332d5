//! `--validate`: passes run one by one, and each function that one changes is called as before and after it.

use crate::programs;
use sconce_ir::prelude::*;
use sconce_validate::Validator;
use std::collections::BTreeMap;
use std::io::Read;
use std::process::ExitCode;

/// What `--validate` asks for, if it is there: `--pass-pipeline=TEXT` or passes by name, and a file (`-` is standard input).
pub fn asked(arguments: &[String]) -> Option<Result<ExitCode, String>> {
    arguments.iter().any(|a| a == "--validate").then(|| Asked::read(arguments)?.answer())
}

struct Asked {
    file: String,
    steps: Vec<String>,
}

impl Asked {
    fn read(arguments: &[String]) -> Result<Asked, String> {
        let (mut file, mut passes) = (None, Vec::new());
        let mut rest = arguments.iter().filter(|a| *a != "--validate");
        while let Some(argument) = rest.next() {
            let flag = argument.trim_start_matches('-');
            let (name, value) = flag.split_once('=').map_or((flag, None), |(name, value)| (name, Some(value)));
            match value {
                _ if !argument.starts_with('-') || argument == "-" => file = Some(argument.clone()),
                Some(pipeline) if name == "pass-pipeline" => passes.push(pipeline.to_owned()),
                None if name == "pass-pipeline" => {
                    passes.push(rest.next().ok_or("--pass-pipeline: expected a pipeline")?.clone());
                }
                _ if !sconce_ir::pass::exists(name) => {
                    return Err(format!(
                        "{argument}: with --validate, expected a pass, --pass-pipeline=TEXT or a file"
                    ));
                }
                Some(options) => passes.push(format!("{name}{{{options}}}")),
                None => passes.push(name.to_owned()),
            }
        }
        let mut all = Vec::new();
        for pipeline in &passes {
            all.extend(sconce_compiler::passes::steps(pipeline).map_err(|e| e.to_string())?);
        }
        Ok(Asked { file: file.unwrap_or_else(|| "-".into()), steps: all })
    }

    /// Prints the module that the passes leave; or the first pass that changes what is computed, and the module before it.
    fn answer(&self) -> Result<ExitCode, String> {
        let context = sconce_torch::context(false).map_err(|e| e.to_string())?;
        match self.run(&context) {
            Ok(sound) => Ok(if sound { ExitCode::SUCCESS } else { ExitCode::FAILURE }),
            Err(error) => {
                eprintln!("{error}");
                Ok(ExitCode::FAILURE)
            }
        }
    }

    fn run(&self, context: &Context) -> Result<bool, String> {
        let name = if self.file == "-" { "<stdin>" } else { &self.file };
        let bytes = self.bytes().map_err(|e| format!("{name}: error: {e}"))?;
        let imported = programs::import(name, &bytes)?;
        let text = imported.as_ref().map_or(&bytes[..], |text| text.as_bytes());
        let module = parse_module(context, text, name).map_err(|e| e.to_string())?;
        let mut validator = Validator::new(&module, BTreeMap::new())?;
        for step in &self.steps {
            let before = sconce_validate::copy_of(&module).map_err(|e| e.to_string())?;
            if !validator.run(&module, step).map_err(|e| e.to_string())? {
                let found = validator.validated.finding.iter().map(|f| f.to_string()).collect::<String>();
                eprintln!("{name}: error: unsound: {found}\nnote: the module before it:");
                eprintln!("{}", print(before.as_operation(), &PrintOptions::default()));
                return Ok(false);
            }
        }
        validator.validated.skipped.iter().for_each(|why| eprintln!("{name}: note: not validated: {why}"));
        eprintln!("{name}: {} changes by passes were validated", validator.validated.compared);
        println!("{}", print(module.as_operation(), &PrintOptions::default()));
        Ok(true)
    }

    fn bytes(&self) -> std::io::Result<Vec<u8>> {
        if self.file != "-" {
            return std::fs::read(&self.file);
        }
        let mut bytes = Vec::new();
        std::io::stdin().read_to_end(&mut bytes)?;
        Ok(bytes)
    }
}
