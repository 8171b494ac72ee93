//! The English sentences have a singular for one.

use shogibar::engine_match::text::{self as match_text, GameEndWord};
use shogibar_base::Lang;
use shogibar_base::count::counted;
use shogibar_config::engines_text as engines;
use shogibar_engine::option_text as option;
use shogibar_engine::options::Limit;
use shogibar_engine::session::FailureKind;
use shogibar_games::{
    EngineMessage, RecordRemark, analysis_text as analysis, calibration_text as calibration,
    folder_text as folder, phrase, report_text as report,
};
use shogibar_kifu::{Container, Loss, Target, record_text as record};
use shogibar_model::{Message, pages_text as pages};
use shogibar_shelf::shelf_text as shelf;
use shogibar_ui::{guess_text as guess, review_text as review, study_text as study};

const SINGULAR_WORDS: [&str; 6] = ["s", "is", "was", "has", "does", "nps"];

/// Returns the word after each 1, and the next word if an adjective stands between them.
fn words_after_one(text: &str) -> Vec<&str> {
    const ADJECTIVES: [&str; 6] = ["other", "further", "finished", "more", "escape", "of"];
    let words: Vec<&str> = text.split([' ', '(', ')', ',', '.', ';', ':', '-']).collect();
    let after_one = |at: usize| {
        let next = *words.get(at + 1)?;
        if ADJECTIVES.contains(&next) {
            words.get(at + 2).copied()
        } else {
            Some(next)
        }
    };
    (0..words.len())
        .filter(|at| words[*at] == "1")
        .filter_map(after_one)
        .collect()
}

/// Returns messages, errors and remarks with the number one.
fn messages() -> Vec<String> {
    let en = Lang::En;
    let second = RecordRemark::SavedWithLoss("A".to_owned(), Target::Usi, Loss::Comments(1), 2);
    let losses = [
        Loss::Headers(1),
        Loss::Comments(1),
        Loss::Remarks(1),
        Loss::Bookmarks(1),
        Loss::Variations(1),
        Loss::Times(1),
        Loss::Fractions(1),
        Loss::Ends(1),
        Loss::Games(1),
    ];
    let messages = [
        EngineMessage::Failed(FailureKind::NoUsiOk(1)).text(en),
        EngineMessage::Failed(FailureKind::NoReadyOk(1)).text(en),
        EngineMessage::GivenUp(Box::new(EngineMessage::Silent(1)), 1).text(en),
        Message::from(second).text(en),
    ];
    losses
        .iter()
        .map(|loss| record::lost_part(loss, en))
        .chain(messages)
        .collect()
}

#[test]
fn no_sentence_has_one_of_several() {
    let en = Lang::En;
    let mut sentences = messages();
    sentences.extend([
        analysis::unplaced_evaluations(1, en),
        analysis::judge("A", [1, 1], true, en),
        analysis::judge("A", [1, 1], false, en),
        analysis::progress([1, 1], false, None, en),
        calibration::few_games("A", 1, 19, en),
        calibration::tested("A", 1, 1, en),
        calibration::curve_title("A", [1, 1], en),
        calibration::curve_scale(1.0, [1.0, 1.0], 1.0, Some(1), en),
        match_text::resumed(1, en),
        match_text::game([1, 1], ["A", "B"], "1", GameEndWord::MaxPlies, [1, 1, 1], en),
        option::limit(Some(Limit::Nodes(1)), en),
        engines::user_fit([1.0, 1.0, 1.0], 1, en),
        engines::too_few_games(1, 1, en),
        engines::games_of_another_net(1, en),
        folder::ended([1, 1], 1, en),
        folder::summary(1, 1, 1, en),
        folder::games([1, 1], en),
        guess::close(1, en),
        guess::loses(1, en),
        guess::deck(1, 1, en),
        guess::added(1, en),
        guess::result(1, 1, en),
        pages::shared_engines(1, 1, en),
        phrase::game_won(1, "Black", en),
        phrase::game_drawn(1, "Repetition", en),
        phrase::behind(1, en),
        phrase::mate_in("Black", Some(1), en),
        phrase::depth_and_nodes(Some(1), Some(1), Some(1), en),
        phrase::speed(Some(1), en),
        record::found(Container::Prose, 1, 1, en),
        report::result(1, "", "", en),
        report::result(1, "Black won", "", en),
        report::result(1, "Black won", "resignation", en),
        report::moves(1, en),
        report::graph(1, "Black", en),
        report::more(1, en),
        review::lossy_move("P-7f", None, "1", en),
        shelf::found(1, 1, en),
        shelf::unreadable(1, en),
        shelf::holds(1, 1, 1, en),
        shelf::progress(1, 1, en),
        Message::RecoverableRecords(1, None).text(en),
        study::more_of_text(1, en),
        study::remaining_text(1, en),
        study::effort(1, None, false, en),
        study::save_none(1, en),
    ]);
    let mut found = 0;
    for text in &sentences {
        for word in words_after_one(text) {
            assert!(!word.ends_with('s') || SINGULAR_WORDS.contains(&word), "{text}");
            found += 1;
        }
    }
    assert!(found > 60, "{found}");
}

#[test]
fn a_count_has_its_noun() {
    let check = |count: u32, nouns: &[&str], expect: &str| assert_eq!(counted(&count, nouns), expect);
    check(1, &["move"], "1 move");
    check(0, &["move"], "0 moves");
    check(21, &["move"], "21 moves");
    check(1, &["ply", "plies"], "1 ply");
    check(2, &["ply", "plies"], "2 plies");
}
