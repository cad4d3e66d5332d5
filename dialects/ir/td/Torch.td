// The torch dialect: types and structural operations. Operators are data, see ops/ and TableOp.cpp.
include "TorchTypes.td"
include "TorchOps.td"
