//! Every bound that readers of this crate obey, in one place.

/// Bounds on what a file may claim. The defaults let pass every file that PyTorch or NumPy writes and a machine can hold.
#[derive(Clone, Debug)]
pub struct Limits {
    /// Members of a zip archive.
    pub entries: u64,
    /// Bytes of one member once it is unpacked.
    pub entry_bytes: u64,
    /// Bytes of all members once they are unpacked.
    pub total_bytes: u64,
    /// Dimensions of an array.
    pub rank: u64,
    /// Bytes of the text header of a `.npy` file.
    pub header_bytes: u64,
}

impl Default for Limits {
    fn default() -> Limits {
        Limits { entries: 1 << 20, entry_bytes: 1 << 36, total_bytes: 1 << 38, rank: 64, header_bytes: 1 << 16 }
    }
}

impl Limits {
    pub(crate) fn check(entry: &str, what: &'static str, value: u64, limit: u64) -> Result<(), crate::Error> {
        if value > limit {
            return Err(crate::Error::Limit { entry: entry.to_string(), what, value, limit });
        }
        Ok(())
    }
}
