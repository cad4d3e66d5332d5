//! Whether this processor has what machine code was made for; what is not known to be there counts as missing.

use crate::object::LoadError;

/// Features of code by LLVM's names, each with whether this processor has it.
macro_rules! features {
    ($detected:ident: $($llvm:literal $rust:tt)*) => {
        &[$(($llvm, || std::arch::$detected!($rust))),*]
    };
}

type Feature = (&'static str, fn() -> bool);

#[cfg(target_arch = "x86_64")]
static DETECTED: &[Feature] = features!(is_x86_feature_detected:
    "adx" "adx" "aes" "aes" "avx" "avx" "avx10.1" "avx512fp16" "avx2" "avx2" "avx512bf16" "avx512bf16" "avx512bitalg" "avx512bitalg" "avx512bw" "avx512bw" "avx512cd" "avx512cd"
    "avx512dq" "avx512dq" "avx512f" "avx512f" "avx512fp16" "avx512fp16" "avx512ifma" "avx512ifma" "avx512vbmi" "avx512vbmi" "avx512vbmi2" "avx512vbmi2"
    "avx512vl" "avx512vl" "avx512vnni" "avx512vnni" "avx512vp2intersect" "avx512vp2intersect" "avx512vpopcntdq" "avx512vpopcntdq" "avxifma" "avxifma"
    "avxneconvert" "avxneconvert" "avxvnni" "avxvnni" "avxvnniint16" "avxvnniint16" "avxvnniint8" "avxvnniint8" "bmi" "bmi1" "bmi2" "bmi2" "crc32" "sse4.2"
    "cx16" "cmpxchg16b" "f16c" "f16c" "fma" "fma" "fxsr" "fxsr" "gfni" "gfni" "lzcnt" "lzcnt" "mmx" "mmx" "movbe" "movbe" "pclmul" "pclmulqdq" "popcnt"
    "popcnt" "rdrnd" "rdrand" "rdseed" "rdseed" "rtm" "rtm" "sha" "sha" "sha512" "sha512" "sm3" "sm3" "sm4" "sm4" "sse" "sse" "sse2" "sse2" "sse3" "sse3"
    "sse4.1" "sse4.1" "sse4.2" "sse4.2" "sse4a" "sse4a" "ssse3" "ssse3" "tbm" "tbm" "vaes" "vaes" "vpclmulqdq" "vpclmulqdq" "xsave" "xsave" "xsavec" "xsavec"
    "xsaveopt" "xsaveopt" "xsaves" "xsaves"
);

#[cfg(target_arch = "aarch64")]
static DETECTED: &[Feature] = features!(is_aarch64_feature_detected:
    "aes" "aes" "bf16" "bf16" "bti" "bti" "ccdp" "dpb2" "ccpp" "dpb" "complxnum" "fcma" "crc" "crc" "dotprod" "dotprod" "f32mm" "f32mm" "f64mm" "f64mm"
    "flagm" "flagm" "fp-armv8" "fp" "fp16fml" "fhm" "fptoint" "frintts" "fullfp16" "fp16" "i8mm" "i8mm" "jsconv" "jsconv" "lse" "lse" "neon" "neon"
    "pauth" "paca" "rand" "rand" "rcpc" "rcpc" "rcpc-immo" "rcpc2" "rdm" "rdm" "sb" "sb" "sha2" "sha2" "sha3" "sha3" "sm4" "sm4" "ssbs" "ssbs" "sve" "sve"
    "sve2" "sve2" "sve2-aes" "sve2-aes" "sve2-bitperm" "sve2-bitperm" "sve2-sha3" "sve2-sha3" "sve2-sm4" "sve2-sm4"
);

#[cfg(not(any(target_arch = "x86_64", target_arch = "aarch64")))]
static DETECTED: &[Feature] = &[];

/// Features of which LLVM makes nothing unless code asks for an instruction by name, which regions do not; and those that every processor of 64 bits has.
const NOT_ASKED: &[&str] = &[
    "64bit",
    "amx-avx512",
    "amx-bf16",
    "amx-complex",
    "amx-fp16",
    "amx-fp8",
    "amx-int8",
    "amx-movrs",
    "amx-tf32",
    "amx-tile",
    "cldemote",
    "cmpccxadd",
    "clflushopt",
    "clwb",
    "clzero",
    "cmov",
    "cx8",
    "enqcmd",
    "fsgsbase",
    "hreset",
    "invpcid",
    "kl",
    "lwp",
    "movdir64b",
    "movdiri",
    "mwaitx",
    "pconfig",
    "pku",
    "prefetchi",
    "prfchw",
    "ptwrite",
    "raoint",
    "rdpid",
    "rdpru",
    "sahf",
    "serialize",
    "sgx",
    "shstk",
    "tsxldtrk",
    "uintr",
    "usermsr",
    "waitpkg",
    "wbnoinvd",
    "widekl",
    "x87",
];

/// Processors whose code needs nothing that not all of their kind have.
const PLAIN: &[&str] = &["", "generic", "x86-64"];

/// What this processor has, as text in a fixed order: what is compiled for it runs where the text is the same.
pub fn host_features() -> String {
    let has = DETECTED.iter().filter(|(_, detected)| detected()).map(|(name, _)| *name);
    std::iter::once(std::env::consts::ARCH).chain(has).collect::<Vec<_>>().join(" ")
}

/// Whether code made for a processor with these features (`+avx2,-avx512f,…`) runs here.
pub(crate) fn check(cpu: &str, features: &str) -> Result<(), LoadError> {
    if features.is_empty() && !PLAIN.contains(&cpu) {
        return Err(LoadError::NoFeatures(cpu.into()));
    }
    let wanted = features.split(',').filter_map(|f| f.strip_prefix('+'));
    let has = |name: &str| {
        NOT_ASKED.contains(&name) || DETECTED.iter().find(|f| f.0 == name).is_some_and(|(_, detected)| detected())
    };
    match wanted.into_iter().find(|name| !has(name)) {
        Some(name) => Err(LoadError::Feature(name.into())),
        None => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_not_known_to_be_there_is_missing() {
        assert_eq!(check("generic", ""), Ok(()));
        assert_eq!(check("znver9", "-avx2"), Ok(()));
        assert_eq!(check("znver9", ""), Err(LoadError::NoFeatures("znver9".into())));
        assert_eq!(check("znver9", "-avx2,+teleport"), Err(LoadError::Feature("teleport".into())));
    }

    #[cfg(target_arch = "x86_64")]
    #[test]
    fn what_every_processor_of_its_kind_has_is_there() {
        assert_eq!(check("x86-64", "+sse2,+cmov,-avx512f,+x87"), Ok(()));
        assert_eq!(check("x86-64", "+avx2").is_ok(), std::arch::is_x86_feature_detected!("avx2"));
    }
}
