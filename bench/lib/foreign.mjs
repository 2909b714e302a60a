// Servers in other languages, or on other runtimes: programs that print their port, or communicate over stdin and
// stdout. They cannot report on themselves, so their usage comes from the system.
import { spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { pathToFileURL } from 'node:url'
import { killAtExit } from './kill-at-exit.mjs'

export class ForeignChild {
  /** @param {import('node:child_process').ChildProcess} child */
  constructor(child) {
    this.process = child
    this.exited = new Promise((resolve) => child.once('exit', (code, signal) => resolve(signal ?? code)))
    killAtExit(child)
  }

  async usage() {
    return usageOf(this.process.pid)
  }

  async close() {
    this.process.kill('SIGKILL')
    await this.exited
  }
}

/** Of any process on Linux, with all of its threads; CPU time in steps of 10 ms. */
function usageOf(pid) {
  const read = (name) => readFileSync(`/proc/${pid}/${name}`, 'utf8')
  const fields = read('stat').split(') ')[1].split(' ')
  const pages = Number(read('statm').split(' ')[1])
  return { cpuSeconds: (Number(fields[11]) + Number(fields[12])) / 100, rss: (pages * 4096) / 2 ** 20 }
}

/** Starts the program that an adapter names. */
export const startForeignHost = async (adapter, settings) => startListening(await programOf(adapter, settings))

/** Starts a program that prints `port <number>`. */
export async function startListening([command, ...args]) {
  const child = new ForeignChild(spawn(command, args, { stdio: ['ignore', 'pipe', 'inherit'] }))
  child.started = { port: await portOf(child.process) }
  return child
}

export async function startForeignProgram(adapter, { ends: [input, output] }) {
  const [command, ...args] = await programOf(adapter, {})
  return new ForeignChild(spawn(command, args, { stdio: [input, output, 'inherit'] }))
}

const programOf = async (adapter, settings) => (await import(pathToFileURL(adapter).href)).program(settings)

function portOf(child) {
  return new Promise((resolve, reject) => {
    child.once('error', reject)
    child.once('exit', (code) => reject(new Error(`the server ended (${code})`)))
    child.stdout.on('data', (data) => {
      const found = /port (\d+)/.exec(data.toString())
      if (found) resolve(Number(found[1]))
    })
  })
}
