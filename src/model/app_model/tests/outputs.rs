//! The outputs in random histories: what an output on air shows changes only by a command for it, or by its own game.

use super::HistoryStep::{Finish, Open, Output, Watch, WriteElsewhere};
use super::*;
use crate::observed_game::ObservedGame;
use crate::outputs::{OutputCommand, OutputId, PageClients};
use crate::pages::control::ControlCommand;
use shogibar_config::OwnGameRule;
use shogibar_kifu::Record;
use shogibar_programme::{Delay, OutputState};
use shogibar_shogi::History;

/// What an output on air shows, and whether an event may change it.
pub(super) struct ShownOutput {
    output: OutputId,
    game: GameId,
    content: String,
    /// The moves up to the shown position.
    moves: String,
    is_of_own_game: bool,
    is_commanded: bool,
    /// Whether another program has written the file of the game.
    is_file_change: bool,
}

impl ShownOutput {
    /// Returns whether moves are those of another game: it has less than half of the shown ones. Two may be taken back.
    fn is_other_game(&self, moves: &str) -> bool {
        let moves_of = |text: &str| -> Vec<String> {
            let moves = text.split_once(" moves ").map_or("", |(_, moves)| moves);
            moves.split_ascii_whitespace().map(str::to_owned).collect()
        };
        let (before, now) = (moves_of(&self.moves), moves_of(moves));
        let common = before.iter().zip(&now).take_while(|(mv, now)| mv == now).count();
        let taken_back = if common == now.len() { 2 } else { 0 };
        2 * common + taken_back < before.len()
    }
}

/// Returns the part of a frame that a command or the own game may change: the players and the position.
pub(super) fn content(model: &AppModel, output: OutputId) -> String {
    let game = model.game_of_output(output);
    let bar = match output {
        OutputId::Bar(bar) => Some(bar),
        OutputId::Pages => None,
    };
    let frame = model.output_frame(game, bar);
    format!("{:?} {}", frame.bar.players, frame.bar.history.usi())
}

/// Returns the start and the moves up to the position that an output shows, each word followed by a blank.
fn shown_moves(model: &AppModel, output: OutputId) -> String {
    let frame = model.output_frame(model.game_of_output(output), None);
    format!("{} ", frame.bar.history.usi())
}

fn shown_ply(model: &AppModel, output: OutputId) -> usize {
    model.output_frame(model.game_of_output(output), None).ply()
}

fn is_within_game(action: &AppAction) -> bool {
    match action {
        AppAction::Run(command, _) => !matches!(
            command,
            ModelCommand::New
                | ModelCommand::AddGame
                | ModelCommand::CloseGame
                | ModelCommand::PreviousGame
                | ModelCommand::NextGame
                | ModelCommand::ReadScreen
                | ModelCommand::CloseBar
        ),
        AppAction::Edit(_) | AppAction::Step(_) | AppAction::EngineGame(_) => true,
        _ => false,
    }
}

