//! `shogibar match`: engine against engine.

use super::output::shown_path;
use super::usage::whole;
use super::{CliOutcome, Streams};
use crate::cli::command_error::CommandError;
use crate::cli::usage_text::ExpectedValue;
use crate::engine_match::text::{self, GameEndWord, MatchRefusal};
use crate::engine_match::{
    self, GameEnd, MatchDifference, MatchEngine, MatchError, MatchEvent, MatchFile, MatchGame, MatchIdentity,
    MatchProgress, MatchSetup, MatchStop, OpeningBook, PlayedGame, Sprt, SprtDecision,
};
use anyhow::anyhow;
use serde_json::json;
use shogibar_base::Lang;
use shogibar_config::{Profile, engines_text};
use shogibar_engine::failure_text;
use shogibar_engine::options::Limit;
use shogibar_engine::probe::{ProbeAnswer, probe};
use shogibar_engine::process::Program;
use shogibar_engine::session::SessionConfig;
use shogibar_games::analysis::signature_name;
use shogibar_games::calibration;
use shogibar_machine::discovery::{self, FoundEngine, PROBE_TIMEOUT};
use shogibar_shogi::Color;
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

/// The longest wait for `usiok`: many engines may start at once.
const START_TIMEOUT: Duration = Duration::from_mins(1);
/// The hash memory of each engine, in MB, unless the user sets it.
const DEFAULT_HASH_MB: u32 = 64;

/// The arguments of `shogibar match`.
#[derive(Debug, clap::Args)]
#[command(
    after_help = "Each opening is played twice with the colours swapped, or once by an engine against itself; without --openings, random lines of \
    eight plies are played that the built-in engine finds about equal. A game ends by mate, resignation, declaration (27 points), \
    repetition, an illegal move, or as a draw after 320 plies. An engine that crashes or does not answer loses the game. DIR \
    gets a CSA record of each game with the evaluations of both engines. The same command continues where it stopped. The \
    interval and the test count the two games of an opening as one pair."
)]
pub(super) struct Arguments {
    /// The first engine: a profile's name, a program's name, a path, or `builtin`
    #[arg(value_name = "A")]
    first: OsString,
    /// The second engine
    #[arg(value_name = "B")]
    second: OsString,
    /// The number of games
    #[arg(long, value_name = "N", default_value_t = 100, value_parser = whole::<usize>(1, Some(1_000_000)))]
    games: usize,
    /// Search this many nodes for each move
    #[arg(long, value_name = "N", group = "limit", value_parser = whole::<u64>(1, None))]
    nodes: Option<u64>,
    /// Search each move for this long, in milliseconds [default: 1000]
    #[arg(long, value_name = "MS", group = "limit", value_parser = whole::<u64>(1, None))]
    movetime: Option<u64>,
    /// The openings: USI or SFEN lines, or games, of which the first 24 plies are used
    #[arg(long, value_name = "FILE")]
    openings: Option<PathBuf>,
    /// The seed of the random openings
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = whole::<u64>(0, None))]
    seed: u64,
    /// End the match when it is clear whether the difference is E0 or E1, in Elo
    #[arg(long, value_name = "E0,E1", allow_hyphen_values = true, value_parser = parse_sprt)]
    sprt: Option<Sprt>,
    /// End a game when both engines have seen this many centipawns for one side in four moves each
    #[arg(long, value_name = "CP", value_parser = whole::<u32>(1, Some(i32::MAX as u64)))]
    resign: Option<u32>,
    /// Number of games at once
    #[arg(long, value_name = "J", default_value_t = 1, value_parser = whole::<usize>(1, Some(256)))]
    jobs: usize,
    /// Threads for each engine [default: the profile's, or 1]
    #[arg(long, value_name = "N", value_parser = whole::<u32>(1, Some(u32::MAX.into())))]
    threads: Option<u32>,
    /// Memory for each engine's hash table, in MB [default: the profile's, or 64]
    #[arg(long, value_name = "MB", value_parser = whole::<u32>(1, Some(u32::MAX.into())))]
    hash: Option<u32>,
    /// Write JSON: one object per game, and one for the score
    #[arg(long)]
    json: bool,
    /// The folder of the records
    #[arg(short, long, value_name = "DIR", required = true)]
    output: PathBuf,
}

