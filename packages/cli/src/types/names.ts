/** Unique names. A name of the server decides only the letters. */
export class Names {
  readonly #taken: Set<string>

  constructor(taken: Iterable<string> = []) {
    this.#taken = new Set(taken)
  }

  /** The name itself, or with the first number that makes it another one. */
  unique(name: string): string {
    let candidate = name
    for (let count = 2; this.#taken.has(candidate); count++) candidate = `${name}${count}`
    this.#taken.add(candidate)
    return candidate
  }
}

/** `get-weather` and `get_weather` as `GetWeather`. */
export function typeName(text: string): string {
  const name = words(text)
    .map((word) => word[0]!.toUpperCase() + word.slice(1))
    .join('')
  return beginning(name, 'Unnamed')
}

/** `get-weather` and `get_weather` as `getWeather`. */
export function memberName(text: string): string {
  const [first = '', ...rest] = words(text)
  const name = beginning(
    lowerFirst(first) + rest.map((word) => word[0]!.toUpperCase() + word.slice(1)).join(''),
    'unnamed',
  )
  return inherited.has(name) ? `${name}_` : name
}

// Members of every object, and `then`, which would make the object a promise.
const inherited = new Set([...Object.getOwnPropertyNames(Object.prototype), 'prototype', 'then'])

// ASCII only: letters of other scripts would do, but two that look alike would not be the same name. Longer names do
// not help.
const words = (text: string): string[] => text.slice(0, 80).match(/[A-Za-z0-9]+/g) ?? []

const beginning = (name: string, otherwise: string): string =>
  name === '' ? otherwise : /^\d/.test(name) ? `_${name}` : name

/** `URLReader` begins with a word of its own, `Read` does not. */
const lowerFirst = (word: string): string =>
  word.replace(/^[A-Z]+(?=[A-Z][a-z])|^[A-Z]+$|^[A-Z]/, (capitals) => capitals.toLowerCase())
