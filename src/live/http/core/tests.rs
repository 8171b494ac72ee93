use super::*;
use crate::reader::{growth, read, text};
use proptest::prelude::*;
use shogibar_base::random::SplitMix;
use shogibar_kifu::Target;
use std::collections::VecDeque;

fn url(text: &str) -> WebUrl {
    WebUrl::parse(text).unwrap()
}

fn options() -> HttpOptions {
    HttpOptions {
        has_shorter_intervals: true,
        ..HttpOptions::default()
    }
}

fn ok(body: &[u8]) -> HttpReply {
    HttpReply {
        status: 200,
        body: body.to_vec(),
        is_whole: true,
        ..HttpReply::default()
    }
}

fn seconds(count: u64) -> Duration {
    Duration::from_secs(count)
}

/// A server with faults, and a clock that the test moves.
struct FaultyServer {
    random: SplitMix,
    states: Vec<Vec<u8>>,
    /// The time at which each state is reached.
    times: Vec<Duration>,
    has_faults: bool,
}

impl FaultyServer {
    /// Returns the index and the text of the state at a time.
    fn content(&self, now: Duration) -> (usize, &[u8]) {
        let at = self.times.iter().rposition(|time| *time <= now).unwrap_or(0);
        (at, &self.states[at])
    }

    fn answer(&mut self, request: &HttpRequest, now: Duration) -> HttpEvent {
        let (at, content) = self.content(now);
        let content = content.to_vec();
        let etag = Some(format!("\"{at}\""));
        if !self.has_faults || self.random.below(10) < 5 {
            if request.etag == etag && self.random.below(4) > 0 {
                return HttpEvent::Reply(HttpReply {
                    status: 304,
                    ..HttpReply::default()
                });
            }
            return HttpEvent::Reply(HttpReply { etag, ..ok(&content) });
        }
        let status = |status| HttpReply {
            status,
            ..HttpReply::default()
        };
        let cut = self.random.below(content.len() + 1);
        HttpEvent::Reply(match self.random.below(12) {
            0 => return HttpEvent::Failed(SourceProblem::Timeout),
            1 => return HttpEvent::Failed(SourceProblem::Truncated),
            2 => return HttpEvent::Failed(SourceProblem::Unreachable),
            3 => status(404),
            4 => status(429),
            5 => HttpReply {
                retry_after: Some(format!("{}", self.random.below(200))),
                ..status(429)
            },
            6 => status(500),
            7 => HttpReply {
                retry_after: Some("90".to_owned()),
                ..status(503)
            },
            8 => ok(b"<!DOCTYPE html><html><body>sorry <a href='/about.html'>about</a></body></html>"),
            9 => HttpReply {
                is_whole: false,
                ..ok(&content[..cut])
            },
            // Somebody is just writing the file.
            10 => ok(&content[..cut]),
            _ => match std::str::from_utf8(&content) {
                Ok(text) => ok(&encoding_rs::EUC_JP.encode(text).0),
                Err(_) => ok(&encoding_rs::SHIFT_JIS
                    .decode(&content)
                    .0
                    .into_owned()
                    .into_bytes()),
            },
        })
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(ProptestConfig::default().cases.max(100)))]

    #[test]
    fn games_are_followed_through_all_faults_on_random_histories(seed: u64) {
        let mut random = SplitMix(seed);
        let target = [Target::Csa, Target::Kif, Target::Kifu, Target::Jkf][usize::try_from(seed).unwrap() % 4];
        let plies = 10 + random.below(40);
        let states = growth(plies, &mut random);
        let states: Vec<Vec<u8>> = states.iter().map(|(history, is_over)| text(history, *is_over, target)).collect();
        let mut time = Duration::ZERO;
        let times = states.iter().map(|_| {
            let now = time;
            time += seconds(3 + u64::try_from(random.below(100)).unwrap());
            now
        });
        let mut server = FaultyServer { times: times.collect(), states, random, has_faults: true };
        let truth = read(server.states.last().unwrap());
        let (game, state) = run(&mut server, time, seed);
        prop_assert_eq!(&*game.record, &truth);
        prop_assert_eq!(state, SourceState::Ended(EndCause::GameOver));
    }
}

