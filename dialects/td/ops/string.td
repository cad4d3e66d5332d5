//===- string.td - The op table: strings -*- tablegen -*-===//
//
// What a record may say stands in SconceOps.td. After a change run `cargo xtask codegen`.
//
//===----------------------------------------------------------------------===//

include "SconceOps.td"

def : Op<"aten::Float.str(str a) -> float", [TorchMlir]> { let kernel = "string::parse_float"; }

def : Op<"aten::Int.str(str a) -> int"> { let kernel = "string::parse_int"; }

def : Op<"aten::__getitem__.str(str s, int index) -> str"> { let kernel = "string::getitem"; }

def : Op<"aten::add.str(str a, str b) -> str", [TorchMlir]> { let kernel = "string::add"; }

def : Op<"aten::capitalize(str self) -> str"> { let kernel = "string::capitalize"; }

def : Op<"aten::center(str self, int width, str fillchar=\" \") -> str"> { let kernel = "string::center"; }

def : Op<"aten::chr(int i) -> str"> { let kernel = "string::chr"; }

def : Op<"aten::count(str self, str substr, int start=0, int end=-1) -> int"> { let kernel = "string::count"; }

def : Op<"aten::endswith(str self, str substr, int start=0, int end=-1) -> bool"> { let kernel = "string::endswith"; }

def : Op<"aten::eq.str(str a, str b) -> bool", [TorchMlir]> { let kernel = "string::eq"; }

def : Op<"aten::expandtabs(str self, int tabsize=8) -> str"> { let kernel = "string::expandtabs"; }

def : Op<"aten::find(str self, str substr, int start=0, int end=-1) -> int"> { let kernel = "string::find"; }

def : Op<"aten::format(str self, ...) -> str", [TorchMlir, Quantized, DataDependentOutput]> { let kernel = "string::format"; }

def : Op<"aten::ge.str(str a, str b) -> bool"> { let kernel = "string::ge"; }

def : Op<"aten::gt.str(str a, str b) -> bool"> { let kernel = "string::gt"; }

def : Op<"aten::index.str(str self, str substr, int start=0, int end=-1) -> int"> { let kernel = "string::index"; }

def : Op<"aten::isalnum(str self) -> bool"> { let kernel = "string::isalnum"; }

def : Op<"aten::isalpha(str self) -> bool"> { let kernel = "string::isalpha"; }

def : Op<"aten::isdigit(str self) -> bool"> { let kernel = "string::isdigit"; }

def : Op<"aten::isidentifier(str self) -> bool"> { let kernel = "string::isidentifier"; }

def : Op<"aten::islower(str self) -> bool"> { let kernel = "string::islower"; }

def : Op<"aten::isprintable(str self) -> bool"> { let kernel = "string::isprintable"; }

def : Op<"aten::isspace(str self) -> bool"> { let kernel = "string::isspace"; }

def : Op<"aten::istitle(str self) -> bool"> { let kernel = "string::istitle"; }

def : Op<"aten::isupper(str self) -> bool"> { let kernel = "string::isupper"; }

def : Op<"aten::join(str self, str[] values) -> str", [TorchMlir]> { let kernel = "string::join"; }

def : Op<"aten::le.str(str a, str b) -> bool"> { let kernel = "string::le"; }

def : Op<"aten::len.str(str s) -> int", [TorchMlir]> { let kernel = "string::len"; }

def : Op<"aten::list(str t) -> str[]"> { let kernel = "string::list"; }

def : Op<"aten::ljust(str self, int width, str fillchar=\" \") -> str"> { let kernel = "string::ljust"; }

def : Op<"aten::lower(str self) -> str"> { let kernel = "string::lower"; }

def : Op<"aten::lstrip(str self, str chars=\" \\n\\t\\f\\v\") -> str"> { let kernel = "string::lstrip"; }

def : Op<"aten::lt.str(str a, str b) -> bool"> { let kernel = "string::lt"; }

def : Op<"aten::ne.str(str a, str b) -> bool", [TorchMlir]> { let kernel = "string::ne"; }

def : Op<"aten::ord(str string) -> int"> { let kernel = "string::ord"; }

def : Op<"aten::partition(str self, str separator) -> (str, str, str)"> { let kernel = "string::partition"; }

def : Op<"aten::percentFormat(str self, ...) -> str", [DataDependentOutput]> { let kernel = "string::percent_format"; }

def : Op<"aten::replace(str self, str old, str new, int max=-1) -> str"> { let kernel = "string::replace"; }

def : Op<"aten::rfind(str self, str substr, int start=0, int end=-1) -> int"> { let kernel = "string::rfind"; }

def : Op<"aten::rindex(str self, str substr, int start=0, int end=-1) -> int"> { let kernel = "string::rindex"; }

def : Op<"aten::rjust(str self, int width, str fillchar=\" \") -> str"> { let kernel = "string::rjust"; }

def : Op<"aten::rpartition(str self, str separator) -> (str, str, str)"> { let kernel = "string::rpartition"; }

def : Op<"aten::rsplit(str self, str separator=\" \", int max=-1) -> str[]"> { let kernel = "string::rsplit"; }

def : Op<"aten::rstrip(str self, str chars=\" \\n\\t\\f\\v\") -> str"> { let kernel = "string::rstrip"; }

def : Op<"aten::slice.str(str string, int? start=None, int? end=None, int step=1) -> str"> { let kernel = "string::slice"; }

def : Op<"aten::split.str(str self, str? separator=None, int max=-1) -> str[]"> { let kernel = "string::split"; }

def : Op<"aten::splitlines(str self, bool keepends=False) -> str[]"> { let kernel = "string::splitlines"; }

def : Op<"aten::startswith(str self, str substr, int start=0, int end=-1) -> bool"> { let kernel = "string::startswith"; }

def : Op<"aten::str(t elem) -> str", [TorchMlir, DataDependentOutput]> { let kernel = "string::str"; }

def : Op<"aten::strip(str self, str chars=\" \\n\\t\\f\\v\") -> str"> { let kernel = "string::strip"; }

def : Op<"aten::swapcase(str self) -> str"> { let kernel = "string::swapcase"; }

def : Op<"aten::title(str self) -> str"> { let kernel = "string::title"; }

def : Op<"aten::upper(str self) -> str"> { let kernel = "string::upper"; }

def : Op<"aten::zfill(str self, int width) -> str"> { let kernel = "string::zfill"; }

def : Op<"aten::isdecimal(str self) -> bool"> { let kernel = "string::isdecimal"; }

def : Op<"aten::isnumeric(str self) -> bool"> { let kernel = "string::isnumeric"; }

def : Op<"prim::StringIndex(str string, int index) -> str"> { let kernel = "string::getitem"; }