/// Parses the two differences of a sequential test, in Elo.
fn parse_sprt(text: &str) -> Result<Sprt, ExpectedValue> {
    let parsed = text.split_once(',').and_then(|(low, high)| {
        let [elo0, elo1] = [low.trim().parse::<f64>().ok()?, high.trim().parse::<f64>().ok()?];
        (elo0 < elo1 && elo0.is_finite() && elo1.is_finite()).then_some(Sprt { elo0, elo1 })
    });
    parsed.ok_or(ExpectedValue::EloRange)
}

pub(super) fn run(arguments: &Arguments, streams: &mut Streams<'_>) -> anyhow::Result<CliOutcome> {
    let lang = streams.lang;
    let setup = arguments.setup(streams)?;
    let cancelled = Arc::new(AtomicBool::new(false));
    let on_interrupt = Arc::clone(&cancelled);
    ctrlc::set_handler(move || on_interrupt.store(true, Ordering::Relaxed))
        .map_err(|error| CommandError::NoHandler(error.to_string()))?;
    let mut written = Ok(());
    let mut observe = |event: MatchEvent<'_>| {
        let result = report(&event, &setup, arguments.json, streams);
        if written.is_ok() && result.is_err() {
            written = result;
            cancelled.store(true, Ordering::Relaxed);
        }
    };
    let (progress, stop) = engine_match::run(&setup, &cancelled, &mut observe)
        .map_err(|error| match_error(&error, &setup.identity.names(), lang))?;
    written?;
    summarize(&setup, &progress, arguments.json, streams)?;
    if stop == MatchStop::Cancelled {
        writeln!(
            streams.err,
            "{}",
            text::cancelled(&setup.folder.display().to_string(), lang)
        )?;
        return Ok(CliOutcome::Problems);
    }
    let games = progress.score.games();
    anyhow::ensure!(
        progress.failures < games,
        MatchRefusal::NothingDecided(games).text(lang)
    );
    Ok(CliOutcome::Done)
}

impl Arguments {
    /// Returns the setup of the match. Starts both engines to ask for their names.
    fn setup(&self, streams: &mut Streams<'_>) -> anyhow::Result<MatchSetup> {
        let lang = streams.lang;
        let profiles = super::profiles(super::store().as_ref(), lang, streams)?.value;
        let find = |name: &OsString| discovery::find(name, &profiles).map_err(CommandError::NoExecutablePath);
        let [first, second] = [find(&self.first)?, find(&self.second)?];
        let names = [engine_name(&first, lang)?, engine_name(&second, lang)?];
        let openings = self.openings(lang)?;
        let engines = [&first, &second].map(|engine| (engine.program.clone(), self.session_config(engine)));
        let [(first, first_config), (second, second_config)] = &engines;
        let [first_name, second_name] = names;
        let mut identity = MatchIdentity {
            engines: [
                match_engine(first_name, first, first_config),
                match_engine(second_name, second, second_config),
            ],
            limit: self.limit().to_string(),
            resign: self.resign,
            openings: openings.identity(),
        };
        identity.make_names_distinct();
        Ok(MatchSetup {
            engines,
            identity,
            games: self.games,
            openings: Mutex::new(openings),
            resign: self.resign,
            sprt: self.sprt,
            jobs: self.jobs,
            folder: self.output.clone(),
            lang,
        })
    }

    fn limit(&self) -> Limit {
        self.nodes.map_or_else(
            || Limit::Time(Duration::from_millis(self.movetime.unwrap_or(1000))),
            Limit::Nodes,
        )
    }

    fn openings(&self, lang: Lang) -> anyhow::Result<OpeningBook> {
        let Some(path) = &self.openings else {
            return Ok(OpeningBook::random(self.seed));
        };
        let bytes = shogibar_files::read_input(path, shogibar_kifu::MAX_BYTES)?;
        let refused =
            |why: String| anyhow!(MatchRefusal::Openings(path.display().to_string(), why).text(lang));
        let openings =
            engine_match::read_openings(&bytes, path).map_err(|error| refused(error.to_string()))?;
        Ok(OpeningBook::Listed(openings))
    }

