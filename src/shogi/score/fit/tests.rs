use super::*;

/// Random numbers for games that are drawn from a known curve.
struct Random(SplitMix);

impl Random {
    /// Returns a number of at least 0 and less than 1.
    fn share(&mut self) -> f64 {
        self.0.below(1 << 30) as f64 / f64::from(1 << 30)
    }

    /// Returns a number of the standard normal distribution.
    fn gaussian(&mut self) -> f64 {
        (-2.0 * self.share().max(1e-9).ln()).sqrt() * (std::f64::consts::TAU * self.share()).cos()
    }

    /// Draws a game whose evaluations are right. At each position the side with the log-odds x wins with their
    /// probability, whatever came before.
    fn game(&mut self, truth: WinRateCurve) -> RatedGame {
        let black_wins = self.share() < 0.5;
        let toward = if black_wins { 1.0 } else { -1.0 };
        let mut odds = 0.0;
        let count = 60 + self.0.below(80);
        let mut step = || {
            odds += toward * 0.03125 + 0.25 * self.gaussian();
            #[expect(clippy::cast_possible_truncation, reason = "the cast saturates")]
            let value = (truth.k * odds - truth.bonus).round() as i16;
            value
        };
        let values = (0..count).map(|_| step()).collect();
        RatedGame {
            values,
            result: if black_wins { 1.0 } else { 0.0 },
        }
    }

    /// Draws `count` games whose evaluations are right.
    fn games(&mut self, truth: WinRateCurve, count: usize) -> Vec<RatedGame> {
        (0..count).map(|_| self.game(truth)).collect()
    }
}

/// Returns in how many of `times` sets of games the interval holds the scale.
fn count_holding_intervals(truth: WinRateCurve, count: usize, times: usize) -> usize {
    let mut random = Random(SplitMix(count as u64));
    let holds = |_: &usize| {
        let fit = fit(&random.games(truth, count)).unwrap();
        (fit.k_low..=fit.k_high).contains(&truth.k)
    };
    (0..times).filter(holds).count()
}

#[test]
fn the_interval_holds_the_truth() {
    for k in [200.0, 600.0, 1400.0] {
        for bonus in [0.0, 40.0] {
            let truth = WinRateCurve { k, bonus };
            let few = count_holding_intervals(truth, 30, 60);
            assert!(few >= 51, "30 games at {truth:?}: {few} of 60");
        }
    }
    let many = count_holding_intervals(
        WinRateCurve {
            k: 600.0,
            bonus: 40.0,
        },
        300,
        60,
    );
    assert!((54..=60).contains(&many), "300 games: {many} of 60");
}

/// Two hundred sets, each with the number of games that a user may have.
#[test]
#[ignore = "takes minutes"]
fn the_interval_holds_the_truth_in_many_sets() {
    for count in [10, 20, 30, 300, 3000] {
        for k in [200.0, 600.0, 1400.0] {
            for bonus in [0.0, 40.0] {
                let held = count_holding_intervals(WinRateCurve { k, bonus }, count, 200);
                let range = if count > 30 { 180..=199 } else { 170..=200 };
                assert!(range.contains(&held) || count < 30);
            }
        }
    }
}

#[test]
fn finds_scale_and_bonus() {
    let truth = WinRateCurve {
        k: 400.0,
        bonus: 40.0,
    };
    let games = Random(SplitMix(1)).games(truth, 6000);
    let fit = fit(&games).unwrap();
    assert!((fit.curve.k / truth.k - 1.0).abs() < 0.08, "{fit:?}");
    assert!((fit.curve.bonus - truth.bonus).abs() < 40.0, "{fit:?}");
    assert!(
        fit.loss < loss(&games, WinRateCurve::from_k(1200.0))
            && fit.loss < loss(&games, WinRateCurve::from_k(150.0))
    );
    assert!((fit.loss - loss(&games, truth)).abs() < 0.003, "{fit:?}");
    assert!(fit.calibration_error < 0.03, "{fit:?}");
    let needed = fit.games_for_ten_percent;
    assert!((100..4000).contains(&needed), "{needed}");
}

#[test]
fn few_games_give_a_wide_interval() {
    let truth = WinRateCurve { k: 300.0, bonus: 0.0 };
    let games = Random(SplitMix(3)).games(truth, 12);
    let few = fit(&games).unwrap();
    assert!(few.k_high > 1.8 * few.k_low, "{few:?}");
    let [drawn, likeliest] = [few.curve.k, few.likeliest_curve.k].map(|k| (k / 600.0).ln().abs());
    assert!(drawn <= likeliest, "{few:?}");
    assert_eq!(fit(&[]), None);
    assert_eq!(fit(&games[..1]), None);
    // Against all evaluations: no scale fits.
    let against: Vec<_> = games
        .iter()
        .map(|game| RatedGame {
            result: 1.0 - game.result,
            ..game.clone()
        })
        .collect();
    let odd = fit(&against).unwrap();
    assert!(odd.k_low < 50.0 && odd.k_high > 20_000.0, "{odd:?}");
    assert!((300.0..1200.0).contains(&odd.curve.k), "{odd:?}");
    let won: Vec<_> = games.iter().filter(|game| game.result > 0.5).cloned().collect();
    assert_eq!(fit(&won), None, "one side has won them all");
    let even = [1.0, 0.0].map(|result| RatedGame {
        values: vec![0; 50],
        result,
    });
    assert_eq!(fit(&even), None);
}

#[test]
fn foreign_values_give_finite_fits() {
    let odd = [
        RatedGame {
            values: vec![i16::MAX, i16::MIN, 0],
            result: 1.0,
        },
        RatedGame {
            values: vec![i16::MIN; 500],
            result: 0.5,
        },
        RatedGame {
            values: vec![i16::MAX],
            result: 0.0,
        },
        RatedGame::default(),
    ];
    let fit = fit(&odd).unwrap();
    for number in [
        fit.curve.k,
        fit.curve.bonus,
        fit.k_low,
        fit.k_high,
        fit.loss,
        fit.calibration_error,
    ] {
        assert!(number.is_finite(), "{fit:?}");
    }
}

#[test]
fn a_true_curve_is_reliable() {
    let truth = WinRateCurve { k: 600.0, bonus: 0.0 };
    let games = Random(SplitMix(5)).games(truth, 3000);
    let found = Reliability::from_curve(&games, truth);
    assert_eq!(found.bins.len(), Reliability::BIN_COUNT);
    assert!(found.calibration_error() < 0.02, "{}", found.calibration_error());
    assert!(Reliability::from_curve(&games, WinRateCurve::from_k(200.0)).calibration_error() > 0.05);
}
