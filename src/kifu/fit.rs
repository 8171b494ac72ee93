//! Fitting of records to the capacity of a format.

mod loss;

pub use loss::Loss;

use super::capacity::{Capacity, TextCapacity};
use super::end::{End, Outcome, Reason};
use super::kif;
use super::record::{NodeId, Notes, Record, Step};
use super::record_format::{HeaderMeanings, WriteFormat};
use super::scan::trim;
use super::target::Target;
use super::time::{Millis, Time, UsedTimes};
use super::walk::Walk;
use super::{detect_format, prose};
use shogibar_shogi::{Color, SIDE_MARKS, Setup};
use std::borrow::Cow;

/// Fits a record to a format. Returns the fitted record and the losses. Writing and reading does not change a fitted
/// record.
pub fn fit(record: &Record, target: Target) -> (Record, Vec<Loss>) {
    let rules = target.rules();
    let keeps_number = rules.keeps_first_number();
    let number = record.start().move_number();
    let start = if keeps_number || number == 1 {
        record.start().clone()
    } else {
        Setup::from_position(record.start()).build(record.start().side_to_move(), 1)
    };
    let mut fitter = Fitter {
        record,
        is_handicap: record.is_handicap(),
        rules,
        capacity: rules.capacity(),
        fitted_record: Record::new(&start),
        used_times: UsedTimes::default(),
        exact_used_times: UsedTimes::default(),
        losses: LossCounts::default(),
    };
    fitter.fit_headers();
    fitter.fit_nodes();
    fitter.fitted_record.extension = record.extension.clone();
    let mut losses = fitter.losses.list();
    losses.extend((!keeps_number && number != 1).then_some(Loss::FirstNumber(number)));
    (fitter.fitted_record, losses)
}

/// The number of losses of each kind, as in [`Loss`].
#[derive(Default)]
struct LossCounts {
    headers: usize,
    comments: usize,
    remarks: usize,
    bookmarks: usize,
    variations: usize,
    times: usize,
    fractions: usize,
    ends: usize,
}

impl LossCounts {
    /// Returns the losses that occur, with their numbers.
    fn list(self) -> Vec<Loss> {
        let all = [
            (self.headers, Loss::Headers(self.headers)),
            (self.comments, Loss::Comments(self.comments)),
            (self.remarks, Loss::Remarks(self.remarks)),
            (self.bookmarks, Loss::Bookmarks(self.bookmarks)),
            (self.variations, Loss::Variations(self.variations)),
            (self.times, Loss::Times(self.times)),
            (self.fractions, Loss::Fractions(self.fractions)),
            (self.ends, Loss::Ends(self.ends)),
        ];
        all.into_iter()
            .filter(|(count, _)| *count > 0)
            .map(|(_, loss)| loss)
            .collect()
    }
}

/// The fitting of a record to a format, in progress.
struct Fitter<'r> {
    record: &'r Record,
    /// Whether the record calls the sides 下手 and 上手.
    is_handicap: bool,
    rules: &'static dyn WriteFormat,
    capacity: Capacity,
    fitted_record: Record,
    used_times: UsedTimes,
    /// The used times before fractions of a second are cut off.
    exact_used_times: UsedTimes,
    losses: LossCounts,
}

