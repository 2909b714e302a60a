import type { CommandCall } from '../command.ts'
import { usage } from '../exit.ts'
import { givenVariables } from '../server/environment.ts'
import { DevServer } from './dev-server.ts'
import type { devOptions } from './options.ts'
import { serverFile } from './project.ts'
import { DevOutput } from './view/dev-output.ts'
import { listenToShortcuts } from './view/shortcuts.ts'

type DevCall = CommandCall<typeof devOptions>

/** Runs a server until the user quits, the command is interrupted, or the client on stdio is gone. */
export async function develop(call: DevCall): Promise<void> {
  const { terminal, options, signal } = call
  const file = serverFile(call.words, terminal.surroundings.cwd)
  const env = await givenVariables(options, terminal.surroundings)
  const usesStdio = servesStdio(call)
  const ended = new AbortController()
  const quit = (): void => ended.abort()
  signal.addEventListener('abort', quit, { once: true })
  const output = new DevOutput(call, file, usesStdio)
  const server = new DevServer(call, file, env, output.view)
  let releaseKeys = (): void => {}
  try {
    output.url = await server.listen(options.port)
    announce(call, output.url)
    releaseKeys = readShortcuts(call, output, server, quit)
    server.start()
    if (usesStdio) {
      const connection = await server.serveStdio(terminal.surroundings.output.connection)
      void connection.closed.then(quit)
    }
    await aborted(ended.signal)
  } finally {
    releaseKeys()
    await server.close()
  }
}

/** True if a host started the command and uses it over standard input and output. */
function servesStdio({ terminal, options }: DevCall): boolean {
  const usesStdio = terminal.surroundings.stdin.isTTY !== true && !options['no-stdio']
  if (usesStdio && options.json) throw usage('--json needs standard output for itself', 'Add --no-stdio.')
  return usesStdio
}

function announce(call: DevCall, url: string): void {
  call.envelope.url = url
  if (call.options.json) call.event({ event: 'listening', url }, () => {})
}

function readShortcuts({ terminal }: DevCall, output: DevOutput, server: DevServer, quit: () => void): () => void {
  const { stdin } = terminal.surroundings
  if (!stdin.isTTY) return () => {}
  const actions = {
    restart: () => server.restart('you asked for it'),
    clear: () => void terminal.clear(),
    toggleMessages: () => output.toggleMessages(),
    showWorkbench: () => output.showWorkbench(),
    quit,
  }
  return listenToShortcuts(stdin, actions, () => output.showShortcuts())
}

const aborted = (signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    if (signal.aborted) resolve()
    signal.addEventListener('abort', () => resolve(), { once: true })
  })
