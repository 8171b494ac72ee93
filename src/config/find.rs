//! The search of names for what a user types: in Japanese or English, by reading (よみ), and by synonyms.

/// Groups of synonyms. A word also finds names with other words of its group.
const SYNONYMS: &[&str] = &[
    "配信 放送 生放送 ライブ obs ストリーム stream streaming broadcast live オーバーレイ overlay ブラウザソース",
    "縦 縦型 縦長 vertical portrait",
    "横 横長 一行 1行 帯 bar line",
    "透過 透明 クリック透過 transparent transparency click-through passthrough",
    "駒台 持ち駒 持駒 hand hands",
    "隠す 伏せる 非表示 ネタバレ hide spoiler spoilers",
    "棋譜 record kifu game",
    "夜 ダーク ダークモード night dark 暗い",
    "昼 ライト 明るい day light",
    "文字 字 フォント 書体 font letter text",
    "大きさ サイズ 文字サイズ size",
    "拡大 縮小 ズーム zoom 倍率",
    "時計 持ち時間 残り時間 秒読み clock clocks time",
    "グラフ 推移 折れ線 graph chart",
    "エンジン ソフト ai engine",
    "設定 環境設定 オプション settings preferences options config",
    "使い方 マニュアル ヘルプ 説明 help manual guide",
    "終了 やめる quit exit",
    "閉じる close",
    "開く 読み込む ファイル open load file",
    "画面 読み取る スクリーン キャプチャ 認識 screen capture read",
    "次の一手 クイズ 問題 guess quiz puzzle",
    "詰み 詰将棋 詰め将棋 mate tsume",
    "キー ショートカット キーボード key keys shortcut shortcuts hotkey",
    "背景 グリーンバック クロマキー background chroma green",
    "手前 最前面 前面 top",
    "言語 日本語 英語 language english japanese",
    "反転 上下 入れ替え 逆 flip turn swap rotate",
    "url アドレス リンク address link",
    "色 カラー 配色 color",
    "テーマ スキン theme skin",
    "新しい版 アップデート 更新 バージョン update updates version",
    "通信 ログ log traffic",
    "コピー クリップボード copy clipboard",
    "貼り付け ペースト paste",
    "解析 分析 analyse analyze analysis",
    "検討 研究 study",
    "保存 セーブ 書き出し save export",
    "画像 写真 スクショ スクリーンショット picture screenshot image png",
    "削除 消す delete remove",
    "一時停止 停止 止める ポーズ pause stop",
    "再開 resume continue",
    "アニメーション アニメ 滑らか 動き motion animate animation",
    "評価値 点数 スコア 数値 evaluation score centipawns",
    "勝率 パーセント percent win rate",
    "候補手 候補 candidate candidates",
    "読み筋 手順 pv line lines",
    "矢印 arrow arrows",
    "ミス 悪手 mistake mistakes blunder",
    "対局者 名前 プレイヤー players names",
    "手合割 駒落ち ハンデ handicap",
    "コメント 注釈 メモ comment note",
    "連携 ソフト 将棋所 shogihome shogigui gui relay",
    "ポート port",
    "スマホ スマートフォン 携帯 タブレット phone network ネットワーク 機器",
    "レイアウト 配置 形 layout",
    "サイズ 小さな 小窓 small mini",
    "レポート 報告 report",
    "戻る 前 back previous",
    "進む 次 forward next",
    "最初 先頭 start first beginning",
    "最後 末尾 最新 end last latest",
];

/// The readings of words in names. The longest match is used.
const READINGS: &[(&str, &str)] = include!("find/readings.rs");

/// A name in the forms by which it is found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Findable {
    names: Vec<String>,
    readings: Vec<String>,
    /// Further words that users may type. A match with them ranks lower.
    words: Vec<String>,
}

