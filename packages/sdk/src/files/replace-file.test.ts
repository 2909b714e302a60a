import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import fs from 'node:fs/promises'
import { syncBuiltinESMExports } from 'node:module'
import { hostname, tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { newDraft, removeDeadDrafts } from './drafts.ts'
import { replaceFile } from './replace-file.ts'

let folder = ''
let sleeper: ChildProcess | undefined
beforeEach(async () => {
  folder = await fs.mkdtemp(join(tmpdir(), 'tenon-files-'))
})
afterEach(async () => {
  vi.restoreAllMocks()
  syncBuiltinESMExports()
  sleeper?.kill('SIGKILL')
  sleeper = undefined
  await fs.rm(folder, { recursive: true, force: true })
})

const uuid = '01234567-89ab-cdef-0123-456789abcdef'
const host = hostname().replace(/\W/g, '_').slice(0, 32)
const draftOf = (pid: number, writer = host): string => join(folder, `.file.json.${writer}-${pid}-${uuid}.draft`)
const names = (): Promise<string[]> => fs.readdir(folder)
/** The id of a process that has ended. */
const deadPid = (): number => spawnSync(process.execPath, ['-e', '0']).pid

describe('a file that is replaced', () => {
  test('has all of the new content, for its user only, and nothing beside it', async () => {
    const file = join(folder, 'file.json')
    await fs.writeFile(file, 'old', { mode: 0o644 })
    await replaceFile(file, 'new')
    expect(await fs.readFile(file, 'utf8')).toBe('new')
    if (process.platform !== 'win32') expect((await fs.stat(file)).mode & 0o777).toBe(0o600)
    expect(await names()).toEqual(['file.json'])
  })

  test('is on the disk before it has its name, and its name before anybody is told', async () => {
    const log: string[] = []
    const { open, rename } = fs
    vi.spyOn(fs, 'open').mockImplementation(async (path, ...rest) => {
      const handle = await open(path, ...rest)
      const { sync } = handle
      handle.sync = () => {
        log.push(`sync ${String(path).endsWith('.draft') ? 'draft' : 'folder'}`)
        return sync.call(handle)
      }
      return handle
    })
    vi.spyOn(fs, 'rename').mockImplementation((...paths) => {
      log.push('rename')
      return rename(...paths)
    })
    syncBuiltinESMExports()
    await replaceFile(join(folder, 'file.json'), 'new')
    expect(log).toEqual(['sync draft', 'rename', 'sync folder'])
  })

  test('that cannot be written stays as it is, and nothing is left', async () => {
    const file = join(folder, 'file.json')
    await fs.mkdir(join(file, 'inside'), { recursive: true })
    await expect(replaceFile(file, 'new')).rejects.toThrow()
    await expect(replaceFile(join(folder, 'missing', 'file.json'), 'new')).rejects.toMatchObject({ code: 'ENOENT' })
    expect(await names()).toEqual(['file.json'])
  })

  test('is written again if somebody takes the draft away', async () => {
    const file = join(folder, 'file.json')
    const { rename } = fs
    let taken = 0
    vi.spyOn(fs, 'rename').mockImplementation(async (from, to) => {
      if (taken++ === 0) await fs.rm(from)
      return rename(from, to)
    })
    await replaceFile(file, 'new')
    expect([taken, await fs.readFile(file, 'utf8')]).toEqual([2, 'new'])
  })

  test('by several at once has the content of one of them', async () => {
    const file = join(folder, 'file.json')
    const contents = Array.from({ length: 20 }, (_, index) => String(index).repeat(10_000))
    await Promise.all(contents.map((content) => replaceFile(file, content)))
    expect(contents).toContain(await fs.readFile(file, 'utf8'))
    expect(await names()).toEqual(['file.json'])
  })
})

describe('a draft', () => {
  test('of a killed process is removed by the next writer, whichever file that writes', async () => {
    await fs.writeFile(draftOf(deadPid()), '{"d":')
    await replaceFile(join(folder, 'other.json'), 'new')
    expect(await names()).toEqual(['other.json'])
  })

  test('of a process that lives stays', async () => {
    sleeper = spawn(process.execPath, ['-e', 'console.log(1); setInterval(() => {}, 1000)'], { stdio: 'pipe' })
    await once(sleeper.stdout!, 'data')
    const kept = [draftOf(sleeper.pid!), newDraft(folder, 'file.json'), draftOf(process.pid)]
    for (const path of kept) await fs.writeFile(path, 'x')
    await replaceFile(join(folder, 'file.json'), 'new')
    expect(await names()).toHaveLength(4)
  })

  test('of an earlier process with the same id, as containers have, is removed', async () => {
    await fs.writeFile(draftOf(process.pid), 'x')
    const before = Date.now() / 1_000 - process.uptime() - 1
    await fs.utimes(draftOf(process.pid), before, before)
    await removeDeadDrafts(folder)
    expect(await names()).toEqual([])
  })

  test.each([-11, 11])('of another machine is removed when its time is %d minutes away', async (minutes) => {
    const path = draftOf(1, 'elsewhere')
    await fs.writeFile(path, 'x')
    await removeDeadDrafts(folder)
    expect(await names()).toHaveLength(1)
    const time = Date.now() / 1_000 + minutes * 60
    await fs.utimes(path, time, time)
    await removeDeadDrafts(folder)
    expect(await names()).toEqual([])
  })

  test('is nothing that somebody else may have called so', async () => {
    const others = ['.draft', 'a.draft', `.a.${host}-1-1.draft`, '.file.json', `file.json.${uuid}`]
    for (const name of others) await fs.writeFile(join(folder, name), 'x')
    await removeDeadDrafts(folder)
    expect(await names()).toHaveLength(others.length)
    await removeDeadDrafts(join(folder, 'missing'))
  })
})
