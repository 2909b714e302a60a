import { createHash } from 'node:crypto'
import { type HttpServer, serveHttp } from '@tenon/sdk/node'
import type { Server } from '@tenon/sdk/server'

/** A port of its own for every file, and the same each time: a config file with it stays valid. */
const portOf = (file: string): number => 20_000 + (createHash('sha256').update(file).digest().readUInt16BE() % 10_000)

/** Listens at a port; at any other if that is taken and was not given. */
export async function listen(server: Server, file: string, port: number | undefined): Promise<HttpServer> {
  try {
    return await serveHttp(server, { port: port ?? portOf(file) })
  } catch (error) {
    if (port !== undefined || (error as NodeJS.ErrnoException).code !== 'EADDRINUSE') throw error
    return await serveHttp(server)
  }
}
