//! The deck of the user's mistakes, and the search for mistakes in a folder of records.

use super::{AppEffect, AppModel};
use crate::action::DrillAction;
use crate::jobs::{Job, JobResult, MistakeSearch};
use shogibar_base::CauseText;
use shogibar_games::study::{DrillCard, DrillDeck, DrillLine, DrillOutcome};

/// The state of the deck.
#[derive(Debug, Default)]
pub struct DrillState {
    /// The deck, with all answers.
    pub deck: DrillDeck,
    /// The number of files read and the number of all files; `None` unless a folder is searched for mistakes.
    pub collected_files: Option<[usize; 2]>,
    /// The outcome of the last addition of mistakes, from a game or a folder. `None` before the first, while a folder
    /// is searched, and after an answer of the user.
    pub outcome: Option<DrillOutcome>,
    /// Whether the deck was requested.
    is_open: bool,
    /// Whether the deck was read.
    is_read: bool,
    /// The lines that were added before the deck was read.
    early_lines: Vec<DrillLine>,
    /// The number of the last search for mistakes.
    search: u64,
    /// The number of mistakes that the search has added.
    added: usize,
    read_problem: Option<CauseText>,
    write_problem: Option<CauseText>,
}

impl DrillState {
    /// Returns whether the deck was requested.
    pub const fn is_open(&self) -> bool {
        self.is_open
    }

    /// Returns the reason why the file cannot be read or written.
    pub fn problem(&self) -> Option<&CauseText> {
        self.write_problem.as_ref().or(self.read_problem.as_ref())
    }

    /// Adds lines to the deck. Returns those that have changed it, which are to be stored.
    fn add(&mut self, lines: Vec<DrillLine>) -> Vec<DrillLine> {
        if !self.is_read {
            self.early_lines.extend(lines);
            return Vec::new();
        }
        lines
            .into_iter()
            .filter(|line| self.deck.apply(line.clone()))
            .collect()
    }
}

impl AppModel {
    /// Returns the state of the deck of mistakes.
    pub const fn drill(&self) -> &DrillState {
        &self.drill
    }

    pub(super) fn act_on_drill(&mut self, action: DrillAction) {
        match action {
            DrillAction::Open if self.drill.is_open => {}
            DrillAction::Open => {
                self.drill.is_open = true;
                self.effects.push(AppEffect::Run(Job::ReadDrillDeck));
            }
            DrillAction::Add(cards) => {
                let count = self.add_cards(cards);
                // The number is not known before the deck was read.
                self.drill.outcome = self.drill.is_read.then_some(DrillOutcome::Added(count));
            }
            DrillAction::RecordAnswer { card, day, right } => {
                self.add_drill_lines(vec![DrillLine::Result { card, day, right }]);
                self.drill.outcome = None;
            }
            DrillAction::Collect { .. } if self.drill.collected_files.is_some() => {}
            DrillAction::Collect { folder, player_name } => {
                self.drill.search += 1;
                self.drill.added = 0;
                (self.drill.collected_files, self.drill.outcome) = (Some([0, 0]), None);
                self.effects
                    .push(AppEffect::Run(Job::CollectMistakes(Box::new(MistakeSearch {
                        number: self.drill.search,
                        folder,
                        player_name,
                        scales: self.scales.clone(),
                    }))));
            }
        }
    }

    pub(super) fn on_drill_result(&mut self, result: JobResult) {
        match result {
            JobResult::DrillDeck(deck, problem) if !self.drill.is_read => {
                (self.drill.deck, self.drill.read_problem, self.drill.is_read) = (*deck, problem, true);
                let early = std::mem::take(&mut self.drill.early_lines);
                let adds_cards = early.iter().any(|line| matches!(line, DrillLine::Card(_)));
                let count = self.add_drill_lines(early);
                if adds_cards && self.drill.collected_files.is_none() {
                    self.drill.outcome = Some(DrillOutcome::Added(count));
                }
            }
            JobResult::MistakeProgress(number, files) if self.is_searching(number) => {
                self.drill.collected_files = Some(files);
            }
            JobResult::Mistakes(number, cards) if self.is_searching(number) => {
                self.drill.added += self.add_cards(cards);
            }
            JobResult::MistakesCollected(number, is_folder) if self.is_searching(number) => {
                self.drill.collected_files = None;
                self.drill.outcome = Some(if is_folder {
                    DrillOutcome::Added(self.drill.added)
                } else {
                    DrillOutcome::NoFolder
                });
            }
            _ => {}
        }
    }

    /// Applies the result of [`AppEffect::StoreDrillLines`].
    pub(super) fn on_drill_stored(&mut self, problem: Option<CauseText>) {
        self.drill.write_problem = problem;
    }

    const fn is_searching(&self, number: u64) -> bool {
        self.drill.collected_files.is_some() && self.drill.search == number
    }

    /// Adds cards to the deck. Returns the number of new cards.
    fn add_cards(&mut self, cards: Vec<DrillCard>) -> usize {
        self.add_drill_lines(cards.into_iter().map(DrillLine::Card).collect())
    }

    /// Adds lines to the deck, and stores them. Returns the number of lines that have changed the deck.
    fn add_drill_lines(&mut self, lines: Vec<DrillLine>) -> usize {
        let new = self.drill.add(lines);
        let count = new.len();
        // After an error, the lines of before are stored again.
        if count > 0 || self.drill.write_problem.is_some() {
            self.effects.push(AppEffect::StoreDrillLines(new));
        }
        count
    }
}
