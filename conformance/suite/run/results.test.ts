import { describe, expect, test } from 'vitest'
// @ts-expect-error: plain JavaScript, because it runs before anything is built
import { parseList, planRuns } from './plan.mjs'
// @ts-expect-error: plain JavaScript
import { judge } from './results.mjs'

const check = (status: string, id = 'some-check') => ({ id, name: id, status, description: 'does something' })

describe('a scenario', () => {
  test('passes with successes and remarks', () => {
    const checks = [check('SUCCESS'), check('INFO', 'remark')]
    expect(judge('ping', checks)).toEqual({ passed: 1, decided: 1, excused: 0, problems: [] })
  })

  test.each([
    ['FAILURE', 'FAIL'],
    ['WARNING', 'WARN'],
    ['SKIPPED', 'SKIP'],
    ['SOMETHING NEW', 'FAIL'],
  ])('does not pass with %s', (status, kind) => {
    const { problems } = judge('ping', [check('SUCCESS'), check(status, 'other')])
    expect(problems).toEqual([{ kind, text: 'other: does something' }])
  })

  test.each([
    ['no results', undefined],
    ['no checks', []],
    ['remarks only', [check('INFO')]],
  ])('does not pass with %s', (_what, checks) => {
    expect(judge('ping', checks).problems).toHaveLength(1)
  })
})

describe('an excuse', () => {
  const initialize = 'ClientMcpMethodHeader_initialize'
  const initialized = 'ClientMcpMethodHeader_notifications_initialized'
  const judgeHeaders = (...checks: object[]) => judge('http-standard-headers', [check('SUCCESS'), ...checks])

  test('covers its check only, and is counted', () => {
    const { excused, problems } = judgeHeaders(
      check('SKIPPED', initialize),
      check('SKIPPED', initialized),
      check('SKIPPED', 'other'),
    )
    expect(excused).toBe(2)
    expect(problems).toEqual([{ kind: 'SKIP', text: 'other: does something' }])
  })

  test('is a failure once its check passes, or is gone', () => {
    expect(judgeHeaders(check('SUCCESS', initialize)).problems).toMatchObject([
      { kind: 'FAIL', text: expect.stringContaining(`${initialize}: passes`) },
      { kind: 'FAIL', text: expect.stringContaining(`${initialized}: excused`) },
    ])
  })
})

describe('the plan', () => {
  const listed = parseList(
    [
      'Server scenarios (test against a server):',
      '  - ping [2025-06-18,2025-11-25]',
      '  - tasks-lifecycle [extension]',
      '  - tasks-status-notifications [extension]',
      'Client scenarios (test against a client):',
      '  - tools_call [2026-07-28]',
      '  - auth/dpop [extension]',
      'Authorization server scenarios (test against an authorization server):',
      '  - authorization-code-grant [2025-03-26]',
    ].join('\n'),
  )

  test('has everything in scope, in every revision, servers with both kinds of answers', () => {
    expect(planRuns(listed)).toEqual([
      { side: 'authorization server', revision: '2025-03-26', mode: '', scenarios: ['authorization-code-grant'] },
      { side: 'server', revision: '2025-06-18', mode: 'auto', scenarios: ['ping'] },
      { side: 'server', revision: '2025-06-18', mode: 'sse', scenarios: ['ping'] },
      { side: 'server', revision: '2025-11-25', mode: 'auto', scenarios: ['ping'] },
      { side: 'server', revision: '2025-11-25', mode: 'sse', scenarios: ['ping'] },
      { side: 'client', revision: '2026-07-28', mode: '', scenarios: ['tools_call'] },
      { side: 'server', revision: undefined, mode: 'auto', scenarios: ['tasks-lifecycle'] },
      { side: 'server', revision: undefined, mode: 'sse', scenarios: ['tasks-lifecycle'] },
      { side: 'client', revision: undefined, mode: '', scenarios: ['auth/dpop'] },
    ])
  })

  test('has one scenario when asked for it, even out of scope', () => {
    expect(planRuns(listed, 'tasks-status-notifications')).toEqual([
      { side: 'server', revision: undefined, mode: 'auto', scenarios: ['tasks-status-notifications'] },
      { side: 'server', revision: undefined, mode: 'sse', scenarios: ['tasks-status-notifications'] },
    ])
    expect(planRuns(listed, 'nonexistent')).toEqual([])
  })
})