impl Findable {
    /// Creates the searchable forms of an entry. `words` are further words that users may type.
    pub fn new<'n>(names: impl IntoIterator<Item = &'n str>, words: &str) -> Self {
        let names: Vec<_> = names.into_iter().map(plain).collect();
        let readings = names
            .iter()
            .map(|name| reading(name))
            .filter(|reading| !names.contains(reading))
            .collect();
        Self {
            readings,
            words: plain(words).split_whitespace().map(str::to_owned).collect(),
            names,
        }
    }

    /// Returns the distance of the entry from a search: 0 if a name equals the search, else the sum over its words.
    /// Returns `None` if a word of the search does not match.
    pub fn distance(&self, search: &NameSearch) -> Option<u32> {
        if self.names.contains(&search.text) {
            return Some(0);
        }
        search.words.iter().map(|word| self.distance_of_word(word)).sum()
    }

    /// Returns the smallest distance of a word or one of its synonyms. A name is closer than a reading, a further word
    /// of users, and a match by a synonym. Returns `None` if nothing matches.
    fn distance_of_word(&self, SearchWord { text, synonyms }: &SearchWord) -> Option<u32> {
        let among = |forms: &[String], word: &str, further: u32| {
            forms
                .iter()
                .filter_map(|form| distance_in(form, word))
                .min()
                .map(|min_distance| min_distance + further)
        };
        let in_texts = [
            among(&self.names, text, 0),
            among(&self.readings, text, 1),
            among(&self.words, text, 2),
        ];
        let by_synonym = synonyms
            .iter()
            .flat_map(|other| [among(&self.names, other, 4), among(&self.words, other, 4)]);
        in_texts.into_iter().chain(by_synonym).flatten().min()
    }
}

/// The text that a user types, prepared for the comparison with many names.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct NameSearch {
    text: String,
    words: Vec<SearchWord>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
struct SearchWord {
    text: String,
    synonyms: Vec<String>,
}

impl NameSearch {
    /// Creates a search for all words of a text.
    pub fn new(text: &str) -> Self {
        let whole = plain(text).trim().to_owned();
        let words = whole.split_whitespace().map(|word| SearchWord {
            text: word.to_owned(),
            synonyms: synonyms(word),
        });
        Self {
            words: words.collect(),
            text: whole,
        }
    }
}

/// Returns the synonyms of a word, as plain texts. Two letters at the beginning of the word are enough.
fn synonyms(word: &str) -> Vec<String> {
    let word_reading = reading(word);
    let groups = SYNONYMS.iter().filter(|group| {
        group.split_whitespace().any(|known| {
            let known = plain(known);
            let read = reading(&known);
            let is_begun =
                word.chars().nth(1).is_some() && (known.starts_with(word) || read.starts_with(word));
            known == word || read == word_reading || is_begun
        })
    });
    groups
        .flat_map(|group| group.split_whitespace().map(plain))
        .filter(|other| other != word)
        .collect()
}

/// Returns the distance of a word from a text. It is 0 for the whole text, 1 at the beginning, 2 at the beginning of a
/// word, 3 elsewhere. Kanji have 2 at any position. Returns `None` if the text lacks the word.
fn distance_in(text: &str, word: &str) -> Option<u32> {
    if text == word {
        return Some(0);
    }
    if text.starts_with(word) {
        return Some(1);
    }
    // Japanese has no blanks, so kanji count as a word at any position.
    let is_word = word.chars().all(is_kanji) && text.contains(word);
    if is_word
        || text
            .split(|c: char| !c.is_alphanumeric())
            .any(|part| part.starts_with(word))
    {
        return Some(2);
    }
    // A single kana or letter is inside most names.
    (word.chars().nth(1).is_some() && text.contains(word)).then_some(3)
}

/// Returns a text in lower case and half width, with hiragana for katakana.
fn plain(text: &str) -> String {
    text.chars()
        .map(|c| match u32::from(c) {
            full @ 0xFF01..=0xFF5E => char::from_u32(full - 0xFEE0).unwrap_or(c),
            katakana @ 0x30A1..=0x30F6 => char::from_u32(katakana - 0x60).unwrap_or(c),
            0x3000 => ' ',
            _ => c,
        })
        .flat_map(char::to_lowercase)
        .collect::<String>()
        .replace("colour", "color")
}

/// Returns the reading of a plain text: the known words in kana.
fn reading(text: &str) -> String {
    let mut read = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(first) = rest.chars().next() {
        let fits = READINGS.iter().filter(|(word, _)| rest.starts_with(word));
        let length = if let Some((word, kana)) = fits.max_by_key(|(word, _)| word.len()) {
            read.push_str(kana);
            word.len()
        } else {
            read.push(first);
            first.len_utf8()
        };
        rest = rest.get(length..).unwrap_or_default();
    }
    read
}

const fn is_kanji(c: char) -> bool {
    matches!(c, '\u{3400}'..='\u{9FFF}' | '々')
}

/// Returns whether each word of a search occurs in the texts. Case is ignored, and `color` also finds `colour`.
pub(crate) fn contains_words(texts: &str, search: &str) -> bool {
    let [texts, search] = [texts, search].map(|text| text.to_lowercase().replace("colour", "color"));
    search.split_whitespace().all(|word| texts.contains(word))
}

#[cfg(test)]
mod tests;
