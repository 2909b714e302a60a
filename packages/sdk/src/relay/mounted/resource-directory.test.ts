import { expect, test } from 'vitest'
import { ResourceDirectory, workOfRequest } from './resource-directory.ts'

const costly = Array.from({ length: 15_000 }, (_, index) => ({ uriTemplate: `{+a}{+b}{+c}{+d}{+e}{+f}z${index}` }))

test.each([100, 2_000, 60_000])('the work for a URI of %i characters has a bound, whatever the templates', (length) => {
  const work = workOfRequest()
  const directory = new ResourceDirectory([], costly)
  for (let times = 0; times < 100; times++) {
    expect(directory.knows(`u://${'a'.repeat(length)}`, work)).toBeUndefined()
  }
  expect(work.left).toBeGreaterThanOrEqual(0)
  expect(directory.isCut).toBe(true)
})

test('a thousand ordinary templates fit into it for many URIs', () => {
  const templates = Array.from({ length: 1_000 }, (_, index) => ({ uriTemplate: `files-${index}://{user}/{+path}` }))
  const directory = new ResourceDirectory([{ uri: 'a://listed' }], templates)
  const work = workOfRequest()
  for (let times = 0; times < 50; times++) expect(directory.knows('files-999://ada/notes/1', work)).toBe('template')
  expect(directory.knows('a://listed', work)).toBe('listed')
  expect(directory.knows('files-999://{user}/{+path}', work)).toBe('listed')
  expect(directory.isCut).toBe(false)
})
