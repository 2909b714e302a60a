import { resolve } from 'node:path'
import type { Gateway, LoadedConfig } from '@tenon/gateway'
import type { CommandCall } from '../command.ts'
import { FileWatcher } from '../dev/file-watcher.ts'
import { CommandFailure, ExitCode, usage } from '../exit.ts'
import { say } from '../terminal/text.ts'
import { GatewayLog } from './gateway-log.ts'
import { knownServers } from './known-servers.ts'
import { openOperator } from './operator-page.ts'
import type { gatewayOptions } from './options.ts'

type Call = CommandCall<typeof gatewayOptions>

/** Reads the file of a command; a fault in it fails the command with its place. */
export async function loadFile(file: string, cwd: string, env: NodeJS.ProcessEnv): Promise<LoadedConfig> {
  const { GatewayConfigError, loadGatewayConfig, showProblem } = await import('@tenon/gateway')
  try {
    return await loadGatewayConfig(resolve(cwd, file), { env })
  } catch (error) {
    if (!(error instanceof GatewayConfigError)) throw error
    const problems = error.problems.map((problem) => showProblem(problem, file))
    throw badFile(problems)
  }
}

/** The failure of a file that cannot be used. */
export const badFile = (problems: readonly string[]): CommandFailure =>
  new CommandFailure(
    ExitCode.Usage,
    'config',
    problems.join('\n'),
    'Change the file. With --check it is read, and nothing is started.',
  )

/** Serves until Ctrl-C. A file is watched, and a change of it is taken without an interruption. */
export async function runGateway(call: Call, file: string | undefined): Promise<void> {
  const { createGateway, OpenDoorError, serveGateway } = await import('@tenon/gateway')
  const { importAny } = await import('./import-module.ts')
  const { terminal, options, signal } = call
  const { cwd, env } = terminal.surroundings
  const loaded = file === undefined ? await withoutFile(call) : await loadFile(file, cwd, env)
  const parts = await loaded.parts()
  const log = new GatewayLog(call)
  const gateway = createGateway(loaded.config, {
    ...parts,
    folder: loaded.folder,
    importModule: importAny,
    onEvent: log.happened,
  })
  let watcher: FileWatcher | undefined
  try {
    const { port, host } = options
    const http = await serveGateway(gateway, {
      ...(port !== undefined && { port }),
      ...(host !== undefined && { host }),
    }).catch((error: Error) => {
      if (error instanceof OpenDoorError)
        throw usage(error.message, 'Say who may call, in the section identity of the file.')
      return cannotListen(error)
    })
    let place: Awaited<ReturnType<typeof openOperator>> | undefined
    try {
      place = await openOperator(gateway, file === undefined || options.page).catch(cannotListen)
      announce(call, gateway, http.url, place)
      if (file !== undefined) watcher = watch(call, file, gateway, log)
      await aborted(signal)
    } finally {
      await place?.close()
      await http.close()
    }
  } finally {
    watcher?.close()
    await gateway.close()
  }
}

const withoutFile = async (call: Call): Promise<LoadedConfig> => ({
  config: await knownServers(call),
  folder: call.terminal.surroundings.cwd,
  settingsOf: () => undefined,
  parts: async () => ({}),
})

const cannotListen = (error: Error): never => {
  throw new CommandFailure(ExitCode.Failed, 'listen', `Cannot listen: ${error.message}`, 'Try another port.')
}

function announce(
  call: Call,
  gateway: Gateway,
  url: string,
  { operator, page }: { readonly operator?: string; readonly page?: string },
): void {
  const { terminal } = call
  const servers = gateway.names.filter((name) => name !== 'all')
  const upstreams = Object.keys(gateway.config.upstreams)
  const places = { ...(operator !== undefined && { operator }), ...(page !== undefined && { page }) }
  call.event({ event: 'listening', url, upstreams, servers, ...places }, () => {
    terminal.line(say`${upstreams.join(', ')} at ${url}`)
    for (const name of servers) terminal.line(say`${name} at ${url.replace(/\/mcp$/, `/servers/${name}/mcp`)}`)
    if (operator !== undefined) terminal.line(say`operators at ${operator}`)
    if (page !== undefined) terminal.line(say`Its page, by a link that works once: ${page}`)
  })
  terminal.note(terminal.notes.dim('Ctrl-C ends it.'))
}

/** Takes each change of the file, one after the other. */
function watch(call: Call, file: string, gateway: Gateway, log: GatewayLog): FileWatcher {
  const { cwd, env } = call.terminal.surroundings
  let last: Promise<void> = Promise.resolve()
  const take = async (): Promise<void> => {
    try {
      const { config, parts } = await loadFile(file, cwd, env)
      const made = await parts()
      try {
        log.changed(gateway.apply(config, made))
      } catch (error) {
        await made.close?.()
        throw error
      }
    } catch (error) {
      log.refused((error as Error).message)
    }
  }
  const watcher = new FileWatcher(
    () => {
      last = last.then(take)
    },
    () => false,
  )
  watcher.add(resolve(cwd, file))
  return watcher
}

const aborted = (signal: AbortSignal): Promise<void> =>
  new Promise((done) => {
    if (signal.aborted) done()
    signal.addEventListener('abort', () => done(), { once: true })
  })
