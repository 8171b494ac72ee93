use super::*;
use crate::bar::position_sentence;
use crate::reasons_text::Motif;
use shogibar_facts::{Fact, FactKind, FactPosition, Gain, KingAttack, KingSafety};
use shogibar_shogi::score::WinRateModel;
use shogibar_shogi::{Color, Move, PieceKind, Square};

/// Returns the texts about facts of the last move of a game: the sentences in both languages, and the short text in
/// Japanese.
fn texts_of(usi: &str, facts: &[Fact]) -> [String; 3] {
    let history = History::from_usi(usi).unwrap();
    let words = |lang| ReasonWriter::new(history.clone(), false, lang).unwrap();
    [
        words(Lang::Ja).sentence(facts),
        words(Lang::En).sentence(facts),
        words(Lang::Ja).short(facts),
    ]
}

fn fact(kind: FactKind, side: Color, at: FactPosition, line: &str) -> Fact {
    Fact {
        kind,
        side,
        at,
        lead: 0,
        line: line
            .split_whitespace()
            .map(|mv| Move::from_usi(mv).unwrap())
            .collect(),
    }
}

fn square(usi: &str) -> Square {
    Move::from_usi(&format!("P*{usi}")).unwrap().to()
}

#[test]
fn the_most_important_fact_is_stated() {
    let usi = "sfen 4k4/9/4P4/9/9/9/4p4/7R1/4K4 b Gg 1 moves 2h9h";
    let mated = fact(
        FactKind::MateAllowed { length: Some(1) },
        Color::Black,
        FactPosition::After,
        "G*5h",
    );
    let unmet = fact(
        FactKind::ThreatUnmet { length: Some(1) },
        Color::Black,
        FactPosition::After,
        "G*5h",
    );
    let [ja, en, short] = texts_of(usi, &[mated.clone(), unmet]);
    assert_eq!(ja, "先手玉に掛かった詰めろを受けていない。△5八金まで1手詰。");
    assert_eq!(
        en,
        "It does not meet the mate threat against Black's king: G*5h mates."
    );
    assert_eq!(short, "詰めろを受けていない");
    let missed = fact(
        FactKind::MateMissed { length: Some(3) },
        Color::Black,
        FactPosition::Before,
        "G*5b",
    );
    assert_eq!(texts_of(usi, &[missed])[0], "▲5二金以下の3手詰を逃した。");
    assert_eq!(
        texts_of(usi, &[mated])[0],
        "先手玉に詰みが生じた。△5八金まで1手詰。"
    );
    assert_eq!(texts_of(usi, &[]), ["", "", ""].map(str::to_owned));
    assert!(
        texts_of(
            usi,
            &[fact(FactKind::Check, Color::White, FactPosition::After, "")]
        )[0]
        .is_empty()
    );
}

