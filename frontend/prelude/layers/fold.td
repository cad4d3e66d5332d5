//===- fold.td - Patches of images as columns and back -*- tablegen -*-===//

include "Layer.td"

class Extent<string n, string default = ""> : Setting<n, "Union[int, Tuple[int, ...]]", default>;
defvar patches = [Extent<"kernel_size">, Extent<"dilation", "1">, Extent<"padding", "0">, Extent<"stride", "1">];

def Unfold : Layer<"F.unfold", patches> { let what = "Every patch of an image as a column."; }
def Fold : Layer<"F.fold", !listconcat([Extent<"output_size">], patches)> {
  let what = "The image whose patches are the columns; where they overlap, their sum.";
}
