/** Standard output, reserved for one owner. */
export interface StdoutGuard {
  write(text: string, done: () => void): boolean
  /** Gives standard output back to everyone. */
  release(): void
}

/** Redirects all other writes to standard output to standard error: one stray line would break the peer's parser. */
export function guardStdout(): StdoutGuard {
  const { stdout } = process
  const original = stdout.write
  const wasOwn = Object.hasOwn(stdout, 'write')
  const divert = ((chunk: string | Uint8Array, encoding?: BufferEncoding, done?: () => void): boolean => {
    process.stderr.write(chunk, encoding, done)
    // After "false", a writer waits for a drain of standard output that would not come.
    return true
  }) as typeof stdout.write
  stdout.write = divert
  return {
    write: (text, done) => original.call(stdout, text, 'utf8', done),
    release: () => {
      if (stdout.write !== divert) return
      if (wasOwn) stdout.write = original
      else Reflect.deleteProperty(stdout, 'write')
    },
  }
}

const writing: readonly string[] = [
  ...['log', 'info', 'debug', 'warn', 'error', 'trace', 'assert', 'dir', 'dirxml', 'table', 'clear'],
  ...['group', 'groupCollapsed', 'groupEnd', 'count', 'countReset', 'time', 'timeLog', 'timeEnd'],
]

type ConsoleMethods = Record<string, (...values: unknown[]) => void>

function consoleOn(stream: NodeJS.WriteStream): ConsoleMethods {
  const { Console } = process.getBuiltinModule('node:console')
  return new Console(stream, stream) as unknown as ConsoleMethods
}

/** Redirects `console.log` and its like to standard error; returns the undo. */
export function divertConsole(): () => void {
  const target = console as unknown as ConsoleMethods
  let onStderr: ConsoleMethods | undefined
  const changed: (() => void)[] = []
  for (const name of writing) {
    const original = target[name]
    if (typeof original !== 'function') continue
    // Created with the first write: opening standard error takes a while, and many servers write nothing.
    const diverted = (...values: unknown[]): void => {
      onStderr ??= consoleOn(process.stderr)
      onStderr[name]!(...values)
    }
    target[name] = diverted
    changed.push(() => {
      if (target[name] === diverted) target[name] = original
    })
  }
  return () => {
    for (const undo of changed.splice(0)) undo()
  }
}
