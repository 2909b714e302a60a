import { context, trace } from '@opentelemetry/api'
import { AsyncLocalStorageContextManager } from '@opentelemetry/context-async-hooks'
import {
  BasicTracerProvider,
  type ReadableSpan,
  SimpleSpanProcessor,
  type SpanExporter,
} from '@opentelemetry/sdk-trace-base'
import { instrument } from '@tenon/sdk/otel'

/** Records every MCP request of this process. An application has an exporter to its collector instead. */
export function startTelemetry(onSpan: (span: ReadableSpan) => void): void {
  const exporter: SpanExporter = {
    export(spans, done) {
      spans.forEach(onSpan)
      done({ code: 0 })
    },
    shutdown: async () => {},
  }
  context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable())
  trace.setGlobalTracerProvider(new BasicTracerProvider({ spanProcessors: [new SimpleSpanProcessor(exporter)] }))
  instrument()
}
