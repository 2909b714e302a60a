import { type ServerTool, tool } from '@tenon/sdk/server'
import { z } from 'zod'
import type { Database } from '../database.ts'
import { answer, reads } from '../key-tool.ts'
import { infoSections, infoText, readServerInfo } from '../server-info.ts'

/** The tool for Redis itself. */
export const infoTool = (database: Database): ServerTool =>
  tool({
    name: 'info',
    title: 'Describe Redis',
    description: 'Tells version, memory, clients, statistics and numbers of keys of Redis.',
    annotations: reads,
    input: z.object({
      sections: z.array(z.enum(infoSections)).max(infoSections.length).default(['server', 'memory', 'keyspace']),
    }),
    output: z.object({ info: z.record(z.string(), z.record(z.string(), z.string())) }),
    async run({ sections }) {
      const info = await readServerInfo(database, sections)
      return answer(infoText(info), { info })
    },
  })
