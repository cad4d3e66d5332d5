//! Fractions of polynomials with rational coefficients, exactly: numbers of a rule's operands are variables, functions that are no fractions are variables too, one
//! for each function of each argument. Two fractions are equal if and only if they are equal as fractions; what is known of roots and exponentials is used
//! where they are made.

use num_bigint::BigInt;
use num_rational::BigRational;
use num_traits::{One, Signed, ToPrimitive, Zero};
use sconce_schema::scalar::Unary;
use std::collections::BTreeMap;

/// A product of powers: variables by number, in order, with exponents above 0.
type Monomial = Vec<(u32, u32)>;

/// A polynomial: no coefficient is 0.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
struct Polynomial(BTreeMap<Monomial, BigRational>);

/// Terms of a polynomial beyond which nothing more is multiplied out.
const MAX_TERMS: usize = 4_000;

/// A fraction; its denominator is not 0 as a polynomial.
#[derive(Clone, Debug)]
pub struct Fraction {
    over: Polynomial,
    under: Polynomial,
}

/// What a variable is.
#[derive(Clone, Debug)]
enum Meaning {
    Free,
    Function(Unary, Fraction),
}

/// The variables.
#[derive(Default)]
pub struct Variables(Vec<Meaning>);

impl Polynomial {
    fn constant(value: BigRational) -> Polynomial {
        let mut terms = BTreeMap::new();
        if !value.is_zero() {
            terms.insert(Monomial::new(), value);
        }
        Polynomial(terms)
    }

    fn variable(number: u32) -> Polynomial {
        Polynomial(BTreeMap::from([(vec![(number, 1)], BigRational::one())]))
    }

    fn plus(&self, other: &Polynomial) -> Polynomial {
        let mut sum = self.clone();
        for (monomial, coefficient) in &other.0 {
            let entry = sum.0.entry(monomial.clone()).or_insert_with(BigRational::zero);
            *entry += coefficient;
            if entry.is_zero() {
                sum.0.remove(monomial);
            }
        }
        sum
    }

    fn times(&self, other: &Polynomial) -> Option<Polynomial> {
        if self.0.len().saturating_mul(other.0.len()) > MAX_TERMS {
            return None;
        }
        let mut product: BTreeMap<Monomial, BigRational> = BTreeMap::new();
        for (a, x) in &self.0 {
            for (b, y) in &other.0 {
                let mut powers: BTreeMap<u32, u32> = a.iter().copied().collect();
                b.iter().for_each(|(variable, power)| *powers.entry(*variable).or_default() += power);
                *product.entry(powers.into_iter().collect()).or_insert_with(BigRational::zero) += x * y;
            }
        }
        product.retain(|_, coefficient| !coefficient.is_zero());
        Some(Polynomial(product))
    }

    fn is_one(&self) -> bool {
        self.0.len() == 1 && self.0.get(&Monomial::new()).is_some_and(One::is_one)
    }
}

impl Fraction {
    pub fn number(x: f64) -> Option<Fraction> {
        BigRational::from_float(x).map(Fraction::constant)
    }

    pub fn constant(value: BigRational) -> Fraction {
        Fraction { over: Polynomial::constant(value), under: Polynomial::constant(BigRational::one()) }
    }

    pub fn integer(n: i64) -> Fraction {
        Fraction::constant(BigRational::from_integer(BigInt::from(n)))
    }

    pub fn plus(&self, other: &Fraction) -> Option<Fraction> {
        if self.under == other.under {
            return Some(Fraction { over: self.over.plus(&other.over), under: self.under.clone() });
        }
        let over = self.over.times(&other.under)?.plus(&other.over.times(&self.under)?);
        Some(Fraction { over, under: self.under.times(&other.under)? })
    }

    pub fn times(&self, other: &Fraction) -> Option<Fraction> {
        Some(Fraction { over: self.over.times(&other.over)?, under: self.under.times(&other.under)? })
    }

    pub fn negated(&self) -> Fraction {
        let over = self.over.0.iter().map(|(m, c)| (m.clone(), -c)).collect();
        Fraction { over: Polynomial(over), under: self.under.clone() }
    }

    pub fn minus(&self, other: &Fraction) -> Option<Fraction> {
        self.plus(&other.negated())
    }

