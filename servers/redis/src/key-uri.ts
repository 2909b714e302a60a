import { isText } from './value.ts'

export const keyTemplate = 'redis://key/{key}{?cursor}'
export const binaryKeyTemplate = 'redis://binary-key/{base64}{?cursor}'

/** The URI of a key, escaped as its template does it. A key that is not text has its bytes in base64. */
export const keyUri = (key: Buffer): string =>
  isText(key) ? `redis://key/${encode(key.toString())}` : `redis://binary-key/${key.toString('base64url')}`

const encode = (text: string): string =>
  encodeURIComponent(text).replace(/[!'()*]/g, (char) => `%${char.charCodeAt(0).toString(16).toUpperCase()}`)
