import { relative } from 'node:path'
import type { HttpServer } from '@tenon/sdk/node'
import { serveStdio } from '@tenon/sdk/stdio'
import type { CommandCall } from '../command.ts'
import { FileWatcher, isSetting, isSource } from './file-watcher.ts'
import type { devOptions } from './options.ts'
import { listen } from './port.ts'
import { processSource } from './process/process-source.ts'
import type { Program } from './process/program.ts'
import type { RunnerMessage } from './process/runner-messages.ts'
import { UrlSource } from './process/url-source.ts'
import { projectFolder } from './project.ts'
import { ReloadingServer } from './reloading-server.ts'
import type { DevView } from './view/dev-view.ts'
import { RepeatedLines } from './view/repeated-lines.ts'

/** The server of a file: served at one address, and reloaded when a file changes. */
export class DevServer {
  readonly #file: string
  readonly #cwd: string
  readonly #view: DevView
  readonly #reloading: ReloadingServer
  readonly #watcher: FileWatcher
  readonly #shown = new RepeatedLines()
  #http: HttpServer | undefined

  constructor(
    { options, command, terminal }: CommandCall<typeof devOptions>,
    file: string,
    env: NodeJS.ProcessEnv,
    view: DevView,
  ) {
    const { cwd } = terminal.surroundings
    this.#file = file
    this.#cwd = cwd
    this.#view = view
    const program: Program = {
      file,
      args: command ?? [],
      cwd,
      env,
      onMessage: (message) => this.#handle(message),
      onLine: (line) => {
        if (this.#reloading.isUp || !this.#shown.isRepeated(line)) view.line(line)
      },
    }
    this.#reloading = new ReloadingServer(
      options.url ? new UrlSource(program, options.url) : processSource(program),
      view,
    )
    this.#watcher = new FileWatcher(
      (files) => this.restart(files.map((one) => relative(cwd, one)).join(', ')),
      (one) => isSetting(one) || (!this.#reloading.isUp && isSource(one)),
    )
  }

  /** Listens over HTTP; answers the address. */
  async listen(port: number | undefined): Promise<string> {
    this.#http = await listen(this.#reloading.bridge.server, this.#file, port)
    return this.#http.url
  }

  /** Loads the file, and watches it and its project. */
  start(): void {
    this.#watcher.addFolder(projectFolder(this.#file))
    this.#watcher.add(this.#file)
    void this.#reloading.reload()
  }

  restart(because: string): void {
    this.#shown.forget()
    this.#view.restarting(because)
    void this.#reloading.reload()
  }

  /** Serves one client over standard input and output. */
  serveStdio(streams: Parameters<typeof serveStdio>[1]): ReturnType<typeof serveStdio> {
    return serveStdio(this.#reloading.bridge.server, { exit: false, ...streams })
  }

  async close(): Promise<void> {
    this.#watcher.close()
    await this.#http?.close()
    await this.#reloading.close()
  }

  #handle(message: RunnerMessage): void {
    if (message.kind === 'loaded') {
      this.#watcher.add(message.file)
      if (message.file === this.#file) this.#shown.restart()
    }
    if (message.kind !== 'loaded') this.#reloading.explain(...explanationOf(message, relative(this.#cwd, this.#file)))
  }
}

/** Why a file cannot be served, and how to change that. */
function explanationOf(
  message: Exclude<RunnerMessage, { kind: 'loaded' }>,
  file: string,
): [reason: string, hint: string] {
  switch (message.kind) {
    case 'listening':
      return [
        `${file} listens at ${message.url} by itself`,
        `Say so: tenon dev ${file} --url ${message.url}/mcp; or have it export the server.`,
      ]
    case 'foreign':
      return [`${message.name} is a server of another library`, 'Have the file serve it over stdio.']
    case 'nothing':
      return [`${file} serves nothing, and exports no server`, 'Write: export const server = createServer(…)']
  }
}
