//! The parameters of the engine as flags, for every command that makes an engine.

use std::marker::PhantomData;

use clap::{Arg, ArgMatches, Command, FromArgMatches};

use crate::engine::params::{PARAMS, ParamError, ParamInfo, ParamKind, Params};

/// Which parameters a command takes, and how strictly.
pub trait Selection: Default {
    /// Their names; `None` for all.
    const NAMES: Option<&'static [&'static str]>;
    /// Whether a number out of range is an error; else it is moved to the nearest bound with a warning.
    const STRICT: bool;
}

/// For a session whose GUI may set everything, and gets all numbers clamped.
#[derive(Clone, Copy, Debug, Default)]
pub struct ForSession;

impl Selection for ForSession {
    const NAMES: Option<&'static [&'static str]> = None;
    const STRICT: bool = false;
}

/// For finding a move.
#[derive(Clone, Copy, Debug, Default)]
pub struct ForMove;

impl Selection for ForMove {
    const NAMES: Option<&'static [&'static str]> = Some(&["threads", "hash", "weights", "draw-rules", "kvk"]);
    const STRICT: bool = true;
}

/// For an analysis, which may show several lines.
#[derive(Clone, Copy, Debug, Default)]
pub struct ForAnalysis;

impl Selection for ForAnalysis {
    const NAMES: Option<&'static [&'static str]> =
        Some(&["threads", "hash", "weights", "draw-rules", "kvk", "multi-pv"]);
    const STRICT: bool = true;
}

/// For evaluating a position.
#[derive(Clone, Copy, Debug, Default)]
pub struct ForEvaluation;

impl Selection for ForEvaluation {
    const NAMES: Option<&'static [&'static str]> = Some(&["weights"]);
    const STRICT: bool = true;
}

/// For games that the engine plays against itself.
#[derive(Clone, Copy, Debug, Default)]
pub struct ForSelfPlay;

impl Selection for ForSelfPlay {
    const NAMES: Option<&'static [&'static str]> = Some(&["bb-size", "egdb-dir", "weights", "draw-rules", "kvk"]);
    const STRICT: bool = true;
}

/// `--name value` for every selected parameter; use it with `#[command(flatten)]`.
#[derive(Clone, Debug, Default)]
pub struct EngineArgs<S> {
    /// The parameters, defaults where no flag was given.
    pub params: Params,
    selection: PhantomData<S>,
}

impl<S: Selection> EngineArgs<S> {
    fn infos() -> impl Iterator<Item = &'static ParamInfo> {
        let selected = |info: &&ParamInfo| S::NAMES.is_none_or(|names| names.contains(&info.name));
        PARAMS.iter().filter(selected)
    }

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
            let Some(info) = ParamInfo::find(name) else {
                log::warn!("argument `{word}` ignored");
                continue;
            };
            let next = || words.next_if(|word| !word.starts_with("--")).map(String::as_str);
            let flag = || matches!(info.kind, ParamKind::Bool).then_some("true");
            let Some(value) = value.or_else(next).or_else(flag) else {
                log::warn!("argument `{word}` ignored: it has no value");
                continue;
            };
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

/// The text, if the parameter can have this value.
fn check(info: &ParamInfo, strict: bool, text: &str) -> Result<String, String> {
    match Params::default().set(info.name, text) {
        Ok(Some(_)) if strict => Err(format!("not within {}", info.range())),
        Ok(_) => Ok(text.into()),
        Err(error) => Err(error.to_string()),
    }
}

/// The flag of a parameter.
fn flag(info: &'static ParamInfo, strict: bool) -> Arg {
    let default = info.value(&Params::default());
    let default = if default.is_empty() { "none" } else { &default };
    let flag = Arg::new(info.name)
        .long(info.name)
        .help(format!("{} [{}; default: {default}]", info.doc, info.range()))
        .help_heading("Engine parameters")
        .overrides_with(info.name)
        .value_parser(move |text: &str| check(info, strict, text));
    match info.kind {
        ParamKind::Bool => flag.value_name("BOOL").num_args(0..=1).default_missing_value("true"),
        ParamKind::Int { .. } => flag.value_name("N").allow_negative_numbers(true),
        ParamKind::Enum(_) => flag.value_name("NAME"),
        ParamKind::Text => flag.value_name("TEXT"),
    }
}

