//! What is written is read again as the program that was written, and PyTorch runs it.

mod common;

use common::{archives, open, recorded};
use sconce_archive::PtWriter;
use sconce_export_program::{Constraint, ExportedProgram, StoredAs};

fn written(program: &ExportedProgram) -> Vec<u8> {
    program.write(PtWriter::new("program", Vec::new())).unwrap_or_else(|e| panic!("{e}"))
}

/// Name, kind, type and bytes of each tensor of the state, and the first that it shares memory with.
fn state(program: &ExportedProgram) -> Vec<(String, StoredAs, String, Vec<u8>, Option<usize>)> {
    let all: Vec<_> = program.state.iter().collect();
    let each = |(i, (name, stored)): (usize, &(&String, &sconce_export_program::Stored))| {
        let tensor = &stored.tensor;
        let shape = (tensor.dtype(), tensor.sizes(), tensor.strides(), tensor.storage_offset(), tensor.requires_grad());
        let shares = all[..i].iter().position(|(_, other)| other.tensor.shares_storage(tensor));
        ((*name).clone(), stored.stored_as, format!("{shape:?}"), tensor.read_bytes(), shares)
    };
    all.iter().enumerate().map(each).collect()
}

#[test]
fn programs_are_the_same_after_writing() {
    let corpus = recorded();
    let mut equal = 0;
    for (name, bytes) in archives(&corpus) {
        let first = open(bytes).unwrap_or_else(|e| panic!("{name}: {e}"));
        let bytes = written(&first);
        let second = open(&bytes).unwrap_or_else(|e| panic!("{name}: {e}"));
        assert_eq!(first.graph_module, second.graph_module, "{name}");
        assert_eq!(first.signature, second.signature, "{name}");
        assert_eq!((&first.in_spec, &first.out_spec), (&second.in_spec, &second.out_spec), "{name}");
        assert_eq!(first.forward_arg_names, second.forward_arg_names, "{name}");
        let constraints = |p: &ExportedProgram| -> Vec<Constraint> { p.constraints.clone() };
        assert_eq!(constraints(&first), constraints(&second), "{name}");
        assert_eq!(first.guards, second.guards, "{name}");
        assert_eq!((&first.verifiers, &first.torch_version), (&second.verifiers, &second.torch_version), "{name}");
        assert_eq!(state(&first), state(&second), "{name}");
        assert_eq!(bytes, written(&second), "{name}: the same program gives the same bytes");
        equal += 1;
    }
    println!("{equal} programs are equal after writing");
}
