import type { Tool } from '../../model/tools.ts'

/** The hints of a tool, with the worst assumed for missing ones. Hints of an untrusted server prove nothing. */
export interface ToolFacts {
  readOnly: boolean
  destructive: boolean
  idempotent: boolean
  openWorld: boolean
}

/** The name of a tool for people. */
export const toolTitle = ({ title, annotations, name }: Tool): string => title ?? annotations?.title ?? name

/** The hints of a tool, with the defaults of the specification. */
export function toolFacts({ annotations = {} }: Tool): ToolFacts {
  const { readOnlyHint, destructiveHint, idempotentHint, openWorldHint } = annotations
  return {
    readOnly: readOnlyHint ?? false,
    destructive: destructiveHint ?? true,
    idempotent: idempotentHint ?? false,
    openWorld: openWorldHint ?? true,
  }
}
