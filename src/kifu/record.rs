//! Game records: headers, a start position and a tree of moves.

mod start;

use super::encode::ExtensionCharacters;
use super::end::End;
use super::handicap;
use super::time::Time;
use shogibar_shogi::{Color, History, Move, Position};
use start::RecordStart;

/// The number of common moves from which two records are of one game, whatever the names of the players are.
const MIN_TELLING_MOVES: usize = 40;

/// A game record: players, start position, moves, variations, comments, times and the end.
///
/// The moves are a tree. The first child of a node continues its line; further children are variations. The line of
/// first children from the start is the main line. An end is a node without children.
#[derive(Clone, Debug)]
pub struct Record {
    pub(super) headers: Vec<(String, String)>,
    start: RecordStart,
    nodes: Vec<Node>,
    /// Whether the text calls the sides 下手 and 上手, and neither headers nor start show it.
    uses_handicap_names: bool,
    /// The characters of the file that older readers of its encoding do not know.
    pub(super) extension: ExtensionCharacters,
}

/// The id of a node in a record.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct NodeId(u32);

/// What a node adds to its line: the start, a move or an end.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Step {
    /// The start position.
    Start,
    /// A move, legal in its position.
    Move(Move),
    /// The end of a line.
    End(Box<End>),
}

/// A step of the game with its time and texts.
#[derive(Clone, Debug)]
pub struct Node {
    parent: NodeId,
    /// The first child; [`NodeId::START`] for none, because the start is never a child or sibling.
    first_child: NodeId,
    /// The last child; [`NodeId::START`] for none.
    last_child: NodeId,
    /// The next child of the parent; [`NodeId::START`] for none.
    next_sibling: NodeId,
    /// The number of moves from the start. An end has the ply of the node before it.
    ply: u16,
    step: Step,
    /// The time of the step, as far as the record states it.
    pub time: Time,
    pub(super) notes: Option<Box<Notes>>,
}

/// The texts of a node. Each may have several lines, separated by `\n`. An empty text is one empty line.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Notes {
    /// A comment, without the marks of its lines: KIF's `*`, CSA's `'*`.
    pub comment: Option<String>,
    /// A remark that programs ignore: KIF's `#`, CSA's `'`.
    pub remark: Option<String>,
    /// The name of a bookmark: KIF's `&`.
    pub bookmark: Option<String>,
}

impl Notes {
    const NONE: Self = Self {
        comment: None,
        remark: None,
        bookmark: None,
    };

    pub(super) fn add(text: &mut Option<String>, lines: &str) {
        match text {
            Some(text) => {
                text.reserve(1 + lines.len());
                text.push('\n');
                text.push_str(lines);
            }
            None => *text = Some(lines.to_owned()),
        }
    }
}

impl NodeId {
    /// The start of every record.
    pub const START: Self = Self(0);

    /// Returns the node of a link; `None` for the start, which stands for a missing node.
    fn as_link(self) -> Option<Self> {
        (self != Self::START).then_some(self)
    }

    pub(super) const fn index(self) -> usize {
        self.0 as usize
    }
}

impl Node {
    const fn new(parent: NodeId, ply: u16, step: Step) -> Self {
        const NONE: NodeId = NodeId::START;
        let time = Time {
            spent: None,
            total: None,
        };
        Self {
            parent,
            first_child: NONE,
            last_child: NONE,
            next_sibling: NONE,
            ply,
            step,
            time,
            notes: None,
        }
    }

    /// Returns the content of the node.
    pub const fn step(&self) -> &Step {
        &self.step
    }

    /// Returns the move, if the node is one.
    pub const fn mv(&self) -> Option<Move> {
        match self.step {
            Step::Move(mv) => Some(mv),
            Step::Start | Step::End(_) => None,
        }
    }

    /// Returns the end, if the node is one.
    pub fn end(&self) -> Option<&End> {
        match &self.step {
            Step::End(end) => Some(end),
            Step::Start | Step::Move(_) => None,
        }
    }

    pub(super) fn end_mut(&mut self) -> Option<&mut End> {
        match &mut self.step {
            Step::End(end) => Some(end),
            Step::Start | Step::Move(_) => None,
        }
    }

    /// Returns the number of moves up to this node, including the move of the node.
    pub const fn ply(&self) -> u16 {
        self.ply
    }

