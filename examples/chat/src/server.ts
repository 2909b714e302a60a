import { createServer, ToolError, tool } from '@tenon/sdk/server'
import { serveStdio } from '@tenon/sdk/stdio'
import { z } from 'zod'

/** The forecast of the weather example, for one place and without the weather service. */
const getForecast = tool({
  name: 'get_forecast',
  description: 'Weather forecast for a place in the US',
  input: z.object({ latitude: z.number(), longitude: z.number() }),
  output: z.object({ detailedForecast: z.string() }),
  annotations: { readOnly: true },
  run({ latitude, longitude }) {
    if (Math.round(latitude) === 39) return { detailedForecast: 'Areas Of Fog then Sunny, with a high near 58.' }
    throw new ToolError(`Unable to provide data for requested point ${latitude},${longitude}`)
  },
})

await serveStdio(createServer({ name: 'weather', version: '1.0.0', tools: [getForecast] }))
