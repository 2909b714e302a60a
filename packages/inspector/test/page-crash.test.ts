/** One unexpected request must not end the workbench, with every server it runs: a process of its own shows it. */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, expect, test } from 'vitest'

const command = fileURLToPath(new URL('../../cli/bin/tenon.js', import.meta.url))
let home: string
let child: ChildProcess
let port: number

beforeAll(async () => {
  home = await mkdtemp(join(tmpdir(), 'tenon-crash-'))
  const env = { ...process.env, HOME: home, XDG_CONFIG_HOME: home, TENON_TOKENS: 'file' }
  child = spawn(process.execPath, [command, 'inspect', '--no-open', '--fresh'], {
    env,
    stdio: ['pipe', 'pipe', 'inherit'],
  })
  let text = ''
  for await (const chunk of child.stdout!) {
    text += String(chunk)
    const [, found] = /http:\/\/127\.0\.0\.1:(\d+)\/\?token=\S+\s/.exec(text) ?? []
    port = Number(found)
    if (found !== undefined) break
  }
})
afterAll(async () => {
  if (child.exitCode === null) {
    const ended = once(child, 'exit')
    child.kill()
    await ended
  }
  await rm(home, { recursive: true, force: true })
})

/** The first line of the answer; nothing if the process hangs up instead. */
const ask = (target: string): Promise<string> =>
  new Promise((resolve) => {
    const fields = `Host: 127.0.0.1:${port}\r\nSec-Fetch-Site: cross-site\r\nSec-Fetch-Mode: navigate\r\nSec-Fetch-Dest: document`
    const socket = connect(port, '127.0.0.1', () => socket.write(`GET ${target} HTTP/1.1\r\n${fields}\r\n\r\n`))
    let answer = ''
    socket.on('error', () => {}).on('close', () => resolve(answer.split('\r\n', 1)[0]!))
    socket.on('data', (chunk) => {
      answer += chunk
      if (answer.includes('\r\n\r\n')) socket.destroy()
    })
  })

test('a visit from another site, without any cookie, does not end it', async () => {
  for (const target of ['//', '///', '//[', 'http://[/', '/%', '/\\\\']) {
    expect([target, await ask(target)]).toEqual([target, 'HTTP/1.1 400 Bad Request'])
  }
  expect(await ask('/')).toBe('HTTP/1.1 401 Unauthorized')
  expect(child.exitCode).toBeNull()
})
