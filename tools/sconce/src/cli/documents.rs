//! Manual pages and completions are made of the definitions that command lines are parsed by, so that they say what is parsed.

use super::runtime::Arguments;
use super::{Cli, CommandResult, print, put};
use crate::files::write_atomically;
use clap::{Arg, Args, Command, CommandFactory, ValueEnum};
use clap_complete::Shell;
use clap_mangen::Man;
use clap_mangen::roff::{Roff, roman};
use std::io::Write;
use std::path::PathBuf;
use std::process::ExitCode;

const EXAMPLES: &str = "\
Examples:
  sconce completions bash > sconce.bash
  sconce completions zsh --program sconce-rt > _sconce-rt";

/// Print a completion script for a shell.
#[derive(Args)]
#[command(after_long_help = EXAMPLES)]
pub struct CompletionsArgs {
    /// The shell.
    shell: Shell,
    /// The program whose command line is completed.
    #[arg(long, value_enum, default_value_t = Program::Sconce)]
    program: Program,
}

/// Write a manual page for each command of each program.
#[derive(Args)]
pub struct ManArgs {
    /// The folder of the pages, such as share/man/man1.
    #[arg(long, value_name = "FOLDER")]
    out: PathBuf,
}

/// A program whose command line is defined in this library.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Program {
    Sconce,
    SconceRt,
}

impl Program {
    fn command(self) -> Command {
        match self {
            Program::Sconce => Cli::command(),
            Program::SconceRt => Arguments::command(),
        }
    }
}

pub fn completions(args: &CompletionsArgs) -> CommandResult {
    put(&script(args.shell, args.program));
    Ok(ExitCode::SUCCESS)
}

fn script(shell: Shell, program: Program) -> Vec<u8> {
    let mut command = program.command();
    let name = command.get_name().to_owned();
    let mut script = Vec::new();
    clap_complete::generate(shell, &mut command, name, &mut script);
    script
}

pub fn man(args: &ManArgs) -> CommandResult {
    std::fs::create_dir_all(&args.out).map_err(|e| format!("{}: {e}", args.out.display()))?;
    for (name, page) in Program::value_variants().iter().flat_map(|program| pages(*program)) {
        let path = args.out.join(name);
        write_atomically(&path, page.as_bytes()).map_err(|e| format!("{}: {e}", path.display()))?;
        print(&path.display().to_string());
    }
    Ok(ExitCode::SUCCESS)
}

/// File name and text of the pages of a program: its own, then those of its commands.
fn pages(program: Program) -> Vec<(String, String)> {
    // There is no page of `help`, which `--help` is too.
    let mut command = program.command().disable_help_subcommand(true);
    command.build();
    let commands = command.get_subcommands().filter(|sub| !sub.is_hide_set());
    std::iter::once(page(&command, None)).chain(commands.map(|sub| page(sub, Some(&command)))).collect()
}

type Section = fn(&Man, &mut dyn Write) -> std::io::Result<()>;

/// What every page begins with, behind its title.
const SECTIONS: &[Section] = &[
    Man::render_name_section,
    Man::render_synopsis_section,
    Man::render_description_section,
    Man::render_options_section,
];

/// A page. It holds no date: the same program makes the same pages.
fn page(command: &Command, parent: Option<&Command>) -> (String, String) {
    // Every option once is enough; the synopsis is the usage that `-h` shows.
    let usage = command.clone().render_usage().to_string();
    let usage = usage.strip_prefix("Usage: ").unwrap_or(&usage).to_owned();
    let whole = command.clone().override_usage(usage).mut_args(with_long_help);
    let name = whole.get_display_name().unwrap_or(whole.get_name()).to_owned();
    let version = command.get_version().or_else(|| parent?.get_version()).unwrap_or_default();
    let man = Man::new(whole);
    let mut text = Vec::new();
    let has_commands = command.get_subcommands().any(|sub| !sub.is_hide_set());
    let commands = has_commands.then_some(Man::render_subcommands_section as Section);
    for section in SECTIONS.iter().chain(&commands) {
        // Nothing fails that is written to memory.
        let _ = section(&man, &mut text);
    }
    let mut roff = Roff::new();
    let notes = command.get_after_long_help().or_else(|| command.get_after_help()).map(ToString::to_string);
    add_notes(&mut roff, &notes.unwrap_or_default());
    if let Some(parent) = parent {
        roff.control("SH", ["SEE ALSO"]);
        roff.text([roman(format!("{}(1)", parent.get_name()))]);
    }
    // Every section defines apostrophes again, and breaks lines where there are none.
    let apostrophes = Roff::new().render();
    let sections = String::from_utf8_lossy(&text).replace(&apostrophes, "").replace("\n.br\n\n.br\n", "\n.br\n");
    // By hand, as `roff` has no way to say that a date is left out.
    let title = format!(".TH {} 1 \"\" \"Sconce {version}\"\n", name.to_uppercase());
    (format!("{name}.1"), [&*apostrophes, &title, &sections, &roff.to_roff()].concat())
}

