// A client in another language: a program that reads and writes lines of JSON, in the form that tasks use.
//
// It is started with `{ target, era, answers }` as its argument, connects, and writes `{ revision, serverName }`. After that:
//
//   to the program     { id, kind, params }, { cancel: id }, { answer: n, result }
//   from the program   { id, result } or { id, error }, { progress: id, params }, { question: n, kind, params },
//                      { event: 'tools' | 'updated' | 'log', params }
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'

/** Opens a connection with the client of a program. */
export async function openLineClient(command, args, { url, command: server, args: serverArgs, env, era }, answers) {
  const target = url === undefined ? { command: server, args: serverArgs, env: env ?? {} } : { url }
  const plan = { target, era, answers: announced(answers) }
  const child = spawn(command, [...args, JSON.stringify(plan)], { stdio: ['pipe', 'pipe', 'pipe'] })
  let log = ''
  child.stderr.on('data', (bytes) => {
    log = (log + bytes).slice(-2_000)
  })
  child.stdin.on('error', () => {})
  const ended = once(child, 'exit').then(() => {
    throw new Error(`the client ended: ${log.trim()}`)
  })
  ended.catch(() => {})
  const lines = createInterface({ input: child.stdout })
  const greeting = once(lines, 'line').then(([line]) => JSON.parse(line))
  const { revision, serverName } = await Promise.race([greeting, ended])
  const write = (message) => child.stdin.write(`${JSON.stringify(message)}\n`)
  const wire = { write, ended, waiting: new Map(), watched: new Map(), answers, last: 0 }
  lines.on('line', (line) => void receive(wire, JSON.parse(line)))
  return { revision, serverName, ...session(wire), close: () => close(child, ended) }
}

/** The parts of the answers that the program has to know when it connects. */
const announced = ({ sample, elicit, roots, onToolsChanged, onLog, logLevel }) => ({
  ...{ sample: sample !== undefined, elicit: elicit !== undefined, roots },
  ...{ tools: onToolsChanged !== undefined, log: onLog !== undefined, logLevel },
})

async function receive({ write, waiting, watched, answers }, message) {
  const { id, result, error, progress, question, kind, event, params } = message
  if (question !== undefined) write({ answer: question, result: await answers[kind](params) })
  else if (progress !== undefined) waiting.get(progress)?.onProgress?.(params)
  else if (event === 'tools') answers.onToolsChanged?.()
  else if (event === 'updated') watched.get(params.uri)?.(params)
  else if (event === 'log') answers.onLog?.(params)
  else if (error) waiting.get(id)?.reject(Object.assign(new Error(error.message), { code: error.code }))
  else waiting.get(id)?.resolve(result)
}

function request({ write, ended, waiting }, id, kind, params, { onProgress, signal } = {}) {
  const answered = new Promise((resolve, reject) => waiting.set(id, { resolve, reject, onProgress }))
  write({ id, kind, params })
  signal?.addEventListener('abort', () => write({ cancel: id }))
  return Promise.race([answered, ended])
}

function session(wire) {
  const ask = (kind, params = {}, options = {}) => request(wire, ++wire.last, kind, params, options)
  return {
    ping: () => ask('ping'),
    request: (method, params) => ask('request', { method, params }),
    tools: () => ask('tools'),
    call: async (name, given, { onProgress, signal } = {}) => {
      const params = { name, arguments: given, progress: onProgress !== undefined }
      const result = await ask('call', params, { onProgress, signal })
      return { ...result, structured: result.structuredContent }
    },
    resources: () => ask('resources'),
    templates: () => ask('templates'),
    read: (uri) => ask('read', { uri }),
    prompts: () => ask('prompts'),
    prompt: (name, given) => ask('prompt', { name, arguments: given }),
    complete: (ref, argument) => ask('complete', { ref, argument }),
    watch: async (uri, listener) => {
      wire.watched.set(uri, listener)
      await ask('watch', { uri })
      return { close: () => ask('unwatch', { uri }) }
    },
  }
}

async function close(child, ended) {
  child.stdin.end()
  const force = setTimeout(() => child.kill('SIGKILL'), 2_000)
  await ended.catch(() => {})
  clearTimeout(force)
}
