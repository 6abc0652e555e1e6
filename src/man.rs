//! `kube-assay man`: the manual pages, generated from the command line.

use std::io;
use std::path::Path;

use clap::Command;
use clap_mangen::Man;
use reports::directory::{clear, save};

use crate::called::NAME;
use crate::cli::{Cli, ManArgs};
use crate::exit::Exit;
use crate::output::{complain, remark, say};
use crate::suggest::suggest;

/// A manual page.
struct Page {
    /// The command; empty for the program itself.
    command: String,
    /// The name of the installed file.
    file: String,
    roff: Vec<u8>,
}

/// Prints one page, or writes all of them.
pub(crate) fn man(args: &ManArgs) -> Exit {
    let done = pages().map_err(|why| format!("failed to make the manual pages: {why}"));
    match done.and_then(|pages| deliver(args, &pages)) {
        Ok(()) => Exit::Passed,
        Err(why) => {
            complain(why);
            Exit::Usage
        }
    }
}

fn deliver(args: &ManArgs, pages: &[Page]) -> Result<(), String> {
    if let Some(folder) = &args.output_dir {
        write(folder, pages).map_err(|why| why.to_string())?;
        remark(format_args!("{} pages in {}", pages.len(), folder.display()));
        return Ok(());
    }
    let wanted = args.page.as_deref().unwrap_or_default();
    let page = pages.iter().find(|page| page.command == wanted).ok_or_else(|| {
        let known: Vec<&str> = pages.iter().skip(1).map(|page| page.command.as_str()).collect();
        let all = format!("there are {}", known.join(", "));
        format!("there is no command {wanted:?}; {}", suggest(wanted, known.into_iter(), &all))
    })?;
    say(&String::from_utf8_lossy(&page.roff));
    Ok(())
}

/// Writes all pages; an error names the folder or the file, and has a hint.
fn write(folder: &Path, pages: &[Page]) -> io::Result<()> {
    clear(folder, [])?;
    pages.iter().try_for_each(|page| save(&folder.join(&page.file), |out| out.write_all(&page.roff)))
}

/// The program's page, then those of its commands.
fn pages() -> io::Result<Vec<Page>> {
    let mut program = Cli::called(NAME).disable_help_subcommand(true);
    // Names the commands `kube-assay-run`, and propagates global settings.
    program.build();
    let mut pages = vec![page("", &program)?];
    for command in program.get_subcommands().filter(|command| !command.is_hide_set()) {
        pages.push(page(command.get_name(), command)?);
    }
    Ok(pages)
}

fn page(name: &str, command: &Command) -> io::Result<Page> {
    let mut roff = Vec::new();
    let version = command.get_version().unwrap_or_default();
    let man = Man::new(command.clone()).source(format!("{NAME} {version}"));
    man.render(&mut roff)?;
    Ok(Page { command: name.to_owned(), file: man.get_filename(), roff })
}
