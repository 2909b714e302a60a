import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { startStandIn } from './stand-in.ts'

const fileOf = (name: string): string => fileURLToPath(new URL(name, import.meta.url))
const questions = 'What is the weather in Sacramento?\nAnd in London?\n'

await using model = await startStandIn('key')
const env = { ...process.env, ANTHROPIC_API_KEY: 'key', ANTHROPIC_BASE_URL: model.url }

/** Asks both questions, and gives the printed lines. */
function talk(program: string, modelName: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const args = [fileOf(program), modelName, fileOf('server.js')]
    const child = execFile(process.execPath, args, { env }, (error, stdout, stderr) =>
      error ? reject(error) : resolve(stdout + stderr),
    )
    child.stdin?.end(questions)
  })
}

for (const [program, modelName] of [
  ['client.js', 'claude-sonnet-5-5'],
  ['host.js', 'anthropic/claude-sonnet-5-5'],
] as const) {
  const said = await talk(program, modelName)
  console.log(`${program}:\n${said}`)
  assert.match(said, /Today: Areas Of Fog then Sunny/)
  assert.match(said, /Unable to provide data for requested point 51.5,-0.12/)
}
