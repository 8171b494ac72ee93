//! What a game record says: headers, a start position and a tree of moves.

mod start;

use super::end::End;
use super::handicap;
use super::time::{Millis, Time};
use super::walk::Walk;
use crate::shogi::{Color, History, Move, Position};
use start::RecordStart;

/// A game: who played, from which position, which moves and which others were looked at, what is
/// remarked on them, how long each took and how it ended.
///
/// Its moves are a tree. The first child of a node continues its line, further ones are variations;
/// the line of first children from the start is the main line. An end is a node without children.
#[derive(Clone, Debug)]
pub struct Record {
    pub(super) headers: Vec<(String, String)>,
    start: RecordStart,
    nodes: Vec<Node>,
    /// Whether the record speaks of 下手 and 上手 in its diagram only.
    speaks_of_handicap: bool,
}

/// A node of a record.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct NodeId(u32);

/// What a node is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Step {
    /// The start position.
    Start,
    /// A move, legal where it stands.
    Move(Move),
    /// The end of a line.
    End(Box<End>),
}

/// A step of the game and what belongs to it.
#[derive(Clone, Debug)]
pub struct Node {
    parent: NodeId,
    /// The start is nobody's child or sibling, so that its id is none here.
    first_child: NodeId,
    last_child: NodeId,
    next_sibling: NodeId,
    ply: u16,
    step: Step,
    /// The time it took, as far as the record says so.
    pub time: Time,
    pub(super) notes: Option<Box<Notes>>,
}

/// Texts at a node. Each may have several lines, parted by `\n`; a text of no characters is one empty
/// line.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Notes {
    /// A comment, without the signs that mark its lines: KIF's `*`, CSA's `'*`.
    pub comment: Option<String>,
    /// What programs are to pass over: KIF's `#`, CSA's `'`.
    pub remark: Option<String>,
    /// The name of a bookmark: KIF's `&`.
    pub bookmark: Option<String>,
}

impl Notes {
    const NONE: Self = Self { comment: None, remark: None, bookmark: None };

    /// Adds lines to a text.
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

    fn some(self) -> Option<Self> {
        (self != Self::START).then_some(self)
    }

    pub(super) const fn index(self) -> usize {
        self.0 as usize
    }
}

impl Node {
    const fn new(parent: NodeId, ply: u16, step: Step) -> Self {
        const NONE: NodeId = NodeId::START;
        let time = Time { spent: None, total: None };
        Self { parent, first_child: NONE, last_child: NONE, next_sibling: NONE, ply, step, time, notes: None }
    }

    /// What it is.
    pub const fn step(&self) -> &Step {
        &self.step
    }

    /// The move, if it is one.
    pub const fn mv(&self) -> Option<Move> {
        match self.step {
            Step::Move(mv) => Some(mv),
            Step::Start | Step::End(_) => None,
        }
    }

    /// The end, if it is one.
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

    /// How many moves lead to it, its own included.
    pub const fn ply(&self) -> u16 {
        self.ply
    }

    /// Which turn of the line it is, from 1: an end takes the turn of the move in whose place it stands.
    pub(super) fn turn_number(&self) -> usize {
        usize::from(self.ply) + usize::from(matches!(self.step, Step::End(_)))
    }

    /// Its texts.
    pub fn notes(&self) -> &Notes {
        const NONE: &Notes = &Notes::NONE;
        self.notes.as_deref().unwrap_or(NONE)
    }

    /// Its texts, to be changed.
    pub fn notes_mut(&mut self) -> &mut Notes {
        self.notes.get_or_insert_default()
    }

    /// The comment.
    pub fn comment(&self) -> Option<&str> {
        self.notes().comment.as_deref()
    }
}

impl Record {
    /// A game without a move.
    pub fn new(start: &Position) -> Self {
        Self::with_capacity(start, 1)
    }

    /// A game without a move, with room for so many nodes.
    pub(super) fn with_capacity(start: &Position, capacity: usize) -> Self {
        let mut nodes = Vec::with_capacity(capacity);
        nodes.push(Node::new(NodeId::START, 0, Step::Start));
        Self { headers: Vec::new(), start: RecordStart::new(start), nodes, speaks_of_handicap: false }
    }

