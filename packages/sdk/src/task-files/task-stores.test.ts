import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import fs from 'node:fs/promises'
import { syncBuiltinESMExports } from 'node:module'
import { hostname, tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, test, vi } from 'vitest'
import { requires } from '../../../../scripts/requires.ts'
import { memoryTaskStore } from '../server/tasks/store/memory-store.ts'
import type { TaskRecord, TaskStore } from '../server/tasks/store/task-store.ts'
import { createServer, tool } from '../server.ts'
import { taskStoreChecks } from '../testing/stores.ts'
import { fileTaskStore } from './file-task-store.ts'

const folders: string[] = []
const newFolder = () => {
  folders.push(mkdtempSync(join(tmpdir(), 'tenon-tasks-')))
  return folders.at(-1)!
}
afterAll(() => {
  for (const folder of folders) rmSync(folder, { recursive: true, force: true })
})

const stores: { [name: string]: () => TaskStore } = {
  memory: memoryTaskStore,
  files: () => fileTaskStore(newFolder()),
}

const record = (more: Partial<TaskRecord> = {}): TaskRecord => ({
  id: 'a1',
  owner: 'user:ada',
  version: 1,
  status: 'working',
  createdAt: 1,
  updatedAt: 1,
  ttlMs: 1_000,
  pollIntervalMs: 10,
  call: { revision: '2026-07-28', requestId: 1, params: { name: 'x' }, capabilities: {}, transport: 'memory' },
  ...more,
})

// [task25.id.unique] [task25.sec.list-own-only]
describe.each(Object.entries(stores))('a store in %s', (_, open) => {
  for (const { name, run } of taskStoreChecks(open)) test(name, run)
})

