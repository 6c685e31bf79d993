//! Whether the description of a match makes sense.

use crate::engine::params::ParamError;
use crate::tournament::config::Config;
use crate::tournament::control::{Control, seconds};
use crate::tournament::spec::{PlayerSpec, Protocol};
use crate::tournament::sprt::SprtError;
use crate::tournament::text::ListError;
use crate::variant::VariantId;

/// Most games between two players; more openings than for these are never made.
pub(super) const MOST_GAMES: usize = 1_000_000;

/// A match that cannot be played.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum ConfigError {
    /// Not a configuration file.
    #[error("{0}")]
    Toml(String),
    /// A value that makes no sense.
    #[error(transparent)]
    Value(#[from] ListError),
    /// An engine parameter.
    #[error(transparent)]
    Param(#[from] ParamError),
    /// The test.
    #[error("sprt: {0}")]
    Sprt(#[from] SprtError),
    /// Two players of one name.
    #[error("two players are named `{0}`")]
    SameName(String),
    /// A test of more than two players.
    #[error("an SPRT needs two players, there are {0}")]
    SprtPlayers(usize),
    /// A protocol that does not know this game or limit.
    #[error("player `{name}`: protocol hub1 knows no {what}")]
    Hub1 {
        /// The player.
        name: String,
        /// What it does not know.
        what: &'static str,
    },
    /// A player over DXP with what its protocol cannot tell it.
    #[error("player `{name}`: DXP knows no {what}")]
    Dxp {
        /// The player.
        name: String,
        /// What it does not know.
        what: String,
    },
    /// Text that no line of a protocol or a record can hold.
    #[error("{what} `{}`: quotes and control characters cannot be sent", .text.escape_debug())]
    BadText {
        /// What it is.
        what: &'static str,
        /// The text.
        text: String,
    },
    /// No games at all, or too many.
    #[error("games: {0} is not between 2 and {MOST_GAMES}")]
    Games(usize),
}

impl Config {
    /// Whether it can be played, once all that was left out is filled in.
    ///
    /// # Errors
    /// Names what makes no sense.
    pub(super) fn check(&self) -> Result<(), ConfigError> {
        for (index, player) in self.players.iter().enumerate() {
            if self.players[..index].iter().any(|other| other.name == player.name) {
                return Err(ConfigError::SameName(player.name.clone()));
            }
            check_text(player)?;
            let control = self.control(player)?;
            let unknown = [
                (control.nodes.is_some(), "limit of nodes"),
                (self.variant != VariantId::default(), "other game than International draughts"),
            ];
            if let Some((_, what)) = unknown.iter().find(|(found, _)| *found && player.protocol == Protocol::Hub1) {
                return Err(ConfigError::Hub1 { name: player.name.clone(), what });
            }
            if player.dxp.is_some() {
                check_dxp(player, &control)?;
            }
            if player.is_inside() || player.dxp.is_some() {
                self.engine_params(player)?;
            }
        }
        seconds("margin", self.margin)?;
        seconds("hang", self.hang)?;
        seconds("balance", self.balance)?;
        self.adjudication().check()?;
        self.rule_params()?;
        let Some(sprt) = &self.sprt else { return Ok(()) };
        sprt.check()?;
        if self.players.len() == 2 { Ok(()) } else { Err(ConfigError::SprtPlayers(self.players.len())) }
    }
}

/// What a player over DXP may have set: the other program gets no parameters, these are for the dialogue.
const DXP_PARAMS: [&str; 2] = ["square-numbering", "log-file"];

/// Whether DXP can tell the other program what it is to play under.
fn check_dxp(player: &PlayerSpec, control: &Control) -> Result<(), ConfigError> {
    if let Some(retry) = player.retry {
        seconds("retry", retry)?;
    }
    let unknown = [
        (control.nodes.is_some(), "limit of nodes"),
        (control.depth.is_some(), "limit of depth"),
        (control.move_time.is_some(), "time for a single move"),
        (control.clock.is_some_and(|clock| !clock.increment.is_zero()), "increment"),
    ];
    let limit = unknown.into_iter().find_map(|(found, what)| found.then(|| what.to_string()));
    let param = player.params.keys().find(|name| !DXP_PARAMS.contains(&name.as_str()));
    match limit.or_else(|| param.map(|name| format!("parameter `{name}`"))) {
        Some(what) => Err(ConfigError::Dxp { name: player.name.clone(), what }),
        None => Ok(()),
    }
}

/// Whether the name and the parameters of a player can be written in one piece.
fn check_text(player: &PlayerSpec) -> Result<(), ConfigError> {
    let check = |what, text: &str, refused: &dyn Fn(char) -> bool| {
        let holds = !text.contains(|c: char| c == '"' || c.is_control() || refused(c));
        if holds { Ok(()) } else { Err(ConfigError::BadText { what, text: text.into() }) }
    };
    check("player", &player.name, &|_| false)?;
    for (name, value) in &player.params {
        check("parameter", name, &|c| c.is_whitespace() || c == '=')?;
        check("value of a parameter", &value.to_string(), &|_| false)?;
    }
    Ok(())
}
