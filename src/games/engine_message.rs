//! Messages about an engine and its search.

use crate::bar::BarNotice;
use shogibar_base::visible::{visible, without_passwords};
use shogibar_base::{CauseText, Lang, messages, say};
use shogibar_engine::failure_text::{self, failure, not_started};
use shogibar_engine::option_text;
use shogibar_engine::options::RejectedOption;
use shogibar_engine::session::FailureKind;
use shogibar_shogi::Unsearchable;
use shogibar_shogi::position_text::unsearchable;
use std::time::Duration;

messages! {
    /// A sentence about an engine and its search.
    #[derive(Clone, Debug, PartialEq)]
    pub enum EngineMessage in lang {
        /// The engine was started this many seconds ago and has not answered.
        Starting(waited: u64) =>
            "エンジンを起動しています…{waited}", "Starting the engine…{waited}", waited = seconds(*waited, lang);
        /// The engine was started this many seconds ago and is loading.
        Preparing(waited: u64) =>
            "エンジンが準備しています…{waited}",
            "The engine is getting ready…{waited}", waited = seconds(*waited, lang);
        /// The engine, or its connection, has been silent for this many seconds.
        Silent(seconds: u64) =>
            "エンジンから{seconds}秒間応答がありません。待っています…",
            "The engine has not answered for {seconds} s. Waiting…";
        /// The engine is running, but paused.
        Paused => "一時停止中です（Space で再開します）。", "Paused. Press Space to resume.";
        /// The GUI has ended the engine behind a relay.
        RelayEnded => "エンジンとの接続が切れました。", "The engine has disconnected.";
        /// The engine failed and will be restarted; holds the failure, the pause before the restart, and its number.
        StartsAgain(why: Box<Self>, pause: Duration, nth: u32) =>
            "{why}{pause}起動し直します（{nth}回目）。", "{why} Restarting it{pause} (restart {nth}).",
            why = why.sentence(lang), pause = after_pause(*pause, lang);
        /// The engine failed and was restarted this many seconds ago; holds the failure.
        StartedAgain(why: Box<Self>, waited: u64) =>
            "{why}起動し直しています…{waited}", "{why} Restarting it…{waited}",
            why = why.sentence(lang), waited = seconds(*waited, lang);
        /// The engine failed again after all restarts. Holds the failure and the number of restarts.
        GivenUp(why: Box<Self>, times: u32) =>
            "{why}{times}回起動し直しましたが、続きません。",
            "{why} It was restarted {times} without success." [times: "time"], why = why.sentence(lang);
        /// The engine failed.
        Failed(kind: FailureKind) => { failure(kind, lang) };
        /// An engine cannot be started; holds its name and the cause.
        NotStarted(engine: String, why: CauseText) => { not_started(engine, why, lang) };
        /// The program of this name does not speak USI.
        NotUsi(name: String) =>
            "「{name}」の出力は USI ではありません。別のエンジンを選んでください。",
            "The output of '{name}' is not USI. Choose another engine.";
        /// The engine finished its search without a move.
        NoMove => "エンジンは指し手を示しませんでした。", "The engine returned no move.";
        /// Some options of the user were not sent to the engine. Holds the number of these options, and the first one.
        OptionsRejected(count: usize, first: RejectedOption) =>
            "このエンジンに合わず、送らなかった設定があります（{count}件）。{first}",
            "Settings that do not fit this engine were not sent ({count}). {first}",
            first = option_text::rejected_option(first, lang);
        Unsearchable(why: Unsearchable) =>
            "この局面はエンジンに渡せません: {why}",
            "This position cannot be sent to an engine: {why}", why = unsearchable(*why, lang);
        /// The position is a problem whose attacker has no king: no engine evaluates it, but a mate can be searched.
        MatingProblem =>
            "詰将棋です。評価値はありません。検討画面の「詰みはあるか」（Ctrl+L）で解けます。",
            "A mating problem: it has no evaluation. \"Is there a mate?\" on the study page (Ctrl+L) solves it.";
    }
}

impl EngineMessage {
    /// Returns the notice on a bar.
    pub fn notice(&self, lang: Lang) -> BarNotice {
        BarNotice::from_texts(self.on_air(lang), self.text(lang))
    }

    /// Returns the sentence in a language, without the passwords of addresses in it.
    pub fn text(&self, lang: Lang) -> String {
        visible(&without_passwords(&self.sentence(lang))).into_owned()
    }

