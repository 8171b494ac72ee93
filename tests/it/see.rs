//! `shogibar see`: boards read off pictures.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// The folder of a test. Deleted on drop.
struct Folder(PathBuf);

impl Folder {
    fn new(name: &str) -> Self {
        let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("see-{name}-{}", std::process::id()));
        std::fs::create_dir_all(&path).unwrap();
        Self(path)
    }

    fn path(&self, name: &str) -> String {
        self.0.join(name).to_str().unwrap().to_owned()
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _gone_already = std::fs::remove_dir_all(&self.0);
    }
}

/// Runs `shogibar see` and returns its lines and its exit code.
fn see(words: &[&str]) -> (Vec<String>, i32) {
    let output = Command::new(env!("CARGO_BIN_EXE_shogibar"))
        .args(["see", "--lang", "en"])
        .args(words)
        .stdin(Stdio::null())
        .output()
        .unwrap();
    let text = String::from_utf8(output.stdout).unwrap();
    (
        text.lines().map(str::to_owned).collect(),
        output.status.code().unwrap(),
    )
}

/// Writes a PNG of grey pixels.
fn write_png(path: &Path, (width, height): (u32, u32), pixels: &[u8]) {
    let mut encoder = png::Encoder::new(std::fs::File::create(path).unwrap(), width, height);
    encoder.set_color(png::ColorType::Grayscale);
    encoder.write_header().unwrap().write_image_data(pixels).unwrap();
}

/// Draws an empty board of ten lines by ten, `cell` pixels apart, from `left` and `top`.
fn empty_board(
    (width, height): (u32, u32),
    (left, top): (u32, u32),
    (cell_x, cell_y): (u32, u32),
) -> Vec<u8> {
    let on_line = |pixel: u32, first: u32, cell: u32| {
        pixel >= first && pixel <= first + 9 * cell + 1 && (pixel - first) % cell < 2
    };
    (0..width * height)
        .map(|pixel| {
            let (x, y) = (pixel % width, pixel / width);
            let inside =
                (left..=left + 9 * cell_x + 1).contains(&x) && (top..=top + 9 * cell_y + 1).contains(&y);
            if inside && (on_line(x, left, cell_x) || on_line(y, top, cell_y)) {
                40
            } else {
                210
            }
        })
        .collect()
}

#[test]
fn an_empty_board_is_found_to_the_pixel() {
    let folder = Folder::new("empty");
    // The last picture is searched at half its size.
    let sizes = [
        ((40, 44), (640, 480)),
        ((20, 20), (300, 260)),
        ((90, 98), (1280, 1000)),
        ((250, 270), (5001, 3301)),
    ];
    for (cell, size) in sizes {
        let path = folder.path("board.png");
        write_png(Path::new(&path), size, &empty_board(size, (31, 27), cell));
        let (lines, code) = see(&[&path]);
        assert_eq!((lines.len(), code), (1, 0), "{lines:?}");
        let fields: Vec<&str> = lines[0].split('\t').collect();
        assert_eq!(fields[0], "9/9/9/9/9/9/9/9/9", "{lines:?}");
        let bounds: Vec<i64> = fields[2]
            .split(',')
            .map(|number| number.parse().unwrap())
            .collect();
        let expect = [32, 28, 9 * i64::from(cell.0), 9 * i64::from(cell.1)];
        assert!(
            bounds
                .iter()
                .zip(expect)
                .all(|(read, drawn)| (read - drawn).abs() <= 1),
            "{bounds:?} for {expect:?}"
        );
    }
}

#[test]
fn the_board_of_the_study_page_is_read() {
    let picture = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/pictures/study-board.png");
    let (lines, code) = see(&["--json", picture]);
    let board: serde_json::Value = serde_json::from_str(&lines[0]).unwrap();
    assert_eq!(code, 0, "{board}");
    assert_eq!(board["squares"].as_array().unwrap().len(), 81, "{board}");
    assert!(board["confidence"].as_f64().unwrap() <= 1.0, "{board}");
}

