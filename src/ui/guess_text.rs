//! Texts of the guesses at better moves.

use shogibar_base::{Lang, phrases, sentences};

phrases! {
    /// A text of the exercise in which the user guesses better moves.
    pub enum GuessPhrase {
        Guess => "次の一手", "Guess the move";
        About =>
            "自分のミスの直前の局面で、よりよい手を考えて指します。棋譜は変わりません。",
            "Find a better move at each of your mistakes. The record stays as it is.";
        WhoseMistakes => "どちらのミスを解きますか？", "Whose mistakes?";
        Both => "両方", "Both";
        Nothing =>
            "解き直せるミスがありません。一局解析をすると、ミスと最善手が記録されます。",
            "There are no mistakes with a better move. Analyse the game first.";
        Play => "よりよい手を盤に指してください。", "Play a better move on the board.";
        Judging => "エンジンで調べています…", "The engine is checking it…";
        Right => "正解！", "Right!";
        IsBest => "最善手です。", "It is the best move.";
        AsPlayed => "実戦と同じ手です。", "That is the move played in the game.";
        Unknown =>
            "最善手ではありません。どれだけ損かは、エンジンがないのでわかりません。",
            "It is not the best move. Without an engine its loss is unknown.";
        Answer => "最善は", "Better was";
        ShowAnswer => "答えを見る", "Show the answer";
        Retry => "もう一度", "Try again";
        Next => "次の問題", "Next";
        Result => "結果を見る", "Result";
        Again => "最初から", "Start again";
        Close => "終わる", "Finish";
        Deck => "ミス集", "Your mistakes";
        DeckAbout =>
            "これまでの棋譜のミスを集めて解きます。正解すると1・3・7・21日後にまた出て、間違えると翌日に出ます。見つけやすかった手から、損の大きい順です。",
            "Mistakes from many games. A solved one returns after 1, 3, 7 and 21 days, a failed one the next day. Those that were easy to find come first, then the costliest.";
        Player => "対局者", "Player";
        PlayerHint => "名前の一部（空欄なら両者）", "Part of the name (empty: both)";
        Folder => "フォルダー", "Folder";
        FolderHint => "解析済みの棋譜のフォルダー", "A folder of analysed records";
        ChooseFolder => "選ぶ…", "Choose…";
        AddGame => "この棋譜のミスを加える", "Add those of this game";
        AddFolder => "フォルダーのミスを加える", "Add those of the folder";
        NoFolder => "そのフォルダーはありません。", "There is no such folder.";
        NothingAdded => "新しいミスはありませんでした。", "There were no new mistakes.";
    }
}

/// Returns the label of the button for the questions of the day: `今日の問題を解く（7）`, `今日の問題を解く（70のうち50）`.
pub fn today(due: usize, max_questions: usize, lang: Lang) -> String {
    if due > max_questions {
        some_today(due, max_questions, lang)
    } else {
        all_today(due, lang)
    }
}

sentences! {
    /// Returns the label if all questions of the day are asked.
    fn all_today(due: usize; lang) => "今日の問題を解く（{due}）", "Solve today's ({due})";

    /// Returns the label if only some questions of the day are asked.
    fn some_today(due: usize, max_questions: usize; lang) => "今日の問題を解く（{due}のうち{max_questions}）", "Solve {max_questions} of today's {due}";

    /// Returns a side with the number of its mistakes: `先手（3）`.
    pub fn side(name: &str, count: usize; lang) => "{name}（{count}）", "{name} ({count})";

    /// Returns the number of the question: `3 / 7問`.
    pub fn number(number: usize, count: usize; lang) => "{number} / {count}問", "{number} of {count}";

    /// Returns the move of the game: `87手目　実戦は▲9六玉（悪手 −26点）`.
    pub fn played(ply: u16, move_with_loss: &str; lang) =>
        "{ply}手目　実戦は {move_with_loss}", "Move {ply}. Played: {move_with_loss}";

    /// Returns the loss of a good guess: `最善手との差は2点です。`
    pub fn close(points: u8; lang) =>
        "最善手との差は{points}点です。", "It is {points} from the best move." [points: "pt"];

    /// Returns the loss of another guess: `最善手より12点下がります。`
    pub fn loses(points: u8; lang) =>
        "最善手より勝率が{points}点下がります。", "It loses {points} against the best move." [points: "pt"];

    /// Returns the size of the deck: `全部で24問、覚えたもの3問`.
    pub fn deck(cards: usize, learned: usize; lang) =>
        "全部で{cards}問、覚えたもの{learned}問", "{cards} in all, {learned} learned";


    /// Returns the progress of searching a folder for mistakes.
    pub fn collecting(done: usize, all: usize; lang) =>
        "棋譜を調べています… {done} / {all}", "Reading the records… {done} of {all}";

    /// Returns the number of mistakes that were added.
    pub fn added(count: usize; lang) => "{count}問を加えました。", "{count} added.";

    /// Returns the message that the file of the deck cannot be used.
    pub fn deck_problem(why: &str; lang) =>
        "ミス集のファイルを使えません（{why}）。", "The file of your mistakes cannot be used ({why}).";

    /// Returns the result: `7問中5問正解`.
    pub fn result(solved: usize, count: usize; lang) => "{count}問中{solved}問正解", "{solved} of {count} found";
}
