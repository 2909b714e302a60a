import { expect, test } from 'vitest'
import { lazyModule } from './lazy-module.ts'

test('a module is loaded with its first use, and used without a promise from then on', async () => {
  let loads = 0
  const use = lazyModule(async () => ({ answer: 40 + ++loads }))
  const order: string[] = []
  const first = use(({ answer }) => order.push(`first ${answer}`))
  const second = use(({ answer }) => order.push(`second ${answer}`))
  expect(first).toBeInstanceOf(Promise)
  await Promise.all([first, second])
  expect(order).toEqual(['first 41', 'second 41'])
  expect(use(({ answer }) => answer)).toBe(41)
})

test('an import that failed is tried again with the next use', async () => {
  let loads = 0
  const use = lazyModule(async () => {
    loads += 1
    if (loads === 1) throw new Error('too many open files')
    return { answer: 42 }
  })
  await expect(Promise.all([use(({ answer }) => answer), use(({ answer }) => answer)])).rejects.toThrow(
    'too many open files',
  )
  expect(loads).toBe(1)
  expect(await use(({ answer }) => answer)).toBe(42)
})
