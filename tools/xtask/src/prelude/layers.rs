//! Records of layers (`frontend/prelude/layers/*.td`) as Python text, a file of classes for each module.

mod python;
mod record;

use record::Layer;
use std::collections::BTreeMap;
use std::path::Path;
use tblgen::TableGenParser;

/// Where the records are; beside them lies `Layer.td`, which says what a record may say.
const RECORDS: &str = "frontend/prelude/layers";

/// Every generated file with its text, by path below the root.
pub fn generate(root: &Path) -> Result<BTreeMap<String, String>, String> {
    let mut files = BTreeMap::new();
    let mut errors = Vec::new();
    for module in modules(&root.join(RECORDS))? {
        let layers = read_module(root, &module, &mut errors);
        let path = format!("{}/torch.nn.modules.{module}.py", super::GENERATED);
        files.insert(path, python::module(&format!("{RECORDS}/{module}.td"), &layers));
    }
    match errors.is_empty() {
        true => Ok(files),
        false => Err(format!("{} errors in the records of layers\n{}", errors.len(), errors.join("\n"))),
    }
}

/// The modules that have records, sorted; none where there is no folder of records.
fn modules(folder: &Path) -> Result<Vec<String>, String> {
    if !folder.exists() {
        return Ok(Vec::new());
    }
    let entries = std::fs::read_dir(folder).map_err(|e| format!("{}: {e}", folder.display()))?;
    let mut modules: Vec<String> = entries
        .flatten()
        .filter_map(|e| Some(e.file_name().to_str()?.strip_suffix(".td")?.to_owned()))
        .filter(|stem| stem.starts_with(|c: char| c.is_ascii_lowercase()))
        .collect();
    modules.sort();
    Ok(modules)
}

/// The layers of one file, in its order; what is wrong is added to the errors, with file and line.
fn read_module(root: &Path, module: &str, errors: &mut Vec<String>) -> Vec<Layer> {
    let folder = root.join(RECORDS);
    let file = folder.join(format!("{module}.td"));
    let parser =
        TableGenParser::new().add_include_directory(&folder.to_string_lossy()).add_source_file(&file.to_string_lossy());
    let keeper = match parser.parse() {
        Ok(keeper) => keeper,
        Err(e) => {
            errors.push(format!("{}: {e}", file.display()));
            return Vec::new();
        }
    };
    let mut records: Vec<_> = keeper.all_derived_definitions("Layer").collect();
    records.sort_by_key(|r| r.id());
    let mut layers = Vec::new();
    for record in records {
        match Layer::read(record) {
            Ok(layer) => layers.push(layer),
            Err(message) => errors.push(crate::codegen::located(&keeper, record, message)),
        }
    }
    layers
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The text of one record, or the errors.
    fn made_of(records: &str) -> String {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let layers = folder.path().join(RECORDS);
        std::fs::create_dir_all(&layers).expect("a folder");
        std::fs::copy(crate::root().join(RECORDS).join("Layer.td"), layers.join("Layer.td")).expect("the base class");
        std::fs::write(layers.join("probe.td"), format!("include \"Layer.td\"\n{records}\n")).expect("a file");
        match generate(folder.path()) {
            Ok(files) => files.into_values().collect(),
            Err(message) => message,
        }
    }

    #[test]
    fn a_record_is_a_class() {
        let text = made_of(
            "def CELU : Layer<\"F.celu\", [Setting<\"alpha\", \"float\", \"1.0\">, inplace]> { let what = \"Bent.\"; }",
        );
        let class = text.split_once("class ").map_or("", |(_, class)| class);
        assert_eq!(
            class,
            r#"CELU(Module):
    """Bent."""

    __constants__ = ["alpha", "inplace"]
    alpha: float
    inplace: bool

    def __init__(self, alpha: float = 1.0, inplace: bool = False) -> None:
        super().__init__()
        self.alpha = alpha
        self.inplace = inplace

    def extra_repr(self) -> str:
        return f"alpha={self.alpha}" + (", inplace=True" if self.inplace else "")

    def forward(self, input: Tensor) -> Tensor:
        return F.celu(input, alpha=self.alpha, inplace=self.inplace)
"#
        );
    }

    #[test]
    fn a_bad_record_is_named_with_file_and_line() {
        let silent = made_of("def Mute : Layer<\"F.celu\">;");
        assert!(silent.contains("probe.td:2:") && silent.contains("`what`"), "{silent}");
        let unknown = made_of("def A : Layer<\"F.a\"> { let what = \"A.\"; let first = [\"size\"]; }");
        assert!(unknown.contains("probe.td:2:") && unknown.contains("first: no setting `size`"), "{unknown}");
        let order = made_of(
            "def A : Layer<\"F.a\", [inplace, Setting<\"size\">]> {\n  let what = \"A.\";\n}\ndef B : Layer<\"F.b\">;",
        );
        assert!(order.contains("2 errors") && order.contains("`size` needs a default"), "{order}");
    }
}
