//! Texts of the calibration: win-rate curves fitted to games.

use shogibar_base::visible::with_particle_space;
use shogibar_base::{Lang, messages, phrases, say, sentences};
use unicode_width::UnicodeWidthStr as _;

phrases! {
    /// A group of games that do not count for a curve, or that are unusual.
    pub enum GameGroup {
        NoEvaluations => "評価値のない対局", "without evaluations";
        NoResult => "勝敗の記録がない対局", "without a result";
        OnTime => "時間切れか不戦で終わった対局", "ended on time or by forfeit";
        EngineGame => "エンジンとの対局（強さを変えられるため）", "against an engine, whose strength may be reduced";
        Foul => "反則で終わった対局", "ended by a foul";
        OtherDraw => "千日手以外の引き分け（持将棋など）", "drawn by another rule than repetition";
        NoKing => "玉が足りない局面から始まる対局", "starting without one of the kings";
        OnlyMates => "詰みや勝ちの評価しかない対局", "with nothing but mate scores";
        OutsidePlies => "数える手数の範囲に評価値がない対局", "without evaluations in the range of moves that counts";
        UnknownView =>
            "評価値の符号が1手ごとに入れ替わる対局（先手からではなく、手番の側から見た値のようです）",
            "with evaluations that change sign with every move (they seem to be the mover's view, not Black's)";
        Twice => "指し手と対局者が同じ、2度目の対局", "occurring twice, with the same moves and players";
        InFit => "--test と IN の両方にある対局（テストには使いません）", "of --test, also in IN";
        OneSided => "片方の指し手にしか評価値がない対局", "with evaluations of one side's moves only";
        SeveralEngines =>
            "複数のエンジンの評価値がある対局（エンジンごとに数えます）",
            "evaluated by several engines (each counts for its own curve)";
        PartlyUnknownView =>
            "一部のエンジンの評価値の符号が1手ごとに入れ替わる対局（その分は数えません）",
            "with evaluations of one engine that change sign with every move (those do not count)";
    }
}

phrases! {
    /// A column of the table of win-rate curves.
    pub enum CurveColumn {
        Engine => "エンジン", "Engine";
        Games => "対局", "Games";
        Positions => "局面", "Positions";
        Scale => "K", "K";
        Interval => "95%区間", "95% interval";
        Taken => "採用するK", "K to use";
        Bonus => "先手の得", "Black's bonus";
        Loss => "損失", "Loss";
        Loss600 => "K=600の損失", "Loss at 600";
        CalibrationError => "ずれ", "Error";
        Missing => "±10%まで", "To ±10%";
    }
}

phrases! {
    /// The reason why an engine has no curve.
    pub enum NoCurveReason {
        OneResult => "勝敗が片方に偏っています", "the same side won all of its games";
        OnlyZeros => "評価値がすべて 0 です", "all of its evaluations are 0";
    }
}

messages! {
    /// The reason why no curve is calibrated or saved.
    #[derive(Clone, Debug, PartialEq, Eq)]
    pub enum CalibrationRefusal in lang {
        NothingCounts(games: usize) =>
            "勝敗と評価値がそろった対局がありません（調べた対局 {games}）。",
            "no game has both a result and evaluations that count (games read: {games})";
        NoEngine(name: String, engines: Vec<String>) =>
            "「{name}」というエンジンはありません。あるもの: {engines}",
            "no engine is called '{name}'; available: {engines}", engines = engines.join(lang.pick("、", ", "));
        /// Several engines have the text as a part of their name.
        Ambiguous(name: String, engines: Vec<String>) =>
            "「{name}」に当てはまるエンジンが複数あります: {engines}",
            "'{name}' matches several engines: {engines}", engines = engines.join(lang.pick("、", ", "));
        /// The user has to name the engine whose curve is saved.
        NameOne(engines: Vec<String>) =>
            "保存するエンジンを --name で指定してください: {engines}",
            "use --name to choose the engine to save: {engines}", engines = engines.join(lang.pick("、", ", "));
        /// The user has to name the engine whose curve is drawn.
        DrawOne(engines: Vec<String>) =>
            "図に描くエンジンを --name で指定してください: {engines}",
            "use --name to choose the engine to draw: {engines}", engines = engines.join(lang.pick("、", ", "));
        NothingToDraw(engine: String) =>
            "{engine}の K は求められなかったため、図を書きません。",
            "no K could be fitted for {engine}, so no picture is written", engine = with_particle_space(engine, lang);
        NothingToSave(engine: String) =>
            "{engine}の K は求められなかったため、保存しません。",
            "no K could be fitted for {engine}, so nothing is saved", engine = with_particle_space(engine, lang);
        /// The range of moves is empty.
        NoPlies(from: u16, to: u16) =>
            "--from {from} と --to {to} の間に局面がありません。", "there are no positions between --from {from} and --to {to}";
        /// The name of the picture has an unknown extension.
        PictureName(path: String) =>
            "{path}: 画像の名前は .svg か .png で終わるようにしてください。",
            "{path}: the name of the picture must end in .svg or .png";
        /// The existing file is not a picture of this kind.
        NoPicture(path: String) =>
            "{path} は既にあり、その形式の画像ではないため、上書きしません。",
            "{path} already exists and is not a picture of that kind";
    }
}

