import cluster from 'node:cluster'
import { createServer } from 'node:http'
import { McpError } from '../../errors.ts'
import { bytesToBase64 } from '../../internal/base64.ts'
import { type AnyServer, dispatcherOf } from '../../server/server.ts'
import { ownKey } from '../../server/stateless/state-keys.ts'
import { Endpoint } from '../endpoint.ts'
import { httpServerHandle, portOf, type ServePlan, shutDown, startListening, urlOf } from '../node/http-listener.ts'
import { guardedListener } from '../node/node-handler.ts'
import type { HttpServer } from '../serve-http.ts'
import { IpcBus } from './ipc-bus.ts'
import { answerSpent } from './ipc-spent-states.ts'
import { type PrivateAddress, privateAddress } from './private-address.ts'
import { writeAssignment } from './worker-assignment.ts'
import { WorkerPool } from './worker-pool.ts'

/** The script runs again in every worker, which could not distinguish two servers. */
let taken = false

/** Starts the workers, and answers the requests of sessions, which they cannot. */
export async function servePrimary(server: AnyServer, plan: ServePlan, workers: number): Promise<HttpServer> {
  if (taken) throw new McpError('unsupported', 'serveHttp workers: another server of this process has workers already')
  taken = true
  try {
    const port = await findPort(plan)
    const address = await privateAddress()
    return await startAll(server, { ...plan, port }, workers, address)
  } catch (error) {
    taken = false
    throw error
  }
}

async function startAll(
  server: AnyServer,
  plan: ServePlan,
  workers: number,
  address: PrivateAddress,
): Promise<HttpServer> {
  const { port, closeTimeoutMs, options } = plan
  const { definition } = dispatcherOf(server)
  const endpoint = new Endpoint(server, options)
  // The workers keep their connections, and must not find one closed just as they use it.
  const http = createServer({ ...plan.limits, keepAliveTimeout: 0 }, guardedListener(endpoint, options))
  const assignment = writeAssignment({
    port,
    socketPath: address.path,
    folder: address.folder,
    stateKey: bytesToBase64(ownKey()),
  })
  const pool = new WorkerPool({
    size: workers,
    port,
    fork: () => cluster.fork(assignment),
    report: (error) => definition.report(error, 'http worker'),
    onMessage: (message, from) => {
      const reply = (answer: object): void => {
        if (from.isConnected()) from.send(answer, () => {})
      }
      if (bus.receive(message)) pool.send(message as object, from)
      else answerSpent(message, definition.spent, reply)
    },
  })
  const bus = new IpcBus((message) => pool.send(message))
  definition.useBus(bus)
  const end = async (): Promise<void> => {
    await Promise.all([pool.close(closeTimeoutMs), shutDown(http, () => endpoint.close(closeTimeoutMs))])
    await address.remove()
    taken = false
  }
  try {
    await startListening(http, { path: address.path })
    await pool.start()
  } catch (error) {
    await end()
    throw error
  }
  return httpServerHandle(urlOf(plan, port), port, end)
}

/**
 * Takes the port for a moment: a port that is taken is an error here, not in every worker, and "any port" has to be the
 * same one for workers that come later.
 */
async function findPort({ port, host }: ServePlan): Promise<number> {
  const probe = createServer()
  await startListening(probe, { port, host })
  const found = portOf(probe)
  await new Promise((resolve) => probe.close(resolve))
  return found
}
