//! Merges the moves from the log with the evaluations from the game's file.

use shogibar_kifu::{NodeId, Notes, Record};
use std::sync::Arc;

/// Returns the longer of both games, with the notes and times of the file. Where their moves differ, the log is newer
/// and counts.
pub(super) fn merge(monitor: &Arc<Record>, file: &Arc<Record>) -> Arc<Record> {
    if monitor.start() != file.start() {
        return Arc::clone(monitor);
    }
    let mut pairs = vec![(NodeId::START, NodeId::START)];
    let (mut monitored, mut filed) = (monitor.main_line(), file.main_line());
    loop {
        match (monitored.next(), filed.next()) {
            (Some(one), Some(other)) if monitor.node(one).step() == file.node(other).step() => {
                pairs.push((one, other));
            }
            // The file is as long, or longer.
            (None, _) => return Arc::clone(file),
            (Some(_), _) => break,
        }
    }
    let mut merged = Record::clone(monitor);
    for (one, other) in pairs {
        let source = file.node(other);
        if *source.notes() == Notes::default() {
            continue;
        }
        let (notes, time) = (source.notes().clone(), source.time);
        let node = merged.node_mut(one);
        if *node.notes() == Notes::default() {
            *node.notes_mut() = notes;
        }
        if node.time.spent.is_none() {
            node.time = time;
        }
    }
    Arc::new(merged)
}