impl ModelSimulation {
    pub(super) fn outputs_on_air(&self, event: &AppEvent) -> Vec<ShownOutput> {
        let model = &self.model;
        // A blank game becomes that of a new relay. Two engines that play each other share a game by setting.
        let joins = |game: GameId| {
            let is_locked = model
                .outputs_of(game)
                .into_iter()
                .any(|output| model.is_locked(output));
            model.game(game).is_blank() || model.settings.shares_relay_bar && !is_locked
        };
        let of_game = |game: GameId| match event {
            AppEvent::File(id, _) | AppEvent::Analysis(id, _) => *id == game,
            AppEvent::JobResult(result) => jobs::is_about(result, game, model),
            AppEvent::Source(id, _) => model.game(game).source().is_some_and(|source| source.id == *id),
            AppEvent::RelayEnded(relay, _) => model.relay_games.get(relay) == Some(&game),
            AppEvent::RelayChanged(relay, _) => model
                .relay_games
                .get(relay)
                .map_or_else(|| joins(game), |of| *of == game),
            AppEvent::Action(bar, action) => model.bar(*bar).game() == game && is_within_game(action),
            AppEvent::Control(_, id) => id.is_none_or(|id| id == game),
            AppEvent::Tick => true,
            _ => false,
        };
        // With time, a delayed game moves on. A game against an engine has a clock.
        let moves_on = |game: GameId| model.programme.delays.contains_key(&game) || model.is_playing(game);
        let is_commanded = |output: OutputId| match event {
            AppEvent::Action(_, AppAction::Output(commanded, _)) => {
                *commanded == output || model.game_of_output(*commanded) == model.game_of_output(output)
            }
            AppEvent::Action(bar, AppAction::Show(_)) => {
                output == OutputId::Bar(*bar) && !model.is_locked(output)
            }
            AppEvent::Action(bar, AppAction::Run(ModelCommand::CloseBar, _)) => output == OutputId::Bar(*bar),
            // A page that is closed leaves the air.
            AppEvent::PageClients(_) | AppEvent::BoardWindow(_) => output == OutputId::Pages,
            AppEvent::Restore(_) => true,
            _ => false,
        };
        let shown = model.outputs().filter(|output| model.is_on_air(*output)).map(|output| {
            let game = model.game_of_output(output);
            ShownOutput {
                output,
                game,
                content: content(model, output),
                moves: shown_moves(model, output),
                is_of_own_game: of_game(game) || moves_on(game),
                is_commanded: is_commanded(output),
                is_file_change: matches!(event, AppEvent::File(id, FileEvent::Changed { .. }) if *id == game),
            }
        });
        shown.collect()
    }

    /// Returns whether an output on air shows a position that a live game in progress has not had.
    fn shows_move_of_no_game(&self, output: OutputId) -> bool {
        let id = self.model.game_of_output(output);
        let game = self.model.game(id);
        let is_delayed = self.model.programme.delays.contains_key(&id);
        if is_delayed || !game.is_running_live() || !self.model.is_on_air(output) {
            return false;
        }
        game.live_tip().is_some_and(|(tip, _)| {
            let shown = self.model.output_frame(id, None).bar.history;
            shown.start() != tip.start() || !tip.moves().starts_with(shown.moves())
        })
    }

    /// Returns whether an output has moved on to a position that the delay of its game does not allow.
    fn is_too_early(&self, shown: &ShownOutput) -> bool {
        let (model, now) = (&self.model, shown_moves(&self.model, shown.output));
        if model.game_of_output(shown.output) != shown.game
            || !now.starts_with(&shown.moves)
            || now == shown.moves
        {
            return false;
        }
        let newest = model.game(shown.game).document().record().len();
        match model.output_choices(shown.game).delay {
            _ if model.game(shown.game).has_ended() => false,
            Delay::Moves(moves) => shown_ply(model, shown.output) + usize::from(moves) > newest,
            Delay::End => true,
            Delay::None | Delay::Seconds(_) => false,
        }
    }

    /// Returns whether the board page shows a move of the game that its bar does not have yet, or what the user's choices
    /// withhold.
    fn board_page_tells_too_much(&self) -> bool {
        let model = &self.model;
        let id = model.game_of_output(OutputId::Pages);
        let (page, frame, choices) = (model.board_page(), model.page_frame(id), model.output_choices(id));
        let Some(history) = &page.history else {
            return !choices.numbers_only || page.aside.is_some() || !page.marks.is_empty();
        };
        let withholds = choices.is_own_game || model.awaits_former_game(id);
        if choices.numbers_only || withholds && page.aside.is_some() {
            return true;
        }
        let game = model.game_moves(id);
        let known = |history: &History| {
            let moves = history.moves().iter().zip(&game);
            moves.take_while(|(one, other)| one == other).count()
        };
        model.programme.delays.contains_key(&id)
            && model.has_game(id)
            && history.start() == frame.bar.history.start()
            && known(history) > known(&frame.bar.history)
    }

