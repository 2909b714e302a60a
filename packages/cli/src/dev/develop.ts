import { existsSync, statSync } from 'node:fs'
import { dirname, join, relative, resolve } from 'node:path'
import type { HttpServer } from '@tenon/sdk/node'
import { serveStdio } from '@tenon/sdk/stdio'
import type { CommandCall } from '../command.ts'
import { usage } from '../exit.ts'
import { variables } from '../server/target.ts'
import { say, type TerminalText } from '../terminal/text.ts'
import { firstTime, keyHelp } from './first-time.ts'
import { onKeys } from './keys.ts'
import type { Mark } from './marks.ts'
import type { devOptions } from './options.ts'
import { listen } from './port.ts'
import type { Program } from './program.ts'
import { Reloading } from './reloading.ts'
import { processSource } from './source.ts'
import { TextView } from './text-view.ts'
import { UrlSource } from './url-source.ts'
import { jsonView, type View } from './view.ts'
import { isSetting, isSource, Watcher } from './watch.ts'

type Call = CommandCall<typeof devOptions>

/** Runs a server until somebody has enough of it. */
export async function develop(call: Call): Promise<void> {
  const { terminal, options, signal } = call
  const { stdin, cwd } = terminal.surroundings
  const file = fileOf(call)
  const overStdio = stdin.isTTY !== true && !options['no-stdio']
  if (overStdio && options.json) throw usage('--json needs standard output for itself', 'Add --no-stdio.')
  const ended = new AbortController()
  signal.addEventListener('abort', () => ended.abort(), { once: true })

  // Standard output belongs to the protocol where that is served.
  const write = (text: TerminalText): void => (overStdio ? terminal.warn(text) : terminal.line(text))
  const style = overStdio ? terminal.notes : terminal.style
  let http: HttpServer | undefined
  const text = new TextView(write, style, terminal.columns, (ready) =>
    firstTime(ready, http!.url, file, style, stdin.isTTY === true),
  )
  text.verbose = options.verbose
  const view: View = options.json ? jsonView((event) => call.event(event, () => {})) : text
  const program: Program = {
    file,
    args: call.command ?? [],
    cwd,
    env: variables(options.env, terminal.surroundings.env),
    onMark: (mark) => marked(mark),
    onLine: (line) => view.line(line),
  }
  const reloading = new Reloading(options.url ? new UrlSource(program, options.url) : processSource(program), view)
  const restart = (because: string): void => {
    view.restarting(because)
    void reloading.reload()
  }
  const watcher = new Watcher(
    (files) => restart(files.map((one) => relative(cwd, one)).join(', ')),
    (one) => isSetting(one) || (!reloading.isUp && isSource(one)),
  )

  function marked(mark: Mark): void {
    const shown = relative(cwd, file)
    if (mark.kind === 'loaded') watcher.add(mark.file)
    else if (mark.kind === 'listening') {
      reloading.explain(
        `${shown} listens at ${mark.url} by itself`,
        `Say so: tenon dev ${shown} --url ${mark.url}/mcp; or have it export the server.`,
      )
    } else if (mark.kind === 'foreign') {
      reloading.explain(`${mark.name} is a server of another library`, 'Have the file serve it over stdio.')
    } else {
      reloading.explain(
        `${shown} serves nothing, and exports no server`,
        'Write: export const server = createServer(…)',
      )
    }
  }

  let release = (): void => {}
  try {
    http = await listen(reloading.bridge.server, file, options.port)
    call.envelope.url = http.url
    if (options.json) call.event({ event: 'listening', url: http.url }, () => {})
    watcher.addFolder(rootOf(file))
    watcher.add(file)
    if (stdin.isTTY) release = onKeys(stdin, keys(http.url))
    void reloading.reload()
    if (overStdio) {
      const connection = await serveStdio(reloading.bridge.server, {
        exit: false,
        ...terminal.surroundings.output.connection,
      })
      void connection.closed.then(() => ended.abort())
    }
    await aborted(ended.signal)
  } finally {
    release()
    watcher.close()
    await http?.close()
    await reloading.close()
  }

  function keys(url: string): Map<string, () => void> {
    const quit = (): void => ended.abort()
    return new Map([
      ['r', () => restart('you asked for it')],
      ['c', () => void terminal.clear()],
      [
        'v',
        () => {
          text.verbose = !text.verbose
          write(style.dim(text.verbose ? 'Messages are shown in full.' : 'Messages are shown in short.'))
        },
      ],
      ['o', () => write(say`${style.dim('The workbench:')} tenon inspect ${url}`)],
      ['?', () => write(keyHelp(style))],
      ['q', quit],
      ['\u0003', quit],
      ['\u0004', quit],
    ])
  }
}

const aborted = (signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    if (signal.aborted) resolve()
    signal.addEventListener('abort', () => resolve(), { once: true })
  })

function fileOf({ words, terminal }: Call): string {
  const [word, ...others] = words
  if (word === undefined) throw usage('Expected the file of a server', 'For example: tenon dev src/server.ts')
  if (others.length > 0)
    throw usage(
      `Expected one file, got ${JSON.stringify(others[0])} as well`,
      'What belongs to the file goes after --.',
    )
  const file = resolve(terminal.surroundings.cwd, word)
  if (!existsSync(file)) throw usage(`There is no file ${word}`)
  if (!statSync(file).isFile()) throw usage(`Expected a file, and ${word} is none`)
  return file
}

/** The folder of the project: the nearest one with a package.json. */
function rootOf(file: string): string {
  for (let folder = dirname(file); ; folder = dirname(folder)) {
    if (existsSync(join(folder, 'package.json'))) return folder
    if (folder === dirname(folder)) return dirname(file)
  }
}
