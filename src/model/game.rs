//! A game: its record, the current position, its file and its analysis. No side effects.

mod clocks;
mod followed;
mod live_losses;
mod live_only_moves;
mod recorded;
mod source;
mod standing;
mod user_games;
mod values;

use super::game_analysis::RunningAnalysis;
use super::ids::{FeedId, GameId};
use super::jobs::ReasonRequest;
use super::notices::Notice;
use super::record_file::RecordFile;
use crate::Message;
use clocks::ReportedClocks;
use recorded::RecordedShares;
use shogibar_base::Lang;
use shogibar_base::visible::{short, visible_file_name};
use shogibar_builtin::Control;
use shogibar_engine::observer::{Candidate, SearchInfo};
use shogibar_engine::session::{SearchResult, Snapshot};
use shogibar_facts::Fact;
use shogibar_games::RecordRemark;
use shogibar_games::analysis::{EngineScales, Evaluator, MoveReason};
use shogibar_games::bar::{self, Ending, LastLoss, LiveMark, OnlyMove};
use shogibar_games::engine_game::EngineGame;
use shogibar_games::position_facts::PositionFacts;
use shogibar_games::study::{Document, Inquiry, LiveValues, MoveRow, MoveRows, RecordInsight};
use shogibar_kifu::{End, NodeId, Reason, Record};
use shogibar_live::LiveAddress;
use shogibar_live::source_text::SourcePhrase;
use shogibar_shogi::score::{Value, WinRateModel};
use shogibar_shogi::{BoardDoubt, Color, History, Move, Position};
pub use source::{GameSource, reads_screen};
use std::borrow::Cow;
use std::cell::{Ref, RefCell};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;
use values::GameValues;
pub use values::StoredValues;

/// The number of low bits of a revision that count the changes of one game. The higher bits are the number of the game.
const REVISION_BITS: u32 = 40;

/// The state from which live values were built: versions of values, revision of the record, last node of the line.
type LiveValuesKey = (u64, u64, Option<NodeId>);

/// The live values that were built last, with the state from which they were built.
#[derive(Debug, Default)]
struct CachedLiveValues {
    key: Option<LiveValuesKey>,
    values: Arc<LiveValues>,
}

/// The position at which a file is opened.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct OpenPosition {
    /// The index of the game in the file.
    pub game: usize,
    /// The number of moves to the position. `None` is the last position of a game in progress, and the first position
    /// of a finished game.
    pub ply: Option<usize>,
    /// The moves to the position in USI, if it is in a variation.
    pub line: String,
    /// The address that is followed once the file is read.
    pub source: Option<LiveAddress>,
    /// Whether the game was in progress elsewhere in the former run, so that it goes on.
    pub is_live: bool,
}

/// An open game: its record, file, source, engines' values and analysis.
#[expect(clippy::struct_excessive_bools, reason = "each flag is an independent fact")]
#[derive(Debug)]
pub struct Game {
    document: Document,
    /// Whether a record was opened or followed, in place of the initial board.
    was_opened: bool,
    /// Whether this is a game of the user, by the user's word; `None` without one.
    pub(crate) own_answer: Option<bool>,
    /// The game up to the current node.
    history: Arc<History>,
    /// The last move in words, in the language of the screen.
    last_word: String,
    lang: Lang,
    /// The notice that the requested record cannot be read. Removed when a record is opened, the position changes or
    /// the user dismisses it.
    unreadable_notice: Option<Notice>,
    /// The values that were shown.
    values: GameValues,
    /// The name under which the values are stored, a hash; `None` for a game without a file or an address.
    pub(super) values_name: Option<u64>,
    /// The values of records that this tab showed before. They are not stored yet.
    pub(super) unstored_values: Vec<StoredValues>,
    /// The shares by the evaluations in the record along the current line, by ply.
    recorded_shares: RefCell<RecordedShares>,
    /// The values that were shown along the current line.
    live_values: RefCell<CachedLiveValues>,
    /// The rows of the current line, as of the last [`update_insight`](Self::update_insight).
    rows: MoveRows,
    insight: RecordInsight,
    pub(super) file: RecordFile,
    pub(super) analysis: Option<RunningAnalysis>,
    /// The file of the tab, while it is not read yet. The reading begins when the game is shown.
    pub(super) unread_path: Option<PathBuf>,
    /// The position to show once a file is read.
    pub(super) open_at: OpenPosition,
    /// The last position and game number of each relay or source that is followed in this tab.
    followed_positions: BTreeMap<FeedId, (Arc<History>, u64)>,
    /// The last position of the game that was followed; `None` while one is followed, and before.
    former_tip: Option<Arc<History>>,
    /// The source of the game, beside relays.
    pub(super) source: Option<GameSource>,
    /// The start position of a game that was read off the screen, and its unknown part. `None` if all is known.
    unknown_part: Option<(Position, BoardDoubt)>,
    /// The name of the engine behind the relay whose game is followed in this tab.
    pub(super) relayed_engine: Option<String>,
    /// Whether the game that a relay or source reports is over.
    pub(super) is_over: bool,
    pub(super) reported_clocks: ReportedClocks,
    /// Whether the file has grown while it was open: another program records a game in it.
    pub(super) is_growing: bool,
    /// The revision of the record at the last autosave.
    pub(super) autosaved_revision: u64,
    /// Whether an autosave copy of the game could not be written.
    pub(super) is_autosave_refused: bool,
    /// The user's question about a position. It ends when another position becomes current.
    pub(super) inquiry: Option<Inquiry>,
    /// The proved facts that were found last, with their position.
    pub(super) facts: Option<Box<PositionFacts>>,
    pub(super) played_against_engine: Option<EngineGame>,
    /// The time of the last event during a game against an engine, as in `AppModel::set_time`.
    pub(super) now: Duration,
}

