//! The part of the panel of the outputs with which the user controls OBS.

use crate::connection::{ConnectionState, ObsAddress};
use crate::control::{ControlAction, ObsControl};
use crate::obs_text::ObsPhrase;
use crate::rule::{MAX_RULES, ObsRule, RuleAnswer};
use crate::settings::DEFAULT_PORT;
use crate::task::PageKind;
use eframe::egui;
use egui::{CollapsingHeader, ComboBox, DragValue, RichText, TextEdit, Ui};
use shogibar_base::Lang;
use shogibar_programme::{MomentKind, words};
use shogibar_ui::access::set_accessible_label;
use std::time::Duration;

/// The longest time of a scene or source, in seconds.
const MAX_SECONDS: u32 = 600;
/// The maximum number of listed entries.
const MAX_ENTRIES: usize = 8;
/// The width of the field of an address and of a password, in points.
const FIELD_WIDTH: f32 = 150.0;

/// The state of the panel between frames.
#[derive(Debug, Default)]
pub struct ControlPanel {
    /// The address and the password while the user enters them.
    draft: Option<AddressDraft>,
    /// Whether the user is asked about the password in OBS's own file.
    asks_for_password: bool,
    /// Whether no password was found there.
    is_password_missing: bool,
    /// The scene to which a page is added; empty for the one on air.
    scene: String,
}

/// An address that the user enters.
#[derive(Debug)]
struct AddressDraft {
    /// The host, with the port where it is not the usual one.
    address: String,
    password: String,
}

/// What every function of the panel needs.
struct PanelFrame<'a> {
    control: &'a ObsControl,
    now: Duration,
    lang: Lang,
}

impl ControlPanel {
    /// Draws the panel below what `ui` has. Returns the user's actions. `now` is the time of the control.
    pub fn show(
        &mut self,
        ui: &mut Ui,
        control: &mut ObsControl,
        now: Duration,
        lang: Lang,
    ) -> Vec<ControlAction> {
        if let Some(password) = control.take_found_password() {
            self.is_password_missing = password.is_empty();
            self.draft(control).password = password;
        }
        let frame = PanelFrame { control, now, lang };
        let mut actions = Vec::new();
        let snapshot = control.snapshot();
        let is_connected = snapshot.state == ConnectionState::Connected;
        CollapsingHeader::new(RichText::new(ObsPhrase::Title.text(lang)).strong())
            .default_open(control.settings().is_on)
            .show(ui, |ui| {
                ui.label(snapshot.state.text(&snapshot.status.version, lang));
                self.show_address(ui, &frame, &mut actions);
                if is_connected {
                    self.show_pages(ui, &frame, &mut actions);
                }
                if control.settings().is_on {
                    show_rules(ui, &frame, &mut actions);
                    show_chapters(ui, &frame, &mut actions);
                    show_entries(ui, &frame);
                }
            });
        actions
    }

    fn draft(&mut self, control: &ObsControl) -> &mut AddressDraft {
        let settings = control.settings();
        self.draft.get_or_insert_with(|| AddressDraft {
            address: if settings.port == DEFAULT_PORT {
                settings.host.clone()
            } else {
                format!("{}:{}", settings.host, settings.port)
            },
            password: settings.password.clone(),
        })
    }

    fn show_address(&mut self, ui: &mut Ui, frame: &PanelFrame<'_>, actions: &mut Vec<ControlAction>) {
        let lang = frame.lang;
        let is_on = frame.control.settings().is_on;
        if is_on && matches!(frame.control.snapshot().state, ConnectionState::Connected) {
            if ui.button(ObsPhrase::Disconnect.text(lang)).clicked() {
                actions.push(ControlAction::Disconnect);
            }
            return;
        }
        if !is_on {
            ui.label(RichText::new(ObsPhrase::About.text(lang)).weak());
        }
        let draft = self.draft(frame.control);
        let field = |ui: &mut Ui, phrase: ObsPhrase, text: &mut String, is_secret: bool| {
            ui.horizontal(|ui| {
                ui.label(phrase.text(lang));
                let edit = TextEdit::singleline(text)
                    .password(is_secret)
                    .desired_width(FIELD_WIDTH);
                let response = ui.add(edit);
                set_accessible_label(&response, phrase.text(lang));
            });
        };
        field(ui, ObsPhrase::Address, &mut draft.address, false);
        field(ui, ObsPhrase::Password, &mut draft.password, true);
        let address = parse_address(&draft.address, &draft.password);
        ui.horizontal(|ui| {
            if ui.button(ObsPhrase::Connect.text(lang)).clicked() {
                actions.push(ControlAction::Connect(address));
            }
            if is_on && ui.button(ObsPhrase::Disconnect.text(lang)).clicked() {
                actions.push(ControlAction::Disconnect);
            }
            if ui.button(ObsPhrase::FindPassword.text(lang)).clicked() {
                self.asks_for_password = true;
            }
        });
        if self.asks_for_password {
            ui.horizontal_wrapped(|ui| {
                ui.label(ObsPhrase::FindPasswordQuestion.text(lang));
                for (phrase, reads) in [(ObsPhrase::Yes, true), (ObsPhrase::No, false)] {
                    if ui.button(phrase.text(lang)).clicked() {
                        self.asks_for_password = false;
                        actions.extend(reads.then_some(ControlAction::FindPassword));
                    }
                }
            });
        }
        if self.is_password_missing {
            ui.label(ObsPhrase::NoPasswordFound.text(lang));
        }
    }

