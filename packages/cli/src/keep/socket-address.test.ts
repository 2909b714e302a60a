import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { runtimeFolder } from './runtime-folder.ts'
import { shortHash } from './short-hash.ts'
import { addressOf, newAddress, publishAddress, withdrawAddress } from './socket-address.ts'

test('on Windows a file of the profile leads to a pipe whose name nobody can guess, and to no other place', () => {
  const appData = 'C:\\Users\\ada\\AppData\\Roaming'
  expect(runtimeFolder({ APPDATA: appData, USERPROFILE: 'C:\\Users\\ada' }, 'win32')).toBe(`${appData}\\tenon\\run`)
  const folder = mkdtempSync(join(tmpdir(), 'tenon-pipe-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  const path = join(folder, 'keeper.sock')
  expect(addressOf(path, 'win32')).toBeUndefined()
  const pipe = newAddress(path, 'win32')
  expect(pipe).toMatch(/^\\\\\.\\pipe\\tenon-[\da-f-]{36}$/)
  expect(newAddress(path, 'win32')).not.toBe(pipe)
  publishAddress(path, pipe)
  expect(addressOf(path, 'win32')).toBe(pipe)
  withdrawAddress(path, pipe)
  expect(readdirSync(folder)).toEqual([])
  for (const wrong of ['', pipe.replace('.', 'other-machine'), `${pipe}\n`, '\\\\.\\pipe\\tenon-1', path]) {
    writeFileSync(path, wrong)
    expect(addressOf(path, 'win32')).toBeUndefined()
  }
})

test('elsewhere the file is the socket, in a folder whose path is short enough', () => {
  const path = '/home/ada/.config/tenon/run/keeper.sock'
  expect(newAddress(path, 'linux')).toBe(path)
  expect(addressOf(path, 'darwin')).toBe(path)
  expect(runtimeFolder({ HOME: '/home/ada', XDG_RUNTIME_DIR: '/nowhere' }, 'linux')).toBe('/home/ada/.config/tenon/run')
  const far = { HOME: `/home/${'a'.repeat(90)}` }
  expect(runtimeFolder(far, 'linux')).toMatch(/^\S{1,56}\/tenon-\d+-[\da-f]{8}$/)
  expect(runtimeFolder({ HOME: `/home/${'b'.repeat(90)}` }, 'linux')).not.toBe(runtimeFolder(far, 'linux'))
})

test('texts that differ a little have names that differ', () => {
  const texts = Array.from({ length: 20_000 }, (_, index) => `["/home/ada/.mcp.json",{"port":${index}}]`)
  expect(new Set(texts.map(shortHash)).size).toBe(texts.length)
  expect(shortHash('')).toMatch(/^[\da-f]{12}$/)
})
