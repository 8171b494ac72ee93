//! The names of the choices of a setting.

use crate::{
    Background, BoardColors, DigitFont, Language, Layout, OverlayPreset, PieceCharacters, PositionLimit,
    VideoPace, WindowColors,
};
use shogibar_base::Lang;

/// Returns the name of a search limit of a position.
pub const fn position_limit(limit: PositionLimit, lang: Lang) -> &'static str {
    match limit {
        PositionLimit::Off => lang.pick("なし", "None"),
        PositionLimit::HalfMinute => lang.pick("30秒", "30 seconds"),
        PositionLimit::Minute => lang.pick("1分", "1 minute"),
        PositionLimit::ThreeMinutes => lang.pick("3分", "3 minutes"),
        PositionLimit::TenMinutes => lang.pick("10分", "10 minutes"),
    }
}

/// Returns the name of the colours of the main window's pages.
pub const fn pages(colors: WindowColors, lang: Lang) -> &'static str {
    match colors {
        WindowColors::System => lang.pick("システムに合わせる", "As the system"),
        WindowColors::Day => lang.pick("明るい", "Light"),
        WindowColors::Night => lang.pick("暗い", "Dark"),
    }
}

/// Returns the name of the colours of a board.
pub const fn board(colors: BoardColors, lang: Lang) -> &'static str {
    match colors {
        BoardColors::Wood => lang.pick("木目色", "Wood"),
        BoardColors::Dark => lang.pick("濃い木", "Dark wood"),
        BoardColors::Light => lang.pick("白木", "Light wood"),
        BoardColors::Plain => lang.pick("白黒", "Black and white"),
    }
}

/// Returns the name of a choice of digits.
pub const fn digits(digits: DigitFont, lang: Lang) -> &'static str {
    match digits {
        DigitFont::Plain => lang.pick("ゴシック", "Sans"),
        DigitFont::Serif => lang.pick("明朝", "Serif"),
    }
}

/// Returns the name of a preset of parts.
pub const fn preset(preset: OverlayPreset, lang: Lang) -> &'static str {
    match preset {
        OverlayPreset::Stream => lang.pick("配信", "Stream"),
        OverlayPreset::Analyst => lang.pick("解説・検討", "Analyst"),
    }
}

/// Returns the name of a language choice.
pub const fn language(language: Language, lang: Lang) -> &'static str {
    match language {
        Language::System => lang.pick("システムに従う", "System default"),
        Language::Ja => "日本語",
        Language::En => "English",
    }
}

/// Returns the name of a piece style.
pub const fn pieces(pieces: PieceCharacters, lang: Lang) -> &'static str {
    match pieces {
        PieceCharacters::One => lang.pick("一文字（飛）", "one character (飛)"),
        PieceCharacters::Two => lang.pick("二文字（飛車）", "two characters (飛車)"),
    }
}

/// Returns the name of the pace of a video.
pub const fn video_pace(pace: VideoPace, lang: Lang) -> &'static str {
    match pace {
        VideoPace::One => lang.pick("1手1秒", "1 second a move"),
        VideoPace::Two => lang.pick("1手2秒", "2 seconds a move"),
        VideoPace::Three => lang.pick("1手3秒", "3 seconds a move"),
        VideoPace::Times => lang.pick("消費時間に合わせる", "As the players' times"),
    }
}

/// Returns the name of a layout.
pub const fn layout(layout: Layout, lang: Lang) -> &'static str {
    match layout {
        Layout::Full => lang.pick("標準", "Full"),
        Layout::Bar => lang.pick("1行", "One line"),
        Layout::Candidates => lang.pick("候補手中心", "Candidates"),
        Layout::Vertical => lang.pick("縦", "Vertical"),
        Layout::Compact => lang.pick("コンパクト", "Compact"),
    }
}

/// Returns the name of a background.
pub const fn background(background: Background, lang: Lang) -> &'static str {
    match background {
        Background::Transparent => lang.pick("テーマの通り（透過）", "As the theme (transparent)"),
        Background::Opaque => lang.pick("不透明", "Opaque"),
        Background::Chroma => lang.pick("クロマキー", "Chroma key"),
    }
}

/// Returns the name of a built-in theme in a language. The name of a user theme is returned unchanged.
pub fn theme(name: &str, lang: Lang) -> &str {
    let (ja, en) = match name {
        "ink" => ("墨", "Ink"),
        "paper" => ("紙", "Paper"),
        "broadcast" => ("放送（白黒）", "Broadcast"),
        "contrast" => ("高コントラスト", "High contrast"),
        "chroma" => ("クロマキー", "Chroma key"),
        user_theme => return user_theme,
    };
    lang.pick(ja, en)
}