#[test]
fn the_loss_and_the_better_move_are_named() {
    let usi = "sfen 4k4/4r4/9/9/4B4/9/9/9/K8 b - 1 moves 9i8i";
    let lost = |gain| {
        let kind = FactKind::LosesPiece {
            piece: PieceKind::Bishop,
            square: square("5e"),
            gain: Gain(gain),
        };
        fact(kind, Color::Black, FactPosition::After, "5b5e")
    };
    let won = |gain| {
        let kind = FactKind::WinsPiece {
            piece: PieceKind::Rook,
            square: square("5b"),
            gain: Gain(gain),
        };
        fact(kind, Color::Black, FactPosition::Before, "5e4d 5b9b 4d9i")
    };
    let [ja, en, short] = texts_of(usi, &[lost(-80), won(100)]);
    assert_eq!(ja, "△5五飛で角をただで取られる。最善の▲4四角なら飛車得。");
    assert_eq!(
        en,
        "Rx5e wins the bishop for nothing. B-4d would have won the rook."
    );
    assert_eq!(short, "角を取られる");
    let [ja, en, _] = texts_of(usi, &[lost(-30)]);
    assert_eq!(
        (ja.as_str(), en.as_str()),
        ("", ""),
        "most of it comes back in pieces without a name"
    );
    let [ja, en, _] = texts_of(usi, &[lost(-50)]);
    assert_eq!(ja, "△5五飛以下、角を取られて駒損になる。");
    assert_eq!(en, "After Rx5e, the bishop is captured for too little.");
    let [ja, en, _] = texts_of(usi, &[lost(-140)]);
    assert_eq!(ja, "△5五飛で角をただで取られる。");
    assert_eq!(en, "Rx5e wins the bishop for nothing.");
    let later = Fact {
        line: fact(
            FactKind::Check,
            Color::Black,
            FactPosition::After,
            "5b5c 8i9i 5c5e",
        )
        .line,
        ..lost(-140)
    };
    let [ja, en, _] = texts_of(usi, &[later]);
    assert_eq!(ja, "△5三飛以下、角を取られるなどの駒損になる。");
    assert_eq!(en, "After R-5c, the bishop is captured, and more is lost.");
    assert_eq!(texts_of(usi, &[won(50)])[0], "最善の▲4四角なら飛車を取って駒得。");
    assert_eq!(
        texts_of(usi, &[won(150)])[0],
        "最善の▲4四角なら飛車を取るなどの駒得。"
    );
    assert_eq!(texts_of(usi, &[won(30)])[0], "");
    let retaken = Fact {
        line: [
            lost(-80).line,
            fact(FactKind::Check, Color::Black, FactPosition::After, "8i5e").line,
        ]
        .concat(),
        ..lost(-80)
    };
    assert_eq!(texts_of(usi, &[retaken])[0], "△5五飛以下、角損になる。");
}

#[test]
fn kings_and_mates_of_the_engine_are_named() {
    let usi = "sfen 4k4/9/9/9/9/4r4/9/3GS4/4K4 b - 1 moves 6h7g";
    let exposed = |side, at, line, [guards, other_guards]: [u8; 2], [escapes, other_escapes]: [u8; 2]| {
        let safety = KingSafety { guards, escapes };
        let other = KingSafety {
            guards: other_guards,
            escapes: other_escapes,
        };
        fact(FactKind::ExposedKing { safety, other }, side, at, line)
    };
    let own = |guards, escapes| exposed(Color::Black, FactPosition::After, "5f5h+ 5i5h", guards, escapes);
    let [ja, en, short] = texts_of(usi, &[own([0, 2], [5, 5])]);
    assert_eq!(ja, "△5八飛成以下、先手玉の守りの金銀がなくなる（最善なら2枚）。");
    assert_eq!(
        en,
        "After Rx5h+, Black's king has no guards (2 after the best move)."
    );
    assert_eq!(short, "玉が薄くなる");
    let [ja, en, _] = texts_of(usi, &[own([1, 2], [1, 4])]);
    assert_eq!(ja, "△5八飛成以下、先手玉の逃げ道が1つになる（最善なら4つ）。");
    assert_eq!(
        en,
        "After Rx5h+, Black's king has 1 escape square (4 after the best move)."
    );
    let better = exposed(Color::White, FactPosition::Before, "6h5g 5f5g+", [1, 3], [2, 2]);
    let [ja, en, _] = texts_of(usi, std::slice::from_ref(&better));
    assert_eq!(
        ja,
        "最善の▲5七金なら後手玉の守りの金銀が1枚になる（指した手なら3枚）。"
    );
    assert_eq!(
        en,
        "G-5g would have left White's king with 1 guard (3 after the move played)."
    );
    let allowed = fact(
        FactKind::EngineMateAllowed { length: 8 },
        Color::Black,
        FactPosition::After,
        "5f5h+ 5i5h",
    );
    let [ja, en, short] = texts_of(usi, &[allowed, better, own([0, 2], [5, 5])]);
    assert_eq!(ja, "エンジンの読みでは△5八飛成以下、先手玉が8手で詰む。");
    assert_eq!(
        en,
        "The engine sees Black's king mated in 8, starting with Rx5h+."
    );
    assert_eq!(short, "詰まされる");
    let missed = fact(
        FactKind::EngineMateMissed { length: 9 },
        Color::Black,
        FactPosition::Before,
        "6h5g 5f1f",
    );
    let [ja, en, short] = texts_of(usi, &[missed]);
    assert_eq!(ja, "エンジンの読みでは▲5七金以下9手の詰みがあった。");
    assert_eq!(en, "The engine saw mate in 9, starting with G-5g.");
    assert_eq!(short, "詰みを逃した");
}

