import { readFile, writeFile } from 'node:fs/promises'
import { resolve } from 'node:path'
import type { EvalRate, EvalsFile, EvalsOptions, EvalsReport } from '@tenon/host/evals'
import { command } from '../../command.ts'
import { docsPage } from '../../docs-page.ts'
import { checkInputs, evalServerOptions, findEvalServer, serversOfLine } from '../../evals/find-server.ts'
import { CommandFailure, ExitCode, usage } from '../../exit.ts'
import { totals } from '../../replay/test-view.ts'
import type { Surroundings } from '../../terminal/terminal.ts'

export default command({
  name: 'eval',
  summary: 'Let models answer prompts with tools, and check what they do',
  usage: ['<file>', '<file> -- <program> [argument…]'],
  details:
    'The file is YAML or JSON: prompts, and the calls and answers that are expected. Each is tried with each model, with servers of its own. Exits with 8 if a case passes too rarely.',
  examples: [
    { line: 'tenon eval cases.yaml', shows: 'try the cases of a file' },
    { line: 'tenon eval cases.yaml --model anthropic/claude-sonnet-5-5 --runs 5', shows: 'five times with this model' },
    { line: 'tenon eval cases.yaml --junit results.xml', shows: 'results for a CI system' },
    { line: 'tenon eval cases.yaml --compare main.json', shows: 'compare with a report that --json printed' },
  ],
  options: {
    model: { type: 'list', short: 'm', value: 'name', help: 'Instead of the models of the file; several are possible' },
    runs: { type: 'number', short: 'n', value: 'count', min: 1, max: 1_000, help: 'Try each case this often' },
    filter: { type: 'text', short: 'f', value: 'text', help: 'Only cases whose name contains this' },
    compare: { type: 'text', value: 'file', help: 'Compare with this report instead of the last run' },
    junit: { type: 'text', value: 'file', help: 'Write the results as JUnit XML' },
    ...evalServerOptions,
  },
  async run(call) {
    const { terminal, words, options: given, signal } = call
    const { surroundings } = terminal
    const [word, more] = words
    if (word === undefined) throw usage('Expected a file of cases', 'For example: tenon eval cases.yaml')
    if (more !== undefined) throw usage(`Expected one file, got ${JSON.stringify(more)}, too`)
    const [{ compareRates, evalsJunit, LastRun, ratesOf }, { tenonFolder }, { EvalView }] = await Promise.all([
      import('@tenon/host/evals'),
      import('@tenon/host/folder'),
      import('../../evals/view.ts'),
    ])
    const path = resolve(surroundings.cwd, word)
    const file = await loadFile(path, word)
    const last = new LastRun(path, tenonFolder({ env: surroundings.env }))
    const kept = await last.load()
    const before = given.compare === undefined ? kept : await readReport(given.compare, surroundings)
    const servers = file.servers.size > 0 ? file.servers : serversOfLine(call)
    await checkInputs(servers.values(), call)
    const view = new EvalView(terminal, word, before, !given.json)
    const report = await evaluate(
      { ...file, servers },
      {
        models: given.model,
        ...(given.runs !== undefined && { runs: given.runs }),
        ...(given.filter !== undefined && { filter: filterOf(given.filter, file) }),
        findServer: findEvalServer(call),
        findModel: modelIn(surroundings),
        env: surroundings.env,
        signal,
        onEvent: (event) => view.event(event),
      },
    )
    signal.throwIfAborted()
    const rates = ratesOf(report.cases)
    await last.save(kept, rates)
    if (given.junit !== undefined) await writeFile(resolve(surroundings.cwd, given.junit), evalsJunit([report]))
    const { failed } = report
    const failure = new CommandFailure(
      ExitCode.Different,
      'failed',
      `${failed} ${failed === 1 ? 'case' : 'cases'} failed`,
    )
    const result = { ...report, file: word, changes: compareRates(before, rates) }
    await call.result(result, () => terminal.print(totals([report], terminal.style)), failed > 0 ? failure : undefined)
  },
})

/** Errors of the file, the models and the rules are those of the person who gave them. */
async function evaluate(file: EvalsFile, options: EvalsOptions): Promise<EvalsReport> {
  if (file.models.length === 0 && options.models?.length === 0) {
    throw usage(
      'The file names no model',
      'Give one with --model, such as anthropic/claude-sonnet-5-5 or scripted:FILE.',
    )
  }
  const { runEvals } = await import('@tenon/host/evals')
  try {
    return await runEvals(file, options)
  } catch (error) {
    const { name, code, message } = error as Error & { code?: string }
    if (!['HostError', 'ChatError', 'UnknownVariable'].includes(name)) throw error
    throw new CommandFailure(ExitCode.Usage, code ?? 'usage', message, undefined, { cause: error })
  }
}

async function loadFile(path: string, shown: string): Promise<EvalsFile> {
  const { loadEvalsFile } = await import('@tenon/host/evals')
  try {
    return await loadEvalsFile(path)
  } catch (error) {
    const { code, name, message } = error as NodeJS.ErrnoException
    if (name !== 'EvalsFileError') throw usage(code === 'ENOENT' ? `There is no file ${shown}` : `${shown}: ${message}`)
    const told = message.replaceAll(path, shown)
    throw new CommandFailure(ExitCode.Usage, 'invalid_file', told, `See ${docsPage('cli/eval')}`)
  }
}

async function readReport(shown: string, { cwd }: Surroundings): Promise<EvalRate[]> {
  const { readRates } = await import('@tenon/host/evals')
  try {
    return readRates(await readFile(resolve(cwd, shown), 'utf8'), shown)
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException
    throw usage(`--compare: ${code === 'ENOENT' ? `there is no file ${shown}` : message}`)
  }
}

function filterOf(text: string, { cases }: EvalsFile): NonNullable<EvalsOptions['filter']> {
  if (cases.some(({ name }) => name.includes(text))) return ({ name }) => name.includes(text)
  const names = cases.map(({ name }) => JSON.stringify(name)).join(', ')
  throw usage(`--filter: no case has ${JSON.stringify(text)} in its name`, `There are ${names}.`)
}

/** Files of scripted models are found from the folder in which the command is run. */
const modelIn =
  ({ cwd, env }: Surroundings): NonNullable<EvalsOptions['findModel']> =>
  async (name) => {
    const { resolveModel } = await import('@tenon/host/chat')
    const scripted = 'scripted:'
    const full = name.startsWith(scripted) ? scripted + resolve(cwd, name.slice(scripted.length)) : name
    return await resolveModel(full, { env })
  }
