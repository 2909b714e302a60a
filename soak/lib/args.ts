import { parseArgs } from 'node:util'

export const usage = `Puts real servers under mixed load, cuts connections, kills processes, and checks that nothing is lost or left behind.

  npm run soak                        five minutes
  npm run soak -- --minutes 60        an hour

  --minutes <n>      how long (default 5)
  --users <n>        users of each transport at once (default 2)
  --kind <names>     transports, separated by commas: {kinds}
  --seed <number>    the order of operations, cuts and kills (default: random, and printed)
  --json             the outcome as JSON on standard output
  --help

Fails if a call gets another call's answer, runs or is answered twice, never ends, or fails with an error that is not one of the
library; and if memory, handles or files do not return to where they were.`

export interface Args {
  help: boolean
  json: boolean
  minutes: number
  users: number
  kinds: string[]
  seed: number
}

/** A mistake in the command line: its message is all that the user needs. */
export class UsageError extends Error {}

export function readArgs(argv: string[], known: readonly string[]): Args {
  const { help = false, json = false, minutes = '5', users = '2', kind, seed } = parse(argv)
  const kinds = kind?.split(',') ?? [...known]
  const unknown = kinds.find((name) => !known.includes(name))
  if (unknown !== undefined) throw new UsageError(`--kind: ${unknown} is none of ${known.join(', ')}`)
  return {
    help,
    json,
    minutes: readNumber('--minutes', minutes, 0.05),
    users: readNumber('--users', users, 1),
    kinds,
    seed: seed === undefined ? Math.floor(Math.random() * 2 ** 31) : readNumber('--seed', seed, 0),
  }
}

interface Values {
  help?: boolean
  json?: boolean
  minutes?: string
  users?: string
  kind?: string
  seed?: string
}

function parse(args: string[]): Values {
  const text = { type: 'string' } as const
  const flag = { type: 'boolean' } as const
  try {
    const options = { help: flag, json: flag, minutes: text, users: text, kind: text, seed: text }
    return parseArgs({ args, options }).values
  } catch (error) {
    throw new UsageError(error instanceof Error ? error.message : String(error))
  }
}

function readNumber(flag: string, text: string, least: number): number {
  const number = Number(text)
  if (text.trim() !== '' && Number.isFinite(number) && number >= least) return number
  throw new UsageError(`${flag}: expected a number of at least ${least}, got ${text}`)
}
