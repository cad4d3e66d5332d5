//===- sparse.td - Tables of rows -*- tablegen -*-===//

include "Layer.td"

class Size<string n> : Kept<n, "int"> { let shown = Bare; }
class Maybe<string n, string of> : Setting<n, "Optional[" # of # "]", "None"> { let shown = Changed; }

def padding_idx : Maybe<"padding_idx", "int"> {
  let value = "padding_idx + num_embeddings if padding_idx is not None and padding_idx < 0 else padding_idx";
}
def norm_type : Setting<"norm_type", "float", "2.0"> { let shown = Changed; }
defvar renormed = [Maybe<"max_norm", "float">, norm_type, Flag<"scale_grad_by_freq">];
def given_weight : Only<"_weight", "Optional[Tensor]", "None">;

class Table<string call, list<Setting> settings, string subject>
    : Weighted<call, !listconcat([Size<"num_embeddings">, Size<"embedding_dim">], settings),
               [Parameter<"weight", "(num_embeddings, embedding_dim) if _weight is None else _weight">]> {
  let checks = [
      Refuse<"AssertionError", "padding_idx is not None and not -num_embeddings <= padding_idx < num_embeddings",
             subject # " must be within num_embeddings">,
      Refuse<"AssertionError", "_weight is not None and list(_weight.shape) != [num_embeddings, embedding_dim]",
             "Shape of weight does not match num_embeddings and embedding_dim">];
  let initial = [Initial<"weight", "init.normal_">, Initial<"weight", "_zero_row", "self.padding_idx">];
  let fresh = "_weight is None";
}

def Embedding : Table<"F.embedding",
    !listconcat([padding_idx], renormed, [Flag<"sparse">, given_weight, Only<"_freeze", "bool", "False">]),
    "Padding_idx"> {
  let what = "Rows of weight; with max_norm the rows that are used are scaled down to it first.";
  let last = "self.weight.requires_grad_(not _freeze)";
  let methods = [{
    @classmethod
    def from_pretrained(cls, embeddings, freeze=True, padding_idx=None, max_norm=None, norm_type=2.0,
                        scale_grad_by_freq=False, sparse=False):
        return cls(*_matrix(embeddings), padding_idx, max_norm, norm_type, scale_grad_by_freq, sparse,
                   _weight=embeddings, _freeze=freeze)
  }];
}

def EmbeddingBag : Table<"F.embedding_bag",
    !listconcat(renormed, [Setting<"mode", "str", "\"mean\"">, Quiet<"sparse", "bool", "False">, given_weight,
                           Quiet<"include_last_offset", "bool", "False">, padding_idx]), "padding_idx"> {
  let what = "Sums, means or maxima of rows of weight, by bag.";
  let first = ["num_embeddings", "embedding_dim", "max_norm", "norm_type", "scale_grad_by_freq", "padding_idx"];
  let inputs = ["input", "offsets: Optional[Tensor] = None", "per_sample_weights: Optional[Tensor] = None"];
  let methods = [{
    @classmethod
    def from_pretrained(cls, embeddings, freeze=True, max_norm=None, norm_type=2.0, scale_grad_by_freq=False,
                        mode="mean", sparse=False, include_last_offset=False, padding_idx=None):
        made = cls(*_matrix(embeddings), max_norm, norm_type, scale_grad_by_freq, mode, sparse, embeddings,
                   include_last_offset, padding_idx)
        made.weight.requires_grad_(not freeze)
        return made
  }];
}
