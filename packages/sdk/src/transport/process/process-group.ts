import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { monotonicMs } from '../../internal/monotonic-ms.ts'

const isWindows = process.platform === 'win32'
const pollMs = 10

/** Ends a server and everything it started; on Windows always by force. */
export function signalGroup(pid: number, signal: 'SIGTERM' | 'SIGKILL'): void {
  try {
    if (isWindows) killWindowsTree(pid)
    else process.kill(-pid, signal)
  } catch {
    // No such group any more.
  }
}

/** Whether anything that the server started is left, the server included. Unknown on Windows. */
function isGroupAlive(pid: number): boolean {
  if (isWindows) return false
  try {
    process.kill(-pid, 0)
    return true
  } catch {
    return false
  }
}

/** Ends the processes that a dead server left behind: terminates, waits for `graceMs`, kills. */
export async function reapGroup(pid: number, graceMs: number): Promise<void> {
  if (!isGroupAlive(pid)) return
  signalGroup(pid, 'SIGTERM')
  if (await isGroupGone(pid, graceMs)) return
  signalGroup(pid, 'SIGKILL')
  // Without a reaper of orphans (a container without an init) they count as alive forever, so this wait is short.
  await isGroupGone(pid, 200)
}

async function isGroupGone(pid: number, limitMs: number): Promise<boolean> {
  for (const end = monotonicMs() + limitMs; monotonicMs() < end; ) {
    if (!isGroupAlive(pid)) return true
    await sleep(pollMs)
  }
  return !isGroupAlive(pid)
}

function killWindowsTree(pid: number): void {
  // By its full path: a program of that name in the working directory must not run instead.
  const taskkill = join(process.env.SYSTEMROOT ?? 'C:\\Windows', 'System32', 'taskkill.exe')
  spawn(taskkill, ['/pid', String(pid), '/T', '/F'], { stdio: 'ignore', windowsHide: true }).on('error', () => {})
}
