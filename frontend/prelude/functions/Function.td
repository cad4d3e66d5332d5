//===- Function.td - What a record of torch.nn.functional says -*- tablegen -*-===//
//
// One record per function in functions/<family>.td that only checks its arguments and chooses an operator; the function has the record's name. From the
// records `cargo xtask codegen` writes generated/torch.nn.functional/<family>.py. What is an algorithm is no record but a text, in files/.
//
//   def glu : Function<[Input, Int<"dim", "-1">]> {
//     let checks = [Check<"input.dim() == 0", "RuntimeError", "glu does not support scalars because halving size must be even">];
//   }
//
// becomes
//
//   def glu(input: Tensor, dim: int = -1) -> Tensor:
//       if input.dim() == 0:
//           raise RuntimeError("glu does not support scalars because halving size must be even")
//       return torch.glu(input, dim)
//
// Functions that are operators of the same name need no record, those of another name are a Synonym.
//
// Expressions are TorchScript. They see the parameters and what `lets` binds; `torch.x` must be an operator of the op table; a name that begins with `_`
// and is called is a helper that another text of torch.nn.functional defines, and is imported from there.
//
//===----------------------------------------------------------------------===//

#ifndef SCONCE_FUNCTION
#define SCONCE_FUNCTION

// `name: type = default`; without a default it must be given.
class Parameter<string n, string t, string d = ""> {
  string name = n;
  string type = t;
  string default = d;
}
class Tensor<string n> : Parameter<n, "Tensor">;
class OptionalTensor<string n, string d = "None"> : Parameter<n, "Optional[Tensor]", d>;
class Float<string n, string d = ""> : Parameter<n, "float", d>;
class Int<string n, string d = ""> : Parameter<n, "int", d>;
class OptionalInt<string n> : Parameter<n, "Optional[int]", "None">;
class Bool<string n, string d> : Parameter<n, "bool", d>;
class OptionalBool<string n> : Parameter<n, "Optional[bool]", "None">;

def Input : Tensor<"input">;
def Target : Tensor<"target">;
def Weight : OptionalTensor<"weight">;
def Bias : OptionalTensor<"bias">;

// `names = value`, before anything else; several names are separated by commas.
class Let<string n, string v> {
  string names = n;
  string value = v;
}

// `error` is raised where `when` holds. In the words, `{x}` is the text of an expression.
class Check<string w, string e, string text> {
  string when = w;
  string error = e;
  string words = text;
}

// Where `when` holds, the result is this one.
class Case<string w, string r> {
  string when = w;
  string result = r;
}

class Call<string function, list<string> arguments> {
  string text = function # "(" # !interleave(arguments, ", ") # ")";
}

// In this order: lets, checks, cases, and otherwise the result: the operator of the function's name on all its parameters.
class Function<list<Parameter> p> {
  list<Parameter> parameters = p;
  list<Let> lets = [];
  list<Check> checks = [];
  list<Case> cases = [];
  string operator = NAME;
  list<string> arguments = !foreach(parameter, parameters, parameter.name);
  string result = Call<"torch." # operator, arguments>.text;
  // The name under which compiled programs know the function, if not the record's.
  string compiled = NAME;
  // With `return_indices` (WithIndices): the pair of result and indices; empty elsewhere.
  string pair = "";
}

// The result alone, or with `return_indices` a pair of it and the indices: two functions of one signature, between which the constant argument of a call
// chooses. Compiled programs know them as `_name` and `name_with_indices`.
class WithIndices<list<Parameter> p, list<Parameter> more = []> : Function<p # [Bool<"return_indices", "False">] # more> {
  let compiled = "_" # NAME;
  // A pair's first part, unless an operator gives it alone.
  let result = pair # "[0]";
}

// The operator of the function's name, or with `inplace` the one whose name ends in an underscore.
class InPlace<list<Parameter> own = []> : Function<[Input] # own # [Bool<"inplace", "False">]> {
  let arguments = ["input"] # !foreach(parameter, own, parameter.name);
  let cases = [Case<"inplace", Call<"torch." # operator # "_", arguments>.text>];
}

// The operator itself, under another name.
class Synonym<string o> { string operator = o; }

#endif
