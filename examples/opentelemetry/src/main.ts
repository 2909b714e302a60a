import assert from 'node:assert/strict'
import { fileURLToPath } from 'node:url'
import { trace } from '@opentelemetry/api'
import { connect } from '@tenon/sdk/client'
import { startTelemetry } from './telemetry.ts'

const spans: string[] = []
startTelemetry((span) => spans.push(`${span.spanContext().traceId} client: ${span.name}`))

const server = fileURLToPath(new URL('server.js', import.meta.url))
const client = await connect({
  command: 'node',
  args: [server],
  stderr: (text) => void spans.push(...text.trimEnd().split('\n')),
})

const traceId = await trace.getTracer('app').startActiveSpan('greeting', async (span) => {
  await client.callTool('greet')
  span.end()
  return span.spanContext().traceId
})
await client.close() // and with it the process, whose last spans have arrived

const inTrace = spans.filter((span) => span.startsWith(traceId)).map((span) => span.slice(traceId.length + 1))
console.log('One trace through two processes:')
for (const span of inTrace.sort()) console.log(`  ${span}`)
assert.equal(inTrace.length, 4)
