import { z } from 'zod'
import { fromText } from '../key-tool.ts'
import { maxWritten } from './strings.ts'

/** The name of a field of a hash or of an entry of a stream. */
export const fieldText: z.ZodString = z.string().max(100_000)

/** A list and no object: any name may be a field, `__proto__` too, and streams keep order and repetition. */
export const fieldsWithValues: z.ZodArray<z.ZodObject<{ field: z.ZodString; value: z.ZodString }>> = z
  .array(z.object({ field: fieldText, value: z.string().max(maxWritten) }))
  .min(1)
  .max(10_000)

export const pairsOf = (fields: readonly { field: string; value: string }[], encoding: 'text' | 'base64'): Buffer[] =>
  fields.flatMap(({ field, value }) => [fromText(field, encoding), fromText(value, encoding)])