/// Runs the core until it ends. Checks that requests are never more frequent than allowed.
fn run(server: &mut FaultyServer, last: Duration, seed: u64) -> (LiveGame, SourceState) {
    let mut now = Duration::ZERO;
    let (mut core, effects) = HttpCore::start(url("http://example.org/games/1.kif"), options(), now);
    let mut queue: VecDeque<HttpEffect> = effects.into();
    let (mut game, mut state, mut last_request_time) = (None, SourceState::Waiting, None);
    let mut pause_until = Duration::ZERO;
    for _ in 0..2000 {
        while let Some(effect) = queue.pop_front() {
            let request = match effect {
                HttpEffect::Report(SourceEvent::Game(new)) => {
                    game = Some(new);
                    continue;
                }
                HttpEffect::Report(SourceEvent::State(new)) => {
                    state = new;
                    continue;
                }
                HttpEffect::Report(
                    SourceEvent::Games(_) | SourceEvent::Board(_) | SourceEvent::NotCorrected,
                ) => {
                    continue;
                }
                HttpEffect::Fetch(request) => request,
            };
            if request.hops == 0 {
                let floor = if core.reader.is_csa() {
                    seconds(10)
                } else {
                    seconds(60)
                };
                assert!(
                    last_request_time.is_none_or(|last| now >= last + floor),
                    "game {seed}: {last_request_time:?} {now:?}"
                );
                assert!(now >= pause_until, "game {seed} at {now:?}");
                last_request_time = Some(now);
            }
            server.has_faults = now < last + seconds(600);
            let event = server.answer(&request, now);
            now += Duration::from_millis(u64::try_from(server.random.below(19_000)).unwrap());
            if let HttpEvent::Reply(reply) = &event
                && matches!(reply.status, 429 | 503)
            {
                let at_least = if reply.status == 429 {
                    seconds(60)
                } else {
                    Duration::ZERO
                };
                pause_until = now + reply.pause().unwrap_or_default().max(at_least);
            }
            queue.extend(core.step(now, event));
        }
        let Some(deadline) = core.deadline() else { break };
        // A signal at any time does not change the minimum interval.
        if server.random.below(3) == 0 {
            queue.extend(core.step(now, HttpEvent::RefreshRequested));
        } else {
            now = now.max(deadline);
            queue.extend(core.step(now, HttpEvent::Deadline));
        }
    }
    (
        game.unwrap_or_else(|| panic!("game {seed}: none, {state:?}")),
        state,
    )
}

/// Sends answers one after the other and returns the last state and the request that is open.
fn answered(start: &str, replies: Vec<HttpReply>) -> (Option<SourceState>, Option<HttpRequest>) {
    let (mut core, _) = HttpCore::start(url(start), options(), Duration::ZERO);
    for reply in replies {
        core.step(Duration::ZERO, HttpEvent::Reply(reply));
    }
    (
        core.state.clone(),
        core.pending_request.map(|pending| pending.request),
    )
}

