//! Made-up texts in the forms that people paste. Each is read correctly, or refused with a description of its content.

use super::super::{
    Container, Format, NodeId, Outcome, ReadError, ReadGames, Reason, Record, RecordProblem, Target, Warning,
    read, write,
};
use shogibar_shogi::{Color, Position};

/// The four moves of most of these texts.
const FOUR_MOVES: &str = "startpos moves 7g7f 3c3d 2g2f 8c8d";

/// The position after the first move, as SFEN without its number.
const AFTER: &str = "lnsgkgsnl/1r5b1/ppppppppp/9/9/2P6/PP1PPPPPP/1B5R1/LNSGKGSNL w -";

/// A record in KIF.
const KIF: &str = "手合割：平手\n先手：甲\n後手：乙\n手数----指手---------消費時間--\n   1 ７六歩(77)   ( 0:01/00:00:01)\n\
    \u{20}  2 ３四歩(33)   ( 0:02/00:00:02)\n   3 ２六歩(27)   ( 0:01/00:00:02)\n   4 ８四歩(83)   ( 0:01/00:00:03)\n";

fn games(text: &str) -> Vec<String> {
    let read = read(text.as_bytes()).unwrap_or_else(|error| panic!("{error}\n{text}"));
    read.games
        .iter()
        .map(|game| game.history(usize::MAX).usi())
        .collect()
}

/// Returns a description of each text whose games differ from the expected ones, which are in USI. Each text has a
/// name.
fn failures<'t>(texts: impl IntoIterator<Item = (&'t str, String, Vec<String>)>) -> Vec<String> {
    let failure = |(name, text, expected): (&str, String, Vec<String>)| {
        let shown: String = text.chars().take(300).collect();
        let found = read(text.as_bytes());
        let error = found.as_ref().err().map(ToString::to_string);
        let found = found.map_or_else(|_| Vec::new(), |read| usi(&read));
        (found != expected).then(|| format!("{name}: {found:?}, not {expected:?} {error:?}\n{shown}"))
    };
    texts.into_iter().filter_map(failure).collect()
}

fn usi(read: &ReadGames) -> Vec<String> {
    read.games
        .iter()
        .map(|game| game.history(usize::MAX).usi())
        .collect()
}

/// Checks that each of the texts holds the four moves and nothing else.
fn check_four(texts: &[&str]) {
    let expected = || vec![FOUR_MOVES.to_owned()];
    let failures = failures(
        texts
            .iter()
            .map(|text| ("four moves", (*text).to_owned(), expected())),
    );
    assert!(failures.is_empty(), "{}", failures.join("\n\n"));
}

#[test]
fn moves_in_words() {
    check_four(&[
        "▲７六歩、△３四歩、▲２六歩、△８四歩",
        "７六歩・３四歩・２六歩・８四歩",
        "７六歩　３四歩　２六歩　８四歩",
        "76歩→34歩→26歩→84歩",
        "７六歩３四歩２六歩８四歩",
        "1. ７六歩\n2. ３四歩\n3. ２六歩\n4. ８四歩\n",
        "1.７六歩 2.３四歩 3.２六歩 4.８四歩",
        "1 7六歩\n2 3四歩\n3 2六歩\n4 8四歩",
        "①▲７六歩②△３四歩③▲２六歩④△８四歩",
        "❶７六歩　❷３四歩　❸２六歩　❹８四歩",
        "（１）７六歩（２）３四歩（３）２六歩（４）８四歩",
        "先手７六歩、後手３四歩、先手２六歩、後手８四歩",
        "先手：７六歩　後手：３四歩　先手：２六歩　後手：８四歩",
        "先手 ７六歩\n後手 ３四歩\n先手 ２六歩\n後手 ８四歩",
        "先手：７六歩\n後手：３四歩\n先手：２六歩\n後手：８四歩",
        "１手目 ７六歩（先手）\n２手目 ３四歩（後手）\n３手目 ２六歩（先手）\n４手目 ８四歩（後手）",
        "１手目は７六歩、２手目は３四歩、３手目は２六歩、４手目は８四歩。",
        "初手▲７六歩に対し△３四歩。以下▲２六歩△８四歩まで。",
        "☗7六歩 ☖3四歩 ☗2六歩 ☖8四歩",
        "▲7六歩(77) △3四歩(33) ▲2六歩(27) △8四歩(83)",
        "▼７六歩 ▽３四歩 ▼２六歩 ▽８四歩",
        "七六歩 三四歩 二六歩 八四歩",
        "▲７六歩\n角道を開けました。\n△３四歩\n相手も同じです。\n▲２六歩\n△８四歩\n",
        "▲７六歩。後手は歩を突く△３四歩、先手は飛車先▲２六歩で一歩も引かず△８四歩。",
        "こんにちは。昨日の将棋です。\n\n▲７六歩△３四歩\n▲２六歩△８四歩\n\nどう思いますか？\n-- \n山田",
        "▲７六歩（角道を開ける）△３四歩（同じく）▲２六歩（飛車先）△８四歩",
        "▲７六歩△３四歩（△８四歩も有力）▲２六歩（▲６六歩△８四歩なら別の将棋）△８四歩",
        "| 手数 | 指し手 |\n|---|---|\n| 1 | ７六歩 |\n| 2 | ３四歩 |\n| 3 | ２六歩 |\n| 4 | ８四歩 |",
        "手数,指し手,時間\n1,７六歩(77),0:01\n2,３四歩(33),0:02\n3,２六歩(27),0:01\n4,８四歩(83),0:01\n",
        "1\t７六歩\t0:01\n2\t３四歩\t0:02\n3\t２六歩\t0:01\n4\t８四歩\t0:01\n",
        "棋譜：「▲７六歩 △３四歩 ▲２六歩 △８四歩」でした",
        "・▲７六歩\n・△３四歩\n・▲２六歩\n・△８四歩",
        "- ▲７六歩\n- △３四歩\n- ▲２六歩\n- △８四歩",
        "２０２６年２月３日、対局開始。▲７六歩 △３四歩 ▲２六歩 △８四歩。１０時０５分おやつ。",
    ]);
}

#[test]
fn moves_in_columns() {
    check_four(&[
        "1 ７六歩   3 ２六歩\n2 ３四歩   4 ８四歩\n",
        "初手からの指し手\n 1. ▲７六歩\t 3. ▲２六歩\n 2. △３四歩\t 4. △８四歩\n",
        "１手目 ７六歩　２手目 ３四歩\n３手目 ２六歩　４手目 ８四歩",
        "手数\t先手\t後手\n1\t７六歩\t３四歩\n2\t２六歩\t８四歩\n",
        "先手\t後手\n７六歩\t３四歩\n２六歩\t８四歩\n",
        "先手:▲76歩 後手:△34歩 先手:▲26歩 後手:△84歩",
        "<p>▲７六<ruby>歩<rp>（</rp><rt>ふ</rt><rp>）</rp></ruby>△３四歩▲<ruby>２六歩<rt>にろくふ</rt></ruby>△８四歩</p>",
    ]);
}

