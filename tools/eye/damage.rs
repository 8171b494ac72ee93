//! Damage of pictures, as by cameras, scalers and encoders.

use crate::random::Random;
use crate::scene::Scene;
use image::codecs::jpeg::JpegEncoder;
use image::{ImageEncoder as _, RgbImage, imageops};
use shogibar_eye::grid::{Homography, Point};

/// Damages a scene at random: perspective, light, inversion, blur, size, noise and compression. `strength`, 0 to 1, is
/// the factor of the probability of a perspective.
pub fn damage(random: &mut Random, mut scene: Scene, strength: f32) -> Scene {
    if random.chance(0.25 * strength) {
        scene = skew(random, scene);
    } else if random.chance(0.06 * strength) {
        scene = tilt(random, scene);
    }
    let mut picture = std::mem::take(&mut scene.picture);
    if random.chance(0.5) {
        change_light(random, &mut picture);
    }
    if random.chance(0.03) {
        imageops::invert(&mut picture);
    }
    let cell = (scene.corners[1].0 - scene.corners[0].0).min(scene.corners[2].0 - scene.corners[3].0) / 9.0;
    if random.chance(0.25) {
        picture = imageops::blur(&picture, random.real(0.3, (cell * 0.03).clamp(0.4, 1.6)));
    }
    if random.chance(0.3) {
        // A video player stretches the picture.
        let scale = random.real((12.0 / cell).clamp(0.6, 1.0), 1.5);
        let (width, height) = (picture.width() as f32 * scale, picture.height() as f32 * scale);
        let filter = *random.pick(&[
            imageops::FilterType::Triangle,
            imageops::FilterType::CatmullRom,
            imageops::FilterType::Nearest,
        ]);
        picture = imageops::resize(&picture, width as u32, height as u32, filter);
        scene.move_points(|(x, y)| (x * scale, y * scale));
    }
    if random.chance(0.3) {
        let deviation = random.real(1.0, 10.0);
        for pixel in picture.pixels_mut() {
            let noise = random.normal() * deviation;
            pixel.0 = pixel
                .0
                .map(|value| (f32::from(value) + noise).clamp(0.0, 255.0) as u8);
        }
    }
    if random.chance(0.6) {
        // Small pictures with strong compression are illegible.
        let worst = (1100.0 / cell).clamp(25.0, 70.0);
        picture = encode(&picture, random.real(worst, 95.0) as u8);
    }
    Scene { picture, ..scene }
}

/// Encodes a picture as JPEG with a quality of 1 to 100, and decodes it.
pub fn encode(picture: &RgbImage, quality: u8) -> RgbImage {
    let mut bytes = Vec::new();
    let encoder = JpegEncoder::new_with_quality(&mut bytes, quality);
    let written = encoder.write_image(
        picture.as_raw(),
        picture.width(),
        picture.height(),
        image::ExtendedColorType::Rgb8,
    );
    match written.and_then(|()| image::load_from_memory(&bytes)) {
        Ok(decoded) => decoded.to_rgb8(),
        Err(_) => picture.clone(),
    }
}

/// Changes the brightness, the contrast and the gamma of a picture, sometimes with a gradient.
fn change_light(random: &mut Random, picture: &mut RgbImage) {
    let (gain, offset, gamma) = (
        random.real(0.5, 1.2),
        random.real(-25.0, 40.0),
        random.real(0.6, 1.7),
    );
    let (slope_x, slope_y) = if random.chance(0.5) {
        (random.real(-0.35, 0.35), random.real(-0.35, 0.35))
    } else {
        (0.0, 0.0)
    };
    let (width, height) = (picture.width() as f32, picture.height() as f32);
    let table: Vec<f32> = (0..256)
        .map(|value: u16| (f32::from(value) / 255.0).powf(gamma) * 255.0 * gain + offset)
        .collect();
    for (x, y, pixel) in picture.enumerate_pixels_mut() {
        let shade = 1.0 + slope_x * (x as f32 / width - 0.5) + slope_y * (y as f32 / height - 0.5);
        pixel.0 = pixel
            .0
            .map(|value| (table[usize::from(value)] * shade).clamp(0.0, 255.0) as u8);
    }
}

/// Returns the scene with the corners of the picture moved a little at random.
fn skew(random: &mut Random, scene: Scene) -> Scene {
    let (width, height) = (scene.picture.width() as f32, scene.picture.height() as f32);
    let reach = 0.02;
    let mut moved = |(x, y): Point| {
        (
            x + random.normal() * reach * width,
            y + random.normal() * reach * height,
        )
    };
    let target = outer_corners(&scene).map(&mut moved);
    project(scene, target)
}

/// Returns the scene with a tilted picture: the far side is narrower, and the height is less.
fn tilt(random: &mut Random, scene: Scene) -> Scene {
    let (width, height) = (scene.picture.width() as f32, scene.picture.height() as f32);
    let (near, lower) = (random.real(0.02, 0.14) * width, random.real(0.0, 0.25) * height);
    let is_from_above = random.chance(0.2);
    let target = outer_corners(&scene).map(|(x, y)| {
        let is_far = (y > 0.0) == is_from_above;
        let inwards = if x > 0.0 { -near } else { near };
        (
            if is_far { x + inwards } else { x },
            if y > 0.0 { y } else { y + lower },
        )
    });
    project(scene, target)
}

/// Returns the corners of the picture: top left, top right, bottom right, bottom left.
fn outer_corners(scene: &Scene) -> [Point; 4] {
    let (width, height) = (scene.picture.width() as f32, scene.picture.height() as f32);
    [(0.0, 0.0), (width, 0.0), (width, height), (0.0, height)]
}

/// Returns the scene with the corners of the picture moved to `target`. Pixels from outside take the value of the
/// nearest edge.
fn project(scene: Scene, target: [Point; 4]) -> Scene {
    let outer = outer_corners(&scene);
    let (width, height) = outer[2];
    let Some(back) = Homography::between(&target, &outer) else {
        return scene;
    };
    let Some(forth) = Homography::between(&outer, &target) else {
        return scene;
    };
    let mut picture = scene.picture.clone();
    for (x, y, pixel) in picture.enumerate_pixels_mut() {
        let (from_x, from_y) = back.apply(x as f32 + 0.5, y as f32 + 0.5);
        let (from_x, from_y) = (
            (from_x - 0.5).clamp(0.0, width - 1.0),
            (from_y - 0.5).clamp(0.0, height - 1.0),
        );
        if let Some(value) = imageops::interpolate_bilinear(&scene.picture, from_x, from_y) {
            *pixel = value;
        }
    }
    let mut scene = Scene { picture, ..scene };
    scene.move_points(|(x, y)| forth.apply(x, y));
    scene
}