    /// Returns the turn number in the line, from 1. An end takes the turn of the move that it replaces.
    pub(super) fn turn_number(&self) -> usize {
        usize::from(self.ply) + usize::from(matches!(self.step, Step::End(_)))
    }

    /// Returns the texts of the node.
    pub fn notes(&self) -> &Notes {
        const NONE: &Notes = &Notes::NONE;
        self.notes.as_deref().unwrap_or(NONE)
    }

    /// Returns the texts of the node, mutable.
    pub fn notes_mut(&mut self) -> &mut Notes {
        self.notes.get_or_insert_default()
    }

    /// Returns the comment.
    pub fn comment(&self) -> Option<&str> {
        self.notes().comment.as_deref()
    }
}

fn play_all(mut history: History, moves: impl Iterator<Item = Move>) -> History {
    for mv in moves {
        if history.play(mv).is_err() {
            break; // Unreachable: every move was played when it was added.
        }
    }
    history
}

impl Record {
    /// Creates a record without moves.
    pub fn new(start: &Position) -> Self {
        Self::with_capacity(start, 1)
    }

    /// Creates a record of a game without names, times and comments.
    pub fn from_history(history: &History) -> Self {
        let mut record = Self::new(history.start());
        record.add_line(NodeId::START, history.moves());
        record
    }

    /// Creates a record without moves, with room for `capacity` nodes.
    pub(super) fn with_capacity(start: &Position, capacity: usize) -> Self {
        let mut nodes = Vec::with_capacity(capacity);
        nodes.push(Node::new(NodeId::START, 0, Step::Start));
        let extension = ExtensionCharacters::default();
        Self {
            headers: Vec::new(),
            start: RecordStart::new(start),
            nodes,
            uses_handicap_names: false,
            extension,
        }
    }

    /// Returns keys and values in the order of the file. Keys with a KIF name use that name in every format: CSA's `N+`
    /// is 先手, its `$EVENT` 棋戦.
    pub fn headers(&self) -> &[(String, String)] {
        &self.headers
    }

    /// Returns the headers, mutable.
    pub const fn headers_mut(&mut self) -> &mut Vec<(String, String)> {
        &mut self.headers
    }

    /// Returns the value of the first header with this key that is not blank.
    pub fn header(&self, key: &str) -> Option<&str> {
        let values = self
            .headers
            .iter()
            .filter(|(k, _)| k == key)
            .map(|(_, value)| value.trim());
        values.into_iter().find(|value| !value.is_empty())
    }

    /// Returns the name of a player.
    pub fn player(&self, color: Color) -> Option<&str> {
        let [name, in_handicap] = match color {
            Color::Black => ["先手", "下手"],
            Color::White => ["後手", "上手"],
        };
        self.header(name).or_else(|| self.header(in_handicap))
    }

    /// Returns whether the sides are called 下手 and 上手: the record uses these names, or its start is a handicap.
    pub fn is_handicap(&self) -> bool {
        self.uses_handicap_names
            || self
                .headers
                .iter()
                .any(|(key, _)| matches!(key.as_str(), "下手" | "上手"))
            || handicap::is_handicap(self.start())
    }

    /// Records that the text calls the sides 下手 and 上手, unless headers or start already show it.
    pub(super) fn set_uses_handicap_names(&mut self) {
        self.uses_handicap_names = !self.is_handicap();
    }

    /// Replaces the start position, and whether the text calls the sides 下手 and 上手. Returns the old values of both.
    pub(super) fn replace_start(
        &mut self,
        position: &Position,
        uses_handicap_names: bool,
    ) -> (Position, bool) {
        let before = std::mem::replace(&mut self.start, RecordStart::new(position));
        (
            before.position().clone(),
            std::mem::replace(&mut self.uses_handicap_names, uses_handicap_names),
        )
    }

    /// Returns the position before the first move.
    pub fn start(&self) -> &Position {
        self.start.position()
    }

    /// Returns the position before the first move, without caching it as [`start`](Self::start) does; `None` if board
    /// and hands are those of an even game.
    pub(super) fn nonstandard_start(&self) -> Option<Position> {
        (!self.start.is_standard()).then(|| self.start.build())
    }

    /// Returns whether another record begins with the same position.
    pub(super) fn has_same_start(&self, other: &Self) -> bool {
        self.start.is_same(&other.start)
    }

    /// Returns whether the main line begins with all moves of another record from the same start.
    pub(super) fn continues(&self, earlier: &Self) -> bool {
        let mut moves = self.moves();
        self.has_same_start(earlier) && earlier.moves().all(|mv| moves.next() == Some(mv))
    }