#[test]
fn games_of_a_text_may_begin_at_different_starts() {
    let handicap = crate::handicap("二枚落ち").unwrap().sfen();
    let other = format!("sfen {handicap} moves 7a6b 7g7f 5c5d");
    let (even, odd) = ("▲７六歩、△３四歩、▲２六歩、△８四歩", "△６二銀、▲７六歩、△５四歩");
    assert_eq!(
        games(&format!("第1局（平手） {even}。第2局（二枚落ち） {odd}。")),
        [FOUR_MOVES, &other]
    );
    assert_eq!(
        games(&format!("第1局は二枚落ち。{odd}。第2局は平手。{even}。")),
        [&other, FOUR_MOVES]
    );
}

#[test]
fn moves_in_letters() {
    check_four(&[
        "7g7f, 3c3d, 2g2f, 8c8d",
        "7g7f → 3c3d → 2g2f → 8c8d",
        "1. 7g7f 2. 3c3d 3. 2g2f 4. 8c8d",
        "7g7f\n3c3d\n2g2f\n8c8d\n",
        "7g7f3c3d2g2f8c8d",
        "7g-7f 3c-3d 2g-2f 8c-8d",
        "7G7F 3C3D 2G2F 8C8D",
        "７ｇ７ｆ　３ｃ３ｄ　２ｇ２ｆ　８ｃ８ｄ",
        "['7g7f', '3c3d', '2g2f', '8c8d']",
        "[\"7g7f\",\"3c3d\",\"2g2f\",\"8c8d\"]",
        "{\"moves\": [\"7g7f\", \"3c3d\", \"2g2f\", \"8c8d\"]}",
        "{\"game\":{\"usi\":\"7g7f 3c3d 2g2f 8c8d\",\"result\":\"draw\"}}",
        "{\"moves\":[{\"ply\":1,\"usi\":\"7g7f\"},{\"ply\":2,\"usi\":\"3c3d\"},{\"ply\":3,\"usi\":\"2g2f\"},{\"ply\":4,\"usi\":\"8c8d\"}]}",
        "エンジンの読み筋は 7g7f 3c3d 2g2f 8c8d でした。",
        "position startpos moves 7g7f,3c3d,2g2f,8c8d",
        "エンジンに「position startpos moves 7g7f 3c3d 2g2f 8c8d」と送りました。",
        "```\nposition startpos moves 7g7f 3c3d 2g2f 8c8d\n```",
        "これです: startpos moves 7g7f 3c3d 2g2f 8c8d。よろしく",
        "+7776FU-3334FU+2726FU-8384FU",
        "+7776FU, -3334FU, +2726FU, -8384FU",
        "+7776FU -3334FU +2726FU -8384FU",
        "初手は +7776FU で、-3334FU、+2726FU、-8384FU と進みました。",
        "7776FU 3334FU 2726FU 8384FU",
        "The game began P-7f P-3d P-2f P-8d and was a draw.",
        "1. P7g-7f P3c-3d 2. P2g-2f P8c-8d",
        "P76 P34 P26 P84",
        "1. P7f P3d 2. P2f P8d",
        "p-7f p-3d p-2f p-8d",
        "The usual **P-7f** and **P-3d**, then **P-2f** **P-8d**.",
        "歩-76 歩-34 歩-26 歩-84",
    ]);
}

#[test]
fn records_in_other_texts() {
    let behind = |mark: &str| {
        KIF.lines()
            .flat_map(|line| [mark, line, "\n"])
            .collect::<String>()
    };
    let (quoted, twice) = (behind("> "), behind(">> "));
    let json = KIF.replace('\n', "\\n");
    let escaped: String = KIF
        .chars()
        .map(|c| {
            if c.is_ascii() {
                c.to_string()
            } else {
                format!("\\u{:04x}", u32::from(c))
            }
        })
        .collect();
    let codes = shogibar_base::percent::encode(KIF, "-._~");
    let rows = [
        "１",
        "７六歩(77)",
        "２",
        "３四歩(33)",
        "３",
        "２六歩(27)",
        "４",
        "８四歩(83)",
    ]
    .map(|cell| format!("<td>{cell}</td>"))
    .chunks(2)
    .flat_map(|cells| ["<tr>".to_owned(), cells.concat(), "</tr>".to_owned()])
    .collect::<String>();
    let entities = "&#9650;７六歩&#9651;３四歩&#9650;２六歩&#9651;８四歩";
    let texts = [
        format!("2026年2月3日 山田さん:\n{quoted}\nありがとうございます。"),
        format!("{twice}> どうも\n"),
        json.clone(),
        json.replace("\\n", "\\r\\n"),
        KIF.replace('\n', " "),
        KIF.replace('\n', ""),
        KIF.replace('\n', "\r"),
        KIF.replace('\n', "\n\n"),
        format!("送ります。\n```\n{KIF}```\n以上です。"),
        behind("\t\t"),
        format!("{{\"kif\":\"{json}\"}}"),
        format!("{{\"data\":{{\"id\":7,\"kifu\":\"{json}\"}}}}"),
        format!("[{{\"kif\":\"{json}\",\"title\":\"x\"}}]"),
        format!("{{\"kif\":\"{}\"}}", escaped.replace('\n', "\\n")),
        format!("var kifu = \"{json}\";"),
        codes.clone(),
        shogibar_base::percent::encode(&codes, "-._~"),
        format!("https://example.org/?kif={codes}"),
        format!("<textarea>{KIF}</textarea>"),
        format!("<textarea class=\"kif\">{entities}</textarea>"),
        "<p>▲７六歩<br>△３四歩<br>▲２六歩<br>△８四歩</p>".to_owned(),
        "<div class=\"m\">▲７六歩</div><div class=\"m\">△３四歩</div><div>▲２六歩</div><div>△８四歩</div>".to_owned(),
        "<html><body><h1>観戦記</h1><p>初手は<b>▲７六歩</b>、次が<b>△３四歩</b>。</p><p>▲２六歩△８四歩</p></body></html>".to_owned(),
        format!("<!DOCTYPE html><html><body><table>{rows}</table></body></html>"),
        format!("<html><body><script>show(\"{json}\");</script></body></html>"),
        "<html><script>player = {kifu: 'position startpos moves 7g7f 3c3d 2g2f 8c8d'}</script></html>".to_owned(),
        "<html><div data-kifu=\"position startpos moves 7g7f 3c3d 2g2f 8c8d\"></div></html>".to_owned(),
        format!("<html><head><style>.a {{}}</style></head><pre>{KIF}</pre></html>"),
        format!("&lt;pre&gt;{}&lt;/pre&gt;", KIF.replace('\n', "&#10;")),
        entities.to_owned(),
        entities.replace('&', "&amp;"),
    ];
    let texts: Vec<&str> = texts.iter().map(String::as_str).collect();
    check_four(&texts);
}

