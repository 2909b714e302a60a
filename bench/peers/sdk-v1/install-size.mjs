export const packages = ['@modelcontextprotocol/sdk@1.32.2', 'zod@4.6.7']