    fn show_pages(&mut self, ui: &mut Ui, frame: &PanelFrame<'_>, actions: &mut Vec<ControlAction>) {
        let (status, lang) = (&frame.control.snapshot().status, frame.lang);
        if !status.scenes.contains(&self.scene) {
            self.scene.clone_from(&status.scene);
        }
        ui.label(RichText::new(ObsPhrase::Pages.text(lang)).strong());
        ui.horizontal_wrapped(|ui| {
            choose_name(
                ui,
                "page-scene",
                ObsPhrase::Scene,
                &mut self.scene,
                &status.scenes,
                lang,
            );
            for page in PageKind::ALL {
                let phrase = match page {
                    PageKind::Bar => ObsPhrase::AddBar,
                    PageKind::Desk => ObsPhrase::AddDesk,
                    PageKind::Board => ObsPhrase::AddBoard,
                };
                if ui.button(phrase.text(lang)).clicked() {
                    actions.push(ControlAction::AddPage {
                        scene: self.scene.clone(),
                        page,
                    });
                }
            }
        });
        let replay = status.has_replay.map(|is_on| {
            if is_on {
                ObsPhrase::ReplayOn
            } else {
                ObsPhrase::ReplayOff
            }
        });
        if let Some(replay) = replay {
            ui.label(RichText::new(replay.text(lang)).weak().small());
        }
    }
}

/// Returns the address that the user has entered: a host, with a port or without one.
fn parse_address(text: &str, password: &str) -> ObsAddress {
    let text = text.trim();
    let text = ["ws://", "http://"]
        .iter()
        .find_map(|scheme| text.strip_prefix(scheme))
        .unwrap_or(text)
        .trim_end_matches('/');
    let split = text.rsplit_once(':');
    let with_port = split.and_then(|(host, port)| Some((host, port.parse().ok()?)));
    // An IPv6 address without brackets has no port.
    let with_port = with_port.filter(|(host, _)| !host.contains(':') || host.ends_with(']'));
    let (host, port) = with_port.unwrap_or((text, DEFAULT_PORT));
    ObsAddress {
        host: host.trim_matches(['[', ']']).to_owned(),
        port,
        password: password.to_owned(),
    }
}

/// Draws a choice among names. A name that OBS does not have stays until another one is chosen.
fn choose_name(ui: &mut Ui, id: &str, phrase: ObsPhrase, name: &mut String, names: &[String], lang: Lang) {
    let label = phrase.text(lang);
    let shown = if name.is_empty() { label } else { name.as_str() };
    let shown: String = shown.chars().take(16).collect();
    let choice = ComboBox::from_id_salt(id)
        .selected_text(shown)
        .width(96.0)
        .show_ui(ui, |ui| {
            for known in names {
                ui.selectable_value(name, known.clone(), known);
            }
        });
    set_accessible_label(&choice.response, label);
}

fn show_rules(ui: &mut Ui, frame: &PanelFrame<'_>, actions: &mut Vec<ControlAction>) {
    let (settings, lang) = (frame.control.settings(), frame.lang);
    ui.separator();
    ui.label(RichText::new(ObsPhrase::Rules.text(lang)).strong());
    let mut rules = settings.rules.clone();
    let mut removed = None;
    for (index, rule) in rules.iter_mut().enumerate() {
        ui.push_id(("rule", index), |ui| {
            ui.horizontal_wrapped(|ui| {
                show_rule(ui, frame, rule, actions);
                if ui.small_button(ObsPhrase::RemoveRule.text(lang)).clicked() {
                    removed = Some(index);
                }
            });
        });
    }
    if let Some(index) = removed {
        rules.remove(index);
    }
    ui.horizontal(|ui| {
        let has_room = rules.len() < MAX_RULES;
        let add = ui.add_enabled(has_room, egui::Button::new(ObsPhrase::AddRule.text(lang)));
        if add.clicked() {
            rules.push(ObsRule::new(MomentKind::TurningPoint, RuleAnswer::SaveReplay));
        }
        let mut pause = settings.pause;
        ui.label(ObsPhrase::Pause.text(lang));
        let field = ui.add(DragValue::new(&mut pause).range(0..=MAX_SECONDS));
        set_accessible_label(&field, ObsPhrase::Pause.text(lang));
        if pause != settings.pause {
            actions.push(ControlAction::SetPause(pause));
        }
    });
    if rules != settings.rules {
        actions.push(ControlAction::SetRules(rules));
    }
}