#[test]
#[expect(clippy::too_many_lines, reason = "a table of cases")]
fn addresses() {
    let board = AFTER.split(' ').next().unwrap();
    let encoded = board.replace('/', "%2F");
    let after = format!("sfen {AFTER} 2");
    let rest = format!("{after} moves 3c3d 2g2f 8c8d");
    let kento = "https://www.kento-shogi.com/?moves=7g7f.3c3d.2g2f.8c8d";
    let texts: Vec<(&str, String, &str)> = vec![
        ("KENTO", format!("{kento}#4"), FOUR_MOVES),
        (
            "KENTO in a mail",
            format!("見てください。\n{kento}#4\nよろしく。"),
            FOUR_MOVES,
        ),
        (
            "KENTO in a line",
            format!("昨日の対局（{kento}）です"),
            FOUR_MOVES,
        ),
        ("KENTO in a link", format!("[棋譜]({kento}#2)"), FOUR_MOVES),
        ("KENTO in angles", format!("棋譜 <{kento}>"), FOUR_MOVES),
        (
            "KENTO in HTML",
            format!("<a href=\"{kento}&amp;x=1\">KENTO</a>"),
            FOUR_MOVES,
        ),
        (
            "KENTO with words behind",
            format!("{kento} ▲２五歩はどうですか"),
            FOUR_MOVES,
        ),
        (
            "KENTO without its scheme",
            kento.replace("https://", ""),
            FOUR_MOVES,
        ),
        (
            "KENTO with a start",
            format!("https://www.kento-shogi.com/?initpos={encoded}%20w%20-%202&moves=3c3d.2g2f.8c8d#2"),
            &rest,
        ),
        (
            "shogidb2",
            format!("https://shogidb2.com/board?sfen={encoded}%20w%20-%202&moves=-3334FU%2B2726FU-8384FU"),
            &rest,
        ),
        (
            "shogidb2 half decoded",
            format!("https://shogidb2.com/board?sfen={board} w - 2&moves=-3334FU+2726FU-8384FU"),
            &rest,
        ),
        (
            "share board",
            format!(
                "https://example.org/share-board?body=position.sfen.{board}.w.-.2.moves.3c3d.2g2f.8c8d&turn=3"
            ),
            &rest,
        ),
        (
            "lishogi analysis",
            format!("https://lishogi.org/analysis/{board}_w_-_2"),
            &after,
        ),
        (
            "lishogi editor",
            format!("https://lishogi.org/editor/{encoded}_w_-_2?orientation=sente"),
            &after,
        ),
        (
            "lishogi in prose",
            format!("ここから：https://lishogi.org/analysis/{board}_w_-_2 お願いします"),
            &after,
        ),
        (
            "piyoshogi",
            format!("piyoshogi://?num=0&sfen=position sfen {board} w - 2 moves 3c3d 2g2f 8c8d"),
            &rest,
        ),
        (
            "piyoshogi encoded",
            format!(
                "piyoshogi://?num=3&sfen=position%20sfen%20{encoded}%20w%20-%202%20moves%203c3d%202g2f%208c8d"
            ),
            &rest,
        ),
        (
            "diagram",
            format!("https://example.org/sfen?sfen={encoded}%20w%20-%202&lm=76"),
            &after,
        ),
        (
            "plus for blanks",
            format!("https://example.org/?sfen={encoded}+w+-+2"),
            &after,
        ),
        (
            "encoded twice",
            format!(
                "https://example.org/?sfen={}",
                shogibar_base::percent::encode(&format!("{encoded}%20w%20-%202"), "-._~")
            ),
            &after,
        ),
        (
            "after the number sign",
            format!("https://example.org/#sfen={encoded}%20w%20-%202"),
            &after,
        ),
        (
            "USEN",
            "https://example.org/kifu?usen=%7E0.7ku.r".to_owned(),
            "startpos moves 7g7f",
        ),
        (
            "half of a code",
            "https://example.org/?moves=7g7f.3c3d.2g2f.8c8d.8h2b%2".to_owned(),
            FOUR_MOVES,
        ),
        ("long", format!("{kento}&x={}", "a".repeat(1 << 20)), FOUR_MOVES),
    ];
    let texts = texts
        .into_iter()
        .map(|(name, text, expected)| (name, text, vec![expected.to_owned()]));
    let failures = failures(texts);
    assert!(failures.is_empty(), "{}", failures.join("\n\n"));
}

#[test]
fn positions_in_prose() {
    let after = format!("sfen {AFTER} 2");
    let texts = [
        (
            "a line",
            format!("次の局面です。\n{AFTER} 2\nお願いします。"),
            vec![after.clone()],
        ),
        (
            "within a line",
            format!("この局面（{AFTER} 2）はどうですか"),
            vec![after.clone()],
        ),
        (
            "without a number",
            format!("局面図は {AFTER} です"),
            vec![format!("sfen {AFTER} 1")],
        ),
        (
            "with the command",
            format!("> position sfen {AFTER} 2 を調べて"),
            vec![after.clone()],
        ),
        (
            "with moves",
            format!("sfen {AFTER} 2 moves 3c3d 2g2f まで"),
            vec![format!("{after} moves 3c3d 2g2f")],
        ),
        (
            "moves in words",
            format!("sfen {AFTER} 2 から△３四歩▲２六歩が本筋"),
            vec![format!("{after} moves 3c3d 2g2f")],
        ),
        (
            "two of them",
            format!("図1 {AFTER} 2 と図2 4k4/9/9/9/9/9/9/9/4K4 b G 1 です"),
            vec![after.clone(), "sfen 4k4/9/9/9/9/9/9/9/4K4 b G 1".to_owned()],
        ),
        (
            "in JSON",
            format!("{{\"sfen\":\"{AFTER} 2\",\"moves\":[\"3c3d\",\"2g2f\"]}}"),
            vec![format!("{after} moves 3c3d 2g2f")],
        ),
        (
            "blanks of another kind",
            format!("{}_2", AFTER.replace(' ', "_")),
            vec![after.clone()],
        ),
        (
            "the side in words",
            format!("局面：{} 後手番です", AFTER.split(' ').next().unwrap()),
            vec![format!("sfen {AFTER} 1")],
        ),
        (
            "USEN",
            "共有します: ~0.7ku. です".to_owned(),
            vec!["startpos moves 7g7f".to_owned()],
        ),
    ];
    let failures = failures(texts);
    assert!(failures.is_empty(), "{}", failures.join("\n\n"));
}

#[test]
fn several_games() {
    let both = || {
        vec![
            "startpos moves 7g7f 3c3d 8h2b+".to_owned(),
            "startpos moves 2g2f 8c8d 2f2e".to_owned(),
        ]
    };
    let texts = [
        "第1局 ▲７六歩△３四歩▲２二角成 第2局 ▲２六歩△８四歩▲２五歩",
        "第一局\n▲７六歩、△３四歩、▲２二角成\n\n第二局\n▲２六歩、△８四歩、▲２五歩\n",
        "１局目：７六歩、３四歩、２二角成\n２局目：２六歩、８四歩、２五歩",
        "7g7f 3c3d 8h2b+\n2g2f 8c8d 2f2e\n",
        "https://www.kento-shogi.com/?moves=7g7f.3c3d.8h2b%2B\nhttps://www.kento-shogi.com/?moves=2g2f.8c8d.2f2e\n",
        "一つ目 https://www.kento-shogi.com/?moves=7g7f.3c3d.8h2b%2B と二つ目 https://www.kento-shogi.com/?moves=2g2f.8c8d.2f2e です",
        "<pre>▲７六歩△３四歩▲２二角成</pre><p>次</p><pre>▲２六歩△８四歩▲２五歩</pre>",
        "先手：甲\n後手：乙\n▲７六歩、△３四歩、▲２二角成\n\n先手：丙\n後手：丁\n▲２六歩、△８四歩、▲２五歩",
        "[{\"kif\":\"▲７六歩△３四歩▲２二角成\"},{\"kif\":\"▲２六歩△８四歩▲２五歩\"}]",
    ];
    let in_words = [
        "甲野 対 乙田\n▲７六歩△３四歩▲２二角成\n\n丙山 対 丁川\n▲２六歩△８四歩▲２五歩\n",
        "■準決勝\n▲７六歩△３四歩▲２二角成 △投了\n■決勝\n▲２六歩△８四歩▲２五歩 △投了\n",
        "1. ７六歩 2. ３四歩 3. ２二角成\n\n1. ２六歩 2. ８四歩 3. ２五歩\n",
        "Game 1: P-7f P-3d Bx2b+\nGame 2: P-2f P-8d P-2e",
        "1. P-7f P-3d 2. Bx2b+ 0-1\n\n1. P-2f P-8d 2. P-2e 1-0\n",
        "Ann vs Bob: P-7f P-3d Bx2b+\nCem vs Don: P-2f P-8d P-2e",
        "- Exchange: 1. P-7f P-3d 2. Bx2b+\n- Pawn: 1. P-2f P-8d 2. P-2e",
        "Ann: P-7f P-3d Bx2b+ 0-1. Cem: P-2f P-8d P-2e 1-0.",
    ];
    let failures = failures(
        texts
            .into_iter()
            .chain(in_words)
            .map(|text| ("two games", text.to_owned(), both())),
    );
    assert!(failures.is_empty(), "{}", failures.join("\n\n"));
}