    /// `None` for 0.
    pub fn reciprocal(&self) -> Option<Fraction> {
        (!self.over.0.is_empty()).then(|| Fraction { over: self.under.clone(), under: self.over.clone() })
    }

    pub fn over(&self, other: &Fraction) -> Option<Fraction> {
        self.times(&other.reciprocal()?)
    }

    pub fn power(&self, exponent: i64) -> Option<Fraction> {
        if exponent < 0 {
            return self.reciprocal()?.power(exponent.checked_neg()?);
        }
        (exponent <= 16).then_some(())?;
        (0..exponent).try_fold(Fraction::integer(1), |power, _| power.times(self))
    }

    /// The integer that it is.
    pub fn as_integer(&self) -> Option<i64> {
        match (self.over.0.len(), self.under.is_one()) {
            (0, true) => Some(0),
            (1, true) => {
                self.over.0.get(&Monomial::new()).filter(|c| c.is_integer()).and_then(|c| c.to_integer().to_i64())
            }
            _ => None,
        }
    }

    fn is_negative(&self) -> bool {
        self.over.0.values().next_back().is_some_and(Signed::is_negative)
    }
}

impl Variables {
    pub fn free(&mut self) -> Fraction {
        self.variable(Meaning::Free)
    }

    fn variable(&mut self, meaning: Meaning) -> Fraction {
        self.0.push(meaning);
        let under = Polynomial::constant(BigRational::one());
        Fraction { over: Polynomial::variable(self.0.len() as u32 - 1), under }
    }

    /// Equal as fractions, and as roots: `sqrt(a) sqrt(a)` is `a`.
    pub fn are_equal(&self, a: &Fraction, b: &Fraction) -> Option<bool> {
        let difference = a.over.times(&b.under)?.plus(&b.over.times(&a.under)?.negated());
        Some(self.without_squares_of_roots(difference)?.0.is_empty())
    }

    /// Squares of roots are what they are roots of; denominators that come of it are multiplied away, for what is asked is whether it is 0.
    fn without_squares_of_roots(&self, mut polynomial: Polynomial) -> Option<Polynomial> {
        loop {
            let square = polynomial.0.keys().flatten().find(|(v, power)| *power >= 2 && self.is_root(*v).is_some());
            let Some((root, _)) = square.copied() else { return Some(polynomial) };
            let of = self.is_root(root)?.clone();
            let mut sum = Fraction::integer(0);
            for (monomial, coefficient) in &polynomial.0 {
                let power = monomial.iter().find(|(v, _)| *v == root).map_or(0, |(_, power)| *power);
                let mut rest: Monomial = monomial.iter().copied().filter(|(v, _)| *v != root).collect();
                if power % 2 == 1 {
                    rest.push((root, 1));
                    rest.sort_unstable();
                }
                let rest = Fraction {
                    over: Polynomial(BTreeMap::from([(rest, coefficient.clone())])),
                    under: Polynomial::constant(BigRational::one()),
                };
                sum = sum.plus(&rest.times(&of.power(i64::from(power / 2))?)?)?;
            }
            polynomial = sum.over;
        }
    }

    fn is_root(&self, variable: u32) -> Option<&Fraction> {
        match self.0.get(variable as usize)? {
            Meaning::Function(Unary::Sqrt, of) => Some(of),
            _ => None,
        }
    }