    /// Keys and values in the order of the file. Keys that KIF has a name for bear it in every format:
    /// CSA's `N+` is 先手, its `$EVENT` 棋戦.
    pub fn headers(&self) -> &[(String, String)] {
        &self.headers
    }

    /// The headers, to be changed.
    pub const fn headers_mut(&mut self) -> &mut Vec<(String, String)> {
        &mut self.headers
    }

    /// The value of the first header of that key which is not blank.
    pub fn header(&self, key: &str) -> Option<&str> {
        let values = self.headers.iter().filter(|(k, _)| k == key).map(|(_, value)| value.trim());
        values.into_iter().find(|value| !value.is_empty())
    }

    /// The name of a side's player.
    pub fn player(&self, color: Color) -> Option<&str> {
        let [name, in_handicap] = match color {
            Color::Black => ["先手", "下手"],
            Color::White => ["後手", "上手"],
        };
        self.header(name).or_else(|| self.header(in_handicap))
    }

    /// Whether the sides are 下手 and 上手: the record says so, or it starts from a handicap.
    pub fn is_handicap(&self) -> bool {
        let speaks = |(key, _): &(String, String)| matches!(key.as_str(), "下手" | "上手");
        self.speaks_of_handicap
            || self.headers.iter().any(speaks)
            || handicap::name(self.start()).is_some_and(|name| name != handicap::NONE)
    }

    /// Notes that the diagram of the start speaks of 下手 and 上手.
    pub(super) fn set_speaks_of_handicap(&mut self) {
        self.speaks_of_handicap = !self.is_handicap();
    }

    /// Starts from another position, and gives back the one before; also whether a diagram of it speaks of 下手 and 上手.
    pub(super) fn replace_start(&mut self, position: &Position, speaks_of_handicap: bool) -> (Position, bool) {
        let before = std::mem::replace(&mut self.start, RecordStart::new(position));
        (before.position().clone(), std::mem::replace(&mut self.speaks_of_handicap, speaks_of_handicap))
    }

    /// The position before the first move.
    pub fn start(&self) -> &Position {
        self.start.position()
    }

    /// The position before the first move, for one look: [`start`](Self::start) keeps it in memory. `None`
    /// where there is nothing to see but the usual one.
    pub(super) fn odd_start(&self) -> Option<Position> {
        (!self.start.is_usual()).then(|| self.start.build())
    }

    /// A node.
    ///
    /// # Panics
    /// With the id of another record's node.
    #[expect(clippy::indexing_slicing, reason = "a node is never removed, so that its id stays good")]
    pub fn node(&self, id: NodeId) -> &Node {
        &self.nodes[id.index()]
    }

    /// A node, to be changed.
    ///
    /// # Panics
    /// With the id of another record's node.
    #[expect(clippy::indexing_slicing, reason = "a node is never removed, so that its id stays good")]
    pub fn node_mut(&mut self, id: NodeId) -> &mut Node {
        &mut self.nodes[id.index()]
    }

    /// The node before a node; `None` for the start.
    pub fn parent(&self, id: NodeId) -> Option<NodeId> {
        (id != NodeId::START).then(|| self.node(id).parent)
    }

    /// The node that continues a line.
    pub fn first_child(&self, id: NodeId) -> Option<NodeId> {
        self.node(id).first_child.some()
    }

    /// The next of the variations to a node.
    pub fn next_sibling(&self, id: NodeId) -> Option<NodeId> {
        self.node(id).next_sibling.some()
    }

    /// The nodes after a node: what continues its line, then the variations to that.
    pub fn children(&self, id: NodeId) -> impl Iterator<Item = NodeId> {
        std::iter::successors(self.first_child(id), |child| self.next_sibling(*child))
    }

    /// The nodes of the line that continues a node, down to its end, without the node itself.
    pub fn line_after(&self, id: NodeId) -> impl Iterator<Item = NodeId> {
        std::iter::successors(self.first_child(id), |node| self.first_child(*node))
    }

