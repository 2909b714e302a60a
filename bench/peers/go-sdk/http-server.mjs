import { toolchains } from '../../lib/toolchains.mjs'

export const program = ({ responseMode }) => [...toolchains.go.program, responseMode === 'sse' ? 'sse' : 'json']
