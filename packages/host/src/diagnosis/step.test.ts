import { expect, test } from 'vitest'
import { type DiagnosisStep, failed, ok, runSteps, type Step, warned } from './step.ts'

const step = (name: string, finding: ReturnType<Step['run']>, needs?: string[]): Step => ({
  name,
  title: name.toUpperCase(),
  ...(needs && { needs }),
  run: () => finding,
})

const statuses = (steps: readonly DiagnosisStep[]): string[] => steps.map(({ name, status }) => `${name} ${status}`)

test('a step needs all earlier ones, unless it says otherwise', async () => {
  const steps = await runSteps([
    step('a', warned('so so', 'look')),
    step('b', failed('no', 'do')),
    step('c', ok('yes')),
    step('d', ok('yes'), ['a']),
    step('e', ok('yes'), ['c']),
  ])
  expect(statuses(steps)).toEqual(['a warning', 'b failed', 'c skipped', 'd ok', 'e skipped'])
  // The step that failed is named, and not the one that was skipped for it.
  expect(steps[4]).toEqual({ name: 'e', title: 'E', status: 'skipped', detail: 'Skipped, because B failed' })
})

test('a step that finds nothing is not told, and an abort leaves out the rest', async () => {
  const stop = new AbortController()
  const told: string[] = []
  const abort = (): ReturnType<typeof ok> => {
    stop.abort()
    return ok('yes')
  }
  const last = { ...step('c', undefined), run: abort }
  const steps = await runSteps([step('a', undefined), step('b', ok('yes')), last, step('d', ok('yes'))], {
    signal: stop.signal,
    onStep: ({ name }) => told.push(name),
  })
  expect(told).toEqual(['b', 'c'])
  expect(statuses(steps)).toEqual(['b ok', 'c ok'])
})
