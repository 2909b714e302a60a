import { expect, test } from 'vitest'
import { frameReader } from '../src/database/frame-guard.ts'

/** A message of the protocol: type, size, content. */
function message(size: number): Buffer {
  const bytes = Buffer.alloc(1 + size, 0x44)
  bytes.writeUInt32BE(size, 1)
  return bytes
}

const large = (): Buffer => message(101).subarray(0, 5)

test.each([1, 2, 3, 4, 5, 6, 7, 50, 1_000])('a large message is seen at its header, in chunks of %i bytes', (step) => {
  const bytes = Buffer.concat([message(4), message(100), message(20), large()])
  const isTooLarge = frameReader(() => 100)
  const answers: boolean[] = []
  for (let at = 0; at < bytes.length; at += step) answers.push(isTooLarge(bytes.subarray(at, at + step)))
  expect(answers.slice(0, -1)).not.toContain(true)
  expect(answers.at(-1)).toBe(true)
})

test('a size that no message has does not stop the reader', () => {
  const isTooLarge = frameReader(() => 100)
  expect(isTooLarge(Buffer.from([0x44, 0, 0, 0, 0]))).toBe(false)
  expect(isTooLarge(large())).toBe(true)
})
