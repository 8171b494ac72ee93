//! Texts about engines: installation, names, probe results, scales, and the file for a shogi GUI.

use crate::{BUILT_IN_NAME, NameError, Platform};
use shogibar_base::visible::{short, visible};
use shogibar_base::{Lang, say};
use shogibar_engine::failure_text::start_error;
use shogibar_engine::probe::ProbeAnswer;
use shogibar_engine::process::StartError;
use shogibar_shogi::score::WinRateModel;
use std::borrow::Cow;

/// Returns the hint how to install a stronger engine than the built-in one, on this system.
pub const fn hint(system: Platform, lang: Lang) -> &'static str {
    match system {
        Platform::Debian => lang.pick(
            "内蔵エンジンの強さは R2400 ほどです。sudo apt install fairy-stockfish で別のエンジンが入り、見比べられます。\
             はるかに強い「やねうら王」は https://github.com/yaneurao/YaneuraOu/releases から入手できます。",
            "The built-in engine plays at about R2400. `sudo apt install fairy-stockfish` installs another one to \
             compare with, which is found automatically. YaneuraOu, far stronger, is at https://github.com/yaneurao/YaneuraOu/releases",
        ),
        Platform::Unix => lang.pick(
            "内蔵エンジンの強さは R2400 ほどです。はるかに強い「やねうら王」（https://github.com/yaneurao/YaneuraOu/releases）などの USI エンジンを \
             ~/engines に置くか、`shogibar engines add 名前 -- コマンド` で登録してください。",
            "The built-in engine plays at about R2400. Put a far stronger USI engine such as YaneuraOu \
             (https://github.com/yaneurao/YaneuraOu/releases) into ~/engines, or add it with \
             `shogibar engines add NAME -- COMMAND`.",
        ),
        Platform::Windows => lang.pick(
            "内蔵エンジンの強さは R2400 ほどです。はるかに強い「やねうら王」（https://github.com/yaneurao/YaneuraOu/releases）などの USI エンジンを \
             展開し、ドキュメントの engines フォルダーに置くか、`shogibar engines add 名前 -- パス` で登録してください。",
            "The built-in engine plays at about R2400. Unpack a far stronger USI engine such as YaneuraOu \
             (https://github.com/yaneurao/YaneuraOu/releases) into the engines folder in your Documents, or add it with \
             `shogibar engines add NAME -- PATH`.",
        ),
        Platform::MacOs => lang.pick(
            "内蔵エンジンの強さは R2400 ほどです。macOS 用の強い USI エンジン（やねうら王など: \
             https://github.com/yaneurao/YaneuraOu/releases）を「書類」の engines フォルダーに置くか、\
             `shogibar engines add 名前 -- コマンド` で登録してください。",
            "The built-in engine plays at about R2400. Put a stronger USI engine for macOS (YaneuraOu and others: \
             https://github.com/yaneurao/YaneuraOu/releases) into the engines folder in your Documents, or add it with \
             `shogibar engines add NAME -- COMMAND`.",
        ),
    }
}

/// Returns the `id name` of an engine, or the result of a failed probe in brackets.
pub fn answer(answer: &ProbeAnswer, lang: Lang) -> Cow<'_, str> {
    let why = match answer {
        ProbeAnswer::Engine(identity) if identity.name.is_empty() => lang.pick("(名前なし)", "(no name)"),
        ProbeAnswer::Engine(identity) => return short(&identity.name),
        ProbeAnswer::NotUsi => lang.pick("(USI エンジンではありません)", "(not a USI engine)"),
        ProbeAnswer::Ended => lang.pick("(応答せずに終了しました)", "(exited without an answer)"),
        ProbeAnswer::Silent => lang.pick("(応答がありません)", "(does not answer)"),
        ProbeAnswer::NotRun => lang.pick(
            "(ほかの人も置ける場所なので、登録するまで起動しません)",
            "(not started until you add it, because others can put programs there)",
        ),
        ProbeAnswer::NotStarted(StartError::NoFolder(folder)) => {
            let folder = folder.display().to_string();
            let folder = visible(&folder);
            return Cow::Owned(
                say!(lang: "(作業フォルダー {folder} がありません)", "(there is no folder {folder})"),
            );
        }
        ProbeAnswer::NotStarted(_) => lang.pick("(起動できません)", "(cannot be started)"),
    };
    Cow::Borrowed(why)
}

