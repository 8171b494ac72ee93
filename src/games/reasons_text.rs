//! Sentences about facts: the fault of a move, the threat in a position, the difficulty of finding a move.

use shogibar_base::count::counted;
use shogibar_base::{Lang, phrases, say, sentences};
use shogibar_shogi::board_text::{piece, square_name};
use shogibar_shogi::{PieceKind, Square};

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

/// Returns a king: `先手玉`, `Black's king`.
pub fn king(side: &str, lang: Lang) -> String {
    say!(lang: "{side}玉", "{side}'s king")
}

/// The decrease of a king's safety by a move. Each variant holds the number after this move, and the number after the
/// other move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum KingLoss {
    /// The numbers of golds and silvers beside the king.
    Guards(u8, u8),
    /// The numbers of squares to which the king can go.
    Escapes(u8, u8),
}

impl KingLoss {
    /// Returns the text after the name of the king: `の守りの金銀が1枚になる`, `has 1 guard`.
    fn state_text(self, lang: Lang) -> String {
        match (self, lang) {
            (Self::Guards(0, _), Lang::Ja) => "の守りの金銀がなくなる".to_owned(),
            (Self::Guards(remaining, _), Lang::Ja) => format!("の守りの金銀が{remaining}枚になる"),
            (Self::Escapes(0, _), Lang::Ja) => "の逃げ道がなくなる".to_owned(),
            (Self::Escapes(remaining, _), Lang::Ja) => format!("の逃げ道が{remaining}つになる"),
            (_, Lang::En) => format!("has {}", self.amount()),
        }
    }

    /// Returns the number in English: `1 guard`, `no escape squares`.
    fn amount(self) -> String {
        let (count, noun) = match self {
            Self::Guards(remaining, _) => (remaining, "guard"),
            Self::Escapes(remaining, _) => (remaining, "escape square"),
        };
        if count == 0 {
            format!("no {noun}s")
        } else {
            counted(&count, &[noun])
        }
    }

    /// Returns the effect of the better move on a king, in English: `left White's king with 1 guard`.
    fn better_move_effect(self, king: &str) -> String {
        format!("left {king} with {}", self.amount())
    }

    /// Returns the number after the other move: `3枚`, `3`.
    fn other_amount(self, lang: Lang) -> String {
        match self {
            Self::Guards(_, other) => say!(lang: "{other}枚", "{other}"),
            Self::Escapes(_, other) => say!(lang: "{other}つ", "{other}"),
        }
    }
}

/// Returns a mate by its first move and its length: `▲4一銀以下7手詰`; for one move `▲4一銀まで1手詰`, without a length
/// `▲4一銀以下の詰み`.
fn mate(first: &str, length: Option<u16>, lang: Lang) -> String {
    match length {
        Some(1) => say!(lang: "{first}まで1手詰", "{first} mates"),
        Some(length) => say!(lang: "{first}以下{length}手詰", "{first} mates in {length}"),
        None => say!(lang: "{first}以下の詰み", "{first} leads to mate"),
    }
}

/// Returns the sentence that the better move exposes the king of the opponent, with the numbers after both moves.
pub fn better_exposes_king(mv: &str, king: &str, loss: KingLoss, lang: Lang) -> String {
    let other = loss.other_amount(lang);
    match lang {
        Lang::Ja => format!(
            "最善の{mv}なら{king}{}（指した手なら{other}）。",
            loss.state_text(lang)
        ),
        Lang::En => format!(
            "{mv} would have {} ({other} after the move played).",
            loss.better_move_effect(king)
        ),
    }
}

