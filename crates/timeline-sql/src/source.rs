//! A timeline as a table of DataFusion.

use std::fmt;
use std::sync::Arc;

use async_trait::async_trait;
use datafusion::arrow::array::{RecordBatch, StringArray};
use datafusion::arrow::datatypes::{DataType, Field, Schema, SchemaRef};
use datafusion::catalog::{Session, TableProvider};
use datafusion::common::ScalarValue;
use datafusion::datasource::memory::MemorySourceConfig;
use datafusion::error::Result;
use datafusion::logical_expr::{Expr, Operator, TableProviderFilterPushDown, TableType};
use datafusion::physical_plan::ExecutionPlan;
use senet_timeline::{Column, MAX_DEPTH, Shape, Timeline, Unit};

use crate::expand::ExpandExec;
use crate::order::with_every_column;
use crate::shelf::plan;

/// So many times as many partitions as threads, so that none waits long for another.
const PARTITIONS: usize = 4;

/// A timeline as a table: every column is there, and only those that are asked for are computed.
pub struct TimelineTable {
    timeline: Arc<Timeline>,
}

impl fmt::Debug for TimelineTable {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let game = self.timeline.subject().game.name();
        write!(f, "TimelineTable({game}, depth {})", self.timeline.depth())
    }
}

impl TimelineTable {
    /// The table of a timeline.
    pub fn new(timeline: &Timeline) -> TimelineTable {
        TimelineTable { timeline: with_every_column(timeline) }
    }

    /// The timeline.
    pub fn timeline(&self) -> &Arc<Timeline> {
        &self.timeline
    }
}

#[async_trait]
impl TableProvider for TimelineTable {
    fn schema(&self) -> SchemaRef {
        self.timeline.schema()
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
        let columns: Vec<Column> = match projection {
            None => Column::ALL.to_vec(),
            Some(chosen) => chosen.iter().map(|&at| Column::ALL[at]).collect(),
        };
        let depth = filters.iter().filter_map(deepest).min().unwrap_or(MAX_DEPTH);
        let depth = depth.clamp(1, self.timeline.depth());
        let timeline = self.timeline.with_columns(columns).with_depth(depth);
        let timeline = Arc::new(timeline.map_err(|error| plan(error.to_string()))?);
        let threads = state.config().target_partitions().max(1);
        let units = timeline.units().map_err(|error| plan(error.to_string()))?.all;
        let partitions = match timeline.shape() {
            Shape::Distinct => 1,
            Shape::Tree => (threads * PARTITIONS).min(units.len()).max(1),
        };
        let input = leaf(&units, partitions)?;
        Ok(Arc::new(ExpandExec::new(timeline, input)))
    }
}

/// The schema of work units.
pub(crate) fn unit_schema() -> SchemaRef {
    Arc::new(Schema::new(vec![Field::new("unit", DataType::Utf8, false)]))
}

/// Work units in memory, dealt out to partitions in turn.
fn leaf(units: &[Unit], partitions: usize) -> Result<Arc<dyn ExecutionPlan>> {
    let batch = |first: usize| {
        let mine = units.iter().skip(first).step_by(partitions).map(|unit| Some(unit.format()));
        let column = Arc::new(mine.collect::<StringArray>());
        Ok(vec![RecordBatch::try_new(unit_schema(), vec![column])?])
    };
    let batches = (0..partitions).map(batch).collect::<Result<Vec<Vec<RecordBatch>>>>()?;
    Ok(MemorySourceConfig::try_new_exec(&batches, unit_schema(), None)?)
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
