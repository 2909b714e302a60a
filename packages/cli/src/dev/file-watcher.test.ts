import { chmodSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test, vi } from 'vitest'
import { FileWatcher, isSetting, isSource } from './file-watcher.ts'

function watched(interest: (file: string) => boolean = () => false) {
  const folder = mkdtempSync(join(tmpdir(), 'tenon-watch-'))
  const path = (name: string): string => join(folder, name)
  writeFileSync(path('a.ts'), 'a')
  writeFileSync(path('b.ts'), 'b')
  const onChange = vi.fn<(files: string[]) => void>()
  const watcher = new FileWatcher(onChange, interest)
  watcher.add(path('a.ts'))
  watcher.add(path('b.ts'))
  onTestFinished(() => {
    watcher.close()
    rmSync(folder, { recursive: true })
  })
  return { path, onChange }
}

test('changes that come together are told together', async () => {
  const { path, onChange } = watched()
  writeFileSync(path('b.ts'), 'bb')
  writeFileSync(path('a.ts'), 'aa')
  await vi.waitFor(() => expect(onChange).toHaveBeenCalled())
  expect(onChange.mock.calls).toEqual([[[path('a.ts'), path('b.ts')]]])
})

test('a file that is replaced has changed, again and again', async () => {
  const { path, onChange } = watched()
  for (const round of [1, 2]) {
    writeFileSync(path('new'), `round ${round}`)
    renameSync(path('new'), path('a.ts'))
    await vi.waitFor(() => expect(onChange).toHaveBeenCalledTimes(round))
  }
})

test('a file that was only read, or is of no interest, has not changed', async () => {
  const { path, onChange } = watched((file) => file.endsWith('package.json'))
  readFileSync(path('a.ts'))
  chmodSync(path('b.ts'), 0o600)
  writeFileSync(path('other.ts'), 'other')
  writeFileSync(path('package.json'), '{}')
  await vi.waitFor(() => expect(onChange).toHaveBeenCalled())
  expect(onChange.mock.calls).toEqual([[[path('package.json')]]])
})

test('which files decide how a server is run, and which may be part of it', () => {
  expect(['package.json', 'tsconfig.json', 'tsconfig.build.json', '.env', '.env.local'].every(isSetting)).toBe(true)
  expect(['data.json', 'package-lock.json', 'env.ts'].some(isSetting)).toBe(false)
  expect(['a.ts', 'a.mts', 'a.tsx', 'a.cjs', 'a.json'].every(isSource)).toBe(true)
  expect(['a.md', 'a.ts~', '.a.ts.swp'].some(isSource)).toBe(false)
})
