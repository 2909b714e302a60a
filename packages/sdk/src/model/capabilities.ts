type Settings = { [setting: string]: unknown }

/** The capabilities of a client. */
export interface ClientCapabilities {
  roots?: { listChanged?: boolean }
  sampling?: { context?: Settings; tools?: Settings }
  /** `{}` means form only. */
  elicitation?: { form?: Settings; url?: Settings }
  experimental?: { [name: string]: Settings }
  extensions?: { [id: string]: Settings }
}

/** The capabilities of a server. */
export interface ServerCapabilities {
  tools?: { listChanged?: boolean }
  resources?: { subscribe?: boolean; listChanged?: boolean }
  prompts?: { listChanged?: boolean }
  completions?: Settings
  logging?: Settings
  experimental?: { [name: string]: Settings }
  extensions?: { [id: string]: Settings }
}
