// Runs checks in order and keeps their results. Uses nothing that browsers lack.

const limitMs = 20_000

export class Checks {
  results = []

  /** Runs a check; an exception is its failure. */
  async run(name, check) {
    const start = performance.now()
    const result = { name, ok: true }
    try {
      await within(limitMs, check())
    } catch (error) {
      result.ok = false
      result.error = describe(error)
    }
    result.ms = Math.round(performance.now() - start)
    this.results.push(result)
  }
}

export function equal(found, expected, what) {
  const [left, right] = [JSON.stringify(found), JSON.stringify(expected)]
  if (left !== right) throw new Error(`${what}: expected ${right}, got ${left}`)
}

/** The error of a rejected promise; it must have the code. */
export async function failure(promise, code) {
  try {
    await promise
  } catch (error) {
    equal(error.code, code, `the code of "${error.message}"`)
    return error
  }
  throw new Error(`expected a failure with the code ${code}, but it succeeded`)
}

/** Repeats `ask` until it returns the expected value, or the time is up. */
export async function eventually(ask, expected, what, patienceMs = 5_000) {
  const end = performance.now() + patienceMs
  let found = await ask()
  while (found !== expected && performance.now() < end) {
    await new Promise((resolve) => setTimeout(resolve, 20))
    found = await ask()
  }
  equal(found, expected, what)
}

function within(ms, promise) {
  let timer
  const late = new Promise((_resolve, reject) => {
    timer = setTimeout(() => reject(new Error(`not done within ${ms} ms`)), ms)
  })
  return Promise.race([promise, late]).finally(() => clearTimeout(timer))
}

function describe(error) {
  if (!(error instanceof Error)) return String(error)
  const code = typeof error.code === 'string' ? ` [${error.code}]` : ''
  const cause = error.cause instanceof Error ? ` (${error.cause.message})` : ''
  return `${error.name}${code}: ${error.message}${cause}`
}
