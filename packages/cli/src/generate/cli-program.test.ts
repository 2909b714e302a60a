import type { JsonSchema, Tool } from '@tenon/sdk/client'
import { describe, expect, test } from 'vitest'
import { cliProgram, kebab, optionsOf } from './cli-program.ts'

test.each([
  ['get_weather', 'get-weather'],
  ['getWeather', 'get-weather'],
  ['a.b/c', 'a-b-c'],
  ['Hallo, Welt!', 'hallo-welt'],
  ['日本', 'unnamed'],
])('%s becomes %s', (name, expected) => {
  expect(kebab(name)).toBe(expected)
})

describe('options', () => {
  const one = (member: JsonSchema, required = false) =>
    optionsOf({ type: 'object', properties: { a: member }, ...(required && { required: ['a'] }) })[0]

  test.each<[string, JsonSchema, object]>([
    ['a text', { type: 'string', description: 'Some\ntext' }, { type: 'string', about: 'Some text' }],
    ['a number', { type: 'number' }, { type: 'number' }],
    ['a whole number or nothing', { type: ['integer', 'null'] }, { type: 'integer' }],
    ['yes or no', { type: 'boolean' }, { type: 'boolean' }],
    ['some texts', { enum: ['km', 'mi'] }, { type: 'string', choices: ['km', 'mi'] }],
    ['a list', { type: 'array', items: { type: 'number' } }, { type: 'number', list: true }],
    ['a list of lists', { type: 'array', items: { type: 'array' } }, { type: 'json' }],
    ['an object', { type: 'object' }, { type: 'json' }],
    ['anything', {}, { type: 'json' }],
  ])('%s', (_name, member, expected) => {
    expect(one(member)).toMatchObject({ name: 'a', flag: 'a', ...expected })
    expect(one(member, true)).toHaveProperty('required', true)
  })

  test('names that mean something else, and equal ones, get a number', () => {
    const names = ['help', 'json', 'aB', 'a_b', '__proto__']
    const properties = Object.fromEntries(names.map((name) => [name, { type: 'string' }]))
    const flags = optionsOf({ type: 'object', properties } as JsonSchema).map(({ flag }) => flag)
    expect(flags).toEqual(['help2', 'json2', 'a-b', 'a-b2', 'proto'])
  })
})

test('text of a server is neither code nor invisible', async () => {
  const evil = '*/ `$\u{7b}process.exit()}` $& \u202e \u2028 \u009b31m "'
  const tool = { name: evil, description: evil, inputSchema: { type: 'object', properties: { [evil]: {} } } } as Tool
  const source = await cliProgram({ name: 'x', server: evil, target: 'https://example.com/mcp', tools: [tool] })
  expect(source).toMatch(/^#!\/usr\/bin\/env node\n\/\*\* One command for each tool/)
  expect(source).not.toMatch(/[\u007f-\u009f\u2028\u202e]/)
  const [, data] = /^const program = ([\s\S]*?\n\})\n/m.exec(source)!
  expect(JSON.parse(data!).tools[0]).toMatchObject({ name: evil, about: evil.trim(), options: [{ name: evil }] })
})