#[test]
fn a_record_of_csa_stands_within_a_line() {
    let line = "V2.2,N+A,N-B,PI,+,+7776FU,T1,-3334FU,T2,+2726FU,T1,-8384FU,T3";
    let lines = line.replace(',', "\n");
    for text in [
        format!("棋譜: {line}"),
        format!("棋譜です {line}\nよろしく"),
        format!("棋譜 `{line}` です"),
        format!("今日の棋譜\n`{lines}`\nどうでしょう\n"),
        format!("今日の棋譜 `{lines}` どうでしょう"),
    ] {
        let read = read(text.as_bytes()).unwrap();
        let names = [Color::Black, Color::White].map(|side| read.games[0].player(side));
        assert_eq!(
            (usi(&read), names),
            (vec![FOUR_MOVES.to_owned()], [Some("A"), Some("B")]),
            "{text}"
        );
    }
    // The version of another program is none of CSA.
    let page = format!("<html><body><pre>\n{KIF}*解説 V2.93(長) 5手詰 0:00\n</pre></body></html>\n");
    let read = read(page.as_bytes()).unwrap();
    let last = read.games[0].main_line().last().unwrap();
    assert_eq!(
        read.games[0].node(last).comment(),
        Some("解説 V2.93(長) 5手詰 0:00")
    );
}

#[test]
fn remarks_below_a_whole_game_are_left_out() {
    for end in ["   5 投了\n", "まで4手で後手の勝ち\n"] {
        let read = read(
            format!("こんにちは\n{KIF}{end}2手目の△８四歩もありました。\n次は▲６六歩△６二銀で。\n")
                .as_bytes(),
        )
        .unwrap();
        let problems: Vec<_> = read.warnings.iter().map(|warning| &warning.problem).collect();
        assert_eq!(
            (usi(&read), problems),
            (
                vec![FOUR_MOVES.to_owned()],
                vec![&RecordProblem::SkippedPassages(3)]
            ),
            "{end}"
        );
    }
}

#[test]
fn an_end_belongs_to_its_own_game() {
    let table = |head: &str, ends: [&str; 2]| {
        let [first, second] = ends;
        format!(
            "{head}\n甲\t乙\t{first}\t▲７六歩△３四歩▲２二角成\n乙\t甲\t{second}\t▲２六歩△８四歩▲２五歩△８五歩\n"
        )
    };
    let rows = |ends| table("先手\t後手\t結果\t棋譜", ends);
    let headed = |ends: [&str; 2]| {
        let [first, second] = ends;
        format!(
            "第1局 甲－乙 {first}\n▲７六歩△３四歩▲２二角成\n第2局 乙－甲 {second}\n▲２六歩△８四歩▲２五歩△８五歩\n"
        )
    };
    let draw = Some((Reason::Repetition, Outcome::Draw));
    let resigned = |winner| Some((Reason::Resignation, Outcome::Win(winner)));
    let won = |winner| Some((Reason::Other, Outcome::Win(winner)));
    let (black, white) = (Color::Black, Color::White);
    for (text, expected) in [
        (rows(["", "千日手"]), [None, draw]),
        (rows(["○", "千日手"]), [None, draw]),
        (rows(["千日手", ""]), [draw, None]),
        (
            rows(["先手勝ち", "後手の勝ち"]),
            [resigned(black), resigned(white)],
        ),
        (rows(["乙の勝ち", "甲勝ち"]), [won(white), resigned(white)]),
        (
            rows(["後手勝率52%", "引き分け"]),
            [None, Some((Reason::Other, Outcome::Draw))],
        ),
        (headed(["", "千日手"]), [None, draw]),
        (headed(["先手勝ち", "千日手"]), [resigned(black), draw]),
        (headed(["千日手", ""]), [draw, None]),
        (
            table("先手\t後手\t勝者\t結果\t棋譜", ["先手\t投了", "後手\t時間切れ"]),
            [resigned(black), Some((Reason::TimeUp, Outcome::Win(white)))],
        ),
        (
            "▲７六歩△３四歩▲２二角成 投了 第2局 ▲２六歩△８四歩".to_owned(),
            [resigned(black), None],
        ),
        (
            "▲７六歩△３四歩▲２二角成\n投了\n\n第2局\n▲２六歩△８四歩\n".to_owned(),
            [resigned(black), None],
        ),
    ] {
        let read = read(text.as_bytes()).unwrap();
        let ends: Vec<_> = read
            .games
            .iter()
            .map(|game| game.end().map(|end| (end.reason, end.outcome)))
            .collect();
        assert_eq!(ends, expected, "{text}");
    }
}

#[test]
fn logs_of_other_programs() {
    let log = |line: &dyn Fn(&str, &str) -> String| {
        let lines = [
            (">", "usi"),
            ("<", "usiok"),
            (">", "position startpos moves 7g7f"),
            ("<", "info depth 5 score cp 20 pv 3c3d"),
            (">", "position startpos moves 7g7f 3c3d 2g2f 8c8d"),
            ("<", "bestmove 8h2b+"),
        ];
        lines.map(|(mark, text)| line(mark, text)).concat()
    };
    let texts = [
        log(&|mark, text| format!("[2026-02-03T12:34:56.100] [INFO] usi - sid=1: {mark} {text}\n")),
        log(&|mark, text| format!("{mark}1:{text}\n")),
        log(&|mark, text| format!("12:34:56.789 {mark} {text}\n")),
        log(&|mark, text| {
            format!(
                "{}: {text}\n",
                if mark == ">" { "ToEngine" } else { "FromEngine" }
            )
        }),
        log(&|mark, text| format!("2026/02/03 12:34:56,{mark},{text}\n")),
        log(&|mark, text| format!("{mark} {text}\n")),
        log(&|_, text| format!("{text}\n")),
    ];
    let texts: Vec<&str> = texts.iter().map(String::as_str).collect();
    check_four(&texts);
    for text in &texts {
        assert_eq!(read(text.as_bytes()).unwrap().container, Container::Log);
    }
    let first = "usinewgame\nposition startpos moves 7g7f\ngo\nbestmove 8c8d\nposition startpos moves 7g7f 8c8d 2g2f\ngo\nbestmove resign\ngameover lose\n";
    let second = "usinewgame\nposition startpos moves 7g7f\ngo\nbestmove 8c8d\nposition startpos moves 7g7f 8c8d 2g2f 8d8e 6i7h\ngo\n";
    let read = read(format!("{first}{second}").as_bytes()).unwrap();
    assert_eq!(
        usi(&read),
        [
            "startpos moves 7g7f 8c8d 2g2f",
            "startpos moves 7g7f 8c8d 2g2f 8d8e 6i7h"
        ]
    );
    assert_eq!(
        read.games[0].end().map(|end| end.outcome),
        Some(Outcome::Win(Color::Black))
    );
    // A file of positions has a game a line.
    assert_eq!(
        games("position startpos moves 7g7f\nposition startpos moves 7g7f 3c3d\n").len(),
        2
    );
}

