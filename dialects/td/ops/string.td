//===- string.td - The op table: strings -*- tablegen -*-===//
//
// What a record may say stands in SconceOps.td. After a change run `cargo xtask codegen`.
//
//===----------------------------------------------------------------------===//

include "SconceOps.td"

def : Op<"aten::Float.str(str a) -> float", [TorchMlir]>;

def : Op<"aten::Int.str(str a) -> int">;

def : Op<"aten::__getitem__.str(str s, int index) -> str">;

def : Op<"aten::add.str(str a, str b) -> str", [TorchMlir]>;

def : Op<"aten::capitalize(str self) -> str">;

def : Op<"aten::center(str self, int width, str fillchar=\" \") -> str">;

def : Op<"aten::chr(int i) -> str">;

def : Op<"aten::count(str self, str substr, int start=0, int end=-1) -> int">;

def : Op<"aten::endswith(str self, str substr, int start=0, int end=-1) -> bool">;

def : Op<"aten::eq.str(str a, str b) -> bool", [TorchMlir]>;

def : Op<"aten::expandtabs(str self, int tabsize=8) -> str">;

def : Op<"aten::find(str self, str substr, int start=0, int end=-1) -> int">;

def : Op<"aten::format(str self, ...) -> str", [TorchMlir]>;

def : Op<"aten::ge.str(str a, str b) -> bool">;

def : Op<"aten::gt.str(str a, str b) -> bool">;

def : Op<"aten::index.str(str self, str substr, int start=0, int end=-1) -> int">;

def : Op<"aten::isalnum(str self) -> bool">;

def : Op<"aten::isalpha(str self) -> bool">;

def : Op<"aten::isdigit(str self) -> bool">;

def : Op<"aten::isidentifier(str self) -> bool">;

def : Op<"aten::islower(str self) -> bool">;

def : Op<"aten::isprintable(str self) -> bool">;

def : Op<"aten::isspace(str self) -> bool">;

def : Op<"aten::istitle(str self) -> bool">;

def : Op<"aten::isupper(str self) -> bool">;

def : Op<"aten::join(str self, str[] values) -> str", [TorchMlir]>;

def : Op<"aten::le.str(str a, str b) -> bool">;

def : Op<"aten::len.str(str s) -> int", [TorchMlir]>;

def : Op<"aten::list(str t) -> str[]">;

def : Op<"aten::ljust(str self, int width, str fillchar=\" \") -> str">;

def : Op<"aten::lower(str self) -> str">;

def : Op<"aten::lstrip(str self, str chars=\" \\n\\t\\f\\v\") -> str">;

def : Op<"aten::lt.str(str a, str b) -> bool">;

def : Op<"aten::ne.str(str a, str b) -> bool", [TorchMlir]>;

def : Op<"aten::ord(str string) -> int">;

def : Op<"aten::partition(str self, str separator) -> (str, str, str)">;

def : Op<"aten::percentFormat(str self, ...) -> str">;

def : Op<"aten::replace(str self, str old, str new, int max=-1) -> str">;

def : Op<"aten::rfind(str self, str substr, int start=0, int end=-1) -> int">;

def : Op<"aten::rindex(str self, str substr, int start=0, int end=-1) -> int">;

def : Op<"aten::rjust(str self, int width, str fillchar=\" \") -> str">;

def : Op<"aten::rpartition(str self, str separator) -> (str, str, str)">;

def : Op<"aten::rsplit(str self, str separator=\" \", int max=-1) -> str[]">;

def : Op<"aten::rstrip(str self, str chars=\" \\n\\t\\f\\v\") -> str">;

def : Op<"aten::slice.str(str string, int? start=None, int? end=None, int step=1) -> str">;

def : Op<"aten::split.str(str self, str? separator=None, int max=-1) -> str[]">;

def : Op<"aten::splitlines(str self, bool keepends=False) -> str[]">;

def : Op<"aten::startswith(str self, str substr, int start=0, int end=-1) -> bool">;

def : Op<"aten::str(t elem) -> str", [TorchMlir]>;

def : Op<"aten::strip(str self, str chars=\" \\n\\t\\f\\v\") -> str">;

def : Op<"aten::swapcase(str self) -> str">;

def : Op<"aten::title(str self) -> str">;

def : Op<"aten::upper(str self) -> str">;

def : Op<"aten::zfill(str self, int width) -> str">;
