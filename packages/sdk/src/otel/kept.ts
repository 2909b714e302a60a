import type { BatchObservableCallback, Meter } from '@opentelemetry/api'
import { keptByServers } from '../telemetry/kept.ts'
import { bounded } from './attributes.ts'

/** Gauges the state that servers keep for their clients, and its limit, by kind. Returns the undo. */
export function gaugeKept(meter: Meter): () => void {
  const unit = 'By'
  const used = meter.createObservableGauge('tenon.server.kept', { description: 'Bytes kept for clients', unit })
  const limit = meter.createObservableGauge('tenon.server.kept.limit', { description: 'Bytes that may be kept', unit })
  const observe: BatchObservableCallback = (result) => {
    for (const { server, kind, ...kept } of keptByServers()) {
      const attributes = { 'tenon.server.name': bounded(server), 'tenon.kept.kind': kind }
      result.observe(used, kept.bytes, attributes)
      result.observe(limit, kept.limit, attributes)
    }
  }
  meter.addBatchObservableCallback(observe, [used, limit])
  return () => meter.removeBatchObservableCallback(observe, [used, limit])
}
