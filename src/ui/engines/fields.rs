//! Form fields: a label on the left, a value on the right.

use crate::window_text::WindowWord;
use crate::{PaintTheme, win_rate_curve_picture};
use eframe::egui;
use egui::{Color32, ComboBox, DragValue, Label, Response, RichText, TextEdit, Ui};
use shogibar_base::Lang;
use shogibar_config::{Profile, engines_text};
use shogibar_engine::options::{EngineNumber, Limit};
use shogibar_games::calibration::{MIN_FIT_GAMES, NetComparison, UserFit, compare_nets};
use shogibar_shogi::score::WinRateModel;
use std::time::Duration;

pub(super) use crate::access::set_accessible_label;

/// The width of a text field, in points.
const FIELD_WIDTH: f32 = 360.0;
/// The choices of the search limit, each with its initial value; `None` is the automatic limit.
const LIMIT_CHOICES: [(WindowWord, Option<Limit>); 5] = [
    (WindowWord::Automatic, None),
    (WindowWord::Infinite, Some(Limit::Infinite)),
    (WindowWord::Seconds, Some(Limit::Time(Duration::from_secs(10)))),
    (WindowWord::Nodes, Some(Limit::Nodes(1_000_000))),
    (WindowWord::Depth, Some(Limit::Depth(20))),
];

/// Shows the label of a field, in the first column of the grid.
pub(super) fn show_label(ui: &mut Ui, word: WindowWord, lang: Lang) -> Response {
    ui.label(RichText::new(word.text(lang)).weak())
}

/// Shows the explanation below a field, in one line that is cut off if it is too long.
pub(super) fn show_hint(ui: &mut Ui, text: &str, color: Color32) {
    ui.add(Label::new(RichText::new(text).size(12.5).color(color)).truncate());
}

/// Shows a text field with a label. A `hint` that equals the label is not shown.
pub(super) fn show_text_field(
    ui: &mut Ui,
    word: WindowWord,
    value: &mut String,
    hint: WindowWord,
    lang: Lang,
) -> Response {
    let label = show_label(ui, word, lang);
    let hint = if hint == word { "" } else { hint.text(lang) };
    ui.add(
        TextEdit::singleline(value)
            .hint_text(hint)
            .desired_width(FIELD_WIDTH),
    )
    .labelled_by(label.id)
}

pub(super) fn show_environment_field(ui: &mut Ui, value: &mut String, lang: Lang) -> Response {
    let label = show_label(ui, WindowWord::Environment, lang);
    let hint = WindowWord::EnvironmentHint.text(lang);
    ui.add(
        TextEdit::multiline(value)
            .hint_text(hint)
            .desired_rows(1)
            .desired_width(FIELD_WIDTH),
    )
    .labelled_by(label.id)
}

/// Shows the field of a number that every engine has, with a checkbox for the automatic value.
pub(super) fn show_number_field(
    ui: &mut Ui,
    number: EngineNumber,
    profile: &mut Profile,
    defaults: &[(EngineNumber, u32)],
    lang: Lang,
) {
    let word = match number {
        EngineNumber::MultiPv => WindowWord::MultiPv,
        EngineNumber::Threads => WindowWord::Threads,
        EngineNumber::Hash => WindowWord::Hash,
    };
    let label = show_label(ui, word, lang);
    let default = defaults
        .iter()
        .find(|(key, _)| *key == number)
        .map_or(1, |(_, value)| *value);
    let before = profile.number(number);
    let (mut value, mut automatic) = (before.unwrap_or(default), before.is_none());
    ui.horizontal(|ui| {
        let field = DragValue::new(&mut value).range(1..=1 << 24).speed(0.2);
        ui.add_enabled(!automatic, field).labelled_by(label.id);
        let automatic_word = WindowWord::Automatic.text(lang);
        let checkbox = ui.checkbox(&mut automatic, automatic_word);
        set_accessible_label(&checkbox, &format!("{}: {automatic_word}", word.text(lang)));
    });
    let after = (!automatic).then_some(value);
    if after != before {
        profile.set_number(number, after);
    }
}

/// Shows the search limit per position.
pub(super) fn show_limit_field(ui: &mut Ui, profile: &mut Profile, lang: Lang) {
    let label = show_label(ui, WindowWord::Limit, lang);
    let before = profile.limit;
    let kind = |limit: &Option<Limit>| limit.as_ref().map(std::mem::discriminant);
    let chosen = LIMIT_CHOICES
        .iter()
        .find(|(_, limit)| kind(limit) == kind(&before))
        .map_or(WindowWord::Automatic, |(word, _)| *word);
    ui.horizontal(|ui| {
        match &mut profile.limit {
            Some(Limit::Time(time)) => {
                let mut seconds = time.as_secs_f64();
                let field = DragValue::new(&mut seconds)
                    .range(0.1..=86_400.0)
                    .speed(0.1)
                    .max_decimals(1);
                // Showing a limit that was set elsewhere must not change it, so a value outside the range stays.
                let field = field.clamp_existing_to_range(false);
                if ui.add(field).labelled_by(label.id).changed() {
                    *time = Duration::from_secs_f64(seconds);
                }
            }
            Some(Limit::Nodes(nodes)) => {
                ui.add(DragValue::new(nodes).range(1..=u64::MAX).speed(10_000.0))
                    .labelled_by(label.id);
            }
            Some(Limit::Depth(depth)) => {
                let field = DragValue::new(depth)
                    .range(1..=1_000)
                    .speed(0.1)
                    .clamp_existing_to_range(false);
                ui.add(field).labelled_by(label.id);
            }
            Some(Limit::Infinite) | None => {}
        }
        let choice = ComboBox::from_id_salt("limit")
            .selected_text(chosen.text(lang))
            .show_ui(ui, |ui| {
                for (word, limit) in LIMIT_CHOICES {
                    if ui.selectable_label(word == chosen, word.text(lang)).clicked() && word != chosen {
                        profile.limit = limit;
                    }
                }
            });
        set_accessible_label(&choice.response, WindowWord::Limit.text(lang));
    });
}

