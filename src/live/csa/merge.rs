//! The moves of the monitor with the evaluations of the game's file.

use crate::kifu::{NodeId, Notes, Record};
use std::sync::Arc;

/// Returns the game that both know: the longer one, with the notes and times of the file. Where they differ, the
/// monitor is newer.
pub(super) fn merge(monitor: &Arc<Record>, file: &Arc<Record>) -> Arc<Record> {
    if monitor.start() != file.start() {
        return Arc::clone(monitor);
    }
    let mut pairs = vec![(NodeId::START, NodeId::START)];
    let (mut own, mut others) = (monitor.main_line(), file.main_line());
    loop {
        match (own.next(), others.next()) {
            (Some(own), Some(other)) if monitor.node(own).step() == file.node(other).step() => pairs.push((own, other)),
            // The file is as long, or longer.
            (None, _) => return Arc::clone(file),
            (Some(_), _) => break,
        }
    }
    let mut merged = Record::clone(monitor);
    for (own, other) in pairs {
        let source = file.node(other);
        if *source.notes() == Notes::default() {
            continue;
        }
        let (notes, time) = (source.notes().clone(), source.time);
        let node = merged.node_mut(own);
        if *node.notes() == Notes::default() {
            *node.notes_mut() = notes;
        }
        if node.time.spent.is_none() {
            node.time = time;
        }
    }
    Arc::new(merged)
}
