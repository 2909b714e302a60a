import { expect, test } from 'vitest'
import { tenonFolder } from '../src/folder.ts'

test.each([
  ['linux', {}, '/home/ada/.config/tenon'],
  ['linux', { XDG_CONFIG_HOME: '/cfg' }, '/cfg/tenon'],
  ['linux', { XDG_CONFIG_HOME: '' }, '/home/ada/.config/tenon'],
  ['linux', { APPDATA: '/elsewhere' }, '/home/ada/.config/tenon'],
  ['darwin', {}, '/home/ada/Library/Application Support/tenon'],
  ['darwin', { XDG_CONFIG_HOME: '/cfg' }, '/cfg/tenon'],
] as const)('on %s with %j it is %s', (platform, env, folder) => {
  expect(tenonFolder({ platform, env: { ...env, HOME: '/home/ada' } })).toBe(folder)
})

test.each([
  [{ APPDATA: 'C:\\Users\\ada\\AppData\\Roaming' }, 'C:\\Users\\ada\\AppData\\Roaming\\tenon'],
  [{ AppData: 'D:\\data' }, 'D:\\data\\tenon'],
  [{}, 'C:\\Users\\ada\\AppData\\Roaming\\tenon'],
  [{ XDG_CONFIG_HOME: 'C:\\cfg' }, 'C:\\cfg\\tenon'],
])('on Windows with %j it is %s', (env, folder) => {
  expect(tenonFolder({ platform: 'win32', env: { ...env, USERPROFILE: 'C:\\Users\\ada' } })).toBe(folder)
})
