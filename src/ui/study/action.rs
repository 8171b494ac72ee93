//! What a user asks for on the study page.

use super::PathPurposeKind;
use crate::analysis::{AnalysisOptions, Evaluator};
use crate::config::{Command, StudyKeys};
use crate::kifu::{NodeId, Reason, Target};
use crate::live::LiveAddress;
use crate::shogi::{History, Move, Position};
use shogibar_games::study::{InquiryKind, UnsavedAnswer};
use std::path::PathBuf;
use std::sync::Arc;

/// A user action on the page.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum StudyAction {
    /// Run a command.
    Run(Command),
    /// Show the newer version in the browser.
    ShowNewer,
    /// Go forward by this number of moves; backward if negative.
    Step(i32),
    /// Go to a place in the current line.
    GoTo(usize),
    /// Go to a node.
    Go(NodeId),
    /// Play a move.
    Play(Move),
    /// Set the comment at a node.
    Comment(NodeId, String),
    /// Delete a node and everything after it.
    Delete(NodeId),
    /// Replace a move by another one from the same position.
    Replace {
        /// The move to delete, with everything after it.
        old: NodeId,
        /// The move that replaces it.
        new: NodeId,
    },
    /// Set the players' names, Black first, other headers, and the start position, if given.
    Players {
        /// The names; a blank one removes the name.
        names: [String; 2],
        /// Other headers of the record by their keys; a blank value removes one.
        others: Vec<(&'static str, String)>,
        /// The start position.
        start: Option<Box<Position>>,
    },
    /// Move a node up by one among its siblings.
    Promote(NodeId),
    /// Make the line through a node the main line.
    MainLine(NodeId),
    /// Insert these moves as a variation after the current position.
    Insert(Vec<Move>),
    /// Insert these moves as a variation after a node.
    InsertAt(NodeId, Vec<Move>),
    /// Ask the engine about a position beside the game, or give the question up.
    Ask(Option<(InquiryKind, Arc<History>)>),
    /// Analyse the game.
    Analyse(Box<AnalysisOptions>),
    /// Let an evaluator judge the game.
    Judge(Evaluator),
    /// Pause or resume the analysis.
    PauseAnalysis,
    /// Cancel the analysis.
    CancelAnalysis,
    /// Set the keyboard shortcuts.
    Keys(Box<StudyKeys>),
    /// End the line after the current move, for this reason.
    End(Reason),
    /// Start a new game from this position.
    Start(Box<Position>),
    /// Copy a text to the clipboard.
    Copy(String),
    /// Copy the record in a format.
    CopyAs(Target),
    /// Open a file.
    Open(PathBuf),
    /// Open an address as a game of its own.
    OpenAddress(LiveAddress),
    /// Show another open game, by index.
    ShowGame(usize),
    /// Close an open game, by index.
    CloseGame(usize),
    /// Select another game of the file, by index.
    SelectGame(usize),
    /// Reload the record's file.
    Reload,
    /// Dismiss the current notice.
    DismissNotice,
    /// Dismiss the transient notice: its time is over.
    ExpireNotice,
    /// Use this path for the requested purpose.
    PathChosen(PathPurposeKind, PathBuf),
    /// Load a record from pasted text.
    Paste(String),
    /// Recover the records of an earlier run if true; discard them if false.
    Recover(bool),
    /// Answer the question about unsaved changes.
    Answer(UnsavedAnswer),
}
