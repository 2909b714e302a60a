import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createServer } from 'node:net'
import { delimiter, dirname } from 'node:path'
import { createInterface } from 'node:readline'

// The suite starts clients by the name `node`: it has to be the current one.
const env = { ...process.env, PATH: `${dirname(process.execPath)}${delimiter}${process.env.PATH}` }

/** Runs a command to its end; returns its exit code and output, which `onText` also receives in pieces. */
export async function run([command, ...args], cwd, onText = () => {}) {
  const child = spawn(command, args, { cwd, env, stdio: ['ignore', 'pipe', 'pipe'] })
  let output = ''
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text) => {
      output += text
      onText(text)
    })
  }
  const [code] = await once(child, 'close')
  return { code, output }
}

/** Starts a server on a free port, from a script and its arguments; resolves with its URL when it listens. */
export async function startServer(program, extraEnv = {}) {
  const child = spawn(process.execPath, program, {
    env: { ...env, PORT: '0', ...extraEnv },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const stop = async () => {
    if (child.exitCode !== null || child.signalCode !== null) return
    const ended = once(child, 'exit')
    child.kill()
    await ended
  }
  for await (const line of createInterface({ input: child.stdout })) {
    const url = /https?:\/\/\S+/.exec(line)?.[0]
    if (url !== undefined) return { url, stop }
  }
  throw new Error(`${program.join(' ')} ended before it listened`)
}

/** A free port. */
export async function freePort() {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address()
  server.close()
  await once(server, 'close')
  return port
}

/** Runs jobs, some at a time; the results are in the order of the jobs. */
export async function inParallel(limit, jobs) {
  const results = []
  const queue = jobs.entries()
  const worker = async () => {
    for (const [index, job] of queue) results[index] = await job()
  }
  await Promise.all(Array.from({ length: limit }, worker))
  return results
}