fn show_rule(ui: &mut Ui, frame: &PanelFrame<'_>, rule: &mut ObsRule, actions: &mut Vec<ControlAction>) {
    let (status, lang) = (&frame.control.snapshot().status, frame.lang);
    ui.checkbox(&mut rule.is_on, "");
    let when = ComboBox::from_id_salt("when")
        .selected_text(rule.when.text(lang))
        .width(110.0)
        .show_ui(ui, |ui| {
            for kind in MomentKind::ALL {
                ui.selectable_value(&mut rule.when, kind, kind.text(lang));
            }
        });
    set_accessible_label(&when.response, ObsPhrase::When.text(lang));
    ui.label("→");
    let then = ComboBox::from_id_salt("then")
        .selected_text(rule.then.text(lang))
        .width(120.0)
        .show_ui(ui, |ui| {
            for answer in RuleAnswer::ALL {
                ui.selectable_value(&mut rule.then, answer, answer.text(lang));
            }
        });
    set_accessible_label(&then.response, ObsPhrase::Then.text(lang));
    if matches!(rule.then, RuleAnswer::Scene | RuleAnswer::Source) {
        choose_name(
            ui,
            "scene",
            ObsPhrase::Scene,
            &mut rule.scene,
            &status.scenes,
            lang,
        );
    }
    if rule.then == RuleAnswer::Source {
        let sources = status.sources.get(&rule.scene);
        if sources.is_none() && !rule.scene.is_empty() && status.scenes.contains(&rule.scene) {
            actions.push(ControlAction::ListSources(rule.scene.clone()));
        }
        let sources = sources.map_or(&[][..], Vec::as_slice);
        choose_name(ui, "source", ObsPhrase::Source, &mut rule.source, sources, lang);
    }
    if matches!(rule.then, RuleAnswer::Scene | RuleAnswer::Source) {
        let field = ui.add(DragValue::new(&mut rule.seconds).range(0..=MAX_SECONDS));
        set_accessible_label(&field, ObsPhrase::Seconds.text(lang));
        ui.label(RichText::new(ObsPhrase::Seconds.text(lang)).small());
    }
}

fn show_chapters(ui: &mut Ui, frame: &PanelFrame<'_>, actions: &mut Vec<ControlAction>) {
    let (control, lang) = (frame.control, frame.lang);
    ui.separator();
    let title = format!("{} {}", ObsPhrase::Chapters.text(lang), control.chapter_count());
    ui.label(RichText::new(title).strong());
    let chapters = control.chapters(lang);
    ui.horizontal_wrapped(|ui| {
        let copy = egui::Button::new(ObsPhrase::CopyChapters.text(lang));
        if ui.add_enabled(chapters.is_some(), copy).clicked() {
            actions.push(ControlAction::CopyChapters);
        }
        if ui.button(ObsPhrase::MarkStart.text(lang)).clicked() {
            actions.push(ControlAction::MarkStart);
        }
    });
    let remark = match &chapters {
        None => ObsPhrase::NoStart.text(lang).to_owned(),
        Some((list, start)) if list.is_enough => start.text(lang).to_owned(),
        Some((_, start)) => [start.text(lang), ObsPhrase::TooFew.text(lang)].join(lang.pick("。", ". ")),
    };
    ui.label(RichText::new(remark).weak().small());
}

fn show_entries(ui: &mut Ui, frame: &PanelFrame<'_>) {
    let lang = frame.lang;
    ui.separator();
    ui.label(RichText::new(ObsPhrase::Done.text(lang)).strong());
    if frame.control.entries().next().is_none() {
        ui.label(RichText::new(ObsPhrase::NothingDone.text(lang)).weak());
    }
    for entry in frame.control.entries().take(MAX_ENTRIES) {
        let [ja, en] = &entry.words;
        let minutes = frame.now.saturating_sub(entry.at).as_secs() / 60;
        let outcome = entry
            .outcome
            .as_ref()
            .map_or_else(|| "…".to_owned(), |outcome| outcome.text(lang));
        ui.horizontal_wrapped(|ui| {
            ui.label(RichText::new(words::ago(minutes, lang)).weak().small());
            ui.label(lang.pick(ja, en));
            ui.label(RichText::new(outcome).weak());
        });
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_address_may_have_a_port() {
        for (text, host, port) in [
            ("127.0.0.1", "127.0.0.1", 4455),
            (" ws://obs.local:4456/ ", "obs.local", 4456),
            ("[::1]:5000", "::1", 5000),
            ("::1", "::1", 4455),
            ("host:x", "host:x", 4455),
        ] {
            let found = parse_address(text, "");
            assert_eq!((found.host.as_str(), found.port), (host, port), "{text}");
        }
    }
}