#[test]
fn threats_promotions_and_material_are_named() {
    let usi = "sfen 4k4/9/4P4/9/9/9/4p4/7R1/4K4 b Gg 1 moves 2h9h";
    let threat = |side, at, line| fact(FactKind::ThreatMade { length: Some(1) }, side, at, line);
    let [ja, en, short] = texts_of(usi, &[threat(Color::White, FactPosition::After, "5a4b G*5h")]);
    assert_eq!(ja, "△4二玉で先手玉に詰めろが掛かる。");
    assert_eq!(
        (en.as_str(), short.as_str()),
        ("It allows K-4b, which threatens mate.", "△4二玉の詰めろ")
    );
    let [ja, en, _] = texts_of(usi, &[threat(Color::Black, FactPosition::Before, "2h5h G*5b")]);
    assert_eq!(
        (ja.as_str(), en.as_str()),
        ("最善の▲5八飛なら詰めろ。", "R-5h would have threatened mate.")
    );
    let own = threat(Color::Black, FactPosition::Before, "2h9h G*5b");
    assert_eq!(texts_of(usi, &[own])[0], "", "what the move does is no fault");
    let lost = FactKind::LosesMaterial { gain: Gain(-30) };
    let unnamed = fact(lost.clone(), Color::Black, FactPosition::After, "5a4b 9h8h");
    assert_eq!(texts_of(usi, &[unnamed])[0], "", "nothing is captured");
    let exchange = "sfen 4k4/9/5n3/9/9/3SP4/9/9/4K4 b - 1 moves 6f5e";
    let [ja, en, _] = texts_of(
        exchange,
        &[fact(lost, Color::Black, FactPosition::After, "4c5e 5f5e")],
    );
    assert_eq!(ja, "△同桂以下、銀桂交換の駒損。");
    assert_eq!(en, "After Nx5e, a silver is lost for a knight.");
    let promoted = FactKind::LetsPromote {
        piece: PieceKind::Pawn,
        square: square("5h"),
    };
    let promoted = fact(promoted, Color::Black, FactPosition::After, "5a4b 5i6i 5g5h+");
    assert_eq!(texts_of(usi, &[promoted])[0], "△5八歩成でと金を作られる。");
}

fn later(lead: usize, kind: FactKind, side: Color, at: FactPosition, line: &str) -> Fact {
    Fact {
        lead,
        ..fact(kind, side, at, line)
    }
}

#[test]
fn later_forks_are_told_with_the_moves_that_lead_there() {
    let fork = |targets: [&str; 3]| {
        let squares = targets.iter().map(|name| square(name)).collect();
        FactKind::Fork {
            piece: PieceKind::Bishop,
            squares,
            gain: Gain(80),
        }
    };
    // The king takes the horse back, into the fork.
    let usi = "sfen 3gk4/9/1+B7/9/9/9/9/6+r2/K8 b B 1 moves 9i8i";
    let line = "8c6a 5a6a B*1f 6a5a 1f3h";
    let missed = later(
        2,
        fork(["1f", "6a", "3h"]),
        Color::Black,
        FactPosition::Before,
        line,
    );
    let [ja, en, short] = texts_of(usi, &[missed]);
    assert_eq!(ja, "最善は▲6一馬△同玉▲1六角で王手龍取り。");
    assert_eq!(en, "Better: +Bx6a, Kx6a, B*1f forks the king and the dragon.");
    assert_eq!(short, "▲6一馬以下の両取りを逃した");
    let usi = "sfen 8k/2+R6/9/9/9/9/P6+b1/9/4KG3 b b 1 moves 9g9f";
    let allowed = later(
        2,
        fork(["9d", "4i", "7b"]),
        Color::White,
        FactPosition::After,
        "2g4i 5i4i B*9d 4i5i 9d7b",
    );
    let [ja, en, short] = texts_of(usi, &[allowed]);
    assert_eq!(ja, "△4九馬▲同玉△9四角で王手龍取り。");
    assert_eq!(en, "+Bx4i, Kx4i, B*9d forks the king and the dragon.");
    assert_eq!(short, "△4九馬以下の両取り");
}

