// What tasks say about what they saw. A message names what was expected and what came.
import { isDeepStrictEqual } from 'node:util'

/** Something was not as it should be; the message is all that the reader of the report gets. */
export class Difference extends Error {}

export function check(condition, message) {
  if (!condition) throw new Difference(typeof message === 'function' ? message() : message)
}

export function equal(actual, expected, what) {
  check(isDeepStrictEqual(actual, expected), () => `${what}: expected ${show(expected)}, got ${show(actual)}`)
}

export function includes(list, members, what) {
  const missing = members.filter((member) => !list.includes(member))
  check(missing.length === 0, () => `${what}: ${show(missing)} missing among ${show(list)}`)
}

export function matches(text, pattern, what) {
  const found = typeof pattern === 'string' ? text?.includes?.(pattern) : pattern.test(text)
  check(found, () => `${what}: expected ${pattern}, got ${show(text)}`)
}

/** The error that a call ends with. */
export async function failure(promise, what) {
  const result = await promise.then(
    (value) => ({ value }),
    (error) => ({ error }),
  )
  check('error' in result, () => `${what}: expected an error, got ${show(result.value)}`)
  return result.error
}

/** All the text of a tool's result. */
export const textOf = ({ content }) =>
  content
    .filter(({ type }) => type === 'text')
    .map(({ text }) => text)
    .join('\n')

/** Asks again until the answer is a true one. What ends it otherwise is the time limit of the task. */
export async function until(ask, signal) {
  for (;;) {
    const answer = await ask()
    if (answer) return answer
    signal.throwIfAborted()
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
}

/**
 * Does something until the news of it arrive. Over HTTP the stream for news may not be open yet at the first time, and
 * servers need not keep what nobody listens to.
 */
export async function repeatUntil(news, act, signal) {
  const heard = news.then((value) => ({ value }))
  heard.catch(() => {})
  for (;;) {
    await act()
    const result = await Promise.race([heard, new Promise((resolve) => setTimeout(resolve, 1_000))])
    if (result) return result.value
    signal.throwIfAborted()
  }
}

/** A promise to be kept from outside. */
export function promised() {
  let resolve
  const promise = new Promise((keep) => {
    resolve = keep
  })
  return { promise, resolve }
}

function show(value) {
  const text = typeof value === 'string' ? JSON.stringify(value) : (JSON.stringify(value) ?? String(value))
  return text.length > 300 ? `${text.slice(0, 300)}… (${text.length} characters)` : text
}
