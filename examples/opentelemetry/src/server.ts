import { trace } from '@opentelemetry/api'
import { createServer, tool } from '@tenon/sdk/server'
import { serveStdio } from '@tenon/sdk/stdio'
import { startTelemetry } from './telemetry.ts'

// Standard output belongs to the protocol, so spans go to standard error.
startTelemetry((span) => process.stderr.write(`${span.spanContext().traceId} server: ${span.name}\n`))

const greet = tool({
  name: 'greet',
  run: () =>
    trace.getTracer('app').startActiveSpan('look up', (span) => {
      span.end()
      return 'Good day'
    }),
})

await serveStdio(createServer({ name: 'door', version: '1.0.0', tools: [greet] }))
