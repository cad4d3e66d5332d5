//! Functions hold the scopes that they were defined in, whose names hold them: when an evaluation ends these circles are cut, so that nothing of it stays in memory.

use crate::value::{Class, Function, Scope};
use std::cell::RefCell;
use std::rc::{Rc, Weak};

/// The functions and classes that an evaluation made, as far as they are still there.
#[derive(Default)]
pub(crate) struct Made {
    functions: RefCell<Vec<Weak<Function>>>,
    classes: RefCell<Vec<Weak<Class>>>,
}

impl Made {
    pub fn function(&self, function: Function) -> Rc<Function> {
        let function = Rc::new(function);
        add(&mut self.functions.borrow_mut(), &function);
        function
    }

    pub fn class(&self, class: Class) -> Rc<Class> {
        let class = Rc::new(class);
        add(&mut self.classes.borrow_mut(), &class);
        class
    }
}

/// Adds one; before the list grows it loses those that are gone, so that a loop over a lambda keeps none.
fn add<T>(list: &mut Vec<Weak<T>>, one: &Rc<T>) {
    if list.len() == list.capacity() {
        list.retain(|made| made.strong_count() > 0);
        list.reserve(list.len() + 1);
    }
    list.push(Rc::downgrade(one));
}

fn alive<T>(list: &RefCell<Vec<Weak<T>>>) -> Vec<Rc<T>> {
    list.take().iter().filter_map(Weak::upgrade).collect()
}

/// Forgets the names of a scope and of those around it.
fn cut(scope: &Rc<Scope>) {
    let mut at = Some(scope);
    while let Some(scope) = at {
        drop(scope.names.take());
        drop(scope.method.take());
        at = scope.parent.as_ref();
    }
}

impl Drop for Made {
    fn drop(&mut self) {
        let (functions, classes) = (alive(&self.functions), alive(&self.classes));
        for function in &functions {
            cut(&function.closure);
            drop((
                function.class.take(),
                function.overloads.take(),
                function.attributes.take(),
                function.traced.take(),
            ));
        }
        for class in &classes {
            cut(&class.closure);
            drop((class.order.take(), class.attributes.take(), class.annotations.take()));
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::{Evaluator, Fault, Limits};
    use sconce_graph::graph::SourceText;
    use std::rc::{Rc, Weak};

    /// The scope of a file, once its evaluation is over.
    fn left_of(text: &str) -> Weak<super::Scope> {
        let evaluator = Evaluator::new(Limits::default());
        let source = SourceText::file("m.py", text.to_owned());
        let tree = evaluator.parse(&source).map_err(Fault::into_error).expect("Python");
        let scope = evaluator.run_file("m", source, &tree).map_err(Fault::into_error).expect("it runs");
        let left = Rc::downgrade(&scope);
        drop(scope);
        assert!(left.strong_count() > 0, "the evaluator needs it");
        left
    }

    #[test]
    fn nothing_of_an_evaluation_stays() {
        let texts = [
            "def f(x):\n    return f(x)\n",
            "class A:\n    def f(self):\n        return A()\n\nclass B(A):\n    x: int\n    def f(self):\n        return super().f()\n\nb = B()\nb.g = lambda: b\n",
            "from enum import Enum\nfrom typing import NamedTuple\nclass E(Enum):\n    A = 1\n\nclass P(NamedTuple):\n    x: int\n\np = P(1)\n",
            "def outer(n):\n    def inner():\n        return inner, n\n    return inner\n\nkept = [outer(i) for i in range(100)]\n",
            "import torch\nclass M(torch.nn.Module):\n    def __init__(self):\n        super().__init__()\n        self.layer = torch.nn.Linear(2, 2)\n    def forward(self, x):\n        return self.layer(x)\n\nm = M()\n",
        ];
        for text in texts {
            assert_eq!(left_of(text).strong_count(), 0, "{text}");
        }
    }
}
