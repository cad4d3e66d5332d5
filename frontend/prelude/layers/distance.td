//===- distance.td - Distances of rows -*- tablegen -*-===//

include "Layer.td"

class Distance<string call, list<Setting> settings> : Layer<call, settings> { let inputs = ["x1", "x2"]; }

def order : Quiet<"p", "float", "2.0"> { let stored = "norm"; }
def PairwiseDistance : Distance<"F.pairwise_distance",
    [order, Quiet<"eps", "float", "1e-06">, Quiet<"keepdim", "bool", "False">]> {
  let what = "The p-norm of x1 - x2 + eps along the last dimension.";
}

def CosineSimilarity : Distance<"F.cosine_similarity", [Quiet<"dim", "int", "1">, Quiet<"eps", "float", "1e-08">]> {
  let what = "The cosine of the angle between x1 and x2 along dim.";
}
