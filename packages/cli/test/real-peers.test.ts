import { fileURLToPath } from 'node:url'
import { describe, expect, test } from 'vitest'
import { type Outcome, parsed, tenon } from './tenon.ts'

interface Script {
  capabilities: object
  answers?: { [method: string]: object }
  delayMs?: number
}

const peer = fileURLToPath(new URL('fixtures/scripted.mjs', import.meta.url))

/** Runs a command on a server that says exactly the answers of a script. */
const onScript = (args: string[], script: Script): Promise<Outcome> =>
  tenon([...args, '--', process.execPath, peer, JSON.stringify(script)])

describe('a large result', () => {
  const large = (bytes: number): Script => ({
    capabilities: { tools: {} },
    answers: {
      'tools/list': { result: { tools: [{ name: 'screenshot', inputSchema: { type: 'object' } }] } },
      'tools/call': { result: { content: [{ type: 'text', text: `$times(${bytes})` }] } },
    },
  })

  test('of 5 MB arrives', async () => {
    const outcome = await onScript(['call', 'screenshot'], large(5_000_000))
    expect(outcome).toMatchObject({ code: 0, stderr: '' })
    expect(outcome.stdout).toHaveLength(5_000_001)
  })

  test('beyond the limit names the option, and blames nobody', async () => {
    const outcome = await onScript(['call', 'screenshot', '--max-message-bytes', '1M'], large(2_000_000))
    expect(outcome).toMatchInlineSnapshot(`
      {
        "code": 6,
        "stderr": "error: Message exceeds the limit of 1048576 bytes on this side; raise it with maxLineBytes
      hint: Take larger messages with --max-message-bytes, for example --max-message-bytes 64M.
      ",
        "stdout": "",
      }
    `)
  })

  test('arrives with a larger limit', async () => {
    const outcome = await onScript(['call', 'screenshot', '--max-message-bytes', '32MiB', '--json'], large(17_000_000))
    expect(parsed(outcome)).toMatchObject({ ok: true })
  })

  test('a size that is none is refused', async () => {
    const outcome = await onScript(['call', 'screenshot', '--max-message-bytes', 'lots'], large(1))
    expect(outcome).toMatchObject({ code: 2 })
    expect(outcome.stderr).toContain('--max-message-bytes: expected a number of bytes such as 500000, 64M or 1G, got "lots"')
  })
})
