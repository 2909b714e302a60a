import { basename, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { tenonFolder } from '@tenon/host/folder'
import type { ServerSpec } from '@tenon/inspector'
import type { HeaderRecord, Revision } from '@tenon/sdk/client'
import { type CommandCall, command } from '../../command.ts'
import { connectionOptions, targetOptions } from '../../server/options.ts'
import { resolveTarget } from '../../server/target.ts'
import type { Terminal } from '../../terminal/terminal.ts'
import { say } from '../../terminal/text.ts'

const { revision, root, timeout } = connectionOptions
const asked = { revision, root, timeout, ...targetOptions } as const

export default command({
  name: 'inspect',
  summary: 'Open the workbench in the browser',
  usage: ['[target]', '-- <program> [argument…]'],
  details:
    'The page runs on this machine and can be reached from nowhere else; its link works once. More servers can be added in it, by hand or from config files; those are there the next time too. Ctrl-C ends it, with every server that it started.',
  examples: [
    { line: 'tenon inspect', shows: 'the workbench, with the stored servers' },
    { line: 'tenon inspect everything', shows: 'a server by its name' },
    { line: 'tenon inspect --fresh --calls ./calls', shows: 'without stored servers; saved calls in a folder' },
    { line: 'tenon inspect --no-open --port 6274 -- node server.js', shows: 'a program; prints the link only' },
  ],
  options: {
    port: {
      type: 'number',
      short: 'p',
      value: 'number',
      min: 0,
      max: 65_535,
      help: 'Listen on this port (any that is free)',
    },
    'no-open': { type: 'flag', help: 'Print the link, and open no browser' },
    calls: { type: 'text', value: 'folder', help: 'Keep saved calls in this folder' },
    evals: { type: 'text', value: 'folder', help: 'Keep eval cases in this folder' },
    fresh: { type: 'flag', help: 'Start without the stored servers, and store nothing' },
    ...asked,
  },
  async run(call) {
    const { terminal, words, command: program, options, signal } = call
    const wanted = program || words.length > 0 ? [await specOf(call)] : []
    const { startInspector } = await import('@tenon/inspector')
    const { port, calls, evals, fresh } = options
    const { env: surrounding, cwd: here } = terminal.surroundings
    await using inspector = await startInspector({
      servers: wanted,
      fresh,
      folder: tenonFolder({ env: surrounding }),
      ...(calls !== undefined && { calls: resolve(here, calls) }),
      ...(evals !== undefined && { evals: resolve(here, evals) }),
      ...(port !== undefined && { port }),
    })
    call.event({ url: inspector.url }, () => terminal.line(say`Tenon is at ${inspector.url}`))
    if (!options['no-open'] && terminal.isRead) await show(inspector.url, terminal)
    terminal.note(terminal.notes.dim('The link works once; press Enter for another one, Ctrl-C to end.'))
    terminal.surroundings.stdin.on('data', () => terminal.line(say`${inspector.newUrl()}`))
    await new Promise<void>((done) => signal.addEventListener('abort', () => done()))
  },
})

async function specOf(call: CommandCall<typeof asked>): Promise<ServerSpec> {
  const { target, options, label } = await resolveTarget(call)
  const shared = sharedSpec(call)
  if (typeof target === 'string') {
    return {
      kind: 'url',
      ...shared,
      name: label,
      url: target,
      headers: { ...(options.headers as HeaderRecord | undefined) },
    }
  }
  const { command: program, args = [], env: variables = {}, cwd: folder } = target
  const set = Object.entries(variables).filter((pair): pair is [string, string] => pair[1] !== undefined)
  return {
    kind: 'command',
    ...shared,
    name: call.command ? nameOf(program, args) : label,
    ...(call.command && { autoName: true }),
    command: program,
    args: [...args],
    env: Object.fromEntries(set),
    ...(folder !== undefined && { cwd: folder }),
  }
}

/** The word of a command line by which people would call it: the script or the package that is run. */
const nameOf = (program: string, args: readonly string[]): string =>
  basename(args.find((word) => !word.startsWith('-')) ?? program)

function sharedSpec({
  options,
  terminal,
}: CommandCall<typeof asked>): Pick<ServerSpec, 'revision' | 'roots' | 'timeoutMs' | 'maxMessageBytes'> {
  const maxBytes = options['max-message-bytes']
  const folders = options.root.map((folder) => resolve(terminal.surroundings.cwd, folder))
  return {
    ...(options.revision !== undefined && { revision: options.revision as Revision }),
    ...(options.timeout !== undefined && { timeoutMs: options.timeout }),
    ...(maxBytes !== undefined && { maxMessageBytes: maxBytes }),
    ...(folders.length > 0 && { roots: folders.map((folder) => ({ uri: pathToFileURL(folder).href })) }),
  }
}

/** A machine without a browser is no failure: the link has been printed. */
async function show(url: string, terminal: Terminal): Promise<void> {
  const { openBrowser } = await import('@tenon/sdk/auth')
  try {
    await openBrowser(new URL(url))
  } catch {
    terminal.note(say`No browser could be opened: open the link yourself.`)
  }
}
