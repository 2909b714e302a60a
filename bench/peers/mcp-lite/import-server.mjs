import 'mcp-lite'