#[test]
fn later_pins_are_told_with_the_capture() {
    let usi = "sfen 4k4/9/4n4/9/p8/3R5/9/9/K2S5 w - 1 moves 9e9f";
    let pin = FactKind::Pin {
        piece: PieceKind::Rook,
        squares: ["5f", "5c", "5a"].map(square),
        gain: Gain(40),
    };
    let pin = later(
        2,
        pin,
        Color::Black,
        FactPosition::After,
        "9i8i 9f9g 6f5f 9g9h 5f5c+",
    );
    let [ja, en, _] = texts_of(usi, &[pin]);
    assert_eq!(
        ja,
        "▲8九玉△9七歩不成▲5六飛の後、桂は動けば玉を取られるので、▲5三飛成で取られる。"
    );
    assert_eq!(
        en,
        "After K-8i, P-9g=, R-5f: Rx5c+ takes the knight, which is pinned to the king."
    );
}

#[test]
fn later_threats_and_brinkmates_are_told_with_the_moves_that_lead_there() {
    let usi = "sfen 4k4/9/p8/9/4P4/9/9/9/4K4 b G 1 moves 5i5h";
    let line = "5e5d 9c9d 5d5c G*5b";
    let threat = |side, at, line| later(2, FactKind::ThreatMade { length: Some(1) }, side, at, line);
    let [ja, en, short] = texts_of(usi, &[threat(Color::Black, FactPosition::Before, line)]);
    assert_eq!(ja, "最善は▲5四歩△9四歩▲5三歩不成の詰めろ。");
    assert_eq!(en, "P-5d, P-9d, P-5c= would have threatened mate.");
    assert_eq!(short, "▲5四歩以下の詰めろを逃した");
    let brinkmate = later(
        2,
        FactKind::BrinkmateMade,
        Color::Black,
        FactPosition::Before,
        line,
    );
    let [ja, en, short] = texts_of(usi, &[brinkmate]);
    assert_eq!(ja, "最善は▲5四歩△9四歩▲5三歩不成で必至。");
    assert_eq!(
        en,
        "P-5d, P-9d, P-5c= would have left White's king no escape from mate."
    );
    assert_eq!(short, "▲5四歩以下の必至を逃した");
    let usi = "sfen 4k4/9/9/9/4p4/9/8P/9/4K4 b g 1 moves 1g1f";
    let [ja, en, short] = texts_of(
        usi,
        &[threat(Color::White, FactPosition::After, "5e5f 1f1e 5f5g G*5h")],
    );
    assert_eq!(ja, "△5六歩▲1五歩△5七歩不成で先手玉に詰めろが掛かる。");
    assert_eq!(en, "It allows P-5f, P-1e, P-5g=, which threatens mate.");
    assert_eq!(short, "△5六歩以下の詰めろ");
    let usi = "sfen 4k4/9/9/9/9/g8/8P/9/K8 b gs 1 moves 1g1f";
    let brinkmate = fact(
        FactKind::BrinkmateMade,
        Color::White,
        FactPosition::After,
        "S*7g G*8h",
    );
    let promoted = FactKind::LetsPromote {
        piece: PieceKind::Pawn,
        square: square("5h"),
    };
    let promoted = fact(promoted, Color::Black, FactPosition::After, "S*7g");
    let [ja, en, short] = texts_of(usi, &[promoted, brinkmate]);
    assert_eq!(ja, "△7七銀で先手玉は必至。");
    assert_eq!(
        en,
        "It allows S*7g, which leaves Black's king no escape from mate."
    );
    assert_eq!(short, "△7七銀の必至");
}