    /// Returns the sentence for a bar that others may be watching. The sentence has no path, option, id or line of an
    /// engine.
    pub fn on_air(&self, lang: Lang) -> String {
        let plain = match self {
            Self::StartsAgain(..) | Self::StartedAgain(..) => lang
                .pick("エンジンを再起動しています…", "Restarting the engine…")
                .to_owned(),
            Self::Failed(kind) => failure_text::on_air(kind, lang).to_owned(),
            Self::GivenUp(why, _) => why.on_air(lang),
            Self::NotUsi(_) | Self::NotStarted(..) => {
                failure_text::on_air(&FailureKind::NotUsi, lang).to_owned()
            }
            Self::OptionsRejected(count, _) => say!(lang:
                "エンジンに合わない設定があります（{count}件）。エンジンの画面（N）で確かめてください。",
                "Settings that do not fit the engine: {count}. Press N to see them."),
            _ => return self.text(lang),
        };
        visible(&plain).into_owned()
    }
}

/// Returns a waiting time in seconds, for the end of a sentence; empty for 0.
fn seconds(waited: u64, lang: Lang) -> String {
    if waited == 0 {
        String::new()
    } else {
        format!(" {waited}{}", lang.pick("秒", " s"))
    }
}

/// Returns the pause before an action, for the middle of a sentence.
fn after_pause(pause: Duration, lang: Lang) -> String {
    match pause.as_secs() {
        0 => say!(lang: "すぐに", " at once"),
        seconds => say!(lang: "{seconds}秒後に", " in {seconds} s"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use shogibar_engine::options::RejectReason;
    use shogibar_engine::process::{ExitReason, StartError};
    use shogibar_shogi::{PieceKind, Square};

    #[test]
    fn nothing_on_air_names_a_path_or_a_word_of_usi() {
        let path = || "/opt/engines/YaneuraOu".to_owned();
        let why = || CauseText::from("/opt/engines/YaneuraOu: usiok".to_owned());
        let failures = [
            FailureKind::NotStarted(StartError::NotFound(path().into())),
            FailureKind::NotStarted(StartError::NoFolder(path().into())),
            FailureKind::EndedAtOnce(Some(ExitReason::Code(1))),
            FailureKind::NoUsiOk(10),
            FailureKind::NotUsi,
            FailureKind::NoReadyOk(10),
            FailureKind::NoStop,
            FailureKind::NotReading,
            FailureKind::Crashed(Some(ExitReason::Signal(11))),
        ];
        let rejected = RejectedOption {
            name: "EvalDir".to_owned(),
            value: path(),
            reason: RejectReason::Gone,
        };
        let mut messages = vec![
            EngineMessage::OptionsRejected(2, rejected),
            EngineMessage::NotUsi(path()),
            EngineMessage::NotStarted(path(), why()),
        ];
        for kind in failures {
            let failed = || Box::new(EngineMessage::Failed(kind.clone()));
            messages.push(EngineMessage::GivenUp(failed(), 5));
            messages.push(EngineMessage::StartsAgain(failed(), Duration::from_secs(2), 1));
            messages.push(EngineMessage::StartedAgain(failed(), 3));
            messages.push(EngineMessage::Failed(kind));
        }
        for message in messages {
            for lang in [Lang::Ja, Lang::En] {
                let text = message.on_air(lang);
                let words = [
                    "/",
                    "\\",
                    "usi",
                    "USI",
                    "EvalDir",
                    "readyok",
                    "stop に",
                    "code",
                    "コード",
                    "シグナル",
                ];
                let found = words.into_iter().find(|word| text.contains(word));
                assert_eq!(found, None, "{message:?}: {text}");
            }
        }
        let restart = EngineMessage::StartedAgain(Box::new(EngineMessage::Failed(FailureKind::NoStop)), 3);
        assert_eq!(restart.on_air(Lang::Ja), "エンジンを再起動しています…");
    }

    #[test]
    fn position_errors_name_pieces_and_squares() {
        let check = |why, ja: &str| {
            let text = EngineMessage::Unsearchable(why).text(Lang::Ja);
            assert_eq!(text, format!("この局面はエンジンに渡せません: {ja}"));
        };
        check(
            Unsearchable::TooMany(PieceKind::Rook),
            "駒（飛）の枚数が多すぎます。",
        );
        check(
            Unsearchable::DeadPiece(Square::new(1, 8).unwrap()),
            "1八に行き所のない駒があります。",
        );
        check(Unsearchable::TwoPawns(3), "3筋が二歩になっています。");
    }
}
