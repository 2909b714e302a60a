import { existsSync, readdirSync } from 'node:fs'

/** The resources of a process. */
export interface Footprint {
  /** Bytes in use. */
  memory: number
  handles: number
  files: number
}

const open = '/proc/self/fd'

/** The resources of this process after garbage collection. */
export async function footprint(): Promise<Footprint> {
  for (let round = 0; round < 5; round++) {
    globalThis.gc?.()
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
  return {
    // Buffers are not on the heap, and leak just as well.
    memory: process.memoryUsage().heapUsed + process.memoryUsage().external,
    handles: process.getActiveResourcesInfo().filter((name) => name !== 'Timeout' && name !== 'Immediate').length,
    files: existsSync(open) ? readdirSync(open).length : 0,
  }
}

// Compiled code and caches of the platform grow for a while; a leak with each call is far beyond this.
const memorySlack = 12 * 1024 * 1024
const handleSlack = 3

/** The leftovers, in words. */
export function leftBehind(who: string, before: Footprint, after: Footprint): string[] {
  const grown = after.memory - before.memory
  return [
    ...(grown > memorySlack
      ? [`${who}: memory has grown by ${mebibytes(grown)}, from ${mebibytes(before.memory)}`]
      : []),
    ...(after.handles > before.handles + handleSlack
      ? [`${who}: ${after.handles} handles are open, and there were ${before.handles}`]
      : []),
    ...(after.files > before.files + handleSlack
      ? [`${who}: ${after.files} files are open, and there were ${before.files}`]
      : []),
  ]
}

export const mebibytes = (bytes: number): string => `${(bytes / 1024 / 1024).toFixed(1)} MiB`