describe('files', () => {
  test('are one per task, and only for the owner of the process', async () => {
    const folder = newFolder()
    const store = fileTaskStore(join(folder, 'new'))
    await store.create(record())
    for (let version = 2; version < 60; version++) expect(await store.replace(record({ version }))).toBe(true)
    const all = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile())
    expect(all.length).toBeLessThan(20)
    const files = all.filter(({ parentPath, name }) => statSync(join(parentPath, name)).size > 0)
    expect(files.map(({ name }) => name)).toEqual(['59.json'])
    expect(statSync(join(files[0]!.parentPath, '59.json')).mode & 0o777).toBe(0o600)
    expect(statSync(files[0]!.parentPath).mode & 0o777).toBe(0o700)
  })

  test('a write that was cut off is as if it had not been', async () => {
    const folder = newFolder()
    const store = fileTaskStore(folder)
    await store.create(record())
    const [owner] = readdirSync(folder)
    writeFileSync(join(folder, owner!, 'a1', '.0123456789abcdef'), '{"id":"a1","vers')
    expect(await store.get('user:ada', 'a1')).toEqual(record())
    expect(await store.replace(record({ version: 2 }))).toBe(true)
    expect((await store.list())[0]).toEqual(record({ version: 2 }))
  })

  test('another store on the folder sees the same', async () => {
    const folder = newFolder()
    const [one, other] = [fileTaskStore(folder), fileTaskStore(folder)]
    await one.create(record())
    expect(await other.replace(record({ version: 2 }))).toBe(true)
    expect(await one.replace(record({ version: 2 }))).toBe(false)
    expect(await one.get('user:ada', 'a1')).toEqual(record({ version: 2 }))
  })

  test('are on the disk before a version has its name, and the name before anybody is told', async () => {
    const log: string[] = []
    const { open, link, rename } = fs
    const noted = <Args extends unknown[], Result>(name: string, call: (...args: Args) => Result) => {
      return (...args: Args): Result => {
        log.push(name)
        return call(...args)
      }
    }
    vi.spyOn(fs, 'open').mockImplementation(async (path, flags, mode) => {
      const handle = await open(path, flags, mode)
      handle.sync = noted(`sync ${flags === 'r' ? 'folder' : 'file'}`, handle.sync.bind(handle))
      handle.truncate = noted('truncate', handle.truncate.bind(handle))
      return handle
    })
    vi.spyOn(fs, 'link').mockImplementation(noted('link', link))
    vi.spyOn(fs, 'rename').mockImplementation(noted('rename', rename))
    syncBuiltinESMExports()
    try {
      const store = fileTaskStore(newFolder())
      await store.create(record())
      const created = log.splice(0)
      expect(created.slice(created.indexOf('sync file'))).toEqual([
        'sync file',
        'sync folder',
        'rename',
        'sync folder',
        'sync folder',
      ])
      await store.replace(record({ version: 2 }))
      expect(log).toEqual(['sync file', 'link', 'sync folder', 'truncate'])
    } finally {
      vi.restoreAllMocks()
      syncBuiltinESMExports()
    }
  })

  test.each([
    ['after it wrote, and others went on from that', true],
    ['before it wrote, and others did so long ago', false],
  ])('of a process that was held up %s: %s', async (_, isAfter) => {
    const folder = newFolder()
    const [slow, quick] = [fileTaskStore(folder), fileTaskStore(folder)]
    await slow.create(record())
    const { link } = fs
    let isHeldUp = false
    const others = async (from: number): Promise<void> => {
      for (let version = from; version < from + 20; version++)
        expect(await quick.replace(record({ version }))).toBe(true)
    }
    vi.spyOn(fs, 'link').mockImplementation(async (...paths) => {
      if (isHeldUp) return link(...paths)
      isHeldUp = true
      if (!isAfter) await others(2)
      await link(...paths)
      if (isAfter) await others(3)
    })
    syncBuiltinESMExports()
    try {
      expect(await slow.replace(record({ version: 2, statusMessage: 'slow' }))).toBe(isAfter)
    } finally {
      vi.restoreAllMocks()
      syncBuiltinESMExports()
    }
    expect((await quick.get('user:ada', 'a1'))?.version).toBe(isAfter ? 22 : 21)
  })

  test('that are gone leave no folder behind', async () => {
    const folder = newFolder()
    const store = fileTaskStore(folder)
    await store.create(record())
    await expect(store.create(record())).rejects.toThrow('There is a task with this id')
    await store.delete('user:ada', 'a1')
    expect(readdirSync(folder)).toEqual([])
  })

  test('that cannot be written leave nothing behind, and take up no quota', async () => {
    const folder = newFolder()
    const store = fileTaskStore(folder)
    const endless = record() as unknown as { call: { params: unknown } }
    endless.call = { params: endless }
    await expect(store.create(endless as unknown as TaskRecord)).rejects.toThrow()
    expect(readdirSync(folder)).toEqual([])
    expect(await store.count()).toBe(0)
  })

  test('of a process that was killed while it created or deleted a task count for nobody, and go', async () => {
    const folder = newFolder()
    const store = fileTaskStore(folder)
    await store.create(record())
    const owner = join(folder, readdirSync(folder)[0]!)
    const pid = spawnSync(process.execPath, ['-e', '0']).pid
    const host = hostname().replace(/\W/g, '_').slice(0, 32)
    const draft = join(owner, `.task.${host}-${pid}-01234567-89ab-cdef-0123-456789abcdef.draft`)
    mkdirSync(draft)
    writeFileSync(join(draft, '1.json'), '{')
    mkdirSync(join(owner, 'empty'))
    mkdirSync(join(folder, 'f'.repeat(40)))
    expect([await store.count(), await store.count('user:ada')]).toEqual([1, 1])
    expect(readdirSync(folder)).toHaveLength(1)
    expect(readdirSync(owner)).toEqual(['a1'])
  })
})

