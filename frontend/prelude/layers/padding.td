//===- padding.td - Borders around the last dimensions -*- tablegen -*-===//

include "Layer.td"

// One for all sides, or one for each of both ends of d dimensions, the last dimension first.
class Border<int d> : Setting<"padding"> {
  defvar ends = Sizes<!mul(2, d)>;
  let type = ends.any;
  let attribute = ends.tuple;
  let passed = "pad";
  let value = "(padding,) * " # !mul(2, d) # " if isinstance(padding, int) else tuple(padding)";
}
class BareBorder<int d> : Border<d> { let shown = Bare; }
// What a base keeps.
class Passed<int d> : BareBorder<d> { let place = Nowhere; }
def value : Setting<"value", "float"> { let attribute = ""; }

class Pad<string mode, list<Setting> settings> : Layer<"F.pad", settings> { let also = ["mode=\"" # mode # "\""]; }

foreach d = 1-3 in {
  def "ReflectionPad"#d#"d" : Pad<"reflect", [BareBorder<d>]> {
    let what = "The border mirrors the inside at its outermost entries.";
  }
  def "ReplicationPad"#d#"d" : Pad<"replicate", [BareBorder<d>]> {
    let what = "The border repeats the outermost entries.";
  }
  def "CircularPad"#d#"d" : Pad<"circular", [BareBorder<d>]> {
    let what = "The border continues with the other end.";
    let guard = "_check_input_dim";
    defvar least = !add(d, 1);
    defvar most = !add(d, 2);
    let expects = [Refuse<"ValueError", "not " # least # " <= input.dim() <= " # most,
                          "expected " # least # "D or " # most # "D input (got {input.dim()}D input)">];
  }
  def "ConstantPad"#d#"d" : Pad<"constant", [Border<d>, value]> {
    let what = "The border is a value.";
    let first = ["value"];
  }
  def "ZeroPad"#d#"d" : Layer<"", [Passed<d>]> {
    let what = "The border is 0.";
    let base = "ConstantPad"#d#"d";
    let given = ["value=0.0"];
  }
}
