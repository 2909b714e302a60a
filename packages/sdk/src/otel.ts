export { type InstrumentOptions, instrument, type Recorded } from './otel/instrument.ts'
