//! A timeline as a table of DataFusion.

use std::fmt;
use std::sync::Arc;

use async_trait::async_trait;
use datafusion::arrow::array::{RecordBatch, StringArray};
use datafusion::arrow::datatypes::{DataType, Field, Schema, SchemaRef};
use datafusion::catalog::{Session, TableProvider};
use datafusion::common::ScalarValue;
use datafusion::datasource::memory::MemorySourceConfig;
use datafusion::error::{DataFusionError, Result};
use datafusion::logical_expr::{Expr, Operator, TableProviderFilterPushDown, TableType};
use datafusion::physical_expr::PhysicalExpr;
use datafusion::physical_expr::expressions as physical;
use datafusion::physical_plan::ExecutionPlan;
use datafusion::physical_plan::projection::ProjectionExec;
use senet_timeline::{Column, Error, MAX_DEPTH, Shape, Timeline, Unit};

use crate::expand::ExpandExec;
use crate::shelf::plan;
use crate::task::Task;

/// Partitions per thread: several, so that no thread waits long for another.
const PARTITIONS: usize = 4;

/// A timeline as a table: every column is there, and only those that are asked for are computed.
/// Or the files that it is written into.
pub struct TimelineTable {
    task: Task,
}

impl fmt::Debug for TimelineTable {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let timeline = self.task.timeline();
        write!(f, "TimelineTable({}, depth {})", timeline.subject().game.name(), timeline.depth())
    }
}

impl TimelineTable {
    /// The table of a timeline.
    pub fn new(timeline: &Timeline) -> TimelineTable {
        let timeline = Arc::new(timeline.with_columns(Column::ALL.to_vec()));
        TimelineTable { task: Task::rows(timeline) }
    }

    /// The table of what a task answers with.
    pub fn of(task: Task) -> TimelineTable {
        match task.folder() {
            None => TimelineTable::new(task.timeline()),
            Some(_) => TimelineTable { task },
        }
    }

    /// The task that the table is the answer to.
    pub fn task(&self) -> &Task {
        &self.task
    }

    /// The rows of some columns.
    fn scan_rows(
        &self,
        projection: Option<&Vec<usize>>,
        filters: &[Expr],
        partitions: usize,
    ) -> Result<Arc<dyn ExecutionPlan>> {
        let columns: Vec<Column> = match projection {
            None => Column::ALL.to_vec(),
            Some(chosen) => chosen.iter().map(|&at| Column::ALL[at]).collect(),
        };
        let whole = self.task.timeline();
        let depth = filters.iter().filter_map(deepest).min().unwrap_or(MAX_DEPTH);
        let timeline = whole.with_columns(columns).with_depth(depth.clamp(1, whole.depth()));
        let timeline = Arc::new(timeline.map_err(wrong)?);
        let units = timeline.units().map_err(wrong)?.all;
        // Large units and small ones are dealt out in turn.
        let partitions = partitions.clamp(1, units.len().max(1));
        let deal = |first: usize| units.iter().skip(first).step_by(partitions).collect();
        let input = leaf((0..partitions).map(deal).collect())?;
        Ok(Arc::new(ExpandExec::new(Task::rows(timeline), input)))
    }

    /// The files, each of units that follow each other.
    fn scan_files(
        &self,
        projection: Option<&Vec<usize>>,
        partitions: usize,
    ) -> Result<Arc<dyn ExecutionPlan>> {
        let units = self.task.timeline().units().map_err(wrong)?.all;
        let each = units.len().div_ceil(partitions).max(1);
        let input = leaf(units.chunks(each).map(|units| units.iter().collect()).collect())?;
        let files = Arc::new(ExpandExec::new(self.task.clone(), input));
        let Some(chosen) = projection else { return Ok(files) };
        let schema = files.schema();
        let column = |&at: &usize| {
            let name = schema.field(at).name();
            (Arc::new(physical::Column::new(name, at)) as Arc<dyn PhysicalExpr>, name.clone())
        };
        let columns: Vec<_> = chosen.iter().map(column).collect();
        Ok(Arc::new(ProjectionExec::try_new(columns, files)?))
    }
}

#[async_trait]
impl TableProvider for TimelineTable {
    fn schema(&self) -> SchemaRef {
        self.task.schema()
    }

    fn table_type(&self) -> TableType {
        TableType::Base
    }

    fn supports_filters_pushdown(
        &self,
        filters: &[&Expr],
    ) -> Result<Vec<TableProviderFilterPushDown>> {
        let push = |filter: &&Expr| match deepest(filter) {
            Some(_) => TableProviderFilterPushDown::Inexact,
            None => TableProviderFilterPushDown::Unsupported,
        };
        Ok(filters.iter().map(push).collect())
    }

    async fn scan(
        &self,
        state: &dyn Session,
        projection: Option<&Vec<usize>>,
        filters: &[Expr],
        _limit: Option<usize>,
    ) -> Result<Arc<dyn ExecutionPlan>> {
        let partitions = match self.task.timeline().shape() {
            Shape::Distinct => 1,
            Shape::Tree => state.config().target_partitions().max(1) * PARTITIONS,
        };
        match self.task.folder() {
            None => self.scan_rows(projection, filters, partitions),
            Some(_) => self.scan_files(projection, partitions),
        }
    }
}

fn wrong(error: Error) -> DataFusionError {
    plan(error.to_string())
}

/// Work units in memory, a list of them for each partition.
fn leaf(partitions: Vec<Vec<&Unit>>) -> Result<Arc<dyn ExecutionPlan>> {
    let schema = Arc::new(Schema::new(vec![Field::new("unit", DataType::Utf8, false)]));
    let batch = |units: Vec<&Unit>| {
        let column: StringArray = units.into_iter().map(|unit| Some(unit.format())).collect();
        Ok(vec![RecordBatch::try_new(schema.clone(), vec![Arc::new(column)])?])
    };
    let batches = partitions.into_iter().map(batch).collect::<Result<Vec<Vec<RecordBatch>>>>()?;
    Ok(MemorySourceConfig::try_new_exec(&batches, schema, None)?)
}

/// The deepest ply that a filter lets through, where it says so: `ply = 3`, `ply < 4`.
fn deepest(filter: &Expr) -> Option<u32> {
    let Expr::BinaryExpr(binary) = filter else { return None };
    let (Expr::Column(column), Expr::Literal(value, _)) = (&*binary.left, &*binary.right) else {
        return None;
    };
    if column.name != Column::Ply.name() {
        return None;
    }
    let bound = match value {
        ScalarValue::Int32(Some(bound)) => i64::from(*bound),
        ScalarValue::Int64(Some(bound)) => *bound,
        _ => return None,
    };
    let bound = match binary.op {
        Operator::Eq | Operator::LtEq => bound,
        Operator::Lt => bound.saturating_sub(1),
        _ => return None,
    };
    Some(bound.clamp(0, MAX_DEPTH.into()) as u32)
}