sentences! {
    /// Returns the sentence that a move does not meet a mate threat.
    pub fn threat_unmet(king: &str, first: &str, length: Option<u16>; lang) =>
        "{king}に掛かった詰めろを受けていない。{mate}。",
        "It does not meet the mate threat against {king}: {mate}.", mate = mate(first, length, lang);

    /// Returns the sentence that a move allows a proved mate.
    pub fn mate_allowed(king: &str, first: &str, length: Option<u16>; lang) =>
        "{king}に詰みが生じた。{mate}。",
        "It lets {king} be mated: {mate}.", mate = mate(first, length, lang);

    /// Returns the sentence that a move allows a mate, by the value of the engine.
    pub fn engine_mate_allowed(king: &str, first: &str, length: u16; lang) =>
        "エンジンの読みでは{first}以下、{king}が{length}手で詰む。",
        "The engine sees {king} mated in {length}, starting with {first}.";

    /// Returns the sentence that a move misses a mate, by the value of the engine.
    pub fn engine_mate_missed(first: &str, length: u16; lang) =>
        "エンジンの読みでは{first}以下{length}手の詰みがあった。",
        "The engine saw mate in {length}, starting with {first}.";

    /// Returns the sentence that a move misses a mate in one move.
    fn mate_in_one_missed(first: &str; lang) => "{first}までの1手詰を逃した。", "It misses mate by {first}.";

    /// Returns the sentence that a move misses a mate in several moves.
    fn long_mate_missed(first: &str, length: u16; lang) =>
        "{first}以下の{length}手詰を逃した。", "It misses mate in {length} by {first}.";

    /// Returns the sentence that a move misses a mate of unknown length.
    fn some_mate_missed(first: &str; lang) => "{first}以下の詰みを逃した。", "It misses a mate that begins with {first}.";

    /// Returns the sentence that a move forks several pieces.
    pub fn fork(mv: &str, targets: &str; lang) => "{mv}で{targets}の両取り。", "{mv} forks {targets}.";

    /// Returns the sentence that a move forks the king and the rook.
    pub fn king_and_rook(mv: &str; lang) =>
        "{mv}で王手飛車。",
        "{mv} forks the king and the rook.";

    /// Returns the sentence that a dropped silver forks large pieces from behind or beside.
    pub fn silver_fork(mv: &str, targets: &str; lang) =>
        "{mv}で割り打ちの銀（{targets}）。", "{mv} forks {targets} with a silver.";

    /// Returns the sentence that a knight forks several pieces.
    pub fn knight_fork(mv: &str, targets: &str; lang) =>
        "{mv}でふんどしの桂（{targets}）。", "{mv} forks {targets} with a knight.";

    /// Returns the sentence that a lance skewers pieces.
    pub fn lance_skewer(mv: &str, targets: &str; lang) =>
        "{mv}で{targets}の田楽刺し。", "{mv} skewers {targets}.";

    /// Returns the sentence that a piece other than a lance skewers pieces.
    pub fn skewer(mv: &str, targets: &str; lang) => "{mv}で{targets}の串刺し。", "{mv} skewers {targets}.";

    /// Returns the sentence that a pinned piece is captured.
    pub fn pin(mv: &str, pinned: &str; lang) =>
        "{pinned}は動けば玉を取られるので、{mv}で取られる。",
        "{mv} takes the {pinned}, which is pinned to the king.";

    /// Returns the sentence that a move uncovers an attack.
    pub fn discovered(mv: &str, target: &str; lang) =>
        "{mv}で{target}を素抜かれる。",
        "{mv} uncovers an attack on the {target}.";

    /// Returns the sentence that a move traps a piece.
    pub fn trapped(mv: &str, piece: &str; lang) =>
        "{mv}で{piece}が逃げられない。",
        "{mv} traps the {piece}.";

    /// Returns the sentence that a piece is captured without compensation.
    pub fn loses_for_nothing(mv: &str, piece: &str; lang) =>
        "{mv}で{piece}をただで取られる。", "{mv} wins the {piece} for nothing.";

    /// Returns the sentence that a piece is captured, and only pawns for it.
    pub fn loses(mv: &str, piece: &str; lang) => "{mv}以下、{piece}損になる。", "After {mv}, the {piece} is lost.";

    /// Returns the sentence that a piece without a name for its loss is captured: a promoted pawn, lance, knight or silver.
    pub fn loses_promoted(mv: &str, piece: &str; lang) =>
        "{mv}以下、{piece}を取られる。", "After {mv}, the {piece} is captured.";

    /// Returns the sentence that a piece is lost for one of less value. `exchange` names both: `銀桂`.
    pub fn loses_exchange(mv: &str, exchange: &str, lost: &str, won: &str; lang) =>
        "{mv}以下、{exchange}交換の駒損。", "After {mv}, a {lost} is lost for a {won}.";

    /// Returns the sentence that a king becomes less safe, with the numbers after this move and after the best one.
    pub fn exposes_king(mv: &str, king: &str, loss: KingLoss; lang) =>
        "{mv}以下、{king}{stands}（最善なら{other}）。",
        "After {mv}, {king} {stands} ({other} after the best move).",
        stands = loss.state_text(lang), other = loss.other_amount(lang);

    /// Returns the sentence that a move allows the opponent to promote a piece.
    pub fn lets_promote(mv: &str; lang) =>
        "{mv}と成り込まれる。",
        "It allows the promotion {mv}.";

    /// Returns the sentence that a move allows the opponent to promote a pawn.
    pub fn lets_promote_pawn(mv: &str; lang) =>
        "{mv}でと金を作られる。",
        "It allows the promotion {mv}.";

    /// Returns the sentence that a move allows the opponent a threat of mate.
    pub fn lets_threat(mv: &str, king: &str; lang) =>
        "{mv}で{king}に詰めろが掛かる。",
        "It allows {mv}, which threatens mate.";

    /// Returns the sentence that a move allows the opponent a promotion that nothing prevents.
    pub fn lets_promotion_stand(mv: &str, promotion: &str; lang) =>
        "{mv}で、次の{promotion}が受からない。",
        "After {mv}, nothing stops {promotion}.";

    /// Returns the sentence that the attack of a side does not go on.
    pub fn attack_ends(mv: &str, side: &str; lang) =>
        "{mv}以下、{side}の攻めが続かない（最善なら続く）。",
        "After {mv}, {side}'s attack does not go on (it does after the best move).";

    /// Returns the sentence that a move allows the opponent to attack a piece and to have the move again.
    pub fn loses_initiative(mv: &str, piece: &str; lang) =>
        "{mv}の{piece}取りで手番を握られる。",
        "{mv} attacks the {piece} and takes the initiative.";

    /// Returns the sentence that a large piece no longer plays.
    pub fn idle_piece(mv: &str, square: Square, piece: &str; lang) =>
        "{mv}以下、{at}の{piece}が働かなくなる。",
        "After {mv}, the {piece} on {at} no longer plays.", at = square_name(square, lang);

    /// Returns the sentence that a move allows the opponent a brinkmate.
    pub fn lets_brinkmate(mv: &str, king: &str; lang) =>
        "{mv}で{king}は必至。",
        "It allows {mv}, which leaves {king} no escape from mate.";

    /// Returns a sentence about the position after some moves.
    pub fn after_moves(moves: &str, sentence: &str; lang) => "{moves}の後、{sentence}", "After {moves}: {sentence}";

    /// Returns the sentence that two pieces are exchanged for one large piece.
    pub fn two_for_one(mv: &str; lang) =>
        "{mv}以下、二枚換えにされる。",
        "After {mv}, two pieces are lost for one.";

    /// Returns the sentence that the better move wins a piece.
    pub fn better_wins(mv: &str, piece: &str; lang) => "最善の{mv}なら{piece}得。", "{mv} would have won the {piece}.";

    /// Returns the sentence that the better move captures a piece without a name for its gain: a promoted pawn, lance,
    /// knight or silver.
    pub fn better_captures(mv: &str, piece: &str; lang) =>
        "最善の{mv}なら{piece}を取れる。", "{mv} would have captured the {piece}.";

    /// Returns the sentence that the better move wins a piece for one of less value. `exchange` names both: `銀桂`.
    pub fn better_exchanges(mv: &str, exchange: &str, won: &str, lost: &str; lang) =>
        "最善の{mv}なら{exchange}交換の駒得。", "{mv} would have won a {won} for a {lost}.";

    /// Returns the sentence that a better move was missed for the same reason as shortly before.
    pub fn missed_again(mv: &str; lang) => "またも{mv}を逃した。", "{mv} was missed again.";

    /// Returns the sentence that the better move threatens mate.
    pub fn better_threatens(mv: &str; lang) => "最善の{mv}なら詰めろ。", "{mv} would have threatened mate.";

    /// Returns the sentence that the better line threatens mate by its last move.
    pub fn better_line_threatens(moves: &str; lang) =>
        "最善は{moves}の詰めろ。", "{moves} would have threatened mate.";

    /// Returns the sentence that the better line makes a brinkmate by its last move.
    pub fn better_brinkmate(moves: &str, king: &str; lang) =>
        "最善は{moves}で必至。", "{moves} would have left {king} no escape from mate.";

    /// Returns a sentence about the better move, which it names as such.
    pub fn better(sentence: &str; lang) => "最善は{sentence}", "Better: {sentence}";

    /// Returns the sentence that the better move promotes a piece.
    pub fn better_promotes(mv: &str; lang) => "最善は{mv}と成り込む手。", "{mv} was better: it promotes.";

    /// Returns the sentence that the played move should have been a promotion.
    pub fn better_promotion(mv: &str; lang) => "{mv}と成るべきだった。", "{mv}, with promotion, was better.";

    /// Returns the sentence that a promotion can follow the better move.
    pub fn better_prepares(mv: &str, promotion: &str; lang) =>
        "最善の{mv}なら{promotion}と成り込める。", "After {mv}, {promotion} would have followed.";

    /// Returns the sentence that the promotion of a pawn can follow the better move.
    pub fn better_prepares_pawn(mv: &str, promotion: &str; lang) =>
        "最善の{mv}なら{promotion}でと金を作れる。", "After {mv}, {promotion} would have followed.";

    /// Returns the sentence that nothing prevents a promotion after the better move.
    pub fn better_promotion_stands(mv: &str, promotion: &str; lang) =>
        "最善の{mv}なら次の{promotion}が受からない。", "After {mv}, nothing would have stopped {promotion}.";

    /// Returns the sentence that the better move attacks a piece, and its side then has the move again.
    pub fn better_initiative(mv: &str, piece: &str; lang) =>
        "最善の{mv}なら{piece}取りで手番を握れる。", "{mv} would have attacked the {piece} and taken the initiative.";

    /// Returns the sentence that a move forks the king and another piece.
    pub fn check_and_take(mv: &str, piece: &str; lang) =>
        "{mv}で王手{piece}取り。", "{mv} forks the king and the {piece}.";

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

/// Returns the sentence about a mate that was missed.
pub fn mate_missed(first: &str, length: Option<u16>, lang: Lang) -> String {
    match length {
        Some(1) => mate_in_one_missed(first, lang),
        Some(length) => long_mate_missed(first, length, lang),
        None => some_mate_missed(first, lang),
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
        UnmetShort => "詰めろを受けていない", "Mate threat not met";
        MatedShort => "詰まされる", "Walks into a mate";
        KingShort => "玉が薄くなる", "Exposes the king";
        MissedShort => "詰みを逃した", "Mate missed";
        AttackShort => "攻めが続かない", "Attack ends";
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

sentences! {
    /// Returns the loss of a piece in a list: `角を取られる`.
    pub fn loses_short(piece: &str; lang) => "{piece}を取られる", "Loses the {piece}";

    /// Returns a fork in a list: `▲4六角の両取り`.
    pub fn fork_short(mv: &str; lang) => "{mv}の両取り", "Fork by {mv}";

    /// Returns a fork, threat or brinkmate after some moves in a list: `▲6一馬以下の両取り`.
    pub fn later_short(first: &str, motif: &str; lang) => "{first}以下の{motif}", "{motif} after {first}";

    /// Returns a mate threat of the opponent in a list: `▲4六角の詰めろ`.
    pub fn threat_short(mv: &str; lang) => "{mv}の詰めろ", "Mate threat by {mv}";

    /// Returns a brinkmate of the opponent in a list: `▲4六角の必至`.
    pub fn brinkmate_short(mv: &str; lang) => "{mv}の必至", "Brinkmate by {mv}";

    /// Returns a missed fork, threat or brinkmate after some moves in a list: `▲6一馬以下の両取りを逃した`.
    pub fn missed_later_short(first: &str, motif: &str; lang) =>
        "{first}以下の{motif}を逃した", "{motif} after {first} missed";

    /// Returns a missed gain of a piece in a list: `▲4六角の飛車得を逃した`.
    pub fn wins_short(mv: &str, piece: &str; lang) => "{mv}の{piece}得を逃した", "Missed {mv}, winning the {piece}";
}
