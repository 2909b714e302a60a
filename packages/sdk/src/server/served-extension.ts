import type { Schema } from '../schema/bridge.ts'
import type { RequestContext } from './context.ts'

/** The compiled schemas of a method, for both sides. */
export interface CompiledMethod {
  readonly params: Schema<unknown> | undefined
  readonly result: Schema<unknown> | undefined
}

/** The name and the methods of an extension. */
export interface DescribedExtension {
  readonly id: string
  readonly declaredBy: 'both' | 'server'
  readonly methods: ReadonlyMap<string, CompiledMethod>
}

export type ExtensionHandler<App> = (params: never, ctx: RequestContext<App>) => unknown

/** A server's part in an extension; made by `Extension.serve`. */
export interface ServedExtension<App = unknown> {
  readonly kind: 'served-extension'
  readonly extension: DescribedExtension
  readonly settings: { readonly [setting: string]: unknown }
  readonly handlers: ReadonlyMap<string, ExtensionHandler<App>>
}