    /// Returns the configuration of an engine: the arguments, else the profile, else the defaults.
    fn session_config(&self, engine: &FoundEngine) -> SessionConfig {
        let profile = engine.profile.clone().unwrap_or_default();
        SessionConfig {
            multipv: 1,
            threads: self.threads.or(profile.threads).unwrap_or(1),
            hash_mb: self.hash.or(profile.hash_mb).unwrap_or(DEFAULT_HASH_MB),
            limit: self.limit(),
            usi_ok_timeout: START_TIMEOUT,
            ..engine.session(1)
        }
    }
}

/// Returns the data of an engine that has to be unchanged when the match is continued. Reads the engine's files.
fn match_engine(name: String, program: &Program, config: &SessionConfig) -> MatchEngine {
    let text = |word: &OsString| word.to_string_lossy().into_owned();
    MatchEngine {
        name,
        program: program.path.display().to_string(),
        arguments: program.arguments.iter().map(text).collect(),
        folder: program.folder.as_ref().map(|folder| folder.display().to_string()),
        environment: program
            .environment
            .iter()
            .map(|(name, value)| (text(name), text(value)))
            .collect(),
        options: config.options.clone(),
        threads: config.threads,
        hash_mb: config.hash_mb,
        files: match_files(program),
        net: calibration::net_of_program(program, &config.options),
    }
}

/// Returns the file of a program, and the files among its arguments, such as a script.
fn match_files(program: &Program) -> Vec<MatchFile> {
    let folder = program
        .folder
        .as_deref()
        .or_else(|| program.path.parent())
        .unwrap_or_else(|| Path::new(""));
    let arguments = program.arguments.iter().map(|argument| folder.join(argument));
    std::iter::once(program.path.clone())
        .chain(arguments)
        .filter_map(|path| {
            let (size, hash) = shogibar_files::content_hash(&path)?;
            Some(MatchFile {
                path: path.display().to_string(),
                size,
                hash: hash.text(),
            })
        })
        .collect()
}

/// Asks an engine for its name, and returns it with the name of the profile. An engine without both has the name that
/// the user gave.
fn engine_name(engine: &FoundEngine, lang: Lang) -> anyhow::Result<String> {
    match probe(&engine.program, PROBE_TIMEOUT) {
        ProbeAnswer::Engine(identity) => {
            let profile = engine.profile.as_ref().map(Profile::name);
            let name = signature_name(identity.name.trim(), profile);
            Ok(if name.is_empty() {
                engine.name.clone()
            } else {
                name
            })
        }
        answer => Err(anyhow!(
            MatchRefusal::Engine(engine.name.clone(), engines_text::no_answer(&answer, lang)).text(lang)
        )),
    }
}

fn match_error(error: &MatchError, names: &[String; 2], lang: Lang) -> anyhow::Error {
    let path = |path: &Path| path.display().to_string();
    anyhow!(match error {
        MatchError::Engine(index, kind) => {
            let name = names.get(*index).cloned().unwrap_or_default();
            MatchRefusal::Engine(name, failure_text::failure(kind, lang)).text(lang)
        }
        MatchError::OtherMatch(folder, MatchDifference::Engine(index)) => {
            let name = names.get(*index).cloned().unwrap_or_default();
            MatchRefusal::OtherEngine(path(folder), name).text(lang)
        }
        MatchError::OtherMatch(folder, _) => MatchRefusal::OtherMatch(path(folder)).text(lang),
        MatchError::Busy(folder) => MatchRefusal::Busy(path(folder)).text(lang),
        MatchError::NotAGame(file) => MatchRefusal::NotAGame(path(file)).text(lang),
        MatchError::Unreadable(why) | MatchError::Unwritable(why) => why.clone(),
        MatchError::Thread(error) => shogibar_base::file_error_text::io_error(error, lang),
    })
}

