import { counterHelp, type GatewayMetrics, type MetricAttributes } from './metrics.ts'

/** The part of a `Meter` of `@opentelemetry/api` that is used. */
export interface MeterLike {
  createCounter(name: string, options: { description: string }): { add(value: number, attributes: object): void }
}

/** The part of a `Span` that is used. */
export interface SpanLike {
  setAttributes(attributes: { [name: string]: string }): unknown
}

export interface OtelMetricsOptions {
  readonly meter: MeterLike
  /** `() => trace.getActiveSpan()`: it gets the decision as attributes. */
  readonly activeSpan?: () => SpanLike | undefined
}

/**
 * Measurements for OpenTelemetry. The durations and spans of requests are those of `instrument()` of `@tenon/sdk/otel`;
 * this adds the counters of the gateway, and its decision to the span of the request.
 */
export function otelMetrics({ meter, activeSpan }: OtelMetricsOptions): GatewayMetrics {
  const counters = new Map(
    [...counterHelp].map(([name, description]) => [name, meter.createCounter(name, { description })]),
  )
  return {
    count(name: string, attributes: MetricAttributes) {
      counters.get(name)?.add(1, attributes)
      activeSpan?.()?.setAttributes(attributes)
    },
    duration() {},
  }
}
