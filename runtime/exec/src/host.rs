//! What this processor can do, as text: compiled code is for processors that can do the same.

/// The vector extensions of this processor, in a fixed order.
pub fn host_features() -> String {
    #[cfg(target_arch = "x86_64")]
    {
        macro_rules! features {
            ($($name:tt),*) => {[$(($name, std::arch::is_x86_feature_detected!($name))),*]};
        }
        let known = features![
            "sse3",
            "ssse3",
            "sse4.1",
            "sse4.2",
            "popcnt",
            "avx",
            "avx2",
            "fma",
            "f16c",
            "bmi1",
            "bmi2",
            "lzcnt",
            "movbe",
            "avx512f",
            "avx512bw",
            "avx512cd",
            "avx512dq",
            "avx512vl",
            "avx512vnni",
            "avx512bf16",
            "avx512fp16",
            "avx512vbmi",
            "avx512vbmi2",
            "avx512ifma",
            "avx512bitalg",
            "avx512vpopcntdq",
            "gfni",
            "vaes",
            "vpclmulqdq"
        ];
        let has: Vec<&str> = known.iter().filter(|(_, has)| *has).map(|(name, _)| *name).collect();
        format!("x86_64 {}", has.join(" "))
    }
    #[cfg(not(target_arch = "x86_64"))]
    {
        std::env::consts::ARCH.to_owned()
    }
}
