import { homedir } from 'node:os'
import type { Whereabouts } from '@tenon/host/config'
import type { Surroundings } from '../terminal/terminal.ts'

/** The place of a command, where the files of hosts are looked for. The home is that of its environment. */
export const whereaboutsOf = ({ cwd, env }: Pick<Surroundings, 'cwd' | 'env'>): Whereabouts => ({
  cwd,
  env,
  home: (process.platform === 'win32' ? env.USERPROFILE : env.HOME) || homedir(),
})