impl Fitter<'_> {
    /// Fits the headers. Stores in the fitted record whether its text will call the sides 下手 and 上手.
    fn fit_headers(&mut self) {
        if !self.capacity.has_headers {
            self.losses.headers = self
                .record
                .headers()
                .iter()
                .filter(|(key, value)| key != "手合割" && !value.is_empty())
                .count();
            return;
        }
        let clean =
            |(key, value): &(String, String)| (clean_text(key).into_owned(), clean_text(value).into_owned());
        let mut headers: Vec<_> = self.record.headers().iter().map(clean).collect();
        if self.rules.has_single_line_headers() {
            self.losses.headers += make_single_line(&mut headers);
        }
        match self.rules.header_meanings() {
            HeaderMeanings::None => {}
            HeaderMeanings::Kif => escape_keys(&mut headers, false),
            HeaderMeanings::KifOrProse => escape_keys(&mut headers, true),
        }
        self.rules.fit_headers(&mut headers, self.record.start());
        self.fitted_record.headers = headers;
        if self.is_handicap && self.rules.states_handicap(&self.fitted_record) {
            self.fitted_record.set_uses_handicap_names();
        }
    }

    /// Fits all nodes that the format can hold: steps, times and notes.
    fn fit_nodes(&mut self) {
        let record = self.record;
        // The new id of each node on the current line, by ply.
        let mut line = vec![NodeId::START];
        let mut walk = record.walk();
        let mut add = |fitter: &mut Self, id| {
            if let Some(here) = fitter.fit_step(id, &mut line, &mut walk) {
                let is_timeless = match fitter.fitted_record.node(here).end() {
                    Some(end) => !fitter.rules.holds_end_time(end, walk.position()),
                    None => false,
                };
                fitter.fit_time(id, here, is_timeless);
                fitter.fit_notes(id, here);
            }
        };
        if self.capacity.has_variations {
            record.all().for_each(|id| add(self, id));
        } else {
            self.losses.variations = record
                .all()
                .filter(|id| record.next_sibling(*id).is_some())
                .count();
            std::iter::once(NodeId::START)
                .chain(record.main_line())
                .for_each(|id| add(self, id));
        }
    }

    /// Adds the step of a node to the fitted record. Returns the fitted node; for an end that the format cannot hold,
    /// the node before it. Returns `None` if there is no such node or the record is full.
    fn fit_step(&mut self, id: NodeId, line: &mut Vec<NodeId>, walk: &mut Walk<'_>) -> Option<NodeId> {
        let node = self.record.node(id);
        let ply = usize::from(node.ply());
        match node.step() {
            Step::Start => Some(NodeId::START),
            Step::Move(mv) => {
                line.truncate(ply);
                let added = self.fitted_record.add(*line.last()?, Step::Move(*mv))?;
                line.push(added);
                Some(added)
            }
            Step::End(end) => {
                line.truncate(ply + 1);
                let parent = *line.last()?;
                if !self.capacity.has_ends {
                    self.losses.ends += 1;
                    return Some(parent);
                }
                let end = &End::new(
                    end.reason,
                    end.outcome,
                    &clean_text(end.words()).replace('\n', " "),
                );
                let (held, words) = {
                    walk.go(id);
                    self.fit_end(end, node.ply(), walk)
                };
                let added = self.fitted_record.add(parent, Step::End(Box::new(held)))?;
                if let Some(words) = words {
                    self.losses.ends += 1;
                    Notes::add(
                        &mut self.fitted_record.node_mut(added).notes_mut().comment,
                        &words,
                    );
                }
                Some(added)
            }
        }
    }

    /// Returns the end as the format holds it, and the details that the format loses, as text for a comment.
    fn fit_end(&self, end: &End, ply: u16, at: &Walk<'_>) -> (End, Option<String>) {
        let now = at.position();
        let is_handicap = self.is_handicap;
        let held = self.rules.fit_end(end, at, ply, is_handicap);
        let held = held.unwrap_or_else(|| substitute_end(end, now.side_to_move()));
        let is_complete = held.reason == end.reason && held.outcome == end.outcome;
        let words = (!is_complete).then(|| kif::describe(end, now.side_to_move(), is_handicap));
        (held, words)
    }

    /// Fits the time of a node. `here` is the fitted node; with `is_timeless`, the format holds no time for it.
    fn fit_time(&mut self, id: NodeId, here: NodeId, is_timeless: bool) {
        if here == NodeId::START {
            return;
        }
        let node = self.record.node(id);
        let turn = node.turn_number();
        let Time { spent, total } = node.time;
        let sum = self.exact_used_times.add(turn, node.time);
        let has_time = node.time != Time::default();
        let totals_are_held = self.capacity.times.has_totals;
        let unit = if is_timeless {
            None
        } else {
            self.capacity.times.unit_millis
        };
        let is_held = match unit {
            None => !has_time,
            // A lost total at an end is not counted: many programs write a zero there.
            Some(_) => totals_are_held || total.is_none() || node.end().is_some(),
        };
        self.losses.times += usize::from(!is_held);
        let fitted = match unit {
            None => Time::default(),
            Some(_) if !has_time => Time::default(),
            Some(unit) => {
                let whole = |Millis(millis): Millis| Millis(millis / unit * unit);
                let spent = if totals_are_held {
                    Some(spent.unwrap_or_default())
                } else {
                    spent
                };
                self.losses.fractions += usize::from(spent.is_some_and(|spent| whole(spent) != spent));
                Time {
                    spent: spent.map(whole),
                    total: totals_are_held.then(|| whole(sum)),
                }
            }
        };
        let is_nothing = fitted
            == Time {
                spent: Some(Millis(0)),
                total: Some(Millis(0)),
            };
        let fitted = if self.rules.has_zeros_for_unknown_times() && is_nothing {
            Time::default()
        } else {
            fitted
        };
        self.fitted_record.node_mut(here).time = self.used_times.add_simplified(turn, fitted);
    }

    /// Fits the texts of a node. `here` is the fitted node.
    fn fit_notes(&mut self, id: NodeId, here: NodeId) {
        let notes = self.record.node(id).notes();
        if *notes == Notes::default() {
            return;
        }
        let Capacity {
            comments,
            remarks,
            bookmarks,
            ..
        } = self.capacity;
        let rules = self.rules;
        let held = self.fitted_record.node_mut(here).notes_mut();
        if let Some(bookmark) = &notes.bookmark {
            let bookmark = clean_text(bookmark);
            match bookmarks {
                TextCapacity::Held => Notes::add(&mut held.bookmark, &bookmark),
                TextCapacity::AsComments => {
                    bookmark
                        .split('\n')
                        .for_each(|name| Notes::add(&mut held.comment, &format!("&{name}")));
                }
                TextCapacity::Lost => self.losses.bookmarks += 1,
            }
        }
        if let Some(comment) = &notes.comment {
            match comments {
                TextCapacity::Held | TextCapacity::AsComments => {
                    Notes::add(&mut held.comment, &clean_text(comment));
                }
                TextCapacity::Lost => self.losses.comments += 1,
            }
        }
        if let Some(remark) = &notes.remark {
            match remarks {
                TextCapacity::Held => {
                    let prefixed = |line: &str| {
                        if rules.is_remark(line) {
                            line.to_owned()
                        } else {
                            format!(" {line}")
                        }
                    };
                    clean_text(remark)
                        .split('\n')
                        .for_each(|line| Notes::add(&mut held.remark, &prefixed(line)));
                }
                TextCapacity::AsComments => Notes::add(&mut held.comment, &clean_text(remark)),
                TextCapacity::Lost => self.losses.remarks += 1,
            }
        }
        rules.fit_notes(held);
    }
}

