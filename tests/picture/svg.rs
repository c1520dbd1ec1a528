//! A terminal's screen as SVG: text stays text, every cell keeps its place whatever font is there.

use std::fmt::Write;

use vt100::{Cell, Color, Screen};

/// A cell, in pixels.
const CELL: (f32, f32) = (8.4, 19.0);
/// The space around the screen, and the height of the window's bar.
const MARGIN: f32 = 18.0;
const BAR: f32 = 34.0;
const SIZE: f32 = 14.0;

const GROUND: &str = "#12171f";
const INK: &str = "#d5dbe3";
/// The sixteen colours of the terminal.
const PALETTE: [&str; 16] = [
    "#2a3240", "#f07a78", "#8fd18b", "#ecc578", "#7fb2f0", "#c79bf0", "#66c9d0", "#d5dbe3",
    "#6b7687", "#ff9a96", "#a9e6a3", "#ffdb94", "#9cc6ff", "#dab5ff", "#86e2e8", "#ffffff",
];

/// The looks of a cell.
#[derive(Debug, Clone, PartialEq)]
struct Look {
    ink: String,
    ground: Option<String>,
    /// Attributes of the text, as SVG writes them.
    style: String,
}

/// Cells side by side with the same looks.
#[derive(Debug)]
struct Piece {
    column: u16,
    width: u16,
    text: String,
    look: Look,
}

/// Draws a screen in a window with a title.
pub fn draw(screen: &Screen, title: &str) -> String {
    let (rows, columns) = screen.size();
    let (width, height) = (
        f32::from(columns.get()).mul_add(CELL.0, 2.0 * MARGIN),
        f32::from(rows.get()).mul_add(CELL.1, 2.0 * MARGIN) + BAR,
    );
    let mut svg = frame(width, height, title);
    for row in 0..rows.get() {
        for piece in pieces(screen, row, columns.get()) {
            write_piece(&mut svg, row, &piece);
        }
    }
    write_cursor(&mut svg, screen);
    svg.push_str("</svg>\n");
    svg
}

fn frame(width: f32, height: f32, title: &str) -> String {
    let middle = width / 2.0;
    let mut svg = format!(
        r##"<svg xmlns="http://www.w3.org/2000/svg" width="{width:.0}" height="{height:.0}" viewBox="0 0 {width:.0} {height:.0}" role="img" aria-label="{title}: a tool call waits for a key">
<style>text {{ font-family: ui-monospace, "SF Mono", Menlo, Consolas, "DejaVu Sans Mono", "Liberation Mono", monospace; font-size: {SIZE}px; white-space: pre; }}</style>
<rect width="100%" height="100%" rx="10" fill="{GROUND}"/>
<path d="M0 {BAR}V10a10 10 0 0 1 10-10H{right:.0}a10 10 0 0 1 10 10V{BAR}z" fill="#1c2330"/>
<text x="{middle:.0}" y="22" text-anchor="middle" fill="#8b95a5">{title}</text>
"##,
        right = width - 10.0,
    );
    for (place, colour) in [(20, "#f07a78"), (40, "#ecc578"), (60, "#8fd18b")] {
        let line = format!("<circle cx=\"{place}\" cy=\"17\" r=\"6\" fill=\"{colour}\"/>\n");
        svg.push_str(&line);
    }
    svg
}

fn pieces(screen: &Screen, row: u16, columns: u16) -> Vec<Piece> {
    let mut pieces: Vec<Piece> = Vec::new();
    for column in 0..columns {
        let Some(cell) = screen
            .cell(row, column)
            .filter(|cell| !cell.is_wide_continuation())
        else {
            continue;
        };
        let (look, width) = (look(cell), if cell.is_wide() { 2 } else { 1 });
        let text = if cell.has_contents() {
            cell.contents()
        } else {
            " "
        };
        match pieces.last_mut() {
            // What is not plain ASCII may be wider in another font, so that it stands alone.
            Some(last) if last.look == look && last.text.is_ascii() && text.is_ascii() => {
                last.text.push_str(text);
                last.width += width;
            }
            _ => pieces.push(Piece {
                column,
                width,
                text: text.to_owned(),
                look,
            }),
        }
    }
    pieces
}

