import { type ChildProcess, spawn } from 'node:child_process'
import { existsSync, readdirSync, statSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { describe, expect, test } from 'vitest'
import { requires } from '../../../scripts/requires.ts'
import { bin, call, create, namesIn, namesOf, ours, start, testFolder } from './helpers.ts'

/** A server that is spoken to by hand, so that it can be killed between any two bytes. */
class Victim {
  readonly acknowledged = new Set<string>()
  readonly #child: ChildProcess
  readonly #names = new Map<number, string>()

  constructor(file: string) {
    this.#child = spawn(process.execPath, [bin, file], { stdio: ['pipe', 'pipe', 'ignore'] })
    this.#child.stdin!.on('error', () => {})
    let rest = ''
    this.#child.stdout!.setEncoding('utf8').on('data', (text: string) => {
      const lines = (rest + text).split('\n')
      // The last one has not ended, and never will if the process is killed.
      rest = lines.pop()!
      for (const line of lines) this.#note(JSON.parse(line))
    })
    const clientInfo = { name: 'test', version: '1' }
    this.#send({ id: 0, method: 'initialize', params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo } })
    this.#send({ method: 'notifications/initialized' })
  }

  /** Sends an entity; long ones make it likely that a write is torn, and that the log is moved into the file. */
  write(name: string, length: number): void {
    const id = this.#names.size + 1
    this.#names.set(id, name)
    const entities = [{ name, entityType: 'thing', observations: ['x'.repeat(length)] }]
    this.#send({ id, method: 'tools/call', params: { name: 'create_entities', arguments: { entities } } })
  }

  /**
   * Kills the process when it acknowledged a number of writes: in the middle of the next ones, or while it moves the log
   * into the file, because its client is gone.
   */
  async killAfter(count: number, isLeft: boolean): Promise<void> {
    while (this.acknowledged.size < count) await new Promise((resolve) => this.#child.stdout!.once('data', resolve))
    const ended = new Promise((resolve) => this.#child.once('close', resolve))
    if (isLeft) {
      this.#child.stdin!.end()
      // Any moment will do, and a different one each time is best.
      await setTimeout(Math.random() * 30)
    }
    this.#child.kill('SIGKILL')
    await ended
  }

  #note({ id, result }: { id: number; result?: { isError?: boolean } }): void {
    if (this.#names.has(id) && result?.isError !== true) this.acknowledged.add(this.#names.get(id)!)
  }

  #send(message: object): void {
    this.#child.stdin!.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`)
  }
}

describe('killed processes', requires('posix'), () => {
  test('lose no acknowledged write, whenever they are killed, and leave nothing that stops others', async () => {
    const file = join(testFolder(), 'memory.jsonl')
    const acknowledged: string[] = []
    for (let round = 0; round < 10; round++) {
      const victims = [new Victim(file), new Victim(file)]
      for (const [number, victim] of victims.entries()) {
        for (let index = 0; index < 30; index++)
          victim.write(`${round}.${number}.${index}`, round % 3 === 0 ? 30_000 : 100)
      }
      const counts = [1 + ((round * 5) % 23), 1 + ((round * 7) % 30)]
      await Promise.all(victims.map((victim, number) => victim.killAfter(counts[number]!, (round + number) % 2 === 0)))
      for (const victim of victims) acknowledged.push(...victim.acknowledged)
    }
    const survivor = await start(ours(file, '--max-result', '100MB'))
    const known = new Set(namesOf(await call(survivor, 'read_graph')))
    expect(acknowledged.filter((name) => !known.has(name))).toEqual([])
    expect(acknowledged.length).toBeGreaterThan(100)
    await create(survivor, 'after all')
    await survivor.close()
    expect(new Set(namesIn(file))).toEqual(new Set([...known, 'after all']))
    expect(readdirSync(dirname(file)).filter((name) => name.endsWith('.tmp') || name.includes('.lock'))).toEqual([])
  }, 120_000)

  test('leave a lock that the next one takes over, also if its number is used again', async () => {
    const file = join(testFolder(), 'memory.jsonl')
    const dead = spawn(process.execPath, ['-e', ''])
    await new Promise((resolve) => dead.once('close', resolve))
    const { hostname } = await import('node:os')
    const held = (pid: number, started: string): void =>
      writeFileSync(`${file}.lock`, JSON.stringify({ pid, host: hostname(), started, token: 'of a dead process' }))
    const client = await start(ours(file))
    held(dead.pid!, '1')
    await create(client, 'Ada')
    held(process.pid, '1')
    await create(client, 'Bob')
    expect(existsSync(`${file}.lock`)).toBe(process.platform !== 'linux')
    expect(statSync(`${file}.log`).size).toBeGreaterThan(100)
  })

  test('leave drafts that are removed with the next checkpoint', async () => {
    const file = join(testFolder(), 'memory.jsonl')
    writeFileSync(`${file}.0123456789abcdef.tmp`, 'half a file')
    writeFileSync(`${file}.log.0123456789abcdef.tmp`, '')
    writeFileSync(`${file}.backup.tmp`, 'of somebody else')
    const client = await start(ours(file))
    await create(client, 'Ada')
    await client.close()
    expect(readdirSync(dirname(file)).filter((name) => name.endsWith('.tmp'))).toEqual(['memory.jsonl.backup.tmp'])
  })
})