/// Returns an end that every format has as a substitute for one that the format lacks.
fn substitute_end(end: &End, mover: Color) -> End {
    let (reason, outcome) = match end.outcome {
        Outcome::Draw => (Reason::Impasse, Outcome::Draw),
        Outcome::Win(winner) if winner == mover.flip() => (Reason::Resignation, end.outcome),
        Outcome::Win(_) | Outcome::Open => (Reason::Interruption, Outcome::Open),
    };
    End::new(reason, outcome, "")
}

/// Converts line ends to LF. Replaces other control characters, because the result would not be detected as text.
fn clean_text(text: &str) -> Cow<'_, str> {
    let is_odd = |c: char| c.is_control() && !matches!(c, '\n' | '\t');
    if !text.contains(is_odd) {
        return Cow::Borrowed(text);
    }
    let lines = text.replace("\r\n", "\n").replace('\r', "\n");
    Cow::Owned(
        lines
            .chars()
            .map(|c| if is_odd(c) { control_picture(c) } else { c })
            .collect(),
    )
}

/// Returns the visible sign of a control character: ␀ for NUL, ␦ for characters without a sign.
fn control_picture(c: char) -> char {
    match u32::from(c) {
        code @ 0..0x20 => char::from_u32(0x2400 + code).unwrap_or('␦'),
        0x7f => '␡',
        _ => '␦',
    }
}

/// Puts keys and values on one line each, and removes colons and byte order marks from keys. Removes the headers
/// without a key, and returns their number.
fn make_single_line(headers: &mut Vec<(String, String)>) -> usize {
    for (key, value) in headers.iter_mut() {
        let line = |text: &str| {
            text.split(char::is_control)
                .map(trim)
                .collect::<Vec<_>>()
                .join(" ")
        };
        let (name, text) = (line(key).replace([':', '：', '\u{feff}'], " "), line(value));
        trim(&name).clone_into(key);
        trim(&text).clone_into(value);
    }
    let before = headers.len();
    headers.retain(|(key, _)| !key.is_empty());
    before - headers.len()
}

/// Puts `_` before the keys of headers that have another meaning in KIF; with `may_be_prose`, also of those that have
/// another meaning in prose.
fn escape_keys(headers: &mut [(String, String)], may_be_prose: bool) {
    let is_plain = |key: &str, value: &str| {
        let begins_a_game = may_be_prose && prose::HEADER_KEYS.contains(&key) && prose::has_move(value);
        !begins_a_game && kif::is_plain_header(key, value, detect_format::determines_format)
    };
    for (key, value) in headers.iter_mut() {
        if !is_plain(key, value) {
            key.insert(0, '_');
        }
        // A header that still has another meaning contains moves or half of a time. So marks, brackets and blanks are
        // replaced.
        if !is_plain(key, value) {
            *key = key.replace(
                |c: char| SIDE_MARKS.contains(&c) || matches!(c, '(' | '（') || c.is_whitespace(),
                "_",
            );
        }
    }
}
