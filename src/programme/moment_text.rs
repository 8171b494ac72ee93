//! The words for moments of a game.

use crate::moment::{Moment, MomentKind};
use shogibar_base::{Lang, say};
use shogibar_games::Label;
use shogibar_shogi::Color;

impl MomentKind {
    /// Returns the name of the kind.
    pub const fn text(self, lang: Lang) -> &'static str {
        match self {
            Self::TurningPoint => lang.pick("勝敗を分けた手", "Turning point"),
            Self::MateFound => lang.pick("詰みを発見", "Mate found"),
            Self::MateMissed => lang.pick("詰みを逃した", "Mate missed"),
            Self::OnlyMove => lang.pick("この一手", "Only move"),
            Self::Decided => lang.pick("勝勢", "Game decided"),
            Self::GameOver => lang.pick("終局", "Game over"),
        }
    }
}

impl Moment {
    /// Returns the moment in one line, for a chapter or a list: `82手目 △9五銀 −11%　勝敗を分けた手`.
    pub fn line(&self, lang: Lang) -> String {
        let [ja, en] = &self.last_move;
        let kind = self.kind.text(lang);
        let ply = self.ply.filter(|ply| *ply > 0);
        let numbered = ply.map(|ply| say!(lang: "{ply}手目", "Move {ply}"));
        let loss = self.loss.map(|loss| format!("−{loss}%"));
        let side = (self.kind != MomentKind::TurningPoint)
            .then_some(self.winner)
            .flatten();
        let side = side.map(|side| {
            let [black, white] = Label::sides(self.is_handicap);
            let label = if side == Color::Black { black } else { white };
            label.text(lang).to_owned()
        });
        let words = lang.pick(ja, en).to_owned();
        let parts = [numbered, Some(words), loss, Some(kind.to_owned()), side];
        let parts: Vec<_> = parts
            .into_iter()
            .flatten()
            .filter(|part| !part.is_empty())
            .collect();
        parts.join(" ")
    }
}