describe('a record that cannot be read', () => {
  const texts = {
    torn: '{"id":"b1","own',
    empty: '',
    'something else': '[]',
    'of another task': JSON.stringify(record({ id: 'b2' })),
    'of another owner': JSON.stringify(record({ id: 'b1', owner: 'user:bob' })),
    'without times': JSON.stringify({ ...record({ id: 'b1' }), createdAt: null }),
  }

  async function folderWith(text: string): Promise<{ folder: string; owner: string }> {
    const folder = newFolder()
    const store = fileTaskStore(folder)
    await store.create(record())
    await store.create(record({ id: 'b1' }))
    const owner = readdirSync(folder)[0]!
    writeFileSync(join(folder, owner, 'b1', '1.json'), text)
    return { folder, owner }
  }

  test.each(Object.entries(texts))('(%s) is set aside and reported, and the others are found', async (_, text) => {
    const { folder, owner } = await folderWith(text)
    const errors: unknown[] = []
    const store = fileTaskStore(folder, { onError: (error) => errors.push(error) })
    expect(await store.list()).toEqual([record()])
    expect(await store.count('user:ada')).toBe(1)
    const [aside] = readdirSync(join(folder, '.set-aside'))
    expect(aside).toContain(`${owner}-b1`)
    expect(readFileSync(join(folder, '.set-aside', aside!, '1.json'), 'utf8')).toBe(text)
    expect(errors).toEqual([expect.objectContaining({ code: 'invalid_result' })])
    expect(String(errors[0])).toContain(aside)
    if (text !== '') expect(String(errors[0])).not.toContain(text)
    await store.list()
    expect(errors).toHaveLength(1)
    await store.create(record({ id: 'b1' }))
    expect(await store.get('user:ada', 'b1')).toEqual(record({ id: 'b1' }))
  })

  test('is no task for whoever asks for it', async () => {
    const { folder } = await folderWith('')
    const errors: unknown[] = []
    const store = fileTaskStore(folder, {
      onError: (error) => {
        errors.push(error)
        throw error
      },
    })
    expect(await store.get('user:ada', 'b1')).toBeUndefined()
    expect(errors).toHaveLength(1)
  })

  test('is reported to stderr if nobody listens', async () => {
    const { folder } = await folderWith('{')
    const warning = once(process, 'warning')
    await fileTaskStore(folder).list()
    expect(String((await warning)[0])).toContain('The record of a task cannot be read')
  })

  test('because of its permissions stays where it is', requires('not-root'), async () => {
    const { folder, owner } = await folderWith('{')
    chmodSync(join(folder, owner, 'b1', '1.json'), 0)
    const errors: unknown[] = []
    const store = fileTaskStore(folder, { onError: (error) => errors.push(error) })
    expect(await store.list()).toEqual([record()])
    expect([errors.length, existsSync(join(folder, owner, 'b1'))]).toEqual([1, true])
  })

  test('is kept with at most a hundred others', async () => {
    const { folder, owner } = await folderWith('{')
    for (let index = 100; index < 205; index++)
      mkdirSync(join(folder, '.set-aside', `2000-01-01T00-00-00.${index}Z-x`), { recursive: true })
    await fileTaskStore(folder, { onError: () => {} }).list()
    const kept = readdirSync(join(folder, '.set-aside'))
    expect(kept).toHaveLength(100)
    expect(kept.at(-1)).toContain(owner)
  })

  test('does not keep a server from recovering and expiring the tasks of others', async () => {
    const { folder } = await folderWith('{"id":"b1","vers')
    const memory = { asked: [], steps: [['begun', 1] as [string, unknown]] }
    const bobs = { owner: 'local', ttlMs: 60_000, createdAt: Date.now(), memory }
    await fileTaskStore(folder).create(record({ ...bobs, id: 'c'.repeat(40) }))
    const ran: unknown[] = []
    const x = tool({
      name: 'x',
      task: true,
      run: async (_input, ctx) => {
        ran.push(await ctx.once('begun', () => 2))
        return 'done'
      },
    })
    const store = fileTaskStore(folder, { onError: () => {} })
    const server = createServer({ name: 'jobs', version: '1', tools: [x], tasks: { store } })
    await server.tasks.resume()
    await vi.waitFor(async () => expect((await store.list('local'))[0]?.status).toBe('completed'))
    expect(ran).toEqual([1])
  })
})

describe('a link that somebody planted in the folder', requires('posix'), () => {
  const ownerName = createHash('sha256').update('user:ada').digest('hex').slice(0, 40)
  const text = JSON.stringify(record())

  test('in place of a record is not read, and the file behind it stays as it is', async () => {
    const [folder, victim] = [newFolder(), join(newFolder(), 'victim.json')]
    writeFileSync(victim, text)
    const task = join(folder, ownerName, 'a1')
    mkdirSync(task, { recursive: true })
    symlinkSync(victim, join(task, '1.json'))
    const store = fileTaskStore(folder, { onError: () => {} })
    await store.replace(record({ version: 2 }))
    expect(readFileSync(victim, 'utf8')).toBe(text)
    rmSync(join(task, '2.json'), { force: true })
    expect(await store.get('user:ada', 'a1')).toBeUndefined()
  })

  test('in place of a task, of an owner or of the records set aside leads nowhere', async () => {
    const [folder, outside] = [newFolder(), newFolder()]
    writeFileSync(join(outside, '1.json'), text)
    mkdirSync(join(folder, ownerName))
    symlinkSync(outside, join(folder, ownerName, 'a1'))
    symlinkSync(outside, join(folder, '.set-aside'))
    mkdirSync(join(folder, ownerName, 'b1'))
    writeFileSync(join(folder, ownerName, 'b1', '1.json'), '{')
    const store = fileTaskStore(folder, { onError: () => {} })
    expect(await store.get('user:ada', 'a1')).toBeUndefined()
    expect(await store.replace(record({ version: 2 }))).toBe(false)
    expect(await store.list()).toEqual([])
    rmSync(join(folder, ownerName), { recursive: true })
    symlinkSync(outside, join(folder, ownerName))
    await expect(store.create(record())).rejects.toThrow('expected a folder of the task store, got a link')
    expect(readdirSync(outside)).toEqual(['1.json'])
  })
})
