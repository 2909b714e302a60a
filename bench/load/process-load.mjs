// A load from other processes, with clients as people use them. They read jobs and write results as lines of JSON.
import { spawn } from 'node:child_process'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { pythonEnvironment } from '../../interop/lib/python.mjs'
import { killAtExit } from '../lib/kill-at-exit.mjs'
import { Latencies } from './latencies.mjs'
import { sumOf } from './pipelined-load.mjs'

const file = (name) => fileURLToPath(new URL(name, import.meta.url))

export class ProcessLoad {
  /**
   * @param {'sockets' | 'fetch' | 'node-http' | 'httpx'} client
   * @param {number} count of processes, which share the connections of the job
   */
  static async open(client, count, job) {
    const program =
      client === 'httpx' ? pythonProgram() : { command: process.execPath, args: [file('clients/run.mjs')] }
    if (program.unavailable) return program
    const processes = Array.from({ length: count }, () => new LoadProcess(program))
    const own = { ...job, client, connections: job.connections / count }
    await Promise.all(processes.map((one) => one.ask({ open: own })))
    return new ProcessLoad(processes)
  }

  constructor(processes) {
    this.processes = processes
  }

  async run(milliseconds) {
    const runs = await Promise.all(this.processes.map((one) => one.ask({ run: milliseconds })))
    return sumOf(runs.map(({ counts, ...run }) => ({ ...run, latencies: new Latencies().addCounts(counts) })))
  }

  close() {
    for (const { process } of this.processes) process.kill('SIGKILL')
  }
}

function pythonProgram() {
  const environment = pythonEnvironment('', file('clients/'))
  try {
    const unavailable = environment.prepare((text) => console.error(`bench: ${text}`))
    if (unavailable) return { unavailable }
  } catch {
    return { unavailable: 'httpx cannot be installed' }
  }
  return { command: environment.python, args: [file('clients/httpx_client.py')] }
}

class LoadProcess {
  constructor({ command, args }) {
    this.process = spawn(command, args, { stdio: ['pipe', 'pipe', 'inherit'] })
    this.lines = createInterface({ input: this.process.stdout })
    killAtExit(this.process)
  }

  ask(question) {
    return new Promise((resolve, reject) => {
      const ended = (code) => reject(new Error(`a process of the load ended (${code})`))
      this.process.once('exit', ended).once('error', reject)
      this.lines.once('line', (line) => {
        this.process.off('exit', ended).off('error', reject)
        const answer = JSON.parse(line)
        if (answer.failure) reject(new Error(answer.failure))
        else resolve(answer)
      })
      this.process.stdin.write(`${JSON.stringify(question)}\n`)
    })
  }
}
