// Processes under test, and their usage.
import { spawn } from 'node:child_process'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { startForeignHost, startForeignProgram } from './foreign.mjs'

const file = (name) => fileURLToPath(new URL(name, import.meta.url))

/**
 * @typedef {object} Usage
 * @property {number} cpuSeconds since the start of the process
 * @property {number} rss in MiB
 */

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

  /** @returns {Promise<Usage>} */
  usage() {
    return this.ask('usage', 'usage')
  }

  async cpuSeconds() {
    return (await this.usage()).cpuSeconds
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

/** Starts the server of a job, in its language. `started` has its port, and whatever else its adapter has to say. */
export const startServer = ({ foreign, adapter, execArgv }, settings) =>
  foreign ? startForeignHost(adapter, settings) : startHost(adapter, settings, execArgv)

/** Starts a server adapter; `started` is the result of its `start`. */
export async function startHost(adapter, settings, execArgv = []) {
  const args = [...execArgv, file('host.mjs'), adapter, JSON.stringify(settings)]
  const child = new Child(spawn(process.execPath, args, { stdio: ['ignore', 'inherit', 'inherit', 'ipc'] }))
  child.started = await child.ask(undefined, 'started')
  return child
}

/** Starts the program of a job that communicates over stdin and stdout: the two ends of `channel`. */
export async function startProgram({ foreign, adapter, execArgv }, channel) {
  if (foreign) return startForeignProgram(adapter, channel)
  const preload = ['--import', pathToFileURL(file('preload.mjs')).href]
  const args = [...execArgv, ...preload, adapter]
  const [input, output] = channel.ends
  return new Child(spawn(process.execPath, args, { stdio: [input, output, 'inherit', 'ipc'] }))
}
