import { z } from 'zod'

/** A precondition, as in HTTP: the change happens only to the file that the caller has seen. */
export const ifMatch: z.ZodOptional<z.ZodString> = z
  .string()
  .max(100)
  .optional()
  .describe('The hash that the file must have, as a read returned it, or "absent" if there must be no such file')

/** The result of a tool that changes the contents of a file. */
export const writtenOutput: z.ZodObject<{
  content: z.ZodString
  path: z.ZodString
  hash: z.ZodString
  isNew: z.ZodBoolean
  change: z.ZodOptional<z.ZodInt>
}> = z.object({
  content: z.string(),
  path: z.string().describe('The real path'),
  hash: z.string().describe('SHA-256 of the new contents, for ifMatch'),
  isNew: z.boolean(),
  change: z.int().optional().describe('The number of the change, for undo_changes; absent if it cannot be taken back'),
})
