// Assertions of tasks. A message names the expected and the actual value.
import { isDeepStrictEqual } from 'node:util'

/** A difference to the expected behaviour; the report shows only the message. */
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

/** The error of a failing call. */
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

/** Repeats `ask` until its answer is true. Otherwise the time limit of the task ends it. */
export async function until(ask, signal) {
  for (;;) {
    const answer = await ask()
    if (answer) return answer
    signal.throwIfAborted()
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
}

/**
 * Repeats an action until its notification arrives. Over HTTP the stream for notifications may not be open yet at the
 * first time, and servers need not keep them without a listener.
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

/** A promise that is settled from outside. */
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
