//! Texts about facts: the threat in a position, the difficulty of finding a move, motifs and names of pieces.

use shogibar_base::{Lang, phrases, say, sentences};
use shogibar_shogi::PieceKind;
use shogibar_shogi::board_text::piece;

/// Returns the name of a piece in a sentence: `と金`, `rook`.
pub fn piece_name(kind: PieceKind, lang: Lang) -> &'static str {
    match (kind, lang) {
        (PieceKind::ProPawn, Lang::Ja) => "と金",
        (PieceKind::Rook, Lang::Ja) => "飛車",
        _ => piece(kind, lang),
    }
}

/// Returns several pieces: `飛車と角`, `the rook and the bishop`; of one kind `2枚の金`, `both golds`.
pub fn pieces(kinds: &[PieceKind], lang: Lang) -> String {
    let names: Vec<_> = kinds.iter().map(|kind| piece_name(*kind, lang)).collect();
    match (kinds, lang) {
        ([one, other], Lang::Ja) if one == other => format!("2枚の{}", piece_name(*one, lang)),
        ([one, other], Lang::En) if one == other => format!("both {}s", piece_name(*one, lang)),
        (_, Lang::Ja) => names.join("と"),
        (_, Lang::En) => names
            .iter()
            .map(|name| format!("the {name}"))
            .collect::<Vec<_>>()
            .join(" and "),
    }
}

/// Returns some pieces, those of one kind side by side: `角・金二枚`, `a bishop and two golds`.
pub fn some_pieces(kinds: &[PieceKind], lang: Lang) -> String {
    let groups = kinds.chunk_by(|one, other| one == other);
    let name = |group: &[PieceKind]| {
        let name = group.first().map_or("", |kind| piece_name(*kind, lang));
        match group.len() {
            2 => say!(lang: "{name}二枚", "two {name}s"),
            3 => say!(lang: "{name}三枚", "three {name}s"),
            _ => say!(lang: "{name}", "a {name}"),
        }
    };
    let names: Vec<_> = groups.map(name).collect();
    match (names.as_slice(), lang) {
        (_, Lang::Ja) => names.join("・"),
        ([first @ .., last], Lang::En) if !first.is_empty() => format!("{} and {last}", first.join(", ")),
        (_, Lang::En) => names.concat(),
    }
}

/// Returns a king: `先手玉`, `Black's king`.
pub fn king(side: &str, lang: Lang) -> String {
    say!(lang: "{side}玉", "{side}'s king")
}

/// Returns a mate by its first move and its length: `▲4一銀以下7手詰`; for one move `▲4一銀まで1手詰`, without a length
/// `▲4一銀以下の詰み`.
pub(crate) fn mate(first: &str, length: Option<u16>, lang: Lang) -> String {
    match length {
        Some(1) => say!(lang: "{first}まで1手詰", "{first} mates"),
        Some(length) => say!(lang: "{first}以下{length}手詰", "{first} mates in {length}"),
        None => say!(lang: "{first}以下の詰み", "{first} leads to mate"),
    }
}

sentences! {
    /// Returns the sentence that the side to move is threatened with mate.
    pub fn threat(king: &str, first: &str, length: Option<u16>; lang) =>
        "{king}は詰めろ（{mate}）。", "{king} is threatened with mate ({mate}).", mate = mate(first, length, lang);

    /// Returns the sentence that the side to move cannot avoid mate.
    pub fn brinkmate(king: &str, first: &str; lang) =>
        "{king}は必至（{first}以下）。",
        "{king} is in brinkmate ({first}).";

    /// Returns the castles or openings of both sides: `銀冠 対 中住まい`.
    pub fn versus(black: &str, white: &str; lang) => "{black} 対 {white}", "{black} vs. {white}";

    /// Returns the sentence about the only move that meets a threat.
    pub fn only_answer(mv: &str; lang) =>
        "受けは{mv}だけ。",
        "Only {mv} stops the mate.";

    /// Returns the sentence that the side to move mates.
    pub fn mates(first: &str, length: Option<u16>; lang) => "{mate}。", "{mate}.", mate = mate(first, length, lang);

    /// Returns the difficulty of finding a move, with the reasons in brackets.
    fn hard_by(word: &str, what: &str; lang) => "{word}（{what}）", "{word} ({what})";

    /// Returns the chip for the only move by values: the next candidate loses this number of points.
    fn only_move_by(points: u8; lang) => "この一手　次点−{points}%", "Only move · next −{points}%";
}

/// Returns the chip for the only move, with the loss by the next candidate in percentage points; `None` where every other
/// move is proved to allow mate.
pub fn only_move_chip(points: Option<u8>, lang: Lang) -> String {
    points.map_or_else(
        || {
            lang.pick("この一手　ほかは詰み", "Only move · others are mated")
                .to_owned()
        },
        |points| only_move_by(points, lang),
    )
}

/// Returns the difficulty of finding a move, with its reasons: `見つけにくい（静かな手・引く手）`.
pub fn hard(word: &str, hidden: &[&str], lang: Lang) -> String {
    match hidden {
        [] => word.to_owned(),
        _ => hard_by(word, &hidden.join(lang.pick("・", ", ")), lang),
    }
}

phrases! {
    /// A feature that makes a move hard to see.
    pub enum HiddenPhrase {
        Quiet => "静かな手", "quiet";
        Retreat => "引く手", "a retreat";
        Sacrifice => "捨てる手", "a sacrifice";
        Drop => "打つ手", "a drop";
        NonPromotion => "不成", "no promotion";
    }
}

phrases! {
    /// A text about the reason of a move, or about its facts.
    pub enum ReasonPhrase {
        Versus => "対", "vs.";
        OnlyMoveChip => "この一手", "Only move";
        ThreatChip => "詰めろ", "Mate threat";
        BrinkmateChip => "必至", "Brinkmate";
        Looking => "理由を調べています…", "Looking for the reason…";
        Unproved => "理由は証明できませんでした。", "No reason could be proved.";
        Easy => "見つけやすい", "Easy to find";
        Medium => "やや見つけにくい", "Harder to find";
        Hard => "見つけにくい", "Hard to find";
        CareAbout => "気をつけたいミス", "Mistakes to watch";
        CareAboutHelp => "見つけやすく、勝敗に効いたもの", "Easy to see, and costly";
    }
}

phrases! {
    /// A motif that a player overlooks.
    pub enum Motif {
        MateMissed => "詰みを逃す", "Mate missed";
        MateAllowed => "詰まされる", "Walks into a mate";
        ThreatUnmet => "詰めろを受けない", "Mate threat not met";
        Fork => "両取り", "Fork";
        Skewer => "串刺し・田楽刺し", "Skewer";
        Pin => "釘付け", "Pin";
        Discovered => "素抜き", "Discovered attack";
        Trapped => "駒が逃げられない", "Trapped piece";
        PieceLost => "駒損", "Loss of a piece";
        TwoForOne => "二枚換え", "Two pieces for one";
        Threat => "詰めろ", "Mate threat";
        Brinkmate => "必至", "Brinkmate";
        Promotion => "成り込み", "Promotion";
        King => "玉の守り", "King safety";
        PieceMissed => "駒得を逃す", "Gain of a piece";
        Activity => "攻め・手番・駒の働き", "Attack, initiative, activity";
    }
}