#[test]
fn redirects_stay_on_the_host_or_become_secure() {
    let check = |start: &str, location: &str, is_local: bool, expected: Result<&str, RedirectRefusal>| {
        let reply = HttpReply {
            status: 302,
            location: Some(location.to_owned()),
            is_local,
            ..HttpReply::default()
        };
        let (state, request) = answered(start, vec![reply]);
        match expected {
            Ok(target) => assert_eq!(
                request.map(|request| request.url.to_string()).as_deref(),
                Some(target)
            ),
            Err(refusal) => {
                assert_eq!(request, None, "{location}");
                let problem = SourceProblem::Redirect(refusal);
                assert!(
                    matches!(state, Some(SourceState::Lost { problem: found, .. }) if found == problem),
                    "{location}"
                );
            }
        }
    };
    check("http://a.org/x", "/y", false, Ok("http://a.org/y"));
    check("http://a.org/x", "https://a.org/x", false, Ok("https://a.org/x"));
    check("http://a.org/x", "https://b.org/x", false, Ok("https://b.org/x"));
    check(
        "http://a.org/x",
        "http://b.org/x",
        false,
        Err(RedirectRefusal::OtherHost("http://b.org/x".to_owned())),
    );
    let other = |address: &str| Err(RedirectRefusal::OtherHost(address.to_owned()));
    check(
        "http://a.org/x",
        "http://a.org:8080/x",
        false,
        other("http://a.org:8080/x"),
    );
    check(
        "http://a.org:8080/x",
        "http://a.org/x",
        false,
        other("http://a.org/x"),
    );
    check(
        "http://a.org/x",
        "https://a.org:8443/x",
        false,
        other("https://a.org:8443/x"),
    );
    check(
        "http://127.0.0.1:8001/x",
        "http://127.0.0.1:8002/x",
        true,
        other("http://127.0.0.1:8002/x"),
    );
    check(
        "http://a.org:8080/x",
        "https://a.org/x",
        false,
        Ok("https://a.org/x"),
    );
    check(
        "https://a.org/x",
        "http://a.org/x",
        false,
        Err(RedirectRefusal::Scheme),
    );
    check(
        "http://a.org/x",
        "file:///etc/passwd",
        false,
        Err(RedirectRefusal::Scheme),
    );
    check(
        "http://a.org/x",
        "https://127.0.0.1/x",
        false,
        Err(RedirectRefusal::Local),
    );
    check(
        "http://a.org/x",
        "https://[::ffff:10.0.0.1]/x",
        false,
        Err(RedirectRefusal::Local),
    );
    check(
        "http://a.org/x",
        "https://169.254.169.254/meta",
        false,
        Err(RedirectRefusal::Local),
    );
    check("http://127.0.0.1/x", "/y", true, Ok("http://127.0.0.1/y"));
}

#[test]
fn a_password_goes_to_its_own_host_and_port_only() {
    let login = |location: &str| {
        let reply = HttpReply {
            status: 302,
            location: Some(location.to_owned()),
            ..HttpReply::default()
        };
        let (_, request) = answered("http://me:secret@a.org/x", vec![reply]);
        request.and_then(|request| String::from_utf8(request.url.login()?).ok())
    };
    assert_eq!(login("/y").as_deref(), Some("me:secret"));
    assert_eq!(login("https://a.org/x").as_deref(), Some("me:secret"));
    assert_eq!(login("https://b.org/y"), None);
    assert_eq!(login("https://b.org/x"), None);
}

#[test]
fn a_public_page_names_no_game_of_the_own_network() {
    let page = ok(b"<html><a href='http://192.168.0.9/1.kif'>1</a><a href='http://a.org/2.kif'>2</a><a href='/3.kif'>3</a></html>");
    let (mut core, _) = HttpCore::start(url("http://a.org/x.html"), options(), Duration::ZERO);
    let effects = core.step(Duration::ZERO, HttpEvent::Reply(page));
    let games = effects.into_iter().find_map(|effect| match effect {
        HttpEffect::Report(SourceEvent::Games(games)) => Some(games),
        _ => None,
    });
    let addresses: Vec<_> = games.unwrap().into_iter().map(|game| game.address).collect();
    assert_eq!(addresses.len(), 2, "{addresses:?}");
    assert!(
        addresses
            .iter()
            .all(|address| address.starts_with("http://a.org/")),
        "{addresses:?}"
    );
}

#[test]
fn unfinished_content_is_no_success() {
    let (mut core, _) = HttpCore::start(url("http://a.org/x.kif"), options(), Duration::ZERO);
    let (mut now, mut pauses) = (Duration::ZERO, Vec::new());
    for _ in 0..12 {
        let effects = core.step(now, HttpEvent::Reply(ok(b"")));
        pauses.extend(effects.iter().filter_map(|effect| match effect {
            HttpEffect::Report(SourceEvent::State(SourceState::Lost { retry_in, .. })) => Some(*retry_in),
            _ => None,
        }));
        now += seconds(600);
        core.step(now, HttpEvent::Deadline);
    }
    assert!(
        pauses.len() > 2 && pauses.is_sorted() && pauses.last() == Some(&seconds(300)),
        "{pauses:?}"
    );
}

