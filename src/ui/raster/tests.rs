//! Tests that no pixel is painted twice or left out, and that nothing panics.

use super::{Textures, paint};
use eframe::egui;
use egui::epaint::textures::{TextureOptions, TexturesDelta};
use egui::epaint::{ClippedPrimitive, ImageDelta, Mesh, Primitive, Vertex};
use egui::{Color32, ColorImage, Pos2, Rect, TextureId, pos2};
use proptest::prelude::*;

/// Returns a half-transparent texture of white beside black.
fn textures() -> Textures {
    let pixels = vec![Color32::WHITE, Color32::from_rgba_premultiplied(0, 0, 0, 128)];
    let mut delta = TexturesDelta::default();
    let image = ColorImage::new([2, 1], pixels);
    delta.push(
        TextureId::default(),
        ImageDelta::full(image, TextureOptions::LINEAR),
    );
    let mut textures = Textures::default();
    textures.update(&mut delta);
    textures
}

/// Paints a mesh with the texture of [`textures`].
fn paint_mesh(mesh: Mesh, clip_rect: Rect, size: [usize; 2], scale: f32) -> ColorImage {
    paint(
        &textures(),
        &[ClippedPrimitive {
            clip_rect,
            primitive: Primitive::Mesh(mesh),
        }],
        size,
        scale,
    )
}

fn vertex(pos: Pos2, color: Color32) -> Vertex {
    Vertex {
        pos,
        uv: pos2(0.25, 0.5),
        color,
    }
}

const TEST_COLOR: Color32 = Color32::from_rgba_premultiplied(40, 80, 120, 128);

/// Returns the number of pixels of this colour, and of all pixels that are not transparent.
fn count(image: &ColorImage, color: Color32) -> (usize, usize) {
    let count = |is: &dyn Fn(Color32) -> bool| image.pixels.iter().filter(|pixel| is(**pixel)).count();
    (
        count(&|pixel| pixel == color),
        count(&|pixel| pixel != Color32::TRANSPARENT),
    )
}

#[test]
fn fills_exactly_the_pixels_of_a_rectangle() {
    let mut mesh = Mesh::default();
    mesh.add_colored_rect(Rect::from_min_max(pos2(1.0, 2.0), pos2(4.0, 4.0)), TEST_COLOR);
    for (scale, pixels) in [(1.0, 6), (2.0, 24), (3.0, 54)] {
        let image = paint_mesh(mesh.clone(), Rect::EVERYTHING, [20, 20], scale);
        assert_eq!(count(&image, TEST_COLOR), (pixels, pixels), "at {scale}");
    }
    let image = paint_mesh(
        mesh,
        Rect::from_min_max(pos2(2.0, 0.0), pos2(3.0, 9.0)),
        [20, 20],
        1.0,
    );
    assert_eq!(count(&image, TEST_COLOR), (2, 2), "what is clipped is not seen");
}

#[test]
fn triangle_fan_covers_each_pixel_once() {
    // The rim is a square of 16 pixels, the hub is a point in it. The colour is half transparent.
    for hub in [pos2(8.0, 8.0), pos2(3.3, 9.7), pos2(15.99, 0.01), pos2(0.5, 0.5)] {
        let rim = [
            pos2(0.0, 0.0),
            pos2(7.3, 0.0),
            pos2(16.0, 0.0),
            pos2(16.0, 16.0),
            pos2(5.1, 16.0),
            pos2(0.0, 16.0),
        ];
        let vertices = rim
            .iter()
            .chain([&hub])
            .map(|pos| vertex(*pos, TEST_COLOR))
            .collect();
        let mut mesh = Mesh {
            vertices,
            ..Mesh::default()
        };
        for corner in 0..6 {
            // Every other triangle has the opposite orientation.
            let (from, to) = (corner, (corner + 1) % 6);
            mesh.indices.extend(if corner % 2 == 0 {
                [from, to, 6]
            } else {
                [to, from, 6]
            });
        }
        let image = paint_mesh(mesh, Rect::EVERYTHING, [18, 18], 1.0);
        assert_eq!(count(&image, TEST_COLOR), (256, 256), "around {hub}");
    }
}

#[test]
fn interpolates_colors_between_corners() {
    let corners = [pos2(0.0, 0.0), pos2(256.0, 0.0), pos2(0.0, 2.0), pos2(256.0, 2.0)];
    let shade = |pos: Pos2| {
        if pos.x > 0.0 {
            Color32::WHITE
        } else {
            Color32::BLACK
        }
    };
    let vertices = corners.iter().map(|pos| vertex(*pos, shade(*pos))).collect();
    let mesh = Mesh {
        indices: vec![0, 1, 2, 2, 1, 3],
        vertices,
        ..Mesh::default()
    };
    let image = paint_mesh(mesh, Rect::EVERYTHING, [256, 2], 1.0);
    for (x, pixel) in image.pixels.iter().take(256).enumerate() {
        let expect = i32::try_from(x).unwrap();
        assert!((i32::from(pixel.r()) - expect).abs() <= 1, "{pixel:?} at {x}");
        assert_eq!(*pixel, image[(x, 1)], "both rows are alike");
    }
}

