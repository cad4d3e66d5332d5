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
    /// How many times larger than its packed bytes a member of more than [`Limits::FREE_BYTES`] may become.
    pub ratio: u64,
    /// Dimensions of an array.
    pub rank: u64,
    /// Bytes of the text header of a `.npy` file.
    pub header_bytes: u64,
    /// Bytes of one pickle.
    pub pickle_bytes: u64,
    /// Opcodes of one pickle.
    pub opcodes: u64,
    /// Values of one pickle; a string counts as two, a container as six, four elements as one: so much memory they take, in units of some 28 bytes.
    pub values: u64,
    /// The largest number a pickle may memoize under.
    pub memo: u64,
    /// Values inside values of a pickle, and open marks. Readers recurse over values: this many must fit the stack of a thread, 2 MiB.
    pub depth: u64,
    /// Values that a pickle or a JSON document has when everything shared is written out.
    pub expanded: u64,
    /// Bytes of one text: a code file, a JSON document, all source texts of one debug record.
    pub text_bytes: u64,
}

impl Default for Limits {
    fn default() -> Limits {
        Limits {
            entries: 1 << 18,
            entry_bytes: 1 << 36,
            total_bytes: 1 << 38,
            ratio: 128,
            rank: 64,
            header_bytes: 1 << 16,
            pickle_bytes: 1 << 26,
            opcodes: 1 << 25,
            values: 4 << 20,
            memo: 1 << 22,
            depth: 200,
            expanded: 1 << 26,
            text_bytes: 1 << 26,
        }
    }
}

impl Limits {
    /// A member of this size needs no justification by its packed size.
    pub const FREE_BYTES: u64 = 16 << 20;

    pub(crate) fn check(entry: &str, what: &'static str, value: u64, limit: u64) -> Result<(), crate::Error> {
        if value > limit {
            return Err(crate::Error::Limit { entry: entry.to_string(), what, value, limit });
        }
        Ok(())
    }
}
