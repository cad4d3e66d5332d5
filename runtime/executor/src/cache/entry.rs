//! Entries as bytes: a mark, the key, the length, the content, and a sum of all that comes before it.

use super::key::Key;

/// The last two are the version of this form.
const MARK: &[u8; 8] = b"SCNCCH01";
const SUM: usize = 32;
const CONTENT: usize = MARK.len() + 32 + 8;

/// Bytes of an entry with so much content.
pub fn sealed_size(content: u64) -> u64 {
    content.saturating_add((CONTENT + SUM) as u64)
}

pub fn encode(key: &Key, content: &[u8]) -> Vec<u8> {
    let mut out = Vec::with_capacity(CONTENT + content.len() + SUM);
    out.extend_from_slice(MARK);
    out.extend_from_slice(key.bytes());
    out.extend_from_slice(&(content.len() as u64).to_le_bytes());
    out.extend_from_slice(content);
    let sum = blake3::hash(&out);
    out.extend_from_slice(sum.as_bytes());
    out
}

/// The content; none when a byte is wrong, is missing or is too many, or when it is of another key.
pub fn decode(key: &Key, mut bytes: Vec<u8>) -> Option<Vec<u8>> {
    let content = bytes.len().checked_sub(CONTENT + SUM)?;
    let (sealed, sum) = bytes.split_at(CONTENT + content);
    let fields = [&MARK[..], key.bytes(), &(content as u64).to_le_bytes()].concat();
    if sealed[..CONTENT] != fields || blake3::hash(sealed).as_bytes()[..] != *sum {
        return None;
    }
    bytes.truncate(CONTENT + content);
    bytes.drain(..CONTENT);
    Some(bytes)
}
