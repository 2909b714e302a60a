import type { ServerResponse } from 'node:http'
import type { NumberedEvent } from '../events/hub.ts'
import { writeExact } from '../exact-json.ts'
import type { BenchEvent } from '../protocol.ts'
import type { Workbench } from '../workbench.ts'

// A page that does not read for this long comes back later and gets a snapshot.
const maxWaiting = 32 * 1024 * 1024
const pulseMs = 15_000

/** Streams events to a page: after its last one if the rest is still known, else from a snapshot. */
export function streamEvents(response: ServerResponse, bench: Workbench, after: string | undefined): void {
  const write = ({ id, json }: NumberedEvent): void => {
    response.write(`id: ${id}\ndata: ${json}\n\n`)
    if (response.writableLength > maxWaiting) response.destroy()
  }
  const { events } = bench
  for (const event of events.since(after) ?? [snapshotOf(bench)]) write(event)
  const stop = events.listen(write)
  const pulse = setInterval(() => response.write(':\n\n'), pulseMs)
  response.once('close', () => {
    stop()
    clearInterval(pulse)
  })
}

function snapshotOf({ snapshot, events }: Workbench): NumberedEvent {
  const event: BenchEvent = { type: 'snapshot', snapshot }
  return { id: events.lastId, json: writeExact(event) }
}
