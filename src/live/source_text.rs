//! Sources of live games: their addresses, their states, and their problems.

use crate::{AddressError, EndCause, RedirectRefusal, ScreenState, SourceProblem, SourceState};
use shogibar_base::visible::{given, short, visible};
use shogibar_base::{Lang, messages, phrases, say, sentences};
use shogibar_kifu::UnreadableRecord;
use std::time::Duration;

messages! {
    /// A message about the source of a game.
    #[derive(Clone, Debug, PartialEq, Eq)]
    pub enum SourceRemark in lang {
        /// No game has arrived yet.
        Waiting => "対局を待っています…", "Waiting for the game…";
        /// The user has to choose one of this number of games.
        Choose(count: usize) =>
            "対局が{count}局あります。どれを表示するか選んでください。",
            "Games to choose from: {count}. Choose one.";
        /// The source has this number of games, and the newest, with this title, is followed.
        Newest(count: usize, title: String) =>
            "{count}局のうち、最新の「{title}」を表示します。",
            "Of {count} games, the newest is shown: {title}";
        /// There is no game to choose from.
        NoGames =>
            "進行中の対局がありません。始まるのを待っています…", "No game is being played. Waiting for one to begin…";
        Live => "対局を追っています。", "Following the game.";
        Withheld =>
            "対局を追っています（最新の数手は公開されていません）。",
            "Following the game. The last few moves are not public yet.";
        /// The game was copied to the clipboard.
        Copied => "クリップボードの棋譜です。", "From the clipboard.";
        /// The state of reading the screen.
        Screen(state: ScreenState) => { screen_state(state, lang) };
        FollowsEverything => "画面の盤の、再生や変化も追います。", "Every position on the screen is followed now, including replays and variations.";
        FollowsGame => "画面の盤の、本譜だけを追います。", "Only the game on the screen is followed.";
        /// The side at the bottom of the board was switched. `true`: White is at the bottom.
        TurnsPicture(is_rotated: bool) =>
            "画面の手前を{side}として読みます。", "The board on the screen is read with {side} at the bottom.",
            side = if *is_rotated { lang.pick("後手", "White") } else { lang.pick("先手", "Black") };
        /// The user's correction of a position cannot be applied.
        NotCorrected =>
            "読み取った局面が変わったか、あとの指し手と合わないため、直せませんでした。もう一度入れてください。",
            "The position has changed, or later moves do not fit it, so your correction was not used. Enter it again.";
        NoScreen => "画面の盤は読み取っていません。", "No board on the screen is being read.";
        /// The source is out of reach, and is tried again after this time.
        Lost(why: SourceProblem, retry: Duration) =>
            "{why}{retry}", "{why} {retry}", why = problem(why, lang), retry = retry_after(*retry, lang);
        /// The source has ended.
        Ended(cause: EndCause) => { end_cause(cause, lang) };
        /// An address that the user has opened failed before it had a game.
        NotOpened(address: String, cause: EndCause) =>
            "{address} を開けません。{why}", "{address} cannot be opened. {why}", address = given(address), why = end_cause(cause, lang);
        NextGame => "次の対局に移りました。", "The next game has begun.";
    }
}

impl SourceRemark {
    /// Creates the message about the state of a source. `is_withheld`: whether the source withholds the last moves.
    pub fn from_state(state: &SourceState, is_withheld: bool) -> Self {
        match state {
            SourceState::Waiting => Self::Waiting,
            SourceState::Live if is_withheld => Self::Withheld,
            SourceState::Live => Self::Live,
            SourceState::Screen(state) => Self::Screen(state.clone()),
            SourceState::Lost { problem, retry_in } => Self::Lost(problem.clone(), *retry_in),
            SourceState::Ended(cause) => Self::Ended(cause.clone()),
        }
    }

    /// Returns the sentence in a language.
    pub fn text(&self, lang: Lang) -> String {
        visible(&self.sentence(lang)).into_owned()
    }

    /// Returns the sentence for a bar that others may be watching: without hosts and files.
    pub fn on_air(&self, lang: Lang) -> String {
        match self {
            Self::NotOpened(_, cause) => {
                let why = Self::Ended(cause.clone()).on_air(lang);
                say!(lang: "URL を開けません。{why}", "The address cannot be opened. {why}")
            }
            Self::Lost(SourceProblem::Redirect(_), retry) => {
                Self::Lost(SourceProblem::NotFound, *retry).text(lang)
            }
            Self::Ended(EndCause::Refused(SourceProblem::Redirect(_))) => {
                Self::Ended(EndCause::Refused(SourceProblem::NotFound)).text(lang)
            }
            _ => self.text(lang),
        }
    }
}

