import { describe, expect, test } from 'vitest'
import { suggestionsAt } from '../ui/editor/complete-json.ts'
import { faultMarks, issueMarks } from '../ui/editor/json-marks.ts'
import { checkerFor } from '../ui/form/check.ts'
import { Unread } from '../ui/form/draft.ts'
import { readExactJson } from '../ui/form/read-json.ts'

const schema = {
  type: 'object',
  required: ['city'],
  properties: {
    city: { type: 'string', description: 'Where to go' },
    unit: { enum: ['metric', 'imperial'] },
    days: { type: 'integer', default: 3 },
    sure: { type: 'boolean' },
    stops: { type: 'array', items: { $ref: '#/$defs/stop' } },
    shape: {
      oneOf: [
        { type: 'object', properties: { kind: { const: 'circle' }, radius: { type: 'number' } } },
        { type: 'object', properties: { kind: { const: 'box' }, width: { type: 'number' } } },
      ],
    },
    ['__proto__']: { type: 'string' },
  },
  $defs: {
    stop: { type: 'object', properties: { place: { type: 'string' }, stops: { items: { $ref: '#/$defs/stop' } } } },
  },
}

/** The suggestions at the bar of a text. */
const at = (marked: string) => suggestionsAt(marked.replace('|', ''), marked.indexOf('|'), schema)
const labels = (marked: string): string[] | undefined => at(marked)?.options.map(({ label }) => label)

describe('completion', () => {
  test('names of an object, without those that it has', () => {
    expect(labels('{ "c|')).toContain('"city"')
    expect(labels('{"city": "Kyoto", "|"}')).toEqual([
      '"unit"',
      '"days"',
      '"sure"',
      '"stops"',
      '"shape"',
      '"__proto__"',
    ])
    expect(labels('{"|": 1, "unit": "metric"}')).not.toContain('"unit"')
  })

  test('a name comes with the beginning of its value, unless that is there', () => {
    expect(at('{"ci|"}')?.options[0]).toMatchObject({
      text: '"city": ""',
      back: 1,
      detail: 'string, required',
      about: 'Where to go',
    })
    expect(at('{"|": 1}')?.options[0]).toMatchObject({ text: '"city"', back: 0 })
    expect(at('{|}')?.options.find(({ label }) => label === '"days"')).toMatchObject({ text: '"days": 3', back: 0 })
  })

  test('the token at the cursor is replaced, with the quote that the editor has closed', () => {
    expect(at('{"ci|"}')).toMatchObject({ from: 1, to: 5 })
    expect(at('{"unit": "me|"}')).toMatchObject({ from: 9, to: 13 })
    expect(at('{"unit": |}')).toMatchObject({ from: 9, to: 9 })
  })

  test('values: choices, booleans, constants of variants, defaults', () => {
    expect(labels('{"unit": |')).toEqual(['"metric"', '"imperial"'])
    expect(labels('{"sure": t|')).toEqual(['true', 'false'])
    expect(labels('{"days": |')).toEqual(['3'])
    expect(labels('{"shape": {"kind": |')).toEqual(['"circle"', '"box"'])
    expect(labels('{"shape": {"|')).toEqual(['"kind"', '"radius"', '"width"'])
  })

  test('inside of lists and through references, also in a text that is broken before and behind', () => {
    expect(labels('{"stops": [{"place": "a"}, {"stops": [{"|')).toEqual(['"place"', '"stops"'])
    expect(labels('{"city": , "stops": [{"|"}], nonsense')).toEqual(['"place"', '"stops"'])
  })

  test('nothing behind a value, and nothing for names that the schema does not know', () => {
    expect(labels('{"city": "Kyoto" |')).toBeUndefined()
    expect(labels('{"other": {"|')).toEqual([])
    expect(labels('{"constructor": {"|')).toEqual([])
  })
})

describe('marks', () => {
  const marked = (text: string): [part: string, message: string][] => {
    const value = readExactJson(text)
    const marks =
      value instanceof Unread ? faultMarks(text, value, undefined) : issueMarks(text, checkerFor(schema).issues(value))
    return marks.map(({ from, to, message }) => [text.slice(from, to), message])
  }

  test('a value that does not fit is marked where it stands', () => {
    expect(marked('{"city": "Kyoto", "days": 1.5}')).toEqual([['1.5', expect.stringContaining('integer')]])
    expect(marked('{"city": "a", "stops": [{}, {"place": 7}]}')).toEqual([['7', expect.stringContaining('string')]])
  })

  test('a member that is missing is marked at the bracket of its object, or at its name', () => {
    expect(marked('{"days": 1}')).toEqual([['{', 'city is required']])
    expect(marked('{"city": "a", "stops": {}}')[0]![0]).toBe('"stops"')
  })

  test('numbers that would be rounded and names that are there twice are marked as faults', () => {
    expect(marked('{"a": [1, 0.12345678901234567890]}')[0]![0]).toBe('0.12345678901234567890')
    expect(marked('{"b": {"a": 1, "c": {"a": 2}, "a" : 3}}')).toEqual([['"a"', 'The member "a" is there twice']])
    expect(faultMarks('{"a": }', new Unread('{"a": }', 'No JSON yet'), 6)).toEqual([
      { from: 6, to: 7, severity: 'error', message: 'No JSON yet' },
    ])
  })

  test('long integers are no fault', () => expect(marked('{"city": "a", "big": 12345678901234567890}')).toEqual([]))
})
