//! The list of installed fonts, and samples of those that are visible.

use eframe::egui::ColorImage;
use shogibar_base::Latest;
use shogibar_base::threads::{self, lock};
use shogibar_model::record_file::WakeFn;
use shogibar_ui::{font_sample, fonts};
use std::sync::{Arc, Mutex};

/// The font families of this machine, listed when the user is about to choose one.
#[derive(Debug, Default)]
pub struct SystemFonts {
    is_started: bool,
    /// The families, until [`poll`](Self::poll) takes them from the thread that lists them.
    listed_families: Latest<Vec<String>>,
    /// The families; `None` until they are listed.
    families: Option<Vec<String>>,
    samples: Arc<Mutex<SampleQueue>>,
}

/// The samples to draw, and the drawn samples. One thread draws them.
#[derive(Debug, Default)]
struct SampleQueue {
    /// The fonts to draw; the thread takes the last font first.
    requests: Vec<String>,
    /// The pixels per point.
    scale: f32,
    /// The font that is being drawn.
    current_font: Option<String>,
    /// The drawn samples, each with the name of its font.
    samples: Vec<(String, ColorImage)>,
    is_running: bool,
}

impl SystemFonts {
    /// Starts to list the families, once; this may take a second. `wake` is called when they are listed.
    pub fn start_scan(&mut self, wake: &WakeFn) {
        if std::mem::replace(&mut self.is_started, true) {
            return;
        }
        let (found, waker) = (Latest::clone(&self.listed_families), Arc::clone(wake));
        let scan = threads::spawn("fonts", move || {
            found.put(fonts::system_families());
            waker();
        });
        if let Ok(thread) = scan {
            thread.detach();
        } else {
            // Without a thread the list stays empty; a font's name can still be typed.
            self.families = Some(Vec::new());
            wake();
        }
    }

    /// Takes the list of families from the thread, once it is complete.
    pub fn poll(&mut self) {
        if let Some(families) = self.listed_families.take() {
            self.families = Some(families);
        }
    }

    /// Returns the names of the families; `None` until they are listed.
    pub fn families(&self) -> Option<&[String]> {
        self.families.as_deref()
    }

    /// Draws samples of these fonts on a thread, instead of the fonts requested earlier. `wake` is called after each.
    pub fn draw_samples(&self, mut names: Vec<String>, scale: f32, wake: &WakeFn) {
        names.reverse();
        let mut queue = lock(&self.samples);
        (queue.requests, queue.scale) = (names, scale);
        if queue.requests.is_empty() || std::mem::replace(&mut queue.is_running, true) {
            return;
        }
        drop(queue);
        let (samples, wake) = (Arc::clone(&self.samples), Arc::clone(wake));
        match threads::spawn("font samples", move || draw_requested(&samples, &*wake)) {
            Ok(thread) => thread.detach(),
            // Without samples, the names are shown in the program's font.
            Err(_) => lock(&self.samples).is_running = false,
        }
    }

    /// Removes and returns the samples that were drawn since the last call, each with the name of its font.
    pub fn take_samples(&self) -> Vec<(String, ColorImage)> {
        std::mem::take(&mut lock(&self.samples).samples)
    }
}

fn draw_requested(samples: &Mutex<SampleQueue>, wake: &dyn Fn()) {
    loop {
        let (name, scale) = {
            let mut queue = lock(samples);
            let last = queue.current_font.take();
            let next = queue.requests.pop();
            let Some(name) = next else {
                queue.is_running = false;
                return;
            };
            if last.as_ref() == Some(&name) {
                // The sample was requested again while it was drawn.
                continue;
            }
            queue.current_font = Some(name.clone());
            (name, queue.scale)
        };
        if let Some(picture) = font_sample::draw(&name, scale) {
            lock(samples).samples.push((name, picture));
            wake();
        }
    }
}