sentences! {
    /// Returns the remark that games of a group do not count. `first` is the path of one of them; empty for none.
    pub fn not_counted(games: usize, group: GameGroup, first: &str; lang) =>
        "数えない対局 {games}: {group}{first}", "not counted: {games} {group}{first}",
        group = group.text(lang), first = first_record(first, lang);

    /// Returns the remark that games count, although they are unusual. `first` is the path of one of them; empty for
    /// none.
    pub fn counted(games: usize, group: GameGroup, first: &str; lang) =>
        "数えた対局のうち {games}: {group}{first}", "counted, but note: {games} {group}{first}",
        group = group.text(lang), first = first_record(first, lang);

    /// Returns why an engine has no curve.
    pub fn no_curve(engine: &str, reason: NoCurveReason; lang) =>
        "{engine}: K を求められません。{reason}。", "{engine}: no K can be fitted, because {reason}", reason = reason.text(lang);

    /// Returns the message that there are too few games for a curve.
    pub fn few_games(engine: &str, games: usize, missing: u64; lang) =>
        "{engine}: K を求めるには{needed}局必要です（今は{games}局）。",
        "{engine}: K needs {needed} games, not {games}",
        needed = games as u64 + missing;

    /// Returns the label of the loss on games that are not in the fit.
    pub fn tested(engine: &str, games: usize, positions: usize; lang) =>
        "{engine}: 別の{games}局（{positions}局面）での損失", "{engine}: loss on {games} ({positions})" [games: "other game", positions: "position"];

    /// Returns the remark that an engine is not tested.
    pub fn not_tested(engine: &str; lang) =>
        "{engine}: テストしていません。--test に、このエンジンの評価値がある別の対局がありません。",
        "{engine}: not tested, because --test has no other games with its evaluations";

    /// Returns the message that K was saved in a profile.
    pub fn saved(profile: &str, k: f64; lang) =>
        "{profile}の K を {k:.0} にしました。", "the K of {profile} is now {k:.0}", profile = with_particle_space(profile, lang);

    /// Returns the loss of the fitted curve, for a list with the losses of constant values of K.
    pub fn fitted_loss(loss: f64; lang) => "求めた曲線 {loss:.4}", "fitted {loss:.4}";
}

/// Returns the path of the first game of a group, in brackets.
fn first_record(first: &str, lang: Lang) -> String {
    if first.is_empty() {
        String::new()
    } else {
        say!(lang: "（{first} など）", " (such as {first})")
    }
}

/// Returns the name for an engine whose records do not name it.
pub const fn unnamed(lang: Lang) -> &'static str {
    lang.pick("（名前なし）", "(unnamed)")
}

/// Returns the name of the row for all engines together.
pub const fn together(lang: Lang) -> &'static str {
    lang.pick("すべて", "All together")
}

/// Returns the loss of a constant K and the excess of the fitted curve's loss, with its standard error.
pub fn constant_loss(k: f64, [loss, above, error]: [f64; 3]) -> String {
    format!("K={k} {loss:.4} ({above:+.4}±{error:.4})")
}

/// Returns rows as a table with aligned columns. The first column is a name, the others are numbers.
pub fn table(rows: &[Vec<String>]) -> String {
    let count = rows.iter().map(Vec::len).max().unwrap_or_default();
    let width = |column: usize| {
        rows.iter()
            .filter_map(|row| row.get(column))
            .map(|cell| cell.width())
            .max()
    };
    let widths: Vec<usize> = (0..count)
        .map(|column| width(column).unwrap_or_default())
        .collect();
    let mut out = String::new();
    for row in rows {
        for (column, (cell, width)) in row.iter().zip(&widths).enumerate() {
            let space = " ".repeat(width.saturating_sub(cell.width()));
            let cell = if column == 0 {
                format!("{cell}{space}")
            } else {
                format!("  {space}{cell}")
            };
            out.push_str(&cell);
        }
        out.truncate(out.trim_end_matches(' ').len());
        out.push('\n');
    }
    out
}

impl CurveColumn {
    /// The columns in order.
    pub const ALL: [Self; 11] = [
        Self::Engine,
        Self::Games,
        Self::Positions,
        Self::Scale,
        Self::Interval,
        Self::Taken,
        Self::Bonus,
        Self::Loss,
        Self::Loss600,
        Self::CalibrationError,
        Self::Missing,
    ];
}

impl CalibrationRefusal {
    /// Returns the sentence in a language.
    pub fn text(&self, lang: Lang) -> String {
        self.sentence(lang)
    }
}

phrases! {
    /// A word of the picture of a curve.
    pub enum CurveWord {
        Reliability => "予測した先手の勝率（横）と実際（縦）", "Black's predicted win rate (across) and the actual one (up)";
        Positions => "予測ごとの局面数", "Positions for each prediction";
        Curve => "先手から見た評価値（横）と勝率（縦）", "Evaluation for Black (across) and win rate (up)";
    }
}

/// Returns the title of the picture of a curve.
pub fn curve_title(engine: &str, [games, positions]: [usize; 2], lang: Lang) -> String {
    say!(lang: "{engine}　{games}局　{positions}局面", "{engine} · {games} · {positions}" [games: "game", positions: "position"])
}

/// Returns the K of a curve with its interval, and the K to use. Also returns the number of other games on which the
/// curve was tested.
pub fn curve_scale(k: f64, [low, high]: [f64; 2], to_use: f64, tested: Option<usize>, lang: Lang) -> String {
    let tested =
        tested.map(|games| say!(lang: "・別の{games}局で検証", ", tested on {games}" [games: "other game"]));
    let tested = tested.unwrap_or_default();
    say!(lang: "K = {k:.0}（95%区間 {low:.0}–{high:.0}）、使う値 {to_use:.0}{tested}", "K = {k:.0} (95 %: {low:.0}–{high:.0}), to use: {to_use:.0}{tested}")
}

/// Returns a number in a few characters: `950`, `1.2k`, `34k`.
pub fn short_count(count: u64) -> String {
    match count {
        0..1000 => count.to_string(),
        1000..10_000 => format!("{:.1}k", count as f64 / 1000.0),
        _ => format!("{}k", count / 1000),
    }
}