#[test]
fn other_contents_are_refused_by_name() {
    let board = AFTER.split(' ').next().unwrap();
    let check = |text: &str, why: &str| {
        let error = read(text.as_bytes()).map(|read| usi(&read)).expect_err(text);
        assert!(error.to_string().contains(why), "{text}: {error}");
    };
    check("", "it is empty");
    check(" \n\u{3000}\n", "it is empty");
    let chess = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
    check(chess, "a chess FEN");
    check(&format!("この局面 {chess} はどうですか"), "a chess FEN");
    check(
        &format!(
            "https://lichess.org/analysis/standard/{}",
            chess.replace(' ', "_")
        ),
        "a chess FEN",
    );
    check(
        "[Event \"x\"]\n[White \"a\"]\n\n1. e4 e5 2. Nf3 Nc6\n",
        "a game of chess",
    );
    check("rbsgk/4p/5/P4/KGSBR b - 1", "minishogi");
    check(
        &format!("{} w - 2", board.replacen("lnsgkgsnl", "lnsgkgsn", 1)),
        "rank a does not have 9 squares",
    );
    check(
        &format!("図面は {} w - 2 です", board.replacen("lnsgkgsnl", "lnsgkgsn", 1)),
        "rank a does not have 9 squares",
    );
    check("https://example.org/game/123", "a web address");
    check("https://example.org/?q=%E5%B0%86%E6%A3%8B", "a web address");
    check(
        "<html><body><p>今日の将棋はお休みです</p></body></html>",
        "a web page",
    );
    for text in [
        "昨日は２六歩という本を読んだ。",
        "王手飛車取りの話",
        "図は△３四歩まで",
        "The file 7g7f.txt is missing",
        "電話は 03-3334-2726 です",
        "後手は歩を打ち、一歩ずつ進む。三歩目は銀。",
        "a = b + c\nif a > b { return }\n",
        "{\"name\":\"x\",\"list\":[1,2,3]}",
        "100%の力で50%引き",
        "usi\nisready\nquit\n",
    ] {
        check(text, "");
    }
}

#[test]
fn files_of_the_project() {
    let check = |name: &str, bytes: &[u8], expected: &str| {
        let read = read(bytes).unwrap_or_else(|error| panic!("{name}: {error}"));
        let found: Vec<_> = read
            .games
            .iter()
            .map(|game| game.history(usize::MAX).usi())
            .collect();
        assert_eq!(found, [expected], "{name}");
    };
    macro_rules! check_file {
        ($name:literal, $expected:expr) => {
            check(
                $name,
                include_bytes!(concat!("../../../tests/fixtures/pasted/", $name)),
                $expected,
            );
        };
    }
    let start = "startpos moves";
    check_file!("cp932-names.kif", &format!("{start} 7g7f"));
    check_file!("drop-from-00.kif", &format!("{start} 7g7f 3c3d 8h2b+ 3a2b B*4e"));
    check_file!("glued-move.csa", &format!("{start} 7g7f 3c3d 2g2f 8c8d"));
    check_file!(
        "handicap-by-name.kif",
        "sfen 4k4/9/9/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL w 3p 1 moves 5a4b 2g2f"
    );
    check_file!(
        "hands-letter-by-letter.sfen",
        "sfen ln1g4l/1ks1g2+R1/1pppp1n1p/p5p2/9/P1P2r3/1PNPP1P1P/2K2S3/L1SG2GNL b S2P2b2p 19"
    );
    check_file!("kento.txt", &format!("{start} 7g7f 3c3d 8h2b+"));
    check_file!("lishogi-analysis.txt", &format!("sfen {AFTER} 2"));
    check_file!("mail.txt", &format!("{start} 7g7f 3c3d 2g2f 8c8d 2f2e 8d8e 6i7h"));
    check_file!("shogidb2.txt", &format!("sfen {AFTER} 2 moves 3c3d 2g2f 8c8d"));
    check_file!("shogihome-usi.log", &format!("{start} 7g7f"));
    check_file!(
        "superior-position.log",
        "sfen l5snl/3k5/1pnsg1b2/p1ppp1g1p/5pp2/PPP1P4/2SP5/K1GB5/LNG4+r1 w 2Prsnl3p 78 moves 4e4f 6h4f P*4e"
    );
    check_file!("touten.txt", &format!("{start} 7g7f 3c3d 2g2f"));
    check_file!("two-headers.ki2", &format!("{start} 7g7f"));
}

#[test]
fn illegal_moves_are_left_out_of_prose() {
    let moves = "▲７六歩、△３四歩、▲２六歩。ここで▲６六歩もある。本譜は△８四歩、▲２五歩と進んだ。";
    let two = "第1局\n▲２六歩△８四歩▲２五歩\nまで3手で中断\n\n第2局\n▲７六歩△８四歩▲６八銀\n";
    let both = ["startpos moves 2g2f 8c8d 2f2e", "startpos moves 7g7f 8c8d 7i6h"];
    assert_eq!(games(moves), [format!("{FOUR_MOVES} 2f2e")]);
    assert_eq!(games("▲７六歩、△３四歩、▲８五飛、▲２六歩、△８四歩"), [FOUR_MOVES]);
    assert_eq!(games(two), both);
}

#[test]
fn a_mail_has_no_headers_of_a_record() {
    let mail = "From: 田中 <a@example.org>\nSubject: Re: b\n\n";
    let quoted = format!("> {}\n", KIF.trim_end().replace('\n', "\n> "));
    for text in [
        format!("{mail}{KIF}"),
        format!("{mail}山田さん、こんにちは。\n2026年 21:03 山田 <b@example.org>:\n{quoted}では。\n"),
    ] {
        let read = read(text.as_bytes()).unwrap();
        assert_eq!(usi(&read), [FOUR_MOVES], "{text}");
        let is_passage = |warning: &Warning| matches!(warning.problem, RecordProblem::SkippedPassages(_));
        assert!(read.warnings.iter().all(is_passage), "{:?}", read.warnings);
        let keys: Vec<_> = read.games[0]
            .headers()
            .iter()
            .map(|(key, _)| key.as_str())
            .collect();
        assert_eq!(
            (keys, read.container),
            (vec!["手合割", "先手", "後手"], Container::Mail)
        );
    }
}

