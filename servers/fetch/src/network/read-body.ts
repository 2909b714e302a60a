import type { IncomingMessage } from 'node:http'
import { pipeline, type Readable } from 'node:stream'
import { createBrotliDecompress, createGunzip, createInflate, createInflateRaw } from 'node:zlib'
import { ToolError } from '@tenon/sdk/server'

export interface Body {
  readonly bytes: Buffer
  /** There was more than the limit. */
  readonly truncated: boolean
}

export interface BodyLimits {
  maxBytes: number
  signal: AbortSignal
  onProgress?: (bytes: number) => void
}

/**
 * Reads a body up to a number of bytes, counted after decompression and checked chunk by chunk: a small file that would
 * unpack to gigabytes is left after the first of them. The connection is closed as soon as there is enough.
 */
export async function readBody(response: IncomingMessage, { maxBytes, signal, onProgress }: BodyLimits): Promise<Body> {
  const chunks: Buffer[] = []
  let size = 0
  try {
    for await (const chunk of await decompressed(response)) {
      signal.throwIfAborted()
      const rest = maxBytes - size
      chunks.push((chunk as Buffer).subarray(0, rest))
      size += Math.min((chunk as Buffer).length, rest)
      if ((chunk as Buffer).length > rest) return { bytes: Buffer.concat(chunks), truncated: true }
      onProgress?.(size)
    }
    return { bytes: Buffer.concat(chunks), truncated: false }
  } catch (error) {
    if (signal.aborted) throw signal.reason
    throw error
  } finally {
    response.destroy()
  }
}

async function decompressed(response: IncomingMessage): Promise<Readable> {
  const codings = (response.headers['content-encoding'] ?? '')
    .toLowerCase()
    .split(',')
    .map((coding) => coding.trim())
    .filter((coding) => coding !== '' && coding !== 'identity')
  if (codings.length > 1) throw new ToolError(`expected one content encoding, got ${codings.length}`)
  const [coding] = codings
  if (coding === undefined) return response
  const unpack = coding === 'deflate' ? await inflate(response) : unpackers.get(coding)?.()
  if (unpack === undefined) throw new ToolError(`expected gzip, br or deflate, got the content encoding ${coding}`)
  // The pipeline destroys both sides on errors; reading them raises the error here.
  return pipeline(response, unpack, () => {})
}

const unpackers = new Map<string, () => NodeJS.ReadWriteStream & Readable>([
  ['gzip', createGunzip],
  ['x-gzip', createGunzip],
  ['br', createBrotliDecompress],
] as never)

/** Servers send deflate with the header of zlib or without; the first byte tells which. */
async function inflate(response: IncomingMessage): Promise<NodeJS.ReadWriteStream & Readable> {
  const [first] = await peek(response)
  const make = first !== undefined && (first & 0x0f) === 8 ? createInflate : createInflateRaw
  return make() as never
}

function peek(response: IncomingMessage): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const look = (): void => {
      const chunk = response.read() as Buffer | null
      if (chunk === null) return void response.once('readable', look)
      response.unshift(chunk)
      resolve(chunk)
    }
    response.once('error', reject)
    response.once('end', () => resolve(Buffer.alloc(0)))
    look()
  })
}
