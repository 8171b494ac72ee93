use super::*;
use crate::scene::VideoOptions;
use shogibar_base::Lang;
use shogibar_builtin::Control;
use shogibar_config::VideoPace;
use shogibar_games::analysis::EngineScales;
use shogibar_programme::Credit;
use shogibar_ui::overlay::OverlayStyle;
use shogibar_ui::theme;
use std::sync::Arc;

/// A game with evaluations.
const GAME: &str = "手合割：平手\n先手：甲\n後手：乙\n手数----指手---------消費時間--\n\
    1 ７六歩(77) ( 0:01/00:00:01)\n**評価値=40\n2 ３四歩(33) ( 0:02/00:00:02)\n**評価値=40\n";

fn options(pace: VideoPace) -> VideoOptions {
    VideoOptions {
        pace,
        credit: Credit::default(),
        is_hidden: false,
        scales: EngineScales::default(),
        style: OverlayStyle::new(theme::ink(), Lang::Ja),
    }
}

fn video_of(kif: &str, options: &VideoOptions) -> GameVideo {
    let record = shogibar_kifu::read(kif.as_bytes())
        .unwrap()
        .into_first()
        .unwrap()
        .0;
    GameVideo::new(Arc::new(record), options, &Control::default()).unwrap()
}

fn video(kif: &str, pace: VideoPace) -> GameVideo {
    video_of(kif, &options(pace))
}

/// A folder of a test, which is removed with its files.
struct Folder(PathBuf);

impl Folder {
    fn new(name: &str) -> Self {
        let path = std::env::temp_dir().join(format!("shogibar-video-{name}-{}", std::process::id()));
        std::fs::create_dir_all(&path).unwrap();
        Self(path)
    }

    fn names(&self) -> Vec<String> {
        let entries = std::fs::read_dir(&self.0).unwrap();
        entries
            .map(|entry| entry.unwrap().file_name().into_string().unwrap())
            .collect()
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _best_effort = std::fs::remove_dir_all(&self.0);
    }
}

fn never_stop(_: [usize; 2]) -> ControlFlow<()> {
    ControlFlow::Continue(())
}

#[test]
fn without_ffmpeg_an_animated_picture_is_written() {
    let folder = Folder::new("animated");
    let video = video("1 ７六歩(77)\n2 ３四歩(33)\n", VideoPace::One);
    let saved = save(&video, &folder.0.join("a.mp4"), None, &mut never_stop).unwrap();
    assert!(saved.lacks_ffmpeg);
    assert_eq!(folder.names(), ["a.png"]);
    let bytes = shogibar_files::read(&saved.path, 1 << 26).unwrap();
    assert!(shogibar_ui::png::is_png(&bytes));
    // The number of frames stands in the chunk of the animation.
    let at = bytes.windows(4).position(|word| word == b"acTL").unwrap();
    assert_eq!(bytes[at + 4..at + 8], [0, 0, 0, 3]);
}

#[test]
fn a_cancelled_video_leaves_no_file() {
    let folder = Folder::new("cancelled");
    let video = video("1 ７六歩(77)\n2 ３四歩(33)\n", VideoPace::One);
    let mut cancel = |[drawn, _]: [usize; 2]| {
        if drawn < 1 {
            ControlFlow::Continue(())
        } else {
            ControlFlow::Break(())
        }
    };
    let cancelled = save(&video, &folder.0.join("a.png"), None, &mut cancel);
    assert!(matches!(cancelled, Err(VideoError::Cancelled)), "{cancelled:?}");
    if let Some(ffmpeg) = crate::find_ffmpeg() {
        let cancelled = save(&video, &folder.0.join("a.mp4"), Some(&ffmpeg), &mut cancel);
        assert!(matches!(cancelled, Err(VideoError::Cancelled)), "{cancelled:?}");
    }
    assert!(folder.names().is_empty(), "{:?}", folder.names());
}

#[test]
fn a_file_that_cannot_be_written_is_an_error_with_its_name() {
    let folder = Folder::new("missing");
    let video = video("1 ７六歩(77)\n", VideoPace::One);
    let error = save(&video, &folder.0.join("no/a.png"), None, &mut never_stop).unwrap_err();
    assert!(error.cause().text(Lang::En).contains("no"), "{error}");
    let name = save(&video, &folder.0.join("a.txt"), None, &mut never_stop).unwrap_err();
    assert!(
        name.cause().text(Lang::En).contains("has to end in .mp4"),
        "{name}"
    );
    let program = save(
        &video,
        &folder.0.join("a.mp4"),
        Some(Path::new("/no/ffmpeg")),
        &mut never_stop,
    );
    assert!(matches!(program, Err(VideoError::Ffmpeg(_))), "{program:?}");
    assert!(folder.names().is_empty(), "{:?}", folder.names());
}

