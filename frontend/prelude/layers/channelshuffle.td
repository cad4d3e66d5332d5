//===- channelshuffle.td - Channels in another order -*- tablegen -*-===//

include "Layer.td"

def ChannelShuffle : Layer<"F.channel_shuffle", [Setting<"groups", "int">]> {
  let what = "The channels of all groups in turn: a matrix of groups, transposed.";
}
