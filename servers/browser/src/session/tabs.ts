import { ToolError } from '@tenon/sdk/server'
import type { BrowserContext, Page } from 'playwright-core'

export interface Tab {
  readonly id: number
  readonly page: Page
  /** The latest snapshot, for its further parts. */
  snapshot?: string
}

/** The tabs of a session: those that calls opened, and windows that pages opened. */
export class Tabs {
  readonly #context: BrowserContext
  readonly #most: () => number
  readonly #tabs = new Map<number, Tab>()
  #last = 0
  #current: number | undefined

  constructor(context: BrowserContext, most: () => number, adopted: (page: Page) => void, refused: () => void) {
    this.#context = context
    this.#most = most
    context.on('page', (page) => {
      if (this.#tabs.size >= most()) {
        refused()
        return void page.close().catch(() => {})
      }
      this.#adopt(page)
      adopted(page)
    })
  }

  /** The tab that calls are about; a blank one if there is none. */
  async current(): Promise<Tab> {
    return this.find(this.#current) ?? (await this.open())
  }

  /** A new tab, which becomes the current one. */
  async open(): Promise<Tab> {
    if (this.#tabs.size >= this.#most()) {
      throw new ToolError(
        `There are ${this.#tabs.size} tabs already. Close one with browser_tabs before opening another.`,
      )
    }
    const page = await this.#context.newPage()
    const tab = this.all().find((one) => one.page === page)!
    this.#current = tab.id
    return tab
  }

  select(id: number): Tab {
    const tab = this.#known(id)
    this.#current = id
    return tab
  }

  async close(id: number): Promise<void> {
    await this.#known(id).page.close()
  }

  find(id: number | undefined): Tab | undefined {
    return id === undefined ? undefined : this.#tabs.get(id)
  }

  all(): Tab[] {
    return [...this.#tabs.values()]
  }

  isCurrent({ id }: Tab): boolean {
    return id === this.#current
  }

  #known(id: number): Tab {
    const tab = this.#tabs.get(id)
    if (tab !== undefined) return tab
    throw new ToolError(`There is no tab ${id}; there are: ${[...this.#tabs.keys()].join(', ') || 'none'}.`)
  }

  #adopt(page: Page): void {
    const id = ++this.#last
    this.#tabs.set(id, { id, page })
    this.#current ??= id
    const forget = (): void => {
      this.#tabs.delete(id)
      if (this.#current === id) this.#current = [...this.#tabs.keys()].at(-1)
    }
    page.once('close', forget)
    // A page that crashed can do nothing more.
    page.once('crash', () => {
      forget()
      void page.close().catch(() => {})
    })
  }
}
