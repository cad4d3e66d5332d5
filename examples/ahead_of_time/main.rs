//! The classifier from Rust: `rustc main.rs -C link-arg=classifier.o -C link-arg=-lm`.

unsafe extern "C" {
    /// `image` are 3 x 16 x 16 numbers, `result` 4.
    fn classifier_run(image: *const f32, result: *mut f32) -> i32;
}

fn main() {
    let image = [0.5; 3 * 16 * 16];
    let mut classes = [0.0; 4];
    // SAFETY: both are as long as the header says.
    let status = unsafe { classifier_run(image.as_ptr(), classes.as_mut_ptr()) };
    assert_eq!(status, 0);
    let shown: Vec<String> = classes.iter().map(|x| format!("{x:.4}")).collect();
    println!("[[{}]]", shown.join(", "));
}
