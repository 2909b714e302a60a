import { z } from 'zod'
import { namespacePattern } from '../namespaces.ts'

/** Lists of one call. More is sent in several calls. */
export const maxPerCall = 10_000
const maxNameLength = 1_000
const maxObservationLength = 100_000

type Texts = z.ZodArray<z.ZodString>

export const nameText = (description: string): z.ZodString => z.string().max(maxNameLength).describe(description)
const observationTexts = (description: string): Texts =>
  z.array(z.string().max(maxObservationLength)).max(maxPerCall).describe(description)

export const entity: z.ZodObject<{ name: z.ZodString; entityType: z.ZodString; observations: Texts }> = z.object({
  name: nameText('The name of the entity'),
  entityType: nameText('The type of the entity'),
  observations: observationTexts('Short facts about the entity, one each'),
})

export const relation: z.ZodObject<{ from: z.ZodString; to: z.ZodString; relationType: z.ZodString }> = z.object({
  from: nameText('The name of the entity where the relation starts'),
  to: nameText('The name of the entity where the relation ends'),
  relationType: nameText('The type of the relation, in active voice, such as "works_at"'),
})

export const contents: Texts = observationTexts('The observations to add')
export const observations: Texts = observationTexts('The observations to delete, word by word')

export const namespace: z.ZodOptional<z.ZodString> = z
  .string()
  .regex(namespacePattern)
  .optional()
  .describe('A separate memory, such as "work": small letters, digits, - and _; the default one if left out')

export const source: z.ZodOptional<z.ZodString> = z
  .string()
  .max(maxNameLength)
  .optional()
  .describe('Where this is known from, such as a document or a conversation; kept with each observation')

export const cursor: z.ZodOptional<z.ZodString> = z
  .string()
  .max(10_000)
  .optional()
  .describe('The nextCursor of the page before')

type Origins = z.ZodOptional<
  z.ZodArray<
    z.ZodNullable<z.ZodObject<{ at: z.ZodString; by: z.ZodOptional<z.ZodString>; source: z.ZodOptional<z.ZodString> }>>
  >
>

const origins: Origins = z
  .array(z.object({ at: z.string(), by: z.string().optional(), source: z.string().optional() }).nullable())
  .optional()
  .describe('Time, client and source of each observation, in their order')

/** An entity in an answer. */
export const shownEntity: z.ZodObject<{
  name: z.ZodString
  entityType: z.ZodString
  observations: Texts
  origins: Origins
}> = z.object({
  name: z.string(),
  entityType: z.string(),
  observations: z.array(z.string()),
  origins,
})

export const shownRelation: typeof relation = z.object({ from: z.string(), to: z.string(), relationType: z.string() })

export const withOrigins: z.ZodDefault<z.ZodBoolean> = z
  .boolean()
  .default(false)
  .describe('Adds time, client and source of each observation')
