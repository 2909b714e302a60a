import { toolchains } from '../../lib/toolchains.mjs'

export const program = ({ responseMode }) => [...toolchains.rust.program, responseMode === 'sse' ? 'sse' : 'json']
