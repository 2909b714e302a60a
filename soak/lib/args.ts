import { readFlags, readNames, readNumber } from '../../scripts/command-line.mjs'

export const usage = `Puts real servers under mixed load, cuts connections, kills processes, and checks that nothing is lost or left behind.

  npm run soak                        five minutes
  npm run soak -- --minutes 60        an hour

  --minutes <n>      how long (default 5)
  --users <n>        users of each transport at once (default 2)
  --kind <names>     transports, separated by commas: {kinds}
  --no-floods        without the floods and crowds at the beginning, which take a minute
  --seed <number>    the order of operations, cuts and kills (default: random, and printed)
  --json             the outcome as JSON on standard output
  --help

Fails if a call gets another call's answer, runs or is answered twice, never ends, or fails with an error that is not one of the
library; if a flood ends a server with a heap of 256 MB or leaves nothing for others; and if memory, handles or files do not return to where they were.`

export interface Args {
  help: boolean
  json: boolean
  minutes: number
  users: number
  kinds: string[]
  floods: boolean
  seed: number
}

export function readArgs(argv: string[], known: readonly string[]): Args {
  const texts = ['minutes', 'users', 'kind', 'seed'] as const
  const {
    help = false,
    json = false,
    minutes = '5',
    users = '2',
    kind,
    seed,
    'no-floods': noFloods = false,
  } = readFlags(argv, ['help', 'json', 'no-floods'], texts)
  return {
    help,
    json,
    minutes: readNumber('--minutes', minutes, 0.05),
    users: readNumber('--users', users, 1),
    kinds: readNames('--kind', kind, known),
    floods: !noFloods,
    seed: seed === undefined ? Math.floor(Math.random() * 2 ** 31) : readNumber('--seed', seed, 0),
  }
}
