import { listMember, objectMember, textMember } from './json.ts'

/** The address of the first server that a part of the document names, with its variables filled in. */
export function serverUrl(part: unknown): string | undefined {
  const [first] = listMember(part, 'servers')
  const url = textMember(first, 'url')
  const variables = objectMember(first, 'variables')
  return url?.replace(/\{([^{}]*)\}/g, (_, name: string) => textMember(objectMember(variables, name), 'default') ?? '')
}
