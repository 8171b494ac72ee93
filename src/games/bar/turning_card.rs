//! The announcement of a turning point (勝敗を分けた手) on a bar.

/// The card that announces a turning point, in words. A text that is not known, or that viewers may not see, is empty.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct TurningCard {
    /// The number of the showing. The same turning point shown again has another number.
    pub number: u64,
    /// What the move has changed: `逆転`.
    pub heading: String,
    /// The move: `△9五銀`.
    pub word: String,
    /// The loss by the move, in percentage points of win rate: `−11%`.
    pub loss_text: String,
    /// Black's shares before the move and after it, from 0 to 1.
    pub shares: [f32; 2],
    /// The labels of the shares: `直前`, `いま`.
    pub labels: [String; 2],
    /// The better move: `△9五歩`.
    pub better: String,
    /// The label before the better move: `最善は`.
    pub better_label: String,
    /// The win rate that the better move would have kept: `58%のまま`.
    pub better_rate: String,
    /// The proved reason, in a few words.
    pub reason: String,
    /// Who has gained: `先手が上回った`. It stands where the move is not shown.
    pub outcome: String,
}

impl TurningCard {
    /// Returns the card as one text, for screen readers.
    pub fn text(&self) -> String {
        let better = [&*self.better_label, &*self.better, &*self.better_rate].join(" ");
        let better = if self.better.is_empty() {
            ""
        } else {
            better.as_str()
        };
        let parts = [
            &*self.heading,
            &*self.word,
            &*self.loss_text,
            better,
            &*self.reason,
            if self.word.is_empty() { &*self.outcome } else { "" },
        ];
        let parts = parts.into_iter().filter(|part| !part.is_empty());
        parts.collect::<Vec<_>>().join(" ")
    }
}