    /// The first node of every line, in the order in which formats write lines one after another: the main line,
    /// then the variations, those that branch off last first, each followed by those that branch off it.
    pub(super) fn lines(&self) -> impl Iterator<Item = NodeId> {
        // What is put last comes first: the deepest branch, and of its variations the first.
        let mut to_come: Vec<_> = self.children(NodeId::START).collect();
        to_come.reverse();
        std::iter::from_fn(move || {
            let first = to_come.pop()?;
            for node in self.line_after(first) {
                let from = to_come.len();
                to_come.extend(std::iter::successors(self.next_sibling(node), |node| self.next_sibling(*node)));
                to_come.get_mut(from..).unwrap_or_default().reverse();
            }
            Some(first)
        })
    }

    /// The main line after the start, its end included.
    pub fn main_line(&self) -> impl Iterator<Item = NodeId> {
        self.line_after(NodeId::START)
    }

    /// The moves of the main line, in order.
    pub fn moves(&self) -> impl Iterator<Item = Move> {
        self.main_line().filter_map(|id| self.node(id).mv())
    }

    /// Every node: each before its children, and all of a line's continuation before the variations to it.
    pub fn all(&self) -> impl Iterator<Item = NodeId> {
        std::iter::successors(Some(NodeId::START), |id| {
            let up = || std::iter::successors(Some(*id), |id| self.parent(*id));
            self.first_child(*id).or_else(|| up().find_map(|id| self.next_sibling(id)))
        })
    }

    /// How many moves the main line has.
    pub fn len(&self) -> usize {
        self.moves().count()
    }

    /// Whether the main line has no move.
    pub fn is_empty(&self) -> bool {
        self.moves().next().is_none()
    }

    /// The game up to and with move `ply` of the main line: 0 is the start, everything past the end
    /// the whole game.
    pub fn history(&self, ply: usize) -> History {
        let mut history = History::new(self.start().clone());
        for mv in self.moves().take(ply) {
            if history.play(mv).is_err() {
                break; // Cannot be: every move was played when the record was read.
            }
        }
        history
    }

    /// How the main line ends; `None` when it just stops.
    pub fn end(&self) -> Option<&End> {
        self.main_line().last().and_then(|last| self.node(last).end())
    }

    /// How the game was decided; `None` when it is unfinished, interrupted, or its end is unknown.
    pub fn decided(&self) -> Option<&End> {
        self.end().filter(|end| end.is_decided())
    }

