import type { Change, Definition } from '../../server/definition.ts'

/** The message by which processes tell each other that the contents behind a URI changed. */
interface ChangeMessage {
  'tenon:changed': string
}

/** The URI in a message of another process, if it is one of these. */
export function changedUri(message: unknown): string | undefined {
  const uri = (message as Partial<ChangeMessage> | null)?.['tenon:changed']
  return typeof uri === 'string' ? uri : undefined
}

/** Tells what other processes have to say, and what happens here. */
export class ChangeRelay {
  readonly #definition: Definition
  readonly #stop: () => void
  #repeating = false

  constructor(definition: Definition, tell: (message: ChangeMessage) => void) {
    this.#definition = definition
    this.#stop = definition.onChange((change: Change) => {
      // Lists differ from process to process, as the items are code. Contents are the same for all.
      if (change.kind === 'resource' && !this.#repeating) tell({ 'tenon:changed': change.uri })
    })
  }

  /** Repeats here what happened elsewhere, and nowhere else. */
  repeat(uri: string): void {
    this.#repeating = true
    try {
      this.#definition.emit({ kind: 'resource', uri })
    } finally {
      this.#repeating = false
    }
  }

  stop(): void {
    this.#stop()
  }
}
