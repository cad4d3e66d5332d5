//! torchvision's operators over boxes and over regions of pictures.
//!
//! Coordinates are computed in f64 and rounded to the picture's dtype after every operation, which is what arithmetic in that dtype gives; only the
//! loops that touch elements are compiled for each dtype.

mod deform;
mod nms;
pub mod roi_pool;
pub mod sampled;

pub use deform::deform_conv2d;
pub use nms::nms;
pub use roi_pool::roi_pool;
pub use sampled::roi_align;

use crate::Error;
use crate::engine::cast::{self, Value};
use crate::engine::scratch::Plain;
use sconce_tensor::{DType, Tensor, f16};

/// Elements that pictures have here.
pub trait Real: Value + Plain + num_traits::Float + Send + Sync {}
impl Real for f32 {}
impl Real for f64 {}
impl Real for f16 {}

/// Runs the body for the dtype of a picture; the rules let no other through.
#[macro_export]
macro_rules! with_real {
    ($dtype:expr, $t:ident => $body:expr) => {
        match $dtype {
            sconce_tensor::DType::F32 => {
                type $t = f32;
                $body
            }
            sconce_tensor::DType::F64 => {
                type $t = f64;
                $body
            }
            _ => {
                type $t = sconce_tensor::f16;
                $body
            }
        }
    };
}
pub use with_real;

/// How the numbers of a dtype round.
#[derive(Clone, Copy)]
pub struct Rounding(pub DType);

impl Rounding {
    pub fn round(self, x: f64) -> f64 {
        match self.0 {
            DType::F32 => f64::from(x as f32),
            DType::F16 => f64::from(f16::from_f32(x as f32)),
            _ => x,
        }
    }
}

/// A region of one of the pictures.
pub struct Region {
    pub picture: usize,
    /// Left, top, right, bottom, in elements of the picture.
    pub edges: [f64; 4],
}

/// The regions of an input, scaled. Each names a picture that exists.
pub fn regions(input: &Tensor, rois: &Tensor, scale: f64) -> Result<Vec<Region>, Error> {
    let (pictures, rounding) = (input.sizes()[0], Rounding(input.dtype()));
    let scale = rounding.round(scale);
    let of = |roi: &[f64]| {
        if !(roi[0] >= 0.0 && roi[0] < pictures as f64) {
            return Err(Error::runtime("rois batch index must be in [0, batch_size)"));
        }
        let edges = [1, 2, 3, 4].map(|i| rounding.round(roi[i] * scale));
        Ok(Region { picture: roi[0] as usize, edges })
    };
    cast::to_vec::<f64>(rois)?.chunks_exact(5).map(of).collect()
}
