import { parseArgs } from 'node:util'

export const usage = `Tries inputs at random, and keeps the smallest one that shows that something is wrong.

  npm run fuzz                                    every target, one minute in all
  npm run fuzz -- --time 600 --target http,sse    ten minutes for two of them

  --time <seconds>     in all, shared by the targets (default 60)
  --seed <number>      begins with the same inputs as another run (default: random, and printed)
  --target <names>     separated by commas: {targets}
  --replay <file>      tries one input that failed before
  --json               the outcome as JSON on standard output
  --help

Inputs that failed before are kept in fuzz/corpus and tried first, in every run. What fails is written to fuzz/failures with
the command that tries it again; when it is fixed, move the file to fuzz/corpus.`

export interface Args {
  help: boolean
  json: boolean
  seconds: number
  seed: number
  targets: string[]
  replay: string | undefined
}

/** A mistake in the command line: its message is all that the user needs. */
export class UsageError extends Error {}

export function readArgs(argv: string[], known: readonly string[]): Args {
  const { help = false, json = false, time = '60', seed, target, replay } = parse(argv)
  const names = target?.split(',') ?? [...known]
  const unknown = names.find((name) => !known.includes(name))
  if (unknown !== undefined) throw new UsageError(`--target: ${unknown} is none of ${known.join(', ')}`)
  return {
    help,
    json,
    seconds: readNumber('--time', time, 0.01),
    seed: seed === undefined ? Math.floor(Math.random() * 2 ** 31) : readNumber('--seed', seed, -(2 ** 31)),
    targets: names,
    replay,
  }
}

interface Values {
  help?: boolean
  json?: boolean
  time?: string
  seed?: string
  target?: string
  replay?: string
}

function parse(args: string[]): Values {
  const text = { type: 'string' } as const
  const flag = { type: 'boolean' } as const
  try {
    const options = { help: flag, json: flag, time: text, seed: text, target: text, replay: text }
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
