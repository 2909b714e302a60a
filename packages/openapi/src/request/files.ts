import { isObject, member } from '../document/json.ts'

/** A property of a form that is a file, in the words of 3.0 or of 3.1. */
export const isBinary = (schema: unknown): boolean =>
  isObject(schema) &&
  (member(schema, 'format') === 'binary' ||
    (typeof member(schema, 'contentMediaType') === 'string' && member(schema, 'contentEncoding') === undefined))

interface UploadedFile {
  readonly data: string
  readonly name?: string
  readonly type?: string
}

export const isFile = (value: unknown): value is UploadedFile => typeof member(value, 'data') === 'string'

export function toBlob({ data, type }: UploadedFile): Blob {
  return new Blob([Buffer.from(data, 'base64')], type === undefined ? {} : { type })
}
