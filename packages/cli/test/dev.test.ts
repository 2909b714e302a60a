import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { connect } from '@tenon/sdk/client'
import { expect, onTestFinished, test, vi } from 'vitest'
import { bare, dialogue } from './dialogue.ts'
import { commandLines } from './processes.ts'
import { bin, cleanEnv, onTerminal, start, temporaryFolder, tenon } from './tenon.ts'
import { projectFolder } from './type-check.ts'

/** A server whose tool is in a file of its own. */
function project(): { folder: string; write(file: string, text: string): void } {
  const folder = projectFolder()
  const write = (file: string, text: string): void => writeFileSync(join(folder, file), text)
  write('package.json', '{ "type": "module" }')
  write('greet.ts', greet('Hello'))
  write(
    'server.ts',
    `import { createServer } from '@tenon/sdk/server'
     import { greet } from './greet.ts'
     export const server: unknown = createServer({ name: 'greeter', version: '1.0.0', tools: [greet] })`,
  )
  return { folder, write }
}

const greet = (word: string, more = ''): string => `import { tool } from '@tenon/sdk/server'
export const greet = tool({ name: 'greet', run: (): string => '${word}' })
${more}`

interface Event {
  event: string
  [member: string]: unknown
}

/** Runs the command, and collects its events. */
function dev(folder: string, ...args: string[]) {
  const child = start(['dev', ...args, '--no-stdio', '--json', '--port', '0'], { cwd: folder })
  const events: Event[] = []
  let rest = ''
  child.stdout!.setEncoding('utf8').on('data', (text: string) => {
    const lines = (rest + text).split('\n')
    rest = lines.pop()!
    events.push(...lines.map((line) => JSON.parse(line) as Event))
  })
  let stderr = ''
  child.stderr!.setEncoding('utf8').on('data', (text: string) => {
    stderr += text
  })
  let seen = 0
  /** The next event of a kind after those that were seen already. */
  const next = (kind: string): Promise<Event> =>
    vi.waitFor(
      () => {
        const index = events.findIndex(({ event }, at) => at >= seen && event === kind)
        if (index < 0) throw new Error(`Waiting for ${kind}: ${JSON.stringify(events.slice(seen))} ${stderr}`)
        seen = index + 1
        return events[index]!
      },
      { timeout: 100_000, interval: 10 },
    )
  const stop = async (): Promise<number | null> => {
    const ended = new Promise<number | null>((resolve) => child.once('close', resolve))
    child.kill('SIGTERM')
    return await ended
  }
  return { events, next, stop, child }
}

/** The processes that run a file of a folder. */
const running = (folder: string): string[] =>
  commandLines().filter((line) => line.includes(folder) && line.includes('runner.js'))

test('a change restarts the server; who is connected stays, and hears of it', async () => {
  const { folder, write } = project()
  const { next, stop } = dev(folder, 'server.ts')
  const url = (await next('listening')).url as string
  expect(await next('ready')).toMatchObject({ name: 'greeter', tools: ['greet'] })
  const changes = vi.fn()
  const old = await connect(url, { revisions: ['2025-06-18'] })
  onTestFinished(() => old.close())
  old.onChange('tools', changes)
  await using modern = await connect(url)
  expect((await old.callTool('greet')).text).toBe('Hello')
  expect((await modern.callTool('greet')).text).toBe('Hello')
  expect(await next('exchange')).toMatchObject({ from: 'client' })

  // As many editors do it: another file takes its place.
  write('greet.ts~', greet('Good evening'))
  renameSync(join(folder, 'greet.ts~'), join(folder, 'greet.ts'))
  expect(await next('restarting')).toMatchObject({ because: 'greet.ts' })
  // Both wait for the server to be there again.
  const answers = await Promise.all([old.callTool('greet'), modern.callTool('greet')])
  expect(answers.map(({ text }) => text)).toEqual(['Good evening', 'Good evening'])
  await vi.waitFor(() => expect(changes).toHaveBeenCalled(), 100_000)

  expect(await stop()).toBe(0)
  expect(running(folder)).toEqual([])
})

test('what does not compile is shown, and calls wait until it does', async () => {
  const { folder, write } = project()
  write('greet.ts', `${greet('Hello')} this is no TypeScript`)
  const { next, events, stop } = dev(folder, 'server.ts')
  const url = (await next('listening')).url as string
  await next('failed')
  const shown = events.flatMap(({ event, text }) => (event === 'stderr' ? [text] : [])).join('\n')
  expect(shown).toContain(join(folder, 'greet.ts'))
  const call = connect(url).then(async (client) => {
    const { text } = await client.callTool('greet')
    await client.close()
    return text
  })
  write('greet.ts', greet('Hello'))
  await next('ready')
  expect(await call).toBe('Hello')
  // A file that was missing is waited for, though nobody could load it.
  write('server.ts', readFileSync(join(folder, 'server.ts'), 'utf8').replace('./greet.ts', './hello.ts'))
  await next('failed')
  write('hello.ts', greet('Hello again'))
  await next('ready')
  expect(await stop()).toBe(0)
  expect(running(folder)).toEqual([])
})

test('a file that nobody loads changes nothing, and one that decides how to run does', async () => {
  const { folder, write } = project()
  const { next, events, stop } = dev(folder, 'server.ts')
  await next('ready')
  write('notes.json', '{}')
  write('package.json', '{ "type": "module", "version": "1.0.0" }')
  expect(await next('restarting')).toMatchObject({ because: 'package.json' })
  await next('ready')
  expect(events.filter(({ event }) => event === 'restarting')).toHaveLength(1)
  await stop()
})

