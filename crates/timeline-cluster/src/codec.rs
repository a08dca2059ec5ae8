//! How timelines travel in plans. All else travels as Ballista has it.

use std::fmt;
use std::sync::Arc;

use ballista_core::serde::{BallistaLogicalExtensionCodec, BallistaPhysicalExtensionCodec};
use datafusion::arrow::datatypes::SchemaRef;
use datafusion::catalog::TableProvider;
use datafusion::common::TableReference;
use datafusion::datasource::file_format::FileFormatFactory;
use datafusion::error::{DataFusionError, Result};
use datafusion::execution::TaskContext;
use datafusion::logical_expr::{Extension, LogicalPlan};
use datafusion::physical_plan::ExecutionPlan;
use datafusion_proto::logical_plan::LogicalExtensionCodec;
use datafusion_proto::physical_plan::{PhysicalExtensionCodec, PhysicalProtoConverterExtension};
use senet_timeline_sql::{ExpandExec, Order, Shelf, Task, TimelineTable};

/// What every message of ours begins with.
const MARK: &[u8] = b"senet timeline 1\n";

fn write(task: &Task, into: &mut Vec<u8>) -> Result<()> {
    into.extend_from_slice(MARK);
    into.extend_from_slice(&Order::new(task).to_bytes()?);
    Ok(())
}

fn read(order: &[u8], shelf: &Shelf) -> Result<Task> {
    Order::from_bytes(order)?.task(shelf)
}

/// Timelines as tables of a query.
pub(crate) struct LogicalCodec {
    shelf: Arc<Shelf>,
    others: BallistaLogicalExtensionCodec,
}

impl LogicalCodec {
    pub(crate) fn new(shelf: &Arc<Shelf>) -> LogicalCodec {
        LogicalCodec { shelf: shelf.clone(), others: BallistaLogicalExtensionCodec::default() }
    }
}

impl fmt::Debug for LogicalCodec {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("LogicalCodec")
    }
}

impl LogicalExtensionCodec for LogicalCodec {
    fn try_decode(
        &self,
        bytes: &[u8],
        inputs: &[LogicalPlan],
        context: &TaskContext,
    ) -> Result<Extension> {
        self.others.try_decode(bytes, inputs, context)
    }

    fn try_encode(&self, node: &Extension, into: &mut Vec<u8>) -> Result<()> {
        self.others.try_encode(node, into)
    }

    fn try_decode_table_provider(
        &self,
        bytes: &[u8],
        table: &TableReference,
        schema: SchemaRef,
        context: &TaskContext,
    ) -> Result<Arc<dyn TableProvider>> {
        match bytes.strip_prefix(MARK) {
            Some(order) => Ok(Arc::new(TimelineTable::of(read(order, &self.shelf)?))),
            None => self.others.try_decode_table_provider(bytes, table, schema, context),
        }
    }

    fn try_encode_table_provider(
        &self,
        table: &TableReference,
        node: Arc<dyn TableProvider>,
        into: &mut Vec<u8>,
    ) -> Result<()> {
        match node.downcast_ref::<TimelineTable>() {
            Some(table) => write(table.task(), into),
            None => self.others.try_encode_table_provider(table, node, into),
        }
    }

    fn try_decode_file_format(
        &self,
        bytes: &[u8],
        context: &TaskContext,
    ) -> Result<Arc<dyn FileFormatFactory>> {
        self.others.try_decode_file_format(bytes, context)
    }

    fn try_encode_file_format(
        &self,
        into: &mut Vec<u8>,
        node: Arc<dyn FileFormatFactory>,
    ) -> Result<()> {
        self.others.try_encode_file_format(into, node)
    }
}

/// Timelines as nodes of a plan.
pub(crate) struct PhysicalCodec {
    shelf: Arc<Shelf>,
    others: BallistaPhysicalExtensionCodec,
}

impl PhysicalCodec {
    pub(crate) fn new(shelf: &Arc<Shelf>) -> PhysicalCodec {
        PhysicalCodec { shelf: shelf.clone(), others: BallistaPhysicalExtensionCodec::default() }
    }
}

impl fmt::Debug for PhysicalCodec {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("PhysicalCodec")
    }
}

impl PhysicalExtensionCodec for PhysicalCodec {
    fn try_decode(
        &self,
        bytes: &[u8],
        inputs: &[Arc<dyn ExecutionPlan>],
        context: &TaskContext,
        converter: &dyn PhysicalProtoConverterExtension,
    ) -> Result<Arc<dyn ExecutionPlan>> {
        let Some(order) = bytes.strip_prefix(MARK) else {
            return self.others.try_decode(bytes, inputs, context, converter);
        };
        match inputs {
            [input] => Ok(Arc::new(ExpandExec::new(read(order, &self.shelf)?, input.clone()))),
            _ => Err(DataFusionError::Plan("ExpandExec has one child".into())),
        }
    }

    fn try_encode(
        &self,
        node: Arc<dyn ExecutionPlan>,
        into: &mut Vec<u8>,
        converter: &dyn PhysicalProtoConverterExtension,
    ) -> Result<()> {
        match node.downcast_ref::<ExpandExec>() {
            Some(expand) => write(expand.task(), into),
            None => self.others.try_encode(node, into, converter),
        }
    }
}
