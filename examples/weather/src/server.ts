import { createServer, ToolError, tool } from '@tenon/sdk/server'
import { serveStdio } from '@tenon/sdk/stdio'
import { z } from 'zod'

const api = process.env.WEATHER_API ?? 'https://api.weather.gov'

/** Asks the US National Weather Service, and checks the shape of its answer. */
async function ask<T>(path: string, shape: z.ZodType<T>, signal: AbortSignal): Promise<T> {
  const headers = { accept: 'application/geo+json', 'user-agent': 'weather-example/1.0' }
  const response = await fetch(api + path, { headers, signal })
  if (response.ok) return shape.parse(await response.json())
  const problem = Problem.safeParse(await response.json().catch(() => undefined))
  throw new ToolError(problem.data?.detail ?? `The weather service answered with status ${response.status}`)
}

const Problem = z.object({ detail: z.string() })

const Alert = z.object({
  event: z.string(),
  areaDesc: z.string(),
  severity: z.string(),
  description: z.string().nullable(),
  instruction: z.string().nullable(),
})
const Alerts = z.object({ features: z.array(z.object({ properties: Alert })) })

const getAlerts = tool({
  name: 'get_alerts',
  description: 'Weather alerts of a US state',
  input: z.object({
    state: z
      .string()
      .regex(/^[A-Z]{2}$/)
      .describe('Two capital letters, such as CA'),
  }),
  output: z.object({ alerts: z.array(Alert) }),
  annotations: { readOnly: true },
  async run({ state }, { signal }) {
    const { features } = await ask(`/alerts/active?area=${state}`, Alerts, signal)
    return { alerts: features.map(({ properties }) => properties) }
  },
})

const Point = z.object({
  properties: z.object({ gridId: z.string().regex(/^\w+$/), gridX: z.number(), gridY: z.number() }),
})
const Period = z.object({
  name: z.string(),
  temperature: z.number(),
  temperatureUnit: z.string(),
  windSpeed: z.string(),
  windDirection: z.string(),
  detailedForecast: z.string(),
})
const Forecast = z.object({ properties: z.object({ periods: z.array(Period) }) })

const getForecast = tool({
  name: 'get_forecast',
  description: 'Weather forecast for a place in the US',
  input: z.object({ latitude: z.number().min(-90).max(90), longitude: z.number().min(-180).max(180) }),
  output: z.object({ periods: z.array(Period) }),
  annotations: { readOnly: true },
  async run({ latitude, longitude }, { signal }) {
    const point = await ask(`/points/${latitude.toFixed(4)},${longitude.toFixed(4)}`, Point, signal)
    const { gridId, gridX, gridY } = point.properties
    const forecast = await ask(`/gridpoints/${gridId}/${gridX},${gridY}/forecast`, Forecast, signal)
    return { periods: forecast.properties.periods.slice(0, 5) }
  },
})

await serveStdio(createServer({ name: 'weather', version: '1.0.0', tools: [getAlerts, getForecast] }))
