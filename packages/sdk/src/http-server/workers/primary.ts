import cluster from 'node:cluster'
import { createServer } from 'node:http'
import { bytesToBase64 } from '../../base64.ts'
import { McpError } from '../../errors.ts'
import { type AnyServer, dispatcherOf } from '../../server/server.ts'
import { ownKey } from '../../server/stateless/state-keys.ts'
import { Endpoint } from '../endpoint.ts'
import { httpServer, listen, type Plan, portOf, shutDown, urlOf } from '../listening.ts'
import { handlerOf } from '../node-handler.ts'
import type { HttpServer } from '../serve-http.ts'
import { writeAssignment } from './assignment.ts'
import { Fleet } from './fleet.ts'
import { IpcBus } from './ipc-bus.ts'
import { answerSpent } from './ipc-spent-states.ts'
import { type PrivateAddress, privateAddress } from './private-address.ts'

/** The script runs again in every worker, and could not tell there which of two servers is meant. */
let taken = false

/** Starts the workers, and answers what they cannot: all that belongs to a session. */
export async function servePrimary(server: AnyServer, plan: Plan, workers: number): Promise<HttpServer> {
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

async function startAll(server: AnyServer, plan: Plan, workers: number, address: PrivateAddress): Promise<HttpServer> {
  const { port, closeTimeoutMs, options } = plan
  const { definition } = dispatcherOf(server)
  const endpoint = new Endpoint(server, options)
  // The workers keep their connections, and must not find one closed just as they use it.
  const http = createServer({ ...plan.limits, keepAliveTimeout: 0 }, handlerOf(endpoint, options))
  const assignment = writeAssignment({
    port,
    socketPath: address.path,
    folder: address.folder,
    stateKey: bytesToBase64(ownKey()),
  })
  const fleet = new Fleet({
    size: workers,
    port,
    fork: () => cluster.fork(assignment),
    report: (error) => definition.report(error, 'http worker'),
    onMessage: (message, from) => {
      const reply = (answer: object): void => {
        if (from.isConnected()) from.send(answer, () => {})
      }
      if (bus.receive(message)) fleet.send(message as object, from)
      else answerSpent(message, definition.spent, reply)
    },
  })
  const bus = new IpcBus((message) => fleet.send(message))
  definition.useBus(bus)
  const end = async (): Promise<void> => {
    await Promise.all([fleet.close(closeTimeoutMs), shutDown(http, () => endpoint.close(closeTimeoutMs))])
    await address.remove()
    taken = false
  }
  try {
    await listen(http, { path: address.path })
    await fleet.start()
  } catch (error) {
    await end()
    throw error
  }
  return httpServer(urlOf(plan, port), port, end)
}

/**
 * Takes the port for a moment: a port that is taken is an error here, not in every worker, and "any port" has to be the
 * same one for workers that come later.
 */
async function findPort({ port, host }: Plan): Promise<number> {
  const probe = createServer()
  await listen(probe, { port, host })
  const found = portOf(probe)
  await new Promise((resolve) => probe.close(resolve))
  return found
}