    /// A function of a fraction. What is one itself is worked out; of the others the same function of the same argument is the same variable.
    pub fn function(&mut self, function: Unary, of: &Fraction) -> Option<Fraction> {
        match function {
            Unary::Neg => Some(of.negated()),
            Unary::Reciprocal => of.reciprocal(),
            Unary::Rsqrt => self.function(Unary::Sqrt, of)?.reciprocal(),
            Unary::Sigmoid => {
                let e = self.function(Unary::Exp, &of.negated())?;
                Fraction::integer(1).plus(&e)?.reciprocal()
            }
            Unary::Gelu => {
                let root = Fraction::number(std::f64::consts::FRAC_1_SQRT_2)?;
                let erf = self.function(Unary::Erf, &of.times(&root)?)?;
                of.times(&Fraction::number(0.5)?)?.times(&Fraction::integer(1).plus(&erf)?)
            }
            // e^(a + b) = e^a e^b, term by term.
            Unary::Exp if of.under.is_one() => {
                let mut product = Fraction::integer(1);
                for (monomial, coefficient) in &of.over.0 {
                    let power = coefficient.is_integer().then(|| coefficient.to_integer().to_i64()).flatten();
                    let (base, power) = match power {
                        Some(power) if power.unsigned_abs() <= 8 => (BigRational::one(), power),
                        _ if coefficient.is_negative() => (-coefficient, -1),
                        _ => (coefficient.clone(), 1),
                    };
                    let exponent = Fraction {
                        over: Polynomial(BTreeMap::from([(monomial.clone(), base)])),
                        under: of.under.clone(),
                    };
                    product = product.times(&self.known(Unary::Exp, &exponent)?.power(power)?)?;
                }
                Some(product)
            }
            // log ab = log a + log b.
            Unary::Log if of.under.is_one() && of.over.0.len() == 1 => {
                let (monomial, coefficient) = of.over.0.iter().next()?;
                let mut sum = Fraction::integer(0);
                if !coefficient.is_one() {
                    sum = sum.plus(&self.known(Unary::Log, &Fraction::constant(coefficient.clone()))?)?;
                }
                for (variable, power) in monomial {
                    let base = Fraction { over: Polynomial::variable(*variable), under: of.under.clone() };
                    let log = self.known(Unary::Log, &base)?;
                    sum = sum.plus(&log.times(&Fraction::integer(i64::from(*power)))?)?;
                }
                Some(sum)
            }
            // Odd functions.
            Unary::Tanh | Unary::Erf | Unary::Sin | Unary::Sinh if of.is_negative() => {
                Some(self.known(function, &of.negated())?.negated())
            }
            _ => self.known(function, of),
        }
    }

    /// The variable that stands for a function of a fraction.
    fn known(&mut self, function: Unary, of: &Fraction) -> Option<Fraction> {
        for at in 0..self.0.len() {
            if let Meaning::Function(known, argument) = &self.0[at]
                && *known == function
                && self.are_equal(argument, of)?
            {
                let under = Polynomial::constant(BigRational::one());
                return Some(Fraction { over: Polynomial::variable(at as u32), under });
            }
        }
        Some(self.variable(Meaning::Function(function, of.clone())))
    }
}

impl Polynomial {
    fn negated(&self) -> Polynomial {
        Polynomial(self.0.iter().map(|(m, c)| (m.clone(), -c)).collect())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fractions_are_equal_as_fractions() {
        let mut v = Variables::default();
        let (x, y) = (v.free(), v.free());
        let sum = |a: &Fraction, b: &Fraction| a.plus(b).expect("small");
        let product = |a: &Fraction, b: &Fraction| a.times(b).expect("small");
        // (x + y)^2 = x^2 + 2xy + y^2
        let square = sum(&x, &y).power(2).expect("small");
        let two = Fraction::integer(2);
        let terms = sum(&sum(&product(&x, &x), &product(&two, &product(&x, &y))), &product(&y, &y));
        assert_eq!(v.are_equal(&square, &terms), Some(true));
        assert_eq!(v.are_equal(&square, &product(&x, &y)), Some(false));
        // x / sqrt(y) = x rsqrt(y), and sqrt(y)^2 = y, but sqrt(y) is not y.
        let root = v.function(Unary::Sqrt, &y).expect("a root");
        assert_eq!(v.are_equal(&product(&root, &root), &y), Some(true));
        assert_eq!(v.are_equal(&root, &y), Some(false));
        // e^(x + y) = e^x e^y, e^-x = 1 / e^x
        let e = |v: &mut Variables, of: &Fraction| v.function(Unary::Exp, of).expect("an exponential");
        let (both, ex, ey) = (e(&mut v, &sum(&x, &y)), e(&mut v, &x), e(&mut v, &y));
        assert_eq!(v.are_equal(&both, &product(&ex, &ey)), Some(true));
        let less = e(&mut v, &x.negated());
        assert_eq!(v.are_equal(&product(&ex, &less), &Fraction::integer(1)), Some(true));
        // A tenth as a float is not a tenth.
        let tenth = Fraction::integer(1).over(&Fraction::integer(10)).expect("not 0");
        assert_eq!(v.are_equal(&Fraction::number(0.1).expect("finite"), &tenth), Some(false));
    }
}