impl Game {
    /// Creates a game with an empty board.
    pub fn new(lang: Lang) -> Self {
        Self::with_document(Document::default(), lang)
    }

    /// Creates an empty game with this identity. Revisions of different games are never equal.
    pub(super) fn with_id(GameId(number): GameId, lang: Lang) -> Self {
        Self::with_document(Document::with_first_revision(number << REVISION_BITS), lang)
    }

    /// Creates a game with this document. Nothing was opened or changed yet.
    fn with_document(document: Document, lang: Lang) -> Self {
        let history = Arc::new(document.history());
        let autosaved_revision = document.revision();
        Self {
            document,
            was_opened: false,
            own_answer: None,
            history,
            last_word: String::new(),
            lang,
            unreadable_notice: None,
            values: GameValues::default(),
            values_name: None,
            unstored_values: Vec::new(),
            recorded_shares: RefCell::default(),
            live_values: RefCell::default(),
            rows: MoveRows::default(),
            insight: RecordInsight::default(),
            file: RecordFile::default(),
            analysis: None,
            unread_path: None,
            open_at: OpenPosition::default(),
            followed_positions: BTreeMap::new(),
            former_tip: None,
            source: None,
            unknown_part: None,
            relayed_engine: None,
            is_growing: false,
            reported_clocks: ReportedClocks::default(),
            is_over: false,
            autosaved_revision,
            is_autosave_refused: false,
            inquiry: None,
            facts: None,
            played_against_engine: None,
            now: Duration::ZERO,
        }
    }

    /// Opens a record: a finished game at its start, a game in progress at its last move.
    pub fn open(&mut self, record: impl Into<Arc<Record>>) {
        let record = record.into();
        let is_over = record.decisive_end().is_some();
        if self.was_opened {
            self.own_answer = None;
        }
        self.was_opened = true;
        self.followed_positions.clear();
        self.former_tip = None;
        self.relayed_engine = None;
        self.is_growing = false;
        self.reported_clocks = ReportedClocks::default();
        self.is_over = false;
        self.unread_path = None;
        self.unreadable_notice = None;
        self.detach_values();
        self.edit(|document| {
            document.open(record);
            document.go_to(if is_over { 0 } else { document.tip_ply() });
        });
    }

    /// Returns whether this is a game of other players: from an address, off the screen, or in a shogi GUI.
    pub(super) const fn follows_others(&self) -> bool {
        self.source.is_some() || self.relayed_engine.is_some()
    }

    /// Returns whether no record was opened or changed: another game may replace this one.
    pub fn is_blank(&self) -> bool {
        !self.was_opened
            && self.relayed_engine.is_none()
            && self.source.is_none()
            && !self.is_unsaved()
            && self.file.is_idle()
            && self.unread_path.is_none()
    }

    /// Returns the record and its current node.
    pub const fn document(&self) -> &Document {
        &self.document
    }

    /// Returns the game up to the current node.
    pub const fn history(&self) -> &Arc<History> {
        &self.history
    }

    /// Returns the last move in words.
    pub fn last_word(&self) -> &str {
        &self.last_word
    }

