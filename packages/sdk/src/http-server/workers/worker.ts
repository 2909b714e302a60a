import cluster from 'node:cluster'
import { rmSync } from 'node:fs'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { guardRequests } from '../../http/guard-requests.ts'
import { guardListener } from '../../internal/guard-listener.ts'
import { withinMs } from '../../internal/timers.ts'
import type { Definition } from '../../server/definition/definition.ts'
import { type AnyServer, dispatcherOf } from '../../server/server.ts'
import { Endpoint } from '../endpoint.ts'
import { httpServerHandle, type ServePlan, shutDown, startListening, urlOf } from '../node/http-listener.ts'
import { sendBuffersOf } from '../node/node-handler.ts'
import { NodeReply } from '../node/node-reply.ts'
import { NodeRequest } from '../node/node-request.ts'
import { defaultMaxBodyBytes } from '../options.ts'
import type { HttpServer } from '../serve-http.ts'
import { Forwarder } from './forwarder.ts'
import { IpcBus } from './ipc-bus.ts'
import { IpcSpentStates } from './ipc-spent-states.ts'
import type { WorkerAssignment } from './worker-assignment.ts'
import { closeMessage } from './worker-pool.ts'

/** How much longer a worker waits for the requests that the first process answers than for its own. */
const lastAnswersMs = 500
/** How long the rest of the script may keep a worker that has closed. */
const lastWordsMs = 500

/** Answers stateless requests, and forwards all others to the first process. */
export async function serveWorker(
  server: AnyServer,
  plan: ServePlan,
  assignment: WorkerAssignment,
): Promise<HttpServer> {
  const { port, socketPath, folder } = assignment
  const endpoint = new Endpoint(server, plan.options)
  const buffers = sendBuffersOf(endpoint, plan.options)
  const forwarder = new Forwarder(socketPath, plan.options.maxBodyBytes ?? defaultMaxBodyBytes, buffers)
  const answer = (request: IncomingMessage, response: ServerResponse): void => {
    const arriving = new NodeRequest(request, undefined)
    if (endpoint.answersAnywhere(arriving)) endpoint.handle(arriving, new NodeReply(response, buffers))
    else forwarder.forward(arriving, response)
  }
  const http = createServer(
    plan.limits,
    guardRequests(answer, (error) => endpoint.report(error)),
  )
  const self = httpServerHandle(urlOf(plan, port), port, async () => {
    await shutDown(http, () => endWork(endpoint, forwarder, plan.closeTimeoutMs))
    forwarder.close()
    if (process.connected) cluster.worker!.disconnect()
    setTimeout(() => process.exit(0), lastWordsMs).unref()
  })
  followPrimary(self, folder)
  shareNews(server)
  shareSpentStates(server)
  await startListening(http, { port, host: plan.host })
  return self
}

const endWork = (endpoint: Endpoint, forwarder: Forwarder, graceMs: number): Promise<unknown> =>
  Promise.all([endpoint.close(graceMs), withinMs(graceMs + lastAnswersMs, forwarder.idle())])

/** Ends with the first process: on its message, or, through Node, when it is gone. */
function followPrimary(self: HttpServer, folder: string | undefined): void {
  if (!process.connected) process.exit(0)
  const { worker } = cluster
  const obey = (message: unknown): void => {
    if (message === closeMessage) void self.close()
  }
  process.on('message', guardListener(obey, { report: () => {} }))
  process.once('exit', () => {
    // The first process had no chance to clean up.
    const orphaned = !process.connected && !worker!.exitedAfterDisconnect
    if (orphaned && folder !== undefined) rmSync(folder, { recursive: true, force: true })
  })
}

function shareNews(server: AnyServer): void {
  const bus = new IpcBus((message) => {
    if (process.connected) process.send!(message, undefined, undefined, () => {})
  })
  const { definition } = dispatcherOf(server)
  hearPrimary(definition, (message) => bus.receive(message))
  definition.useBus(bus)
}

function hearPrimary(definition: Definition, receive: (message: unknown) => void): void {
  const report = (error: unknown): string => definition.report(error, 'http worker')
  process.on('message', guardListener(receive, { report }))
}

function shareSpentStates(server: AnyServer): void {
  const states = new IpcSpentStates((message, failed) => {
    if (!process.connected) return failed(new Error('it is gone'))
    process.send!(message, undefined, undefined, (error) => {
      if (error !== null) failed(error)
    })
  })
  const { definition } = dispatcherOf(server)
  hearPrimary(definition, (message) => states.receive(message))
  definition.useSpentStates(states)
}
