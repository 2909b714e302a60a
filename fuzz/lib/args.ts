import { readFlags, readNames, readNumber } from '../../scripts/command-line.mjs'

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

export function readArgs(argv: string[], known: readonly string[]): Args {
  const texts = ['time', 'seed', 'target', 'replay'] as const
  const { help = false, json = false, time = '60', seed, target, replay } = readFlags(argv, ['help', 'json'], texts)
  return {
    help,
    json,
    seconds: readNumber('--time', time, 0.01),
    seed: seed === undefined ? Math.floor(Math.random() * 2 ** 31) : readNumber('--seed', seed, -(2 ** 31)),
    targets: readNames('--target', target, known),
    replay,
  }
}
