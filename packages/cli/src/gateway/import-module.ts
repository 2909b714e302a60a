import { tsImport } from 'tsx/esm/api'

/** Loads a module of an upstream; TypeScript too. */
export const importAny = (url: string): Promise<unknown> =>
  /\.[cm]?tsx?$/.test(url) ? tsImport(url, import.meta.url) : import(url)
