/** Runs a function with a module: at once if the module is loaded, otherwise as soon as it is. */
export type LazyModule<Module> = <Result>(use: (module: Module) => Result) => Result | Promise<Awaited<Result>>

/**
 * Loads a module with its first use; later uses are synchronous. Uses that come while it is loading run in the order in
 * which they came. An import that failed is tried again with the next use.
 */
export function lazyModule<Module>(load: () => Promise<Module>): LazyModule<Module> {
  let loaded: Module | undefined
  let loading: Promise<Module> | undefined
  const start = (): Promise<Module> => {
    const started = load()
    started.then(
      (module) => {
        loaded = module
      },
      () => {
        loading = undefined
      },
    )
    return started
  }
  return <Result>(use: (module: Module) => Result) => {
    if (loaded !== undefined) return use(loaded)
    loading ??= start()
    return loading.then(use) as Promise<Awaited<Result>>
  }
}
