import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const mounted = 'mount -t tmpfs -o size=1m,mode=700 tenon "$0" && exec "$@"'

/** Runs a program with a small disk mounted at the folder, visible only to the program and gone with it. */
export function runOnSmallDisk(folder: string, args: readonly string[]): number {
  const all = ['-r', '-m', 'sh', '-c', mounted, folder, ...args]
  return spawnSync('unshare', all, { stdio: ['ignore', 'inherit', 'inherit'] }).status ?? 1
}

/** Needs a kernel that allows this user private mounts. */
export function canMakeSmallDisk(): boolean {
  const folder = mkdtempSync(join(tmpdir(), 'tenon-disk-'))
  try {
    return spawnSync('unshare', ['-r', '-m', 'sh', '-c', mounted, folder, 'true'], { stdio: 'ignore' }).status === 0
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}
