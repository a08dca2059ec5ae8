//! The node of a plan that expands work units into rows.
//!
//! It is no leaf: its input holds the units, a row each. So any planner may divide the work by
//! dividing the input, on this machine or on others.

use std::fmt;
use std::sync::Arc;

use datafusion::arrow::array::{AsArray, RecordBatch};
use datafusion::common::tree_node::TreeNodeRecursion;
use datafusion::error::{DataFusionError, Result};
use datafusion::execution::{SendableRecordBatchStream, TaskContext};
use datafusion::physical_expr::{EquivalenceProperties, Partitioning, PhysicalExpr};
use datafusion::physical_plan::coop::cooperative;
use datafusion::physical_plan::execution_plan::{Boundedness, EmissionType, SchedulingType};
use datafusion::physical_plan::stream::RecordBatchStreamAdapter;
use datafusion::physical_plan::{
    DisplayAs, DisplayFormatType, ExecutionPlan, ExecutionPlanProperties, PlanProperties,
};
use futures::{StreamExt, TryStreamExt, stream};
use senet_timeline::{Distinct, Shape, Timeline, Unit, Walk};

use crate::shelf::plan;

/// Expands work units into the rows of a timeline.
pub struct ExpandExec {
    timeline: Arc<Timeline>,
    input: Arc<dyn ExecutionPlan>,
    properties: Arc<PlanProperties>,
}

impl ExpandExec {
    /// The rows of a timeline below the units of an input.
    pub fn new(timeline: Arc<Timeline>, input: Arc<dyn ExecutionPlan>) -> ExpandExec {
        let partitions = input.output_partitioning().partition_count();
        let properties = PlanProperties::new(
            EquivalenceProperties::new(timeline.schema()),
            Partitioning::UnknownPartitioning(partitions),
            EmissionType::Incremental,
            Boundedness::Bounded,
        )
        .with_scheduling_type(SchedulingType::Cooperative);
        ExpandExec { timeline, input, properties: Arc::new(properties) }
    }

    /// The timeline.
    pub fn timeline(&self) -> &Arc<Timeline> {
        &self.timeline
    }
}

impl fmt::Debug for ExpandExec {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.fmt_as(DisplayFormatType::Default, f)
    }
}

impl DisplayAs for ExpandExec {
    fn fmt_as(&self, _: DisplayFormatType, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let columns: Vec<&str> =
            self.timeline.columns().iter().map(|column| column.name()).collect();
        let (game, depth) = (self.timeline.subject().game.name(), self.timeline.depth());
        write!(f, "ExpandExec: game={game}, depth={depth}, columns=[{}]", columns.join(", "))?;
        match self.timeline.prune() {
            Some(prune) => write!(f, ", prune={prune}"),
            None => Ok(()),
        }
    }
}

impl ExecutionPlan for ExpandExec {
    fn name(&self) -> &str {
        "ExpandExec"
    }

    fn properties(&self) -> &Arc<PlanProperties> {
        &self.properties
    }

    fn children(&self) -> Vec<&Arc<dyn ExecutionPlan>> {
        vec![&self.input]
    }

    fn apply_expressions(
        &self,
        _: &mut dyn FnMut(&Arc<dyn PhysicalExpr>) -> Result<TreeNodeRecursion>,
    ) -> Result<TreeNodeRecursion> {
        Ok(TreeNodeRecursion::Continue)
    }

    /// The units are dealt out already; dealing them out again would only cost.
    fn benefits_from_input_partitioning(&self) -> Vec<bool> {
        vec![false]
    }

    fn with_new_children(
        self: Arc<Self>,
        children: Vec<Arc<dyn ExecutionPlan>>,
    ) -> Result<Arc<dyn ExecutionPlan>> {
        match <[Arc<dyn ExecutionPlan>; 1]>::try_from(children) {
            Ok([input]) => Ok(Arc::new(ExpandExec::new(self.timeline.clone(), input))),
            Err(_) => Err(plan("ExpandExec has one child")),
        }
    }

    fn execute(
        &self,
        partition: usize,
        context: Arc<TaskContext>,
    ) -> Result<SendableRecordBatchStream> {
        let timeline = self.timeline.clone();
        let units = self.input.execute(partition, context)?;
        let rows = units.map(move |units| rows(&timeline, &units?)).map_ok(stream::iter);
        let rows = RecordBatchStreamAdapter::new(self.timeline.schema(), rows.try_flatten());
        // A walk never waits; so that it can be called off, it lets others have their turn.
        Ok(Box::pin(cooperative(rows)))
    }
}

/// Batches as they are made.
type Rows = Box<dyn Iterator<Item = Result<RecordBatch>> + Send>;

/// The rows below the units of a batch.
fn rows(timeline: &Arc<Timeline>, units: &RecordBatch) -> Result<Rows> {
    let failed = |error| DataFusionError::External(Box::new(error));
    if timeline.shape() == Shape::Distinct {
        return Ok(match units.num_rows() {
            0 => Box::new(std::iter::empty()),
            _ => Box::new(Distinct::new(timeline).map(move |batch| batch.map_err(failed))),
        });
    }
    let parse = |text: Option<&str>| {
        text.and_then(Unit::parse).ok_or_else(|| plan("no work unit of a timeline"))
    };
    let column = units.column(0).as_string::<i32>();
    let units = column.iter().map(parse).collect::<Result<Vec<Unit>>>()?;
    Ok(Box::new(Walk::new(timeline, units).map(move |batch| batch.map_err(failed))))
}
