import { describe, expect, test } from 'vitest'
import type { LaneBar } from '../src/protocol.ts'
import { barAt, fullHeight, laneTop } from '../ui/timeline/lane-geometry.ts'
import { neighbour } from '../ui/timeline/lane-neighbours.ts'
import { afterBeginning, axisSteps, exactly, isWhole, moved, zoomed } from '../ui/timeline/lane-view.ts'

const all = { from: 0, to: 1_000 }

describe('the time in view', () => {
  test('what is under the pointer stays there when one looks closer, and nothing is beyond everything', () => {
    expect(zoomed(all, 0.5, 0.2, all)).toEqual({ from: 100, to: 600 })
    expect(zoomed({ from: 100, to: 600 }, 0.1, 1, all)).toEqual({ from: 550, to: 600 })
    expect(zoomed({ from: 0, to: 100 }, 1_000, 0.5, all)).toEqual(all)
    const closest = zoomed(all, 1e-12, 0.5, all)
    expect(closest.to - closest.from).toBeCloseTo(0.05)
    expect([isWhole(all, all), isWhole({ from: 0, to: 999 }, all), isWhole({ from: 0, to: 900 }, all)]).toEqual([
      true,
      true,
      false,
    ])
  })

  test('it moves by its own length, up to the ends', () => {
    expect(moved({ from: 100, to: 200 }, 0.5, all)).toEqual({ from: 150, to: 250 })
    expect(moved({ from: 100, to: 200 }, -9, all)).toEqual({ from: 0, to: 100 })
    expect(moved({ from: 100, to: 200 }, 99, all)).toEqual({ from: 900, to: 1_000 })
  })

  test('an axis names round times, and no more digits than they need', () => {
    expect(axisSteps({ from: 990, to: 2_010 }, 1_000, 5)).toEqual([0, 500, 1_000])
    expect(axisSteps({ from: 0, to: 0.05 }, 0, 5)).toHaveLength(6)
    expect([
      afterBeginning(0, 500),
      afterBeginning(1_500, 500),
      afterBeginning(60_000, 5_000),
      afterBeginning(0.25, 0.05),
    ]).toEqual(['0 ms', '1.5 s', '60 s', '0.25 ms'])
    expect(exactly(1_234.5678)).toBe('1,234.568 ms')
  })
})

const bar = (id: number, lane: number, at: number, end?: number): LaneBar => ({
  id,
  lane,
  at,
  ...(end !== undefined && { end }),
  kind: 'request',
  from: 'client',
  method: 'ping',
})
const bars = [bar(1, 0, 0, 100), bar(2, 0, 200, 300), bar(3, 1, 50, 900), bar(4, 3, 210)]

describe('bars', () => {
  test('the keys go on in time, and from lane to lane to what is nearest', () => {
    const go = (from: number | undefined, way: Parameters<typeof neighbour>[2]): number | undefined =>
      neighbour(
        bars,
        bars.find(({ id }) => id === from),
        way,
        all,
      )?.id
    expect([go(undefined, 'after'), go(undefined, 'before')]).toEqual([1, 4])
    expect([go(1, 'after'), go(3, 'after'), go(2, 'before'), go(1, 'before')]).toEqual([3, 2, 3, undefined])
    expect([go(3, 'above'), go(2, 'below'), go(3, 'below'), go(4, 'above'), go(4, 'below')]).toEqual([
      2,
      3,
      4,
      3,
      undefined,
    ])
  })

  test('what is under the pointer is found, below the names of servers, open ones to the edge', () => {
    const groups = [
      { server: 'a', first: 0, lanes: 2, told: false },
      { server: 'b', first: 2, lanes: 2, told: false },
    ]
    const geometry = { width: 1_000, height: 500, scrollTop: 0, window: all, groups }
    const lanes = { begin: 0, end: 1_000, groups, bars, total: 4, problems: [] }
    const at = (x: number, lane: number): number | undefined =>
      barAt(lanes, geometry, x, laneTop(groups, lane, 0) + 10)?.id
    expect([at(50, 0), at(150, 0), at(250, 0), at(500, 1), at(500, 2), at(990, 3)]).toEqual([
      1,
      undefined,
      2,
      3,
      undefined,
      4,
    ])
    expect(barAt(lanes, geometry, 50, 5)).toBeUndefined()
    expect(fullHeight(groups)).toBe(26 + 2 * 24 + 4 * 22)
  })
})
