import { isObject } from './is-object.ts'

export type PathStep = string | number

const plainName = /^[A-Za-z_$][\w$-]*$/

/** `content[0].text`; names that are no words are quoted: `headers["x y"]`. */
export function joinPath(steps: readonly PathStep[]): string {
  let path = ''
  for (const step of steps) {
    if (typeof step === 'number') path += `[${step}]`
    else if (plainName.test(step)) path += path === '' ? step : `.${step}`
    else path += `[${JSON.stringify(step)}]`
  }
  return path
}

/** The inverse of `joinPath`; undefined if it is no path. Negative numbers count from the end. */
export function parsePath(path: string): PathStep[] | undefined {
  const steps: PathStep[] = []
  const part = /\.?([A-Za-z_$][\w$-]*)|\[(-?\d{1,9})\]|\[("(?:[^"\\]|\\.)*")\]/y
  while (part.lastIndex < path.length) {
    const start = part.lastIndex
    const match = part.exec(path)
    if (match === null) return undefined
    const [whole, name, index, quoted] = match
    if (name !== undefined && whole.startsWith('.') === (start === 0)) return undefined
    if (name !== undefined) steps.push(name)
    else if (index !== undefined) steps.push(Number(index))
    else {
      const text = unquote(quoted!)
      if (text === undefined) return undefined
      steps.push(text)
    }
  }
  return steps
}

function unquote(text: string): string | undefined {
  try {
    return JSON.parse(text) as string
  } catch {
    return undefined
  }
}

/** The value at a path, or undefined. */
export function valueAt(value: unknown, steps: readonly PathStep[]): unknown {
  let current = value
  for (const step of steps) {
    if (typeof step === 'number') current = Array.isArray(current) ? current.at(step) : undefined
    else current = isObject(current) && Object.hasOwn(current, step) ? current[step] : undefined
  }
  return current
}