    pub(super) fn check_outputs(&mut self, before: &[ShownOutput]) {
        if self.model.is_quitting() {
            return;
        }
        for shown in before.iter().filter(|shown| !shown.is_commanded) {
            if !self.model.outputs().any(|output| output == shown.output) {
                continue;
            }
            // The feed of a game that is not locked may go on with another game.
            let may_go_on = shown.is_of_own_game && !self.model.is_locked(shown.output);
            if self.model.game_of_output(shown.output) != shown.game && !may_go_on {
                let (output, game) = (shown.output, self.model.game_of_output(shown.output));
                return self.fail(&format!(
                    "{output:?} on air shows {game:?} in place of {:?} without a command",
                    shown.game
                ));
            }
            if shown.is_file_change && shown.is_other_game(&shown_moves(&self.model, shown.output)) {
                return self.fail("another game of the file is on air");
            }
            if self.is_too_early(shown) {
                return self.fail("an output shows a position before its time");
            }
            if content(&self.model, shown.output) != shown.content && !shown.is_of_own_game {
                let now = content(&self.model, shown.output);
                return self.fail(&format!(
                    "{:?} on air shows {now} in place of {} without a command",
                    shown.output, shown.content
                ));
            }
        }
        if self.board_page_tells_too_much() {
            return self.fail("the board page tells more than viewers may know");
        }
        let wrong = self
            .model
            .outputs()
            .find(|output| self.shows_move_of_no_game(*output));
        if let Some(output) = wrong {
            return self.fail(&format!("{output:?} shows a move that is not of its live game"));
        }
        let is_listed = |text: &str| OutputState::ALL.iter().any(|state| text == state.text(Lang::En));
        let bars: Vec<_> = self.model.window_bars().map(|(bar, _)| bar).collect();
        for bar in bars
            .into_iter()
            .filter(|bar| self.model.is_on_air(OutputId::Bar(*bar)))
        {
            let view = if self.fault == Fault::ShowsMessage {
                self.model.bar_input(bar).view(
                    self.model
                        .notices_on(bar)
                        .next()
                        .map(|it| it.text(Lang::En))
                        .as_ref(),
                    Lang::En,
                )
            } else {
                self.model.bar_view(bar)
            };
            let mut notices = view.engines.iter().filter_map(|engine| engine.notice.as_ref());
            if view.notice.is_some() || notices.any(|notice| !is_listed(&notice.text)) {
                return self.fail("a message is on air");
            }
        }
    }

    pub(super) fn command_output(&mut self, output: usize, what: u8) {
        let outputs: Vec<_> = self.model.outputs().collect();
        let Some(output) = outputs.get(output % outputs.len()).copied() else {
            return;
        };
        let game = self.game(usize::from(what / 16));
        let command = match what % 10 {
            0..=2 => OutputCommand::Lock(true),
            3 => OutputCommand::Lock(false),
            4 => OutputCommand::Switch(None),
            5 => OutputCommand::Switch(Some(game)),
            6 => OutputCommand::NumbersOnly(what % 16 < 8),
            7 => OutputCommand::Delay(Delay::Moves(2)),
            8 => OutputCommand::Delay([Delay::None, Delay::Seconds(5), Delay::End][usize::from(what % 3)]),
            _ => OutputCommand::OwnGame(what % 16 < 8),
        };
        self.act(AppAction::Output(output, command));
    }

    pub(super) fn open_pages(&mut self, what: u8) {
        let games = if what & 2 == 0 {
            BTreeSet::new()
        } else {
            BTreeSet::from([self.game(usize::from(what / 16))])
        };
        let clients = PageClients {
            has_current: what & 1 == 1,
            games,
            has_lists: what & 4 == 4,
            has_boards: what & 8 == 8,
        };
        self.handle(AppEvent::PageClients(clients));
        self.handle(AppEvent::BoardWindow(what & 8 == 8));
    }

    /// Lets some seconds pass.
    pub(super) fn wait(&mut self, seconds: u8) {
        for _ in 0..seconds % 16 {
            self.handle(AppEvent::Tick);
        }
    }
}

/// A fault of the outputs that follows an event.
pub(super) struct PlantedOutputFault {
    fault: Fault,
    tabs: usize,
    games: BTreeSet<GameId>,
    kind: Option<PlantedKind>,
}

/// The kind of event that a fault follows.
#[derive(Clone, Copy, PartialEq, Eq)]
enum PlantedKind {
    Quit,
    Close(BarId),
    NewRecord(GameId),
    Show(BarId, GameId),
    Command(OutputId),
}

