//! What a program prints goes where Python's `print` goes at the time: `sys.stdout`, which notebooks and tests put in place of the process's.

use pyo3::prelude::*;
use std::io::{Error, Write};

/// Python's `sys.stdout`.
pub struct StandardOutput;

impl Write for StandardOutput {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        let written = Python::try_attach(|py| {
            let out = py.import("sys")?.getattr("stdout")?;
            // A process without a console has none.
            if !out.is_none() {
                out.call_method1("write", (String::from_utf8_lossy(bytes),))?;
            }
            PyResult::Ok(())
        });
        match written {
            Some(Err(e)) => Err(Error::other(e.to_string())),
            _ => Ok(bytes.len()),
        }
    }

    fn flush(&mut self) -> std::io::Result<()> {
        Ok(())
    }
}
