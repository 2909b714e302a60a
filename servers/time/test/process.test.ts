import { spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { connect } from '@tenon/sdk/client'
import { expect, test } from 'vitest'

const program = fileURLToPath(new URL('../bin/tenon-time.js', import.meta.url))
const run = (...args: string[]) => spawnSync(process.execPath, [program, ...args], { encoding: 'utf8', input: '' })

test('the program answers for a user in the given zone', async () => {
  await using client = await connect({ command: process.execPath, args: [program, '--local-timezone', 'asia/tokyo'] })
  expect((await client.callTool('get_current_time')).structured).toMatchObject({ timezone: 'Asia/Tokyo' })
  expect(client.server.info).toMatchObject({ name: 'time', icons: [{ mimeType: 'image/svg+xml' }] })
})

test('a zone that does not exist is one line and exit code 2', () => {
  const { status, stderr } = run('--local-timezone', 'Nowhere')
  expect(stderr).toBe(
    'tenon-time: --local-timezone: expected an IANA name, such as Europe/Berlin, got "Nowhere"\nTry tenon-time --help.\n',
  )
  expect(status).toBe(2)
})

test('help names the setting', () => {
  expect(run('--help')).toMatchObject({ status: 0, stdout: expect.stringContaining('--local-timezone ZONE') })
})