/// Writes a line for an event of the match, and a note about the game if there is one.
fn report(
    event: &MatchEvent<'_>,
    setup: &MatchSetup,
    is_json: bool,
    streams: &mut Streams<'_>,
) -> anyhow::Result<()> {
    let lang = streams.lang;
    let (game, played, progress) = match event {
        MatchEvent::Resumed(games) => return Ok(writeln!(streams.err, "{}", text::resumed(*games, lang))?),
        MatchEvent::Game(game, played, progress) => (*game, *played, *progress),
    };
    let number = game.0 + 1;
    if is_json {
        streams.out.write_json_line(&game_object(game, played, setup))?;
    } else {
        let [black, white] = &played.names;
        let sizes = [number, played.plies()];
        let counts = progress.score.counts();
        let line = text::game(
            sizes,
            [black, white],
            result_text(played.winner()),
            end_word(played.end),
            counts,
            lang,
        );
        writeln!(streams.out, "{line}")?;
    }
    if !played.note.is_empty() {
        writeln!(streams.err, "{}", text::note(number, &played.note, lang))?;
    }
    Ok(streams.out.flush()?)
}

fn game_object(game: MatchGame, played: &PlayedGame, setup: &MatchSetup) -> serde_json::Value {
    let [black, white] = &played.names;
    json!({
        "game": game.0 + 1, "black": black, "white": white, "result": result_text(played.winner()),
        "end": end_word(played.end).text(Lang::En), "plies": played.plies(), "opening": setup.opening_index(game) + 1,
        "file": shown_path(&setup.folder.join(game.file_name())),
    })
}

const fn result_text(winner: Option<Color>) -> &'static str {
    match winner {
        Some(Color::Black) => "1-0",
        Some(Color::White) => "0-1",
        None => "1/2-1/2",
    }
}

const fn end_word(end: GameEnd) -> GameEndWord {
    match end {
        GameEnd::Mate => GameEndWord::Mate,
        GameEnd::Declaration => GameEndWord::Declaration,
        GameEnd::Resignation => GameEndWord::Resignation,
        GameEnd::Certain(_) => GameEndWord::Certain,
        GameEnd::TimeUp => GameEndWord::TimeUp,
        GameEnd::Repetition => GameEndWord::Repetition,
        GameEnd::PerpetualCheck(_) => GameEndWord::PerpetualCheck,
        GameEnd::MaxPlies => GameEndWord::MaxPlies,
        GameEnd::IllegalMove => GameEndWord::IllegalMove,
        GameEnd::Failed => GameEndWord::Failed,
    }
}

/// Writes the score of the match, the difference in Elo, and the state of the sequential test.
fn summarize(
    setup: &MatchSetup,
    MatchProgress { score, failures }: &MatchProgress,
    is_json: bool,
    streams: &mut Streams<'_>,
) -> anyhow::Result<()> {
    let [one, other] = setup.identity.names();
    let (lang, counts, elo) = (streams.lang, score.counts(), score.elo());
    let test = setup
        .sprt
        .map(|sprt| (sprt, sprt.llr(score), sprt.decision(score)));
    if is_json {
        let finite = |number: f64| number.is_finite().then_some(number);
        let decision = test
            .and_then(|(.., decision)| decision)
            .map(|decision| match decision {
                SprtDecision::Lower => "E0",
                SprtDecision::Higher => "E1",
            });
        let [wins, draws, losses] = counts;
        let object = json!({
            "a": one, "b": other, "games": score.games(), "wins": wins, "draws": draws,
            "losses": losses, "score": score.mean(), "elo": elo.and_then(|elo| finite(elo.elo)),
            "elo_low": elo.and_then(|elo| finite(elo.low)), "elo_high": elo.and_then(|elo| finite(elo.high)),
            "llr": test.map(|(_, llr, _)| llr), "sprt": decision, "failures": failures,
        });
        return Ok(streams.out.write_json_line(&object)?);
    }
    writeln!(
        streams.out,
        "{}",
        text::score([&one, &other], counts, 100.0 * score.mean(), lang)
    )?;
    if let Some(elo) = elo {
        writeln!(streams.out, "{}", text::elo(elo.elo, elo.low, elo.high, lang))?;
    }
    if let Some((sprt, llr, decision)) = test {
        writeln!(streams.out, "{}", text::sprt(llr, sprt.elo0, sprt.elo1, lang))?;
        let sentence = decision.map(|decision| match decision {
            SprtDecision::Lower => text::decided(sprt.elo0, sprt.elo1, lang),
            SprtDecision::Higher => text::decided(sprt.elo1, sprt.elo0, lang),
        });
        if let Some(sentence) = sentence {
            writeln!(streams.out, "{sentence}")?;
        }
    }
    Ok(())
}