phrases! {
    /// A text about addresses of games.
    pub enum SourcePhrase {
        Address => "URL", "Address";
        Hint =>
            "https://…  csa://名前@サーバー/対局  フォルダーやファイル",
            "https://…  csa://NAME@SERVER/GAME  a folder or file";
        Follow => "開く", "Open";
        Recent => "最近の URL", "Recent addresses";
        Choose => "対局を選ぶ…", "Choose a game…";
        Screen => "画面の盤", "Board on the screen";
        Clipboard => "クリップボード", "Clipboard";
        Manners =>
            "プロの対局の棋譜には権利者がいます。個人で見るだけなら問題ありませんが、配信での利用や転載の前に主催者の規約を確認してください。\
             アクセスの間隔は自動で空けます。",
            "Records of professional games have owners. Watching them yourself is fine; read the organiser's terms before \
             you broadcast or republish one. Requests are spaced out automatically.";
    }
}

sentences! {
    /// Returns the time until a source is tried again.
    fn retry_after(pause: Duration; lang) => "{time}以内にもう一度試します。", "Trying again within {time}.", time = duration(pause, lang);
}

/// Returns a time in seconds, or above 90 s in minutes, rounded up.
fn duration(time: Duration, lang: Lang) -> String {
    let seconds = time.as_secs() + u64::from(time.subsec_nanos() > 0);
    match seconds {
        0..=90 => say!(lang: "{seconds}秒", "{seconds} s"),
        _ => say!(lang: "{minutes}分", "{minutes} min", minutes = seconds.div_ceil(60)),
    }
}

fn end_cause(cause: &EndCause, lang: Lang) -> String {
    match cause {
        EndCause::GameOver => lang.pick("対局は終わりました。", "The game is over.").to_owned(),
        EndCause::Stopped => lang
            .pick(
                "画面の盤の読み取りをやめました。「画面の盤を読み取る」を選ぶと、続きを読みます。",
                "The board on the screen is no longer read. Choose “Read a board off the screen” to continue.",
            )
            .to_owned(),
        EndCause::Unchanged => lang
            .pick(
                "1時間動きがないため、追うのをやめました。もう一度開くと再開します。",
                "Nothing has changed for an hour, so it is no longer followed. Open the address again to continue.",
            )
            .to_owned(),
        EndCause::Gone => {
            lang.pick("この対局はサーバーからなくなりました。", "The game is no longer on the server.").to_owned()
        }
        EndCause::Refused(why) => problem(why, lang),
    }
}

/// The title of the window of the first bar. The titles of other bars begin with it. Recording programs, such as OBS,
/// find the windows by their titles.
pub const BAR_TITLE: &str = "Shogibar";

/// Returns the names of windows of this program in a language, from their titles. A bar has the name of the program as
/// its title.
fn windows(titles: &[String], lang: Lang) -> String {
    let name = |title: &String| {
        let number = title.strip_prefix(BAR_TITLE).map(str::trim);
        let is_bar = number.is_some_and(|number| number.chars().all(|c| c.is_ascii_digit()));
        let title = short(title);
        if is_bar {
            lang.pick("評価値バー", "the bar").to_owned()
        } else {
            say!(lang: "「{title}」", "“{title}”")
        }
    };
    let mut names: Vec<String> = titles.iter().map(name).collect();
    names.dedup();
    names.join(lang.pick("、", ", "))
}

/// Returns the state of reading the screen, and what the user can do, as a sentence.
fn screen_state(state: &ScreenState, lang: Lang) -> String {
    let (ja, en) = match state {
        ScreenState::Hidden(count) => {
            return say!(lang: "画面の盤の{count}マスが隠れています。", "Hidden squares of the board on the screen: {count}.");
        }
        ScreenState::Covered(count, titles) => {
            let windows = windows(titles, lang);
            return say!(lang:
                "{count}マスがこのソフトのウィンドウ（{windows}）に隠れています。盤の外へ動かしてください。",
                "{count} squares are covered by a window of this program ({windows}). Move it off the board on the screen."
            );
        }
        ScreenState::Searching(titles) if !titles.is_empty() => {
            let windows = windows(titles, lang);
            return say!(lang:
                "画面から盤を探しています…このソフトのウィンドウ（{windows}）が盤に重なっていたら、動かしてください。",
                "Looking for a board on the screen… If a window of this program ({windows}) covers it, move it away."
            );
        }
        ScreenState::Searching(_) => (
            "画面から盤を探しています…盤がウィンドウに隠れないようにしてください。",
            "Looking for a board on the screen… Keep it clear of other windows, including these.",
        ),
        ScreenState::Moving => (
            "画面の動きが止まるのを待っています…",
            "Waiting for the picture to settle…",
        ),
        ScreenState::Gone => (
            "画面に盤が見えません。戻れば続きを読みます。",
            "The board is out of view. Reading resumes when it is back.",
        ),
        ScreenState::Away => (
            "画面は本譜ではない局面です。変化も追うには「画面の変化も追う」を選んでください。",
            "The screen shows a position that is not in the game. Choose “Follow everything on the screen” to follow it, too.",
        ),
        ScreenState::NoKing => (
            "画面の盤に玉がそろっていないので、評価できません。そろえば続きを読みます。",
            "A king is missing on the board on the screen, so it cannot be evaluated. Reading resumes when both are there.",
        ),
        ScreenState::Rotated => (
            "画面の盤は上下が逆のようです。「画面の盤の上下を入れ替える」を選んでください。",
            "The board on the screen seems to have White at the bottom. Choose “Swap the sides of the screen's board”.",
        ),
        ScreenState::PartUnknown(doubt) => {
            let doubt = doubt.text(lang);
            return say!(lang:
                "{doubt}です。「読み取った局面を直す」で入れてください。",
                "Not known yet: {doubt}. Enter it with “Correct the board being read”."
            );
        }
    };
    lang.pick(ja, en).to_owned()
}

