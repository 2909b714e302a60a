import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'

const built = fileURLToPath(new URL('../dist/tour.js', import.meta.url))

interface Run {
  code: number
  stdout: string
  stderr: string
}

const runTour = (): Promise<Run> =>
  new Promise((resolve) => {
    execFile(process.execPath, [built], { env: { PATH: process.env.PATH } }, (error, stdout, stderr) => {
      resolve({ code: error === null ? 0 : Number(error.code), stdout, stderr })
    })
  })

test('the tour runs to its end, plain and within 80 columns', async () => {
  const { code, stdout, stderr } = await runTour()
  expect([code, stderr]).toEqual([0, ''])
  const lines = stdout.split('\n')
  for (const line of lines) expect(line.length, line).toBeLessThanOrEqual(80)
  expect(stdout).not.toContain('\x1b')
  expect(stdout).toContain('{ value: 26.2187574565, unit: "mi" }')
  expect(stdout).toContain('100 %  348513 primes found')
  expect(stdout).toContain('? Tell me about your trip to Lisbon')
  expect(stdout).toContain('{ from: "2026-10-01", to: "2026-10-04" }')
  expect(stdout).toContain('for the model: The divisor is 0')
  expect(stdout).toMatch(/^ {4}2024-11-05 .*error -32602$/m)
  expect(stdout).toMatch(/^ {4}2026-07-28 .*resource_link .*isError$/m)
  expect(stdout).toMatch(/^Done, and \d+ facts checked/m)
})
