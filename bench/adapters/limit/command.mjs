// The requests that no command can do without: `initialize` and `tools/list`.
import { spawn } from 'node:child_process'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { initialize, request } from '../../lib/messages.mjs'

const self = fileURLToPath(import.meta.url)

export const listCommand = (server) => [self, server]

if (process.argv[1] === self) {
  const child = spawn(process.execPath, [process.argv[2]], { stdio: ['pipe', 'pipe', 'inherit'] })
  const send = (message) => child.stdin.write(`${JSON.stringify(message)}\n`)
  send(initialize)
  for await (const line of createInterface({ input: child.stdout })) {
    const { result } = JSON.parse(line)
    if (result.tools === undefined) send(request('session', 1, 'tools/list'))
    else {
      for (const { name } of result.tools) console.log(name)
      child.stdin.end()
    }
  }
}
