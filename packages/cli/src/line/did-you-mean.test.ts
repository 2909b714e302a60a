import { expect, test } from 'vitest'
import { didYouMean } from './did-you-mean.ts'

test('a name that several files have is proposed once', () => {
  expect(didYouMean('wether', ['weather', 'weather', 'time', 'weather'])).toBe('Did you mean weather?')
})
