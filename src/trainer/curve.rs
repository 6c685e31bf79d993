//! Loss curves as a picture.

use std::fmt::Write;

use super::fit::Epoch;

const WIDTH: f64 = 640.0;
const HEIGHT: f64 = 360.0;
/// Space for the labels.
const MARGIN: f64 = 60.0;
/// Lines across the picture.
const GRID: usize = 5;

/// An SVG of the loss while learning and on the samples held out, pass by pass.
pub fn svg(title: &str, epochs: &[Epoch]) -> String {
    let losses = || epochs.iter().flat_map(|epoch| [epoch.fit, epoch.held_out]).filter(|loss| loss.is_finite());
    let low = losses().fold(f64::INFINITY, f64::min);
    let high = losses().fold(f64::NEG_INFINITY, f64::max);
    let span = if high > low { high - low } else { 1.0 };
    let x = |index: usize| {
        let part = index as f64 / (epochs.len().max(2) - 1) as f64;
        MARGIN + part * (WIDTH - 2.0 * MARGIN)
    };
    let y = |loss: f64| HEIGHT - MARGIN - (loss - low) / span * (HEIGHT - 2.0 * MARGIN);
    let mut svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {WIDTH} {HEIGHT}\" font-family=\"sans-serif\" \
         font-size=\"12\">\n<rect width=\"100%\" height=\"100%\" fill=\"white\"/>\n\
         <text x=\"{MARGIN}\" y=\"24\" font-size=\"15\">{}</text>\n",
        escaped(title)
    );
    // Writing to a string cannot fail.
    let _ = if epochs.is_empty() { Ok(()) } else { axes(&mut svg, epochs, (low, span), &y, &x) };
    for (name, color, loss, row) in [
        ("while learning", "#888888", (|epoch| epoch.fit) as fn(&Epoch) -> f64, 0.0),
        ("held out", "#c03020", |epoch| epoch.held_out, 1.0),
    ] {
        let points: Vec<_> = epochs
            .iter()
            .enumerate()
            .filter(|(_, epoch)| loss(epoch).is_finite())
            .map(|(index, epoch)| format!("{:.1},{:.1}", x(index), y(loss(epoch))))
            .collect();
        let top = 44.0 + 16.0 * row;
        let _ = writeln!(
            svg,
            "<polyline points=\"{}\" fill=\"none\" stroke=\"{color}\" stroke-width=\"2\"/>\n\
             <text x=\"{}\" y=\"{top}\" fill=\"{color}\">{name}</text>",
            points.join(" "),
            WIDTH - MARGIN - 90.0
        );
    }
    svg + "</svg>\n"
}

fn axes(
    svg: &mut String,
    epochs: &[Epoch],
    (low, span): (f64, f64),
    y: &impl Fn(f64) -> f64,
    x: &impl Fn(usize) -> f64,
) -> std::fmt::Result {
    for line in 0..=GRID {
        let loss = low + span * line as f64 / GRID as f64;
        let (right, at) = (WIDTH - MARGIN, y(loss));
        writeln!(svg, "<path d=\"M{MARGIN} {at:.1}H{right}\" stroke=\"#dddddd\"/>")?;
        writeln!(svg, "<text x=\"{}\" y=\"{:.1}\" text-anchor=\"end\">{loss:.4}</text>", MARGIN - 6.0, at + 4.0)?;
    }
    let step = epochs.len().div_ceil(10);
    for (index, epoch) in epochs.iter().enumerate().step_by(step) {
        let (at, bottom) = (x(index), HEIGHT - MARGIN + 18.0);
        writeln!(svg, "<text x=\"{at:.1}\" y=\"{bottom}\" text-anchor=\"middle\">{}</text>", epoch.number)?;
    }
    writeln!(svg, "<text x=\"{}\" y=\"{}\" text-anchor=\"middle\">pass</text>", WIDTH / 2.0, HEIGHT - 20.0)
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn points_are_where_the_losses_are() {
        let epoch = |number, fit, held_out| Epoch { number, rate: 0.1, fit, held_out };
        let picture = svg("a < b", &[epoch(1, 0.6, 0.5), epoch(2, 0.4, 0.5), epoch(3, 0.2, 0.5)]);
        assert!(picture.contains("60.0,60.0 320.0,180.0 580.0,300.0"), "{picture}");
        assert!(picture.contains("60.0,120.0 320.0,120.0 580.0,120.0") && picture.contains("a &lt; b"));
        assert!(svg("", &[]).ends_with("</svg>\n") && svg("", &[epoch(1, f64::NAN, 0.5)]).contains("0.5"));
    }
}
