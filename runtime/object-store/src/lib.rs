//! Entries of the compile cache on a shared folder or an object store: each question ends within [`PATIENCE`], and no more is read than was asked for.
//!
//! It knows what stores are and nothing of what is in them: who reads an entry checks it.
#![forbid(unsafe_code)]

use futures_util::StreamExt;
use object_store::aws::{AmazonS3, AmazonS3Builder, AmazonS3ConfigKey};
use object_store::local::LocalFileSystem;
use object_store::path::Path;
use object_store::{ClientConfigKey, Error, ObjectStore, ObjectStoreExt, RetryConfig};
use sconce_executor::Store;
use std::sync::Arc;
use std::time::Duration;
use tokio::runtime::{Builder, Runtime};
use url::Url;

/// How long a question may take, with everything that is tried again.
pub const PATIENCE: Duration = Duration::from_secs(10);

/// How long a server may take to be reached. One that is not there costs a process no more.
const CONNECTING: Duration = Duration::from_secs(2);

/// A shared folder or a bucket, with the prefix of everything that is kept there.
///
/// ```
/// use sconce_executor::Store;
/// use sconce_object_store::Bucket;
/// let folder = tempfile::tempdir()?;
/// let bucket = Bucket::open(&format!("file://{}/code", folder.path().display()))?;
/// assert_eq!(bucket.get("one", 1 << 20)?, None);
/// bucket.put("one", b"program".to_vec())?;
/// assert_eq!(bucket.get("one", 1 << 20)?, Some(b"program".to_vec()));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct Bucket {
    store: Arc<dyn ObjectStore>,
    prefix: Path,
    url: String,
    /// What waits for answers. Emptied when the store is dropped, without waiting for what hangs.
    runtime: Option<Runtime>,
}

impl Bucket {
    /// `file:///folder`, whose folders are made when something is kept there, or `s3://bucket/prefix`. Of the latter, `AWS_ACCESS_KEY_ID`, `AWS_SECRET_ACCESS_KEY`,
    /// `AWS_REGION`, `AWS_ENDPOINT` and what else the `object_store` crate reads say where it is and who asks; `AWS_ALLOW_HTTP=true` allows servers without TLS.
    ///
    /// # Errors
    /// The URL is none of these, or the variables make no sense. Nothing is asked of a server yet.
    pub fn open(url: &str) -> Result<Bucket, String> {
        let wrong = |why: String| format!("{url}: {why}");
        let parsed = Url::parse(url).map_err(|e| wrong(e.to_string()))?;
        let prefix = Path::from_url_path(parsed.path()).map_err(|e| wrong(e.to_string()))?;
        let store: Arc<dyn ObjectStore> = match parsed.scheme() {
            "file" if parsed.host().is_none() => Arc::new(LocalFileSystem::new()),
            "file" => return Err(wrong("file:///folder is expected, not a folder of another machine's".into())),
            "s3" => Arc::new(amazon(&parsed).map_err(|e| wrong(e.to_string()))?),
            _ => return Err(wrong("s3://bucket/prefix or file:///folder is expected".into())),
        };
        let runtime = Builder::new_current_thread().enable_all().build().map_err(|e| wrong(e.to_string()))?;
        Ok(Bucket { store, prefix, url: url.to_owned(), runtime: Some(runtime) })
    }

    /// Waits for an answer, but not longer than [`PATIENCE`].
    fn wait<T>(&self, answer: impl Future<Output = Result<T, String>>) -> Result<T, String> {
        let Some(runtime) = &self.runtime else { return Err("it is closed".into()) };
        let bounded = async { tokio::time::timeout(PATIENCE, answer).await };
        runtime.block_on(bounded).unwrap_or_else(|_| Err(format!("no answer within {} s", PATIENCE.as_secs())))
    }
}

fn amazon(url: &Url) -> object_store::Result<AmazonS3> {
    // Of the two implementations of TLS's sums that rustls has, the one that needs no C compiler of its own; one that is there already stays.
    let _ = rustls::crypto::ring::default_provider().install_default();
    let seconds = |time: Duration| format!("{}s", time.as_secs());
    let retry = RetryConfig { max_retries: 1, retry_timeout: PATIENCE, ..RetryConfig::default() };
    AmazonS3Builder::from_env()
        .with_config(AmazonS3ConfigKey::Client(ClientConfigKey::Timeout), seconds(PATIENCE))
        .with_config(AmazonS3ConfigKey::Client(ClientConfigKey::ConnectTimeout), seconds(CONNECTING))
        .with_retry(retry)
        .with_url(url.as_str())
        .build()
}

impl Store for Bucket {
    fn get(&self, name: &str, most: u64) -> Result<Option<Vec<u8>>, String> {
        let place = self.prefix.clone().join(name);
        self.wait(async {
            let found = match self.store.get(&place).await {
                Err(Error::NotFound { .. }) => return Ok(None),
                found => found.map_err(|e| e.to_string())?,
            };
            let (size, too_large) = (found.meta.size, || format!("{place} has more than {most} bytes"));
            if size > most {
                return Err(too_large());
            }
            let mut bytes = Vec::new();
            let mut parts = found.into_stream();
            while let Some(part) = parts.next().await {
                let part = part.map_err(|e| e.to_string())?;
                // What a server says of a size need not be so.
                if bytes.len() as u64 + part.len() as u64 > most {
                    return Err(too_large());
                }
                bytes.extend_from_slice(&part);
            }
            Ok(Some(bytes))
        })
    }

    fn put(&self, name: &str, bytes: Vec<u8>) -> Result<(), String> {
        let place = self.prefix.clone().join(name);
        self.wait(async { self.store.put(&place, bytes.into()).await.map(drop).map_err(|e| e.to_string()) })
    }

    fn place(&self) -> &str {
        &self.url
    }
}

impl Drop for Bucket {
    fn drop(&mut self) {
        if let Some(runtime) = self.runtime.take() {
            runtime.shutdown_background();
        }
    }
}
