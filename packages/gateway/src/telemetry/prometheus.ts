import { counterHelp, type GatewayMetrics, type MetricAttributes, operationDuration } from './metrics.ts'

const boundaries = [0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10, 30, 60, 120, 300]
/** Peers choose names: more series than these are counted together. */
const maxSeries = 5_000
const maxLabel = 200

interface Series {
  readonly labels: string
  count: number
  sum: number
  readonly buckets: number[]
}

/** Measurements for Prometheus, by the naming rules of OpenTelemetry. `text()` is the body of `/metrics`. */
export class PrometheusMetrics implements GatewayMetrics {
  readonly #counters = new Map<string, Map<string, Series>>()
  readonly #durations = new Map<string, Map<string, Series>>()
  #series = 0

  /** The media type of the text. */
  static readonly contentType = 'text/plain; version=0.0.4; charset=utf-8'

  count(name: string, attributes: MetricAttributes): void {
    this.#find(this.#counters, name, attributes).count++
  }

  duration(name: string, seconds: number, attributes: MetricAttributes): void {
    const series = this.#find(this.#durations, name, attributes)
    series.count++
    series.sum += seconds
    const at = boundaries.findIndex((boundary) => seconds <= boundary)
    if (at >= 0) series.buckets[at] = (series.buckets[at] ?? 0) + 1
  }

  text(): string {
    const lines: string[] = []
    for (const [name, all] of this.#counters) {
      const metric = `${underscored(name)}_total`
      lines.push(`# HELP ${metric} ${counterHelp.get(name) ?? name}`, `# TYPE ${metric} counter`)
      for (const { labels, count } of all.values()) lines.push(`${metric}${braced(labels)} ${count}`)
    }
    for (const [name, all] of this.#durations) {
      const metric = `${underscored(name)}_seconds`
      const help = name === operationDuration ? 'Requests, as seen by the gateway' : name
      lines.push(`# HELP ${metric} ${help}`, `# TYPE ${metric} histogram`)
      for (const series of all.values()) lines.push(...histogramLines(metric, series))
    }
    return `${lines.join('\n')}\n`
  }

  #find(metrics: Map<string, Map<string, Series>>, name: string, attributes: MetricAttributes): Series {
    const all = metrics.get(name) ?? new Map<string, Series>()
    metrics.set(name, all)
    const labels = labelsOf(attributes)
    const known = all.get(labels)
    if (known !== undefined) return known
    const others = 'otel_metric_overflow="true"'
    const isFull = this.#series >= maxSeries
    const key = isFull ? others : labels
    const series = all.get(key) ?? { labels: key, count: 0, sum: 0, buckets: [] }
    if (!all.has(key)) this.#series++
    all.set(key, series)
    return series
  }
}

function* histogramLines(metric: string, { labels, buckets, count, sum }: Series): Generator<string> {
  const before = labels === '' ? '' : `${labels},`
  let below = 0
  for (const [at, boundary] of boundaries.entries()) {
    below += buckets[at] ?? 0
    yield `${metric}_bucket{${before}le="${boundary}"} ${below}`
  }
  yield `${metric}_bucket{${before}le="+Inf"} ${count}`
  yield `${metric}_sum${braced(labels)} ${sum}`
  yield `${metric}_count${braced(labels)} ${count}`
}

const underscored = (name: string): string => name.replace(/\W/g, '_')
const braced = (labels: string): string => (labels === '' ? '' : `{${labels}}`)

const labelsOf = (attributes: MetricAttributes): string =>
  Object.entries(attributes)
    .map(([name, value]) => `${underscored(name)}="${escaped(value.slice(0, maxLabel))}"`)
    .join(',')

const escaped = (value: string): string => value.replace(/["\\\n]/g, (found) => (found === '\n' ? '\\n' : `\\${found}`))
