import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, readdir, readFile, rm, statfs, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { issuer } from '@tenon/issuer'
import { fileStore, replaceFile } from '@tenon/sdk/auth'
import { connect } from '@tenon/sdk/client'
import { fileTaskStore } from '@tenon/sdk/node'
import { createServer, type TaskRecord, tool } from '@tenon/sdk/server'
import { Random } from '../lib/random.ts'
import { Ledger } from './ledger.ts'

const program = fileURLToPath(new URL('writer.mjs', import.meta.url))
const adas = 'user:ada'
/** The owner of the tasks of this process. */
const bystander = 'local'

export interface CrashOptions {
  folder: string
  kills: number
  seed: number
  /** The folder is a small disk of its own, which is filled up now and then. */
  fills: boolean
}

export interface CrashReport {
  seed: number
  kills: number
  /** Rounds that began on a nearly full disk. */
  filled: number
  acknowledged: number
  /** Refused because the disk was full. */
  refused: number
  /** The writes of the surviving process meanwhile. */
  bystander: number
  problems: string[]
}

/** Kills writers at random points, again and again, and inspects the folder. */
export async function crash({ folder, kills, seed, fills }: CrashOptions): Promise<CrashReport> {
  const random = new Random(seed)
  const ledger = new Ledger()
  const other = new Bystander(folder, ledger)
  let filled = 0
  for (const name of ['tasks', 'tokens', 'issuer']) await mkdir(join(folder, name), { mode: 0o700 })
  await other.begin()
  let next = new Writer(folder, random, ledger)
  for (let round = 1; round <= kills; round++) {
    const writer = next
    await writer.ready
    const room = random.pick([0, 4, 16, 64, undefined, undefined])
    if (fills && room !== undefined) filled++
    if (fills && room !== undefined) await fill(folder, room * 1_024)
    next = new Writer(folder, random, ledger)
    await Promise.all([writer.killedAfter(random.between(1, 120), random.between(0, 4)), other.writeUntil(writer.gone)])
    await rm(join(folder, 'ballast'), { force: true })
    await inspect(folder, ledger, round)
    if (ledger.problems.length > 20) break
  }
  await next.killedAfter(0, 0)
  await other.finish().catch((error: unknown) => void ledger.problems.push(`a server on the folder: ${String(error)}`))
  const { acknowledged, refused, problems } = ledger
  return { seed, kills, filled, acknowledged, refused, bystander: other.written, problems }
}

class Writer {
  readonly ready: Promise<unknown>
  readonly gone: Promise<unknown>
  readonly #child: ChildProcess
  readonly #ledger: Ledger