#[test]
fn a_picture_without_a_board_is_reported_and_the_next_one_is_read() {
    let folder = Folder::new("bad");
    let path = |name: &str| folder.path(name);
    std::fs::write(path("text.png"), "no picture").unwrap();
    std::fs::write(path("broken.png"), b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR").unwrap();
    std::fs::write(path("broken.jpg"), b"\xFF\xD8\xFF\xE0\0\x10JFIF\0").unwrap();
    write_png(Path::new(&path("blank.png")), (200, 200), &vec![128; 40_000]);
    write_png(
        Path::new(&path("board.png")),
        (640, 480),
        &empty_board((640, 480), (31, 27), (40, 44)),
    );
    let mut large = std::fs::read(path("blank.png")).unwrap();
    large[16..24].copy_from_slice(&[0, 0, 0x27, 0x10, 0, 0, 0x27, 0x10]); // 10,000 by 10,000
    let sum = png_sum(&large[12..29]);
    large[29..33].copy_from_slice(&sum.to_be_bytes());
    std::fs::write(path("large.png"), large).unwrap();
    std::fs::write(path("none.gif"), b"GIF89a\x01\0\x01\0\0\0\0;").unwrap();
    let whole = bmp((640, 480), &empty_board((640, 480), (31, 27), (40, 44)));
    std::fs::write(path("cut.bmp"), &whole[..5_000]).unwrap();
    let mut large = bmp((200, 200), &vec![128; 40_000]);
    large[18..26].copy_from_slice(&[0x20, 0x4E, 0, 0, 0x10, 0x27, 0, 0]); // 20,000 by 10,000
    std::fs::write(path("large.bmp"), &large).unwrap();
    let mut cut = webp((640, 480), &empty_board((640, 480), (31, 27), (40, 44)));
    cut.truncate(cut.len() / 2);
    std::fs::write(path("cut.webp"), cut).unwrap();
    let expected = [
        ("nothing.png", "cannot read"),
        ("text.png", "not a picture that can be read"),
        ("none.gif", "not a picture that can be read"),
        ("broken.png", "damaged"),
        ("broken.jpg", "damaged"),
        ("cut.bmp", "damaged"),
        ("cut.webp", "damaged"),
        ("large.bmp", "too large"),
        ("blank.png", "no board"),
        ("large.png", "too large"),
    ];
    let names: Vec<String> = expected
        .iter()
        .map(|(name, _)| path(name))
        .chain([path("board.png")])
        .collect();
    let (lines, code) = see(&names.iter().map(String::as_str).collect::<Vec<_>>());
    assert_eq!((lines.len(), code), (expected.len() + 1, 1), "{lines:?}");
    for ((line, name), (_, words)) in lines.iter().zip(&names).zip(expected) {
        let fields: Vec<&str> = line.split('\t').collect();
        assert_eq!(
            (fields.len(), fields[0], fields[1]),
            (3, "!", name.as_str()),
            "{line}"
        );
        assert!(fields[2].contains(words), "{line}: {words}");
    }
    assert!(
        lines[expected.len()].starts_with("9/9/9/9/9/9/9/9/9\t"),
        "{lines:?}"
    );
}

#[cfg(unix)]
/// Returns a JPEG of 64 × 48 pixels with a scan for each component, of which the first one has two rows of blocks.
fn jpeg_of_separate_scans() -> Vec<u8> {
    let table = |id: u8| [&[0xFF, 0xC4, 0, 20, id, 0, 1][..], &[0; 15]].concat();
    let scan = |component: u8, blocks: usize| {
        [
            &[0xFF, 0xDA, 0, 8, 1, component, 0, 0, 63, 0][..],
            &vec![0; blocks / 4],
        ]
        .concat()
    };
    let frame = [
        0xFF, 0xC0, 0, 17, 8, 0, 48, 0, 64, 3, 1, 0x12, 0, 2, 0x11, 0, 3, 0x11, 0,
    ];
    let quantization = [&[0xFF, 0xDB, 0, 67, 0][..], &[1; 64]].concat();
    [
        vec![0xFF, 0xD8],
        quantization,
        frame.to_vec(),
        table(0),
        table(0x10),
        scan(1, 96),
        scan(2, 48),
        scan(3, 48),
    ]
    .concat()
    .into_iter()
    .chain([0xFF, 0xD9])
    .collect()
}

#[test]
fn a_picture_on_which_a_library_panics_is_damaged() {
    let folder = Folder::new("panic");
    let (bad, good) = (folder.path("bad.jpg"), folder.path("good.png"));
    std::fs::write(&bad, jpeg_of_separate_scans()).unwrap();
    let size = (640, 480);
    write_png(Path::new(&good), size, &empty_board(size, (31, 27), (40, 44)));
    let (lines, code) = see(&[&bad, &good]);
    assert_eq!((lines.len(), code), (2, 1), "{lines:?}");
    assert!(
        lines[0].starts_with("!\t") && lines[0].contains("damaged"),
        "{lines:?}"
    );
    assert!(lines[1].starts_with("9/9/9"), "{lines:?}");
}

#[test]
fn json_leaves_out_the_password_in_the_name_of_an_image() {
    let folder = Folder::new("password");
    let image = folder.path("csa:/me:SECRET@h/board.png");
    std::fs::create_dir_all(Path::new(&image).parent().unwrap()).unwrap();
    write_png(
        Path::new(&image),
        (640, 480),
        &empty_board((640, 480), (31, 27), (40, 44)),
    );
    for name in [image, folder.path("csa:/me:SECRET@h/none.png")] {
        let (lines, _) = see(&["--json", &name]);
        let line: serde_json::Value = serde_json::from_str(&lines[0]).unwrap();
        assert_eq!(line["image"], name.replace(":SECRET", ""), "{line}");
        assert!(!lines[0].contains("SECRET"), "{line}");
    }
}

#[test]
fn other_formats_are_read_as_a_png_is() {
    let folder = Folder::new("formats");
    let (size, pixels) = ((640, 480), empty_board((640, 480), (31, 27), (40, 44)));
    let names = ["board.png", "board.bmp", "board.webp", "palette.bmp"].map(|name| folder.path(name));
    write_png(Path::new(&names[0]), size, &pixels);
    std::fs::write(&names[1], bmp(size, &pixels)).unwrap();
    std::fs::write(&names[2], webp(size, &pixels)).unwrap();
    std::fs::write(&names[3], bmp_with_palette(size, &pixels)).unwrap();
    let (lines, code) = see(&names.each_ref().map(String::as_str));
    assert_eq!((lines.len(), code), (4, 0), "{lines:?}");
    assert!(lines.iter().all(|line| *line == lines[0]), "{lines:?}");
    // The same board in the colours of a printing press.
    let (lines, code) = see(&[concat!(
        env!("CARGO_MANIFEST_DIR"),
        "/tests/fixtures/pictures/board-cmyk.jpg"
    )]);
    assert_eq!(code, 0, "{lines:?}");
    assert!(
        lines[0].starts_with("9/9/9/9/9/9/9/9/9\t") && lines[0].ends_with("\t32,28,360,396"),
        "{lines:?}"
    );
}

/// Returns a BMP of 24 bits a pixel.
fn bmp((width, height): (u32, u32), pixels: &[u8]) -> Vec<u8> {
    let row = usize::try_from(width).unwrap();
    let mut bytes = b"BM".to_vec();
    let content = 3 * width * height;
    for number in [
        54 + content,
        0,
        54,
        40,
        width,
        height,
        1 | 24 << 16,
        0,
        content,
        0,
        0,
        0,
        0,
    ] {
        bytes.extend(number.to_le_bytes());
    }
    let rows = pixels.chunks_exact(row).rev();
    bytes.extend(rows.flatten().flat_map(|grey| [*grey; 3]));
    bytes
}

/// Returns a BMP of 8 bits a pixel with a palette of greys, the upper row first.
fn bmp_with_palette((width, height): (u32, u32), pixels: &[u8]) -> Vec<u8> {
    let mut bytes = b"BM".to_vec();
    let start = 54 + 4 * 256;
    for number in [
        start + width * height,
        0,
        start,
        40,
        width,
        height.wrapping_neg(),
        1 | 8 << 16,
        0,
        0,
        0,
        0,
        0,
        0,
    ] {
        bytes.extend(number.to_le_bytes());
    }
    bytes.extend((0..=u8::MAX).flat_map(|grey| [grey, grey, grey, 0]));
    bytes.extend(pixels);
    bytes
}

/// Returns a WebP without loss.
fn webp((width, height): (u32, u32), pixels: &[u8]) -> Vec<u8> {
    let mut bytes = Vec::new();
    let encoder = image_webp::WebPEncoder::new(&mut bytes);
    encoder
        .encode(pixels, width, height, image_webp::ColorType::L8)
        .unwrap();
    bytes
}

/// The checksum of a part of a PNG (CRC-32).
fn png_sum(bytes: &[u8]) -> u32 {
    let step = |sum: u32, _bit| {
        if sum & 1 == 1 {
            0xEDB8_8320 ^ (sum >> 1)
        } else {
            sum >> 1
        }
    };
    !bytes
        .iter()
        .fold(!0, |sum, byte| (0..8).fold(sum ^ u32::from(*byte), step))
}