    /// Returns the last move in words, in a language that need not be that of the screen.
    pub(super) fn last_word_in(&self, lang: Lang) -> Cow<'_, str> {
        if lang == self.lang {
            Cow::Borrowed(&self.last_word)
        } else {
            bar::last_word(&self.history, lang).into()
        }
    }

    /// Returns whether the record would be lost if the game were closed.
    pub const fn is_unsaved(&self) -> bool {
        self.file.is_unsaved(&self.document)
    }

    /// Returns the file of the record.
    pub const fn file(&self) -> &RecordFile {
        &self.file
    }

    /// Returns the running analysis.
    pub const fn analysis(&self) -> Option<&RunningAnalysis> {
        self.analysis.as_ref()
    }

    /// Returns the user's question about a position.
    pub const fn inquiry(&self) -> Option<&Inquiry> {
        self.inquiry.as_ref()
    }

    /// Returns the proved facts about the current position; empty before they are known.
    pub fn facts(&self) -> &[Fact] {
        let known = self.facts.as_ref().filter(|facts| facts.history == self.history);
        known.map_or(&[], |facts| &facts.list)
    }

    /// Stores facts, if they are about the current position.
    pub(super) fn set_facts(&mut self, facts: Box<PositionFacts>) {
        if facts.history == self.history {
            self.facts = Some(facts);
        }
    }

    /// Finds and stores the proved facts about the current position. Slow.
    pub fn find_facts(&mut self, control: &Control) {
        let mut facts = PositionFacts::find(Arc::clone(&self.history), control);
        facts.find_brinkmate(control);
        self.facts = Some(Box::new(facts));
    }

    /// Returns the game against an engine that the user plays in this tab.
    pub const fn engine_game(&self) -> Option<&EngineGame> {
        self.played_against_engine.as_ref()
    }

    /// Runs `work` on the game against an engine and its record.
    pub(super) fn with_engine_game(&mut self, work: impl FnOnce(&mut EngineGame, &mut Document)) {
        if let Some(mut played) = self.played_against_engine.take() {
            self.edit(|document| work(&mut played, document));
            self.played_against_engine = Some(played);
        }
    }

    /// Returns the path of the file, even if it is not read yet.
    pub fn path(&self) -> Option<&Path> {
        self.unread_path
            .as_deref()
            .or_else(|| self.file.requested_path())
            .or_else(|| self.file.path())
    }

    /// Returns the names of the players, with control characters made visible. Returns `None` if neither is known.
    pub fn players(&self) -> Option<String> {
        let record = self.document.record();
        let [black, white] = [Color::Black, Color::White].map(|color| record.player(color));
        let is_known = black.is_some() || white.is_some();
        is_known.then(|| {
            format!(
                "{} – {}",
                short(black.unwrap_or("?")),
                short(white.unwrap_or("?"))
            )
        })
    }

    /// Returns the file to suggest for saving.
    pub fn suggested_path(&self) -> PathBuf {
        self.file.suggested_path(self.players().as_deref())
    }

    /// Returns a short title: the name of the file, else the players, the engine of a relay, or the source. Control
    /// characters are made visible. Returns `None` for a game without any of these.
    pub fn title(&self) -> Option<String> {
        // The players are preferred to the name of a CSA file, which servers make from ids.
        let is_csa = |path: &Path| {
            path.extension()
                .is_some_and(|end| end.eq_ignore_ascii_case("csa"))
        };
        let players = self.players();
        if let Some(path) = self.path().filter(|path| players.is_none() || !is_csa(path))
            && let Some(name) = visible_file_name(path)
        {
            return Some(name);
        }
        if players.is_some() {
            return players;
        }
        let source = self.source.as_ref().map(|source| match source.address() {
            LiveAddress::Screen(_) => SourcePhrase::Screen.text(self.lang).to_owned(),
            LiveAddress::Clipboard => SourcePhrase::Clipboard.text(self.lang).to_owned(),
            address => address.to_string(),
        });
        self.relayed_engine
            .as_ref()
            .or(source.as_ref())
            .map(|name| short(name).into_owned())
    }

    /// Runs a change of the document, and updates all data of its position. Returns the result of `work`.
    pub fn edit<T>(&mut self, work: impl FnOnce(&mut Document) -> T) -> T {
        let state = |document: &Document| (document.revision(), document.current());
        let before = state(&self.document);
        let done = work(&mut self.document);
        if state(&self.document) == before {
            return done;
        }
        let history = self.document.history_after(&self.history);
        if history != *self.history {
            self.inquiry = None;
            self.unreadable_notice = None;
            self.history = Arc::new(history);
            self.last_word = bar::last_word(&self.history, self.lang);
        }
        done
    }

    /// Runs `work` on the file and the present document, and returns its result.
    pub(super) fn with_file<T>(&mut self, work: impl FnOnce(&mut RecordFile, &Document) -> T) -> T {
        work(&mut self.file, &self.document)
    }

    /// Stores the notice that the requested record cannot be read: the board shows another position. Returns `false`,
    /// and stores nothing, if a record was opened before.
    pub(super) fn set_unreadable(&mut self, why: &Message) -> bool {
        if self.was_opened {
            return false;
        }
        self.unreadable_notice = Some(Notice::failure(why.clone()));
        true
    }

    /// Returns the notice that the requested record cannot be read.
    pub(super) const fn unreadable(&self) -> Option<&Notice> {
        self.unreadable_notice.as_ref()
    }

    /// Removes the notice that the requested record cannot be read, because the user has dismissed it.
    pub(super) fn dismiss_unreadable(&mut self) {
        self.unreadable_notice = None;
    }

    /// Goes to the position after `ply` moves of the current line. Larger numbers lead to the end.
    ///
    /// The end of a game, finished or interrupted, is a separate step after the last move. So its last position can
    /// still be analysed.
    pub fn go_to(&mut self, ply: usize) {
        self.edit(|document| document.go_to(ply));
    }

    /// Goes to the position after this number of moves of the main line.
    pub(super) fn go_to_main(&mut self, ply: usize) {
        let before = ply.checked_sub(1);
        let node = before
            .and_then(|at| self.document.record().main_line().nth(at))
            .unwrap_or(NodeId::START);
        self.edit(|document| document.go(node));
    }

    /// Goes along these moves in USI, as far as the record has them.
    pub(super) fn go_along(&mut self, line: &str) {
        let record = self.document.record();
        let next = |node: NodeId, word: &str| {
            record
                .children(node)
                .find(|child| record.node(*child).mv().is_some_and(|mv| mv.to_string() == word))
        };
        let mut node = NodeId::START;
        for word in line.split_whitespace() {
            let Some(child) = next(node, word) else { break };
            node = child;
        }
        self.edit(|document| document.go(node));
    }

    /// Returns the moves to the current position in USI if it is in a variation; else an empty text.
    pub(super) fn variation(&self) -> String {
        let (record, node) = (self.document.record(), self.document.last_move());
        if node == NodeId::START || record.main_line().any(|main| main == node) {
            return String::new();
        }
        self.history
            .moves()
            .iter()
            .map(ToString::to_string)
            .collect::<Vec<_>>()
            .join(" ")
    }

    /// Goes forward by `moves` moves within the game, or back if the number is negative.
    pub fn step(&mut self, moves: i32) {
        let (distance, ply) = (
            usize::try_from(moves.unsigned_abs()).unwrap_or(usize::MAX),
            self.document.ply(),
        );
        self.go_to(if moves < 0 {
            ply.saturating_sub(distance)
        } else {
            ply.saturating_add(distance)
        });
    }

    /// Returns the evaluation of the current position in the record, as an engine's snapshot; `None` where it has none.
    pub fn record_snapshot(&self) -> Option<Snapshot> {
        self.snapshot_of(self.document.last_move(), &self.history)
    }

    /// Returns the record's evaluation of the position before the last move.
    pub(super) fn record_snapshot_before(&self) -> Option<Snapshot> {
        let node = self.document.record().parent(self.document.last_move())?;
        self.snapshot_of(node, &Arc::new(self.history.without_last()?))
    }

    /// Returns the record's evaluation of the position after `node`, as an engine's snapshot. `history` is the game up
    /// to this position. `None` where the record has no evaluation.
    fn snapshot_of(&self, node: NodeId, history: &Arc<History>) -> Option<Snapshot> {
        let judge = self.insight.evaluators_and_judge(&self.document);
        recorded::snapshot(&self.document, node, history, judge)
    }

    /// Stores the values that an engine has shown for a position.
    pub(super) fn add_values(&mut self, engine: &str, info: &SearchInfo, model: WinRateModel) {
        self.values.add(engine, info, model);
    }

    /// Stores the values of a snapshot of an engine, and updates the losses by moves.
    pub(super) fn add_snapshot(&mut self, engine: &str, snapshot: &Snapshot) {
        let Some(info) = &snapshot.search_info else { return };
        self.add_values(engine, info, snapshot.model);
        let result = snapshot
            .result
            .as_ref()
            .filter(|result| result.history == info.history);
        let best_move = result.and_then(SearchResult::legal_best_move);
        self.values
            .update_statements(engine, info, best_move, result.is_some());
    }

    /// Shows the losses and only moves that stand for long enough. `now` is the time since the program was started.
    pub(super) fn tick_statements(&mut self, now: Duration) {
        self.values.tick_statements(now);
    }

    /// Returns whether a loss or an only move is shown once it stands for long enough.
    pub(super) fn awaits_statement(&self) -> bool {
        self.values.awaits_statement()
    }

    /// Returns the only move of the current position, by a confirmed search of an engine, or in the record.
    pub(super) fn only_move(&self, engine: &str, recorded: Option<&Snapshot>) -> Option<OnlyMove> {
        recorded.map_or_else(
            || self.values.only_move(engine, &self.history),
            values::recorded_only_move,
        )
    }

    /// Returns the loss by the last move: by the evaluations in the record, or else by an engine's searches. `None` where
    /// it is not sure.
    pub(super) fn last_loss(&self, engine: &str) -> Option<LastLoss> {
        let judge = self.insight.evaluators_and_judge(&self.document);
        match recorded::judged_loss(&self.document, judge) {
            Some(points) => Some(LastLoss {
                points,
                is_judged: true,
            }),
            None => Some(LastLoss {
                points: self.values.loss(engine, &self.history)?,
                is_judged: false,
            }),
        }
    }

    /// Returns the choice of an engine in the position before the last move. `None` if it is not known or was played.
    pub(super) fn choice_before(&self, engine: &str) -> Option<Move> {
        self.values.choice_before(engine, &self.history)
    }

    /// Reads the evaluations in the comments of the line, as many as one frame allows. Returns whether all are read.
    pub fn read_comments(&self) -> bool {
        self.recorded_shares.borrow_mut().update(&self.document)
    }

    /// Returns two lists of Black's shares by ply from 0. The first has the shares that an engine has shown up to the
    /// current position. The second has the shares of the record along the current line.
    pub fn shares(&self, engine: &str) -> (Vec<Option<f32>>, Ref<'_, [Option<f32>]>) {
        self.read_comments();
        let recorded = Ref::map(self.recorded_shares.borrow(), RecordedShares::along_line);
        (self.values.shares(engine, &self.history), recorded)
    }

    /// Returns Black's shares up to a position, by ply from 0: those that an engine has shown.
    pub(super) fn shares_along(&self, engine: &str, position: &History) -> Vec<Option<f32>> {
        self.values.shares(engine, position)
    }

    /// Stores the value of a position by a background search. `None`: the search had no result.
    pub(super) fn add_fill_value(&mut self, history: &History, value: Option<(Value, WinRateModel)>) {
        self.values.add_fill_value(history, value);
    }

    /// Returns the values by background searches, by ply from 0, up to the current position. The outer `None`: no
    /// search; the inner one: a search without a result.
    fn fill_values(&self) -> impl Iterator<Item = Option<Option<(Value, WinRateModel)>>> {
        self.values
            .fill_values(self.history.start(), self.history.moves().iter().copied())
    }

    /// Returns Black's shares by background searches, by ply from 0, for the plies without a share in `graph`.
    pub(super) fn filled_shares(&self, graph: &[Option<f32>]) -> Vec<Option<f32>> {
        #[expect(
            clippy::cast_possible_truncation,
            reason = "f32 is exact enough for a share of the bar"
        )]
        let share = |(value, model): (Value, WinRateModel)| model.win_rate(value) as f32;
        let missing = graph.iter().zip(self.fill_values());
        missing
            .map(|(known, filled)| match known {
                Some(_) => None,
                None => filled.flatten().map(share),
            })
            .collect()
    }

    /// Returns the plies before the current one without a share in the graph of an engine and without a finished
    /// background search. Empty if the current position cannot be searched.
    pub(super) fn missing_plies(&self, engine: &str) -> Vec<usize> {
        if self.history.now().searchable().is_err() {
            return Vec::new();
        }
        let (shown, recorded) = self.shares(engine);
        let known = shown.iter().zip(&*recorded).zip(self.fill_values());
        let is_missing =
            known.map(|((shown, recorded), filled)| shown.or(*recorded).is_none() && filled.is_none());
        let before = is_missing.take(self.history.moves().len());
        before
            .enumerate()
            .filter_map(|(ply, is_missing)| is_missing.then_some(ply))
            .collect()
    }

    /// Returns the position after the first `ply` moves of the game; `None` if it cannot be searched.
    pub(super) fn searchable_position(&self, ply: usize) -> Option<History> {
        let history = self.history.up_to(ply);
        history.now().searchable().is_ok().then_some(history)
    }

    /// Returns whether the moves come from another program: from a relay, a source or a file, but not from the
    /// clipboard. Also true after the end of the game.
    pub(super) fn is_followed(&self) -> bool {
        let has_come =
            |source: &GameSource| source.game.is_some() && source.address != LiveAddress::Clipboard;
        self.is_growing || !self.followed_positions.is_empty() || self.source.as_ref().is_some_and(has_come)
    }

    /// Returns the values that engines have shown along the current line and the main line. The last result is cached.
    pub fn live_values(&self) -> Arc<LiveValues> {
        let version = self.values.version() + self.values.fill_version();
        let key = (
            version,
            self.document.revision(),
            self.document.line().last().copied(),
        );
        let mut cached = self.live_values.borrow_mut();
        if cached.key != Some(key) {
            let record = self.document.record();
            let series = |nodes: &mut dyn Iterator<Item = NodeId>| {
                self.values
                    .series(record.start(), nodes.filter_map(|node| record.node(node).mv()))
            };
            let is_main = record.main_line().eq(self.document.line().iter().copied());
            let main_line = if is_main {
                Vec::new()
            } else {
                series(&mut record.main_line())
            };
            let line = series(&mut self.document.line().iter().copied());
            let moves = self
                .document
                .line()
                .iter()
                .filter_map(|node| record.node(*node).mv());
            let filled = self
                .values
                .fill_values(record.start(), moves)
                .map(Option::flatten)
                .collect();
            let values = Arc::new(LiveValues {
                version,
                line,
                main_line,
                filled_values: filled,
            });
            *cached = CachedLiveValues {
                key: Some(key),
                values,
            };
        }
        Arc::clone(&cached.values)
    }

    /// Returns the relation of the current position to the game that is followed in this tab. `None` if no game is
    /// followed, it is over, or the position is not part of it and wholly known.
    pub fn live_mark(&self) -> Option<LiveMark> {
        let mark = self
            .live_mark_in_game()
            .or_else(|| self.doubt().map(LiveMark::PartUnknown))?;
        Some(if mark == LiveMark::Live && self.unplayable_end().is_some() {
            LiveMark::Stopped
        } else {
            mark
        })
    }

    /// Returns the reason why the followed game stops: its next move cannot be played or read.
    pub(super) fn stop_remark(&self) -> Option<RecordRemark> {
        if !self.is_growing && self.followed_positions.is_empty() {
            return None;
        }
        let end = self.unplayable_end()?;
        let record = self.document.record();
        let number = usize::from(record.start().move_number()) + record.len();
        let words = end.words().to_owned();
        let is_illegal = end.reason == Reason::IllegalMove;
        Some(if is_illegal {
            RecordRemark::NextIllegal(number, words)
        } else {
            RecordRemark::NextUnreadable(number, words)
        })
    }

    /// Returns the end of the record, if that is a move that cannot be played or read.
    fn unplayable_end(&self) -> Option<&End> {
        self.document
            .record()
            .end()
            .filter(|end| end.is_cut() && !end.is_decided())
    }

    /// Returns the newest position of a game in progress elsewhere, and whether the current position lies on the way to
    /// it. Moves that the user has added do not count. `None` where it is not known.
    pub(super) fn live_tip(&self) -> Option<(Arc<History>, bool)> {
        let followed = self.followed_positions.values().map(|(followed, _)| followed);
        if let Some(newest) = followed.max_by_key(|followed| followed.moves().len()) {
            let is_on_way =
                newest.start() == self.history.start() && newest.moves().starts_with(self.history.moves());
            return Some((Arc::clone(newest), is_on_way));
        }
        if !self.is_growing {
            return None;
        }
        let disk = self.file.record_on_disk()?;
        let mut moves = disk.moves();
        let is_on_way = disk.start() == self.history.start()
            && self.history.moves().iter().all(|mv| moves.next() == Some(*mv));
        let last = disk
            .main_line()
            .filter(|node| disk.node(*node).mv().is_some())
            .last()
            .unwrap_or(NodeId::START);
        Some((Arc::new(disk.history_at(last)), is_on_way))
    }

    /// Returns the relation of the current position to the followed game, without regard to the end of the record.
    /// `None` as for [`live_mark`](Self::live_mark).
    fn live_mark_in_game(&self) -> Option<LiveMark> {
        let followed = self.followed_positions.values().map(|(followed, _)| followed);
        let Some(newest) = followed.max_by_key(|followed| followed.moves().len()) else {
            if self.is_growing {
                return self.live_mark_in_file();
            }
            let is_running = self.source.as_ref().is_some_and(GameSource::is_running);
            return (is_running && self.awaits_source()).then_some(LiveMark::Waiting);
        };
        let is_live = self
            .followed_positions
            .values()
            .any(|(followed, _)| *followed == self.history);
        let is_of_game =
            newest.moves().starts_with(self.history.moves()) && newest.start() == self.history.start();
        let behind = newest.moves().len().saturating_sub(self.history.moves().len());
        match is_live {
            _ if self.is_over => None,
            false if !is_of_game && let Some(doubt) = self.doubt() => Some(LiveMark::PartUnknown(doubt)),
            _ if is_of_game && let Some(mark) = self.source.as_ref().and_then(GameSource::live_mark) => {
                Some(mark)
            }
            true => Some(LiveMark::Live),
            false => is_of_game.then_some(LiveMark::Behind(behind)),
        }
    }

    /// Returns the unknown part of the current position, if it was read off the screen.
    pub fn doubt(&self) -> Option<BoardDoubt> {
        self.unknown_part
            .as_ref()
            .filter(|(start, _)| start == self.history.start())
            .map(|(_, doubt)| *doubt)
    }

    /// Returns the relation of the current position to a game whose file another program is writing.
    fn live_mark_in_file(&self) -> Option<LiveMark> {
        let record = self.document.record();
        let main: Vec<_> = record.main_line().collect();
        let known = match self.document.current() {
            NodeId::START => 0,
            current => main.iter().position(|node| *node == current)? + 1,
        };
        // An interruption is a separate step, and not a move.
        let behind = main
            .iter()
            .skip(known)
            .filter(|node| record.node(**node).mv().is_some())
            .count();
        let is_over = record.decisive_end().is_some();
        let mark = if behind == 0 {
            LiveMark::Live
        } else {
            LiveMark::Behind(behind)
        };
        (!is_over).then_some(mark)
    }

    /// Returns whether the game is in progress elsewhere: behind a relay, at a source, or in a growing file.
    pub fn is_live(&self) -> bool {
        let is_followed = self.is_growing || !self.followed_positions.is_empty();
        // The end of a variation is not that of the game.
        let is_beside = || self.live_tip().is_some_and(|(_, is_on_way)| !is_on_way);
        // A repetition ends a game by the rules, but some games continue.
        is_followed && (self.ending().is_none() || self.live_mark() == Some(LiveMark::Live) || is_beside())
    }

    /// Returns the newest position of the game that is followed, or was followed last; `None` for a game of the record
    /// alone. The main line of the record may have moves of the user in place of the game's.
    pub(super) fn game_line(&self) -> Option<Arc<History>> {
        let tip = self.live_tip().map(|(tip, _)| tip);
        tip.or_else(|| self.former_tip.clone())
    }

    /// Returns whether the game is in progress elsewhere, and not over.
    pub fn is_running_live(&self) -> bool {
        self.is_live() && !self.has_ended()
    }

    /// Returns whether the game has a decisive end: the followed game, or that of the main line if none is followed. Moves
    /// of the user in a followed game end nothing.
    pub(super) fn has_ended(&self) -> bool {
        let has_end = |record: &Record| record.decisive_end().is_some();
        match self.file.record_on_disk() {
            _ if self.is_over => true,
            Some(disk) if self.is_growing => has_end(disk),
            _ => self.followed_positions.is_empty() && has_end(self.document.record()),
        }
    }

    /// Returns whether the board ends the game at its newest position, whatever position the study page shows.
    pub(super) fn is_ended_by_board(&self) -> bool {
        match self.live_tip() {
            Some((tip, _)) => Ending::from_position(&tip).is_some() && self.doubt().is_none(),
            None => self.document.is_at_tip() && self.ending().is_some() && self.variation().is_empty(),
        }
    }

    /// Removes the candidates of an engine. The values of its curve in the graph are kept.
    pub(super) fn forget_values(&mut self, engine: &str) {
        self.values.forget(engine);
    }

    /// Returns the earlier values of an engine for the current position.
    pub fn values(&self, engine: &str) -> Option<SearchInfo> {
        self.values.get(engine, &self.history)
    }

    /// Returns the best line that an engine has shown for the position before the last move.
    pub(super) fn best_before(&self, engine: &str) -> Option<&Candidate> {
        let (_, before) = self.history.moves().split_last()?;
        self.values.best_candidate(engine, self.history.start(), before)
    }

    pub(super) fn latest_values(&self, engine: &str) -> Option<&SearchInfo> {
        self.values.latest(engine)
    }

    /// Returns the version of the values that were shown; `None` if there are no values.
    pub(super) fn values_version(&self) -> Option<u64> {
        (!self.values.is_empty()).then(|| self.values.version())
    }

    /// Returns the values to store for the next run; `None` if the game has no file or address.
    pub(super) fn stored_values(&self) -> Option<StoredValues> {
        self.values_name.map(|name| self.values.to_stored(name))
    }

    /// Replaces the values by those that an earlier run has stored.
    pub(super) fn restore_values(&mut self, values: &StoredValues) {
        self.values.restore(values);
    }

    /// Removes the values of the record, and adds them to [`unstored_values`](Self::unstored_values).
    pub(super) fn detach_values(&mut self) {
        if !self.values.is_empty() {
            self.unstored_values.extend(self.stored_values());
        }
        self.values.clear();
        self.values_name = None;
    }

    /// Updates the rows and the insight, as far as one frame allows. Returns whether both are complete. If not, the
    /// caller repeats the call soon.
    ///
    /// From the first update on, the judge's evaluations are shown while the engines are paused. Before, those of the
    /// best informed evaluator are shown.
    pub fn update_insight(&mut self, scales: &EngineScales) -> bool {
        let running = self.analysis.as_ref().map(RunningAnalysis::running_engines);
        self.insight.set_running_engines(&running.unwrap_or_default());
        self.insight.set_scales(scales);
        // The comments are not read in a call that leaves rows to build, so that no call takes long.
        self.rows.update(&self.document, self.lang) && self.insight.update(&self.document)
    }

    /// Returns the evaluations and assessments of the record, as of the last [`update_insight`](Self::update_insight).
    pub const fn insight(&self) -> &RecordInsight {
        &self.insight
    }

    /// Returns the rows of the current line. While rows of a new state are built, returns those of the state before.
    pub fn rows(&self) -> &[MoveRow] {
        self.rows.shown_rows()
    }

    /// Returns the nodes of the moves whose reasons are to be found; `None` if they were returned already, unless
    /// `is_restarted`.
    pub(super) fn take_moves_to_explain(&mut self, is_restarted: bool) -> Option<Vec<NodeId>> {
        if is_restarted {
            self.insight.restart_reasons();
        }
        self.insight.take_moves_to_explain(&self.document)
    }

    pub(super) fn reason_request(&self, nodes: Vec<NodeId>) -> ReasonRequest {
        ReasonRequest {
            first_revision: self.document.first_revision(),
            record: self.document.shared_record(),
            review: self.insight.review().clone(),
            nodes,
        }
    }

    /// Stores the reason of the move of a record that leads to a node; `None` if none was found. Does nothing for
    /// another record than the present one.
    pub(super) fn set_reason(&mut self, first_revision: u64, node: NodeId, reason: Option<Box<MoveReason>>) {
        if self.document.first_revision() == first_revision {
            let record = self.document.record();
            self.insight
                .set_reason(record, node, reason.map(|reason| *reason));
        }
    }

    /// Lets an evaluator judge the record.
    pub(super) fn choose_judge(&mut self, judge: Evaluator) {
        self.insight.choose_judge(judge);
    }

    /// Sets the language of the screen.
    pub fn set_language(&mut self, lang: Lang) {
        self.lang = lang;
        self.last_word = bar::last_word(&self.history, lang);
    }

    /// Returns the position to search; `None` if the game is over, or the requested record was not read.
    ///
    /// Without the requested record, an evaluation of the empty board would look like one of the record.
    pub fn search_position(&self) -> Option<&Arc<History>> {
        let is_expected =
            self.unread_path.is_some() || self.file.opening_path().is_some() || self.source.is_some();
        let is_awaited = !self.was_opened && is_expected;
        (self.unreadable_notice.is_none() && !is_awaited && self.ending().is_none()).then_some(&self.history)
    }

    /// Returns whether a position is one of the record, in any variation.
    pub fn has_position(&self, history: &History) -> bool {
        let record = self.document.record();
        history.start() == record.start()
            && history
                .moves()
                .iter()
                .try_fold(NodeId::START, |node: NodeId, mv: &Move| {
                    record
                        .children(node)
                        .find(|child| record.node(*child).mv() == Some(*mv))
                })
                .is_some()
    }

    /// Returns the end of the game, if the current position is the last of a finished game.
    pub fn ending(&self) -> Option<Ending> {
        if self.document.is_at_end()
            && let Some(stated) = self.document.ending()
        {
            return Some(stated);
        }
        // The board does not end a game with an unknown part: a hidden piece in hand may prevent a mate.
        if self.doubt().is_some() {
            return None;
        }
        Ending::from_position(&self.history)
    }
    /// Returns the end of the game at a position of the record: the one that the record states, or else that of the board.
    pub(super) fn ending_at(&self, position: &History) -> Option<Ending> {
        let record = self.document.record();
        let stated = self.node_at(position).and_then(|node| {
            let mut ends = record.children(node).filter_map(|child| record.node(child).end());
            ends.find_map(Ending::from_record)
        });
        stated.or_else(|| Ending::from_position(position).filter(|_| self.doubt().is_none()))
    }

    /// Returns the node of a position in the record; `None` if the record does not have its moves.
    fn node_at(&self, position: &History) -> Option<NodeId> {
        let record = self.document.record();
        if record.start() != position.start() {
            return None;
        }
        let mut moves = position.moves().iter();
        moves.try_fold(NodeId::START, |node, mv| record.child_by(node, *mv))
    }
}