#[test]
fn endless_redirects_end() {
    let hop = |at: usize| HttpReply {
        status: 302,
        location: Some(format!("/{at}")),
        ..HttpReply::default()
    };
    let (state, request) = answered("http://a.org/x", (0..6).map(hop).collect());
    assert_eq!(request, None);
    let problem = SourceProblem::Redirect(RedirectRefusal::TooMany);
    assert!(matches!(state, Some(SourceState::Lost { problem: found, .. }) if found == problem));
}

#[test]
fn a_host_that_was_public_stays_public() {
    let (mut core, _) = HttpCore::start(url("http://a.org/x.kif"), options(), Duration::ZERO);
    core.step(Duration::ZERO, HttpEvent::Reply(ok("1 ７六歩(77)\n".as_bytes())));
    let effects = core.step(seconds(60), HttpEvent::Deadline);
    assert!(matches!(effects.as_slice(), [HttpEffect::Fetch(request)] if !request.may_be_local));
}

#[test]
fn a_page_leads_to_its_record_once() {
    let page = |link: &str| ok(format!("<html><a href='{link}'>棋譜</a></html>").as_bytes());
    let (_, request) = answered("http://a.org/x.html", vec![page("k/1.kif")]);
    assert_eq!(
        request.map(|request| request.url.to_string()).as_deref(),
        Some("http://a.org/k/1.kif")
    );
    let (state, request) = answered("http://a.org/x.html", vec![page("k/1.kif"), page("k/2.kif")]);
    assert_eq!(request, None);
    assert!(matches!(
        state,
        Some(SourceState::Lost {
            problem: SourceProblem::NoRecordInDocument,
            ..
        })
    ));
    let (state, _) = answered("http://a.org/x.html", vec![page("https://10.0.0.1/1.kif")]);
    let problem = SourceProblem::Redirect(RedirectRefusal::Local);
    assert!(matches!(state, Some(SourceState::Lost { problem: found, .. }) if found == problem));
}

#[test]
fn pauses_double_up_to_five_minutes_and_an_hour_without_news_is_the_end() {
    let (mut core, _) = HttpCore::start(url("http://a.org/x.kif"), options(), Duration::ZERO);
    let (mut now, mut pauses) = (Duration::ZERO, Vec::new());
    while !core.is_over() {
        core.step(now, HttpEvent::Failed(SourceProblem::Unreachable));
        let Some(next) = core.deadline() else { break };
        pauses.push(next.saturating_sub(now).as_secs());
        now = next;
        core.step(now, HttpEvent::Deadline);
    }
    assert_eq!(pauses[..4], [120, 240, 300, 300]);
    assert_eq!(core.state, Some(SourceState::Ended(EndCause::Unchanged)));
    assert!(now >= seconds(3600) && now < seconds(4000), "{now:?}");
}

#[test]
fn the_minimum_interval_depends_on_host_and_format() {
    let floor = |start: &str, body: &str, is_loopback: bool| {
        let (mut core, _) = HttpCore::start(url(start), options(), Duration::ZERO);
        core.step(
            Duration::ZERO,
            HttpEvent::Reply(HttpReply {
                is_loopback,
                is_local: is_loopback,
                ..ok(body.as_bytes())
            }),
        );
        core.deadline().map(|next| next.as_secs())
    };
    assert_eq!(floor("http://a.org/x.kif", "1 ７六歩(77)\n", false), Some(60));
    assert_eq!(floor("http://a.org/x.csa", "PI\n+\n+7776FU\n", false), Some(10));
    assert_eq!(floor("http://localhost/x.kif", "1 ７六歩(77)\n", true), Some(1));
}

#[test]
fn a_refresh_request_moves_the_next_poll_to_the_minimum_interval() {
    let pacing = HttpPacing {
        interval_without_signal: Some(seconds(60)),
        ..HttpPacing::default()
    };
    let options = HttpOptions { pacing, ..options() };
    let (mut core, _) = HttpCore::start(url("http://a.org/x.csa"), options, Duration::ZERO);
    core.step(Duration::ZERO, HttpEvent::Reply(ok(b"PI\n+\n+7776FU\n")));
    assert_eq!(core.deadline(), Some(seconds(60)));
    assert_eq!(core.step(seconds(3), HttpEvent::RefreshRequested), []);
    assert_eq!(core.deadline(), Some(seconds(10)));
    assert!(matches!(
        core.step(seconds(30), HttpEvent::RefreshRequested).as_slice(),
        [HttpEffect::Fetch(_)]
    ));
}

