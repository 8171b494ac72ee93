//! The engine processes of an analysis.

use super::{AnalysisEngine, AnalysisOptions, remote};
use shogibar_config::Profiles;
use shogibar_engine::options::{EngineNumber, Limit};
use shogibar_engine::session::{RestartPolicy, SessionConfig};
use shogibar_machine::discovery::{self, BUILT_IN_NAME, FoundEngine};
use shogibar_machine::traffic::TrafficLog;
use std::ffi::OsStr;
use std::io;
use std::time::Duration;

/// The maximum time of a search whose limit is not a time. A longer search counts as a hanging engine.
const MAX_SEARCH_TIME: Duration = Duration::from_mins(10);

/// The minimum hash of an engine, in MB, when several engines share the hash of a profile.
const MIN_HASH_MB: u32 = 16;

/// Returns the engines of an analysis of `positions` positions, one for each process. The names need not be UTF-8.
///
/// # Errors
/// Fails if the system cannot tell the current folder or the path of this program.
pub fn create_engines<N: AsRef<OsStr>>(
    names: &[N],
    options: &AnalysisOptions,
    profiles: &Profiles,
    log: &TrafficLog,
    positions: usize,
) -> io::Result<Vec<AnalysisEngine>> {
    let engines = if names.is_empty() {
        vec![discovery::default_engine(profiles)]
    } else {
        names.iter().map(|name| discovery::find(name, profiles)).collect()
    };
    let engines = engines.into_iter().collect::<io::Result<Vec<FoundEngine>>>()?;
    // Each engine searches every position once, so more processes would have nothing to search.
    let count = options
        .jobs
        .min(positions.max(1).saturating_mul(engines.len()))
        .max(engines.len());
    let here = engines.iter().cycle().take(count).map(|engine| (engine, None));
    let elsewhere = options
        .hosts
        .iter()
        .flat_map(|host| engines.iter().map(move |engine| (engine, Some(host.as_str()))));
    let all: Vec<_> = here.chain(elsewhere).collect();
    let analysis_engine = |placed: &PlacedEngine<'_>| {
        let (engine, host) = *placed;
        AnalysisEngine {
            name: engine.name.clone(),
            is_profile: engine.is_added_by_user(),
            program: host.map_or_else(
                || engine.program.clone(),
                |host| remote::ssh_program(&engine.program, host),
            ),
            log: log.clone(),
            settings: session_config(
                options,
                engine,
                all.iter().filter(|other| share_machine(*placed, **other)).count(),
            ),
        }
    };
    Ok(all.iter().map(analysis_engine).collect())
}

/// An engine, and the host that it runs on; `None` to run the program of the profile unchanged.
type PlacedEngine<'a> = (&'a FoundEngine, Option<&'a str>);

/// Returns whether two engines share processors and memory, as far as is known.
fn share_machine((one, host): PlacedEngine<'_>, (other, other_host): PlacedEngine<'_>) -> bool {
    if host.is_some() || other_host.is_some() {
        return host == other_host;
    }
    match (one.program.is_remote(), other.program.is_remote()) {
        (false, false) => true,
        (true, true) => one.name == other.name,
        _ => false,
    }
}

/// Returns the configuration of one of `count` engines on a machine, which share the resources of the profile.
fn session_config(options: &AnalysisOptions, engine: &FoundEngine, count: usize) -> SessionConfig {
    let (profile, set) = (engine.profile.clone().unwrap_or_default(), engine.session(count));
    let engines = u32::try_from(count.max(1)).unwrap_or(u32::MAX);
    let share = |number, min: u32| {
        profile
            .number(number)
            .map(|all| all.div_euclid(engines).max(min.min(all)))
    };
    // With several threads, searches with the same nodes or depth have different results. The results of the built-in
    // engine must be repeatable.
    let is_repeatable =
        engine.name == BUILT_IN_NAME && matches!(options.limit, Limit::Nodes(_) | Limit::Depth(_));
    let threads = if is_repeatable { 1 } else { set.threads };
    SessionConfig {
        multipv: options.multipv,
        threads: options
            .threads
            .or_else(|| share(EngineNumber::Threads, 1))
            .unwrap_or(threads),
        hash_mb: options
            .hash_mb
            .or_else(|| share(EngineNumber::Hash, MIN_HASH_MB))
            .unwrap_or(set.hash_mb),
        limit: options.limit,
        new_game_per_search: true,
        time_limit: Some(MAX_SEARCH_TIME),
        restart_policy: restart_policy(),
        ..set
    }
}

