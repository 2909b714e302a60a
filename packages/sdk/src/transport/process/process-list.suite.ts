import { existsSync, readdirSync, readFileSync } from 'node:fs'

interface ProcessState {
  name: string
  state: string
  parent: number
}

function stateOf(pid: number): ProcessState | undefined {
  try {
    const [, name, state, parent] = /\((.*)\) (\S) (\d+)/s.exec(readFileSync(`/proc/${pid}/stat`, 'utf8'))!
    return { name: name!, state: state!, parent: Number(parent) }
  } catch {
    return undefined
  }
}

/** Whether processes can be listed here. */
export const canListProcesses: boolean = existsSync('/proc/self/stat')

/** Whether a process has ended; one that only waits to be reaped by its parent has. */
export function isGone(pid: number): boolean {
  try {
    process.kill(pid, 0)
  } catch {
    return true
  }
  return stateOf(pid)?.state === 'Z'
}

/** The running children of a process with this name. */
export function childrenNamed(name: string, parent: number): number[] {
  return readdirSync('/proc')
    .map(Number)
    .filter((pid) => {
      const process = stateOf(pid)
      return process?.name === name && process.parent === parent
    })
}

/** Waits until all are gone; returns those that are left at the deadline. */
export async function leftAfter(limitMs: number, pids: readonly number[]): Promise<number[]> {
  const deadline = performance.now() + limitMs
  let left = pids.filter((pid) => !isGone(pid))
  while (left.length > 0 && performance.now() < deadline) {
    await new Promise((resolve) => setTimeout(resolve, 20))
    left = left.filter((pid) => !isGone(pid))
  }
  return left
}
