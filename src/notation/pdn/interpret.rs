//! From the words of a game to its moves.

use crate::board::{Position, Side};
use crate::notation::fen;
use crate::notation::movetext::{self, split_strength};
use crate::notation::pdn::error::{PdnError, PdnProblem};
use crate::notation::pdn::lexer::{Kind, Token, lone_strength};
use crate::notation::pdn::source::Place;
use crate::notation::pdn::tags::offshoot;
use crate::notation::pdn::{Action, Comment, Declared, Entry, GameResult, Line, PdnGame, RawGame, declared};
use crate::variant::Variant;

/// Deepest nesting of variations.
const MAX_DEPTH: usize = 64;
/// Longest score, in characters.
const MAX_SCORE: usize = 16;

/// Interprets a game as one of the variant `V`.
///
/// # Errors
/// If it is a game of another variant, or something in it cannot be read; the error names the first
/// offence.
pub fn interpret<V: Variant>(raw: RawGame) -> Result<PdnGame<V>, PdnError> {
    check_words(&raw)?;
    check_variant::<V>(&raw)?;
    let start = start(&raw)?;
    let mut parser = Parser { tokens: &raw.tokens, at: 0, game: raw.number, score: None, tag: raw.tags.get("Result") };
    let line = parser.line(start, None, 0)?;
    let behind_moves = parser.score.map(GameResult::Other).or(raw.result).filter(|result| *result != GameResult::Open);
    let result = behind_moves.or_else(|| result_of_tag(raw.tags.get("Result")?)).unwrap_or_default();
    Ok(PdnGame { tags: raw.tags, start, line, result })
}

fn check_words(raw: &RawGame) -> Result<(), PdnError> {
    let error = |place, text: &str, problem| Err(PdnError { game: raw.number, place, text: text.into(), problem });
    for token in &raw.tokens {
        if let Kind::Bad(problem, text) = &token.kind {
            return error(token.place, text, problem.clone());
        }
    }
    match raw.overflow {
        Some(place) => error(place, "", PdnProblem::TooLarge(RawGame::MAX_BYTES)),
        None => Ok(()),
    }
}

fn check_variant<V: Variant>(raw: &RawGame) -> Result<(), PdnError> {
    let name = if raw.tags.get("Variant").is_some() { "Variant" } else { "GameType" };
    match declared(&raw.tags) {
        Declared::Nothing => Ok(()),
        Declared::Known(id) if id == V::ID => Ok(()),
        Declared::Known(_) | Declared::Other(_) => Err(tag_error(raw, name, PdnProblem::OtherVariant(V::ID))),
    }
}

fn start<V: Variant>(raw: &RawGame) -> Result<Position<V>, PdnError> {
    match raw.tags.get("FEN").filter(|text| !matches!(text.trim(), "" | "?" | "*")) {
        Some(text) => fen::position(text).map_err(|problem| tag_error(raw, "FEN", problem.into())),
        None => Ok(offshoot::<V>(&raw.tags).map_or_else(Position::start, |offshoot| {
            fen::position(offshoot.start).expect("starts are valid positions")
        })),
    }
}

fn tag_error(raw: &RawGame, name: &str, problem: PdnProblem) -> PdnError {
    let found = raw.tags.iter().zip(&raw.tag_places).find(|((tag, _), _)| tag.eq_ignore_ascii_case(name));
    let ((_, text), place) = found.expect("the offending tag is there");
    PdnError { game: raw.number, place: *place, text: text.into(), problem }
}

fn result_of_tag(text: &str) -> Option<GameResult> {
    let text = text.trim();
    match text {
        "" | "?" | "-" => None,
        _ => Some(GameResult::of_text(text).unwrap_or_else(|| GameResult::Other(text.into()))),
    }
}

struct Parser<'a> {
    tokens: &'a [Token],
    at: usize,
    game: usize,
    /// A score of another form behind the moves.
    score: Option<String>,
    /// The `Result` tag.
    tag: Option<&'a str>,
}

impl<'a> Parser<'a> {
    fn error(&self, place: Place, text: &str, problem: impl Into<PdnProblem>) -> PdnError {
        PdnError { game: self.game, place, text: text.into(), problem: problem.into() }
    }

