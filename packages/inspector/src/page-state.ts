import { RequestProblem } from './problem.ts'
import { unexpected } from './read-params.ts'

const maxEntries = 500
const maxCharacters = 4 * 1024 * 1024

/**
 * What a person has typed into the page, so that a reload loses nothing. It is kept here and not in the browser, where another
 * program at the same port could read it later; and in memory only.
 */
export class PageState {
  readonly #texts = new Map<string, string>()
  #characters = 0

  get entries(): { [key: string]: string } {
    return Object.fromEntries(this.#texts)
  }

  /** Keeps texts by their keys; null forgets one. The oldest make room. */
  keep(entries: { readonly [key: string]: unknown }): void {
    for (const [key, text] of Object.entries(entries)) {
      if (text !== null && typeof text !== 'string') throw unexpected(`entries.${key}`, 'a text or null', text)
      this.#forget(key)
      if (text !== null) this.#add(key, text)
    }
  }

  #add(key: string, text: string): void {
    if (key.length + text.length > maxCharacters)
      throw new RequestProblem(`entries: expected at most ${maxCharacters} characters, got ${text.length}`)
    this.#texts.set(key, text)
    this.#characters += key.length + text.length
    while (this.#texts.size > maxEntries || this.#characters > maxCharacters)
      this.#forget(this.#texts.keys().next().value!)
  }

  #forget(key: string): void {
    const text = this.#texts.get(key)
    if (text === undefined) return
    this.#texts.delete(key)
    this.#characters -= key.length + text.length
  }
}
