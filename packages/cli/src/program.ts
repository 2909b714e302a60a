import { run } from './run.ts'

const { stdin, stdout, stderr, env } = process

// A reader that has seen enough, such as `head`, is no failure.
for (const stream of [stdout, stderr]) {
  stream.on('error', (error: NodeJS.ErrnoException) => process.exit(error.code === 'EPIPE' ? 0 : 1))
}

const interrupt = new AbortController()
let interrupted = 0
for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
  process.on(name, () => {
    interrupted += 1
    // The first one cancels the command, the second one does not wait for that. Servers that were started end with this
    // process, however it ends.
    if (interrupted > 1 || name === 'SIGHUP') process.exit(130)
    interrupt.abort(new DOMException('Cancelled', 'AbortError'))
    if (name === 'SIGTERM') setTimeout(() => process.exit(143), 3_000).unref()
  })
}

const code = await run(process.argv.slice(2), { stdin, stdout, stderr, env, cwd: process.cwd() }, interrupt.signal)
// Exits despite open handles of a server or a terminal, once the output is written.
stdout.write('', () => stderr.write('', () => process.exit(code)))