  constructor(folder: string, random: Random, ledger: Ledger) {
    this.#ledger = ledger
    this.#child = spawn(process.execPath, [program, folder, String(random.between(1, 2 ** 31))], {
      stdio: ['pipe', 'pipe', 'inherit'],
    })
    this.#child.stdin!.on('error', () => {})
    this.gone = once(this.#child, 'close')
    const lines = createInterface({ input: this.#child.stdout! })
    this.ready = Promise.race([once(lines, 'line'), this.gone])
    void this.ready.then(() => lines.on('line', (line) => this.#heard(line)))
  }

  /** Lets it write, and kills it some time after it has printed this many lines. */
  async killedAfter(lines: number, ms: number): Promise<void> {
    await this.ready
    this.#child.stdin!.write('go\n')
    await Promise.race([this.#heardLines(lines), this.gone])
    await new Promise((resolve) => setTimeout(resolve, ms))
    if (this.#child.exitCode !== null) this.#ledger.problems.push(`a writer ended by itself: ${this.#child.exitCode}`)
    this.#child.kill('SIGKILL')
    await this.gone
  }

  #wanted = Number.POSITIVE_INFINITY
  #enough: () => void = () => {}

  #heardLines(lines: number): Promise<void> {
    this.#wanted = lines
    return new Promise((resolve) => {
      this.#enough = resolve
      if (lines <= 0) resolve()
    })
  }

  #heard(line: string): void {
    this.#ledger.note(line)
    if (--this.#wanted <= 0) this.#enough()
  }
}

/** Fills a small disk, but for so many bytes. */
async function fill(folder: string, room: number): Promise<void> {
  const { bavail, bsize } = await statfs(folder)
  await writeFile(join(folder, 'ballast'), Buffer.alloc(Math.max(0, bavail * bsize - room))).catch(() => {})
}

/** Opens everything as the next process would, compares it with the acknowledged writes, and looks for leftovers. */
async function inspect(folder: string, ledger: Ledger, round: number): Promise<void> {
  const before = ledger.problems.length
  await inspectTasks(folder, ledger)
  const tokens = fileStore(join(folder, 'tokens', 'tokens.json'))
  await tokens.set('checked', String(round))
  const file = await readFile(join(folder, 'file'), 'utf8').catch(() => undefined)
  for (const key of ledger.values.keys()) {
    if (key === 'file') ledger.checkValue(key, wholeValue(file))
    else ledger.checkValue(key, await tokens.get(key.slice('token '.length)))
  }
  await replaceFile(join(folder, 'checked'), String(round))
  await inspectIssuer(folder, ledger, round)
  for (const left of await leftIn(folder)) ledger.problems.push(`left behind: ${left}`)
  for (let index = before; index < ledger.problems.length; index++)
    ledger.problems[index] = `kill ${round}: ${ledger.problems[index]}`
}

async function inspectTasks(folder: string, ledger: Ledger): Promise<void> {
  const store = fileTaskStore(join(folder, 'tasks'), { onError: (error) => ledger.problems.push(String(error)) })
  const found = new Map((await store.list(adas)).map((record) => [record.id, record]))
  for (const id of found.keys()) if (!ledger.tasks.has(id)) ledger.problems.push(`task ${id}: nobody created it`)
  for (const id of [...ledger.tasks.keys()]) {
    const record = found.get(id)
    if (record !== undefined && record.call.params.text !== `${id}.${record.version} `.repeat(50))
      ledger.problems.push(`task ${id}: it is not what was written`)
    ledger.checkTask(id, record?.version)
  }
  const count = await store.count(adas)
  if (count !== found.size) ledger.problems.push(`${count} tasks count, and there are ${found.size}`)
  // Otherwise the disk would be full of tasks.
  for (const id of [...ledger.tasks.keys()].slice(0, -20)) {
    await store.delete(adas, id)
    ledger.tasks.delete(id)
  }
}

/** The value of a file whose content is one value, many times. */
function wholeValue(text: string | undefined): string | undefined {
  const value = text?.split(' ')[0]
  return text === undefined || text === `${value} `.repeat(200) ? value : 'half a file'
}

async function inspectIssuer(folder: string, ledger: Ledger, round: number): Promise<void> {
  const file = join(folder, 'issuer', 'state.json')
  const as = issuer({ url: 'http://127.0.0.1:1', file, onError: (error) => ledger.problems.push(String(error)) })
  await as.fetch(new Request(`${as.url}/jwks`))
  const { clients } = JSON.parse(await readFile(file, 'utf8')) as { clients: { id: string }[] }
  const kept = new Set(clients.map(({ id }) => id))
  for (const id of ledger.clients) if (!kept.has(id)) ledger.problems.push(`client ${id} is lost`)
  if (round % 5 > 0) return
  await rm(file)
  ledger.clients.clear()
}

async function leftIn(folder: string): Promise<string[]> {
  const left: string[] = []
  for (const entry of await readdir(folder, { withFileTypes: true, recursive: true })) {
    const path = join(entry.parentPath, entry.name)
    const isEmpty = entry.isDirectory() && (await readdir(path)).length === 0
    if (
      /\.draft$|\.lock$|\.set-aside/.test(entry.name) ||
      (isEmpty && entry.name !== 'tasks' && entry.name !== 'issuer')
    )
      left.push(path)
  }
  return left
}

/** Another owner in the same folder, in a process that lives: it must not notice the fate of the others. */
class Bystander {
  readonly #folder: string
  readonly #ledger: Ledger
  readonly #id = 'b'.repeat(40)
  written = 0

  constructor(folder: string, ledger: Ledger) {
    this.#folder = join(folder, 'tasks')
    this.#ledger = ledger
  }

  async begin(): Promise<void> {
    await fileTaskStore(this.#folder).create(this.#record(this.#id, {}))
  }

  /** Changes a task of its own for as long as the other process lives. */
  async writeUntil(gone: Promise<unknown>): Promise<void> {
    const store = fileTaskStore(this.#folder)
    let isOver = false
    void gone.then(() => {
      isOver = true
    })
    while (!isOver) {
      const record = await store.get(bystander, this.#id)
      if (record === undefined) return void this.#ledger.problems.push('the task of a bystander is lost')
      try {
        const isDone = await store.replace({ ...record, version: record.version + 1 })
        if (!isDone) this.#ledger.problems.push('a bystander could not change its task')
        this.written++
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code !== 'ENOSPC')
          this.#ledger.problems.push(`a bystander: ${String(error)}`)
      }
      await new Promise((resolve) => setTimeout(resolve, 2))
    }
  }

  /** A server on the folder takes over tasks and deletes expired ones, although a record of another owner is torn. */
  async finish(): Promise<void> {
    const store = fileTaskStore(this.#folder, { onError: () => {} })
    const [orphan, expired] = ['c'.repeat(40), 'd'.repeat(40)]
    await store.create(this.#record(orphan, { memory: { asked: [], steps: [['begun', 'by the dead']] } }))
    await store.create(this.#record(expired, { createdAt: Date.now() - 10_000, ttlMs: 1_000, status: 'completed' }))
    await store.create({ ...this.#record('torn', {}), owner: adas })
    await this.#tear('torn')
    const job = tool({ name: 'job', task: true, run: (_input, ctx) => ctx.once('begun', () => 'again') })
    const server = createServer({ name: 'jobs', version: '1.0.0', tools: [job], tasks: { store } })
    await using client = await connect(server)
    await server.tasks.resume()
    const { text } = await client.tasks.result(orphan, { tool: 'job' })
    if (text !== 'by the dead') this.#ledger.problems.push(`a task was not resumed: ${text}`)
    const isKnown = await client.tasks.get(expired).then(
      () => true,
      () => false,
    )
    if (isKnown || (await store.list(bystander)).some(({ id }) => id === expired))
      this.#ledger.problems.push('a task did not expire')
    if ((await store.count(adas)) !== (await store.list(adas)).length)
      this.#ledger.problems.push('a torn record counts')
  }

  async #tear(id: string): Promise<void> {
    for (const owner of await readdir(this.#folder)) {
      const file = join(this.#folder, owner, id, '1.json')
      await readFile(file).then(
        () => writeFile(file, '{"id":"to'),
        () => {},
      )
    }
  }

  #record(id: string, more: Partial<TaskRecord>): TaskRecord {
    const call: TaskRecord['call'] = {
      revision: '2026-07-28',
      requestId: 1,
      params: { name: 'job', arguments: {} },
      capabilities: {},
      transport: 'memory',
    }
    const now = Date.now()
    return {
      id,
      owner: bystander,
      version: 1,
      status: 'working',
      createdAt: now,
      updatedAt: now,
      ttlMs: 3_600_000,
      pollIntervalMs: 50,
      call,
      ...more,
    }
  }
}
