/** Runs something with a module: at once if that is loaded, otherwise as soon as it is. */
export type LazyModule<Module> = <Result>(use: (module: Module) => Result) => Result | Promise<Awaited<Result>>

/**
 * What most programs never need is loaded when it is first used, and at hand from then on. What comes before it is there
 * waits, and goes on in the order in which it came.
 */
export function lazyModule<Module>(load: () => Promise<Module>): LazyModule<Module> {
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
