//===- Layer.td - What a record of a layer says -*- tablegen -*-===//
//
// One record for each class of torch.nn.modules.<module> whose `forward` is one call, in <module>.td. The record's name
// is the class's. From the records `cargo xtask codegen` writes ../generated/torch.nn.modules.<module>.py.
//
//   def CELU : Layer<"F.celu", [alpha, inplace]> {
//     let what = "max(0, x) + min(0, alpha (exp(x / alpha) - 1)).";
//   }
//
// is a class with the constructor CELU(alpha, inplace), which keeps both, shows them (`inplace` where it is set) and
// calls `F.celu(input, alpha=self.alpha, inplace=self.inplace)`. Strings that stand for code are Python, of the
// constructor's parameters and of `self`. What a record may name from elsewhere stands in
// tools/xtask/src/prelude/layers/python.rs.
//
//===----------------------------------------------------------------------===//

#ifndef SCONCE_LAYER
#define SCONCE_LAYER

//===-- Settings: the constructor's parameters -------------------------------------------------------------------===//

// Where a setting stays.
class Place;
def Constant : Place;  // an attribute, a constant in TorchScript
def Attribute : Place; // an attribute that TorchScript may write
def Buffer : Place;    // a buffer
def Nowhere : Place;   // it only serves the construction

// How `repr` shows it. Strings are quoted; what is a parameter of the layer is shown as there or not.
class Shown;
def Named : Shown;   // alpha=1.0
def Bare : Shown;    // 1.0
def Changed : Shown; // as Named, where it is not its default
def Hidden : Shown;

class Setting<string n, string t = "", string d = ""> {
  string name = n;
  string type = t;        // its annotation, if any
  string default = d;     // if any
  bit given = 1;          // to the constructor; else only `value` tells it
  bit keyword = 0;        // given by name only
  Place place = Constant;
  string stored = n;      // the attribute's name
  string value = n;       // what becomes of it before it is kept
  string attribute = t;   // the attribute's annotation, if any
  string passed = n;      // the name by which the call gets it; empty: not at all
  Shown shown = Named;
}
// Kept, but not for the call: sizes of parameters and the like.
class Kept<string n, string t = "", string d = ""> : Setting<n, t, d> { let passed = ""; }
// Kept and passed, not shown.
class Quiet<string n, string t = "", string d = ""> : Setting<n, t, d> { let shown = Hidden; }
// As Quiet, but TorchScript may write it.
class Free<string n, string t = "", string d = ""> : Quiet<n, t, d> {
  let place = Attribute;
  let attribute = "";
}
// Serves the construction.
class Only<string n, string t = "", string d = ""> : Kept<n, t, d> {
  let place = Nowhere;
  let shown = Hidden;
}
// Whether there is the parameter of this name.
class Switch<string n> : Only<n, "bool", "True"> { let shown = Named; }
class Held<string n> : Setting<n, "Optional[Tensor]", "None"> {
  let place = Buffer;
  let shown = Hidden;
}
class Flag<string n> : Setting<n, "bool", "False"> { let shown = Changed; }

// A number, or one for each dimension.
class Sizes<int d, string of = "int"> {
  string tuple = "Tuple[" # !interleave(!listsplat(of, d), ", ") # "]";
  string any = "Union[" # of # ", " # tuple # "]";
  // What makes a tuple of either.
  string read = !cond(!eq(d, 1): "_single", !eq(d, 2): "_pair", true: "_triple");
}

def inplace : Flag<"inplace">;
def device : Only<"device", "", "None">;
def dtype : Only<"dtype", "", "None">;

//===-- Checks ---------------------------------------------------------------------------------------------------===//

// What the constructor, or `forward`, does first: raises an error, or warns, when a condition holds.
class Check<string k, string c, string w> {
  string kind = k;     // the class of the error or warning
  string when = c;     // empty: always
  string words = w;    // may hold `{…}`
  string around = "";  // a statement that it stands in: `for i, size in enumerate(sizes)`
  bit warns = 0;
}
class Refuse<string kind, string when, string words> : Check<kind, when, words>;
class Warn<string kind, string when, string words> : Check<kind, when, words> { let warns = 1; }

//===-- Parameters -----------------------------------------------------------------------------------------------===//

class Parameter<string n, string s, string c = ""> {
  string name = n;
  string shape = s; // a tuple, or the tensor itself
  string when = c;  // there is one where this holds; empty: always
}
// `function(self.parameter, more)`, unless the parameter is None.
class Initial<string p, string f, string m = ""> {
  string parameter = p;
  string function = f;
  string more = m;
}

//===-- Layers ---------------------------------------------------------------------------------------------------===//

class Layer<string c = "", list<Setting> s = []> {
  string what = ?;                 // what it computes, in a sentence
  list<Setting> settings = s;
  string base = "Module";          // another class of the module gets the settings by name, and
  list<string> given = [];         // these arguments
  list<string> first = [];         // attributes set before the others, which come in the order of settings
  list<Check> checks = [];
  list<Parameter> parameters = [];
  list<Initial> initial = [];      // `reset_parameters`, in the order of draws
  string fresh = "";               // the constructor calls it where this holds; empty: always
  string last = "";                // what the constructor does in the end

  list<string> inputs = ["input"]; // of `forward`, as in Python; a Tensor unless it says otherwise
  list<Check> expects = [];        // of the inputs
  string guard = "";               // the method that checks them, where it has one of its own
  string returns = "Tensor";
  // A function, which gets the required inputs, then by name the settings that are kept, the parameters, what is in
  // `also`, and the other inputs. Or the whole expression.
  string call = c;
  list<string> also = [];
  list<string> shows = [];         // the terms of `extra_repr`, where settings do not tell them

  string methods = "";             // further members of the class, as they are
}

// Has parameters, and so a device and a dtype for them.
class Weighted<string c, list<Setting> s, list<Parameter> p> : Layer<c, !listconcat(s, [device, dtype])> {
  let parameters = p;
}

#endif