#[test]
fn elements_are_no_headers() {
    for text in [
        "先手：甲<br>後手：乙<br>1 ７六歩(77)<br>2 ３四歩(33)<br>3 ２六歩(27)<br>4 ８四歩(83)<br>",
        "<pre>先手：甲\n後手：乙\n   1 ７六歩(77)\n   2 ３四歩(33)\n   3 ２六歩(27)\n   4 ８四歩(83)\n</pre>",
        "<pre>V2.2\nN+甲\nN-乙\nPI\n+\n+7776FU\n-3334FU\n+2726FU\n-8384FU\n%TORYO</pre>",
    ] {
        let read = read(text.as_bytes()).unwrap();
        let game = &read.games[0];
        assert_eq!(
            (usi(&read), game.header("先手")),
            (vec![FOUR_MOVES.to_owned()], Some("甲")),
            "{text}"
        );
        assert_eq!(game.end().is_some(), text.contains("TORYO"), "{text}");
    }
}

#[test]
fn signs_of_prose_in_a_board_or_a_header_mean_nothing() {
    let board = String::from_utf8(write(&Record::new(&Position::startpos()), Target::Bod).bytes).unwrap();
    let game = "▲７六歩 △〓３四歩(33)\n";
    for head in [
        &*board,
        "備考：角換わり、右玉\n",
        "手合割：〓 2g2f\n記録：「a」\n",
    ] {
        let read = read(format!("{head}{game}").as_bytes()).unwrap();
        assert_eq!(read.format, Format::Ki2, "{head}");
        assert_eq!(usi(&read), ["startpos moves 7g7f"], "{head}");
    }
}

#[test]
fn a_record_that_ends_at_once_has_no_moves_of_its_comments() {
    for text in [
        "手合割：平手\n△７六歩(77)\n** 30 -3334FU\n",
        "手合割：平手\n先手：a\nまでで後手の勝ち7776FU\n** 12 -3334FU\n",
        "手合割：平手\n▲７六歩\n*▲７六歩 △３四歩 ▲２六歩\n△３五歩(33)\n# △３四歩 ▲２六歩\n",
    ] {
        let read = read(text.as_bytes()).unwrap();
        assert!(
            matches!(read.format, Format::Kif | Format::Ki2),
            "{text}: {:?}",
            read.format
        );
        assert!(read.games[0].len() < 2, "{text}");
    }
}

#[test]
fn a_container_is_named() {
    let check = |text: &str, container: Container| {
        assert_eq!(read(text.as_bytes()).unwrap().container, container, "{text}");
    };
    check(KIF, Container::Record);
    check("position startpos moves 7g7f 3c3d", Container::Record);
    check("話。▲７六歩、△３四歩", Container::Prose);
    check(
        "https://www.kento-shogi.com/?moves=7g7f.3c3d",
        Container::Address {
            site: Some(super::super::ShareSite::Kento),
            ply: None,
        },
    );
    check(
        "https://example.org/?moves=7g7f.3c3d",
        Container::Address {
            site: None,
            ply: None,
        },
    );
    check("<pre>▲７六歩△３四歩</pre>", Container::Page);
    check("{\"kif\":\"▲７六歩△３四歩\"}", Container::Json);
    check("> ▲７六歩\n> △３四歩\n", Container::Mail);
    assert_eq!(games("> ▲７六歩\n> △３四歩\n"), ["startpos moves 7g7f 3c3d"]);
    assert!(matches!(read(b"hello"), Err(ReadError::Other(_))));
}

/// KI2 cannot hold an unreadable move that contains a move: prose would read it. The words become a comment.
#[test]
fn an_unreadable_move_that_holds_a_move() {
    let kif = "手合割：平手\n手数----\n   1 ７六歩(77)\n   2 一局：「よい」３四歩(33)\n";
    let record = &read(kif.as_bytes()).unwrap().games[0];
    for target in [Target::Kifu, Target::Ki2, Target::Ki2u] {
        let written = write(record, target).bytes;
        assert_eq!(usi(&read(&written).unwrap()), ["startpos moves 7g7f"], "{target}");
    }
    assert!(
        String::from_utf8(write(record, Target::Ki2u).bytes)
            .unwrap()
            .contains("*読めない手：一局：「よい」３四歩(33)")
    );
}

#[test]
fn an_address_names_the_ply() {
    let ply = |address: &str| match read(address.as_bytes()).unwrap().container {
        Container::Address { ply, .. } => ply,
        container => panic!("{container:?}"),
    };
    assert_eq!(
        ply("https://www.kento-shogi.com/?moves=7g7f.3c3d.2g2f#2"),
        Some(2)
    );
    assert_eq!(
        ply("https://example.org/share-board?body=position.startpos.moves.7g7f.3c3d&turn=1"),
        Some(1)
    );
    assert_eq!(ply("https://example.org/?moves=7g7f.3c3d#end"), None);
    let kento = "https://www.kento-shogi.com/?moves=7g7f.3c3d.2g2f.8c8d#3";
    for text in [
        format!("これ見て→ {kento} どう？"),
        format!("> ここ（{kento}）\n> です\n"),
        format!("[棋譜]({kento})"),
    ] {
        assert_eq!(ply(&text), Some(3), "{text}");
    }
    let other = format!("▲２六歩△８四歩▲２五歩\n参考 {kento}");
    assert!(
        !read(other.as_bytes()).unwrap().container.is_address(),
        "its games are others"
    );
}

#[test]
fn records_of_several_formats_follow_each_other() {
    let csa = "V2.2\nN+C\nN-D\nPI\n+\n+2726FU\n-8384FU\n%TORYO\n";
    let two = "startpos moves 2g2f 8c8d";
    for other in [
        KIF.to_owned(),
        "先手：甲\n後手：乙\n▲７六歩 △３四歩 ▲２六歩 △８四歩\n".to_owned(),
    ] {
        assert_eq!(games(&format!("{other}\n{csa}")), [FOUR_MOVES, two], "{other}");
        assert_eq!(games(&format!("{csa}\n{other}")), [two, FOUR_MOVES], "{other}");
    }
    let read = read(format!("{KIF}\n{csa}").as_bytes()).unwrap();
    assert_eq!(read.games[1].header("先手"), Some("C"));
}

#[test]
fn bars_are_quotes_and_moves_go_on_after_an_end() {
    check_four(&[
        "| ▲７六歩 △３四歩\n| ▲２六歩 △８四歩",
        "| 先手：甲\n| 後手：乙\n|\n| ▲７六歩 △３四歩\n| ▲２六歩 △８四歩\n",
        "▲７六歩 △３四歩 まで2手。▲２六歩 △８四歩",
    ]);
    let board = String::from_utf8(
        write(
            &super::super::read(AFTER.as_bytes()).unwrap().games[0],
            Target::Bod,
        )
        .bytes,
    )
    .unwrap();
    let quoted = board
        .lines()
        .map(|line| format!("| {line}"))
        .collect::<Vec<_>>()
        .join("\n");
    for text in [&board, &quoted] {
        assert!(
            games(text)[0].starts_with("sfen lnsgkgsnl/1r5b1/ppppppppp/9/9/2P6/"),
            "{text}"
        );
    }
}

