//===- dropout.td - Layers that drop what they get at random while training -*- tablegen -*-===//

include "Layer.td"

class Drop<string call, Setting writes = Setting<"inplace", "bool", "False">>
    : Layer<call, [Setting<"p", "float", "0.5">, writes]> {
  let checks = [Refuse<"ValueError", "p < 0 or p > 1", "dropout probability has to be between 0 and 1, but got {p}">];
  let also = ["training=self.training"];
}
// Does not write its input, whatever it was told.
class AlphaDrop<string call> : Drop<call, Kept<"inplace", "bool", "False">>;

def Dropout : Drop<"F.dropout"> { let what = "Each element becomes 0 with probability p, the others x / (1 - p)."; }
foreach d = 1-3 in
  def "Dropout"#d#"d" : Drop<"F.dropout"#d#"d"> { let what = "As Dropout, whole channels at a time."; }
def AlphaDropout : AlphaDrop<"F.alpha_dropout"> {
  let what = "Drops to SELU's negative limit and restores mean and variance.";
}
def FeatureAlphaDropout : AlphaDrop<"F.feature_alpha_dropout"> {
  let what = "As AlphaDropout, whole channels at a time.";
}
