import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { readTraceContext, withTraceContext } from './trace-context.ts'

const traceparent = '00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01'
const tracestate = 'rojo=00f067aa0ba902b7,congo=t61rcWkgMzE'
const baggage = 'userId=alice,serverNode=DF%2028'

describe('the trace context of a request', () => {
  test('is what _meta says, and nothing else of it', () => {
    const whole = { traceparent, tracestate, baggage }
    expect(readTraceContext({ ...whole, progressToken: 1 })).toEqual(whole)
    expect(readTraceContext({ baggage })).toEqual({ baggage })
    expect(readTraceContext({ tracestate })).toBeUndefined()
    for (const nothing of [undefined, null, {}, [], 'x', 1]) expect(readTraceContext(nothing)).toBeUndefined()
  })

  test('may come in a version that is not known yet, with more to say', () => {
    const later = `cc${traceparent.slice(2)}-what.comes.next`
    expect(readTraceContext({ traceparent: later })).toEqual({ traceparent: later })
  })

  test.each([
    ['no string', 7],
    ['nothing', ''],
    ['the version that is none', `ff${traceparent.slice(2)}`],
    ['capitals', traceparent.toUpperCase()],
    ['no trace', `00-${'0'.repeat(32)}-00f067aa0ba902b7-01`],
    ['no span', `00-4bf92f3577b34da6a3ce929d0e0e4736-${'0'.repeat(16)}-01`],
    ['more than this version has', `${traceparent}-more`],
    ['a line break', `${traceparent}\n`],
    ['a header behind it', `cc${traceparent.slice(2)}-\r\nX-Admin: 1`],
    ['no end', `cc${traceparent.slice(2)}-${'x'.repeat(1_000)}`],
  ])('is not there if its parent has %s', (_, wrong) => {
    expect(readTraceContext({ traceparent: wrong, tracestate })).toBeUndefined()
  })

  test.each([
    ['no string', {}],
    ['nothing', ''],
    ['a line break', 'a=b\r\nc=d'],
    ['letters beyond ASCII', 'a=ä'],
    ['no end', 'x'.repeat(100_000)],
  ])('goes on without a state or baggage with %s', (_, wrong) => {
    expect(readTraceContext({ traceparent, tracestate: wrong, baggage: wrong })).toEqual({ traceparent })
  })

  test('is never an exception', () => {
    const meta = fc.record({ traceparent: fc.anything(), tracestate: fc.anything(), baggage: fc.anything() })
    fc.assert(fc.property(fc.oneof(fc.anything(), meta), (any) => void readTraceContext(any)))
  })
})

describe('a trace context that is added', () => {
  test('leaves the rest of the params as it is', () => {
    const params = { name: 'a', _meta: { progressToken: 1 } }
    expect(withTraceContext(params, { traceparent, baggage })).toEqual({
      name: 'a',
      _meta: { progressToken: 1, traceparent, baggage },
    })
    expect(params).toEqual({ name: 'a', _meta: { progressToken: 1 } })
    expect(withTraceContext(params, undefined)).toBe(params)
    expect(withTraceContext(params, { traceparent: 'nonsense' })).toBe(params)
  })

  test('gives way to what is there: a parent does not get a foreign state', () => {
    const own = { traceparent: traceparent.replace('4bf9', '5bf9') }
    expect(withTraceContext({ _meta: own }, { traceparent, tracestate, baggage })._meta).toEqual({ ...own, baggage })
    const mine = { baggage: 'mine=1' }
    expect(withTraceContext({ _meta: mine }, { traceparent, tracestate, baggage })._meta).toEqual({
      traceparent,
      tracestate,
      ...mine,
    })
  })
})
