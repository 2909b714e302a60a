import type { Guard, GuardAnswer } from './guard.ts'
import { isJsonObject } from './json.ts'

export interface SizeGuardOptions {
  /** Of the arguments as JSON. */
  readonly maxArgsBytes?: number
  /** Of the result as JSON. */
  readonly maxResultBytes?: number
  /** The MIME types of pictures, sounds and files, with `*` as the second half: `image/*`. Without it all are allowed. */
  readonly mediaTypes?: readonly string[]
}

/** Arguments and results that are too large, and files of types that nobody expects, are refused. */
export function sizeGuard({ maxArgsBytes, maxResultBytes, mediaTypes }: SizeGuardOptions): Guard {
  return {
    name: 'size',
    before: (_request, args) => refuseSize('arguments', args, maxArgsBytes),
    after(_request, value) {
      const tooLarge = refuseSize('result', value, maxResultBytes)
      if (tooLarge !== undefined || mediaTypes === undefined) return tooLarge
      const other = mediaTypesIn(value).find((type) => !mediaTypes.some((allowed) => covers(allowed, type)))
      return other === undefined
        ? undefined
        : { refuse: 'The result has a media type that is not allowed', note: other.slice(0, 80) }
    },
  }
}

function refuseSize(what: string, value: unknown, limit: number | undefined): GuardAnswer {
  if (limit === undefined) return undefined
  const bytes = Buffer.byteLength(JSON.stringify(value))
  return bytes > limit
    ? { refuse: `The ${what} are too large: ${bytes} bytes of ${limit}`.replace('result are', 'result is') }
    : undefined
}

/** The media types of content, embedded resources and resource contents. Binary content without one is of any type. */
function mediaTypesIn(value: unknown, depth = 0): string[] {
  if (depth > 8) return []
  if (Array.isArray(value)) return value.flatMap((item) => mediaTypesIn(item, depth + 1))
  if (!isJsonObject(value)) return []
  const isBinary = typeof value.blob === 'string' || value.type === 'image' || value.type === 'audio'
  const own = typeof value.mimeType === 'string' ? [value.mimeType] : isBinary ? ['application/octet-stream'] : []
  const below = ['content', 'contents', 'messages', 'resource'].flatMap((name) => mediaTypesIn(value[name], depth + 1))
  return [...own, ...below]
}

function covers(allowed: string, type: string): boolean {
  const plain = type.split(';')[0]!.trim().toLowerCase()
  return allowed.endsWith('/*') ? plain.startsWith(allowed.slice(0, -1).toLowerCase()) : plain === allowed.toLowerCase()
}
