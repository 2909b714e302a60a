import type { ServerState } from './servers/supervisor.ts'

/** Something that happened in a host. */
export type HostEvent =
  | { readonly type: 'state'; readonly server: string; readonly state: ServerState; readonly error?: Error }
  | { readonly type: 'stderr'; readonly server: string; readonly text: string }
  /** The tools, resources, templates or prompts may be others. */
  | { readonly type: 'catalogue'; readonly server: string }
  | { readonly type: 'problem'; readonly problem: HostProblem }

/**
 * Something that the owner of the host may want to know.
 *
 * - `collision`: several tools have the same name for models; none of them is used
 * - `look_alike`: the name of a server looks like another one
 * - `list`: a list of a server was cut or could not be read
 * - `changed`: definitions are not the approved ones, and are not used before somebody approves them
 */
export interface HostProblem {
  readonly code: 'collision' | 'look_alike' | 'list' | 'changed'
  readonly server?: string
  readonly message: string
}

export type HostListener = (event: HostEvent) => void

/** The listeners of a host. One that throws disturbs nobody. */
export class HostListeners {
  readonly #listeners = new Set<{ listener: HostListener }>()
  readonly #report: (error: Error) => void

  constructor(report: (error: Error) => void) {
    this.#report = report
  }

  add(listener: HostListener): () => void {
    // An object of its own, so that adding a function twice and removing it once leaves one.
    const entry = { listener }
    this.#listeners.add(entry)
    return () => {
      this.#listeners.delete(entry)
    }
  }

  emit(event: HostEvent): void {
    for (const { listener } of [...this.#listeners]) {
      try {
        listener(event)
      } catch (error) {
        this.#report(error as Error)
      }
    }
  }
}
