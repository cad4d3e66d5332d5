//! The compile cache of a place that people name: a store that cannot be had costs a line of the report, and the folder is used alone.

use sconce_executor::{Cache, CacheError, CacheOptions, CachePlace, Store};
use std::sync::Arc;

/// Opens the cache of a place: its folder, and the store beside it if one is named (the feature `object-store`).
///
/// ```
/// use sconce::cache::open;
/// use sconce::executor::{CacheOptions, CachePlace};
/// let folder = tempfile::tempdir()?;
/// let place = CachePlace { folder: folder.path().join("own"), store: Some(format!("file://{}/all", folder.path().display())) };
/// let cache = open(&place, CacheOptions::default())?;
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// The folder cannot be had, or somebody else can write to it.
pub fn open(place: &CachePlace, options: CacheOptions) -> Result<Cache, CacheError> {
    let store = place.store.as_deref().and_then(|url| {
        let opened = store(url);
        if let (Err(why), Some(report)) = (&opened, &options.report) {
            report(&format!("compile cache: nothing is shared with other machines: {why}"));
        }
        opened.ok()
    });
    Cache::open(&place.folder, CacheOptions { store, ..options })
}

#[cfg(feature = "object-store")]
fn store(url: &str) -> Result<Arc<dyn Store>, String> {
    Ok(Arc::new(sconce_object_store::Bucket::open(url)?))
}

#[cfg(not(feature = "object-store"))]
fn store(url: &str) -> Result<Arc<dyn Store>, String> {
    Err(format!("{url}: this program was built without the feature object-store"))
}
