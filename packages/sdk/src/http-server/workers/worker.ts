import cluster from 'node:cluster'
import { rmSync } from 'node:fs'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { guardListener } from '../../guard-listener.ts'
import { guardRequests } from '../../http/guard-requests.ts'
import type { Definition } from '../../server/definition/definition.ts'
import { type AnyServer, dispatcherOf } from '../../server/server.ts'
import { withinMs } from '../../transport/wait.ts'
import { Endpoint } from '../endpoint.ts'
import { httpServer, listen, type Plan, shutDown, urlOf } from '../listening.ts'
import { NodeReply, NodeRequest } from '../node-adapter.ts'
import { backlogOf } from '../node-handler.ts'
import { defaultMaxBodyBytes } from '../options.ts'
import type { HttpServer } from '../serve-http.ts'
import type { Assignment } from './assignment.ts'
import { closeMessage } from './fleet.ts'
import { Forwarder } from './forwarder.ts'
import { IpcBus } from './ipc-bus.ts'
import { IpcSpentStates } from './ipc-spent-states.ts'

/** How much longer than its own requests a worker waits for those that the first process answers. */
const lastAnswersMs = 500
/** How long the rest of the script may keep a worker that has closed. */
const lastWordsMs = 500

/** Answers what stands alone, and passes everything else on. */
export async function serveWorker(server: AnyServer, plan: Plan, assignment: Assignment): Promise<HttpServer> {
  const { port, socketPath, folder } = assignment
  const endpoint = new Endpoint(server, plan.options)
  const backlog = backlogOf(endpoint, plan.options)
  const forwarder = new Forwarder(socketPath, plan.options.maxBodyBytes ?? defaultMaxBodyBytes, backlog)
  const answer = (request: IncomingMessage, response: ServerResponse): void => {
    const arriving = new NodeRequest(request, undefined)
    if (endpoint.standsAlone(arriving)) endpoint.handle(arriving, new NodeReply(response, backlog))
    else forwarder.forward(arriving, response)
  }
  const http = createServer(
    plan.limits,
    guardRequests(answer, (error) => endpoint.report(error)),
  )
  const self = httpServer(urlOf(plan, port), port, async () => {
    await shutDown(http, () => endWork(endpoint, forwarder, plan.closeTimeoutMs))
    forwarder.close()
    if (process.connected) cluster.worker!.disconnect()
    setTimeout(() => process.exit(0), lastWordsMs).unref()
  })
  followPrimary(self, folder)
  shareNews(server)
  shareSpentStates(server)
  await listen(http, { port, host: plan.host })
  return self
}

const endWork = (endpoint: Endpoint, forwarder: Forwarder, graceMs: number): Promise<unknown> =>
  Promise.all([endpoint.close(graceMs), withinMs(graceMs + lastAnswersMs, forwarder.idle())])

/** Ends with the first process: when it says so, or, as Node sees to it, when it is gone. */
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
