//! The C interface of the runtime: whatever C hands over, a call ends with a status, and what the library hands out is one owner's to free.
//!
//! The header `include/sconce.h` is made of the functions and their documentation here (`cargo xtask c-header`), so both are written for who reads C.

mod dlpack;
mod error;
mod given;
mod method;
mod model;
mod process;
mod tensor;
mod value;

/// What the header says of threads: these are used by any number of them at once.
const _: () = {
    const fn shared<T: Send + Sync>() {}
    shared::<error::SconceError>();
    shared::<method::SconceMethod>();
    shared::<model::SconceModel>();
    shared::<tensor::SconceTensor>();
    shared::<value::SconceText>();
    shared::<value::SconceValue>();
};
