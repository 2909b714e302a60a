import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { type Client, connect } from '@tenon/sdk/client'
import { socketChannel } from '@tenon/sdk/socket'
import { CommandFailure, ExitCode } from '../exit.ts'
import { packageFolder } from '../package-folder.ts'
import type { Surroundings } from '../terminal/terminal.ts'
import { version } from '../version.ts'
import type { KeepRequest, KeptServer } from './keeper.ts'
import { checkOwner, makeRuntimeFolder, runtimeFolder } from './runtime-folder.ts'
import { keeperSocket } from './server-identity.ts'
import { addressOf } from './socket-address.ts'

/** How long a keeper may take to start. */
const startMs = 30_000

/** Speaks to the keeper of this user. */
export class KeeperControl implements AsyncDisposable {
  readonly #client: Client

  private constructor(client: Client) {
    this.#client = client
  }

  /** The keeper that runs; undefined if there is none. One of another version is asked to end. */
  static async find({ env }: Surroundings, signal?: AbortSignal): Promise<KeeperControl | undefined> {
    const folder = runtimeFolder(env)
    const path = join(folder, keeperSocket)
    if (!existsSync(path)) return undefined
    checkOwner(folder)
    checkOwner(path)
    const address = addressOf(path)
    if (address === undefined) return undefined
    const client = await connect(() => socketChannel({ path: address }), {
      info: { name: 'tenon', version },
      ...(signal && { signal }),
    }).catch(() => undefined)
    if (client === undefined) return undefined
    if (client.server.info?.version === version) return new KeeperControl(client)
    await client.callTool('down', {}).catch(() => {})
    await client.close()
    return undefined
  }

  /** The keeper that runs, or a new one that ends after the idle time. */
  static async start(surroundings: Surroundings, idleMs: number, signal: AbortSignal): Promise<KeeperControl> {
    const found = await KeeperControl.find(surroundings, signal)
    if (found) return found
    makeRuntimeFolder(runtimeFolder(surroundings.env))
    const bin = fileURLToPath(new URL('bin/tenon.js', packageFolder))
    const child = spawn(process.execPath, [bin, '__keep', String(idleMs)], {
      ...{ cwd: surroundings.cwd, env: surroundings.env, detached: true, stdio: 'ignore', windowsHide: true },
    })
    let isOver = false
    child.once('error', () => (isOver = true)).once('exit', () => (isOver = true))
    child.unref()
    const began = performance.now()
    while (performance.now() - began < startMs) {
      const started = await KeeperControl.find(surroundings, signal)
      if (started) return started
      // Another command may have started one in the same moment, and ours has made way.
      if (isOver && performance.now() - began > 5_000) break
      await pause(10, undefined, { signal })
    }
    throw new CommandFailure(ExitCode.Failed, 'keeper', 'The background process did not start')
  }

  async up(request: KeepRequest): Promise<void> {
    await this.#call('up', { ...request })
  }

  /** Gives up one server or all; the names of those that were kept. */
  async down(name?: string): Promise<string[]> {
    return JSON.parse(await this.#call('down', name === undefined ? {} : { name }))
  }

  async state(): Promise<{ pid: number; servers: KeptServer[] }> {
    return JSON.parse(await this.#call('state', {}))
  }

  async #call(name: string, args: { [name: string]: unknown }): Promise<string> {
    const { text, isError } = await this.#client.callTool(name, args)
    if (isError) throw new CommandFailure(ExitCode.Failed, 'keeper', text)
    return text
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#client.close()
  }
}