/// Shows the scale from centipawns to win rates, with an explanation if `is_explained`. A link switches the
/// explanation.
pub(super) fn show_scale_field(
    ui: &mut Ui,
    profile: &mut Profile,
    is_explained: &mut bool,
    theme: &PaintTheme,
    lang: Lang,
) {
    let label = show_label(ui, WindowWord::Scale, lang);
    ui.vertical(|ui| {
        let mut is_toggled = false;
        ui.horizontal(|ui| {
            if let Some(model) = &mut profile.model {
                let mut k = model.k();
                ui.add(
                    DragValue::new(&mut k)
                        .range(WinRateModel::K_RANGE)
                        .speed(1.0)
                        .max_decimals(4),
                )
                .labelled_by(label.id);
                *model = WinRateModel::new(k);
            }
            let chosen = profile.model.map_or_else(
                || WindowWord::Automatic.text(lang).to_owned(),
                |model| scale_text(model, lang),
            );
            let choice = ComboBox::from_id_salt("scale").width(230.0).selected_text(chosen);
            let choice = choice.show_ui(ui, |ui| show_scales(ui, &mut profile.model, lang));
            set_accessible_label(&choice.response, WindowWord::Scale.text(lang));
            is_toggled = ui.link(WindowWord::WhatIsThis.text(lang)).clicked();
        });
        *is_explained ^= is_toggled;
        if *is_explained {
            ui.set_max_width(FIELD_WIDTH);
            let explanation =
                ui.add(Label::new(RichText::new(engines_text::scale(lang)).color(theme.quiet)).wrap());
            // The explanation may open below the visible part of the page.
            if is_toggled {
                explanation.scroll_to_me(None);
            }
        }
    });
}

/// Shows the scale that fits the user's games, and the button that applies this scale. With too few games, shows how
/// many are missing. Notes games and a fit of another net. `model_in_use` has the present scale.
pub(super) fn show_user_fit(
    ui: &mut Ui,
    profile: &mut Profile,
    user_fit: &UserFit,
    model_in_use: WinRateModel,
    theme: &PaintTheme,
    lang: Lang,
) {
    ui.vertical(|ui| {
        ui.set_max_width(FIELD_WIDTH);
        let quiet = |text: String| Label::new(RichText::new(text).color(theme.quiet)).wrap();
        match &user_fit.fit {
            Some(fit) => {
                let (k, half) = (fit.curve.k.round(), (fit.k_high - fit.k_low) / 2.0);
                ui.add(quiet(engines_text::user_fit(
                    [k, half, model_in_use.k()],
                    user_fit.games,
                    lang,
                )));
                if let Some(reliability) = &user_fit.reliability {
                    win_rate_curve_picture::show_reliability(ui, reliability, theme, lang);
                }
                let is_taken = profile.model.is_some_and(|model| (model.k() - k).abs() < 0.5);
                if !is_taken && ui.button(engines_text::take_fit(lang)).clicked() {
                    profile.model = Some(WinRateModel::new(k));
                    profile.fitted_net = Some(user_fit.net.clone().unwrap_or_default());
                }
            }
            None if user_fit.games > 0 => {
                let missing = MIN_FIT_GAMES.saturating_sub(user_fit.games).max(1);
                ui.add(quiet(engines_text::too_few_games(user_fit.games, missing, lang)));
            }
            None => {}
        }
        if user_fit.other_games > 0 {
            ui.add(quiet(engines_text::games_of_another_net(
                user_fit.other_games,
                lang,
            )));
        }
        let net = user_fit.net.as_deref().unwrap_or_default();
        if profile
            .fitted_net
            .as_deref()
            .is_some_and(|fitted| compare_nets(fitted, net) == NetComparison::Different)
        {
            let sentence = RichText::new(engines_text::fitted_to_another_net(lang)).color(theme.blunder);
            ui.add(Label::new(sentence).wrap());
        }
    });
}

/// Shows the selectable scales, each with its origin.
fn show_scales(ui: &mut Ui, model: &mut Option<WinRateModel>, lang: Lang) {
    ui.selectable_value(model, None, WindowWord::Automatic.text(lang));
    for preset in WinRateModel::PRESETS {
        ui.selectable_value(
            model,
            Some(preset),
            format!("{}: {}", preset.k(), scale_text(preset, lang)),
        );
    }
    let user_fit = model
        .filter(|model| !WinRateModel::PRESETS.contains(model))
        .unwrap_or(WinRateModel::new(500.0));
    ui.selectable_value(model, Some(user_fit), WindowWord::Other.text(lang));
}

/// Returns the origin of a preset scale in words; for other scales, the word for another scale.
fn scale_text(model: WinRateModel, lang: Lang) -> String {
    engines_text::scale_preset(model, lang)
        .unwrap_or_else(|| WindowWord::Other.text(lang))
        .to_owned()
}