fn look(cell: &Cell) -> Look {
    let (ink, ground) = (colour(cell.fgcolor()), colour(cell.bgcolor()));
    let (ink, ground) = if cell.inverse() {
        (
            ground.unwrap_or_else(|| GROUND.to_owned()),
            Some(ink.unwrap_or_else(|| INK.to_owned())),
        )
    } else {
        (ink.unwrap_or_else(|| INK.to_owned()), ground)
    };
    Look {
        ink,
        ground,
        style: style(cell),
    }
}

fn style(cell: &Cell) -> String {
    let known = [
        (cell.bold(), " font-weight=\"bold\""),
        (cell.dim(), " opacity=\"0.62\""),
        (cell.italic(), " font-style=\"italic\""),
        (cell.underline(), " text-decoration=\"underline\""),
    ];
    let used = known.iter().filter(|(is_used, _)| *is_used);
    used.map(|(_, attribute)| *attribute).collect()
}

fn colour(colour: Color) -> Option<String> {
    match colour {
        Color::Default => None,
        Color::Rgb(red, green, blue) => Some(format!("#{red:02x}{green:02x}{blue:02x}")),
        Color::Idx(index @ 0..16) => Some(PALETTE[usize::from(index)].to_owned()),
        Color::Idx(index @ 16..232) => {
            let level = |step: u8| if step == 0 { 0 } else { 55 + step * 40 };
            let cube = index - 16;
            let (red, green, blue) = (level(cube / 36), level(cube / 6 % 6), level(cube % 6));
            Some(format!("#{red:02x}{green:02x}{blue:02x}"))
        }
        Color::Idx(index) => {
            let grey = 8 + (index - 232) * 10;
            Some(format!("#{grey:02x}{grey:02x}{grey:02x}"))
        }
    }
}

fn write_piece(svg: &mut String, row: u16, piece: &Piece) {
    let (x, y) = place(piece.column, row);
    let width = f32::from(piece.width) * CELL.0;
    if let Some(ground) = &piece.look.ground {
        let line = format!(
            "<rect x=\"{x:.1}\" y=\"{y:.1}\" width=\"{width:.1}\" height=\"{}\" fill=\"{ground}\"/>\n",
            CELL.1
        );
        svg.push_str(&line);
    }
    let cut = piece.text.trim_end();
    if cut.is_empty() {
        return;
    }
    // Leading blanks are left out too: the place says where the text begins.
    let blanks = cut.len() - cut.trim_start().len();
    let text = cut.trim_start();
    let cells = if text.is_ascii() {
        text.len()
    } else {
        usize::from(piece.width)
    };
    let number = |cells: usize| f32::from(u16::try_from(cells).expect("a row is short"));
    let x = number(blanks).mul_add(CELL.0, x);
    let length = number(cells) * CELL.0;
    let style = format!("fill=\"{}\"{}", piece.look.ink, piece.look.style);
    let y = y + CELL.1 * 0.74;
    let text = escaped(text);
    writeln!(
        svg,
        "<text x=\"{x:.1}\" y=\"{y:.1}\" textLength=\"{length:.1}\" lengthAdjust=\"spacingAndGlyphs\" {style}>{text}</text>"
    )
    .expect("a string can be written");
}

fn write_cursor(svg: &mut String, screen: &Screen) {
    if screen.hide_cursor() {
        return;
    }
    let (row, column) = screen.cursor_position();
    let (x, y) = place(column, row);
    writeln!(
        svg,
        "<rect x=\"{x:.1}\" y=\"{y:.1}\" width=\"2\" height=\"{}\" fill=\"{INK}\"/>",
        CELL.1
    )
    .expect("a string can be written");
}

fn place(column: u16, row: u16) -> (f32, f32) {
    (
        f32::from(column).mul_add(CELL.0, MARGIN),
        f32::from(row).mul_add(CELL.1, MARGIN + BAR),
    )
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;")
        .replace('<', "&lt;")
        .replace('>', "&gt;")
}
