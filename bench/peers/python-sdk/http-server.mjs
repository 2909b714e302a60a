import { toolchains } from '../../lib/toolchains.mjs'

export const program = ({ responseMode }) => [...toolchains.python.program, responseMode === 'sse' ? 'sse' : 'json']
