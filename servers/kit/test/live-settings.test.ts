import { expect, test } from 'vitest'
import { fixedSettings, ReplaceableSettings } from '../src/live-settings.ts'
import { resolveSettings } from '../src/resolve-settings.ts'
import { milliseconds } from '../src/settings.ts'

test('settings that a listener refuses are taken back, for everybody', () => {
  const settings = new ReplaceableSettings('old')
  const heard: string[] = []
  settings.onChange((current) => heard.push(current))
  settings.onChange((current) => {
    if (current === 'wrong') throw new Error('not this')
  })
  expect(() => settings.replace('wrong')).toThrow('not this')
  expect(settings.current).toBe('old')
  expect(heard).toEqual(['wrong', 'old'])
  settings.replace('new')
  expect(settings.current).toBe('new')
})

test.each([Number.NaN, -1, Number.POSITIVE_INFINITY, 1e308])(
  '%d is no bound of a server that is made by code',
  (maxRead) => {
    expect(() => fixedSettings({ maxRead })).toThrow(
      new TypeError(`maxRead: expected a number from 0 to ${Number.MAX_SAFE_INTEGER}, got ${maxRead}`),
    )
  },
)

test.each(['600h', '-1', 'NaN', 'Infinity', '1e308'])('a time of %s is refused: no timer can hold it', (timeout) => {
  const sources = { commandLine: { timeout }, environment: {}, config: undefined, workingFolder: '/' }
  const definitions = { timeout: milliseconds('Longest time', { default: 1_000 }) }
  expect(() => resolveSettings(definitions, sources)).toThrow(/^--timeout: expected .*, got ".*"$/)
})
