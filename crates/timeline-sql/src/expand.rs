//! The node of a plan that does the work of units.
//!
//! It is no leaf: its input holds the units, a row each. So any planner may divide the work by
//! dividing the input, on this machine or on others.

use std::fmt;
use std::sync::Arc;

use datafusion::arrow::array::{AsArray, RecordBatch};
use datafusion::common::tree_node::TreeNodeRecursion;
use datafusion::error::Result;
use datafusion::execution::{SendableRecordBatchStream, TaskContext};
use datafusion::physical_expr::{EquivalenceProperties, Partitioning, PhysicalExpr};
use datafusion::physical_plan::execution_plan::{Boundedness, EmissionType, SchedulingType};
use datafusion::physical_plan::stream::RecordBatchStreamAdapter;
use datafusion::physical_plan::{
    DisplayAs, DisplayFormatType, ExecutionPlan, ExecutionPlanProperties, PlanProperties,
};
use futures::{StreamExt, TryStreamExt, stream};
use senet_timeline::Unit;
use tokio::task::yield_now;

use crate::shelf::plan;
use crate::task::Task;

/// Expands work units into the rows of a timeline, or into files of them.
pub struct ExpandExec {
    task: Task,
    input: Arc<dyn ExecutionPlan>,
    properties: Arc<PlanProperties>,
}

impl ExpandExec {
    /// The part of a task that is below the units of an input.
    pub fn new(task: Task, input: Arc<dyn ExecutionPlan>) -> ExpandExec {
        let partitions = input.output_partitioning().partition_count();
        let properties = PlanProperties::new(
            EquivalenceProperties::new(task.schema()),
            Partitioning::UnknownPartitioning(partitions),
            EmissionType::Incremental,
            Boundedness::Bounded,
        )
        .with_scheduling_type(SchedulingType::Cooperative);
        ExpandExec { task, input, properties: Arc::new(properties) }
    }

    /// The task.
    pub fn task(&self) -> &Task {
        &self.task
    }
}

impl fmt::Debug for ExpandExec {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.fmt_as(DisplayFormatType::Default, f)
    }
}

impl DisplayAs for ExpandExec {
    fn fmt_as(&self, _: DisplayFormatType, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let timeline = self.task.timeline();
        let columns: Vec<&str> = timeline.columns().iter().map(|column| column.name()).collect();
        let (game, depth) = (timeline.subject().game.name(), timeline.depth());
        write!(f, "ExpandExec: game={game}, depth={depth}, columns=[{}]", columns.join(", "))?;
        if let Some(prune) = timeline.prune() {
            write!(f, ", prune={prune}")?;
        }
        match self.task.folder() {
            Some(folder) => write!(f, ", folder={}", folder.display()),
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
            Ok([input]) => Ok(Arc::new(ExpandExec::new(self.task.clone(), input))),
            Err(_) => Err(plan("ExpandExec has one child")),
        }
    }

    fn execute(
        &self,
        partition: usize,
        context: Arc<TaskContext>,
    ) -> Result<SendableRecordBatchStream> {
        let task = self.task.clone();
        let units = self.input.execute(partition, context)?;
        let rows = units.map(move |units| task.work(read(&units?)?)).map_ok(stream::iter);
        // A walk never waits; so that it can be called off, it lets others have their turn. A
        // batch is long enough for that: it may be hundreds of them until any row is asked for.
        let rows = rows.try_flatten().then(async |batch| {
            yield_now().await;
            batch
        });
        Ok(Box::pin(RecordBatchStreamAdapter::new(self.schema(), rows)))
    }
}

/// The units that the rows of a batch are.
fn read(batch: &RecordBatch) -> Result<Vec<Unit>> {
    let units = batch.column(0).as_string::<i32>();
    let unit = |text: Option<&str>| text.and_then(Unit::parse);
    let units = units.iter().map(unit).collect::<Option<Vec<Unit>>>();
    units.ok_or_else(|| plan("no work unit of a timeline"))
}