#[test]
fn interpolates_between_texels() {
    let mut mesh = Mesh::default();
    mesh.add_rect_with_uv(
        Rect::from_min_max(pos2(0.0, 0.0), pos2(4.0, 1.0)),
        Rect::from_min_max(pos2(0.0, 0.0), pos2(1.0, 1.0)),
        Color32::WHITE,
    );
    let image = paint_mesh(mesh, Rect::EVERYTHING, [4, 1], 1.0);
    let seen: Vec<_> = image.pixels.iter().map(|pixel| (pixel.r(), pixel.a())).collect();
    assert_eq!(seen, [(255, 255), (191, 223), (64, 160), (0, 128)]);
}

#[test]
fn blending_rounds_once() {
    let mut mesh = Mesh::default();
    let rect = Rect::from_min_max(pos2(0.0, 0.0), pos2(1.0, 1.0));
    mesh.add_colored_rect(rect, Color32::from_rgba_premultiplied(10, 20, 30, 255));
    mesh.add_colored_rect(rect, TEST_COLOR);
    let image = paint_mesh(mesh, Rect::EVERYTHING, [1, 1], 1.0);
    // 40 + 10 × 127/255 and so on.
    assert_eq!(image[(0, 0)], Color32::from_rgba_premultiplied(45, 90, 135, 255));
}

/// Returns a strategy for coordinates within, near and far from a small picture.
fn any_coordinate() -> impl Strategy<Value = f32> {
    prop_oneof![3 => -5.0..40.0_f32, 1 => any::<f32>(), 1 => (-40..400_i16).prop_map(|x| f32::from(x) / 8.0)]
}

proptest! {
    #[test]
    fn never_panics(
        vertices in prop::collection::vec(
            (any_coordinate(), any_coordinate(), any_coordinate(), any_coordinate(), any::<[u8; 4]>()),
            0..9,
        ),
        indices in prop::collection::vec(0..10_u32, 0..30),
        size in (0..33_usize, 0..33_usize),
        scale in prop_oneof![0.5..8.0_f32, any::<f32>()],
        clip in (any_coordinate(), any_coordinate(), any_coordinate(), any_coordinate()),
    ) {
        let vertices = vertices.into_iter().map(|(x, y, u, v, [r, g, b, a])| Vertex {
            pos: pos2(x, y), uv: pos2(u, v), color: Color32::from_rgba_premultiplied(r, g, b, a),
        });
        let mesh = Mesh { indices, vertices: vertices.collect(), texture_id: TextureId::default() };
        let clip = Rect::from_min_max(pos2(clip.0, clip.1), pos2(clip.2, clip.3));
        let image = paint_mesh(mesh, clip, [size.0, size.1], scale);
        prop_assert_eq!(image.pixels.len(), size.0 * size.1);
    }

    #[test]
    fn adjacent_triangles_neither_overlap_nor_leave_gaps(
        [a, b, c, d] in [(0..160_i16, 0..160_i16), (0..160, 0..160), (0..160, 0..160), (0..160, 0..160)]
    ) {
        let point = |(x, y): (i16, i16)| pos2(f32::from(x) / 8.0, f32::from(y) / 8.0);
        let cross = |p: Pos2, q: Pos2, r: Pos2| (q.x - p.x) * (r.y - p.y) - (q.y - p.y) * (r.x - p.x);
        let [a, b, c, d] = [a, b, c, d].map(point);
        // The points are on both sides of the common edge.
        prop_assume!(cross(a, b, c) * cross(a, b, d) < 0.0);
        let vertices = [a, b, c, d].map(|pos| vertex(pos, TEST_COLOR)).to_vec();
        let mesh = Mesh { indices: vec![0, 1, 2, 1, 0, 3], vertices, ..Mesh::default() };
        let both = paint_mesh(mesh.clone(), Rect::EVERYTHING, [20, 20], 1.0);
        let (seen, painted_at_all) = count(&both, TEST_COLOR);
        prop_assert_eq!(seen, painted_at_all, "some pixel was painted twice");
        let each = [[0, 1, 2], [1, 0, 3]].map(|indices| {
            let mesh = Mesh { indices: indices.to_vec(), ..mesh.clone() };
            count(&paint_mesh(mesh, Rect::EVERYTHING, [20, 20], 1.0), TEST_COLOR).0
        });
        prop_assert_eq!(seen, each[0] + each[1]);
    }
}
