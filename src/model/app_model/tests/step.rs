//! The steps of a random history.

use super::FILES;
use super::jobs::{JobStep, job_step};
use proptest::prelude::*;
use shogibar_games::study::UnsavedAnswer;

#[derive(Clone, Copy, Debug)]
pub(super) enum HistoryStep {
    /// The user changes the record.
    Edit(u8),
    Undo,
    Walk(i32),
    Open(usize),
    OpenAll,
    SelectGame(usize),
    New,
    /// The user pastes another game or position.
    Paste(usize),
    Save,
    SaveAs(usize),
    SaveChecked(usize),
    Answer(UnsavedAnswer),
    Recover(bool),
    Quit,
    /// The user adds a game, closes one, or shows one on the page or on a bar.
    AddGame,
    CloseGame(usize),
    ShowInStudy(usize),
    Show(usize, usize),
    NextGame(i32),
    AddBar,
    CloseBar(usize),
    /// The user acts on a bar.
    Pause(usize),
    Hide(usize),
    HideAll,
    Engine(usize, usize),
    ToggleEngine(usize, usize),
    /// An engine reports a value of the position that it searches.
    Value(usize),
    RelayConnect(bool),
    /// The GUI behind a relay plays a move, takes some back, or begins another game. Its engine may ponder.
    RelayGo(usize, u8),
    RelayEnd(usize),
    /// The user opens an address.
    SourceOpen(usize),
    /// The game of a source gets a move, loses some, is corrected, or is another one.
    SourceGo(usize, u8),
    /// The state of a source changes, or it names games to choose from.
    SourceState(usize, u8),
    /// The user switches the watching of the clipboard on or off.
    Clipboard(bool),
    /// A second start hands a file over.
    HandOver(usize),
    /// The user sets a position up.
    SetUp(usize),
    /// The user changes the position of the board, or ends the setup.
    EditPosition(bool),
    /// The program is started again.
    Restart,
    /// The program ends by a signal, and is started again.
    Kill,
    /// Another program writes a file.
    WriteElsewhere(usize, u8),
    /// A file becomes unreadable and unwritable, or usable again.
    Break(usize),
    /// A thread answers: the waiting effect with this index, from the oldest.
    Finish(usize),
    Job(JobStep),
    /// The watcher finds the change of a file.
    Watch,
    /// An action of the user or the engine in a game against an engine.
    PlayEngine(u8),
    /// A command for an output: to lock or unlock it, to switch it, or what viewers see.
    Output(usize, u8),
    /// Pages are opened or closed.
    Pages(u8),
    /// Some seconds pass.
    Wait(u8),
    /// An engine ends or cannot be started.
    BreakEngines(bool),
}

pub(super) fn file_step() -> impl Strategy<Value = HistoryStep> {
    let file = || 0..FILES.len();
    let nth = || 0..4_usize;
    prop_oneof![
        3 => any::<u8>().prop_map(HistoryStep::Edit),
        1 => Just(HistoryStep::Undo),
        3 => file().prop_map(HistoryStep::Open),
        1 => Just(HistoryStep::OpenAll),
        1 => nth().prop_map(HistoryStep::SelectGame),
        1 => Just(HistoryStep::New),
        1 => (0..super::starts::PASTED_TEXTS.len()).prop_map(HistoryStep::Paste),
        3 => Just(HistoryStep::Save),
        3 => file().prop_map(HistoryStep::SaveAs),
        3 => file().prop_map(HistoryStep::SaveChecked),
        5 => answer(),
        2 => Just(HistoryStep::Quit),
        3 => nth().prop_map(HistoryStep::CloseGame),
        3 => nth().prop_map(HistoryStep::ShowInStudy),
        1 => file().prop_map(HistoryStep::HandOver),
        1 => (file(), any::<u8>()).prop_map(|(file, content)| HistoryStep::WriteElsewhere(file, content)),
        1 => file().prop_map(HistoryStep::Break),
        1 => Just(HistoryStep::Watch),
        6 => nth().prop_map(HistoryStep::Finish),
        1 => Just(HistoryStep::Kill),
        1 => Just(HistoryStep::Restart),
    ]
}

