import { expect, test } from 'vitest'
import type { BenchEvent } from '../protocol.ts'
import { Violations } from './violations.ts'

test('a view is told of by its own name, a hundred times at most, in short texts, and only if there is a report', () => {
  const events: BenchEvent[] = []
  const violations = new Violations((event) => void events.push(event))
  const view = violations.newView()
  const usual = { 'effective-directive': 'img-src', 'blocked-uri': 'https://a.example/', 'line-number': 3 }
  for (const body of [null, [], 7, {}, { 'csp-report': [] }, { 'csp-report': { 'blocked-uri': 'x' } }])
    violations.report(view, body)
  violations.report('another', { 'csp-report': usual })
  expect(events).toEqual([])
  for (let count = 0; count < 101; count++)
    violations.report(view, { 'csp-report': { ...usual, 'source-file': 'y'.repeat(600) } })
  expect(events).toHaveLength(100)
  const violation = { directive: 'img-src', blocked: 'https://a.example/', source: 'y'.repeat(500), line: 3 }
  expect(events[99]).toEqual({ type: 'app-violation', view, violation })
  // The names of the oldest views are forgotten.
  for (let count = 0; count < 100; count++) violations.newView()
  expect(violations.isKnown(view)).toBe(false)
})
