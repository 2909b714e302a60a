import type { InferSchema, InferSchemaInput } from '../schema/bridge.ts'
import type { ToolTypes } from '../server/features/tool.ts'
import type { KnowsTools } from '../server/server.ts'

/** The types of the tools that a server in this process has, or that its client knows; unknown for everything else. */
export type ToolsOf<T> = T extends KnowsTools<infer Tools> ? Tools : unknown

/** The names of known tools; any name if they are not known. */
export type ToolName<Self> = ToolsOf<Self> extends ToolTypes<infer Name> ? Name : string

/** The tool of this name. */
type Named<Tools, Name> = Tools extends ToolTypes<infer Known> ? (Name extends Known ? Tools : never) : never

/** The arguments of a known tool. */
export type ToolArguments<Self, Name> =
  Named<ToolsOf<Self>, Name> extends infer Found extends ToolTypes
    ? [Found] extends [never]
      ? { [name: string]: unknown }
      : InferSchemaInput<Found['input']>
    : never

/** The structured result of a known tool; `Otherwise` if it has no output schema. */
export type ToolStructured<Self, Name, Otherwise> =
  Named<ToolsOf<Self>, Name> extends infer Found extends ToolTypes
    ? [Found['output']] extends [never]
      ? Otherwise
      : InferSchema<Found['output']>
    : never
