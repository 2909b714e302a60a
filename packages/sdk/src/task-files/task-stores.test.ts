import { mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { memoryTaskStore } from '../server/tasks/memory-store.ts'
import type { TaskRecord, TaskStore } from '../server/tasks/store.ts'
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

describe.each(Object.entries(stores))('a store in %s', (_, open) => {
  // [task25.id.unique]
  test('gives back what it was given, to its owner only', async () => {
    const store = open()
    const memory = { asked: [], steps: [['a', { b: [1, null] }] as [string, unknown]] }
    await store.create(record({ memory }))
    expect(await store.get('user:ada', 'a1')).toEqual(record({ memory }))
    expect(await store.get('user:bob', 'a1')).toBeUndefined()
    expect(await store.get('user:ada', 'a2')).toBeUndefined()
  })

  test('replaces a record only by its next version', async () => {
    const store = open()
    expect(await store.replace(record({ version: 2 }))).toBe(false)
    await store.create(record())
    expect(await store.replace(record({ version: 3 }))).toBe(false)
    expect(await store.replace(record({ version: 2, status: 'completed' }))).toBe(true)
    expect(await store.replace(record({ version: 2, status: 'failed' }))).toBe(false)
    expect(await store.get('user:ada', 'a1')).toEqual(record({ version: 2, status: 'completed' }))
  })

  test('of many who write the same version, one does', async () => {
    const store = open()
    await store.create(record())
    for (let version = 2; version < 12; version++) {
      const writers = Array.from({ length: 8 }, (_, index) => store.replace(record({ version, updatedAt: index })))
      const won = (await Promise.all(writers)).flatMap((done, index) => (done ? [index] : []))
      expect(won).toHaveLength(1)
      expect(await store.get('user:ada', 'a1')).toEqual(record({ version, updatedAt: won[0]! }))
    }
  })

  // [task25.sec.list-own-only]
  test('lists and counts, of one owner or of all', async () => {
    const store = open()
    expect([await store.list(), await store.count()]).toEqual([[], 0])
    const others = [record({ id: 'a2' }), record({ id: 'b1', owner: 'user:bob' })]
    for (const one of [record(), ...others]) await store.create(one)
    expect((await store.list('user:ada')).map(({ id }) => id).sort()).toEqual(['a1', 'a2'])
    expect((await store.list()).map(({ id }) => id).sort()).toEqual(['a1', 'a2', 'b1'])
    expect(await Promise.all([store.count('user:ada'), store.count('user:eve'), store.count()])).toEqual([2, 0, 3])
  })

  test('forgets what is deleted, and does not bring it back', async () => {
    const store = open()
    await store.create(record())
    await store.delete('user:ada', 'a1')
    await store.delete('user:ada', 'a1')
    expect(await store.get('user:ada', 'a1')).toBeUndefined()
    expect(await store.replace(record({ version: 2 }))).toBe(false)
    expect(await store.list()).toEqual([])
  })

  test.each(['../a1', 'a/b', '', '.', '..', 'a\0', '__proto__/x', 'x'.repeat(500)])('%j is nobody', async (id) => {
    const store = open()
    await store.create(record())
    expect(await store.get('user:ada', id)).toBeUndefined()
  })

  test('owners may be called anything', async () => {
    const store = open()
    for (const owner of ['../..', '__proto__', 'a/b', '\0']) {
      await store.create(record({ owner }))
      expect(await store.get(owner, 'a1')).toEqual(record({ owner }))
    }
    expect(await store.count()).toBe(4)
  })
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
})
