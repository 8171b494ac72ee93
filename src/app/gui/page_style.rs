//! The style of the windows that show a page: desk and board page.

use crate::app::preferences::SharedPreferences;
use shogibar_base::threads::lock;
use shogibar_config::{Background, Percent, Rgba, Theme};
use shogibar_ui::overlay::OverlayStyle;
use shogibar_ui::theme;

/// Returns the style of a page in a window: the default theme with the user's colours of the sides, opaque.
pub(super) fn page_style(preferences: &SharedPreferences) -> OverlayStyle {
    let preferences = lock(preferences);
    let settings = preferences.settings();
    let theme = Theme::shipped(Theme::<Rgba>::DEFAULT).unwrap_or_default();
    let theme = theme.with_sides(settings.overlay.black, settings.overlay.white);
    let style = OverlayStyle::from_settings(settings, theme::from_config(theme), preferences.lang());
    OverlayStyle {
        opacity: Percent(100),
        background: Background::Opaque,
        ..style
    }
}
