//! PyTorch's CPU generator: MT19937 with the draws of each distribution, bit for bit.

use std::sync::{Arc, LazyLock, Mutex, PoisonError};

const N: usize = 624;
const M: usize = 397;

/// Seed of the default generator before anybody sets one.
pub const DEFAULT_SEED: u64 = 67280421310721;

/// The engine, and the second of a pair of normal numbers when only the first was asked for.
pub struct Engine {
    state: [u32; N],
    at: usize,
    spare_double: Option<f64>,
    /// What it was last seeded with.
    pub seed: u64,
}

impl Engine {
    /// Seeded with the low 32 bits.
    pub fn new(seed: u64) -> Engine {
        let mut state = [0u32; N];
        state[0] = seed as u32;
        for i in 1..N {
            state[i] = 1812433253u32.wrapping_mul(state[i - 1] ^ (state[i - 1] >> 30)).wrapping_add(i as u32);
        }
        Engine { state, at: N, spare_double: None, seed }
    }

    fn refill(&mut self) {
        for i in 0..N {
            let y = (self.state[i] & 0x8000_0000) | (self.state[(i + 1) % N] & 0x7fff_ffff);
            let odd = if y & 1 == 1 { 0x9908_b0df } else { 0 };
            self.state[i] = self.state[(i + M) % N] ^ (y >> 1) ^ odd;
        }
        self.at = 0;
    }

    /// The next 32 random bits.
    pub fn u32(&mut self) -> u32 {
        if self.at == N {
            self.refill();
        }
        let mut y = self.state[self.at];
        self.at += 1;
        y ^= y >> 11;
        y ^= (y << 7) & 0x9d2c_5680;
        y ^= (y << 15) & 0xefc6_0000;
        y ^ (y >> 18)
    }

    /// The next 64 random bits: two words, the higher first.
    pub fn u64(&mut self) -> u64 {
        let high = u64::from(self.u32());
        high << 32 | u64::from(self.u32())
    }

    /// In [0, 1), 24 bits.
    pub fn uniform_float(&mut self) -> f32 {
        (self.u32() & 0xff_ffff) as f32 / (1 << 24) as f32
    }

    /// In [0, 1), 53 bits.
    pub fn uniform_double(&mut self) -> f64 {
        (self.u64() & ((1 << 53) - 1)) as f64 / (1u64 << 53) as f64
    }

    /// Below `range`: one word where it is below 2^28, else two.
    pub fn below(&mut self, range: u64) -> u64 {
        match range {
            0 => self.u64(),
            r if r < 1 << 28 => u64::from(self.u32()) % r,
            r => self.u64() % r,
        }
    }

    /// A standard normal number, by pairs.
    pub fn normal(&mut self) -> f64 {
        if let Some(spare) = self.spare_double.take() {
            return spare;
        }
        let (u1, u2) = (self.uniform_double(), self.uniform_double());
        let radius = (-2.0 * (-u2).ln_1p()).sqrt();
        let theta = 2.0 * std::f64::consts::PI * u1;
        self.spare_double = Some(radius * theta.sin());
        radius * theta.cos()
    }

    /// Restarts from a seed; what a draw left over is forgotten.
    pub fn reseed(&mut self, seed: u64) {
        *self = Engine::new(seed);
    }
}

/// A random number generator's state (`torch.Generator`).
pub struct Generator {
    engine: Mutex<Engine>,
}

/// A generator with a seed.
pub fn generator(seed: u64) -> Arc<Generator> {
    Arc::new(Generator { engine: Mutex::new(Engine::new(seed)) })
}

/// The generator that operators draw from when the program names none.
pub fn default_generator() -> &'static Arc<Generator> {
    static DEFAULT: LazyLock<Arc<Generator>> = LazyLock::new(|| generator(DEFAULT_SEED));
    &DEFAULT
}

/// Seeds the default generator (`torch.manual_seed`).
pub fn manual_seed(seed: u64) {
    with_engine(default_generator(), |engine| engine.reseed(seed));
}

/// Draws from a generator.
pub fn with_engine<R>(generator: &Generator, draw: impl FnOnce(&mut Engine) -> R) -> R {
    draw(&mut generator.engine.lock().unwrap_or_else(PoisonError::into_inner))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_reference_stream_of_seed_5489() {
        let mut e = Engine::new(5489);
        assert_eq!(e.u32(), 3499211612);
        for _ in 1..9999 {
            e.u32();
        }
        // The C++ standard fixes the ten-thousandth output.
        assert_eq!(e.u32(), 4123659995);
    }

    #[test]
    fn equal_seeds_draw_equally() {
        let (a, b) = (generator(7), generator(7));
        let draw = |g: &Generator| with_engine(g, |e| (e.uniform_double(), e.below(10), e.normal(), e.normal()));
        assert_eq!(draw(&a), draw(&b));
        assert_ne!(draw(&a), draw(&generator(8)));
    }
}
