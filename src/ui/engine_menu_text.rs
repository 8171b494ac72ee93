//! Texts of the menu of the study page's engine.

use shogibar_base::visible::with_particle_space;
use shogibar_base::{phrases, sentences};

phrases! {
    /// A text of the engine menu on the study page.
    pub enum EngineMenuPhrase {
        Engine => "エンジン", "Engine";
        Candidates => "候補手の数", "Candidates";
        Limit => "1局面の読み", "Limit per position";
        NotAdded =>
            "候補手の数などを変えるには、エンジンの画面で追加してください。",
            "Add it on the Engines page to change its candidates and limit.";
    }
}

sentences! {
    /// Returns the name of the built-in engine when it replaces an unusable one.
    pub fn stands_in(other: &str; lang) =>
        "内蔵エンジン（{other}を使えないため）", "Built-in engine ({other} cannot be used)", other = with_particle_space(other, lang);
}
