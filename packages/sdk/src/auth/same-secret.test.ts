import { expect, test } from 'vitest'
import { sameSecret } from './same-secret.ts'

test.each([
  ['', '', true],
  ['abc', 'abc', true],
  ['abc', 'abd', false],
  ['abc', 'ab', false],
  ['ab', 'abc', false],
  ['', 'a', false],
  ['a', '', false],
  ['abab', 'ab', false],
  ['ab', 'abab', false],
  ['é', 'e', false],
])('%j and %j: %s', (one, other, same) => expect(sameSecret(one, other)).toBe(same))