test('a server that crashes is there again, and its last words are shown', async () => {
  const { folder, write } = project()
  write(
    'greet.ts',
    greet('Hello').replace("=> 'Hello'", '=> { setImmediate(() => { throw new Error("boom") }); return "Hello" }'),
  )
  const { next, events, stop } = dev(folder, 'server.ts')
  const url = (await next('listening')).url as string
  await next('ready')
  await using client = await connect(url, { revisions: ['2025-06-18'] })
  await client.callTool('greet').catch(() => {})
  await vi.waitFor(() => expect(events.some(({ text }) => String(text).includes('boom'))).toBe(true), 100_000)
  write('greet.ts', greet('Better'))
  await next('restarting')
  await next('ready')
  expect((await client.callTool('greet')).text).toBe('Better')
  await stop()
})

test('a host can start it as its server', async () => {
  const { folder, write } = project()
  // It serves itself, and only once everything else is done.
  write(
    'main.ts',
    `import { serveStdio } from '@tenon/sdk/stdio'
     import { server } from './server.ts'
     const main = async (): Promise<void> => void (await serveStdio(server as never))
     setTimeout(main, 50)`,
  )
  const shown: string[] = []
  const client = await connect({
    command: process.execPath,
    args: [bin, 'dev', 'main.ts', '--port', '0'],
    cwd: folder,
    env: cleanEnv(folder) as { [name: string]: string },
    stderr: (text) => void shown.push(text),
  })
  expect((await client.callTool('greet')).text).toBe('Hello')
  write('greet.ts', greet('Good evening'))
  await vi.waitFor(() => expect(shown.join('')).toContain('restart greet.ts'), 100_000)
  expect((await client.callTool('greet')).text).toBe('Good evening')
  await client.close()
  expect(shown.join('')).toMatch(/→ tools\/call greet +[\d.]+ m?s/)
  expect(running(folder)).toEqual([])
})

test('a file that listens by itself is explained, and used with --url', async () => {
  const { folder, write } = project()
  write(
    'listen.ts',
    `import { serveHttp } from '@tenon/sdk/node'
     import { server as mine } from './server.ts'
     const http = await serveHttp(mine as never, { port: Number(process.env.PORT ?? 0) })
     console.log('up at', http.url)`,
  )
  const alone = dev(folder, 'listen.ts')
  const { message, hint } = await alone.next('failed')
  expect(message).toMatch(/^listen\.ts listens at http:\/\/127\.0\.0\.1:\d+ by itself$/)
  const address = /--url (\S+);/.exec(hint as string)![1]!
  await alone.stop()
  const { next, child } = dev(folder, 'listen.ts', '--url', address, '--env', `PORT=${new URL(address).port}`)
  const url = (await next('listening')).url as string
  await next('ready')
  await using client = await connect(url)
  expect((await client.callTool('greet')).text).toBe('Hello')
  write('greet.ts', greet('Good evening'))
  await next('restarting')
  expect((await client.callTool('greet')).text).toBe('Good evening')
  // However it ends, its processes end with it.
  child.kill('SIGKILL')
  await vi.waitFor(() => expect(running(folder)).toEqual([]), 100_000)
})

test('a file without a server says what to write', async () => {
  const { folder, write } = project()
  write('empty.ts', 'export const answer = 42\n')
  const { next, stop } = dev(folder, 'empty.ts')
  expect(await next('failed')).toEqual({
    event: 'failed',
    message: 'empty.ts serves nothing, and exports no server',
    hint: 'Write: export const server = createServer(…)',
  })
  await stop()
})

test('on a terminal keys restart, show messages in full, and quit', async () => {
  const { folder } = project()
  const { shown, code } = await onTerminal(['dev', 'server.ts', '--port', '0'], { cwd: folder }, async (terminal) => {
    await dialogue(terminal, [['q quit', '']])
    const url = /http:\S+\/mcp/.exec(bare(terminal.shown()))![0]
    await tenon(['call', url, 'greet'])
    await dialogue(terminal, [
      ['tools/call greet', 'v'],
      ['shown in full', 'o'],
      ['tenon inspect http', 'r'],
      ['restart you asked for it', ''],
      ['ready', 'q'],
    ])
  })
  expect(code).toBe(0)
  expect(bare(shown)).toMatch(/ready {2}greeter 1\.0\.0 in 2026-07-28: 1 tool\r?\n/)
  expect(running(folder)).toEqual([])
})

test('a wrong command line says what was expected', async () => {
  const { folder } = project()
  mkdirSync(join(folder, 'src'))
  for (const [args, message] of [
    [['dev'], 'error: Expected the file of a server\nhint: For example: tenon dev src/server.ts\n'],
    [['dev', 'missing.ts'], 'error: There is no file missing.ts\n'],
    [['dev', 'src'], 'error: Expected a file, and src is none\n'],
    [['dev', 'server.ts', '--json'], 'error: --json needs standard output for itself\nhint: Add --no-stdio.\n'],
  ] as const) {
    expect(await tenon(args, { cwd: folder })).toMatchObject({ code: 2, stderr: message })
  }
})

test('an error is shown once, without the internals of the command, and other languages are refused', async () => {
  const cwd = temporaryFolder()
  writeFileSync(join(cwd, 'bad.mjs'), 'syntax error here\n')
  writeFileSync(join(cwd, 'server.py'), 'print(1)\n')
  const { shown } = await onTerminal(['dev', 'bad.mjs', '--port', '0'], { cwd }, (terminal) =>
    dialogue(terminal, [['Waiting for a change', 'q']]),
  )
  expect(bare(shown).match(/SyntaxError/g)).toHaveLength(1)
  expect(bare(shown)).toMatch(/failed The server exited with code 1\r?\n/)
  expect(bare(shown)).not.toContain('"kind"')
  expect(await tenon(['dev', 'server.py'], { cwd })).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('tenon dev runs JavaScript and TypeScript, and server.py is neither'),
  })
})
