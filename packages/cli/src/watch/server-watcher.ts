import type { ChangeKind, Client } from '@tenon/sdk/client'
import type { CommandCall } from '../command.ts'
import { CommandFailure, ExitCode } from '../exit.ts'
import type { OptionTable } from '../line/options.ts'
import { showResource } from '../show/content.ts'
import { say, type TerminalText } from '../terminal/text.ts'

type WatchOptions = {
  read: { type: 'flag'; help: string }
  count: { type: 'number'; value: string; help: string }
  'no-lists': { type: 'flag'; help: string }
} & OptionTable

/** Shows updates, list changes and logs of a server, until `--count` of them. */
export class ServerWatcher {
  readonly #call: CommandCall<WatchOptions>
  readonly #enough: Promise<void>
  #end: () => void = () => {}
  /** Readings are shown in the order of the updates. */
  #last: Promise<unknown> = Promise.resolve()
  #count = 0

  constructor(call: CommandCall<WatchOptions>) {
    this.#call = call
    this.#enough = new Promise((resolve) => {
      this.#end = resolve
    })
  }

  /** One thing that happened. */
  happened(event: { [member: string]: unknown }, show: () => TerminalText): void {
    const { terminal, options } = this.#call
    const { count = Infinity } = options
    if (this.#count >= count) return
    this.#count += 1
    this.#call.event({ ...event, at: new Date().toISOString() }, () => {
      const time = terminal.isRead ? say`${terminal.style.dim(new Date().toTimeString().slice(0, 8))} ` : ''
      terminal.line(say`${time}${show()}`)
    })
    if (this.#count >= count) this.#end()
  }

  /** Watches resources and lists until enough has happened. */
  async follow(client: Client, uris: readonly string[], label: string): Promise<void> {
    const { options, terminal, signal } = this.#call
    const lists = options['no-lists'] ? [] : this.#followLists(client)
    for (const uri of uris) {
      if (options.read) await this.#read(client, uri)
      await client.watch(uri, (update) => this.#updated(client, update.uri))
    }
    const what = [...uris, ...lists.map((kind) => `the list of ${kind}`)]
    terminal.note(terminal.notes.dim(`Watching ${[...what, 'logs'].join(', ')} of ${label}. Ctrl-C ends it.`))
    const interrupted = new Promise<void>((resolve) =>
      signal.addEventListener('abort', () => resolve(), { once: true }),
    )
    const ended = client.closed.then((reason) => {
      throw new CommandFailure(ExitCode.Unreachable, 'closed', reason.message)
    })
    await Promise.race([this.#enough, interrupted, ended])
    await this.#last
    if (signal.aborted) this.#call.exitCode = ExitCode.Ok
  }

  #followLists(client: Client): ChangeKind[] {
    const { terminal } = this.#call
    const announced = (['tools', 'resources', 'prompts'] as const).filter(
      (kind) => client.server.capabilities[kind]?.listChanged,
    )
    for (const kind of announced) {
      client.onChange(kind, () => {
        this.happened({ event: 'list', list: kind }, () => say`the list of ${terminal.style.cyan(kind)} has changed`)
      })
    }
    return announced
  }

  #updated(client: Client, uri: string): void {
    const { terminal, options } = this.#call
    if (options.read) {
      this.#last = this.#last.then(() => this.#read(client, uri))
      return
    }
    this.happened({ event: 'update', uri }, () => say`${terminal.style.cyan(uri)} has changed`)
  }

  async #read(client: Client, uri: string): Promise<void> {
    const { terminal, signal } = this.#call
    try {
      const { contents } = await client.readResource(uri, { signal, fresh: true })
      this.happened({ event: 'update', uri, contents }, () => terminal.style.cyan(uri))
      if (this.#call.options.json) return
      for (const part of contents) await showResource(part, terminal, 'resource')
    } catch (error) {
      if (signal.aborted) return
      terminal.warn(say`${terminal.notes.red('error:')} ${uri}: ${(error as Error).message}`)
    }
  }
}
