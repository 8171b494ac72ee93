//! Probes of many programs, two at a time. An unchanged program is not probed again: its answer is in a cache file.

use super::FoundEngine;
use crate::store::Store;
use serde::{Deserialize, Serialize};
use shogibar_base::threads;
use shogibar_engine::observer::EngineIdentity;
use shogibar_engine::probe::{ProbeAnswer, probe};
use shogibar_files::FileStamp;
use std::collections::BTreeMap;
use std::io;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc::sync_channel;
use std::time::Duration;

/// The number of probes that run at once. Each program may load a network of a gigabyte.
const MAX_PARALLEL_PROBES: usize = 2;

/// The name of the cache file in the configuration folder.
const CACHE_FILE: &str = "found.toml";

/// The cached answers, by the path and arguments of the program.
#[derive(Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
struct ProbeCache {
    #[serde(default)]
    program: BTreeMap<String, CachedProbe>,
}

/// A cached answer and the stamp of the program's file. The options of the engine are not cached: they are requested
/// when needed.
#[derive(Debug, PartialEq, Eq, Serialize, Deserialize)]
struct CachedProbe {
    size: u64,
    modified: u64,
    /// The name of the engine; `None` if the program is not an engine.
    name: Option<String>,
}

/// Probes every engine, at most two at a time and each for at most `timeout`. An exposed engine is not run. Calls
/// `each` with the index and the answer of every engine, in the order of the list. If there is a store, answers of
/// unchanged files are taken from the cache. Programs that did not answer or did not start are probed again.
///
/// # Errors
/// Fails if the system cannot create a thread.
pub fn probe_all(
    engines: &[FoundEngine],
    store: Option<&Store>,
    timeout: Duration,
    mut each: impl FnMut(usize, &ProbeAnswer),
) -> io::Result<()> {
    let mut cache: ProbeCache = store
        .and_then(|store| toml::from_str(&store.read_cache(CACHE_FILE)?).ok())
        .unwrap_or_default();
    let mut answers: Vec<Option<ProbeAnswer>> = engines
        .iter()
        .map(|engine| {
            if engine.is_exposed {
                Some(ProbeAnswer::NotRun)
            } else {
                cache.cached_answer(engine)
            }
        })
        .collect();
    let unknown: Vec<usize> = answers
        .iter()
        .enumerate()
        .filter(|(_, answer)| answer.is_none())
        .map(|(index, _)| index)
        .collect();
    let mut shown = 0;
    let mut show = |answers: &[Option<ProbeAnswer>]| {
        while let Some(Some(answer)) = answers.get(shown) {
            each(shown, answer);
            shown += 1;
        }
    };
    show(&answers);
    if unknown.is_empty() {
        return Ok(());
    }
    probe_each(engines, &unknown, timeout, |index, answer| {
        if let Some(engine) = engines.get(index) {
            cache.insert(engine, &answer);
        }
        if let Some(slot) = answers.get_mut(index) {
            *slot = Some(answer);
        }
        show(&answers);
    })?;
    if let (Some(store), Ok(text)) = (store, toml::to_string(&cache)) {
        store.write_cache(CACHE_FILE, &text);
    }
    Ok(())
}

/// Probes the engines at `indices`, and calls `each` for every answer, in the order of arrival.
fn probe_each(
    engines: &[FoundEngine],
    indices: &[usize],
    timeout: Duration,
    mut each: impl FnMut(usize, ProbeAnswer),
) -> io::Result<()> {
    let next = AtomicUsize::new(0);
    let probe_next = || {
        let index = *indices.get(next.fetch_add(1, Ordering::Relaxed))?;
        Some((index, probe(&engines.get(index)?.program, timeout)))
    };
    std::thread::scope(|scope| {
        let (sender, answers) = sync_channel(MAX_PARALLEL_PROBES);
        for _ in 0..MAX_PARALLEL_PROBES.min(indices.len()) {
            let (sender, probe_next) = (sender.clone(), &probe_next);
            threads::spawn_in_scope(scope, "ask", move || {
                while probe_next().is_some_and(|answer| sender.send(answer).is_ok()) {}
            })?;
        }
        drop(sender);
        for (index, answer) in answers {
            each(index, answer);
        }
        Ok(())
    })
}

impl ProbeCache {
    fn cached_answer(&self, engine: &FoundEngine) -> Option<ProbeAnswer> {
        let (key, stamp) = cache_key(engine)?;
        let entry = self
            .program
            .get(&key)
            .filter(|entry| (entry.size, entry.modified) == (stamp.size, stamp.modified))?;
        Some(
            entry
                .name
                .as_ref()
                .map(|name| EngineIdentity {
                    name: name.clone(),
                    options: Vec::new(),
                })
                .map_or(ProbeAnswer::NotUsi, ProbeAnswer::Engine),
        )
    }

    fn insert(&mut self, engine: &FoundEngine, answer: &ProbeAnswer) {
        let Some((key, FileStamp { size, modified })) = cache_key(engine) else {
            return;
        };
        let name = match answer {
            ProbeAnswer::Engine(identity) => Some(identity.name.clone()),
            ProbeAnswer::NotUsi => None,
            // Not cached: the machine may have been slow, or a file may have been missing.
            ProbeAnswer::Silent | ProbeAnswer::Ended | ProbeAnswer::NotRun | ProbeAnswer::NotStarted(_) => {
                return;
            }
        };
        self.program.insert(key, CachedProbe { size, modified, name });
    }
}

