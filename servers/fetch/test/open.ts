import { type Client, connect } from '@tenon/sdk/client'
import { createFetchServer, type FetchServerOptions } from '@tenon/server-fetch'

/** A client of a fetch server in this process that may reach sites on 127.0.0.1. */
export const open = (options: FetchServerOptions = {}): Promise<Client> =>
  connect(createFetchServer({ allowPrivate: ['127.0.0.1'], readTimeout: 60_000, ...options }))