#[test]
fn a_doubtful_end_is_taken_when_the_server_says_not_modified() {
    let (mut core, _) = HttpCore::start(url("http://a.org/x.txt"), options(), Duration::ZERO);
    let etag = Some("\"1\"".to_owned());
    let body = b"position startpos moves 7g7f 3c3d\nposition startpos moves 7g7f 3c3d resign";
    core.step(Duration::ZERO, HttpEvent::Reply(HttpReply { etag, ..ok(body) }));
    assert_eq!(core.state, Some(SourceState::Live));
    core.step(seconds(60), HttpEvent::Deadline);
    core.step(
        seconds(60),
        HttpEvent::Reply(HttpReply {
            status: 304,
            ..HttpReply::default()
        }),
    );
    assert_eq!(core.state, Some(SourceState::Ended(EndCause::GameOver)));
}

#[test]
fn a_page_has_its_record_or_a_frame_with_one() {
    let asked = |replies: &[&str]| {
        let replies = replies.iter().map(|body| ok(body.as_bytes())).collect();
        let (state, request) = answered("http://a.org/x.html", replies);
        (state, request.map(|request| request.url.to_string()))
    };
    let with_record =
        "<html><a href='old.kif'>old</a><pre>手合割：平手\n1 ７六歩(77)\n2 ３四歩(33)\n</pre></html>";
    assert_eq!(asked(&[with_record]), (Some(SourceState::Live), None));
    let words = "<html><p>▲７六歩△３四歩</p><a href='k/1.kif'>棋譜</a></html>";
    assert_eq!(
        asked(&[words]),
        (Some(SourceState::Live), None),
        "the page holds a game itself"
    );
    let mention = "<html><p>初手▲７六歩の将棋です。</p><a href='k/1.kif'>棋譜</a></html>";
    assert_eq!(
        asked(&[mention]).1.as_deref(),
        Some("http://a.org/k/1.kif"),
        "one move is a word"
    );
    let frame = "<html><iframe src='board.html'></iframe></html>";
    assert_eq!(asked(&[frame]).1.as_deref(), Some("http://a.org/board.html"));
    assert_eq!(
        asked(&[frame, "<html><script>Kifu.load('2.txt')</script></html>"])
            .1
            .as_deref(),
        Some("http://a.org/2.txt")
    );
    let (state, request) = asked(&[frame, frame]);
    assert!(
        matches!(
            state,
            Some(SourceState::Lost {
                problem: SourceProblem::NoRecordInDocument,
                ..
            })
        ),
        "{request:?}"
    );
}

