// A process, lines, JSON and a map from ids to promises.
import { spawn } from 'node:child_process'
import { echoCall, textOf } from './requests.mjs'

export async function open({ command, args }) {
  const child = spawn(command, args, { stdio: ['pipe', 'pipe', 'inherit'] })
  const waiting = new Map()
  let rest = ''
  child.stdout.setEncoding('utf8')
  child.stdout.on('data', (chunk) => {
    const lines = (rest + chunk).split('\n')
    rest = lines.pop()
    for (const line of lines) {
      const answer = JSON.parse(line)
      waiting.get(answer.id)(textOf(answer))
      waiting.delete(answer.id)
    }
  })
  const call = (text) =>
    new Promise((resolve) => {
      const message = echoCall(text)
      waiting.set(message.id, resolve)
      child.stdin.write(`${JSON.stringify(message)}\n`)
    })
  return { call, close: () => child.kill() }
}
