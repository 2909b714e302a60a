import type { ServerCapabilities } from '../../model/capabilities.ts'
import { tasksExtension } from '../../model/tasks.ts'
import type { OwnDescription } from '../../server/mounted-parts.ts'
import type { BackendIntroduction } from '../backend-handlers.ts'
import type { Part } from './part.ts'

/** The capabilities of a part that cannot be reached: it may come back while the client is there. */
const unknownCapabilities: ServerCapabilities = {
  tools: { listChanged: true },
  resources: { subscribe: true, listChanged: true },
  prompts: { listChanged: true },
}

/** The most text that the instructions of one part add to those of the server: each of them could fill a model's context. */
const maxInstructions = 10_000

/** The description of a server with those of its parts; undefined for one that cannot be reached. */
export function mergedDescription(
  own: OwnDescription,
  parts: readonly { readonly part: Part; readonly known: BackendIntroduction | undefined }[],
): OwnDescription {
  const told = parts.flatMap(({ part, known }) =>
    part.instructions && known?.instructions
      ? [`# ${part.name}\n\n${known.instructions.slice(0, maxInstructions)}`]
      : [],
  )
  const all = [...(own.instructions === undefined ? [] : [own.instructions]), ...told]
  return {
    capabilities: mergedCapabilities([
      own.capabilities,
      ...parts.map(({ known }) => known?.capabilities ?? unknownCapabilities),
    ]),
    instructions: all.length === 0 ? undefined : all.join('\n\n'),
  }
}

/** The capabilities of a server and its parts. A member that several have is that of the server, or of the first part. */
function mergedCapabilities(all: readonly ServerCapabilities[]): ServerCapabilities {
  const merged: ServerCapabilities = Object.assign({}, ...all.toReversed())
  for (const feature of ['tools', 'resources', 'prompts'] as const) {
    const declared = all.flatMap((one) => one[feature] ?? [])
    if (declared.length === 0) continue
    merged[feature] = Object.assign({}, ...declared, {
      ...anyHas(declared, 'listChanged'),
      ...anyHas(declared, 'subscribe'),
    })
  }
  for (const group of ['experimental', 'extensions'] as const) {
    const declared = all.flatMap((one) => one[group] ?? [])
    if (declared.length > 0) merged[group] = Object.assign({}, ...declared.toReversed())
  }
  return merged
}

const anyHas = (declared: readonly { [member: string]: unknown }[], member: string): object =>
  declared.some((one) => one[member] === true) ? { [member]: true } : {}

/** The extensions that a server declares and that may have methods of their own. */
export const extensionsIn = ({ extensions, experimental }: ServerCapabilities): string[] =>
  [...Object.keys(extensions ?? {}), ...Object.keys(experimental ?? {})].filter((id) => id !== tasksExtension)

/** True if the name of a method says that it belongs to an extension: `search/query` to `com.example/search`. */
export const isMethodOf = (id: string, method: string): boolean =>
  method.startsWith(`${id}/`) || method.startsWith(`${id.slice(id.lastIndexOf('/') + 1)}/`)
