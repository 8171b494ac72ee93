//! Texts of the menu of the study page's engine.

use super::visible::with_particle_space;
use shogibar_base::{Lang, phrases, say, sentences};
use shogibar_engine::options::Limit;

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

/// Returns the search limit of a position in words. `None` is the default limit.
pub fn limit(limit: Option<Limit>, lang: Lang) -> String {
    match limit {
        None => lang.pick("既定", "Default").to_owned(),
        Some(Limit::Infinite) => lang.pick("無制限", "Unlimited").to_owned(),
        Some(Limit::Time(time)) => {
            let seconds = time.as_secs_f64();
            say!(lang: "{seconds}秒", "{seconds} s")
        }
        Some(Limit::Nodes(nodes)) if nodes % 10_000 == 0 && lang == Lang::Ja => {
            format!("{}万ノード", nodes / 10_000)
        }
        Some(Limit::Nodes(nodes)) => say!(lang: "{nodes}ノード", "{nodes}" [nodes: "node"]),
        Some(Limit::Depth(depth)) => say!(lang: "深さ {depth}", "Depth {depth}"),
    }
}
