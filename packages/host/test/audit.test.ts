import { spawn, spawnSync } from 'node:child_process'
import { appendFileSync, mkdtempSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { requires } from '../../../scripts/requires.ts'
import { AuditFile } from '../src/audit/audit-file.ts'
import { createHost, policy, verifyAudit } from '../src/index.ts'
import { scripted } from './scripted.ts'

const folder = mkdtempSync(join(tmpdir(), 'tenon-audit-'))
afterAll(() => rmSync(folder, { recursive: true }))

let count = 0
const newFile = (): string => join(folder, `${++count}.jsonl`)
const linesOf = (file: string): { [member: string]: unknown }[] =>
  readFileSync(file, 'utf8')
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line))

async function written(events: number): Promise<string> {
  const file = newFile()
  const audit = new AuditFile(file)
  for (let at = 0; at < events; at++) audit.record({ type: 'call', server: 's', name: `tool ${at}`, verdict: 'allow' })
  await audit.close()
  return file
}

test('decisions and results are noted with the one who decided', async () => {
  using server = scripted({ tools: [{ name: 'go' }, { name: 'drop' }] })
  const audit = newFile()
  {
    await using host = await createHost({
      servers: { s: server.config },
      consent: policy({ allow: ['s.go'], deny: ['s.drop'] }),
      audit,
    })
    await host.callTool(
      's__go',
      { password: 'hunter2', text: 'with ghp_abcdefghijklmnopqrstuvwx in it' },
      { callId: 'c1' },
    )
    await expect(host.callTool('s__drop')).rejects.toMatchObject({ code: 'denied' })
  }
  expect(linesOf(audit)).toMatchObject([
    { type: 'start', seq: 0 },
    { type: 'call', server: 's', name: 'go', callId: 'c1', verdict: 'allow', by: 'allow s.go' },
    { type: 'result', server: 's', name: 'go', callId: 'c1', isError: false },
    { type: 'call', name: 'drop', verdict: 'deny', by: 'deny s.drop' },
    { type: 'end' },
  ])
  expect(readFileSync(audit, 'utf8')).not.toMatch(/hunter2|ghp_/)
  expect(await verifyAudit(audit)).toMatchObject({ ok: true, entries: 5, starts: 1, torn: 0 })
})

test.each([
  ['changed', (lines: string[]) => lines.with(2, lines[2]!.replace('allow', 'deny_'))],
  ['removed', (lines: string[]) => lines.toSpliced(2, 1)],
  ['moved', (lines: string[]) => lines.with(2, lines[3]!).with(3, lines[2]!)],
  ['repeated', (lines: string[]) => lines.toSpliced(2, 0, lines[2]!)],
  ['removed at the start', (lines: string[]) => lines.slice(1)],
])('a line that was %s is found', async (_, change) => {
  const file = await written(5)
  writeFileSync(file, change(readFileSync(file, 'utf8').split('\n')).join('\n'))
  expect(await verifyAudit(file)).toMatchObject({ ok: false })
})

test('a start that was removed as a whole is found by the next one', async () => {
  const file = await written(2)
  await new AuditFile(file).close()
  const lines = readFileSync(file, 'utf8').split('\n')
  writeFileSync(file, lines.slice(4).join('\n'))
  expect(await verifyAudit(file)).toMatchObject({ ok: false, problems: [{ line: 1 }] })
})

test('half a line is kept, and the next start goes on after it', async () => {
  const file = await written(3)
  const { length } = readFileSync(file)
  truncateSync(file, length - 40)
  expect(await verifyAudit(file)).toMatchObject({ ok: true, torn: 1, entries: 4 })
  await new AuditFile(file).close()
  expect(await verifyAudit(file)).toMatchObject({ ok: true, torn: 1, entries: 6, starts: 2 })
})

test('half a line of one process does not harm another that writes on', async () => {
  const file = await written(1)
  const audit = new AuditFile(file)
  appendFileSync(file, '{"chain":"killed","seq":7,"ti')
  audit.record({ type: 'call', server: 's' })
  await audit.close()
  expect(await verifyAudit(file)).toMatchObject({ ok: true, entries: 6 })
})

test('entries are bounded', async () => {
  const file = newFile()
  const audit = new AuditFile(file)
  const many = Object.fromEntries(Array.from({ length: 500 }, (_, at) => [`argument ${at}`, 'words '.repeat(1_000)]))
  audit.record({ type: 'call', server: 's', name: 'n'.repeat(100_000), args: { many } })
  await audit.close()
  expect(linesOf(file)).toMatchObject([{}, { type: 'call', server: 's', cut: true }, {}])
  for (const line of readFileSync(file, 'utf8').split('\n')) expect(line.length).toBeLessThan(8 * 1024)
  expect(await verifyAudit(file)).toMatchObject({ ok: true })
})

test('a killed process loses nothing that it had noted', async () => {
  const file = newFile()
  const program = new URL('programs/audit-writer.mjs', import.meta.url).pathname
  const child = spawn(process.execPath, [program, file], { stdio: ['ignore', 'pipe', 'inherit'] })
  const noted = await new Promise<number>((resolve) => {
    let last = 0
    child.stdout.on('data', (text) => {
      last = Number(String(text).trim().split('\n').at(-1))
      if (last > 500) child.kill('SIGKILL')
    })
    child.on('close', () => resolve(last))
  })
  const { ok, entries, torn } = await verifyAudit(file)
  expect(ok).toBe(true)
  expect(entries).toBeGreaterThanOrEqual(noted)
  expect(torn).toBeLessThanOrEqual(1)
  await new AuditFile(file).close()
  expect(await verifyAudit(file)).toMatchObject({ ok: true, starts: 2 })
})

test('arguments that look like an entry are an entry of nobody', async () => {
  const file = newFile()
  const audit = new AuditFile(file)
  const forged = { chain: 'f'.repeat(16), seq: 0, prev: '0'.repeat(64), type: 'start' }
  audit.record({ type: 'call', server: 's', args: { forged } })
  audit.record({ type: 'call', server: 's', args: { list: [forged, forged] } })
  appendFileSync(file, '{"chain":"killed","seq":7,"args":{"forged":{"chain":"f","se')
  audit.record({ type: 'call', server: 's', args: { forged } })
  await audit.close()
  expect(await verifyAudit(file)).toMatchObject({ ok: true, entries: 5, starts: 1, problems: [] })
  await new AuditFile(file).close()
  expect(await verifyAudit(file)).toMatchObject({ ok: true, entries: 7, starts: 2 })
})

test('an entry of which a full disk took only a part was not noted', requires('linux'), () => {
  const file = newFile()
  const program = new URL('programs/audit-until-full.mjs', import.meta.url).pathname
  const run = 'ulimit -f 2; exec "$0" "$@"'
  const { stdout } = spawnSync('/bin/sh', ['-c', run, process.execPath, program, file], { encoding: 'utf8' })
  const complete = readFileSync(file, 'utf8').match(/"type":"call".*"hash":"[\da-f]{64}"\}$/gm)!
  expect(JSON.parse(stdout)).toEqual({ noted: complete.length, code: 'unavailable' })
})

test('a secret is hidden whatever form its value has', async () => {
  const file = newFile()
  const audit = new AuditFile(file)
  const args = { password: ['hunter2'], apiKey: { value: 'hunter3' }, token: null }
  audit.record({ type: 'call', server: 's', args })
  await audit.close()
  expect(readFileSync(file, 'utf8')).not.toMatch(/hunter/)
  expect(linesOf(file)[1]).toMatchObject({ args: { password: '[hidden]', apiKey: '[hidden]', token: null } })
})