#[test]
fn a_page_with_several_records_gives_a_choice() {
    let games = |third: &str| {
        let game = |black: &str, moves: &str| {
            format!("<pre>先手：{black}\n後手：乙\n開始日時：2026/02/03\n{moves}</pre>")
        };
        let body = [game("甲", "1 ７六歩(77)\n2 ３四歩(33)\n"), game("丙", third)].concat();
        ok(format!("<html><body>{body}</body></html>").as_bytes())
    };
    let start = "1 ２六歩(27)\n2 ３四歩(33)\n";
    let (mut core, _) = HttpCore::start(url("http://a.org/x.html"), options(), Duration::ZERO);
    let effects = core.step(Duration::ZERO, HttpEvent::Reply(games(start)));
    let choices = effects.into_iter().find_map(|effect| match effect {
        HttpEffect::Report(SourceEvent::Games(choices)) => Some(choices),
        _ => None,
    });
    let choices: Vec<_> = choices
        .unwrap()
        .into_iter()
        .map(|choice| (choice.title, choice.address))
        .collect();
    let choice = |title: &str, address: &str| (title.to_owned(), address.to_owned());
    assert_eq!(
        choices,
        [
            choice("1. 甲 – 乙 2026/02/03", "http://a.org/x.html#game=1"),
            choice("2. 丙 – 乙 2026/02/03", "http://a.org/x.html#game=2")
        ]
    );
    let moves = |effects: Vec<HttpEffect>| {
        effects.into_iter().find_map(|effect| match effect {
            HttpEffect::Report(SourceEvent::Game(game)) => Some(game.record.history(usize::MAX).usi()),
            _ => None,
        })
    };
    let (mut core, _) = HttpCore::start(url("http://a.org/x.html#game=1"), options(), Duration::ZERO);
    let first = core.step(Duration::ZERO, HttpEvent::Reply(games(start)));
    assert_eq!(moves(first).as_deref(), Some("startpos moves 7g7f 3c3d"));
    let (mut core, _) = HttpCore::start(url("http://a.org/x.html#game=2"), options(), Duration::ZERO);
    core.step(Duration::ZERO, HttpEvent::Reply(games(start)));
    core.step(seconds(60), HttpEvent::Deadline);
    let grown = core.step(
        seconds(60),
        HttpEvent::Reply(games(&format!("{start}3 ７六歩(77)\n"))),
    );
    assert_eq!(moves(grown).as_deref(), Some("startpos moves 2g2f 3c3d 7g7f"));
}

/// Returns the game of the last event about one: its id, its players and its number of moves.
fn last_game(effects: &[HttpEffect]) -> Option<(String, String, usize)> {
    effects.iter().rev().find_map(|effect| match effect {
        HttpEffect::Report(SourceEvent::Game(game)) => {
            let player = |color| game.player(color).unwrap_or("?");
            let players = [
                player(shogibar_shogi::Color::Black),
                player(shogibar_shogi::Color::White),
            ]
            .join("-");
            Some((game.id.clone(), players, game.record.len()))
        }
        _ => None,
    })
}

/// A core that is answered with one text after the other, once in its interval.
struct PolledCore {
    core: HttpCore,
    now: Duration,
}

impl PolledCore {
    fn new(address: &str) -> Self {
        let (core, _) = HttpCore::start(url(address), options(), Duration::ZERO);
        Self {
            core,
            now: Duration::ZERO,
        }
    }

    /// Answers the open request, and waits for the next one. Returns the effects.
    fn answer(&mut self, reply: HttpReply) -> Vec<HttpEffect> {
        let effects = self.core.step(self.now, HttpEvent::Reply(reply));
        if let Some(deadline) = self.core.deadline() {
            self.now = self.now.max(deadline);
            self.core.step(self.now, HttpEvent::Deadline);
        }
        effects
    }

    fn answer_text(&mut self, text: &str) -> Vec<HttpEffect> {
        self.answer(ok(text.as_bytes()))
    }
}

const TWO_GAMES: &str = include_str!("../../../../tests/fixtures/live/two_games.csa");
const EXCHANGED_GAMES: &str = include_str!("../../../../tests/fixtures/live/two_games_exchanged.csa");

#[test]
fn a_game_of_a_feed_is_followed_wherever_it_is() {
    let address = "http://a.org/feed.csa#game=2";
    let mut polled = PolledCore::new(address);
    let shown = last_game(&polled.answer_text(TWO_GAMES)).unwrap();
    assert_eq!((shown.0.as_str(), shown.1.as_str()), (address, "C-D"));
    let moved = last_game(&polled.answer_text(EXCHANGED_GAMES)).unwrap();
    assert_eq!((moved.0.as_str(), moved.1.as_str()), (address, "C-D"));
    assert!(moved.2 > shown.2);
    let (_, others) = EXCHANGED_GAMES.split_once("/\n").unwrap();
    for _ in 0..2 {
        assert_eq!(
            last_game(&polled.answer_text(others)),
            None,
            "no other game is shown"
        );
    }
    for _ in 0..3 {
        let is_gone = |core: &HttpCore| matches!(core.state, Some(SourceState::Lost { problem: SourceProblem::GameGone, retry_in }) if retry_in == seconds(10));
        assert!(is_gone(&polled.core), "{:?}", polled.core.state);
        assert_eq!(polled.answer_text(others), [], "it is said once");
    }
    polled.answer_text(EXCHANGED_GAMES);
    assert_eq!(polled.core.state, Some(SourceState::Live));
    let mut polled = PolledCore::new("http://a.org/feed.csa#game=3");
    assert_eq!(last_game(&polled.answer_text(TWO_GAMES)), None);
    assert!(matches!(
        polled.core.state,
        Some(SourceState::Lost {
            problem: SourceProblem::NoSuchGame,
            ..
        })
    ));
}

