import { expect, test, vi } from 'vitest'
import { Questions } from '../questions/questions.ts'
import { Authorization } from './authorization.ts'

test('an authorization that was replaced says nothing any more', () => {
  vi.useFakeTimers()
  try {
    const changed = vi.fn()
    const needs = { questions: new Questions(() => {}), warn: () => {}, refused: () => {}, changed }
    const authorization = new Authorization('a', { kind: 'url', name: 'a', url: 'http://127.0.0.1:9/mcp' }, needs)
    authorization.halt(true)
    expect(changed).toHaveBeenCalledTimes(1)
    authorization.halt(false)
    authorization.retire()
    vi.runAllTimers()
    expect(changed).toHaveBeenCalledTimes(1)
  } finally {
    vi.useRealTimers()
  }
})
