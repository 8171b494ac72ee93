//! Writes analysis results into a record.

use super::{EngineResult, GameReview, signatures};
use shogibar_kifu::evaluation::{self, Dialect, EvaluatedPoint, Evaluation};
use shogibar_kifu::{NodeId, Record};

/// Writes a result into the comment at a node, in a dialect. Replaces the lines that this program wrote for the same
/// engine, with any limit, and keeps all other lines. In a dialect without ranks, writes only the best line.
pub fn annotate(record: &mut Record, node: NodeId, result: &EngineResult, dialect: Dialect) {
    if let Some(comment) = annotated_comment(record, node, result, dialect) {
        record.node_mut(node).notes_mut().comment = Some(comment);
    }
}

/// Returns the comment at a node with a result added, as [`annotate`] writes it. Returns `None` if the comment would
/// not change.
pub fn annotated_comment(
    record: &Record,
    node: NodeId,
    result: &EngineResult,
    dialect: Dialect,
) -> Option<String> {
    let lines = result_lines(record, node, result, dialect);
    let comment = record.node(node).comment().unwrap_or_default();
    let engine = signatures::signed_engine(&result.engine);
    let is_ours = |old: &Evaluation| {
        engine.is_some() && old.engine.as_deref().and_then(signatures::signed_engine) == engine
    };
    let written = evaluation::replace(comment, is_ours, &lines);
    (written != comment).then_some(written)
}

/// Adds the judge's line as a variation of every move that has a mark. Returns the number of added variations. Moves
/// that the record has already are not added again.
pub fn add_variations(record: &mut Record, review: &GameReview) -> usize {
    let better = review.better_lines(record);
    better
        .into_iter()
        .map(|(before, line)| usize::from(record.add_line(before, &line)))
        .sum()
}

/// Returns the comment lines of a result in a dialect. The signature follows each evaluation, except in a dialect that
/// states the engine itself.
fn result_lines(record: &Record, node: NodeId, result: &EngineResult, dialect: Dialect) -> String {
    let mut walk = record.walk();
    walk.go(node);
    let point = EvaluatedPoint {
        position: walk.position(),
        last_to: walk.last_to(),
    };
    let max_evaluations = if matches!(dialect, Dialect::ShogiHome | Dialect::ShogiGui) {
        usize::MAX
    } else {
        1
    };
    let signature = if dialect == Dialect::ShogiHome {
        None
    } else {
        evaluation::signature(&result.engine)
    };
    let written = result
        .evaluations
        .iter()
        .take(max_evaluations)
        .filter_map(|evaluation| {
            let lines = evaluation::write(evaluation, dialect, point)?;
            Some(lines)
                .into_iter()
                .chain(signature.clone())
                .reduce(|lines, signature| lines + "\n" + &signature)
        });
    written.collect::<Vec<_>>().join("\n")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::analysis::signature;
    use shogibar_engine::options::Limit;
    use shogibar_kifu::Target;
    use shogibar_kifu::evaluation::Source;
    use shogibar_shogi::Move;
    use shogibar_shogi::score::{Value, WinRateModel};

    fn result(engine: &str, nodes: u64, cps: &[i32]) -> EngineResult {
        let engine = signature(engine, Limit::Nodes(nodes), 1);
        let of = |(rank, cp): (u16, &i32)| Evaluation {
            value: Some(Value::Cp(*cp)),
            rank: (cps.len() > 1).then_some(rank),
            engine: Some(engine.clone()),
            pv: ["3c3d", "2g2f"]
                .iter()
                .filter_map(|mv| Move::from_usi(mv))
                .collect(),
            ..Evaluation::new(Dialect::ShogiHome, Source::Analysis)
        };
        let evaluations = (1..).zip(cps).map(of).collect();
        EngineResult {
            engine,
            model: WinRateModel::default(),
            evaluations,
        }
    }

    /// Checks the comment after successive analyses. The record is written and read again after each analysis.
    fn check(comment: &str, analyses: &[(EngineResult, Dialect)], expect: &str) {
        let text = comment
            .lines()
            .fold(String::new(), |text, line| text + "*" + line + "\n");
        let mut record = shogibar_kifu::read(format!("手合割：平手\n1 ７六歩(77)\n{text}").as_bytes())
            .unwrap()
            .games
            .remove(0);
        for (result, dialect) in analyses {
            let node = record.main_line().next().unwrap();
            annotate(&mut record, node, result, *dialect);
            record = shogibar_kifu::read(&shogibar_kifu::write(&record, Target::Kifu).bytes)
                .unwrap()
                .games
                .remove(0);
        }
        let node = record.main_line().next().unwrap();
        assert_eq!(record.node(node).comment(), Some(expect), "{comment}");
    }

    #[test]
    fn keeps_comments_of_other_programs() {
        let theirs = "よい手\n互角\n#評価値=85\n#エンジン=Zebra\n* 60 -3334FU\n*評価値=7\n*エンジン=Zebra";
        let ours = "後手有望\n#評価値=-201\n#読み筋=△３四歩▲２六歩\n#エンジン=Zebra [nodes 5]";
        let zebra = |nodes, cp| (result("Zebra", nodes, &[cp]), Dialect::ShogiHome);
        let both = format!("{theirs}\n\n{ours}");
        check(theirs, &[zebra(5, -201)], &both);
        // Only the last evaluation of an engine stays.
        check(theirs, &[zebra(9, 12), zebra(5, -201)], &both);
        check(&both, &[zebra(5, -201)], &both);
        check("", &[zebra(5, -201)], ours);
        let lion = format!("{both}\n\n互角\n#評価値=3\n#読み筋=△３四歩▲２六歩\n#エンジン=Lion [nodes 5]");
        check(
            theirs,
            &[zebra(5, -201), (result("Lion", 5, &[3]), Dialect::ShogiHome)],
            &lion,
        );
    }

    #[test]
    fn replaces_own_evaluations_in_every_dialect() {
        let written = |dialect| match dialect {
            Dialect::ShogiGui => {
                "*解析 0 候補1 評価値 5 読み筋 △３四歩(33) ▲２六歩(27)\n#エンジン=A [nodes 5]\n\
                *解析 0 候補2 評価値 3 読み筋 △３四歩(33) ▲２六歩(27)\n#エンジン=A [nodes 5]"
            }
            Dialect::Floodgate | Dialect::Csa3 => "* 5 -3334FU +2726FU\n#エンジン=A [nodes 5]",
            _ => {
                "互角\n#評価値=5\n#読み筋=△３四歩▲２六歩\n#候補=1\n#エンジン=A [nodes 5]\n\
                互角\n#評価値=3\n#読み筋=△３四歩▲２六歩\n#候補=2\n#エンジン=A [nodes 5]"
            }
        };
        for dialect in Dialect::WRITABLE {
            for before in Dialect::WRITABLE {
                let twice = [
                    (result("A", 9, &[1, 2, 3]), before),
                    (result("A", 5, &[5, 3]), dialect),
                ];
                check(
                    "* 60 -3334FU",
                    &twice,
                    &format!("* 60 -3334FU\n{}", written(dialect)),
                );
            }
        }
    }
}
