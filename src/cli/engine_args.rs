//! The parameters of the engine as flags, for every command that makes an engine.

use clap::{Arg, ArgMatches, Command, FromArgMatches};

use crate::engine::params::{PARAMS, ParamError, ParamInfo, ParamKind, Params};

/// `--name value` for every parameter; use it with `#[command(flatten)]`.
#[derive(Clone, Debug, Default)]
pub struct EngineArgs {
    /// The parameters, defaults where no flag was given.
    pub params: Params,
}

impl EngineArgs {
    /// Takes `--name value` and `--name=value` of known parameters from words that clap did not
    /// know, and ignores the rest: GUIs and bots pass on options that are meant for others.
    ///
    /// # Errors
    /// If a parameter has a bad value.
    pub fn set_known(&mut self, words: &[String]) -> Result<(), ParamError> {
        let mut words = words.iter().peekable();
        while let Some(word) = words.next() {
            let flag = word.strip_prefix("--").unwrap_or_default();
            let (name, value) = match flag.split_once('=') {
                Some((name, value)) => (name, Some(value)),
                None => (flag, None),
            };
            if ParamInfo::find(name).is_none() {
                log::warn!("argument `{word}` ignored");
                continue;
            }
            let next = || words.next_if(|word| !word.starts_with("--")).map(String::as_str);
            let value = value.or_else(next).unwrap_or("true");
            self.set(name, value)?;
        }
        Ok(())
    }

    fn set(&mut self, name: &str, value: &str) -> Result<(), ParamError> {
        if let Some(clamped) = self.params.set(name, value)? {
            log::warn!("{clamped}");
        }
        Ok(())
    }
}

/// The flag of a parameter; a number out of range is accepted.
pub(super) fn flag(info: &'static ParamInfo) -> Arg {
    let check = |text: &str| Params::default().set(info.name, text).map(|_| text.to_string());
    let default = info.value(&Params::default());
    let default = if default.is_empty() { "none" } else { &default };
    let flag = Arg::new(info.name)
        .long(info.name)
        .help(format!("{} [{}; default: {default}]", info.doc, info.range()))
        .help_heading("Engine parameters")
        .overrides_with(info.name)
        .value_parser(check);
    match info.kind {
        ParamKind::Bool => flag.value_name("BOOL").num_args(0..=1).default_missing_value("true"),
        ParamKind::Int { .. } => flag.value_name("N").allow_negative_numbers(true),
        ParamKind::Enum(_) => flag.value_name("NAME"),
        ParamKind::Text => flag.value_name("TEXT"),
    }
}

impl clap::Args for EngineArgs {
    fn augment_args(command: Command) -> Command {
        command.args(PARAMS.iter().map(flag))
    }

    fn augment_args_for_update(command: Command) -> Command {
        Self::augment_args(command)
    }
}

impl FromArgMatches for EngineArgs {
    fn from_arg_matches(matches: &ArgMatches) -> Result<Self, clap::Error> {
        let mut args = Self::default();
        args.update_from_arg_matches(matches)?;
        Ok(args)
    }

    fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> Result<(), clap::Error> {
        let given = |info: &ParamInfo| {
            let value = matches.get_one::<String>(info.name)?;
            Some((matches.index_of(info.name), info.name, value))
        };
        let mut given: Vec<_> = PARAMS.iter().filter_map(given).collect();
        // Two flags may be the same setting: the last one given holds.
        given.sort_unstable();
        for (_, name, value) in given {
            let failed = |error| clap::Error::raw(clap::error::ErrorKind::InvalidValue, error);
            self.set(name, value).map_err(failed)?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use clap::Parser;

    use super::*;
    use crate::variant::VariantId;

    #[derive(Parser)]
    struct Cli {
        #[command(flatten)]
        engine: EngineArgs,
    }

    fn parse(line: &str) -> Result<Params, String> {
        let words = std::iter::once("test").chain(line.split_whitespace());
        Cli::try_parse_from(words).map(|cli| cli.engine.params).map_err(|error| error.to_string())
    }

    #[test]
    fn flags_set_parameters() {
        assert_eq!(parse(""), Ok(Params::default()));
        let params = parse("--variant br --threads=1000 --ponder --book false --threads -3").unwrap();
        assert_eq!(
            (params.variant, params.threads, params.ponder, params.book),
            (VariantId::Brazilian, 1, true, false)
        );
    }

    #[test]
    fn the_last_of_two_views_holds() {
        assert_eq!(parse("--hash 100 --tt-size 17").unwrap().hash, 2);
        assert_eq!(parse("--tt-size 17 --hash 100").unwrap().hash, 100);
    }

    #[test]
    fn bad_values_name_flag_and_text() {
        let error = parse("--threads many").unwrap_err();
        assert!(error.contains("threads") && error.contains("many"), "{error}");
        assert!(parse("--initial-time=3").is_err());
    }

    #[test]
    fn unknown_words_are_ignored_where_asked_for() {
        let words: Vec<_> =
            "--initial-time=60 7 --hash 5 --ponder --x --threads=2".split(' ').map(String::from).collect();
        let mut args = EngineArgs::default();
        args.set_known(&words).unwrap();
        assert_eq!((args.params.hash, args.params.ponder, args.params.threads), (5, true, 2));
        assert!(args.set_known(&["--hash=x".into()]).is_err());
    }
}
