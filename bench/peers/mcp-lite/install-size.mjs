export const packages = ['mcp-lite@0.10.0', 'zod@4.6.7']
