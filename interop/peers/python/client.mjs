// The client of the official Python SDK, in a process of its own.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { python } from '../../lib/python.mjs'

const script = fileURLToPath(new URL('./client.py', import.meta.url))

/** Opens a connection in the form that tasks use. */
export async function open({ url, command, args, era }) {
  const target = url === undefined ? { command, args } : { url }
  const child = spawn(python, [script, JSON.stringify(target), era], { stdio: ['pipe', 'pipe', 'pipe'] })
  let log = ''
  child.stderr.on('data', (bytes) => {
    log = (log + bytes).slice(-2_000)
  })
  child.stdin.on('error', () => {})
  const waiting = new Map()
  const lines = createInterface({ input: child.stdout })
  const greeting = once(lines, 'line').then(([line]) => JSON.parse(line))
  const ended = once(child, 'exit').then(() => {
    throw new Error(`the Python client ended: ${log.trim()}`)
  })
  ended.catch(() => {})
  const { revision, serverName } = await Promise.race([greeting, ended])
  lines.on('line', (line) => {
    const { id, result, error } = JSON.parse(line)
    const { resolve, reject } = waiting.get(id)
    if (error) reject(Object.assign(new Error(error.message), { code: error.code }))
    else resolve(result)
  })
  let last = 0
  const ask = (kind, params) => {
    const id = ++last
    child.stdin.write(`${JSON.stringify({ id, kind, params })}\n`)
    const answered = new Promise((resolve, reject) => waiting.set(id, { resolve, reject }))
    return Promise.race([answered, ended])
  }
  return {
    revision,
    serverName,
    ping: () => ask('ping'),
    tools: () => ask('tools'),
    call: async (name, given) => {
      const result = await ask('call', { name, arguments: given })
      return { ...result, structured: result.structuredContent }
    },
    resources: () => ask('resources'),
    templates: () => ask('templates'),
    read: (uri) => ask('read', { uri }),
    prompts: () => ask('prompts'),
    prompt: (name, given) => ask('prompt', { name, arguments: given }),
    close: async () => {
      child.stdin.end()
      await ended.catch(() => {})
    },
  }
}
