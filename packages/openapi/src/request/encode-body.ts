import { isObject, member, textMember } from '../document/json.ts'
import type { RequestBody } from '../document/operation.ts'
import { isFile, toBlob } from './files.ts'
import { inQuery } from './serialize.ts'

export interface EncodedBody {
  readonly body: string | Uint8Array | FormData | undefined
  /** Undefined where `fetch` sets it: a form of parts has a boundary. */
  readonly type: string | undefined
}

/** The body of a request in its media type. */
export function encodeBody({ mediaType, encoding }: RequestBody, value: unknown): EncodedBody {
  if (mediaType.startsWith('multipart/form-data')) return { body: formOf(value, encoding), type: undefined }
  if (mediaType.startsWith('application/x-www-form-urlencoded')) {
    return { body: urlEncoded(value, encoding), type: mediaType }
  }
  if (mediaType.startsWith('text/')) return { body: String(value), type: mediaType }
  if (/json/i.test(mediaType)) return { body: JSON.stringify(value), type: mediaType }
  return { body: Buffer.from(String(value), 'base64'), type: mediaType }
}

function urlEncoded(value: unknown, encoding: RequestBody['encoding']): string {
  const fields = Object.entries(isObject(value) ? value : {}).flatMap(([name, one]) => {
    const how = Object.hasOwn(encoding, name) ? encoding[name] : undefined
    const style = textMember(how, 'style') ?? 'form'
    const explode = member(how, 'explode')
    return inQuery({ name, style, explode: typeof explode === 'boolean' ? explode : style === 'form' }, one)
  })
  return new URLSearchParams(fields).toString()
}

function formOf(value: unknown, encoding: RequestBody['encoding']): FormData {
  const form = new FormData()
  for (const [name, one] of Object.entries(isObject(value) ? value : {})) {
    const type = textMember(Object.hasOwn(encoding, name) ? encoding[name] : undefined, 'contentType')
    for (const part of Array.isArray(one) ? one : [one]) {
      if (isFile(part)) form.append(name, toBlob({ ...(type && { type }), ...part }), part.name ?? name)
      else if (isObject(part)) form.append(name, new Blob([JSON.stringify(part)], { type: type ?? 'application/json' }))
      else form.append(name, part === null ? '' : String(part))
    }
  }
  return form
}