    /// A position that can go to every node.
    pub fn walk(&self) -> Walk<'_> {
        Walk::new(self)
    }

    /// Adds the last child of a node, which has to be a legal move there, or an end. `None` when the
    /// record is full: a line has at most 65 535 moves.
    pub(super) fn add(&mut self, parent: NodeId, step: Step) -> Option<NodeId> {
        let id = NodeId(u32::try_from(self.nodes.len()).ok()?);
        let ply = self.node(parent).ply.checked_add(u16::from(matches!(step, Step::Move(_))))?;
        self.nodes.push(Node::new(parent, ply, step));
        let last = self.node(parent).last_child.some();
        match last {
            Some(last) => self.node_mut(last).next_sibling = id,
            None => self.node_mut(parent).first_child = id,
        }
        self.node_mut(parent).last_child = id;
        Some(id)
    }

    /// The last of the variations after a node.
    pub(super) fn last_child(&self, id: NodeId) -> Option<NodeId> {
        self.node(id).last_child.some()
    }

    /// Puts the last child of a node between `left` and the child after that; `tail` is the last child but
    /// one. Where `left` is none it becomes the first.
    pub(super) fn put_before(&mut self, parent: NodeId, left: Option<NodeId>, tail: Option<NodeId>) {
        let Some(tail) = tail.filter(|tail| Some(*tail) != left) else { return };
        let Some(last) = self.next_sibling(tail) else { return };
        self.node_mut(tail).next_sibling = NodeId::START;
        self.node_mut(parent).last_child = tail;
        let place = match left {
            Some(left) => &mut self.node_mut(left).next_sibling,
            None => &mut self.node_mut(parent).first_child,
        };
        let right = std::mem::replace(place, last);
        self.node_mut(last).next_sibling = right;
    }

    /// Puts a node that is aside below its parent: before this child of it, or as the last.
    pub(super) fn attach(&mut self, node: NodeId, before: Option<NodeId>) {
        let parent = self.node(node).parent;
        let left = self.children(parent).take_while(|child| Some(*child) != before).last();
        let place = match left {
            Some(left) => &mut self.node_mut(left).next_sibling,
            None => &mut self.node_mut(parent).first_child,
        };
        let right = std::mem::replace(place, node);
        self.node_mut(node).next_sibling = right;
        if right.some().is_none() {
            self.node_mut(parent).last_child = node;
        }
    }

    /// Puts a node aside, with all that follows it.
    pub(super) fn detach(&mut self, node: NodeId) {
        let parent = self.node(node).parent;
        let left = self.children(parent).take_while(|child| *child != node).last();
        let right = std::mem::replace(&mut self.node_mut(node).next_sibling, NodeId::START);
        match left {
            Some(left) => self.node_mut(left).next_sibling = right,
            None => self.node_mut(parent).first_child = right,
        }
        if right.some().is_none() {
            self.node_mut(parent).last_child = left.unwrap_or(NodeId::START);
        }
    }

    /// Makes of an end what came in its place after all: a move that is legal there, or another end. Its
    /// texts stay. `None` when the line is full.
    pub(super) fn replace(&mut self, end: NodeId, step: Step) -> Option<NodeId> {
        let parent = self.parent(end)?;
        let ply = self.node(parent).ply.checked_add(u16::from(matches!(step, Step::Move(_))))?;
        let node = self.node_mut(end);
        (node.step, node.ply, node.time) = (step, ply, Time::default());
        Some(end)
    }

    /// Puts another text in the place of each header, note and word of an end.
    pub(super) fn replace_texts(&mut self, other: impl Fn(&str) -> String) {
        for (key, value) in &mut self.headers {
            (*key, *value) = (other(key), other(value));
        }
        for node in &mut self.nodes {
            if let Some(Notes { comment, remark, bookmark }) = node.notes.as_deref_mut() {
                for text in [comment, remark, bookmark].into_iter().flatten() {
                    *text = other(text);
                }
            }
            if let Some(end) = node.end_mut() {
                *end = End::new(end.reason, end.outcome, &other(end.words()));
            }
        }
    }

    /// Whether there is a move, an end or a text.
    pub(super) fn says_something(&self) -> bool {
        self.size() > 1 || *self.node(NodeId::START).notes() != Notes::default()
    }

    /// How many nodes there are.
    pub(super) const fn size(&self) -> usize {
        self.nodes.len()
    }

    /// Gives back memory that was set aside for more nodes.
    pub(super) fn shrink(&mut self) {
        self.nodes.shrink_to_fit();
        self.start.drop_position();
    }

    /// The time that a side has used up to and with a node: as stated there, or else the sum of what its
    /// moves took.
    pub fn total(&self, id: NodeId) -> Millis {
        let mut sum = 0_u64;
        let mut at = Some(id);
        while let Some(id) = at {
            let Time { spent, total } = self.node(id).time;
            if let Some(Millis(total)) = total {
                return Millis(total.saturating_add(sum));
            }
            sum = sum.saturating_add(spent.map_or(0, |Millis(spent)| spent));
            at = self.parent(id).and_then(|parent| self.parent(parent));
        }
        Millis(sum)
    }
}

impl PartialEq for Record {
    /// Whether both say the same, in whatever order they were put together.
    fn eq(&self, other: &Self) -> bool {
        let same = |ours, theirs| {
            let (ours, theirs) = (self.node(ours), other.node(theirs));
            (ours.ply, &ours.step, ours.time) == (theirs.ply, &theirs.step, theirs.time)
                && ours.notes() == theirs.notes()
        };
        self.headers == other.headers
            && self.speaks_of_handicap == other.speaks_of_handicap
            && self.start() == other.start()
            // What was deleted is only put aside, and says nothing.
            && self.all().count() == other.all().count()
            && self.all().zip(other.all()).all(|(ours, theirs)| same(ours, theirs))
    }
}

impl Eq for Record {}
