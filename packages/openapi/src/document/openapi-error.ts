/** A document, or a part of it, that cannot be used. `pointer` is its place, as a JSON pointer. */
export class OpenApiError extends Error {
  readonly pointer: string

  constructor(pointer: string, message: string, options?: ErrorOptions) {
    super(`${pointer === '' ? 'The document' : pointer}: ${message}`, options)
    this.name = 'OpenApiError'
    this.pointer = pointer
  }
}

/** One step of a JSON pointer. */
export const step = (name: string): string => `/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`
