//! The words of the card that announces a turning point.

use crate::shown_turning_point::ShownTurningPoint;
use shogibar_base::{Lang, say};
use shogibar_games::Label;
use shogibar_games::analysis::AHEAD_PERCENT;
use shogibar_games::bar::TurningCard;
use shogibar_shogi::Color;

impl ShownTurningPoint {
    /// Returns the card in words; `None` if the moment has no loss.
    pub(crate) fn card(&self, lang: Lang) -> Option<TurningCard> {
        let moment = &self.moment;
        let (loss, shares) = (moment.loss?, moment.shares?);
        let winner = moment.winner?;
        let mover_share = |share: f32| {
            if winner == Color::Black {
                1.0 - share
            } else {
                share
            }
        };
        let [before, now] = shares.map(mover_share);
        let ahead = f32::from(AHEAD_PERCENT) / 100.0;
        let [black, white] = Label::sides(moment.is_handicap);
        let side = if winner == Color::Black { black } else { white }.text(lang);
        let (heading, outcome) = if before > 0.5 && now < 0.5 {
            (
                lang.pick("逆転", "Turnaround"),
                say!(lang: "{side}が上回った", "{side} leads now"),
            )
        } else if before >= ahead {
            (
                lang.pick("勝ちを逃す", "Win missed"),
                say!(lang: "{side}が盛り返した", "{side} has come back"),
            )
        } else {
            (
                lang.pick("勝敗を分けた手", "Turning point"),
                say!(lang: "{side}が抜け出した", "{side} pulls ahead"),
            )
        };
        let of_lang = |[ja, en]: &[String; 2]| lang.pick(ja.as_str(), en.as_str()).to_owned();
        let (word, better) = (of_lang(&moment.last_move), of_lang(&moment.better_move));
        let now_label = if self.is_current {
            lang.pick("いま", "now")
        } else {
            lang.pick("直後", "after")
        };
        let percent = (before * 100.0).round();
        Some(TurningCard {
            number: self.number,
            heading: heading.to_owned(),
            loss_text: format!("−{loss}%"),
            shares,
            labels: [lang.pick("直前", "before").to_owned(), now_label.to_owned()],
            better_label: lang.pick("最善は", "Better:").to_owned(),
            better_rate: say!(lang: "{percent}%のまま", "keeps {percent}%"),
            reason: of_lang(&moment.reason),
            outcome,
            word,
            better,
        })
    }
}
