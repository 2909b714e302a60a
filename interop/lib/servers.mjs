// Starts servers: scripts of ours, which report their URL, and programs of others, which are given a port.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { connect, createServer } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { restartControl } from './control.mjs'

const startMs = 30_000

// Programs of others do not notice the end of the parent process.
const running = new Set()
process.on('exit', () => {
  for (const child of running) child.kill('SIGKILL')
})

function start(command, args, options) {
  const child = spawn(command, args, options)
  running.add(child)
  child.once('exit', () => running.delete(child))
  return child
}

/** A script in this repository: `node script <transport> …`. Over a network it sends `{ url }` once it listens. */
export function ownScript(script, ...args) {
  const path = fileURLToPath(script)
  return async (transport) => {
    const own = [path, transport, ...args]
    if (isStdio(transport)) return { target: { command: process.execPath, args: own }, close: async () => {} }
    const child = start(process.execPath, own, { stdio: ['ignore', 'pipe', 'pipe', 'ipc'] })
    const log = outputOf(child)
    const listening = once(child, 'message').then(([message]) => message)
    const target = await orFailure(listening, child, log)
    return { target, close: () => stop(child), log }
  }
}

/** A program of Node, or of another `command`, that listens on the given port; `args`, `env` and `path` may depend on it. */
export function program({
  command = process.execPath,
  args,
  env = () => ({}),
  paths = {},
  stdioArgs = args,
  setUp = () => ({}),
  restarts = false,
}) {
  return async (transport) => {
    const scratch = setUp()
    if (isStdio(transport)) {
      const target = { command, args: stdioArgs(scratch), env: scratch.env }
      return { target, scratch, close: async () => scratch.cleanUp?.() }
    }
    const port = await freePort()
    const options = {
      env: { ...process.env, ...env(port, transport), ...scratch.env },
      stdio: ['ignore', 'pipe', 'pipe'],
    }
    const run = () => startListening(command, args(scratch, port, transport), options, port)
    let running = await run()
    const control = restarts
      ? await restartControl(async () => {
          await stop(running.child)
          running = await run()
        })
      : undefined
    const close = async () => {
      control?.close()
      await stop(running.child)
      scratch.cleanUp?.()
    }
    const url = `http://127.0.0.1:${port}${paths[transport]}`
    return { target: { url, restartUrl: control?.url }, scratch, close, log: () => running.log() }
  }
}

async function startListening(command, args, options, port) {
  const child = start(command, args, options)
  const log = outputOf(child)
  await orFailure(untilReachable(port, child), child, log)
  return { child, log }
}

export const isStdio = (transport) => transport.startsWith('stdio')

/** The last output of a process, for the report of a failure. */
function outputOf(child) {
  let text = ''
  const keep = (bytes) => {
    text = (text + bytes).slice(-2_000)
  }
  child.stdout?.on('data', keep)
  child.stderr?.on('data', keep)
  return () => text.trim()
}

async function orFailure(promise, child, log) {
  const gone = once(child, 'exit').then(([code, signal]) => {
    throw new Error(`the server ended (${signal ?? code}) before it listened: ${log()}`)
  })
  const late = sleep(startMs, undefined, { ref: false }).then(() => {
    throw new Error(`the server did not listen within ${startMs / 1000} s: ${log()}`)
  })
  gone.catch(() => {})
  late.catch(() => {})
  try {
    return await Promise.race([promise, gone, late])
  } catch (error) {
    await stop(child)
    throw error
  }
}

export async function stop(child) {
  if (child.exitCode !== null || child.signalCode !== null) return
  const gone = once(child, 'exit')
  child.kill('SIGTERM')
  const force = setTimeout(() => child.kill('SIGKILL'), 2_000)
  await gone
  clearTimeout(force)
}

async function freePort() {
  const probe = createServer().listen(0, '127.0.0.1')
  await once(probe, 'listening')
  const { port } = probe.address()
  probe.close()
  await once(probe, 'close')
  return port
}

async function untilReachable(port, child) {
  while (child.exitCode === null && !(await isReachable(port))) await sleep(50)
}

function isReachable(port) {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1')
    const settle = (reachable) => () => {
      socket.destroy()
      resolve(reachable)
    }
    socket.once('connect', settle(true)).once('error', settle(false))
  })
}
