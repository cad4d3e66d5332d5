//! How much rotated boxes overlap: one is cut along the edges of the other, and what is left has an area.

use sconce_kernels::Error;
use sconce_kernels::engine::cast;
use sconce_tensor::Tensor;
use smallvec::SmallVec;

type Point = [f64; 2];
/// A rectangle cut along four edges has at most eight corners.
type Polygon = SmallVec<[Point; 8]>;

/// Boxes of a smaller area overlap nothing.
const SMALLEST: f64 = 1e-14;

struct Rotated {
    corners: [Point; 4],
    area: f64,
}

impl Rotated {
    /// From its centre, width, height and angle in degrees, anticlockwise where the second coordinate points down.
    fn new(b: &[f64]) -> Rotated {
        let (sin, cos) = (-b[4].to_radians()).sin_cos();
        let (w, h) = (b[2] / 2.0, b[3] / 2.0);
        let corner = |[x, y]: Point| [b[0] + x * cos - y * sin, b[1] + x * sin + y * cos];
        Rotated { corners: [[-w, -h], [w, -h], [w, h], [-w, h]].map(corner), area: b[2] * b[3] }
    }

    /// The area of both over that of one or the other.
    fn overlap(&self, other: &Rotated) -> f64 {
        if self.area < SMALLEST || other.area < SMALLEST {
            return 0.0;
        }
        let edges = (0..4).map(|i| [other.corners[i], other.corners[(i + 1) % 4]]);
        let shared = area(&edges.fold(Polygon::from_slice(&self.corners), |part, edge| cut(&part, edge)));
        // Boxes of what is no number share nothing.
        if shared > 0.0 { shared / (self.area + other.area - shared) } else { 0.0 }
    }
}

/// What of a convex polygon lies on the inner side of an edge.
fn cut(polygon: &[Point], [a, b]: [Point; 2]) -> Polygon {
    let side = |p: Point| (b[0] - a[0]) * (p[1] - a[1]) - (b[1] - a[1]) * (p[0] - a[0]);
    let mut kept = Polygon::new();
    for (i, &p) in polygon.iter().enumerate() {
        let q = polygon[(i + 1) % polygon.len()];
        let (here, next) = (side(p), side(q));
        if here >= 0.0 {
            kept.push(p);
        }
        if (here >= 0.0) != (next >= 0.0) {
            let part = here / (here - next);
            kept.push([p[0] + part * (q[0] - p[0]), p[1] + part * (q[1] - p[1])]);
        }
    }
    kept
}

fn area(polygon: &[Point]) -> f64 {
    let Some(&from) = polygon.first() else { return 0.0 };
    let [dx, dy] = [0, 1].map(|d| move |p: Point| p[d] - from[d]);
    let twice: f64 = polygon.windows(2).map(|e| dx(e[0]) * dy(e[1]) - dx(e[1]) * dy(e[0])).sum();
    twice.abs() / 2.0
}

/// (boxes1, boxes2).
pub fn box_iou_rotated(first: &Tensor, second: &Tensor) -> Result<Tensor, Error> {
    let boxes = |t: &Tensor| -> Result<Vec<Rotated>, Error> {
        Ok(cast::to_vec::<f64>(t)?.chunks_exact(5).map(Rotated::new).collect())
    };
    let (first, second) = (boxes(first)?, boxes(second)?);
    let overlaps = first.iter().flat_map(|a| second.iter().map(|b| a.overlap(b) as f32)).collect();
    Ok(Tensor::from_vec(overlaps, &[first.len() as i64, second.len() as i64]))
}
