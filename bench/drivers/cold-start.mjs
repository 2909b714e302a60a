// From the start of a process to its first answer.
import { spawn } from 'node:child_process'
import { drive } from '../lib/driver.mjs'
import { initialize } from '../lib/messages.mjs'

await drive(async ({ adapter }) => ({ sample: () => startOnce(adapter), close() {} }))

async function startOnce(program) {
  const started = performance.now()
  const child = spawn(process.execPath, [program], { stdio: ['pipe', 'pipe', 'inherit'] })
  child.stdin.write(`${JSON.stringify(initialize)}\n`)
  let out = ''
  await new Promise((resolve, reject) => {
    child.once('exit', () => reject(new Error('the server ended without an answer')))
    child.stdout.on('data', (chunk) => {
      out += chunk
      if (out.includes('\n')) resolve()
    })
  })
  const value = performance.now() - started
  const answer = JSON.parse(out.split('\n')[0])
  if (answer.id !== initialize.id || !answer.result?.serverInfo) throw new Error(`wrong answer: ${out.slice(0, 300)}`)
  child.removeAllListeners('exit').kill('SIGKILL')
  await new Promise((resolve) => child.once('exit', resolve))
  return { value }
}
