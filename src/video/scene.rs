//! The scenes of a video: the content of the board page for each position of a record.

use crate::encoder::VideoError;
use crate::timing::scene_times;
use shogibar_base::Lang;
use shogibar_builtin::Control;
use shogibar_config::VideoPace;
use shogibar_games::analysis::EngineScales;
use shogibar_games::bar::EngineReport;
use shogibar_kifu::{NodeId, Record, board_mark};
use shogibar_model::bars::Bar;
use shogibar_model::game::Game;
use shogibar_programme::{BoardPageContent, CARD_TIME, Credit, OutputChoices, OutputFrame, TurningCards};
use shogibar_ui::overlay::{OverlayStyle, final_share};
use std::sync::Arc;
use std::time::Duration;

/// The maximum number of moves of a game that becomes a video.
const MAX_MOVES: usize = 2000;

/// A game as a video, before it is drawn.
#[derive(Clone, Debug)]
pub struct GameVideo {
    /// The scenes, in their order. There is at least one.
    pub scenes: Vec<VideoScene>,
    /// The style of the bar and the board.
    pub style: OverlayStyle,
}

/// A picture of a video with the time for which it is shown.
#[derive(Clone, Debug, PartialEq)]
pub struct VideoScene {
    /// The content of the board page.
    pub content: BoardPageContent,
    /// The time.
    pub time: Duration,
}

/// The user's choices for a video.
#[derive(Clone, Debug)]
pub struct VideoOptions {
    /// For how long each position is shown.
    pub pace: VideoPace,
    /// The credit; may be empty.
    pub credit: Credit,
    /// Whether the evaluation is hidden.
    pub is_hidden: bool,
    /// The scales of the user's engines.
    pub scales: EngineScales,
    /// The style of the bar and the board, with the language of the texts.
    pub style: OverlayStyle,
}

impl VideoScene {
    /// Returns Black's share on the bar, from 0 to 1.
    pub(crate) fn share(&self) -> f32 {
        final_share(&self.content.bar)
    }
}

impl GameVideo {
    /// Creates the video of a record's main line up to its end, with the evaluations and marks of the record. A turning
    /// point has its card for 8 seconds of the video, at most one a minute.
    ///
    /// # Errors
    /// Fails if the game has more than 2000 moves, or `control` stops it.
    pub fn new(record: Arc<Record>, options: &VideoOptions, control: &Control) -> Result<Self, VideoError> {
        let moves: Vec<NodeId> = record
            .main_line()
            .filter(|node| record.node(*node).mv().is_some())
            .take(MAX_MOVES + 1)
            .collect();
        if moves.len() > MAX_MOVES {
            return Err(VideoError::TooLong(MAX_MOVES));
        }
        let spent = moves.iter().map(|node| {
            let spent = record.node(*node).time.spent?;
            Some(Duration::from_millis(spent.0))
        });
        // The end of the game is a step of its own.
        let end = record.end().map(|_| None);
        let times = scene_times(&spent.chain(end).collect::<Vec<_>>(), options.pace);
        let mut maker = SceneMaker::new(record, options);
        let mut scenes = Vec::with_capacity(times.len());
        for (ply, time) in times.into_iter().enumerate() {
            if control.is_stopped() {
                return Err(VideoError::Cancelled);
            }
            scenes.extend(maker.scenes_at(ply, time, control));
        }
        Ok(Self {
            scenes,
            style: options.style.clone(),
        })
    }
}

/// Makes the scenes of a game, one position after another.
struct SceneMaker<'a> {
    game: Game,
    options: &'a VideoOptions,
    choices: OutputChoices,
    lang: Lang,
    cards: TurningCards,
    /// The number of the card that is shown, and the time at which it began; `None` without a card.
    card_start: Option<(u64, Duration)>,
    /// The time in the video.
    now: Duration,
}

impl<'a> SceneMaker<'a> {
    fn new(record: Arc<Record>, options: &'a VideoOptions) -> Self {
        let lang = options.style.lang;
        let mut game = Game::new(lang);
        game.open(record);
        while !game.read_comments() {}
        while !game.update_insight(&options.scales) {}
        Self {
            game,
            options,
            choices: OutputChoices {
                credit: options.credit.clone(),
                ..OutputChoices::default()
            },
            lang,
            cards: TurningCards::default(),
            card_start: None,
            now: Duration::ZERO,
        }
    }

    /// Returns the scene of a position, or two if a card ends meanwhile.
    fn scenes_at(&mut self, ply: usize, time: Duration, control: &Control) -> Vec<VideoScene> {
        self.game.go_to(ply);
        let frame = self.frame(control);
        let content = BoardPageContent::of_game(&frame, &self.choices, self.marks(), self.lang);
        self.card_start = match (&frame.turning_point, self.card_start) {
            (Some(shown), Some((number, start))) if shown.number == number => Some((number, start)),
            (Some(shown), _) => Some((shown.number, self.now)),
            (None, _) => None,
        };
        let card_end = self.card_start.map(|(_, start)| start + CARD_TIME);
        let until_card_end = card_end.map(|end| end.saturating_sub(self.now));
        self.now += time;
        let Some(rest) = until_card_end.filter(|rest| *rest < time) else {
            return vec![VideoScene { content, time }];
        };
        let mut without = content.clone();
        without.bar.turning_card = None;
        let after = VideoScene {
            content: without,
            time: time.saturating_sub(rest),
        };
        vec![VideoScene { content, time: rest }, after]
    }

    /// Returns the state of the game at its current position, by the evaluation in the record.
    fn frame(&mut self, control: &Control) -> OutputFrame {
        let mut bar = Bar::default();
        let report = self.game.record_snapshot().map(EngineReport::from);
        if let Some(report) = report.clone() {
            bar.add_engine(report);
        }
        bar.find_last_reason(&self.game, control);
        let mut frame = OutputFrame {
            bar: bar.input(&self.game),
            report,
            is_at_tip: true,
            is_over: false,
            turning_point: None,
        };
        frame.bar.is_hidden = self.options.is_hidden;
        self.cards.update(&frame, &self.choices, self.now);
        frame.turning_point = self.cards.shown(&frame, &self.choices);
        frame
    }

    fn marks(&self) -> Vec<board_mark::BoardMark> {
        let document = self.game.document();
        let comment = document.record().node(document.current()).comment();
        comment.map(board_mark::read).unwrap_or_default()
    }
}