/// Returns the remark that an engine has not answered yet, in brackets.
pub const fn still_waiting(lang: Lang) -> &'static str {
    lang.pick("(まだ応答を待っています)", "(still waiting for its answer)")
}

/// Returns the error of a probe without an answer.
pub fn no_answer(answer: &ProbeAnswer, lang: Lang) -> String {
    match answer {
        ProbeAnswer::NotStarted(why) => start_error(why, lang),
        ProbeAnswer::Silent => say!(lang:
            "応答がありません。引数や評価関数のファイルを確かめてください。",
            "It does not answer. Check its arguments and files."),
        ProbeAnswer::Ended => say!(lang:
            "応答せずに終了しました。引数や評価関数のファイルを確かめてください。",
            "It exited without an answer. Check its arguments and files."),
        _ => say!(lang:
            "USI エンジンではないようです。コマンドを確かめてください。",
            "This does not seem to be a USI engine. Check the command."),
    }
}

/// Returns the explanation of the button that makes the file for a shogi GUI.
pub const fn relay_explanation(lang: Lang) -> &'static str {
    lang.pick(
        "ShogiHome、将棋所、ShogiGUI などに登録するファイルを作り、その場所をコピーします。将棋 GUI がそのファイルを\
         エンジンとして起動すると、対局や検討の評価値がバーに出ます。",
        "Creates a file to register as an engine in ShogiHome, Shogidokoro, ShogiGUI and others, and copies its path. When the \
         GUI starts it, the bar shows its games and analyses.",
    )
}

/// Returns the message that the file for a shogi GUI was made; its path has been copied.
pub fn relay_made(path: &str, lang: Lang) -> String {
    let path = visible(path);
    say!(lang:
        "場所をコピーしました。将棋 GUI のエンジン登録で、このファイルを選んでください: {path}",
        "Copied. Register this file as an engine in the shogi GUI: {path}")
}

/// Returns why the file for a shogi GUI could not be made.
pub fn relay_not_made(error: &std::io::Error, lang: Lang) -> String {
    let why = match error.kind() {
        std::io::ErrorKind::NotFound => relay_missing(lang).to_owned(),
        _ => shogibar_base::file_error_text::io_error(error, lang),
    };
    say!(lang: "将棋 GUI 用のファイルを作れません: {why}", "The file for a shogi GUI cannot be made: {why}")
}

/// Returns the hint where the program of the relay has to be, if it is missing.
pub const fn relay_missing(lang: Lang) -> &'static str {
    lang.pick(
        "shogibar-usi を shogibar と同じフォルダーに置いてください。配布パッケージには両方が入っています。ソースからは cargo build --release で両方ができます。",
        "Put shogibar-usi in the same folder as shogibar. The packages contain both; `cargo build --release` builds both.",
    )
}

/// Returns why an engine cannot have a name.
pub fn name_error(error: &NameError, lang: Lang) -> String {
    match error {
        NameError::Unknown(name) => say!(lang:
            "「{name}」というエンジンはありません。", "There is no engine called '{name}'."),
        NameError::Taken(name) => say!(lang:
            "「{name}」という名前のエンジンがすでにあります。", "There is already an engine called '{name}'."),
        NameError::BuiltIn => say!(lang:
            "「{BUILT_IN_NAME}」は内蔵エンジンの名前です。", "'{BUILT_IN_NAME}' is the name of the built-in engine."),
        NameError::Empty => say!(lang: "名前を入力してください。", "Enter a name."),
    }
}

/// Returns the message for a file dialog that cannot be opened.
pub const fn no_dialog(lang: Lang) -> &'static str {
    lang.pick(
        "ファイルを選ぶ画面を開けません。ファイルをこの画面にドロップするか、コマンドで追加してください。",
        "No file dialog can be opened here. Drop the file on this window, or add the engine with a command.",
    )
}

