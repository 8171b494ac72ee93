//! The words of the board page for a position that is not the game's.

use crate::board_page::{ShownAside, StudiedPosition};
use crate::frame::OutputFrame;
use shogibar_base::{Lang, phrases, say};
use shogibar_games::Label;
use shogibar_games::bar::{last_word, line_words};
use shogibar_games::phrase::move_label;
use shogibar_shogi::History;
use shogibar_shogi::score::percent;

phrases! {
    /// A fixed text of the board page.
    pub enum BoardPageWord {
        Title => "解説盤", "Commentary board";
        Withheld => "数字だけを出しています", "Numbers only";
    }
}

impl StudiedPosition {
    /// Returns the words for the position. `frame` is the state of the game that viewers see.
    pub(crate) fn aside(&self, frame: &OutputFrame, share: Option<f32>, lang: Lang) -> ShownAside {
        let shown_ply = frame.ply();
        if !self.is_variation() {
            let ply = self.ply();
            return ShownAside {
                tab: say!(lang: "{ply}手目", "Move {ply}"),
                chip: say!(lang: "検討中 {ply}手目", "Study: move {ply}"),
                waiting: waiting(self.live_ply.unwrap_or(shown_ply), lang),
                ..ShownAside::default()
            };
        }
        let root_ply = self.game_ply;
        let count = self.ply() - root_ply;
        let root = self.root();
        let word = match root_ply {
            0 => lang.pick("開始局面", "start").to_owned(),
            _ => last_word(&root, lang),
        };
        let label = move_label(root_ply, &word, lang);
        let moves = self.history.moves().get(root_ply..).unwrap_or_default();
        ShownAside {
            tab: say!(lang: "変化 +{count}", "Variation +{count}"),
            chip: say!(lang: "検討中 +{count}", "Study +{count}"),
            waiting: if self.is_shown_by(frame) {
                say!(lang: "{root_ply}手目からの変化", "From move {root_ply}")
            } else {
                waiting(shown_ply, lang)
            },
            root: say!(lang: "本譜 {label}", "Game {label}"),
            moves: line_words(&root, moves, lang),
            rate: share.map(|share| rate(share, frame, lang)).unwrap_or_default(),
        }
    }

    /// Returns the position in which the variation leaves the game.
    fn root(&self) -> History {
        self.history.up_to(self.game_ply)
    }
}

/// Returns a sentence about the game meanwhile.
fn waiting(ply: usize, lang: Lang) -> String {
    say!(lang: "本譜は{ply}手目で待っています", "The game waits at move {ply}")
}

/// Returns the win rate of the side that is ahead.
fn rate(share: f32, frame: &OutputFrame, lang: Lang) -> String {
    let (black, white) = percent(f64::from(share), false);
    let [black_name, white_name] = Label::sides(frame.bar.is_handicap);
    let (name, percent) = if black >= white {
        (black_name, black)
    } else {
        (white_name, white)
    };
    format!("{} {percent}%", name.text(lang))
}
