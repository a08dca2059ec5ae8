//! Tables by functions: `timeline('chess', '<position>', depth)`, and `positions` with the same
//! arguments, where paths that meet are merged.

use std::fmt;
use std::sync::Arc;

use datafusion::catalog::{TableFunctionArgs, TableFunctionImpl, TableProvider};
use datafusion::common::ScalarValue;
use datafusion::error::Result;
use datafusion::logical_expr::Expr;
use datafusion::prelude::SessionContext;
use senet_timeline::{Request, Shape, Timeline};

use crate::shelf::{Shelf, plan};
use crate::source::TimelineTable;

/// A function that gives a timeline.
struct Function {
    name: &'static str,
    shape: Shape,
    shelf: Arc<Shelf>,
}

impl fmt::Debug for Function {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name)
    }
}

pub(crate) fn register(context: &SessionContext, shelf: &Arc<Shelf>) {
    for (name, shape) in [("timeline", Shape::Tree), ("positions", Shape::Distinct)] {
        let function = Function { name, shape, shelf: shelf.clone() };
        context.register_udtf(name, Arc::new(function));
    }
}

impl TableFunctionImpl for Function {
    fn call_with_args(&self, args: TableFunctionArgs<'_, '_>) -> Result<Arc<dyn TableProvider>> {
        let exprs = args.exprs();
        let usage = || {
            let name = self.name;
            plan(format!(
                "write `{name}(game, position, depth)` or \
                 `{name}(game, position, depth, prune)`"
            ))
        };
        let wrong = |error: &dyn fmt::Display| plan(format!("`{}`: {error}", self.name));
        if !(3..=4).contains(&exprs.len()) {
            return Err(usage());
        }
        let text = |at: usize| exprs.get(at).map(text).transpose();
        let game = text(0)?.flatten().ok_or_else(usage)?;
        let subject = self.shelf.find(&game)?;
        let state = match text(1)?.flatten().filter(|position| !position.is_empty()) {
            None => subject.game.start(),
            Some(position) => {
                let state = subject.notation.parse_position(&subject.game, &position);
                state.map_err(|error| wrong(&error))?
            }
        };
        let depth = number(&exprs[2]).ok_or_else(usage)?;
        let depth = u32::try_from(depth).unwrap_or(if depth < 0 { 0 } else { u32::MAX });
        let request = Request {
            shape: self.shape,
            prune: text(3)?.flatten(),
            ..Request::below(state, depth)
        };
        let timeline = Timeline::new(subject, request).map_err(|error| wrong(&error))?;
        Ok(Arc::new(TimelineTable::new(&timeline)))
    }
}

/// A text that stands in a query; none if it is null.
fn text(expr: &Expr) -> Result<Option<String>> {
    match expr {
        Expr::Literal(ScalarValue::Null, _) => Ok(None),
        Expr::Literal(
            ScalarValue::Utf8(text) | ScalarValue::Utf8View(text) | ScalarValue::LargeUtf8(text),
            _,
        ) => Ok(text.clone()),
        other => Err(plan(format!("expected a text in single quotes, found `{other}`"))),
    }
}

fn number(expr: &Expr) -> Option<i64> {
    match expr {
        Expr::Literal(ScalarValue::Int64(number), _) => *number,
        Expr::Negative(inside) => Some(-number(inside)?),
        _ => None,
    }
}