#[test]
fn a_fork_that_was_let_happen_and_is_missed_is_not_missed_again() {
    let words = |usi: &str| ReasonWriter::new(History::from_usi(usi).unwrap(), false, Lang::Ja).unwrap();
    let fork = FactKind::Fork {
        piece: PieceKind::Bishop,
        squares: ["7f", "9h", "5i"].map(square).to_vec(),
        gain: Gain(50),
    };
    let game = "sfen 8k/9/9/9/9/9/9/9/K3R4 b b 1 moves 9i9h";
    let allowed = fact(fork.clone(), Color::White, FactPosition::After, "B*7f");
    let missed = fact(fork, Color::White, FactPosition::Before, "B*7f");
    let after = words(&format!("{game} 1a1b")).cause(&[missed]);
    assert!(after.is_some() && after != words(game).cause(&[allowed]));
}

#[test]
fn promotions_that_nothing_stops_are_named() {
    let stands = |usi: &str| FactKind::PromotionUnstoppable {
        piece: PieceKind::Pawn,
        square: square(usi),
    };
    let usi = "sfen 8k/9/9/P8/p8/9/9/2G6/4K4 b - 1 moves 7h6h";
    let [ja, en, _] = texts_of(
        usi,
        &[fact(stands("9g"), Color::White, FactPosition::After, "9e9f")],
    );
    assert_eq!(
        (ja.as_str(), en.as_str()),
        (
            "△9六歩で、次の△9七歩成が受からない。",
            "After P-9f, nothing stops P-9g+."
        )
    );
    let usi = "sfen 8k/9/9/9/P8/9/9/9/4K4 b - 1 moves 5i5h";
    let better = fact(stands("9c"), Color::Black, FactPosition::Before, "9e9d");
    let [ja, en, _] = texts_of(usi, std::slice::from_ref(&better));
    assert_eq!(ja, "最善の▲9四歩なら次の▲9三歩成が受からない。");
    assert_eq!(en, "After P-9d, nothing would have stopped P-9c+.");
    let reason = ReasonWriter::new(History::from_usi(usi).unwrap(), false, Lang::Ja).unwrap();
    assert_eq!(reason.overlooked_motif(&[better]), Some(Motif::Promotion));
}