fn problem(problem: &SourceProblem, lang: Lang) -> String {
    let (ja, en) = match problem {
        SourceProblem::NotARecord(error) => {
            let why = UnreadableRecord::from(error).sentence(lang);
            return say!(lang: "棋譜として読めません: {why}", "It cannot be read as a game record: {why}");
        }
        SourceProblem::Status(status) => {
            return say!(lang:
                "サーバーがエラーを返しました（HTTP {status}）。", "The server answered with an error (HTTP {status}).");
        }
        SourceProblem::Redirect(refusal) => return redirect_refusal(refusal, lang),
        SourceProblem::NotFound => (
            "見つかりません。URL を確かめてください。",
            "It was not found. Check the address.",
        ),
        SourceProblem::Denied => ("アクセスが許可されていません。", "Access is denied."),
        SourceProblem::Locked => (
            "ファイルをほかのプログラムが使用中です。",
            "Another program has locked the file.",
        ),
        SourceProblem::NoRecordInDocument => (
            "このページに棋譜が見つかりません。棋譜の URL を入力してください。",
            "No game record was found on this page. Enter the address of the record itself.",
        ),
        SourceProblem::GameGone => (
            "追っていた対局が見つからなくなりました。最後の局面を表示しています。",
            "The game that was followed is gone. Its last position is shown.",
        ),
        SourceProblem::EmptyFolder => (
            "フォルダーに棋譜がまだありません。",
            "There is no game record in the folder yet.",
        ),
        SourceProblem::TooLarge => ("棋譜としては大きすぎます。", "It is too large for a game record."),
        SourceProblem::HeadersTooLarge | SourceProblem::LineTooLong | SourceProblem::Protocol => (
            "サーバーの応答を理解できません。URL を確かめてください。",
            "The server's answer was not understood. Check the address.",
        ),
        SourceProblem::TooManyRequests => (
            "サーバーがアクセスを控えるよう求めています。",
            "The server asks for fewer requests.",
        ),
        SourceProblem::Timeout => ("サーバーから応答がありません。", "The server does not answer."),
        SourceProblem::Unreachable => ("サーバーに接続できません。", "The server cannot be reached."),
        SourceProblem::UnknownHost => (
            "サーバー名が見つかりません。URL とネットワークを確かめてください。",
            "The server's name is not known. Check the address and the network.",
        ),
        SourceProblem::Insecure => (
            "安全に接続できません（証明書の問題）。",
            "There is no secure connection: the server's certificate is not valid.",
        ),
        SourceProblem::Truncated => ("応答が途中で切れました。", "The answer was cut off."),
        SourceProblem::Proxy => (
            "プロキシに接続できません。ネットワークの設定を確かめてください。",
            "The proxy does not work. Check the network settings.",
        ),
        SourceProblem::WrongLogin => (
            "名前かパスワードが受け付けられませんでした。URL を入力し直してください。",
            "The server refused the name or password. Enter the address again.",
        ),
        SourceProblem::NameInUse => (
            "その名前は使用中です。URL の名前を変えてください。",
            "The name is in use on the server. Choose another name in the address.",
        ),
        SourceProblem::NoSuchGame => (
            "その対局はサーバーにありません。",
            "There is no such game on the server.",
        ),
        SourceProblem::Closed => (
            "サーバーが接続を切りました。",
            "The server closed the connection.",
        ),
        SourceProblem::ScreenNotReadable => (
            "この環境では画面を読み取れません（Windows と、Linux の X11 で使えます）。URL やファイルの棋譜は開けます。",
            "The screen cannot be read here; that works on Windows and on Linux with X11. Addresses and files of games can be opened.",
        ),
        SourceProblem::AreaGone => (
            "読み取る範囲が画面の外です。範囲を変えるか、範囲を指定せずに読み取ってください。",
            "The area to read is not on the screen. Change it, or read the screen without an area.",
        ),
        SourceProblem::ScreenGone => (
            "画面を読み取れません。ロックされていれば、解除してください。",
            "The screen cannot be read now. If it is locked, unlock it.",
        ),
        SourceProblem::System => ("この環境では開けません。", "The system does not allow it."),
    };
    lang.pick(ja, en).to_owned()
}

