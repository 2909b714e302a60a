import { ToolError } from '@tenon/sdk/server'

export interface ServiceAnswer {
  readonly bytes: Uint8Array
  readonly mediaType: string
  /** The answer is longer than the limit; `bytes` is its beginning. */
  readonly isCut: boolean
}

/** The body of a response, up to a number of bytes. */
export async function readBody(response: Response, maxBytes: number): Promise<ServiceAnswer> {
  const parts: Uint8Array[] = []
  let length = 0
  try {
    for await (const part of response.body ?? []) {
      parts.push(part)
      length += part.length
      if (length > maxBytes) break
    }
  } catch (error) {
    throw new ToolError(`The answer of the service broke off: ${(error as Error).message}`)
  }
  const mediaType = (response.headers.get('content-type') ?? '').split(';')[0]!.trim().toLowerCase()
  return { bytes: Buffer.concat(parts).subarray(0, maxBytes), mediaType, isCut: length > maxBytes }
}
