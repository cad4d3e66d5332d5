//! What the integers of a quantized tensor stand for: `(q - zero point) * scale`, with one pair for the tensor or one for each of a dimension's indices.

use crate::Tensor;
use sconce_schema::dtype::QScheme;
use std::sync::Arc;

/// The parameters of a quantized tensor, shared by its views.
#[derive(Clone, PartialEq, Debug)]
pub struct Quantizer {
    scheme: QScheme,
    axis: usize,
    scales: Box<[f64]>,
    /// Integers, but for `PerChannelAffineFloatQParams`.
    zero_points: Box<[f64]>,
}

impl Quantizer {
    /// One pair for all elements.
    pub fn per_tensor(scale: f64, zero_point: i64) -> Arc<Quantizer> {
        let (scales, zero_points) = ([scale].into(), [zero_point as f64].into());
        Arc::new(Quantizer { scheme: QScheme::PerTensorAffine, axis: 0, scales, zero_points })
    }

    /// Of a scheme that has one pair for each index of the dimension `axis`; `None` when there are not as many of the one as of the other, or the scheme has
    /// one pair for all.
    pub fn per_channel(
        scheme: QScheme,
        scales: Vec<f64>,
        zero_points: Vec<f64>,
        axis: usize,
    ) -> Option<Arc<Quantizer>> {
        let fits = scales.len() == zero_points.len() && scheme.is_per_channel();
        fits.then(|| Arc::new(Quantizer { scheme, axis, scales: scales.into(), zero_points: zero_points.into() }))
    }

    /// Whether there is one pair or one for each index, and what they are.
    pub fn scheme(&self) -> QScheme {
        self.scheme
    }
    /// The one pair of the whole tensor.
    pub fn of_tensor(&self) -> Option<(f64, i64)> {
        (!self.scheme.is_per_channel()).then(|| (self.scales[0], self.zero_points[0] as i64))
    }
    /// The dimension that has a pair for each index.
    pub fn axis(&self) -> Option<usize> {
        self.scheme.is_per_channel().then_some(self.axis)
    }
    /// The scales: one, or one for each index.
    pub fn scales(&self) -> &[f64] {
        &self.scales
    }
    /// The zero points: one, or one for each index.
    pub fn zero_points(&self) -> &[f64] {
        &self.zero_points
    }
    /// Scales and zero points as tensors, as archives and programs see them: zero points are integers but where the scheme has floats.
    pub fn tensors(&self) -> (Tensor, Tensor) {
        let sizes = [self.scales.len() as i64];
        match self.scheme {
            QScheme::PerChannelAffineFloatQParams => {
                let floats = |numbers: &[f64]| Tensor::from_vec(numbers.iter().map(|n| *n as f32).collect(), &sizes);
                (floats(&self.scales), floats(&self.zero_points))
            }
            _ => {
                let zeros = self.zero_points.iter().map(|z| *z as i64).collect();
                (Tensor::from_vec(self.scales.to_vec(), &sizes), Tensor::from_vec(zeros, &sizes))
            }
        }
    }
    /// The same pairs for another dimension.
    pub fn with_axis(&self, axis: usize) -> Arc<Quantizer> {
        Arc::new(Quantizer { axis, ..self.clone() })
    }
    /// One channel's pair as that of a tensor.
    pub fn channel(&self, i: usize) -> Option<Arc<Quantizer>> {
        Some(Quantizer::per_tensor(*self.scales.get(i)?, *self.zero_points.get(i)? as i64))
    }
}
