//! Why a move is not legal, in words for a person.

use crate::board::{Position, Side, legal_moves};
use crate::notation::movetext::{self, MoveTextError};
use crate::notation::squares::{read_square, write_square};
use crate::variant::Variant;
use crate::variant::rules::CaptureChoice;

/// The error of reading `text` as a move, with the rule that it breaks if one can be named.
pub fn explain<V: Variant>(position: &Position<V>, text: &str, error: &MoveTextError) -> String {
    let reason = matches!(error, MoveTextError::Illegal(_)).then(|| broken_rule(position, text)).flatten();
    match reason {
        Some(reason) => format!("{error}: {reason}"),
        None => error.to_string(),
    }
}

fn broken_rule<V: Variant>(position: &Position<V>, text: &str) -> Option<String> {
    let (bare, _) = movetext::split_strength(text.trim());
    let from = read_square::<V>(bare.split(|c: char| !c.is_ascii_alphanumeric() || c == 'x').next()?)?;
    let (square, side) = (write_square::<V>(from), position.side_to_move());
    let Some(piece) = position.piece_at(from) else {
        return Some(format!("there is no piece on {square}"));
    };
    if piece.side != side {
        return Some(format!("the piece on {square} is {}, {side} is to move", possessive(piece.side)));
    }
    let legal = legal_moves(position);
    let captured = legal.iter().map(|mv| mv.captured.count()).max()?;
    match captured {
        0 if position.king_run(side).barred::<V>() == Some(from) => {
            Some(format!("the king on {square} has moved often enough, another piece has to move"))
        }
        0 => Some(format!("the piece on {square} cannot go there")),
        1 if V::RULES.choice == CaptureChoice::Most && !V::RULES.halts_behind_king => {
            Some("a piece must be captured".into())
        }
        _ => Some(match V::RULES.choice {
            CaptureChoice::Most if V::RULES.halts_behind_king => format!(
                "the capture must take as many pieces as possible, here {captured}, and a king that takes a king last \
                 stops right behind it"
            ),
            CaptureChoice::Most => format!("the capture must take as many pieces as possible, here {captured}"),
            CaptureChoice::Value => {
                "the capture must take the most, a king counting just under two men, and of equal ones that of a king"
                    .into()
            }
            CaptureChoice::Free => "a capture must be made and completed".into(),
        }),
    }
}

fn possessive(side: Side) -> String {
    format!("{side}'s")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::notation::fen;
    use crate::variant::{Brazilian, Frisian, International, Russian};

    fn why<V: Variant>(fen: &str, text: &str) -> String {
        let position = fen::position::<V>(fen).unwrap();
        explain(&position, text, &movetext::read(&position, text).unwrap_err())
    }

    #[test]
    fn reasons() {
        let start = "W:W31-50:B1-20";
        for (fen, text, reason) in [
            (start, "28-23", "no piece on 28"),
            (start, "20-25", "on 20 is Black's"),
            (start, "32-22", "on 32 cannot go there"),
            ("W:W32,40:B28", "40-35", "a piece must be captured"),
            ("W:W32,33,40:B28,29,19", "32x23", "as many pieces as possible, here 2"),
            (start, "hello", "is not a move"),
            (start, "32-77", "squares 1 to 50"),
        ] {
            let text = why::<International>(fen, text);
            assert!(text.contains(reason), "{text}");
        }
        assert!(why::<Frisian>("W:W48,K6:B15,K35:+0+306", "6-1").contains("on 6 has moved often enough"));
        assert!(why::<Frisian>("W:W48,K6:B15,K35:+0+306", "48-41").contains("on 48 cannot go there"));
        assert!(why::<Frisian>("W:W38,K11:B28,22", "11-6").contains("just under two men"));
        assert!(why::<Russian>("W:W22,23:B18,11", "22-17").contains("made and completed"));
        assert!(why::<Brazilian>("W:Wc3,e1:Bf6", "c3-b2").contains("on c3 cannot go there"));
    }
}
