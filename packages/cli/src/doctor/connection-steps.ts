import { type Finding, failed, findProgram, ok, type Step, urlSteps } from '@tenon/host/diagnosis'
import { type ProcessTarget, revisions } from '@tenon/sdk/client'
import { hasCredentials } from '../login/stored-auth.ts'
import type { Checkup } from './checkup.ts'

/** The checks up to a connection: those of a program, or those of an address, and the handshake. */
export function connectionSteps(checkup: Checkup): Step[] {
  const { target } = checkup.resolved
  const way = typeof target === 'string' ? addressSteps(checkup, target) : programSteps(checkup, target)
  return [
    ...way,
    {
      name: 'era',
      title: 'Handshake',
      needs: way.map(({ name }) => name).filter((name) => name !== 'stdout'),
      run: () => lookAtHandshake(checkup),
    },
    { name: 'revision', title: 'Revision', needs: ['era'], run: () => lookAtRevision(checkup) },
  ]
}

function programSteps(checkup: Checkup, target: ProcessTarget): Step[] {
  return [
    { name: 'command', title: 'Program', run: () => findProgram(target) },
    { name: 'spawn', title: 'Start', run: () => lookAtStart(checkup) },
    { name: 'stdout', title: 'Standard output', run: () => lookAtOutput(checkup) },
  ]
}

function addressSteps({ resolved }: Checkup, url: string): Step[] {
  const { headers = {} } = resolved.options
  return urlSteps({
    url,
    ...(typeof headers === 'object' && { headers }),
    ...(resolved.trust && { tls: resolved.trust }),
    loginHint: hasCredentials(headers)
      ? undefined
      : `A login that is stored is used; \`tenon auth login ${url}\` makes one.`,
  })
}

async function lookAtStart(checkup: Checkup): Promise<Finding> {
  const opened = await checkup.open()
  if (!('exitCode' in opened) || (opened.code !== 'spawn' && opened.code !== 'closed')) {
    return ok('The process is running')
  }
  return failed(opened.message, opened.hint ?? 'Run the program by itself: it has to wait for input.')
}

function lookAtOutput(checkup: Checkup): Finding {
  checkup.judgedLines = checkup.refused.length
  return judgeOutput(checkup.refused)
}

const shownCharacters = 100

/** Judges the lines of standard output that are no messages. */
export function judgeOutput(refused: readonly string[]): Finding {
  const [first] = refused
  if (first === undefined) return ok('Nothing but messages')
  const lines = refused.length === 1 ? 'A line is no message' : `${refused.length} lines are no messages, such as`
  const shown = first.length > shownCharacters ? `${first.slice(0, shownCharacters)}…` : first
  return failed(
    `${lines}: ${JSON.stringify(shown)}`,
    'Only messages belong on standard output. Let the server, its libraries and its children print to standard error.',
  )
}

async function lookAtHandshake(checkup: Checkup): Promise<Finding> {
  const opened = await checkup.open()
  if ('exitCode' in opened) return failed(opened.message, opened.hint ?? 'Look at its messages with --verbose.')
  return checkup.greeting === 'server/discover'
    ? ok('server/discover is answered: every request stands alone')
    : ok('initialize is answered: a session begins')
}

async function lookAtRevision(checkup: Checkup): Promise<Finding> {
  const { info, revision } = (await checkup.client()).server
  const newest = revisions.at(-1)
  const name = info ? `${info.name} ${info.version}` : 'The server, which does not give its name,'
  return ok(`${name} speaks ${revision}${revision === newest ? '' : `; the newest is ${newest}`}`)
}
