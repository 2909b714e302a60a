import { writeFile } from 'node:fs/promises'
import { resolve } from 'node:path'
import { type CallsFile, junitXml, type RunResult, runCalls, tapText } from '@tenon/replay'
import type { Revision } from '@tenon/sdk/client'
import { command } from '../../command.ts'
import { CommandFailure, ExitCode, usage } from '../../exit.ts'
import { connectSaved } from '../../replay/connect-saved.ts'
import { loadSavedCalls } from '../../replay/saved-calls.ts'
import { loadSessionCalls, writeSessionCalls } from '../../replay/session-calls.ts'
import { CallView, totals } from '../../replay/test-view.ts'
import { connectionOptions } from '../../server/options.ts'
import { readWords } from '../../values/argument-words.ts'

const { elicit: _elicit, sample: _sample, ...options } = connectionOptions

export default command({
  name: 'test',
  summary: 'Make saved calls, and check their results',
  usage: ['<file…>', '<file…> -- <program> [argument…]', '--from <session> -- <program> [argument…]'],
  details:
    'Files are YAML or JSON, and name the servers they use. Those that name none use the program after --, or --server. --from makes the calls of a recorded session again, and expects its results; with --output they are written to a file instead, to be edited. Exits with 8 if an expectation is not met.',
  examples: [
    { line: 'tenon test calls.yaml', shows: 'make the calls of a file' },
    { line: 'tenon test calls.yaml --junit results.xml', shows: 'results for a CI system' },
    { line: 'tenon test --from session.jsonl --server everything', shows: 'the calls of a recording, and its results' },
    { line: 'tenon test calls.yaml --filter note -- node server.js', shows: 'some of them, with this server' },
  ],
  options: {
    server: {
      type: 'text',
      short: 's',
      value: 'target',
      help: 'The server of files that name none: a URL, or a configured name',
    },
    from: { type: 'list', value: 'session', help: 'Make the calls of this recording, and expect its results' },
    output: { type: 'text', short: 'o', value: 'file', help: 'Write the calls of --from to this file, and make none' },
    filter: { type: 'text', short: 'f', value: 'text', help: 'Only calls whose name contains this' },
    bail: { type: 'flag', help: 'Stop after the first failure' },
    var: {
      type: 'list',
      value: 'name=value',
      help: 'Another value for a variable of the file; name:=json is taken as it is',
    },
    junit: { type: 'text', value: 'file', help: 'Write the results as JUnit XML' },
    tap: { type: 'flag', help: 'Print the results in the Test Anything Protocol' },
    ...options,
  },
  async run(call) {
    const { terminal, options: given, signal } = call
    const { cwd, env } = terminal.surroundings
    if (given.output !== undefined) return await writeSessionCalls(call)
    // Places are those of the file that --output writes.
    const words = [...call.words, ...given.from.map((session) => `${session} as saved calls`)]
    if (words.length === 0) throw usage('Expected a file of saved calls', 'For example: tenon test calls.yaml')
    const files = [
      ...(await Promise.all(call.words.map((word) => loadSavedCalls(resolve(cwd, word), word)))),
      ...(await Promise.all(given.from.map((session) => loadSessionCalls(session, terminal)))),
    ]
    for (const [index, file] of files.entries()) refuseWithoutServer(file, words[index]!, call)
    refuseEmpty(files, given.filter)
    const variables = await variablesOf(given.var, call)
    const view = new CallView(terminal, !given.json && !given.tap)
    const results: RunResult[] = []
    for (const [index, file] of files.entries()) {
      view.file(words[index]!, files.length)
      const result = await runCalls(
        { ...file, variables: { ...file.variables, ...variables } },
        {
          connect: connectSaved(call),
          env,
          signal,
          bail: given.bail,
          ...(given.revision !== undefined && { revisions: [given.revision as Revision] }),
          ...(given.filter !== undefined && { filter: ({ name }) => name.includes(given.filter!) }),
          onEvent: (event) => view.event(event, words[index]!),
        },
      )
      results.push({ ...result, file: words[index]! })
      if (given.bail && result.failed > 0) break
    }
    signal.throwIfAborted()
    if (given.junit !== undefined) await writeFile(resolve(cwd, given.junit), junitXml(results))
    const failed = results.reduce((sum, result) => sum + result.failed, 0)
    const failure = new CommandFailure(
      ExitCode.Different,
      'failed',
      `${failed} ${failed === 1 ? 'call' : 'calls'} failed`,
    )
    const show = (): void =>
      given.tap ? terminal.content(tapText(results)) : terminal.print(totals(results, terminal.style))
    await call.result(results, show, failed > 0 ? failure : undefined)
  },
})

/** A filter that no call fits is a slip, and a run without a call shows nothing. */
function refuseEmpty(files: readonly CallsFile[], filter: string | undefined): void {
  const names = files.flatMap(({ calls }) => calls.map(({ name }) => name))
  if (filter === undefined || names.some((name) => name.includes(filter))) return
  const known = names.slice(0, 10).join(', ')
  throw usage(
    `--filter: no call has ${JSON.stringify(filter)} in its name`,
    `There are ${known}${names.length > 10 ? ', …' : ''}.`,
  )
}

/** A file that names no server needs one of the command line. */
function refuseWithoutServer(
  { servers, calls }: CallsFile,
  shown: string,
  { options: { server }, command }: { options: { server?: string | undefined }; command: string[] | undefined },
): void {
  const isNamed = [...servers.values()].some(({ command: program, url, config }) => program ?? url ?? config)
  if (isNamed || server !== undefined || command !== undefined || calls.length === 0) return
  throw usage(`${shown} names no server`, 'Give one with --server, or a program after --.')
}

async function variablesOf(
  given: readonly string[],
  call: { terminal: { surroundings: Parameters<typeof readWords>[1] } },
): Promise<{ [name: string]: unknown }> {
  const { assignments } = await readWords(given, call.terminal.surroundings)
  return Object.fromEntries(assignments.map((one) => [one.key, 'text' in one ? one.text : one.value]))
}