/// Returns the restart policy of an analysis: nine restarts in ten minutes, with growing pauses in groups of three. The
/// scheduler gives up a position after three failures, so the groups belong to different positions.
fn restart_policy() -> RestartPolicy {
    let pauses = [500, 2_000, 8_000]
        .into_iter()
        .cycle()
        .take(9)
        .map(Duration::from_millis);
    RestartPolicy {
        pauses: pauses.collect(),
        period: Duration::from_mins(10),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn profile_resources_are_divided_among_the_engines() {
        let profiles = "[[engine]]\nname = \"big\"\nprogram = \"/x\"\nthreads = 16\nhash_mb = 4096\n\
            [[engine]]\nname = \"far\"\nprogram = \"ssh\"\nthreads = 16\n\
            [[engine]]\nname = \"small\"\nprogram = \"/x\"\nthreads = 2\nhash_mb = 8\n";
        let (profiles, _) = Profiles::read(profiles).unwrap();
        let check = |engines: &[&str], jobs, threads: Option<u32>, expect: &[(u32, u32)]| {
            let engines = engines.iter().map(|name| (*name).to_owned()).collect();
            let options = AnalysisOptions {
                engines,
                jobs,
                threads,
                ..AnalysisOptions::default()
            };
            let found =
                create_engines(&options.engines, &options, &profiles, &TrafficLog::default(), 100).unwrap();
            let found: Vec<_> = found
                .iter()
                .map(|it| (it.settings.threads, it.settings.hash_mb))
                .collect();
            assert_eq!(found, expect, "{options:?}");
        };
        check(&["big"], 1, None, &[(16, 4096)]);
        check(&["big"], 8, None, &[(2, 512); 8]);
        check(&["big"], 8, Some(16), &[(16, 512); 8]);
        check(&["small"], 3, None, &[(1, 8); 3]);
        let default = discovery::default_session(1);
        // A remote engine does not use the resources of this machine.
        check(&["big", "far"], 1, None, &[(16, 4096), (16, default.hash_mb)]);
        check(&["big", "small"], 1, None, &[(8, 2048), (1, 8)]);
    }

    #[test]
    fn the_built_in_engine_gives_the_same_result_of_the_same_nodes() {
        let engine = discovery::find(BUILT_IN_NAME, &Profiles::default()).unwrap();
        let threads = |limit, threads| {
            session_config(
                &AnalysisOptions {
                    limit,
                    threads,
                    ..AnalysisOptions::default()
                },
                &engine,
                1,
            )
            .threads
        };
        assert_eq!(
            [threads(Limit::Nodes(500), None), threads(Limit::Depth(5), None)],
            [1, 1]
        );
        assert_eq!(threads(Limit::Nodes(500), Some(3)), 3, "as it was asked for");
    }

    #[test]
    fn copies_on_other_hosts_have_the_name_of_the_profile_and_its_resources() {
        let (profiles, _) =
            Profiles::read("[[engine]]\nname = \"big\"\nprogram = \"/x\"\nthreads = 16\n").unwrap();
        let hosts = ["a", "b", "b"].map(str::to_owned).to_vec();
        let options = AnalysisOptions {
            jobs: 2,
            hosts,
            ..AnalysisOptions::default()
        };
        let found = create_engines(&["big"], &options, &profiles, &TrafficLog::default(), 100).unwrap();
        let threads: Vec<_> = found.iter().map(|engine| engine.settings.threads).collect();
        assert_eq!(threads, [8, 8, 16, 8, 8]);
        assert!(
            found
                .iter()
                .all(|engine| engine.is_profile && engine.name == "big")
        );
        let is_remote: Vec<_> = found.iter().map(|engine| engine.program.is_remote()).collect();
        assert_eq!(is_remote, [false, false, true, true, true]);
    }
}
