//! Games as words: where one ends and the next begins.
//!
//! Nothing here depends on the variant, so that a file with games of several variants can be read: look
//! at [`RawGame::tags`] and then parse the game as the right one.

use std::collections::VecDeque;
use std::io::{self, BufRead};

use crate::notation::pdn::error::{PdnError, PdnProblem};
use crate::notation::pdn::lexer::{Kind, Lexer, Token};
use crate::notation::pdn::result::GameResult;
use crate::notation::pdn::source::Place;
use crate::notation::pdn::tags::Tags;

/// Comments behind a result that may belong to it.
const MAX_LAST_COMMENTS: usize = 32;

/// One game of a file, not yet interpreted.
#[derive(Clone, Debug)]
pub struct RawGame {
    /// Number of the game in the file, from 1.
    pub number: usize,
    /// Its tags.
    pub tags: Tags,
    pub(super) tag_places: Vec<Place>,
    pub(super) tokens: Vec<Token>,
    /// The result that stands behind the moves.
    pub(super) result: Option<GameResult>,
    /// Where the game became too large, if it did.
    pub(super) overflow: Option<Place>,
    bytes: usize,
    /// Whether anything but comments and bad tags has been read behind the tags.
    has_moves: bool,
}

impl RawGame {
    /// Memory that the words of a game may take.
    pub const MAX_BYTES: usize = 16 << 20;

    fn new(number: usize) -> Self {
        Self {
            number,
            tags: Tags::default(),
            tag_places: Vec::new(),
            tokens: Vec::new(),
            result: None,
            overflow: None,
            bytes: 0,
            has_moves: false,
        }
    }

    /// Whether the file shows squares of letters or beyond 32, if it shows anything: with tags that
    /// declare no variant, a hint to which board the game was played on.
    pub fn squares_hint(&self) -> SquaresHint {
        for token in &self.tokens {
            let Kind::Word(word) = &token.kind else { continue };
            if word.starts_with(|c: char| matches!(c, 'a'..='h')) {
                return SquaresHint::Letters;
            }
            let numbers = word.split(|c: char| !c.is_ascii_digit()).filter_map(|digits| digits.parse::<u32>().ok());
            if numbers.max().is_some_and(|number| (33..100).contains(&number)) {
                return SquaresHint::Above32;
            }
        }
        SquaresHint::None
    }

    fn add_tag(&mut self, name: String, value: String, place: Place) {
        if self.has_room(name.len() + value.len(), place) {
            self.tags.push(name, value);
            self.tag_places.push(place);
        }
    }

    fn add(&mut self, token: Token) {
        self.has_moves |= !matches!(token.kind, Kind::Comment(_) | Kind::Bad(PdnProblem::Tag, _));
        let text = match &token.kind {
            Kind::Comment(text) | Kind::Setup(text) | Kind::Word(text) | Kind::Number(text) => text.len(),
            _ => 0,
        };
        if self.has_room(text, token.place) {
            self.tokens.push(token);
        }
    }

    fn has_room(&mut self, text: usize, place: Place) -> bool {
        self.bytes += size_of::<Token>() + text;
        if self.bytes > Self::MAX_BYTES {
            self.overflow.get_or_insert(place);
        }
        self.overflow.is_none()
    }

    fn is_empty(&self) -> bool {
        let is_comment = |token: &Token| matches!(token.kind, Kind::Comment(_));
        self.overflow.is_none() && self.tags.is_empty() && self.tokens.iter().all(is_comment)
    }
}

/// What the squares in a game say about its board.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SquaresHint {
    /// Nothing.
    None,
    /// There are letters: 8x8.
    Letters,
    /// There are numbers above 32: 10x10 or larger.
    Above32,
}

/// The games of a file one by one; only the current one is in memory.
pub struct RawGames<R> {
    lexer: Lexer<R>,
    ahead: VecDeque<Token>,
    /// Games so far.
    number: usize,
    failed: bool,
}

impl<R: BufRead> RawGames<R> {
    /// The games in `reader`.
    pub fn new(reader: R) -> Self {
        Self { lexer: Lexer::new(reader), ahead: VecDeque::new(), number: 0, failed: false }
    }

    fn take(&mut self) -> io::Result<Option<Token>> {
        match self.ahead.pop_front() {
            Some(token) => Ok(Some(token)),
            None => self.lexer.next_token(),
        }
    }

    fn game(&mut self) -> io::Result<Option<RawGame>> {
        loop {
            let mut game = RawGame::new(self.number + 1);
            let ended = self.fill(&mut game)?;
            if !game.is_empty() {
                self.number += 1;
                return Ok(Some(game));
            }
            if ended {
                return Ok(None);
            }
        }
    }

    /// Reads a game; returns whether the file ended.
    fn fill(&mut self, game: &mut RawGame) -> io::Result<bool> {
        let mut depth = 0usize;
        while let Some(token) = self.take()? {
            match token.kind {
                Kind::Tag(ref name, _) if game.has_moves || token.after_blank_line && game.tags.get(name).is_some() => {
                    self.ahead.push_front(token);
                    return Ok(false);
                }
                Kind::Tag(name, value) => {
                    game.add_tag(name, value, token.place);
                    continue;
                }
                Kind::Star if depth == 0 => {
                    game.result = Some(GameResult::Open);
                    return Ok(false);
                }
                Kind::Word(ref word) if depth == 0 => {
                    if let Some(result) = GameResult::of_text(word)
                        && self.ends_game(game)?
                    {
                        game.result = Some(result);
                        return Ok(false);
                    }
                }
                Kind::Open => depth += 1,
                Kind::Close => depth = depth.saturating_sub(1),
                _ => {}
            }
            game.add(token);
        }
        Ok(true)
    }

    /// Whether what follows a result shows that the game ends here. Comments in between then go to the
    /// game, and a `*` is taken.
    fn ends_game(&mut self, game: &mut RawGame) -> io::Result<bool> {
        let mut comments = Vec::new();
        let next = loop {
            match self.take()? {
                Some(token) if matches!(token.kind, Kind::Comment(_)) && comments.len() < MAX_LAST_COMMENTS => {
                    comments.push(token);
                }
                next => break next,
            }
        };
        let ends = next.as_ref().is_none_or(|token| match &token.kind {
            Kind::Tag(..) | Kind::Star | Kind::Comment(_) => true,
            Kind::Number(number) => number == "1",
            _ => token.after_blank_line,
        });
        if let Some(next) = next.filter(|next| !ends || next.kind != Kind::Star) {
            self.ahead.push_front(next);
        }
        if ends {
            comments.into_iter().for_each(|comment| game.add(comment));
        } else {
            comments.into_iter().rev().for_each(|comment| self.ahead.push_front(comment));
        }
        Ok(ends)
    }
}

impl<R: BufRead> Iterator for RawGames<R> {
    type Item = Result<RawGame, PdnError>;

    /// The next game; an error of the file itself is the last item.
    fn next(&mut self) -> Option<Self::Item> {
        if self.failed {
            return None;
        }
        self.game()
            .map_err(|error| {
                self.failed = true;
                let problem = PdnProblem::Io(error.to_string());
                PdnError { game: self.number + 1, place: self.lexer.place(), text: String::new(), problem }
            })
            .transpose()
    }
}