#[test]
fn json_has_one_game_in_one_key() {
    for (text, expected) in [
        (
            r#"{"moves":["7g7f","3c3d"],"bestmove":"2g2f","ponder":"8c8d"}"#,
            "7g7f 3c3d",
        ),
        (
            r#"{"game":{"moves":"7g7f 3c3d"},"pv":"2g2f 8c8d 2f2e","eval":34}"#,
            "7g7f 3c3d",
        ),
        (
            r#"{"kif":"▲７六歩△３四歩","comment":"以下▲２六歩△８四歩▲２五歩△８五歩"}"#,
            "7g7f 3c3d",
        ),
        (
            r#"{"moves":["7g7f","3c3d"],"sfen":"lnsgkgsnl/1r5b1/pppppp1pp/6p2/9/2P6/PP1PPPPPP/1B5R1/LNSGKGSNL b - 3"}"#,
            "7g7f 3c3d",
        ),
        (
            r#"[{"move":"7g7f","time":3},{"move":"3c3d","comment":"2g2fが最善"},{"move":"2g2f"}]"#,
            "7g7f 3c3d 2g2f",
        ),
        ("{moves: ['2g2f', '8c8d'], next: '7g7f'}", "2g2f 8c8d"),
    ] {
        assert_eq!(games(text), [format!("startpos moves {expected}")], "{text}");
    }
    let two = r#"[{"moves":["7g7f","3c3d"]},{"moves":["2g2f","8c8d"]}]"#;
    assert_eq!(
        games(two),
        ["startpos moves 7g7f 3c3d", "startpos moves 2g2f 8c8d"]
    );
}

#[test]
fn an_address_ends_before_the_words_behind_it() {
    let two = ["startpos moves 7g7f 3c3d", "startpos moves 2g2f 8c8d"];
    let [one, other] =
        ["7g7f.3c3d#1", "2g2f.8c8d"].map(|moves| format!("https://www.kento-shogi.com/?moves={moves}"));
    assert_eq!(games(&format!("{one} と {other}")), two);
    assert_eq!(games(&format!("{one} {other}")), two);
    assert_eq!(games(&format!("{other} を見て")), [two[1]]);
    assert_eq!(
        games("piyoshogi://?num=0&sfen=position startpos moves 7g7f 3c3d#1"),
        [two[0]]
    );
}

#[test]
fn a_handicap_is_named_in_words() {
    for text in [
        "二枚落ちの▲４五歩止めの定跡。△６二銀▲７六歩△５四歩▲４六歩",
        "二枚落ちの実戦です。△６二銀▲７六歩△５四歩▲４六歩",
        "二枚落ち\n△６二銀 ▲７六歩 △５四歩 ▲４六歩",
    ] {
        let read = read(text.as_bytes()).unwrap();
        let start = crate::handicap("二枚落ち").unwrap().sfen();
        assert_eq!(
            read.games[0].history(usize::MAX).usi(),
            format!("sfen {start} moves 7a6b 7g7f 5c5d 4g4f"),
            "{text}"
        );
    }
    let start = crate::handicap("飛車落ち").unwrap().sfen();
    assert_eq!(
        games("Rook handicap: S-6b P-7f P-5d"),
        [format!("sfen {start} moves 7a6b 7g7f 5c5d")]
    );
    assert_eq!(
        games("二枚落ちの本から。▲７六歩△３四歩▲２六歩△８四歩"),
        [FOUR_MOVES]
    );
}

#[test]
fn the_mark_of_the_other_side_is_reported() {
    let read = read("▲７六歩 △３四歩 ▲２六歩 ▲８四歩".as_bytes()).unwrap();
    assert_eq!(usi(&read), [FOUR_MOVES]);
    assert!(
        read.warnings
            .iter()
            .any(|warning| warning.to_string().contains("whose turn it is not")),
        "{:?}",
        read.warnings
    );
}

/// Checks the main line of prose, and the moves of its variations.
fn check_branches(text: &str, main: &str, branches: &[&str]) {
    let read = read(text.as_bytes()).unwrap_or_else(|error| panic!("{text}: {error}"));
    let expected = format!("startpos moves {main}");
    let [game] = &read.games[..] else {
        panic!("{text}: {:?}", usi(&read))
    };
    assert_eq!(game.history(usize::MAX).usi(), expected, "{text}");
    let usi = |id: NodeId| game.node(id).mv().unwrap().to_string();
    let is_first = |id: NodeId| game.first_child(game.parent(id).unwrap()) == Some(id);
    let begins = game
        .all()
        .filter(|id| game.parent(*id).is_some() && !is_first(*id));
    let line = |id| {
        std::iter::once(id)
            .chain(game.line_after(id))
            .map(usi)
            .collect::<Vec<_>>()
            .join(" ")
    };
    let found: Vec<String> = begins.map(line).collect();
    assert_eq!(found, branches, "{text}");
}

#[test]
fn branches_of_prose_are_variations() {
    let four = "7g7f 3c3d 2g2f 8c8d";
    let check = check_branches;
    check(
        "▲７六歩、△３四歩、▲２六歩。ここで△４四歩もある。本譜は△８四歩。",
        four,
        &["4c4d"],
    );
    check(
        "▲７六歩△３四歩▲２六歩。△４四歩なら▲４八銀。実戦は△８四歩と進みました。",
        four,
        &["4c4d 3i4h"],
    );
    check(
        "▲７六歩△３四歩▲２六歩と進む。もし△４四歩▲４八銀△３二銀なら穏やか。しかし△８四歩と突いた。",
        four,
        &["4c4d 3i4h 3a3b"],
    );
    check("▲７六歩△３四歩▲２六歩。△４四歩ではなく△８四歩。", four, &["4c4d"]);
    check(
        "▲７六歩△３四歩▲２六歩。「△４四歩」も有力だが△８四歩。▲２五歩と伸ばした。",
        &format!("{four} 2f2e"),
        &["4c4d"],
    );
    check("▲７六歩△３四歩▲２六歩△８四歩。ここで▲２二角成もある。", four, &[]);
    check(
        "▲７六歩△３四歩▲２六歩△８四歩。ここで▲２二角成なら△同銀。",
        four,
        &[],
    );
    check(
        "▲７六歩△３四歩▲２六歩。△４四歩だと▲４八銀△３二銀。以下▲５六歩で一局。本譜△８四歩",
        four,
        &["4c4d 3i4h 3a3b 5g5f"],
    );
    check(
        "▲７六歩△３四歩▲２六歩。△８四歩もあるが、本譜も△８四歩だった。",
        four,
        &[],
    );
    check(
        "もし▲７六歩に△８四歩なら▲２六歩だが、実戦は▲７六歩△３四歩▲２六歩△８四歩。",
        four,
        &["8c8d 2g2f"],
    );
    check(
        "【本譜】▲７六歩△３四歩▲２六歩△８四歩\n【変化】４手目△４四歩▲４八銀\n",
        four,
        &["4c4d 3i4h"],
    );
    check(
        "▲７六歩△３四歩▲２六歩△８四歩。△８四歩に代えて△４四歩なら▲４八銀。",
        four,
        &["4c4d 3i4h"],
    );
    check(
        "▲７六歩△３四歩▲６六歩とはせず、４手目の話はまた今度。",
        "7g7f 3c3d 6g6f",
        &[],
    );
    check("▲７六歩△３四歩▲６六歩とは指さず、▲２六歩△８四歩", four, &["6g6f"]);
    check(
        "P-7f P-3d. If P-6f, White has P-8d. In the game Black went P-2f, P-8d.",
        four,
        &["6g6f 8c8d"],
    );
    check(
        "P-7f P-3d P-2f P-8d. Instead of P-8d, P-4d S-4h is calm.",
        four,
        &["4c4d 3i4h"],
    );
    check(
        "P-7f P-3d P-2f. P-4d would be calm, but White played P-8d.",
        four,
        &["4c4d"],
    );
    // Words such as those have no meaning if the text continues only with these moves.
    check("初手▲７六歩なら△３四歩。そこで▲２六歩、△８四歩です。", four, &[]);
    check(
        "▲７六歩なら△３四歩、▲２六歩なら△８四歩、▲２五歩なら△８五歩、▲７八金なら△３二金。",
        "7g7f 3c3d 2g2f 8c8d 2f2e 8d8e 6i7h 4a3b",
        &[],
    );
    check(
        "▲７六歩△３四歩▲２六歩△８四歩（中略）▲４五桂△４四銀▲２五歩",
        four,
        &[],
    );
}

