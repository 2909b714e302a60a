/** The chat on a terminal of 80 columns. */
import { readFileSync, statSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import { bare, dialogue } from './dialogue.ts'
import { everything, onTerminal, type RunOptions, temporaryFolder, tenon } from './tenon.ts'

type Steps = Parameters<typeof dialogue>[1]

const chat = (args: readonly string[], steps: Steps, options: RunOptions = {}) =>
  onTerminal(['chat', ...args], { ...options, columns: 80 }, (terminal) => dialogue(terminal, steps))

const wait = 'you> '
const up = '\u001b[A'

describe('a chat', () => {
  test('answers with cards, asks for consent and a form, reads a resource, and keeps a history', async () => {
    const cwd = temporaryFolder()
    const { shown, code } = await chat(
      ['--demo'],
      [
        [wait, 'Will it rain in Bergen?\r'],
        ['● weather.forecast city="Bergen"', ''],
        ['✓ weather.forecast', ''],
        ['Yes: take an umbrella', ''],
        [wait, 'Remind me of the umbrella in Bergen\r'],
        ['The model wants to call weather.remind', ''],
        ['"city": "Bergen"', ''],
        ['Allow it? y/n/session/always/edit ', 'e\r'],
        ['arguments: {"city":"Bergen"}', '\u0015{"city":"Lisbon"}\r'],
        ['"city": "Lisbon"', ''],
        ['Allow it?', 'maybe\r'],
        ['session: until the chat ends', ''],
        ['Allow it?', 'y\r'],
        ['umbrella in Lisbon?', ''],
        ['When', '18:00\r'],
        ['note', 'blue\r'],
        ['Send this?', '\r'],
        ['Done: A reminder for Lisbon at 18:00: blue.', ''],
        [wait, 'Hour by hour?\r'],
        ['• 15:00  2.1 mm', ''],
        [wait, 'Draw something\r'],
        ['The model wants to call everything.draw_chart', ''],
        ['Allow it?', 'session\r'],
        ['saved as everything__draw_chart-1.png', ''],
        [wait, 'Draw something\r'],
        ['saved as everything__draw_chart-1-2.png', ''],
        [wait, `${up}${up}${up}${up}\u0003`],
        ['Will it rain in Bergen?', ''],
        [wait, '/exit\r'],
      ],
      { cwd },
    )
    expect(code).toBe(0)
    const lines = bare(shown).split(/\r?\n/)
    const cards = lines.filter((line) => /^ {2}[│✓]|^●/.test(line))
    expect(cards.length).toBeGreaterThan(5)
    expect(cards.filter((line) => line.length > 80)).toEqual([])
    const history = join(cwd, '.config/tenon/chat-history')
    expect(statSync(history).mode & 0o777).toBe(0o600)
    expect(readFileSync(history, 'utf8').split('\n')[0]).toBe('Will it rain in Bergen?')
  })

  test('prompts and resources are completed and sent, and commands answer', async () => {
    const cwd = temporaryFolder()
    const { code } = await chat(
      ['--demo', '--price', '1/2'],
      [
        [wait, '/weather.p\t'],
        ['/weather.pack ', 'ci\t'],
        ['city=', 'Sap\t'],
        ['=Sapporo ', '\r'],
        ['● weather.forecast city="Sapporo"', ''],
        [wait, '/weather.pack\r'],
        ['city (One of', 'Lis\t'],
        [': Lisbon', '\r'],
        ['No, leave the umbrella', ''],
        [wait, 'Look at @weather:weather://b\t'],
        ['weather://bergen/hours ', '\r'],
        ['You sent weather://bergen/hours of the server weather along', ''],
        // Two lines in one piece are two lines.
        [wait, '/tools forecast\r/servers\r'],
        ['weather.forecast', ''],
        [/weather +ready +2 tools/, ''],
        [wait, '/cost\r'],
        [/scripted\/demo +5 steps +\d+ tokens read +\d+ written +cost \d+\.\d+/, ''],
        [wait, '/save chat.md\r'],
        ['The conversation is in', ''],
        [wait, '/clear\r'],
        ['A new conversation', ''],
        [wait, '/cost\r'],
        ['There are none', ''],
        [wait, '/resume\r'],
        ['3 messages of yours', ''],
        [wait, '/mode\r'],
        ['Did you mean /model?', ''],
        [wait, '/model\r'],
        ['The model is demo', ''],
        [wait, '/help\r'],
        ['@server:uri', ''],
        [wait, '\u0004'],
      ],
      { cwd },
    )
    expect(code).toBe(0)
    const saved = readFileSync(join(cwd, 'chat.md'), 'utf8')
    expect(saved).toContain('[resource weather://bergen/hours of the server weather]\n# Bergen')
  })

  test('Ctrl-C cancels a turn and keeps the chat; twice leaves', async () => {
    const cwd = temporaryFolder()
    const call = { name: 'everything__count_down', arguments: { from: 100, intervalMs: 1000 } }
    writeFileSync(
      join(cwd, 'slow.json'),
      JSON.stringify({ rules: [{ when: 'slow', calls: [call] }, { text: 'quick' }] }),
    )
    const { code } = await chat(
      ['--model', 'scripted:slow.json', '--allow', '*', ...everything],
      [
        [wait, 'slow\r'],
        ['left', '\u0003'],
        ['✗ cancelled', ''],
        ['Cancelled.', ''],
        [wait, 'again\r'],
        ['quick', ''],
        [wait, 'typed\u0003'],
        [wait, '\u0003'],
        ['Press Ctrl-C again', '\u0003'],
      ],
      { cwd },
    )
    expect(code).toBe(0)
  })

  test('a configured server is approved first, and again when its entry changes', async () => {
    const cwd = temporaryFolder()
    writeFileSync(join(cwd, 'script.json'), JSON.stringify({ rules: [{ text: 'hello' }] }))
    const configure = (...more: string[]): void => {
      const [, command, ...args] = [...everything, ...more]
      writeFileSync(join(cwd, '.mcp.json'), JSON.stringify({ mcpServers: { mine: { command, args } } }))
    }
    configure()
    const model = ['--model', 'scripted:script.json']
    const untrusted = await tenon(['chat', ...model, '--once', 'x'], { cwd })
    expect(untrusted).toMatchObject({ code: 3, stderr: expect.stringContaining('mine was never approved') })
    const leave = [wait, '/exit\r'] as const
    await chat(model, [['mine is used for the first time', ''], [/May it be started.* $/, 'y\r'], leave], { cwd })
    await chat([...model, 'mine'], [leave], { cwd })
    configure('--verbose')
    const { shown } = await chat(
      model,
      [
        ['has changed since you approved it', ''],
        [/\+ .*--verbose/, ''],
        [/May it be started.* $/, 'n\r'],
      ],
      { cwd },
    )
    expect(bare(shown)).toContain('mine could not be started: Server mine was not approved')
  })
})

test('a model at an address answers in a stream', async () => {
  const bodies: { model: string; messages: unknown[] }[] = []
  const http = createServer(async (request, reply) => {
    let body = ''
    for await (const chunk of request) body += chunk
    bodies.push(JSON.parse(body))
    const chunk = (delta: object, finish: string | null): string =>
      `data: ${JSON.stringify({ id: '1', object: 'chat.completion.chunk', created: 1, model: 'm', choices: [{ index: 0, delta, finish_reason: finish }] })}\n\n`
    reply.writeHead(200, { 'content-type': 'text/event-stream' })
    reply.end(
      `${chunk({ role: 'assistant', content: 'Good ' }, null)}${chunk({ content: 'day' }, 'stop')}data: [DONE]\n\n`,
    )
  })
  await new Promise<void>((resolve) => http.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void http.close())
  const { port } = http.address() as AddressInfo
  const model = `http://127.0.0.1:${port}/v1#m`
  const outcome = await tenon(['chat', 'everything', '--model', model, '--system', 'Be kind', '--once', 'Hello'])
  expect(outcome).toEqual({ stdout: 'Good day\n', stderr: '', code: 0 })
  expect(bodies).toMatchObject([{ model: 'm', messages: [{ role: 'system' }, { role: 'user' }] }])
})