impl<S: Selection> clap::Args for EngineArgs<S> {
    fn augment_args(command: Command) -> Command {
        command.args(Self::infos().map(|info| flag(info, S::STRICT)))
    }

    fn augment_args_for_update(command: Command) -> Command {
        Self::augment_args(command)
    }
}

impl<S: Selection> FromArgMatches for EngineArgs<S> {
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
        let mut given: Vec<_> = Self::infos().filter_map(given).collect();
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
    struct Cli<S: Selection + Clone + Send + Sync + 'static> {
        #[command(flatten)]
        engine: EngineArgs<S>,
    }

    fn parse<S: Selection + Clone + Send + Sync + 'static>(line: &str) -> Result<Params, String> {
        let words = std::iter::once("test").chain(line.split_whitespace());
        Cli::<S>::try_parse_from(words).map(|cli| cli.engine.params).map_err(|error| error.to_string())
    }

    #[test]
    fn flags_set_parameters() {
        assert_eq!(parse::<ForSession>(""), Ok(Params::default()));
        let params = parse::<ForSession>("--variant br --threads=1000 --ponder --book false --threads -3").unwrap();
        assert_eq!(
            (params.variant, params.threads, params.ponder, params.book),
            (VariantId::Brazilian, 1, true, false)
        );
        let params = parse::<ForAnalysis>("--threads 2 --hash=8 --draw-rules none --multi-pv 3").unwrap();
        assert_eq!((params.threads, params.hash, params.multi_pv), (2, 8, 3));
        assert!(params.draw_rules.is_some());
    }

    #[test]
    fn a_selection_has_these_flags_only() {
        assert!(parse::<ForAnalysis>("--multi-pv 2").is_ok());
        for other in ["--multi-pv=2", "--variant=br", "--ponder"] {
            assert!(parse::<ForMove>(other).is_err(), "{other}");
        }
        // Every name is that of a parameter.
        for names in [ForMove::NAMES, ForAnalysis::NAMES] {
            assert!(names.unwrap().iter().all(|name| ParamInfo::find(name).is_some()));
        }
    }

    #[test]
    fn only_strict_selections_refuse_numbers_out_of_range() {
        for text in ["--threads=0", "--threads=-3", "--hash=65537"] {
            assert!(parse::<ForSession>(text).is_ok(), "{text}");
            let error = parse::<ForMove>(text).unwrap_err();
            assert!(error.contains("not within 1 to"), "{error}");
        }
    }

    #[test]
    fn the_last_of_two_views_holds() {
        assert_eq!(parse::<ForSession>("--hash 100 --tt-size 17").unwrap().hash, 2);
        assert_eq!(parse::<ForSession>("--tt-size 17 --hash 100").unwrap().hash, 100);
    }

    #[test]
    fn bad_values_name_flag_and_text() {
        for error in [parse::<ForSession>("--threads many"), parse::<ForMove>("--threads many")] {
            let error = error.unwrap_err();
            assert!(error.contains("threads") && error.contains("many"), "{error}");
        }
        assert!(parse::<ForMove>("--draw-rules nobody").is_err());
        assert!(parse::<ForSession>("--initial-time=3").is_err());
    }

    #[test]
    fn unknown_words_are_ignored_where_asked_for() {
        let words: Vec<_> =
            "--initial-time=60 7 --hash 5 --ponder --x --threads=2".split(' ').map(String::from).collect();
        let mut args = EngineArgs::<ForSession>::default();
        args.set_known(&words).unwrap();
        assert_eq!((args.params.hash, args.params.ponder, args.params.threads), (5, true, 2));
        assert!(args.set_known(&["--hash=x".into()]).is_err());
    }
}
