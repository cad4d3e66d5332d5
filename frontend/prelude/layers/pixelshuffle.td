//===- pixelshuffle.td - Channels as finer pixels and back -*- tablegen -*-===//

include "Layer.td"

def PixelShuffle : Layer<"F.pixel_shuffle", [Setting<"upscale_factor", "int">]> {
  let what = "Each pixel's r r channels as r times r pixels.";
}
def PixelUnshuffle : Layer<"F.pixel_unshuffle", [Setting<"downscale_factor", "int">]> {
  let what = "Each r times r pixels as r r channels of one.";
}