#[test]
fn attacks_and_idle_pieces_are_named_last() {
    let usi = "sfen 4k4/5g3/3GS4/9/5g3/5P3/9/8R/4K4 b G 1 moves 5i4i";
    let attack = |attackers, attacking_moves| KingAttack {
        attackers,
        in_hand: 1,
        attacking_moves,
    };
    let ends = FactKind::AttackEnds {
        attack: attack(0, 0),
        other: attack(1, 3),
    };
    let ends = fact(
        ends,
        Color::Black,
        FactPosition::After,
        "4b5c 4i3i 5c6c 3i2i 5a5b 2i1i",
    );
    let [ja, en, short] = texts_of(usi, std::slice::from_ref(&ends));
    assert_eq!(ja, "△5三金以下、先手の攻めが続かない（最善なら続く）。");
    assert_eq!(
        en,
        "After Gx5c, Black's attack does not go on (it does after the best move)."
    );
    assert_eq!(short, "攻めが続かない");
    let initiative = |piece, at| FactKind::Initiative {
        piece,
        square: square(at),
    };
    let taken = fact(
        initiative(PieceKind::Rook, "1h"),
        Color::White,
        FactPosition::After,
        "4e5e 4f4e",
    );
    let [ja, en, _] = texts_of(usi, std::slice::from_ref(&taken));
    assert_eq!(
        (ja.as_str(), en.as_str()),
        (
            "△5五金の飛車取りで手番を握られる。",
            "G-5e attacks the rook and takes the initiative."
        )
    );
    let better = fact(
        initiative(PieceKind::Gold, "4e"),
        Color::Black,
        FactPosition::Before,
        "1h4h 4e5e",
    );
    let [ja, en, _] = texts_of(usi, std::slice::from_ref(&better));
    assert_eq!(ja, "最善の▲4八飛なら金取りで手番を握れる。");
    assert_eq!(en, "R-4h would have attacked the gold and taken the initiative.");
    let idle = FactKind::IdlePiece {
        piece: PieceKind::Rook,
        square: square("1h"),
        safe_moves: [1, 9],
    };
    let idle = fact(idle, Color::Black, FactPosition::After, "4e5e 1h1g");
    let [ja, en, _] = texts_of(usi, std::slice::from_ref(&idle));
    assert_eq!(
        (ja.as_str(), en.as_str()),
        (
            "△5五金以下、1八の飛車が働かなくなる。",
            "After G-5e, the rook on 1h no longer plays."
        )
    );
    let king = KingSafety {
        guards: 0,
        escapes: 5,
    };
    let exposed = FactKind::ExposedKing {
        safety: king,
        other: KingSafety {
            guards: 2,
            escapes: 5,
        },
    };
    let exposed = |side, at, line| fact(exposed.clone(), side, at, line);
    let all = [
        idle,
        taken,
        ends,
        better,
        exposed(Color::White, FactPosition::Before, "1h4h 4e5e"),
    ];
    assert_eq!(
        texts_of(usi, &all)[0],
        "△5三金以下、先手の攻めが続かない（最善なら続く）。最善の▲4八飛なら後手玉の守りの金銀がなくなる（指した手なら2枚）。"
    );
    let worse = [
        all.as_slice(),
        &[exposed(Color::Black, FactPosition::After, "4e5e 4i3i")],
    ]
    .concat();
    assert!(texts_of(usi, &worse)[0].starts_with("△5五金以下、先手玉の守りの金銀がなくなる"));
}

#[test]
fn forks_have_their_names() {
    let fork = |usi: &str, piece, squares: &[&str], line: &str| {
        let squares = squares.iter().map(|name| square(name)).collect();
        let kind = FactKind::Fork {
            piece,
            squares,
            gain: Gain(50),
        };
        texts_of(usi, &[fact(kind, Color::White, FactPosition::After, line)])[0].clone()
    };
    let usi = "sfen 8k/9/9/9/9/9/9/4R1G2/K8 b sn 1 moves 9i9h";
    assert_eq!(
        fork(usi, PieceKind::Silver, &["4i", "5h", "3h"], "S*4i"),
        "△4九銀で割り打ちの銀（飛車と金）。"
    );
    let front = fork(usi, PieceKind::Silver, &["4g", "5h", "3h"], "S*4g");
    assert_eq!(front, "△4七銀で飛車と金の両取り。", "both are before the silver");
    assert_eq!(
        fork(usi, PieceKind::Silver, &["4g", "9h", "3h"], "S*4g"),
        "△4七銀で王手金取り。"
    );
    assert_eq!(
        fork(usi, PieceKind::Knight, &["4f", "5h", "3h"], "N*4f"),
        "△4六桂でふんどしの桂（飛車と金）。"
    );
    let usi = "sfen 8k/9/9/9/9/9/9/9/K3R4 b b 1 moves 9i9h";
    assert_eq!(
        fork(usi, PieceKind::Bishop, &["7f", "9h", "5i"], "B*7f"),
        "△7六角で王手飛車。"
    );
}

