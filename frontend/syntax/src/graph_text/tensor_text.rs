//! The numbers in a tensor's printed text. They are rounded to what PyTorch prints, so they are a tensor like the original,
//! not the original.

use super::literals::read_float;
use sconce_schema::DType;

/// What a tensor's printed text tells.
#[derive(Clone, Debug, PartialEq)]
pub struct PrintedTensor {
    /// `None` for `{0.5}`, which does not name it.
    pub dtype: Option<DType>,
    /// `None` for `{0.5}`: one element in any number of dimensions.
    pub sizes: Option<Vec<i64>>,
    /// In row-major order; real and imaginary part. Integers beyond 2^53 are rounded here, see [`PrintedTensor::integers`].
    pub values: Vec<(f64, f64)>,
    /// The elements as integers, if every one is written as an integer.
    pub integers: Option<Vec<i64>>,
}

impl PrintedTensor {
    /// Reads `{0.5}`, ` 1  2 [ CPULongType{2} ]`, `0.01 * -6.2500 -9.9609 [ CPUFloatType{2} ]`, or
    /// `(1,.,.) =   0.2500  (2,.,.) =   0.5000 [ CPUFloatType{2,1,1} ]`. `None` if elements are missing, or laid out in
    /// columns, or the dtype is not one we know.
    pub fn read(text: &str) -> Option<PrintedTensor> {
        let text = text.strip_prefix("MKLDNN Tensor:").unwrap_or(text).trim();
        if let Some(element) = text.strip_prefix('{') {
            let (values, integers) = elements(element.strip_suffix('}')?)?;
            return (values.len() == 1).then_some(PrintedTensor { dtype: None, sizes: None, values, integers });
        }
        let (body, tail) = text.rsplit_once("[ ")?;
        let (name, rest) = tail.split_once('{')?;
        let name = name.strip_suffix("Type")?;
        let sizes = rest.split_once('}')?.0;
        let sizes: Vec<i64> = if sizes.is_empty() {
            Vec::new()
        } else {
            sizes.split(',').map(|n| n.parse().ok()).collect::<Option<_>>()?
        };
        let dtype = DType::all().filter(|d| name.ends_with(d.graph_name())).max_by_key(|d| d.graph_name().len())?;
        let (values, integers) = elements(body)?;
        let count = sizes.iter().try_fold(1i64, |n, s| n.checked_mul(*s))?;
        (usize::try_from(count).ok()? == values.len()).then_some(PrintedTensor {
            dtype: Some(dtype),
            sizes: Some(sizes),
            values,
            integers,
        })
    }
}

type Elements = (Vec<(f64, f64)>, Option<Vec<i64>>);

fn elements(body: &str) -> Option<Elements> {
    let (factor, body) = match body.split_once('*') {
        Some((factor, rest)) => (read_float(factor.trim())?, rest),
        None => (1.0, body),
    };
    let mut values = Vec::new();
    let mut integers = Some(Vec::new());
    for word in body.split_ascii_whitespace() {
        if word == "=" || word.ends_with(".,.)") {
            continue;
        }
        if let Some(pair) = word.strip_prefix('(') {
            let (re, im) = pair.strip_suffix(')')?.split_once(',')?;
            values.push((read_float(re)? * factor, read_float(im)? * factor));
            integers = None;
            continue;
        }
        values.push((read_float(word)? * factor, 0.0));
        integers = match (integers, word.parse::<i64>()) {
            (Some(mut list), Ok(n)) if factor == 1.0 => {
                list.push(n);
                Some(list)
            }
            _ => None,
        };
    }
    Some((values, integers))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn printed_tensors_give_their_numbers() {
        let read = |text| PrintedTensor::read(text).expect("a printed tensor");
        let matrix = read(" 1  2  3  4 [ CPULongType{2,2} ]");
        assert_eq!(
            (matrix.dtype, matrix.sizes, matrix.integers),
            (Some(DType::I64), Some(vec![2, 2]), Some(vec![1, 2, 3, 4]))
        );
        assert_eq!(read("0.01 * -6.2500 -9.9609 [ CPUFloatType{2} ]").values[0].0, -0.0625);
        assert_eq!(
            read("(1,.,.) =   0.2500  (2,.,.) =   0.5000 [ CPUFloatType{2,1,1} ]").values,
            [(0.25, 0.0), (0.5, 0.0)]
        );
        assert_eq!(read("{(1,2)}").values, [(1.0, 2.0)]);
        assert_eq!(read(" (1,2)  (3,4) [ CPUComplexFloatType{2} ]").dtype, Some(DType::C64));
        assert_eq!(read("[ CPUIntType{0} ]").values, []);
        assert_eq!(PrintedTensor::read(" 1 [ CPULongType{2} ]"), None);
        assert_eq!(PrintedTensor::read("[ CPULongType{9223372036854775807,9} ]"), None);
    }
}
