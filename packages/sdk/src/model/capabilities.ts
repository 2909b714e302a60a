type Settings = { [setting: string]: unknown }

/** What a client can do for a server. */
export interface ClientCapabilities {
  roots?: { listChanged?: boolean }
  sampling?: { context?: Settings; tools?: Settings }
  /** `{}` means form only. */
  elicitation?: { form?: Settings; url?: Settings }
  experimental?: { [name: string]: Settings }
  extensions?: { [id: string]: Settings }
}

/** What a server can do for a client. */
export interface ServerCapabilities {
  tools?: { listChanged?: boolean }
  resources?: { subscribe?: boolean; listChanged?: boolean }
  prompts?: { listChanged?: boolean }
  completions?: Settings
  logging?: Settings
  experimental?: { [name: string]: Settings }
  extensions?: { [id: string]: Settings }
}
