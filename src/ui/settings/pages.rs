//! The address and the port of the OBS pages, and the control address, with buttons that copy them.

use super::{SettingsAction, SettingsFrame};
use crate::access::set_accessible_label;
use crate::copied;
use eframe::egui;
use egui::{Button, DragValue, Ui};
use shogibar_config::settings_text::{SettingItem, SettingsPhrase};

/// The state of the OBS pages.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ObsPagesStatus {
    /// The address of the list of OBS pages, with `/` at the end; empty while no pages are served.
    pub url: String,
    /// The address of the list for other devices; empty if the OBS pages are not served to other devices.
    pub lan_url: String,
    /// The control address without the command word at the end; empty while the control is off.
    pub control_url: String,
    /// The last commands that the control address received, the newest first.
    pub last_commands: Vec<String>,
    /// The names of the players of the current game; empty for a player without a name.
    pub players: [String; 2],
    /// The reason why the OBS pages are not served, as a sentence; empty if there is no problem.
    pub problem: String,
}

/// Shows the buttons that copy and open the address of the OBS pages. Below is the address without the token, because
/// the window may be on air. A problem replaces the address.
pub(super) fn show_address(ui: &mut Ui, frame: &mut SettingsFrame<'_>) {
    let ObsPagesStatus {
        url,
        lan_url,
        problem,
        ..
    } = frame.view.pages;
    let page_address = |url: &str, page: &str| {
        if url.is_empty() {
            String::new()
        } else {
            format!("{url}{page}")
        }
    };
    let buttons = [
        (SettingsPhrase::CopyDesk, page_address(url, "desk")),
        (SettingsPhrase::CopyBoardPage, page_address(url, "board")),
        (SettingsPhrase::CopyNetwork, page_address(lan_url, "desk")),
    ];
    let previews = [(SettingsPhrase::OpenDesk, page_address(url, "desk"))];
    ui.horizontal_wrapped(|ui| {
        let copies = buttons.len();
        for (at, (phrase, address)) in buttons.into_iter().chain(previews).enumerate() {
            let text = phrase.text(frame.lang);
            let button = ui.add_enabled(!address.is_empty(), Button::new(text));
            set_accessible_label(
                &button,
                &format!("{}: {text}", SettingItem::ObsPagesAddress.label(frame.lang)),
            );
            if button.clicked() && at < copies {
                copied::copy(ui, text, address);
            } else if button.clicked() {
                frame.actions.push(SettingsAction::Browse(address));
            }
            copied::show_mark(ui, text, frame.theme.accent, frame.lang);
        }
    });
    let shown = url
        .trim_end_matches('/')
        .rsplit_once('/')
        .map(|(server, _)| format!("{server}/…/"));
    let shown = shown.unwrap_or_else(|| SettingsPhrase::PagesOff.text(frame.lang).to_owned());
    frame.show_line(
        ui,
        if problem.is_empty() {
            Ok(&shown)
        } else {
            Err(problem)
        },
    );
}

/// Shows the switch of the control, the button that copies the control address, and the last commands received there.
pub(super) fn show_control(ui: &mut Ui, frame: &mut SettingsFrame<'_>) {
    let ObsPagesStatus {
        control_url,
        last_commands,
        ..
    } = frame.view.pages;
    let checkbox = ui.checkbox(
        &mut frame.settings.obs.allows_control,
        SettingsPhrase::On.text(frame.lang),
    );
    set_accessible_label(&checkbox, SettingItem::Control.label(frame.lang));
    ui.horizontal_wrapped(|ui| {
        let text = SettingsPhrase::CopyControl.text(frame.lang);
        if ui
            .add_enabled(!control_url.is_empty(), Button::new(text))
            .clicked()
        {
            copied::copy(ui, text, format!("{control_url}hide"));
        }
        copied::show_mark(ui, text, frame.theme.accent, frame.lang);
    });
    if !last_commands.is_empty() {
        let last = format!(
            "{}: {}",
            SettingsPhrase::LastControls.text(frame.lang),
            last_commands.join("　")
        );
        frame.show_line(ui, Ok(&last));
    }
}

/// Shows the port. A new port applies once its entry is completed.
pub(super) fn show_port(ui: &mut Ui, frame: &mut SettingsFrame<'_>) {
    let port = &mut frame.settings.obs.port.0;
    let field = ui.add(
        DragValue::new(port)
            .range(1..=u16::MAX)
            .speed(0.0)
            .update_while_editing(false),
    );
    set_accessible_label(&field, SettingItem::ObsPagesPort.label(frame.lang));
}