#[test]
fn scenes_follow_the_game_with_the_values_of_the_record() {
    let video = video(GAME, VideoPace::Two);
    let moves: Vec<_> = video
        .scenes
        .iter()
        .map(|scene| scene.content.history.as_ref().unwrap().moves().len())
        .collect();
    assert_eq!(moves, [0, 1, 2]);
    let duration: Duration = video.scenes.iter().map(|scene| scene.time).sum();
    assert_eq!(duration, Duration::from_millis(2500 + 2000 + 4000));
    let percents = |nth: usize| video.scenes[nth].content.bar.black.percent;
    assert_eq!((percents(0), percents(1).is_some()), (None, true));
}

/// A program that talks without end while it reads does not stop the video, and its first words are the error.
#[cfg(unix)]
#[test]
fn a_talkative_ffmpeg_that_fails_is_an_error() {
    let folder = Folder::new("talkative");
    let program = Path::new(env!("CARGO_MANIFEST_DIR")).join("encoder/talkative-ffmpeg");
    let video = video("1 ７六歩(77)\n", VideoPace::One);
    let saved = save(&video, &folder.0.join("a.mp4"), Some(&program), &mut never_stop);
    match saved {
        Err(VideoError::Ffmpeg(why)) => assert!(why.starts_with("no such codec"), "{why}"),
        other => panic!("{other:?}"),
    }
    assert!(folder.names().is_empty(), "{:?}", folder.names());
}

/// A game in which Black throws a win away at move 3, and the end is a step of its own.
const SWING: &str = "手数----指手---------消費時間--\n1 ７六歩(77)\n*#評価値=1500\n2 ３四歩(33)\n*#評価値=1500\n\
    3 ６六歩(67)\n*#評価値=-1500\n4 ８四歩(83)\n*#評価値=-1500\n5 ６八飛(28)\n*#評価値=-1500\n6 ８五歩(84)\n*#評価値=-1500\n\
    7 投了\n";

#[test]
fn a_turning_point_has_its_card_for_eight_seconds_and_the_end_is_shown() {
    let video = video(SWING, VideoPace::Three);
    let card_time: Duration = video
        .scenes
        .iter()
        .filter(|scene| scene.content.bar.turning_card.is_some())
        .map(|scene| scene.time)
        .sum();
    assert_eq!(card_time, Duration::from_secs(8));
    // The card ends within the third scene that has it.
    let moves = |scene: &VideoScene| scene.content.history.as_ref().unwrap().moves().len();
    let split: Vec<_> = video.scenes.iter().map(moves).collect();
    assert_eq!(split, [0, 1, 2, 3, 4, 5, 5, 6, 6]);
    let last = video.scenes.last().unwrap();
    let end = last.content.bar.decided_win.as_ref().unwrap();
    assert!(end.text.contains("後手"), "Black resigns: {}", end.text);
}

#[test]
fn a_hidden_evaluation_is_not_in_the_video() {
    let hidden = VideoOptions {
        is_hidden: true,
        ..options(VideoPace::One)
    };
    let video = video_of(SWING, &hidden);
    let shows = |scene: &VideoScene| {
        let bar = &scene.content.bar;
        bar.share.is_some()
            || bar.black.percent.is_some()
            || !bar.graph.is_empty()
            || bar.turning_card.is_some()
    };
    assert!(!video.scenes.iter().any(shows));
}

#[test]
fn a_stopped_job_makes_no_scenes() {
    let record = shogibar_kifu::read(SWING.as_bytes())
        .unwrap()
        .into_first()
        .unwrap()
        .0;
    let control = Control::default();
    control.stop();
    let stopped = GameVideo::new(Arc::new(record), &options(VideoPace::One), &control);
    assert!(matches!(stopped, Err(VideoError::Cancelled)));
}

/// Programs in the place of ffmpeg that write no video: the file of the user stays.
#[cfg(unix)]
#[test]
fn what_is_no_video_replaces_nothing() {
    use std::os::unix::fs::PermissionsExt as _;
    let folder = Folder::new("no-video");
    let path = folder.0.join("a.mp4");
    let video = video("1 ７六歩(77)\n", VideoPace::One);
    for (script, words) in [
        ("cat >/dev/null", "without a video"),
        ("exit 0", "without a video"),
        (
            "for file; do :; done; cat >/dev/null; echo garbage >\"$file\"",
            "without a video",
        ),
        (
            "cat >/dev/null; printf 'the reason\\nmore\\n' >&2; exit 1",
            "ffmpeg: the reason",
        ),
    ] {
        write_whole(&path, b"a video of the user").unwrap();
        let program = folder.0.join("ffmpeg");
        write_whole(&program, format!("#!/bin/sh\n{script}\n").as_bytes()).unwrap();
        std::fs::set_permissions(&program, std::fs::Permissions::from_mode(0o700)).unwrap();
        let error = save(&video, &path, Some(&program), &mut never_stop).unwrap_err();
        let cause = error.cause();
        let text = cause.text(Lang::En);
        assert!(text.contains(words), "{script}: {text}");
        assert_eq!(
            shogibar_files::read(&path, 100).unwrap(),
            b"a video of the user",
            "{script}"
        );
        assert_eq!(folder.names().len(), 2, "{script}: {:?}", folder.names());
    }
}