#[test]
fn moves_behind_an_address_are_none_of_another_game() {
    let four = "https://www.kento-shogi.com/?moves=7g7f.3c3d.2g2f.8c8d";
    assert_eq!(
        games(&format!("{four} ここから▲７八金△３二金▲２五歩はどうですか")),
        [FOUR_MOVES]
    );
    assert_eq!(
        games(&format!("{four}\n▲７六歩△３四歩▲２六歩△８四歩")),
        [FOUR_MOVES]
    );
}

#[test]
fn a_reply_continues_the_game_or_is_left_out_with_a_warning() {
    let quoted = "> ▲７六歩△３四歩\n> ▲２六歩△８四歩\n";
    assert_eq!(
        games(&format!("{quoted}▲２五歩でどうですか\n")),
        [format!("{FOUR_MOVES} 2f2e")]
    );
    let read = read(format!("{quoted}▲８八飛はどうですか\n").as_bytes()).unwrap();
    assert_eq!(
        (usi(&read), read.warnings.is_empty()),
        (vec![FOUR_MOVES.to_owned()], false),
        "{:?}",
        read.warnings
    );
    assert_eq!(
        games(">> ▲７六歩\n> ▲７六歩△３四歩\n▲７六歩△３四歩▲２六歩△８四歩\n"),
        [FOUR_MOVES]
    );
}

#[test]
fn words_below_a_board_continue_from_the_board() {
    let start = super::super::read(AFTER.as_bytes()).unwrap();
    let board = String::from_utf8(write(&start.games[0], Target::Bod).bytes).unwrap();
    let expected = format!("sfen {AFTER} 1 moves 3c3d 2g2f");
    assert_eq!(
        games(&format!("{board}\n図から△３四歩▲２六歩。\n")),
        [expected.as_str()]
    );
    for label in ["正解：", "【正解】", "手順："] {
        assert_eq!(
            games(&format!("{board}\n{label}△３四歩▲２六歩まで\n")),
            [expected.as_str()],
            "{label}"
        );
    }
    let quoted = board
        .lines()
        .map(|line| format!("> {line}\n"))
        .collect::<Vec<_>>()
        .concat();
    assert_eq!(
        games(&format!("下の図です。\n\n{quoted}\nどうでしょう。\n")),
        [format!("sfen {AFTER} 1")]
    );
}

#[test]
fn records_of_other_programs_stand_in_words() {
    let jkf = r#"{"header":{},"moves":[{},{"move":{"from":{"x":7,"y":7},"to":{"x":7,"y":6},"piece":"FU"}}]}"#;
    for text in [format!("```json\n{jkf}\n```\n"), format!("これです。\n{jkf}")] {
        assert_eq!(games(&text), ["startpos moves 7g7f"], "{text}");
    }
    check_four(&[
        "| ▲７六歩\n| △３四歩\n| ▲２六歩\n△８四歩\n",
        "[quote=甲]▲７六歩△３四歩▲２六歩[/quote]\n△８四歩\n",
        "▲７六歩１　△３四歩２\n▲２六歩３　△８四歩４\n",
        "開始日時：2026/02/03 10:00:00 手合割：平手 先手：甲 後手：乙 手数----指手---------消費時間--    1 ７六歩(77)   ( 0:01/00:00:01)    2 ３四歩(33)   ( 0:02/00:00:02)    3 ２六歩(27)   ( 0:03/00:00:04)    4 ８四歩(83)   ( 0:04/00:00:06) ",
    ]);
    check_four(&[
        "[Sente \"a\"][Gote \"b\"] 1.P7g-7f 2.P3c-3d 3.P2g-2f 4.P8c-8d",
        "12 名前：名無し 投稿日：2026/02/03 ID:aB1\n▲７六歩△３四歩\n13 名前：名無し 投稿日：2026/02/03 ID:cD2\n▲２六歩△８四歩",
        "手合割：平手\n先手：甲\n後手：乙\n本譜：▲７六歩△３四歩▲２六歩△８四歩",
    ]);
    let (mail, ..) = encoding_rs::ISO_2022_JP.encode("▲７六歩△３四歩▲２六歩△８四歩");
    assert_eq!(usi(&super::super::read(&mail).unwrap()), [FOUR_MOVES]);
}

#[test]
fn numbers_and_dates_are_no_results() {
    for end in ["電話は080-1234-5678", "2021-01-05 記", "2020-10-11"] {
        let read = read(format!("▲７六歩、△３四歩。{end} ▲２六歩、△８四歩").as_bytes()).unwrap();
        assert_eq!(
            (usi(&read), read.games[0].end().is_none()),
            (vec![FOUR_MOVES.to_owned()], true),
            "{end}"
        );
    }
    assert_eq!(
        games("本日の将棋。▲７六歩 1:30 △３四歩 1:05 ▲２六歩 1:20 △８四歩 1:10"),
        [FOUR_MOVES]
    );
    assert!(read("昨日は２六歩という本を読んだ。中略".as_bytes()).is_err());
}

#[test]
fn the_main_line_is_that_of_the_game() {
    let moves = "本日の一局。▲７六歩△３四歩。▲２六歩もある。▲６六歩もある。実戦は▲２六歩△８四歩";
    check_branches(moves, "7g7f 3c3d 2g2f 8c8d", &["6g6f"]);
    let instead = "本日の一局。▲７六歩△３四歩。▲７六歩に代えて▲２六歩もある。▲２二角成△同銀";
    check_branches(instead, "7g7f 3c3d 8h2b+ 3a2b", &["2g2f"]);
    let two = "先手：甲\n▲７六歩、△３四歩、▲２六歩、△投了\n先手：丙\n▲７六歩、△３四歩、▲２六歩、△８四歩";
    assert_eq!(games(two), ["startpos moves 7g7f 3c3d 2g2f", FOUR_MOVES]);
    let columns = "先手：甲\n後手：乙\n1 ７六歩　3 ２六歩\n2 ３四歩　4 ８四歩\n";
    assert_eq!(
        read(columns.as_bytes()).unwrap().games[0].header("後手"),
        Some("乙")
    );
    assert_eq!(
        games("<ruby>棋<rt>き</ruby> ▲７六歩△３四歩▲２六歩△８四歩"),
        [FOUR_MOVES]
    );
}
