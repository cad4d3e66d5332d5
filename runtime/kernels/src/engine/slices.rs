//! Functions of scalar expressions as loops over slices of one length.

/// `out[i] = f(a[i])`; both have one length.
pub type Map<T> = fn(&mut [T], &[T]);

/// `out[i] = f(a[i], b[i])`; all have one length.
pub type Zip<T> = fn(&mut [T], &[T], &[T]);

/// `out[i][j] = f(a[i][j], b)` in rows of a length: `b` is one element for each row (a column), or one row for all.
pub type ByRows<T> = fn(&mut [T], &[T], &[T], usize, bool);

/// `out[i] = if a[i] … b[i] { x[i] } else { y[i] }`; all have one length.
pub type Choose<T> = fn(&mut [T], &[T], &[T], &[T], &[T]);

/// `out[i] = f(a[i], x, y)` for two numbers; both slices have one length.
pub type Between<T> = fn(&mut [T], &[T], T, T);