    /// Returns the number of moves with which the main lines of both records begin.
    pub fn common_moves(&self, other: &Self) -> usize {
        self.moves()
            .zip(other.moves())
            .take_while(|(mv, other)| mv == other)
            .count()
    }

    /// Returns whether this is the game of another record at another time: the start is the same, and the main line has at
    /// least half of the other one's moves. Of a short game, two may be taken back. The names are the same, too, unless
    /// many moves are: a name may be corrected.
    pub fn is_version_of(&self, other: &Self) -> bool {
        let common = self.common_moves(other);
        let taken_back = if common == self.len() { 2 } else { 0 };
        let has_same_players = [Color::Black, Color::White].into_iter().all(|color| {
            match (self.player(color), other.player(color)) {
                (Some(name), Some(other)) => name == other,
                _ => true,
            }
        });
        self.has_same_start(other)
            && 2 * common + taken_back >= other.len()
            && (has_same_players || common >= MIN_TELLING_MOVES)
    }

    /// Returns a node.
    ///
    /// # Panics
    /// Panics if the id belongs to another record.
    #[expect(
        clippy::indexing_slicing,
        reason = "nodes are never removed, so ids stay valid"
    )]
    pub fn node(&self, id: NodeId) -> &Node {
        &self.nodes[id.index()]
    }

    /// Returns a node, mutable.
    ///
    /// # Panics
    /// Panics if the id belongs to another record.
    #[expect(
        clippy::indexing_slicing,
        reason = "nodes are never removed, so ids stay valid"
    )]
    pub fn node_mut(&mut self, id: NodeId) -> &mut Node {
        &mut self.nodes[id.index()]
    }

    /// Returns the parent of a node; `None` for the start.
    pub fn parent(&self, id: NodeId) -> Option<NodeId> {
        (id != NodeId::START).then(|| self.node(id).parent)
    }

    /// Returns a node and those above it, up to the start.
    pub fn ancestors(&self, id: NodeId) -> impl Iterator<Item = NodeId> {
        std::iter::successors(Some(id), |id| self.parent(*id))
    }

    /// Returns the nodes after the start, up to and including a node.
    pub fn path(&self, id: NodeId) -> Vec<NodeId> {
        let mut path: Vec<_> = self.ancestors(id).take_while(|id| *id != NodeId::START).collect();
        path.reverse();
        path
    }

    /// Returns the node that continues the line.
    pub fn first_child(&self, id: NodeId) -> Option<NodeId> {
        self.node(id).first_child.as_link()
    }

    /// Returns the next sibling of a node, which is a variation.
    pub fn next_sibling(&self, id: NodeId) -> Option<NodeId> {
        self.node(id).next_sibling.as_link()
    }

    /// Returns the children of a node: the continuation of its line, then the variations.
    pub fn children(&self, id: NodeId) -> impl Iterator<Item = NodeId> {
        std::iter::successors(self.first_child(id), |child| self.next_sibling(*child))
    }

    /// Returns the nodes after a node on its line, down to the end of the line.
    pub fn line_after(&self, id: NodeId) -> impl Iterator<Item = NodeId> {
        std::iter::successors(self.first_child(id), |node| self.first_child(*node))
    }

    /// Returns the first node of every line, in the order in which formats write lines. The main line comes first, then
    /// the variations from the last branch to the first. Each variation is followed by its own variations.
    pub(super) fn lines(&self) -> impl Iterator<Item = NodeId> {
        // The stack yields the deepest branch first, and of its variations the first.
        let mut stack: Vec<_> = self.children(NodeId::START).collect();
        stack.reverse();
        std::iter::from_fn(move || {
            let first = stack.pop()?;
            for node in self.line_after(first) {
                let from = stack.len();
                stack.extend(std::iter::successors(self.next_sibling(node), |node| {
                    self.next_sibling(*node)
                }));
                stack.get_mut(from..).unwrap_or_default().reverse();
            }
            Some(first)
        })
    }

    /// Returns the main line after the start, including its end.
    pub fn main_line(&self) -> impl Iterator<Item = NodeId> {
        self.line_after(NodeId::START)
    }

    /// Returns the moves of the main line, in order.
    pub fn moves(&self) -> impl Iterator<Item = Move> {
        self.main_line().filter_map(|id| self.node(id).mv())
    }

    /// Returns every node in depth-first order: parents before children, a continuation before its variations.
    pub fn all(&self) -> impl Iterator<Item = NodeId> {
        std::iter::successors(Some(NodeId::START), |id| {
            self.first_child(*id)
                .or_else(|| self.ancestors(*id).find_map(|id| self.next_sibling(id)))
        })
    }

    /// Returns the number of moves in the main line.
    pub fn len(&self) -> usize {
        self.moves().count()
    }

    /// Returns whether the main line has no move.
    pub fn is_empty(&self) -> bool {
        self.moves().next().is_none()
    }

    /// Returns the number of moves in the main line, and the number of moves in all lines.
    pub(super) fn move_counts(&self) -> (usize, usize) {
        (
            self.len(),
            self.all().filter(|id| self.node(*id).mv().is_some()).count(),
        )
    }

    /// Returns the game up to and including move `ply` of the main line. 0 is the start. A number past the end means
    /// the whole game.
    pub fn history(&self, ply: usize) -> History {
        self.replay(self.moves().take(ply))
    }

    /// Returns the moves from the start to a node.
    pub fn history_at(&self, id: NodeId) -> History {
        self.replay(self.path(id).into_iter().filter_map(|id| self.node(id).mv()))
    }

    /// Returns the moves from the start to a node, as [`history_at`](Self::history_at) does. If these moves continue
    /// the moves of `known`, only the further moves are played. This saves time in a long game, where each move is
    /// checked for repetition.
    pub fn history_after(&self, known: &History, id: NodeId) -> History {
        let moves: Vec<Move> = self
            .path(id)
            .into_iter()
            .filter_map(|id| self.node(id).mv())
            .collect();
        match moves.strip_prefix(known.moves()) {
            Some(further) if known.start() == self.start() => {
                play_all(known.clone(), further.iter().copied())
            }
            _ => self.replay(moves.into_iter()),
        }
    }

    /// Plays moves from the start.
    fn replay(&self, moves: impl Iterator<Item = Move>) -> History {
        play_all(History::new(self.start().clone()), moves)
    }

    /// Returns the end of the main line; `None` if the line has no end.
    pub fn end(&self) -> Option<&End> {
        self.main_line().last().and_then(|last| self.node(last).end())
    }

    /// Returns the end of a decided game; `None` if it is unfinished, interrupted, or its end is unknown.
    pub fn decisive_end(&self) -> Option<&End> {
        self.end().filter(|end| end.is_decided())
    }

    /// Adds the last child of a node: a legal move or an end. Returns `None` if the record is full, or if the line has
    /// 65 535 moves.
    pub(super) fn add(&mut self, parent: NodeId, step: Step) -> Option<NodeId> {
        let id = NodeId(u32::try_from(self.nodes.len()).ok()?);
        let ply = self
            .node(parent)
            .ply
            .checked_add(u16::from(matches!(step, Step::Move(_))))?;
        self.nodes.push(Node::new(parent, ply, step));
        let last = self.node(parent).last_child.as_link();
        match last {
            Some(last) => self.node_mut(last).next_sibling = id,
            None => self.node_mut(parent).first_child = id,
        }
        self.node_mut(parent).last_child = id;
        Some(id)
    }

    pub(super) fn last_child(&self, id: NodeId) -> Option<NodeId> {
        self.node(id).last_child.as_link()
    }

    /// Moves the last child of `parent` right after its child `previous`, or to the front if that is `None`. `tail` is
    /// the last child but one; `None` if there is only one child, which then stays.
    pub(super) fn move_last_child_after(
        &mut self,
        parent: NodeId,
        previous: Option<NodeId>,
        tail: Option<NodeId>,
    ) {
        let Some(tail) = tail.filter(|tail| Some(*tail) != previous) else {
            return;
        };
        let Some(last) = self.next_sibling(tail) else {
            return;
        };
        self.node_mut(tail).next_sibling = NodeId::START;
        self.node_mut(parent).last_child = tail;
        let slot = match previous {
            Some(previous) => &mut self.node_mut(previous).next_sibling,
            None => &mut self.node_mut(parent).first_child,
        };
        let next = std::mem::replace(slot, last);
        self.node_mut(last).next_sibling = next;
    }

    /// Attaches a detached node to its parent, before the given child or as the last one.
    pub(super) fn attach(&mut self, node: NodeId, before: Option<NodeId>) {
        let parent = self.node(node).parent;
        if self.children(parent).any(|child| child == node) {
            // The user and another program may both attach the node. Attached twice, it would be its own sibling, so it
            // is detached first.
            self.detach(node);
        }
        let previous = self
            .children(parent)
            .take_while(|child| Some(*child) != before)
            .last();
        let slot = match previous {
            Some(previous) => &mut self.node_mut(previous).next_sibling,
            None => &mut self.node_mut(parent).first_child,
        };
        let next = std::mem::replace(slot, node);
        self.node_mut(node).next_sibling = next;
        if next.as_link().is_none() {
            self.node_mut(parent).last_child = node;
        }
    }

    pub(super) fn detach(&mut self, node: NodeId) {
        let parent = self.node(node).parent;
        let previous = self.children(parent).take_while(|child| *child != node).last();
        let next = std::mem::replace(&mut self.node_mut(node).next_sibling, NodeId::START);
        match previous {
            Some(previous) => self.node_mut(previous).next_sibling = next,
            None => self.node_mut(parent).first_child = next,
        }
        if next.as_link().is_none() {
            self.node_mut(parent).last_child = previous.unwrap_or(NodeId::START);
        }
    }

    /// Replaces an end by a legal move or another end. The texts of the node are kept. Returns `None` if the line is
    /// full.
    pub(super) fn replace(&mut self, end: NodeId, step: Step) -> Option<NodeId> {
        let parent = self.parent(end)?;
        let ply = self
            .node(parent)
            .ply
            .checked_add(u16::from(matches!(step, Step::Move(_))))?;
        let node = self.node_mut(end);
        (node.step, node.ply, node.time) = (step, ply, Time::default());
        Some(end)
    }

    /// Replaces the texts of headers, notes and ends by those that `replacement` returns.
    pub(super) fn replace_texts(&mut self, replacement: impl Fn(&str) -> String) {
        for (key, value) in &mut self.headers {
            (*key, *value) = (replacement(key), replacement(value));
        }
        for node in &mut self.nodes {
            if let Some(Notes {
                comment,
                remark,
                bookmark,
            }) = node.notes.as_deref_mut()
            {
                for text in [comment, remark, bookmark].into_iter().flatten() {
                    *text = replacement(text);
                }
            }
            if let Some(end) = node.end_mut() {
                *end = End::new(end.reason, end.outcome, &replacement(end.words()));
            }
        }
    }

    /// Returns the extension characters of the file, each once: those that older readers of its encoding do not know.
    pub fn extension_characters(&self) -> String {
        self.extension.to_text()
    }

    /// Adds the extension characters of a text; other characters are ignored.
    pub fn add_extension_characters(&mut self, text: &str) {
        self.extension.add(&ExtensionCharacters::from_text(text));
    }

    /// Returns whether `other`, another version of the record, has extension characters that this one lacks.
    pub fn lacks_characters_of(&self, other: &Self) -> bool {
        !self.extension.contains_all(&other.extension)
    }

    /// Adds the extension characters of another version of the record, so that `Shift_JIS` can be written with them.
    pub fn add_characters_of(&mut self, other: &Self) {
        self.extension.add(&other.extension);
    }

    /// Returns whether the record has a move, an end or notes.
    pub(super) fn has_content(&self) -> bool {
        self.size() > 1 || *self.node(NodeId::START).notes() != Notes::default()
    }

    /// Returns the number of nodes, including detached ones.
    pub(super) const fn size(&self) -> usize {
        self.nodes.len()
    }

    /// Releases memory that was reserved for more nodes.
    pub(super) fn shrink(&mut self) {
        self.nodes.shrink_to_fit();
        self.start.drop_position();
    }
}

impl PartialEq for Record {
    /// Compares the content, whatever the order in which the records were built.
    fn eq(&self, other: &Self) -> bool {
        let same = |left, right| {
            let (left, right) = (self.node(left), other.node(right));
            (left.ply, &left.step, left.time) == (right.ply, &right.step, right.time)
                && left.notes() == right.notes()
        };
        self.headers == other.headers
            && self.uses_handicap_names == other.uses_handicap_names
            && self.start() == other.start()
            // Deleted nodes are only detached, so they are not compared.
            && self.all().count() == other.all().count()
            && self.all().zip(other.all()).all(|(left, right)| same(left, right))
    }
}

impl Eq for Record {}
