import { execFileSync } from 'node:child_process'
import { existsSync, readdirSync, readFileSync } from 'node:fs'

/** The command lines of all processes. Linux has them as files, so that `ps` need not be installed there. */
export function commandLines(): string[] {
  if (!existsSync('/proc/self/cmdline')) return execFileSync('ps', ['-eo', 'args'], { encoding: 'utf8' }).split('\n')
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .flatMap((pid) => {
      try {
        return readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0').join(' ').trim()
      } catch {
        // It has ended since the folder was read.
        return []
      }
    })
}
