// The two pipes between this process and a program over stdio.
import { execFileSync } from 'node:child_process'
import { closeSync, constants, mkdtempSync, openSync, rmSync } from 'node:fs'
import { Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** Those of Node: pairs of sockets. */
export const nodeChannel = () => ({
  ends: ['pipe', 'pipe'],
  of: (child) => ({ input: child.stdin, output: child.stdout }),
  close() {},
})

/** Those of a shell: FIFOs, which some servers read in another way than sockets. */
export function fifoChannel() {
  const folder = mkdtempSync(join(tmpdir(), 'bench-fifo-'))
  const paths = ['in', 'out'].map((name) => join(folder, name))
  execFileSync('mkfifo', paths)
  // For reading and writing: opening one for either alone waits for the other side.
  const [toChild, fromChild] = paths.map((path) => openSync(path, constants.O_RDWR | constants.O_NONBLOCK))
  const ends = [openSync(paths[0], constants.O_RDONLY), openSync(paths[1], constants.O_WRONLY)]
  rmSync(folder, { recursive: true })
  const input = new Socket({ fd: toChild, readable: false, writable: true })
  const output = new Socket({ fd: fromChild, readable: true, writable: false })
  return {
    ends,
    of: () => ({ input, output }),
    close() {
      input.destroy()
      output.destroy()
      for (const end of ends) closeSync(end)
    },
  }
}
