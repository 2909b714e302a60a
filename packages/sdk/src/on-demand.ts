/** Calls `use` with a module: at once if it is loaded, otherwise as soon as it is. */
export type OnDemand<Module> = <Result>(use: (module: Module) => Result) => Result | Promise<Awaited<Result>>

/**
 * Loads a module with its first use, for features that most programs never need. Calls before it is loaded wait, and
 * run in their order.
 */
export function onDemand<Module>(load: () => Promise<Module>): OnDemand<Module> {
  let loaded: Module | undefined
  let loading: Promise<Module> | undefined
  return <Result>(use: (module: Module) => Result) => {
    if (loaded !== undefined) return use(loaded)
    loading ??= load()
    return loading.then((module) => {
      loaded = module
      return use(module)
    }) as Promise<Awaited<Result>>
  }
}