fn answer() -> impl Strategy<Value = HistoryStep> {
    let answers = [
        UnsavedAnswer::Save,
        UnsavedAnswer::Discard,
        UnsavedAnswer::DiscardAll,
        UnsavedAnswer::Cancel,
    ];
    proptest::sample::select(answers.to_vec()).prop_map(HistoryStep::Answer)
}

pub(super) fn step() -> impl Strategy<Value = HistoryStep> {
    let file = || 0..FILES.len();
    let nth = || 0..3_usize;
    prop_oneof![
        4 => any::<u8>().prop_map(HistoryStep::Edit),
        1 => Just(HistoryStep::Undo),
        2 => (-3..4).prop_map(HistoryStep::Walk),
        3 => file().prop_map(HistoryStep::Open),
        1 => Just(HistoryStep::OpenAll),
        1 => (0..4_usize).prop_map(HistoryStep::SelectGame),
        1 => Just(HistoryStep::New),
        1 => nth().prop_map(HistoryStep::SetUp),
        1 => any::<bool>().prop_map(HistoryStep::EditPosition),
        1 => Just(HistoryStep::Kill),
        3 => (0..super::starts::PASTED_TEXTS.len()).prop_map(HistoryStep::Paste),
        3 => Just(HistoryStep::Save),
        2 => file().prop_map(HistoryStep::SaveAs),
        1 => file().prop_map(HistoryStep::SaveChecked),
        4 => answer(),
        1 => any::<bool>().prop_map(HistoryStep::Recover),
        1 => Just(HistoryStep::Quit),
        1 => Just(HistoryStep::AddGame),
        1 => nth().prop_map(HistoryStep::CloseGame),
        3 => nth().prop_map(HistoryStep::ShowInStudy),
        1 => (nth(), nth()).prop_map(|(bar, game)| HistoryStep::Show(bar, game)),
        1 => (-2..3).prop_map(HistoryStep::NextGame),
        1 => Just(HistoryStep::AddBar),
        1 => nth().prop_map(HistoryStep::CloseBar),
        1 => nth().prop_map(HistoryStep::Pause),
        1 => nth().prop_map(HistoryStep::Hide),
        1 => Just(HistoryStep::HideAll),
        2 => (nth(), nth()).prop_map(|(bar, engine)| HistoryStep::Engine(bar, engine)),
        2 => (nth(), nth()).prop_map(|(bar, engine)| HistoryStep::ToggleEngine(bar, engine)),
        3 => nth().prop_map(HistoryStep::Value),
        2 => (file(), any::<u8>()).prop_map(|(file, content)| HistoryStep::WriteElsewhere(file, content)),
        1 => file().prop_map(HistoryStep::Break),
        9 => (0..4_usize).prop_map(HistoryStep::Finish),
        3 => Just(HistoryStep::Watch),
        15 => job_step().prop_map(HistoryStep::Job),
        8 => any::<u8>().prop_map(HistoryStep::PlayEngine),
        1 => any::<bool>().prop_map(HistoryStep::RelayConnect),
        5 => (nth(), any::<u8>()).prop_map(|(relay, what)| HistoryStep::RelayGo(relay, what)),
        1 => nth().prop_map(HistoryStep::RelayEnd),
        2 => (0..4_usize).prop_map(HistoryStep::SourceOpen),
        6 => (nth(), any::<u8>()).prop_map(|(source, what)| HistoryStep::SourceGo(source, what)),
        2 => (nth(), any::<u8>()).prop_map(|(source, what)| HistoryStep::SourceState(source, what)),
        1 => any::<bool>().prop_map(HistoryStep::Clipboard),
        1 => file().prop_map(HistoryStep::HandOver),
        1 => Just(HistoryStep::Restart),
        6 => (nth(), any::<u8>()).prop_map(|(output, what)| HistoryStep::Output(output, what)),
        2 => any::<u8>().prop_map(HistoryStep::Pages),
        2 => any::<u8>().prop_map(HistoryStep::Wait),
        1 => any::<bool>().prop_map(HistoryStep::BreakEngines),
    ]
}
