import type { ServerConfig } from '@tenon/host'
import type { ChosenModel } from '../session/model.ts'

/** The model and the servers of `--demo`: nothing leaves this process. */
export async function createDemo(): Promise<{ chosen: ChosenModel; servers: { [name: string]: ServerConfig } }> {
  const [{ scriptedModel }, { createEverythingServer }, { createWeatherServer }, { demoScript }] = await Promise.all([
    import('@tenon/host/chat'),
    import('@tenon/server-everything'),
    import('./weather.ts'),
    import('./script.ts'),
  ])
  return {
    chosen: { name: 'demo', model: scriptedModel(demoScript, { modelId: 'demo' }) },
    servers: {
      // Trusted, so that its forecast needs no consent, as read-only tools of trusted servers do not.
      weather: { server: createWeatherServer(), trusted: true },
      everything: { server: createEverythingServer() },
    },
  }
}
