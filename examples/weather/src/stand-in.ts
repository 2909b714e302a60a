import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

/** A weather service on this machine. It answers three requests in the shapes of https://api.weather.gov. */
export interface StandIn extends AsyncDisposable {
  readonly url: string
}

export async function startStandIn(): Promise<StandIn> {
  const server = createServer((request, response) => {
    const known = answers.get(request.url ?? '')
    const [status, type, body] = known ? [200, 'geo+json', known] : [404, 'problem+json', problemAt(request.url ?? '')]
    response.writeHead(status, { 'content-type': `application/${type}` }).end(JSON.stringify(body))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}`,
    [Symbol.asyncDispose]: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

const alert = {
  id: 'urn:oid:2.49.0.1.840.0.1',
  areaDesc: 'Sacramento Valley',
  sent: '2026-11-17T02:14:00-08:00',
  effective: '2026-11-17T02:14:00-08:00',
  expires: '2026-11-17T12:00:00-08:00',
  status: 'Actual',
  messageType: 'Alert',
  category: 'Met',
  severity: 'Moderate',
  certainty: 'Likely',
  urgency: 'Expected',
  event: 'Dense Fog Advisory',
  senderName: 'NWS Sacramento CA',
  headline: 'Dense Fog Advisory issued November 17 at 2:14AM PST until November 17 at 12:00PM PST by NWS Sacramento CA',
  description: 'Visibility of a quarter mile or less in dense fog.',
  instruction: 'If driving, slow down and use your headlights.',
  response: 'Execute',
}

const periods = [
  {
    name: 'Today',
    temperature: 58,
    windSpeed: '2 to 6 mph',
    shortForecast: 'Areas Of Fog then Sunny',
    isDaytime: true,
  },
  { name: 'Tonight', temperature: 41, windSpeed: '3 mph', shortForecast: 'Patchy Fog', isDaytime: false },
].map((period, index) => ({
  ...period,
  number: index + 1,
  startTime: `2026-11-17T${index === 0 ? '06' : '18'}:00:00-08:00`,
  endTime: `2026-11-1${index === 0 ? '7T18' : '8T06'}:00:00-08:00`,
  temperatureUnit: 'F',
  temperatureTrend: null,
  probabilityOfPrecipitation: { unitCode: 'wmoUnit:percent', value: 0 },
  windDirection: 'NW',
  detailedForecast: `${period.shortForecast}, ${period.isDaytime ? 'with a high near' : 'with a low around'} ${period.temperature}.`,
}))

const answers = new Map<string, object>([
  [
    '/alerts/active?area=CA',
    {
      type: 'FeatureCollection',
      features: [
        { id: `https://api.weather.gov/alerts/${alert.id}`, type: 'Feature', geometry: null, properties: alert },
      ],
      title: 'Current watches, warnings, and advisories for California',
      updated: '2026-11-17T10:14:00+00:00',
    },
  ],
  [
    '/points/38.5816,-121.4944',
    {
      id: 'https://api.weather.gov/points/38.5816,-121.4944',
      type: 'Feature',
      geometry: { type: 'Point', coordinates: [-121.4944, 38.5816] },
      properties: {
        cwa: 'STO',
        gridId: 'STO',
        gridX: 41,
        gridY: 68,
        forecast: 'https://api.weather.gov/gridpoints/STO/41,68/forecast',
        timeZone: 'America/Los_Angeles',
      },
    },
  ],
  [
    '/gridpoints/STO/41,68/forecast',
    {
      type: 'Feature',
      geometry: { type: 'Polygon', coordinates: [] },
      properties: { units: 'us', generatedAt: '2026-11-17T13:05:00+00:00', periods },
    },
  ],
])

const problemAt = (path: string): object => ({
  correlationId: '2b1e4a7c',
  title: 'Data Unavailable For Requested Point',
  type: 'https://api.weather.gov/problems/InvalidPoint',
  status: 404,
  detail: `Unable to provide data for requested point ${path.replace('/points/', '')}`,
  instance: 'https://api.weather.gov/requests/2b1e4a7c',
})
