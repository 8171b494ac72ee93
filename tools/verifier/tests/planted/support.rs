//! Games with a fact, in few words.

use shogibar_facts::{Fact, FactKind, FactPosition};
use shogibar_facts_verifier::{Candidate, Case, Game, Verdict, VerifierConfig};
use shogibar_shogi::score::{Value, WinRateModel};
use shogibar_shogi::{Color, Move, Position, Square};

/// A game with a fact about its last ply, or about the one before if a reply follows.
pub(crate) struct Scene {
    pub(crate) sfen: &'static str,
    /// The moves of the game, the last of which the fact is about.
    pub(crate) moves: &'static str,
    /// The moves of the game that follow.
    pub(crate) reply: &'static str,
    pub(crate) fact: Fact,
    /// Further facts about the same ply.
    pub(crate) other_facts: Vec<Fact>,
    /// Values of candidates in centipawns, by ply: their moves and values.
    pub(crate) candidates: Vec<Vec<(&'static str, i32)>>,
    /// The plies whose best candidate has a mate as its value: the winner, and the plies of the mate.
    pub(crate) mates: Vec<(usize, Color, u32)>,
}

impl Scene {
    /// Creates a scene without a move, whose fact is about the position.
    pub(crate) fn new(sfen: &'static str, fact: Fact) -> Self {
        Self {
            sfen,
            moves: "",
            reply: "",
            fact,
            other_facts: Vec::new(),
            candidates: Vec::new(),
            mates: Vec::new(),
        }
    }

    pub(crate) fn after(sfen: &'static str, moves: &'static str, fact: Fact) -> Self {
        Self {
            moves,
            ..Self::new(sfen, fact)
        }
    }

    pub(crate) fn with_reply(self, reply: &'static str) -> Self {
        Self { reply, ..self }
    }

    /// Returns the scene with this number of moves that lead to the first move of its fact.
    pub(crate) fn with_lead(mut self, lead: usize) -> Self {
        self.fact.lead = lead;
        self
    }

    /// Returns the scene with the best candidate of each ply: its moves.
    pub(crate) fn with_lines<const N: usize>(self, lines: [&'static str; N]) -> Self {
        Self {
            candidates: lines.into_iter().map(|line| vec![(line, 0)]).collect(),
            ..self
        }
    }

    /// Returns the scene with this value of the best candidate before the move, in centipawns.
    pub(crate) fn with_value_before(mut self, cp: i32) -> Self {
        self.candidates[0][0].1 = cp;
        self
    }

    pub(crate) fn changed(mut self, change: impl FnOnce(&mut Self)) -> Self {
        change(&mut self);
        self
    }

    pub(crate) fn verdict(&self) -> Verdict {
        let start = Position::from_sfen(self.sfen).expect("an SFEN");
        let mut all = moves(self.moves);
        let ply = all.len();
        all.extend(moves(self.reply));
        let mut candidates: Vec<Vec<_>> = self
            .candidates
            .iter()
            .map(|list| list.iter().map(|(line, cp)| candidate(line, *cp)).collect())
            .collect();
        for (ply, winner, plies) in &self.mates {
            candidates[*ply][0].value = Value::Mate {
                winner: *winner,
                plies: Some(*plies),
            };
        }
        let game = Game::new(&start, &all, candidates, WinRateModel::default());
        assert_eq!(game.moves(), all, "the moves of the game are legal");
        let config = VerifierConfig {
            nodes: 20_000,
            max_mate_plies: 15,
            ..VerifierConfig::default()
        };
        let facts: Vec<Fact> = std::iter::once(&self.fact)
            .chain(&self.other_facts)
            .cloned()
            .collect();
        let verdicts = Case {
            game: &game,
            ply,
            facts: &facts,
        }
        .verify(config);
        assert_eq!(verdicts.len(), facts.len(), "a verdict for each fact");
        verdicts[0].clone()
    }

    #[track_caller]
    pub(crate) fn holds(&self) {
        assert_eq!(self.verdict(), Verdict::Verified, "{:?}", self.fact);
    }

    #[track_caller]
    pub(crate) fn is_undecided(&self, why: &str) {
        let verdict = self.verdict();
        assert!(
            matches!(&verdict, Verdict::Undecided(text) if text.contains(why)),
            "{verdict:?} is not {why:?}"
        );
    }

    #[track_caller]
    pub(crate) fn fails(&self, why: &str) {
        let verdict = self.verdict();
        let Verdict::False(text) = &verdict else {
            panic!("{verdict:?}: {:?}", self.fact)
        };
        assert!(text.contains(why), "{text:?} has no {why:?}");
    }
}

fn candidate(line: &str, cp: i32) -> Candidate {
    Candidate {
        line: moves(line),
        value: Value::Cp(cp),
    }
}

pub(crate) fn moves(text: &str) -> Vec<Move> {
    text.split_whitespace()
        .map(|mv| Move::from_usi(mv).expect("a move"))
        .collect()
}

pub(crate) fn square(text: &str) -> Square {
    Square::from_usi(text.as_bytes()).expect("a square")
}

pub(crate) fn squares<const N: usize>(text: &str) -> [Square; N] {
    let all: Vec<Square> = text.split_whitespace().map(square).collect();
    all.try_into().expect("the number of squares")
}

pub(crate) fn after(side: Color, kind: FactKind, line: &str) -> Fact {
    Fact {
        kind,
        side,
        at: FactPosition::After,
        lead: 0,
        line: moves(line),
    }
}

pub(crate) fn before(side: Color, kind: FactKind, line: &str) -> Fact {
    Fact {
        kind,
        side,
        at: FactPosition::Before,
        lead: 0,
        line: moves(line),
    }
}
