//! Reads back a picture: the texts with their bounding boxes, and everything that is drawn as a line.

use crate::measure::width;

/// What a picture shows, each with its place in the order of drawing.
pub(super) struct Picture {
    pub(super) width: f64,
    pub(super) height: f64,
    pub(super) texts: Vec<Placed>,
    pub(super) lines: Vec<Line>,
    /// The boxes that hide what is drawn before them.
    pub(super) boxes: Vec<(Area, usize)>,
    /// The points of arrowheads.
    pub(super) tips: Vec<(f64, f64)>,
}

/// A text and its bounding box.
pub(super) struct Placed {
    pub(super) area: Area,
    pub(super) text: String,
}

#[derive(Debug)]
pub(super) struct Area {
    pub(super) left: f64,
    pub(super) right: f64,
    pub(super) top: f64,
    pub(super) bottom: f64,
}

/// A straight line.
#[derive(Debug)]
pub(super) struct Line {
    from: (f64, f64),
    to: (f64, f64),
    pub(super) order: usize,
}

impl Area {
    pub(super) fn overlaps(&self, other: &Self) -> bool {
        self.left < other.right
            && other.left < self.right
            && self.top < other.bottom
            && other.top < self.bottom
    }

    pub(super) fn contains(&self, other: &Self) -> bool {
        self.left <= other.left
            && other.right <= self.right
            && self.top <= other.top
            && other.bottom <= self.bottom
    }
}

impl Line {
    /// Whether it has a point within the area: clips it against the four sides (Liang and Barsky, 1984).
    pub(super) fn crosses(&self, area: &Area) -> bool {
        let (dx, dy) = (self.to.0 - self.from.0, self.to.1 - self.from.1);
        let sides = [
            (-dx, self.from.0 - area.left),
            (dx, area.right - self.from.0),
            (-dy, self.from.1 - area.top),
            (dy, area.bottom - self.from.1),
        ];
        let (mut first, mut last) = (0.0_f64, 1.0_f64);
        for (towards, room) in sides {
            if towards == 0.0 {
                if room < 0.0 {
                    return false;
                }
            } else if towards < 0.0 {
                first = first.max(room / towards);
            } else {
                last = last.min(room / towards);
            }
        }
        first < last
    }
}

impl Picture {
    pub(super) fn of(drawn: &str) -> Self {
        let size = |name: &str| number(drawn, name);
        let mut picture = Self {
            width: size("width"),
            height: size("height"),
            texts: Vec::new(),
            lines: Vec::new(),
            boxes: Vec::new(),
            tips: Vec::new(),
        };
        for (order, piece) in drawn.split('<').enumerate() {
            let (element, content) = piece.split_once('>').unwrap_or((piece, ""));
            let get = |name: &str| number(element, name);
            let class = attribute(element, "class").unwrap_or_default();
            match element.split(' ').next().unwrap_or_default() {
                "text" => picture.texts.push(text(element, content)),
                "line" => picture.add(&[(get("x1"), get("y1")), (get("x2"), get("y2"))], order),
                "polyline" => picture.add(&points(element, "points"), order),
                "polygon" => {
                    let mut corners = points(element, "points");
                    if class.contains("tip") {
                        picture.tips.push(corners[0]);
                    }
                    corners.push(corners[0]);
                    picture.add(&corners, order);
                }
                "path" => {
                    let ends = points(element, "d");
                    ends.chunks(2).for_each(|ends| picture.add(ends, order));
                }
                "circle" => {
                    let (x, y, r) = (get("cx"), get("cy"), get("r"));
                    picture.add(&[(x - r, y), (x, y - r), (x + r, y), (x, y + r), (x - r, y)], order);
                }
                "rect" if matches!(class, "good" | "fold" | "loop" | "head") => {
                    let (left, top) = (get("x"), get("y"));
                    let (right, bottom) = (left + get("width"), top + get("height"));
                    let corners = [(left, top), (right, top), (right, bottom), (left, bottom), (left, top)];
                    picture.add(&corners, order);
                    if matches!(class, "fold" | "head") {
                        picture.boxes.push((Area { left, right, top, bottom }, order));
                    }
                }
                _ => {}
            }
        }
        picture
    }

    fn add(&mut self, points: &[(f64, f64)], order: usize) {
        let lines = points.windows(2).map(|ends| Line { from: ends[0], to: ends[1], order });
        self.lines.extend(lines);
    }
}

fn text(element: &str, content: &str) -> Placed {
    let said = content.replace("&quot;", "\"").replace("&gt;", ">");
    let (x, y) = (number(element, "x"), number(element, "y"));
    let wide = width(&said) as f64 * 7.3;
    let left = match attribute(element, "text-anchor") {
        Some("end") => x - wide,
        Some(_) => x - wide / 2.0,
        None => x,
    };
    Placed { area: Area { left, right: left + wide, top: y - 9.0, bottom: y + 3.0 }, text: said }
}

/// The points in an attribute: pairs of numbers with a comma between them.
fn points(element: &str, name: &str) -> Vec<(f64, f64)> {
    let list = attribute(element, name).expect("it has points");
    let number = |text: &str| text.trim_matches(['M', 'L']).parse().expect("it is a number");
    let pairs = list.split(' ').map(|pair| pair.split_once(',').expect("it is a pair"));
    pairs.map(|(x, y)| (number(x), number(y))).collect()
}

fn number(element: &str, name: &str) -> f64 {
    attribute(element, name).and_then(|it| it.parse().ok()).unwrap_or_else(|| panic!("{name} in {element}"))
}

/// The value of an attribute.
fn attribute<'e>(element: &'e str, name: &str) -> Option<&'e str> {
    let (_, rest) = element.split_once(&format!(" {name}=\""))?;
    rest.split_once('"').map(|(value, _)| value)
}