impl PlantedOutputFault {
    pub(super) fn new(simulation: &ModelSimulation, event: &AppEvent) -> Self {
        let model = &simulation.model;
        let kind = match event {
            AppEvent::Action(_, AppAction::RequestQuit) => Some(PlantedKind::Quit),
            AppEvent::Action(_, AppAction::Close(game)) => model
                .bars
                .iter()
                .find(|entry| entry.bar.game() == *game)
                .map(|entry| PlantedKind::Close(entry.id)),
            AppEvent::Action(bar, AppAction::PasteText(_) | AppAction::Run(ModelCommand::New, _)) => {
                Some(PlantedKind::NewRecord(model.bar(*bar).game()))
            }
            AppEvent::Action(bar, AppAction::Show(game)) => Some(PlantedKind::Show(*bar, *game)),
            AppEvent::Action(_, AppAction::Output(output, OutputCommand::Switch(_))) => {
                Some(PlantedKind::Command(*output))
            }
            _ => None,
        };
        let games: BTreeSet<_> = model.games().map(|(id, _)| id).collect();
        Self {
            fault: simulation.fault,
            tabs: games.len(),
            games,
            kind,
        }
    }

    /// Carries out what the fault does wrong. Returns the effects.
    pub(super) fn plant(self, model: &mut AppModel) -> Vec<AppEffect> {
        let added = || {
            model
                .games
                .iter()
                .map(|(id, _)| *id)
                .find(|id| !self.games.contains(id))
        };
        match (self.fault, self.kind) {
            (Fault::ShowsOpened, _) if model.games.len() > self.tabs => {
                if let Some(game) = added() {
                    model.show(model.study_output(), game);
                }
            }
            (Fault::ShowsQuestion, Some(PlantedKind::Quit)) => {
                if let Some(game) = model.asking_games.first().copied() {
                    model.show(model.study_output(), game);
                }
            }
            (Fault::ShowsNext, Some(PlantedKind::Close(bar))) if !model.has_game(model.bar(bar).game()) => {
                if let Some((game, _)) = model.games.first() {
                    let game = *game;
                    model.show(bar, game);
                }
            }
            (Fault::ReplacesRecord, Some(PlantedKind::NewRecord(game))) if model.is_game_on_air(game) => {
                model.show_record(game, Record::new(&Position::startpos()));
            }
            (Fault::IgnoresDelay, _) => {
                let mut now = model.now;
                for line in model.programme.delays.values_mut() {
                    while !line.is_caught_up() {
                        now += Duration::from_secs(2);
                        line.advance(Delay::None, now);
                    }
                }
            }
            (Fault::PagesFollow, _) => model.programme.page_game = model.study_game(),
            (Fault::IgnoresLock, Some(PlantedKind::Show(bar, game))) => model.show(bar, game),
            (Fault::ConfusesOutputs, Some(PlantedKind::Command(output))) => {
                let other = model.outputs().find(|other| *other != output);
                if let (Some(OutputId::Bar(bar)), Some((game, _))) = (other, model.games.last()) {
                    let game = *game;
                    model.show(bar, game);
                }
            }
            _ => return Vec::new(),
        }
        model.finish(false)
    }
}

#[test]
fn a_file_that_is_opened_while_a_bar_is_on_air_is_announced_beside_it() {
    let mut model = AppModel::new(Lang::En, StoredFiles::default(), ModelOptions::default());
    let bar = model.study_bar();
    model.update(AppEvent::Action(
        bar,
        AppAction::PasteText("position startpos moves 7g7f".to_owned()),
    ));
    let shown = model.bar(bar).game();
    model.update(AppEvent::Action(
        bar,
        AppAction::Output(OutputId::Bar(bar), OutputCommand::Lock(true)),
    ));
    let pasted = AppAction::PasteText("position startpos moves 2g2f".to_owned());
    let effects = model.update(AppEvent::Action(bar, pasted));
    assert_eq!(model.bar(bar).game(), shown);
    assert!(
        effects
            .iter()
            .any(|effect| matches!(effect, AppEffect::OpenProgramme { takes_focus: false }))
    );
    let messages: Vec<_> = model
        .notices()
        .recent()
        .map(|(_, message)| message.clone())
        .collect();
    assert!(messages.contains(&Message::OpenedOffAir), "{messages:?}");
    assert_eq!(model.window_bars().count(), 1);
    assert_ne!(model.study_game(), shown, "it is a tab of the study page");
    // The command switches to it, and the bar without a window is closed.
    model.update(AppEvent::Action(
        bar,
        AppAction::Output(OutputId::Bar(bar), OutputCommand::Switch(None)),
    ));
    assert_eq!((model.bar(bar).game() == shown, model.bars().count()), (false, 1));
    assert_eq!(model.study_bar(), bar);
}