/// Returns the cache key and the stamp of a program. Returns `None` for a program that runs another, as `ssh` and
/// `node` do. The stamp of such a program does not show changes of the other one.
fn cache_key(engine: &FoundEngine) -> Option<(String, FileStamp)> {
    let program = &engine.program;
    if engine.name != super::BUILT_IN_NAME && !program.arguments.is_empty() {
        return None;
    }
    let path = program.path.to_str()?;
    let stamp = shogibar_files::stamp(&program.path)?;
    let arguments: Vec<_> = program
        .arguments
        .iter()
        .map(|argument| argument.to_string_lossy())
        .collect();
    let max = u64::try_from(i64::MAX).unwrap_or(u64::MAX);
    let stamp = FileStamp {
        size: stamp.size.min(max),
        modified: stamp.modified.min(max),
    };
    Some((
        format!("{path} {}", arguments.join(" ")).trim_end().to_owned(),
        stamp,
    ))
}

#[cfg(unix)]
#[expect(clippy::disallowed_methods, reason = "another process writes the programs")]
#[cfg(test)]
mod tests {
    use super::*;
    use shogibar_engine::process::Program;

    /// Scripts that count their starts in a file and identify themselves by different names.
    struct Zoo {
        folder: std::path::PathBuf,
        engines: Vec<FoundEngine>,
    }

    impl Zoo {
        fn new(name: &str, scripts: &[&str]) -> Self {
            let folder =
                std::env::temp_dir().join(format!("shogibar-probe-cache-{name}-{}", std::process::id()));
            shogibar_files::make_folder(&folder).unwrap();
            let engines = scripts.iter().enumerate().map(|(n, script)| {
                let path = folder.join(format!("engine{n}"));
                let text = format!(
                    "#!/bin/sh\necho $$ >>'{}'\n{script}",
                    folder.join("started").display()
                );
                let write = format!("cat >'{0}' && chmod +x '{0}'", path.display());
                // Another process writes the file: a file that another test's child has inherited open cannot be run.
                let mut shell = std::process::Command::new("/bin/sh")
                    .args(["-c", &write])
                    .stdin(std::process::Stdio::piped())
                    .spawn()
                    .unwrap();
                io::Write::write_all(&mut shell.stdin.take().unwrap(), text.as_bytes()).unwrap();
                assert!(shell.wait().unwrap().success());
                FoundEngine {
                    name: format!("e{n}"),
                    program: Program {
                        path,
                        ..Program::default()
                    },
                    profile: None,
                    is_exposed: false,
                }
            });
            Self {
                engines: engines.collect(),
                folder,
            }
        }

        fn probed_names(&self) -> Vec<String> {
            let (store, mut names) = (Store::new(self.folder.join("config")), Vec::new());
            probe_all(
                &self.engines,
                Some(&store),
                Duration::from_secs(3),
                |index, answer| {
                    assert_eq!(index, names.len(), "in order");
                    names.push(match answer {
                        ProbeAnswer::Engine(identity) => identity.name.clone(),
                        other => format!("{other:?}"),
                    });
                },
            )
            .unwrap();
            names
        }

        fn start_count(&self) -> usize {
            shogibar_files::read(&self.folder.join("started"), 1 << 20)
                .unwrap()
                .split(|c| *c == b'\n')
                .count()
                - 1
        }
    }

    impl Drop for Zoo {
        fn drop(&mut self) {
            let _best_effort = std::fs::remove_dir_all(&self.folder);
        }
    }

    #[test]
    fn at_most_two_probes_run_at_once() {
        let script =
            "cd \"$(dirname \"$0\")\"; echo + >>runs; sleep 0.1; echo - >>runs; echo id name x; echo usiok";
        let zoo = Zoo::new("two", &[script; 6]);
        assert_eq!(zoo.probed_names(), ["x"; 6]);
        let (mut running, mut max) = (0, 0);
        for line in shogibar_files::read(&zoo.folder.join("runs"), 1 << 10)
            .unwrap()
            .split(|c| *c == b'\n')
        {
            running += match line {
                b"+" => 1,
                b"-" => -1,
                _ => 0,
            };
            max = running.max(max);
        }
        assert_eq!(max, 2, "and two are not one");
    }

    #[test]
    fn unchanged_programs_are_not_probed_again() {
        let scripts = [
            "sleep 0.3; echo id name Slow; echo usiok",
            "echo id name 水匠; echo usiok",
            "while echo nonsense; do :; done",
            "echo usiok",
        ];
        let zoo = Zoo::new("once", &scripts);
        assert_eq!(zoo.probed_names(), ["Slow", "水匠", "NotUsi", ""]);
        assert_eq!(zoo.start_count(), 4);
        assert_eq!(zoo.probed_names(), ["Slow", "水匠", "NotUsi", ""]);
        assert_eq!(zoo.start_count(), 4, "nobody was asked again");
        let mut file = std::fs::File::options()
            .append(true)
            .open(&zoo.engines[1].program.path)
            .unwrap();
        io::Write::write_all(&mut file, b"\n# another").unwrap();
        drop(file);
        assert_eq!(zoo.probed_names().len(), 4);
        assert_eq!(zoo.start_count(), 5, "the one that changed was");
    }

    #[test]
    fn a_program_that_ends_is_probed_again() {
        let zoo = Zoo::new("ended", &["exit"]);
        assert_eq!(zoo.probed_names(), ["Ended"]);
        assert_eq!(zoo.probed_names(), ["Ended"]);
        assert_eq!(zoo.start_count(), 2, "a file that it needs may be there now");
    }
}
