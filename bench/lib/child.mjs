// Processes under test, and their usage.
import { spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { fileURLToPath, pathToFileURL } from 'node:url'

const file = (name) => fileURLToPath(new URL(name, import.meta.url))

/** A process that reports on itself over its IPC channel. */
export class Child {
  /** @param {import('node:child_process').ChildProcess} child */
  constructor(child) {
    this.process = child
    this.exited = new Promise((resolve) => child.once('exit', (code, signal) => resolve(signal ?? code)))
  }

  /** Sends a question and waits for the message with the member `answer`. */
  ask(question, answer) {
    return new Promise((resolve, reject) => {
      const settle = () => {
        this.process.off('message', listen)
        this.process.off('exit', fail)
      }
      const fail = (code) => {
        settle()
        reject(new Error(`the process under test ended (${code}) before it answered`))
      }
      const listen = (message) => {
        if (!(answer in message)) return
        settle()
        resolve(message[answer])
      }
      this.process.on('message', listen)
      this.process.once('exit', fail)
      if (question) this.process.send({ ask: question })
    })
  }

  /** CPU time since its start, in seconds. */
  async cpuSeconds() {
    const { user, system } = await this.ask('usage', 'usage')
    return (user + system) / 1e6
  }

  memory() {
    return this.ask('memory', 'memory')
  }

  /** Ends with process.exit, so that a CPU profile is written. */
  async close() {
    if (this.process.connected) this.process.send({ ask: 'exit' })
    else this.process.kill()
    const timer = setTimeout(() => this.process.kill('SIGKILL'), 5000)
    await this.exited
    clearTimeout(timer)
  }
}

/** Starts a server adapter; `started` is the result of its `start`. */
export async function startHost(adapter, settings, execArgv = []) {
  const args = [...execArgv, file('host.mjs'), adapter, JSON.stringify(settings)]
  const child = new Child(spawn(process.execPath, args, { stdio: ['ignore', 'inherit', 'inherit', 'ipc'] }))
  child.started = await child.ask(undefined, 'started')
  return child
}

/** Starts a program that communicates over stdin and stdout. */
export function startProgram(program, settings, execArgv = []) {
  const preload = ['--import', pathToFileURL(file('preload.mjs')).href]
  const env = { ...process.env, BENCH_SETTINGS: JSON.stringify(settings) }
  const args = [...execArgv, ...preload, program]
  return new Child(spawn(process.execPath, args, { env, stdio: ['pipe', 'pipe', 'inherit', 'ipc'] }))
}

/** CPU time of any process on Linux, for runtimes without an IPC channel; in steps of 10 ms. */
export function cpuSecondsOf(pid) {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1].split(' ')
  return (Number(fields[11]) + Number(fields[12])) / 100
}
