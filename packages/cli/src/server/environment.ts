import { readFile } from 'node:fs/promises'
import { resolve } from 'node:path'
import { type ProcessTarget, processEnv } from '@tenon/sdk/client'
import { CommandFailure, ExitCode, usage } from '../exit.ts'
import type { Surroundings } from '../terminal/terminal.ts'

/** The options that set variables of a program. */
interface EnvironmentOptions {
  env: readonly string[]
  'env-file': readonly string[]
}

/**
 * The variables that a program inherits, and the folder that it starts in. A program that was typed after `--` gets all of
 * them, as from a shell; one of a file only those that no server abuses.
 */
export async function inheritedPlace(
  inherit: true | 'network',
  { env, cwd }: Surroundings,
): Promise<Pick<ProcessTarget, 'env' | 'cwd' | 'inheritEnv'>> {
  const folder = cwd === process.cwd() ? {} : { cwd }
  if (env === process.env) return { inheritEnv: inherit, ...folder }
  return { inheritEnv: false, env: await processEnv({ inheritEnv: inherit }, env), ...folder }
}

/** The variables of `--env-file` and `--env`, which goes before it. */
export async function givenVariables(
  { env: lines, 'env-file': files }: EnvironmentOptions,
  { env, cwd }: Surroundings,
): Promise<NodeJS.ProcessEnv> {
  const fromFiles = await Promise.all(files.map((file) => fileVariables(file, cwd)))
  return Object.assign({}, ...fromFiles, variables(lines, env))
}

async function fileVariables(file: string, cwd: string): Promise<NodeJS.ProcessEnv> {
  const { parseEnvFile } = await import('@tenon/host/config')
  try {
    return Object.fromEntries(parseEnvFile(await readFile(resolve(cwd, file), 'utf8')))
  } catch (error) {
    throw usage(
      `--env-file: cannot read ${file}: ${(error as Error).message}`,
      'A file with lines such as NAME=value, as .env has them.',
    )
  }
}

/** `NAME=value` lines as an environment; `NAME` alone passes a variable on. */
function variables(lines: readonly string[], surrounding: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  return Object.fromEntries(
    lines.map((line) => {
      const equals = line.indexOf('=')
      const name = equals < 0 ? line : line.slice(0, equals)
      if (name === '') throw usage(`--env: expected NAME=value or NAME, got ${JSON.stringify(line)}`)
      if (equals < 0 && surrounding[name] === undefined) {
        throw usage(`--env: ${name} is not set here`, `Set it, or write ${name}=value.`)
      }
      return [name, equals < 0 ? surrounding[name] : line.slice(equals + 1)]
    }),
  )
}

/** The error of a program that ended at once, with the variables that were not passed on: it may have missed one. */
export async function explainEnd(
  thrown: unknown,
  target: ProcessTarget | string,
  { env }: Surroundings,
): Promise<unknown> {
  if (!(thrown instanceof Error) || thrown.name !== 'McpError' || typeof target === 'string') return thrown
  if ((thrown as { code?: unknown }).code !== 'closed' || target.inheritEnv === true) return thrown
  const passed = await processEnv({ env: target.env ?? {}, inheritEnv: 'network' }, env)
  const missing = Object.keys(env).filter((name) => !Object.hasOwn(passed, name) && !ofTheShell.has(name))
  if (missing.length === 0) return thrown
  return new CommandFailure(ExitCode.Unreachable, 'closed', thrown.message, hintFor(missing, thrown.message), {
    cause: thrown,
  })
}

const mostNamed = 8

/** Those that the last words of the program mention come first. */
function hintFor(names: readonly string[], message: string): string {
  const words = new Set(message.match(/\w+/g))
  const mentioned = names.filter((name) => words.has(name))
  const sorted = [...mentioned, ...names.filter((name) => !mentioned.includes(name)).sort()]
  const more = names.length - mostNamed
  const list = `${sorted.slice(0, mostNamed).join(', ')}${more > 0 ? ` and ${more} more` : ''}`
  return `Servers of config files do not get all of your variables. Not passed on: ${list}. Pass one on with -e NAME.`
}

/** Variables that a shell sets for itself. */
const ofTheShell = new Set([
  ...['_', 'PWD', 'OLDPWD', 'SHLVL', 'PS1', 'PS2', 'COLUMNS', 'LINES'],
  ...['LS_COLORS', 'COLORTERM', 'NO_COLOR', 'FORCE_COLOR'],
])
