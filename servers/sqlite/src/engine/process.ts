/** The process of the engine: a statement that takes too long, too much memory or the engine down ends nothing else. */
import { runCall } from './calls.ts'
import { Connection } from './connection.ts'
import type { EngineOptions, FromEngine, ToEngine } from './protocol.ts'
import { Refusal } from './refusal.ts'
import { startWatchdog } from './watchdog.ts'

const options = JSON.parse(process.argv[2]!) as EngineOptions
const watchdog = startWatchdog()
let connection: Connection | undefined

process.on('message', (message) => {
  const { call, bounds } = message as ToEngine
  watchdog.begin(bounds)
  send(answer(call))
  watchdog.end()
})
process.on('disconnect', () => {
  try {
    if (options.mode === 'write') connection?.checkpoint()
    connection?.close()
  } finally {
    process.exit()
  }
})
// A terminal sends it to all processes of a group. The server decides when its engines end.
process.on('SIGINT', () => {})

send({ ready: true })

function answer(call: ToEngine['call']): FromEngine {
  try {
    connection ??= new Connection(options)
    return { result: runCall(connection, call, (progress) => send({ progress })) }
  } catch (error) {
    // The engine says "not authorized"; the guard knows what was not.
    const refusal = error instanceof Refusal ? error.message : connection?.guard.refusal
    return { failure: refusal ?? (error as Error).message, isRefusal: refusal !== undefined }
  }
}

function send(message: FromEngine): void {
  process.send?.(message)
}