/// Returns the explanation of the scale K.
pub const fn scale(lang: Lang) -> &'static str {
    lang.pick(
        "評価値を勝率に直す係数 K です。勝率 = 1 ÷ (1 + e^(−評価値/K))。同じ評価値でもエンジンによって意味が違うため、\
         エンジンごとに決めます。小さいほど勝率が大きく動きます。エンジンが Eval_Coef を持つときは、その値を使います。",
        "The scale K that turns an evaluation into a win rate: 1 / (1 + exp(-cp / K)). The same evaluation means different \
         things to different engines, so each has its own K. A smaller K makes the win rate move more. If an engine has the \
         option Eval_Coef, that value is used.",
    )
}

/// Returns the sentence about the K that fits the games of the user. The array holds this K, half the width of its
/// interval, and the K in use.
pub fn user_fit([k, half, today]: [f64; 3], games: usize, lang: Lang) -> String {
    say!(lang:
        "自分の対局では K = {k:.0} ± {half:.0}（{games}局から。今は {today:.0}）",
        "Your games: K = {k:.0} ± {half:.0} from {games}; now {today:.0}" [games: "game"])
}

/// Returns the number of games that are missing for a fit to the user's games.
pub fn too_few_games(games: usize, missing: usize, lang: Lang) -> String {
    say!(lang:
        "勝敗のついた自分の対局 {games}局。あと{missing}局で K を求められます。",
        "{games} of yours. K can be fitted after {missing} more." [games: "finished game"])
}

/// Returns the message that games do not count, because they were, or may have been, evaluated by another net.
pub fn games_of_another_net(games: usize, lang: Lang) -> String {
    say!(lang:
        "評価関数（または FV_SCALE）が今と違うか、同じとわからない{games}局は数えていません。",
        "{games}: their net (or FV_SCALE) is different, or may be."
        [games: "game does not count" | "games do not count"])
}

/// Returns the warning that the scale in use was fitted to another net.
pub const fn fitted_to_another_net(lang: Lang) -> &'static str {
    lang.pick(
        "今の K は、別の評価関数（または FV_SCALE）での対局から求めたものです。",
        "The K in use was fitted to games with another net (or FV_SCALE).",
    )
}

/// Returns the label of the button that takes the fitted scale.
pub const fn take_fit(lang: Lang) -> &'static str {
    lang.pick("この K を使う", "Use this K")
}

/// Returns the source of a [preset model](WinRateModel::PRESETS). Returns `None` for other models.
pub fn scale_preset(model: WinRateModel, lang: Lang) -> Option<&'static str> {
    const SOURCES: [(&str, &str); WinRateModel::PRESETS.len()] = [
        (
            "ふかうら王の Eval_Coef の既定値",
            "the default Eval_Coef of FukauraOu",
        ),
        (
            "Ponanza 以来の慣例。ShogiHome などの既定値",
            "the convention since Ponanza; the default of ShogiHome and others",
        ),
        ("ShogiDroid の値", "the value of ShogiDroid"),
        (
            "dlshogi の学習に使われる値（elmo の評価値と勝敗から求めたもの）",
            "the value in dlshogi's training, fitted to elmo's evaluations and results",
        ),
        (
            "tayayan の評価値バーの値",
            "the value of tayayan's evaluation bar",
        ),
        ("lishogi の値", "the value of lishogi"),
    ];
    let (_, (ja, en)) = WinRateModel::PRESETS
        .iter()
        .zip(SOURCES)
        .find(|(preset, _)| (preset.k() - model.k()).abs() < 0.01)?;
    Some(lang.pick(ja, en))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_program_that_cannot_be_started_has_the_sentence_of_its_start_error() {
        let answer = ProbeAnswer::NotStarted(StartError::NotFound("水匠".into()));
        let expect =
            "エンジン「水匠」が見つかりません。名前かパスを確認してください（一覧は shogibar engines）。";
        assert_eq!(no_answer(&answer, Lang::Ja), expect);
    }

    #[test]
    fn every_preset_scale_names_its_source() {
        let check = |k, expect| assert_eq!(scale_preset(WinRateModel::new(k), Lang::Ja), expect, "{k}");
        check(285.0, Some("ふかうら王の Eval_Coef の既定値"));
        check(1428.57, Some("lishogi の値"));
        check(500.0, None);
        assert!(
            WinRateModel::PRESETS
                .iter()
                .all(|model| scale_preset(*model, Lang::En).is_some())
        );
    }
}