    fn take(&mut self) -> Option<&'a Token> {
        let token = self.tokens.get(self.at)?;
        self.at += 1;
        Some(token)
    }

    /// Reads a line from `start` up to the end of its variation, which began at `open`, or of the game.
    fn line<V: Variant>(&mut self, start: Position<V>, open: Option<Place>, depth: usize) -> Result<Line<V>, PdnError> {
        let mut line = Line::default();
        // The positions before and after the last move.
        let mut before = start;
        let mut now = start;
        // Annotations may stand before their move.
        let mut nags = Vec::new();
        while let Some(token) = self.take() {
            let action = match &token.kind {
                Kind::Close if depth > 0 => return Ok(line),
                Kind::Close => return Err(self.error(token.place, ")", PdnProblem::StrayParenthesis)),
                Kind::Open => {
                    let variation = self.variation(token, before, depth, line.moves.is_empty())?;
                    line.moves.last_mut().expect("a variation has a move").variations.push(variation);
                    continue;
                }
                Kind::Comment(text) => {
                    line.moves
                        .last_mut()
                        .map_or(&mut line.comments, |entry| &mut entry.comments)
                        .push(Comment(text.clone()));
                    continue;
                }
                Kind::Nag(nag) => {
                    line.moves.last_mut().map_or(&mut nags, |entry| &mut entry.nags).push(*nag);
                    continue;
                }
                Kind::Word(word) => match self.word(token, word, &now, &mut nags, depth)? {
                    Some(action) => action,
                    None => {
                        // A mark that stands apart from its move.
                        if let Some(entry) = line.moves.last_mut() {
                            entry.nags.append(&mut nags);
                        }
                        continue;
                    }
                },
                Kind::Setup(text) => self.setup(token, text, &now)?,
                Kind::Skip if self.dots_name_the_side(&now) => continue,
                Kind::Skip => Action::Skip,
                Kind::Number(_) | Kind::Star => continue,
                Kind::Tag(..) | Kind::Bad(..) => unreachable!("tags and bad words are not among the moves"),
            };
            before = now;
            now = action.apply(&before);
            line.moves.push(Entry { nags: std::mem::take(&mut nags), ..action.into() });
        }
        match open {
            Some(place) => Err(self.error(place, "(", PdnProblem::OpenVariation)),
            None => Ok(line),
        }
    }

    fn variation<V: Variant>(
        &mut self,
        open: &Token,
        before: Position<V>,
        depth: usize,
        of_nothing: bool,
    ) -> Result<Line<V>, PdnError> {
        if of_nothing {
            return Err(self.error(open.place, "(", PdnProblem::VariationOfNothing));
        }
        if depth >= MAX_DEPTH {
            return Err(self.error(open.place, "(", PdnProblem::TooDeep(MAX_DEPTH)));
        }
        self.line(before, Some(open.place), depth + 1)
    }

    /// A move; `None` for a mark of strength, which goes to `nags`, and for a result.
    fn word<V: Variant>(
        &mut self,
        token: &Token,
        word: &str,
        now: &Position<V>,
        nags: &mut Vec<u8>,
        depth: usize,
    ) -> Result<Option<Action<V>>, PdnError> {
        if let Some(nag) = lone_strength(word) {
            nags.push(nag);
            return Ok(None);
        }
        if self.ends_variation(word, depth) || depth == 0 && self.is_score(word, false) {
            return Ok(None);
        }
        match movetext::read(now, word) {
            Ok(mv) => {
                nags.extend(split_strength(word).1);
                Ok(Some(Action::Move(mv)))
            }
            Err(_) if depth == 0 && self.is_score(word, true) => Ok(None),
            Err(problem) => Err(self.error(token.place, word, problem)),
        }
    }

    /// Whether a word is a result at the end of a variation.
    fn ends_variation(&self, word: &str, depth: usize) -> bool {
        let last = matches!(self.tokens.get(self.at).map(|token| &token.kind), Some(Kind::Close));
        depth > 0 && last && GameResult::of_text(word).is_some()
    }

    /// Whether `word` and everything behind it is a score such as `12-8` or `1+ - 1-`, which is then
    /// taken. It is one if the tag says so, even where it could be a move; else only if it is not the
    /// misspelt last move, that is if it has other signs (`any`).
    fn is_score(&mut self, word: &str, any: bool) -> bool {
        let announced = self.tag.map(str::trim).filter(|tag| GameResult::of_text(tag).is_none());
        if !GameResult::is_score_like(word) || !any && announced.is_none() {
            return false;
        }
        let mut score = word.to_owned();
        let rest = &self.tokens[self.at..];
        for token in rest {
            match &token.kind {
                Kind::Word(next) if GameResult::is_score_like(next) && score.len() < MAX_SCORE => {
                    score = format!("{score} {next}");
                }
                Kind::Comment(_) | Kind::Star => {}
                _ => return false,
            }
        }
        let is_no_move = any && score.contains(['+', '=', '/', '.', ',', '\u{bd}']);
        if !is_no_move && announced != Some(&score) {
            return false;
        }
        // Only comments are left to read.
        self.at += rest.iter().take_while(|token| !matches!(token.kind, Kind::Comment(_))).count();
        self.score = Some(score);
        true
    }

    /// Whether dots say whose move comes next instead of leaving a move out: so they do where the next
    /// word is a move of the side that is on move anyway.
    fn dots_name_the_side<V: Variant>(&self, now: &Position<V>) -> bool {
        let beside = |token: &&Token| !matches!(token.kind, Kind::Comment(_) | Kind::Nag(_) | Kind::Number(_));
        match self.tokens[self.at..].iter().find(beside).map(|token| &token.kind) {
            Some(Kind::Word(word)) => movetext::read(now, word).is_ok(),
            _ => false,
        }
    }

    fn setup<V: Variant>(&self, token: &Token, text: &str, now: &Position<V>) -> Result<Action<V>, PdnError> {
        let side = match text.trim() {
            "W::" => Some(Side::White),
            "B::" => Some(Side::Black),
            _ => None,
        };
        // The null move.
        if let Some(side) = side {
            return Ok(Action::Setup(now.with_side_to_move(side)));
        }
        fen::position(text).map(Action::Setup).map_err(|problem| self.error(token.place, text, problem))
    }
}
