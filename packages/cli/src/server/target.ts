import { resolve } from 'node:path'
import type { ConnectOptions, ProcessTarget } from '@tenon/sdk/client'
import type { CommandCall } from '../command.ts'
import { usage } from '../exit.ts'
import { givenVariables, inheritedPlace } from './environment.ts'
import type { targetOptions } from './options.ts'
import { type TlsTrust, withTrust } from './tls-trust.ts'

type Options = typeof targetOptions

/** The target of a connection, with its options. */
export interface ResolvedTarget {
  target: ProcessTarget | string
  options: ConnectOptions
  /** How people call it: a URL, a name, or a program with its arguments. */
  label: string
  /** The trust of `--ca` and `--insecure`. */
  trust?: TlsTrust
  /** The address, for logins. */
  url?: URL
  /** The words that are left for the command. */
  words: string[]
}

/** Finds the target of a command: the program after `--`, or the first word. */
export async function resolveTarget(
  call: CommandCall<Options>,
  words: readonly string[] = call.words,
): Promise<ResolvedTarget> {
  const resolved = await withTrust(call, await findTarget(call, words))
  const bytes = call.options['max-message-bytes']
  return bytes === undefined ? resolved : { ...resolved, ...withLimit(resolved, bytes) }
}

/** The same target, with the given limit for one message of the server. */
function withLimit({ target, options }: ResolvedTarget, bytes: number): Pick<ResolvedTarget, 'target' | 'options'> {
  if (typeof target !== 'string') return { target: { ...target, maxLineBytes: bytes }, options }
  return { target, options: { ...options, httpLimits: { ...options.httpLimits, maxMessageBytes: bytes } } }
}

async function findTarget(call: CommandCall<Options>, words: readonly string[]): Promise<ResolvedTarget> {
  const { command } = call
  const { input } = call.options
  if (input.length > 0 && (command || isUrl(words[0]))) {
    throw usage('--input is for servers of config files', 'Give a program variables with --env, a URL --header.')
  }
  if (command) return { ...(await programTarget(call, command)), words: [...words] }
  const [first, ...rest] = words
  if (first === undefined) {
    throw usage(
      'Expected a target: a URL, the name of a configured server, or a program after --',
      'See --help for examples.',
    )
  }
  if (isUrl(first)) return { ...urlTarget(call, first), words: rest }
  const { configuredTarget } = await import('./configured.ts')
  return { ...(await configuredTarget(call, first)), words: rest }
}

const isUrl = (word = ''): boolean => /^(?:https?|wss?):\/\//i.test(word)

async function programTarget(
  call: CommandCall<Options>,
  [program, ...args]: string[],
): Promise<Omit<ResolvedTarget, 'words'>> {
  const { cwd, header } = call.options
  if (header.length > 0) throw usage('--header: a program gets no headers', 'Give it variables with --env NAME=value.')
  const { surroundings } = call.terminal
  const place = await inheritedPlace(true, surroundings)
  const target = {
    command: program!,
    args,
    ...place,
    env: { ...place.env, ...(await givenVariables(call.options, surroundings)) },
    ...(cwd !== undefined && { cwd: resolve(surroundings.cwd, cwd) }),
  }
  return { target, options: {}, label: [program, ...args].join(' ') }
}

function urlTarget(call: CommandCall<Options>, text: string): Omit<ResolvedTarget, 'words'> {
  if (!URL.canParse(text)) throw usage(`Expected a URL, got ${JSON.stringify(text)}`, portProblem(text))
  const { env, 'env-file': envFiles, cwd } = call.options
  if (env.length + envFiles.length > 0 || cwd !== undefined) {
    throw usage('--env, --env-file and --cwd are for programs, and the target is a URL')
  }
  const url = new URL(text)
  return { target: text, options: { headers: headers(call.options.header) }, label: text, url }
}

function portProblem(text: string): string | undefined {
  const [, port] = /^\w+:\/\/[^/?#]*:(\d+)(?:[/?#]|$)/.exec(text) ?? []
  return Number(port) > 65_535 ? `The port is ${port}; the largest one is 65535.` : undefined
}

/** `name: value` lines as headers. */
export function headers(lines: readonly string[]): { [name: string]: string } {
  return Object.fromEntries(
    lines.map((line) => {
      const [, name, value] = /^([\w!#$%&'*+.^`|~-]+)\s*:\s*(.*)$/.exec(line) ?? []
      if (name === undefined) throw usage(`--header: expected "name: value", got ${JSON.stringify(line)}`)
      return [name, value!]
    }),
  )
}
