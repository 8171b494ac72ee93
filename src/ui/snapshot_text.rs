//! Sentences about the size of a picture.

use shogibar_base::sentences;

sentences! {
    /// Returns the error of an invalid picture scale, with the valid range.
    pub fn picture_scale(scale: f32, (min, max): (f32, f32); lang) =>
        "倍率 {scale} の画像は作れません。{min}から{max}までの数を指定してください。",
        "the scale {scale} is out of range ({min} to {max})";

    /// Returns the error of a picture that is too small to be readable.
    pub fn picture_small([width, height]: [u32; 2], [longer, shorter]: [u32; 2]; lang) =>
        "{width}x{height} は小さすぎます。最小は {longer}x{shorter}（縦長なら逆）です。",
        "{width}x{height} is too small; the smallest picture is {longer}x{shorter}, or the same upright";

    /// Returns the error of a picture with too many pixels.
    pub fn picture_large([width, height]: [u32; 2], max: u32; lang) =>
        "{width}x{height} はこの倍率では大きすぎます。最大は {max}x{max} ピクセルです。",
        "{width}x{height} is too large at this scale; the largest picture has {max}x{max} pixels";
}
