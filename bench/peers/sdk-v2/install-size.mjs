export const packages = [
  '@modelcontextprotocol/server@2.4.0',
  '@modelcontextprotocol/client@2.4.0',
  '@modelcontextprotocol/node@2.1.2',
]
