// Programs of others do not notice the end of their parent.
const running = new Set()

process.on('exit', () => {
  for (const child of running) child.kill('SIGKILL')
})

/** @param {import('node:child_process').ChildProcess} child */
export function killAtExit(child) {
  running.add(child)
  child.once('exit', () => running.delete(child))
}
