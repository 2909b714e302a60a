import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { connect } from '@tenon/sdk/client'
import { expect, test } from 'vitest'
import { begin, bin, cleanEnv, temporaryFolder } from './tenon.ts'

/** A folder in which a package is installed that answers with its arguments. */
function withProgram(text: string): string {
  const folder = temporaryFolder()
  const place = join(folder, 'node_modules/@tenon/server-time')
  mkdirSync(place, { recursive: true })
  writeFileSync(join(place, 'package.json'), '{ "bin": { "tenon-time": "main.mjs" } }')
  writeFileSync(join(place, 'main.mjs'), text)
  return folder
}

test('a reference server is run as a host would run it', async () => {
  await using client = await connect({ command: process.execPath, args: [bin, 'run', 'everything'] })
  expect((await client.callTool('add', { a: 19, b: 23 })).structured).toEqual({ sum: 42 })
})

test('the arguments after the name reach the server, and its exit code comes back', async () => {
  const cwd = withProgram(`import { writeFileSync } from 'node:fs'
writeFileSync('seen.json', JSON.stringify(process.argv.slice(2)))
process.exit(2)`)
  const running = begin(['run', 'time', '--json', '-v', '--', 'x', '--help'], { cwd, env: cleanEnv(cwd) })
  expect(await running.ended).toBe(2)
  const { default: seen } = await import(join(cwd, 'seen.json'), { with: { type: 'json' } })
  expect(seen).toEqual(['--json', '-v', '--', 'x', '--help'])
})

test('without a name the servers are listed', async () => {
  const running = begin(['run', '--json'])
  expect(await running.ended).toBe(0)
  const { result } = JSON.parse(running.stdout())
  expect(result.servers).toContainEqual({ name: 'git', summary: expect.any(String) })
})

test('a wrong name gets the nearest one', async () => {
  const running = begin(['run', 'filesytem'])
  expect(await running.ended).toBe(2)
  expect(running.stderr()).toContain('Did you mean filesystem?')
})
