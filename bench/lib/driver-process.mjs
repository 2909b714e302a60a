// The runner's side of a driver: a process that samples one implementation.
import { fork } from 'node:child_process'
import { fileURLToPath } from 'node:url'

const timeoutMs = 100_000

export class DriverProcess {
  /** @param {string} name file in drivers/ */
  constructor(name, execArgv) {
    const path = fileURLToPath(new URL(`../drivers/${name}.mjs`, import.meta.url))
    this.process = fork(path, [], { execArgv, stdio: ['ignore', 2, 2, 'ipc'] })
    this.exited = new Promise((resolve) => this.process.once('exit', resolve))
  }

  open(job) {
    return this.ask({ job }, 'ready')
  }

  sample(row, milliseconds) {
    return this.ask({ row, milliseconds }, 'sample')
  }

  async close() {
    if (this.process.connected) this.process.send({ close: true })
    const timer = setTimeout(() => this.process.kill('SIGKILL'), 8000)
    await this.exited
    clearTimeout(timer)
  }

  ask(message, answer) {
    return new Promise((resolve, reject) => {
      const settle = (finish, value) => {
        clearTimeout(timer)
        this.process.off('message', listen).off('exit', ended)
        finish(value)
      }
      const ended = (code) => settle(reject, new Error(`the driver ended (${code})`))
      const listen = (reply) => {
        if (reply.failure) settle(reject, new Error(reply.failure))
        else if (answer in reply) settle(resolve, reply[answer])
      }
      const timer = setTimeout(() => settle(reject, new Error(`no answer within ${timeoutMs / 1000} s`)), timeoutMs)
      this.process.on('message', listen).once('exit', ended)
      this.process.send(message)
    })
  }
}
