// What is no type is an error with its place, however deep it nests.
// RUN: sconce-opt %s --split-input-file --verify-diagnostics

// expected-error @+1 {{invalid dtype 'i64' for !torch.tensor type}}
func.func private @f(!torch.vtensor<[2],i64>)

// -----

// expected-error @+1 {{invalid size -7 for !torch.tensor type}}
func.func private @f(!torch.tensor<[2,-7],f32>)

// -----

// expected-error @+1 {{expected ','}}
func.func private @f(!torch.vtensor<[2]>)

// -----

// expected-error @+1 {{invalid sparsity encoding attribute}}
func.func private @f(!torch.vtensor<[2],f32,"dense">)

// -----

// expected-error @+1 {{expected valid keyword}}
func.func private @f(!torch.list<!torch.int>)

// -----

// expected-error @+1 {{unknown type `lst` in dialect `torch`}}
func.func private @f(!torch.lst<int>)

// -----

// expected-error @+1 {{type is nested more than 64 deep}}
func.func private @f(!torch.list<list<list<list<list<list<list<list<list<list<list<list<list<list<list<list<list<list<list<list<list<list<list<list<list<list<list<list<list<list<list<list<list<list<list<list<list<list<list<list<list<list<list<list<list<list<list<list<list<list<list<list<list<list<list<list<list<list<list<list<list<list<list<list<list<list<list<list<int>>>>>>>>>>>>>>>>>>>>>>>>>>>>>>>>>>>>>>>>>>>>>>>>>>>>>>>>>>>>>>>>>>>>>)
