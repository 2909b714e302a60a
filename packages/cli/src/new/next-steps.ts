import { relative } from 'node:path'
import type { Terminal } from '../terminal/terminal.ts'
import { join, say, type TerminalText } from '../terminal/text.ts'
import type { Plan } from './plan.ts'

/** The new project, and the next commands. */
export function nextSteps(plan: Plan, terminal: Terminal): TerminalText {
  const { bold, cyan, dim } = terminal.style
  const path = relative(terminal.surroundings.cwd, plan.folder)
  const lines = stepsOf(plan, path)
  const width = Math.max(...lines.map(([line]) => line.length))
  const steps = lines.map(([line, shows]) =>
    shows ? say`  ${cyan(line.padEnd(width))}  ${dim(`# ${shows}`)}\n` : say`  ${cyan(line)}\n`,
  )
  const ready = say`${bold(plan.name)} is ready${path === '' ? '' : ` in ${path}`}\n\n${join(steps)}`
  return plan.clone === undefined
    ? ready
    : say`${ready}\n${join(aboutClone(plan.clone).map((line) => say`${dim(line)}\n`))}`
}

/** A project that is linked to a clone cannot be published. */
const aboutClone = (clone: string): string[] => [
  `The dependencies are those of the clone in ${clone}.`,
  'Replace them with versions in package.json before you publish the project.',
]

function stepsOf({ template, packageManager, install }: Plan, path: string): [string, string?][] {
  const run = `${packageManager} run`
  const call = template === 'minimal' ? 'add a=19 b=23' : 'count_words text="Less is more."'
  return [
    ...(path === '' ? [] : [[`cd ${/\s/.test(path) ? JSON.stringify(path) : path}`] as [string]]),
    ...(install ? [] : [[`${packageManager} install`] as [string]]),
    ...(template === 'client'
      ? []
      : [[`${run} dev`, 'restarts when a file changes, shows traffic'] as [string, string]]),
    [`${packageManager} test`],
    [`${run} build`],
    template === 'client'
      ? ['node dist/main.js https://example.com/mcp', 'the features of a server']
      : template === 'http'
        ? [`${run} start`, `http://127.0.0.1:3000/mcp`]
        : [`npx tenon call ${call} -- node dist/main.js`, 'a first call'],
  ]
}