#[test]
fn moves_on_the_study_page_are_not_on_air() {
    for delay in [Delay::None, Delay::Moves(1)] {
        let mut model = AppModel::new(Lang::En, StoredFiles::default(), ModelOptions::default());
        let bar = model.study_bar();
        let effects = model.update(AppEvent::Action(
            bar,
            AppAction::OpenAddresses(vec![sources::address(0)]),
        ));
        let source = effects.iter().find_map(|effect| match effect {
            AppEffect::StartSource(id, ..) => Some(*id),
            _ => None,
        });
        let mut live = sources::TestSource::new(source.unwrap());
        let game = model.study_game();
        model.update(AppEvent::Action(
            bar,
            AppAction::Output(OutputId::Bar(bar), OutputCommand::Delay(delay)),
        ));
        let go_on = |model: &mut AppModel, live: &mut sources::TestSource, count: usize| {
            live.count = count;
            model.set_time(Duration::from_secs(10 * u64::try_from(count).unwrap()));
            model.update(AppEvent::Source(
                live.id,
                shogibar_live::SourceEvent::Game(live.game()),
            ));
            model.output_frame(game, Some(bar)).bar.history.usi()
        };
        go_on(&mut model, &mut live, 2);
        let before = go_on(&mut model, &mut live, 3);
        assert!(model.is_on_air(OutputId::Bar(bar)));
        let history = Arc::clone(model.game(game).history());
        let own = history.now().legal_moves().into_iter().last().unwrap();
        model.update(AppEvent::Action(bar, AppAction::Edit(DocumentEdit::Play(own))));
        assert_eq!(
            model.game(game).history().last_move(),
            Some(own),
            "the study page shows it"
        );
        assert_eq!(
            model.output_frame(game, Some(bar)).bar.history.usi(),
            before,
            "{delay}"
        );
        // The game goes on while the user studies.
        let after = go_on(&mut model, &mut live, 4);
        assert!(
            after.starts_with(&before) && after.len() > before.len(),
            "{delay}: {after}"
        );
    }
}

#[test]
fn another_game_in_the_file_of_a_locked_bar_is_opened_beside_it() {
    let mut simulation = ModelSimulation::new(Fault::None);
    let bar = simulation.model.study_bar();
    let game = simulation.model.bar(bar).game();
    for step in [
        Open(0),
        Finish(0),
        Output(0, 0),
        WriteElsewhere(0, 200),
        Watch,
        Finish(0),
    ] {
        simulation.step(step);
    }
    assert_eq!(simulation.problem, None);
    let shown = |game: GameId| {
        simulation
            .model
            .game(game)
            .document()
            .record()
            .moves()
            .map(|mv| mv.to_string())
            .next()
    };
    assert_eq!(
        (simulation.model.bar(bar).game(), shown(game).as_deref()),
        (game, Some("7g7f"))
    );
    let opened = simulation.model.study_game();
    assert_eq!(
        (shown(opened).as_deref(), simulation.model.is_game_on_air(opened)),
        (Some("5g5f"), false)
    );
    assert!(
        simulation.model.game(game).is_unsaved(),
        "it is in no file any more"
    );
}

