interface Closable {
  close(): Promise<void>
}

/** Stores that are open, once for all who need the same, until the last of them is done: two logs in one folder would cut each other off. */
export class OpenOnce<Store extends Closable> {
  readonly #open = new Map<string, { readonly store: Promise<Store>; users: number }>()

  async use(key: string, open: () => Promise<Store>): Promise<{ readonly store: Store } & Closable> {
    const entry = this.#open.get(key) ?? { store: open(), users: 0 }
    this.#open.set(key, entry)
    entry.users++
    let isDone = false
    const close = async (): Promise<void> => {
      if (isDone) return
      isDone = true
      if (--entry.users > 0) return
      this.#open.delete(key)
      await (await entry.store).close()
    }
    try {
      return { store: await entry.store, close }
    } catch (error) {
      isDone = true
      if (--entry.users === 0) this.#open.delete(key)
      throw error
    }
  }
}
