//===- dropout.td - torch.nn.functional: dropout -*- tablegen -*-===//
//
// What a record may say stands in Function.td. After a change run `cargo xtask codegen`.
//
//===----------------------------------------------------------------------===//

include "Function.td"

class Dropout<string trains> : InPlace<[Float<"p", "0.5">, Bool<"training", trains>]> {
  let checks = [Check<"p < 0.0 or p > 1.0", "ValueError", "dropout probability has to be between 0 and 1, but got {p}">];
}
def dropout : Dropout<"True">;
def alpha_dropout : Dropout<"False">;
def feature_alpha_dropout : Dropout<"False">;

// Whole channels, each of so many spatial dimensions.
class ChannelDropout<int spatial> : Dropout<"True"> {
  let cases = [];
  let result = Call<"_drop_channels", ["input", "p", "training", "inplace", !cast<string>(spatial)]>.text;
}
def dropout1d : ChannelDropout<1>;
def dropout2d : ChannelDropout<2>;
def dropout3d : ChannelDropout<3>;
