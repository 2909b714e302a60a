export const packages = [
  'tmcp@1.20.0',
  '@tmcp/transport-http@0.9.0',
  '@tmcp/transport-stdio@0.5.0',
  '@tmcp/adapter-zod@0.1.7',
  'zod@4.6.7',
]