/// What `-h` leaves out is in a page as it is in `--help`.
fn with_long_help(arg: Arg) -> Arg {
    match (arg.get_long_help(), arg.get_help().cloned()) {
        (None, Some(help)) if arg.is_hide_short_help_set() => arg.long_help(help),
        _ => arg,
    }
}

/// What stands behind the options: a line `Heading:` begins a section, whose indented lines stand as they are.
fn add_notes(roff: &mut Roff, notes: &str) {
    let mut verbatim = false;
    let mut under_heading = false;
    for line in notes.lines().filter(|line| !line.is_empty()) {
        let indented = line.starts_with(' ');
        if indented != verbatim {
            roff.control(if indented { "nf" } else { "fi" }, []);
            verbatim = indented;
        }
        match line.strip_suffix(':').filter(|_| !indented) {
            Some(heading) => roff.control("SH", [heading.to_uppercase().as_str()]),
            None if under_heading || indented => roff.text([roman(line)]),
            None => roff.control("SH", ["NOTES"]).text([roman(line)]),
        };
        under_heading = true;
    }
    if verbatim {
        roff.control("fi", []);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::process::{Command as Process, Stdio};

    /// A page as it is read: roff writes hyphens with a backslash.
    fn read(page: &str) -> String {
        page.replace("\\-", "-").replace("\\(aq", "'")
    }

    fn all_pages() -> Vec<(String, String)> {
        Program::value_variants().iter().flat_map(|program| pages(*program)).collect()
    }

    fn page_of(name: &str) -> String {
        let found = all_pages().into_iter().find(|(file, _)| file == name);
        read(&found.unwrap_or_else(|| panic!("there is no page {name}")).1)
    }

    #[test]
    fn each_command_has_a_page_with_each_of_its_options() {
        for program in Program::value_variants() {
            let mut command = program.command();
            command.build();
            let commands = command.get_subcommands().filter(|sub| !sub.is_hide_set() && sub.get_name() != "help");
            for command in std::iter::once(&command).chain(commands) {
                let page = page_of(&format!("{}.1", command.get_display_name().unwrap_or(command.get_name())));
                for option in command.get_arguments().filter(|a| !a.is_hide_set() && a.get_id() != "help") {
                    let name = option.get_long().map_or(option.get_id().to_string(), |long| format!("--{long}"));
                    let name = if option.is_positional() { name.to_uppercase() } else { name };
                    assert!(page.contains(&name), "{}: {name} is not in\n{page}", command.get_name());
                    let help = option.get_help().map(ToString::to_string).unwrap_or_default();
                    assert!(!help.is_empty(), "{}: {name} has no help", command.get_name());
                    let first = help.split(['\'', '`', '\n']).next().unwrap_or_default();
                    assert!(page.contains(first), "{}: {name}: '{first}' is not in\n{page}", command.get_name());
                }
            }
        }
        assert!(!all_pages().iter().any(|(name, _)| name == "sconce-man.1"), "what is hidden has no page");
    }

    #[test]
    fn pages_have_no_date_and_keep_the_lines_of_examples() {
        let page = page_of("sconce-run.1");
        let head = format!(".TH SCONCE-RUN 1 \"\" \"Sconce {}\"\n", env!("CARGO_PKG_VERSION"));
        assert!(page.contains(&head), "{page}");
        assert!(page.contains("\n.SH EXAMPLES\n.nf\n  sconce run model.pt -i 1x3x224x224xf32\n"), "{page}");
        assert!(page.contains("\n.fi\n.SH \"SEE ALSO\"\nsconce(1)\n"), "{page}");
        assert!(page_of("sconce.1").contains("\n.SH NOTES\n`sconce --licenses` prints"));
        assert_eq!(all_pages(), all_pages());
    }

    /// Where there is `mandoc`, it finds nothing wrong.
    #[test]
    fn pages_are_sound_manual_pages() {
        for (name, page) in all_pages() {
            let mut lint = Process::new("mandoc");
            lint.args(["-Tlint", "-Wwarning"]).stdin(Stdio::piped()).stdout(Stdio::piped());
            let Ok(mut lint) = lint.spawn() else {
                println!("no mandoc is here to look at {name}");
                return;
            };
            lint.stdin.take().expect("a pipe").write_all(page.as_bytes()).expect("it reads");
            let found = lint.wait_with_output().expect("it ends").stdout;
            let found = String::from_utf8_lossy(&found);
            let wrong: Vec<&str> = found.lines().filter(|line| !line.contains("missing date")).collect();
            assert!(wrong.is_empty(), "{name}: {wrong:#?}");
        }
    }

    #[test]
    fn each_shell_completes_each_command_and_option() {
        for shell in Shell::value_variants() {
            let script = |program| String::from_utf8(script(*shell, program)).expect("UTF-8");
            let (sconce, runtime) = (script(Program::Sconce), script(Program::SconceRt));
            for command in Cli::command().get_subcommands().filter(|sub| !sub.is_hide_set()) {
                assert!(sconce.contains(command.get_name()), "{shell}: {}", command.get_name());
            }
            for option in Arguments::command().get_arguments().filter_map(|option| option.get_long()) {
                assert!(runtime.contains(option), "{shell}: {option}");
            }
        }
    }
}