#[test]
fn positions_have_a_sentence() {
    let history = History::from_usi("sfen 4k4/9/4P4/9/9/9/9/9/4K4 w G 1").unwrap();
    let threat = fact(
        FactKind::ThreatOfMate { length: Some(1) },
        Color::White,
        FactPosition::After,
        "G*5b",
    );
    let only = fact(
        FactKind::OnlyMove {
            holding_count: 1,
            is_proved: true,
        },
        Color::White,
        FactPosition::After,
        "5a4a",
    );
    let sentence = |facts: &[Fact], lang| position_sentence(&history, facts, ["先手", "後手"], lang);
    assert_eq!(
        sentence(&[only.clone(), threat.clone()], Lang::Ja),
        "後手玉は詰めろ（▲5二金まで1手詰）。受けは△4一玉だけ。"
    );
    assert_eq!(
        sentence(std::slice::from_ref(&threat), Lang::Ja),
        "後手玉は詰めろ（▲5二金まで1手詰）。"
    );
    assert_eq!(sentence(&[only], Lang::Ja), "", "the chip says so");
    let by_values = fact(
        FactKind::OnlyMove {
            holding_count: 1,
            is_proved: false,
        },
        Color::White,
        FactPosition::After,
        "5a4a",
    );
    assert_eq!(
        sentence(&[by_values, threat.clone()], Lang::Ja),
        "後手玉は詰めろ（▲5二金まで1手詰）。",
        "others may meet it"
    );
    assert_eq!(sentence(&[], Lang::Ja), "");
}

#[test]
fn reasons_are_found_for_costly_moves_and_stay_while_their_values_do() {
    // Black leaves the bishop on a square where the rook captures it.
    let game = "V2.2\nP1 *  *  *  * -OU *  *  *  * \nP2 *  *  *  * -HI *  *  *  * \nP3 *  *  *  *  *  *  *  *  * \n\
        P4 *  *  *  *  *  *  *  *  * \nP5 *  *  *  * +KA *  *  *  * \nP6 *  *  *  *  *  *  *  *  * \n\
        P7 *  *  *  *  *  *  *  *  * \nP8 *  *  *  *  *  *  *  *  * \nP9+OU *  *  *  *  *  *  *  * \n+\n\
        '** 300 +5544KA -5292HI\n+9989OU\n'** -900 -5255HI +8979OU\n-5255HI\n'** -900\n";
    let record = shogibar_kifu::read(game.as_bytes()).unwrap().games.remove(0);
    let mut review = GameReview::new(&record, |_| None, |_| WinRateModel::default());
    let line: Vec<_> = record.main_line().collect();
    ReasonFinder::default().add_all(&record, &mut review, &line, &Control::new(None));
    assert_eq!(review.sentence(line[0], Lang::Ja), "△5五飛で角をただで取られる。");
}

#[test]
fn a_cause_that_was_told_shortly_before_is_told_in_a_few_words() {
    let usi = "sfen 4k4/4r4/9/9/4B4/9/9/9/K8 b - 1 moves 9i8i";
    let after = History::from_usi(usi).unwrap();
    let texts = |kind, side, at, line| {
        let facts = [fact(kind, side, at, line)];
        Lang::ALL.map(|lang| {
            let writer = ReasonWriter::new(after.clone(), false, lang).unwrap();
            writer.repeated(&facts)
        })
    };
    let (piece, square, gain) = (PieceKind::Bishop, square("5e"), Gain(-80));
    let lost = FactKind::LosesPiece { piece, square, gain };
    assert_eq!(
        texts(lost, Color::Black, FactPosition::After, "5b5e"),
        ["またも5五の角を取られる。", "Again the bishop on 5e is lost."]
    );
    let (piece, square, gain) = (PieceKind::Rook, crate::reasons::tests::square("5b"), Gain(100));
    let won = FactKind::WinsPiece { piece, square, gain };
    assert_eq!(
        texts(won, Color::Black, FactPosition::Before, "5e4d 5b9b 4d9i"),
        ["またも▲4四角を逃した。", "B-4d was missed again."]
    );
    let mated = FactKind::MateAllowed { length: Some(5) };
    assert_eq!(
        texts(mated, Color::White, FactPosition::After, "5b5e"),
        ["またも△5五飛を許した。", "Rx5e was allowed again."]
    );
}
