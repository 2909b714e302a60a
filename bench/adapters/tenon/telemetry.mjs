// OpenTelemetry as an application sets it up, with exporters that send nothing anywhere.
import { context } from '@opentelemetry/api'
import { AsyncLocalStorageContextManager } from '@opentelemetry/context-async-hooks'
import { MeterProvider, PeriodicExportingMetricReader } from '@opentelemetry/sdk-metrics'
import { BasicTracerProvider, BatchSpanProcessor } from '@opentelemetry/sdk-trace-base'
import { instrument } from '@tenon/sdk/otel'

const exporter = {
  export: (_found, done) => done({ code: 0 }),
  forceFlush: async () => {},
  shutdown: async () => {},
}

export function startTelemetry() {
  context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable())
  const traces = new BasicTracerProvider({ spanProcessors: [new BatchSpanProcessor(exporter)] })
  const metrics = new MeterProvider({ readers: [new PeriodicExportingMetricReader({ exporter })] })
  instrument({ tracer: traces.getTracer('bench'), meter: metrics.getMeter('bench') })
}