#[test]
fn a_rule_of_the_source_makes_each_game_the_users_own() {
    let mut model = AppModel::new(Lang::En, StoredFiles::default(), ModelOptions::default());
    let (relay, bar) = (RelayId(1), model.study_bar());
    model.update(AppEvent::RelayConnected(relay, "engine".to_owned()));
    let go = |model: &mut AppModel, number: u64, moves: &str| {
        let history = Arc::new(History::from_usi(&format!("startpos moves {moves}")).unwrap());
        let observed = ObservedGame {
            position: Some(history),
            number,
            ..ObservedGame::default()
        };
        model.update(AppEvent::RelayChanged(relay, Box::new(observed)));
    };
    go(&mut model, 1, "7g7f");
    let game = model.bar(bar).game();
    assert_eq!(model.own_game_source(game).as_deref(), Some("relay:engine"));
    assert!(
        model.asks_about_own_game(game) && !model.is_own_game(game),
        "unanswered means no"
    );
    let answer = |model: &mut AppModel, is_own: bool| {
        model.update(AppEvent::Action(
            bar,
            AppAction::Output(OutputId::Bar(bar), OutputCommand::OwnGame(is_own)),
        ));
    };
    answer(&mut model, true);
    assert!(!model.asks_about_own_game(game) && model.is_own_game(game));
    // The answer is for one game.
    go(&mut model, 2, "2g2f");
    assert!(model.asks_about_own_game(game) && !model.is_own_game(game));
    for (rule, is_own) in [(OwnGameRule::Always, true), (OwnGameRule::Never, false)] {
        let settings = model.changed_settings(|settings| settings.own_games.set("relay:engine", rule));
        model.update(settings);
        assert_eq!(
            (model.is_own_game(game), model.asks_about_own_game(game)),
            (is_own, false),
            "{rule:?}"
        );
    }
    answer(&mut model, true);
    assert!(model.is_own_game(game), "the word for this game counts");
    // The engine of the next game connects anew.
    model.update(AppEvent::RelayEnded(relay, None));
    let relay = RelayId(2);
    model.update(AppEvent::RelayConnected(relay, "engine".to_owned()));
    let history = Arc::new(History::from_usi("startpos moves 5g5f").unwrap());
    let observed = ObservedGame {
        position: Some(history),
        number: 1,
        ..ObservedGame::default()
    };
    model.update(AppEvent::RelayChanged(relay, Box::new(observed)));
    assert!(!model.is_own_game(game), "the word was for another game");
}

#[test]
fn commands_reach_a_game_that_no_bar_shows() {
    let mut model = AppModel::new(Lang::En, StoredFiles::default(), ModelOptions::default());
    let bar = model.study_bar();
    for moves in ["7g7f", "2g2f"] {
        model.update(AppEvent::Action(
            bar,
            AppAction::PasteText(format!("position startpos moves {moves}")),
        ));
    }
    let hidden = model
        .games()
        .map(|(id, _)| id)
        .find(|id| model.outputs_of(*id).is_empty())
        .unwrap();
    for command in [
        OutputCommand::NumbersOnly(true),
        OutputCommand::Delay(Delay::Moves(3)),
        OutputCommand::OwnGame(true),
    ] {
        model.update(AppEvent::Control(ControlCommand::Output(command), Some(hidden)));
    }
    let choices = model.output_choices(hidden);
    assert!(
        choices.numbers_only && choices.is_own_game && choices.delay == Delay::Moves(3),
        "{choices:?}"
    );
}

#[test]
fn the_users_own_game_is_not_evaluated_after_a_restart() {
    let mut model = AppModel::new(Lang::En, StoredFiles::default(), ModelOptions::default());
    let (relay, bar) = (RelayId(1), model.study_bar());
    let settings =
        model.changed_settings(|settings| settings.own_games.set("relay:engine", OwnGameRule::Always));
    model.update(settings);
    model.update(AppEvent::RelayConnected(relay, "engine".to_owned()));
    let history = Arc::new(History::from_usi("startpos moves 7g7f").unwrap());
    let observed = ObservedGame {
        position: Some(history),
        number: 1,
        ..ObservedGame::default()
    };
    model.update(AppEvent::RelayChanged(relay, Box::new(observed)));
    model.update(AppEvent::Action(
        bar,
        AppAction::Output(OutputId::Bar(bar), OutputCommand::Lock(true)),
    ));
    let workspace = model.current_workspace();
    let mut again = AppModel::new(Lang::En, StoredFiles::default(), ModelOptions::default());
    again.update(AppEvent::Restore(Box::new(workspace)));
    let game = again.bar(again.study_bar()).game();
    assert_eq!(
        again.output_frame(game, None).bar.history.usi(),
        "startpos moves 7g7f"
    );
    assert!(again.is_own_game(game));
}
