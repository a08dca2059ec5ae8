//! Names that hold only inside an expression.

use std::rc::Rc;

use crate::syntax::Expr;

/// The names bound where an expression stands, the innermost first.
pub(crate) type Env<'s> = Option<Rc<Binding<'s>>>;

/// A bound name and those around it.
pub(crate) struct Binding<'s> {
    name: &'s str,
    value: Bound<'s>,
    around: Env<'s>,
}

/// What a bound name stands for.
#[derive(Clone)]
pub(crate) enum Bound<'s> {
    /// An argument, read where it was written.
    Argument(&'s Expr, Env<'s>),
    /// A direction of this name.
    Direction(String),
    /// A tile of this name.
    Tile(String),
    /// A set of this name.
    Group(String),
}

/// What a name is bound to.
pub(crate) fn find<'s>(env: &Env<'s>, name: &str) -> Option<Bound<'s>> {
    let mut now = env.as_ref();
    while let Some(binding) = now {
        if binding.name == name {
            return Some(binding.value.clone());
        }
        now = binding.around.as_ref();
    }
    None
}

/// The names bound, with one more.
pub(crate) fn bind<'s>(around: Env<'s>, name: &'s str, value: Bound<'s>) -> Env<'s> {
    Some(Rc::new(Binding { name, value, around }))
}
