import assert from 'node:assert/strict'
import { fileURLToPath } from 'node:url'
import { connect } from '@tenon/sdk/client'
import { startStandIn } from './stand-in.ts'

await using weather = await startStandIn()
const args = [fileURLToPath(new URL('server.js', import.meta.url))]
await using client = await connect({ command: 'node', args, env: { WEATHER_API: weather.url } })

for await (const { name, description } of client.tools()) console.log(`${name}: ${description}`)

interface Alerts {
  alerts: { event: string; areaDesc: string; instruction: string }[]
}
const { structured: california } = await client.callTool<Alerts>('get_alerts', { state: 'CA' })
for (const { event, areaDesc, instruction } of california?.alerts ?? []) {
  console.log(`${event}, ${areaDesc}: ${instruction}`)
}
assert.equal(california?.alerts.length, 1)

interface Forecast {
  periods: { name: string; detailedForecast: string }[]
}
const sacramento = { latitude: 38.5816, longitude: -121.4944 }
const { structured: forecast } = await client.callTool<Forecast>('get_forecast', sacramento)
for (const { name, detailedForecast } of forecast?.periods ?? []) console.log(`${name}: ${detailedForecast}`)
assert.equal(forecast?.periods.length, 2)

// The weather service knows the US only: its reason is for the model.
const london = await client.callTool('get_forecast', { latitude: 51.5, longitude: -0.12 })
console.log(`London: ${london.text}`)
assert.ok(london.isError)
