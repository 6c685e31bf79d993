//! How games of a follower end, and what they count.

use std::io;
use std::time::Instant;

use crossbeam_channel::Sender;

use super::{Follower, Outbox, Phase};
use crate::engine::params::Params;
use crate::engine::{EngineHandle, Event};
use crate::protocol::dxp::CONFIRMATION;
use crate::protocol::dxp::message::{Message, Reason};
use crate::protocol::dxp::news::{News, Outcome};

impl<F> Follower<F>
where
    F: Fn(&Params, Sender<Event>) -> io::Result<Box<dyn EngineHandle>>,
{
    pub(super) fn receive_end(&mut self, reason: Reason, stop: bool, out: &mut dyn Outbox) -> io::Result<()> {
        self.is_left = stop;
        match self.phase {
            // It confirms. What it says with that differs from program to program.
            Phase::Ending(_) => {
                self.phase = Phase::Idle;
                return Ok(());
            }
            Phase::Playing => {
                self.finish(Some(reason.seen_by_other()), "ended by the opponent");
                self.phase = Phase::Idle;
                out.send(&Message::End { reason: Reason::Unknown, stop })?;
            }
            // Perhaps a second confirmation: it must not be confirmed for ever.
            Phase::Idle => {}
        }
        Ok(())
    }

    /// Ends the game in place of a move.
    pub(super) fn end_game(&mut self, reason: Reason, text: &str, out: &mut dyn Outbox) -> io::Result<()> {
        self.finish(Some(reason), text);
        self.phase = Phase::Ending(Instant::now() + CONFIRMATION);
        out.send(&Message::End { reason, stop: false })
    }

    /// A game that is on ends without a word about it.
    pub(super) fn abandon(&mut self, text: &str) {
        if self.phase == Phase::Playing {
            self.finish(None, text);
        }
        self.halt();
        self.phase = Phase::Idle;
    }

    /// Counts the game that was on. A win on the board decides, else what was said, else a draw by rule.
    pub(super) fn finish(&mut self, said: Option<Reason>, text: &str) {
        self.halt();
        let Some(play) = &mut self.play else { return };
        let over = play.game.over();
        let outcome = match (over.filter(|over| over.winner().is_some()), said) {
            (Some(won), _) => play.outcome_of(won),
            (None, Some(Reason::Won)) => Outcome::Won,
            (None, Some(Reason::Lost)) => Outcome::Lost,
            (None, Some(Reason::Draw)) => Outcome::Drawn,
            (None, Some(Reason::Unknown) | None) => over.map_or(Outcome::Unknown, |draw| play.outcome_of(draw)),
        };
        play.outcome = Some(outcome);
        self.tally.add(outcome);
        let reason = over.map_or_else(|| text.into(), |over| over.to_string());
        let (number, opponent, tally) = (play.number, play.opponent.clone(), self.tally);
        self.news.push(News::Over { number, opponent, outcome, reason, tally });
    }
}