/// Returns why a redirect was not followed, as a sentence.
fn redirect_refusal(refusal: &RedirectRefusal, lang: Lang) -> String {
    match refusal {
        RedirectRefusal::OtherHost(address) => say!(lang:
            "別のサーバーに転送されます。信頼できるサーバーなら、次の URL を開いてください: {address}",
            "It redirects to another server. If you trust that one, open this address: {address}"),
        RedirectRefusal::Local => lang
            .pick(
                "転送先がこのコンピューターか同じネットワークの機器なので、開きません。",
                "It redirects into your own network, so it is not followed.",
            )
            .to_owned(),
        RedirectRefusal::Scheme => lang
            .pick(
                "転送先が安全な URL ではないので、開きません。",
                "It redirects to an address that is not secure, so it is not followed.",
            )
            .to_owned(),
        RedirectRefusal::TooMany => lang
            .pick(
                "転送が多すぎます。URL を確かめてください。",
                "There are too many redirects. Check the address.",
            )
            .to_owned(),
    }
}

/// Returns why an address cannot be used.
pub fn address_error(error: AddressError, lang: Lang) -> &'static str {
    let (ja, en) = match error {
        AddressError::Empty => ("URL を入力してください。", "Enter an address."),
        AddressError::TooLong => ("URL が長すぎます。", "The address is too long."),
        AddressError::Scheme => (
            "この種類の URL には対応していません。https://、http://、csa:// で始まるものを入力してください。",
            "Addresses of this kind are not supported. Use one that begins with https://, http:// or csa://.",
        ),
        AddressError::Screen => (
            "画面の範囲は screen:左,上,幅,高さ（90ピクセル以上）で入力してください。",
            "Give the area of the screen as screen:LEFT,TOP,WIDTH,HEIGHT, 90 pixels at least.",
        ),
        AddressError::Web => (
            "Web の URL が正しくありません。",
            "The web address is not valid. Check the name of the server.",
        ),
        AddressError::CsaHost => (
            "CSA サーバーの名前かポート番号が正しくありません（csa://名前@サーバー:4081/対局）。",
            "The server or port is not valid. Write csa://NAME@SERVER:4081/GAME.",
        ),
        AddressError::CsaName => (
            "サーバーで使う名前を、空白なしの半角で入力してください（csa://名前@サーバー/対局）。",
            "Give the name to use on the server, without blanks: csa://NAME@SERVER/GAME.",
        ),
        AddressError::CsaPassword => (
            "パスワードに使えない文字があります。",
            "The password has characters that the server does not accept.",
        ),
        AddressError::CsaGame => (
            "対局の ID が正しくありません。",
            "The id of the game is not valid.",
        ),
        AddressError::CsaFile => (
            "?file= の後の、棋譜の URL が正しくありません。",
            "The record's address after ?file= is not valid.",
        ),
    };
    lang.pick(ja, en)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_lost_source_states_the_next_attempt() {
        let lost = |problem, seconds| SourceRemark::Lost(problem, Duration::from_secs(seconds));
        let check = |remark: &SourceRemark, ja: &str, en: &str| {
            assert_eq!([remark.text(Lang::Ja), remark.text(Lang::En)], [ja, en]);
        };
        check(
            &lost(SourceProblem::Unreachable, 20),
            "サーバーに接続できません。20秒以内にもう一度試します。",
            "The server cannot be reached. Trying again within 20 s.",
        );
        check(
            &lost(SourceProblem::Status(500), 300),
            "サーバーがエラーを返しました（HTTP 500）。5分以内にもう一度試します。",
            "The server answered with an error (HTTP 500). Trying again within 5 min.",
        );
    }

    #[test]
    fn nothing_on_air_names_a_host() {
        let refusal =
            || SourceProblem::Redirect(RedirectRefusal::OtherHost("https://other.example/x".to_owned()));
        for lang in [Lang::Ja, Lang::En] {
            let refused = || EndCause::Refused(refusal());
            for remark in [
                SourceRemark::Lost(refusal(), Duration::ZERO),
                SourceRemark::Ended(refused()),
                SourceRemark::NotOpened("http://other.example/".to_owned(), refused()),
            ] {
                assert!(!remark.on_air(lang).contains("other"), "{remark:?}");
                assert!(
                    remark.text(lang).contains("https://other.example/x"),
                    "{remark:?}"
                );
            }
        }
    }
}