#[test]
fn the_next_game_of_an_address_is_another_one() {
    let mut polled = PolledCore::new("http://a.org/now.csa");
    let (next, first) = EXCHANGED_GAMES.split_once("/\n").unwrap();
    let first = last_game(&polled.answer_text(first)).unwrap();
    let shown: Vec<_> = (0..2)
        .filter_map(|_| last_game(&polled.answer_text(next)))
        .collect();
    assert_eq!(shown.len(), 1, "{shown:?}");
    assert_eq!((first.1.as_str(), shown[0].1.as_str()), ("A-B", "C-D"));
    assert_ne!(first.0, shown[0].0);
}

#[test]
fn a_page_leads_to_a_record_that_has_moved() {
    let page = |link: &str| ok(format!("<html><a href='{link}'>棋譜</a></html>").as_bytes());
    let record = |moves: &str| ok(format!("手合割：平手\n{moves}").as_bytes());
    let mut polled = PolledCore::new("http://a.org/x.html");
    let mut core_answer = |reply: HttpReply| polled.core.step(polled.now, HttpEvent::Reply(reply));
    core_answer(page("1.kif"));
    assert_eq!(
        last_game(&polled.answer(record("1 ７六歩(77)\n"))).map(|game| game.2),
        Some(1)
    );
    let none = || HttpReply {
        status: 404,
        ..HttpReply::default()
    };
    for _ in 0..2 {
        polled.answer(none());
    }
    polled.core.step(polled.now, HttpEvent::Reply(page("2.kif")));
    let moved = record("1 ７六歩(77)\n2 ３四歩(33)\n");
    assert_eq!(last_game(&polled.answer(moved)).map(|game| game.2), Some(2));
    // A page in place of the record leads nowhere.
    polled.answer(page("3.kif"));
    assert!(matches!(
        polled.core.state,
        Some(SourceState::Lost {
            problem: SourceProblem::NotFound,
            ..
        })
    ));
}

/// The name of a file decides whether headers alone are a record. It counts as it does for a file of that name.
#[test]
fn a_text_is_read_as_a_file_of_its_name() {
    let texts = [
        "対局者：A\n",
        "手合割：平手\n1 ７六歩(77)\n",
        "▲７六歩△３四歩\n",
        "V2.2\n+7776FU\n-3334FU\n",
        "hello\n",
    ];
    for text in texts {
        for name in ["x.kif", "x.KIF", "x.csa", "x.txt", "x.php", "x", "x.html"] {
            let by_file = shogibar_kifu::read_named(text.as_bytes(), Path::new(name)).ok();
            let by_file =
                by_file.and_then(|read| Some((read.games.last()?.headers().len(), read.games.last()?.len())));
            let game_of = |effects: Vec<HttpEffect>| {
                effects.into_iter().find_map(|effect| match effect {
                    HttpEffect::Report(SourceEvent::Game(game)) => {
                        Some((game.record.headers().len(), game.record.len()))
                    }
                    _ => None,
                })
            };
            let mut polled = PolledCore::new(&format!("http://a.org/{name}"));
            assert_eq!(game_of(polled.answer_text(text)), by_file, "{name}: {text}");
            // The name is that of the record, not of the page that names it.
            if name == "x.kif" {
                let mut polled = PolledCore::new("http://a.org/page.html");
                polled.core.step(
                    polled.now,
                    HttpEvent::Reply(ok(b"<html><a href='x.kif'>x</a></html>")),
                );
                assert_eq!(game_of(polled.answer_text(text)), by_file, "{text}");
            }
        }
    }
}
